// SPDX-License-Identifier: GPL-3.0-or-later
// Typed matrices: cells, rows, columns, heads, names, pastes, and what does not fit.
#include "panels/input/input_panel.h"
#include "panels/input/matrix_edit.h"
#include "panels/input/matrix_section.h"
#include "panels/input/matrix_view.h"
#include "panels/input/name_header.h"
#include "panels/number_field.h"
#include "support/panels.h"

#include <QClipboard>
#include <QComboBox>
#include <QMenu>
#include <QScrollArea>
#include <QTabBar>

using namespace attenscope;
using namespace attenscope::test;

namespace {

Matrix rowsOf(std::initializer_list<std::initializer_list<double>> rows)
{
    Matrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
    Index row = 0;
    for (const auto &numbers : rows) {
        Index col = 0;
        for (const double number : numbers)
            matrix(row, col++) = number;
        ++row;
    }
    return matrix;
}

} // namespace

class MatricesTabTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void typedCellChangesTheWeights();
    void enterGoesDownAndTabRight();
    void wordsForNanAndInfinityAreNumbers();
    void badCellKeepsItsValueAndIsExplained();
    void undoBringsCellsBack();
    void pasteAtTheEdgeMakesTheMatrixLarger();
    void pasteButtonReplacesTheMatrix();
    void threeDimensionalPrintBecomesHeads();
    void badPasteIsExplainedUnderTheTable();
    void copiedCellsKeepEveryDigit();
    void cutAndDeleteSetZero();
    void missingColumnIsExplainedAndFixed();
    void removedKeyTakesItsValueAndNameAlong();
    void insertedRowHasAnEmptyName();
    void movedRowsKeepTheirNames();
    void columnsMoveInOneTableOnly();
    void lastRowStays();
    void renamedKeyLeavesTheQueryAlone();
    void fillsAreWhatTheySay();
    void normalFillIsNewEachTime();
    void valuesCanBeRemovedAndAdded();
    void addedTableIsInViewAndTakesTheKeys();
    void headsAreAddedAndRemoved();
    void sharedKeysAreThoseOfTheGroup();
    void embeddingGivesTheSameScoresAtFirst();
    void biasesAreZerosAtFirst();
    void tokensCanBecomeMatrices();
    void otherSourceOffersTheLastMatrices();
    void visitedRowIsPicked();
    void sizeIsTypedInPlace();
    void tabLeavesTheTableAtItsEnd();
    void problemIsScrolledIntoView();
    void problemFarAwayLeavesTheEditedCellInPlaceOnceItIsKnown();
    void keyboardBringsTheCellIntoView();
    void newMatricesBeginInTheFirstCell();
    void secondSequenceOfEmbeddingsIsNotCausal();
    void changedSampleIsNoLongerCalledTheSample();
    void largeMatrixReadsOnlyWhatIsShown();

private:
    [[nodiscard]] const MatricesSource &source() const { return std::get<MatricesSource>(m_document->session().source); }
    [[nodiscard]] Matrix q(int head = 0) const { return source().heads[static_cast<std::size_t>(head)].q.toMatrix(); }
    [[nodiscard]] MatrixSection *section(const char *name) const
    {
        return control<MatrixSection>(*m_panel, qPrintable(QStringLiteral("section ") + QLatin1String(name)));
    }
    void choose(const char *table, const QString &action) const;
    void typeInto(const char *table, int row, int col, const QString &text) const;

    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<InputPanel> m_panel;
};

void MatricesTabTest::init()
{
    m_document = std::make_unique<Document>();
    m_document->reset(workedExample());
    m_selection = std::make_unique<Selection>();
    m_panel = std::make_unique<InputPanel>(*m_document, *m_selection);
    m_panel->resize(320, 900);
    m_panel->show();
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
}

void MatricesTabTest::cleanup()
{
    m_panel.reset();
    m_selection.reset();
    m_document.reset();
}

void MatricesTabTest::choose(const char *table, const QString &action) const
{
    for (QAction *found : section(table)->findChildren<QAction *>()) {
        if (found->text().section(QLatin1Char('\t'), 0, 0) == action) {
            found->trigger();
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("No action ") + action));
}

