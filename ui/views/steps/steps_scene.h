// SPDX-License-Identifier: GPL-3.0-or-later
// StepScene: where everything of a step's page stands, its painting, and what is at a point; the same for the window and for figures.
#pragma once

#include "state/theme.h"
#include "views/steps/steps_page.h"

#include <QFont>
#include <QRectF>
#include <QSizeF>

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace attenscope {

/// Letters of a window; and those from which on they are for a projector, where none is smaller.
inline constexpr int windowLetters = 13;
inline constexpr int projectorLetters = 17;

/// Colours and letters. Sizes follow the font: those of the window at 13 pixels, those of a projector at 20.
struct StepStyle {
    Theme theme = Theme::light();
    QFont font;
    int least = 0; ///< No letter is smaller than so many pixels.

    /// Pixels of body text.
    [[nodiscard]] int letters() const;
    [[nodiscard]] StepStyle withLetters(int pixels) const;
    /// A length between @p window pixels at 13 pixels of body text and @p projector at 20.
    [[nodiscard]] double size(double window, double projector) const;
    [[nodiscard]] QFont sized(double window, double projector, bool isBold = false) const;
};

/// What a click at a point means.
struct StepHit {
    std::optional<StepPosition> position; ///< Goes there.
    std::optional<Index> query; ///< Picks this query.
    std::optional<StepAxis> unfolds; ///< Shows more of this axis.
    QString tip;
};

/// A page laid out for @p room. Columns fold as far as the width needs; where the height is short the empty rows of a map go first, then lines move
/// together, then other queries and what is really large fold. What still does not fit makes the scene larger than the room.
class StepScene {
public:
    StepScene() = default;
    StepScene(const StepContent &content, const StepPosition &position, const StepFolds &folds, const StepStyle &style, QSizeF room);

    [[nodiscard]] const StepPage &page() const { return m_page; }
    /// How far axes were folded.
    [[nodiscard]] const StepFolds &folds() const { return m_folds; }
    [[nodiscard]] QSizeF size() const { return m_size; }
    /// Where only @p visible is seen the arithmetic stands at its lower edge.
    void paint(QPainter &painter, const QRectF &visible = {}) const;
    [[nodiscard]] std::optional<StepHit> hitAt(QPointF point, const QRectF &visible = {}) const;
    /// The row of the active key where keys are below each other, else that of the query; empty where there is neither.
    [[nodiscard]] QRectF activeRow() const;
    /// The column of the active key where keys stand side by side; empty elsewhere.
    [[nodiscard]] QRectF activeColumn() const;
    [[nodiscard]] QRectF arithmeticIn(const QRectF &visible) const;

private:
    struct GridSize {
        double cell = 0.0; ///< Width of a column.
        double names = 0.0; ///< Of the row names.
        std::vector<double> lefts; ///< Of the shown columns, from the first.
        double width = 0.0; ///< Of everything.
    };
    struct GridPlace {
        QPointF cells; ///< Top left of the cells.
        std::vector<QRectF> columns; ///< x and width of the shown columns.
        std::vector<QRectF> rows; ///< y and height of the shown rows.
        double names = 0.0; ///< Width of the row names.
        double right = 0.0;
        double bottom = 0.0;
        QPointF op; ///< Middle of the operator before it.
        double labels = 0.0; ///< Height of the names of columns and folds above the cells; 0: the line has none.
    };

    void fitWidth(const StepContent &content, double width);
    /// Folds rows of @p axis as far as the height needs, to @p fewest at most; not where that does not help.
    void fitHeight(const StepContent &content, QSizeF room, StepAxis axis, std::size_t fewest);
    [[nodiscard]] GridSize measured(const StepGrid &grid) const;
    /// What a grid may take of @p width.
    [[nodiscard]] double roomOf(const StepGrid &grid, double width) const;
    [[nodiscard]] double pad() const { return m_style.size(16, 24); }
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] double betweenGrids() const { return std::ceil(m_isTight ? m_style.size(24, 36) : m_style.size(32, 56)); }
    void layOut(QSizeF room);
    /// Puts everything in its place with @p spare pixels more between the parts; returns the height.
    double place(QSizeF room, double spare);
    static void moveUp(GridPlace &place, double by);
    /// From @p top down, in as many lines as @p width asks for; returns the right and bottom edge.
    [[nodiscard]] QPointF placeGrids(double top, double width);
    [[nodiscard]] double placeArithmetic(double y, double width);
    [[nodiscard]] double placeChips(double y, double width);
    void paintFormula(QPainter &painter) const;
    void paintGrid(QPainter &painter, const StepGrid &grid, const GridPlace &place) const;
    void paintArithmetic(QPainter &painter, const QRectF &visible) const;
    void paintChips(QPainter &painter) const;

    StepStyle m_style;
    StepPosition m_position;
    StepFolds m_folds;
    StepPage m_page;
    MathBox m_formula;
    QPointF m_formulaOrigin;
    std::vector<GridPlace> m_grids;
    bool m_isDense = false; ///< Lines stand closer together.
    bool m_isTight = false; ///< So do columns, and names of rows are short.
    QRectF m_arithmetic;
    std::vector<QRectF> m_chips;
    std::vector<QRectF> m_chipFolds; ///< What stands before each chip; empty: nothing is folded there.
    double m_chipsTitle = 0.0;
    QSizeF m_size;
};

/// The largest letters of @p least to @p most pixels with which every step of the walk fits its room without folding more than with the least; the least
/// where none does. @p roomOf says what room the pages have with a style.
[[nodiscard]] int fittingLetters(const StepContent &content, const StepFolds &folds, const StepStyle &style, int least, int most,
    const std::function<QSizeF(const StepStyle &)> &roomOf);

} // namespace attenscope
