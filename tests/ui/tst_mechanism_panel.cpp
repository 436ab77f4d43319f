// SPDX-License-Identifier: GPL-3.0-or-later
// The mechanism panel edits the mechanism, follows undo, and explains what does not fit where it was entered.
#include "mechanism_fixture.h"
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/mechanism/scale_field.h"
#include "panels/number_field.h"

#include <QEnterEvent>
#include <QSignalSpy>
#include <QSlider>
#include <QTextEdit>

using namespace attenscope;
using namespace attenscope::test;

class MechanismPanelTest : public QObject, protected MechanismFixture {
    Q_OBJECT

private slots:
    void init() { open(exampleSentence(), { 320, 600 }); }
    void cleanup() { close(); }
    void plainDotProductHasNoScale();
    void scaleCanBeReplacedAndReset();
    void badScaleChangesNothing();
    void dragOfTheTemperatureIsOneStep();
    void doubleClickResetsTheTemperature();
    void doubleClickOnAFieldBringsTheDefaultBack();
    void refusedNumberOfHeadsKeepsTheScaleOfTheMap();
    void headsThatWouldFitAreOffered();
    void sentencesAreReadWhole();
    void badTemperatureNamesTheRange();
    void wheelWithoutFocusChangesNothing();
    void everyFieldTakesTheFocus();
    void headsAndSharing();
    void keyHeadsThatDoNotDivideAreExplained();
    void hoveredControlLightsItsSymbol();
    void clickedSymbolFocusesItsControl();
    void everyControlIsReachedByTabInReadingOrder();
    void everyFieldTakesTheFocusByClick();
    void comparisonKeepsDifferingOnlyInTheMask();
    void anyOtherComparisonIsFrozen();
    void escapePutsTheScaleBack();
    void recordedWeightsCanOnlyHideKeys();
    void showingTheDocumentEditsNothing();
};

void MechanismPanelTest::plainDotProductHasNoScale()
{
    auto *scale = control<ScaleField>(*m_widget, "scale");
    QVERIFY(scale->isVisible());
    walkTo("score", 1);
    QCOMPARE(spec().score, ScoreFunction::Dot);
    QVERIFY(!scale->isVisible());
    QCOMPARE(m_widget->findChild<FormulaView *>()->accessibleDescription(), QStringLiteral("softmax(QKᵀ + M) V"));
}

void MechanismPanelTest::scaleCanBeReplacedAndReset()
{
    auto *scale = control<ScaleField>(*m_widget, "scale");
    QCOMPARE(scale->text(), QStringLiteral("1 / √8"));
    enterText(scale, "1/4");
    QCOMPARE(spec().scale, std::optional(0.25));
    QCOMPARE(m_widget->findChild<FormulaView *>()->accessibleDescription(), QStringLiteral("softmax(0.25 QKᵀ + M) V"));
    enterText(scale, "");
    QTest::keyClick(scale, Qt::Key_Backspace);
    QTest::keyClick(scale, Qt::Key_Return);
    QVERIFY(!spec().scale);
    QCOMPARE(scale->text(), QStringLiteral("1 / √8"));
}

void MechanismPanelTest::badScaleChangesNothing()
{
    auto *scale = control<ScaleField>(*m_widget, "scale");
    enterText(scale, "big");
    QVERIFY(rowOf(scale)->problem().startsWith("Scale: a number"));
    QVERIFY(!spec().scale);
    QCOMPARE(m_document->undoStack()->count(), 0);
}

void MechanismPanelTest::dragOfTheTemperatureIsOneStep()
{
    auto *slider = control<QSlider>(*m_widget, "temperatureSlider");
    const QPoint middle = slider->rect().center();
    QTest::mousePress(slider, Qt::LeftButton, {}, middle);
    for (int step = 1; step <= 10; ++step)
        QTest::mouseMove(slider, middle + QPoint(4 * step, 0));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, middle + QPoint(40, 0));
    QVERIFY(spec().temperature > 1.5);
    QCOMPARE(m_document->undoStack()->count(), 1);
    QCOMPARE(control<NumberField>(*m_widget, "temperature")->number(), spec().temperature);
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
    enterText(control<NumberField>(*m_widget, "temperature"), "4");
    QCOMPARE(spec().temperature, 4.0);
    auto *slider = control<QSlider>(*m_widget, "temperatureSlider");
    QTest::mouseDClick(slider, Qt::LeftButton, {}, slider->rect().center());
    QCOMPARE(spec().temperature, 1.0);
}

