// SPDX-License-Identifier: GPL-3.0-or-later
// Session: everything the user chose, as one plain comparable value.
#pragma once

#include "attention/attention_result.h"
#include "attention/weight_filter.h"
#include "session/head_order.h"
#include "session/source.h"
#include "session/tokens_shown.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attenscope {

/// One head, or all heads of its layer combined.
enum class HeadsShown { Single, Mean, Max };
enum class ColorTable { Viridis, Cividis, Magma, Grey };
/// Automatic: logarithmic for weights above 128 keys, else linear.
enum class ColorScale { Automatic, Linear, Logarithmic };
/// Shared: weights 0 to 1, other stages one range over all heads of the layer. Own: the range of the shown map. Row: weights from 0 to the largest
/// of their row, so that what a sink leaves is seen.
enum class ColorRange { Shared, Own, Row };
enum class CellNumbers { WhenTheyFit, Never };

/// The view in the centre of the window.
enum class ShownView { Map, Lines, Vectors, Steps, Text, Layers };

/// Which pairs of two packed sentences A and B lines are drawn for, query first.
enum class SentencePairs { All, WithinA, FromAToB, FromBToA, WithinB };

/// What is shown of several layers together.
enum class LayersShown { Rollout, Flow, Similarity, Embedding };

/// The keys (or queries) of an image, row by row from the top: patches beside the map.
struct PatchGrid {
    Index rows = 0;
    Index cols = 0;
    Index first = 0; ///< Position of the patch at the top left: 1 after a class token.
    std::string picture; ///< Path of the picture under the patches; empty: none.

    friend bool operator==(const PatchGrid &, const PatchGrid &) = default;
};

/// What is shown and how; a change here never computes scores anew.
struct ViewState {
    ShownView shown = ShownView::Map;
    Stage stage = Stage::Weights;
    HeadRef head;
    HeadsShown headsShown = HeadsShown::Single;
    ColorTable colors = ColorTable::Viridis;
    ColorScale scale = ColorScale::Automatic;
    ColorRange range = ColorRange::Shared;
    CellNumbers numbers = CellNumbers::WhenTheyFit;
    bool showsDifference = true; ///< While comparing.
    Fold fold = Fold::Max; ///< Max or Mean.
    std::vector<HeadRef> moreHeads; ///< Drawn as lines beside the picked one, in the order in which they were added.
    WeightFilter filter; ///< Of lines and text.
    SentencePairs pairs = SentencePairs::All;
    bool sortsKeys = false; ///< Vectors: keys by weight, largest first.
    bool sortsDimensions = false; ///< Vectors: dimensions by what they add to the score of the picked key, largest magnitude first.
    LayersShown layersShown = LayersShown::Rollout;
    int layersUpTo = -1; ///< The last layer that rollout and flow go through; -1: all.
    HeadOrder heads; ///< In the head grid and the head table.
    TokensShown tokens; ///< Every view but the steps and vectors of whole tokens shows these.
    std::optional<PatchGrid> patches; ///< Unset: tokens are no patches of an image.

    friend bool operator==(const ViewState &, const ViewState &) = default;
};

/// Saved, undone and compared as a whole.
struct Session {
    Source source = TokensSource{};
    AttentionSpec mechanism;
    std::string preset; ///< Id of the preset that the mechanism was last set to (see presets.h); empty: none.
    std::optional<AttentionSpec> comparison; ///< The second mechanism while comparing. Differences are mechanism - comparison.
    /// While comparing: what is changed in the mechanism changes in the comparison too where both had the same, so that only the mask differs.
    /// Off: the comparison stays as it was chosen.
    bool comparisonFollows = true;
    ViewState view;
    std::string name = "Example sentence"; ///< Document name in the window; the file's base name once saved or opened.

    friend bool operator==(const Session &, const Session &) = default;
};

/// The built-in samples: what the program opens with, and the worked example of scaled dot-product attention.
[[nodiscard]] Session exampleSentence();
/// The cell that is picked in the first picture: query "sat", key "The".
[[nodiscard]] std::pair<Index, Index> examplePick();
/// Q = K = [[1,0,1,0],[0,1,0,1],[1,1,0,0]], V = [[1,2],[3,4],[5,6]], tokens the, cat, sat; no mask.
[[nodiscard]] Session workedExample();
/// Whether @p name is that of a built-in sample: a document that has been given none of its own.
[[nodiscard]] bool isSampleName(const std::string &name);

} // namespace attenscope
