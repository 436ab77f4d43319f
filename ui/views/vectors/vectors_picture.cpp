// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of strips of vectors, by the window's own painting.
#include "views/vectors/vectors_picture.h"

#include "views/origin.h"
#include "views/readout_text.h"
#include "views/vectors/vectors_scene.h"
#include "views/zoom_note.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>

#include <utility>

namespace attenscope {

namespace {

/// More rows are no picture any more.
constexpr std::size_t mostKeys = 256;
constexpr double leastWidth = 784.0;

QFont bodyFont()
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(13);
    return font;
}

} // namespace

Result<Picture> vectorsPicture(const Document &document, const Selection &selection)
{
    if (const QString reason = reasonForNoVectors(document); !reason.isEmpty())
        return Error{ reason.toStdString(), "", "", "" };
    const auto head = document.result()->find(document.head());
    if (!head || !head->operands)
        return nothingToDraw(document);
    const AttentionBlock &block = document.block();
    const auto picked = selection.picked();
    const Index row = picked && picked->row >= 0 && picked->row < block.queries ? picked->row : 0;
    auto made = scoreTerms(head->operands, row);
    if (!made)
        return made.error();
    const auto key = picked && picked->col >= 0 && picked->col < block.keys ? std::optional(picked->col) : std::nullopt;
    auto content = std::make_shared<VectorsContent>(vectorsContent(
        document.input(), document.head(), std::make_shared<ScoreTerms>(std::move(made).value()), document.session().view, key));
    const CellRect shown = cellsInSight(selection.visible(), block.queries, block.keys);
    std::erase_if(content->keys, [&](Index each) { return !shown.cols.contains(each); });
    if (document.comparisonResult())
        content->notes.push_front(sideNote(document));
    if (const QString zoom = zoomWords({ { 0, block.queries }, shown.cols }, block); !zoom.isEmpty())
        content->notes.push_front(zoom);
    Picture picture;
    picture.title
        = vectorsWords("%1 — vectors, head %2, query %3 %4")
              .arg(QString::fromStdString(document.session().name), QString::fromStdString(headName(*document.input(), document.head())),
                  QString::number(row), readout::tokenText(block.queryTokens, row));
    // Below the picture they are not cut.
    picture.notes = std::exchange(content->notes, {});
    if (content->keys.size() > mostKeys) {
        picture.notes << vectorsWords("the first %1 of %2 in this order").arg(mostKeys).arg(readout::keysText(block.keys));
        content->keys.resize(mostKeys);
    }
    // As wide as all numbers need, but no narrower than the window shows them.
    picture.size = VectorsScene(*content, bodyFont(), leastWidth).size();
    VectorMarks marks;
    marks.picked = key;
    picture.paint = [content, marks, size = picture.size](QPainter &painter, const Theme &theme) {
        VectorsScene(*content, painter.font(), size.width()).paint(painter, theme, size, {}, marks);
    };
    return picture;
}

} // namespace attenscope