void MatricesTabTest::typeInto(const char *table, int row, int col, const QString &text) const
{
    MatrixView *view = section(table)->view();
    view->setFocus();
    view->goTo(row, col);
    view->edit(view->currentIndex());
    auto *editor = view->viewport()->findChild<QLineEdit *>();
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    // The closed editor must be gone before another is looked for.
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void MatricesTabTest::typedCellChangesTheWeights()
{
    const auto before = m_document->result();
    typeInto("Q", 0, 0, "2.5");
    QCOMPARE(q()(0, 0), 2.5);
    QVERIFY(m_document->result() != before);
    QCOMPARE(m_document->undoStack()->count(), 1);
}

void MatricesTabTest::enterGoesDownAndTabRight()
{
    typeInto("Q", 0, 1, "7");
    QCOMPARE(section("Q")->view()->currentIndex().row(), 1);
    QCOMPARE(section("Q")->view()->currentIndex().column(), 1);
    QTest::keyClick(section("Q")->view(), Qt::Key_Tab);
    QCOMPARE(section("Q")->view()->currentIndex().column(), 2);
}

void MatricesTabTest::wordsForNanAndInfinityAreNumbers()
{
    typeInto("Q", 0, 0, "nan");
    typeInto("Q", 1, 0, "-inf");
    typeInto("Q", 2, 0, "0,5");
    QVERIFY(std::isnan(q()(0, 0)));
    QCOMPARE(q()(1, 0), -std::numeric_limits<double>::infinity());
    QCOMPARE(q()(2, 0), 0.5);
}

void MatricesTabTest::badCellKeepsItsValueAndIsExplained()
{
    typeInto("K", 1, 1, "one");
    QCOMPARE(source().heads[0].k.at(1, 1), 1.0);
    QCOMPARE(section("K")->problem(), QStringLiteral("‘one’ is not a number. Row 1, column 1 keeps 1; NaN and inf are numbers here."));
    QCOMPARE(m_document->undoStack()->count(), 0);
    typeInto("K", 1, 1, "3");
    QVERIFY(section("K")->problem().isEmpty());
}

void MatricesTabTest::undoBringsCellsBack()
{
    typeInto("Q", 2, 3, "9");
    m_document->undoStack()->undo();
    QCOMPARE(section("Q")->view()->model()->index(2, 3).data().toString(), QStringLiteral("0"));
    QVERIFY(m_document->undoStack()->canRedo());
}

void MatricesTabTest::pasteAtTheEdgeMakesTheMatrixLarger()
{
    QGuiApplication::clipboard()->setText("5\t6\n7\t8");
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(2, 3);
    QTest::keySequence(view, QKeySequence::Paste);
    QCOMPARE(q().rows(), 4);
    QCOMPARE(q().cols(), 5);
    QCOMPARE(q()(2, 3), 5.0);
    QCOMPARE(q()(3, 4), 8.0);
    QCOMPARE(q()(3, 0), 0.0);
}

void MatricesTabTest::pasteButtonReplacesTheMatrix()
{
    QGuiApplication::clipboard()->setText("np.array([[1.5, 2], [3, 4]])");
    control<LinkButton>(*section("V"), "paste")->click();
    QVERIFY((source().heads[0].v.toMatrix().array() == rowsOf({ { 1.5, 2 }, { 3, 4 } }).array()).all());
    // Two values for three keys: said at V.
    QVERIFY(section("V")->problem().contains("V has 2 rows"));
}

void MatricesTabTest::threeDimensionalPrintBecomesHeads()
{
    QGuiApplication::clipboard()->setText("[[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]]]");
    control<LinkButton>(*section("Q"), "paste")->click();
    QCOMPARE(source().heads.size(), std::size_t{ 2 });
    QCOMPARE(q(0)(0, 0), 1.0);
    QCOMPARE(q(1)(0, 0), 2.0);
    QVERIFY(!m_document->problem());
    QCOMPARE(headCount(m_document->block(), m_document->session().mechanism), 2);
}

void MatricesTabTest::badPasteIsExplainedUnderTheTable()
{
    QGuiApplication::clipboard()->setText("1 2\n3");
    control<LinkButton>(*section("Q"), "paste")->click();
    QVERIFY(!section("Q")->problem().isEmpty());
    QCOMPARE(m_document->undoStack()->count(), 0);
}

void MatricesTabTest::copiedCellsKeepEveryDigit()
{
    typeInto("Q", 0, 0, "0.7071067811865475");
    MatrixView *view = section("Q")->view();
    view->selectionModel()->select(
        QItemSelection(view->model()->index(0, 0), view->model()->index(1, 1)), QItemSelectionModel::ClearAndSelect);
    QTest::keySequence(view, QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("0.7071067811865475\t0\n0\t1\n"));
    QCOMPARE(view->model()->index(0, 0).data().toString(), QStringLiteral("0.7071"));
}

void MatricesTabTest::cutAndDeleteSetZero()
{
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(2, 0);
    QTest::keySequence(view, QKeySequence::Cut);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("1\n"));
    QCOMPARE(q()(2, 0), 0.0);
    view->goTo(2, 1);
    QTest::keyClick(view, Qt::Key_Delete);
    QCOMPARE(q()(2, 1), 0.0);
    QCOMPARE(q()(0, 0), 1.0);
}

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

