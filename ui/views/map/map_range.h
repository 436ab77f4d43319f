// SPDX-License-Identifier: GPL-3.0-or-later
// How far the numbers of maps reach: found once per map, whatever the zoom.
#pragma once

#include "attention/field.h"
#include "state/job.h"

#include <QObject>

#include <functional>
#include <list>
#include <optional>
#include <vector>

namespace attenscope {

/// The range of a colour scale, from -magnitude or 0 to magnitude.
struct FieldRange {
    double magnitude = 0.0; ///< Largest finite |number|.
    double lowest = 0.0; ///< Finite, at most 0.
    double highest = 0.0; ///< Finite, at least 0.
    bool isSampled = false; ///< Found on evenly spaced rows: there may be larger ones.

    friend bool operator==(const FieldRange &, const FieldRange &) = default;
};

/// Looks at every cell of fields with at most 2^22 cells, at 128 rows of larger ones; cells of an output that is not at hand count as its rows do.
/// Stopped: what was found so far.
[[nodiscard]] FieldRange measureRange(const std::vector<MapFieldPtr> &fields, const Run &run = {});

/// The range of fields taken together, or nothing while that is still being found out.
using RangeSource = std::function<std::optional<FieldRange>(const std::vector<MapFieldPtr> &)>;

/// Remembers ranges and measures in the background what is large or not at hand. GUI thread only.
class RangeCache : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] std::optional<FieldRange> range(const std::vector<MapFieldPtr> &fields);

signals:
    /// A range that was not there is there now.
    void ready();

private:
    struct Entry {
        std::vector<MapFieldPtr> fields;
        FieldRange range;
    };

    void remember(std::vector<MapFieldPtr> fields, const FieldRange &range);

    std::list<Entry> m_entries; ///< Most recently used first.
    std::vector<MapFieldPtr> m_measuring;
    Job m_job;
};

} // namespace attenscope
