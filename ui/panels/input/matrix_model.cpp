// SPDX-License-Identifier: GPL-3.0-or-later
// A SharedMatrix as cells of a table.
#include "panels/input/matrix_model.h"

#include "core/text.h"
#include "io/number_text.h"
#include "state/number_text.h"

namespace attenscope {

namespace {

constexpr std::size_t longestTokenName = 64;

} // namespace

void MatrixModel::setMatrix(const SharedMatrix &matrix, std::vector<std::string> names, bool hasNames)
{
    if (m_matrix == matrix && m_names == names && m_hasNames == hasNames)
        return;
    const bool isSameShape = m_matrix.rows() == matrix.rows() && m_matrix.cols() == matrix.cols();
    if (!isSameShape)
        beginResetModel();
    m_matrix = matrix;
    m_names = std::move(names);
    m_hasNames = hasNames;
    if (!isSameShape) {
        endResetModel();
        return;
    }
    if (rowCount() > 0 && columnCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    }
}

QString MatrixModel::rowName(int row) const
{
    const auto place = static_cast<std::size_t>(row);
    return place < m_names.size() ? QString::fromStdString(m_names[place]) : QString();
}

int MatrixModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_matrix.rows());
}

int MatrixModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_matrix.cols());
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    const double number = m_matrix.at(index.row(), index.column());
    if (role == Qt::DisplayRole)
        return cellText(number);
    // A tooltip only where the cell shows less than there is.
    QString exact = QString::fromStdString(exactNumber(number));
    if (role == Qt::ToolTipRole && exact.size() <= 6)
        return {};
    return exact;
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (orientation == Qt::Horizontal)
        return role == Qt::DisplayRole ? QString::number(section) : QVariant();
    const QString name = rowName(section);
    if (role == Qt::ToolTipRole)
        return m_hasNames ? tr("%1 ‘%2’. Double click to rename.").arg(section).arg(name.left(longestTokenName * 4)) : QVariant();
    if (name.isEmpty())
        return QString::number(section);
    return QString::fromStdString(shortened(name.toStdString(), longestTokenName));
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex &index) const
{
    return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsEditable : Qt::NoItemFlags;
}

QString MatrixModel::problemOf(const QString &text, int row, int col) const
{
    const QString kept
        = tr("Row %1, column %2 keeps %3").arg(countText(row), countText(col), QString::fromStdString(exactNumber(m_matrix.at(row, col))));
    if (isTooLarge(text))
        return QString::fromStdString(tooLargeNumber(kept.toStdString() + '.').sentence());
    return tr("‘%1’ is not a number. %2; NaN and inf are numbers here.")
        .arg(QString::fromStdString(shortened(text.toStdString(), 20)), kept);
}

bool MatrixModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    const QString text = value.toString();
    if (const std::optional<double> number = typedNumber(text)) {
        emit cellEntered(index.row(), index.column(), *number);
        return true;
    }
    emit badTextEntered(problemOf(text, index.row(), index.column()));
    return false;
}

} // namespace attenscope