void MatricesTabTest::fillsAreWhatTheySay()
{
    choose("Q", "Identity");
    QVERIFY((q().array() == rowsOf({ { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } }).array()).all());
    choose("V", "One-hot rows");
    QVERIFY((source().heads[0].v.toMatrix().array() == rowsOf({ { 1, 0 }, { 0, 1 }, { 1, 0 } }).array()).all());
    choose("K", "Zeros");
    QVERIFY((source().heads[0].k.toMatrix().array() == 0.0).all());
}

void MatricesTabTest::normalFillIsNewEachTime()
{
    choose("Q", "Normal random numbers");
    const Matrix first = q();
    choose("Q", "Normal random numbers");
    QVERIFY((first.array() != q().array()).all());
    QCOMPARE(q().rows(), 3);
    QCOMPARE(q().cols(), 4);
}

void MatricesTabTest::valuesCanBeRemovedAndAdded()
{
    choose("V", "Remove V");
    QVERIFY(source().heads[0].v.isEmpty());
    QVERIFY(!m_document->block().hasValues());
    QVERIFY(!section("V")->isVisible());
    auto *addRow = rowOf(control<LinkButton>(*m_panel, "add V"));
    QCOMPARE(addRow->note(), QStringLiteral("Without V there are no weights × ‖V‖ and no output."));
    QVERIFY(clickLink(m_panel.get(), "Add V"));
    QVERIFY(m_document->block().hasValues());
    QCOMPARE(source().heads[0].v.rows(), 3);
    QVERIFY(addRow->note().isEmpty());
}

void MatricesTabTest::addedTableIsInViewAndTakesTheKeys()
{
    m_panel->resize(320, 300);
    QTest::keyClick(control<QComboBox>(*m_panel, "form"), Qt::Key_Down);
    QVERIFY(clickLink(m_panel.get(), "Add Y"));
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
    m_panel->addHead();
    QCOMPARE(source().heads.size(), std::size_t{ 2 });
    QCOMPARE(m_document->head().head, 1);
    auto *head = control<QComboBox>(*m_panel, "head");
    QVERIFY(head->isVisible());
    QCOMPARE(head->currentIndex(), 1);
    typeInto("Q", 0, 0, "4");
    QCOMPARE(q(0)(0, 0), 1.0);
    QCOMPARE(q(1)(0, 0), 4.0);
    QTest::keyClick(head, Qt::Key_Up);
    QCOMPARE(m_document->head().head, 0);
    QCOMPARE(section("Q")->view()->model()->index(0, 0).data().toString(), QStringLiteral("1"));
    control<LinkButton>(*m_panel, "removeHead")->click();
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
    QCOMPARE(rowOf(control<QComboBox>(*m_panel, "head"))->note(), QStringLiteral("Uses K and V of head 2"));
}

void MatricesTabTest::embeddingGivesTheSameScoresAtFirst()
{
    Session afterTokens = m_document->session();
    afterTokens.mechanism.heads = 4;
    m_document->reset(afterTokens);
    auto *form = control<QComboBox>(*m_panel, "form");
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
    QTest::keyClick(control<QComboBox>(*m_panel, "form"), Qt::Key_Down);
    QVERIFY(clickLink(m_panel.get(), "Add biases"));
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
    control<QTabBar>(*m_panel, "inputTabs")->setCurrentIndex(1);
    control<LinkButton>(*m_panel, "beginInput")->click();
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
    control<QTabBar>(*m_panel, "inputTabs")->setCurrentIndex(1);
    QVERIFY(!section("Q")->isVisible());
    control<LinkButton>(*m_panel, "beginLast")->click();
    QCOMPARE(q()(0, 0), 8.0);
}

