// SPDX-License-Identifier: GPL-3.0-or-later
// HeadField: the scrolled field of thumbnails in the head grid.
#pragma once

#include "views/heads/head_layout.h"
#include "views/heads/thumbnails.h"

#include <QAbstractScrollArea>

namespace attenscope {

/// Paints the listed heads and picks; knows the document alone. A click picks, with Ctrl it adds the head to those drawn as lines or drops it, a
/// double click shows the map.
class HeadField : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit HeadField(Document &document, QWidget *parent = nullptr);

    /// Lays out other heads, or the same in another order.
    void refresh(const HeadList &list);
    /// Marks the picked head and those drawn as lines, and scrolls to the picked one where it is another.
    void follow();

signals:
    void contextMenuRequested(const QPoint &globalPosition);

protected:
    bool viewportEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QPoint scrolled() const;
    [[nodiscard]] int pickedIndex() const;
    [[nodiscard]] QString tipOf(const HeadRef &ref) const;
    void pick(int index);
    void toggle(int index);
    void setHovered(int index);
    void layOut();
    /// What is in view is computed first.
    void tellSeen();
    void showPicked();
    void paintHead(QPainter &painter, const HeadPlace &place, bool isHovered, const Theme &theme);

    Document &m_document;
    HeadList m_list;
    HeadLayout m_layout;
    HeadRef m_lastPicked{ -1, -1, -1, -1 };
    int m_hovered = -1;
    bool m_hasRing = false;
    Thumbnails m_thumbnails;
};

} // namespace attenscope
