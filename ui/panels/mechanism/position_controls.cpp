// SPDX-License-Identifier: GPL-3.0-or-later
// Positions, bias, soft cap and the softmax in controls.
#include "panels/mechanism/position_controls.h"

#include "attention/operands.h"
#include "core/memory.h"
#include "core/text.h"
#include "panels/input/matrix_table.h"
#include "panels/mechanism/slider_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QStringList>

#include <cmath>

namespace attenscope {

namespace {

constexpr double usualCap = 50.0;
constexpr double usualBase = 10000.0;
constexpr Index mostOffset = 1'000'000'000;

enum RopeChoice { NoRope, HalfRope, InterleavedRope };

QString number(double value)
{
    return QString::fromStdString(exactNumber(value));
}

/// −|i − j|, the last query above the last key.
Matrix distances(Index rows, Index cols)
{
    Matrix result(rows, cols);
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            result(row, col) = -std::abs(static_cast<double>(row + cols - rows - col));
    return result;
}

} // namespace

PositionControls::PositionControls(QWidget *parent)
    : FoldRow(tr("Positions, bias, soft cap"), parent)
{
    buildRope();
    buildBias();
    buildSoftmax();
}

template <typename Change>
void PositionControls::change(const QString &name, const QString &mergeKey, Change change)
{
    AttentionSpec next = m_spec;
    change(next);
    emit edited(next, name, mergeKey);
}

void PositionControls::light(PanelRow *row, Symbol symbol)
{
    connect(row, &PanelRow::attentionChanged, this, [this, symbol](bool isOn) { emit attentionChanged(symbol, isOn); });
}

void PositionControls::buildRope()
{
    m_rope = choiceBox({ tr("none"), tr("halves: f, f + d/2"), tr("interleaved: 2f, 2f+1") });
    m_rope->setObjectName(QStringLiteral("rope"));
    m_ropeRow = new LabelledRow(tr("RoPE <i>R</i>"), m_rope);
    m_ropeRow->setHelp(
        tr("R: q and k are turned by their positions before the scores. Halves: GPT-NeoX, LLaMA in Hugging Face; interleaved: GPT-J, "
           "Meta’s LLaMA code; pairs are of these dimensions. Needs an even d_k. Default: none."));
    const auto choose = [this](int choice) {
        change(tr("change RoPE"), {}, [choice](AttentionSpec &spec) {
            if (choice == NoRope) {
                spec.rope.reset();
                return;
            }
            spec.rope = spec.rope.value_or(Rope());
            spec.rope->layout = choice == HalfRope ? RopeLayout::Half : RopeLayout::Interleaved;
        });
    };
    connect(m_rope, &QComboBox::activated, this, choose);
    connect(m_ropeRow, &LabelledRow::labelDoubleClicked, this, [choose] { choose(NoRope); });

    m_base = new SliderRow(tr("Base"), QStringLiteral("ropeBase"),
        { .name = tr("The base of RoPE"), .least = 0.001, .most = 1e9, .isWhole = false, .fallback = usualBase, .decimals = 0 },
        SliderScale::Logarithmic, 10.0, 1e6);
    m_base->setHelp(tr("θ: pair f turns by position · θ^(−2f/d) radians; 0.001 to 1,000,000,000. Default: 10,000."));
    connect(m_base, &SliderRow::edited, this, [this](double base) {
        change(tr("change base of RoPE"), QStringLiteral("rope base"), [base](AttentionSpec &spec) { spec.rope->base = base; });
    });
    connect(m_base, &SliderRow::editingEnded, this, &PositionControls::editingEnded);

    const auto offset = [this](const QString &name, const char *objectName, const QString &prefix, Index Rope::*member) {
        auto *field = new NumberField({ .name = name,
            .least = -static_cast<double>(mostOffset),
            .most = static_cast<double>(mostOffset),
            .isWhole = true,
            .fallback = 0,
            .decimals = 0 });
        field->setObjectName(QLatin1String(objectName));
        field->setPrefix(prefix, true);
        connect(field, &NumberField::edited, this, [this, member](double position) {
            change(tr("change positions of RoPE"), QStringLiteral("rope offset"),
                [position, member](AttentionSpec &spec) { (*spec.rope).*member = static_cast<Index>(position); });
        });
        return field;
    };
    m_queryOffset = offset(tr("Position of query 0"), "ropeQueryOffset", QStringLiteral("q"), &Rope::queryOffset);
    m_keyOffset = offset(tr("Position of key 0"), "ropeKeyOffset", QStringLiteral("k"), &Rope::keyOffset);
    m_offsetRow = new LabelledRow(tr("Positions"), sideBySide({ m_queryOffset, m_keyOffset }, { 1, 1 }));
    m_offsetRow->setHelp(
        tr("Position of query 0 and of key 0, in tokens; whole numbers. With a key/value cache the queries come later. Default: 0."));
    for (NumberField *field : { m_queryOffset, m_keyOffset })
        connect(field, &NumberField::badText, m_offsetRow, [this](const QString &sentence) { m_offsetRow->setProblem(sentence); });
    connect(m_offsetRow, &LabelledRow::labelDoubleClicked, this, [this] {
        change(tr("change positions of RoPE"), {}, [](AttentionSpec &spec) { spec.rope->queryOffset = spec.rope->keyOffset = 0; });
    });
    for (PanelRow *row : std::initializer_list<PanelRow *>{ m_ropeRow, m_base, m_offsetRow }) {
        addRow(row);
        light(row, Symbol::Rope);
    }
}

void PositionControls::buildBias()
{
    const auto box = [this](const QString &text, const char *name, auto apply) {
        auto *check = new QCheckBox(text);
        check->setMinimumHeight(controlHeight);
        check->setObjectName(QLatin1String(name));
        connect(check, &QCheckBox::clicked, this, apply);
        return check;
    };
    m_alibi = box(tr("lower with the distance"), "alibi", [this](bool isOn) {
        change(isOn ? tr("add ALiBi") : tr("remove ALiBi"), {}, [isOn](AttentionSpec &spec) { spec.hasAlibi = isOn; });
    });
    m_alibiRow = new LabelledRow(tr("ALiBi <i>m</i>"), m_alibi);
    m_alibiRow->setHelp(tr("m: slope · distance is taken from the scores; each head has its own slope, 2^(−8h/H). Default: off."));
    connect(m_alibiRow, &LabelledRow::labelDoubleClicked, this,
        [this] { change(tr("remove ALiBi"), {}, [](AttentionSpec &spec) { spec.hasAlibi = false; }); });

    m_bias = box(tr("added to the scores"), "bias", [this](bool isOn) {
        if (!isOn)
            return setBias({}, tr("remove the bias"));
        const auto bytes = saturatingProduct(
            saturatingProduct(static_cast<std::uint64_t>(m_queries), static_cast<std::uint64_t>(m_keys)), sizeof(double));
        if (const Result<void> room = checkMemory(bytes, "A bias"); !room) {
            m_bias->setChecked(false);
            m_biasRow->setProblem(QString::fromStdString(room.error().sentence()));
            return;
        }
        setBias(SharedMatrix(Matrix(Matrix::Zero(m_queries, m_keys))), tr("add a bias"));
    });
    m_biasRow = new LabelledRow(tr("Bias <i>B</i>"), m_bias);
    m_biasRow->setHelp(tr("B: queries × keys numbers, added to the scaled scores of every head. Default: none."));
    connect(m_biasRow, &LabelledRow::labelDoubleClicked, this, [this] { setBias({}, tr("remove the bias")); });
    m_biasTable = new MatrixTableRow(QStringLiteral("B"));
    m_biasTable->addFill(tr("Distance: −|i − j|"), tr("fill B with distances"), &distances);
    m_biasTable->addReset(tr("Remove the bias"), tr("remove the bias"));
    connect(m_biasTable, &MatrixTableRow::edited, this, &PositionControls::setBias);
    connect(m_biasTable, &MatrixTableRow::resetRequested, this, [this](const QString &name) { setBias({}, name); });
    for (PanelRow *row : std::initializer_list<PanelRow *>{ m_alibiRow, m_biasRow, m_biasTable }) {
        addRow(row);
        light(row, Symbol::Bias);
    }
}

void PositionControls::buildSoftmax()
{
    m_hasCap = new QCheckBox(tr("c · tanh(x / c)"));
    m_hasCap->setMinimumHeight(controlHeight);
    m_hasCap->setObjectName(QStringLiteral("hasSoftCap"));
    m_hasCapRow = new LabelledRow(tr("Soft cap"), m_hasCap);
    m_hasCapRow->setHelp(tr("Holds the scores between −c and c, before bias, temperature and mask. Default: off."));
    const auto setCap = [this](std::optional<double> cap, const QString &name, const QString &key) {
        change(name, key, [cap](AttentionSpec &spec) { spec.softCap = cap; });
    };
    connect(m_hasCap, &QCheckBox::clicked, this,
        [setCap](bool isOn) { isOn ? setCap(usualCap, tr("add a soft cap"), {}) : setCap(std::nullopt, tr("remove the soft cap"), {}); });
    connect(m_hasCapRow, &LabelledRow::labelDoubleClicked, this, [setCap] { setCap(std::nullopt, tr("remove the soft cap"), {}); });
    m_cap = new SliderRow(tr("Cap <i>c</i>"), QStringLiteral("softCap"),
        { .name = tr("Soft cap"), .least = 0.001, .most = 1e6, .isWhole = false, .fallback = usualCap, .decimals = 2 },
        SliderScale::Logarithmic, 0.1, 1000.0);
    m_cap->setHelp(tr("c: the largest score that remains, 0.001 to 1,000,000. Default: 50, as in Gemma 2."));
    connect(m_cap, &SliderRow::edited, this, [setCap](double cap) { setCap(cap, tr("change soft cap"), QStringLiteral("soft cap")); });
    connect(m_cap, &SliderRow::editingEnded, this, &PositionControls::editingEnded);

    m_softmax = choiceBox({ tr("softmax"), tr("softmax1: 1 + the sum") });
    m_softmax->setObjectName(QStringLiteral("softmax"));
    m_softmaxRow = new LabelledRow(tr("Weights"), m_softmax);
    m_softmaxRow->setHelp(
        tr("exp(x) ÷ Σ exp(x), or with one more in the denominator, so that a row may sum to less than 1. Default: softmax."));
    const auto choose = [this](int choice) {
        change(tr("change softmax"), {},
            [choice](AttentionSpec &spec) { spec.normalization = choice == 1 ? Normalization::Softmax1 : Normalization::Softmax; });
    };
    connect(m_softmax, &QComboBox::activated, this, choose);
    connect(m_softmaxRow, &LabelledRow::labelDoubleClicked, this, [choose] { choose(0); });
    for (PanelRow *row : std::initializer_list<PanelRow *>{ m_hasCapRow, m_cap, m_softmaxRow })
        addRow(row);
    light(m_hasCapRow, Symbol::SoftCap);
    light(m_cap, Symbol::SoftCap);
    light(m_softmaxRow, Symbol::Softmax);
}

void PositionControls::setBias(const SharedMatrix &bias, const QString &name)
{
    change(name, {}, [&bias](AttentionSpec &spec) { spec.bias = bias; });
}

QString PositionControls::summary() const
{
    QStringList set;
    if (m_spec.rope)
        set << tr("RoPE");
    if (m_spec.hasAlibi)
        set << tr("ALiBi");
    if (!m_spec.bias.isEmpty())
        set << tr("bias");
    if (m_spec.softCap)
        set << tr("cap %1").arg(number(*m_spec.softCap));
    if (m_spec.normalization == Normalization::Softmax1)
        set << tr("softmax1");
    return set.join(QStringLiteral(", "));
}

void PositionControls::show(const AttentionBlock &block, const AttentionSpec &spec, const Problems &problems)
{
    m_spec = spec;
    m_queries = block.queries;
    m_keys = block.keys;
    const bool hasRope = spec.rope.has_value();
    const Rope rope = spec.rope.value_or(Rope());
    m_rope->setCurrentIndex(!hasRope ? NoRope : rope.layout == RopeLayout::Half ? HalfRope : InterleavedRope);
    const bool isOfBase = hasRope && !(rope.base > 0.0 && std::isfinite(rope.base));
    const QString ofPairs = isOfBase ? QString() : problems.rope;
    std::vector<Fix> fixes;
    if (!ofPairs.isEmpty())
        fixes.push_back({ tr("Without RoPE"), [this] { change(tr("remove RoPE"), {}, [](AttentionSpec &next) { next.rope.reset(); }); } });
    m_ropeRow->setProblem(ofPairs, std::move(fixes));
    m_base->setVisible(hasRope);
    m_base->show(rope.base, isOfBase ? problems.rope : QString());
    m_offsetRow->setVisible(hasRope);
    m_queryOffset->setNumber(static_cast<double>(rope.queryOffset));
    m_keyOffset->setNumber(static_cast<double>(rope.keyOffset));

    m_alibi->setChecked(spec.hasAlibi);
    const int heads = headCount(block, spec);
    QString slopes;
    if (spec.hasAlibi && heads >= 1) {
        const std::vector<double> all = alibiSlopes(heads);
        slopes = heads == 1 ? tr("slope %1").arg(number(all.front()))
                            : tr("slopes %1 to %2, by head").arg(number(all.front()), number(*std::min_element(all.begin(), all.end())));
    }
    m_alibiRow->setNote(slopes);
    m_bias->setChecked(!spec.bias.isEmpty());
    m_biasRow->setProblem({});
    m_biasTable->setVisible(!spec.bias.isEmpty());
    if (!spec.bias.isEmpty())
        m_biasTable->show(spec.bias, m_queries, m_keys, problems.bias);

    m_hasCap->setChecked(spec.softCap.has_value());
    m_cap->setVisible(spec.softCap.has_value());
    m_cap->show(spec.softCap.value_or(usualCap), problems.softCap);
    m_softmax->setCurrentIndex(spec.normalization == Normalization::Softmax1 ? 1 : 0);
    m_softmaxRow->setVisible(spec.score != ScoreFunction::Linear || spec.normalization == Normalization::Softmax1);
    setSummary(summary());
    // What does not fit must be seen.
    if (!problems.rope.isEmpty() || !problems.bias.isEmpty() || !problems.softCap.isEmpty())
        setOpen(true);
}

void PositionControls::focusControl(Symbol symbol)
{
    setOpen(true);
    if (symbol == Symbol::Rope)
        m_rope->setFocus(Qt::OtherFocusReason);
    else if (symbol == Symbol::Bias)
        m_spec.hasAlibi ? m_alibi->setFocus(Qt::OtherFocusReason) : m_bias->setFocus(Qt::OtherFocusReason);
    else if (symbol == Symbol::SoftCap)
        m_cap->focusControl();
    else
        m_softmax->setFocus(Qt::OtherFocusReason);
}

} // namespace attenscope
