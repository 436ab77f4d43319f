// SPDX-License-Identifier: GPL-3.0-or-later
// MaskParameters: the numbers that a mask rule has, each with a line of words.
#pragma once

#include "attention/input.h"
#include "panels/controls.h"

class QLineEdit;

namespace attenscope {

class BlockGrid;
class SliderRow;

/// Window, prefix, stride, columns, sinks, blocks with their layout, starts of documents: those of the rule are shown.
class MaskParameters : public QWidget {
    Q_OBJECT

public:
    explicit MaskParameters(QWidget *parent = nullptr);

    /// Emits nothing. @p problem is what is wrong with the rule on this block.
    void show(const MaskSpec &mask, const AttentionBlock &block, const QString &problem);

signals:
    void edited(const attenscope::MaskSpec &mask, const QString &name, const QString &mergeKey);
    void editingEnded();
    void attentionChanged(bool isOn);

private:
    SliderRow *addNumber(const QString &label, const QString &name, const QString &spoken, const QString &help, Index MaskSpec::*member,
        const QString &undoName);
    void setDocuments(const std::vector<Index> &starts);
    void readDocuments();

    MaskSpec m_mask;
    AttentionBlock m_shape; ///< Queries and keys alone.
    SliderRow *m_window = nullptr;
    SliderRow *m_prefix = nullptr;
    SliderRow *m_stride = nullptr;
    SliderRow *m_columns = nullptr;
    SliderRow *m_sinks = nullptr;
    SliderRow *m_block = nullptr;
    BlockGrid *m_grid = nullptr;
    LabelledRow *m_gridRow = nullptr;
    QLineEdit *m_documents = nullptr;
    LabelledRow *m_documentRow = nullptr;
};

} // namespace attenscope
