// SPDX-License-Identifier: GPL-3.0-or-later
// MapFrame: everything around the maps: titles, token names, legend and colour scales.
#pragma once

#include "views/map/map_scene.h"

#include <qcustomplot.h>

namespace attenscope {

/// Drawn after the maps, because the legend names what they turned out to have.
class MapFrame : public QCPLayerable {
    Q_OBJECT

public:
    /// @p scene outlives it.
    MapFrame(QCustomPlot *plot, const MapScene &scene, const QString &layer);

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override;
    void draw(QCPPainter *painter) override;

private:
    /// Axes without a map, and why.
    void drawBlank(QPainter &painter) const;
    void drawTitles(QPainter &painter) const;
    void drawLabels(QPainter &painter) const;
    void drawLegend(QPainter &painter) const;
    void drawNotice(QPainter &painter) const;
    void drawScales(QPainter &painter) const;

    const MapScene &m_scene;
};

} // namespace attenscope
