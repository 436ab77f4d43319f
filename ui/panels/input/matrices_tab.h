// SPDX-License-Identifier: GPL-3.0-or-later
// MatricesTab: Q, K and V of each head, or X with projections, as tables.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

namespace attenscope {

/// Edits a MatricesSource. While the session's source is of another kind it offers ways to begin, the last matrices among them.
class MatricesTab : public QWidget {
    Q_OBJECT

public:
    MatricesTab(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~MatricesTab() override;

    void addHead();
    void focusFirstCell();
    /// Whether one of the tables (or a cell in it) has the focus.
    [[nodiscard]] bool hasTableFocus() const;
    /// The clipboard's matrices: at the focused cell, else in place of Q; with another source as Q, K and V of a new input.
    void paste();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
