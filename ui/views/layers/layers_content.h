// SPDX-License-Identifier: GPL-3.0-or-later
// LayersContent: what is found across the layers of a block, with colours, names, words and notes.
#pragma once

#include "analysis/across_layers.h"
#include "analysis/scaling.h"
#include "views/map/map_content.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace attenscope {

/// What is to be computed. Similarity and embedding are one computation.
struct LayersRequest {
    LayersShown shown = LayersShown::Rollout; ///< Rollout, Flow or Similarity.
    LayerStack stack;

    /// Whether both ask for the same numbers; a result with more heads ready has the same.
    friend bool operator==(const LayersRequest &a, const LayersRequest &b);
};
/// What @p document shows across layers.
[[nodiscard]] LayersRequest layersRequest(const Document &document);
[[nodiscard]] double secondsOf(const LayersRequest &request);
/// Whether there is room for it, whatever time it takes. Errors: memory, with the size.
Result<void> checkMemoryOf(const LayersRequest &request);
/// Why there is nothing across layers to show, in one line; empty where there is.
[[nodiscard]] QString reasonForNoLayers(const Document &document);

/// The numbers.
struct LayersValues {
    LayersRequest request;
    Matrix values; ///< Positions x positions; of heads x heads their mean divergences.
    Matrix rows; ///< Of heads x heads: the rows that counted.
    ScaledPoints points; ///< One per head.
};
Result<std::shared_ptr<const LayersValues>> layersValues(const LayersRequest &request, const Run &run = {});
/// Those of an equal request that someone still holds; null where nobody does. On any thread.
[[nodiscard]] std::shared_ptr<const LayersValues> knownLayersValues(const LayersRequest &request);
/// Above this many seconds, by estimate, work waits until it is asked for.
inline constexpr double mostSecondsUnasked = 10.0;

/// Immutable once made.
struct LayersContent {
    LayersShown shown = LayersShown::Rollout;
    std::shared_ptr<const LayersValues> values;
    std::vector<HeadRef> heads; ///< Of similarity and embedding, in the order of rows and points.
    MapContent map; ///< Without a panel for the embedding.
    ColorTable colors = ColorTable::Viridis; ///< Of layers in the embedding.
    QStringList notes;

    [[nodiscard]] bool showsHeads() const { return shown == LayersShown::Similarity || shown == LayersShown::Embedding; }
    [[nodiscard]] const AttentionInput &input() const { return *values->request.stack.result->input; }
    /// "1·3", "3" in a block with one layer.
    [[nodiscard]] QString nameOf(std::size_t head) const;
    [[nodiscard]] std::optional<std::size_t> placeOf(const HeadRef &head) const;
};
[[nodiscard]] LayersContent layersContent(std::shared_ptr<const LayersValues> values, const ViewState &view);
/// layersContent() of what @p document shows, computed now where nobody holds it. Errors: why there is nothing, what takes so long that it waits
/// for its button while there is a window.
Result<LayersContent> shownLayers(const Document &document, const Run &run = {});

/// "query 3 cat → key 1 the, through layers 0 to 11: rollout 0.1234"; a lone row or column has -1 for the other: its largest.
[[nodiscard]] QString cellSentence(const LayersContent &content, Index row, Index col);
/// "head 0·3 and head 1·2: mean divergence 0.1234 nats over 64 rows, √ 0.3513"
[[nodiscard]] QString headsSentence(const LayersContent &content, std::size_t first, std::size_t second);
/// "head 1·2, nearest: 0·3 at √ 0.1234, …"
[[nodiscard]] QString nearestSentence(const LayersContent &content, std::size_t head);

/// "attention rollout", "head similarity".
[[nodiscard]] QString layersNoun(LayersShown shown);
/// "Attention flow through 12 layers of 64 positions takes about 40 s."
[[nodiscard]] QString costSentence(const LayersRequest &request);

} // namespace attenscope
