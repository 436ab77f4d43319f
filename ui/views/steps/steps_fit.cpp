// SPDX-License-Identifier: GPL-3.0-or-later
// How pages of steps fit their room: what folds, and how large letters may be.
#include "state/formula.h"
#include "views/steps/steps_scene.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr std::size_t leastColumns = 3;
constexpr std::size_t leastQueries = 3;
/// As many rows are never too many to be scrolled through.
constexpr std::size_t smallRows = 16;

} // namespace

StepScene::StepScene(const StepContent &content, const StepPosition &position, const StepFolds &folds, const StepStyle &style, QSizeF room)
    : m_style(style)
    , m_position(position)
    , m_folds(folds)
    , m_formula(mathBox({ stepFormula(content, position.step) }))
{
    // More columns than that have no room, however narrow they are.
    m_folds.limit = std::max(smallRows, static_cast<std::size_t>(room.width() / m_style.size(28, 56)));
    m_folds.fitted.clear();
    m_folds.hasMapRows = true;
    m_page = stepPage(content, m_position, m_folds);
    fitWidth(content, room.width());
    layOut(room);
    if (m_size.height() > room.height() && m_folds.hasMapRows) {
        m_folds.hasMapRows = false;
        m_page = stepPage(content, m_position, m_folds);
        layOut(room);
    }
    if (m_size.height() > room.height()) {
        m_isDense = true;
        layOut(room);
    }
    fitHeight(content, room, StepAxis::Queries, leastQueries);
    for (const StepAxis axis :
        { StepAxis::Inputs, StepAxis::Keys, StepAxis::Dimensions, StepAxis::Units, StepAxis::Values, StepAxis::Joined })
        fitHeight(content, room, axis, smallRows);
}

void StepScene::fitWidth(const StepContent &content, double width)
{
    for (;;) {
        const auto tooWide = std::find_if(m_page.grids.begin(), m_page.grids.end(), [&](const StepGrid &grid) {
            return grid.cols.shown.size() > leastColumns && !m_folds.isUnfolded(grid.colAxis) && measured(grid).width > roomOf(grid, width);
        });
        if (tooWide == m_page.grids.end())
            return;
        if (m_folds.hasMapRows) {
            m_folds.hasMapRows = false;
            m_page = stepPage(content, m_position, m_folds);
            continue;
        }
        if (!m_isTight) {
            m_isTight = true;
            continue;
        }
        const StepAxis axis = tooWide->colAxis;
        const std::size_t limit = m_folds.limitOf(axis);
        const GridSize size = measured(*tooWide);
        const auto over = static_cast<std::size_t>(std::floor((size.width - roomOf(*tooWide, width)) / size.cell));
        const std::size_t shown = tooWide->cols.shown.size();
        const std::size_t next = std::min(limit - 1, shown - std::min(shown, std::max<std::size_t>(over, 1)));
        if (limit <= leastColumns)
            return;
        m_folds.fitted[axis] = std::max(leastColumns, next);
        m_page = stepPage(content, m_position, m_folds);
    }
}

double StepScene::roomOf(const StepGrid &grid, double width) const
{
    // All but the first stand behind their operator.
    return width - 2.0 * pad() - (&grid == &m_page.grids.front() ? 0.0 : betweenGrids());
}

void StepScene::fitHeight(const StepContent &content, QSizeF room, StepAxis axis, std::size_t fewest)
{
    if (m_size.height() <= room.height() || m_folds.isUnfolded(axis))
        return;
    std::size_t rows = 0;
    for (const StepGrid &grid : m_page.grids) {
        if (grid.rowAxis == axis)
            rows = std::max(rows, grid.rows.shown.size());
    }
    if (rows <= fewest)
        return;
    const StepScene before = *this;
    const auto over = static_cast<std::size_t>(std::ceil((m_size.height() - room.height()) / rowHeight())) + 1;
    m_folds.fitted[axis] = std::max(fewest, rows - std::min(rows, over));
    m_page = stepPage(content, m_position, m_folds);
    layOut(room);
    if (m_size.height() >= before.m_size.height())
        *this = before;
}

int fittingLetters(const StepContent &content, const StepFolds &folds, const StepStyle &style, int least, int most,
    const std::function<QSizeF(const StepStyle &)> &roomOf)
{
    const auto sceneOf = [&](WalkStep step, const StepStyle &letters) {
        return StepScene(content, clamped(content, { step, 0, 0 }), folds, letters, roomOf(letters));
    };
    int fitting = most;
    for (const WalkStep step : content.walk.steps) {
        if (fitting <= least)
            return least;
        const std::set<StepAxis> folded = sceneOf(step, style.withLetters(least)).page().foldedAxes();
        for (; fitting > least; --fitting) {
            const StepStyle letters = style.withLetters(fitting);
            const QSizeF room = roomOf(letters);
            const StepScene scene = sceneOf(step, letters);
            if (scene.size().width() <= room.width() && scene.size().height() <= room.height() && scene.page().foldedAxes() == folded)
                break;
        }
    }
    return fitting;
}

} // namespace attenscope
