// SPDX-License-Identifier: GPL-3.0-or-later
// One tensor or token list of a file with the choices of what it is.
#include "panels/input/file_entry.h"

#include "core/text.h"
#include "state/icons.h"
#include "state/theme.h"
#include "state/wheel.h"

#include <QBoxLayout>
#include <QEvent>
#include <QPainter>
#include <QSignalBlocker>

namespace attenscope {

namespace {

constexpr int chevronSize = 14;
constexpr std::size_t longestFileName = 100;

constexpr BlockRole blocks[] = { BlockRole::Plain, BlockRole::EncoderSelf, BlockRole::DecoderSelf, BlockRole::Cross };
constexpr TensorRole tensorRoles[] = { TensorRole::Queries, TensorRole::Keys, TensorRole::Values, TensorRole::KeysAndValues, TensorRole::X,
    TensorRole::Y, TensorRole::Wq, TensorRole::Wk, TensorRole::Wv, TensorRole::Wo, TensorRole::Bq, TensorRole::Bk, TensorRole::Bv,
    TensorRole::Bo, TensorRole::AllowedMask, TensorRole::HiddenMask, TensorRole::KeyPadding, TensorRole::PaddedKeys };

QString axisName(Axis axis)
{
    switch (axis) {
    case Axis::Layer:
        return FileEntry::tr("layers");
    case Axis::Batch:
        return FileEntry::tr("batch");
    case Axis::Head:
        return FileEntry::tr("heads");
    case Axis::Query:
        return FileEntry::tr("queries");
    case Axis::Key:
        return FileEntry::tr("keys");
    case Axis::Row:
        return FileEntry::tr("positions");
    case Axis::Dimension:
        return FileEntry::tr("dimensions");
    case Axis::Ignored:
        break;
    }
    return FileEntry::tr("ignored");
}

QString roleName(TensorRole role)
{
    switch (role) {
    case TensorRole::Unused:
        return FileEntry::tr("not used");
    case TensorRole::Queries:
        return FileEntry::tr("queries");
    case TensorRole::Keys:
        return FileEntry::tr("keys");
    case TensorRole::Values:
        return FileEntry::tr("values");
    case TensorRole::KeysAndValues:
        return FileEntry::tr("keys and values");
    case TensorRole::X:
        return FileEntry::tr("embeddings X");
    case TensorRole::Y:
        return FileEntry::tr("key embeddings Y");
    case TensorRole::Wq:
        return FileEntry::tr("W_q");
    case TensorRole::Wk:
        return FileEntry::tr("W_k");
    case TensorRole::Wv:
        return FileEntry::tr("W_v");
    case TensorRole::Wo:
        return FileEntry::tr("W_o");
    case TensorRole::Bq:
        return FileEntry::tr("b_q");
    case TensorRole::Bk:
        return FileEntry::tr("b_k");
    case TensorRole::Bv:
        return FileEntry::tr("b_v");
    case TensorRole::Bo:
        return FileEntry::tr("b_o");
    case TensorRole::Weights:
        return FileEntry::tr("recorded attention");
    case TensorRole::KeyPadding:
        return FileEntry::tr("key padding, 1 = a token");
    case TensorRole::PaddedKeys:
        return FileEntry::tr("key padding, 1 = padding");
    case TensorRole::AllowedMask:
        return FileEntry::tr("mask, 1 = may attend");
    case TensorRole::HiddenMask:
        return FileEntry::tr("mask, 1 = is hidden");
    case TensorRole::QueryTokens:
        return FileEntry::tr("query names");
    case TensorRole::KeyTokens:
        return FileEntry::tr("key names");
    case TensorRole::Tokens:
        break;
    }
    return FileEntry::tr("token names");
}

} // namespace

QString useName(TensorRole role, BlockRole block)
{
    const QString name = role == TensorRole::Weights && block != BlockRole::Plain ? FileEntry::tr("attention") : roleName(role);
    switch (block) {
    case BlockRole::EncoderSelf:
        return FileEntry::tr("encoder %1").arg(name);
    case BlockRole::DecoderSelf:
        return FileEntry::tr("decoder %1").arg(name);
    case BlockRole::Cross:
        return FileEntry::tr("cross %1").arg(name);
    case BlockRole::Plain:
        break;
    }
    return name;
}

QString axesText(const std::vector<Axis> &axes)
{
    QStringList names;
    for (const Axis axis : axes)
        names.append(axisName(axis));
    return names.join(QStringLiteral(", "));
}

QuietChoice::QuietChoice(QWidget *parent)
    : QComboBox(parent)
{
    setFrame(false);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    keepWheelForFocus(this);
}

void QuietChoice::setFaint(bool isFaint)
{
    m_isFaint = isFaint;
    update();
}

QSize QuietChoice::sizeHint() const
{
    return { fontMetrics().horizontalAdvance(currentText()) + chevronSize + 16, qMax(24, fontMetrics().height() + 6) };
}

QSize QuietChoice::minimumSizeHint() const
{
    return { qMin(sizeHint().width(), 72), sizeHint().height() };
}

void QuietChoice::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(palette());
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(theme.accent, 2) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() ? theme.hover : QColor(Qt::transparent));
        painter.drawRoundedRect(frame, 4, 4);
    }
    const QColor ink = m_isFaint ? theme.secondaryText : theme.text;
    painter.setPen(ink);
    const QRect room = rect().adjusted(4, 0, -chevronSize - 8, 0);
    const QString shown = fontMetrics().elidedText(currentText(), Qt::ElideRight, room.width());
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, shown);
    const QPixmap chevron = iconPixmap(QStringLiteral("chevron-down"), chevronSize, ink, devicePixelRatioF());
    painter.drawPixmap(QPointF(width() - chevronSize - 4, (height() - chevronSize) / 2.0), chevron);
}

