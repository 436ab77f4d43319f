// SPDX-License-Identifier: GPL-3.0-or-later
// CostPlot: costs against the number of tokens, both axes logarithmic.
#pragma once

#include "attention/cost.h"

#include <QWidget>

class QCustomPlot;

namespace attenscope {

class CostPlot : public QWidget {
    Q_OBJECT

public:
    static constexpr double mostTokens = 1e6;

    explicit CostPlot(QWidget *parent = nullptr);

    /// The curves of @p spec from 1 to 1,000,000 tokens, and a line at the keys of @p shape.
    void show(const AttentionSpec &spec, const CostShape &shape);

protected:
    void changeEvent(QEvent *event) override;

private:
    void follow();

    QCustomPlot *m_plot = nullptr;
};

} // namespace attenscope
