// SPDX-License-Identifier: GPL-3.0-or-later
// MapMarks: what moves with the mouse: bands, frames and lit token names, drawn over everything on a layer of their own.
#pragma once

#include "views/map/map_scene.h"

#include <qcustomplot.h>

namespace attenscope {

/// Black lines with white edges, visible on any colour of any map.
class MapMarks : public QCPLayerable {
    Q_OBJECT

public:
    /// @p scene outlives it.
    MapMarks(QCustomPlot *plot, const MapScene &scene, const QString &layer);

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override;
    void draw(QCPPainter *painter) override;

private:
    const MapScene &m_scene;
};

} // namespace attenscope
