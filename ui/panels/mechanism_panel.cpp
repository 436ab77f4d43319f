// SPDX-License-Identifier: GPL-3.0-or-later
// The mechanism in controls, under its formula.
#include "panels/mechanism_panel.h"

#include "panels/controls.h"
#include "panels/formula_view.h"
#include "panels/heads_row.h"
#include "panels/mask_controls.h"
#include "panels/mechanism_edit.h"
#include "panels/scale_field.h"
#include "panels/temperature_row.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace attenscope {

namespace {

/// In the order of the score box.
constexpr ScoreFunction scoreFunctions[] = { ScoreFunction::ScaledDot, ScoreFunction::Dot };

/// The part of the formula that makes a stage of the one before.
Symbol symbolOf(std::optional<Stage> stage)
{
    if (!stage)
        return Symbol::None;
    switch (*stage) {
    case Stage::Scores:
        return Symbol::Score;
    case Stage::Scaled:
        return Symbol::Scale;
    case Stage::Tempered:
        return Symbol::Temperature;
    case Stage::Masked:
        return Symbol::Mask;
    default:
        return Symbol::None;
    }
}

} // namespace

struct MechanismPanel::Parts {
    Document &document;
    Selection &selection;
    bool isRecorded = false;

    PanelRow *recordedNote = nullptr;
    FormulaView *formula = nullptr;
    QComboBox *score = nullptr;
    LabelledRow *scoreRow = nullptr;
    MaskControls *mask = nullptr;
    ScaleField *scale = nullptr;
    LabelledRow *scaleRow = nullptr;
    TemperatureRow *temperature = nullptr;
    HeadsRow *heads = nullptr;

    [[nodiscard]] const AttentionSpec &spec() const { return document.session().mechanism; }
    [[nodiscard]] QString problemOf(std::initializer_list<SpecPart> parts) const;
    void build(MechanismPanel *panel);
    void connectAll(MechanismPanel *panel);
    void light(PanelRow *row, Symbol symbol);
    [[nodiscard]] std::optional<Index> currentRow() const;
    void showAll();
    void showMask();
};

QString MechanismPanel::Parts::problemOf(std::initializer_list<SpecPart> parts) const
{
    const std::optional<Problem> &problem = document.problem();
    if (!problem || std::find(parts.begin(), parts.end(), problem->part) == parts.end())
        return {};
    return QString::fromStdString(problem->error.sentence());
}

void MechanismPanel::Parts::build(MechanismPanel *panel)
{
    recordedNote = new PanelRow;
    recordedNote->setNote(tr("The file holds weights but no Q and K, so hidden scores cannot be shown again."));
    formula = new FormulaView;
    score = choiceBox({ tr("scaled dot product"), tr("dot product") });
    score->setObjectName(QStringLiteral("score"));
    scoreRow = new LabelledRow(tr("Score"), score);
    scoreRow->setHelp(tr("QKᵀ: how a query and a key become one number. Default: scaled dot product, q · k ÷ √d_k."));
    mask = new MaskControls;
    scale = new ScaleField;
    scale->setObjectName(QStringLiteral("scale"));
    scaleRow = new LabelledRow(tr("Scale"), scale);
    scaleRow->setHelp(tr("Factor on the scores: any finite number. Default: 1/√d_k, which an empty field brings back."));
    temperature = new TemperatureRow;
    heads = new HeadsRow;

    auto *layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scrollingPage({ recordedNote, formula, scoreRow, mask, scaleRow, temperature, heads }));
}

void MechanismPanel::Parts::light(PanelRow *row, Symbol symbol)
{
    QObject::connect(
        row, &PanelRow::attentionChanged, formula, [this, symbol](bool isOn) { formula->setLit(isOn ? symbol : Symbol::None); });
}

