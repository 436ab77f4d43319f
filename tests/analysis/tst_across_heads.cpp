// SPDX-License-Identifier: GPL-3.0-or-later
// Heads against each other and layers after each other: divergence, rollout, flow.
#include "analysis/divergence.h"
#include "analysis/layers.h"
#include "core/parallel.h"
#include "core/random.h"
#include "support/field_checks.h"

#include <cmath>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

Matrix randomCapacities(Index n, std::uint64_t seed)
{
    Random random(seed);
    return random.normalMatrix(n, n).cwiseMax(0.0);
}

/// The smallest cut between a position of the last layer and one of the input, over all sets of positions: what the flow must equal.
double smallestCut(const std::vector<Matrix> &layers, Index source, Index sink)
{
    const Index n = layers.front().rows();
    const auto levels = static_cast<Index>(layers.size());
    const auto bit
        = [n](std::uint32_t set, Index level, Index position) { return (set >> static_cast<unsigned>(level * n + position)) & 1U; };
    double smallest = std::numeric_limits<double>::infinity();
    for (std::uint32_t set = 0; set < (1U << static_cast<unsigned>((levels + 1) * n)); ++set) {
        if (!bit(set, levels, source) || bit(set, 0, sink))
            continue;
        double cut = 0.0;
        for (Index level = 0; level < levels; ++level)
            for (Index from = 0; from < n; ++from)
                for (Index to = 0; to < n; ++to)
                    if (bit(set, level + 1, from) && !bit(set, level, to))
                        cut += layers[static_cast<std::size_t>(level)](from, to);
        smallest = std::min(smallest, cut);
    }
    return smallest;
}

std::stop_token stopped()
{
    std::stop_source source;
    source.request_stop();
    return source.get_token();
}

} // namespace

class TestAcrossHeads : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setThreadCount(0); }

    void divergenceByHand();
    void oddRowsDoNotCountInDivergences();
    void divergenceIsTheSameOnAnyNumberOfThreads();
    void residualAttentionByHand();
    void hiddenKeysAndHeadsAreAveraged();
    void rolloutByHand();
    void layersMustBeSquare();
    void flowThroughTwoLayersIsTheSumOfTheNarrowerEdges();
    void flowTakesBackWhatWasSentTheWrongWay();
    void flowIsTheSmallestCut_data();
    void flowIsTheSmallestCut();
    void flowOfSomeRowsIsThatOfTheWhole();
    void rowsAreDividedByTheirSums();
    void stopCancels();
};

void TestAcrossHeads::divergenceByHand()
{
    // Rows: the same, disjoint, half.
    const Matrix a{ { 0.5, 0.5 }, { 1.0, 0.0 }, { 1.0, 0.0 } };
    const Matrix b{ { 0.5, 0.5 }, { 0.0, 1.0 }, { 0.5, 0.5 } };
    const auto divergences = headDivergences({ matrixField(a), matrixField(b) });
    QVERIFY(divergences);
    const double half = -0.75 * std::log(0.75) - 0.25 * std::log(0.25) - 0.5 * std::log(2.0);
    QVERIFY(std::abs(divergences->sum(0, 1) - (std::log(2.0) + half)) < 1e-15);
    QCOMPARE(divergences->sum(1, 0), divergences->sum(0, 1));
    QCOMPARE(divergences->sum(0, 0), 0.0);
    QVERIFY(std::abs(divergences->mean()(0, 1) - divergences->sum(0, 1) / 3.0) < 1e-15);
}

void TestAcrossHeads::oddRowsDoNotCountInDivergences()
{
    const Matrix a{ { maskedCell, maskedCell }, { 1.0, 0.0 }, { 1.0, maskedCell } };
    const Matrix b{ { 0.5, 0.5 }, { notANumber, 1.0 }, { 1.0, 0.0 } };
    const auto divergences = headDivergences({ matrixField(a), matrixField(b) });
    QVERIFY(divergences);
    QCOMPARE(divergences->rows(0, 1), 1.0);
    QCOMPARE(divergences->sum(0, 1), 0.0);
    QCOMPARE(divergences->rows(0, 0), 2.0);
    const auto nothing = headDivergences({ matrixField(a.topRows(1)), matrixField(b.topRows(1)) });
    QVERIFY(nothing);
    QCOMPARE(nothing->mean()(0, 1), 0.0);
}

void TestAcrossHeads::divergenceIsTheSameOnAnyNumberOfThreads()
{
    std::vector<MapFieldPtr> heads;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        heads.push_back(matrixField(rowsNormalized(randomCapacities(33, seed))));
    setThreadCount(1);
    const auto one = headDivergences(heads);
    setThreadCount(3);
    const auto three = headDivergences(heads);
    QVERIFY(one && three);
    QVERIFY(one->sum(0, 4) > 0.0);
    QVERIFY(one->sum == three->sum);
}

void TestAcrossHeads::residualAttentionByHand()
{
    const auto layer = residualAttention({ matrixField(Matrix{ { 1.0, 0.0 }, { 0.5, 0.5 } }) });
    QVERIFY(layer);
    QCOMPARE(*layer, (Matrix{ { 1.0, 0.0 }, { 0.25, 0.75 } }));
    const auto other = residualAttention({ matrixField(Matrix{ { 0.0, 1.0 }, { 0.0, 1.0 } }) }, 0.25);
    QVERIFY(other);
    QCOMPARE(*other, (Matrix{ { 0.25, 0.75 }, { 0.0, 1.0 } }));
}

