// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that presets() and applied() are made of.
#pragma once

#include "session/presets.h"

#include <functional>

namespace attenscope {

/// What a row changes, and what it has to say about the input.
struct PresetUse {
    AppliedPreset &result;
    AttentionSpec &spec; ///< Of the result's session.
    const AttentionBlock &block;
    bool isTrial = false; ///< As for applied().

    std::vector<std::pair<std::string, std::function<void(Session &)>>> offers{}; ///< Changes of the finished session, with their labels.

    void note(std::string sentence);
    void offer(std::string label, std::function<void(Session &)> change);
};

struct PresetEntry {
    Preset preset;
    void (*apply)(PresetUse &use);
};

/// In the order of the gallery.
[[nodiscard]] const std::vector<PresetEntry> &presetEntries();

// What several presets do; each says what the input lacks for it.

void setRope(PresetUse &use);
void setCausal(PresetUse &use);
/// @p paper where the input has more keys, else a quarter of the keys.
[[nodiscard]] Index windowFor(PresetUse &use, Index paper);
/// One key/value head for all (multi-query).
void shareAll(PresetUse &use);
/// Groups of query heads that share: 8 key/value heads for many, else groups of four, else of two.
void shareInGroups(PresetUse &use);
/// Zeros for every query and key.
void setZeroBias(PresetUse &use);
void needSecondSequence(PresetUse &use);
void needOneSequence(PresetUse &use);
void needOneHead(PresetUse &use);
void needNoSinusoids(PresetUse &use);

} // namespace attenscope