void MechanismPanelTest::doubleClickOnAFieldBringsTheDefaultBack()
{
    auto *temperature = control<NumberField>(*m_widget, "temperature");
    auto *scale = control<ScaleField>(*m_widget, "scale");
    auto *kvHeads = control<NumberField>(*m_widget, "kvHeads");
    enterText(temperature, "4");
    enterText(scale, "0.5");
    enterText(kvHeads, "2");
    const int steps = m_document->undoStack()->count();
    for (QLineEdit *field : std::initializer_list<QLineEdit *>{ temperature, scale, kvHeads }) {
        // With the focus it selects the text, as everywhere.
        field->setFocus(Qt::TabFocusReason);
        QTest::mouseDClick(field, Qt::LeftButton, {}, QPoint(field->width() - 16, field->height() / 2));
        QCOMPARE(m_document->undoStack()->count(), steps);
        m_widget->setFocus();
    }
    QTest::mouseDClick(temperature, Qt::LeftButton);
    QCOMPARE(spec().temperature, 1.0);
    QTest::mouseDClick(scale, Qt::LeftButton);
    QVERIFY(!spec().scale);
    QTest::mouseDClick(kvHeads, Qt::LeftButton);
    QCOMPARE(spec().kvHeads, 0);
    QCOMPARE(m_document->undoStack()->count(), steps + 3);
}

void MechanismPanelTest::refusedNumberOfHeadsKeepsTheScaleOfTheMap()
{
    // 32 numbers for 4 heads: d_k = 8. Five heads of 6.4 do not exist.
    auto *scale = control<ScaleField>(*m_widget, "scale");
    enterText(control<NumberField>(*m_widget, "heads"), "5");
    QVERIFY(m_document->problem());
    QCOMPARE(scale->text(), QStringLiteral("1 / √8"));
    enterText(control<NumberField>(*m_widget, "heads"), "8");
    QCOMPARE(scale->text(), QStringLiteral("1 / √4"));
}

void MechanismPanelTest::headsThatWouldFitAreOffered()
{
    const auto setWidth = [this](int width) {
        Session next = m_document->session();
        std::get<TokensSource>(next.source).dModel = width;
        m_document->edit(next, QStringLiteral("change embedding size"));
    };
    auto *heads = control<NumberField>(*m_widget, "heads");
    enterText(control<NumberField>(*m_widget, "kvHeads"), "2");
    // The embedding has changed, the heads have not: it is said there, once.
    setWidth(33);
    QVERIFY(m_document->problem());
    QVERIFY2(rowOf(heads)->problem().isEmpty(), qPrintable(rowOf(heads)->problem()));
    setWidth(32);
    enterText(heads, "5");
    setWidth(33);
    QVERIFY2(rowOf(heads)->problem().startsWith(QStringLiteral("W_q has 33 columns, which 5 heads")), qPrintable(rowOf(heads)->problem()));
    QVERIFY(clickLink(rowOf(heads), "Use 3 heads"));
    QCOMPARE(spec().heads, 3);
    QVERIFY2(!m_document->problem(), "two key/value heads, which three cannot share, go with it");
}

void MechanismPanelTest::sentencesAreReadWhole()
{
    auto *heads = control<NumberField>(*m_widget, "heads");
    // A short one, then a longer one in its place.
    for (const char *number : { "0", "5" }) {
        enterText(heads, QLatin1String(number));
        QCoreApplication::processEvents();
        const auto *text = rowOf(heads)->findChild<QTextEdit *>();
        QVERIFY(text && text->isVisible());
        QVERIFY(text->document()->size().height() <= text->viewport()->height());
    }
}

