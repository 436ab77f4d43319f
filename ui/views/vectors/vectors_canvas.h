// SPDX-License-Identifier: GPL-3.0-or-later
// VectorsCanvas: the strips of vectors in a scrolling area, with mouse and keys.
#pragma once

#include "state/selection.h"
#include "views/scrolling_canvas.h"
#include "views/vectors/vectors_scene.h"

namespace attenscope {

/// Shows a content and marks what the selection has; hovers and picks keys.
class VectorsCanvas : public ScrollingCanvas {
    Q_OBJECT

public:
    explicit VectorsCanvas(Selection &selection, QWidget *parent = nullptr);

    /// Null: nothing to show. What is scrolled stays.
    void setContent(std::shared_ptr<const VectorsContent> content);
    [[nodiscard]] const std::shared_ptr<const VectorsContent> &content() const { return m_content; }
    [[nodiscard]] const VectorsScene &scene() const { return m_scene; }
    /// What is under the mouse.
    [[nodiscard]] std::optional<VectorHit> hovered() const { return m_hovered; }

signals:
    void hoveredChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void layOut() override;
    void leave() override;
    void follow();
    void setHovered(const std::optional<VectorHit> &hit);
    void pick(Index query, Index key);
    void movePick(Index queries, Index places);
    /// The first key of a range that the query sees.
    template <typename Iterator>
    void pickVisible(Iterator first, Iterator end);
    void reveal(Index key);
    [[nodiscard]] QPointF scrolled() const;
    [[nodiscard]] VectorMarks marks() const;

    Selection &m_selection;
    std::shared_ptr<const VectorsContent> m_content;
    VectorsScene m_scene;
    std::optional<VectorHit> m_hovered;
    VectorMarks m_painted;
};

} // namespace attenscope
