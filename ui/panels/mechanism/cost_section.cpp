// SPDX-License-Identifier: GPL-3.0-or-later
// Costs as a table of numbers with their formulas, and a plot against the number of tokens.
#include "panels/mechanism/cost_section.h"

#include "core/text.h"
#include "panels/mechanism/cost_plot.h"
#include "panels/mechanism/slider_row.h"
#include "state/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFontInfo>
#include <QRegularExpression>

#include <cmath>

namespace attenscope {

namespace {

constexpr double noteScale = 12.0 / 13.0;
/// In the order of the box.
constexpr int byteSizes[] = { 2, 4, 8 };

QString text(const std::string &words)
{
    return QString::fromStdString(words);
}

QString grouped(std::uint64_t amount)
{
    // No count has more digits; amounts stop there.
    return text(groupedCount(static_cast<std::int64_t>(std::min<std::uint64_t>(amount, INT64_MAX))));
}

/// One row of the table: name and amount, and under them how it comes about.
class CostTable {
public:
    /// Formulas at @p small pixels.
    CostTable(const Theme &theme, int small)
        : m_style(QStringLiteral("color:%1; font-size:%2px; padding-bottom:8px").arg(theme.secondaryText.name()).arg(small))
    {
    }

    void add(const QString &name, const QString &amount, const QString &how)
    {
        m_html += QStringLiteral("<tr><td>%1</td><td align=right><b>%2</b></td></tr>").arg(name.toHtmlEscaped(), amount.toHtmlEscaped());
        if (!how.isEmpty())
            m_html += QStringLiteral("<tr><td colspan=2 style=\"%1\">%2</td></tr>").arg(m_style, withIndices(how.toHtmlEscaped()));
    }
    void add(const QString &name, const QString &amount, const Cost &cost)
    {
        const QString numbers = text(cost.numbers) + QStringLiteral(" = ") + grouped(cost.amount);
        add(name, amount, cost.formula == cost.numbers ? text(cost.formula) : text(cost.formula) + QStringLiteral(" = ") + numbers);
    }

    [[nodiscard]] QString html() const { return QStringLiteral("<table width=\"100%\" cellspacing=0>%1</table>").arg(m_html); }

private:
    /// "d_k" with its index below the line.
    static QString withIndices(QString formula)
    {
        static const QRegularExpression index(QStringLiteral("([dB])_(\\w+)"));
        return formula.replace(index, QStringLiteral("\\1<sub>\\2</sub>"));
    }

