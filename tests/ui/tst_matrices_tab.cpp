// SPDX-License-Identifier: GPL-3.0-or-later
// Typed matrices as an input: rows, columns, heads, names, values and embeddings, and what does not fit.
#include "matrices_fixture.h"
#include "panels/input/name_header.h"
#include "panels/number_field.h"

#include <QClipboard>
#include <QComboBox>
#include <QDebug>
#include <QScrollArea>
#include <QTabBar>
#include <QTextEdit>

using namespace attenscope;
using namespace attenscope::test;

class MatricesTabTest : public QObject, protected MatricesFixture {
    Q_OBJECT

private slots:
    void init() { open(workedExample(), { 320, 900 }); }
    void cleanup() { close(); }
    void missingColumnIsExplainedAndFixed();
    void messageInAnEmptyTabIsReadWhole();
    void removedKeyTakesItsValueAndNameAlong();
    void insertedRowHasAnEmptyName();
    void movedRowsKeepTheirNames();
    void columnsMoveInOneTableOnly();
    void lastRowStays();
    void renamedKeyLeavesTheQueryAlone();
    void valuesCanBeRemovedAndAdded();
    void addedTableIsInViewAndTakesTheKeys();
    void headsAreAddedAndRemoved();
    void sharedKeysAreThoseOfTheGroup();
    void embeddingGivesTheSameScoresAtFirst();
    void biasesAreZerosAtFirst();
    void tokensCanBecomeMatrices();
    void otherSourceOffersTheLastMatrices();
    void sizeIsTypedInPlace();
    void newMatricesBeginInTheFirstCell();
    void secondSequenceOfEmbeddingsIsNotCausal();
    void changedSampleIsNoLongerCalledTheSample();
};

void MatricesTabTest::missingColumnIsExplainedAndFixed()
{
    const auto before = m_document->result();
    MatrixView *view = section("K")->view();
    view->setFocus();
    view->goTo(0, 3);
    choose("K", "Remove columns");
    QVERIFY(m_document->problem());
    QCOMPARE(section("K")->problem(), QStringLiteral("K has 3 columns, Q has 4. They must be equal, because q · k pairs their numbers."));
    QVERIFY(section("Q")->problem().isEmpty());
    QCOMPARE(m_document->result(), before);
    QVERIFY(clickLink(section("K"), "Add a column of zeros to K"));
    QVERIFY(!m_document->problem());
    QVERIFY(section("K")->problem().isEmpty());
    QCOMPARE(source().heads[0].k.cols(), 4);
    m_document->undoStack()->undo();
    QVERIFY(!section("K")->problem().isEmpty());
}

void MatricesTabTest::messageInAnEmptyTabIsReadWhole()
{
    m_document->reset(exampleSentence());
    control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(1);
    QGuiApplication::clipboard()->setText(QStringLiteral("[[1,2,...,3],[4,5,...,6]]"));
    m_widget->paste();
    QCoreApplication::processEvents();
    const ProblemNote *shown = nullptr;
    for (const ProblemNote *note : m_widget->findChildren<ProblemNote *>())
        shown = note->isVisible() ? note : shown;
    QVERIFY(shown);
    // Its word np.set_printoptions(threshold=sys.maxsize) is wider than the tab.
    QVERIFY2(shown->sentence().contains(QStringLiteral("np.set_printoptions(threshold=sys.maxsize)")), qPrintable(shown->sentence()));
    const QRect place(shown->mapTo(m_widget.get(), QPoint()), shown->size());
    QVERIFY2(m_widget->rect().contains(place), qPrintable(QDebug::toString(place)));
    QCOMPARE(m_widget->width(), 320);
    const auto *text = shown->findChild<QTextEdit *>();
    QVERIFY(text);
    QVERIFY(text->document()->size().width() <= text->viewport()->width());
    QVERIFY(text->document()->size().height() <= text->viewport()->height());
}

void MatricesTabTest::removedKeyTakesItsValueAndNameAlong()
{
    section("K")->view()->goTo(1, 0);
    choose("K", "Remove rows");
    QCOMPARE(source().heads[0].k.rows(), 2);
    QVERIFY((source().heads[0].v.toMatrix().array() == rowsOf({ { 1, 2 }, { 5, 6 } }).array()).all());
    QCOMPARE(m_document->block().keyTokens, (std::vector<std::string>{ "the", "sat" }));
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "the", "cat", "sat" }));
    QVERIFY(!m_document->problem());
}

void MatricesTabTest::insertedRowHasAnEmptyName()
{
    section("Q")->view()->goTo(0, 0);
    choose("Q", "Insert row below");
    QCOMPARE(q().rows(), 4);
    QVERIFY((q().row(1).array() == 0.0).all());
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "the", "1", "cat", "sat" }));
    QCOMPARE(m_document->block().keyTokens, (std::vector<std::string>{ "the", "cat", "sat" }));
}

