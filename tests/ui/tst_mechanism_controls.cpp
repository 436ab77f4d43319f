// SPDX-License-Identifier: GPL-3.0-or-later
// Every mechanism can be chosen, edited, named and undone in the panel, and what is out of range is refused where it was entered.
#include "panels/input/matrix_view.h"
#include "panels/mechanism/block_grid.h"
#include "panels/mechanism/fold_row.h"
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/gallery.h"
#include "panels/mechanism/mask_controls.h"
#include "panels/mechanism/mechanism_panel.h"
#include "panels/number_field.h"
#include "support/panels.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>

using namespace attenscope;
using namespace attenscope::test;

class MechanismControlsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void everyScoreCanBeChosen_data();
    void everyScoreCanBeChosen();
    void parametersAreSeededUntilEdited();
    void parametersThatDoNotFitAreMended();
    void everyRuleShowsItsNumbersInWords_data();
    void everyRuleShowsItsNumbersInWords();
    void badNumbersAreRefusedWithTheRange_data();
    void badNumbersAreRefusedWithTheRange();
    void documentsAreAListOfStarts();
    void blockLayoutIsPaintedAndFollowsTheBlocks();
    void layoutOfAnotherInputIsMended();
    void ruleAndMatrixCombine();
    void matrixIsReadFromAFile();
    void ropeHasItsNumbers();
    void ropeNeedsPairs();
    void biasIsFilledAndPasted();
    void softCapIsDraggedInOneStep();
    void flashHasTiles();
    void presetIsNamedAndChanges();
    void whatThePresetLacksIsOffered();
    void galleryFindsUsesAndCompares();
    void costsFollowTheMechanismAndTheSlider();
    void undoSaysWhatItUndoes();

private:
    [[nodiscard]] const AttentionSpec &spec() const { return m_document->session().mechanism; }
    [[nodiscard]] QString undoText() const { return m_document->undoStack()->undoText(); }
    void choose(const char *box, const QString &entry) const;
    void unfold(const char *name) const { control<FoldRow>(*m_panel, name)->setOpen(true); }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<MechanismPanel> m_panel;
};

void MechanismControlsTest::init()
{
    m_document = std::make_unique<Document>();
    m_document->reset(exampleSentence());
    m_selection = std::make_unique<Selection>();
    m_panel = std::make_unique<MechanismPanel>(*m_document, *m_selection);
    m_panel->resize(320, 900);
    m_panel->show();
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
}

void MechanismControlsTest::cleanup()
{
    m_panel.reset();
    m_selection.reset();
    m_document.reset();
}

