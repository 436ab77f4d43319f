// SPDX-License-Identifier: GPL-3.0-or-later
// What the head table shows, copies and says about each number.
#include "state/head_table_model.h"

#include "core/text.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

HeadTableModel::HeadTableModel(Document &document, QObject *parent)
    : QAbstractTableModel(parent)
    , m_document(document)
{
    refresh();
}

int HeadTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_list.heads.size());
}

int HeadTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(allHeadColumns.size());
}

QVariant HeadTableModel::data(const QModelIndex &index, int role) const
{
    const HeadColumn column = columnAt(index.column());
    const ListedHead &head = m_list.heads[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case Qt::DisplayRole:
        return columnText(head, column);
    case Qt::ToolTipRole:
        return columnTip(m_document, head, column);
    case exactRole: {
        if (columnMean(column) == nullptr)
            return columnText(head, column);
        const double number = head.number(column);
        return std::isnan(number) ? QString() : QString::fromStdString(exactNumber(number));
    }
    default:
        return {};
    }
}

QVariant HeadTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const HeadColumn column = columnAt(section);
    switch (role) {
    case Qt::TextAlignmentRole:
        return static_cast<int>((columnMean(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return QString::fromStdString(columnName(column));
    case Qt::ToolTipRole:
        return columnHelp(m_document, column);
    case uniformRole: {
        const int block = m_document.head().block;
        const auto head = std::find_if(m_list.heads.begin(), m_list.heads.end(),
            [block](const ListedHead &one) { return one.ref.block == block && one.summary && one.summary->isComplete; });
        return head == m_list.heads.end() ? QString() : uniformText(*head->summary, column);
    }
    default:
        return {};
    }
}

void HeadTableModel::refresh()
{
    HeadList list = listHeads(m_document);
    const bool isSame = std::equal(list.heads.begin(), list.heads.end(), m_list.heads.begin(), m_list.heads.end(),
        [](const ListedHead &a, const ListedHead &b) { return a.ref == b.ref; });
    if (!isSame)
        beginResetModel();
    m_list = std::move(list);
    if (!isSame)
        endResetModel();
    else if (!m_list.heads.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

} // namespace attenscope
