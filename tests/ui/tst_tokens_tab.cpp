// SPDX-License-Identifier: GPL-3.0-or-later
// Typed tokens become the input, and nothing that was typed is lost.
#include "panels/input/input_panel.h"
#include "panels/input/sequence_edit.h"
#include "panels/number_field.h"
#include "support/panels.h"
#include "support/widget_fixture.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QSignalSpy>
#include <QTabBar>

using namespace attenscope;
using namespace attenscope::test;

class TokensTabTest : public QObject, protected WidgetFixture<InputPanel> {
    Q_OBJECT

private slots:
    void init() { open(exampleSentence(), { 320, 500 }); }
    void cleanup() { close(); }
    void typingChangesTheInput();
    void typingIsOneUndoStep();
    void undoPutsTheTextBack();
    void emptyTextKeepsTheAxesAndAsksForTokens();
    void splitRuleIsApplied();
    void secondSequenceGivesTheKeys();
    void secondSequenceIsRememberedWhenSwitchedOff();
    void crossAttentionIsNotCausalAndSelfAttentionIsAgain();
    void crossAttentionLeavesOtherMasksAlone();
    void secondSequenceIsReplacedByTyping();
    void changedExampleIsNoLongerCalledTheExample();
    void escapePutsTheTextBackThatStoodThere();
    void whatEscapeGaveUpCanBeRedone();
    void escapeLeavesWhatWasDoneBetween();
    void indivisibleEmbeddingIsExplainedWithFixes();
    void badNumberIsExplainedAndKept();
    void newSeedChangesTheVectors();
    void positionsCanBeSwitchedOff();
    void showsTheTabOfTheSource();
    void lookingAtAnotherTabChangesNothing();
    void editAfterAnotherSourceMakesTheTokensTheSource();
    void pastedWordsBecomeTokens();
    void shortenedPrintIsRefusedNotTakenForTokens();
    void everyControlIsReachedByTabInReadingOrder();
    void everyFieldTakesTheFocusByClick();
    void titleCountsTokens();
    void addedHeadDividesTheEmbedding();

private:
    [[nodiscard]] const TokensSource &source() const { return std::get<TokensSource>(m_document->session().source); }
    [[nodiscard]] SequenceEdit *text() const { return control<SequenceEdit>(*m_widget, "tokensText"); }
};

void TokensTabTest::typingChangesTheInput()
{
    text()->setFocus();
    text()->selectAll();
    QTest::keyClicks(text(), "red green");
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "red", "green" }));
    QCOMPARE(m_document->block().keys, 2);
}

void TokensTabTest::typingIsOneUndoStep()
{
    const std::string before = source().text;
    text()->setFocus();
    text()->moveCursor(QTextCursor::End);
    QTest::keyClicks(text(), " now");
    QCOMPARE(m_document->undoStack()->count(), 1);
    m_document->undoStack()->undo();
    QCOMPARE(source().text, before);
}

void TokensTabTest::undoPutsTheTextBack()
{
    const QString before = text()->toPlainText();
    text()->setFocus();
    QTest::keyClicks(text(), "x");
    QVERIFY(text()->toPlainText() != before);
    m_document->undoStack()->undo();
    QCOMPARE(text()->toPlainText(), before);
    QVERIFY2(m_document->undoStack()->canRedo(), "showing the old text must not be an edit");
}

void TokensTabTest::emptyTextKeepsTheAxesAndAsksForTokens()
{
    text()->setFocus();
    text()->selectAll();
    QTest::keyClick(text(), Qt::Key_Backspace);
    QCOMPARE(source().text, std::string());
    QCOMPARE(m_document->block().queries, 10);
    QCOMPARE(rowOf(text())->note(), QStringLiteral("Type some tokens."));
    QVERIFY2(rowOf(text())->problem().isEmpty(), "an empty field is a beginning, not a mistake");
}

void TokensTabTest::splitRuleIsApplied()
{
    auto *split = control<QComboBox>(*m_widget, "split");
    split->setFocus();
    QTest::keyClick(split, Qt::Key_Down);
    QCOMPARE(source().split, SplitRule::Characters);
    QCOMPARE(m_document->block().queryTokens.front(), std::string("T"));
}

