// SPDX-License-Identifier: GPL-3.0-or-later
// HeadTableModel: one row of numbers per head of the document, for the head table.
#pragma once

#include "state/document.h"

#include <QAbstractTableModel>

#include <vector>

namespace attenscope {

/// Rows in the order of allHeads(); heads that are not ready have "…". Numbers: display 4 decimals, SortRole and ExactRole the number itself.
class HeadTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Head, Entropy, EffectiveKeys, Largest, ColumnCount };
    /// A double, or the row for Head; NaN sorts first.
    static constexpr int sortRole = Qt::UserRole;
    /// Text with full precision, for copies.
    static constexpr int exactRole = Qt::UserRole + 1;

    explicit HeadTableModel(Document &document, QObject *parent = nullptr);

    [[nodiscard]] const HeadRef &headAt(int row) const { return m_heads[static_cast<std::size_t>(row)]; }
    /// -1 if there is no such head.
    [[nodiscard]] int rowOf(const HeadRef &head) const;
    /// Rows with NaN that the means leave out, over all heads.
    [[nodiscard]] Index nanRows() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();

    Document &m_document;
    std::vector<HeadRef> m_heads;
};

} // namespace attenscope
