// SPDX-License-Identifier: GPL-3.0-or-later
// SequenceEdit: the text field that a sequence of tokens is typed into.
#pragma once

#include <QPlainTextEdit>

class QTimer;
class QUndoStack;

namespace attenscope {

/// Two lines high, growing to six. Undo is the document's; Tab moves on; Escape puts back what stood there when the focus came.
class SequenceEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit SequenceEdit(const QString &name, QWidget *parent = nullptr);

    /// Shows @p text without emitting; keeps the cursor where it can.
    void showText(const QString &text);
    /// Most lines shown before it scrolls.
    void setMostLines(int lines);
    /// Typing here makes steps of @p steps that are called @p name: Escape undoes them, so that what was typed can be redone.
    void giveUpBy(QUndoStack &steps, const QString &name);

signals:
    void textEdited(const QString &text);
    /// A pause in typing or the loss of the focus.
    void editingEnded();

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void insertFromMimeData(const QMimeData *source) override;

private:
    void fitHeight();
    void giveUp();

    QTimer *m_pause = nullptr;
    int m_mostLines = 6;
    QString m_before; ///< What Escape puts back.
    QUndoStack *m_steps = nullptr;
    QString m_stepName;
};

} // namespace attenscope
