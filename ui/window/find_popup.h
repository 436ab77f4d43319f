// SPDX-License-Identifier: GPL-3.0-or-later
// FindPopup: one field that finds tokens, heads and commands; FindField: its place in the tool bar.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "window/actions.h"

#include <QAbstractButton>
#include <QFrame>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace attenscope {

/// Looks like a text field with its key in it; a click opens the popup.
class FindField : public QAbstractButton {
    Q_OBJECT

public:
    explicit FindField(QWidget *parent = nullptr);

    /// Only the icon, where the window is narrow.
    void setCompact(bool isCompact);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_isCompact = false;
};

class FindPopup : public QFrame {
    Q_OBJECT

public:
    FindPopup(Document &document, Selection &selection, Actions &actions, QWidget *parent = nullptr);

    /// Under @p anchor, right-aligned with it.
    void open(QWidget *anchor);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void search(const QString &text);
    void choose(QListWidgetItem *item);

    Document &m_document;
    Selection &m_selection;
    Actions &m_actions;
    QLineEdit *m_text = nullptr;
    QListWidget *m_found = nullptr;
};

} // namespace attenscope
