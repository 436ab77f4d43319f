// SPDX-License-Identifier: GPL-3.0-or-later
// Long maps that are made of others: an estimate at once, then exact; previews of reduced and of compared maps.
#include "state/document.h"

#include "core/random.h"
#include "state/tile_cache.h"
#include "support/field_checks.h"

#include <QSignalSpy>
#include <QTest>

using namespace attenscope;

namespace {

constexpr Index tokens = 2912;

/// Q and K of two heads.
Session longSession()
{
    Random random(3);
    MatricesSource source;
    source.form = MatrixForm::Projected;
    for (int head = 0; head < 2; ++head)
        source.heads.push_back(
            { SharedMatrix(random.normalMatrix(tokens, 2, 2.0)), SharedMatrix(random.normalMatrix(tokens, 2, 2.0)), SharedMatrix() });
    Session session;
    session.source = source;
    session.mechanism = withCausalMask(session.mechanism, true);
    return session;
}

Session compared(Session session)
{
    session.comparison = withCausalMask(session.mechanism, false);
    return session;
}

bool isEstimate(const MapFieldPtr &field)
{
    return field && field->isEstimate(TileCache::topLevel(field->rows(), field->cols()));
}

/// Every field that @p side has had, in order.
class Watch {
public:
    Watch(Document &document, Side side)
    {
        QObject::connect(&document, &Document::resultChanged, &document, [this, &document, side] {
            const MapFieldPtr field = document.isCurrent() ? document.field(side) : nullptr;
            if (field && (fields.empty() || fields.back() != field))
                fields.push_back(field);
        });
    }
    std::vector<MapFieldPtr> fields;
};

} // namespace

class TestLongComparison : public QObject {
    Q_OBJECT

private slots:
    void differencesAreEstimatedAndThenExact()
    {
        Document document;
        Watch differences(document, Side::Difference);
        document.reset(compared(longSession()));
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing(), 60'000);
        const auto &fields = differences.fields;
        QVERIFY(fields.size() >= 2);
        QVERIFY(isEstimate(fields.front()));
        QVERIFY(!isEstimate(fields.back()));
        QCOMPARE(document.field(Side::Difference), fields.back());
        // As a fold of the exact cells by hand, the first block of four of two places.
        const MapFieldPtr difference = fields.back();
        QCOMPARE(difference->levelAtHand(Fold::MaxMagnitude), std::optional(2));
        MatrixF cell;
        for (const CellRect &block : { CellRect{ { 0, 4 }, { 0, 4 } }, CellRect{ { 2908, 2912 }, { 1500, 1504 } } }) {
            Matrix exact = Matrix::Zero(tokens, block.cols.end);
            for (Index row = block.rows.first; row < block.rows.end; ++row)
                difference->row(row, 0, std::span(exact.data() + row * exact.cols(), static_cast<std::size_t>(exact.cols())));
            QVERIFY(difference->read(block, 2, Fold::MaxMagnitude, cell));
            QVERIFY(isClose(cell(0, 0), foldedByHand(exact, block, Fold::MaxMagnitude), 1e-6));
        }
    }

    void bothSidesHaveAPreviewBeforeTheFirstHead()
    {
        Document document;
        std::vector<bool> isReady;
        connect(&document, &Document::resultChanged, &document, [&] {
            if (document.isCurrent() && document.session().comparison && document.field(Side::Difference))
                isReady.push_back(document.result()->find({}) != nullptr);
        });
        document.reset(compared(longSession()));
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing(), 60'000);
        QVERIFY(!isReady.empty());
        QVERIFY(!isReady.front());
    }

    void meansOfHeadsAreEstimatedAndThenExact()
    {
        Session session = longSession();
        session.view.headsShown = HeadsShown::Mean;
        Document document;
        Watch means(document, Side::Main);
        document.reset(session);
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing(), 60'000);
        QVERIFY(means.fields.size() >= 2);
        QVERIFY(isEstimate(means.fields.front()));
        QVERIFY(!isEstimate(document.field()));
        // The largest of heads needs no second look.
        session.view.headsShown = HeadsShown::Max;
        document.edit(session, {});
        QVERIFY(!document.isComputing());
        QVERIFY(!isEstimate(document.field()));
        QCOMPARE(document.field()->levelAtHand(Fold::Max), std::optional(2));
    }

    void stoppingKeepsTheEstimateUntilItIsResumed()
    {
        Document document;
        document.reset(longSession());
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing(), 60'000);
        // As soon as the reading has begun: it may take no longer than a moment.
        bool isStopped = false;
        connect(&document, &Document::progressChanged, &document, [&] {
            const bool isReading = document.comparisonResult() && document.comparisonResult()->find({}) && document.isComputing();
            if (isReading && !isStopped) {
                isStopped = true;
                document.cancel();
            }
        });
        document.edit(compared(document.session()), {});
        QTRY_VERIFY_WITH_TIMEOUT(isStopped, 60'000);
        QVERIFY(!document.isComputing());
        QCoreApplication::processEvents();
        QVERIFY(!document.isComputing());
        QVERIFY(isEstimate(document.field(Side::Difference)));
        QVERIFY(document.isStopped());
        document.resume();
        QVERIFY(!document.isStopped());
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing(), 60'000);
        QVERIFY(!isEstimate(document.field(Side::Difference)));
    }

    void mapsWithoutATokenHaveAPreview()
    {
        Session session = longSession();
        Document document;
        document.reset(session);
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing(), 60'000);
        Watch maps(document, Side::Main);
        session.view.tokens.leavesOutFirst = true;
        document.edit(session, {});
        QTRY_VERIFY_WITH_TIMEOUT(isEstimate(document.field()), 60'000);
        QCOMPARE(document.field()->rows(), tokens - 1);
        document.cancel();
    }
};

QTEST_GUILESS_MAIN(TestLongComparison)
#include "tst_long_comparison.moc"
