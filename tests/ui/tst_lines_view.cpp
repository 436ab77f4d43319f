// SPDX-License-Identifier: GPL-3.0-or-later
// LinesView: what mouse and keys do through the Selection, and what the view says.
#include "views/filter_controls.h"
#include "views/lines/lines_canvas.h"
#include "views/lines/lines_view.h"
#include "views/work_row.h"

#include "support/painted.h"
#include "support/recorded_session.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QScrollBar>
#include <QSlider>
#include <QTest>
#include <QToolButton>

using namespace attenscope;

namespace {

struct Shown {
    Document document;
    Selection selection;
    std::unique_ptr<LinesView> view;
    LinesCanvas *canvas = nullptr;
    bool isShown = false;

    explicit Shown(const Session &session)
    {
        document.reset(session);
        view = std::make_unique<LinesView>(document, selection);
        view->setFont(pictureFont());
        view->resize(760, 560);
        view->show();
        canvas = view->findChild<LinesCanvas *>();
        isShown = QTest::qWaitForWindowExposed(view.get());
    }

    [[nodiscard]] QPoint at(QPointF onRows) const
    {
        return (onRows
            + QPointF(-canvas->horizontalScrollBar()->value(), canvas->scene().layout.headHeight - canvas->verticalScrollBar()->value()))
            .toPoint();
    }
    [[nodiscard]] QPoint query(Index token) const { return at(canvas->scene().layout.query(token).center()); }
    [[nodiscard]] QPoint key(Index token) const { return at(canvas->scene().layout.key(token).center()); }
    [[nodiscard]] QPoint weight(Index token) const { return at(canvas->scene().layout.number(TokenSide::Keys, token, 0).center()); }
    void click(const QPoint &point, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, modifiers, point);
    }
    [[nodiscard]] QStringList said() const
    {
        QStringList texts;
        for (const QLabel *label : view->findChildren<QLabel *>())
            texts.push_back(label->text());
        return texts;
    }
};

const Matrix small{ { 1.0, 0.0, 0.0 }, { 0.6, 0.4, 0.0 }, { 0.5, 0.3, 0.2 } };

} // namespace

class TestLinesView : public QObject {
    Q_OBJECT

private slots:
    void weightsOfTheExampleFitBesideAWideRightDock()
    {
        const Shown shown(exampleSentence());
        shown.view->resize(520, 700);
        QVERIFY(!shown.canvas->scene().content.heads.empty());
        QCOMPARE(shown.canvas->horizontalScrollBar()->maximum(), 0);
        shown.view->resize(300, 700); // Less than names and weights need.
        QVERIFY(shown.canvas->horizontalScrollBar()->maximum() > 0);
    }

    void aNarrowBarGivesUpTheSliderButNotTheWords()
    {
        Document document;
        FilterControls controls(document);
        controls.resize(500, 32);
        controls.show();
        const auto *label = controls.findChild<QLabel *>();
        const auto *slider = controls.findChild<QSlider *>();
        const auto *field = controls.findChild<QDoubleSpinBox *>();
        const auto *top = controls.findChild<QToolButton *>();
        QVERIFY(label->isVisible() && slider->isVisible());
        const int least = controls.minimumSizeHint().width();
        controls.resize(least + 8 + 80, 32);
        QVERIFY(label->isVisible() && slider->isVisible());
        controls.resize(least + 8 + 80 - 1, 32);
        QVERIFY(label->isVisible() && !slider->isVisible());
        controls.resize(least, 32);
        QVERIFY(label->isVisible() && label->width() >= label->sizeHint().width());
        QVERIFY(field->width() >= field->sizeHint().width() && top->width() >= top->sizeHint().width());
    }

    void clicksPickTokensOnEitherSide()
    {
        const Shown shown(exampleSentence());
        QVERIFY(shown.isShown);
        const Selection &selection = shown.selection;
        shown.click(shown.query(4));
        QVERIFY(selection.picked() == (CellRef{ 4, -1 }));
        shown.click(shown.query(6), Qt::ControlModifier);
        QCOMPARE(selection.pickedRows(), (std::vector<Index>{ 4, 6 }));
        QCOMPARE(shown.canvas->scene().ends.lit.tokens, (std::vector<Index>{ 4, 6 }));
        shown.click(shown.key(3));
        QVERIFY(selection.picked() == (CellRef{ -1, 3 }));
        QVERIFY(shown.canvas->scene().ends.lit.side == TokenSide::Keys);
        shown.click(shown.key(3));
        QVERIFY(!selection.picked());
        // The weight at the end of a picked query's line is a cell.
        shown.click(shown.query(7));
        shown.click(shown.weight(1));
        QVERIFY(selection.picked() == (CellRef{ 7, 1 }));
    }

    void hoverIsSharedAndThePickComesBack()
    {
        Shown shown(exampleSentence());
        shown.selection.setPicked(CellRef{ 5, -1 });
        QTest::mouseMove(shown.canvas->viewport(), shown.query(2));
        QVERIFY(shown.selection.hovered() == (CellRef{ 2, -1 }));
        QCOMPARE(shown.canvas->scene().ends.lit.tokens, (std::vector<Index>{ 2 }));
        QTest::mouseMove(shown.canvas->viewport(), shown.key(1));
        QVERIFY(shown.selection.hovered() == (CellRef{ -1, 1 }));
        QTest::mouseMove(shown.canvas->viewport(), shown.weight(0));
        QVERIFY(shown.selection.hovered() == (CellRef{ 5, 0 }));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(shown.canvas->viewport(), &leave);
        QVERIFY(!shown.selection.hovered());
        QCOMPARE(shown.canvas->scene().ends.lit.tokens, (std::vector<Index>{ 5 }));
        // And from other views.
        shown.selection.setHovered(CellRef{ 9, 3 });
        QCOMPARE(shown.canvas->scene().ends.lit.tokens, (std::vector<Index>{ 9 }));
        QVERIFY(shown.canvas->scene().markedKey == Index(3));
    }

