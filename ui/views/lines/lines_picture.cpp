// SPDX-License-Identifier: GPL-3.0-or-later
// The lines as a figure.
#include "views/lines/lines_scene.h"
#include "views/lines/lines_view.h"
#include "views/zoom_note.h"

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
/// Of each side of a comparison.
constexpr double comparedWidth = 560.0;
/// Names that are nearer to each other cannot be read.
constexpr double pageHeight = 1000.0;

void strokeLine(QPainter &painter, const LinesLayout &layout, std::size_t head, Index query, Index key, double width, QColor color)
{
    const double pixels = width * layout.scale;
    // Thinner than a pixel: fainter, as on the screen.
    color.setAlphaF(static_cast<float>(std::min(1.0, pixels)));
    painter.setPen(QPen(color, std::max(1.0, pixels), Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(layout.leftDot, layout.middle(TokenSide::Queries, query) + layout.offset(head)),
        QPointF(layout.rightDot, layout.middle(TokenSide::Keys, key) + layout.offset(head)));
}

void paintLines(QPainter &painter, const LinesScene &scene, const std::vector<HeadLines> &lines)
{
    const LinesPart all = scene.layout.part();
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
            forEachLine(lines[head], all, [&](Index query, Index key, double weight) {
                const QColor color = lineColor(scene.content, head, scene.style.theme, weight < 0.0);
                strokeLine(painter, scene.layout, head, query, key, std::abs(weight) * lineWidth * beside, color);
            });
        }
    }
    for (std::size_t head = 0; head < scene.ends.heads.size(); ++head) {
        forEachLitLine(scene.ends, lines, head, all, [&](Index query, Index key, double weight) {
            const QColor color = litLineColor(scene.content, head, scene.style.theme, weight < 0.0);
            strokeLine(painter, scene.layout, head, query, key, std::abs(weight) * litLineWidth, color);
        });
    }
}

/// One side with its lines.
struct Page {
    LinesContent content;
    LineEnds ends;
    std::vector<HeadLines> lines;
};

/// The sides in the order in which they stand beside each other.
std::vector<Page> pagesOf(const Document &document, const Selection &selection)
{
    FieldCache fields;
    LitTokens lit{ TokenSide::Neither, {} };
    // What is hovered is no part of a figure.
    if (!selection.pickedRows().empty())
        lit = { TokenSide::Queries, selection.pickedRows() };
    else if (!selection.pickedCols().empty())
        lit = { TokenSide::Keys, selection.pickedCols() };
    std::vector<Page> pages;
    for (const Side side : { Side::Main, Side::Comparison, Side::Difference }) {
        auto content
            = side == Side::Difference && !document.session().view.showsDifference ? std::nullopt : linesContent(document, fields, side);
        if (!content)
            continue;
        zoomTo(*content, selection.visible());
        LineEnds ends = lineEnds(*content, lit, content->queries);
        std::vector<HeadLines> lines = allLines(*content);
        pages.push_back({ std::move(*content), std::move(ends), std::move(lines) });
    }
    return pages;
}

} // namespace

Result<Picture> linesPicture(const Document &document, const Selection &selection)
{
    auto pages = std::make_shared<const std::vector<Page>>(pagesOf(document, selection));
    if (pages->empty() || pages->front().content.side != Side::Main)
        return nothingToDraw(document);
    const LinesContent &main = pages->front().content;
    Picture picture;
    picture.title = main.title;
    if (pages->size() > 1)
        picture.title += QObject::tr(" and %1").arg((*pages)[1].content.sideTitle.toLower());
    if (const QString zoom = zoomWords({ main.queries, main.keys }, main.block()); !zoom.isEmpty())
        picture.notes.push_back(zoom);
    for (const Page &page : *pages) {
        for (const QString &text : { hiddenText(page.content, page.ends, page.lines), outOfSightText(page.content, page.ends) }) {
            if (!text.isEmpty())
                picture.notes.push_back(page.content.sideTitle.isEmpty() ? text : page.content.sideTitle + QStringLiteral(" – ") + text);
        }
    }
    if (const std::size_t count = pages->front().ends.lit.tokens.size(); count > 1)
        picture.notes.push_back(QObject::tr("weights at the ends: sums over %1 tokens").arg(count));
    picture.notes.append(main.notes);
    QFont font;
    font.setPixelSize(13);
    const QSizeF room(pages->size() > 1 ? comparedWidth : pageWidth, pageHeight);
    const LinesLayout layout(main, { Theme::light(), font }, room);
    picture.size = QSizeF(room.width() * static_cast<double>(pages->size()), std::ceil(layout.headHeight + layout.height() + 8.0));
    const auto cell = selection.picked();
    const auto marked = cell && cell->row >= 0 && cell->col >= 0 ? std::optional(cell->col) : std::nullopt;
    picture.paint
        = [pages, room, marked, rows = selection.pickedRows(), cols = selection.pickedCols()](QPainter &painter, const Theme &theme) {
              painter.save();
              for (const Page &page : *pages) {
                  LinesScene scene{ page.content, { theme, painter.font() }, {}, page.ends, rows, cols, marked };
                  scene.layout = LinesLayout(page.content, scene.style, room);
                  painter.save();
                  scene.paintHead(painter);
                  painter.translate(0.0, scene.layout.headHeight);
                  paintLines(painter, scene, page.lines);
                  scene.paintLineNames(painter, page.lines);
                  scene.paintTokens(painter, scene.layout.part());
                  painter.restore();
                  painter.translate(room.width(), 0.0);
              }
              painter.restore();
          };
    return picture;
}

} // namespace attenscope
