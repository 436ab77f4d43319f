// SPDX-License-Identifier: GPL-3.0-or-later
// VectorsScene: where the strips of vectors and their numbers stand, and their painting; the same for the window and for figures.
#pragma once

#include "state/theme.h"
#include "views/vectors/vectors_content.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

class QPainter;

namespace attenscope {

/// @p words of Vectors outside of its widgets, translated.
[[nodiscard]] QString vectorsWords(const char *words);

/// A part of a row.
enum class VectorPart { Label, Query, Key, Term, Number, Value };

/// What is under a point: a key, or the query (key -1), and in strips which of the units or dimensions.
struct VectorHit {
    VectorPart part = VectorPart::Label;
    Index key = -1;
    Index unit = -1;

    friend bool operator==(const VectorHit &, const VectorHit &) = default;
};

/// What is marked.
struct VectorMarks {
    std::optional<Index> hovered; ///< Key.
    std::optional<Index> picked;
    std::optional<VectorHit> unit; ///< One number of a strip.

    friend bool operator==(const VectorMarks &, const VectorMarks &) = default;
};

/// Rows of keys under a header with the scale, the names of the columns, and the query. Lengths grow with the font; cells are as wide as the
/// width allows, within limits: what does not fit makes the scene wider. Names of keys and header stay where they are when the rest is scrolled, and then
/// the numbers from score to weight stand beside the names and stay too, all of them or, in little room, the weight.
class VectorsScene {
public:
    static constexpr double padding = 16.0; ///< Around everything, at scale 1.

    VectorsScene() = default;
    /// @p content outlives it.
    VectorsScene(const VectorsContent &content, const QFont &font, double width);

    [[nodiscard]] bool isEmpty() const { return m_content == nullptr; }
    /// All of it.
    [[nodiscard]] QSizeF size() const;
    [[nodiscard]] double headerHeight() const { return m_headerHeight; }
    [[nodiscard]] double labelWidth() const { return m_labelWidth; }
    /// What stays at the left when the rest is scrolled.
    [[nodiscard]] double pinnedWidth() const { return m_pinnedWidth; }
    [[nodiscard]] double rowHeight() const { return m_rowHeight; }
    /// The row of @p key in the scene.
    [[nodiscard]] QRectF rowRect(Index key) const;
    [[nodiscard]] std::optional<VectorHit> hitAt(QPointF point, QSizeF room, QPointF scrolled) const;

    /// Paints into (0, 0, room) what is seen there when it is scrolled by @p scrolled.
    void paint(QPainter &painter, const Theme &theme, QSizeF room, QPointF scrolled, const VectorMarks &marks) const;

private:
    struct Strip {
        VectorPart part = VectorPart::Key;
        double left = 0.0;
        double cell = 0.0;
        Index count = 0;
        QString title;

        [[nodiscard]] double width() const { return cell * static_cast<double>(count); }
    };
    struct Column {
        Stage stage = Stage::Scores;
        double right = 0.0;
        double width = 0.0;
        QString title;
        bool isPinned = false; ///< Stays when strips are scrolled.
    };
    struct Painting;

    void placeColumns(double width);
    /// Strips and columns from left to right, pinned columns first; the strip of values last.
    void placeInOrder(double cell);
    /// "q of cat"
    [[nodiscard]] QString queryTitle() const;

    const VectorsContent *m_content = nullptr;
    QFont m_font;
    QFont m_notes;
    double m_unit = 1.0; ///< A pixel at 13 pixels of text.
    double m_rowHeight = 0.0;
    double m_scaleHeight = 0.0; ///< The line with notes and scale.
    double m_titleHeight = 0.0;
    double m_headerHeight = 0.0;
    double m_labelWidth = 0.0;
    double m_pinnedWidth = 0.0; ///< Of labels and pinned columns.
    double m_width = 0.0;
    std::vector<Strip> m_strips;
    std::vector<Column> m_columns;
};

} // namespace attenscope
