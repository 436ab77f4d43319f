// SPDX-License-Identifier: GPL-3.0-or-later
// The choices above the head grid.
#include "views/heads/grid_bar.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QWheelEvent>

#include <algorithm>

namespace attenscope {

namespace {

constexpr int padding = 16;
constexpr int spacing = 8;

/// The wheel scrolls what is under the mouse unless the box has the focus.
class ChoiceBox : public QComboBox {
public:
    ChoiceBox()
    {
        setFocusPolicy(Qt::StrongFocus);
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        setMinimumContentsLength(8);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setMaxVisibleItems(26);
        view()->setTextElideMode(Qt::ElideNone);
    }

    /// The list is as wide as its entries, however narrow the box is.
    void showPopup() override
    {
        view()->setMinimumWidth(std::max(width(), view()->sizeHintForColumn(0) + 32));
        QComboBox::showPopup();
    }

protected:
    void wheelEvent(QWheelEvent *event) override
    {
        if (hasFocus())
            QComboBox::wheelEvent(event);
        else
            event->ignore();
    }
};

QString lowered(const std::string &text)
{
    // Not H/ln.
    const QString name = QString::fromStdString(text);
    return name.contains(u'/') ? name : name.toLower();
}

QString orderText(HeadColumn column, bool isDescending)
{
    switch (column) {
    case HeadColumn::Head:
        return isDescending ? GridBar::tr("layer and head, last first") : GridBar::tr("layer and head");
    case HeadColumn::Pattern:
        return isDescending ? GridBar::tr("pattern, last first") : GridBar::tr("pattern");
    default:
        return (isDescending ? GridBar::tr("%1, high first") : GridBar::tr("%1, low first")).arg(lowered(columnName(column)));
    }
}

/// What the numbers under the thumbnails are.
QString noteText(const Document &document, HeadColumn by)
{
    const AttentionInput &input = *document.input();
    const bool hasLayers
        = std::any_of(input.blocks.begin(), input.blocks.end(), [](const AttentionBlock &block) { return block.layers > 1; });
    const QString name = hasLayers ? GridBar::tr("layer·head") : GridBar::tr("head");
    if (columnMean(by) == nullptr)
        return name;
    const QString unit = by == HeadColumn::Entropy ? GridBar::tr(" in nats")
        : by == HeadColumn::Distance               ? GridBar::tr(" in tokens")
                                                   : QString();
    return name + QStringLiteral(", ") + lowered(columnName(by)) + unit;
}

} // namespace

GridBar::GridBar(Document &document, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_rows(new QGridLayout(this))
    , m_orderLabel(new QLabel(tr("Order")))
    , m_order(new ChoiceBox)
    , m_showLabel(new QLabel(tr("Show")))
    , m_show(new ChoiceBox)
    , m_note(new QLabel)
{
    m_rows->setContentsMargins(padding, spacing, padding, 0);
    m_rows->setSpacing(spacing);
    for (QLabel *label : { m_orderLabel, m_showLabel, m_note })
        label->setForegroundRole(QPalette::PlaceholderText);
    m_orderLabel->setBuddy(m_order);
    m_showLabel->setBuddy(m_show);
    m_order->setAccessibleName(tr("Order of the heads"));
    m_order->setToolTip(tr("By what the heads are ordered, here and in the head table. Blocks of a model stay apart."));
    m_show->setAccessibleName(tr("Heads shown"));
    m_show->setToolTip(tr("Heads of one pattern, here and in the head table. Patterns describe this input, not the head’s function."));
    for (const HeadColumn column : allHeadColumns) {
        for (const bool isDescending : { false, true })
            m_order->addItem(orderText(column, isDescending), QVariantList{ static_cast<int>(column), isDescending });
    }
    connect(m_order, &QComboBox::activated, this, [this](int index) {
        HeadOrder order = m_document.session().view.heads;
        const QVariantList chosen = m_order->itemData(index).toList();
        order.by = static_cast<HeadColumn>(chosen[0].toInt());
        order.isDescending = chosen[1].toBool();
        edit(order, tr("order heads"));
    });
    connect(m_show, &QComboBox::activated, this, [this](int index) {
        HeadOrder order = m_document.session().view.heads;
        const QVariant chosen = m_show->itemData(index);
        order.only = chosen.isValid() ? std::optional(static_cast<Pattern>(chosen.toInt())) : std::nullopt;
        edit(order, tr("show a pattern"));
    });
    arrange();
}

void GridBar::edit(const HeadOrder &order, const QString &name)
{
    Session next = m_document.session();
    next.view.heads = order;
    m_document.edit(std::move(next), name);
}

void GridBar::follow(const HeadList &list)
{
    const HeadOrder &order = m_document.session().view.heads;
    m_order->setCurrentIndex(m_order->findData(QVariantList{ static_cast<int>(order.by), order.isDescending }));
    // Not under the eyes of who is choosing.
    if (m_show->view()->isVisible())
        return;
    m_show->clear();
    m_show->addItem(tr("all patterns"));
    for (const Pattern pattern : allPatterns) {
        const std::size_t count = list.counts[static_cast<std::size_t>(pattern)];
        if (count == 0 && order.only != pattern)
            continue;
        m_show->addItem(tr("%1 (%2)").arg(lowered(patternName(pattern))).arg(count), static_cast<int>(pattern));
        if (order.only == pattern)
            m_show->setCurrentIndex(m_show->count() - 1);
    }
    // Seeded, untrained heads have no patterns to choose from.
    for (QWidget *widget : std::initializer_list<QWidget *>{ m_showLabel, m_show })
        widget->setVisible(m_show->count() > 1);
    m_note->setText(noteText(m_document, order.by));
    arrange();
}

void GridBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void GridBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

void GridBar::arrange()
{
    const QFontMetrics letters = fontMetrics();
    const int one = letters.horizontalAdvance(m_orderLabel->text() + m_showLabel->text()) + 2 * padding + 3 * spacing
        + 2 * (letters.horizontalAdvance(tr("entropy, high first")) + 40);
    const bool isOneRow = width() >= one;
    const bool hasNote = isOneRow && width() >= one + letters.horizontalAdvance(m_note->text()) + spacing;
    const int columns = hasNote ? 5 : isOneRow ? 4 : 2;
    m_note->setVisible(hasNote);
    if (std::exchange(m_columns, columns) == columns)
        return;
    for (QWidget *widget : std::initializer_list<QWidget *>{ m_orderLabel, m_order, m_showLabel, m_show, m_note })
        m_rows->removeWidget(widget);
    m_rows->addWidget(m_orderLabel, 0, 0);
    m_rows->addWidget(m_order, 0, 1);
    m_rows->addWidget(m_showLabel, isOneRow ? 0 : 1, isOneRow ? 2 : 0);
    m_rows->addWidget(m_show, isOneRow ? 0 : 1, isOneRow ? 3 : 1);
    m_rows->addWidget(m_note, 0, 4, Qt::AlignRight);
    m_rows->setColumnStretch(1, 1);
    m_rows->setColumnStretch(3, isOneRow ? 1 : 0);
    m_rows->setColumnStretch(4, hasNote ? 1 : 0);
}

} // namespace attenscope
