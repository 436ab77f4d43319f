// SPDX-License-Identifier: GPL-3.0-or-later
// Which numbers are read while a map is drawn, and which are asked for.
#include "views/map/numbers_in_view.h"

#include <QElapsedTimer>

#include <algorithm>

namespace attenscope {

namespace {

/// Of the 16 that a frame has.
constexpr qint64 mostMilliseconds = 4;
/// Rows are read in blocks of columns, and so many columns ahead, so that panning by a cell does not read them anew.
constexpr Index columnBlock = 64;
constexpr Index columnsAhead = 32;
constexpr Index mostRowsAhead = 32;

Range widened(Range cols, Index count)
{
    const Index first = std::max<Index>(0, cols.first - columnsAhead) / columnBlock * columnBlock;
    const Index end = (cols.end + columnsAhead + columnBlock - 1) / columnBlock * columnBlock;
    return { first, std::min(end, count) };
}

} // namespace

NumbersInView::NumbersInView(Mode mode)
    : m_mode(mode)
    , m_fetcher([](const Part &part, const Run &) { return std::optional(read(part)); },
          [this] {
              takeFetched();
              emit arrived();
          })
{
}

void NumbersInView::setField(MapFieldPtr field)
{
    if (field == m_field)
        return;
    m_field = std::move(field);
    m_rows.clear();
}

std::vector<double> NumbersInView::read(const Part &part)
{
    std::vector<double> numbers(static_cast<std::size_t>(part.cols.size()));
    part.field->row(part.row, part.cols.first, numbers);
    return numbers;
}

bool NumbersInView::has(Index row, Range cols) const
{
    const auto known = m_rows.find(row);
    return known != m_rows.end() && known->second.covers(cols);
}

void NumbersInView::follow(Range rows, Range cols)
{
    constexpr std::size_t mostRows = 1024;
    takeFetched();
    if (m_rows.size() > mostRows)
        std::erase_if(m_rows, [&](const auto &known) { return !rows.contains(known.first); });
    if (rows.first != m_shown.first)
        m_movesUp = rows.first < m_shown.first;
    m_shown = rows;
    m_areComplete = true;
    const Range wanted = widened(cols, m_field->cols());
    const bool readsAtOnce = m_mode == Mode::ReadAtOnce;
    QElapsedTimer clock;
    clock.start();
    std::vector<Part> missing; // in view
    std::vector<Part> ahead;
    for (Index row = rows.first; row < rows.end; ++row) {
        if (!has(row, cols) && (readsAtOnce || (m_field->isAtHand() && clock.elapsed() < mostMilliseconds)))
            m_rows[row] = { wanted.first, read({ m_field, row, wanted }) };
        if (!has(row, cols)) {
            missing.push_back({ m_field, row, wanted });
            m_areComplete = false;
        } else if (!has(row, wanted)) {
            ahead.push_back({ m_field, row, wanted });
        }
    }
    if (readsAtOnce)
        return;
    for (Index step = 0; step < std::min(rows.size(), mostRowsAhead) && !m_field->isAtHand(); ++step) {
        const Index row = m_movesUp ? rows.first - 1 - step : rows.end + step;
        if (row >= 0 && row < m_field->rows() && !has(row, wanted))
            ahead.push_back({ m_field, row, wanted });
    }
    missing.insert(missing.end(), ahead.begin(), ahead.end());
    m_fetcher.request(std::move(missing));
}

std::optional<double> NumbersInView::at(Index row, Index col) const
{
    const auto known = m_rows.find(row);
    if (known == m_rows.end() || !known->second.covers({ col, col + 1 }))
        return std::nullopt;
    return known->second.numbers[static_cast<std::size_t>(col - known->second.firstCol)];
}

void NumbersInView::takeFetched()
{
    for (auto &[part, numbers] : m_fetcher.takeFinished()) {
        if (part.field == m_field)
            m_rows[part.row] = { part.cols.first, std::move(numbers) };
    }
}

} // namespace attenscope
