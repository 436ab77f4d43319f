// SPDX-License-Identifier: GPL-3.0-or-later
// The small widgets that panels are made of.
#include "panels/controls.h"

#include "state/icons.h"
#include "state/theme.h"
#include "state/wheel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QTextDocument>
#include <QTextEdit>
#include <QWheelEvent>

#include <cmath>

namespace attenscope {

namespace {

constexpr int edgeWidth = 3;
constexpr int signSize = 16;
/// In lists of boxes, beside the entries: padding and the scroll bar.
constexpr int listRoom = 40;
constexpr double noteScale = 12.0 / 13.0;

QBoxLayout *column(QWidget *owner, int spacing)
{
    auto *layout = owner ? new QVBoxLayout(owner) : new QVBoxLayout;
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    return layout;
}

/// Room for the chevron of a link with a menu.
int menuMark(const QFontMetrics &metrics)
{
    return metrics.height() * 3 / 4;
}

/// Ends a text that does not fit with an ellipsis.
class ChoiceBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 4);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

/// Text to read and to select. Lines break between words, and inside one that is longer than a line, which a QLabel would let run out of sight.
class WrappedText : public QTextEdit {
public:
    explicit WrappedText(QWidget *parent)
        : QTextEdit(parent)
    {
        setFrameShape(QFrame::NoFrame);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
        setFocusPolicy(Qt::ClickFocus);
        setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        viewport()->setAutoFillBackground(false);
        document()->setDocumentMargin(0.0);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override
    {
        QTextDocument copy;
        copy.setDefaultFont(font());
        copy.setDocumentMargin(0.0);
        copy.setDefaultTextOption(document()->defaultTextOption());
        copy.setPlainText(toPlainText());
        copy.setTextWidth(width);
        return static_cast<int>(std::ceil(copy.size().height()));
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return { fontMetrics().averageCharWidth() * 8, fontMetrics().height() }; }
    [[nodiscard]] QSize sizeHint() const override
    {
        const int width = fontMetrics().averageCharWidth() * 24;
        return { width, heightForWidth(width) };
    }

protected:
    /// The page behind scrolls.
    void wheelEvent(QWheelEvent *event) override { event->ignore(); }
};

QString plainText(const QString &label)
{
    if (!label.contains(QLatin1Char('<')))
        return label;
    QTextDocument document;
    document.setHtml(label);
    return document.toPlainText();
}

} // namespace

QFont scaledFont(QFont font, double factor)
{
    if (font.pixelSize() > 0)
        font.setPixelSize(qRound(font.pixelSize() * factor));
    else
        font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

void setTextColor(QWidget *widget, const QColor &color)
{
    // Asked first: setting a palette sends the change event that calls this.
    if (widget->palette().color(QPalette::Text) == color)
        return;
    QPalette palette;
    palette.setResolveMask(0);
    // On the ground of a page labels take Text, elsewhere WindowText.
    palette.setColor(QPalette::WindowText, color);
    palette.setColor(QPalette::Text, color);
    widget->setPalette(palette);
}

NoteLabel::NoteLabel(const QString &text, QWidget *parent)
    : QLabel(parent)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    follow();
    setNote(text);
}

void NoteLabel::setNote(const QString &text)
{
    setText(text);
    // A widget without a parent that is shown is a window; this one comes with its parent.
    if (text.isEmpty() || parentWidget())
        setVisible(!text.isEmpty());
}

void NoteLabel::follow()
{
    setTextColor(this, Theme::of(palette()).secondaryText);
    if (!parentWidget())
        return;
    const QFont small = scaledFont(parentWidget()->font(), noteScale);
    if (font() != small)
        setFont(small);
}

bool NoteLabel::event(QEvent *event)
{
    if (event->type() == QEvent::ParentAboutToChange && parentWidget())
        parentWidget()->removeEventFilter(this);
    if (event->type() == QEvent::ParentChange && parentWidget()) {
        parentWidget()->installEventFilter(this);
        follow();
    }
    return QLabel::event(event);
}

bool NoteLabel::eventFilter(QObject *watched, QEvent *event)
{
    // A size of its own hides the parent's changes from this widget.
    if (watched == parentWidget() && event->type() == QEvent::FontChange)
        follow();
    return QLabel::eventFilter(watched, event);
}

void NoteLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        follow();
}

