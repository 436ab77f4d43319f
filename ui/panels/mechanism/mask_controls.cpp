// SPDX-License-Identifier: GPL-3.0-or-later
// Who may see whom, in controls and in words.
#include "panels/mechanism/mask_controls.h"

#include "core/memory.h"
#include "core/text.h"
#include "io/open.h"
#include "io/pasted_text.h"
#include "panels/mechanism/mask_parameters.h"
#include "panels/number_field.h"
#include "state/number_text.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace attenscope {

namespace {

enum RuleChoice { NoMask, CausalMask, MatrixMask, FirstOther };

/// From FirstOther on, in the order of the box.
constexpr MaskRule otherRules[] = { MaskRule::SlidingWindow, MaskRule::CausalSlidingWindow, MaskRule::PrefixLm, MaskRule::SparseStrided,
    MaskRule::SparseFixed, MaskRule::BlockSparse, MaskRule::SinksWindow, MaskRule::Document };

/// Counting the visible keys of more rows than this would be felt while dragging a slider.
constexpr Index mostRowsCounted = 1024;

BitMatrix inverted(const BitMatrix &bits)
{
    BitMatrix result(bits.rows(), bits.cols(), false);
    for (Index row = 0; row < bits.rows(); ++row)
        for (Index col = 0; col < bits.cols(); ++col)
            if (!bits.at(row, col))
                result.set(row, col, true);
    return result;
}

} // namespace

MaskControls::MaskControls(QWidget *parent)
    : QWidget(parent)
{
    m_rule = choiceBox({ tr("none"), tr("causal"), tr("0/1 matrix"), tr("window"), tr("causal window"), tr("prefix"), tr("strided"),
        tr("fixed"), tr("block-sparse"), tr("sinks and window"), tr("documents") });
    m_rule->setObjectName(QStringLiteral("maskRule"));
    m_paint = new LinkButton(tr("Paint"));
    m_paint->setObjectName(QStringLiteral("maskPaint"));
    m_paint->setToolTip(tr("Edit the mask on the map: drag over cells to show or hide keys. Escape ends."));
    connect(m_paint, &LinkButton::clicked, this, [this] { emit paintRequested(!m_isPainting); });
    m_ruleRow = new LabelledRow(tr("Mask <i>M</i>"), sideBySide({ m_rule, m_paint }, { 1 }), this);
    m_ruleRow->setHelp(tr("M: who may see whom. Default: causal for the example, none for matrices."));
    m_ruleRow->findChild<NoteLabel *>()->installEventFilter(this);
    connect(m_rule, &QComboBox::activated, this, &MaskControls::chooseRule);
    connect(m_ruleRow, &PanelRow::attentionChanged, this, &MaskControls::attentionChanged);

    m_parameters = new MaskParameters(this);
    connect(m_parameters, &MaskParameters::edited, this, &MaskControls::edited);
    connect(m_parameters, &MaskParameters::editingEnded, this, &MaskControls::editingEnded);
    connect(m_parameters, &MaskParameters::attentionChanged, this, &MaskControls::attentionChanged);

    m_alignment = choiceBox({ tr("the last query sees every key"), tr("the first query sees the first key") });
    m_alignment->setObjectName(QStringLiteral("maskAlignment"));
    m_alignmentRow = new LabelledRow(tr("Alignment"), m_alignment, this);
    m_alignmentRow->setHelp(
        tr("Which corner the diagonal starts from when there are not as many queries as keys. Default: the last query sees "
           "every key, as with a key/value cache."));
    const auto align = [this](CausalAlignment alignment) {
        MaskSpec next = m_mask;
        next.alignment = alignment;
        emit edited(next, tr("change alignment"), {});
    };
    connect(m_alignment, &QComboBox::activated, this,
        [align](int choice) { align(choice == 0 ? CausalAlignment::BottomRight : CausalAlignment::TopLeft); });
    connect(m_alignmentRow, &LabelledRow::labelDoubleClicked, this, [align] { align(MaskSpec().alignment); });

    m_polarity = choiceBox({ tr("1 = may attend"), tr("1 = masked") });
    m_polarity->setObjectName(QStringLiteral("maskPolarity"));
    auto *paste = new LinkButton(tr("Paste"));
    paste->setObjectName(QStringLiteral("maskPaste"));
    auto *open = new LinkButton(tr("Open…"));
    open->setObjectName(QStringLiteral("maskOpen"));
    open->setToolTip(tr("A matrix of 0 and 1 from a file"));
    connect(open, &LinkButton::clicked, this, &MaskControls::chooseFile);
    paste->setToolTip(tr("A matrix of 0 and 1 from the clipboard"));
    auto *links = sideBySide({ paste, open });
    links->layout()->setContentsMargins(labelColumn, 0, 0, 0);
    m_matrixRow = new LabelledRow(tr("0/1 matrix"), m_polarity, this);
    m_matrixRow->body()->addWidget(links, 0, Qt::AlignLeft);
    m_matrixRow->setHelp(tr("Rows are queries, columns are keys. What a 1 means differs between programs, so it is said here."));
    connect(paste, &LinkButton::clicked, this, &MaskControls::pasteMatrix);
    connect(m_polarity, &QComboBox::activated, this, [this](int choice) {
        if ((choice == 1) == m_isSwapped)
            return;
        m_isSwapped = choice == 1;
        if (m_mask.allowed.isEmpty())
            return;
        MaskSpec next = m_mask;
        next.allowed = inverted(m_mask.allowed);
        (m_isSwapped ? m_plain : m_swapped) = m_mask.allowed;
        (m_isSwapped ? m_swapped : m_plain) = next.allowed;
        emit edited(next, tr("swap what 1 means"), {});
    });

    m_padding = new NumberField({ .name = tr("Padding"), .least = 0, .most = 0, .isWhole = true, .fallback = 0, .decimals = 0 });
    m_padding->setObjectName(QStringLiteral("maskPadding"));
    auto *before = new NoteLabel(tr("last"));
    auto *after = new NoteLabel(tr("keys"));
    before->setWordWrap(false);
    m_paddingRow = new LabelledRow(tr("Padding"), sideBySide({ before, m_padding, after }, { 0, 0, 1 }), this);
    m_paddingRow->setHelp(tr("This many keys at the end are padding: no query sees them; 0 to all keys. Default: 0."));
    connect(m_padding, &NumberField::edited, this, [this](double number) {
        MaskSpec next = m_mask;
        next.paddedKeys = static_cast<Index>(number);
        emit edited(next, tr("change padding"), QStringLiteral("padding"));
    });
    connect(m_padding, &NumberField::badText, m_paddingRow, [this](const QString &sentence) { m_paddingRow->setProblem(sentence); });
    connect(m_paddingRow, &LabelledRow::labelDoubleClicked, m_padding, [this] {
        if (m_mask.paddedKeys == 0)
            return;
        MaskSpec next = m_mask;
        next.paddedKeys = 0;
        emit edited(next, tr("change padding"), {});
    });

    m_fromFile = new QCheckBox(tr("applied"));
    m_fromFile->setMinimumHeight(controlHeight);
    m_fromFile->setObjectName(QStringLiteral("maskFromFile"));
    m_fileRow = new LabelledRow(tr("File mask"), m_fromFile, this);
    m_fileRow->setHelp(tr("The file holds a mask or a key padding; it counts together with the rule above. Default: on."));
    connect(m_fromFile, &QCheckBox::clicked, this, [this](bool isOn) {
        MaskSpec next = m_mask;
        next.usesInputMask = isOn;
        emit edited(next, isOn ? tr("use the file's mask") : tr("ignore the file's mask"), {});
    });

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(rowSpacing);
    for (QWidget *row : std::initializer_list<QWidget *>{ m_ruleRow, m_parameters, m_alignmentRow, m_matrixRow, m_fileRow, m_paddingRow })
        layout->addWidget(row);
}

