// SPDX-License-Identifier: GPL-3.0-or-later
// The mechanism in controls, under its formula.
#include "panels/mechanism/mechanism_panel.h"

#include "panels/controls.h"
#include "panels/mechanism/algorithm_controls.h"
#include "panels/mechanism/cost_section.h"
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/gallery.h"
#include "panels/mechanism/heads_row.h"
#include "panels/mechanism/mask_controls.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/mechanism/position_controls.h"
#include "panels/mechanism/preset_row.h"
#include "panels/mechanism/scale_field.h"
#include "panels/mechanism/score_controls.h"
#include "panels/mechanism/slider_row.h"
#include "panels/scrolling_page.h"
#include "session/token_groups.h"

#include <QPointer>
#include <QVBoxLayout>

namespace attenscope {

namespace {

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
    case Stage::Capped:
        return Symbol::SoftCap;
    case Stage::Biased:
        return Symbol::Bias;
    case Stage::Tempered:
        return Symbol::Temperature;
    case Stage::Masked:
        return Symbol::Mask;
    case Stage::Weights:
        return Symbol::Softmax;
    case Stage::ValueWeighted:
    case Stage::Output:
        return Symbol::Values;
    }
    return Symbol::None;
}

} // namespace

struct MechanismPanel::Parts {
    Document &document;
    Selection &selection;
    bool isRecorded = false;

    PanelRow *recordedNote = nullptr;
    PresetRow *preset = nullptr;
    FormulaView *formula = nullptr;
    ScoreControls *score = nullptr;
    MaskControls *mask = nullptr;
    ScaleField *scale = nullptr;
    LabelledRow *scaleRow = nullptr;
    SliderRow *temperature = nullptr;
    HeadsRow *heads = nullptr;
    PositionControls *positions = nullptr;
    AlgorithmControls *algorithm = nullptr;
    CostSection *costs = nullptr;
    QPointer<Gallery> gallery{};

    [[nodiscard]] const AttentionSpec &spec() const { return document.session().mechanism; }
    [[nodiscard]] QString problemOf(std::initializer_list<SpecPart> parts) const;
    [[nodiscard]] std::optional<Index> currentRow() const;
    void build(MechanismPanel *panel);
    void connectAll(MechanismPanel *panel);
    void connectFormula(MechanismPanel *panel);
    void connectScale(MechanismPanel *panel);
    void connectPainting(MechanismPanel *panel);
    void light(PanelRow *row, Symbol symbol);
    void focus(Symbol symbol);
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
    recordedNote->setNote(
        tr("The file holds weights, no Q and K: another mechanism cannot be computed, and hidden scores cannot be shown again."));
    preset = new PresetRow;
    formula = new FormulaView;
    score = new ScoreControls;
    mask = new MaskControls;
    scale = new ScaleField;
    scale->setObjectName(QStringLiteral("scale"));
    scaleRow = new LabelledRow(tr("Scale"), scale);
    scaleRow->setHelp(tr("Factor on the scores: any finite number. Default: 1/√d_k, which an empty field brings back."));
    temperature = new SliderRow(tr("Temperature"), QStringLiteral("temperature"),
        { .name = tr("Temperature"), .least = 0.001, .most = 1000.0, .isWhole = false, .fallback = 1.0, .decimals = 2 },
        SliderScale::Logarithmic, 0.1, 10.0);
    temperature->setHelp(
        tr("T: scores are divided by it before the softmax; 0.001 to 1,000. Below 1 sharper, above 1 flatter. Default: 1."));
    heads = new HeadsRow;
    positions = new PositionControls;
    positions->setObjectName(QStringLiteral("positions"));
    algorithm = new AlgorithmControls;
    costs = new CostSection(document);

    auto *layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(
        scrollingPage({ recordedNote, preset, formula, score, mask, scaleRow, temperature, heads, positions, algorithm, costs }));
}

void MechanismPanel::Parts::light(PanelRow *row, Symbol symbol)
{
    QObject::connect(
        row, &PanelRow::attentionChanged, formula, [this, symbol](bool isOn) { formula->setLit(isOn ? symbol : Symbol::None); });
}