ElidedLabel::ElidedLabel(const QString &text, QWidget *parent)
    : QLabel(text, parent)
{
    setTextFormat(Qt::PlainText);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { qMin(QLabel::minimumSizeHint().width(), 40), QLabel::minimumSizeHint().height() };
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        fontMetrics().elidedText(text(), Qt::ElideMiddle, contentsRect().width()));
}

LinkButton::LinkButton(const QString &text, QWidget *parent)
    : QPushButton(text, parent)
{
    setFlat(true);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAutoDefault(false);
}

QSize LinkButton::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    // Some room beyond the measured text, or rounding would wrap its last word.
    int width = metrics.horizontalAdvance(text()) + 8;
    if (menu())
        width += menuMark(metrics);
    return { width, qMax(metrics.height() + 4, 20) };
}

QSize LinkButton::minimumSizeHint() const
{
    return { qMin(sizeHint().width(), 80), sizeHint().height() };
}

int LinkButton::heightForWidth(int width) const
{
    const QRect room(0, 0, qMax(width - 4, 1), 10000);
    return qMax(fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height() + 4, 20);
}

void LinkButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(palette());
    QFont linkFont = font();
    linkFont.setUnderline(underMouse() && isEnabled());
    painter.setFont(linkFont);
    const QColor color = isEnabled() ? theme.accent : theme.secondaryText;
    painter.setPen(color);
    QRect room = rect().adjusted(2, 0, -2, 0);
    if (menu()) {
        const int side = fontMetrics().height() / 2;
        const QPointF tip(room.right() - side / 2.0 - 1.0, room.center().y() + side / 4.0 + 1.0);
        painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF({ tip + QPointF(-side / 2.0, -side / 2.0), tip, tip + QPointF(side / 2.0, -side / 2.0) }));
        room.setRight(room.right() - menuMark(fontMetrics()));
    }
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, text());
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

ProblemNote::ProblemNote(QWidget *parent)
    : QFrame(parent)
{
    auto *layout = column(this, 2);
    layout->setContentsMargins(12 + signSize + 8, 8, 12, 8);
    m_text = new WrappedText(this);
    layout->addWidget(m_text);
    m_links = column(nullptr, 0);
    layout->addLayout(m_links);
    hide();
}

void ProblemNote::setProblem(const QString &sentence, std::vector<Fix> fixes)
{
    m_fixes = std::move(fixes);
    if (m_sentence != sentence) {
        m_sentence = sentence;
        m_text->setPlainText(sentence);
        m_text->updateGeometry();
        m_text->setAccessibleName(sentence);
    }
    setAccessibleName(sentence);
    // Buttons are kept: this may be called from the click of one of them.
    while (m_buttons.size() < m_fixes.size()) {
        const std::size_t place = m_buttons.size();
        auto *button = new LinkButton({}, this);
        connect(button, &LinkButton::clicked, this, [this, place] {
            const auto apply = m_fixes.at(place).apply;
            apply();
        });
        m_links->addWidget(button, 0, Qt::AlignLeft);
        m_buttons.push_back(button);
    }
    for (std::size_t place = 0; place < m_buttons.size(); ++place) {
        const bool isUsed = place < m_fixes.size();
        m_buttons[place]->setVisible(isUsed);
        if (isUsed)
            m_buttons[place]->setText(m_fixes[place].text);
    }
    setVisible(!sentence.isEmpty());
    updateGeometry();
}

void ProblemNote::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(palette());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.errorGround);
    painter.drawRoundedRect(rect(), 4, 4);
    const double top = m_text->y() + (fontMetrics().height() - signSize) / 2.0;
    painter.drawPixmap(QPointF(12, top), iconPixmap(QStringLiteral("warning"), signSize, theme.error, devicePixelRatioF()));
}

