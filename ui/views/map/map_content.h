// SPDX-License-Identifier: GPL-3.0-or-later
// MapContent: everything that a picture of maps shows, as a value; made from a Document for the screen and for figures alike.
#pragma once

#include "state/color_map.h"
#include "state/document.h"
#include "views/map/map_range.h"

#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attenscope {

struct AxisLabel;

/// One map and its colours.
struct MapPanel {
    Side side = Side::Main;
    MapFieldPtr field;
    ColorMap colors;
    Fold fold = Fold::Max;
    QString title; ///< While comparing: "Causal".
    QString subtitle; ///< "query sees itself and earlier keys".
    bool isByRow = false; ///< Colours are of each cell divided by the largest of its row.

    friend bool operator==(const MapPanel &, const MapPanel &) = default;
};

/// One map, or while comparing two or three of the same size.
struct MapContent {
    std::vector<MapPanel> panels;
    std::shared_ptr<const AttentionInput> input; ///< Owns the tokens.
    HeadRef head;
    Stage stage = Stage::Weights;
    QString title; ///< Of a figure: "Example sentence — weights, head 3, causal".
    QString scaleTitle; ///< "weight", "weight, logarithmic", "÷ largest of the row".
    bool isRangeSampled = false; ///< There may be numbers beyond the ends of the scales.
    std::optional<double> lowest; ///< Where the maps have numbers below the lower end of their scale: the lowest.
    std::optional<double> highest; ///< Above the upper end: the highest.
    QString rowsNote; ///< "each row sums to 1".
    QString origin; ///< "untrained, random weights", "mean over 4 heads".
    QString notice; ///< "Last valid input. Follows again when K fits."
    bool hasNumbers = true; ///< In cells that are large enough.

    [[nodiscard]] Index rows() const { return panels.empty() ? 0 : panels.front().field->rows(); }
    [[nodiscard]] Index cols() const { return panels.empty() ? 0 : panels.front().field->cols(); }
    [[nodiscard]] bool hasDimensions() const { return !panels.empty() && panels.front().field->columns() == Columns::Dimensions; }
    [[nodiscard]] const std::vector<std::string> *queryTokens() const;
    /// Null where columns are dimensions.
    [[nodiscard]] const std::vector<std::string> *keyTokens() const;
    /// Positions in the whole input, whatever is left out or merged; of a dimension its number.
    [[nodiscard]] Index rowPosition(Index row) const;
    [[nodiscard]] Index colPosition(Index col) const;
    [[nodiscard]] AxisLabel rowLabel(Index row, bool withPosition, int most = 12) const;
    [[nodiscard]] AxisLabel colLabel(Index col, bool withPosition, int most = 12) const;

    friend bool operator==(const MapContent &, const MapContent &) = default;
};

/// What @p document shows, with colours whose ranges come from @p ranges; nothing while a map or its range is not ready.
[[nodiscard]] std::optional<MapContent> mapContent(const Document &document, const RangeSource &ranges);

/// Why @p document has no picture at all, in one line; empty where it has one (see Document::hasPicture()).
[[nodiscard]] QString reasonForBlank(const Document &document);
/// What stands where something is not there yet: that it is being computed, or that it was stopped.
[[nodiscard]] QString waitingWords(const Document &document);

/// "weights, layer 2, head 3": which map is shown.
[[nodiscard]] QString shownWords(const Document &document);

/// Whether key padding or a boolean mask that came with the data hides keys under @p mask.
[[nodiscard]] bool hasMaskOfInput(const AttentionBlock &block, const MaskSpec &mask);

/// Names of two mechanisms by what differs between them, and what each means: "Causal", "query sees itself and earlier keys".
struct MechanismTitle {
    QString title;
    QString subtitle;
};
[[nodiscard]] std::pair<MechanismTitle, MechanismTitle> mechanismTitles(
    const AttentionSpec &first, const AttentionSpec &second, const AttentionBlock &block);

/// Whether the output of heads of @p layer goes through a known W_O.
[[nodiscard]] bool hasOutputProjection(const AttentionBlock &block, int layer);
/// Whether numbers of @p stage lie on both sides of zero.
[[nodiscard]] bool isDiverging(Stage stage);
/// "weight", "scaled score": what a cell has.
[[nodiscard]] QString stageNoun(Stage stage, bool hasOutputProjection);

} // namespace attenscope
