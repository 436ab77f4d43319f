// SPDX-License-Identifier: GPL-3.0-or-later
// StepScene: where everything of a step's page stands, its painting, and what is at a point; the same for the window and for figures.
#pragma once

#include "state/theme.h"
#include "views/steps/steps_page.h"

#include <QFont>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

class QPainter;

namespace attenscope {

/// Colours and letters. Sizes follow the font: those of the window at 13 pixels, those of a projector at 20.
struct StepStyle {
    Theme theme = Theme::light();
    QFont font;

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

/// A page laid out for @p room; axes fold as far as that needs, and no further. What still does not fit makes the scene larger than the room.
class StepScene {
public:
    StepScene() = default;
    StepScene(const StepContent &content, const StepPosition &position, const StepFolds &folds, const StepStyle &style, QSizeF room);

    [[nodiscard]] const StepPage &page() const { return m_page; }
    /// How far axes were folded: places that are shown can be walked through.
    [[nodiscard]] const StepFolds &folds() const { return m_folds; }
    [[nodiscard]] QSizeF size() const { return m_size; }
    void paint(QPainter &painter) const;
    [[nodiscard]] std::optional<StepHit> hitAt(QPointF point) const;

private:
    struct GridPlace {
        QPointF cells; ///< Top left of the cells.
        std::vector<QRectF> columns; ///< x and width of the shown columns.
        std::vector<QRectF> rows; ///< y and height of the shown rows.
        double names = 0.0; ///< Width of the row names.
        double right = 0.0;
        double bottom = 0.0;
        QPointF op; ///< Middle of the operator before it.
    };

    void layOut(QSizeF room);
    /// Puts everything in its place with @p spare pixels more between the parts; returns the height.
    double place(QSizeF room, double spare);
    /// From @p top down, in as many lines as @p width asks for; returns the right and bottom edge.
    [[nodiscard]] QPointF placeGrids(double top, double width);
    [[nodiscard]] double placeArithmetic(double y, double width);
    [[nodiscard]] double placeChips(double y, double width);
    void paintFormula(QPainter &painter) const;
    void paintGrid(QPainter &painter, const StepGrid &grid, const GridPlace &place) const;
    void paintArithmetic(QPainter &painter) const;
    void paintChips(QPainter &painter) const;

    StepStyle m_style;
    StepPosition m_position;
    StepFolds m_folds;
    StepPage m_page;
    MathBox m_formula;
    QPointF m_formulaOrigin;
    std::vector<GridPlace> m_grids;
    QRectF m_arithmetic;
    std::vector<QRectF> m_chips;
    double m_chipsTitle = 0.0;
    QSizeF m_size;
};

} // namespace attenscope
