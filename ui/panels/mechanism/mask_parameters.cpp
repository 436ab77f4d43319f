// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a mask rule in controls and in words.
#include "panels/mechanism/mask_parameters.h"

#include "attention/mask.h"
#include "core/text.h"
#include "panels/controls.h"
#include "panels/mechanism/block_grid.h"
#include "panels/mechanism/slider_row.h"
#include "state/number_text.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace attenscope {

namespace {

constexpr double mostKeys = 1'000'000;
/// More blocks on a side could not be clicked, and would take long to lay out.
constexpr Index mostBlocks = 256;

QString keys(Index number)
{
    return number == 1 ? MaskParameters::tr("1 key") : MaskParameters::tr("%1 keys").arg(countText(number));
}

/// A list of positions; between two entries undo means the document's.
class StartsField : public QLineEdit {
public:
    using QLineEdit::QLineEdit;

protected:
    bool event(QEvent *event) override { return leavesUndoToTheDocument(event, isModified()) || QLineEdit::event(event); }
};

QString documentWords(const std::vector<Index> &starts, Index tokens)
{
    QStringList lengths;
    Index start = 0;
    for (const Index next : starts) {
        if (next <= start || next >= tokens)
            continue;
        lengths << countText(next - start);
        start = next;
    }
    lengths << countText(tokens - start);
    if (lengths.size() == 1)
        return MaskParameters::tr("One document of %1 tokens").arg(lengths.front());
    return lengths.size() > 6
        ? MaskParameters::tr("%1 documents").arg(countText(lengths.size()))
        : MaskParameters::tr("%1 documents: %2 tokens").arg(countText(lengths.size()), lengths.join(QStringLiteral(", ")));
}

} // namespace

MaskParameters::MaskParameters(QWidget *parent)
    : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(rowSpacing);
    m_sinks = addNumber(tr("Sinks <i>s</i>"), QStringLiteral("maskSinks"), tr("Sinks"),
        tr("s: this many keys at the start stay visible, 0 or more keys. Default: 1."), &MaskSpec::sinks, tr("change sinks"));
    m_window = addNumber(tr("Window <i>w</i>"), QStringLiteral("maskWindow"), tr("Window"),
        tr("w: 1 to 1,000,000 keys. Causal windows count the own key; two-sided ones reach so far on each side. Default: 4."),
        &MaskSpec::window, tr("change window"));
    m_prefix = addNumber(tr("Prefix <i>p</i>"), QStringLiteral("maskPrefix"), tr("Prefix"),
        tr("p: every query sees this many keys at the start, 0 to all keys. Default: 1."), &MaskSpec::prefix, tr("change prefix"));
    m_stride = addNumber(tr("Stride <i>l</i>"), QStringLiteral("maskStride"), tr("Stride"), tr("l: 1 to 1,000,000 keys. Default: 4."),
        &MaskSpec::stride, tr("change stride"));
    m_columns = addNumber(tr("Columns <i>c</i>"), QStringLiteral("maskColumns"), tr("Columns"),
        tr("c: the last keys of every earlier block, 1 to the stride. Default: 1."), &MaskSpec::fixedColumns, tr("change columns"));
    m_block = addNumber(tr("Block <i>b</i>"), QStringLiteral("maskBlock"), tr("Block"),
        tr("b: queries and keys of a block, 1 and more. Default: 4."), &MaskSpec::block, tr("change block"));

    m_grid = new BlockGrid;
    m_grid->setObjectName(QStringLiteral("blockLayout"));
    m_gridRow = new LabelledRow(tr("Layout <i>L</i>"), m_grid);
    connect(m_grid, &BlockGrid::painted, this, [this](const BitMatrix &bits) {
        MaskSpec next = m_mask;
        next.blockLayout = bits;
        emit edited(next, tr("change block layout"), QStringLiteral("block layout"));
    });
    connect(m_grid, &BlockGrid::strokeEnded, this, &MaskParameters::editingEnded);
    connect(m_gridRow, &LabelledRow::labelDoubleClicked, this, [this] {
        MaskSpec next = m_mask;
        next.blockLayout = {};
        next.blockLayout = fittingLayout(next, m_shape);
        emit edited(next, tr("reset block layout"), {});
    });

    m_documents = new StartsField;
    m_documents->setMinimumHeight(controlHeight);
    m_documents->setFocusPolicy(Qt::StrongFocus);
    m_documents->setObjectName(QStringLiteral("documentStarts"));
    m_documentRow = new LabelledRow(tr("Starts"), m_documents);
    m_documentRow->setHelp(tr("Positions of the first tokens of the documents, ascending: 0, 4, 7. Default: the middle."));
    connect(m_documents, &QLineEdit::returnPressed, this, &MaskParameters::readDocuments);
    connect(m_documents, &QLineEdit::editingFinished, this, &MaskParameters::readDocuments);
    connect(m_documentRow, &LabelledRow::labelDoubleClicked, this, [this] { setDocuments({ m_shape.keys / 2 }); });

    for (LabelledRow *row : { m_gridRow, m_documentRow }) {
        column->addWidget(row);
        connect(row, &PanelRow::attentionChanged, this, &MaskParameters::attentionChanged);
    }
}

