// SPDX-License-Identifier: GPL-3.0-or-later
// Costs in closed form agree with counting, and with numbers worked out by hand.
#include "attention/cost.h"

#include "attention/explain.h"
#include "support/problems.h"

#include <QTest>

#include <limits>

using namespace attenscope;

namespace {

MaskSpec rule(MaskRule which)
{
    MaskSpec spec;
    spec.rule = which;
    return spec;
}

/// Every rule that has a closed form, with several parameters.
std::vector<std::pair<std::string, MaskSpec>> rules()
{
    std::vector<std::pair<std::string, MaskSpec>> all{ { "none", rule(MaskRule::None) }, { "causal", rule(MaskRule::Causal) } };
    for (const Index window : { 1, 2, 3, 7, 40 }) {
        for (const MaskRule which : { MaskRule::SlidingWindow, MaskRule::CausalSlidingWindow }) {
            MaskSpec spec = rule(which);
            spec.window = window;
            all.emplace_back((which == MaskRule::SlidingWindow ? "window " : "causal window ") + std::to_string(window), spec);
        }
        for (const Index sinks : { 0, 1, 4, 60 }) {
            MaskSpec spec = rule(MaskRule::SinksWindow);
            spec.window = window;
            spec.sinks = sinks;
            all.emplace_back("sinks " + std::to_string(sinks) + ", window " + std::to_string(window), spec);
        }
        MaskSpec spec = rule(MaskRule::PrefixLm);
        spec.prefix = window - 1;
        all.emplace_back("prefix " + std::to_string(window - 1), spec);
        spec = rule(MaskRule::SparseStrided);
        spec.stride = window;
        all.emplace_back("strided " + std::to_string(window), spec);
        for (const Index columns : { Index{ 1 }, (window + 1) / 2, window }) {
            spec = rule(MaskRule::SparseFixed);
            spec.stride = window;
            spec.fixedColumns = columns;
            all.emplace_back("fixed " + std::to_string(window) + ", " + std::to_string(columns), spec);
        }
    }
    MaskSpec documents = rule(MaskRule::Document);
    documents.documentStarts = { 0, 3, 3, 9, 20 };
    all.emplace_back("documents", documents);
    documents.documentStarts = { 1, 2, 3, 4, 5, 6, 7, 8 };
    all.emplace_back("documents of one", documents);
    return all;
}

Mask maskOf(const MaskSpec &spec, Index n)
{
    AttentionBlock block;
    block.queries = block.keys = n;
    return { block, spec, 0 };
}

/// Cell by cell.
std::uint64_t counted(const Mask &mask)
{
    std::uint64_t cells = 0;
    for (Index row = 0; row < mask.queries(); ++row)
        for (Index key = 0; key < mask.keys(); ++key)
            cells += mask.isVisible(row, key) ? 1 : 0;
    return cells;
}

/// Breadth first from every token over who is seen by whom.
std::uint64_t walked(const Mask &mask)
{
    const auto n = static_cast<std::size_t>(mask.keys());
    std::uint64_t longest = 0;
    for (std::size_t from = 0; from < n; ++from) {
        std::vector<std::uint64_t> layers(n, 0);
        std::vector<std::size_t> reached{ from };
        for (std::size_t place = 0; place < reached.size(); ++place) {
            for (std::size_t to = 0; to < n; ++to) {
                if (to == from || layers[to] > 0 || !mask.isVisible(static_cast<Index>(to), static_cast<Index>(reached[place])))
                    continue;
                layers[to] = layers[reached[place]] + 1;
                longest = std::max(longest, layers[to]);
                reached.push_back(to);
            }
        }
    }
    return longest;
}

} // namespace

