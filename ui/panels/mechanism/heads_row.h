// SPDX-License-Identifier: GPL-3.0-or-later
// HeadsRow: how many query heads there are and how many key/value heads they share.
#pragma once

#include "attention/input.h"
#include "panels/controls.h"

namespace attenscope {

class NumberField;

/// "Heads [4] share [2] K/V". Where the data say how many heads there are, only the sharing can be edited; one head shares nothing.
class HeadsRow : public LabelledRow {
    Q_OBJECT

public:
    explicit HeadsRow(QWidget *parent = nullptr);

    /// Hides itself where there is nothing to choose. Emits nothing. @p columns: of W_q, for the heads to share; 0: the data have their heads.
    void show(const AttentionBlock &block, const AttentionSpec &spec, Index columns, const QString &problem);

signals:
    /// @p heads and @p kvHeads as in AttentionSpec (0 K/V heads: one for each).
    void edited(int heads, int kvHeads, const QString &name);

private:
    void enterHeads(int heads);
    void enterKvHeads(int kvHeads);
    [[nodiscard]] std::vector<Fix> fixes(int columns);

    int m_heads = 1; ///< Query heads in use.
    int m_specHeads = 1;
    int m_specKvHeads = 0;
    int m_kvHeads = 1; ///< Key/value heads in use.
    int m_mostKvHeads = 1; ///< As many as the data have.
    NumberField *m_headsField = nullptr;
    QLabel *m_headsLabel = nullptr;
    NumberField *m_kvField = nullptr;
};

} // namespace attenscope
