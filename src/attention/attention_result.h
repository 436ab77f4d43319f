// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionResult: what the engine found, head by head.
#pragma once

#include "attention/field.h"
#include "attention/stream.h"
#include "attention/summary.h"

#include <memory>
#include <utility>
#include <vector>

namespace attenscope {

/// One head, computed or read: its operands (null if recorded), what the pass kept and its summary.
struct HeadResult : std::enable_shared_from_this<HeadResult> {
    HeadRef ref;
    std::shared_ptr<const HeadOperands> operands;
    StreamResult stream; ///< For recorded heads: overview, entropy and largest only.
    HeadSummary summary; ///< Not complete where that takes another pass over many keys: then summarize() the weights and the sequence.

    /// The field of a stage, built on what is here; it keeps this result alive. Null where there is no such stage.
    [[nodiscard]] MapFieldPtr field(Stage stage) const;
    MapFieldPtr recorded; ///< For recorded heads.
};

/// Heads that are ready; one that is not is absent. Immutable once published, shared.
struct AttentionResult {
    std::shared_ptr<const AttentionInput> input;
    AttentionSpec spec;
    std::vector<std::shared_ptr<const HeadResult>> heads; ///< Ascending, as summaries: there may be thousands. See add().
    std::vector<std::pair<HeadRef, HeadSummary>> summaries; ///< Complete ones that came after their heads.

    /// Puts a head in its place; before this is published.
    void add(std::shared_ptr<const HeadResult> head);
    void add(const HeadRef &ref, const HeadSummary &summary);
    [[nodiscard]] std::shared_ptr<const HeadResult> find(const HeadRef &ref) const;
    /// The best there is; null for a head that is not ready.
    [[nodiscard]] const HeadSummary *summary(const HeadRef &ref) const;
};

/// Computes (or reads) one head. Errors: memory, cancelled, a file that changed under us.
Result<std::shared_ptr<const HeadResult>> computeHead(
    const AttentionInput &input, const AttentionSpec &spec, const HeadRef &ref, const StreamOptions &options, const Run &run = {});

} // namespace attenscope
