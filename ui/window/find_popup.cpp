// SPDX-License-Identifier: GPL-3.0-or-later
// FindPopup and FindField.
#include "window/find_popup.h"

#include "session/token_groups.h"
#include "state/head_pattern.h"
#include "state/icons.h"
#include "state/theme.h"
#include "views/zoom_note.h"
#include "window/style_parts.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyleOption>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace attenscope {

namespace {

/// More is no help to anybody.
constexpr int mostFound = 60;
constexpr int popupWidth = 360;
/// Where names begin, after their icons.
constexpr int reasonIndent = 40;
/// Higher it scrolls, in rows of one line.
constexpr int mostRows = 14;

enum Role { KindRole = Qt::UserRole, ValueRole, NoteRole, ReasonRole };
enum Kind { TokenKind, HeadKind, CommandKind };

/// The name at the left, what it is at the right; under a command that is off, why.
class FoundDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        const Theme &theme = Theme::of(item.palette);
        const QString reason = index.data(ReasonRole).toString();
        if (!reason.isEmpty()) {
            const QRect why = option.rect.adjusted(reasonIndent, nameHeight(option), -12, -4);
            painter->setPen(theme.secondaryText);
            painter->drawText(why, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, reason);
            item.rect.setHeight(nameHeight(option));
        }
        const QString note = index.data(NoteRole).toString();
        const int noteWidth = item.fontMetrics.horizontalAdvance(note);
        item.text = item.fontMetrics.elidedText(item.text, Qt::ElideRight, item.rect.width() - noteWidth - 64);
        const QWidget *view = item.widget;
        view->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, view);
        painter->setPen(theme.secondaryText);
        painter->drawText(item.rect.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, note);
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QString reason = index.data(ReasonRole).toString();
        int height = nameHeight(option);
        if (!reason.isEmpty()) {
            const QRect room(0, 0, popupWidth - 18 - reasonIndent - 12, 1000);
            height += option.fontMetrics.boundingRect(room, Qt::TextWordWrap, reason).height() + 4;
        }
        return QSize(200, height);
    }

private:
    static int nameHeight(const QStyleOptionViewItem &option) { return std::max(28, option.fontMetrics.height() + 10); }
};

bool matches(const QString &text, const QString &wanted)
{
    return wanted.isEmpty() || text.contains(wanted, Qt::CaseInsensitive);
}

} // namespace

FindField::FindField(QWidget *parent)
    : QAbstractButton(parent)
{
    setText(tr("Find"));
    setAccessibleName(tr("Find a token, head or command"));
    setToolTip(tr("Find a token, head or command (Ctrl+K)"));
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void FindField::setCompact(bool isCompact)
{
    m_isCompact = isCompact;
    updateGeometry();
    update();
}

QSize FindField::sizeHint() const
{
    const int height = std::max(32, fontMetrics().height() + 12);
    return QSize(m_isCompact ? height : std::max(144, fontMetrics().horizontalAdvance(QStringLiteral("Find    Ctrl+K")) + 40), height);
}

void FindField::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    option.rect = rect().adjusted(0, 1, 0, -1);
    styling::drawField(&painter, &option);
    if (m_isCompact) {
        styling::drawSymbol(&painter, rect(), "search", 20, theme.text);
        return;
    }
    const QRect inside = rect().adjusted(10, 0, -10, 0);
    painter.setPen(theme.secondaryText);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, QKeySequence(Qt::CTRL | Qt::Key_K).toString(QKeySequence::NativeText));
}

