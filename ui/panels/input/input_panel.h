// SPDX-License-Identifier: GPL-3.0-or-later
// InputPanel: the dock that says what goes in, with the tabs Tokens, Matrices and File.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

namespace attenscope {

/// Edits Session::source. Never opens a dialog for bad input.
class InputPanel : public QWidget {
    Q_OBJECT

public:
    InputPanel(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~InputPanel() override;

    /// "10 tokens": shown at the right of the dock title.
    [[nodiscard]] QString titleNote() const;
    /// Gives the focus to where the present input is typed: the text, or the first cell.
    void focusInput();
    /// Adds a head to typed matrices or to the mechanism of typed tokens.
    void addHead();
    /// Text from the clipboard: matrices where a table has the focus or the text parses as numbers, else tokens.
    void paste();

signals:
    void titleNoteChanged();
    /// The user asked for the open dialog.
    void openRequested();
    /// A file of the session is not where it was; the user wants to show where @p path is now.
    void locateRequested(const QString &path);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