void MechanismControlsTest::choose(const char *box, const QString &entry) const
{
    auto *combo = control<QComboBox>(*m_panel, box);
    const int index = combo->findText(entry);
    QVERIFY2(index >= 0, qPrintable(entry));
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

void MechanismControlsTest::everyScoreCanBeChosen_data()
{
    QTest::addColumn<QString>("entry");
    QTest::addColumn<int>("score");
    QTest::addColumn<QStringList>("tables");
    const auto row = [](const char *entry, ScoreFunction score, const QStringList &tables) {
        QTest::newRow(entry) << entry << static_cast<int>(score) << tables;
    };
    row("dot product", ScoreFunction::Dot, {});
    row("general", ScoreFunction::General, { "W" });
    row("concat", ScoreFunction::Concat, { "W", "v" });
    row("additive", ScoreFunction::Additive, { "W_dec", "W_enc", "v" });
    row("linear", ScoreFunction::Linear, {});
}

void MechanismControlsTest::everyScoreCanBeChosen()
{
    QFETCH(QString, entry);
    QFETCH(int, score);
    QFETCH(QStringList, tables);
    const auto before = m_document->result();
    choose("score", entry);
    QCOMPARE(spec().score, static_cast<ScoreFunction>(score));
    QVERIFY(!m_document->problem());
    QVERIFY(m_document->result() != before);
    auto *fold = control<FoldRow>(*m_panel, "scoreParameters");
    QCOMPARE(fold->isVisible(), !tables.isEmpty());
    fold->setOpen(true);
    for (const char *name : { "W", "W_dec", "W_enc", "v" })
        QCOMPARE(control<QWidget>(*m_panel, (std::string("table ") + name).c_str())->isVisible(), tables.contains(name));
    m_document->undoStack()->undo();
    QCOMPARE(control<QComboBox>(*m_panel, "score")->currentText(), QStringLiteral("scaled dot product"));
}

void MechanismControlsTest::parametersAreSeededUntilEdited()
{
    choose("score", QStringLiteral("additive"));
    QCOMPARE(spec().parameters, ScoreParameters());
    unfold("scoreParameters");
    auto *table = control<PanelRow>(*m_panel, "table W_dec")->findChild<MatrixView *>();
    QCOMPARE(table->matrixModel()->rowCount(), 8);
    QCOMPARE(table->matrixModel()->columnCount(), 8);
    const auto weights = [this] { return m_document->field()->at(9, 0); };
    const double seeded = weights();
    // Other heads, other shapes.
    enterText(control<NumberField>(*m_panel, "heads"), "8");
    QVERIFY(!m_document->problem());
    QCOMPARE(table->matrixModel()->rowCount(), 4);
    enterText(control<NumberField>(*m_panel, "heads"), "4");
    QCOMPARE(weights(), seeded);

    table->matrixModel()->setData(table->matrixModel()->index(0, 0), QStringLiteral("7"), Qt::EditRole);
    QCOMPARE(undoText(), QStringLiteral("edit W_dec"));
    QCOMPARE(spec().parameters.wDec.at(0, 0), 7.0);
    QVERIFY(!spec().parameters.v.isEmpty());
    QVERIFY(weights() != seeded);
    m_document->undoStack()->undo();
    QCOMPARE(weights(), seeded);
}

void MechanismControlsTest::parametersThatDoNotFitAreMended()
{
    choose("score", QStringLiteral("general"));
    unfold("scoreParameters");
    auto *table = control<PanelRow>(*m_panel, "table W")->findChild<MatrixView *>();
    table->matrixModel()->setData(table->matrixModel()->index(0, 0), QStringLiteral("1"), Qt::EditRole);
    enterText(control<NumberField>(*m_panel, "heads"), "8");
    QVERIFY(m_document->problem());
    PanelRow *row = rowOf(control<QComboBox>(*m_panel, "score"));
    QCOMPARE(row->problem(), QStringLiteral("W is 8 × 8. It must be 4 × 4."));
    QVERIFY(clickLink(row, "Use seeded parameters"));
    QVERIFY(!m_document->problem());
    QCOMPARE(spec().parameters, ScoreParameters());
}

void MechanismControlsTest::everyRuleShowsItsNumbersInWords_data()
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

void MechanismControlsTest::everyRuleShowsItsNumbersInWords()
{
    QFETCH(QString, entry);
    QFETCH(QString, name);
    QFETCH(QString, words);
    QFETCH(QString, counted);
    choose("maskRule", entry);
    QVERIFY(!m_document->problem());
    QCOMPARE(undoText(), QStringLiteral("mask by ") + entry);
    auto *field = control<QWidget>(*m_panel, qPrintable(name));
    QVERIFY(field->isVisible());
    QCOMPARE(rowOf(field)->note(), words);
    QCOMPARE(rowOf(control<QComboBox>(*m_panel, "maskRule"))->note(), counted);
    choose("maskRule", QStringLiteral("none"));
    QVERIFY(!field->isVisible());
}

void MechanismControlsTest::badNumbersAreRefusedWithTheRange_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *rule, const char *name, const char *text, const char *sentence) {
        QTest::addRow("%s %s", name, text) << rule << name << text << sentence;
    };
    row("causal window", "maskWindow", "0", "Window: a whole number from 1 to 10.");
    row("window", "maskWindow", "-3", "Window: a whole number from 1 to 10.");
    row("prefix", "maskPrefix", "11", "Prefix: a whole number from 0 to 10.");
    row("strided", "maskStride", "0", "Stride: a whole number from 1 to 10.");
    row("fixed", "maskColumns", "5", "Columns: a whole number from 1 to 4.");
    row("block-sparse", "maskBlock", "0", "Block: a whole number from 1 to 10.");
    row("sinks and window", "maskSinks", "-1", "Sinks: a whole number from 0 to 10.");
    row("causal", "heads", "0", "Heads: a whole number from 1 to 1,024.");
    row("causal", "temperature", "0", "Temperature: a number from 0.001 to 1,000.");
    row("causal", "temperature", "-1", "Temperature: a number from 0.001 to 1,000.");
    row("causal", "softCap", "0", "Soft cap: a number from 0.001 to 1,000,000.");
    row("causal", "ropeBase", "0", "The base of RoPE: a number from 0.001 to 1,000,000,000.");
    row("causal", "queryBlock", "0", "Query rows: a whole number from 1 to 1,000,000.");
}

