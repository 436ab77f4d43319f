// SPDX-License-Identifier: GPL-3.0-or-later
// Masks: every rule against its definition, combinations, and bits.
#include "attention/mask.h"

#include "core/random.h"

#include <QTest>

#include <functional>

using namespace attenscope;

namespace {

using Rule = std::function<bool(Index row, Index position, Index key)>;

struct NamedRule {
    const char *name;
    MaskSpec spec;
    Rule allows; ///< position: of the query on the axis of the keys.
};

std::vector<NamedRule> namedRules()
{
    std::vector<NamedRule> rules;
    const auto add = [&rules](const char *name, MaskRule rule, Rule allows, const std::function<void(MaskSpec &)> &change = {}) {
        MaskSpec spec;
        spec.rule = rule;
        if (change)
            change(spec);
        rules.push_back({ name, spec, std::move(allows) });
    };
    add("none", MaskRule::None, [](Index, Index, Index) { return true; });
    add("causal", MaskRule::Causal, [](Index, Index i, Index j) { return j <= i; });
    add(
        "window", MaskRule::SlidingWindow, [](Index, Index i, Index j) { return i - 3 <= j && j <= i + 3; },
        [](MaskSpec &spec) { spec.window = 3; });
    add(
        "causal window", MaskRule::CausalSlidingWindow, [](Index, Index i, Index j) { return j <= i && j > i - 4; },
        [](MaskSpec &spec) { spec.window = 4; });
    add(
        "prefix", MaskRule::PrefixLm, [](Index, Index i, Index j) { return j <= i || j < 3; }, [](MaskSpec &spec) { spec.prefix = 3; });
    for (const Index stride : { 1, 3, 64 }) {
        add(
            "strided", MaskRule::SparseStrided,
            [stride](Index, Index i, Index j) { return j <= i && (i - j <= stride || (i - j) % stride == 0); },
            [stride](MaskSpec &spec) { spec.stride = stride; });
        add(
            "fixed", MaskRule::SparseFixed,
            [stride](Index, Index i, Index j) { return j <= i && (j / stride == i / stride || j % stride >= stride - 1); },
            [stride](MaskSpec &spec) { spec.stride = stride; });
    }
    add(
        "sinks", MaskRule::SinksWindow, [](Index, Index i, Index j) { return j <= i && (j < 2 || i - j < 4); },
        [](MaskSpec &spec) { spec.sinks = 2; });
    add(
        "documents", MaskRule::Document,
        [](Index, Index i, Index j) {
            const auto document = [](Index position) { return position < 5 ? 0 : position < 9 ? 1 : 2; };
            return j <= i && document(i) == document(j);
        },
        [](MaskSpec &spec) {
            spec.documentStarts = { 5, 9 };
        });
    return rules;
}

AttentionBlock emptyBlock(Index queries, Index keys)
{
    AttentionBlock block;
    block.queries = queries;
    block.keys = keys;
    return block;
}

/// Whether the intervals say what @p allows says, ascending, disjoint, apart, and whether the other questions agree with them.
void compare(const Mask &mask, const std::function<bool(Index, Index)> &allows)
{
    std::vector<Range> visible;
    for (Index row = 0; row < mask.queries(); ++row) {
        mask.visible(row, visible);
        std::vector<bool> seen(static_cast<std::size_t>(mask.keys()), false);
        Index last = -1;
        for (const Range &range : visible) {
            QVERIFY(range.first > last || (range.first == 0 && last == -1));
            QVERIFY(range.first < range.end && range.end <= mask.keys());
            last = range.end;
            for (Index key = range.first; key < range.end; ++key)
                seen[static_cast<std::size_t>(key)] = true;
        }
        Index count = 0;
        for (Index key = 0; key < mask.keys(); ++key) {
            if (seen[static_cast<std::size_t>(key)] != allows(row, key))
                QFAIL(qPrintable(QStringLiteral("%1, %2").arg(row).arg(key)));
            QCOMPARE(mask.isVisible(row, key), allows(row, key));
            count += allows(row, key) ? 1 : 0;
        }
        QCOMPARE(mask.visibleCount(row), count);
    }
}

} // namespace

class TestMask : public QObject {
    Q_OBJECT

private slots:
    void rulesAreTheirDefinitions_data();
    void rulesAreTheirDefinitions();
    void blockSparseFollowsItsLayout();
    void causalAlignmentsByHand();
    void windowOfFourSeesFourKeys();
    void paddingAndBitsTakeAway();
    void masksOfTheDataCanBeIgnored();
    void elementsHaveTheirOwnMasks();
    void bitsAreFoundAcrossWords();
    void onlyAMaskThatHidesNothingIsFull();
    void reasonsNameTheFirstCause();
    void bitMatricesShareUntilChanged();
    void causalToggleReplacesTheRule();
    void namesAreWords();
};

