// SPDX-License-Identifier: GPL-3.0-or-later
// check(): what fits passes, and what does not is named at the control that is to change, in words.
#include "attention/input.h"

#include "support/problems.h"

#include <QTest>

#include <functional>

using namespace attenscope;

namespace {

SharedMatrix sized(Index rows, Index cols)
{
    return SharedMatrix(Matrix(Matrix::Ones(rows, cols)));
}

/// 5 queries, 6 keys, d_k 4, d_v 3, 4 query heads, 2 key/value heads.
AttentionBlock projected()
{
    AttentionBlock block;
    block.queries = 5;
    block.keys = 6;
    block.heads = 4;
    block.kvHeads = 2;
    ProjectedData data;
    data.q.assign(4, sized(5, 4));
    data.k.assign(2, sized(6, 4));
    data.v.assign(2, sized(6, 3));
    block.data = data;
    return block;
}

/// 5 queries and 6 keys from X (5 x 8) and Y (6 x 7); 4 heads of width 2, 2 key/value heads, values of width 3, W_o to 8.
AttentionBlock embedded()
{
    AttentionBlock block;
    block.queries = 5;
    block.keys = 6;
    block.heads = block.kvHeads = 0;
    EmbeddedData data;
    data.x = { sized(5, 8) };
    data.y = { sized(6, 7) };
    Projections layer;
    layer.wq = sized(8, 8);
    layer.wk = sized(7, 4);
    layer.wv = sized(7, 6);
    layer.wo = sized(12, 8);
    layer.bq = sized(1, 8);
    layer.bo = sized(1, 8);
    data.layers = { layer };
    block.data = data;
    return block;
}

AttentionSpec fourHeads()
{
    AttentionSpec spec;
    spec.heads = 4;
    return spec;
}

AttentionBlock recorded()
{
    AttentionBlock block;
    block.queries = block.keys = 3;
    block.heads = 2;
    RecordedData data;
    data.weights.assign(2, sized(3, 3));
    block.data = data;
    return block;
}

struct BadInput {
    const char *name;
    SpecPart part;
    const char *sentence;
    std::function<void(AttentionBlock &, AttentionSpec &)> spoil;
};

ProjectedData &projectedOf(AttentionBlock &block)
{
    return std::get<ProjectedData>(block.data);
}

Projections &layerOf(AttentionBlock &block)
{
    return std::get<EmbeddedData>(block.data).layers.front();
}

const std::vector<BadInput> &badProjected()
{
    static const std::vector<BadInput> all{
        { "no Q", SpecPart::Q, "Q is missing. Type or paste it.", [](auto &block, auto &) { projectedOf(block).q.clear(); } },
        { "0 x n", SpecPart::Q, "Q has no rows. Type or paste at least one.",
            [](auto &block, auto &) { projectedOf(block).q.assign(4, SharedMatrix(Matrix(0, 4))); } },
        { "n x 0", SpecPart::K, "K has no columns. Type or paste at least one.",
            [](auto &block, auto &) { projectedOf(block).k.assign(2, SharedMatrix(Matrix(6, 0))); } },
        { "d_k differs", SpecPart::K, "K has 3 columns, Q has 4. They must be equal, because q · k pairs their numbers.",
            [](auto &block, auto &) { projectedOf(block).k.assign(2, sized(6, 3)); } },
        { "d_k differs, one column", SpecPart::K, "K has 1 column, Q has 4. They must be equal, because q · k pairs their numbers.",
            [](auto &block, auto &) { projectedOf(block).k.assign(2, sized(6, 1)); } },
        { "n of K and V", SpecPart::V, "V has 5 rows, K has 6. They must be equal, because every key has one value.",
            [](auto &block, auto &) { projectedOf(block).v.assign(2, sized(5, 3)); } },
        { "uneven heads", SpecPart::K, "K has 5 rows. Every head must have 6.",
            [](auto &block, auto &) { projectedOf(block).k[1] = sized(5, 4); } },
        { "too few K", SpecPart::K, "There is 1 matrix of K. There must be 2, one for each layer, batch element and head.",
            [](auto &block, auto &) { projectedOf(block).k.pop_back(); } },
        { "kv heads do not divide", SpecPart::KvHeads,
            "3 key/value heads cannot be shared evenly by 4 query heads. The valid numbers are 1, 2, 4.",
            [](auto &, auto &spec) { spec.kvHeads = 3; } },
        { "more kv heads than data", SpecPart::KvHeads, "The data have 2 key/value heads, not 4. The valid range is 1 to 2.",
            [](auto &, auto &spec) { spec.kvHeads = 4; } },
        { "negative kv heads", SpecPart::KvHeads,
            "There are −1 key/value heads. There must be at least 1, or 0 for as many as the data have.",
            [](auto &, auto &spec) { spec.kvHeads = -1; } },
        { "temperature 0", SpecPart::Temperature, "The temperature is 0. It must be a number above 0.",
            [](auto &, auto &spec) { spec.temperature = 0.0; } },
        { "temperature NaN", SpecPart::Temperature, "The temperature is NaN. It must be a number above 0.",
            [](auto &, auto &spec) { spec.temperature = std::nan(""); } },
        { "temperature below 0", SpecPart::Temperature, "The temperature is −0.5. It must be a number above 0.",
            [](auto &, auto &spec) { spec.temperature = -0.5; } },
        { "infinite temperature", SpecPart::Temperature, "The temperature is ∞. It must be a number above 0.",
            [](auto &, auto &spec) { spec.temperature = std::numeric_limits<double>::infinity(); } },
        { "cap NaN", SpecPart::SoftCap, "The soft cap is NaN. It must be a number above 0.",
            [](auto &, auto &spec) { spec.softCap = std::nan(""); } },
        { "cap below 0", SpecPart::SoftCap, "The soft cap is −30. It must be a number above 0.",
            [](auto &, auto &spec) { spec.softCap = -30.0; } },
        { "scale NaN", SpecPart::Scale, "The scale is NaN. It must be a finite number.",
            [](auto &, auto &spec) { spec.scale = std::nan(""); } },
        { "cap 0", SpecPart::SoftCap, "The soft cap is 0. It must be a number above 0.", [](auto &, auto &spec) { spec.softCap = 0.0; } },
        { "infinite scale", SpecPart::Scale, "The scale is ∞. It must be a finite number.",
            [](auto &, auto &spec) { spec.scale = std::numeric_limits<double>::infinity(); } },
        { "bias of another shape", SpecPart::Bias, "The bias is 6 × 5. It must be queries × keys, 5 × 6.",
            [](auto &, auto &spec) { spec.bias = sized(6, 5); } },
        { "window 0", SpecPart::Mask, "The window is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::SlidingWindow;
                spec.mask.window = 0;
            } },
        { "causal window 0", SpecPart::Mask, "The window is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::CausalSlidingWindow;
                spec.mask.window = 0;
            } },
        { "window 0 beside sinks", SpecPart::Mask, "The window is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::SinksWindow;
                spec.mask.window = 0;
            } },
        { "negative sinks", SpecPart::Mask, "The number of sinks is −1. It must be at least 0.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::SinksWindow;
                spec.mask.sinks = -1;
            } },
        { "stride 0", SpecPart::Mask, "The stride is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::SparseStrided;
                spec.mask.stride = 0;
            } },
        { "fixed stride 0", SpecPart::Mask, "The stride is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::SparseFixed;
                spec.mask.stride = 0;
            } },
        { "block 0", SpecPart::Mask, "The block is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::BlockSparse;
                spec.mask.block = 0;
            } },
        { "negative prefix", SpecPart::Mask, "The prefix is −1. The valid range is 0 to 6.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::PrefixLm;
                spec.mask.prefix = -1;
            } },
        { "prefix longer than n", SpecPart::Mask, "The prefix is 7. The valid range is 0 to 6.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::PrefixLm;
                spec.mask.prefix = 7;
            } },
        { "fixed columns wider than the stride", SpecPart::Mask, "The number of columns is 5. The valid range is 1 to 4.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::SparseFixed;
                spec.mask.fixedColumns = 5;
            } },
        { "layout of another size", SpecPart::Mask, "The block layout is 2 × 3. It must be 2 × 2 for blocks of 4.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::BlockSparse;
                spec.mask.blockLayout = BitMatrix(2, 3, true);
            } },
        { "documents out of order", SpecPart::Mask, "The starts of the documents are not in ascending order. The first one is 0 or later.",
            [](auto &, auto &spec) {
                spec.mask.rule = MaskRule::Document;
                spec.mask.documentStarts = { 3, 1 };
            } },
        { "more padding than keys", SpecPart::Mask, "The number of padded keys is 7. The valid range is 0 to 6.",
            [](auto &, auto &spec) { spec.mask.paddedKeys = 7; } },
        { "mask of another shape", SpecPart::Mask, "The mask is 5 × 5. It must be queries × keys, 5 × 6.",
            [](auto &, auto &spec) { spec.mask.allowed = BitMatrix(5, 5, true); } },
        { "mask of the data of another shape", SpecPart::Data, "The mask in the data is 5 × 5. It must be queries × keys, 5 × 6.",
            [](auto &block, auto &) { block.masks = { BitMatrix(5, 5, true) }; } },
        { "padding of another length", SpecPart::Data, "The key padding has 5 columns. It must have one for each of the 6 keys.",
            [](auto &block, auto &) { block.keyPadding = { std::vector<bool>(5, true) }; } },
        { "RoPE on an odd width", SpecPart::Rope, "Each head has 3 dimensions. RoPE turns pairs, so the number must be even.",
            [](auto &block, auto &spec) {
                projectedOf(block).q.assign(4, sized(5, 3));
                projectedOf(block).k.assign(2, sized(6, 3));
                spec.rope = Rope{};
            } },
        { "RoPE without a base", SpecPart::Rope, "The base of RoPE is −1. It must be a number above 0.",
            [](auto &, auto &spec) {
                spec.rope = Rope{ RopeLayout::Half, -1.0, 0, 0 };
            } },
        { "RoPE with a base of NaN", SpecPart::Rope, "The base of RoPE is NaN. It must be a number above 0.",
            [](auto &, auto &spec) {
                spec.rope = Rope{ RopeLayout::Half, std::nan(""), 0, 0 };
            } },
        { "flash query block 0", SpecPart::Flash, "The query block is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.algorithm = Algorithm::Flash;
                spec.queryBlock = 0;
            } },
        { "flash block 0", SpecPart::Flash, "The key block is 0. It must be at least 1.",
            [](auto &, auto &spec) {
                spec.algorithm = Algorithm::Flash;
                spec.keyBlock = 0;
            } },
        { "general with a v alone", SpecPart::Score, "W is missing. It must be 4 × 4.",
            [](auto &, auto &spec) {
                spec.score = ScoreFunction::General;
                spec.parameters.v = sized(4, 1);
            } },
        { "concat with a narrow W", SpecPart::Score, "W is 9 × 7. It must be 9 × 8.",
            [](auto &, auto &spec) {
                spec.score = ScoreFunction::Concat;
                spec.parameters.w = sized(9, 7);
            } },
        { "additive with a short v", SpecPart::Score, "v is 8 × 1. It must be 9 × 1.",
            [](auto &, auto &spec) {
                spec.score = ScoreFunction::Additive;
                spec.parameters.wDec = spec.parameters.wEnc = sized(9, 4);
                spec.parameters.v = sized(8, 1);
            } },
    };
    return all;
}

