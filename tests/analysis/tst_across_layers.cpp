// SPDX-License-Identifier: GPL-3.0-or-later
// Rollout, flow and divergences of a whole block, computed or recorded, and what they cost.
#include "analysis/across_layers.h"

#include "core/random.h"
#include "support/field_checks.h"
#include "support/problems.h"

#include <algorithm>
#include <cmath>
#include <mutex>

using namespace attenscope;

namespace {

/// Recorded weights, layer by layer, head by head.
LayerStack stackOf(int layers, int heads, const std::vector<Matrix> &weights, const AttentionSpec &spec = {})
{
    AttentionBlock block = recordedBlock(weights.front());
    block.layers = layers;
    block.heads = block.kvHeads = heads;
    RecordedData data;
    for (const Matrix &head : weights)
        data.weights.emplace_back(head);
    block.data = std::move(data);
    AttentionResult result{ std::make_shared<AttentionInput>(AttentionInput{ { block } }), spec, {}, {} };
    return { std::make_shared<AttentionResult>(std::move(result)), 0, 0, layers - 1 };
}

/// Seeded q, k and v of some layers.
LayerStack computedStack(int layers, int heads, Index n, const AttentionSpec &spec)
{
    Random random(7);
    ProjectedData data;
    for (int head = 0; head < layers * heads; ++head) {
        data.q.emplace_back(random.normalMatrix(n, 4));
        data.k.emplace_back(random.normalMatrix(n, 4));
        data.v.emplace_back(random.normalMatrix(n, 4));
    }
    AttentionBlock block;
    block.queries = block.keys = n;
    block.layers = layers;
    block.heads = block.kvHeads = heads;
    block.data = std::move(data);
    AttentionResult result{ std::make_shared<AttentionInput>(AttentionInput{ { block } }), spec, {}, {} };
    return { std::make_shared<AttentionResult>(std::move(result)), 0, 0, layers - 1 };
}

const Matrix identity = Matrix::Identity(3, 3);
const Matrix back{ { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } };
const Matrix first{ { 1.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 } };

} // namespace

class TestAcrossLayers : public QObject {
    Q_OBJECT

private slots:
    void rolloutOfThreeLayersByHand();
    void rolloutStopsAtTheLastLayer();
    void flowOfOneLayerIsThatLayer();
    void rowsOfRolloutSumToOne_data();
    void rowsOfRolloutSumToOne();
    void rowsAreDividedWhateverTheySumTo();
    void rowsThatGoBackToNoNumberAreNan_data();
    void rowsThatGoBackToNoNumberAreNan();
    void readyHeadsGiveTheSameNumbers();
    void headsAreInTheOrderOfLayers();
    void blocksThatLeadNowhereSayWhy();
    void costGrowsWithTheWork();
    void aPartCostsTheWholeRows();
    void stopCancels();
    void rolloutTellsItsRows();
};

void TestAcrossLayers::rolloutTellsItsRows()
{
    // Four rows of the first layer are half of the work; of the second they are read, then multiplied.
    const Matrix layer = Matrix::Constant(4, 4, 0.25);
    std::vector<double> told;
    std::mutex mutex;
    QVERIFY(stackRollout(stackOf(2, 1, { layer, layer }), { {}, [&](double fraction) {
                                                               const std::lock_guard lock(mutex);
                                                               told.push_back(fraction);
                                                           } }));
    std::sort(told.begin(), told.end());
    told.erase(std::unique(told.begin(), told.end()), told.end());
    QCOMPARE(told, (std::vector<double>{ 0.125, 0.25, 0.375, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125, 0.875, 0.9375, 1.0 }));
}

void TestAcrossLayers::rolloutOfThreeLayersByHand()
{
    // Layers: ½ I + ½ back; ½ I + ½ first; I. The first layer stands on the right.
    const Matrix below{ { 0.5, 0.0, 0.5 }, { 0.5, 0.5, 0.0 }, { 0.0, 0.5, 0.5 } };
    const Matrix expected{ { 0.5, 0.0, 0.5 }, { 0.5, 0.25, 0.25 }, { 0.25, 0.25, 0.5 } };
    const LayerStack stack = stackOf(3, 1, { back, first, identity });
    const auto found = stackRollout(stack);
    QVERIFY(found);
    QCOMPARE(*found, expected);
    const auto flow = stackFlow({ stack.result, 0, 0, 1 });
    QVERIFY(flow);
    // Position 2 above: ½ by itself to inputs 1 and 2, ½ by position 0 to inputs 0 and 2.
    QCOMPARE(flow->row(2), (Matrix{ { 0.5, 0.5, 1.0 } }));
    QCOMPARE(stackRollout({ stack.result, 0, 0, 0 }).value(), below);
}

