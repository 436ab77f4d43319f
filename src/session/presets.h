// SPDX-License-Identifier: GPL-3.0-or-later
// Presets: mechanisms that papers and models made known, as plain values, and what each becomes on an input.
#pragma once

#include "session/session.h"

#include <string_view>

namespace attenscope {

/// Groups of the gallery, in its order.
enum class PresetGroup {
    Whole, ///< A mechanism as a whole: score, mask, positions and sharing are set.
    Score, ///< These and the following set one part and leave the others.
    Softmax,
    Heads,
    KeySource, ///< Where keys and values come from.
    Mask,
    Positions,
    Algorithm,
};

struct Preset {
    std::string id; ///< "alibi-bloom": in session files and on the command line; never changed.
    PresetGroup group = PresetGroup::Whole;
    std::string name; ///< "ALiBi (BLOOM)"
    std::string formula; ///< As mathematics in the markup of the panels (math_text.h).
    std::string sentence; ///< What it does, in one sentence.
    std::string paper; ///< "Press et al."
    std::string link; ///< "arXiv:2108.12409"; empty where there is none.
    int year = 0; ///< Of the first arXiv version, or of the publication where there is none.
};

/// All of them, group by group.
[[nodiscard]] const std::vector<Preset> &presets();
/// Null if there is none of this id.
[[nodiscard]] const Preset *findPreset(std::string_view id);

/// A change of the session that gives the input what a preset needs, or leaves out what is too much for it.
struct PresetOffer {
    std::string label; ///< "Take the keys from a second sequence"
    Session session; ///< With the preset as well.
};

/// A preset on an input.
struct AppliedPreset {
    Session session; ///< The session with the preset's mechanism; comparison and view are as before.
    bool fits = true; ///< The input has what the preset is about.
    bool isUsable = true; ///< Else it changes nothing, and notes say why: weights that were recorded, and parts that the input lacks.
    std::vector<std::string> notes; ///< What the input lacks, and what of the paper is otherwise here; whole sentences.
    std::vector<PresetOffer> offers;
};

/// What @p preset makes of @p session on @p block, its input. A whole preset sets everything but the number of query heads, what counts of
/// the data (padding, their masks, alignment) and the algorithm; windows larger than the input become a quarter of its keys. A trial is for what
/// is said and offered alone: parts of the session that take memory are left out.
[[nodiscard]] AppliedPreset applied(const Preset &preset, const Session &session, const AttentionBlock &block, bool isTrial = false);

/// Why @p preset cannot be used on @p block whatever its settings are, as one sentence; empty where it can.
[[nodiscard]] std::string presetRefusal(const Preset &preset, const AttentionBlock &block);

/// @p spec with flash attention. A tile that would be as long as the input, so that there was nothing to walk through, becomes a quarter of it.
[[nodiscard]] AttentionSpec withFlash(AttentionSpec spec, Index queries, Index keys);

/// Which whole preset a session has.
struct PresetState {
    const Preset *preset = nullptr; ///< Null: none.
    bool isChanged = false; ///< It was set to this one and edited since.
};
/// The one that was chosen, if the mechanism is still it; else the first that it is; else the chosen one as changed.
[[nodiscard]] PresetState presetOf(const Session &session, const AttentionBlock &block);

} // namespace attenscope