const std::vector<BadInput> &badEmbedded()
{
    static const std::vector<BadInput> all{
        { "no rows in X", SpecPart::X, "X has no rows. Type or paste at least one.",
            [](auto &block, auto &) { std::get<EmbeddedData>(block.data).x = { SharedMatrix(Matrix(0, 8)) }; } },
        { "no heads", SpecPart::Heads, "There are 0 heads. There must be at least 1.", [](auto &, auto &spec) { spec.heads = 0; } },
        { "heads do not divide", SpecPart::Heads, "W_q has 8 columns, which 3 heads cannot share evenly. The valid numbers are 1, 2, 4, 8.",
            [](auto &block, auto &spec) {
                spec.heads = 3;
                layerOf(block).wk = sized(7, 8);
            } },
        { "heads that seem to share", SpecPart::Heads,
            "W_q has 8 columns, which 5 heads cannot share evenly. The valid numbers are 1, 2, 4, 8.",
            [](auto &, auto &spec) { spec.heads = 5; } },
        { "X times W_q", SpecPart::Wq, "W_q has 9 rows, X has 8 columns. They must be equal, because X is multiplied by W_q.",
            [](auto &block, auto &) { layerOf(block).wq = sized(9, 8); } },
        { "Y times W_k", SpecPart::Wk, "W_k has 8 rows, Y has 7 columns. They must be equal, because Y is multiplied by W_k.",
            [](auto &block, auto &) { layerOf(block).wk = sized(8, 4); } },
        { "W_k too narrow", SpecPart::Wk,
            "W_k has 5 columns, W_q has 8. Each head has 2 columns of W_q, so W_k must have a multiple of that, 8 at most.",
            [](auto &block, auto &) { layerOf(block).wk = sized(7, 5); } },
        { "W_o", SpecPart::Wo, "W_o has 8 rows. It must have 12, because the heads side by side have as many columns.",
            [](auto &block, auto &) { layerOf(block).wo = sized(8, 8); } },
        { "bias", SpecPart::Biases, "b_q is 1 × 7. It must have one row and a column for each of the 8 columns of W_q.",
            [](auto &block, auto &) { layerOf(block).bq = sized(1, 7); } },
        { "no Y for other keys", SpecPart::Y, "Y is missing. There are not as many keys as queries, so the keys cannot be X.",
            [](auto &block, auto &) { std::get<EmbeddedData>(block.data).y.clear(); } },
    };
    return all;
}

} // namespace

