// SPDX-License-Identifier: GPL-3.0-or-later
// MapBar: the row above the map: which stage, which head, how coloured.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/view_bar.h"

#include <vector>

class QCheckBox;
class QHBoxLayout;
class QMenu;
class QToolButton;

namespace attenscope {

/// Edits Session::view; says in the selection which stage the mouse is on. Only what applies is shown; where the stages do not fit side by side, one button lists them.
class MapBar : public ViewBar {
    Q_OBJECT

public:
    MapBar(Document &document, Selection &selection, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void fitRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void rebuildStages(const std::vector<Stage> &stages);
    void chooseStage(Stage stage);
    void arrange();
    void fillStages(QMenu *menu);
    void fillColors(QMenu *menu);
    template <typename Change>
    void edit(const QString &name, Change change);
    QToolButton *addMenuButton(const QString &tip, void (MapBar::*fill)(QMenu *));

    Document &m_document;
    Selection &m_selection;
    QHBoxLayout *m_row = nullptr;
    QWidget *m_segments = nullptr;
    std::vector<Stage> m_stages;
    bool m_hasOutputProjection = false; ///< What the stages are called for.
    std::vector<QToolButton *> m_stageButtons;
    QToolButton *m_stageMenu = nullptr;
    QCheckBox *m_difference = nullptr;
};

} // namespace attenscope
