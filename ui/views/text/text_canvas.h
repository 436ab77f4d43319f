// SPDX-License-Identifier: GPL-3.0-or-later
// TextCanvas: the tinted text in a scrolling area; what mouse and keys do there.
#pragma once

#include "views/scrolling_canvas.h"
#include "views/text/text_scene.h"

namespace attenscope {

/// Shows a content, follows the selection and edits it.
class TextCanvas : public ScrollingCanvas {
    Q_OBJECT

public:
    explicit TextCanvas(Selection &selection, QWidget *parent = nullptr);

    /// Nothing: @p reason is shown instead.
    void setContent(std::optional<LinesContent> weights, const ViewState &view, const QString &reason = {});
    [[nodiscard]] const TextContent &content() const { return m_content; }
    [[nodiscard]] const TextScene &scene() const { return m_scene; }
    /// What tokens of one text that is both queries and keys are picked as; a pick of that side alone changes it.
    [[nodiscard]] TokenSide picks() const { return m_picks; }
    /// Picked tokens become tokens of @p side.
    void setPicks(TokenSide side);

signals:
    /// Another content or another pick.
    void contentChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void layOut() override;
    void leave() override;
    void followSelection();
    /// Scrolls to what was picked elsewhere, once.
    void followPick();
    void updateContent();
    void pickRange(const TextHit &from, Index to);
    void movePick(Index step, int lines);
    void pick(TokenSide side, Index token);
    [[nodiscard]] Range queriesInView() const;
    [[nodiscard]] QPointF onPage(QPointF point) const;

    Selection &m_selection;
    std::optional<CellRef> m_followed; ///< The pick that followPick() has seen.
    bool m_isPicking = false; ///< Mouse or keys pick here: what they do is in view already, or scrolled to.
    bool m_hasContent = false;
    QString m_reason;
    std::optional<LinesContent> m_weights;
    ViewState m_view;
    TextContent m_content;
    TextScene m_scene;
    TokenSide m_picks = TokenSide::Queries;
    std::optional<TextHit> m_pressed;
    Index m_dragged = -1; ///< Where a drag over several tokens is now.
};

} // namespace attenscope