void TestMask::rulesAreTheirDefinitions_data()
{
    QTest::addColumn<int>("rule");
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<bool>("isTopLeft");
    const std::vector<NamedRule> rules = namedRules();
    for (int rule = 0; rule < static_cast<int>(rules.size()); ++rule)
        for (const auto &[queries, keys] : { std::pair{ 1, 1 }, { 12, 12 }, { 3, 11 }, { 11, 3 }, { 70, 130 } })
            for (const bool isTopLeft : { false, true })
                QTest::addRow(
                    "%s %d, %d x %d%s", rules[static_cast<std::size_t>(rule)].name, rule, queries, keys, isTopLeft ? ", top left" : "")
                    << rule << queries << keys << isTopLeft;
}

void TestMask::rulesAreTheirDefinitions()
{
    QFETCH(int, rule);
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(bool, isTopLeft);
    NamedRule named = namedRules()[static_cast<std::size_t>(rule)];
    named.spec.alignment = isTopLeft ? CausalAlignment::TopLeft : CausalAlignment::BottomRight;
    const Index offset = isTopLeft ? 0 : keys - queries;
    const AttentionBlock block = emptyBlock(queries, keys);
    const auto allows = [&](Index row, Index key) { return named.allows(row, row + offset, key); };
    compare(Mask(block, named.spec, 0), allows);
    // The readout gives a reason exactly where a key is hidden.
    for (Index row = 0; row < queries; ++row)
        for (Index key = 0; key < keys; ++key)
            QCOMPARE(maskedBecause(block, named.spec, 0, row, key).empty(), allows(row, key));
}

void TestMask::blockSparseFollowsItsLayout()
{
    MaskSpec spec;
    spec.rule = MaskRule::BlockSparse;
    spec.block = 3;
    spec.blockLayout = BitMatrix(3, 2, false);
    spec.blockLayout.set(0, 0, true);
    spec.blockLayout.set(1, 0, true);
    spec.blockLayout.set(1, 1, true);
    // 7 x 5: the last blocks are cut short; the last block row sees nothing.
    compare(Mask(emptyBlock(7, 5), spec, 0), [](Index row, Index key) { return row < 3 ? key < 3 : row < 6; });
}

void TestMask::causalAlignmentsByHand()
{
    const auto rowsOf = [](Index queries, Index keys, CausalAlignment alignment) {
        MaskSpec spec;
        spec.rule = MaskRule::Causal;
        spec.alignment = alignment;
        const Mask mask(emptyBlock(queries, keys), spec, 0);
        std::vector<Index> counts;
        for (Index row = 0; row < queries; ++row)
            counts.push_back(mask.visibleCount(row));
        return counts;
    };
    QCOMPARE(rowsOf(2, 5, CausalAlignment::TopLeft), (std::vector<Index>{ 1, 2 }));
    QCOMPARE(rowsOf(2, 5, CausalAlignment::BottomRight), (std::vector<Index>{ 4, 5 }));
    QCOMPARE(rowsOf(5, 2, CausalAlignment::BottomRight), (std::vector<Index>{ 0, 0, 0, 1, 2 }));
}

void TestMask::windowOfFourSeesFourKeys()
{
    MaskSpec spec;
    spec.rule = MaskRule::CausalSlidingWindow;
    spec.window = 4;
    QCOMPARE(Mask(emptyBlock(8, 8), spec, 0).visibleCount(7), Index{ 4 });
    spec.rule = MaskRule::SlidingWindow;
    QCOMPARE(Mask(emptyBlock(12, 12), spec, 0).visibleCount(6), Index{ 9 });
}

void TestMask::paddingAndBitsTakeAway()
{
    AttentionBlock block = emptyBlock(6, 6);
    block.keyPadding = { { true, false, true, true, true, true } };
    BitMatrix mask(6, 6, true);
    mask.set(5, 0, false);
    block.masks = { mask };
    MaskSpec spec;
    spec.rule = MaskRule::Causal;
    spec.paddedKeys = 1;
    spec.allowed = BitMatrix(6, 6, true);
    spec.allowed.set(4, 3, false);
    compare(Mask(block, spec, 0),
        [](Index row, Index key) { return key <= row && key != 1 && key != 5 && !(row == 5 && key == 0) && !(row == 4 && key == 3); });
}

