// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering rows of weights, and the order in which large heads are gone through.
#include "views/lines/line_rows.h"

#include "core/parallel.h"
#include "views/lines/line_raster.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// So many cells take less than a frame.
constexpr Index littleWork = Index(1) << 14;

bool haveSameLines(const LinesContent &a, const LinesContent &b)
{
    return a.side == b.side && a.filter == b.filter && a.pairs == b.pairs && a.boundary == b.boundary;
}

HeadLines empty(const MapFieldPtr &weights)
{
    return { weights, std::vector<std::shared_ptr<const RowLines>>(static_cast<std::size_t>(weights->rows())), weights->rows() };
}

std::shared_ptr<const RowLines> gathered(const LinesContent &content, const MapField &weights, Index row)
{
    std::vector<double> cells(static_cast<std::size_t>(weights.cols()));
    weights.row(row, 0, cells);
    return std::make_shared<const RowLines>(rowLines(content, row, cells));
}

} // namespace

RowLines rowLines(const LinesContent &content, Index row, std::span<const double> cells, bool withShown)
{
    std::vector<double> magnitudes;
    if (content.isDifference()) {
        magnitudes.assign(cells.begin(), cells.end());
        for (double &cell : magnitudes)
            cell = cell::kind(cell) == cell::Kind::Number ? std::abs(cell) : cell;
    }
    const std::span<const double> sizes = content.isDifference() ? std::span<const double>(magnitudes) : cells;
    FilteredRow filtered = filterRow(sizes, content.filter);
    RowLines result;
    result.hidden = filtered.hidden;
    result.hiddenWeight = filtered.hiddenWeight;
    for (const double cell : sizes) {
        if (cell::kind(cell) == cell::Kind::Number)
            result.weight += cell;
    }
    std::erase_if(filtered.shown, [&](Index key) {
        if (content.hasPair(row, key))
            return false;
        const double weight = sizes[static_cast<std::size_t>(key)];
        if (cell::kind(weight) == cell::Kind::Number && weight != 0.0) {
            ++result.hidden;
            result.hiddenWeight += weight;
        }
        return true;
    });
    for (const Index key : filtered.shown) {
        if (sizes[static_cast<std::size_t>(key)] >= LineRaster::leastWidth)
            result.lines.push_back({ key, cells[static_cast<std::size_t>(key)] });
    }
    if (withShown)
        result.shown = std::move(filtered.shown);
    return result;
}

double hiddenShare(const HeadLines &head)
{
    double hidden = 0.0;
    double all = 0.0;
    for (const auto &row : head.rows) {
        if (!row)
            continue;
        hidden += row->hiddenWeight;
        all += row->weight;
    }
    return all > 0.0 ? hidden / all : 0.0;
}

LineRows::LineRows(QObject *parent)
    : QObject(parent)
{
}

void LineRows::setContent(const LinesContent &content, Range first)
{
    if (content == m_content)
        return;
    const bool keepsLines = haveSameLines(content, m_content);
    m_job.cancel();
    std::vector<HeadLines> heads;
    for (const LinesHead &head : content.heads) {
        const auto known = std::find_if(m_heads.begin(), m_heads.end(), [&](const HeadLines &one) { return one.weights == head.weights; });
        heads.push_back(keepsLines && known != m_heads.end() ? *known : empty(head.weights));
    }
    m_heads = std::move(heads);
    m_content = content;
    m_first = first;
    gather();
}

void LineRows::stop()
{
    m_job.cancel();
}

void LineRows::resume()
{
    if (!isRunning())
        gather();
}

void LineRows::gather()
{
    std::vector<Wanted> wanted;
    const auto want = [&](Range rows) {
        for (std::size_t head = 0; head < m_heads.size(); ++head) {
            for (Index row = std::max<Index>(0, rows.first); row < std::min(rows.end, m_content.rows()); ++row) {
                if (!m_heads[head].rows[static_cast<std::size_t>(row)])
                    wanted.push_back({ head, row });
            }
        }
    };
    want(m_first);
    want({ 0, m_first.first });
    want({ m_first.end, m_content.rows() });
    if (!wanted.empty())
        gather(wanted);
}

void LineRows::gather(const std::vector<Wanted> &wanted)
{
    if (static_cast<Index>(wanted.size()) * m_content.cols() <= littleWork) {
        for (const Wanted &one : wanted) {
            HeadLines &head = m_heads[one.head];
            head.rows[static_cast<std::size_t>(one.row)] = gathered(m_content, *head.weights, one.row);
            --head.missing;
        }
        return;
    }
    m_job.start([this, content = m_content, wanted](const Run &run, const Job::Deliver &deliver) {
        constexpr std::size_t atOnce = 64;
        constexpr qint64 longEnough = 100; // Milliseconds between two pictures that are not complete.
        using Rows = std::vector<std::shared_ptr<const RowLines>>;
        Rows rows;
        std::size_t delivered = 0;
        QElapsedTimer clock;
        clock.start();
        while (delivered + rows.size() < wanted.size() && !run.stopped()) {
            const std::size_t start = delivered + rows.size();
            const std::size_t count = std::min(atOnce, wanted.size() - start);
            rows.resize(rows.size() + count);
            parallelFor(static_cast<Index>(count), [&](Index place) {
                const Wanted &one = wanted[start + static_cast<std::size_t>(place)];
                if (!run.stopped())
                    rows[start - delivered + static_cast<std::size_t>(place)]
                        = gathered(content, *content.heads[one.head].weights, one.row);
            });
            if (run.stopped() || (clock.elapsed() < longEnough && start + count < wanted.size()))
                continue;
            clock.restart();
            std::vector<Wanted> places(wanted.begin() + static_cast<std::ptrdiff_t>(delivered),
                wanted.begin() + static_cast<std::ptrdiff_t>(delivered + rows.size()));
            delivered += rows.size();
            deliver([this, places = std::move(places), rows = std::exchange(rows, {})] {
                for (std::size_t place = 0; place < rows.size(); ++place) {
                    HeadLines &head = m_heads[places[place].head];
                    head.rows[static_cast<std::size_t>(places[place].row)] = rows[place];
                    --head.missing;
                }
                emit ready();
            });
        }
    });
}

bool LineRows::isComplete() const
{
    return std::all_of(m_heads.begin(), m_heads.end(), [](const HeadLines &head) { return head.isComplete(); });
}

std::pair<Index, Index> LineRows::progress() const
{
    Index missing = 0;
    Index all = 0;
    for (const HeadLines &head : m_heads) {
        missing += head.missing;
        all += static_cast<Index>(head.rows.size());
    }
    return { all - missing, all };
}

std::vector<HeadLines> allLines(const LinesContent &content)
{
    std::vector<HeadLines> heads;
    for (const LinesHead &head : content.heads) {
        heads.push_back(empty(head.weights));
        parallelFor(
            content.rows(), [&](Index row) { heads.back().rows[static_cast<std::size_t>(row)] = gathered(content, *head.weights, row); });
        heads.back().missing = 0;
    }
    return heads;
}

} // namespace attenscope
