// SPDX-License-Identifier: GPL-3.0-or-later
// The mechanism panel edits the mechanism, follows undo, and explains what does not fit where it was entered.
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/mechanism/mechanism_panel.h"
#include "panels/mechanism/scale_field.h"
#include "panels/number_field.h"
#include "support/panels.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEnterEvent>
#include <QSignalSpy>
#include <QSlider>

using namespace attenscope;
using namespace attenscope::test;

class MechanismPanelTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void plainDotProductHasNoScale();
    void maskIsChosenAndUndone();
    void visibleKeysOfThePickedRowAreCounted();
    void alignmentIsAskedOnlyForDifferentLengths();
    void paddingHidesTheLastKeys();
    void pastedMatrixHidesItsZeros();
    void polaritySwapsWhatOneMeans();
    void maskOfAnotherSizeIsExplained();
    void maskHasOnlyZerosAndOnes();
    void scaleCanBeReplacedAndReset();
    void badScaleChangesNothing();
    void dragOfTheTemperatureIsOneStep();
    void doubleClickResetsTheTemperature();
    void doubleClickOnAFieldBringsTheDefaultBack();
    void badTemperatureNamesTheRange();
    void wheelWithoutFocusChangesNothing();
    void everyFieldTakesTheFocus();
    void headsAndSharing();
    void keyHeadsThatDoNotDivideAreExplained();
    void hoveredControlLightsItsSymbol();
    void clickedSymbolFocusesItsControl();
    void everyControlIsReachedByTabInReadingOrder();
    void everyFieldTakesTheFocusByClick();
    void hoveredRowIsCountedBeforeThePickedOne();
    void escapePutsTheScaleBack();
    void comparisonKeepsDifferingOnlyInTheMask();
    void anyOtherComparisonIsFrozen();
    void recordedWeightsCanOnlyHideKeys();
    void showingTheDocumentEditsNothing();

private:
    [[nodiscard]] const AttentionSpec &spec() const { return m_document->session().mechanism; }
    void choose(const char *box, int entry) const;

    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<MechanismPanel> m_panel;
};

void MechanismPanelTest::init()
{
    m_document = std::make_unique<Document>();
    m_document->reset(exampleSentence());
    m_selection = std::make_unique<Selection>();
    m_panel = std::make_unique<MechanismPanel>(*m_document, *m_selection);
    m_panel->resize(320, 600);
    m_panel->show();
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
}

void MechanismPanelTest::cleanup()
{
    m_panel.reset();
    m_selection.reset();
    m_document.reset();
}

void MechanismPanelTest::choose(const char *box, int entry) const
{
    auto *combo = control<QComboBox>(*m_panel, box);
    combo->setFocus();
    while (combo->currentIndex() != entry) {
        const int before = combo->currentIndex();
        QTest::keyClick(combo, before < entry ? Qt::Key_Down : Qt::Key_Up);
        QVERIFY(combo->currentIndex() != before);
    }
}

void MechanismPanelTest::plainDotProductHasNoScale()
{
    auto *scale = control<ScaleField>(*m_panel, "scale");
    QVERIFY(scale->isVisible());
    choose("score", 1);
    QCOMPARE(spec().score, ScoreFunction::Dot);
    QVERIFY(!scale->isVisible());
    QCOMPARE(m_panel->findChild<FormulaView *>()->accessibleDescription(), QStringLiteral("softmax(QKᵀ + M) V"));
}

void MechanismPanelTest::maskIsChosenAndUndone()
{
    auto *rule = control<QComboBox>(*m_panel, "maskRule");
    QCOMPARE(spec().mask.rule, MaskRule::Causal);
    QCOMPARE(rule->currentText(), QStringLiteral("causal"));
    choose("maskRule", 0);
    QCOMPARE(spec().mask.rule, MaskRule::None);
    QVERIFY(m_panel->findChild<FormulaView *>()->rectOf(Symbol::Mask).isNull());
    m_document->undoStack()->undo();
    QCOMPARE(rule->currentText(), QStringLiteral("causal"));
    QVERIFY(!m_panel->findChild<FormulaView *>()->rectOf(Symbol::Mask).isNull());
}