class TestCost : public QObject {
    Q_OBJECT

private slots:
    void closedFormsAreWhatCountingGives_data();
    void closedFormsAreWhatCountingGives();
    void paddingAndBlocksAreCounted();
    void cellsOfAMillionTokens();
    void workByHand_data();
    void workByHand();
    void bytesByHand();
    void cacheIsThatOfTheEngine();
    void hugeAmountsStopAtTheLargest();
    void shapesAreTakenFromTheBlock();
    void headsForGroups();
};

void TestCost::closedFormsAreWhatCountingGives_data()
{
    QTest::addColumn<int>("which");
    const auto all = rules();
    for (std::size_t place = 0; place < all.size(); ++place)
        QTest::newRow(all[place].first.c_str()) << static_cast<int>(place);
}

void TestCost::closedFormsAreWhatCountingGives()
{
    QFETCH(int, which);
    const MaskSpec spec = rules().at(static_cast<std::size_t>(which)).second;
    for (const Index n : { 1, 2, 3, 4, 5, 8, 9, 13, 24, 31 }) {
        const Mask mask = maskOf(spec, n);
        QCOMPARE(visibleCells(mask), counted(mask));
        QCOMPARE(visibleCells(spec, n)->amount, counted(mask));
        QCOMPARE(longestPath(spec, n)->amount, walked(mask));
    }
}

void TestCost::paddingAndBlocksAreCounted()
{
    MaskSpec spec = rule(MaskRule::BlockSparse);
    spec.block = 2;
    spec.blockLayout = BitMatrix(3, 3, false);
    spec.blockLayout.set(0, 0, true);
    spec.blockLayout.set(2, 2, true);
    // The last block is one token wide.
    QCOMPARE(visibleCells(maskOf(spec, 5)), 4U + 1U);
    QVERIFY(!visibleCells(spec, 5));
    QVERIFY(!longestPath(spec, 5));
    MaskSpec padded = rule(MaskRule::Causal);
    padded.paddedKeys = 2;
    QCOMPARE(visibleCells(maskOf(padded, 4)), 1U + 2U + 2U + 2U);
}

