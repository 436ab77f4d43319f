// SPDX-License-Identifier: GPL-3.0-or-later
// AlgorithmControls: exact, or flash with its tiles.
#pragma once

#include "attention/input.h"
#include "panels/controls.h"

class QComboBox;

namespace attenscope {

class SliderRow;

/// The result is the same; the algorithm says how it is found.
class AlgorithmControls : public QWidget {
    Q_OBJECT

public:
    explicit AlgorithmControls(QWidget *parent = nullptr);

    /// Emits nothing.
    void show(const AttentionBlock &block, const AttentionSpec &spec, const QString &problem);

signals:
    void edited(const attenscope::AttentionSpec &spec, const QString &name, const QString &mergeKey);
    void editingEnded();

private:
    AttentionSpec m_spec;
    Index m_queries = 0;
    Index m_keys = 0;
    QComboBox *m_box = nullptr;
    LabelledRow *m_row = nullptr;
    SliderRow *m_queryRows = nullptr;
    SliderRow *m_keyColumns = nullptr;
};

} // namespace attenscope