void MechanismPanelTest::visibleKeysOfThePickedRowAreCounted()
{
    auto *row = rowOf(control<QComboBox>(*m_panel, "maskRule"));
    QCOMPARE(row->note(), QStringLiteral("1 to 10 of 10 keys visible"));
    m_selection->setPicked(CellRef{ .row = 7, .col = 1 });
    QCOMPARE(row->note(), QStringLiteral("8 of 10 keys visible in this row"));
    choose("maskRule", 0);
    QCOMPARE(row->note(), QStringLiteral("10 of 10 keys visible in this row"));
}

void MechanismPanelTest::alignmentIsAskedOnlyForDifferentLengths()
{
    auto *alignment = control<QComboBox>(*m_panel, "maskAlignment");
    QVERIFY(!alignment->isVisible());
    Session session = m_document->session();
    std::get<TokensSource>(session.source).keyText = "one two three four five six seven eight nine ten eleven twelve";
    m_document->edit(session, "take keys from a second sequence");
    QVERIFY(alignment->isVisible());
    m_selection->setPicked(CellRef{ .row = 0, .col = -1 });
    QCOMPARE(rowOf(control<QComboBox>(*m_panel, "maskRule"))->note(), QStringLiteral("3 of 12 keys visible in this row"));
    choose("maskAlignment", 1);
    QCOMPARE(spec().mask.alignment, CausalAlignment::TopLeft);
    QCOMPARE(rowOf(control<QComboBox>(*m_panel, "maskRule"))->note(), QStringLiteral("1 of 12 keys visible in this row"));
}

void MechanismPanelTest::paddingHidesTheLastKeys()
{
    choose("maskRule", 0);
    auto *padding = control<NumberField>(*m_panel, "maskPadding");
    enterText(padding, "3");
    QCOMPARE(spec().mask.paddedKeys, 3);
    QCOMPARE(rowOf(control<QComboBox>(*m_panel, "maskRule"))->note(), QStringLiteral("7 of 10 keys visible in every row"));
    enterText(padding, "11");
    QCOMPARE(rowOf(padding)->problem(), QStringLiteral("Padding: a whole number from 0 to 10."));
    QCOMPARE(spec().mask.paddedKeys, 3);
}

