// SPDX-License-Identifier: GPL-3.0-or-later
// Gallery: every mechanism with its formula, one sentence and its paper, to be used or compared with.
#pragma once

#include "session/presets.h"
#include "state/document.h"

#include <QDialog>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace attenscope {

class PanelRow;

/// Beside the window, which goes on working. Typing filters, arrows move, Enter uses and closes. What the input lacks for the chosen entry is said
/// above the buttons, and offered.
class Gallery : public QDialog {
    Q_OBJECT

public:
    explicit Gallery(Document &document, QWidget *parent = nullptr);

    /// The entry that is chosen; null while nothing is found.
    [[nodiscard]] const Preset *current() const;

signals:
    void compareRequested(const attenscope::Preset &preset);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void filter(const QString &text);
    void use();
    void updateButtons();
    void showLack(const AppliedPreset &trial);

    Document &m_document;
    QLineEdit *m_text = nullptr;
    QListWidget *m_list = nullptr;
    PanelRow *m_lack = nullptr;
    QPushButton *m_use = nullptr;
    QPushButton *m_compare = nullptr;
};

/// "Score function": the heading of a group.
[[nodiscard]] QString groupTitle(PresetGroup group);
/// "Press et al. 2021, arXiv:2108.12409"; empty where there is no paper.
[[nodiscard]] QString paperText(const Preset &preset);

} // namespace attenscope