SliderRow *MaskParameters::addNumber(
    const QString &label, const QString &name, const QString &spoken, const QString &help, Index MaskSpec::*member, const QString &undoName)
{
    const auto fallback = static_cast<double>(MaskSpec().*member);
    auto *row = new SliderRow(label, name,
        { .name = spoken, .least = 1, .most = mostKeys, .isWhole = true, .fallback = fallback, .decimals = 0 }, SliderScale::Linear, 1, 8);
    row->setHelp(help);
    connect(row, &SliderRow::edited, this, [this, member, undoName, name](double number) {
        MaskSpec next = m_mask;
        next.*member = static_cast<Index>(number);
        // What depends on it follows, so that dragging never passes through something that does not fit.
        next.fixedColumns = std::min(next.fixedColumns, std::max<Index>(next.stride, 1));
        if (next.rule == MaskRule::BlockSparse && next.block >= 1)
            next.blockLayout = fittingLayout(next, m_shape);
        emit edited(next, undoName, name);
    });
    connect(row, &SliderRow::editingEnded, this, &MaskParameters::editingEnded);
    connect(row, &PanelRow::attentionChanged, this, &MaskParameters::attentionChanged);
    layout()->addWidget(row);
    return row;
}

void MaskParameters::setDocuments(const std::vector<Index> &starts)
{
    MaskSpec next = m_mask;
    next.documentStarts = starts;
    emit edited(next, tr("change documents"), {});
}