void MechanismPanelTest::pastedMatrixHidesItsZeros()
{
    m_document->reset(workedExample());
    choose("maskRule", 2);
    auto *paste = control<LinkButton>(*m_panel, "maskPaste");
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

void MechanismPanelTest::polaritySwapsWhatOneMeans()
{
    m_document->reset(workedExample());
    choose("maskRule", 2);
    choose("maskPolarity", 1);
    QGuiApplication::clipboard()->setText("[[0, 1, 1], [0, 0, 1], [0, 0, 0]]");
    control<LinkButton>(*m_panel, "maskPaste")->click();
    QVERIFY(spec().mask.allowed.at(1, 0));
    QVERIFY(!spec().mask.allowed.at(0, 1));
    choose("maskPolarity", 0);
    QVERIFY(!spec().mask.allowed.at(1, 0));
    QVERIFY(spec().mask.allowed.at(0, 1));
    m_document->undoStack()->undo();
    QCOMPARE(control<QComboBox>(*m_panel, "maskPolarity")->currentIndex(), 1);
    QVERIFY(spec().mask.allowed.at(1, 0));
    QGuiApplication::clipboard()->setText("1 1 1\n0 0 0\n1 1 1");
    control<LinkButton>(*m_panel, "maskPaste")->click();
    m_document->undoStack()->undo();
    QCOMPARE(control<QComboBox>(*m_panel, "maskPolarity")->currentIndex(), 1);
    QVERIFY(spec().mask.allowed.at(1, 0));
}

void MechanismPanelTest::maskOfAnotherSizeIsExplained()
{
    m_document->reset(workedExample());
    choose("maskRule", 2);
    QGuiApplication::clipboard()->setText("1 0\n0 1");
    auto *paste = control<LinkButton>(*m_panel, "maskPaste");
    paste->click();
    QVERIFY(m_document->problem());
    QCOMPARE(m_document->problem()->part, SpecPart::Mask);
    QVERIFY(!rowOf(paste)->problem().isEmpty());
    choose("maskRule", 0);
    QVERIFY(!m_document->problem());
    QVERIFY(rowOf(paste)->problem().isEmpty());
}

void MechanismPanelTest::maskHasOnlyZerosAndOnes()
{
    m_document->reset(workedExample());
    choose("maskRule", 2);
    QGuiApplication::clipboard()->setText("1 0 1\n0 0.5 1\n1 1 1");
    auto *paste = control<LinkButton>(*m_panel, "maskPaste");
    paste->click();
    QCOMPARE(rowOf(paste)->problem(), QStringLiteral("Row 2, column 2 is 0.5. A mask has only 0 and 1."));
    QVERIFY(spec().mask.allowed.isEmpty());
    QGuiApplication::clipboard()->setText("[[[1, 0, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [0, 0, 1]]]");
    paste->click();
    QCOMPARE(rowOf(paste)->problem(), QStringLiteral("There are 2 matrices. Copy one; it counts for every head."));
    QVERIFY(spec().mask.allowed.isEmpty());
    m_document->reset(exampleSentence());
    QVERIFY(!paste->isVisible());
    QCOMPARE(control<QComboBox>(*m_panel, "maskRule")->currentIndex(), 1);
}

void MechanismPanelTest::scaleCanBeReplacedAndReset()
{
    auto *scale = control<ScaleField>(*m_panel, "scale");
    QCOMPARE(scale->text(), QStringLiteral("1 / √8"));
    enterText(scale, "1/4");
    QCOMPARE(spec().scale, std::optional(0.25));
    QCOMPARE(m_panel->findChild<FormulaView *>()->accessibleDescription(), QStringLiteral("softmax(0.25 QKᵀ + M) V"));
    enterText(scale, "");
    QTest::keyClick(scale, Qt::Key_Backspace);
    QTest::keyClick(scale, Qt::Key_Return);
    QVERIFY(!spec().scale);
    QCOMPARE(scale->text(), QStringLiteral("1 / √8"));
}

void MechanismPanelTest::badScaleChangesNothing()
{
    auto *scale = control<ScaleField>(*m_panel, "scale");
    enterText(scale, "big");
    QVERIFY(rowOf(scale)->problem().startsWith("Scale: a number"));
    QVERIFY(!spec().scale);
    QCOMPARE(m_document->undoStack()->count(), 0);
}

void MechanismPanelTest::dragOfTheTemperatureIsOneStep()
{
    auto *slider = control<QSlider>(*m_panel, "temperatureSlider");
    const QPoint middle = slider->rect().center();
    QTest::mousePress(slider, Qt::LeftButton, {}, middle);
    for (int step = 1; step <= 10; ++step)
        QTest::mouseMove(slider, middle + QPoint(4 * step, 0));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, middle + QPoint(40, 0));
    QVERIFY(spec().temperature > 1.5);
    QCOMPARE(m_document->undoStack()->count(), 1);
    QCOMPARE(control<NumberField>(*m_panel, "temperature")->number(), spec().temperature);
    // After the release another one is another step.
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(m_document->undoStack()->count(), 2);
    m_document->undoStack()->undo();
    m_document->undoStack()->undo();
    QCOMPARE(spec().temperature, 1.0);
    QCOMPARE(slider->value(), 0);
}

void MechanismPanelTest::doubleClickResetsTheTemperature()
{
    enterText(control<NumberField>(*m_panel, "temperature"), "4");
    QCOMPARE(spec().temperature, 4.0);
    auto *slider = control<QSlider>(*m_panel, "temperatureSlider");
    QTest::mouseDClick(slider, Qt::LeftButton, {}, slider->rect().center());
    QCOMPARE(spec().temperature, 1.0);
}

