// SPDX-License-Identifier: GPL-3.0-or-later
// Applying presets, and finding the one that a session has.
#include "session/preset_table.h"

#include <algorithm>

namespace attenscope {

namespace {

/// What a whole preset starts from: the plain mechanism with what belongs to the input.
AttentionSpec plain(const AttentionSpec &now)
{
    AttentionSpec next;
    next.heads = now.heads;
    next.algorithm = now.algorithm;
    next.queryBlock = now.queryBlock;
    next.keyBlock = now.keyBlock;
    next.mask = now.mask;
    next.mask.rule = MaskRule::None;
    next.mask.allowed = {};
    return next;
}

} // namespace

const std::vector<Preset> &presets()
{
    static const std::vector<Preset> all = [] {
        std::vector<Preset> list;
        for (const PresetEntry &row : presetEntries())
            list.push_back(row.preset);
        return list;
    }();
    return all;
}

const Preset *findPreset(std::string_view id)
{
    const auto found = std::find_if(presets().begin(), presets().end(), [id](const Preset &preset) { return preset.id == id; });
    return found == presets().end() ? nullptr : &*found;
}

AttentionSpec withFlash(AttentionSpec spec, Index queries, Index keys)
{
    spec.algorithm = Algorithm::Flash;
    const auto fit = [](Index &block, Index count) {
        if (block >= count)
            block = std::max<Index>(1, (count + 3) / 4);
    };
    fit(spec.queryBlock, queries);
    fit(spec.keyBlock, keys);
    return spec;
}

std::string presetRefusal(const Preset &preset, const AttentionBlock &block)
{
    // Of recorded weights only who may see whom can be changed.
    const bool isRefused = block.hasWeightsOnly() && preset.group != PresetGroup::Mask;
    return isRefused ? "The file holds weights, no Q and K: another mechanism cannot be computed." : std::string();
}

AppliedPreset applied(const Preset &preset, const Session &session, const AttentionBlock &block, bool isTrial)
{
    const auto row = std::find_if(presetEntries().begin(), presetEntries().end(),
        [&preset](const PresetEntry &candidate) { return candidate.preset.id == preset.id; });
    AppliedPreset result{ .session = session, .notes = {}, .offers = {} };
    if (std::string refusal = presetRefusal(preset, block); !refusal.empty()) {
        result.fits = result.isUsable = false;
        result.notes.push_back(std::move(refusal));
        return result;
    }
    AttentionSpec &spec = result.session.mechanism;
    if (preset.group == PresetGroup::Whole) {
        spec = plain(session.mechanism);
        result.session.preset = preset.id;
    }
    PresetUse use{ result, spec, block, isTrial, {} };
    row->apply(use);
    // A whole mechanism is worth having without what the input lacks; a part that it lacks is nothing.
    result.isUsable = result.fits || preset.group == PresetGroup::Whole;
    if (!result.isUsable)
        result.session = session;
    if (spec.score == session.mechanism.score)
        spec.parameters = session.mechanism.parameters;
    else
        spec.parameters = {};
    for (const auto &[label, change] : use.offers) {
        result.offers.push_back({ label, result.session });
        change(result.offers.back().session);
    }
    return result;
}

PresetState presetOf(const Session &session, const AttentionBlock &block)
{
    if (block.hasWeightsOnly())
        return {};
    const Preset *chosen = findPreset(session.preset);
    if (chosen && applied(*chosen, session, block).session.mechanism == session.mechanism)
        return { chosen, false };
    for (const Preset &preset : presets()) {
        if (preset.group != PresetGroup::Whole)
            break;
        const AppliedPreset result = applied(preset, session, block);
        if (result.fits && result.session.mechanism == session.mechanism)
            return { &preset, false };
    }
    return { chosen, chosen != nullptr };
}

} // namespace attenscope