void TestMask::masksOfTheDataCanBeIgnored()
{
    AttentionBlock block = emptyBlock(2, 3);
    block.keyPadding = { { true, true, false } };
    block.masks = { BitMatrix(2, 3, false) };
    MaskSpec spec;
    QCOMPARE(Mask(block, spec, 0).visibleCount(0), Index{ 0 });
    spec.usesInputMask = false;
    QVERIFY(Mask(block, spec, 0).isFull());
    QCOMPARE(Mask(block, spec, 0).visibleCount(0), Index{ 3 });
}

void TestMask::elementsHaveTheirOwnMasks()
{
    AttentionBlock block = emptyBlock(1, 3);
    block.batch = 2;
    block.keyPadding = { { true, true, false }, { true, false, false } };
    QCOMPARE(Mask(block, {}, 0).visibleCount(0), Index{ 2 });
    QCOMPARE(Mask(block, {}, 1).visibleCount(0), Index{ 1 });
    // One boolean mask serves all elements.
    block.keyPadding.clear();
    block.masks = { BitMatrix(1, 3, false) };
    QCOMPARE(Mask(block, {}, 1).visibleCount(0), Index{ 0 });
}

void TestMask::bitsAreFoundAcrossWords()
{
    Random random(3);
    for (const Index keys : { 1, 63, 64, 65, 130, 200 }) {
        MaskSpec spec;
        spec.allowed = BitMatrix(4, keys, false);
        for (Index key = 0; key < keys; ++key) {
            spec.allowed.set(0, key, random.uniform() < 0.5);
            spec.allowed.set(1, key, true);
            spec.allowed.set(2, key, key >= 62 && key < 129);
        }
        compare(Mask(emptyBlock(4, keys), spec, 0), [&spec](Index row, Index key) { return spec.allowed.at(row, key); });
    }
}

void TestMask::onlyAMaskThatHidesNothingIsFull()
{
    AttentionBlock block = emptyBlock(3, 3);
    QVERIFY(Mask(block, {}, 0).isFull());
    QVERIFY(Mask(5, 7).isFull());
    QCOMPARE(Mask(5, 7).visibleCount(4), Index{ 7 });
    MaskSpec causal;
    causal.rule = MaskRule::Causal;
    QVERIFY(!Mask(block, causal, 0).isFull());
    block.keyPadding = { { true, true, true } };
    QVERIFY(Mask(block, {}, 0).isFull());
}

void TestMask::reasonsNameTheFirstCause()
{
    AttentionBlock block = emptyBlock(3, 3);
    block.keyPadding = { { true, true, false } };
    block.masks = { BitMatrix(3, 3, true) };
    block.masks.front().set(2, 0, false);
    MaskSpec spec;
    spec.rule = MaskRule::Causal;
    QCOMPARE(maskedBecause(block, spec, 0, 0, 2), std::string("causal"));
    QCOMPARE(maskedBecause(block, spec, 0, 2, 2), std::string("padding"));
    QCOMPARE(maskedBecause(block, spec, 0, 2, 0), std::string("mask"));
    QCOMPARE(maskedBecause(block, spec, 0, 2, 1), std::string());
}

void TestMask::bitMatricesShareUntilChanged()
{
    const BitMatrix first(3, 70, true);
    BitMatrix second = first;
    QVERIFY(first == second);
    second.set(2, 69, false);
    QVERIFY(first.at(2, 69) && !second.at(2, 69));
    QVERIFY(!(first == second));
    second.set(2, 69, true);
    QVERIFY(first == second);
    // Filled one by one or at once: the same value.
    BitMatrix third(3, 70, false);
    for (Index row = 0; row < 3; ++row)
        for (Index col = 0; col < 70; ++col)
            third.set(row, col, true);
    QVERIFY(first == third);
    QVERIFY(!(first == BitMatrix(3, 71, true)));
    QVERIFY(BitMatrix().isEmpty() && BitMatrix() == BitMatrix());
}

void TestMask::causalToggleReplacesTheRule()
{
    AttentionSpec spec;
    spec.mask.rule = MaskRule::SlidingWindow;
    spec.mask.paddedKeys = 2;
    QCOMPARE(withCausalMask(spec, true).mask.rule, MaskRule::Causal);
    QCOMPARE(withCausalMask(spec, false).mask.rule, MaskRule::None);
    QCOMPARE(withCausalMask(spec, true).mask.paddedKeys, Index{ 2 });
}

void TestMask::namesAreWords()
{
    MaskSpec spec;
    QCOMPARE(maskName(spec), std::string("unmasked"));
    spec.rule = MaskRule::Causal;
    QCOMPARE(maskName(spec), std::string("causal"));
    spec.rule = MaskRule::SlidingWindow;
    QCOMPARE(maskName(spec), std::string("window"));
}

QTEST_APPLESS_MAIN(TestMask)
#include "tst_mask.moc"
