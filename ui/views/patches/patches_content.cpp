// SPDX-License-Identifier: GPL-3.0-or-later
// From a document and a selection to patches.
#include "views/patches/patches_content.h"

#include "core/text.h"
#include "session/token_groups.h"
#include "views/map/map_content.h"
#include "views/readout_text.h"

#include <QFileInfo>
#include <QImageReader>

#include <algorithm>
#include <cmath>

namespace attenscope {

PatchPicture readPicture(const std::string &path)
{
    constexpr int longestSide = 2048;
    PatchPicture picture{ path, {}, {} };
    if (path.empty())
        return picture;
    const QString name = QString::fromStdString(path);
    const QString shown = QString::fromStdString(shortened(QFileInfo(name).fileName().toStdString(), 60));
    if (!QFileInfo::exists(name)) {
        picture.problem = QObject::tr("The picture %1 is not where it was. Choose it again.").arg(shown);
        return picture;
    }
    QImageReader reader(name);
    reader.setDecideFormatFromContent(true);
    reader.setAutoTransform(true);
    if (const QSize size = reader.size(); size.isValid() && std::max(size.width(), size.height()) > longestSide)
        reader.setScaledSize(size.scaled(longestSide, longestSide, Qt::KeepAspectRatio));
    picture.image = reader.read();
    if (picture.image.isNull())
        picture.problem = QObject::tr("%1 cannot be read as a picture: %2. Choose a PNG or JPEG.").arg(shown, reader.errorString());
    return picture;
}

std::vector<PatchGrid> patchGrids(Index tokens)
{
    constexpr std::size_t mostOffered = 8;
    constexpr Index mostElongated = 3;
    std::vector<PatchGrid> grids;
    // A class token; one and a distillation token; one and four registers.
    for (const Index first : { 0, 1, 2, 5 }) {
        const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(std::max<Index>(tokens - first, 0)))));
        if (side > 1 && side * side == tokens - first)
            grids.push_back({ side, side, first, {} });
    }
    for (const Index first : { 0, 1 }) {
        const Index patches = tokens - first;
        for (auto rows = static_cast<Index>(std::sqrt(static_cast<double>(std::max<Index>(patches, 0)))); rows > 1; --rows) {
            const Index cols = patches / rows;
            if (rows * cols != patches || rows == cols || cols > mostElongated * rows)
                continue;
            grids.push_back({ rows, cols, first, {} });
            grids.push_back({ cols, rows, first, {} });
        }
    }
    if (grids.size() > mostOffered)
        grids.resize(mostOffered);
    return grids;
}

QString gridText(const PatchGrid &grid)
{
    const QString size = QStringLiteral("%1 × %2").arg(grid.rows).arg(grid.cols);
    if (grid.first == 0)
        return size;
    return grid.first == 1 ? QObject::tr("%1 after 1 token").arg(size) : QObject::tr("%1 after %2 tokens").arg(size).arg(grid.first);
}

double PatchesContent::weight(Index token) const
{
    const auto place = static_cast<std::size_t>(token);
    return weights.tinted() == side && place < weights.tints.size() ? weights.tints[place] : cell::absent<double>();
}

QString PatchesContent::caption() const
{
    const AttentionBlock &block = weights.weights.block();
    const auto named = [&](TokenSide of, Index token) {
        const bool isKey = of == TokenSide::Keys;
        return QObject::tr("%1 %2 ‘%3’")
            .arg(isKey ? QObject::tr("key") : QObject::tr("query"))
            .arg(isKey ? wholeKey(block, token) : wholeQuery(block, token))
            .arg(isKey ? readout::keyText(block, token) : readout::queryText(block, token));
    };
    const LitTokens &lit = weights.ends.lit;
    if (lit.side == TokenSide::Neither)
        return weights.hasOneText() ? QObject::tr("Pick a patch: the others show how much it reads from them.")
                                    : QObject::tr("Pick a query in the map: the patches show how much it reads from them.");
    const QString which = lit.tokens.size() == 1 ? named(lit.side, lit.tokens.front())
        : lit.side == TokenSide::Queries         ? QObject::tr("%1 queries, added").arg(lit.tokens.size())
                                                 : QObject::tr("%1 keys, added").arg(lit.tokens.size());
    QString text = lit.side == TokenSide::Queries ? QObject::tr("Read by %1").arg(which) : QObject::tr("Readers of %1").arg(which);
    if (const auto hovered = weights.hovered) {
        const Index token = side == TokenSide::Keys ? hovered->col : hovered->row;
        if (token >= 0 && token < tokens())
            text += QStringLiteral("  ·  ") + named(side, token) + QStringLiteral(": ") + endText(weight(token));
    }
    return text;
}

std::optional<PatchesContent> patchesContent(
    const Document &document, const Selection &selection, FieldCache &fields, const QImage &picture, QString &reason)
{
    const ViewState &view = document.session().view;
    if (!view.patches) {
        reason = QObject::tr("Tokens that are patches of an image are shown here as a grid. Choose its rows and columns above.");
        return std::nullopt;
    }
    auto weights = textWeights(document, fields);
    if (!weights) {
        reason = reasonForBlank(document);
        if (reason.isEmpty())
            reason = QObject::tr("computing…");
        return std::nullopt;
    }
    PatchesContent content;
    const Index rows = weights->rows();
    content.weights = textContent(std::move(*weights), view, selection, { 0, rows });
    content.side = content.weights.tinted() == TokenSide::Queries ? TokenSide::Queries : TokenSide::Keys;
    content.grid = *view.patches;
    content.picture = picture;
    const PatchGrid &grid = content.grid;
    const Index patches = content.tokens() - grid.first;
    const bool fits
        = grid.rows > 0 && grid.cols > 0 && grid.first >= 0 && patches > 0 && patches % grid.cols == 0 && grid.rows == patches / grid.cols;
    if (!fits) {
        reason = QObject::tr("A grid of %1 does not fit %2 %3. Choose other rows and columns above.")
                     .arg(gridText(grid), QString::fromStdString(groupedCount(content.tokens())),
                         content.side == TokenSide::Keys ? QObject::tr("keys") : QObject::tr("queries"));
        return std::nullopt;
    }
    // A range of its own, or by row: up to the largest weight that is shown.
    double largest = 0.0;
    for (const double tint : content.weights.tints)
        if (cell::kind(tint) == cell::Kind::Number && std::isfinite(tint))
            largest = std::max(largest, tint);
    if (view.range != ColorRange::Shared && largest > 0.0) {
        const bool isLogarithmic = content.weights.colors.isLogarithmic();
        content.weights.colors
            = ColorMap(colorTable(view.colors), isLogarithmic ? largest * lowestLogarithmicWeight : 0.0, largest, isLogarithmic);
    }
    return content;
}

} // namespace attenscope
