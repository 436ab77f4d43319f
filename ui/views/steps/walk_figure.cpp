// SPDX-License-Identifier: GPL-3.0-or-later
// Painting the states of walks without a window.
#include "views/steps/walk_figure.h"

#include "views/readout_text.h"
#include "views/steps/steps_list.h"
#include "views/steps/steps_words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace attenscope {

namespace {

/// Of a figure, in pixels of body text.
constexpr int mostLetters = 40;

double titleHeight(const WalkPicture &picture, const StepStyle &style)
{
    return picture.title.isEmpty() ? 0.0 : QFontMetricsF(style.sized(15, 20)).height() + style.size(20, 32);
}

double listWidth(const WalkPicture &picture, const StepStyle &style)
{
    return picture.steps ? stepListWidth(style) : 0.0;
}

/// What is left for the page.
QSizeF room(const WalkPicture &picture, const StepStyle &style, QSizeF size)
{
    return { size.width() - listWidth(picture, style), size.height() - titleHeight(picture, style) };
}

template <typename Scene>
void paintScene(QPainter &painter, const Scene &scene, QSizeF room)
{
    const double scale = std::min({ 1.0, room.width() / scene.size().width(), room.height() / scene.size().height() });
    painter.save();
    painter.scale(scale, scale);
    scene.paint(painter);
    painter.restore();
}

void paintList(QPainter &painter, const WalkPicture &picture, const WalkState &state, const StepStyle &style, double height)
{
    const std::vector<WalkStep> &steps = picture.steps->walk.steps;
    const double width = listWidth(picture, style);
    painter.fillRect(QRectF(0.0, 0.0, width, height), style.theme.panel);
    painter.fillRect(QRectF(width - 1.0, 0.0, 1.0, height), style.theme.line);
    const double item = stepItemHeight(style);
    // As small as it takes for all of them.
    const double scale = std::min(1.0, height / (item * static_cast<double>(steps.size())));
    painter.save();
    painter.scale(scale, scale);
    const auto active = std::find(steps.begin(), steps.end(), state.position.step) - steps.begin();
    for (std::size_t row = 0; row < steps.size(); ++row) {
        const auto at = static_cast<std::ptrdiff_t>(row);
        paintStepItem(painter, style, QRectF(0.0, item * static_cast<double>(row), (width - 1.0) / scale, item), static_cast<int>(row) + 1,
            stepTitle(*picture.steps, steps[row]), at == active, at > active);
    }
    painter.restore();
}

} // namespace

QString walkTitle(const Document &document, const WalkPicture &picture)
{
    const AttentionSpec &spec = document.result()->spec;
    const QString what = picture.flash ? stepsWords("flash attention") : stepsWords("query %1").arg(picture.steps->queryName());
    QString title = QStringLiteral("%1 — %2, %3")
                        .arg(QString::fromStdString(document.session().name), what, QString::fromStdString(maskName(spec.mask)));
    if (picture.flash && !partNote(*picture.flash).isEmpty())
        title += QStringLiteral(", ") + partNote(*picture.flash);
    if (headCount(document.block(), spec) > 1)
        title += stepsWords(", head %1").arg(QString::fromStdString(headName(*document.input(), document.head())));
    if (document.block().isUntrained)
        title += stepsWords(", untrained, random weights");
    return title;
}

StepStyle fittedStyle(const WalkPicture &picture, const StepStyle &style, QSizeF size)
{
    const int least = style.letters();
    int most = std::max(least, mostLetters);
    const auto roomOf = [&](const StepStyle &at) { return room(picture, at, size); };
    if (picture.flash) {
        const auto sceneOf = [&](int letters) {
            const StepStyle at = style.withLetters(letters);
            return FlashScene(picture.flash, 0, picture.row, at, roomOf(at));
        };
        const FlashScene smallest = sceneOf(least);
        const auto fits = [&](int letters) {
            const QSizeF page = roomOf(style.withLetters(letters));
            const FlashScene scene = sceneOf(letters);
            return scene.size().width() <= page.width() && scene.size().height() <= page.height()
                && scene.shownRows() >= smallest.shownRows() && (scene.hasRules() || !smallest.hasRules());
        };
        while (most > least && !fits(most))
            --most;
        return style.withLetters(most);
    }
    const auto steps = static_cast<double>(picture.steps->walk.steps.size());
    while (most > least && stepItemHeight(style.withLetters(most)) * steps > roomOf(style.withLetters(most)).height())
        --most;
    return style.withLetters(fittingLetters(*picture.steps, picture.folds, style, least, most, roomOf));
}

std::vector<WalkState> walkStates(const WalkPicture &picture, const StepStyle &style, QSizeF size)
{
    std::vector<WalkState> states;
    if (picture.flash) {
        for (std::size_t state = 0; state < picture.flash->states(); ++state)
            states.push_back({ {}, state });
        return states;
    }
    std::optional<StepPosition> at = clamped(*picture.steps, { picture.steps->walk.steps.front(), 0, 0 });
    while (at) {
        states.push_back({ *at, 0 });
        const StepScene scene(*picture.steps, *at, picture.folds, style, room(picture, style, size));
        at = playedPosition(*picture.steps, *at, scene.folds());
    }
    return states;
}

void paintWalk(QPainter &painter, const WalkPicture &picture, const WalkState &state, const StepStyle &style, QSizeF size)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const double top = titleHeight(picture, style);
    if (top > 0.0) {
        const QFont font = style.sized(15, 20);
        const QFontMetricsF metrics(font);
        painter.setFont(font);
        painter.setPen(style.theme.text);
        const QRectF box(style.size(16, 32), 0.0, size.width() - style.size(32, 64), top);
        const QString where = walkStateText(picture, state);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, where);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(picture.title, Qt::ElideRight, box.width() - metrics.horizontalAdvance(where) - 24.0));
        painter.fillRect(QRectF(0.0, top - 1.0, size.width(), 1.0), style.theme.line);
    }
    const QSizeF page = room(picture, style, size);
    painter.save();
    painter.translate(0.0, top);
    if (picture.steps) {
        paintList(painter, picture, state, style, page.height());
        painter.translate(listWidth(picture, style), 0.0);
        paintScene(painter, StepScene(*picture.steps, state.position, picture.folds, style, page), page);
    } else {
        const FlashTile *tile = state.flash < picture.flash->walk.tiles.size() ? &picture.flash->walk.tiles[state.flash] : nullptr;
        const Index row = tile && !tile->rows.contains(picture.row) ? tile->rows.first : picture.row;
        paintScene(painter, FlashScene(picture.flash, state.flash, row, style, page), page);
    }
    painter.restore();
}

QString walkStateText(const WalkPicture &picture, const WalkState &state)
{
    if (picture.flash) {
        const std::size_t tiles = picture.flash->walk.tiles.size();
        return state.flash == tiles ? stepsWords("Result") : stepsWords("Tile %1 of %2").arg(state.flash + 1).arg(tiles);
    }
    const StepContent &content = *picture.steps;
    const std::vector<WalkStep> &steps = content.walk.steps;
    const auto at = std::find(steps.begin(), steps.end(), state.position.step) - steps.begin();
    const QString step = stepsWords("Step %1 of %2").arg(at + 1).arg(steps.size());
    const QString place = stepPlaceText(content, state.position);
    return place.isEmpty() ? step : step + QStringLiteral(", ") + place;
}

} // namespace attenscope
