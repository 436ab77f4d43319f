// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGrid and HeadTable: all heads as thumbnails, and one row of numbers for each.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

namespace attenscope {

/// Thumbnails of every head at the shown stage's weights, grouped by layer and key/value head; one click picks.
class HeadGrid : public QWidget {
    Q_OBJECT

public:
    HeadGrid(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~HeadGrid() override;

signals:
    /// The button of the empty state.
    void addHeadRequested();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// One row per head: entropy, effective keys, largest weight; sorts by header, picks by click, copies with Ctrl+C.
class HeadTable : public QWidget {
    Q_OBJECT

public:
    HeadTable(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~HeadTable() override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
