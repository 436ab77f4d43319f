// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionInput: what attention is computed on (or was recorded as), as a list of blocks.
#pragma once

#include "attention/spec.h"
#include "core/result.h"
#include "core/shared_matrix.h"

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attenscope {

/// What a block is in a model.
enum class BlockRole { Plain, EncoderSelf, DecoderSelf, Cross };

/// Q, K and V themselves. Index of a matrix: (layer · batch + element) · heads + head, with kvHeads for k and v.
struct ProjectedData {
    std::vector<SharedMatrix> q; ///< Queries x d_k.
    std::vector<SharedMatrix> k; ///< Keys x d_k.
    std::vector<SharedMatrix> v; ///< Keys x d_v; empty: no output stage.

    friend bool operator==(const ProjectedData &, const ProjectedData &) = default;
};

/// The projections of one layer. Q = X W_q + b_q; head h owns columns h·d_head to (h+1)·d_head. Empty biases are zero.
struct Projections {
    SharedMatrix wq, wk, wv; ///< d_in x (heads · d_head); wk and wv may have fewer heads.
    SharedMatrix wo; ///< (heads · d_v) x d_out; empty: no output projection.
    SharedMatrix bq, bk, bv, bo; ///< 1 x columns.

    friend bool operator==(const Projections &, const Projections &) = default;
};

/// Embeddings and projections. Index of x and y: layer · batch + element.
struct EmbeddedData {
    std::vector<SharedMatrix> x; ///< Queries x d_in.
    std::vector<SharedMatrix> y; ///< Keys x d_in of the keys; empty: self-attention, keys are x.
    std::vector<Projections> layers;
    std::vector<SharedMatrix> unplaced; ///< All of x, then of y, before sinusoidalPositions() were added; empty: none were.

    friend bool operator==(const EmbeddedData &, const EmbeddedData &) = default;
};

/// Weights from a file. Index: (layer · batch + element) · heads + head.
struct RecordedData {
    std::vector<SharedMatrix> weights; ///< Queries x keys.
    std::vector<Index> rowLengths; ///< Cells that row i has, for every head; the rest is absent. Empty: all.
    std::vector<Index>
        rowsNotSummingToOne; ///< Per matrix, of the rows looked at when the file was read; those behind the last entry were not looked at.

    friend bool operator==(const RecordedData &, const RecordedData &) = default;
};

struct AttentionInput;

/// The weights of the same block of another input, with tokens left out or merged: a row is the mean of its queries, a cell the sum of its keys.
struct ReducedData {
    std::shared_ptr<const AttentionInput> whole;
    AttentionSpec spec; ///< What the whole is computed with.
    std::vector<Range> queries; ///< Queries of the whole that each row stands for; ascending, disjoint, not empty.
    std::vector<Range> keys; ///< The same for columns.
    bool renormalizes = false; ///< Rows are divided by the sum of the cells that are left.

    friend bool operator==(const ReducedData &, const ReducedData &) = default;
};

/// A group of layers and heads over the same queries and keys.
struct AttentionBlock {
    BlockRole role = BlockRole::Plain;
    std::string name; ///< "encoder", "decoder", "cross" or what the file calls it.
    std::vector<std::string> queryTokens; ///< As many as queries.
    std::vector<std::string> keyTokens; ///< As many as keys.
    Index queries = 0;
    Index keys = 0;
    int layers = 1;
    int batch = 1;
    int heads = 1; ///< Query heads in the data; embedded data: 0, the spec says.
    int kvHeads = 1; ///< Key/value heads in the data; embedded data: 0.
    std::variant<ProjectedData, EmbeddedData, RecordedData, ReducedData> data;
    std::vector<std::vector<bool>> keyPadding; ///< Per batch element, per key: true = a real token. Empty: all real.
    std::vector<BitMatrix> masks; ///< Boolean masks that came with the data: none, one for all, or one per batch element.
    bool isUntrained = false; ///< Seeded random weights: shows the mechanism, not the language.

    /// There are weights and nothing that they could be computed from: those of a file, or reduced ones.
    [[nodiscard]] bool hasWeightsOnly() const { return isReduced() || std::holds_alternative<RecordedData>(data); }
    [[nodiscard]] bool isReduced() const { return std::holds_alternative<ReducedData>(data); }
    [[nodiscard]] bool hasValues() const;
    friend bool operator==(const AttentionBlock &, const AttentionBlock &) = default;
};

/// Immutable once made; shared as std::shared_ptr<const AttentionInput>.
struct AttentionInput {
    std::vector<AttentionBlock> blocks; ///< At least one.

    friend bool operator==(const AttentionInput &, const AttentionInput &) = default;
};

/// Which head of which batch element.
struct HeadRef {
    int block = 0;
    int layer = 0;
    int head = 0;
    int element = 0;

    /// Block by block, layer by layer, head by head.
    friend auto operator<=>(const HeadRef &, const HeadRef &) = default;
};

/// Query heads of a block under a spec: the data's, or for embedded data the spec's.
[[nodiscard]] int headCount(const AttentionBlock &block, const AttentionSpec &spec);
/// Key/value heads in use: spec.kvHeads where given, else the data's.
[[nodiscard]] int kvHeadCount(const AttentionBlock &block, const AttentionSpec &spec);
/// Key/value heads that the data have, whether or not the spec uses them all.
[[nodiscard]] int dataKvHeadCount(const AttentionBlock &block, const AttentionSpec &spec);
/// What the weights of @p block come from: @p spec, or that of the whole of reduced ones.
[[nodiscard]] const AttentionSpec &wholeSpec(const AttentionBlock &block, const AttentionSpec &spec);
/// @p ref moved to the nearest head that exists.
[[nodiscard]] HeadRef clamped(HeadRef ref, const AttentionInput &input, const AttentionSpec &spec);
/// "encoder", "decoder", "cross"; empty for Plain.
[[nodiscard]] std::string roleName(BlockRole role);
/// What the file calls block number @p place, else what its role is called: "encoder", "decoder", "cross", "block 0".
[[nodiscard]] std::string blockName(const AttentionInput &input, int place);
/// "4·0" for layer 4, head 0; "3" for a block with one layer; with the block's name in front where there are several.
[[nodiscard]] std::string headName(const AttentionInput &input, const HeadRef &ref);

/// Which control or table an answer of check() is about.
enum class SpecPart {
    Q,
    K,
    V,
    X,
    Y,
    Wq,
    Wk,
    Wv,
    Wo,
    Biases,
    Heads,
    KvHeads,
    Score,
    Scale,
    SoftCap,
    Temperature,
    Bias,
    Rope,
    Mask,
    Flash,
    Data
};

/// Why an input and a spec cannot be computed together.
struct SpecProblem {
    SpecPart part = SpecPart::Data;
    Error error;
};

/// Everything that explain and stream rely on: shapes fit, heads divide, parameters are in range. The first problem found, or nothing.
/// Bad parameters name the valid range. Data values are never a problem here; NaN and infinity are computed with.
[[nodiscard]] std::optional<SpecProblem> check(const AttentionBlock &block, const AttentionSpec &spec);

} // namespace attenscope
