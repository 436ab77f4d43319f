// SPDX-License-Identifier: GPL-3.0-or-later
// The text field for tokens.
#include "panels/input/sequence_edit.h"

#include "panels/controls.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QSignalBlocker>
#include <QTimer>
#include <QUndoStack>

namespace attenscope {

namespace {

constexpr int leastLines = 2;
constexpr double textMargin = 7.0;
/// After this long without a key the next one begins another undo step.
constexpr int pauseMilliseconds = 1000;

} // namespace

SequenceEdit::SequenceEdit(const QString &name, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_pause(new QTimer(this))
{
    setAccessibleName(name);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(textMargin);
    m_pause->setSingleShot(true);
    m_pause->setInterval(pauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &SequenceEdit::editingEnded);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        fitHeight();
        m_pause->start();
        emit textEdited(toPlainText());
    });
    fitHeight();
}

void SequenceEdit::showText(const QString &text)
{
    if (toPlainText() == text)
        return;
    m_before = text;
    const QSignalBlocker quiet(this);
    const int position = textCursor().position();
    setPlainText(text);
    QTextCursor cursor = textCursor();
    cursor.setPosition(qMin(position, static_cast<int>(text.size())));
    setTextCursor(cursor);
    fitHeight();
}

void SequenceEdit::setMostLines(int lines)
{
    m_mostLines = lines;
    fitHeight();
}

void SequenceEdit::giveUpBy(QUndoStack &steps, const QString &name)
{
    m_steps = &steps;
    m_stepName = name;
}

void SequenceEdit::fitHeight()
{
    // The layout of a plain text document counts its height in lines.
    const int lines = qRound(document()->documentLayout()->documentSize().height());
    const int shown = qBound(leastLines, lines, m_mostLines);
    // A bar that comes and goes would change the wrapping that it depends on.
    setVerticalScrollBarPolicy(lines > m_mostLines ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    const int wanted = shown * fontMetrics().lineSpacing() + 2 * (qRound(document()->documentMargin()) + frameWidth());
    if (minimumHeight() != wanted || maximumHeight() != wanted)
        setFixedHeight(wanted);
}

bool SequenceEdit::event(QEvent *event)
{
    return leavesUndoToTheDocument(event, false) || QPlainTextEdit::event(event);
}

void SequenceEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    fitHeight();
}

void SequenceEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitHeight();
}

void SequenceEdit::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape || toPlainText() == m_before) {
        QPlainTextEdit::keyPressEvent(event);
        return;
    }
    giveUp();
    moveCursor(QTextCursor::End);
}

void SequenceEdit::giveUp()
{
    // Showing what was before a step changes the member.
    const QString before = m_before;
    emit editingEnded();
    if (m_steps) {
        // Pauses may have made several.
        const int typed = m_steps->index();
        while (toPlainText() != before && m_steps->undoText() == m_stepName)
            m_steps->undo();
        if (toPlainText() == before)
            return;
        // Something else was done between them: it stays, and going back is a step of its own.
        m_steps->setIndex(typed);
    }
    setPlainText(before);
    emit editingEnded();
}

void SequenceEdit::focusInEvent(QFocusEvent *event)
{
    QPlainTextEdit::focusInEvent(event);
    m_before = toPlainText();
}

void SequenceEdit::focusOutEvent(QFocusEvent *event)
{
    m_pause->stop();
    QPlainTextEdit::focusOutEvent(event);
    emit editingEnded();
}

void SequenceEdit::insertFromMimeData(const QMimeData *source)
{
    // Only text: a file dropped here is opened by the window.
    if (source->hasText() && !source->hasUrls())
        QPlainTextEdit::insertFromMimeData(source);
}

} // namespace attenscope
