// SPDX-License-Identifier: GPL-3.0-or-later
// PatchesCanvas: the painted patches; what mouse and keys do there.
#pragma once

#include "state/selection.h"
#include "views/patches/patches_scene.h"

#include <QWidget>

namespace attenscope {

/// Shows a content and edits the selection; pictures can be dropped on it.
class PatchesCanvas : public QWidget {
    Q_OBJECT

public:
    explicit PatchesCanvas(Selection &selection, QWidget *parent = nullptr);

    /// Nothing: @p reason is shown instead.
    void setContent(std::optional<PatchesContent> content, const QString &reason = {});
    [[nodiscard]] const std::optional<PatchesContent> &content() const { return m_content; }
    [[nodiscard]] const PatchesScene &scene() const { return m_scene; }
    [[nodiscard]] QSize sizeHint() const override { return { 296, 360 }; }

signals:
    void pictureDropped(const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void layOut();
    /// Where the cell of a token is: with the picked token of the other side, where there is one.
    [[nodiscard]] CellRef cellOf(Index token) const;
    void pick(Index token);
    [[nodiscard]] Index pickedToken() const;

    Selection &m_selection;
    std::optional<PatchesContent> m_content;
    QString m_reason;
    PatchesScene m_scene;
};

} // namespace attenscope
