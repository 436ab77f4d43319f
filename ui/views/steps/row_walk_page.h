// SPDX-License-Identifier: GPL-3.0-or-later
// RowWalkPage: the walk through the arithmetic of one query, with the list of its steps.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/steps/walk_page.h"

namespace attenscope {

class StepsCanvas;
class StepsList;

/// Shows what explainWalk() found of the picked row of Document::head(); computes nothing itself. Going from key to key moves the pick.
class RowWalkPage : public WalkPage {
    Q_OBJECT

public:
    RowWalkPage(Document &document, Selection &selection, int decimals, QWidget *parent = nullptr);

    [[nodiscard]] std::shared_ptr<const StepContent> content() const { return m_content; }
    [[nodiscard]] StepPosition position() const { return m_position; }
    void goTo(const StepPosition &position);
    /// The pick's row, or the first.
    [[nodiscard]] Index pickedRow() const;

    void refresh() override;
    [[nodiscard]] QString why() const override { return m_why; }
    [[nodiscard]] PlayerBar::State playerState() const override;
    void move(int direction) override;
    void play() override;
    void first() override;
    void last() override;
    void goToStep(int step) override;
    void setDecimals(int decimals) override;
    [[nodiscard]] bool isUnfolded() const override;
    [[nodiscard]] bool isFolded() const override;
    void foldAll() override;
    void unfold() override;
    [[nodiscard]] std::optional<WalkPicture> picture() const override;

signals:
    void queryClicked(attenscope::Index query);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// What a walk depends on.
    struct Wanted {
        std::shared_ptr<const AttentionInput> input;
        AttentionSpec spec;
        HeadRef head;
        Index row = -1;

        friend bool operator==(const Wanted &, const Wanted &) = default;
    };

    void make(const std::shared_ptr<const AttentionResult> &result);
    void take(Result<RowWalk> walk);
    void followPick();
    void show();
    /// Letters of list and page: those of the font, on a projector as much smaller as the pages need.
    void fitLetters();
    [[nodiscard]] StepPosition lastPosition() const;

    Document &m_document;
    Selection &m_selection;
    StepsList *m_list;
    StepsCanvas *m_canvas;
    int m_decimals;
    Wanted m_wanted;
    QString m_why;
    std::shared_ptr<const StepContent> m_content;
    StepPosition m_position;
    bool m_isMovingPick = false;
    Job m_job; ///< Last: stopped before what it delivers to goes.
};

} // namespace attenscope
