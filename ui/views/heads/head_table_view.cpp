// SPDX-License-Identifier: GPL-3.0-or-later
// Painting, measuring and copying the head table.
#include "views/heads/head_table_view.h"

#include "state/theme.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace attenscope {

namespace {

constexpr int dockPadding = 16;
constexpr int cellPadding = 8;
constexpr int headerPadding = 6;

/// Of what uniform attention has, below the names of the columns.
QFont uniformFont(QFont font)
{
    font.setPixelSize(std::max(1, qRound(QFontInfo(font).pixelSize() * 12.0 / 13.0)));
    return font;
}

/// Space between a cell's text and its sides; the first column stands as far in as everything in a dock.
QRect textRect(const QRect &cell, bool isFirst)
{
    return cell.adjusted(isFirst ? dockPadding : cellPadding, 0, -cellPadding, 0);
}

/// Says by an arrow after its name which column orders.
class Header : public QHeaderView {
public:
    explicit Header(QWidget *parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(true);
        setContextMenuPolicy(Qt::CustomContextMenu);
    }

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        const Theme &theme = Theme::of(palette());
        painter->fillRect(rect, theme.panel);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.line);
        QString name = model()->headerData(section, Qt::Horizontal).toString();
        if (section == sortIndicatorSection())
            name += sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral(" ↑") : QStringLiteral(" ↓");
        painter->setPen(theme.secondaryText);
        const auto across
            = Qt::Alignment(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt()) & Qt::AlignHorizontal_Mask;
        const QRect inside = textRect(rect, section == 0).adjusted(0, headerPadding, 0, -headerPadding);
        painter->drawText(inside, static_cast<int>(across | Qt::AlignTop), name);
        painter->setFont(uniformFont(font()));
        painter->drawText(inside, static_cast<int>(across | Qt::AlignBottom),
            model()->headerData(section, Qt::Horizontal, HeadTableModel::uniformRole).toString());
    }
};

} // namespace

/// Rows are picked, not cells: no ring around one of them. The picked row is bold.
class HeadTableView::Delegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    int pickedRow = -1;
    int hoveredRow = -1;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::of(option.palette);
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        if (isSelected || index.row() == hoveredRow)
            painter->fillRect(option.rect, isSelected ? theme.accentGround : theme.hover);
        QFont font = option.font;
        font.setBold(index.row() == pickedRow);
        painter->setFont(font);
        const QString text = index.data().toString();
        painter->setPen(text == u'–' || text == u'…' ? theme.secondaryText : theme.text);
        const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        painter->drawText(textRect(option.rect, index.column() == 0), static_cast<int>(alignment), text);
    }
};

HeadTableView::HeadTableView(HeadTableModel &model, QWidget *parent)
    : QTableView(parent)
    , m_model(model)
    , m_delegate(new Delegate(this))
{
    setHorizontalHeader(new Header(this));
    setModel(&model);
    setItemDelegate(m_delegate);
    setAccessibleName(tr("Head table"));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setMouseTracking(true);
    setWordWrap(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    // Nothing is edited here: letters and digits are keys of the window.
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this,
        [this](int section) { emit orderRequested(HeadTableModel::columnAt(section)); });
    connect(this, &QAbstractItemView::entered, this, [this](const QModelIndex &index) { setHoveredRow(index.row()); });
    connect(this, &QAbstractItemView::viewportEntered, this, [this] { setHoveredRow(-1); });
    connect(&model, &QAbstractItemModel::modelReset, this, &HeadTableView::fit);
    connect(&model, &QAbstractItemModel::dataChanged, this, &HeadTableView::fitColumns);
    fit();
}

void HeadTableView::setPickedRow(int row)
{
    m_delegate->pickedRow = row;
    viewport()->update();
    // The picked head may be of another block.
    horizontalHeader()->viewport()->update();
}

void HeadTableView::setHoveredRow(int row)
{
    if (std::exchange(m_delegate->hoveredRow, row) != row)
        viewport()->update();
}