void MechanismPanelTest::doubleClickOnAFieldBringsTheDefaultBack()
{
    auto *temperature = control<NumberField>(*m_panel, "temperature");
    auto *scale = control<ScaleField>(*m_panel, "scale");
    auto *kvHeads = control<NumberField>(*m_panel, "kvHeads");
    enterText(temperature, "4");
    enterText(scale, "0.5");
    enterText(kvHeads, "2");
    const int steps = m_document->undoStack()->count();
    for (QLineEdit *field : std::initializer_list<QLineEdit *>{ temperature, scale, kvHeads }) {
        // With the focus it selects the text, as everywhere.
        field->setFocus(Qt::TabFocusReason);
        QTest::mouseDClick(field, Qt::LeftButton, {}, QPoint(field->width() - 16, field->height() / 2));
        QCOMPARE(m_document->undoStack()->count(), steps);
        m_panel->setFocus();
    }
    QTest::mouseDClick(temperature, Qt::LeftButton);
    QCOMPARE(spec().temperature, 1.0);
    QTest::mouseDClick(scale, Qt::LeftButton);
    QVERIFY(!spec().scale);
    QTest::mouseDClick(kvHeads, Qt::LeftButton);
    QCOMPARE(spec().kvHeads, 0);
    QCOMPARE(m_document->undoStack()->count(), steps + 3);
}

void MechanismPanelTest::badTemperatureNamesTheRange()
{
    auto *field = control<NumberField>(*m_panel, "temperature");
    for (const char *text : { "0", "-1", "hot", "1e6" }) {
        enterText(field, text);
        QCOMPARE(rowOf(field)->problem(), QStringLiteral("Temperature: a number from 0.001 to 1,000."));
        QCOMPARE(spec().temperature, 1.0);
    }
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(rowOf(field)->problem().isEmpty());
    QCOMPARE(field->text(), QStringLiteral("1.00"));
}