void TestAcrossLayers::rolloutStopsAtTheLastLayer()
{
    LayerStack stack = stackOf(2, 2, { identity, identity, back, first });
    QCOMPARE(stackRollout(stack).value(), (Matrix{ { 0.75, 0.0, 0.25 }, { 0.5, 0.5, 0.0 }, { 0.25, 0.25, 0.5 } }));
    stack.lastLayer = 0;
    QCOMPARE(stackRollout(stack).value(), identity);
}

void TestAcrossLayers::flowOfOneLayerIsThatLayer()
{
    const LayerStack stack = stackOf(1, 1, { back });
    QCOMPARE(stackFlow(stack).value(), stackRollout(stack).value());
}

void TestAcrossLayers::rowsOfRolloutSumToOne_data()
{
    QTest::addColumn<int>("rule");
    QTest::addColumn<int>("layers");
    for (const int layers : { 1, 2, 6 }) {
        QTest::addRow("unmasked, %d layers", layers) << static_cast<int>(MaskRule::None) << layers;
        QTest::addRow("causal, %d layers", layers) << static_cast<int>(MaskRule::Causal) << layers;
        QTest::addRow("window, %d layers", layers) << static_cast<int>(MaskRule::SlidingWindow) << layers;
    }
}

void TestAcrossLayers::rowsOfRolloutSumToOne()
{
    QFETCH(int, rule);
    QFETCH(int, layers);
    AttentionSpec spec;
    spec.mask.rule = static_cast<MaskRule>(rule);
    const LayerStack stack = computedStack(layers, 3, 17, spec);
    const auto rolled = stackRollout(stack);
    const auto flow = stackFlow(stack);
    QVERIFY(rolled && flow);
    QVERIFY((rolled->rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-12);
    QVERIFY(rolled->minCoeff() >= 0.0);
    // A flow is at least what goes along all paths at once, and at most what a position has.
    QVERIFY((flow->array() - rolled->array()).minCoeff() > -1e-12);
    QVERIFY(flow->maxCoeff() <= 1.0 + 1e-12);
}

void TestAcrossLayers::rowsAreDividedWhateverTheySumTo()
{
    // Rows of 0.5, 1 and 0 become (½ A + ½ I) over 0.75, 1 and 0.5.
    const Matrix cut{ { 0.0, 0.5, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    const auto rolled = stackRollout(stackOf(1, 1, { cut }));
    QVERIFY(rolled);
    QVERIFY(rolled->isApprox(Matrix{ { 2.0 / 3.0, 1.0 / 3.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } }, 1e-15));
}

void TestAcrossLayers::rowsThatGoBackToNoNumberAreNan_data()
{
    QTest::addColumn<double>("weight");
    QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("infinity") << std::numeric_limits<double>::infinity();
    QTest::newRow("negative infinity") << -std::numeric_limits<double>::infinity();
}

void TestAcrossLayers::rowsThatGoBackToNoNumberAreNan()
{
    QFETCH(const double, weight);
    Matrix odd = identity;
    odd(0, 1) = weight;
    // Above it "back" reads row 0 from rows 0 and 1, never from row 2.
    const LayerStack stack = stackOf(2, 1, { odd, back });
    for (const Result<Matrix> &found : { stackRollout(stack), stackFlow(stack) }) {
        QVERIFY(found);
        QVERIFY(found->row(0).array().isNaN().all());
        QVERIFY(found->row(1).array().isNaN().all());
        QCOMPARE(found->row(2), (Matrix{ { 0.0, 0.5, 0.5 } }));
    }
}

void TestAcrossLayers::readyHeadsGiveTheSameNumbers()
{
    AttentionSpec spec;
    spec.mask.rule = MaskRule::Causal;
    const LayerStack made = computedStack(2, 2, 9, spec);
    auto result = std::make_shared<AttentionResult>(*made.result);
    for (const HeadRef &ref : made.allHeads())
        result->heads.push_back(computeHead(*result->input, spec, ref, {}).value());
    const LayerStack ready{ result, 0, 0, 1 };
    QVERIFY((stackRollout(ready).value() - stackRollout(made).value()).cwiseAbs().maxCoeff() < 1e-6);
    QVERIFY((stackDivergences(ready)->sum - stackDivergences(made)->sum).cwiseAbs().maxCoeff() < 1e-5);
}

void TestAcrossLayers::headsAreInTheOrderOfLayers()
{
    const LayerStack stack = stackOf(2, 2, { identity, first, identity, back });
    const std::vector<HeadRef> refs = stack.allHeads();
    QCOMPARE(refs.size(), std::size_t{ 4 });
    QCOMPARE(refs[1], (HeadRef{ 0, 0, 1, 0 }));
    QCOMPARE(refs[2], (HeadRef{ 0, 1, 0, 0 }));
    const auto found = stackDivergences(stack);
    QVERIFY(found);
    const Matrix mean = found->mean();
    QCOMPARE(mean(0, 2), 0.0);
    // Row 0 agrees, rows 1 and 2 have nothing in common.
    QVERIFY(std::abs(mean(0, 1) - 2.0 / 3.0 * std::log(2.0)) < 1e-15);
    QVERIFY(std::abs(mean(0, 3) - std::log(2.0)) < 1e-15);
}

void TestAcrossLayers::blocksThatLeadNowhereSayWhy()
{
    const LayerStack wide = stackOf(1, 1, { Matrix::Constant(2, 3, 1.0 / 3.0) });
    QVERIFY(whyNoRollout(wide));
    QCOMPARE(whyNoRollout(wide)->sentence(),
        std::string("Rollout and flow need self-attention, where a layer leads to the next. This block is 2 × 3. Choose a block of "
                    "self-attention, or head similarity."));
    QVERIFY(!stackRollout(wide));
    QVERIFY(whyNoDivergences(wide));
    const LayerStack square = stackOf(1, 2, { identity, back });
    QVERIFY(!whyNoRollout(square));
    QVERIFY(!whyNoDivergences(square));
    auto cross = std::make_shared<AttentionInput>(*square.result->input);
    cross->blocks.front().role = BlockRole::Cross;
    QVERIFY(whyNoRollout({ std::make_shared<AttentionResult>(AttentionResult{ cross, {}, {}, {} }), 0, 0, 0 }));
}

void TestAcrossLayers::costGrowsWithTheWork()
{
    const auto recorded = [](int layers, int heads, Index n) {
        auto input = std::make_shared<AttentionInput>(*stackOf(1, 1, { identity }).result->input);
        AttentionBlock &block = input->blocks.front();
        block.queries = block.keys = n;
        block.layers = layers;
        block.heads = heads;
        return LayerStack{ std::make_shared<AttentionResult>(AttentionResult{ input, {}, {}, {} }), 0, 0, layers - 1 };
    };
    QVERIFY(rolloutSeconds(recorded(12, 12, 64)) < 1.0);
    QVERIFY(flowSeconds(recorded(12, 12, 512)) > 60.0);
    QVERIFY(flowSeconds(recorded(12, 12, 64)) > 30.0 * flowSeconds(recorded(12, 12, 16)));
    QVERIFY(divergenceSeconds(recorded(32, 32, 512)) > 10.0);
    QVERIFY(rolloutSeconds(recorded(12, 12, 2048)) > rolloutSeconds(recorded(12, 12, 512)));
}

void TestAcrossLayers::aPartCostsTheWholeRows()
{
    const LayerStack whole = computedStack(1, 1, 1000, {});
    const auto partOf = [&whole](Index positions) {
        AttentionBlock block;
        ReducedData data;
        data.whole = whole.result->input;
        for (Index position = 0; position < positions; ++position) {
            data.queries.push_back({ position, position + 1 });
            data.keys.push_back({ position, position + 1 });
        }
        block.queries = block.keys = positions;
        block.data = std::move(data);
        auto input = std::make_shared<AttentionInput>(AttentionInput{ { std::move(block) } });
        return LayerStack{ std::make_shared<AttentionResult>(AttentionResult{ std::move(input), {}, {}, {} }), 0, 0, 0 };
    };
    // One layer: nothing is multiplied, rows are read. A tenth of the rows are a tenth of the work.
    QCOMPARE(rolloutSeconds(partOf(100)), rolloutSeconds(whole) / 10.0);
    QCOMPARE(rolloutSeconds(partOf(1)), rolloutSeconds(whole) / 1000.0);
}

void TestAcrossLayers::stopCancels()
{
    std::stop_source source;
    source.request_stop();
    const Run run{ source.get_token(), {} };
    const LayerStack stack = stackOf(2, 1, { back, first });
    for (const auto work : { &stackRollout, &stackFlow }) {
        const auto found = work(stack, run);
        QVERIFY(!found && found.error().isCancelled);
    }
    const auto divergences = stackDivergences(stack, run);
    QVERIFY(!divergences && divergences.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestAcrossLayers)
#include "tst_across_layers.moc"