void MaskParameters::readDocuments()
{
    if (!m_documents->isModified())
        return;
    m_documents->setModified(false);
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    std::vector<Index> starts;
    for (const QString &part : m_documents->text().split(separators, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const Index start = part.toLongLong(&isNumber);
        if (!isNumber || start < 0 || start >= m_shape.keys || (!starts.empty() && start <= starts.back())) {
            m_documentRow->setProblem(tr("Starts: ascending positions from 0 to %1, such as 0, %2.")
                                          .arg(countText(m_shape.keys - 1), countText(m_shape.keys / 2)));
            return;
        }
        starts.push_back(start);
    }
    m_documentRow->setProblem({});
    setDocuments(starts);
}

void MaskParameters::show(const MaskSpec &mask, const AttentionBlock &block, const QString &problem)
{
    m_mask = mask;
    m_shape.queries = block.queries;
    m_shape.keys = block.keys;
    const auto has
        = [&mask](std::initializer_list<MaskRule> rules) { return std::find(rules.begin(), rules.end(), mask.rule) != rules.end(); };
    const auto all = static_cast<double>(block.keys);
    const auto place
        = [&](SliderRow *row, bool isShown, Index number, double least, double most, const QString &note, const QString &wrong) {
              row->setVisible(isShown);
              if (!isShown)
                  return;
              row->setLimits(least, most);
              row->show(static_cast<double>(number), wrong);
              row->setNote(wrong.isEmpty() ? note : QString());
          };
    const bool isTwoSided = mask.rule == MaskRule::SlidingWindow;
    const bool hasSinks = mask.rule == MaskRule::SinksWindow;
    // Where a rule has two numbers, the one that is wrong says it.
    const auto problemIf = [&problem](bool isIts) { return isIts ? problem : QString(); };
    place(m_sinks, hasSinks, mask.sinks, 0, std::max(all, static_cast<double>(mask.sinks)), tr("sinks: the first %1").arg(keys(mask.sinks)),
        problemIf(mask.sinks < 0));
    place(m_window, has({ MaskRule::SlidingWindow, MaskRule::CausalSlidingWindow, MaskRule::SinksWindow }), mask.window, 1,
        std::max(all, static_cast<double>(mask.window)),
        isTwoSided ? tr("window: %1 on each side of the own key").arg(keys(mask.window))
                   : tr("window: %1, own included").arg(keys(mask.window)),
        problemIf(!hasSinks || mask.sinks >= 0));
    place(m_prefix, mask.rule == MaskRule::PrefixLm, mask.prefix, 0, all,
        tr("prefix: every query sees the first %1").arg(keys(mask.prefix)), problem);
    const bool isStrided = mask.rule == MaskRule::SparseStrided;
    const bool isFixed = mask.rule == MaskRule::SparseFixed;
    place(m_stride, isStrided || isFixed, mask.stride, 1, std::max(all, static_cast<double>(mask.stride)),
        isStrided ? tr("stride: the %1 before the own one, and those at multiples of %2").arg(keys(mask.stride), countText(mask.stride))
                  : tr("blocks of %1, the own one up to the own key").arg(keys(mask.stride)),
        problemIf(isStrided || mask.stride < 1));
    place(m_columns, isFixed, mask.fixedColumns, 1, static_cast<double>(std::max<Index>(mask.stride, 1)),
        tr("columns: the last %1 of every earlier block").arg(keys(mask.fixedColumns)), problemIf(mask.stride >= 1));

    const bool isBlocks = mask.rule == MaskRule::BlockSparse;
    const Index longest = std::max({ block.queries, block.keys, Index{ 1 } });
    place(m_block, isBlocks, mask.block, static_cast<double>((longest - 1) / mostBlocks + 1), static_cast<double>(longest),
        tr("%1 × %2 blocks, the last ones cut to what is left").arg(countText(mask.blockLayout.rows()), countText(mask.blockLayout.cols())),
        problemIf(mask.block < 1));
    m_gridRow->setVisible(isBlocks);
    if (isBlocks) {
        m_grid->setLayoutBits(mask.blockLayout);
        std::vector<Fix> fixes;
        const QString own = problemIf(mask.block >= 1);
        if (!own.isEmpty())
            fixes.push_back({ tr("Fit the layout to the input"), [this] {
                                 MaskSpec next = withRule(m_mask, MaskRule::BlockSparse, m_shape);
                                 emit edited(next, tr("fit block layout"), {});
                             } });
        m_gridRow->setProblem(own, std::move(fixes));
    }

    const bool isDocuments = mask.rule == MaskRule::Document;
    m_documentRow->setVisible(isDocuments);
    if (isDocuments && !m_documents->isModified()) {
        QStringList starts;
        for (const Index start : mask.documentStarts)
            starts << QString::number(start);
        m_documents->setText(starts.join(QStringLiteral(", ")));
        m_documentRow->setNote(documentWords(mask.documentStarts, block.keys));
        m_documentRow->setProblem(problem);
    }
}

} // namespace attenscope