void MechanismPanel::Parts::focus(Symbol symbol)
{
    switch (symbol) {
    case Symbol::Score:
        score->focusControl();
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
    case Symbol::Rope:
    case Symbol::Bias:
    case Symbol::SoftCap:
    case Symbol::Softmax:
        positions->focusControl(symbol);
        break;
    case Symbol::Values:
    case Symbol::None:
        break;
    }
}

void MechanismPanel::Parts::connectFormula(MechanismPanel *panel)
{
    const auto lights = [this](Symbol symbol) { return [this, symbol](bool isOn) { formula->setLit(isOn ? symbol : Symbol::None); }; };
    light(scaleRow, Symbol::Scale);
    light(temperature, Symbol::Temperature);
    QObject::connect(score, &ScoreControls::attentionChanged, formula, lights(Symbol::Score));
    QObject::connect(mask, &MaskControls::attentionChanged, formula, lights(Symbol::Mask));
    QObject::connect(positions, &PositionControls::attentionChanged, formula,
        [this](Symbol symbol, bool isOn) { formula->setLit(isOn ? symbol : Symbol::None); });
    QObject::connect(formula, &FormulaView::symbolClicked, panel, [this](Symbol symbol) { focus(symbol); });
    QObject::connect(&selection, &Selection::hoveredStageChanged, formula, [this] { formula->setLit(symbolOf(selection.hoveredStage())); });
}

void MechanismPanel::Parts::connectScale(MechanismPanel *panel)
{
    const auto setScale = [this](std::optional<double> factor, const QString &name) {
        AttentionSpec next = spec();
        next.scale = factor;
        editMechanism(document, next, name);
    };
    QObject::connect(scale, &ScaleField::edited, panel, [setScale](std::optional<double> factor) { setScale(factor, tr("change scale")); });
    QObject::connect(scale, &ScaleField::badText, scaleRow, [this](const QString &sentence) { scaleRow->setProblem(sentence); });
    QObject::connect(scaleRow, &LabelledRow::labelDoubleClicked, panel, [setScale] { setScale(std::nullopt, tr("reset scale")); });
    QObject::connect(temperature, &SliderRow::edited, panel, [this](double value) {
        AttentionSpec next = spec();
        next.temperature = value;
        editMechanism(document, next, tr("change temperature"), QStringLiteral("temperature"));
    });
}

void MechanismPanel::Parts::connectPainting(MechanismPanel *panel)
{
    QObject::connect(mask, &MaskControls::paintRequested, panel, [this](bool isOn) { selection.setPaintingMask(isOn); });
    QObject::connect(&selection, &Selection::paintingMaskChanged, panel, [this] { mask->setPainting(selection.isPaintingMask()); });
}

void MechanismPanel::Parts::connectAll(MechanismPanel *panel)
{
    connectFormula(panel);
    connectScale(panel);
    connectPainting(panel);
    QObject::connect(preset, &PresetRow::chosen, panel, [this](const Preset &chosen) { usePreset(document, chosen); });
    QObject::connect(preset, &PresetRow::galleryRequested, panel, [this, panel] {
        preset->show(document.session(), document.wholeBlock());
        panel->showGallery();
    });
    QObject::connect(preset, &PresetRow::offerTaken, panel, [this](const PresetOffer &offer) { takeOffer(document, offer); });
    QObject::connect(score, &ScoreControls::edited, panel,
        [this](const AttentionSpec &next, const QString &name) { editMechanism(document, next, name); });
    QObject::connect(mask, &MaskControls::edited, panel, [this](const MaskSpec &next, const QString &name, const QString &mergeKey) {
        AttentionSpec changed = spec();
        changed.mask = next;
        editMechanism(document, changed, name, mergeKey);
    });
    const auto edit = [this](const AttentionSpec &next, const QString &name, const QString &mergeKey) {
        editMechanism(document, next, name, mergeKey);
    };
    QObject::connect(positions, &PositionControls::edited, panel, edit);
    QObject::connect(algorithm, &AlgorithmControls::edited, panel, edit);
    QObject::connect(temperature, &SliderRow::editingEnded, &document, &Document::endMerge);
    QObject::connect(mask, &MaskControls::editingEnded, &document, &Document::endMerge);
    QObject::connect(positions, &PositionControls::editingEnded, &document, &Document::endMerge);
    QObject::connect(algorithm, &AlgorithmControls::editingEnded, &document, &Document::endMerge);
    QObject::connect(heads, &HeadsRow::edited, panel, [this](int count, int kvCount, const QString &name) {
        AttentionSpec next = spec();
        next.heads = count;
        next.kvHeads = kvCount;
        editMechanism(document, next, name);
    });
    QObject::connect(&document, &Document::changed, panel, [this] { showAll(); });
    QObject::connect(&document, &Document::resultChanged, panel, [this, panel] {
        showAll();
        const bool isNow = document.wholeBlock().hasWeightsOnly();
        if (isNow != isRecorded) {
            isRecorded = isNow;
            emit panel->titleChanged();
        }
    });
    const auto followRow = [this] { mask->followRow(currentRow()); };
    QObject::connect(&selection, &Selection::hoveredChanged, panel, followRow);
    QObject::connect(&selection, &Selection::pickedChanged, panel, followRow);
}

