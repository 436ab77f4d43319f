// SPDX-License-Identifier: GPL-3.0-or-later
// What the head table shows, sorts by, copies and says about each number.
#include "state/head_table_model.h"

#include "core/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

HeadTableModel::HeadTableModel(Document &document, QObject *parent)
    : QAbstractTableModel(parent)
    , m_document(document)
{
    connect(&document, &Document::resultChanged, this, &HeadTableModel::refresh);
    refresh();
}

int HeadTableModel::rowOf(const HeadRef &head) const
{
    const auto found = std::find(m_heads.begin(), m_heads.end(), head);
    return found == m_heads.end() ? -1 : static_cast<int>(found - m_heads.begin());
}

Index HeadTableModel::nanRows() const
{
    Index rows = 0;
    for (const auto &head : m_document.result()->heads)
        rows += head->summary.nanRows;
    return rows;
}

int HeadTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_heads.size());
}

int HeadTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HeadTableModel::data(const QModelIndex &index, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == Head ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != sortRole && role != exactRole && role != Qt::ToolTipRole)
        return {};
    const HeadRef &ref = headAt(index.row());
    if (index.column() == Head) {
        if (role == sortRole)
            return index.row();
        return role == Qt::ToolTipRole ? QVariant() : QString::fromStdString(headName(*m_document.input(), ref));
    }
    const auto head = m_document.result()->find(ref);
    double number = std::numeric_limits<double>::quiet_NaN();
    if (head && head->summary.rows > 0) {
        const HeadSummary &summary = head->summary;
        number = index.column() == Entropy ? summary.entropy : index.column() == EffectiveKeys ? summary.effectiveKeys : summary.largest;
    }
    if (role == sortRole)
        return number;
    if (head && head->summary.rows == 0 && head->summary.nanRows == 0)
        return role == Qt::ToolTipRole ? tr("Every key is masked: there is no row to sum up.") : QStringLiteral("–");
    if (role == Qt::DisplayRole) {
        // Six characters at most as long as that loses no place before the point; the tooltip has all.
        const int decimals = std::abs(number) < 10.0 ? 4 : std::abs(number) < 100.0 ? 3 : std::abs(number) < 1000.0 ? 2 : 1;
        return head ? QString::fromStdString(displayNumber(number, decimals)) : QStringLiteral("…");
    }
    return head ? QString::fromStdString(exactNumber(number)) : QString();
}

QVariant HeadTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return data(index(0, section), role);
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Entropy:
            return tr("Entropy");
        case EffectiveKeys:
            return tr("Keys");
        case Largest:
            return tr("Largest");
        default:
            return tr("Head");
        }
    }
    if (role != Qt::ToolTipRole)
        return {};
    switch (section) {
    case Entropy:
        return tr(
            "Mean over the rows of −Σ w ln w, in nats: 0 if one key has all the weight, ln of the visible keys if all have the same.");
    case EffectiveKeys:
        return tr("Effective number of keys: mean over the rows of e to the entropy.");
    case Largest:
        return tr("Mean over the rows of the largest weight.");
    default:
        return m_document.block().layers > 1 ? tr("Layer·head, both counted from 0.") : tr("Head, counted from 0.");
    }
}

void HeadTableModel::refresh()
{
    std::vector<HeadRef> heads = allHeads(*m_document.input(), m_document.result()->spec, m_document.head().element);
    if (heads != m_heads) {
        beginResetModel();
        m_heads = std::move(heads);
        endResetModel();
    } else if (!m_heads.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

} // namespace attenscope
