// SPDX-License-Identifier: GPL-3.0-or-later
// The marks as a layer of their own over the maps.
#include "views/map/map_marks.h"

#include "views/map/mark_paint.h"

namespace attenscope {

MapMarks::MapMarks(QCustomPlot *plot, const MapScene &scene, const QString &layer)
    : QCPLayerable(plot, layer)
    , m_scene(scene)
{
}

void MapMarks::applyDefaultAntialiasingHint(QCPPainter *painter) const
{
    painter->setAntialiasing(false);
}

void MapMarks::draw(QCPPainter *painter)
{
    paintMarks(*painter, m_scene);
}

} // namespace attenscope
