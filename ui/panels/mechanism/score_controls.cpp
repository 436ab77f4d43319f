// SPDX-License-Identifier: GPL-3.0-or-later
// The score function in a box, its parameters in tables.
#include "panels/mechanism/score_controls.h"

#include "attention/operands.h"
#include "core/text.h"
#include "panels/input/matrix_table.h"
#include "panels/mechanism/fold_row.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace attenscope {

namespace {

/// In the order of the box.
constexpr ScoreFunction functions[] = { ScoreFunction::ScaledDot, ScoreFunction::Dot, ScoreFunction::General, ScoreFunction::Concat,
    ScoreFunction::Additive, ScoreFunction::Linear };

QString noteOf(ScoreFunction score, const QString &attWidth)
{
    switch (score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        return {};
    case ScoreFunction::General:
        return ScoreControls::tr("q · W k, one matrix for all heads");
    case ScoreFunction::Concat:
        return ScoreControls::tr("%1 tanh units over query and key side by side").arg(attWidth);
    case ScoreFunction::Additive:
        return ScoreControls::tr("%1 tanh units over query plus key").arg(attWidth);
    case ScoreFunction::Linear:
        return ScoreControls::tr("φ = elu + 1, no softmax: φ(q) · φ(k) ÷ their sum. The scores shown are its logarithm.");
    }
    return {};
}

} // namespace

ScoreControls::ScoreControls(QWidget *parent)
    : QWidget(parent)
{
    m_box = choiceBox({ tr("scaled dot product"), tr("dot product"), tr("general"), tr("concat"), tr("additive"), tr("linear") });
    m_box->setObjectName(QStringLiteral("score"));
    m_row = new LabelledRow(tr("Score"), m_box);
    m_row->setHelp(
        tr("How a query and a key become one number: q · k ÷ √d_k, q · k, qᵀ W k, vᵀ tanh(W [q; k]), vᵀ tanh(W_dec q + W_enc k) or "
           "φ(q) · φ(k). Default: scaled dot product."));
    m_fold = new FoldRow(tr("Parameters"));
    m_fold->setObjectName(QStringLiteral("scoreParameters"));
    const std::pair<const char *, SharedMatrix ScoreParameters::*> matrices[] = { { "W", &ScoreParameters::w },
        { "W_dec", &ScoreParameters::wDec }, { "W_enc", &ScoreParameters::wEnc }, { "v", &ScoreParameters::v } };
    for (const auto &[name, matrix] : matrices) {
        auto *row = new MatrixTableRow(QLatin1String(name));
        row->addReset(tr("Seeded parameters again"), tr("use seeded parameters"));
        connect(row, &MatrixTableRow::edited, this, [this, member = matrix](const SharedMatrix &next, const QString &undoName) {
            ScoreParameters parameters = m_shown;
            parameters.*member = next;
            editParameters(parameters, undoName);
        });
        connect(row, &MatrixTableRow::resetRequested, this, [this](const QString &undoName) { editParameters({}, undoName); });
        m_fold->addRow(row);
        m_tables.push_back({ row, matrix });
    }
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(rowSpacing);
    column->addWidget(m_row);
    column->addWidget(m_fold);
    connect(m_row, &PanelRow::attentionChanged, this, &ScoreControls::attentionChanged);
    connect(m_box, &QComboBox::activated, this, &ScoreControls::choose);
    connect(m_row, &LabelledRow::labelDoubleClicked, this, [this] { choose(0); });
}

void ScoreControls::choose(int choice)
{
    const ScoreFunction score = functions[choice];
    if (score == m_spec.score)
        return;
    AttentionSpec next = m_spec;
    next.score = score;
    // Parameters are of one score, and only the scaled one has a scale by default: a factor left over would be a hidden setting.
    next.parameters = {};
    if (score != ScoreFunction::ScaledDot)
        next.scale.reset();
    emit edited(next, tr("change score"));
}

void ScoreControls::editParameters(const ScoreParameters &parameters, const QString &name)
{
    AttentionSpec next = m_spec;
    next.parameters = parameters;
    emit edited(next, name);
}

void ScoreControls::show(const AttentionBlock &block, const AttentionSpec &spec, const QString &problem)
{
    m_spec = spec;
    const auto place = std::find(std::begin(functions), std::end(functions), spec.score);
    m_box->setCurrentIndex(static_cast<int>(place - std::begin(functions)));
    AttentionSpec seeded = spec;
    seeded.parameters = {};
    const ScoreParameters right = parametersFor(block, seeded);
    m_shown = spec.parameters == ScoreParameters() ? right : spec.parameters;
    bool hasParameters = false;
    for (const Table &table : m_tables) {
        const SharedMatrix &wanted = right.*table.matrix;
        table.row->setVisible(!wanted.isEmpty());
        hasParameters = hasParameters || !wanted.isEmpty();
        if (!wanted.isEmpty())
            table.row->show(m_shown.*table.matrix, wanted.rows(), wanted.cols(), {});
    }
    m_fold->setVisible(hasParameters);
    m_fold->setSummary(spec.parameters == ScoreParameters() ? tr("seeded") : tr("edited"));
    m_row->setNote(noteOf(spec.score, QString::fromStdString(groupedCount(m_shown.v.rows()))));
    std::vector<Fix> fixes;
    if (!problem.isEmpty() && !(spec.parameters == ScoreParameters()))
        fixes.push_back({ tr("Use seeded parameters"), [this] { editParameters({}, tr("use seeded parameters")); } });
    m_row->setProblem(problem, std::move(fixes));
}

void ScoreControls::focusControl()
{
    m_box->setFocus(Qt::OtherFocusReason);
}

} // namespace attenscope