FindPopup::FindPopup(Document &document, Selection &selection, Actions &actions, QWidget *parent)
    : QFrame(parent, Qt::Popup)
    , m_document(document)
    , m_selection(selection)
    , m_actions(actions)
    , m_text(new QLineEdit(this))
    , m_found(new QListWidget(this))
{
    setAccessibleName(tr("Find"));
    m_text->setPlaceholderText(tr("Token, position, head or command"));
    m_text->setAccessibleName(tr("Find"));
    m_text->setClearButtonEnabled(false);
    m_text->installEventFilter(this);
    m_found->setFrameShape(QFrame::NoFrame);
    m_found->setFocusPolicy(Qt::NoFocus);
    m_found->setMouseTracking(true);
    m_found->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_found->setItemDelegate(new FoundDelegate(m_found));
    m_found->setAccessibleName(tr("Found"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(9, 9, 9, 9);
    column->setSpacing(8);
    column->addWidget(m_text);
    column->addWidget(m_found);
    connect(m_text, &QLineEdit::textChanged, this, &FindPopup::search);
    connect(m_found, &QListWidget::itemClicked, this, &FindPopup::choose);
}

void FindPopup::open(QWidget *anchor)
{
    m_text->clear();
    search({});
    const QPoint corner = anchor->mapToGlobal(QPoint(anchor->width() - width(), anchor->height() + 4));
    move(std::max(corner.x(), anchor->window()->mapToGlobal(QPoint(0, 0)).x()), corner.y());
    show();
    m_text->setFocus();
}

void FindPopup::search(const QString &text)
{
    const QString wanted = text.trimmed();
    m_found->clear();
    const auto add = [this](const QString &name, const QString &note, const char *symbol, Kind kind, const QVariant &value) {
        auto *item = new QListWidgetItem(icon(QLatin1String(symbol)), name, m_found);
        item->setData(KindRole, kind);
        item->setData(ValueRole, value);
        item->setData(NoteRole, note);
        return m_found->count() < mostFound;
    };

    const auto &tokens = m_document.block().queryTokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const QString token = QString::fromStdString(tokens[i]);
        const QString position = QString::number(wholeQuery(m_document.block(), static_cast<Index>(i)));
        if (!matches(token, wanted) && position != wanted)
            continue;
        // With nothing typed, commands and heads are to be seen too.
        if (wanted.isEmpty() && m_found->count() >= 6)
            break;
        if (!add(token, tr("token %1").arg(position), "token", TokenKind, static_cast<qlonglong>(i)))
            break;
    }
    const AttentionInput &input = *m_document.input();
    const AttentionSpec &spec = m_document.result()->spec;
    const auto addHeads = [&] {
        for (int block = 0; block < static_cast<int>(input.blocks.size()); ++block) {
            const AttentionBlock &rows = input.blocks[static_cast<std::size_t>(block)];
            for (int layer = 0; layer < rows.layers; ++layer) {
                for (int head = 0; head < headCount(rows, spec); ++head) {
                    const HeadRef ref{ block, layer, head, m_document.head().element };
                    const QString name = tr("Head %1").arg(QString::fromStdString(headName(input, ref)));
                    const HeadPattern pattern = headPattern(m_document, ref);
                    if (!matches(name, wanted) && !(pattern.pattern && matches(pattern.name, wanted)))
                        continue;
                    if (wanted.isEmpty() && m_found->count() >= 12)
                        return;
                    const QString note = pattern.pattern ? pattern.name : tr("head");
                    if (!add(name, note, "heads", HeadKind, QVariantList{ block, layer, head, ref.element }))
                        return;
                }
            }
        }
    };
    addHeads();
    for (const ActionSpec &command : m_actions.specs()) {
        const QString name = command.title();
        if (!matches(name, wanted) && !matches(plainText(menuTitle(command.menu)), wanted))
            continue;
        const QString key = command.keys.isEmpty() ? QString() : command.keys.first().toString(QKeySequence::NativeText);
        const bool isOn = m_actions[command.id]->isEnabled();
        const QString reason = m_actions.reason(command.id);
        // What is asked for by name and cannot be done says why.
        if (!isOn && (wanted.isEmpty() || reason.isEmpty()))
            continue;
        const bool hasRoom = add(name, key, "command", CommandKind, command.id);
        if (!isOn) {
            QListWidgetItem *item = m_found->item(m_found->count() - 1);
            item->setFlags(Qt::ItemIsSelectable);
            item->setData(ReasonRole, reason);
            item->setData(Qt::AccessibleDescriptionRole, reason);
        }
        if (!hasRoom)
            break;
    }
    if (m_found->count() == 0) {
        auto *nothing = new QListWidgetItem(tr("Nothing is called “%1”.").arg(wanted), m_found);
        nothing->setFlags(Qt::NoItemFlags);
    } else {
        m_found->setCurrentRow(0);
    }
    // As high as what was found, up to a point.
    int listHeight = 0;
    for (int row = 0; row < m_found->count(); ++row)
        listHeight += m_found->sizeHintForRow(row);
    m_found->setFixedHeight(std::min(listHeight, mostRows * std::max(28, m_found->fontMetrics().height() + 10)) + 2);
    adjustSize();
    resize(popupWidth, height());
}

void FindPopup::choose(QListWidgetItem *item)
{
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    const QVariant value = item->data(ValueRole);
    const int kind = item->data(KindRole).toInt();
    hide();
    if (kind == TokenKind) {
        const CellRef found{ value.toLongLong(), -1 };
        m_selection.setVisible(visibleWith(m_selection.visible(), found));
        m_selection.setPicked(found);
    } else if (kind == HeadKind) {
        const QVariantList parts = value.toList();
        m_document.pickHead({ parts[0].toInt(), parts[1].toInt(), parts[2].toInt(), parts[3].toInt() });
    } else {
        m_actions[value.toString()]->trigger();
    }
}

bool FindPopup::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const int step = key->key() == Qt::Key_Down ? 1
            : key->key() == Qt::Key_Up              ? -1
            : key->key() == Qt::Key_PageDown        ? 10
            : key->key() == Qt::Key_PageUp          ? -10
                                                    : 0;
        if (step != 0) {
            m_found->setCurrentRow(std::clamp(m_found->currentRow() + step, 0, std::max(0, m_found->count() - 1)));
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            choose(m_found->currentItem());
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void FindPopup::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.setPen(theme.line);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace attenscope