void MechanismPanel::Parts::connectAll(MechanismPanel *panel)
{
    light(scoreRow, Symbol::Score);
    light(scaleRow, Symbol::Scale);
    light(temperature, Symbol::Temperature);
    QObject::connect(
        mask, &MaskControls::attentionChanged, formula, [this](bool isOn) { formula->setLit(isOn ? Symbol::Mask : Symbol::None); });
    QObject::connect(formula, &FormulaView::symbolClicked, panel, [this](Symbol symbol) {
        switch (symbol) {
        case Symbol::Score:
            score->setFocus(Qt::OtherFocusReason);
            break;
        case Symbol::Scale:
            scale->setFocus(Qt::OtherFocusReason);
            break;
        case Symbol::Temperature:
            temperature->focusControl();
            break;
        case Symbol::Mask:
            mask->focusRule();
            break;
        case Symbol::None:
        case Symbol::Softmax:
        case Symbol::Values:
            break;
        }
    });

    QObject::connect(score, &QComboBox::activated, panel, [this](int choice) {
        AttentionSpec next = spec();
        next.score = scoreFunctions[choice];
        // The plain dot product has no scale of its own; a factor left over from the other one would be a hidden setting.
        if (next.score == ScoreFunction::Dot)
            next.scale.reset();
        editMechanism(document, next, tr("change score"));
    });
    QObject::connect(scoreRow, &LabelledRow::labelDoubleClicked, panel, [this] {
        AttentionSpec next = spec();
        next.score = AttentionSpec().score;
        editMechanism(document, next, tr("reset score"));
    });
    QObject::connect(mask, &MaskControls::edited, panel, [this](const MaskSpec &next, const QString &name, const QString &mergeKey) {
        AttentionSpec changed = spec();
        changed.mask = next;
        editMechanism(document, changed, name, mergeKey);
    });
    QObject::connect(scale, &ScaleField::edited, panel, [this](std::optional<double> factor) {
        AttentionSpec next = spec();
        next.scale = factor;
        editMechanism(document, next, tr("change scale"));
    });
    QObject::connect(scale, &ScaleField::badText, scaleRow, [this](const QString &sentence) { scaleRow->setProblem(sentence); });
    QObject::connect(scaleRow, &LabelledRow::labelDoubleClicked, panel, [this] {
        AttentionSpec next = spec();
        next.scale.reset();
        editMechanism(document, next, tr("reset scale"));
    });
    QObject::connect(temperature, &TemperatureRow::edited, panel, [this](double value) {
        AttentionSpec next = spec();
        next.temperature = value;
        editMechanism(document, next, tr("change temperature"), QStringLiteral("temperature"));
    });
    QObject::connect(temperature, &TemperatureRow::editingEnded, &document, &Document::endMerge);
    QObject::connect(heads, &HeadsRow::edited, panel, [this](int count, int kvCount, const QString &name) {
        AttentionSpec next = spec();
        next.heads = count;
        next.kvHeads = kvCount;
        editMechanism(document, next, name);
    });
    QObject::connect(&document, &Document::changed, panel, [this] { showAll(); });
    QObject::connect(&document, &Document::resultChanged, panel, [this, panel] {
        showAll();
        const bool isNow = document.block().isRecorded();
        if (isNow != isRecorded) {
            isRecorded = isNow;
            emit panel->titleChanged();
        }
    });
    QObject::connect(&selection, &Selection::hoveredStageChanged, formula, [this] { formula->setLit(symbolOf(selection.hoveredStage())); });
    const auto followRow = [this] { mask->followRow(currentRow()); };
    QObject::connect(&selection, &Selection::hoveredChanged, panel, followRow);
    QObject::connect(&selection, &Selection::pickedChanged, panel, followRow);
}

std::optional<Index> MechanismPanel::Parts::currentRow() const
{
    const std::optional<CellRef> cell = selection.current();
    return cell && cell->row >= 0 ? std::optional(cell->row) : std::nullopt;
}

void MechanismPanel::Parts::showMask()
{
    mask->show(spec().mask, document.block(), document.head().element, currentRow(), problemOf({ SpecPart::Mask }));
    // The block shown is the last one that fitted; the mask may be meant for another.
    if (document.problem())
        mask->hideCounts();
}

void MechanismPanel::Parts::showAll()
{
    const AttentionBlock &block = document.block();
    const AttentionSpec &now = spec();
    const bool isComputed = !block.isRecorded();
    recordedNote->setVisible(!isComputed);
    for (QWidget *row : std::initializer_list<QWidget *>{ formula, scoreRow, temperature })
        row->setVisible(isComputed);
    formula->setFormula(formulaOf(block, now));
    const auto place = std::find(std::begin(scoreFunctions), std::end(scoreFunctions), now.score);
    score->setCurrentIndex(place == std::end(scoreFunctions) ? -1 : static_cast<int>(place - std::begin(scoreFunctions)));
    scoreRow->setProblem(problemOf({ SpecPart::Score }));

    showMask();

    scaleRow->setVisible(isComputed && (now.score == ScoreFunction::ScaledDot || now.scale));
    scale->setScale(now.scale, keyDimension(block, now));
    scaleRow->setProblem(problemOf({ SpecPart::Scale }));
    temperature->show(now.temperature, problemOf({ SpecPart::Temperature }));
    heads->show(block, now, problemOf({ SpecPart::Heads, SpecPart::KvHeads }));
}

MechanismPanel::MechanismPanel(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_parts(new Parts{ .document = document, .selection = selection })
{
    m_parts->isRecorded = document.block().isRecorded();
    m_parts->build(this);
    m_parts->connectAll(this);
    m_parts->showAll();
}

MechanismPanel::~MechanismPanel() = default;

QString MechanismPanel::title() const
{
    return m_parts->isRecorded ? tr("Recorded weights") : tr("Mechanism");
}

} // namespace attenscope
