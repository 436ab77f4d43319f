// SPDX-License-Identifier: GPL-3.0-or-later
// The view across layers over a document.
#pragma once

#include "support/widget_fixture.h"
#include "views/layers/layers_canvas.h"
#include "views/layers/layers_view.h"

namespace attenscope::test {

class LayersFixture : protected WidgetFixture<LayersView> {
protected:
    void choose(LayersShown shown)
    {
        Session next = m_document->session();
        next.view.layersShown = shown;
        m_document->edit(std::move(next), QStringLiteral("layers"));
    }
    [[nodiscard]] LayersCanvas *canvas() const { return m_widget->findChild<LayersCanvas *>(); }
};

} // namespace attenscope::test
