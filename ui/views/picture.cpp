// SPDX-License-Identifier: GPL-3.0-or-later
// Title, picture and notes on one sheet.
#include "views/picture.h"

#include "views/map/map_content.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double picturePadding = 16.0;
constexpr double gap = 8.0;
constexpr double leastWidth = 400.0; ///< So that titles of narrow pictures do not break at every word.
constexpr double mostHeight = 16000.0;

QFont fontOf(int pixels, bool isBold = false)
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(pixels);
    font.setBold(isBold);
    return font;
}

/// Where title, picture and notes stand at scale 1.
struct Sheet {
    QSizeF size;
    QRectF title;
    QPointF picture;
    QRectF notes;
};

constexpr int wrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

Sheet sheetOf(const Picture &picture, const QString &title, const QString &notes)
{
    Sheet sheet;
    const double width = std::max(picture.size.width(), leastWidth);
    double bottom = picturePadding;
    const auto place = [&](const QString &text, const QFont &font) {
        const double height = QFontMetricsF(font).boundingRect(QRectF(0.0, 0.0, width, 1e6), wrapped, text).height();
        return QRectF(picturePadding, bottom, width, std::ceil(height));
    };
    if (!title.isEmpty()) {
        sheet.title = place(title, fontOf(15, true));
        bottom = sheet.title.bottom() + gap;
    }
    sheet.picture = QPointF(picturePadding + std::round((width - picture.size.width()) / 2.0), bottom);
    bottom += picture.size.height();
    if (!notes.isEmpty()) {
        bottom += gap;
        sheet.notes = place(notes, fontOf(12));
        bottom = sheet.notes.bottom();
    }
    sheet.size = QSizeF(width + 2.0 * picturePadding, std::ceil(bottom + picturePadding));
    return sheet;
}

} // namespace

Figure pictureFigure(const Picture &picture, const FigureOptions &options)
{
    const QString title = options.hasTitle ? picture.title : QString();
    const QString notes = options.hasCaption ? picture.notes.join(QLatin1Char('\n')) : QString();
    const Sheet sheet = sheetOf(picture, title, notes);
    QSizeF size = options.size();
    double scale = size.width() / sheet.size.width();
    if (size.height() == 0.0) {
        scale = std::min(scale, mostHeight / sheet.size.height());
        size = QSizeF(std::ceil(sheet.size.width() * scale), std::ceil(sheet.size.height() * scale));
    } else {
        scale = std::min(scale, size.height() / sheet.size.height());
    }

    Figure figure;
    figure.pixels = size.toSize();
    figure.dotsPerInch = options.dpi;
    if (options.millimetres)
        figure.paperDpi = options.dpi;
    figure.title = picture.title;
    const Theme theme = options.background == FigureBackground::Dark ? Theme::dark() : Theme::light();
    figure.ground = options.background == FigureBackground::Transparent ? QColor(Qt::transparent) : theme.view;
    const QPointF origin((size.width() - sheet.size.width() * scale) / 2.0, (size.height() - sheet.size.height() * scale) / 2.0);
    figure.draw = [picture, title, notes, sheet, scale, origin, theme, ground = figure.ground, size](QPaintDevice &device) {
        QPainter painter(&device);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing | QPainter::LosslessImageRendering);
        if (ground.alpha() > 0)
            painter.fillRect(QRectF(QPointF(), size), ground);
        painter.translate(origin);
        painter.scale(scale, scale);
        painter.setFont(fontOf(15, true));
        painter.setPen(theme.text);
        painter.drawText(sheet.title, wrapped, title);
        painter.setFont(fontOf(12));
        painter.setPen(theme.secondaryText);
        painter.drawText(sheet.notes, wrapped, notes);
        painter.translate(sheet.picture);
        painter.setFont(fontOf(13));
        painter.setPen(theme.text);
        picture.paint(painter, theme);
    };
    return figure;
}

Error nothingToDraw(const Document &document)
{
    if (const QString reason = reasonForBlank(document); !reason.isEmpty())
        return { reason.toStdString(), "", "", "" };
    return { "The picked head is not computed yet.", "", "Wait until it is.", "" };
}

} // namespace attenscope
