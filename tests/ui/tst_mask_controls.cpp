// SPDX-License-Identifier: GPL-3.0-or-later
// Masks in the mechanism panel: rules and their numbers, pasted and opened matrices, painted blocks, padding, and how many keys are visible.
#include "mechanism_fixture.h"
#include "panels/mechanism/block_grid.h"
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/mask_controls.h"
#include "panels/mechanism/scale_field.h"
#include "panels/number_field.h"

#include <QClipboard>
#include <QTemporaryDir>

using namespace attenscope;
using namespace attenscope::test;

class MaskControlsTest : public QObject, protected MechanismFixture {
    Q_OBJECT

private slots:
    void init() { open(exampleSentence(), { 320, 900 }); }
    void cleanup() { close(); }
    void maskIsChosenAndUndone();
    void visibleKeysOfThePickedRowAreCounted();
    void alignmentIsAskedOnlyForDifferentLengths();
    void paddingHidesTheLastKeys();
    void pastedMatrixHidesItsZeros();
    void polaritySwapsWhatOneMeans();
    void maskOfAnotherSizeIsExplained();
    void maskHasOnlyZerosAndOnes();
    void hoveredRowIsCountedBeforeThePickedOne();
    void everyRuleShowsItsNumbersInWords_data();
    void everyRuleShowsItsNumbersInWords();
    void documentsAreAListOfStarts();
    void blockLayoutIsPaintedAndFollowsTheBlocks();
    void layoutOfAnotherInputIsMended();
    void ruleAndMatrixCombine();
    void matrixIsReadFromAFile();
};

void MaskControlsTest::maskIsChosenAndUndone()
{
    auto *rule = control<QComboBox>(*m_widget, "maskRule");
    QCOMPARE(spec().mask.rule, MaskRule::Causal);
    QCOMPARE(rule->currentText(), QStringLiteral("causal"));
    walkTo("maskRule", 0);
    QCOMPARE(spec().mask.rule, MaskRule::None);
    QVERIFY(m_widget->findChild<FormulaView *>()->rectOf(Symbol::Mask).isNull());
    m_document->undoStack()->undo();
    QCOMPARE(rule->currentText(), QStringLiteral("causal"));
    QVERIFY(!m_widget->findChild<FormulaView *>()->rectOf(Symbol::Mask).isNull());
}

void MaskControlsTest::visibleKeysOfThePickedRowAreCounted()
{
    auto *row = rowOf(control<QComboBox>(*m_widget, "maskRule"));
    QCOMPARE(row->note(), QStringLiteral("1 to 10 of 10 keys visible"));
    m_selection->setPicked(CellRef{ .row = 7, .col = 1 });
    QCOMPARE(row->note(), QStringLiteral("8 of 10 keys visible in this row"));
    walkTo("maskRule", 0);
    QCOMPARE(row->note(), QStringLiteral("10 of 10 keys visible in this row"));
}

void MaskControlsTest::alignmentIsAskedOnlyForDifferentLengths()
{
    auto *alignment = control<QComboBox>(*m_widget, "maskAlignment");
    QVERIFY(!alignment->isVisible());
    Session session = m_document->session();
    std::get<TokensSource>(session.source).keyText = "one two three four five six seven eight nine ten eleven twelve";
    m_document->edit(session, "take keys from a second sequence");
    QVERIFY(alignment->isVisible());
    m_selection->setPicked(CellRef{ .row = 0, .col = -1 });
    QCOMPARE(rowOf(control<QComboBox>(*m_widget, "maskRule"))->note(), QStringLiteral("3 of 12 keys visible in this row"));
    walkTo("maskAlignment", 1);
    QCOMPARE(spec().mask.alignment, CausalAlignment::TopLeft);
    QCOMPARE(rowOf(control<QComboBox>(*m_widget, "maskRule"))->note(), QStringLiteral("1 of 12 keys visible in this row"));
}

void MaskControlsTest::paddingHidesTheLastKeys()
{
    walkTo("maskRule", 0);
    auto *padding = control<NumberField>(*m_widget, "maskPadding");
    enterText(padding, "3");
    QCOMPARE(spec().mask.paddedKeys, 3);
    QCOMPARE(rowOf(control<QComboBox>(*m_widget, "maskRule"))->note(), QStringLiteral("7 of 10 keys visible in every row"));
    enterText(padding, "11");
    QCOMPARE(rowOf(padding)->problem(), QStringLiteral("Padding: a whole number from 0 to 10."));
    QCOMPARE(spec().mask.paddedKeys, 3);
}

