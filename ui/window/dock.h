// SPDX-License-Identifier: GPL-3.0-or-later
// Dock: a panel beside the view, with a title that has a note.
#pragma once

#include <QDockWidget>

namespace attenscope {

/// Title of a dock: bold name at the left, a note at the right. At least 32 high.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget *dock);

    void setNote(const QString &note);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return QSize(80, sizeHint().height()); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QDockWidget *m_dock;
    QString m_note;
};

/// A dock that cannot float. @p id names it in the stored layout.
class Dock : public QDockWidget {
    Q_OBJECT

public:
    Dock(const QString &id, const QString &title, QWidget *content, int minimumWidth, QWidget *parent = nullptr);

    void setNote(const QString &note) { m_title->setNote(note); }
    /// Gives the focus to the first control inside.
    void focusContent();

private:
    DockTitle *m_title;
};

} // namespace attenscope
