// SPDX-License-Identifier: GPL-3.0-or-later
// TensorSet: what opened files contain, and how it is understood as an input.
#pragma once

#include "attention/input.h"
#include "core/tensor.h"

#include <memory>
#include <string>
#include <vector>

namespace attenscope {

/// An array with its name in the file (or the file's base name for formats with one array).
struct NamedTensor {
    std::string name;
    std::string file; ///< Base name of the file it is from.
    Tensor tensor;

    friend bool operator==(const NamedTensor &, const NamedTensor &) = default;
};

/// A list of token names found in a file: a .txt or .json beside it, or a JSON string in safetensors metadata.
struct TokenList {
    std::string name; ///< "tokens", "encoder_tokens", …
    std::string file;
    std::vector<std::string> tokens;

    friend bool operator==(const TokenList &, const TokenList &) = default;
};

/// Everything usable that the opened files contain, in file order. Immutable, shared.
struct TensorSet {
    std::vector<NamedTensor> tensors;
    std::vector<TokenList> tokenLists;
    std::vector<std::string> notes; ///< Things to say once: "3 NaN in q", "ragged rows padded".
    std::vector<Index> rowLengths; ///< Of a ragged table read from text: cells per row. Empty: full.

    friend bool operator==(const TensorSet &, const TensorSet &) = default;
};

/// What a tensor or a token list is used as.
enum class TensorRole {
    Unused,
    Queries,
    Keys,
    Values, ///< Projected.
    KeysAndValues, ///< Projected, one array for both: the encoder states of Luong's and Bahdanau's attention.
    X,
    Y,
    Wq,
    Wk,
    Wv,
    Wo,
    Bq,
    Bk,
    Bv,
    Bo, ///< Embedded.
    Weights, ///< Recorded attention.
    KeyPadding, ///< (batch, keys), 1 = a real token.
    PaddedKeys, ///< The same, 1 = padding (torch.nn.MultiheadAttention's key_padding_mask).
    AllowedMask, ///< 1 = may attend. With negative numbers in it: it was to be added to the scores, 0 = may attend.
    HiddenMask, ///< 1 = may not attend (torch.nn.MultiheadAttention's polarity).
    QueryTokens,
    KeyTokens,
    Tokens, ///< Names; Tokens: of both axes.
};

/// What one axis of a tensor is. Query, Key: of weights and masks. Row, Dimension: of all others, also the rows and columns of projections.
/// Of an Ignored axis the first position is used.
enum class Axis { Layer, Batch, Head, Query, Key, Row, Dimension, Ignored };

/// How one entry of a TensorSet is used. Entries: the tensors in order, then the token lists.
struct TensorUse {
    TensorRole role = TensorRole::Unused;
    BlockRole block = BlockRole::Plain;
    std::vector<Axis> axes; ///< One per axis of the tensor, in any order; empty: the first of axisChoices().
    int layer = -1; ///< One array per layer: the number in its name; -1: the array has all layers.
    bool isTransposed = false; ///< Recorded weights whose columns, not rows, sum to 1: keys down, queries across in the file.
    int step = -1; ///< One array (or one per layer) per step of generation: their order; -1: the array has all queries.

    friend bool operator==(const TensorUse &, const TensorUse &) = default;
};

/// The uses that names and shapes suggest. Names are compared without case, separators and prefixes such as "layer.3.attn.": q, query, queries,
/// query_states, k, …; s and h (Luong); x, hidden_states, embeddings; w_q, q_proj, query.weight (torch's, transposed); attention(s), attn,
/// weights, encoder_attentions, decoder_attentions, cross_attentions; key_padding, attention_mask; mask; tokens. A block is what its
/// arrays allow first: q and k, then x with projections, then recorded weights; all else is Unused. Arrays whose names differ in a number are
/// the layers, or the steps of generation where each has the queries that follow those of the one before. Of several recordings of the same block the first whose name is the usual one is taken. A single array that no name tells is
/// taken for recorded weights.
[[nodiscard]] std::vector<TensorUse> recognise(const TensorSet &set);

/// Orders in which the axes of @p tensor could be meant for @p role, best guess first: for the corrections in the File tab.
[[nodiscard]] std::vector<std::vector<Axis>> axisChoices(const Tensor &tensor, TensorRole role);

/// What is odd but usable about recorded weights, counted on the heads looked at (at most 64 MB are read).
struct WeightsCheck {
    Index rowsLookedAt = 0;
    Index rowsNotSummingToOne = 0; ///< |Σ - 1| > 1e-3; rows that hold NaN do not count.
    std::vector<Index> rowsNotSummingToOneByMatrix; ///< The same for each matrix looked at.
    bool columnsSumToOne = false; ///< Of whole heads, while rows do not: then transposing is offered.
    bool isCausal = false; ///< There are cells above the diagonal (that ends in the last cell), and all are 0.
    Index nanCells = 0;
    Index infiniteCells = 0;
};
[[nodiscard]] WeightsCheck checkWeights(const AttentionBlock &block);

/// Puts the tensors together to blocks, as views of them: nothing large is copied. Blocks come in the order of BlockRole.
/// @p queryTokens and @p keyTokens override the lists in the set; where a set has encoder and decoder blocks they name the decoder's and the
/// encoder's positions. Too few or too many names are padded with positions or cut. @p notes gets what is to be said: the notes of the set,
/// names padded or cut, layers that are not there, masks that do not fit and are not used, rows that do not sum to 1.
/// Errors: nothing usable, shapes that contradict each other; which tensor and what to do.
Result<AttentionInput> interpret(const TensorSet &set, const std::vector<TensorUse> &uses, const std::vector<std::string> &queryTokens,
    const std::vector<std::string> &keyTokens, std::vector<std::string> *notes = nullptr);

} // namespace attenscope
