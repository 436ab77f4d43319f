// SPDX-License-Identifier: GPL-3.0-or-later
// MapBar: the row above the map: which stage, which head, how coloured.
#pragma once

#include "state/document.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QHBoxLayout;
class QMenu;
class QToolButton;

namespace attenscope {

/// Edits Session::view. Only what applies is shown; where the stages do not fit side by side, one button lists them.
class MapBar : public QWidget {
    Q_OBJECT

public:
    explicit MapBar(Document &document, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void fitRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void refresh();
    void rebuildStages(const std::vector<Stage> &stages);
    void chooseStage(Stage stage);
    void arrange();
    void fillStages(QMenu *menu);
    void fillBlocks(QMenu *menu);
    void fillElements(QMenu *menu);
    void fillLayers(QMenu *menu);
    void fillHeads(QMenu *menu);
    void fillColors(QMenu *menu);
    template <typename Change>
    void edit(const QString &name, Change change);
    QToolButton *addMenuButton(const QString &tip, void (MapBar::*fill)(QMenu *));

    Document &m_document;
    QHBoxLayout *m_row = nullptr;
    QWidget *m_segments = nullptr;
    std::vector<Stage> m_stages;
    std::vector<QToolButton *> m_stageButtons;
    QToolButton *m_stageMenu = nullptr;
    QToolButton *m_block = nullptr;
    QToolButton *m_element = nullptr;
    QToolButton *m_layer = nullptr;
    QToolButton *m_head = nullptr;
    QCheckBox *m_difference = nullptr;
};

} // namespace attenscope