void TestCost::cellsOfAMillionTokens()
{
    QCOMPARE(visibleCells(rule(MaskRule::None), 1'000'000)->amount, 1'000'000'000'000U);
    const Cost causal = *visibleCells(rule(MaskRule::Causal), 1'000'000);
    QCOMPARE(causal.amount, 500'000'500'000U);
    QCOMPARE(causal.formula, std::string("n (n + 1) / 2"));
    QCOMPARE(causal.numbers, std::string("1,000,000 · 1,000,001 / 2"));
    MaskSpec window = rule(MaskRule::CausalSlidingWindow);
    window.window = 4096;
    QCOMPARE(visibleCells(window, 1'000'000)->amount, 4096U * 1'000'000U - 4096U * 4095U / 2U);
    QCOMPARE(longestPath(window, 1'000'000)->amount, 245U); // 999,999 / 4,095 = 244.2
    QCOMPARE(recurrentPath(1'000'000).amount, 1'000'000U);
}

void TestCost::workByHand_data()
{
    QTest::addColumn<int>("score");
    QTest::addColumn<quint64>("adds");
    QTest::addColumn<QString>("numbers");
    const auto row = [](const char *name, ScoreFunction score, quint64 adds, const char *numbers) {
        QTest::newRow(name) << static_cast<int>(score) << adds << QString(numbers);
    };
    // 2 heads, 3 queries, 4 keys, 10 visible cells, d_q 2, d_k 5, d_v 7, d_att 6.
    row("scaled dot", ScoreFunction::ScaledDot, 2 * 10 * (5 + 7), "2 · 10 · (5 + 7)");
    row("general", ScoreFunction::General, 2 * 10 * 12 + 2 * 3 * 2 * 5, "2 · 10 · (5 + 7) + 2 · (3 · 2 · 5)");
    row("additive", ScoreFunction::Additive, 2 * 10 * (6 + 7) + 2 * (3 * 2 * 6 + 4 * 5 * 6),
        "2 · 10 · (6 + 7) + 2 · (3 · 2 · 6 + 4 · 5 · 6)");
    row("linear", ScoreFunction::Linear, 2 * (4 * 5 * 7 + 3 * 5 * 8), "2 · (4 · 5 · 7 + 3 · 5 · 8)");
}

void TestCost::workByHand()
{
    QFETCH(int, score);
    QFETCH(quint64, adds);
    QFETCH(QString, numbers);
    const CostShape shape{ .queries = 3, .keys = 4, .heads = 2, .kvHeads = 1, .dQ = 2, .dK = 5, .dV = 7, .dAtt = 6 };
    const Cost work = multiplyAdds(static_cast<ScoreFunction>(score), shape, 10);
    QCOMPARE(work.amount, adds);
    QCOMPARE(QString::fromStdString(work.numbers), numbers);
}

void TestCost::bytesByHand()
{
    const CostShape shape{ .queries = 30, .keys = 40, .heads = 2, .dK = 5, .dV = 7, .bytesPerNumber = 2 };
    AttentionSpec spec;
    QCOMPARE(scoreBytes(spec, shape).amount, 2U * 30U * 40U * 2U);
    spec.algorithm = Algorithm::Flash;
    spec.queryBlock = 8;
    spec.keyBlock = 64;
    QCOMPARE(scoreBytes(spec, shape).amount, 8U * (40U + 2U) * 2U);
    spec.score = ScoreFunction::Linear;
    QCOMPARE(scoreBytes(spec, shape).amount, 2U * 5U * 8U * 2U);
}

void TestCost::cacheIsThatOfTheEngine()
{
    // LLaMA 2 70B: 80 layers, 8 of 64 key/value heads, 128 wide.
    const CostShape shape{ .queries = 4096, .keys = 4096, .layers = 80, .heads = 64, .kvHeads = 8, .dQ = 128, .dK = 128, .dV = 128 };
    for (const int kvHeads : { 1, 8, 64 })
        QCOMPARE(static_cast<double>(cacheBytes(shape, kvHeads).amount), 2.0 * kvCacheElements(80, kvHeads, 128, 4096, 1));
    QCOMPARE(cacheBytes(shape, 8).amount, 1'342'177'280U);
    QCOMPARE(cacheBytes(shape, 8).numbers, std::string("80 · 8 · 256 · 4,096 · 2"));
}

void TestCost::hugeAmountsStopAtTheLargest()
{
    const CostShape shape{ .queries = 1'000'000, .keys = 1'000'000, .layers = 1000, .batch = 1000, .heads = 1000, .dK = 4096, .dV = 4096 };
    QCOMPARE(multiplyAdds(ScoreFunction::ScaledDot, shape, 1'000'000'000'000).amount, std::numeric_limits<std::uint64_t>::max());
}

void TestCost::shapesAreTakenFromTheBlock()
{
    const Case c = sdpaCase(6, 9, 4, 5);
    AttentionSpec spec;
    spec.score = ScoreFunction::Additive;
    const CostShape shape = costShape(c.block, spec);
    QCOMPARE(shape, (CostShape{ .queries = 6, .keys = 9, .dQ = 4, .dK = 4, .dV = 5, .dAtt = 4 }));
    QCOMPARE(withLength(shape, 100).queries, 100);
    QCOMPARE(withLength(shape, 100).keys, 100);
}

void TestCost::headsForGroups()
{
    QCOMPARE(groupedHeads(32, 8), std::optional(8));
    QCOMPARE(groupedHeads(64, 64), std::optional(8));
    QCOMPARE(groupedHeads(12, 5), std::optional(3));
    QCOMPARE(groupedHeads(4, 1), std::optional(2));
    QVERIFY(!groupedHeads(1, 1));
    QVERIFY(!groupedHeads(7, 1));
}

QTEST_APPLESS_MAIN(TestCost)
#include "tst_cost.moc"
