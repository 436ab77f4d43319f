// SPDX-License-Identifier: GPL-3.0-or-later
// The table view behind HeadTable: sorting, picking and copying.
#include "state/head_table_model.h"
#include "state/theme.h"
#include "views/heads/heads.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace attenscope {

namespace {

/// Space between a cell's text and its sides; the first and the last column stand as far in as everything in a dock.
QRect textRect(const QRect &cell, int column)
{
    constexpr int dockPadding = 16;
    constexpr int cellPadding = 8;
    return cell.adjusted(column == 0 ? dockPadding : 0, 0, column == HeadTableModel::ColumnCount - 1 ? -dockPadding : -cellPadding, 0);
}

/// Rows are picked, not cells: no ring around one of them. The picked row is bold.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    int pickedRow = -1; ///< Of the sorted rows.

    /// As wide as the text is where it is picked.
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QFont bold = option.font;
        bold.setBold(true);
        const QRect room = textRect(QRect(0, 0, 100, 1), index.column());
        const int width = QFontMetrics(bold).horizontalAdvance(index.data().toString()) + 100 - room.width();
        return { width, QStyledItemDelegate::sizeHint(option, index).height() };
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::of(option.palette);
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        if (isSelected || (option.state & QStyle::State_MouseOver) != 0)
            painter->fillRect(option.rect, isSelected ? theme.accentGround : theme.hover);
        QFont font = option.font;
        font.setBold(index.row() == pickedRow);
        painter->setFont(font);
        painter->setPen(theme.text);
        const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        painter->drawText(textRect(option.rect, index.column()), static_cast<int>(alignment), index.data().toString());
    }
};

/// Says by an arrow after its name which column sorts.
class Header : public QHeaderView {
public:
    explicit Header(QWidget *parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(true);
    }

protected:
    QSize sectionSizeFromContents(int section) const override
    {
        const QString name = model()->headerData(section, Qt::Horizontal).toString();
        const QRect room = textRect(QRect(0, 0, 100, 1), section);
        const int width = fontMetrics().horizontalAdvance(name + QStringLiteral(" ↓")) + 100 - room.width();
        return { width, QHeaderView::sectionSizeFromContents(section).height() };
    }

    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        const Theme &theme = Theme::of(palette());
        painter->fillRect(rect, theme.panel);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.line);
        QString name = model()->headerData(section, Qt::Horizontal).toString();
        if (section == sortIndicatorSection())
            name += sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral(" ↑") : QStringLiteral(" ↓");
        painter->setPen(theme.secondaryText);
        const auto alignment = Qt::Alignment(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
        painter->drawText(textRect(rect, section), static_cast<int>(alignment), name);
    }
};

class Table : public QTableView {
public:
    using QTableView::QTableView;

    [[nodiscard]] QString selectedText() const
    {
        QModelIndexList rows = selectionModel()->selectedRows();
        std::sort(rows.begin(), rows.end(), [](const QModelIndex &a, const QModelIndex &b) { return a.row() < b.row(); });
        QStringList lines;
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column)
            cells.append(model()->headerData(column, Qt::Horizontal).toString());
        lines.append(cells.join(u'\t'));
        for (const QModelIndex &row : rows) {
            cells.clear();
            for (int column = 0; column < model()->columnCount(); ++column)
                cells.append(row.siblingAtColumn(column).data(HeadTableModel::exactRole).toString());
            lines.append(cells.join(u'\t'));
        }
        return lines.join(u'\n') + u'\n';
    }

    /// Its rows need no more than this.
    void fitHeight()
    {
        constexpr int mostTallRows = 16;
        const int rows = model()->rowCount();
        const int base = std::max(rows > mostTallRows ? 24 : 28, fontMetrics().height() + 6);
        verticalHeader()->setDefaultSectionSize(base);
        horizontalHeader()->setFixedHeight(std::max(32, fontMetrics().height() + 12));
        setMaximumHeight(horizontalHeader()->height() + rows * base + 1);
    }

