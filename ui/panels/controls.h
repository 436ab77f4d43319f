// SPDX-License-Identifier: GPL-3.0-or-later
// The small widgets that panels are made of: rows with a label, notes, links and the sentence under a control that is wrong.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QComboBox;
class QTextEdit;

namespace attenscope {

/// Measures of every panel, logical pixels.
inline constexpr int panelPadding = 16;
inline constexpr int rowSpacing = 8;
inline constexpr int controlHeight = 28;
inline constexpr int labelColumn = 96;

/// A line or two of explanation: small, secondary colour, wrapped. Hidden while its text is empty.
class NoteLabel : public QLabel {
    Q_OBJECT

public:
    explicit NoteLabel(const QString &text = {}, QWidget *parent = nullptr);

    void setNote(const QString &text);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    bool event(QEvent *event) override;

private:
    void follow();
};

/// One line, with an ellipsis in the middle where it does not fit.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString &text, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// A button that looks like a link.
class LinkButton : public QPushButton {
    Q_OBJECT

public:
    explicit LinkButton(const QString &text, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// A change offered in words.
struct Fix {
    QString text;
    std::function<void()> apply;
};

/// One sentence on the error ground with fixes as links under it. Hidden while there is nothing to say.
class ProblemNote : public QFrame {
    Q_OBJECT

public:
    explicit ProblemNote(QWidget *parent = nullptr);

    void setProblem(const QString &sentence, std::vector<Fix> fixes = {});
    [[nodiscard]] QString sentence() const { return m_sentence; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_sentence;
    QTextEdit *m_text = nullptr;
    QBoxLayout *m_links = nullptr;
    std::vector<LinkButton *> m_buttons;
    std::vector<Fix> m_fixes;
};

/// A full-width piece of a panel: padding at both sides, content, then note and problem. A problem also draws the red edge at the left.
class PanelRow : public QWidget {
    Q_OBJECT

public:
    explicit PanelRow(QWidget *parent = nullptr);

    /// Where content goes, above note and problem.
    [[nodiscard]] QBoxLayout *body() { return m_body; }
    void setNote(const QString &text);
    [[nodiscard]] QString note() const { return m_note->text(); }
    void setProblem(const QString &sentence, std::vector<Fix> fixes = {});
    [[nodiscard]] QString problem() const { return m_problem->sentence(); }

signals:
    /// The mouse came or left.
    void attentionChanged(bool isOn);

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    /// Notes start where the controls do.
    void setNoteIndent(int indent);

private:
    QBoxLayout *m_body = nullptr;
    NoteLabel *m_note = nullptr;
    ProblemNote *m_problem = nullptr;
    QBoxLayout *m_below = nullptr;
};

/// A label in the label column and its control.
class LabelledRow : public PanelRow {
    Q_OBJECT

public:
    /// @p label may have a symbol set in italics: "Mask <i>M</i>". The control (or the first field in it) is named after it.
    LabelledRow(const QString &label, QWidget *control, QWidget *parent = nullptr);

    /// Tooltip of label and control: symbol, range, default.
    void setHelp(const QString &text);

signals:
    void labelDoubleClicked();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void fitLabel();

    QLabel *m_label = nullptr;
    QWidget *m_control = nullptr;
};

/// Widgets side by side, the stretching ones as given.
[[nodiscard]] QWidget *sideBySide(const std::vector<QWidget *> &widgets, const std::vector<int> &stretches = {});

/// A combo box of the panel's height with these entries; the wheel moves it only while it has the focus.
[[nodiscard]] QComboBox *choiceBox(const QStringList &entries, QWidget *parent = nullptr);
/// Makes the list of @p box as wide as its entries, which the box itself may cut.
void fitList(QComboBox &box);

/// Undo and redo between two entries mean the document's, not a field's own: true if @p event is one of them, and the field is to answer it with
/// true and nothing else. @p isModified: something is being entered.
[[nodiscard]] bool leavesUndoToTheDocument(QEvent *event, bool isModified);

/// @p font at @p factor times its size, whichever way the size is given.
[[nodiscard]] QFont scaledFont(QFont font, double factor);

/// Gives the text of @p widget this colour and leaves the rest of its palette to its parents.
void setTextColor(QWidget *widget, const QColor &color);

} // namespace attenscope
