// SPDX-License-Identifier: GPL-3.0-or-later
// Exact or flash, and the size of a tile.
#include "panels/mechanism/algorithm_controls.h"

#include "core/text.h"
#include "panels/mechanism/slider_row.h"
#include "session/presets.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace attenscope {

namespace {

constexpr Index mostBlock = 1'000'000;

} // namespace

AlgorithmControls::AlgorithmControls(QWidget *parent)
    : QWidget(parent)
{
    m_box = choiceBox({ tr("exact"), tr("flash, tile by tile") });
    m_box->setObjectName(QStringLiteral("algorithm"));
    m_row = new LabelledRow(tr("Algorithm"), m_box);
    m_row->setHelp(tr("Exact: row by row. Flash: tile by tile with a running maximum and sum; the same result. Default: exact."));
    const auto choose = [this](int choice) {
        AttentionSpec next = m_spec;
        next.algorithm = Algorithm::Exact;
        emit edited(choice == 1 ? withFlash(next, m_queries, m_keys) : next, tr("change algorithm"), {});
    };
    connect(m_box, &QComboBox::activated, this, choose);
    connect(m_row, &LabelledRow::labelDoubleClicked, this, [choose] { choose(0); });
    const auto side = [this](const QString &label, const QString &name, const QString &spoken, Index AttentionSpec::*member) {
        const NumberRange range{
            .name = spoken, .least = 1, .most = static_cast<double>(mostBlock), .isWhole = true, .fallback = 64, .decimals = 0
        };
        auto *row = new SliderRow(label, name, range, SliderScale::Linear, 1, 64);
        row->setHelp(tr("%1 of a tile, 1 to 1,000,000. Default: 64.").arg(spoken));
        connect(row, &SliderRow::edited, this, [this, member, name](double number) {
            AttentionSpec next = m_spec;
            next.*member = static_cast<Index>(number);
            emit edited(next, tr("change tiles"), name);
        });
        connect(row, &SliderRow::editingEnded, this, &AlgorithmControls::editingEnded);
        return row;
    };
    m_queryRows = side(tr("Query rows"), QStringLiteral("queryBlock"), tr("Query rows"), &AttentionSpec::queryBlock);
    m_keyColumns = side(tr("Key columns"), QStringLiteral("keyBlock"), tr("Key columns"), &AttentionSpec::keyBlock);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(rowSpacing);
    for (QWidget *row : std::initializer_list<QWidget *>{ m_row, m_queryRows, m_keyColumns })
        column->addWidget(row);
}

void AlgorithmControls::show(const AttentionBlock &block, const AttentionSpec &spec, const QString &problem)
{
    m_spec = spec;
    m_queries = block.queries;
    m_keys = block.keys;
    const bool isFlash = spec.algorithm == Algorithm::Flash;
    m_box->setCurrentIndex(isFlash ? 1 : 0);
    m_queryRows->setVisible(isFlash);
    m_keyColumns->setVisible(isFlash);
    m_row->setNote({});
    if (!isFlash)
        return;
    m_queryRows->show(static_cast<double>(spec.queryBlock), spec.queryBlock < 1 ? problem : QString());
    m_keyColumns->show(static_cast<double>(spec.keyBlock), spec.queryBlock < 1 ? QString() : problem);
    if (spec.queryBlock < 1 || spec.keyBlock < 1)
        return;
    const Index rows = (block.queries - 1) / spec.queryBlock + 1;
    const Index cols = (block.keys - 1) / spec.keyBlock + 1;
    const auto count = [](Index number) { return QString::fromStdString(groupedCount(number)); };
    m_row->setNote(rows * cols == 1 ? tr("One tile holds everything")
                                    : tr("%1 × %2 tiles, the last ones cut to what is left").arg(count(rows), count(cols)));
}

} // namespace attenscope