void MechanismPanelTest::badTemperatureNamesTheRange()
{
    auto *field = control<NumberField>(*m_widget, "temperature");
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
    auto *slider = control<QSlider>(*m_widget, "temperatureSlider");
    auto *score = control<QComboBox>(*m_widget, "score");
    control<NumberField>(*m_widget, "heads")->setFocus();
    for (QWidget *widget : std::initializer_list<QWidget *>{ slider, score, control<NumberField>(*m_widget, "kvHeads") }) {
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
    const QList<QLineEdit *> fields = m_widget->findChildren<QLineEdit *>();
    QVERIFY(fields.size() >= 4);
    for (const QLineEdit *field : fields)
        QVERIFY2(field->focusPolicy() == Qt::StrongFocus, qPrintable(field->accessibleName()));
}

void MechanismPanelTest::headsAndSharing()
{
    auto *heads = control<NumberField>(*m_widget, "heads");
    auto *kvHeads = control<NumberField>(*m_widget, "kvHeads");
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
    auto *kvHeads = control<NumberField>(*m_widget, "kvHeads");
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
    auto *formula = m_widget->findChild<FormulaView *>();
    PanelRow *row = rowOf(control<ScaleField>(*m_widget, "scale"));
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
    auto *formula = m_widget->findChild<FormulaView *>();
    QTest::mouseClick(formula, Qt::LeftButton, {}, formula->rectOf(Symbol::Mask).center().toPoint());
    QVERIFY(control<QComboBox>(*m_widget, "maskRule")->hasFocus());
    QTest::mouseClick(formula, Qt::LeftButton, {}, formula->rectOf(Symbol::Scale).center().toPoint());
    QVERIFY(control<ScaleField>(*m_widget, "scale")->hasFocus());
}

void MechanismPanelTest::everyControlIsReachedByTabInReadingOrder()
{
    control<QComboBox>(*m_widget, "preset")->setFocus();
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
        auto *field = control<QLineEdit>(*m_widget, name);
        QTest::mouseClick(field, Qt::LeftButton, {}, field->rect().center());
        QVERIFY2(field->hasFocus(), name);
    }
}

void MechanismPanelTest::comparisonKeepsDifferingOnlyInTheMask()
{
    Session session = m_document->session();
    session.comparison = withCausalMask(session.mechanism, false);
    m_document->edit(session, "compare");
    enterText(control<NumberField>(*m_widget, "temperature"), "2");
    QCOMPARE(m_document->session().comparison->temperature, 2.0);
    QCOMPARE(m_document->session().comparison->mask.rule, MaskRule::None);
    // What differs already is what is compared, and stays.
    session = m_document->session();
    session.comparison->temperature = 0.5;
    m_document->edit(session, "compare");
    enterText(control<NumberField>(*m_widget, "temperature"), "3");
    QCOMPARE(m_document->session().comparison->temperature, 0.5);
}

void MechanismPanelTest::anyOtherComparisonIsFrozen()
{
    Session session = m_document->session();
    session.comparison = session.mechanism;
    session.comparisonFollows = false;
    m_document->edit(session, "compare with the mechanism as it is now");
    const AttentionSpec frozen = session.mechanism;
    enterText(control<NumberField>(*m_widget, "temperature"), "2");
    walkTo("maskRule", 0);
    // By now they differ in the mask, and in the temperature; neither was carried over.
    enterText(control<ScaleField>(*m_widget, "scale"), "0.5");
    QCOMPARE(spec().temperature, 2.0);
    QVERIFY(m_document->session().comparison == frozen);
}

void MechanismPanelTest::escapePutsTheScaleBack()
{
    auto *scale = control<ScaleField>(*m_widget, "scale");
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
    QCOMPARE(m_widget->title(), QStringLiteral("Mechanism"));
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
    QSignalSpy renamed(m_widget.get(), &MechanismPanel::titleChanged);
    m_document->reset(session);
    QVERIFY(m_document->block().hasWeightsOnly());
    QCOMPARE(m_widget->title(), QStringLiteral("Recorded weights"));
    QCOMPARE(renamed.count(), 1);
    auto *rule = control<QComboBox>(*m_widget, "maskRule");
    QCOMPARE(rule->currentText(), QStringLiteral("as recorded"));
    // What the model hid from itself is in the weights: nothing is said to be visible.
    QCOMPARE(rowOf(rule)->note(), QStringLiteral("Keys as recorded, none hidden"));
    QVERIFY(!control<QComboBox>(*m_widget, "score")->isVisible());
    QVERIFY(!control<QSlider>(*m_widget, "temperatureSlider")->isVisible());
    walkTo("maskRule", 1);
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