void MaskControls::show(const MaskSpec &mask, const AttentionBlock &block, int element, std::optional<Index> row, const QString &problem)
{
    // A matrix of another size, or for another input, has not been asked for.
    if (m_queries != block.queries || m_keys != block.keys || m_isRecorded != block.hasWeightsOnly())
        m_wantsMatrix = false;
    m_mask = mask;
    m_queries = block.queries;
    m_keys = block.keys;
    m_shape.queries = block.queries;
    m_shape.keys = block.keys;
    const bool isRecorded = block.hasWeightsOnly();
    m_isRecorded = isRecorded;
    m_row = row;
    const bool isCausal = mask.rule == MaskRule::Causal;
    const bool hasMatrix = !mask.allowed.isEmpty() || m_wantsMatrix;
    const auto *other = std::find(std::begin(otherRules), std::end(otherRules), mask.rule);

    const QSignalBlocker quiet(m_rule);
    m_rule->setItemText(NoMask, isRecorded ? tr("as recorded") : tr("none"));
    m_rule->setItemText(CausalMask, isRecorded ? tr("hide later keys (causal)") : tr("causal"));
    if (other != std::end(otherRules))
        m_rule->setCurrentIndex(FirstOther + static_cast<int>(other - std::begin(otherRules)));
    else
        m_rule->setCurrentIndex(isCausal ? CausalMask : hasMatrix ? MatrixMask : NoMask);
    // A change arrives here before the document has found out that it does not fit.
    const bool fits = mask.allowed.isEmpty() || (mask.allowed.rows() == m_queries && mask.allowed.cols() == m_keys);
    m_visible = problem.isEmpty() && !checkMask(block, mask) ? std::optional(Mask(block, mask, element)) : std::nullopt;
    showCounts();
    // All of them are problems of the mask; the row that is to change says it.
    const bool isOfMatrix = !fits;
    const bool isOfPadding = fits && (mask.paddedKeys < 0 || mask.paddedKeys > m_keys);
    const bool isOfRule = fits && !isOfPadding;
    const bool hasParameters = other != std::end(otherRules);
    m_ruleRow->setProblem(isOfRule && !hasParameters ? problem : QString());
    m_parameters->setVisible(hasParameters);
    if (hasParameters)
        m_parameters->show(mask, block, isOfRule ? problem : QString());
    showMatrix(isOfMatrix ? problem : QString());
    m_paddingRow->setProblem(isOfPadding ? problem : QString());

    m_alignmentRow->setVisible(mask.rule != MaskRule::None && mask.rule != MaskRule::BlockSparse && m_queries != m_keys);
    m_alignment->setCurrentIndex(mask.alignment == CausalAlignment::BottomRight ? 0 : 1);

    m_fileRow->setVisible(!block.masks.empty() || !block.keyPadding.empty());
    m_fromFile->setChecked(mask.usesInputMask);
    m_padding->setRange(0.0, static_cast<double>(m_keys));
    m_padding->setNumber(static_cast<double>(mask.paddedKeys));
}