void MechanismControlsTest::badNumbersAreRefusedWithTheRange()
{
    QFETCH(QString, rule);
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    Session session = m_document->session();
    session.mechanism.softCap = 50.0;
    session.mechanism.rope = Rope();
    session.mechanism.algorithm = Algorithm::Flash;
    m_document->edit(session, "everything");
    unfold("positions");
    if (rule != QLatin1String("causal"))
        choose("maskRule", rule);
    const Session before = m_document->session();
    const auto result = m_document->result();
    auto *field = control<NumberField>(*m_panel, qPrintable(name));
    QVERIFY(field->isVisible());
    enterText(field, text);
    QCOMPARE(rowOf(field)->problem(), sentence);
    QVERIFY(m_document->session() == before);
    QCOMPARE(m_document->result(), result);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(rowOf(field)->problem().isEmpty());
}

void MechanismControlsTest::documentsAreAListOfStarts()
{
    choose("maskRule", QStringLiteral("documents"));
    auto *field = control<QLineEdit>(*m_panel, "documentStarts");
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

void MechanismControlsTest::blockLayoutIsPaintedAndFollowsTheBlocks()
{
    choose("maskRule", QStringLiteral("block-sparse"));
    auto *grid = control<BlockGrid>(*m_panel, "blockLayout");
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
    enterText(control<NumberField>(*m_panel, "maskBlock"), "2");
    QCOMPARE(spec().mask.blockLayout.rows(), 5);
    QVERIFY(!m_document->problem());
}

void MechanismControlsTest::layoutOfAnotherInputIsMended()
{
    choose("maskRule", QStringLiteral("block-sparse"));
    Session longer = m_document->session();
    std::get<TokensSource>(longer.source).text += " and it slept all day";
    m_document->edit(longer, "type");
    QVERIFY(m_document->problem());
    PanelRow *row = rowOf(control<BlockGrid>(*m_panel, "blockLayout"));
    QCOMPARE(row->problem(), QStringLiteral("The block layout is 3 × 3. It must be 4 × 4 for blocks of 4."));
    Session shorter = longer;
    std::get<TokensSource>(shorter.source).text = "The cat sat on the mat because it was";
    m_document->edit(shorter, "type");
    QVERIFY(!m_document->problem());
    QVERIFY(row->problem().isEmpty());
}

void MechanismControlsTest::ruleAndMatrixCombine()
{
    m_document->reset(workedExample());
    choose("maskRule", QStringLiteral("0/1 matrix"));
    QGuiApplication::clipboard()->setText("1\t1\t1\n0\t1\t1\n1\t1\t1");
    control<LinkButton>(*m_panel, "maskPaste")->click();
    choose("maskRule", QStringLiteral("causal"));
    enterText(control<NumberField>(*m_panel, "maskPadding"), "1");
    QVERIFY(!spec().mask.allowed.isEmpty());
    const Mask mask(m_document->block(), spec().mask, 0);
    QCOMPARE(mask.visibleCount(0), 1);
    QCOMPARE(mask.visibleCount(1), 1);
    QCOMPARE(mask.visibleCount(2), 2);
}

void MechanismControlsTest::matrixIsReadFromAFile()
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
    auto *mask = m_panel->findChild<MaskControls *>();
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
    QVERIFY(rowOf(control<LinkButton>(*m_panel, "maskOpen"))->problem().startsWith("The mask is 2 × 2."));
}

void MechanismControlsTest::ropeHasItsNumbers()
{
    unfold("positions");
    auto *base = control<NumberField>(*m_panel, "ropeBase");
    QVERIFY(!base->isVisible());
    choose("rope", QStringLiteral("interleaved: 2f, 2f+1"));
    QCOMPARE(spec().rope->layout, RopeLayout::Interleaved);
    QVERIFY(base->isVisible());
    enterText(base, "500000");
    QCOMPARE(spec().rope->base, 500000.0);
    enterText(control<NumberField>(*m_panel, "ropeQueryOffset"), "3");
    QCOMPARE(spec().rope->queryOffset, 3);
    QCOMPARE(m_panel->findChild<FormulaView *>()->accessibleDescription(), QStringLiteral("softmax(RQ(RK)ᵀ / √d_k + M) V"));
    control<FoldRow>(*m_panel, "positions")->setOpen(false);
    QCOMPARE(
        control<FoldRow>(*m_panel, "positions")->findChild<QToolButton *>()->text(), QStringLiteral("Positions, bias, soft cap: RoPE"));
}

void MechanismControlsTest::ropeNeedsPairs()
{
    enterText(control<NumberField>(*m_panel, "heads"), "32");
    const auto before = m_document->result();
    choose("rope", QStringLiteral("halves: f, f + d/2"));
    PanelRow *row = rowOf(control<QComboBox>(*m_panel, "rope"));
    // What does not fit is unfolded.
    QVERIFY(row->isVisible());
    QCOMPARE(row->problem(), QStringLiteral("Each head has 1 dimension. RoPE turns pairs, so the number must be even."));
    QCOMPARE(m_document->result(), before);
    QVERIFY(clickLink(row, "Without RoPE"));
    QVERIFY(!m_document->problem());
}