void TokensTabTest::secondSequenceGivesTheKeys()
{
    auto *from = control<QComboBox>(*m_widget, "keysFrom");
    auto *keyText = control<SequenceEdit>(*m_widget, "keyText");
    QVERIFY(!keyText->isVisible());
    QTest::keyClick(from, Qt::Key_Down);
    QVERIFY(keyText->isVisible());
    QVERIFY(keyText->hasFocus());
    keyText->selectAll();
    QTest::keyClicks(keyText, "le chat");
    QCOMPARE(m_document->block().queries, 10);
    QCOMPARE(m_document->block().keyTokens, (std::vector<std::string>{ "le", "chat" }));
    QCOMPARE(m_widget->titleNote(), QStringLiteral("10 × 2"));
}

void TokensTabTest::secondSequenceIsRememberedWhenSwitchedOff()
{
    auto *from = control<QComboBox>(*m_widget, "keysFrom");
    QTest::keyClick(from, Qt::Key_Down);
    auto *keyText = control<SequenceEdit>(*m_widget, "keyText");
    keyText->selectAll();
    QTest::keyClicks(keyText, "le chat");
    QTest::keyClick(from, Qt::Key_Up);
    QVERIFY(!source().keyText);
    QTest::keyClick(from, Qt::Key_Down);
    QCOMPARE(source().keyText, std::optional<std::string>("le chat"));
}

void TokensTabTest::crossAttentionIsNotCausalAndSelfAttentionIsAgain()
{
    const auto rule = [this] { return m_document->session().mechanism.mask.rule; };
    auto *from = control<QComboBox>(*m_widget, "keysFrom");
    QCOMPARE(rule(), MaskRule::Causal);
    QTest::keyClick(from, Qt::Key_Down);
    QCOMPARE(rule(), MaskRule::None);
    QCOMPARE(m_document->undoStack()->count(), 1);
    QTest::keyClick(from, Qt::Key_Up);
    QCOMPARE(rule(), MaskRule::Causal);
    m_document->undoStack()->undo();
    QCOMPARE(rule(), MaskRule::None);
    m_document->undoStack()->undo();
    QCOMPARE(rule(), MaskRule::Causal);
    QVERIFY(!source().keyText);
}

void TokensTabTest::crossAttentionLeavesOtherMasksAlone()
{
    auto *from = control<QComboBox>(*m_widget, "keysFrom");
    Session session = m_document->session();
    session.mechanism.mask.rule = MaskRule::None;
    m_document->reset(session);
    QTest::keyClick(from, Qt::Key_Down);
    QTest::keyClick(from, Qt::Key_Up);
    QCOMPARE(m_document->session().mechanism.mask.rule, MaskRule::None);
    // While masks are compared they are what is looked at.
    session.mechanism.mask.rule = MaskRule::Causal;
    session.comparison = withCausalMask(session.mechanism, false);
    m_document->reset(session);
    QTest::keyClick(from, Qt::Key_Down);
    QCOMPARE(m_document->session().mechanism.mask.rule, MaskRule::Causal);
}

void TokensTabTest::secondSequenceIsReplacedByTyping()
{
    QTest::keyClick(control<QComboBox>(*m_widget, "keysFrom"), Qt::Key_Down);
    QTest::keyClicks(QApplication::focusWidget(), "le chat");
    QCOMPARE(source().keyText, std::optional<std::string>("le chat"));
}

void TokensTabTest::changedExampleIsNoLongerCalledTheExample()
{
    const std::string example = m_document->session().name;
    m_widget->findChild<QAction *>(QStringLiteral("newSeed"))->trigger();
    QCOMPARE(m_document->session().name, example);
    text()->setFocus();
    QTest::keyClicks(text(), "x");
    QCOMPARE(m_document->session().name, std::string("Typed tokens"));
    m_document->undoStack()->undo();
    QCOMPARE(m_document->session().name, example);
    // A name that was given stays.
    Session session = m_document->session();
    session.name = "Lesson 3";
    m_document->reset(session);
    QTest::keyClicks(text(), "x");
    QCOMPARE(m_document->session().name, std::string("Lesson 3"));
}