class TestInputCheck : public QObject {
    Q_OBJECT

private slots:
    void whatFitsPasses();
    void otherWidthsPassWhereTheyMay();
    void valuesAreNeverAProblem();
    void badProjectedIsNamed_data() { addRows(badProjected()); }
    void badProjectedIsNamed();
    void badEmbeddedIsNamed_data() { addRows(badEmbedded()); }
    void badEmbeddedIsNamed();
    void badRecordedIsNamed();
    void headsAreCounted();
    void headsAreClamped();
    void headsAreNamed();

private:
    static void addRows(const std::vector<BadInput> &inputs)
    {
        QTest::addColumn<int>("place");
        for (std::size_t place = 0; place < inputs.size(); ++place)
            QTest::newRow(inputs[place].name) << static_cast<int>(place);
    }
    static void compare(const BadInput &bad, AttentionBlock block, AttentionSpec spec)
    {
        bad.spoil(block, spec);
        const auto problem = check(block, spec);
        QVERIFY(problem);
        QCOMPARE(problem->error.sentence(), std::string(bad.sentence));
        QCOMPARE(problem->part, bad.part);
    }
};

void TestInputCheck::whatFitsPasses()
{
    QVERIFY(!check(projected(), {}));
    QVERIFY(!check(embedded(), fourHeads()));
    QVERIFY(!check(recorded(), {}));
    AttentionBlock withoutValues = projected();
    projectedOf(withoutValues).v.clear();
    QVERIFY(!check(withoutValues, {}));
    for (const std::string &mechanism : mechanismNames()) {
        Case c = sdpaCase(3, 4, 2);
        setMechanism(c, mechanism);
        QVERIFY2(!check(c.block, c.spec), mechanism.c_str());
    }
}

