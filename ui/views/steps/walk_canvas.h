// SPDX-License-Identifier: GPL-3.0-or-later
// WalkCanvas: what the pages of both walks are painted on and scrolled in.
#pragma once

#include <QAbstractScrollArea>
#include <QPointF>
#include <QSizeF>

class QPainter;

namespace attenscope {

/// Lays its scene out for its own size, and again with another size, font or palette; scrolls what does not fit.
class WalkCanvas : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit WalkCanvas(const QString &accessibleName, QWidget *parent = nullptr);

protected:
    /// Makes the scene for @p room and returns its size; empty where there is nothing to show.
    virtual QSizeF layOutScene(QSizeF room) = 0;
    /// Paints the scene from (0, 0), of which @p visible is seen.
    virtual void paintScene(QPainter &painter, const QRectF &visible) = 0;
    /// What a reader of screens says of the scene.
    [[nodiscard]] virtual QString description() const = 0;

    /// To be called when what is shown has changed.
    void layOut();
    /// From a point of the viewport.
    [[nodiscard]] QPointF inScene(QPointF point) const;
    /// What is seen of the scene.
    [[nodiscard]] QRectF visible() const;

    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
};

} // namespace attenscope
