// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of typed matrices: typed, pasted, copied and filled, by keyboard, and kept in view.
#include "matrices_fixture.h"

#include <QClipboard>

#include <cmath>
#include <limits>

using namespace attenscope;
using namespace attenscope::test;

class MatrixCellsTest : public QObject, protected MatricesFixture {
    Q_OBJECT

private slots:
    void init() { open(workedExample(), { 320, 900 }); }
    void cleanup() { close(); }
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
    void fillsAreWhatTheySay();
    void normalFillIsNewEachTime();
    void visitedRowIsPicked();
    void tabLeavesTheTableAtItsEnd();
    void problemIsScrolledIntoView();
    void problemFarAwayLeavesTheEditedCellInPlaceOnceItIsKnown();
    void keyboardBringsTheCellIntoView();
    void largeMatrixReadsOnlyWhatIsShown();
};

void MatrixCellsTest::typedCellChangesTheWeights()
{
    const auto before = m_document->result();
    typeInto("Q", 0, 0, "2.5");
    QCOMPARE(q()(0, 0), 2.5);
    QVERIFY(m_document->result() != before);
    QCOMPARE(m_document->undoStack()->count(), 1);
}

void MatrixCellsTest::enterGoesDownAndTabRight()
{
    typeInto("Q", 0, 1, "7");
    QCOMPARE(section("Q")->view()->currentIndex().row(), 1);
    QCOMPARE(section("Q")->view()->currentIndex().column(), 1);
    QTest::keyClick(section("Q")->view(), Qt::Key_Tab);
    QCOMPARE(section("Q")->view()->currentIndex().column(), 2);
}

void MatrixCellsTest::wordsForNanAndInfinityAreNumbers()
{
    typeInto("Q", 0, 0, "nan");
    typeInto("Q", 1, 0, "-inf");
    typeInto("Q", 2, 0, "0,5");
    QVERIFY(std::isnan(q()(0, 0)));
    QCOMPARE(q()(1, 0), -std::numeric_limits<double>::infinity());
    QCOMPARE(q()(2, 0), 0.5);
}

void MatrixCellsTest::badCellKeepsItsValueAndIsExplained()
{
    typeInto("K", 1, 1, "one");
    QCOMPARE(source().heads[0].k.at(1, 1), 1.0);
    QCOMPARE(section("K")->problem(), QStringLiteral("‘one’ is not a number. Row 1, column 1 keeps 1; NaN and inf are numbers here."));
    typeInto("K", 1, 1, "-1e400");
    QCOMPARE(source().heads[0].k.at(1, 1), 1.0);
    QCOMPARE(section("K")->problem(),
        QStringLiteral("A number is too large for double precision. Row 1, column 1 keeps 1. The largest is 1.8e308; write inf for an "
                       "infinite one."));
    QCOMPARE(m_document->undoStack()->count(), 0);
    typeInto("K", 1, 1, "3");
    QVERIFY(section("K")->problem().isEmpty());
}

void MatrixCellsTest::undoBringsCellsBack()
{
    typeInto("Q", 2, 3, "9");
    m_document->undoStack()->undo();
    QCOMPARE(section("Q")->view()->model()->index(2, 3).data().toString(), QStringLiteral("0"));
    QVERIFY(m_document->undoStack()->canRedo());
}

void MatrixCellsTest::pasteAtTheEdgeMakesTheMatrixLarger()
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

void MatrixCellsTest::pasteButtonReplacesTheMatrix()
{
    QGuiApplication::clipboard()->setText("np.array([[1.5, 2], [3, 4]])");
    control<LinkButton>(*section("V"), "paste")->click();
    QVERIFY((source().heads[0].v.toMatrix().array() == rowsOf({ { 1.5, 2 }, { 3, 4 } }).array()).all());
    // Two values for three keys: said at V.
    QVERIFY(section("V")->problem().contains("V has 2 rows"));
}

void MatrixCellsTest::threeDimensionalPrintBecomesHeads()
{
    QGuiApplication::clipboard()->setText("[[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]]]");
    control<LinkButton>(*section("Q"), "paste")->click();
    QCOMPARE(source().heads.size(), std::size_t{ 2 });
    QCOMPARE(q(0)(0, 0), 1.0);
    QCOMPARE(q(1)(0, 0), 2.0);
    QVERIFY(!m_document->problem());
    QCOMPARE(headCount(m_document->block(), m_document->session().mechanism), 2);
}

void MatrixCellsTest::badPasteIsExplainedUnderTheTable()
{
    QGuiApplication::clipboard()->setText("1 2\n3");
    control<LinkButton>(*section("Q"), "paste")->click();
    QVERIFY(!section("Q")->problem().isEmpty());
    QCOMPARE(m_document->undoStack()->count(), 0);
}

void MatrixCellsTest::copiedCellsKeepEveryDigit()
{
    typeInto("Q", 0, 0, "0.7071067811865475");
    MatrixView *view = section("Q")->view();
    view->selectionModel()->select(
        QItemSelection(view->model()->index(0, 0), view->model()->index(1, 1)), QItemSelectionModel::ClearAndSelect);
    QTest::keySequence(view, QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("0.7071067811865475\t0\n0\t1\n"));
    QCOMPARE(view->model()->index(0, 0).data().toString(), QStringLiteral("0.7071"));
}

void MatrixCellsTest::cutAndDeleteSetZero()
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

void MatrixCellsTest::fillsAreWhatTheySay()
{
    choose("Q", "Identity");
    QVERIFY((q().array() == rowsOf({ { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } }).array()).all());
    choose("V", "One-hot rows");
    QVERIFY((source().heads[0].v.toMatrix().array() == rowsOf({ { 1, 0 }, { 0, 1 }, { 1, 0 } }).array()).all());
    choose("K", "Zeros");
    QVERIFY((source().heads[0].k.toMatrix().array() == 0.0).all());
}

void MatrixCellsTest::normalFillIsNewEachTime()
{
    choose("Q", "Normal random numbers");
    const Matrix first = q();
    choose("Q", "Normal random numbers");
    QVERIFY((first.array() != q().array()).all());
    QCOMPARE(q().rows(), 3);
    QCOMPARE(q().cols(), 4);
}

void MatrixCellsTest::visitedRowIsPicked()
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

void MatrixCellsTest::tabLeavesTheTableAtItsEnd()
{
    MatrixView *view = section("Q")->view();
    view->setFocus();
    view->goTo(2, 3);
    QTest::keyClick(view, Qt::Key_Tab);
    QVERIFY(!view->hasFocus());
}

void MatrixCellsTest::problemIsScrolledIntoView()
{
    // K ends below the edge of so low a dock.
    m_widget->resize(320, 260);
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

void MatrixCellsTest::problemFarAwayLeavesTheEditedCellInPlaceOnceItIsKnown()
{
    m_widget->resize(320, 260);
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

void MatrixCellsTest::keyboardBringsTheCellIntoView()
{
    m_widget->resize(320, 200);
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

void MatrixCellsTest::largeMatrixReadsOnlyWhatIsShown()
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

QTEST_MAIN(MatrixCellsTest)
#include "tst_matrix_cells.moc"