FileEntry::FileEntry(const NamedTensor &tensor, QWidget *parent)
    : PanelRow(parent)
    , m_tensor(tensor.tensor)
    , m_isTensor(true)
{
    const std::string kind = std::string(elementName(tensor.tensor.type())) + " " + shapeText(tensor.tensor.shape());
    build(QString::fromStdString(tensor.name), QString::fromStdString(tensor.file), QString::fromStdString(kind));
}

FileEntry::FileEntry(const TokenList &list, QWidget *parent)
    : PanelRow(parent)
{
    const QString count = QString::fromStdString(groupedCount(static_cast<std::int64_t>(list.tokens.size())));
    build(QString::fromStdString(list.name), QString::fromStdString(list.file), tr("text, %1").arg(count));
}

void FileEntry::build(const QString &name, const QString &file, const QString &kind)
{
    for (const BlockRole block : blocks)
        m_choices.push_back({ m_isTensor ? TensorRole::Weights : TensorRole::Tokens, block });
    if (m_isTensor) {
        for (const TensorRole role : tensorRoles)
            m_choices.push_back({ role, BlockRole::Plain });
    } else {
        m_choices.push_back({ TensorRole::QueryTokens, BlockRole::Plain });
        m_choices.push_back({ TensorRole::KeyTokens, BlockRole::Plain });
    }
    m_choices.push_back({});
    m_name = new ElidedLabel(QString::fromStdString(shortened(name.toStdString(), longestFileName)));
    m_name->setToolTip(tr("%1 in %2").arg(name, file));
    auto *kindLabel = new NoteLabel(kind);
    kindLabel->setWordWrap(false);
    m_role = new QuietChoice;
    m_role->setObjectName(QStringLiteral("role"));
    for (const Use &choice : m_choices)
        m_role->addItem(useName(choice.role, choice.block));
    m_role->setAccessibleName(tr("Use of %1").arg(name));
    m_role->setToolTip(tr("What %1 is used as. It was recognised by name and shape; correct it here.").arg(name));

    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_name);
    words->addWidget(kindLabel);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addLayout(words, 1);
    line->addWidget(m_role, 0, Qt::AlignVCenter);
    body()->addLayout(line);

    m_axisChoice = new QuietChoice;
    m_axisChoice->setObjectName(QStringLiteral("axes"));
    m_axisChoice->setAccessibleName(tr("Axes of %1").arg(name));
    m_axisChoice->setToolTip(tr("What each axis is, first to last."));
    body()->addWidget(m_axisChoice, 0, Qt::AlignRight);
    // Room for the line between entries.
    layout()->setContentsMargins(panelPadding, 0, panelPadding, rowSpacing - 2);

    connect(m_role, &QComboBox::activated, this, [this](int choice) { choose(m_choices[static_cast<std::size_t>(choice)]); });
    connect(m_axisChoice, &QComboBox::activated, this, [this](int choice) {
        TensorUse next = m_use;
        next.axes = m_axes[static_cast<std::size_t>(choice)];
        emit edited(next);
    });
}

void FileEntry::choose(const Use &choice)
{
    TensorUse next = m_use;
    if (choice.role != m_use.role)
        next.isTransposed = false;
    next.role = choice.role;
    next.block = choice.block;
    if (m_isTensor && choice.role != TensorRole::Unused && choice.role != m_use.role) {
        const auto choices = axisChoices(m_tensor, choice.role);
        if (!choices.empty())
            next.axes = choices.front();
    }
    emit edited(next);
}

void FileEntry::show(const TensorUse &use)
{
    m_use = use;
    const Use now{ use.role, use.role == TensorRole::Unused ? BlockRole::Plain : use.block };
    auto place = std::find(m_choices.begin(), m_choices.end(), now);
    if (place == m_choices.end()) {
        place = m_choices.insert(m_choices.end() - 1, now);
        m_role->insertItem(static_cast<int>(place - m_choices.begin()), useName(now.role, now.block));
    }
    m_role->setCurrentIndex(static_cast<int>(place - m_choices.begin()));
    m_role->setFaint(use.role == TensorRole::Unused);
    m_role->updateGeometry();
    tint();

    m_axes.clear();
    if (m_isTensor && use.role != TensorRole::Unused)
        m_axes = axisChoices(m_tensor, use.role);
    if (!use.axes.empty() && std::find(m_axes.begin(), m_axes.end(), use.axes) == m_axes.end())
        m_axes.insert(m_axes.begin(), use.axes);
    m_axisChoice->clear();
    for (const std::vector<Axis> &axes : m_axes)
        m_axisChoice->addItem(axesText(axes));
    const auto axes = std::find(m_axes.begin(), m_axes.end(), use.axes);
    m_axisChoice->setCurrentIndex(axes == m_axes.end() ? -1 : static_cast<int>(axes - m_axes.begin()));
    m_axisChoice->setVisible(use.role != TensorRole::Unused && m_axes.size() > 1);
    m_axisChoice->updateGeometry();
}

void FileEntry::tint()
{
    const Theme &theme = Theme::of(palette());
    setTextColor(m_name, m_use.role == TensorRole::Unused ? theme.secondaryText : theme.text);
}

void FileEntry::paintEvent(QPaintEvent *event)
{
    PanelRow::paintEvent(event);
    QPainter painter(this);
    painter.fillRect(QRect(panelPadding, height() - 1, width() - 2 * panelPadding, 1), Theme::of(palette()).faintLine);
}

void FileEntry::changeEvent(QEvent *event)
{
    PanelRow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_name)
        tint();
}

} // namespace attenscope
