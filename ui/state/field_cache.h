// SPDX-License-Identifier: GPL-3.0-or-later
// FieldCache: the map fields of heads, so that an equal question is answered with the same field (the tiles of a map are kept by field).
#pragma once

#include "attention/attention_result.h"
#include "attention/field_overview.h"
#include "session/session.h"

#include <memory>
#include <vector>

namespace attenscope {

/// Fields of the heads that are shown. Long ones that are made of others have an estimate for far zooms (MapField::isEstimate()) until they are given
/// their overview. GUI thread only.
class FieldCache {
public:
    using Heads = std::vector<std::shared_ptr<const HeadResult>>;

    /// The stage of one head, or of several combined; null where a head has no such stage. @p heads is not empty.
    [[nodiscard]] MapFieldPtr field(const Heads &heads, HeadsShown shown, Stage stage);
    [[nodiscard]] MapFieldPtr difference(const MapFieldPtr &first, const MapFieldPtr &second);
    /// What has to be read so that @p field is no estimate any more; null where it is none, and where what it is made of is one itself.
    [[nodiscard]] MapFieldPtr toBeRead(const MapFieldPtr &field) const;
    /// @p exact has been read: from now on there is another field in place of its estimate.
    void take(const MapFieldPtr &exact, const FieldOverview &overview);
    /// Forgets all fields of heads that are in neither result; null results have no heads.
    void keepOnly(const std::shared_ptr<const AttentionResult> &first, const std::shared_ptr<const AttentionResult> &second);

private:
    /// A field made of others.
    struct Made {
        std::vector<MapFieldPtr> parts;
        MapFieldPtr exact;
        MapFieldPtr shown; ///< exact itself, or with an overview.
    };
    struct Combined {
        Heads heads;
        HeadsShown shown = HeadsShown::Single;
        Stage stage = Stage::Weights;
        Made made;
    };

    [[nodiscard]] static Made make(std::vector<MapFieldPtr> parts, const CombineFields &combine, bool isFoldedAlike);

    std::vector<Combined> m_combined;
    std::vector<Made> m_differences;
};

} // namespace attenscope