void TestInputCheck::otherWidthsPassWhereTheyMay()
{
    AttentionBlock block = projected();
    projectedOf(block).k.assign(2, sized(6, 3));
    AttentionSpec spec;
    spec.score = ScoreFunction::General;
    spec.parameters.w = sized(4, 3);
    QVERIFY(!check(block, spec));
    spec.score = ScoreFunction::Additive;
    spec.parameters.wDec = sized(7, 4);
    spec.parameters.wEnc = sized(7, 3);
    spec.parameters.v = sized(7, 1);
    QVERIFY(!check(block, spec));
}

void TestInputCheck::valuesAreNeverAProblem()
{
    AttentionBlock block = projected();
    projectedOf(block).q.assign(4, SharedMatrix(Matrix(Matrix::Constant(5, 4, std::nan("")))));
    projectedOf(block).k.assign(2, SharedMatrix(Matrix(Matrix::Constant(6, 4, 1e308))));
    QVERIFY(!check(block, {}));
}

void TestInputCheck::badProjectedIsNamed()
{
    QFETCH(int, place);
    compare(badProjected()[static_cast<std::size_t>(place)], projected(), {});
}

void TestInputCheck::badEmbeddedIsNamed()
{
    QFETCH(int, place);
    compare(badEmbedded()[static_cast<std::size_t>(place)], embedded(), fourHeads());
}

