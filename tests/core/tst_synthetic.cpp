// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up queries and keys: always the same, and with the structure that was asked for.
#include "core/synthetic.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace attenscope;

namespace {

using Numbers = std::vector<double>;

Numbers queryOf(const SyntheticHead &head, Index row, Index width)
{
    Numbers numbers(static_cast<std::size_t>(width));
    head.query(row, numbers);
    return numbers;
}

Numbers keyOf(const SyntheticHead &head, Index row, Index width)
{
    Numbers numbers(static_cast<std::size_t>(width));
    head.key(row, numbers);
    return numbers;
}

double score(const Numbers &query, const Numbers &key)
{
    double sum = 0.0;
    for (std::size_t dim = 0; dim < query.size(); ++dim)
        sum += query[dim] * key[dim];
    return sum / std::sqrt(static_cast<double>(query.size()));
}

/// Softmax of one row of scores, in the plainest way.
Numbers weightsOf(const SyntheticHead &head, const SyntheticShape &shape, Index row, Index visible)
{
    Numbers weights;
    double sum = 0.0;
    const Numbers query = queryOf(head, row, shape.width);
    for (Index key = 0; key < visible; ++key) {
        weights.push_back(std::exp(score(query, keyOf(head, key, shape.width))));
        sum += weights.back();
    }
    for (double &weight : weights)
        weight /= sum;
    return weights;
}

} // namespace

class TestSynthetic : public QObject {
    Q_OBJECT

private slots:
    void rowsDoNotDependOnTheirOrder()
    {
        SyntheticShape shape;
        shape.blocks = 4;
        shape.hasDiagonals = true;
        const SyntheticHead first(shape, 0);
        const SyntheticHead second(shape, 0);
        const Numbers late = queryOf(first, 900, 64);
        static_cast<void>(queryOf(second, 3, 64));
        QCOMPARE(queryOf(second, 900, 64), late);
        QVERIFY(queryOf(second, 901, 64) != late);
        QVERIFY(queryOf(SyntheticHead(shape, 1), 900, 64) != late);
        shape.seed = 2;
        QVERIFY(queryOf(SyntheticHead(shape, 0), 900, 64) != late);
    }

    void plainNumbersAreNormal()
    {
        const SyntheticHead head(SyntheticShape{}, 0);
        double sum = 0.0;
        double squares = 0.0;
        for (Index row = 0; row < 1024; ++row) {
            for (const double number : queryOf(head, row, 64)) {
                sum += number;
                squares += number * number;
            }
        }
        // 65,536 numbers: deviations of the mean 0.004, of the square's mean 0.0055.
        QVERIFY(std::abs(sum / 65536) < 0.02);
        QVERIFY(std::abs(squares / 65536 - 1.0) < 0.03);
    }

    void needlesAreSeenByACausalMaskAndApart_data()
    {
        QTest::addColumn<int>("queries");
        QTest::addColumn<int>("keys");
        QTest::newRow("square") << 1000 << 1000;
        QTest::newRow("more keys") << 400 << 1000;
        QTest::newRow("more queries") << 1000 << 400;
    }
    void needlesAreSeenByACausalMaskAndApart()
    {
        QFETCH(int, queries);
        QFETCH(int, keys);
        SyntheticShape shape{ .queries = queries, .keys = keys, .sinks = 5, .needles = 40 };
        const SyntheticHead head(shape, 0);
        QCOMPARE(head.needles().size(), std::size_t{ 40 });
        std::set<Index> cols;
        Index before = -1;
        for (const Needle &needle : head.needles()) {
            QVERIFY(needle.row > before && needle.row < queries);
            before = needle.row;
            QVERIFY(needle.col >= 5 && needle.col < keys);
            QVERIFY(needle.col < needle.row + std::max(0, keys - queries));
            QVERIFY(cols.insert(needle.col).second);
        }
    }

    void aShapeTooSmallForNeedlesHasFewer()
    {
        const SyntheticHead head({ .queries = 4, .keys = 2, .sinks = 2, .needles = 1 }, 0);
        QVERIFY(head.needles().empty());
    }

    // Needles alone: scores of other keys have deviation √(1/16 + gain / 4√d) < 0.82, so that their powers sum up to about
    // n e^(0.82² / 2) = 1.4 n, against n e^12 = 162,755 n of the needle, or e^9 n where its own noise is as low as −3: 0.9998.
    void aNeedleHoldsNearlyAllWeightOfItsRow()
    {
        SyntheticShape shape{ .queries = 1024, .keys = 1024, .needles = 6 };
        const SyntheticHead head(shape, 0);
        for (const Needle &needle : head.needles()) {
            const Numbers weights = weightsOf(head, shape, needle.row, shape.keys);
            QVERIFY(weights[static_cast<std::size_t>(needle.col)] > 0.999);
        }
    }

    // With all of it two diagonals and two sinks have n each, and directions that are not quite orthogonal widen the noise to a deviation of about 2: 16 n against n e^8.
    void aNeedleHoldsMostWeightAmongOtherStructure()
    {
        SyntheticShape shape{ .queries = 4096, .keys = 4096, .blocks = 8, .hasDiagonals = true, .sinks = 2, .needles = 6 };
        const SyntheticHead head(shape, 0);
        for (const Needle &needle : head.needles()) {
            const Numbers weights = weightsOf(head, shape, needle.row, shape.keys);
            QVERIFY(weights[static_cast<std::size_t>(needle.col)] > 0.9);
        }
    }

    void sinksAndDiagonalsAreHigherByTheLogarithmOfTheKeys()
    {
        SyntheticShape shape{ .queries = 1024, .keys = 1024, .hasDiagonals = true, .sinks = 1 };
        const SyntheticHead head(shape, 0);
        double own = 0.0;
        double before = 0.0;
        double sink = 0.0;
        double other = 0.0;
        constexpr Index count = 200;
        for (Index row = 500; row < 500 + count; ++row) {
            const Numbers query = queryOf(head, row, 64);
            own += score(query, keyOf(head, row, 64)) / count;
            before += score(query, keyOf(head, row - 256, 64)) / count;
            sink += score(query, keyOf(head, 0, 64)) / count;
            other += score(query, keyOf(head, 100, 64)) / count;
        }
        // Directions in 64 dimensions are not quite orthogonal: within a third of ln 1024 = 6.93.
        const double gain = std::log(1024.0);
        QVERIFY(std::abs(own - other - gain) < gain / 3);
        QVERIFY(std::abs(before - other - gain) < gain / 3);
        QVERIFY(std::abs(sink - other - gain) < gain / 3);
    }

    void blocksAreHigherByThree()
    {
        SyntheticShape shape{ .queries = 1024, .keys = 1024, .blocks = 4 };
        const SyntheticHead head(shape, 0);
        double inside = 0.0;
        double outside = 0.0;
        constexpr Index count = 200;
        for (Index place = 0; place < count; ++place) {
            const Numbers query = queryOf(head, 256 + place, 64);
            inside += score(query, keyOf(head, 511 - place, 64)) / count;
            outside += score(query, keyOf(head, 512 + place, 64)) / count;
        }
        QVERIFY(std::abs(inside - 3.0) < 0.5);
        QVERIFY(std::abs(outside) < 1.5);
    }
};

QTEST_APPLESS_MAIN(TestSynthetic)
#include "tst_synthetic.moc"
