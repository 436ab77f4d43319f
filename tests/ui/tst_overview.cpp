// SPDX-License-Identifier: GPL-3.0-or-later
// The overview of a long map and its list of peaks: what they show, and where mouse and keys lead.
#include "views/overview/overview.h"
#include "views/overview/peak_list.h"

#include "core/random.h"
#include "state/tile_cache.h"
#include "support/recorded_session.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"

#include <QTableWidget>
#include <QTest>

using namespace attenscope;

namespace {

constexpr Index tokens = 1536;
/// Query and key that find each other, far from the diagonal.
constexpr CellRef needle{ 1300, 200 };

/// Q and K of one head: noise, and one needle.
Session longSession(Index count = tokens)
{
    Random random(3);
    Matrix q = random.normalMatrix(count, 8, 0.5);
    Matrix k = random.normalMatrix(count, 8, 0.5);
    q.row(needle.row).setConstant(4.0);
    k.row(needle.col).setConstant(4.0);
    MatricesSource source;
    source.form = MatrixForm::Projected;
    source.heads = { { SharedMatrix(q), SharedMatrix(k), SharedMatrix() } };
    Session session;
    session.source = source;
    return session;
}

struct Shown {
    Document document;
    Selection selection;

    Shown()
    {
        document.reset(longSession());
        isReady = QTest::qWaitFor([this] { return !document.isComputing() && document.result()->find(document.head()); }, 60'000);
    }

    template <typename View>
    [[nodiscard]] std::unique_ptr<View> show(QSize size)
    {
        auto view = std::make_unique<View>(document, selection);
        view->resize(size);
        view->show();
        isShown = isReady && QTest::qWaitForWindowExposed(view.get());
        return view;
    }
    bool isReady = false;
    bool isShown = false;
};

QPoint middleOf(const QRectF &rect)
{
    return rect.center().toPoint();
}

} // namespace

class TestOverview : public QObject {
    Q_OBJECT

private slots:
    void estimateComesBeforeALongMap()
    {
        Document document;
        std::vector<bool> estimates;
        connect(&document, &Document::resultChanged, this, [&] {
            const MapFieldPtr weights = document.weights();
            if (weights && weights->rows() > tokens)
                estimates.push_back(weights->isEstimate(TileCache::topLevel(weights->rows(), weights->cols())));
        });
        document.reset(longSession(3000));
        QVERIFY(QTest::qWaitFor([&] { return !estimates.empty() && !estimates.back(); }, 60'000));
        QVERIFY2(estimates.front(), "the first picture is an estimate");
    }

    void wholeMapIsInTheRectangleAtFirst()
    {
        Shown shown;
        const auto overview = shown.show<Overview>({ 296, 400 });
        QVERIFY(shown.isShown);
        QCOMPARE(overview->visibleRect(), overview->mapRect());
        QCOMPARE(overview->titleNote(), QStringLiteral("1,536 × 1,536 shown"));
    }

    void clickingMovesTheRectangle()
    {
        Shown shown;
        const auto overview = shown.show<Overview>({ 296, 400 });
        shown.selection.setVisible(QRectF(0.0, 0.0, 384.0, 192.0));
        QTest::mouseClick(overview.get(), Qt::LeftButton, {}, middleOf(overview->mapRect()));
        const auto visible = shown.selection.visible();
        QVERIFY(visible);
        QCOMPARE(visible->size(), QSizeF(384.0, 192.0));
        // A pixel is six cells.
        QVERIFY(std::abs(visible->center().x() - 768.0) < 8.0 && std::abs(visible->center().y() - 768.0) < 8.0);
        QCOMPARE(overview->titleNote(), QStringLiteral("192 × 384 shown"));
    }

    void draggingAnEdgeZooms()
    {
        Shown shown;
        const auto overview = shown.show<Overview>({ 296, 400 });
        shown.selection.setVisible(QRectF(384.0, 384.0, 768.0, 768.0));
        const QRectF rect = overview->visibleRect();
        const QPoint edge(qRound(rect.right()), qRound(rect.center().y()));
        QTest::mousePress(overview.get(), Qt::LeftButton, {}, edge);
        QTest::mouseMove(overview.get(), edge - QPoint(qRound(rect.width() / 2.0), 0));
        QTest::mouseRelease(overview.get(), Qt::LeftButton, {}, edge);
        const auto visible = shown.selection.visible();
        QVERIFY(visible);
        QCOMPARE(visible->left(), 384.0);
        QVERIFY(std::abs(visible->width() - 384.0) < 16.0);
        QCOMPARE(visible->height(), 768.0);
    }

    void keysMoveAndZoom()
    {
        Shown shown;
        const auto overview = shown.show<Overview>({ 296, 400 });
        shown.selection.setVisible(QRectF(100.0, 200.0, 400.0, 400.0));
        QTest::keyClick(overview.get(), Qt::Key_Right);
        QCOMPARE(shown.selection.visible().value(), QRectF(200.0, 200.0, 400.0, 400.0));
        QTest::keyClick(overview.get(), Qt::Key_Minus);
        QCOMPARE(shown.selection.visible().value(), QRectF(100.0, 100.0, 600.0, 600.0));
        QTest::keyClick(overview.get(), Qt::Key_0);
        QVERIFY(!shown.selection.visible());
    }

    void hoveringNamesTheCell()
    {
        Shown shown;
        const auto overview = shown.show<Overview>({ 296, 400 });
        QTest::mouseMove(overview.get(), middleOf(overview->mapRect()));
        QVERIFY(shown.selection.hovered());
        QVERIFY(std::abs(shown.selection.hovered()->row - 768) < 8);
    }

    void largestWeightIsListedAndLedTo()
    {
        Shown shown;
        const auto list = shown.show<PeakList>({ 296, 300 });
        QVERIFY(QTest::qWaitFor([&] { return !list->peaks().empty(); }, 60'000));
        const Peak &first = list->peaks().front();
        QCOMPARE(first.row, needle.row);
        QCOMPARE(first.col, needle.col);
        QCOMPARE(first.weight, shown.document.weights()->at(needle.row, needle.col));
        QCOMPARE(shown.selection.listed().size(), list->peaks().size());
        QCOMPARE(shown.selection.listed().front(), needle);
        auto *table = list->findChild<QTableWidget *>();
        QCOMPARE(table->item(0, 0)->text(), QStringLiteral("1,300"));
        QCOMPARE(table->item(0, 1)->text(), QStringLiteral("200"));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(0, 1)).center());
        QCOMPARE(shown.selection.picked().value(), needle);
        const QRectF visible = shown.selection.visible().value();
        QVERIFY(visible.contains(QPointF(200.5, 1300.5)));
        QVERIFY(visible.width() <= 64.0 && visible.height() <= 64.0);
    }

    void overviewSaysWhatTheMapShows()
    {
        Shown shown;
        const auto overview = shown.show<Overview>({ 296, 400 });
        const QRectF square(700.0, 700.0, 64.0, 64.0);
        shown.selection.setVisible(square);
        QCOMPARE(overview->titleNote(), QStringLiteral("64 × 64 shown"));
        // A map that is wider than high has room for more keys.
        const auto map = shown.show<MapView>({ 900, 500 });
        auto *plot = map->findChild<MapPlot *>();
        const auto isTold = [&] { return shown.selection.inView() == std::optional(plot->mapLayout().shown); };
        QTRY_VERIFY(isTold());
        const QRectF seen = plot->mapLayout().shown;
        QVERIFY(seen.width() > 70.0);
        const QString note = QStringLiteral("%1 × %2 shown").arg(std::llround(seen.height())).arg(std::llround(seen.width()));
        QCOMPARE(overview->titleNote(), note);
        // The next move keeps what is seen, and the map shows no other cells then.
        shown.selection.setVisible(seen.translated(10.0, 0.0));
        QVERIFY(isTold());
        QCOMPARE(overview->titleNote(), note);
        // What was asked for is what is said where no map is seen.
        shown.selection.setVisible(square);
        map->hide();
        QCOMPARE(overview->titleNote(), QStringLiteral("64 × 64 shown"));
        map->show();
        QTRY_VERIFY(isTold());
        QCOMPARE(overview->titleNote(), note);
    }

    void smallPeaksKeepTheirSize()
    {
        Document document;
        Matrix weights = Matrix::Zero(1100, 1100);
        weights(800, 300) = 1.5e-6;
        document.reset(recordedSession(1, { weights }));
        QTRY_COMPARE(document.block().keys, Index{ 1100 });
        Selection selection;
        PeakList list(document, selection);
        list.resize(296, 300);
        list.show();
        QTRY_VERIFY(!list.peaks().empty());
        QCOMPARE(list.findChild<QTableWidget *>()->item(0, 2)->text(), QStringLiteral("1.5e−06"));
    }

    void pickOnTheMapIsFollowed()
    {
        Shown shown;
        const auto list = shown.show<PeakList>({ 296, 300 });
        QVERIFY(QTest::qWaitFor([&] { return list->peaks().size() > 2; }, 60'000));
        auto *table = list->findChild<QTableWidget *>();
        QCOMPARE(table->currentRow(), -1);
        shown.selection.setPicked(CellRef{ list->peaks()[2].row, list->peaks()[2].col });
        QCOMPARE(table->currentRow(), 2);
        shown.selection.setPicked(CellRef{ 0, 0 });
        QCOMPARE(table->currentRow(), -1);
    }

    void hiddenListHasNoRings()
    {
        Shown shown;
        const auto list = shown.show<PeakList>({ 296, 300 });
        QVERIFY(QTest::qWaitFor([&] { return !shown.selection.listed().empty(); }, 60'000));
        list->hide();
        QVERIFY(shown.selection.listed().empty());
        list->show();
        QVERIFY(!shown.selection.listed().empty());
    }
};

QTEST_MAIN(TestOverview)
#include "tst_overview.moc"
