// SPDX-License-Identifier: GPL-3.0-or-later
// Every mechanism can be chosen, edited, named and undone in the panel, and what is out of range is refused where it was entered.
#include "mechanism_fixture.h"
#include "panels/input/matrix_view.h"
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/gallery.h"
#include "panels/number_field.h"

#include <QCheckBox>
#include <QClipboard>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>

using namespace attenscope;
using namespace attenscope::test;

class MechanismControlsTest : public QObject, protected MechanismFixture {
    Q_OBJECT

private slots:
    void init() { open(exampleSentence(), { 320, 900 }); }
    void cleanup() { close(); }
    void everyScoreCanBeChosen_data();
    void everyScoreCanBeChosen();
    void parametersAreSeededUntilEdited();
    void parametersThatDoNotFitAreMended();
    void badNumbersAreRefusedWithTheRange_data();
    void badNumbersAreRefusedWithTheRange();
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
};

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
    auto *fold = control<FoldRow>(*m_widget, "scoreParameters");
    QCOMPARE(fold->isVisible(), !tables.isEmpty());
    fold->setOpen(true);
    for (const char *name : { "W", "W_dec", "W_enc", "v" })
        QCOMPARE(control<QWidget>(*m_widget, (std::string("table ") + name).c_str())->isVisible(), tables.contains(name));
    m_document->undoStack()->undo();
    QCOMPARE(control<QComboBox>(*m_widget, "score")->currentText(), QStringLiteral("scaled dot product"));
}

void MechanismControlsTest::parametersAreSeededUntilEdited()
{
    choose("score", QStringLiteral("additive"));
    QCOMPARE(spec().parameters, ScoreParameters());
    unfold("scoreParameters");
    auto *table = control<PanelRow>(*m_widget, "table W_dec")->findChild<MatrixView *>();
    QCOMPARE(table->matrixModel()->rowCount(), 8);
    QCOMPARE(table->matrixModel()->columnCount(), 8);
    const auto weights = [this] { return m_document->field()->at(9, 0); };
    const double seeded = weights();
    // Other heads, other shapes.
    enterText(control<NumberField>(*m_widget, "heads"), "8");
    QVERIFY(!m_document->problem());
    QCOMPARE(table->matrixModel()->rowCount(), 4);
    enterText(control<NumberField>(*m_widget, "heads"), "4");
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
    auto *table = control<PanelRow>(*m_widget, "table W")->findChild<MatrixView *>();
    table->matrixModel()->setData(table->matrixModel()->index(0, 0), QStringLiteral("1"), Qt::EditRole);
    enterText(control<NumberField>(*m_widget, "heads"), "8");
    QVERIFY(m_document->problem());
    PanelRow *row = rowOf(control<QComboBox>(*m_widget, "score"));
    QCOMPARE(row->problem(), QStringLiteral("W is 8 × 8. It must be 4 × 4."));
    QVERIFY(clickLink(row, "Use seeded parameters"));
    QVERIFY(!m_document->problem());
    QCOMPARE(spec().parameters, ScoreParameters());
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
    auto *field = control<NumberField>(*m_widget, qPrintable(name));
    QVERIFY(field->isVisible());
    enterText(field, text);
    QCOMPARE(rowOf(field)->problem(), sentence);
    QVERIFY(m_document->session() == before);
    QCOMPARE(m_document->result(), result);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(rowOf(field)->problem().isEmpty());
}

void MechanismControlsTest::ropeHasItsNumbers()
{
    unfold("positions");
    auto *base = control<NumberField>(*m_widget, "ropeBase");
    QVERIFY(!base->isVisible());
    choose("rope", QStringLiteral("interleaved: 2f, 2f+1"));
    QCOMPARE(spec().rope->layout, RopeLayout::Interleaved);
    QVERIFY(base->isVisible());
    enterText(base, "500000");
    QCOMPARE(spec().rope->base, 500000.0);
    enterText(control<NumberField>(*m_widget, "ropeQueryOffset"), "3");
    QCOMPARE(spec().rope->queryOffset, 3);
    QCOMPARE(m_widget->findChild<FormulaView *>()->accessibleDescription(), QStringLiteral("softmax(RQ(RK)ᵀ / √d_k + M) V"));
    control<FoldRow>(*m_widget, "positions")->setOpen(false);
    QCOMPARE(
        control<FoldRow>(*m_widget, "positions")->findChild<QToolButton *>()->text(), QStringLiteral("Positions, bias, soft cap: RoPE"));
}