void MatricesTabTest::visitedRowIsPicked()
{
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(1, 0);
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ .row = 2, .col = -1 }));
    MatrixView *values = section("V")->view();
    values->setFocus();
    values->goTo(0, 0);
    QTest::keyClick(values, Qt::Key_Down);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ .row = 2, .col = 1 }));
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

void MatricesTabTest::tabLeavesTheTableAtItsEnd()
{
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(2, 3);
    QTest::keyClick(view, Qt::Key_Tab);
    QVERIFY(!view->hasFocus());
}

void MatricesTabTest::problemIsScrolledIntoView()
{
    // K ends below the edge of so low a dock.
    m_panel->resize(320, 260);
    MatrixView *view = section("K")->view();
    view->setFocus();
    view->goTo(0, 3);
    choose("K", "Remove columns");
    QVERIFY(!section("K")->problem().isEmpty());
    const auto *note = section("K")->findChild<ProblemNote *>();
    const auto isInView = [&](const QWidget *widget) { return widget->visibleRegion().boundingRect().height() == widget->height(); };
    QTRY_VERIFY(isInView(note));
    QVERIFY(view->hasFocus());
    // The links too, and they stay while something else is edited.
    for (const LinkButton *link : note->findChildren<LinkButton *>())
        QVERIFY(link->isHidden() || isInView(link));
    typeInto("K", 0, 0, "5");
    QTest::qWait(20);
    QVERIFY(isInView(note));
}

void MatricesTabTest::problemFarAwayLeavesTheEditedCellInPlaceOnceItIsKnown()
{
    m_panel->resize(320, 260);
    section("K")->view()->goTo(0, 3);
    choose("K", "Remove columns");
    const auto *note = section("K")->findChild<ProblemNote *>();
    QTRY_VERIFY(!note->visibleRegion().isEmpty());
    typeInto("Q", 0, 0, "5");
    QCoreApplication::processEvents();
    QTest::qWait(20);
    MatrixView *view = section("Q")->view();
    const QRect cell = view->visualRect(view->model()->index(0, 0));
    QVERIFY2(view->viewport()->visibleRegion().contains(cell.center()), "the table that is typed into must not jump away");
}

void MatricesTabTest::keyboardBringsTheCellIntoView()
{
    m_panel->resize(320, 200);
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(0, 0);
    for (int step = 0; step < 2; ++step)
        QTest::keyClick(view, Qt::Key_Down);
    const auto isInView = [](const MatrixView *table) {
        const QRect cell = table->visualRect(table->currentIndex());
        return table->viewport()->visibleRegion().intersected(cell).boundingRect() == cell;
    };
    QVERIFY(isInView(view));
    QVERIFY(isInView(view));
    MatrixView *last = section("V")->view();
    last->setFocus();
    last->goTo(2, 1);
    QVERIFY(isInView(last));
}

void MatricesTabTest::newMatricesBeginInTheFirstCell()
{
    m_document->reset(exampleSentence());
    control<QTabBar>(*m_panel, "inputTabs")->setCurrentIndex(1);
    control<LinkButton>(*m_panel, "beginEmpty")->click();
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
    control<QComboBox>(*m_panel, "form")->setFocus();
    QTest::keyClick(control<QComboBox>(*m_panel, "form"), Qt::Key_Down);
    Session session = m_document->session();
    session.mechanism = withCausalMask(session.mechanism, true);
    m_document->edit(session, "causal mask");
    control<LinkButton>(*m_panel, "add Y")->click();
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

void MatricesTabTest::largeMatrixReadsOnlyWhatIsShown()
{
    Session session = m_document->session();
    auto &matrices = std::get<MatricesSource>(session.source);
    matrices.heads[0].q = SharedMatrix(Matrix(Matrix::Ones(2000, 300)));
    matrices.queryTokens.clear();
    m_document->edit(session, "paste");
    // d_k differs, so nothing is computed: only the table has to cope.
    MatrixView *view = section("Q")->view();
    QCOMPARE(view->model()->rowCount(), 2000);
    QVERIFY(view->height() < 500);
    view->goTo(1999, 299);
    QVERIFY(view->visualRect(view->currentIndex()).isValid());
}

QTEST_MAIN(MatricesTabTest)
#include "tst_matrices_tab.moc"