void TokensTabTest::escapePutsTheTextBackThatStoodThere()
{
    const std::string before = source().text;
    text()->setFocus();
    QTest::keyClicks(text(), "xyz");
    QTest::keyClick(text(), Qt::Key_Escape);
    QCOMPARE(source().text, before);
    QCOMPARE(text()->toPlainText().toStdString(), before);
    QVERIFY(text()->hasFocus());
    QVERIFY2(!m_document->undoStack()->canUndo(), "what was given up leaves no step");
}

void TokensTabTest::whatEscapeGaveUpCanBeRedone()
{
    const std::string before = source().text;
    text()->setFocus();
    text()->selectAll();
    QTest::keyClicks(text(), "red green");
    m_document->endMerge(); // a pause
    QTest::keyClicks(text(), " blue");
    QTest::keyClick(text(), Qt::Key_Escape);
    QCOMPARE(source().text, before);
    QUndoStack *steps = m_document->undoStack();
    while (steps->canRedo())
        steps->redo();
    QCOMPARE(source().text, std::string("red green blue"));
    QCOMPARE(text()->toPlainText(), QStringLiteral("red green blue"));
}

void TokensTabTest::escapeLeavesWhatWasDoneBetween()
{
    const std::string before = source().text;
    text()->setFocus();
    QTest::keyClicks(text(), "a");
    Session next = m_document->session();
    next.mechanism.temperature = 2.0;
    m_document->edit(next, QStringLiteral("change temperature"));
    QTest::keyClicks(text(), "b");
    QTest::keyClick(text(), Qt::Key_Escape);
    QCOMPARE(source().text, before);
    QCOMPARE(m_document->session().mechanism.temperature, 2.0);
    m_document->undoStack()->undo();
    QCOMPARE(source().text, "ab" + before);
}

void TokensTabTest::indivisibleEmbeddingIsExplainedWithFixes()
{
    auto *d = control<NumberField>(*m_widget, "dModel");
    enterText(d, "30");
    QVERIFY(m_document->problem());
    QCOMPARE(m_document->problem()->part, SpecPart::Heads);
    QVERIFY(rowOf(d)->problem().contains("30"));
    QVERIFY(clickLink(rowOf(d), "Use d = 28"));
    QCOMPARE(source().dModel, 28);
    QVERIFY(!m_document->problem());
    QVERIFY(rowOf(d)->problem().isEmpty());
}

void TokensTabTest::badNumberIsExplainedAndKept()
{
    auto *d = control<NumberField>(*m_widget, "dModel");
    enterText(d, "many");
    QCOMPARE(d->text(), QStringLiteral("many"));
    QCOMPARE(rowOf(d)->problem(), QStringLiteral("Embedding d: a whole number from 1 to 4,096."));
    QCOMPARE(source().dModel, 32);
    QCOMPARE(m_document->undoStack()->count(), 0);
    enterText(d, "16");
    QVERIFY(rowOf(d)->problem().isEmpty());
    QCOMPARE(source().dModel, 16);
}

void TokensTabTest::newSeedChangesTheVectors()
{
    const auto input = m_document->input();
    const std::uint64_t before = source().seed;
    m_widget->findChild<QAction *>(QStringLiteral("newSeed"))->trigger();
    QVERIFY(source().seed != before);
    QVERIFY(!(*m_document->input() == *input));
    QCOMPARE(control<NumberField>(*m_widget, "seed")->number(), static_cast<double>(source().seed));
}

void TokensTabTest::positionsCanBeSwitchedOff()
{
    auto *positions = control<QCheckBox>(*m_widget, "positions");
    QVERIFY(positions->isChecked());
    QTest::keyClick(positions, Qt::Key_Space);
    QVERIFY(!source().hasPositions);
    m_document->undoStack()->undo();
    QVERIFY(positions->isChecked());
}

