// SPDX-License-Identifier: GPL-3.0-or-later
// Every field of a session once, for writing and reading alike.
#pragma once

#include "io/session_file.h"
#include "session/color_table_names.h"

#include <array>
#include <string_view>

namespace attenscope {

/// The names of an enumeration's values in session files, in the order of the values. Names are never changed, only added.
template <typename Enum>
inline constexpr std::array<std::string_view, 0> enumNames{};
template <>
inline constexpr std::array<std::string_view, 9> enumNames<Stage>{ "scores", "scaled", "capped", "biased", "tempered", "masked", "weights",
    "valueWeighted", "output" };
template <>
inline constexpr std::array<std::string_view, 6> enumNames<ShownView>{ "map", "lines", "vectors", "steps", "text", "layers" };
template <>
inline constexpr std::array<std::string_view, 5> enumNames<SentencePairs>{ "all", "withinA", "fromAToB", "fromBToA", "withinB" };
template <>
inline constexpr std::array<std::string_view, 4> enumNames<LayersShown>{ "rollout", "flow", "similarity", "embedding" };
template <>
inline constexpr std::array<std::string_view, 13> enumNames<HeadColumn>{ "head", "pattern", "entropy", "effectiveKeys", "normalizedEntropy",
    "distance", "previous", "first", "own", "induction", "next", "separator", "largest" };
template <>
inline constexpr std::array<std::string_view, 10> enumNames<Pattern>{ "previous", "next", "own", "induction", "first", "separator",
    "uniform", "local", "broad", "mixed" };
template <>
inline constexpr std::array<std::string_view, 3> enumNames<HeadsShown>{ "single", "mean", "max" };
template <>
inline constexpr auto enumNames<ColorTable> = colorTableNames;
template <>
inline constexpr std::array<std::string_view, 3> enumNames<ColorScale>{ "automatic", "linear", "logarithmic" };
template <>
inline constexpr std::array<std::string_view, 3> enumNames<ColorRange>{ "shared", "own", "row" };
template <>
inline constexpr std::array<std::string_view, 2> enumNames<CellNumbers>{ "whenTheyFit", "never" };
template <>
inline constexpr std::array<std::string_view, 3> enumNames<Fold>{ "max", "mean", "maxMagnitude" };
template <>
inline constexpr std::array<std::string_view, 6> enumNames<ScoreFunction>{ "scaledDot", "dot", "general", "concat", "additive", "linear" };
template <>
inline constexpr std::array<std::string_view, 10> enumNames<MaskRule>{ "none", "causal", "slidingWindow", "causalSlidingWindow", "prefixLm",
    "sparseStrided", "sparseFixed", "blockSparse", "sinksWindow", "document" };
template <>
inline constexpr std::array<std::string_view, 2> enumNames<CausalAlignment>{ "bottomRight", "topLeft" };
template <>
inline constexpr std::array<std::string_view, 2> enumNames<RopeLayout>{ "half", "interleaved" };
template <>
inline constexpr std::array<std::string_view, 2> enumNames<Normalization>{ "softmax", "softmax1" };
template <>
inline constexpr std::array<std::string_view, 2> enumNames<Algorithm>{ "exact", "flash" };
template <>
inline constexpr std::array<std::string_view, 3> enumNames<SplitRule>{ "whiteSpace", "characters", "lines" };
template <>
inline constexpr std::array<std::string_view, 2> enumNames<MatrixForm>{ "projected", "embedded" };
template <>
inline constexpr std::array<std::string_view, 23> enumNames<TensorRole>{ "unused", "queries", "keys", "values", "keysAndValues", "x", "y",
    "wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo", "weights", "keyPadding", "paddedKeys", "allowedMask", "hiddenMask", "queryTokens",
    "keyTokens", "tokens" };
template <>
inline constexpr std::array<std::string_view, 4> enumNames<BlockRole>{ "plain", "encoderSelf", "decoderSelf", "cross" };
template <>
inline constexpr std::array<std::string_view, 8> enumNames<Axis>{ "layer", "batch", "head", "query", "key", "row", "dimension", "ignored" };

// describe() calls field(name, value) of a writer or reader for every field of a value.

template <typename Archive>
void describe(Archive &archive, ScoreParameters &value)
{
    archive.field("w", value.w);
    archive.field("wDec", value.wDec);
    archive.field("wEnc", value.wEnc);
    archive.field("v", value.v);
}

template <typename Archive>
void describe(Archive &archive, MaskSpec &value)
{
    archive.field("rule", value.rule);
    archive.field("alignment", value.alignment);
    archive.field("window", value.window);
    archive.field("prefix", value.prefix);
    archive.field("stride", value.stride);
    archive.field("fixedColumns", value.fixedColumns);
    archive.field("sinks", value.sinks);
    archive.field("block", value.block);
    archive.field("blockLayout", value.blockLayout);
    archive.field("documentStarts", value.documentStarts);
    archive.field("paddedKeys", value.paddedKeys);
    archive.field("usesInputMask", value.usesInputMask);
    archive.field("allowed", value.allowed);
}

template <typename Archive>
void describe(Archive &archive, Rope &value)
{
    archive.field("layout", value.layout);
    archive.field("base", value.base);
    archive.field("queryOffset", value.queryOffset);
    archive.field("keyOffset", value.keyOffset);
}

template <typename Archive>
void describe(Archive &archive, AttentionSpec &value)
{
    archive.field("score", value.score);
    archive.field("parameters", value.parameters);
    archive.field("scale", value.scale);
    archive.field("softCap", value.softCap);
    archive.field("temperature", value.temperature);
    archive.field("bias", value.bias);
    archive.field("hasAlibi", value.hasAlibi);
    archive.field("rope", value.rope);
    archive.field("normalization", value.normalization);
    archive.field("mask", value.mask);
    archive.field("heads", value.heads);
    archive.field("kvHeads", value.kvHeads);
    archive.field("algorithm", value.algorithm);
    archive.field("queryBlock", value.queryBlock);
    archive.field("keyBlock", value.keyBlock);
}

template <typename Archive>
void describe(Archive &archive, TokensSource &value)
{
    archive.field("text", value.text);
    archive.field("keyText", value.keyText);
    archive.field("split", value.split);
    archive.field("dModel", value.dModel);
    archive.field("hasPositions", value.hasPositions);
    archive.field("seed", value.seed);
}

template <typename Archive>
void describe(Archive &archive, HeadMatrices &value)
{
    archive.field("q", value.q);
    archive.field("k", value.k);
    archive.field("v", value.v);
}

template <typename Archive>
void describe(Archive &archive, Projections &value)
{
    archive.field("wq", value.wq);
    archive.field("wk", value.wk);
    archive.field("wv", value.wv);
    archive.field("wo", value.wo);
    archive.field("bq", value.bq);
    archive.field("bk", value.bk);
    archive.field("bv", value.bv);
    archive.field("bo", value.bo);
}

template <typename Archive>
void describe(Archive &archive, MatricesSource &value)
{
    archive.field("form", value.form);
    archive.field("heads", value.heads);
    archive.field("x", value.x);
    archive.field("y", value.y);
    archive.field("projections", value.projections);
    archive.field("queryTokens", value.queryTokens);
    archive.field("keyTokens", value.keyTokens);
}

template <typename Archive>
void describe(Archive &archive, FileRef &value)
{
    archive.field("path", value.path);
    archive.field("size", value.size);
    archive.field("checksum", value.checksum);
    archive.field("modified", value.modified);
}

template <typename Archive>
void describe(Archive &archive, NamedTensor &value)
{
    archive.field("name", value.name);
    archive.field("file", value.file);
    archive.field("tensor", value.tensor);
}

template <typename Archive>
void describe(Archive &archive, TokenList &value)
{
    archive.field("name", value.name);
    archive.field("file", value.file);
    archive.field("tokens", value.tokens);
}

template <typename Archive>
void describe(Archive &archive, TensorSet &value)
{
    archive.field("tensors", value.tensors);
    archive.field("tokenLists", value.tokenLists);
    archive.field("notes", value.notes);
    archive.field("rowLengths", value.rowLengths);
}

template <typename Archive>
void describe(Archive &archive, TensorUse &value)
{
    archive.field("role", value.role);
    archive.field("block", value.block);
    archive.field("axes", value.axes);
    archive.field("layer", value.layer);
    archive.field("isTransposed", value.isTransposed);
    archive.field("step", value.step);
}

/// Without the tensors, which are only there if they are small.
template <typename Archive>
void describe(Archive &archive, FileSource &value)
{
    archive.field("files", value.files);
    archive.field("uses", value.uses);
    archive.field("queryTokens", value.queryTokens);
    archive.field("keyTokens", value.keyTokens);
}

template <typename Archive>
void describe(Archive &archive, HeadRef &value)
{
    archive.field("block", value.block);
    archive.field("layer", value.layer);
    archive.field("head", value.head);
    archive.field("element", value.element);
}

template <typename Archive>
void describe(Archive &archive, WeightFilter &value)
{
    archive.field("threshold", value.threshold);
    archive.field("mostKeys", value.mostKeys);
    archive.field("share", value.share);
}

template <typename Archive>
void describe(Archive &archive, HeadOrder &value)
{
    archive.field("by", value.by);
    archive.field("isDescending", value.isDescending);
    archive.field("only", value.only);
    archive.field("filter", value.filter);
}

template <typename Archive>
void describe(Archive &archive, TokenPlace &value)
{
    archive.field("block", value.block);
    archive.field("isQuery", value.isQuery);
    archive.field("position", value.position);
}

template <typename Archive>
void describe(Archive &archive, TokenPart &value)
{
    archive.field("block", value.block);
    archive.field("queries", value.queries);
    archive.field("keys", value.keys);
}

template <typename Archive>
void describe(Archive &archive, TokensShown &value)
{
    archive.field("leavesOutFirst", value.leavesOutFirst);
    archive.field("leavesOutPadding", value.leavesOutPadding);
    archive.field("leavesOutSpecials", value.leavesOutSpecials);
    archive.field("leftOut", value.leftOut);
    archive.field("part", value.part);
    archive.field("renormalizes", value.renormalizes);
    archive.field("mergesPieces", value.mergesPieces);
}

template <typename Archive>
void describe(Archive &archive, PatchGrid &value)
{
    archive.field("rows", value.rows);
    archive.field("cols", value.cols);
    archive.field("first", value.first);
    archive.field("picture", value.picture);
}

template <typename Archive>
void describe(Archive &archive, ViewState &value)
{
    archive.field("shown", value.shown);
    archive.field("stage", value.stage);
    archive.field("head", value.head);
    archive.field("headsShown", value.headsShown);
    archive.field("colors", value.colors);
    archive.field("scale", value.scale);
    archive.field("range", value.range);
    archive.field("numbers", value.numbers);
    archive.field("showsDifference", value.showsDifference);
    archive.field("fold", value.fold);
    archive.field("moreHeads", value.moreHeads);
    archive.field("filter", value.filter);
    archive.field("pairs", value.pairs);
    archive.field("sortsKeys", value.sortsKeys);
    archive.field("sortsDimensions", value.sortsDimensions);
    archive.field("layersShown", value.layersShown);
    archive.field("layersUpTo", value.layersUpTo);
    archive.field("heads", value.heads);
    archive.field("tokens", value.tokens);
    archive.field("patches", value.patches);
}

/// Without the source, of which there are three kinds.
template <typename Archive>
void describe(Archive &archive, Session &value)
{
    archive.field("mechanism", value.mechanism);
    archive.field("preset", value.preset);
    archive.field("comparison", value.comparison);
    archive.field("comparisonFollows", value.comparisonFollows);
    archive.field("view", value.view);
    archive.field("name", value.name);
}

template <typename Archive>
void describe(Archive &archive, Range &value)
{
    archive.field("first", value.first);
    archive.field("end", value.end);
}

template <typename Archive>
void describe(Archive &archive, CellRect &value)
{
    archive.field("rows", value.rows);
    archive.field("cols", value.cols);
}

template <typename Archive>
void describe(Archive &archive, std::pair<Index, Index> &value)
{
    archive.field("query", value.first);
    archive.field("key", value.second);
}

template <typename Archive>
void describe(Archive &archive, SelectionState &value)
{
    archive.field("picked", value.picked);
    archive.field("moreRows", value.moreRows);
    archive.field("moreCols", value.moreCols);
    archive.field("visible", value.visible);
}

} // namespace attenscope
