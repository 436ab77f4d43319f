// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGrid and HeadTable: all heads as thumbnails, and one row of numbers for each.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

#include <memory>

namespace attenscope {

/// Thumbnails of the weights of every head on one scale, grouped by block, layer and key/value head; a click or an arrow key picks. One head
/// alone is no grid: then it says so, and offers another one where the input is typed.
class HeadGrid : public QWidget {
    Q_OBJECT

public:
    HeadGrid(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~HeadGrid() override;

    /// "1 layer × 4 heads", while computing "5 of 8 ready": shown at the right of the dock title.
    [[nodiscard]] QString titleNote() const;

signals:
    /// The button of the empty state.
    void addHeadRequested();
    void titleNoteChanged();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// One row per listed head with every summary; a header orders, a field filters, a click picks, Ctrl+C copies the selected rows. Order and filter
/// are those of the grid (ViewState::heads).
class HeadTable : public QWidget {
    Q_OBJECT

public:
    HeadTable(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~HeadTable() override;

    /// "12 of 40 heads": shown at the right of the dock title.
    [[nodiscard]] QString titleNote() const;

signals:
    void titleNoteChanged();
    /// All listed heads as comma-separated values, to be written somewhere.
    void exportRequested(const QString &csv);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
