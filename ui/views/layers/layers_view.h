// SPDX-License-Identifier: GPL-3.0-or-later
// LayersView: rollout, flow, and how much heads differ, across all layers of a block.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

namespace attenscope {

/// What takes long says how long and waits for the button; the picture before stays until the new one is there. Where there is nothing to show
/// it says why.
class LayersView : public QWidget {
    Q_OBJECT

public:
    LayersView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~LayersView() override;

    /// Above this many seconds, by estimate, work waits for the button: mostSecondsUnasked.
    void setMostSeconds(double seconds);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
