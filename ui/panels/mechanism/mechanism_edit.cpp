// SPDX-License-Identifier: GPL-3.0-or-later
// How an edit of the mechanism is carried into a session.
#include "panels/mechanism/mechanism_edit.h"

#include <QCoreApplication>

namespace attenscope {

AttentionSpec withSameChange(AttentionSpec spec, const AttentionSpec &before, const AttentionSpec &after)
{
    const auto follow = [](auto &own, const auto &old, const auto &next) {
        if (!(old == next) && own == old)
            own = next;
    };
    follow(spec.score, before.score, after.score);
    follow(spec.parameters, before.parameters, after.parameters);
    follow(spec.scale, before.scale, after.scale);
    follow(spec.softCap, before.softCap, after.softCap);
    follow(spec.temperature, before.temperature, after.temperature);
    follow(spec.bias, before.bias, after.bias);
    follow(spec.hasAlibi, before.hasAlibi, after.hasAlibi);
    follow(spec.rope, before.rope, after.rope);
    follow(spec.normalization, before.normalization, after.normalization);
    follow(spec.heads, before.heads, after.heads);
    follow(spec.kvHeads, before.kvHeads, after.kvHeads);
    follow(spec.algorithm, before.algorithm, after.algorithm);
    follow(spec.queryBlock, before.queryBlock, after.queryBlock);
    follow(spec.keyBlock, before.keyBlock, after.keyBlock);
    follow(spec.mask.alignment, before.mask.alignment, after.mask.alignment);
    follow(spec.mask.paddedKeys, before.mask.paddedKeys, after.mask.paddedKeys);
    follow(spec.mask.usesInputMask, before.mask.usesInputMask, after.mask.usesInputMask);
    // Where the rules differ, they are what is compared: one side's rule and its parameters are its own.
    if (spec.mask.rule != before.mask.rule)
        return spec;
    follow(spec.mask.rule, before.mask.rule, after.mask.rule);
    follow(spec.mask.allowed, before.mask.allowed, after.mask.allowed);
    follow(spec.mask.window, before.mask.window, after.mask.window);
    follow(spec.mask.prefix, before.mask.prefix, after.mask.prefix);
    follow(spec.mask.stride, before.mask.stride, after.mask.stride);
    follow(spec.mask.fixedColumns, before.mask.fixedColumns, after.mask.fixedColumns);
    follow(spec.mask.sinks, before.mask.sinks, after.mask.sinks);
    follow(spec.mask.block, before.mask.block, after.mask.block);
    follow(spec.mask.blockLayout, before.mask.blockLayout, after.mask.blockLayout);
    follow(spec.mask.documentStarts, before.mask.documentStarts, after.mask.documentStarts);
    return spec;
}

void editMechanism(Document &document, const AttentionSpec &next, const QString &name, const QString &mergeKey)
{
    Session session = document.session();
    if (session.comparison && session.comparisonFollows)
        session.comparison = withSameChange(*session.comparison, session.mechanism, next);
    session.mechanism = next;
    document.edit(std::move(session), name, mergeKey);
}

AppliedPreset usePreset(Document &document, const Preset &preset)
{
    AppliedPreset result = applied(preset, document.session(), document.wholeBlock());
    if (result.isUsable)
        document.edit(result.session, QCoreApplication::translate("Mechanism", "use %1").arg(QString::fromStdString(preset.name)));
    return result;
}

void takeOffer(Document &document, const PresetOffer &offer)
{
    QString name = QString::fromStdString(offer.label);
    name[0] = name[0].toLower();
    document.edit(offer.session, name);
}

Index keyDimension(const AttentionBlock &block, const AttentionSpec &spec)
{
    if (const auto *projected = std::get_if<ProjectedData>(&block.data))
        return projected->q.empty() ? 0 : projected->q.front().cols();
    if (const auto *embedded = std::get_if<EmbeddedData>(&block.data))
        return embedded->layers.empty() || spec.heads < 1 ? 0 : embedded->layers.front().wq.cols() / spec.heads;
    return 0;
}

Index sharedColumns(const Session &session, const AttentionBlock &block)
{
    if (const auto *tokens = std::get_if<TokensSource>(&session.source))
        return tokens->dModel;
    if (const auto *matrices = std::get_if<MatricesSource>(&session.source))
        return matrices->form == MatrixForm::Embedded ? matrices->projections.wq.cols() : 0;
    const auto *embedded = std::get_if<EmbeddedData>(&block.data);
    return embedded && !embedded->layers.empty() ? embedded->layers.front().wq.cols() : 0;
}

bool isEmbeddingAtFault(const Document &document)
{
    const Session &session = document.session();
    return document.problem() && document.problem()->part == SpecPart::Heads && std::holds_alternative<TokensSource>(session.source)
        && document.result()->spec.heads == session.mechanism.heads;
}

std::vector<int> nearestDivisors(int number, int wanted)
{
    std::vector<int> result;
    for (int below = std::min(wanted - 1, number); below >= 1; --below) {
        if (number % below == 0) {
            result.push_back(below);
            break;
        }
    }
    for (int above = std::max(wanted + 1, 1); above <= number; ++above) {
        if (number % above == 0) {
            result.push_back(above);
            break;
        }
    }
    return result;
}

} // namespace attenscope
