// SPDX-License-Identifier: GPL-3.0-or-later
// MaskPainter: strokes on the map become visible and hidden keys of the user's own mask.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QObject>

namespace attenscope {

/// Edits MaskSpec::allowed; without one it begins with all visible. A stroke is one undo step.
class MaskPainter : public QObject {
    Q_OBJECT

public:
    explicit MaskPainter(Document &document, QObject *parent = nullptr);

    /// Begins a stroke, which makes of every cell the opposite of what @p cell was, and paints it. @p brush cells on a side are painted at once.
    void begin(const CellRef &cell, Index brush);
    /// Paints in a straight line to @p cell.
    void drawTo(const CellRef &cell);
    void end();

private:
    void paintLine(const CellRef &from, const CellRef &to);

    Document &m_document;
    bool m_isPainting = false;
    bool m_makesVisible = false;
    Index m_brush = 1;
    CellRef m_last;
};

} // namespace attenscope
