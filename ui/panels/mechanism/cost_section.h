// SPDX-License-Identifier: GPL-3.0-or-later
// CostSection: what the mechanism costs, for this input and for any number of tokens.
#pragma once

#include "attention/cost.h"
#include "panels/mechanism/fold_row.h"
#include "state/document.h"

class QComboBox;

namespace attenscope {

class CostPlot;
class SliderRow;

/// Folded: nothing is counted. The slider begins at the input's own length.
class CostSection : public FoldRow {
    Q_OBJECT

public:
    explicit CostSection(Document &document, QWidget *parent = nullptr);

private:
    void follow();
    void showCosts();
    [[nodiscard]] Cost cells() const;

    Document &m_document;
    CostShape m_shape; ///< Of the input.
    Index m_length = 0; ///< Chosen with the slider; 0: the input's own.
    SliderRow *m_tokens = nullptr;
    QComboBox *m_bytes = nullptr;
    QLabel *m_table = nullptr;
    CostPlot *m_plot = nullptr;
};

} // namespace attenscope