void MatricesTabTest::movedRowsKeepTheirNames()
{
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(0, 2);
    QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "cat", "the", "sat" }));
    QVERIFY((q().array() == rowsOf({ { 0, 1, 0, 1 }, { 1, 0, 1, 0 }, { 1, 1, 0, 0 } }).array()).all());
    QCOMPARE(view->currentIndex().row(), 1);
    QCOMPARE(view->currentIndex().column(), 2);
}

void MatricesTabTest::columnsMoveInOneTableOnly()
{
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(0, 0);
    QTest::keyClick(view, Qt::Key_Right, Qt::AltModifier);
    QVERIFY((q().row(0).array() == rowsOf({ { 0, 1, 1, 0 } }).array()).all());
    QCOMPARE(source().heads[0].k.at(0, 0), 1.0);
}

void MatricesTabTest::lastRowStays()
{
    MatrixView *view = section("Q")->view();
    view->selectAll();
    choose("Q", "Remove rows");
    QCOMPARE(q().rows(), 3);
    QCOMPARE(section("Q")->problem(), QStringLiteral("Q keeps at least one row."));
}

void MatricesTabTest::renamedKeyLeavesTheQueryAlone()
{
    MatrixView *view = section("K")->view();
    NameHeader *header = view->rowHeader();
    const QPoint place(10, header->sectionViewportPosition(1) + 5);
    QTest::mouseDClick(header->viewport(), Qt::LeftButton, {}, place);
    auto *editor = header->viewport()->findChild<QLineEdit *>();
    QVERIFY(editor);
    QCOMPARE(editor->text(), QStringLiteral("cat"));
    editor->selectAll();
    QTest::keyClicks(editor, "dog");
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(m_document->block().keyTokens[1], std::string("dog"));
    QCOMPARE(m_document->block().queryTokens[1], std::string("cat"));
}

void MatricesTabTest::valuesCanBeRemovedAndAdded()
{
    choose("V", "Remove V");
    QVERIFY(source().heads[0].v.isEmpty());
    QVERIFY(!m_document->block().hasValues());
    QVERIFY(!section("V")->isVisible());
    auto *addRow = rowOf(control<LinkButton>(*m_widget, "add V"));
    QCOMPARE(addRow->note(), QStringLiteral("Without V there are no weights × ‖V‖ and no output."));
    QVERIFY(clickLink(m_widget.get(), "Add V"));
    QVERIFY(m_document->block().hasValues());
    QCOMPARE(source().heads[0].v.rows(), 3);
    QVERIFY(addRow->note().isEmpty());
}

void MatricesTabTest::addedTableIsInViewAndTakesTheKeys()
{
    m_widget->resize(320, 300);
    QTest::keyClick(control<QComboBox>(*m_widget, "form"), Qt::Key_Down);
    QVERIFY(clickLink(m_widget.get(), "Add Y"));
    MatrixView *view = section("Y")->view();
    QVERIFY(view->hasFocus());
    QWidget *page = view;
    while (!qobject_cast<QScrollArea *>(page))
        page = page->parentWidget();
    const QWidget *window = qobject_cast<QScrollArea *>(page)->viewport();
    QTRY_VERIFY(window->rect().contains(QRect(view->mapTo(window, QPoint()), view->size())));
}

void MatricesTabTest::headsAreAddedAndRemoved()
{
    m_widget->addHead();
    QCOMPARE(source().heads.size(), std::size_t{ 2 });
    QCOMPARE(m_document->head().head, 1);
    auto *head = control<QComboBox>(*m_widget, "head");
    QVERIFY(head->isVisible());
    QCOMPARE(head->currentIndex(), 1);
    typeInto("Q", 0, 0, "4");
    QCOMPARE(q(0)(0, 0), 1.0);
    QCOMPARE(q(1)(0, 0), 4.0);
    QTest::keyClick(head, Qt::Key_Up);
    QCOMPARE(m_document->head().head, 0);
    QCOMPARE(section("Q")->view()->model()->index(0, 0).data().toString(), QStringLiteral("1"));
    control<LinkButton>(*m_widget, "removeHead")->click();
    QCOMPARE(source().heads.size(), std::size_t{ 1 });
    QCOMPARE(q(0)(0, 0), 4.0);
    QVERIFY(!head->isVisible());
}

void MatricesTabTest::sharedKeysAreThoseOfTheGroup()
{
    Session session = m_document->session();
    auto &matrices = std::get<MatricesSource>(session.source);
    matrices.heads.resize(4, matrices.heads[0]);
    matrices.heads[2].k = matrices.heads[2].k.withCell(0, 0, 5.0);
    matrices.heads[3].k = matrices.heads[3].k.withCell(0, 0, 6.0);
    session.mechanism.kvHeads = 2;
    m_document->edit(session, "share keys");
    m_document->pickHead({ .block = 0, .layer = 0, .head = 3, .element = 0 });
    QCOMPARE(section("K")->view()->model()->index(0, 0).data().toString(), QStringLiteral("5"));
    QCOMPARE(rowOf(control<QComboBox>(*m_widget, "head"))->note(), QStringLiteral("Uses K and V of head 2"));
}