void MaskControls::hideCounts()
{
    m_visible.reset();
    showCounts();
}

void MaskControls::followRow(std::optional<Index> row)
{
    if (m_row == row)
        return;
    m_row = row;
    showCounts();
}

void MaskControls::showCounts()
{
    QString note = m_visible ? visibleKeys(*m_visible) : QString();
    if (m_visible && m_isRecorded && !m_visible->isFull())
        note += tr("\nRows renormalised. Exact within this layer: kept weights ÷ their sum. Deeper layers would have changed.");
    m_ruleRow->setNote(note);
    keepNoteRoom();
}

void MaskControls::keepNoteRoom()
{
    // Rows that are hovered one after another must not move what is below: room for the longest count, whatever the row.
    auto *label = m_ruleRow->findChild<NoteLabel *>();
    const QRect room(0, 0, qMax(1, label->width()), 10000);
    const QString longest = tr("%1 of %2 keys visible in this row").arg(countText(m_keys), countText(m_keys));
    label->setMinimumHeight(m_visible ? label->fontMetrics().boundingRect(room, Qt::TextWordWrap, longest).height() : 0);
}

bool MaskControls::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize)
        keepNoteRoom();
    return QWidget::eventFilter(watched, event);
}

void MaskControls::showMatrix(const QString &problem)
{
    const BitMatrix &allowed = m_mask.allowed;
    m_matrixRow->setVisible(m_wantsMatrix || m_isPainting || !allowed.isEmpty());
    m_matrixRow->setProblem(problem);
    if (m_isPainting && allowed.isEmpty()) {
        m_matrixRow->setNote(tr("Drag on the map to hide and show keys. Escape ends."));
        return;
    }
    if (allowed.isEmpty()) {
        m_isSwapped = m_isSwapped && m_wantsMatrix;
        m_polarity->setCurrentIndex(m_isSwapped ? 1 : 0);
        m_matrixRow->setNote(tr("Copy a %1 × %2 matrix of 0 and 1, then Paste.").arg(countText(m_queries), countText(m_keys)));
        return;
    }
    // A mask that undo brings back is read as it was.
    if (allowed == m_swapped || allowed == m_plain)
        m_isSwapped = allowed == m_swapped;
    m_polarity->setCurrentIndex(m_isSwapped ? 1 : 0);
    if (!(allowed == m_counted)) {
        m_counted = allowed;
        m_allowedCells = 0;
        for (Index row = 0; row < allowed.rows(); ++row)
            for (Index col = 0; col < allowed.cols(); ++col)
                m_allowedCells += allowed.at(row, col) ? 1 : 0;
    }
    m_matrixRow->setNote(tr("%1 × %2, lets %3 of %4 cells through")
                             .arg(countText(allowed.rows()), countText(allowed.cols()), countText(m_allowedCells),
                                 countText(allowed.rows() * allowed.cols())));
}

