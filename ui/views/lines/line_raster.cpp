// SPDX-License-Identifier: GPL-3.0-or-later
// One step per pixel along the longer direction, covered parts of the pixels across.
#include "views/lines/line_raster.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

/// A line as across = start + slope · along, covering @p extent pixels across at every step.
struct LineRaster::Walk {
    double slope = 0.0;
    double start = 0.0; ///< Across, where along is 0.
    double extent = 1.0;
    float through = 0.0F; ///< Where a pixel is covered: how much of the ground is seen.
    int first = 0; ///< Steps along.
    int end = 0;
};

LineRaster::LineRaster(int width, int height)
    : m_width(std::max(0, width))
    , m_height(std::max(0, height))
    , m_through(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height), 1.0F)
{
}

void LineRaster::add(QPointF from, QPointF to, double width)
{
    if (!(width >= leastWidth) || m_through.empty())
        return;
    const bool isSteep = std::abs(to.y() - from.y()) > std::abs(to.x() - from.x());
    if (isSteep) {
        from = QPointF(from.y(), from.x());
        to = QPointF(to.y(), to.x());
    }
    if (from.x() > to.x())
        std::swap(from, to);
    const double length = to.x() - from.x();
    if (!(length > 0.0))
        return;
    Walk steps;
    steps.slope = (to.y() - from.y()) / length;
    steps.start = from.y() - steps.slope * from.x();
    steps.extent = std::max(1.0, width) * std::sqrt(1.0 + steps.slope * steps.slope);
    steps.through = static_cast<float>(1.0 - std::min(1.0, width));
    const int most = isSteep ? m_height : m_width;
    const int mostAcross = isSteep ? m_width : m_height;
    double first = std::max(0.0, from.x());
    double end = std::min(static_cast<double>(most), to.x());
    // Only where it crosses the picture.
    if (steps.slope != 0.0) {
        const double half = steps.extent / 2.0 + 1.0;
        double enters = (-half - steps.start) / steps.slope;
        double leaves = (mostAcross + half - steps.start) / steps.slope;
        if (enters > leaves)
            std::swap(enters, leaves);
        first = std::max(first, enters);
        end = std::min(end, leaves);
    } else if (steps.start < -steps.extent || steps.start > mostAcross + steps.extent) {
        return;
    }
    if (!(first < end))
        return;
    steps.first = std::max(0, static_cast<int>(std::floor(first)));
    steps.end = std::min(most, static_cast<int>(std::ceil(end)));
    if (isSteep)
        walk<true>(steps);
    else
        walk<false>(steps);
}

template <bool isSteep>
void LineRaster::walk(const Walk &walk)
{
    const int across = isSteep ? m_width : m_height;
    const auto lineStride = static_cast<std::ptrdiff_t>(m_width);
    const std::ptrdiff_t alongStride = isSteep ? lineStride : 1;
    const std::ptrdiff_t acrossStride = isSteep ? 1 : lineStride;
    const float opacity = 1.0F - walk.through;
    const auto extent = static_cast<float>(walk.extent);
    // Far below half a level; smaller products would become denormal numbers, which are slow.
    const auto cover = [](float &pixel, float through) { pixel = std::max(1e-6F, pixel * through); };
    for (int along = walk.first; along < walk.end; ++along) {
        const auto top = static_cast<float>(walk.start + walk.slope * (along + 0.5) - walk.extent / 2.0);
        const float bottom = top + extent;
        // Conversions cut toward zero, which is what is wanted of positive numbers and faster than floor().
        if (bottom < 0.0F || top >= static_cast<float>(across))
            continue;
        const int first = top > 0.0F ? static_cast<int>(top) : 0;
        const int last = static_cast<int>(bottom);
        float *pixel = m_through.data() + along * alongStride + first * acrossStride;
        const float begins = std::min(bottom, static_cast<float>(first + 1)) - std::max(top, static_cast<float>(first));
        cover(*pixel, 1.0F - opacity * begins);
        for (int place = first + 1; place < std::min(last, across); ++place) {
            pixel += acrossStride;
            cover(*pixel, walk.through);
        }
        if (last > first && last < across) {
            pixel += acrossStride;
            cover(*pixel, 1.0F - opacity * (bottom - static_cast<float>(last)));
        }
    }
}

void LineRaster::blendOver(QImage &image, const QColor &color)
{
    const auto red = static_cast<float>(color.red());
    const auto green = static_cast<float>(color.green());
    const auto blue = static_cast<float>(color.blue());
    float *through = m_through.data();
    for (int y = 0; y < m_height; ++y) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        for (int x = 0; x < m_width; ++x, ++through) {
            if (*through >= 1.0F)
                continue;
            const float kept = std::max(0.0F, *through);
            const float ink = 1.0F - kept;
            const QRgb ground = line[x];
            const auto mixed
                = [&](float part, int under) { return static_cast<int>(std::lround(ink * part + kept * static_cast<float>(under))); };
            line[x]
                = qRgba(mixed(red, qRed(ground)), mixed(green, qGreen(ground)), mixed(blue, qBlue(ground)), mixed(255.0F, qAlpha(ground)));
            *through = 1.0F;
        }
    }
}

} // namespace attenscope
