// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of what is found across layers, by the window's own painting.
#include "views/layers/layers_picture.h"

#include "views/layers/layers_scene.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>

#include <utility>

namespace attenscope {

namespace {

QString titleOf(const Document &document, const LayersContent &content)
{
    const LayerStack &stack = content.values->request.stack;
    QString title = QStringLiteral("%1 — %2").arg(QString::fromStdString(document.session().name), layersNoun(content.shown));
    if (document.input()->blocks.size() > 1)
        title += QStringLiteral(", ") + QString::fromStdString(blockName(*document.input(), stack.block));
    if (stack.attentionBlock().batch > 1)
        title += QCoreApplication::translate("Layers", ", element %1").arg(stack.element);
    return title;
}

} // namespace

Result<Picture> layersPicture(const Document &document, const Selection &selection)
{
    Result<LayersContent> shown = shownLayers(document);
    if (!shown)
        return shown.error();
    const auto content = std::make_shared<LayersContent>(std::move(shown).value());
    QFont font = QGuiApplication::font();
    font.setPixelSize(13);
    Picture picture;
    picture.title = titleOf(document, *content);
    // Below the picture they are not cut.
    picture.notes = std::exchange(content->notes, {});
    picture.size = LayersScene(content, Theme::light(), font, 1.0).naturalSize();
    const auto head = content->placeOf(document.head());
    const auto picked = content->showsHeads() ? std::nullopt : selection.picked();
    picture.paint = [content, head, picked, size = picture.size](QPainter &painter, const Theme &theme) {
        const double ratio = painter.device()->devicePixelRatioF() * painter.transform().m11();
        LayersScene scene(content, theme, painter.font(), ratio);
        scene.layOut(size, std::nullopt);
        scene.setMarks(std::nullopt, picked);
        scene.setMarkedHeads(std::nullopt, head);
        scene.paint(painter);
    };
    return picture;
}

} // namespace attenscope