    void keysMoveThePick()
    {
        Shown shown(exampleSentence());
        const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(shown.canvas, key, modifiers); };
        shown.selection.setPicked(CellRef{ 2, -1 });
        press(Qt::Key_Down);
        QVERIFY(shown.selection.picked() == (CellRef{ 3, -1 }));
        press(Qt::Key_Right);
        QVERIFY(shown.selection.picked() == (CellRef{ 3, 0 }));
        press(Qt::Key_End);
        QVERIFY(shown.selection.picked() == (CellRef{ 3, 3 })); // Causal.
        press(Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(shown.selection.picked() == (CellRef{ 9, 3 }));
        press(Qt::Key_Home, Qt::ControlModifier);
        QVERIFY(shown.selection.picked() == (CellRef{ 0, 3 }));
        press(Qt::Key_Escape);
        QVERIFY(!shown.selection.picked());
        shown.selection.setPicked(CellRef{ -1, 4 });
        press(Qt::Key_Up);
        QVERIFY(shown.selection.picked() == (CellRef{ -1, 3 }));
    }

    void whatIsHiddenIsSaid()
    {
        Session session = recordedSession(1, { small });
        session.view.filter.threshold = 0.35;
        Shown shown(session);
        shown.selection.setPicked(CellRef{ 2, -1 });
        QVERIFY(shown.said().contains(QStringLiteral("Row 2: 2 lines hidden, 50.00 % of the weight. Whole head: 16.67 %.")));
        shown.selection.setPicked(CellRef{ -1, 1 });
        QVERIFY(shown.said().contains(QStringLiteral("Key 1: 1 line hidden, 42.86 % of the weight. Whole head: 16.67 %.")));
    }

    void untrainedHeadsAreNamed()
    {
        const Shown shown(exampleSentence());
        QVERIFY(shown.said().contains(QStringLiteral("untrained, random weights")));
    }

    void linesSayThatTheyAreComputed()
    {
        Matrix weights = Matrix::Constant(300, 300, 1.0 / 300.0);
        Shown shown(recordedSession(1, { weights }));
        QTRY_COMPARE(shown.canvas->scene().content.rows(), Index{ 300 });
        const auto rows = shown.view->findChildren<WorkRow *>();
        const auto says = [&](const QString &words) {
            return std::any_of(rows.begin(), rows.end(), [&](const WorkRow *row) { return row->findChild<QLabel *>()->text() == words; });
        };
        QVERIFY(says(QStringLiteral("Computing the lines of 300 rows…")));
        QTRY_VERIFY(shown.canvas->isUpToDate());
        QVERIFY(std::none_of(rows.begin(), rows.end(), [](const WorkRow *row) { return row->isVisible(); }));
    }

    void pickElsewhereIsScrolledTo()
    {
        Shown shown(recordedSession(1, { Matrix::Identity(600, 600) }));
        QTRY_COMPARE(shown.canvas->scene().content.rows(), Index{ 600 });
        const LinesLayout &layout = shown.canvas->scene().layout;
        const auto isSeen = [&](TokenSide side, Index token) {
            const double y = layout.middle(side, token) - shown.canvas->verticalScrollBar()->value();
            return y > 0.0 && y < shown.canvas->viewport()->height() - layout.headHeight;
        };
        QVERIFY(!isSeen(TokenSide::Queries, 400));
        shown.selection.setPicked(CellRef{ 400, 20 });
        QVERIFY(isSeen(TokenSide::Queries, 400));
        // Once: who scrolls on stays there.
        shown.canvas->verticalScrollBar()->setValue(0);
        shown.selection.setHovered(CellRef{ 400, 21 });
        QCOMPARE(shown.canvas->verticalScrollBar()->value(), 0);
        // A key alone.
        shown.selection.setPicked(CellRef{ -1, 500 });
        QVERIFY(isSeen(TokenSide::Keys, 500));
        // And what was picked while other views were seen.
        shown.view->hide();
        shown.selection.setPicked(CellRef{ 100, 100 });
        shown.view->show();
        QVERIFY(isSeen(TokenSide::Queries, 100));
    }

    void longInputsScrollToThePick()
    {
        Matrix weights = Matrix::Zero(600, 600);
        for (Index row = 0; row < 600; ++row)
            weights(row, row / 2) = 1.0;
        Shown shown(recordedSession(1, { weights }));
        QTRY_VERIFY(shown.document.isCurrent());
        QTRY_VERIFY(shown.canvas->isUpToDate());
        shown.selection.setPicked(CellRef{ 398, -1 });
        QTest::keyClick(shown.canvas, Qt::Key_Down);
        const LinesLayout &layout = shown.canvas->scene().layout;
        const double y = layout.middle(TokenSide::Queries, 399) - shown.canvas->verticalScrollBar()->value();
        QVERIFY(y > 0.0 && y < shown.canvas->viewport()->height() - layout.headHeight);
        // The lit line leaves the page upwards.
        QTRY_VERIFY(shown.canvas->isUpToDate());
        const QImage picture = shown.canvas->viewport()->grab().toImage();
        const QPoint start = shown.at(QPointF(layout.leftDot + 12.0,
            layout.middle(TokenSide::Queries, 399) - 12.0 * 200.0 * layout.rowHeight / (layout.rightDot - layout.leftDot)));
        QCOMPARE(picture.pixelColor(start), Theme::light().accent);
    }
};

QTEST_MAIN(TestLinesView)
#include "tst_lines_view.moc"