void MechanismControlsTest::biasIsFilledAndPasted()
{
    m_document->reset(workedExample());
    unfold("positions");
    control<QCheckBox>(*m_panel, "bias")->click();
    QCOMPARE(spec().bias.rows(), 3);
    PanelRow *table = control<PanelRow>(*m_panel, "table B");
    QVERIFY(table->isVisible());
    auto *paste = control<LinkButton>(*table, "paste");
    QGuiApplication::clipboard()->setText("0 1 2\n3 4 5\n6 7 8");
    paste->click();
    QCOMPARE(spec().bias.at(2, 1), 7.0);
    QGuiApplication::clipboard()->setText("0 1\n2 3");
    paste->click();
    QCOMPARE(table->problem(), QStringLiteral("The clipboard has 2 × 2, B must be 3 × 3."));
    QCOMPARE(spec().bias.at(2, 1), 7.0);
    for (QAction *action : table->findChild<QMenu *>()->actions())
        if (action->text() == QStringLiteral("Distance: −|i − j|"))
            action->trigger();
    QCOMPARE(spec().bias.at(2, 0), -2.0);
    control<QCheckBox>(*m_panel, "bias")->click();
    QVERIFY(spec().bias.isEmpty());
    QVERIFY(!table->isVisible());
}

void MechanismControlsTest::softCapIsDraggedInOneStep()
{
    unfold("positions");
    control<QCheckBox>(*m_panel, "hasSoftCap")->click();
    QCOMPARE(spec().softCap, std::optional(50.0));
    auto *slider = control<QSlider>(*m_panel, "softCapSlider");
    slider->setSliderDown(true);
    for (int position = slider->value(); position > slider->value() - 1 && position > -20; position -= 5)
        slider->setValue(position - 5);
    slider->setSliderDown(false);
    QVERIFY(*spec().softCap < 50.0);
    QCOMPARE(m_document->undoStack()->count(), 2);
    QTest::mouseDClick(slider, Qt::LeftButton, {}, slider->rect().center());
    QCOMPARE(spec().softCap, std::optional(50.0));
}

void MechanismControlsTest::flashHasTiles()
{
    QVERIFY(!control<NumberField>(*m_panel, "queryBlock")->isVisible());
    const double exact = m_document->field()->at(9, 3);
    choose("algorithm", QStringLiteral("flash, tile by tile"));
    QCOMPARE(spec().queryBlock, 3); // 64 would be one tile of all 10 tokens
    QCOMPARE(spec().keyBlock, 3);
    enterText(control<NumberField>(*m_panel, "queryBlock"), "4");
    enterText(control<NumberField>(*m_panel, "keyBlock"), "5");
    QCOMPARE(spec().queryBlock, 4);
    QCOMPARE(rowOf(control<QComboBox>(*m_panel, "algorithm"))->note(), QStringLiteral("3 × 2 tiles, the last ones cut to what is left"));
    QVERIFY(std::abs(m_document->field()->at(9, 3) - exact) < 1e-6);
}

void MechanismControlsTest::presetIsNamedAndChanges()
{
    auto *box = control<QComboBox>(*m_panel, "preset");
    QCOMPARE(box->currentText(), QStringLiteral("Transformer decoder"));
    choose("preset", QStringLiteral("ALiBi (BLOOM)"));
    QVERIFY(spec().hasAlibi);
    QCOMPARE(undoText(), QStringLiteral("use ALiBi (BLOOM)"));
    QCOMPARE(box->currentText(), QStringLiteral("ALiBi (BLOOM)"));
    PanelRow *row = rowOf(box);
    QVERIFY(row->note().startsWith(QLatin1String("Press et al. 2021\nSinusoidal positions are added")));
    QTest::qWait(0);
    const int height = row->height();
    enterText(control<NumberField>(*m_panel, "temperature"), "2");
    QCOMPARE(box->currentText(), QStringLiteral("ALiBi (BLOOM)"));
    QCOMPARE(row->note(), QStringLiteral("changed"));
    // What is below stays where it is.
    QTest::qWait(0);
    QCOMPARE(row->height(), height);
    m_document->undoStack()->undo();
    QCOMPARE(box->currentText(), QStringLiteral("ALiBi (BLOOM)"));
    m_document->undoStack()->undo();
    QCOMPARE(box->currentText(), QStringLiteral("Transformer decoder"));
    QVERIFY(!spec().hasAlibi);
}

