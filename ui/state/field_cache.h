// SPDX-License-Identifier: GPL-3.0-or-later
// FieldCache: the map fields of heads, so that an equal question is answered with the same field (the tiles of a map are kept by field).
#pragma once

#include "attention/attention_result.h"
#include "session/session.h"

#include <memory>
#include <vector>

namespace attenscope {

/// Fields of the heads that are shown. GUI thread only.
class FieldCache {
public:
    using Heads = std::vector<std::shared_ptr<const HeadResult>>;

    /// The stage of one head, or of several combined; null where a head has no such stage. @p heads is not empty.
    [[nodiscard]] MapFieldPtr field(const Heads &heads, HeadsShown shown, Stage stage);
    [[nodiscard]] MapFieldPtr difference(const MapFieldPtr &first, const MapFieldPtr &second);
    /// Forgets all fields of heads that are in neither result; null results have no heads.
    void keepOnly(const std::shared_ptr<const AttentionResult> &first, const std::shared_ptr<const AttentionResult> &second);

private:
    struct Combined {
        Heads heads;
        HeadsShown shown = HeadsShown::Single;
        Stage stage = Stage::Weights;
        MapFieldPtr field;
    };
    struct Difference {
        MapFieldPtr first, second, field;
    };

    std::vector<Combined> m_combined;
    std::vector<Difference> m_differences;
};

} // namespace attenscope
