// SPDX-License-Identifier: GPL-3.0-or-later
// HeadTableModel: one row of numbers per listed head of the document, for the head table.
#pragma once

#include "state/head_list.h"

#include <QAbstractTableModel>

namespace attenscope {

/// Rows in the order of listHeads(), columns those of HeadColumn. Numbers: display 4 decimals, exactRole the number itself.
class HeadTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Text with full precision, for copies; empty where there is no number.
    static constexpr int exactRole = Qt::UserRole;

    /// Of the header: what uniform attention under the same mask has, in the block of the picked head; empty while that is not known.
    static constexpr int uniformRole = Qt::UserRole + 1;

    explicit HeadTableModel(Document &document, QObject *parent = nullptr);

    [[nodiscard]] const HeadList &list() const { return m_list; }
    [[nodiscard]] const HeadRef &headAt(int row) const { return m_list.heads[static_cast<std::size_t>(row)].ref; }
    [[nodiscard]] static HeadColumn columnAt(int section) { return allHeadColumns[static_cast<std::size_t>(section)]; }
    [[nodiscard]] static int sectionOf(HeadColumn column) { return static_cast<int>(column); }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Lists the heads anew.
    void refresh();

private:
    Document &m_document;
    HeadList m_list;
};

} // namespace attenscope