void HeadTableView::showOrder(HeadColumn by, bool isDescending)
{
    horizontalHeader()->setSortIndicator(HeadTableModel::sectionOf(by), isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    horizontalHeader()->viewport()->update();
}

void HeadTableView::showColumns(const QVariantList &hidden)
{
    // Without its first column a row says nothing.
    for (int section = 1; section < m_model.columnCount(); ++section)
        setColumnHidden(section, hidden.contains(section));
    fitColumns();
}

void HeadTableView::fit()
{
    constexpr int mostTallRows = 16;
    const int rows = m_model.rowCount();
    const int height = std::max(rows > mostTallRows ? 24 : 28, fontMetrics().height() + 6);
    verticalHeader()->setDefaultSectionSize(height);
    horizontalHeader()->setFixedHeight(fontMetrics().height() + QFontMetrics(uniformFont(font())).height() + 2 * headerPadding + 2);
    fitColumns();
}

void HeadTableView::fitColumns()
{
    if (std::exchange(m_isFitting, true))
        return;
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics numbers(bold);
    const auto widest = [&](HeadColumn column) {
        if (columnMean(column))
            return numbers.horizontalAdvance(QStringLiteral("00.000"));
        int width = 0;
        int length = 0;
        // Measuring a thousand names takes a while: only those that may be the widest.
        for (const ListedHead &head : m_model.list().heads) {
            const QString text = columnText(head, column);
            if (text.size() < length)
                continue;
            length = static_cast<int>(text.size());
            width = std::max(width, numbers.horizontalAdvance(text));
        }
        return width;
    };
    std::vector<int> widths(allHeadColumns.size(), 0);
    int used = 0;
    int shown = 0;
    for (const HeadColumn column : allHeadColumns) {
        const int section = HeadTableModel::sectionOf(column);
        if (isColumnHidden(section))
            continue;
        const int title
            = horizontalHeader()->fontMetrics().horizontalAdvance(QString::fromStdString(columnName(column)) + QStringLiteral(" ↓"));
        const int padding = (section == 0 ? dockPadding : cellPadding) + cellPadding;
        widths[static_cast<std::size_t>(section)] = std::max(title, widest(column)) + padding;
        used += widths[static_cast<std::size_t>(section)];
        ++shown;
    }
    // What is left over is shared; the numbers of the last column end where the padding of a dock begins.
    const int left = std::max(0, viewport()->width() - used - cellPadding);
    int place = 0;
    for (std::size_t section = 0; section < widths.size(); ++section) {
        if (isColumnHidden(static_cast<int>(section)))
            continue;
        ++place;
        const int share = left * place / shown - left * (place - 1) / shown;
        setColumnWidth(static_cast<int>(section), widths[section] + share);
    }
    m_isFitting = false;
}

QString HeadTableView::text(bool onlySelected) const
{
    std::vector<int> rows;
    if (onlySelected) {
        for (const QModelIndex &row : selectionModel()->selectedRows())
            rows.push_back(row.row());
        std::sort(rows.begin(), rows.end());
    } else {
        for (int row = 0; row < m_model.rowCount(); ++row)
            rows.push_back(row);
    }
    QStringList cells;
    const auto addLine = [&](auto textOf) {
        QStringList line;
        for (int section = 0; section < m_model.columnCount(); ++section) {
            if (!isColumnHidden(section))
                line.append(textOf(section));
        }
        cells.append(line.join(u'\t'));
    };
    addLine([this](int section) { return m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (const int row : rows)
        addLine([&](int section) { return m_model.index(row, section).data(HeadTableModel::exactRole).toString(); });
    return cells.join(u'\n') + u'\n';
}

void HeadTableView::copy(bool onlySelected) const
{
    QGuiApplication::clipboard()->setText(text(onlySelected));
}

void HeadTableView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy) && selectionModel()->hasSelection())
        return copy(true);
    QTableView::keyPressEvent(event);
}

void HeadTableView::leaveEvent(QEvent *event)
{
    setHoveredRow(-1);
    QTableView::leaveEvent(event);
}

void HeadTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void HeadTableView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

} // namespace attenscope
