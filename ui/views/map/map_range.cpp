// SPDX-License-Identifier: GPL-3.0-or-later
// Measures fields and remembers what was found.
#include "views/map/map_range.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr Index mostCellsRead = Index(1) << 22;
constexpr Index mostCellsAtOnce = Index(1) << 20; // of all fields, if they are at hand: measured while the window waits
constexpr Index sampledRows = 128;
constexpr std::size_t mostRemembered = 16;

void extend(FieldRange &range, const MatrixF &cells)
{
    float lowest = 0.0F;
    float highest = 0.0F;
    for (Index index = 0; index < cells.size(); ++index) {
        const float cell = cells.data()[index];
        if (std::isfinite(cell)) {
            lowest = std::min(lowest, cell);
            highest = std::max(highest, cell);
        }
    }
    range.lowest = std::min(range.lowest, static_cast<double>(lowest));
    range.highest = std::max(range.highest, static_cast<double>(highest));
    range.magnitude = std::max(-range.lowest, range.highest);
}

} // namespace

FieldRange measureRange(const std::vector<MapFieldPtr> &fields, const Run &run)
{
    constexpr Index rowsAtOnce = 256;
    FieldRange range;
    MatrixF cells;
    for (const MapFieldPtr &field : fields) {
        const Index rows = field->rows();
        const Index cols = field->cols();
        // A row of the output has few numbers, but takes all keys: as many as queries, more or less.
        const bool isCostly = field->columns() == Columns::Dimensions && !field->isAtHand();
        const bool isLarge = rows * (isCostly ? rows : cols) > mostCellsRead && rows > sampledRows;
        range.isSampled |= isLarge;
        const Index bands = isLarge ? sampledRows : (rows + rowsAtOnce - 1) / rowsAtOnce;
        for (Index band = 0; band < bands && !run.stopped(); ++band) {
            const Index first = isLarge ? band * (rows - 1) / (sampledRows - 1) : band * rowsAtOnce;
            const Index end = isLarge ? first + 1 : std::min(rows, first + rowsAtOnce);
            if (field->read({ { first, end }, { 0, cols } }, 0, Fold::Max, cells, run))
                extend(range, cells);
        }
    }
    return range;
}

std::optional<FieldRange> RangeCache::range(const std::vector<MapFieldPtr> &fields)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.fields == fields; });
    if (found != m_entries.end()) {
        m_entries.splice(m_entries.begin(), m_entries, found);
        return found->range;
    }
    Index cells = 0;
    bool areAtHand = true;
    for (const MapFieldPtr &field : fields) {
        cells += field->rows() * field->cols();
        areAtHand = areAtHand && field->isAtHand();
    }
    if (areAtHand && cells <= mostCellsAtOnce) {
        remember(fields, measureRange(fields));
        return m_entries.front().range;
    }
    if (m_measuring == fields && m_job.isRunning())
        return std::nullopt;
    m_measuring = fields;
    m_job.start([this, fields](const Run &run, const Job::Deliver &deliver) {
        const FieldRange range = measureRange(fields, run);
        deliver([this, fields, range] {
            remember(fields, range);
            m_measuring.clear();
            emit ready();
        });
    });
    return std::nullopt;
}

void RangeCache::remember(std::vector<MapFieldPtr> fields, const FieldRange &range)
{
    m_entries.push_front({ std::move(fields), range });
    if (m_entries.size() > mostRemembered)
        m_entries.pop_back();
}

} // namespace attenscope