void TestInputCheck::badRecordedIsNamed()
{
    AttentionBlock block = recorded();
    std::get<RecordedData>(block.data).weights[1] = sized(3, 4);
    QCOMPARE(check(block, {})->error.sentence(), std::string("The weights of a head are 3 × 4. They must be queries × keys, 3 × 3."));
    block = recorded();
    block.layers = 2;
    QCOMPARE(check(block, {})->error.what, std::string("There are 2 matrices of weights."));
    block = recorded();
    std::get<RecordedData>(block.data).rowLengths = { 1 };
    QCOMPARE(check(block, {})->error.sentence(), std::string("There are lengths of 1 row. There are 3 queries."));
}

void TestInputCheck::headsAreCounted()
{
    AttentionSpec spec;
    spec.heads = 8;
    QCOMPARE(headCount(projected(), spec), 4);
    QCOMPARE(kvHeadCount(projected(), spec), 2);
    spec.heads = 4;
    QCOMPARE(headCount(embedded(), spec), 4);
    QCOMPARE(kvHeadCount(embedded(), spec), 2);
    spec.kvHeads = 1;
    QCOMPARE(kvHeadCount(embedded(), spec), 1);
    QCOMPARE(dataKvHeadCount(embedded(), spec), 2);
}

void TestInputCheck::headsAreClamped()
{
    const AttentionInput input{ { projected(), recorded() } };
    QCOMPARE(clamped({ 5, 5, 5, 5 }, input, {}), (HeadRef{ 1, 0, 1, 0 }));
    QCOMPARE(clamped({ -1, -1, 3, -1 }, input, {}), (HeadRef{ 0, 0, 3, 0 }));
}

void TestInputCheck::headsAreNamed()
{
    AttentionInput input{ { projected() } };
    QCOMPARE(headName(input, { 0, 0, 3, 0 }), std::string("3"));
    input.blocks.front().layers = 6;
    QCOMPARE(headName(input, { 0, 4, 0, 0 }), std::string("4·0"));
    input.blocks.push_back(recorded());
    input.blocks.back().name = "cross";
    QCOMPARE(headName(input, { 1, 0, 1, 0 }), std::string("cross 1"));
    input.blocks.back().name.clear();
    input.blocks.back().role = BlockRole::EncoderSelf;
    QCOMPARE(headName(input, { 1, 0, 1, 0 }), std::string("encoder 1"));
}

QTEST_APPLESS_MAIN(TestInputCheck)
#include "tst_input_check.moc"