    QString m_style;
    QString m_html;
};

} // namespace

CostSection::CostSection(Document &document, QWidget *parent)
    : FoldRow(tr("What it costs"), parent)
    , m_document(document)
{
    setObjectName(QStringLiteral("costs"));
    // 0 stands for the input's own length.
    m_tokens = new SliderRow(tr("Tokens <i>n</i>"), QStringLiteral("costTokens"),
        { .name = tr("Tokens"), .least = 1, .most = CostPlot::mostTokens, .isWhole = true, .fallback = 0, .decimals = 0 },
        SliderScale::Logarithmic, 1, CostPlot::mostTokens);
    m_tokens->setHelp(tr("n: queries and keys, 1 to 1,000,000. Default: as many as the input has."));
    m_bytes = choiceBox({ tr("2 bytes, half"), tr("4 bytes, single"), tr("8 bytes, double") });
    m_bytes->setObjectName(QStringLiteral("costBytes"));
    auto *bytesRow = new LabelledRow(tr("Numbers of"), m_bytes);
    bytesRow->setHelp(tr("Bytes of a number in scores and cache; models run with 2. Default: 2."));
    auto *tableRow = new PanelRow;
    m_table = new QLabel;
    m_table->setObjectName(QStringLiteral("costTable"));
    m_table->setTextFormat(Qt::RichText);
    m_table->setWordWrap(true);
    m_table->setTextInteractionFlags(Qt::TextSelectableByMouse);
    tableRow->body()->addWidget(m_table);
    auto *plotRow = new PanelRow;
    m_plot = new CostPlot;
    plotRow->body()->addWidget(m_plot);
    for (QWidget *row : std::initializer_list<QWidget *>{ m_tokens, bytesRow, tableRow, plotRow })
        addRow(row);
    connect(m_tokens, &SliderRow::edited, this, [this](double number) {
        m_length = static_cast<Index>(number);
        showCosts();
    });
    connect(m_bytes, &QComboBox::activated, this, &CostSection::showCosts);
    connect(bytesRow, &LabelledRow::labelDoubleClicked, this, [this] {
        m_bytes->setCurrentIndex(0);
        showCosts();
    });
    connect(this, &FoldRow::opened, this, &CostSection::follow);
    connect(&document, &Document::changed, this, &CostSection::follow);
    connect(&document, &Document::resultChanged, this, &CostSection::follow);
}

void CostSection::follow()
{
    // What it costs to count is not paid while nobody looks, nor for what does not fit.
    if (!isOpen() || m_document.wholeBlock().hasWeightsOnly() || check(m_document.wholeBlock(), m_document.session().mechanism))
        return;
    m_shape = costShape(m_document.wholeBlock(), m_document.session().mechanism);
    showCosts();
}

Cost CostSection::cells() const
{
    const MaskSpec &mask = m_document.session().mechanism.mask;
    if (m_length > 0) {
        const std::optional<Cost> closed = visibleCells(mask, m_length);
        return closed ? *closed : Cost{};
    }
    const Mask rows(m_document.wholeBlock(), mask, m_document.head().element);
    Cost counted{ visibleCells(rows), tr("counted row by row").toStdString(), tr("counted row by row").toStdString() };
    if (m_shape.queries == m_shape.keys)
        if (const std::optional<Cost> closed = visibleCells(mask, m_shape.keys); closed && closed->amount == counted.amount)
            return *closed;
    return counted;
}

void CostSection::showCosts()
{
    const AttentionSpec &spec = m_document.session().mechanism;
    CostShape shape = m_length > 0 ? withLength(m_shape, m_length) : m_shape;
    shape.bytesPerNumber = byteSizes[std::clamp(m_bytes->currentIndex(), 0, 2)];
    m_tokens->show(static_cast<double>(shape.keys), {});
    m_tokens->setNote(m_length == 0 ? tr("as this input has; the mask with padding and own cells")
                                    : tr("the rule of the mask alone, without padding and own cells"));
    const Cost seen = cells();
    const bool hasCells = !seen.formula.empty();
    CostTable table(Theme::of(palette()), QFontInfo(scaledFont(font(), noteScale)).pixelSize());
    if (hasCells) {
        table.add(tr("Visible cells of a head"), grouped(seen.amount), seen);
        const Cost work = multiplyAdds(spec.score, shape, seen.amount);
        table.add(tr("Multiply-adds"), grouped(work.amount), work);
    } else {
        table.add(tr("Visible cells of a head"), tr("unknown"), tr("A block layout is of one number of tokens."));
    }
    const Cost scores = scoreBytes(spec, shape);
    const QString held = spec.algorithm == Algorithm::Flash ? tr("Scores, one tile")
        : spec.score == ScoreFunction::Linear               ? tr("Sums in place of scores")
                                                            : tr("Scores of a layer");
    table.add(held, text(byteSize(scores.amount)), scores);
    const auto addCache = [&](const QString &name, int kvHeads) {
        const Cost cache = cacheBytes(shape, kvHeads);
        const bool isInUse = kvHeads == shape.kvHeads;
        table.add(isInUse ? tr("%1, in use").arg(name) : name, text(byteSize(cache.amount)), cache);
    };
    addCache(tr("K/V cache, multi-head (%1)").arg(shape.heads), shape.heads);
    if (const std::optional<int> groups = groupedHeads(shape.heads, shape.kvHeads))
        addCache(tr("K/V cache, grouped (%1)").arg(*groups), *groups);
    if (shape.heads > 1)
        addCache(tr("K/V cache, multi-query (1)"), 1);
    const Index n = shape.keys;
    if (const std::optional<Cost> path = longestPath(spec.mask, n))
        table.add(
            tr("Longest path between two tokens"), path->amount == 1 ? tr("1 layer") : tr("%1 layers").arg(grouped(path->amount)), *path);
    table.add(tr("The same, recurrent network"), tr("%1 steps").arg(grouped(recurrentPath(n).amount)), QString());
    m_table->setText(table.html());
    m_plot->show(spec, shape);
}

} // namespace attenscope