void MechanismControlsTest::whatThePresetLacksIsOffered()
{
    choose("preset", QStringLiteral("Cross-attention"));
    auto *box = control<QComboBox>(*m_panel, "preset");
    QVERIFY(rowOf(box)->note().contains("Queries and keys are the same tokens here"));
    QVERIFY(clickLink(rowOf(box), "Take the keys from a second sequence"));
    QCOMPARE(undoText(), QStringLiteral("take the keys from a second sequence"));
    QCOMPARE(m_document->block().keys, 6);
    QCOMPARE(box->currentText(), QStringLiteral("Cross-attention"));
    QCOMPARE(rowOf(box)->note(), QStringLiteral("Vaswani et al. 2017"));
}

void MechanismControlsTest::galleryFindsUsesAndCompares()
{
    m_panel->showGallery();
    auto *gallery = m_panel->findChild<Gallery *>();
    QVERIFY(QTest::qWaitForWindowActive(gallery));
    auto *text = control<QLineEdit>(*gallery, "galleryText");
    QTest::keyClicks(text, "2104");
    QVERIFY(gallery->current());
    QCOMPARE(gallery->current()->id, std::string("positions-rope"));
    QTest::keyClick(text, Qt::Key_Return);
    QVERIFY(spec().rope);
    QVERIFY(!gallery->isVisible());
    m_panel->showGallery();
    text->selectAll();
    QTest::keyClicks(text, "sparse transformer");
    QCOMPARE(gallery->current()->id, std::string("mask-strided"));
    QTest::keyClick(text, Qt::Key_Down);
    QCOMPARE(gallery->current()->id, std::string("mask-fixed"));
    QSignalSpy compared(gallery, &Gallery::compareRequested);
    for (QPushButton *button : gallery->findChildren<QPushButton *>())
        if (button->text() == QLatin1String("Compare with it"))
            button->click();
    QCOMPARE(compared.count(), 1);
    text->selectAll();
    QTest::keyClicks(text, "nothing of that");
    QVERIFY(!gallery->current());
    // It paints all of its cards.
    text->clear();
    QVERIFY(!gallery->grab().isNull());
}

void MechanismControlsTest::costsFollowTheMechanismAndTheSlider()
{
    auto *table = control<QLabel>(*m_panel, "costTable");
    QVERIFY(table->text().isEmpty());
    unfold("costs");
    const auto has = [table](const char *text) { return table->text().contains(QString::fromUtf8(text)); };
    QVERIFY(has("n (n + 1) / 2 = 10 · 11 / 2 = 55"));
    QVERIFY(has("4 · 55 · (8 + 8) = 3,520"));
    QVERIFY(has("1 · 2 · 16 · 10 · 2 = 640"));
    QVERIFY(has("10 steps"));
    choose("maskRule", QStringLiteral("none"));
    QVERIFY(has("n² = 10² = 100"));
    enterText(control<NumberField>(*m_panel, "maskPadding"), "3");
    QVERIFY(has("counted row by row"));
    enterText(control<NumberField>(*m_panel, "costTokens"), "1000000");
    QVERIFY(has("n² = 1,000,000² = 1,000,000,000,000"));
    QVERIFY(has("1,000,000 steps"));
    // A look at costs is no edit.
    QCOMPARE(m_document->undoStack()->count(), 2);
}

void MechanismControlsTest::undoSaysWhatItUndoes()
{
    unfold("positions");
    const auto expect = [this](const char *name) { QCOMPARE(undoText(), QString::fromUtf8(name)); };
    choose("score", QStringLiteral("additive"));
    expect("change score");
    choose("maskRule", QStringLiteral("causal window"));
    expect("mask by causal window");
    enterText(control<NumberField>(*m_panel, "maskWindow"), "2");
    expect("change window");
    choose("rope", QStringLiteral("halves: f, f + d/2"));
    expect("change RoPE");
    control<QCheckBox>(*m_panel, "alibi")->click();
    expect("add ALiBi");
    control<QCheckBox>(*m_panel, "hasSoftCap")->click();
    expect("add a soft cap");
    choose("softmax", QStringLiteral("softmax1: 1 + the sum"));
    expect("change softmax");
    choose("algorithm", QStringLiteral("flash, tile by tile"));
    expect("change algorithm");
    while (m_document->undoStack()->canUndo())
        m_document->undoStack()->undo();
    QVERIFY(m_document->session() == exampleSentence());
}

QTEST_MAIN(MechanismControlsTest)
#include "tst_mechanism_controls.moc"