void MatricesTabTest::embeddingGivesTheSameScoresAtFirst()
{
    Session afterTokens = m_document->session();
    afterTokens.mechanism.heads = 4;
    m_document->reset(afterTokens);
    auto *form = control<QComboBox>(*m_widget, "form");
    QTest::keyClick(form, Qt::Key_Down);
    QCOMPARE(source().form, MatrixForm::Embedded);
    QCOMPARE(m_document->session().mechanism.heads, 1);
    QVERIFY(!m_document->problem());
    QVERIFY(section("X")->isVisible());
    QVERIFY(section("W_q")->isVisible());
    QVERIFY(!section("Q")->isVisible());
    const auto operands = headOperands(m_document->block(), m_document->session().mechanism, {});
    QVERIFY(operands.ok());
    QVERIFY(((*operands)->q.toMatrix().array() == source().heads[0].q.toMatrix().array()).all());
    QTest::keyClick(form, Qt::Key_Up);
    QVERIFY(
        m_document->session().source == workedExample().source || source().heads == std::get<MatricesSource>(workedExample().source).heads);
}

void MatricesTabTest::biasesAreZerosAtFirst()
{
    QTest::keyClick(control<QComboBox>(*m_widget, "form"), Qt::Key_Down);
    QVERIFY(clickLink(m_widget.get(), "Add biases"));
    QVERIFY(section("b_q")->isVisible());
    QCOMPARE(source().projections.bk.cols(), source().projections.wk.cols());
    QVERIFY((source().projections.bv.toMatrix().array() == 0.0).all());
    QVERIFY(!m_document->problem());
}

void MatricesTabTest::tokensCanBecomeMatrices()
{
    m_document->reset(exampleSentence());
    const auto before
        = headOperands(m_document->block(), m_document->session().mechanism, { .block = 0, .layer = 0, .head = 2, .element = 0 });
    control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(1);
    control<LinkButton>(*m_widget, "beginInput")->click();
    QCOMPARE(source().heads.size(), std::size_t{ 4 });
    QVERIFY((q(2).array() == (*before)->q.toMatrix().array()).all());
    QCOMPARE(m_document->block().queryTokens[1], std::string("cat"));
    m_document->undoStack()->undo();
    QVERIFY(std::holds_alternative<TokensSource>(m_document->session().source));
}

void MatricesTabTest::otherSourceOffersTheLastMatrices()
{
    typeInto("Q", 0, 0, "8");
    Session session = m_document->session();
    session.source = TokensSource{};
    m_document->edit(session, "type tokens");
    control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(1);
    QVERIFY(!section("Q")->isVisible());
    control<LinkButton>(*m_widget, "beginLast")->click();
    QCOMPARE(q()(0, 0), 8.0);
}

void MatricesTabTest::sizeIsTypedInPlace()
{
    choose("Q", "Size…");
    auto *rows = section("Q")->findChild<NumberField *>(QStringLiteral("rows"));
    QVERIFY(rows->isVisible());
    enterText(rows, "5");
    QCOMPARE(q().rows(), 5);
    QCOMPARE(q()(0, 0), 1.0);
    enterText(rows, "0");
    QCOMPARE(section("Q")->problem(), QStringLiteral("Rows: a whole number from 1 to 4,096."));
    QCOMPARE(q().rows(), 5);
}

void MatricesTabTest::newMatricesBeginInTheFirstCell()
{
    m_document->reset(exampleSentence());
    control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(1);
    control<LinkButton>(*m_widget, "beginEmpty")->click();
    MatrixView *view = section("Q")->view();
    QVERIFY(view->hasFocus());
    QTest::keyClicks(view, "7");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCoreApplication::processEvents();
    QCOMPARE(q()(0, 0), 7.0);
    QCOMPARE(m_document->session().name, std::string("Typed matrices"));
}

void MatricesTabTest::secondSequenceOfEmbeddingsIsNotCausal()
{
    control<QComboBox>(*m_widget, "form")->setFocus();
    QTest::keyClick(control<QComboBox>(*m_widget, "form"), Qt::Key_Down);
    Session session = m_document->session();
    session.mechanism = withCausalMask(session.mechanism, true);
    m_document->edit(session, "causal mask");
    control<LinkButton>(*m_widget, "add Y")->click();
    QCOMPARE(m_document->session().mechanism.mask.rule, MaskRule::None);
    choose("Y", "Remove Y");
    QCOMPARE(m_document->session().mechanism.mask.rule, MaskRule::Causal);
}

void MatricesTabTest::changedSampleIsNoLongerCalledTheSample()
{
    QCOMPARE(m_document->session().name, std::string("Worked example"));
    typeInto("Q", 0, 0, "2");
    QCOMPARE(m_document->session().name, std::string("Typed matrices"));
    m_document->undoStack()->undo();
    QCOMPARE(m_document->session().name, std::string("Worked example"));
}

QTEST_MAIN(MatricesTabTest)
#include "tst_matrices_tab.moc"
