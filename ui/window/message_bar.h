// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar: one error or notice above the view, with its next steps as buttons; LoadingBar: work under way, with Cancel.
#pragma once

#include "state/document.h"

#include <QColor>
#include <QFont>
#include <QFrame>

#include <array>
#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace attenscope {

/// A button of a message: its caption and what it does. The first one is the accented one.
struct MessageAction {
    QString caption;
    std::function<void()> run;
};

/// One or two lines of text: what and where, then what to do and the path. Where the first line is too short for both they flow on into the second
/// one. What does not fit then is cut with "…"; the whole is the tooltip and the accessible name.
class MessageText : public QWidget {
    Q_OBJECT

public:
    explicit MessageText(QWidget *parent = nullptr);

    void setError(const Error &error);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Piece {
        QString text;
        QFont font;
        QColor color;
        Qt::TextElideMode mode;
    };

    [[nodiscard]] QFont bold() const;
    /// What and where need more than a line.
    [[nodiscard]] bool isFlowing() const;
    [[nodiscard]] int lines() const;
    [[nodiscard]] std::array<std::vector<Piece>, 2> rows() const;

    QString m_what, m_where, m_remedy, m_path;
};

/// Takes no room while there is nothing to say. Stays until closed, or until clear() after the next success.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(QWidget *parent = nullptr);

    /// Replaces what is shown. Errors can be copied. Cancelled ones are not shown.
    void showMessage(const Message &message, std::vector<MessageAction> actions = {});
    [[nodiscard]] bool isShown() const { return m_isShown; }
    [[nodiscard]] Message::Kind kind() const { return m_kind; }
    /// The whole sentence; empty while nothing is shown.
    [[nodiscard]] QString sentence() const;

public slots:
    void clear();

signals:
    /// The close button or Escape.
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void rebuildButtons();

    bool m_isShown = false;
    Message::Kind m_kind = Message::Kind::Notice;
    Error m_error;
    std::vector<MessageAction> m_actions;
    MessageText *m_text = nullptr;
    QHBoxLayout *m_buttons = nullptr;
    QToolButton *m_close = nullptr;
};

/// Progress where the result will appear. Appears only when the work has taken 200 ms.
class LoadingBar : public QFrame {
    Q_OBJECT

public:
    explicit LoadingBar(QWidget *parent = nullptr);

    void start(const QString &text);
    void setProgress(double fraction);
    void finish();

signals:
    void cancelled();

private:
    QLabel *m_text = nullptr;
    QProgressBar *m_bar = nullptr;
    class QTimer *m_timer = nullptr;
};

} // namespace attenscope
