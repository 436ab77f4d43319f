// SPDX-License-Identifier: GPL-3.0-or-later
// LayersCanvas: shows what is found across layers, with mouse and keys.
#pragma once

#include "state/selection.h"
#include "views/layers/layers_scene.h"

#include <QWidget>

namespace attenscope {

/// Positions are hovered, picked and zoomed in the selection, as on the heat map; heads are told by a signal.
class LayersCanvas : public QWidget {
    Q_OBJECT

public:
    explicit LayersCanvas(Selection &selection, QWidget *parent = nullptr);

    /// Null: nothing to show.
    void setContent(std::shared_ptr<const LayersContent> content);
    [[nodiscard]] const std::shared_ptr<const LayersContent> &content() const { return m_content; }
    [[nodiscard]] const LayersScene &scene() const { return m_scene; }
    /// Which head is picked in the document.
    void setPickedHead(const HeadRef &head);
    /// Of heads: the two of the hovered cell, the one of the hovered point or name (then twice), else the picked one.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> spokenHeads() const;
    void fit();

signals:
    void headPicked(const attenscope::HeadRef &head);
    void hoveredChanged();

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void makeScene();
    void layOut();
    void mark();
    void setHovered(const std::optional<LayersHit> &hit);
    void click(const LayersHit &hit);
    void pickHead(std::size_t head);
    void movePick(Index rows, Index cols);
    void zoomAt(QPointF point, double factor);
    void setVisibleCells(QRectF cells);
    [[nodiscard]] bool hasMap() const { return m_content && !m_content->map.panels.empty(); }
    [[nodiscard]] bool showsPositions() const { return m_content && !m_content->showsHeads(); }

    Selection &m_selection;
    std::shared_ptr<const LayersContent> m_content;
    LayersScene m_scene;
    HeadRef m_head;
    std::optional<LayersHit> m_hovered;
    std::optional<QRectF> m_visibleHeads; ///< Of the map of heads.
    QPointF m_pressed;
    QPointF m_last;
    bool m_isPressed = false;
    bool m_isPanning = false;
};

} // namespace attenscope