PanelRow::PanelRow(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = column(this, 4);
    layout->setContentsMargins(panelPadding, 0, panelPadding, 0);
    m_body = column(nullptr, 4);
    layout->addLayout(m_body);
    m_below = column(nullptr, 4);
    m_note = new NoteLabel({}, this);
    m_below->addWidget(m_note);
    layout->addLayout(m_below);
    m_problem = new ProblemNote(this);
    layout->addWidget(m_problem);
}

void PanelRow::setNote(const QString &text)
{
    m_note->setNote(text);
}

void PanelRow::setProblem(const QString &sentence, std::vector<Fix> fixes)
{
    m_problem->setProblem(sentence, std::move(fixes));
    update();
}

void PanelRow::setNoteIndent(int indent)
{
    m_below->setContentsMargins(indent, 0, 0, 0);
}

void PanelRow::paintEvent(QPaintEvent *)
{
    if (problem().isEmpty())
        return;
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, edgeWidth, height()), Theme::of(palette()).error);
}

void PanelRow::enterEvent(QEnterEvent *)
{
    emit attentionChanged(true);
}

void PanelRow::leaveEvent(QEvent *)
{
    emit attentionChanged(false);
}

LabelledRow::LabelledRow(const QString &label, QWidget *control, QWidget *parent)
    : PanelRow(parent)
    , m_control(control)
{
    m_label = new QLabel(label, this);
    m_label->installEventFilter(this);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    line->addWidget(m_label, 0, Qt::AlignVCenter);
    line->addWidget(control, 1);
    body()->addLayout(line);
    QWidget *field = control->focusPolicy() != Qt::NoFocus || !control->focusProxy() ? control : control->focusProxy();
    m_label->setBuddy(field);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(plainText(label));
    fitLabel();
}

void LabelledRow::setHelp(const QString &text)
{
    m_label->setToolTip(text);
    m_control->setToolTip(text);
    for (QWidget *inner : m_control->findChildren<QWidget *>())
        if (inner->toolTip().isEmpty())
            inner->setToolTip(text);
}

void LabelledRow::fitLabel()
{
    setTextColor(m_label, Theme::of(palette()).secondaryText);
    // The longest label of any panel, so that all columns agree whatever the font.
    const int width = qMax(labelColumn, m_label->fontMetrics().horizontalAdvance(QStringLiteral("Temperature")) + 12);
    m_label->setFixedWidth(width);
    setNoteIndent(width);
}

void LabelledRow::changeEvent(QEvent *event)
{
    PanelRow::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        fitLabel();
}

bool LabelledRow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_label && event->type() == QEvent::MouseButtonDblClick) {
        emit labelDoubleClicked();
        return true;
    }
    return PanelRow::eventFilter(watched, event);
}

QWidget *sideBySide(const std::vector<QWidget *> &widgets, const std::vector<int> &stretches)
{
    auto *box = new QWidget;
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (std::size_t place = 0; place < widgets.size(); ++place) {
        layout->addWidget(widgets[place], place < stretches.size() ? stretches[place] : 0);
        if (!box->focusProxy() && widgets[place]->focusPolicy() != Qt::NoFocus)
            box->setFocusProxy(widgets[place]);
    }
    // No focus policy for the box: QWidget would hand it on to the proxy.
    return box;
}

QComboBox *choiceBox(const QStringList &entries, QWidget *parent)
{
    auto *box = new ChoiceBox(parent);
    box->addItems(entries);
    box->setMinimumHeight(controlHeight);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(2);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    keepWheelForFocus(box);
    fitList(*box);
    return box;
}

void fitList(QComboBox &box)
{
    box.view()->setTextElideMode(Qt::ElideRight);
    box.view()->setMinimumWidth(box.view()->sizeHintForColumn(0) + listRoom);
}

bool leavesUndoToTheDocument(QEvent *event, bool isModified)
{
    if (event->type() != QEvent::ShortcutOverride || isModified)
        return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    if (!key->matches(QKeySequence::Undo) && !key->matches(QKeySequence::Redo))
        return false;
    event->ignore();
    return true;
}

} // namespace attenscope