void MaskControlsTest::pastedMatrixHidesItsZeros()
{
    m_document->reset(workedExample());
    walkTo("maskRule", 2);
    auto *paste = control<LinkButton>(*m_widget, "maskPaste");
    QVERIFY(paste->isVisible());
    QCOMPARE(rowOf(paste)->note(), QStringLiteral("Copy a 3 × 3 matrix of 0 and 1, then Paste."));
    QGuiApplication::clipboard()->setText("1\t0\t1\n0\t1\t0\n1\t1\t1");
    paste->click();
    QVERIFY(spec().mask.allowed.at(0, 2));
    QVERIFY(!spec().mask.allowed.at(0, 1));
    QCOMPARE(rowOf(paste)->note(), QStringLiteral("3 × 3, lets 6 of 9 cells through"));
    m_document->undoStack()->undo();
    QVERIFY(spec().mask.allowed.isEmpty());
}

void MaskControlsTest::polaritySwapsWhatOneMeans()
{
    m_document->reset(workedExample());
    walkTo("maskRule", 2);
    walkTo("maskPolarity", 1);
    QGuiApplication::clipboard()->setText("[[0, 1, 1], [0, 0, 1], [0, 0, 0]]");
    control<LinkButton>(*m_widget, "maskPaste")->click();
    QVERIFY(spec().mask.allowed.at(1, 0));
    QVERIFY(!spec().mask.allowed.at(0, 1));
    walkTo("maskPolarity", 0);
    QVERIFY(!spec().mask.allowed.at(1, 0));
    QVERIFY(spec().mask.allowed.at(0, 1));
    m_document->undoStack()->undo();
    QCOMPARE(control<QComboBox>(*m_widget, "maskPolarity")->currentIndex(), 1);
    QVERIFY(spec().mask.allowed.at(1, 0));
    QGuiApplication::clipboard()->setText("1 1 1\n0 0 0\n1 1 1");
    control<LinkButton>(*m_widget, "maskPaste")->click();
    m_document->undoStack()->undo();
    QCOMPARE(control<QComboBox>(*m_widget, "maskPolarity")->currentIndex(), 1);
    QVERIFY(spec().mask.allowed.at(1, 0));
}

void MaskControlsTest::maskOfAnotherSizeIsExplained()
{
    m_document->reset(workedExample());
    walkTo("maskRule", 2);
    QGuiApplication::clipboard()->setText("1 0\n0 1");
    auto *paste = control<LinkButton>(*m_widget, "maskPaste");
    paste->click();
    QVERIFY(m_document->problem());
    QCOMPARE(m_document->problem()->part, SpecPart::Mask);
    QVERIFY(!rowOf(paste)->problem().isEmpty());
    walkTo("maskRule", 0);
    QVERIFY(!m_document->problem());
    QVERIFY(rowOf(paste)->problem().isEmpty());
}

void MaskControlsTest::maskHasOnlyZerosAndOnes()
{
    m_document->reset(workedExample());
    walkTo("maskRule", 2);
    QGuiApplication::clipboard()->setText("1 0 1\n0 0.5 1\n1 1 1");
    auto *paste = control<LinkButton>(*m_widget, "maskPaste");
    paste->click();
    QCOMPARE(rowOf(paste)->problem(), QStringLiteral("Row 1, column 1 is 0.5. A mask has only 0 and 1."));
    QVERIFY(spec().mask.allowed.isEmpty());
    QGuiApplication::clipboard()->setText("[[[1, 0, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [0, 0, 1]]]");
    paste->click();
    QCOMPARE(rowOf(paste)->problem(), QStringLiteral("There are 2 matrices. Copy one; it counts for every head."));
    QVERIFY(spec().mask.allowed.isEmpty());
    m_document->reset(exampleSentence());
    QVERIFY(!paste->isVisible());
    QCOMPARE(control<QComboBox>(*m_widget, "maskRule")->currentIndex(), 1);
}

