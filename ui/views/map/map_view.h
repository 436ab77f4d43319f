// SPDX-License-Identifier: GPL-3.0-or-later
// MapView: the heat map with its view bar; while comparing two maps, their difference and the table of the row.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "state/tile_cache.h"

#include <QWidget>

namespace attenscope {

/// Shows Document::field() of every side that is on. Knows nothing but Document and Selection. All lengths grow with its font.
class MapView : public QWidget {
    Q_OBJECT

public:
    MapView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~MapView() override;

    /// For a projector: no view bar, small margins, nothing smaller than 17 pixels.
    void setPresenting(bool isPresenting);

public slots:
    void zoomIn();
    void zoomOut();
    void fit();

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
