// SPDX-License-Identifier: GPL-3.0-or-later
// MatrixModel: a SharedMatrix as cells of a table, read only where they are shown.
#pragma once

#include "core/shared_matrix.h"

#include <QAbstractTableModel>

#include <string>
#include <vector>

namespace attenscope {

/// Changes nothing by itself: an entered number or name is emitted, and what shows is what setMatrix() gives.
class MatrixModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// The rows have @p names; those without one show their position. @p hasNames: the rows are tokens and can be named.
    void setMatrix(const SharedMatrix &matrix, std::vector<std::string> names, bool hasNames);
    [[nodiscard]] const SharedMatrix &matrix() const { return m_matrix; }
    [[nodiscard]] bool hasNames() const { return m_hasNames; }
    [[nodiscard]] QString rowName(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

signals:
    void cellEntered(int row, int col, double number);
    /// What was entered in a cell is no number: what it is, where, and what the cell keeps.
    void badTextEntered(const QString &problem);

private:
    [[nodiscard]] QString problemOf(const QString &text, int row, int col) const;

    SharedMatrix m_matrix;
    std::vector<std::string> m_names;
    bool m_hasNames = false;
};

} // namespace attenscope
