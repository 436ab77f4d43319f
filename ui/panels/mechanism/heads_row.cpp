// SPDX-License-Identifier: GPL-3.0-or-later
// Query heads and the key/value heads that they share.
#include "panels/mechanism/heads_row.h"

#include "panels/mechanism/mechanism_edit.h"
#include "panels/number_field.h"

namespace attenscope {

namespace {

QWidget *makeFields()
{
    auto *heads
        = new NumberField({ .name = HeadsRow::tr("Heads"), .least = 1, .most = 1024, .isWhole = true, .fallback = 1, .decimals = 0 });
    heads->setObjectName(QStringLiteral("heads"));
    auto *fixed = new QLabel;
    fixed->setObjectName(QStringLiteral("headsFixed"));
    auto *kv
        = new NumberField({ .name = HeadsRow::tr("K/V heads"), .least = 1, .most = 1024, .isWhole = true, .fallback = 1, .decimals = 0 });
    kv->setObjectName(QStringLiteral("kvHeads"));
    const auto smallWord = [](const QString &text) {
        auto *label = new NoteLabel(text);
        label->setWordWrap(false);
        return label;
    };
    return sideBySide({ heads, fixed, smallWord(HeadsRow::tr("share")), kv, smallWord(HeadsRow::tr("K/V")) }, { 1, 0, 0, 1, 0 });
}

QString sharing(int heads, int kvHeads)
{
    if (kvHeads == heads)
        return HeadsRow::tr("Each head has its own K/V");
    if (kvHeads == 1)
        return HeadsRow::tr("All heads share one K/V head");
    return HeadsRow::tr("%1 query heads per K/V head").arg(heads / kvHeads);
}

} // namespace

HeadsRow::HeadsRow(QWidget *parent)
    : LabelledRow(tr("Heads"), makeFields(), parent)
    , m_headsField(findChild<NumberField *>(QStringLiteral("heads")))
    , m_headsLabel(findChild<QLabel *>(QStringLiteral("headsFixed")))
    , m_kvField(findChild<NumberField *>(QStringLiteral("kvHeads")))
{
    setHelp(tr("Query heads split d_model, so they must divide it, 1 to 1,024. Default: 1. Key/value heads must divide the query heads. "
               "Default: as "
               "many as there are."));
    connect(m_headsField, &NumberField::edited, this, [this](double number) { enterHeads(static_cast<int>(number)); });
    connect(m_kvField, &NumberField::edited, this, [this](double number) { enterKvHeads(static_cast<int>(number)); });
    for (NumberField *field : { m_headsField, m_kvField })
        connect(field, &NumberField::badText, this, [this](const QString &sentence) { setProblem(sentence); });
    connect(this, &LabelledRow::labelDoubleClicked, this, [this] { enterKvHeads(m_heads); });
}

void HeadsRow::show(const AttentionBlock &block, const AttentionSpec &spec, Index columns, const QString &problem)
{
    const bool isEmbedded = columns > 0 || std::holds_alternative<EmbeddedData>(block.data);
    m_specHeads = spec.heads;
    m_specKvHeads = spec.kvHeads;
    m_heads = isEmbedded ? spec.heads : block.heads;
    m_mostKvHeads = isEmbedded ? m_heads : block.kvHeads;
    m_kvHeads = spec.kvHeads > 0 ? spec.kvHeads : m_mostKvHeads;
    setVisible(!block.hasWeightsOnly() && (isEmbedded || m_mostKvHeads > 1));
    m_headsField->setVisible(isEmbedded);
    m_headsLabel->setVisible(!isEmbedded);
    m_headsLabel->setText(QString::number(m_heads));
    m_headsField->setNumber(m_heads);
    m_kvField->setFallback(m_mostKvHeads);
    m_kvField->setNumber(m_kvHeads);
    setNote(problem.isEmpty() && m_kvHeads > 0 && m_heads % m_kvHeads == 0 ? sharing(m_heads, m_kvHeads) : QString());
    setProblem(problem, problem.isEmpty() ? std::vector<Fix>() : fixes(static_cast<int>(columns)));
}

std::vector<Fix> HeadsRow::fixes(int columns)
{
    std::vector<Fix> result;
    if (columns > 0 && (m_heads < 1 || columns % m_heads != 0)) {
        for (const int heads : nearestDivisors(columns, m_heads)) {
            // Key/value heads that these cannot share would be the next mistake.
            const int kvHeads = m_specKvHeads > 0 && heads % m_specKvHeads != 0 ? 0 : m_specKvHeads;
            result.push_back({ heads == 1 ? tr("Use 1 head") : tr("Use %1 heads").arg(heads),
                [this, heads, kvHeads] { emit edited(heads, kvHeads, tr("change heads")); } });
        }
        return result;
    }
    for (const int shared : nearestDivisors(m_mostKvHeads, m_kvHeads))
        result.push_back(
            { shared == 1 ? tr("Use 1 K/V head") : tr("Use %1 K/V heads").arg(shared), [this, shared] { enterKvHeads(shared); } });
    return result;
}

void HeadsRow::enterHeads(int heads)
{
    emit edited(heads, m_specKvHeads, tr("change heads"));
}

void HeadsRow::enterKvHeads(int kvHeads)
{
    emit edited(m_specHeads, kvHeads == m_mostKvHeads ? 0 : kvHeads, tr("change key/value heads"));
}

} // namespace attenscope
