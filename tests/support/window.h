// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window for tests: shown, driven by keys, and not asking when it goes.
#pragma once

#include "window/main_window.h"

#include "window/view_stack.h"

#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

namespace attenscope {

/// A shown window that does not ask when the test is over.
class Window : public MainWindow {
public:
    using MainWindow::eventFilter;

    explicit Window(QSize size = QSize(1400, 900))
    {
        resize(size);
        show();
        QTest::qWait(0);
    }

    QDockWidget *dock(const char *name) const { return findChild<QDockWidget *>(QLatin1String(name)); }
    QToolButton *segment(const QString &text) const
    {
        for (auto *button : findChildren<QToolButton *>()) {
            if (button->text() == text && !button->property("segment").toString().isEmpty())
                return button;
        }
        return nullptr;
    }
    QPlainTextEdit *text() const
    {
        for (auto *edit : findChildren<QPlainTextEdit *>()) {
            if (edit->isVisible())
                return edit;
        }
        return nullptr;
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(findChild<ViewStack *>()->currentWidget()->focusProxy(), key, modifiers);
        QCoreApplication::processEvents();
    }
};

inline QString writeFile(const QTemporaryDir &folder, const QString &name, const QByteArray &contents)
{
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(contents) != contents.size())
        return {};
    return path;
}

/// Answers the next question box with @p button.
inline void answerNext(QMessageBox::StandardButton button)
{
    QTimer::singleShot(0, qApp, [button] {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (auto *box = qobject_cast<QMessageBox *>(widget))
                box->button(button)->click();
        }
    });
}

} // namespace attenscope
