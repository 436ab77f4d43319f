// SPDX-License-Identifier: GPL-3.0-or-later
// The lines as a figure.
#include "views/lines/lines_scene.h"
#include "views/lines/lines_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Lines of their own in vector files; more of them become a picture, which is smaller and looks the same.
constexpr Index mostVectorLines = 20'000;
/// Pixels of that picture per logical one.
constexpr double pictureRatio = 3.0;
constexpr double pageWidth = 720.0;
/// Names that are nearer to each other cannot be read.
constexpr double pageHeight = 1000.0;

void strokeLine(QPainter &painter, const LinesLayout &layout, std::size_t head, Index query, Index key, double width, QColor color)
{
    const double pixels = width * layout.scale;
    // Thinner than a pixel: fainter, as on the screen.
    color.setAlphaF(static_cast<float>(std::min(1.0, pixels)));
    painter.setPen(QPen(color, std::max(1.0, pixels), Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(layout.leftDot, layout.middle(query) + layout.offset(head)),
        QPointF(layout.rightDot, layout.middle(key) + layout.offset(head)));
}

void paintLines(QPainter &painter, const LinesScene &scene, const std::vector<HeadLines> &lines)
{
    const Range all{ 0, std::max(scene.layout.rows, scene.layout.cols) };
    const bool hasLit = scene.ends.lit.side != TokenSide::Neither;
    const double beside = hasLit ? opacityBesideLit(scene.content) : 1.0;
    painter.setRenderHint(QPainter::Antialiasing);
    if (lineCount(lines, all) > mostVectorLines) {
        const LinesWindow window{ 0.0, scene.layout.height(), std::min(pictureRatio, 30'000.0 / scene.layout.height()) };
        painter.setOpacity(beside);
        painter.drawImage(QPointF(scene.layout.leftDot, 0.0), linesImage(scene, lines, window));
        painter.setOpacity(1.0);
    } else {
        for (std::size_t head = 0; head < lines.size(); ++head) {
            const QColor color = lineColor(scene.content, head, scene.style.theme);
            forEachLine(lines[head], all, [&](Index query, Index key, double weight) {
                strokeLine(painter, scene.layout, head, query, key, weight * lineWidth * beside, color);
            });
        }
    }
    for (std::size_t head = 0; head < scene.ends.heads.size(); ++head) {
        const QColor color = litLineColor(scene.content, head, scene.style.theme);
        forEachLitLine(scene.ends, lines, head, [&](Index query, Index key, double weight) {
            strokeLine(painter, scene.layout, head, query, key, weight * litLineWidth, color);
        });
    }
}

} // namespace

std::optional<Picture> linesPicture(const Document &document, const Selection &selection)
{
    FieldCache fields;
    auto content = linesContent(document, fields);
    if (!content)
        return std::nullopt;
    auto lines = std::make_shared<const std::vector<HeadLines>>(allLines(*content));
    LitTokens lit{ TokenSide::Neither, {} };
    // What is hovered is no part of a figure.
    if (!selection.pickedRows().empty())
        lit = { TokenSide::Queries, selection.pickedRows() };
    else if (!selection.pickedCols().empty())
        lit = { TokenSide::Keys, selection.pickedCols() };
    LineEnds ends = lineEnds(*content, lit, { 0, content->rows() });

    Picture picture;
    picture.title = content->title;
    if (const QString hidden = hiddenText(*content, ends, *lines); !hidden.isEmpty())
        picture.notes.push_back(hidden);
    if (ends.lit.tokens.size() > 1)
        picture.notes.push_back(QObject::tr("weights at the ends: sums over %1 tokens").arg(ends.lit.tokens.size()));
    picture.notes.append(content->notes);
    QFont font;
    font.setPixelSize(13);
    const QSizeF room(pageWidth, pageHeight);
    const LinesLayout layout(*content, { Theme::light(), font }, room);
    picture.size = QSizeF(pageWidth, std::ceil(layout.headHeight + layout.height() + 8.0));
    const auto cell = selection.picked();
    const auto marked = cell && cell->row >= 0 && cell->col >= 0 ? std::optional(cell->col) : std::nullopt;
    picture.paint = [content = std::move(*content), ends = std::move(ends), lines, room, marked, rows = selection.pickedRows(),
                        cols = selection.pickedCols()](QPainter &painter, const Theme &theme) {
        LinesScene scene{ content, { theme, painter.font() }, {}, ends, rows, cols, marked };
        scene.layout = LinesLayout(content, scene.style, room);
        painter.save();
        scene.paintHead(painter);
        painter.translate(0.0, scene.layout.headHeight);
        paintLines(painter, scene, *lines);
        scene.paintLineNames(painter, *lines);
        scene.paintTokens(painter, { 0, std::max(scene.layout.rows, scene.layout.cols) });
        painter.restore();
    };
    return picture;
}

} // namespace attenscope
