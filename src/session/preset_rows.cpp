// SPDX-License-Identifier: GPL-3.0-or-later
// The gallery: every mechanism with its formula, one sentence, its paper, and what it changes.
#include "session/preset_table.h"

#include "attention/mask.h"

namespace attenscope {

namespace {

/// Four sinks from this many keys on; on less they would be half of the input.
constexpr Index keysForFourSinks = 16;

void setMask(PresetUse &use, MaskRule rule)
{
    use.spec.mask = withRule(use.spec.mask, rule, use.block);
}

void setScore(PresetUse &use, ScoreFunction score)
{
    use.spec.score = score;
    use.spec.scale.reset();
}

std::vector<PresetEntry> wholeMechanisms()
{
    return {
        { { "bahdanau-2014", PresetGroup::Whole, "Bahdanau 2014", R"('softmax'(v^'T''tanh'(W_{dec}q_i + W_{enc}k_j)) V)",
              "Additive attention: a small network scores every query with every key; the first attention in translation.",
              "Bahdanau et al.", "arXiv:1409.0473", 2014 },
            [](PresetUse &use) {
                setScore(use, ScoreFunction::Additive);
                needSecondSequence(use);
                needOneHead(use);
            } },
        { { "luong-2015", PresetGroup::Whole, "Luong 2015", R"('softmax'(QWK^'T') V)",
              "The general score: a learned matrix between query and key; the paper also has dot and concat.", "Luong et al.",
              "arXiv:1508.04025", 2015 },
            [](PresetUse &use) {
                setScore(use, ScoreFunction::General);
                needSecondSequence(use);
                needOneHead(use);
            } },
        { { "transformer-encoder", PresetGroup::Whole, "Transformer encoder", R"('softmax'(\frac{QK^'T'}{\sqrt{d_k}}) V)",
              "Every token looks at every token of its own sequence.", "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) { needOneSequence(use); } },
        { { "transformer-decoder", PresetGroup::Whole, "Transformer decoder", R"('softmax'(\frac{QK^'T'}{\sqrt{d_k}} + M) V)",
              "Self-attention of the decoder: every token looks at itself and at what is before it.", "Vaswani et al.", "arXiv:1706.03762",
              2017 },
            [](PresetUse &use) {
                setCausal(use);
                needOneSequence(use);
            } },
        { { "cross-attention", PresetGroup::Whole, "Cross-attention", R"('softmax'(\frac{Q_xK_y^'T'}{\sqrt{d_k}}) V_y)",
              "Queries of one sequence look at keys and values of another, as the decoder at the encoder.", "Vaswani et al.",
              "arXiv:1706.03762", 2017 },
            [](PresetUse &use) { needSecondSequence(use); } },
        { { "multi-query", PresetGroup::Whole, "Multi-query (PaLM, Falcon-7B)", R"('softmax'(\frac{RQ_h(RK)^'T'}{\sqrt{d_k}} + M) V)",
              "All query heads share one key/value head, so that the cache is as small as one head's; causal, with RoPE.", "Shazeer",
              "arXiv:1911.02150", 2019 },
            [](PresetUse &use) {
                setCausal(use);
                shareAll(use);
                setRope(use);
                needNoSinusoids(use);
            } },
        { { "grouped-query", PresetGroup::Whole, "Grouped-query (LLaMA 2 70B, Mistral 7B)",
              R"('softmax'(\frac{RQ_h(RK_{g(h)})^'T'}{\sqrt{d_k}} + M) V_{g(h)})",
              "Each group of query heads shares one key/value head, between multi-head and multi-query; causal, with RoPE.",
              "Ainslie et al.", "arXiv:2305.13245", 2023 },
            [](PresetUse &use) {
                setCausal(use);
                shareInGroups(use);
                setRope(use);
                needNoSinusoids(use);
            } },
        { { "longformer", PresetGroup::Whole, "Two-sided window (Longformer)",
              R"('softmax'(\frac{QK^'T'}{\sqrt{d_k}} + M) V,~~|i − j| ≤ w)",
              "Every token looks at w neighbours on each side; without the global tokens of the paper.", "Beltagy et al.",
              "arXiv:2004.05150", 2020 },
            [](PresetUse &use) {
                setMask(use, MaskRule::SlidingWindow);
                use.spec.mask.window = windowFor(use, 256);
            } },
        { { "mistral-window", PresetGroup::Whole, "Causal window (Mistral 7B v0.1)",
              R"('softmax'(\frac{RQ(RK)^'T'}{\sqrt{d_k}} + M) V,~~0 ≤ i − j < w)",
              "Every token looks at the last w keys, its own included; with RoPE and grouped queries.", "Jiang et al.", "arXiv:2310.06825",
              2023 },
            [](PresetUse &use) {
                setMask(use, MaskRule::CausalSlidingWindow);
                use.spec.mask.window = windowFor(use, 4096);
                shareInGroups(use);
                setRope(use);
                needNoSinusoids(use);
            } },
        { { "alibi-bloom", PresetGroup::Whole, "ALiBi (BLOOM)", R"('softmax'(\frac{QK^'T'}{\sqrt{d_k}} − m_h(i − j) + M) V)",
              "No positions in the embeddings: every head lowers its scores with the distance, each by its own slope.", "Press et al.",
              "arXiv:2108.12409", 2021 },
            [](PresetUse &use) {
                setCausal(use);
                use.spec.hasAlibi = true;
                needNoSinusoids(use);
            } },
        { { "soft-cap-gemma-2", PresetGroup::Whole, "Soft cap (Gemma 2)", R"('softmax'(c~'tanh'(\frac{RQ(RK)^'T'}{c\sqrt{d_k}}) + M) V)",
              "Scores are held between −50 and 50 before the softmax; as in the layers that see everything before them, with RoPE.",
              "Gemma Team", "arXiv:2408.00118", 2024 },
            [](PresetUse &use) {
                setCausal(use);
                use.spec.softCap = 50.0;
                shareInGroups(use);
                setRope(use);
                needNoSinusoids(use);
            } },
        { { "sinks-streaming-llm", PresetGroup::Whole, "Sinks (StreamingLLM)",
              R"('softmax'(\frac{QK^'T'}{\sqrt{d_k}} + M) V,~~j < s~'or'~i − j < w)",
              "The first four tokens and a causal window stay visible; the mask of the paper, positions are not renumbered.", "Xiao et al.",
              "arXiv:2309.17453", 2023 },
            [](PresetUse &use) {
                setMask(use, MaskRule::SinksWindow);
                use.spec.mask.sinks = use.block.keys >= keysForFourSinks ? 4 : 1;
                use.spec.mask.window = windowFor(use, 1020);
            } },
        { { "linear", PresetGroup::Whole, "Linear attention", R"(\frac{φ(Q)(φ(K)^'T'V)}{φ(Q)φ(K)^'T'1},~~φ = 'elu' + 1)",
              "No softmax: sums over the keys are kept instead of a map, so that the work grows with n and not with n².",
              "Katharopoulos et al.", "arXiv:2006.16236", 2020 },
            [](PresetUse &use) {
                setScore(use, ScoreFunction::Linear);
                setCausal(use);
            } },
    };
}

std::vector<PresetEntry> scores()
{
    return {
        { { "score-scaled-dot", PresetGroup::Score, "Scaled dot product", R"(\frac{q_i·k_j}{\sqrt{d_k}})",
              "The dot product, divided so that it does not grow with the dimension.", "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) { setScore(use, ScoreFunction::ScaledDot); } },
        { { "score-dot", PresetGroup::Score, "Dot product", R"(q_i·k_j)", "How far query and key point the same way, nothing else.",
              "Luong et al.", "arXiv:1508.04025", 2015 },
            [](PresetUse &use) { setScore(use, ScoreFunction::Dot); } },
        { { "score-general", PresetGroup::Score, "General", R"(q_i^'T'Wk_j)",
              "A learned matrix between them; query and key may have different widths.", "Luong et al.", "arXiv:1508.04025", 2015 },
            [](PresetUse &use) { setScore(use, ScoreFunction::General); } },
        { { "score-concat", PresetGroup::Score, "Concat", R"(v^'T''tanh'(W[q_i;k_j]))", "A small network over both, side by side.",
              "Luong et al.", "arXiv:1508.04025", 2015 },
            [](PresetUse &use) { setScore(use, ScoreFunction::Concat); } },
        { { "score-additive", PresetGroup::Score, "Additive", R"(v^'T''tanh'(W_{dec}q_i + W_{enc}k_j))",
              "A small network with one matrix for queries and one for keys.", "Bahdanau et al.", "arXiv:1409.0473", 2014 },
            [](PresetUse &use) { setScore(use, ScoreFunction::Additive); } },
        { { "score-linear", PresetGroup::Score, "Linear", R"(φ(q_i)·φ(k_j),~~φ = 'elu' + 1)",
              "Positive features in place of the exponential; weights are their products divided by the sum of the row.",
              "Katharopoulos et al.", "arXiv:2006.16236", 2020 },
            [](PresetUse &use) { setScore(use, ScoreFunction::Linear); } },
    };
}

std::vector<PresetEntry> softmaxes()
{
    return {
        { { "softmax", PresetGroup::Softmax, "Softmax", R"(\frac{e^{x_j}}{Σ_l e^{x_l}})", "Positive weights that sum to 1.",
              "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) {
                use.spec.normalization = Normalization::Softmax;
                use.spec.softCap.reset();
                use.spec.temperature = 1.0;
            } },
        { { "softmax1", PresetGroup::Softmax, "Softmax1", R"(\frac{e^{x_j}}{1 + Σ_l e^{x_l}})",
              "One more in the denominator: a query that wants nothing may give away less than 1.", "Miller, “Attention Is Off By One”", "",
              2023 },
            [](PresetUse &use) { use.spec.normalization = Normalization::Softmax1; } },
        { { "temperature", PresetGroup::Softmax, "Temperature", R"('softmax'(\frac{x}{T}))",
              "Below 1 sharper, above 1 flatter; starts at 2 here.", "Hinton et al.", "arXiv:1503.02531", 2015 },
            [](PresetUse &use) { use.spec.temperature = 2.0; } },
        { { "soft-cap", PresetGroup::Softmax, "Soft cap", R"(c~'tanh'(\frac{x}{c}))", "Scores are held between −c and c; 50 as in Gemma 2.",
              "Gemma Team", "arXiv:2408.00118", 2024 },
            [](PresetUse &use) { use.spec.softCap = 50.0; } },
    };
}

std::vector<PresetEntry> headsAndSources()
{
    return {
        { { "heads-multi", PresetGroup::Heads, "Multi-head", R"('head'_h = A(Q_h, K_h, V_h))",
              "Every head has queries, keys and values of its own.", "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) { use.spec.kvHeads = 0; } },
        { { "heads-grouped", PresetGroup::Heads, "Grouped-query", R"('head'_h = A(Q_h, K_{g(h)}, V_{g(h)}))",
              "Each group of query heads shares keys and values.", "Ainslie et al.", "arXiv:2305.13245", 2023 },
            [](PresetUse &use) { shareInGroups(use); } },
        { { "heads-multi-query", PresetGroup::Heads, "Multi-query", R"('head'_h = A(Q_h, K, V))",
              "All query heads share one key/value head.", "Shazeer", "arXiv:1911.02150", 2019 },
            [](PresetUse &use) { shareAll(use); } },
        { { "source-self", PresetGroup::KeySource, "Self-attention", R"(Q = XW_q,~K = XW_k,~V = XW_v)",
              "Queries, keys and values come from the same tokens.", "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) {
                if (auto *tokens = std::get_if<TokensSource>(&use.result.session.source))
                    tokens->keyText.reset();
                else
                    needOneSequence(use);
            } },
        { { "source-cross", PresetGroup::KeySource, "Cross-attention", R"(Q = XW_q,~K = YW_k,~V = YW_v)",
              "Keys and values come from a second sequence.", "Bahdanau et al.", "arXiv:1409.0473", 2014 },
            [](PresetUse &use) { needSecondSequence(use); } },
    };
}

std::vector<PresetEntry> masks()
{
    return {
        { { "mask-none", PresetGroup::Mask, "None", R"(M = 0)", "Every query sees every key.", "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) {
                setMask(use, MaskRule::None);
                use.spec.mask.allowed = {};
            } },
        { { "mask-causal", PresetGroup::Mask, "Causal", R"(j ≤ i)", "Every query sees itself and what is before it.", "Vaswani et al.",
              "arXiv:1706.03762", 2017 },
            [](PresetUse &use) { setMask(use, MaskRule::Causal); } },
        { { "mask-window", PresetGroup::Mask, "Sliding window", R"(|i − j| ≤ w)", "Every query sees its neighbours on both sides.",
              "Beltagy et al.", "arXiv:2004.05150", 2020 },
            [](PresetUse &use) { setMask(use, MaskRule::SlidingWindow); } },
        { { "mask-causal-window", PresetGroup::Mask, "Causal sliding window", R"(0 ≤ i − j < w)",
              "Every query sees the last w keys, its own included.", "Jiang et al.", "arXiv:2310.06825", 2023 },
            [](PresetUse &use) { setMask(use, MaskRule::CausalSlidingWindow); } },
        { { "mask-prefix", PresetGroup::Mask, "Prefix-LM", R"(j ≤ i~'or'~j < p)",
              "Everybody sees the prefix, and the rest is causal: a prompt and its continuation.", "Dong et al.", "arXiv:1905.03197",
              2019 },
            [](PresetUse &use) { setMask(use, MaskRule::PrefixLm); } },
        { { "mask-strided", PresetGroup::Mask, "Strided (Sparse Transformer)", R"(0 ≤ i − j ≤ l~'or'~l~'divides'~i − j)",
              "Near keys, and every l-th before them; two layers reach everything.", "Child et al.", "arXiv:1904.10509", 2019 },
            [](PresetUse &use) { setMask(use, MaskRule::SparseStrided); } },
        { { "mask-fixed", PresetGroup::Mask, "Fixed (Sparse Transformer)", R"(⌊j/l⌋ = ⌊i/l⌋~'or'~j~'mod'~l ≥ l − c)",
              "The own block, and the last c keys of every block before it.", "Child et al.", "arXiv:1904.10509", 2019 },
            [](PresetUse &use) { setMask(use, MaskRule::SparseFixed); } },
        { { "mask-blocks", PresetGroup::Mask, "Block-sparse", R"(L_{⌊i/b⌋,⌊j/b⌋} = 1)",
              "Whole blocks are visible or hidden, by a layout that can be edited.", "Child et al.", "arXiv:1904.10509", 2019 },
            [](PresetUse &use) { setMask(use, MaskRule::BlockSparse); } },
        { { "mask-sinks", PresetGroup::Mask, "Sinks and window", R"(j ≤ i~'and'~(j < s~'or'~i − j < w))",
              "The first s keys and a causal window.", "Xiao et al.", "arXiv:2309.17453", 2023 },
            [](PresetUse &use) { setMask(use, MaskRule::SinksWindow); } },
        { { "mask-documents", PresetGroup::Mask, "Documents", R"('doc'(i) = 'doc'(j)~'and'~j ≤ i)",
              "Several texts packed into one sequence do not see each other.", "Krell et al.", "arXiv:2107.02027", 2021 },
            [](PresetUse &use) { setMask(use, MaskRule::Document); } },
    };
}

std::vector<PresetEntry> positionsAndAlgorithms()
{
    return {
        { { "positions-none", PresetGroup::Positions, "None", R"(x_i)", "The order of the keys does not matter, only the mask tells it.",
              "", "", 0 },
            [](PresetUse &use) {
                use.spec.rope.reset();
                use.spec.hasAlibi = false;
                use.spec.bias = {};
                if (auto *tokens = std::get_if<TokensSource>(&use.result.session.source))
                    tokens->hasPositions = false;
            } },
        { { "positions-sinusoidal", PresetGroup::Positions, "Sinusoidal",
              R"(p_{i,2f} = 'sin'(i/10000^{2f/d}),~p_{i,2f+1} = 'cos'(i/10000^{2f/d}))",
              "Waves of different length are added to the embeddings.", "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) {
                if (auto *tokens = std::get_if<TokensSource>(&use.result.session.source)) {
                    tokens->hasPositions = true;
                    return;
                }
                use.result.fits = false;
                use.note("They are added to embeddings of typed tokens; this input has its own.");
            } },
        { { "positions-rope", PresetGroup::Positions, "RoPE", R"(R_iq_i·R_jk_j,~~'angle'~iθ^{−2f/d})",
              "Pairs of dimensions are turned by the position: scores depend on the distance.", "Su et al.", "arXiv:2104.09864", 2021 },
            [](PresetUse &use) { setRope(use); } },
        { { "positions-alibi", PresetGroup::Positions, "ALiBi", R"(x − m_h|i − j|)",
              "Scores sink with the distance, by a slope of each head.", "Press et al.", "arXiv:2108.12409", 2021 },
            [](PresetUse &use) { use.spec.hasAlibi = true; } },
        { { "positions-bias", PresetGroup::Positions, "Additive bias", R"(x + B_{ij})",
              "Any matrix is added to the scores, as relative biases are; begins with zeros.", "Raffel et al.", "arXiv:1910.10683", 2019 },
            [](PresetUse &use) {
                if (use.spec.bias.isEmpty())
                    setZeroBias(use);
            } },
        { { "algorithm-exact", PresetGroup::Algorithm, "Exact", R"(A = 'softmax'(S),~O = AV)", "The whole map, row by row.",
              "Vaswani et al.", "arXiv:1706.03762", 2017 },
            [](PresetUse &use) { use.spec.algorithm = Algorithm::Exact; } },
        { { "algorithm-flash", PresetGroup::Algorithm, "Flash, tile by tile",
              R"(m_{+} = 'max'(m, x),~l_{+} = e^{m − m_{+}}l + Σe^{x − m_{+}})",
              "The same result from tiles, with a running maximum and sum: no map is ever held.", "Dao et al.", "arXiv:2205.14135", 2022 },
            [](PresetUse &use) { use.spec = withFlash(use.spec, use.block.queries, use.block.keys); } },
    };
}

} // namespace

const std::vector<PresetEntry> &presetEntries()
{
    static const std::vector<PresetEntry> all = [] {
        std::vector<PresetEntry> rows;
        for (const auto &part : { wholeMechanisms(), scores(), softmaxes(), headsAndSources(), masks(), positionsAndAlgorithms() })
            rows.insert(rows.end(), part.begin(), part.end());
        return rows;
    }();
    return all;
}

} // namespace attenscope
