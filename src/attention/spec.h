// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionSpec: an attention mechanism as a plain comparable value.
#pragma once

#include "core/shared_matrix.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attenscope {

/// How a query and a key become one number.
enum class ScoreFunction {
    ScaledDot, ///< q·k · scale, scale 1/√d_k unless given. Vaswani et al. 2017, arXiv:1706.03762.
    Dot, ///< q·k. Luong et al. 2015, arXiv:1508.04025.
    General, ///< qᵀ W k. The same.
    Concat, ///< vᵀ tanh(W [q; k]). The same.
    Additive, ///< vᵀ tanh(W_dec q + W_enc k). Bahdanau et al. 2015, arXiv:1409.0473.
    Linear, ///< φ(q)·φ(k) with φ = elu + 1, no softmax. Katharopoulos et al. 2020, arXiv:2006.16236.
};

/// Learned parameters of the score functions that have them; shapes as in the papers, column vectors. All empty: seeded ones that fit the
/// input (see parametersFor()).
struct ScoreParameters {
    SharedMatrix w; ///< General: d_q x d_k. Concat: d_att x (d_q + d_k).
    SharedMatrix wDec; ///< Additive: d_att x d_q.
    SharedMatrix wEnc; ///< Additive: d_att x d_k.
    SharedMatrix v; ///< Concat, Additive: d_att x 1.

    friend bool operator==(const ScoreParameters &, const ScoreParameters &) = default;
};

/// Who may see whom, as a rule.
enum class MaskRule {
    None,
    Causal, ///< j <= i + offset, the offset by CausalAlignment.
    SlidingWindow, ///< |i - j| <= window. Longformer, arXiv:2004.05150.
    CausalSlidingWindow, ///< The last `window` keys, own included. Mistral 7B, arXiv:2310.06825.
    PrefixLm, ///< j <= i or j < prefix. UniLM, arXiv:1905.03197.
    SparseStrided, ///< i - j <= stride or (i - j) mod stride = 0, causal. arXiv:1904.10509.
    SparseFixed, ///< Same block of `stride`, or j mod stride >= stride - c, causal. The same.
    BlockSparse, ///< blockLayout(i div block, j div block).
    SinksWindow, ///< j <= i and (j < sinks or i - j < window). StreamingLLM, arXiv:2309.17453.
    Document, ///< Packed sequences: only keys of the same document, causal.
};

/// Which corner the diagonal starts from when there are not as many queries as keys.
enum class CausalAlignment {
    BottomRight, ///< j <= i + nk - nq: the last query sees every key (a key/value cache).
    TopLeft, ///< j <= i: the first query sees the first key.
};

/// rows x cols bits, shared by copies. 1 = this query may attend to this key.
class BitMatrix {
public:
    BitMatrix() = default;
    /// All bits @p value.
    BitMatrix(Index rows, Index cols, bool value);

    [[nodiscard]] Index rows() const { return m_rows; }
    [[nodiscard]] Index cols() const { return m_cols; }
    [[nodiscard]] bool isEmpty() const { return m_rows == 0; }
    [[nodiscard]] bool at(Index row, Index col) const;
    void set(Index row, Index col, bool value);
    /// The bits of a row, column 0 lowest in the first word; bits after the last column are 0.
    [[nodiscard]] std::span<const std::uint64_t> words(Index row) const;

    friend bool operator==(const BitMatrix &a, const BitMatrix &b);

private:
    Index m_rows = 0;
    Index m_cols = 0;
    std::shared_ptr<std::vector<std::uint64_t>> m_words; ///< Each row starts a word; copied before a change if shared.
};

/// A rule and what is combined with it: a key is visible if everything here allows it.
struct MaskSpec {
    MaskRule rule = MaskRule::None;
    CausalAlignment alignment = CausalAlignment::BottomRight;
    Index window = 4;
    Index prefix = 1;
    Index stride = 4;
    Index fixedColumns = 1; ///< c of SparseFixed.
    Index sinks = 1;
    Index block = 4;
    BitMatrix blockLayout;
    std::vector<Index> documentStarts; ///< Ascending; 0 is implied.

    Index paddedKeys = 0; ///< This many keys at the end are padding: nobody sees them.
    bool usesInputMask = true; ///< Key padding and boolean masks that came with the data also count.
    BitMatrix allowed; ///< A boolean mask of the user's own, queries x keys; empty: none.

    friend bool operator==(const MaskSpec &, const MaskSpec &) = default;
};

enum class RopeLayout {
    Half, ///< Pair (f, f + d/2). GPT-NeoX; LLaMA in Hugging Face.
    Interleaved, ///< Pair (2f, 2f + 1). GPT-J; Meta's LLaMA code.
};

/// Rotary position embedding on q and k before the scores. Su et al. 2021, arXiv:2104.09864.
struct Rope {
    RopeLayout layout = RopeLayout::Half;
    double base = 10000.0;
    Index queryOffset = 0; ///< Position of query 0.
    Index keyOffset = 0;

    friend bool operator==(const Rope &, const Rope &) = default;
};

/// How weights are made of masked scores.
enum class Normalization {
    Softmax,
    Softmax1, ///< exp(x) / (1 + Σ exp(x)). Miller 2023, "Attention Is Off By One".
};

enum class Algorithm {
    Exact,
    Flash, ///< Tiled with running maximum and sum. Dao et al. 2022, arXiv:2205.14135.
};

/// The mechanism. The order of the steps is: projections, RoPE on q and k, scores, scale, soft cap, bias, temperature, mask, softmax.
struct AttentionSpec {
    ScoreFunction score = ScoreFunction::ScaledDot;
    ScoreParameters parameters;
    std::optional<double> scale; ///< Factor on the scores; unset: 1/√d_k for ScaledDot, 1 for the others.
    std::optional<double> softCap; ///< cap · tanh(x / cap). Gemma 2, arXiv:2408.00118.
    double temperature = 1.0;
    SharedMatrix bias; ///< Added to the scaled scores, queries x keys, the same for every head; 0 x 0: none.
    bool hasAlibi = false; ///< Bias -slope_h · |i - j|, positions aligned as the causal mask's. Press et al. 2022, arXiv:2108.12409.
    std::optional<Rope> rope;
    Normalization normalization = Normalization::Softmax;
    MaskSpec mask;
    /// Query heads: how the columns of embedded projections are split. For projected and recorded data the data say it.
    int heads = 1;
    /// Key/value heads; 0: as many as the data have. Each serves heads / kvHeads query heads in a row; where the data have more,
    /// the first of each group is taken. 1: multi-query, arXiv:1911.02150; between: grouped-query, arXiv:2305.13245.
    int kvHeads = 0;
    Algorithm algorithm = Algorithm::Exact;
    Index queryBlock = 64; ///< Flash.
    Index keyBlock = 64; ///< Flash.

    friend bool operator==(const AttentionSpec &, const AttentionSpec &) = default;
};

/// @p spec with its rule replaced by Causal or None: what the Causal / Unmasked toggle does.
[[nodiscard]] AttentionSpec withCausalMask(const AttentionSpec &spec, bool causal);
/// "causal", "unmasked", "window": the mask of @p spec in a word or two, for titles and labels.
[[nodiscard]] std::string maskName(const MaskSpec &mask);

} // namespace attenscope
