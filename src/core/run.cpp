// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of parts of a work, in order and in per cents.
#include "core/run.h"

#include <memory>
#include <mutex>

namespace attenscope {

Run Run::part(std::ptrdiff_t at, std::ptrdiff_t count) const
{
    if (!progress)
        return { stop, {} };
    return { stop,
        [whole = progress, at, count](double fraction) { whole((static_cast<double>(at) + fraction) / static_cast<double>(count)); } };
}

Run Run::rising() const
{
    if (!progress)
        return { stop, {} };
    return { stop, [whole = progress, mutex = std::make_shared<std::mutex>(), most = std::make_shared<double>(-1.0)](double fraction) {
                const std::lock_guard lock(*mutex);
                if (fraction > *most)
                    whole(*most = fraction);
            } };
}

void DoneCount::add(std::ptrdiff_t pieces)
{
    const std::ptrdiff_t before = m_done.fetch_add(pieces);
    const std::ptrdiff_t after = before + pieces;
    if (100 * after / m_total != 100 * before / m_total)
        m_run.report(static_cast<double>(after) / static_cast<double>(m_total));
}

} // namespace attenscope
