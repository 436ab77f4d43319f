// SPDX-License-Identifier: GPL-3.0-or-later
// Icons: reads an SVG once, colours it and renders it in device pixels.
#include "state/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace attenscope {

namespace {

QByteArray drawing(const QString &name)
{
    static QHash<QString, QByteArray> read;
    const auto found = read.constFind(name);
    if (found != read.cend())
        return *found;
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    [[maybe_unused]] const bool isThere = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(isThere, "icon", qPrintable(name));
    return *read.insert(name, file.readAll());
}

/// @p size in device pixels.
QPixmap rendered(const QString &name, QSize size, const QColor &color)
{
    const QString key = QStringLiteral("icon %1 %2 %3").arg(name).arg(size.width()).arg(color.name(QColor::HexArgb));
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QByteArray svg = drawing(name);
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setOpacity(color.alphaF());
    renderer.render(&painter);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class SymbolicEngine : public QIconEngine {
public:
    explicit SymbolicEngine(QString name)
        : m_name(std::move(name))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double ratio = painter->device()->devicePixelRatioF();
        QPixmap drawn = pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state);
        drawn.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), drawn);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        const QPalette palette = QGuiApplication::palette();
        QColor color = palette.color(QPalette::Active, QPalette::WindowText);
        if (mode == QIcon::Disabled) {
            color = palette.color(QPalette::Disabled, QPalette::WindowText);
            color.setAlphaF(0.5F);
        } else if (state == QIcon::On) {
            color = palette.color(QPalette::Active, QPalette::Link);
        }
        return rendered(m_name, size, color);
    }

    QIconEngine *clone() const override { return new SymbolicEngine(m_name); }
    QString key() const override { return QStringLiteral("attenscope-symbolic"); }
    bool isNull() override { return false; }

private:
    QString m_name;
};

} // namespace

QIcon icon(const QString &name)
{
    return QIcon(new SymbolicEngine(name));
}

QPixmap iconPixmap(const QString &name, int size, const QColor &color, double devicePixelRatio)
{
    const int pixels = qRound(size * devicePixelRatio);
    QPixmap pixmap = rendered(name, QSize(pixels, pixels), color);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

} // namespace attenscope
