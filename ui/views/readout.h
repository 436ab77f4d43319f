// SPDX-License-Identifier: GPL-3.0-or-later
// Readout: the strip at the bottom with the arithmetic of the hovered, else the picked cell.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

namespace attenscope {

/// Fixed height: 72, more with a larger font (widget font; labels are 12/13 and values 18/13 of it). Every number comes from explain of that row.
/// Clicking a number copies it with full precision; the maps mark what the number under the mouse speaks of. accessibleDescription() is what it says in words.
class Readout : public QWidget {
    Q_OBJECT

public:
    Readout(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~Readout() override;

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    struct Parts;
    void refresh();
    void setHoveredTerm(int term);

    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