std::optional<Index> MechanismPanel::Parts::currentRow() const
{
    const std::optional<CellRef> cell = selection.current();
    return cell && cell->row >= 0 ? std::optional(wholeQuery(document.block(), cell->row)) : std::nullopt;
}

void MechanismPanel::Parts::showMask()
{
    mask->show(spec().mask, document.wholeBlock(), document.head().element, currentRow(), problemOf({ SpecPart::Mask }));
    // The block shown is the last one that fitted; the mask may be meant for another.
    if (document.problem())
        mask->hideCounts();
}

void MechanismPanel::Parts::showAll()
{
    const AttentionBlock &block = document.wholeBlock();
    const AttentionSpec &now = spec();
    const bool isComputed = !block.hasWeightsOnly();
    recordedNote->setVisible(!isComputed);
    for (QWidget *row : std::initializer_list<QWidget *>{ preset, formula, score, temperature, positions, algorithm, costs })
        row->setVisible(isComputed);
    showMask();
    scaleRow->setVisible(isComputed && (now.score == ScoreFunction::ScaledDot || now.scale));
    heads->show(block, now, sharedColumns(document.session(), block),
        isEmbeddingAtFault(document) ? QString() : problemOf({ SpecPart::Heads, SpecPart::KvHeads }));
    if (!isComputed)
        return;
    preset->show(document.session(), block);
    formula->setFormula(formulaOf(block, now));
    score->show(block, now, problemOf({ SpecPart::Score }));
    // A number of heads that was refused makes no heads of another width.
    AttentionSpec fitting = now;
    if (!document.isCurrent())
        fitting.heads = document.result()->spec.heads;
    scale->setScale(now.scale, keyDimension(block, fitting));
    scaleRow->setProblem(problemOf({ SpecPart::Scale }));
    temperature->show(now.temperature, problemOf({ SpecPart::Temperature }));
    positions->show(block, now,
        { .rope = problemOf({ SpecPart::Rope }), .bias = problemOf({ SpecPart::Bias }), .softCap = problemOf({ SpecPart::SoftCap }) });
    algorithm->show(block, now, problemOf({ SpecPart::Flash }));
}

MechanismPanel::MechanismPanel(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_parts(new Parts{ .document = document, .selection = selection })
{
    m_parts->isRecorded = document.wholeBlock().hasWeightsOnly();
    m_parts->build(this);
    m_parts->connectAll(this);
    m_parts->showAll();
}

MechanismPanel::~MechanismPanel() = default;

QString MechanismPanel::title() const
{
    return m_parts->isRecorded ? tr("Recorded weights") : tr("Mechanism");
}

void MechanismPanel::showGallery()
{
    if (!m_parts->gallery) {
        m_parts->gallery = new Gallery(m_parts->document, this);
        connect(m_parts->gallery, &Gallery::compareRequested, this, &MechanismPanel::compareRequested);
    }
    m_parts->gallery->show();
    m_parts->gallery->raise();
    m_parts->gallery->activateWindow();
}

} // namespace attenscope