void MaskControlsTest::hoveredRowIsCountedBeforeThePickedOne()
{
    const auto note = [this] { return rowOf(control<QComboBox>(*m_widget, "maskRule"))->note(); };
    m_selection->setPicked(CellRef{ 2, 0 });
    QCOMPARE(note(), QStringLiteral("3 of 10 keys visible in this row"));
    m_selection->setHovered(CellRef{ 6, 1 });
    QCOMPARE(note(), QStringLiteral("7 of 10 keys visible in this row"));
    m_selection->setHovered(std::nullopt);
    QCOMPARE(note(), QStringLiteral("3 of 10 keys visible in this row"));
    m_selection->setPicked(std::nullopt);
    QCoreApplication::processEvents();
    const auto *below = control<ScaleField>(*m_widget, "scale");
    const QPoint before = below->mapTo(m_widget.get(), QPoint());
    for (const Index row : { Index{ 0 }, Index{ 9 } }) {
        m_selection->setHovered(CellRef{ row, -1 });
        QCOMPARE(note(), QStringLiteral("%1 of 10 keys visible in this row").arg(row + 1));
        QCoreApplication::processEvents();
        QCOMPARE(below->mapTo(m_widget.get(), QPoint()), before);
    }
}

void MaskControlsTest::everyRuleShowsItsNumbersInWords_data()
{
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("counted");
    const auto row = [](const char *entry, const char *name, const char *words, const char *counted) {
        QTest::newRow(entry) << entry << name << words << counted;
    };
    row("window", "maskWindow", "window: 4 keys on each side of the own key", "5 to 9 of 10 keys visible");
    row("causal window", "maskWindow", "window: 4 keys, own included", "1 to 4 of 10 keys visible");
    row("prefix", "maskPrefix", "prefix: every query sees the first 1 key", "1 to 10 of 10 keys visible");
    row("strided", "maskStride", "stride: the 4 keys before the own one, and those at multiples of 4", "1 to 6 of 10 keys visible");
    row("fixed", "maskColumns", "columns: the last 1 key of every earlier block", "1 to 5 of 10 keys visible");
    row("block-sparse", "maskBlock", "3 × 3 blocks, the last ones cut to what is left", "4 to 10 of 10 keys visible");
    row("sinks and window", "maskSinks", "sinks: the first 1 key", "1 to 5 of 10 keys visible");
    row("documents", "documentStarts", "2 documents: 5, 5 tokens", "1 to 5 of 10 keys visible");
}

void MaskControlsTest::everyRuleShowsItsNumbersInWords()
{
    QFETCH(QString, entry);
    QFETCH(QString, name);
    QFETCH(QString, words);
    QFETCH(QString, counted);
    choose("maskRule", entry);
    QVERIFY(!m_document->problem());
    QCOMPARE(undoText(), QStringLiteral("mask by ") + entry);
    auto *field = control<QWidget>(*m_widget, qPrintable(name));
    QVERIFY(field->isVisible());
    QCOMPARE(rowOf(field)->note(), words);
    QCOMPARE(rowOf(control<QComboBox>(*m_widget, "maskRule"))->note(), counted);
    choose("maskRule", QStringLiteral("none"));
    QVERIFY(!field->isVisible());
}

void MaskControlsTest::documentsAreAListOfStarts()
{
    choose("maskRule", QStringLiteral("documents"));
    auto *field = control<QLineEdit>(*m_widget, "documentStarts");
    QCOMPARE(field->text(), QStringLiteral("5"));
    enterText(field, "0, 4; 7");
    QCOMPARE(spec().mask.documentStarts, (std::vector<Index>{ 0, 4, 7 }));
    QCOMPARE(rowOf(field)->note(), QStringLiteral("3 documents: 4, 3, 3 tokens"));
    for (const char *bad : { "7, 4", "10", "-1", "x" }) {
        enterText(field, bad);
        QCOMPARE(rowOf(field)->problem(), QStringLiteral("Starts: ascending positions from 0 to 9, such as 0, 5."));
        QCOMPARE(spec().mask.documentStarts.size(), 3U);
    }
}