void MechanismControlsTest::ropeNeedsPairs()
{
    enterText(control<NumberField>(*m_widget, "heads"), "32");
    const auto before = m_document->result();
    choose("rope", QStringLiteral("halves: f, f + d/2"));
    PanelRow *row = rowOf(control<QComboBox>(*m_widget, "rope"));
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
    control<QCheckBox>(*m_widget, "bias")->click();
    QCOMPARE(spec().bias.rows(), 3);
    PanelRow *table = control<PanelRow>(*m_widget, "table B");
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
    control<QCheckBox>(*m_widget, "bias")->click();
    QVERIFY(spec().bias.isEmpty());
    QVERIFY(!table->isVisible());
}

void MechanismControlsTest::softCapIsDraggedInOneStep()
{
    unfold("positions");
    control<QCheckBox>(*m_widget, "hasSoftCap")->click();
    QCOMPARE(spec().softCap, std::optional(50.0));
    auto *slider = control<QSlider>(*m_widget, "softCapSlider");
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
    QVERIFY(!control<NumberField>(*m_widget, "queryBlock")->isVisible());
    const double exact = m_document->field()->at(9, 3);
    choose("algorithm", QStringLiteral("flash, tile by tile"));
    QCOMPARE(spec().queryBlock, 3); // 64 would be one tile of all 10 tokens
    QCOMPARE(spec().keyBlock, 3);
    enterText(control<NumberField>(*m_widget, "queryBlock"), "4");
    enterText(control<NumberField>(*m_widget, "keyBlock"), "5");
    QCOMPARE(spec().queryBlock, 4);
    QCOMPARE(rowOf(control<QComboBox>(*m_widget, "algorithm"))->note(), QStringLiteral("3 × 2 tiles, the last ones cut to what is left"));
    QVERIFY(std::abs(m_document->field()->at(9, 3) - exact) < 1e-6);
}

void MechanismControlsTest::presetIsNamedAndChanges()
{
    auto *box = control<QComboBox>(*m_widget, "preset");
    QCOMPARE(box->currentText(), QStringLiteral("Transformer decoder"));
    choose("preset", QStringLiteral("ALiBi (BLOOM)"));
    QVERIFY(spec().hasAlibi);
    QCOMPARE(undoText(), QStringLiteral("use ALiBi (BLOOM)"));
    QCOMPARE(box->currentText(), QStringLiteral("ALiBi (BLOOM)"));
    PanelRow *row = rowOf(box);
    QVERIFY(row->note().startsWith(QLatin1String("Press et al. 2021\nSinusoidal positions are added")));
    QTest::qWait(0);
    const int height = row->height();
    enterText(control<NumberField>(*m_widget, "temperature"), "2");
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
    auto *box = control<QComboBox>(*m_widget, "preset");
    QVERIFY(rowOf(box)->note().contains("Queries and keys are the same tokens here"));
    QVERIFY(clickLink(rowOf(box), "Take the keys from a second sequence"));
    QCOMPARE(undoText(), QStringLiteral("take the keys from a second sequence"));
    QCOMPARE(m_document->block().keys, 6);
    QCOMPARE(box->currentText(), QStringLiteral("Cross-attention"));
    QCOMPARE(rowOf(box)->note(), QStringLiteral("Vaswani et al. 2017"));
}

void MechanismControlsTest::galleryFindsUsesAndCompares()
{
    m_widget->showGallery();
    auto *gallery = m_widget->findChild<Gallery *>();
    QVERIFY(QTest::qWaitForWindowActive(gallery));
    auto *text = control<QLineEdit>(*gallery, "galleryText");
    QTest::keyClicks(text, "2104");
    QVERIFY(gallery->current());
    QCOMPARE(gallery->current()->id, std::string("positions-rope"));
    QTest::keyClick(text, Qt::Key_Return);
    QVERIFY(spec().rope);
    QVERIFY(!gallery->isVisible());
    m_widget->showGallery();
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
    auto *table = control<QLabel>(*m_widget, "costTable");
    QVERIFY(table->text().isEmpty());
    unfold("costs");
    const auto has = [table](const char *text) { return table->text().contains(QString::fromUtf8(text)); };
    QVERIFY(has("n (n + 1) / 2 = 10 · 11 / 2 = 55"));
    QVERIFY(has("4 · 55 · (8 + 8) = 3,520"));
    QVERIFY(has("1 · 2 · 16 · 10 · 2 = 640"));
    QVERIFY(has("10 steps"));
    choose("maskRule", QStringLiteral("none"));
    QVERIFY(has("n² = 10² = 100"));
    enterText(control<NumberField>(*m_widget, "maskPadding"), "3");
    QVERIFY(has("counted row by row"));
    enterText(control<NumberField>(*m_widget, "costTokens"), "1000000");
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
    enterText(control<NumberField>(*m_widget, "maskWindow"), "2");
    expect("change window");
    choose("rope", QStringLiteral("halves: f, f + d/2"));
    expect("change RoPE");
    control<QCheckBox>(*m_widget, "alibi")->click();
    expect("add ALiBi");
    control<QCheckBox>(*m_widget, "hasSoftCap")->click();
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
