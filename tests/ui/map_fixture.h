// SPDX-License-Identifier: GPL-3.0-or-later
// The map view over a document, and what a mouse does in it.
#pragma once

#include "support/widget_fixture.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"

#include <functional>

namespace attenscope::test {

class MapFixture : protected WidgetFixture<MapView> {
protected:
    void open()
    {
        WidgetFixture::open(exampleSentence(), { 785, 753 });
        m_plot = m_widget->findChild<MapPlot *>();
        QVERIFY(m_plot);
    }
    [[nodiscard]] QPoint pointOf(Index row, Index col, std::size_t panel = 0)
    {
        const QRectF cell(static_cast<double>(col), static_cast<double>(row), 1.0, 1.0);
        return m_plot->mapLayout().rectFromCells(panel, cell).center().toPoint();
    }
    void edit(const std::function<void(Session &)> &change)
    {
        Session next = m_document->session();
        change(next);
        m_document->edit(std::move(next), QStringLiteral("change"));
    }
    void wheel(QPoint point, int steps)
    {
        QWheelEvent event(
            point, m_plot->mapToGlobal(point), QPoint(), QPoint(0, 120 * steps), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_plot, &event);
    }
    void mouse(QEvent::Type type, QPointF point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {})
    {
        const Qt::MouseButtons held = type == QEvent::MouseMove ? Qt::MouseButtons(button) : Qt::MouseButtons();
        QMouseEvent event(type, point, m_plot->mapToGlobal(point), type == QEvent::MouseMove ? Qt::NoButton : button, held, modifiers);
        QCoreApplication::sendEvent(m_plot, &event);
    }
    /// @p count tokens, computed before it returns.
    void useTokens(int count)
    {
        edit([count](Session &session) {
            TokensSource source;
            source.text.clear();
            for (int index = 0; index < count; ++index)
                source.text += "t" + std::to_string(index) + " ";
            session.source = source;
        });
        QTRY_VERIFY(!m_document->isComputing());
        QTRY_COMPARE(m_plot->content().rows(), Index(count));
    }

    MapPlot *m_plot = nullptr;
};

} // namespace attenscope::test
