// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the map while panning, zooming and hovering over recorded weights, off screen.
#include "core/text.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

using namespace attenscope;

namespace {

constexpr QSize viewSize(1400, 900);
constexpr int frames = 300;

/// Causal rows that sum to 1: a diagonal, a sink and some far peaks.
MatrixF recordedWeights(Index side)
{
    MatrixF weights = MatrixF::Zero(side, side);
    for (Index row = 0; row < side; ++row) {
        double sum = 0.0;
        for (Index col = 0; col <= row; ++col) {
            const double near = std::exp(-static_cast<double>(row - col) / 40.0);
            const double far = (row * 31 + col * 17) % 997 == 0 ? 4.0 : 0.001;
            weights(row, col) = static_cast<float>(near + far + (col == 0 ? 2.0 : 0.0));
            sum += static_cast<double>(weights(row, col));
        }
        weights.row(row) /= static_cast<float>(sum);
    }
    return weights;
}

/// A session with the weights as a file of 32-bit numbers would hold them.
Session recordedSession(Index side)
{
    const MatrixF weights = recordedWeights(side);
    std::vector<std::byte> bytes(static_cast<std::size_t>(weights.size()) * sizeof(float));
    std::copy_n(reinterpret_cast<const std::byte *>(weights.data()), bytes.size(), bytes.begin());
    TensorSet set;
    set.tensors.push_back({ "attention", "bench.npy", Tensor(bytesInMemory(std::move(bytes)), 0, ElementType::F32, { side, side }) });
    FileSource source;
    source.files.push_back({ "bench.npy", 0, {} });
    source.uses = recognise(set);
    source.tensors = std::make_shared<const TensorSet>(std::move(set));
    Session session;
    session.source = source;
    session.name = "bench";
    return session;
}

struct Times {
    double median = 0.0;
    double p99 = 0.0;
};

class Bench {
public:
    explicit Bench(Index side)
        : m_side(side)
        , m_view(m_document, m_selection)
        , m_image(viewSize, QImage::Format_RGB32)
    {
        m_document.reset(recordedSession(side));
        m_view.resize(viewSize);
        m_view.show();
        m_plot = m_view.findChild<MapPlot *>();
        while (m_document.isComputing() || m_plot->content().rows() != side || m_plot->scene().missingTiles > 0)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    }

    [[nodiscard]] bool isReady() const { return m_plot->content().rows() == m_side; }

    /// Times @p change and everything that it makes the view draw.
    Times run(const std::function<void(int)> &change)
    {
        std::vector<double> times;
        for (int frame = 0; frame < frames; ++frame) {
            QElapsedTimer clock;
            clock.start();
            change(frame);
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
            m_view.render(&m_image);
            times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        }
        std::sort(times.begin(), times.end());
        return { times[times.size() / 2], times[times.size() * 99 / 100] };
    }

    Times pan(double share)
    {
        const double all = static_cast<double>(m_side);
        const double shown = std::max(3.0, share * all);
        return run([=, this](int frame) {
            const double along = static_cast<double>(frame) / frames * (all - shown);
            m_selection.setVisible(QRectF(along, along, shown, shown));
        });
    }

    Times zoom()
    {
        const double all = static_cast<double>(m_side);
        return run([=, this](int frame) {
            const double shown = std::max(4.0, all * std::pow(4.0 / all, static_cast<double>(frame) / frames));
            m_selection.setVisible(QRectF(0.3 * (all - shown), 0.3 * (all - shown), shown, shown));
        });
    }

    Times hover()
    {
        m_selection.setVisible(std::nullopt);
        QCoreApplication::processEvents();
        return run([this](int frame) { m_selection.setHovered(CellRef{ frame * (m_side - 1) / frames, frame * 7 % m_side }); });
    }

private:
    Index m_side;
    Document m_document;
    Selection m_selection;
    MapView m_view;
    MapPlot *m_plot = nullptr;
    QImage m_image;
};

void report(const char *what, Index side, const Times &times)
{
    std::printf("map %5td  %-16s median %6.2f ms   99 %% %6.2f ms%s\n", side, what, times.median, times.p99,
        times.p99 < 16.0 ? "" : "   over 16 ms");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    for (const Index side : { 64, 512, 4096 }) {
        Bench bench(side);
        report("pan, a half", side, bench.pan(0.5));
        report("pan, close", side, bench.pan(std::min(0.5, 600.0 / static_cast<double>(side))));
        report("pan, with numbers", side, bench.pan(std::min(0.5, 18.0 / static_cast<double>(side))));
        report("zoom", side, bench.zoom());
        report("hover", side, bench.hover());
    }
    return 0;
}
