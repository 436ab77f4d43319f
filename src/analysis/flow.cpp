// SPDX-License-Identifier: GPL-3.0-or-later
// Maximum flow through the layers, by Dinic's algorithm.
#include "analysis/layers.h"

#include "core/memory.h"
#include "core/parallel.h"

#include <algorithm>
#include <limits>

namespace attenscope {

namespace {

/// Positions of the input and of every layer as nodes: level 0 is the input. An edge leads from each position down to each of the level
/// below; what flows there can be sent back up. Keeps its arrays between flows.
class Network {
public:
    explicit Network(const std::vector<Matrix> &layers)
        : m_layers(layers)
        , m_n(layers.front().rows())
        , m_down(layers)
        , m_up(layers.size(), Matrix(m_n, m_n))
        , m_distance(static_cast<std::size_t>((count() + 1) * m_n))
        , m_next(m_distance.size())
    {
    }

    /// From @p source of the last level to @p sink of the input.
    double flow(Index source, Index sink)
    {
        for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
            // max() of NaN is 0 in this order.
            m_down[layer] = m_layers[layer].unaryExpr([](double capacity) { return std::max(0.0, capacity); });
            m_up[layer].setZero();
        }
        m_source = node(count(), source);
        m_sink = node(0, sink);
        double total = 0.0;
        while (measureDistances()) {
            std::fill(m_next.begin(), m_next.end(), 0);
            for (double sent = augment(); sent > 0.0; sent = augment())
                total += sent;
        }
        return total;
    }

private:
    [[nodiscard]] Index count() const { return static_cast<Index>(m_layers.size()); }
    [[nodiscard]] Index node(Index level, Index position) const { return level * m_n + position; }

    /// What can still go from @p from along its edge number @p edge: 0 to n-1 lead down, n to 2n-1 back up. Null where there is no such level.
    double *residual(Index from, Index edge)
    {
        const Index level = from / m_n;
        const Index position = from % m_n;
        if (edge < m_n)
            return level > 0 ? &m_down[static_cast<std::size_t>(level - 1)](position, edge) : nullptr;
        return level < count() ? &m_up[static_cast<std::size_t>(level)](edge - m_n, position) : nullptr;
    }
    double &reverse(Index from, Index edge)
    {
        const Index level = from / m_n;
        const Index position = from % m_n;
        return edge < m_n ? m_up[static_cast<std::size_t>(level - 1)](position, edge)
                          : m_down[static_cast<std::size_t>(level)](edge - m_n, position);
    }
    [[nodiscard]] Index target(Index from, Index edge) const
    {
        return edge < m_n ? (from / m_n - 1) * m_n + edge : (from / m_n) * m_n + edge;
    }

    /// Distances to the sink over edges that have something left. Whether the source reaches it.
    bool measureDistances();
    /// Sends as much as goes along one shortest path. 0: there is none left.
    double augment();

    const std::vector<Matrix> &m_layers;
    Index m_n;
    std::vector<Matrix> m_down; ///< Per layer: what is left from position (row) to the position below (column).
    std::vector<Matrix> m_up; ///< Per layer, indexed alike: what flows and can be taken back.
    std::vector<Index> m_distance;
    std::vector<Index> m_next; ///< Per node: edges before this one lead nowhere any more.
    std::vector<Index> m_queue;
    std::vector<std::pair<Index, Index>> m_path; ///< Nodes and the edges taken from them.
    Index m_source = 0;
    Index m_sink = 0;
};

bool Network::measureDistances()
{
    constexpr Index unreached = -1;
    std::fill(m_distance.begin(), m_distance.end(), unreached);
    m_distance[static_cast<std::size_t>(m_sink)] = 0;
    m_queue.assign({ m_sink });
    for (std::size_t place = 0; place < m_queue.size(); ++place) {
        const Index to = m_queue[place];
        const Index level = to / m_n;
        const Index position = to % m_n;
        const auto reach = [&](Index from, double left) {
            Index &distance = m_distance[static_cast<std::size_t>(from)];
            if (left <= 0.0 || distance != unreached)
                return;
            distance = m_distance[static_cast<std::size_t>(to)] + 1;
            m_queue.push_back(from);
        };
        for (Index other = 0; other < m_n; ++other) {
            if (level < count())
                reach(node(level + 1, other), m_down[static_cast<std::size_t>(level)](other, position));
            if (level > 0)
                reach(node(level - 1, other), m_up[static_cast<std::size_t>(level - 1)](position, other));
        }
        if (m_distance[static_cast<std::size_t>(m_source)] != unreached)
            return true;
    }
    return false;
}

double Network::augment()
{
    m_path.clear();
    Index at = m_source;
    while (at != m_sink) {
        Index &edge = m_next[static_cast<std::size_t>(at)];
        const Index wanted = m_distance[static_cast<std::size_t>(at)] - 1;
        for (; edge < 2 * m_n; ++edge)
            if (const double *left = residual(at, edge);
                left && *left > 0.0 && m_distance[static_cast<std::size_t>(target(at, edge))] == wanted)
                break;
        if (edge < 2 * m_n) {
            m_path.emplace_back(at, edge);
            at = target(at, edge);
        } else if (m_path.empty()) {
            return 0.0;
        } else {
            at = m_path.back().first;
            m_path.pop_back();
            ++m_next[static_cast<std::size_t>(at)];
        }
    }
    double sent = std::numeric_limits<double>::infinity();
    for (const auto &[from, edge] : m_path)
        sent = std::min(sent, *residual(from, edge));
    for (const auto &[from, edge] : m_path) {
        *residual(from, edge) -= sent;
        reverse(from, edge) += sent;
    }
    return sent;
}

} // namespace

Result<Matrix> attentionFlow(const std::vector<Matrix> &layers, Range sources, const Run &run)
{
    if (layers.empty() || sources.size() == 0)
        return Matrix();
    const Index n = layers.front().rows();
    const std::uint64_t cells = saturatingProduct(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(n));
    const auto networks = static_cast<std::uint64_t>(threadCount());
    if (Result<void> fits = checkMemory(saturatingProduct(cells, (2 * layers.size() * networks + 1) * sizeof(double)), "Attention flow");
        !fits)
        return fits.error();
    Matrix flows = Matrix::Zero(sources.size(), n);
    DoneCount done(run, sources.size());
    parallelFor(sources.size(), [&](Index row) {
        if (run.stopped())
            return;
        Network network(layers);
        for (Index sink = 0; sink < n && !run.stopped(); ++sink)
            flows(row, sink) = network.flow(sources.first + row, sink);
        done.add();
    });
    if (run.stopped())
        return Error::cancelled();
    return flows;
}

double flowCost(Index layers, Index n)
{
    // A sink takes about one search for each layer, and a search looks at every edge both ways.
    const auto size = static_cast<double>(n);
    return 2.0 * static_cast<double>(layers) * static_cast<double>(layers) * size * size * size;
}

} // namespace attenscope
