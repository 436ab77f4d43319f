// SPDX-License-Identifier: GPL-3.0-or-later
// FlashWalkPage: the walk of flash attention, tile by tile.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/steps/walk_canvas.h"
#include "views/steps/walk_page.h"
#include "views/work_row.h"

namespace attenscope {

/// Shows a FlashScene.
class FlashCanvas : public WalkCanvas {
    Q_OBJECT

public:
    explicit FlashCanvas(QWidget *parent = nullptr);

    void setContent(std::shared_ptr<const FlashContent> content, std::size_t state, Index row);
    [[nodiscard]] const FlashScene &scene() const { return m_scene; }

signals:
    void stateClicked(std::size_t state);
    void rowClicked(attenscope::Index row);

protected:
    QSizeF layOutScene(QSizeF room) override;
    void paintScene(QPainter &painter, const QRectF &visible) override;
    [[nodiscard]] QString description() const override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    std::shared_ptr<const FlashContent> m_content;
    std::size_t m_state = 0;
    Index m_row = 0;
    FlashScene m_scene;
};

/// Follows Document::head() and the picked row; a pick goes to the tile of its cell. Of a long head the flashRows() of the picked row are walked.
class FlashWalkPage : public WalkPage {
    Q_OBJECT

public:
    FlashWalkPage(Document &document, Selection &selection, int decimals, QWidget *parent = nullptr);

    [[nodiscard]] std::shared_ptr<const FlashContent> content() const { return m_content; }
    [[nodiscard]] std::size_t state() const { return m_state; }

    /// How far a walk is that takes long; for a place beside the page.
    [[nodiscard]] WorkRow *work() const { return m_work; }

    void refresh() override;
    void leave() override;
    [[nodiscard]] QString note() const override;
    [[nodiscard]] QString why() const override { return m_why; }
    /// There is a head, but not the room to walk it.
    [[nodiscard]] bool hasFailed() const { return m_hasFailed; }
    [[nodiscard]] PlayerBar::State playerState() const override;
    void move(int direction) override;
    void first() override;
    void last() override;
    void goToStep(int step) override;
    void setDecimals(int decimals) override;
    [[nodiscard]] std::optional<WalkPicture> picture() const override;

private:
    void compute();
    void cancel();
    void take(Result<FlashWalk> walk);
    /// What is shown is what was asked for last.
    [[nodiscard]] bool isCurrent() const;
    void goTo(std::size_t state);
    /// Marks @p row, which is the picked one from then on.
    void mark(Index row);
    void show();

    Document &m_document;
    Selection &m_selection;
    FlashCanvas *m_canvas;
    WorkRow *m_work;
    int m_decimals;
    std::shared_ptr<const HeadResult> m_head; ///< Whose walk it is, or will be.
    Range m_rows; ///< The same.
    QString m_why;
    bool m_hasFailed = false;
    std::shared_ptr<const FlashContent> m_content;
    std::size_t m_state = 0;
    Index m_row = 0;
    std::optional<CellRef> m_picked; ///< Followed last.
    bool m_isMovingPick = false;
    Job m_job; ///< Last: stopped before what it delivers to goes.
};

} // namespace attenscope