void MechanismPanelTest::wheelWithoutFocusChangesNothing()
{
    auto *slider = control<QSlider>(*m_panel, "temperatureSlider");
    auto *score = control<QComboBox>(*m_panel, "score");
    control<NumberField>(*m_panel, "heads")->setFocus();
    for (QWidget *widget : std::initializer_list<QWidget *>{ slider, score, control<NumberField>(*m_panel, "kvHeads") }) {
        QWheelEvent wheel(widget->rect().center(), widget->mapToGlobal(widget->rect().center()), {}, { 0, -120 }, Qt::NoButton, {},
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &wheel);
    }
    QCOMPARE(m_document->undoStack()->count(), 0);
    slider->setFocus();
    QWheelEvent wheel(
        slider->rect().center(), slider->mapToGlobal(slider->rect().center()), {}, { 0, -120 }, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(slider, &wheel);
    QVERIFY(spec().temperature != 1.0);
}

void MechanismPanelTest::everyFieldTakesTheFocus()
{
    const QList<QLineEdit *> fields = m_panel->findChildren<QLineEdit *>();
    QVERIFY(fields.size() >= 4);
    for (const QLineEdit *field : fields)
        QVERIFY2(field->focusPolicy() == Qt::StrongFocus, qPrintable(field->accessibleName()));
}

void MechanismPanelTest::headsAndSharing()
{
    auto *heads = control<NumberField>(*m_panel, "heads");
    auto *kvHeads = control<NumberField>(*m_panel, "kvHeads");
    QCOMPARE(rowOf(heads)->note(), QStringLiteral("Each head has its own K/V"));
    enterText(kvHeads, "2");
    QCOMPARE(spec().kvHeads, 2);
    QCOMPARE(rowOf(heads)->note(), QStringLiteral("2 query heads per K/V head"));
    enterText(kvHeads, "1");
    QCOMPARE(rowOf(heads)->note(), QStringLiteral("All heads share one K/V head"));
    enterText(kvHeads, "4");
    QCOMPARE(spec().kvHeads, 0);
    enterText(heads, "8");
    QCOMPARE(headCount(m_document->block(), spec()), 8);
    QCOMPARE(kvHeads->number(), 8.0);
    // One head of typed matrices has nothing to share.
    m_document->reset(workedExample());
    QVERIFY(!heads->isVisible());
}

void MechanismPanelTest::keyHeadsThatDoNotDivideAreExplained()
{
    auto *kvHeads = control<NumberField>(*m_panel, "kvHeads");
    const auto before = m_document->result();
    enterText(kvHeads, "3");
    QVERIFY(m_document->problem());
    QCOMPARE(m_document->problem()->part, SpecPart::KvHeads);
    QVERIFY(!rowOf(kvHeads)->problem().isEmpty());
    QCOMPARE(m_document->result(), before);
    QVERIFY(clickLink(rowOf(kvHeads), "Use 2 K/V heads"));
    QCOMPARE(spec().kvHeads, 2);
    QVERIFY(!m_document->problem());
    QVERIFY(rowOf(kvHeads)->problem().isEmpty());
}

void MechanismPanelTest::hoveredControlLightsItsSymbol()
{
    auto *formula = m_panel->findChild<FormulaView *>();
    PanelRow *row = rowOf(control<ScaleField>(*m_panel, "scale"));
    QEnterEvent enter({ 5, 5 }, { 5, 5 }, { 5, 5 });
    QApplication::sendEvent(row, &enter);
    QCOMPARE(formula->lit(), Symbol::Scale);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(row, &leave);
    QCOMPARE(formula->lit(), Symbol::None);
    // The stage under the mouse in the view bar lights what makes it.
    m_selection->setHoveredStage(Stage::Masked);
    QCOMPARE(formula->lit(), Symbol::Mask);
    m_selection->setHoveredStage(std::nullopt);
    QCOMPARE(formula->lit(), Symbol::None);
}

void MechanismPanelTest::clickedSymbolFocusesItsControl()
{
    auto *formula = m_panel->findChild<FormulaView *>();
    QTest::mouseClick(formula, Qt::LeftButton, {}, formula->rectOf(Symbol::Mask).center().toPoint());
    QVERIFY(control<QComboBox>(*m_panel, "maskRule")->hasFocus());
    QTest::mouseClick(formula, Qt::LeftButton, {}, formula->rectOf(Symbol::Scale).center().toPoint());
    QVERIFY(control<ScaleField>(*m_panel, "scale")->hasFocus());
}

void MechanismPanelTest::everyControlIsReachedByTabInReadingOrder()
{
    control<QComboBox>(*m_panel, "preset")->setFocus();
    QStringList reached;
    for (int step = 0; step < 10; ++step) {
        reached.append(QApplication::focusWidget()->objectName());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(reached,
        (QStringList{
            "preset", "score", "maskRule", "maskPaint", "maskPadding", "scale", "temperatureSlider", "temperature", "heads", "kvHeads" }));
}

void MechanismPanelTest::everyFieldTakesTheFocusByClick()
{
    for (const char *name : { "maskPadding", "scale", "temperature", "heads", "kvHeads" }) {
        auto *field = control<QLineEdit>(*m_panel, name);
        QTest::mouseClick(field, Qt::LeftButton, {}, field->rect().center());
        QVERIFY2(field->hasFocus(), name);
    }
}

void MechanismPanelTest::comparisonKeepsDifferingOnlyInTheMask()
{
    Session session = m_document->session();
    session.comparison = withCausalMask(session.mechanism, false);
    m_document->edit(session, "compare");
    enterText(control<NumberField>(*m_panel, "temperature"), "2");
    QCOMPARE(m_document->session().comparison->temperature, 2.0);
    QCOMPARE(m_document->session().comparison->mask.rule, MaskRule::None);
    // What differs already is what is compared, and stays.
    session = m_document->session();
    session.comparison->temperature = 0.5;
    m_document->edit(session, "compare");
    enterText(control<NumberField>(*m_panel, "temperature"), "3");
    QCOMPARE(m_document->session().comparison->temperature, 0.5);
}

void MechanismPanelTest::anyOtherComparisonIsFrozen()
{
    Session session = m_document->session();
    session.comparison = session.mechanism;
    session.comparisonFollows = false;
    m_document->edit(session, "compare with the mechanism as it is now");
    const AttentionSpec frozen = session.mechanism;
    enterText(control<NumberField>(*m_panel, "temperature"), "2");
    choose("maskRule", 0);
    // By now they differ in the mask, and in the temperature; neither was carried over.
    enterText(control<ScaleField>(*m_panel, "scale"), "0.5");
    QCOMPARE(spec().temperature, 2.0);
    QVERIFY(m_document->session().comparison == frozen);
}

void MechanismPanelTest::hoveredRowIsCountedBeforeThePickedOne()
{
    const auto note = [this] { return rowOf(control<QComboBox>(*m_panel, "maskRule"))->note(); };
    m_selection->setPicked(CellRef{ 2, 0 });
    QCOMPARE(note(), QStringLiteral("3 of 10 keys visible in this row"));
    m_selection->setHovered(CellRef{ 6, 1 });
    QCOMPARE(note(), QStringLiteral("7 of 10 keys visible in this row"));
    m_selection->setHovered(std::nullopt);
    QCOMPARE(note(), QStringLiteral("3 of 10 keys visible in this row"));
    m_selection->setPicked(std::nullopt);
    QCoreApplication::processEvents();
    const auto *below = control<ScaleField>(*m_panel, "scale");
    const QPoint before = below->mapTo(m_panel.get(), QPoint());
    for (const Index row : { Index{ 0 }, Index{ 9 } }) {
        m_selection->setHovered(CellRef{ row, -1 });
        QCOMPARE(note(), QStringLiteral("%1 of 10 keys visible in this row").arg(row + 1));
        QCoreApplication::processEvents();
        QCOMPARE(below->mapTo(m_panel.get(), QPoint()), before);
    }
}

void MechanismPanelTest::escapePutsTheScaleBack()
{
    auto *scale = control<ScaleField>(*m_panel, "scale");
    const QString before = scale->text();
    scale->setFocus();
    scale->selectAll();
    QTest::keyClicks(scale, "0.2");
    QTest::keyClick(scale, Qt::Key_Escape);
    QCOMPARE(scale->text(), before);
    QVERIFY(scale->hasFocus());
    enterText(scale, "much");
    QVERIFY(!rowOf(scale)->problem().isEmpty());
    QTest::keyClick(scale, Qt::Key_Escape);
    QCOMPARE(scale->text(), before);
    QVERIFY(rowOf(scale)->problem().isEmpty());
    QVERIFY(!m_document->undoStack()->canUndo());
}

void MechanismPanelTest::recordedWeightsCanOnlyHideKeys()
{
    QCOMPARE(m_panel->title(), QStringLiteral("Mechanism"));
    auto set = std::make_shared<TensorSet>();
    Matrix weights(3, 3);
    weights << 0.5, 0.25, 0.25, 0.2, 0.3, 0.5, 0.1, 0.1, 0.8;
    set->tensors.push_back({ .name = "attention", .file = "a.npy", .tensor = Tensor::fromMatrix(weights) });
    FileSource file;
    file.tensors = set;
    file.uses = recognise(*set);
    Session session;
    session.source = file;
    session.mechanism.mask.rule = MaskRule::None;
    QSignalSpy renamed(m_panel.get(), &MechanismPanel::titleChanged);
    m_document->reset(session);
    QVERIFY(m_document->block().hasWeightsOnly());
    QCOMPARE(m_panel->title(), QStringLiteral("Recorded weights"));
    QCOMPARE(renamed.count(), 1);
    auto *rule = control<QComboBox>(*m_panel, "maskRule");
    QCOMPARE(rule->currentText(), QStringLiteral("as recorded"));
    // What the model hid from itself is in the weights: nothing is said to be visible.
    QCOMPARE(rowOf(rule)->note(), QStringLiteral("Keys as recorded, none hidden"));
    QVERIFY(!control<QComboBox>(*m_panel, "score")->isVisible());
    QVERIFY(!control<QSlider>(*m_panel, "temperatureSlider")->isVisible());
    choose("maskRule", 1);
    QCOMPARE(spec().mask.rule, MaskRule::Causal);
    QVERIFY(rowOf(rule)->note().contains("Deeper layers would have changed"));
}

void MechanismPanelTest::showingTheDocumentEditsNothing()
{
    Session session = m_document->session();
    session.mechanism.temperature = 2.345;
    session.mechanism.scale = 0.1;
    session.mechanism.kvHeads = 2;
    session.mechanism.mask.rule = MaskRule::None;
    session.mechanism.mask.paddedKeys = 2;
    QSignalSpy changed(m_document.get(), &Document::changed);
    m_document->edit(session, "change everything");
    QCOMPARE(changed.count(), 1);
    QVERIFY(m_document->session() == session);
    m_document->undoStack()->undo();
    QCOMPARE(changed.count(), 2);
    QVERIFY(m_document->undoStack()->canRedo());
}

QTEST_MAIN(MechanismPanelTest)
#include "tst_mechanism_panel.moc"
