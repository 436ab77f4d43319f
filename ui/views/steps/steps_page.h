// SPDX-License-Identifier: GPL-3.0-or-later
// StepPage: what one state of the walk through a row shows, in words, numbers and matrices, without any drawing.
#pragma once

#include "attention/walk.h"
#include "state/math_box.h"

#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace attenscope {

/// What the rows or columns of a matrix are. Matrices of a page whose axes are of one kind fold alike.
enum class StepAxis { None, Queries, Keys, Inputs, Dimensions, Units, Values, Joined, Outputs };

/// Where the walk is: at which step, at which key of it, and at which number of that key's (or the row's) vector.
struct StepPosition {
    WalkStep step = WalkStep::Scores;
    Index key = 0;
    Index dim = 0;

    friend bool operator==(const StepPosition &, const StepPosition &) = default;
};

/// The places of an axis that are shown, ascending; the others are folded.
struct FoldedAxis {
    Index size = 0;
    std::vector<Index> shown;

    /// How many places are left out before shown[@p place]; after the last one for place = shown.size().
    [[nodiscard]] Index hiddenBefore(std::size_t place) const;
};
/// All places if there are at most @p limit (3 or more), else as many: the first, the last and between them the part in which @p pinned is, for the
/// last the first part. Parts follow each other, so that what is shown stays while @p pinned goes through one of them.
[[nodiscard]] FoldedAxis folded(Index size, std::size_t limit, Index pinned = 0);

/// How axes fold: to @p limit places each or to those that @p fitted says, and to so many more where some were unfolded.
struct StepFolds {
    std::size_t limit = 6;
    std::map<StepAxis, std::size_t> fitted;
    std::map<StepAxis, std::size_t> more;
    bool hasMapRows = true; ///< Scores are shown in their map, with the rows of other queries empty.

    [[nodiscard]] std::size_t limitOf(StepAxis axis) const;
    [[nodiscard]] bool isUnfolded(StepAxis axis) const { return more.contains(axis); }
    friend bool operator==(const StepFolds &, const StepFolds &) = default;
};

/// One number of a matrix.
struct StepCell {
    QString text;
    QString exact; ///< With full precision, for tooltips.
    bool isActive = false;
    bool isMasked = false;
};

/// A matrix with the rows and columns that are shown.
struct StepGrid {
    QString name; ///< "Kᵀ"
    QString shape; ///< "4 × 3 keys"
    StepAxis rowAxis = StepAxis::None;
    StepAxis colAxis = StepAxis::None;
    FoldedAxis rows;
    FoldedAxis cols;
    QStringList rowNames; ///< Of the shown rows; empty: none.
    QStringList colNames;
    std::vector<StepCell> cells; ///< Row by row.
    std::optional<std::size_t> activeRow; ///< Among the shown ones. With both it is a cell, else the whole row or column.
    std::optional<std::size_t> activeCol;

    [[nodiscard]] const StepCell &cell(std::size_t row, std::size_t col) const { return cells[row * cols.shown.size() + col]; }
};

/// One key of "Row so far".
struct StepChip {
    Index key = 0;
    QString name;
    QString before; ///< Empty: nothing was there.
    QString after; ///< Empty: not there yet.
    bool isActive = false;
};

struct StepPage {
    std::vector<Symbol> lit; ///< The part of the formula that this step is.
    std::vector<StepGrid> grids;
    QStringList operators; ///< Between the grids.
    QString caption; ///< "query the · key sat"
    QString arithmetic; ///< "(1·1 + 0·1 + 1·0 + 0·0) / √4 = 1 / 2 = "
    QString result; ///< "0.5"
    QString remark; ///< A sentence about this step.
    QString chipsTitle; ///< "Row “the” so far"
    std::vector<StepChip> chips;
    std::vector<Index> hiddenChips; ///< How many keys are folded before each chip, and after the last.

    /// The axes of which not all places are shown.
    [[nodiscard]] std::set<StepAxis> foldedAxes() const;
};
/// "7 more keys"
[[nodiscard]] QString foldText(StepAxis axis, Index hidden);
/// The same where there is little room: of numbers "7 more".
[[nodiscard]] QString columnFoldText(StepAxis axis, Index hidden);

/// A walk with everything that its pages need. Immutable while pages are made of it.
struct StepContent {
    std::shared_ptr<const AttentionInput> input;
    RowWalk walk;
    int decimals = 4; ///< Of results and substituted numbers; cells of matrices have at most two.

    /// With the numbers of seeded parameters.
    [[nodiscard]] const AttentionSpec &spec() const { return walk.operands->spec; }
    [[nodiscard]] const AttentionBlock &block() const { return input->blocks[static_cast<std::size_t>(walk.ref.block)]; }
    [[nodiscard]] QString queryName() const;
    [[nodiscard]] QString keyName(Index key) const;
};

/// The name of a step and what it does in a few words: "Scale", "÷ √d_k".
[[nodiscard]] std::pair<QString, QString> stepTitle(const StepContent &content, WalkStep step);
/// The formula of a step, in the markup of parseMath(): that of the mechanism, of what goes into it, or of what is made of all heads.
[[nodiscard]] QString stepFormula(const StepContent &content, WalkStep step);
/// What a step goes through place by place: keys, numbers of a vector, or nothing (then it has one place).
[[nodiscard]] StepAxis placesOf(WalkStep step);
/// How many places @p step has.
[[nodiscard]] Index placeCount(const StepContent &content, WalkStep step);
/// How many numbers each of its keys has, where it goes through keys that are vectors; else 1.
[[nodiscard]] Index dimCount(const StepContent &content, WalkStep step);
/// The axis of those numbers.
[[nodiscard]] StepAxis dimAxis(WalkStep step);
/// @p position moved to a place that there is.
[[nodiscard]] StepPosition clamped(const StepContent &content, StepPosition position);

/// "key 3 of 3", "number 2 of 8"; empty where a step has one place.
[[nodiscard]] QString stepPlaceText(const StepContent &content, const StepPosition &position);
/// The state after (@p direction 1) or before (-1) @p position: every key, and of a vector the numbers that are shown. Nothing at the ends of the walk.
[[nodiscard]] std::optional<StepPosition> nextPosition(
    const StepContent &content, const StepPosition &position, const StepFolds &folds, int direction);
/// The state after @p position for who plays the whole walk: folded keys are passed over too.
[[nodiscard]] std::optional<StepPosition> playedPosition(const StepContent &content, const StepPosition &position, const StepFolds &folds);

[[nodiscard]] StepPage stepPage(const StepContent &content, const StepPosition &position, const StepFolds &folds);

/// A number that goes into a step: as it is where that has at most @p decimals digits after the point, else rounded to them.
[[nodiscard]] QString stepNumber(double number, int decimals);
/// The same for what comes out of a step: at least one digit after the point, so that it reads as a result.
[[nodiscard]] QString stepResult(double number, int decimals);

} // namespace attenscope