QString MaskControls::visibleKeys(const Mask &mask) const
{
    // What the recorded model hid from itself is in the weights, not in this mask.
    if (m_isRecorded && mask.isFull())
        return tr("Keys as recorded, none hidden");
    if (m_row && *m_row >= 0 && *m_row < m_queries)
        return tr("%1 of %2 keys visible in this row").arg(countText(mask.visibleCount(*m_row)), countText(m_keys));
    if (mask.isFull())
        return m_keys == 1 ? tr("The key is visible in every row") : tr("All %1 keys visible in every row").arg(countText(m_keys));
    if (m_queries == 0 || m_queries > mostRowsCounted)
        return {};
    Index least = m_keys;
    Index most = 0;
    for (Index row = 0; row < m_queries; ++row) {
        const Index visible = mask.visibleCount(row);
        least = std::min(least, visible);
        most = std::max(most, visible);
    }
    if (least == most)
        return tr("%1 of %2 keys visible in every row").arg(countText(least), countText(m_keys));
    return tr("%1 to %2 of %3 keys visible").arg(countText(least), countText(most), countText(m_keys));
}

void MaskControls::focusRule()
{
    m_rule->setFocus(Qt::OtherFocusReason);
}

void MaskControls::setPainting(bool isPainting)
{
    m_isPainting = isPainting;
    m_paint->setText(isPainting ? tr("Done") : tr("Paint"));
    showMatrix(m_matrixRow->problem());
}

void MaskControls::chooseRule(int choice)
{
    const MaskRule rule = choice >= FirstOther ? otherRules[choice - FirstOther] : choice == CausalMask ? MaskRule::Causal : MaskRule::None;
    MaskSpec next = withRule(m_mask, rule, m_shape);
    if (choice == NoMask)
        next.allowed = {};
    m_wantsMatrix = choice == MatrixMask;
    showMatrix({});
    QString name = tr("mask by %1").arg(m_rule->itemText(choice));
    if (choice <= MatrixMask)
        name = choice == NoMask ? tr("remove the mask") : choice == CausalMask ? tr("mask causally") : tr("mask by a matrix");
    emit edited(next, name, {});
}

void MaskControls::pasteMatrix()
{
    const Result<PastedMatrices> pasted = parseMatrices(QGuiApplication::clipboard()->text().toStdString());
    if (!pasted) {
        m_matrixRow->setProblem(QString::fromStdString(pasted.error().sentence()));
        return;
    }
    if (pasted->matrices.size() > 1) {
        m_matrixRow->setProblem(
            tr("There are %1 matrices. Copy one; it counts for every head.").arg(countText(static_cast<Index>(pasted->matrices.size()))));
        return;
    }
    takeMatrix(pasted->matrices.front(), tr("paste a mask"));
}

void MaskControls::chooseFile()
{
    const QString path
        = QFileDialog::getOpenFileName(this, tr("Open a mask"), {}, tr("Numbers (*.npy *.npz *.safetensors *.csv *.tsv *.json)"));
    if (!path.isEmpty())
        loadMatrix(path);
}

void MaskControls::loadMatrix(const QString &path)
{
    const Result<FileSource> opened = openFiles({ path.toStdString() });
    if (!opened) {
        m_matrixRow->setProblem(QString::fromStdString(opened.error().sentence()));
        return;
    }
    // The first matrix of the right size, or the first one to say what its size is.
    const Tensor *found = nullptr;
    for (const NamedTensor &named : opened->tensors->tensors) {
        const Tensor &tensor = named.tensor;
        if (tensor.axes() != 2)
            continue;
        const bool isRight = tensor.shape()[0] == m_queries && tensor.shape()[1] == m_keys;
        if (isRight || !found)
            found = &tensor;
        if (isRight)
            break;
    }
    if (!found) {
        m_matrixRow->setProblem(tr("The file has no matrix. A mask is %1 × %2 numbers.").arg(countText(m_queries), countText(m_keys)));
        return;
    }
    const auto bytes = saturatingProduct(static_cast<std::uint64_t>(found->elements()), sizeof(double));
    if (const Result<void> room = checkMemory(bytes, "This mask"); !room) {
        m_matrixRow->setProblem(QString::fromStdString(room.error().sentence()));
        return;
    }
    takeMatrix(SharedMatrix(*found).toMatrix(), tr("open a mask"));
}

void MaskControls::takeMatrix(const Matrix &numbers, const QString &name)
{
    BitMatrix allowed(numbers.rows(), numbers.cols(), false);
    for (Index row = 0; row < numbers.rows(); ++row) {
        for (Index col = 0; col < numbers.cols(); ++col) {
            const double number = numbers(row, col);
            if (number != 0.0 && number != 1.0) {
                m_matrixRow->setProblem(tr("Row %1, column %2 is %3. A mask has only 0 and 1.")
                                            .arg(countText(row), countText(col), QString::fromStdString(exactNumber(number))));
                return;
            }
            allowed.set(row, col, (number == 1.0) != m_isSwapped);
        }
    }
    m_swapped = m_isSwapped ? allowed : BitMatrix();
    m_plain = m_isSwapped ? BitMatrix() : allowed;
    MaskSpec next = m_mask;
    next.allowed = allowed;
    emit edited(next, name, {});
}

} // namespace attenscope
