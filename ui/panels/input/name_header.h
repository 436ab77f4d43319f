// SPDX-License-Identifier: GPL-3.0-or-later
// NameHeader: the plain header of a matrix table, whose row names can be edited and whose sections can be dragged.
#pragma once

#include <QHeaderView>

class QLineEdit;

namespace attenscope {

/// Flat text without buttons. One section can be lit.
class NameHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit NameHeader(Qt::Orientation orientation, QWidget *parent = nullptr);

    /// -1: none.
    void setLit(int section);
    /// Opens the editor on @p section's name.
    void edit(int section, const QString &name);
    void setNameable(bool isNameable) { m_isNameable = isNameable; }

signals:
    void nameRequested(int section);
    void nameEntered(int section, const QString &name);
    void sectionDragged(int from, int to);
    /// -1 when the mouse has left.
    void sectionHovered(int section);

protected:
    void paintEvent(QPaintEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    int m_lit = -1;
    bool m_isNameable = false;
    bool m_isMovingBack = false;
    QLineEdit *m_editor = nullptr;
    int m_edited = -1;
};

} // namespace attenscope
