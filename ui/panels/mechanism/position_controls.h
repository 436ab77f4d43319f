// SPDX-License-Identifier: GPL-3.0-or-later
// PositionControls: positions, bias, soft cap and the softmax, folded.
#pragma once

#include "attention/input.h"
#include "panels/mechanism/fold_row.h"
#include "state/math_box.h"

class QCheckBox;
class QComboBox;

namespace attenscope {

class MatrixTableRow;
class NumberField;
class SliderRow;

/// RoPE with base and offsets, ALiBi, an additive bias, soft cap, softmax or softmax1. Rows of what is off are hidden.
class PositionControls : public FoldRow {
    Q_OBJECT

public:
    explicit PositionControls(QWidget *parent = nullptr);

    /// What is wrong with each part; empty: nothing.
    struct Problems {
        QString rope;
        QString bias;
        QString softCap;
    };
    /// Emits nothing. @p block is not recorded.
    void show(const AttentionBlock &block, const AttentionSpec &spec, const Problems &problems);
    /// Unfolds and puts the focus on the control of @p symbol, one of Rope, Bias, SoftCap and Softmax.
    void focusControl(Symbol symbol);

signals:
    void edited(const attenscope::AttentionSpec &spec, const QString &name, const QString &mergeKey);
    /// A drag is over: what follows is another step.
    void editingEnded();
    void attentionChanged(attenscope::Symbol symbol, bool isOn);

private:
    void buildRope();
    void buildBias();
    void buildSoftmax();
    void light(PanelRow *row, Symbol symbol);
    /// Emits the mechanism with @p change.
    template <typename Change>
    void change(const QString &name, const QString &mergeKey, Change change);
    [[nodiscard]] QString summary() const;
    void setBias(const SharedMatrix &bias, const QString &name);

    AttentionSpec m_spec;
    Index m_queries = 0;
    Index m_keys = 0;
    QComboBox *m_rope = nullptr;
    LabelledRow *m_ropeRow = nullptr;
    SliderRow *m_base = nullptr;
    NumberField *m_queryOffset = nullptr;
    NumberField *m_keyOffset = nullptr;
    LabelledRow *m_offsetRow = nullptr;
    QCheckBox *m_alibi = nullptr;
    LabelledRow *m_alibiRow = nullptr;
    QCheckBox *m_bias = nullptr;
    LabelledRow *m_biasRow = nullptr;
    MatrixTableRow *m_biasTable = nullptr;
    QCheckBox *m_hasCap = nullptr;
    LabelledRow *m_hasCapRow = nullptr;
    SliderRow *m_cap = nullptr;
    QComboBox *m_softmax = nullptr;
    LabelledRow *m_softmaxRow = nullptr;
};

} // namespace attenscope