void MaskControlsTest::blockLayoutIsPaintedAndFollowsTheBlocks()
{
    choose("maskRule", QStringLiteral("block-sparse"));
    auto *grid = control<BlockGrid>(*m_widget, "blockLayout");
    // Until the grid has its size.
    QCoreApplication::processEvents();
    QVERIFY(!spec().mask.blockLayout.at(0, 1));
    const int steps = m_document->undoStack()->count();
    // A drag over two cells is one step.
    QTest::mousePress(grid, Qt::LeftButton, {}, grid->cellCenter(0, 1));
    QTest::mouseMove(grid, grid->cellCenter(0, 2));
    QTest::mouseRelease(grid, Qt::LeftButton, {}, grid->cellCenter(0, 2));
    QVERIFY(spec().mask.blockLayout.at(0, 1));
    QVERIFY(spec().mask.blockLayout.at(0, 2));
    QCOMPARE(m_document->undoStack()->count(), steps + 1);
    // By keys: the cell that was painted last is the one with the focus.
    grid->setFocus();
    QTest::keyClick(grid, Qt::Key_Down);
    QTest::keyClick(grid, Qt::Key_Space);
    QVERIFY(spec().mask.blockLayout.at(1, 2));
    enterText(control<NumberField>(*m_widget, "maskBlock"), "2");
    QCOMPARE(spec().mask.blockLayout.rows(), 5);
    QVERIFY(!m_document->problem());
}

void MaskControlsTest::layoutOfAnotherInputIsMended()
{
    choose("maskRule", QStringLiteral("block-sparse"));
    Session longer = m_document->session();
    std::get<TokensSource>(longer.source).text += " and it slept all day";
    m_document->edit(longer, "type");
    QVERIFY(m_document->problem());
    PanelRow *row = rowOf(control<BlockGrid>(*m_widget, "blockLayout"));
    QCOMPARE(row->problem(), QStringLiteral("The block layout is 3 × 3. It must be 4 × 4 for blocks of 4."));
    Session shorter = longer;
    std::get<TokensSource>(shorter.source).text = "The cat sat on the mat because it was";
    m_document->edit(shorter, "type");
    QVERIFY(!m_document->problem());
    QVERIFY(row->problem().isEmpty());
}

void MaskControlsTest::ruleAndMatrixCombine()
{
    m_document->reset(workedExample());
    choose("maskRule", QStringLiteral("0/1 matrix"));
    QGuiApplication::clipboard()->setText("1\t1\t1\n0\t1\t1\n1\t1\t1");
    control<LinkButton>(*m_widget, "maskPaste")->click();
    choose("maskRule", QStringLiteral("causal"));
    enterText(control<NumberField>(*m_widget, "maskPadding"), "1");
    QVERIFY(!spec().mask.allowed.isEmpty());
    const Mask mask(m_document->block(), spec().mask, 0);
    QCOMPARE(mask.visibleCount(0), 1);
    QCOMPARE(mask.visibleCount(1), 1);
    QCOMPARE(mask.visibleCount(2), 2);
}

void MaskControlsTest::matrixIsReadFromAFile()
{
    m_document->reset(workedExample());
    choose("maskRule", QStringLiteral("0/1 matrix"));
    const QTemporaryDir folder;
    const auto write = [&folder](const char *name, const char *text) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("mask.csv", "1,0,1\n0,1,0\n1,1,1\n");
    write("small.csv", "1,0\n0,1\n");
    auto *mask = m_widget->findChild<MaskControls *>();
    mask->loadMatrix(folder.filePath("mask.csv"));
    QVERIFY(!spec().mask.allowed.at(0, 1));
    QVERIFY(spec().mask.allowed.at(0, 2));
    QCOMPARE(undoText(), QStringLiteral("open a mask"));
    m_document->undoStack()->undo();
    choose("maskPolarity", QStringLiteral("1 = masked"));
    mask->loadMatrix(folder.filePath("mask.csv"));
    QVERIFY(spec().mask.allowed.at(0, 1));
    QVERIFY(!spec().mask.allowed.at(0, 2));
    mask->loadMatrix(folder.filePath("small.csv"));
    QVERIFY(rowOf(control<LinkButton>(*m_widget, "maskOpen"))->problem().startsWith("The mask is 2 × 2."));
}

QTEST_MAIN(MaskControlsTest)
#include "tst_mask_controls.moc"
