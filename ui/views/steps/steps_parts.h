// SPDX-License-Identifier: GPL-3.0-or-later
// GridMaker: the matrices, sums and names that the pages of steps are made of.
#pragma once

#include "views/steps/steps_page.h"

#include <functional>

namespace attenscope::steps {

using Reader = std::function<double(Index)>;

/// Row @p row of a matrix, read number by number.
[[nodiscard]] Reader rowOf(const SharedMatrix &matrix, Index row);
[[nodiscard]] Reader colOf(const SharedMatrix &matrix, Index col);
[[nodiscard]] Reader reader(const Vector &numbers);

/// Whether the score takes more of q than q itself, so that it pairs units instead of dimensions.
[[nodiscard]] bool hasPreparedQuery(const AttentionSpec &spec);
/// What q (or k) is multiplied with before the score, turned so that q stands at its left.
[[nodiscard]] SharedMatrix scoreMatrix(const AttentionSpec &spec, const HeadOperands &operands, bool isQuery);
[[nodiscard]] QString scoreMatrixName(const AttentionSpec &spec, bool isQuery);
/// Names of the two that the score multiplies: "Q" and "Kᵀ".
[[nodiscard]] QString scoreLeftName(const AttentionSpec &spec);
[[nodiscard]] QString scoreRightName(const AttentionSpec &spec);

/// Whether a step makes vectors instead of one number per key; and its page.
[[nodiscard]] bool isVectorStep(WalkStep step);
[[nodiscard]] StepPage vectorPage(const StepContent &content, const StepPosition &position, const StepFolds &folds);

/// Fills a page at one position. The content outlives it.
class GridMaker {
public:
    GridMaker(const StepContent &shown, const StepPosition &at, const StepFolds &folding)
        : content(shown)
        , walk(shown.walk)
        , position(at)
        , folds(folding)
    {
    }

protected:
    using At = std::optional<Index>;

    [[nodiscard]] FoldedAxis axis(StepAxis kind, Index size) const;
    void add(StepGrid grid, const QString &op);

    /// @p read gives the number at (row, col), or nothing where it is not known yet.
    using CellReader = std::function<std::optional<double>(Index, Index)>;
    [[nodiscard]] StepGrid grid(const QString &name, StepAxis rowAxis, Index rows, StepAxis colAxis, Index cols, const CellReader &read,
        At activeRow, At activeCol) const;
    [[nodiscard]] StepGrid matrixGrid(
        const QString &name, StepAxis rowAxis, StepAxis colAxis, const SharedMatrix &matrix, At activeRow, At activeCol) const;
    [[nodiscard]] StepGrid matrixGrid(
        const QString &name, StepAxis rowAxis, StepAxis colAxis, const Matrix &matrix, At activeRow, At activeCol) const;
    /// The numbers of the picked query.
    [[nodiscard]] StepGrid rowGrid(const QString &name, StepAxis colAxis, Index size, const Reader &numbers, At active) const;
    /// One number per key in a row; masked ones hatched if @p hidesMasked.
    [[nodiscard]] StepGrid keysGrid(const QString &name, const Vector &numbers, bool hidesMasked, At active) const;
    /// One row of the map, alone where there are many, else with the others empty; keys after the active one are empty too.
    [[nodiscard]] StepGrid mapGrid(const QString &name, const Vector &numbers) const;

    /// "1·1 + 0·1 + … 58 more + 1·0", and what is added at the end.
    [[nodiscard]] QString product(
        StepAxis kind, Index size, const Reader &left, const Reader &right, At biasAt = {}, const Vector &bias = {}) const;
    /// A number that is put in, first in its expression.
    [[nodiscard]] QString operand(double number) const;
    /// One that stands after an operator: negative ones in parentheses.
    [[nodiscard]] QString inner(double number) const;

    /// "query the · key sat"; with nothing given the query alone.
    [[nodiscard]] QString place(const QString &what) const;
    [[nodiscard]] QString keyPlace() const;
    [[nodiscard]] QString dimPlace() const;
    void put(const QString &caption, const QString &arithmetic, double result);

    const StepContent &content;
    const RowWalk &walk;
    StepPosition position;
    StepFolds folds;
    StepPage page;

private:
    [[nodiscard]] QStringList names(StepAxis kind, const FoldedAxis &shown) const;
    [[nodiscard]] QString sizeText(StepAxis kind, Index size) const;
};

} // namespace attenscope::steps
