// SPDX-License-Identifier: GPL-3.0-or-later
// ZoomNote: what of the map is in sight, said in views that follow its zoom, with the way back to all.
#pragma once

#include "state/selection.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>

namespace attenscope {

/// By what a step of the wheel and a key zoom, in every view.
inline constexpr double wheelStep = 1.25;
inline constexpr double keyStep = 1.5;

class ExactLine;

/// Whole cells of a map of @p rows x @p cols that @p visible (see Selection::visible()) has at least a part of; all where it is unset.
[[nodiscard]] CellRect cellsInSight(const std::optional<QRectF> &visible, Index rows, Index cols);

/// @p visible moved as far as it takes to have @p cell; a side of -1 stays.
[[nodiscard]] std::optional<QRectF> visibleWith(const std::optional<QRectF> &visible, const CellRef &cell);

/// "Zoomed: queries 3 to 8 of 10, keys 0 to 4 of 10"; what is whole is not named, and nothing is where both are. Positions
/// are those of the whole input.
[[nodiscard]] QString zoomWords(const CellRect &shown, const AttentionBlock &block);

/// A line with zoomWords() and a button that shows all; hidden where all is shown.
class ZoomNote : public QWidget {
    Q_OBJECT

public:
    explicit ZoomNote(Selection &selection, QWidget *parent = nullptr);

    /// @p more: what is out of sight, which may follow the mouse; one line, so that nothing moves.
    void setWords(const QString &words, const QStringList &more = {});
    /// All that is said.
    [[nodiscard]] QString words() const;

private:
    ExactLine *m_line = nullptr;
};

} // namespace attenscope