void TestAcrossHeads::hiddenKeysAndHeadsAreAveraged()
{
    // Row 0 sees nothing in either head: only the residual is left, and the row sums to 1 all the same.
    const Matrix a{ { maskedCell, maskedCell }, { 1.0, maskedCell } };
    const Matrix b{ { maskedCell, maskedCell }, { 0.0, 1.0 } };
    const auto layer = residualAttention({ matrixField(a), matrixField(b) });
    QVERIFY(layer);
    QCOMPARE(*layer, (Matrix{ { 1.0, 0.0 }, { 0.25, 0.75 } }));
}

void TestAcrossHeads::rolloutByHand()
{
    const Matrix layer{ { 1.0, 0.0 }, { 0.25, 0.75 } };
    const auto two = rollout(layer, layer);
    QVERIFY(two);
    QCOMPARE(*two, (Matrix{ { 1.0, 0.0 }, { 0.4375, 0.5625 } }));
    // The upper layer comes first in the product.
    const auto turned = rollout(Matrix{ { 0.0, 1.0 }, { 1.0, 0.0 } }, layer);
    QVERIFY(turned);
    QCOMPARE(*turned, (Matrix{ { 0.25, 0.75 }, { 1.0, 0.0 } }));
}

void TestAcrossHeads::layersMustBeSquare()
{
    const auto layer = residualAttention({ matrixField(Matrix::Ones(2, 3)) });
    QVERIFY(!layer);
    QCOMPARE(layer.error().sentence(),
        std::string(
            "There are not as many queries as keys. The heads are 2 × 3. Choose self-attention: only there a layer leads to the next."));
}

void TestAcrossHeads::flowThroughTwoLayersIsTheSumOfTheNarrowerEdges()
{
    const Matrix below{ { 0.6, 0.4 }, { 0.1, 0.9 } };
    const Matrix above{ { 0.5, 0.5 }, { 0.2, 0.8 } };
    const auto flow = attentionFlow({ below, above }, { 0, 2 });
    QVERIFY(flow);
    // min(0.5, 0.6) + min(0.5, 0.1), and so on.
    QVERIFY(flow->isApprox(Matrix{ { 0.6, 0.9 }, { 0.3, 1.0 } }, 1e-15));
    const auto single = attentionFlow({ below }, { 0, 2 });
    QVERIFY(single);
    QCOMPARE(*single, below);
}

void TestAcrossHeads::flowTakesBackWhatWasSentTheWrongWay()
{
    // From 0 by 0 and 1; 0 leads on to 0 and 1, but 1 only to 0; both lead to input 0. What took the way by 0 to 0 first must make room.
    const Matrix top{ { 1.0, 1.0 }, { 0.0, 0.0 } };
    const Matrix middle{ { 1.0, 1.0 }, { 1.0, 0.0 } };
    const Matrix bottom{ { 1.0, 0.0 }, { 1.0, 0.0 } };
    const auto flow = attentionFlow({ bottom, middle, top }, { 0, 2 });
    QVERIFY(flow);
    QCOMPARE(*flow, (Matrix{ { 2.0, 0.0 }, { 0.0, 0.0 } }));
}

void TestAcrossHeads::flowIsTheSmallestCut_data()
{
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("n");
    QTest::newRow("two layers of four") << 2 << 4;
    QTest::newRow("three layers of three") << 3 << 3;
    QTest::newRow("four layers of two") << 4 << 2;
    QTest::newRow("five layers of two") << 5 << 2;
    QTest::newRow("one position") << 3 << 1;
}

void TestAcrossHeads::flowIsTheSmallestCut()
{
    QFETCH(int, layers);
    QFETCH(int, n);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        std::vector<Matrix> capacities;
        for (int layer = 0; layer < layers; ++layer)
            capacities.push_back(randomCapacities(n, 100 * seed + static_cast<std::uint64_t>(layer)));
        const auto flow = attentionFlow(capacities, { 0, n });
        QVERIFY(flow);
        for (Index source = 0; source < n; ++source)
            for (Index sink = 0; sink < n; ++sink)
                QVERIFY(std::abs((*flow)(source, sink) - smallestCut(capacities, source, sink)) < 1e-12);
    }
}

void TestAcrossHeads::flowOfSomeRowsIsThatOfTheWhole()
{
    const std::vector<Matrix> layers{ randomCapacities(6, 1), randomCapacities(6, 2), randomCapacities(6, 3) };
    const auto all = attentionFlow(layers, { 0, 6 });
    const auto some = attentionFlow(layers, { 2, 4 });
    QVERIFY(all && some);
    QVERIFY(all->middleRows(2, 2) == *some);
    Matrix odd = layers[1];
    odd(0, 0) = notANumber;
    Matrix closed = layers[1];
    closed(0, 0) = 0.0;
    QVERIFY(attentionFlow({ layers[0], odd }, { 0, 6 }).value() == attentionFlow({ layers[0], closed }, { 0, 6 }).value());
}

void TestAcrossHeads::rowsAreDividedByTheirSums()
{
    QCOMPARE(rowsNormalized(Matrix{ { 1.0, 3.0 }, { 0.0, 0.0 } }), (Matrix{ { 0.25, 0.75 }, { 0.0, 0.0 } }));
}

void TestAcrossHeads::stopCancels()
{
    const Run run{ stopped(), {} };
    const Matrix layer = Matrix::Ones(3, 3);
    const auto divergences = headDivergences({ matrixField(layer), matrixField(layer) }, run);
    QVERIFY(!divergences && divergences.error().isCancelled);
    QVERIFY(!residualAttention({ matrixField(layer) }, 0.5, run));
    QVERIFY(!rollout(layer, layer, run));
    const auto flow = attentionFlow({ layer }, { 0, 3 }, run);
    QVERIFY(!flow && flow.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestAcrossHeads)
#include "tst_across_heads.moc"