protected:
    void keyPressEvent(QKeyEvent *event) override
    {
        if (event->matches(QKeySequence::Copy) && selectionModel()->hasSelection())
            QGuiApplication::clipboard()->setText(selectedText());
        else
            QTableView::keyPressEvent(event);
    }
};

} // namespace

struct HeadTable::Parts {
    Document &document;
    HeadTableModel model;
    QSortFilterProxyModel sorted;
    Table *table = nullptr;
    RowDelegate *delegate = nullptr;
    QLabel *caption = nullptr;
    bool isFollowing = false; ///< The selection is being set from the document.

    explicit Parts(Document &theDocument)
        : document(theDocument)
        , model(theDocument)
    {
        sorted.setSourceModel(&model);
        sorted.setSortRole(HeadTableModel::sortRole);
    }

    /// Selects the row of the picked head.
    void follow()
    {
        const int row = model.rowOf(document.head());
        const QModelIndex picked = sorted.mapFromSource(model.index(row, HeadTableModel::Head));
        delegate->pickedRow = picked.row();
        if (picked.isValid() && table->currentIndex().row() != picked.row()) {
            isFollowing = true;
            table->selectionModel()->setCurrentIndex(picked, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            isFollowing = false;
        }
        table->viewport()->update();
    }

    void setCaptionFont()
    {
        QFont small = table->font();
        small.setPixelSize(std::max(1, qRound(QFontInfo(small).pixelSize() * 12.0 / 13.0)));
        caption->setFont(small);
    }
};

HeadTable::HeadTable(Document &document, Selection &, QWidget *parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>(document))
{
    Parts &parts = *m_parts;
    parts.table = new Table(this);
    parts.delegate = new RowDelegate(parts.table);
    parts.caption = new QLabel(this);
    Table &table = *parts.table;
    table.setHorizontalHeader(new Header(&table));
    table.setModel(&parts.sorted);
    table.setItemDelegate(parts.delegate);
    table.setAccessibleName(tr("Head table"));
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setMouseTracking(true);
    table.setWordWrap(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setTabKeyNavigation(false);
    table.setCornerButtonEnabled(false);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    // Where names of heads take much room, the table scrolls rather than cut a digit off.
    table.horizontalHeader()->setMinimumSectionSize(66);
    // Names of heads may have that of their block before them.
    table.horizontalHeader()->setSectionResizeMode(HeadTableModel::Head, QHeaderView::ResizeToContents);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setSortIndicator(HeadTableModel::Head, Qt::AscendingOrder);
    table.setSortingEnabled(true);
    setFocusProxy(&table);

    parts.caption->setText(tr("Entropy in nats, 0 to ln of the visible keys.\nKeys = effective number, e to the entropy."));
    parts.caption->setWordWrap(true);
    parts.caption->setForegroundRole(QPalette::PlaceholderText);
    parts.caption->setContentsMargins(16, 8, 16, 16);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(&table, 1);
    column->addWidget(parts.caption);
    column->addStretch(0);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(table.selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
        if (current.isValid() && !m_parts->isFollowing)
            m_parts->document.pickHead(m_parts->model.headAt(m_parts->sorted.mapToSource(current).row()));
    });
    const auto refresh = [this] {
        m_parts->table->fitHeight();
        m_parts->follow();
    };
    connect(&document, &Document::changed, this, refresh);
    connect(&document, &Document::resultChanged, this, refresh);
    connect(&parts.sorted, &QSortFilterProxyModel::layoutChanged, this, [this] { m_parts->follow(); });
    parts.setCaptionFont();
    refresh();
}

HeadTable::~HeadTable()
{
    delete m_parts->table; // asks its model until it is gone
}

QString HeadTable::titleNote() const
{
    return tr("mean over rows");
}

void HeadTable::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange) {
        m_parts->table->fitHeight();
        m_parts->setCaptionFont();
    }
    QWidget::changeEvent(event);
}

} // namespace attenscope
