// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of views, painted.
#pragma once

#include "state/theme.h"
#include "views/picture.h"

#include <QFont>
#include <QImage>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QStringList>

namespace attenscope {

/// The letters that pictures are made for.
[[nodiscard]] inline QFont pictureFont()
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    return font;
}

/// @p picture on a ground.
[[nodiscard]] inline QImage painted(const Picture &picture, const Theme &theme = Theme::light(), const QColor &ground = Qt::white)
{
    QImage image(picture.size.toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(ground);
    QPainter painter(&image);
    painter.setFont(pictureFont());
    picture.paint(painter, theme);
    return image;
}

/// A device that keeps the texts that are drawn on it, each as it is drawn.
class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(QSize size)
        : m_size(size)
    {
    }

    [[nodiscard]] const QStringList &texts() const { return m_engine.texts; }
    [[nodiscard]] QPaintEngine *paintEngine() const override { return &m_engine; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        Engine()
            : QPaintEngine(AllFeatures)
        {
        }
        bool begin(QPaintDevice *) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState &) override { }
        void drawPath(const QPainterPath &) override { }
        void drawPolygon(const QPointF *, int, PolygonDrawMode) override { }
        void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override { }
        void drawTextItem(const QPointF &, const QTextItem &item) override { texts << item.text(); }
        [[nodiscard]] Type type() const override { return User; }

        QStringList texts;
    };

    QSize m_size;
    mutable Engine m_engine;
};

} // namespace attenscope
