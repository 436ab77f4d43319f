// SPDX-License-Identifier: GPL-3.0-or-later
// LayersView: rollout, flow, and how much heads differ, across all layers of a block.
#pragma once

#include "views/document_view.h"

namespace attenscope {

/// What takes long says how long and waits for the button; the picture before stays until the new one is there. Where there is nothing to show
/// it says why.
class LayersView : public DocumentView {
    Q_OBJECT

public:
    LayersView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~LayersView() override;

    /// Above this many seconds, by estimate, work waits for the button: mostSecondsUnasked.
    void setMostSeconds(double seconds);

private:
    void refresh() override;

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