void TokensTabTest::showsTheTabOfTheSource()
{
    auto *bar = control<QTabBar>(*m_widget, "inputTabs");
    QCOMPARE(bar->currentIndex(), 0);
    m_document->reset(workedExample());
    QCOMPARE(bar->currentIndex(), 1);
    m_document->reset(exampleSentence());
    QCOMPARE(bar->currentIndex(), 0);
}

void TokensTabTest::lookingAtAnotherTabChangesNothing()
{
    const Session before = m_document->session();
    for (const int tab : { 1, 2, 0 })
        control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(tab);
    QVERIFY(m_document->session() == before);
    QCOMPARE(m_document->undoStack()->count(), 0);
}

void TokensTabTest::editAfterAnotherSourceMakesTheTokensTheSource()
{
    Session matrices = m_document->session();
    matrices.source = workedExample().source;
    matrices.mechanism.heads = 1;
    m_document->edit(matrices, "start the worked example");
    control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(0);
    QCOMPARE(text()->toPlainText(), QStringLiteral("The cat sat on the mat because it was tired"));
    text()->moveCursor(QTextCursor::End);
    QTest::keyClicks(text(), "!");
    QCOMPARE(source().text, std::string("The cat sat on the mat because it was tired!"));
    QCOMPARE(m_document->session().mechanism.heads, 4);
    m_document->undoStack()->undo();
    QVERIFY(std::holds_alternative<MatricesSource>(m_document->session().source));
}

void TokensTabTest::pastedWordsBecomeTokens()
{
    QGuiApplication::clipboard()->setText("a quick brown fox");
    m_widget->paste();
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "a", "quick", "brown", "fox" }));
}

void TokensTabTest::shortenedPrintIsRefusedNotTakenForTokens()
{
    const Session before = m_document->session();
    for (const char *print : { "tensor([[1.0, 0.5, ..., -2.0],\n        [3.0, 0.1, ..., 0.0]])", "[[1 2 ... 3]\n [4 5 ... 6]]" }) {
        control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(0);
        QGuiApplication::clipboard()->setText(QString::fromUtf8(print));
        m_widget->paste();
        QVERIFY(m_document->session() == before);
        QCOMPARE(control<QTabBar>(*m_widget, "inputTabs")->currentIndex(), 1);
        QVERIFY(!rowOf(control<LinkButton>(*m_widget, "beginEmpty"))->problem().isEmpty());
    }
    QGuiApplication::clipboard()->setText("[CLS] the cat [SEP]");
    m_widget->paste();
    QCOMPARE(m_document->block().queries, 4);
}

void TokensTabTest::everyControlIsReachedByTabInReadingOrder()
{
    text()->setFocus();
    QStringList reached;
    for (int step = 0; step < 6; ++step) {
        reached.append(QApplication::focusWidget()->objectName());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(reached, (QStringList{ "tokensText", "split", "keysFrom", "dModel", "seed", "positions" }));
}

void TokensTabTest::everyFieldTakesTheFocusByClick()
{
    for (const char *name : { "dModel", "seed" }) {
        auto *field = control<NumberField>(*m_widget, name);
        QTest::mouseClick(field, Qt::LeftButton, {}, field->rect().center());
        QVERIFY2(field->hasFocus(), name);
    }
}

void TokensTabTest::titleCountsTokens()
{
    QCOMPARE(m_widget->titleNote(), QStringLiteral("10 tokens"));
    QSignalSpy spy(m_widget.get(), &InputPanel::titleNoteChanged);
    text()->selectAll();
    QTest::keyClicks(text(), "one");
    QCOMPARE(m_widget->titleNote(), QStringLiteral("1 token"));
    QVERIFY(spy.count() > 0);
}

void TokensTabTest::addedHeadDividesTheEmbedding()
{
    m_widget->addHead();
    QCOMPARE(m_document->session().mechanism.heads, 8);
    QVERIFY(!m_document->problem());
}

QTEST_MAIN(TokensTabTest)
#include "tst_tokens_tab.moc"
