// SPDX-License-Identifier: GPL-3.0-or-later
// Names for two mechanisms that are compared, by the first thing that differs.
#include "views/map/map_content.h"

#include "core/text.h"
#include "state/number_text.h"

namespace attenscope {

namespace {

QString capitalized(QString text)
{
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

/// What a query sees under @p mask, in words.
QString maskWords(const MaskSpec &mask, const AttentionBlock &block)
{
    switch (mask.rule) {
    case MaskRule::None:
        if (!mask.allowed.isEmpty())
            return QObject::tr("query sees the keys that its mask allows");
        if (hasMaskOfInput(block, mask))
            return QObject::tr("query sees the keys that the mask of the file allows");
        return mask.paddedKeys > 0 ? QObject::tr("query sees all keys but %1 of padding").arg(countText(mask.paddedKeys))
                                   : QObject::tr("query sees all %1 keys").arg(countText(block.keys));
    case MaskRule::Causal:
        return QObject::tr("query sees itself and earlier keys");
    case MaskRule::SlidingWindow:
        return QObject::tr("query sees keys at most %1 away").arg(countText(mask.window));
    case MaskRule::CausalSlidingWindow:
        return QObject::tr("query sees the last %1 keys, own included").arg(countText(mask.window));
    case MaskRule::PrefixLm:
        return QObject::tr("query sees the first %1 keys, itself and earlier ones").arg(countText(mask.prefix));
    case MaskRule::SparseStrided:
    case MaskRule::SparseFixed:
        return QObject::tr("query sees near keys and one in %1 before them").arg(countText(mask.stride));
    case MaskRule::BlockSparse:
        return QObject::tr("query sees some blocks of %1 keys").arg(countText(mask.block));
    case MaskRule::SinksWindow:
        return QObject::tr("query sees the first %1 and the last %2 keys").arg(countText(mask.sinks), countText(mask.window));
    case MaskRule::Document:
        return QObject::tr("query sees earlier keys of its document");
    }
    return {};
}

QString scoreName(ScoreFunction score)
{
    switch (score) {
    case ScoreFunction::ScaledDot:
        return QObject::tr("Scaled dot product");
    case ScoreFunction::Dot:
        return QObject::tr("Dot product");
    case ScoreFunction::General:
        return QObject::tr("General");
    case ScoreFunction::Concat:
        return QObject::tr("Concat");
    case ScoreFunction::Additive:
        return QObject::tr("Additive");
    case ScoreFunction::Linear:
        return QObject::tr("Linear");
    }
    return {};
}

QString number(double number)
{
    return QString::fromStdString(exactNumber(number));
}

QString optionalNumber(const QString &name, const std::optional<double> &value, const QString &without)
{
    return value ? name.arg(number(*value)) : without;
}

} // namespace

bool hasMaskOfInput(const AttentionBlock &block, const MaskSpec &mask)
{
    return mask.usesInputMask && (!block.masks.empty() || !block.keyPadding.empty());
}

std::pair<MechanismTitle, MechanismTitle> mechanismTitles(
    const AttentionSpec &first, const AttentionSpec &second, const AttentionBlock &block)
{
    const auto byMask = [&](const AttentionSpec &spec) {
        return MechanismTitle{ capitalized(QString::fromStdString(maskName(spec.mask))), maskWords(spec.mask, block) };
    };
    if (maskName(first.mask) != maskName(second.mask))
        return { byMask(first), byMask(second) };
    if (!(first.mask == second.mask)) {
        const auto [a, b] = std::pair{ byMask(first), byMask(second) };
        return { { QObject::tr("First"), a.subtitle }, { QObject::tr("Second"), b.subtitle } };
    }
    const auto titled = [&](const auto &title) {
        return std::pair{ MechanismTitle{ title(first), {} }, MechanismTitle{ title(second), {} } };
    };
    if (first.score != second.score)
        return titled([](const AttentionSpec &spec) { return scoreName(spec.score); });
    if (first.scale != second.scale)
        return titled(
            [](const AttentionSpec &spec) { return optionalNumber(QObject::tr("Scale %1"), spec.scale, QObject::tr("Usual scale")); });
    if (first.softCap != second.softCap)
        return titled(
            [](const AttentionSpec &spec) { return optionalNumber(QObject::tr("Soft cap %1"), spec.softCap, QObject::tr("No soft cap")); });
    if (first.temperature != second.temperature)
        return titled([](const AttentionSpec &spec) { return QObject::tr("Temperature %1").arg(number(spec.temperature)); });
    if (first.hasAlibi != second.hasAlibi)
        return titled([](const AttentionSpec &spec) { return spec.hasAlibi ? QObject::tr("ALiBi") : QObject::tr("No ALiBi"); });
    if (first.rope != second.rope)
        return titled([](const AttentionSpec &spec) {
            return spec.rope ? QObject::tr("RoPE, base %1").arg(number(spec.rope->base)) : QObject::tr("No RoPE");
        });
    if (first.normalization != second.normalization)
        return titled([](const AttentionSpec &spec) {
            return spec.normalization == Normalization::Softmax ? QObject::tr("Softmax") : QObject::tr("Softmax1");
        });
    if (first.heads != second.heads || first.kvHeads != second.kvHeads) {
        return titled([](const AttentionSpec &spec) {
            return spec.kvHeads > 0 ? QObject::tr("%1 heads, %2 K/V").arg(spec.heads).arg(spec.kvHeads)
                                    : QObject::tr("%1 heads").arg(spec.heads);
        });
    }
    return titled([&](const AttentionSpec &spec) { return &spec == &first ? QObject::tr("First") : QObject::tr("Second"); });
}

} // namespace attenscope
