// SPDX-License-Identifier: GPL-3.0-or-later
// ScoreControls: how a query and a key become one number, with the parameters that it needs.
#pragma once

#include "attention/input.h"
#include "panels/controls.h"

class QComboBox;

namespace attenscope {

class FoldRow;
class MatrixTableRow;

/// The score function and, folded, its matrices: seeded until one is edited.
class ScoreControls : public QWidget {
    Q_OBJECT

public:
    explicit ScoreControls(QWidget *parent = nullptr);

    /// Emits nothing. @p block is not recorded.
    void show(const AttentionBlock &block, const AttentionSpec &spec, const QString &problem);
    void focusControl();

signals:
    void edited(const attenscope::AttentionSpec &spec, const QString &name);
    void attentionChanged(bool isOn);

private:
    struct Table {
        MatrixTableRow *row;
        SharedMatrix ScoreParameters::*matrix;
    };

    void choose(int choice);
    void editParameters(const ScoreParameters &parameters, const QString &name);

    AttentionSpec m_spec;
    ScoreParameters m_shown; ///< In use: seeded ones where the mechanism has none of its own.
    QComboBox *m_box = nullptr;
    LabelledRow *m_row = nullptr;
    FoldRow *m_fold = nullptr;
    std::vector<Table> m_tables;
};

} // namespace attenscope
