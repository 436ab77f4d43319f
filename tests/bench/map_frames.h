// SPDX-License-Identifier: GPL-3.0-or-later
// A map view off screen that is panned, zoomed and hovered over by a script, and the times of its frames.
#pragma once

#include "bench/measure.h"
#include "cli/generate_command.h"
#include "io/open.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <cmath>
#include <functional>

namespace attenscope::bench {

/// Milliseconds of the frames of a script, as they passed and as the window's thread computed: the second hardly changes while others compute too.
/// The script moves the map 60 times a second, as a hand does on a display; a frame counts from the moment it was due, also where the window was
/// still drawing tiles that had arrived.
struct FrameTimes {
    struct Part {
        double median = 0.0;
        double p99 = 0.0;
        double most = 0.0;
    };
    Part passed;
    Part computed;
};

class MapFrames : public QObject {
public:
    static constexpr QSize viewSize = QSize(1400, 900);
    static constexpr int frames = 300;

    MapFrames(Session session, Index side)
        : m_side(side)
        , m_view(m_document, m_selection)
    {
        m_document.reset(std::move(session));
        m_view.resize(viewSize);
        m_view.show();
        m_plot = m_view.findChild<MapPlot *>();
        m_plot->installEventFilter(this);
        QElapsedTimer clock;
        clock.start();
        const auto wait = [&](const auto &isOver) {
            while (!isOver()) {
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
                m_memory.follow();
            }
            return static_cast<double>(clock.nsecsElapsed()) / 1e9;
        };
        m_firstPicture = wait([&] { return m_plot->content().rows() == side || m_document.problem(); });
        m_allExact = wait([&] { return m_document.problem() || (!m_document.isComputing() && m_plot->scene().missingTiles == 0); });
        m_isReady = !m_document.problem();
    }

    [[nodiscard]] bool isReady() const { return m_isReady; }
    /// Seconds from opening until there is a map of this size, and until all of it is exact.
    [[nodiscard]] double firstPicture() const { return m_firstPicture; }
    [[nodiscard]] double allExact() const { return m_allExact; }

    /// The most so far.
    [[nodiscard]] const Memory &memory() const { return m_memory; }

    FrameTimes pan(double share)
    {
        const double all = static_cast<double>(m_side);
        const double shown = std::max(3.0, share * all);
        return run([=, this](int frame) {
            const double along = static_cast<double>(frame) / frames * (all - shown);
            m_selection.setVisible(QRectF(along, along, shown, shown));
        });
    }

    FrameTimes zoom()
    {
        const double all = static_cast<double>(m_side);
        return run([=, this](int frame) {
            const double shown = std::max(4.0, all * std::pow(4.0 / all, static_cast<double>(frame) / frames));
            m_selection.setVisible(QRectF(0.3 * (all - shown), 0.3 * (all - shown), shown, shown));
        });
    }

    FrameTimes hover()
    {
        m_selection.setVisible(std::nullopt);
        QCoreApplication::processEvents();
        return run([this](int frame) { m_selection.setHovered(CellRef{ frame * (m_side - 1) / frames, frame * 7 % m_side }); });
    }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        m_isPainted |= event->type() == QEvent::Paint;
        return false;
    }

private:
    /// Lets the window do what else it has to do.
    static void waitUntil(double moment)
    {
        const double left = std::floor(1e3 * (moment - now(Clock::Wall)));
        if (left > 0.0) {
            QEventLoop loop;
            QTimer::singleShot(static_cast<int>(left), Qt::PreciseTimer, &loop, &QEventLoop::quit);
            loop.exec();
        }
        while (now(Clock::Wall) < moment) { }
    }

    /// Times @p change and everything that it makes the view draw.
    FrameTimes run(const std::function<void(int)> &change)
    {
        Item passed;
        Item computed;
        double due = now(Clock::Wall);
        for (int frame = 0; frame < frames; ++frame) {
            waitUntil(due);
            const double begun = now(Clock::Thread);
            change(frame);
            m_isPainted = false;
            for (int round = 0; round < 3 && !m_isPainted; ++round) {
                QCoreApplication::sendPostedEvents();
                QCoreApplication::processEvents();
            }
            if (!m_isPainted)
                m_view.repaint();
            const double end = now(Clock::Wall);
            passed.seconds.push_back(end - due);
            computed.seconds.push_back(now(Clock::Thread) - begun);
            due = std::max(due + 1.0 / 60.0, end);
            m_memory.follow();
        }
        const auto part = [](const Item &item) {
            return FrameTimes::Part{ 1e3 * item.median(), 1e3 * item.quantile(0.99), 1e3 * item.quantile(1.0) };
        };
        return { part(passed), part(computed) };
    }

    Index m_side;
    Memory m_memory;
    Document m_document;
    Selection m_selection;
    MapView m_view;
    MapPlot *m_plot = nullptr;
    bool m_isPainted = false;
    double m_firstPicture = 0.0;
    double m_allExact = 0.0;
    bool m_isReady = false;
};

/// A session on a file of one made-up head, @p side tokens, 64 wide, with diagonals, sinks and needles; the file is written first, to the
/// folder for temporary files. Empty if that fails.
inline Session longSession(Index side, bool isCausal)
{
    const QString path = QDir::temp().filePath(QStringLiteral("attenscope-bench-%1.safetensors").arg(side));
    if (!QFile::exists(path)) {
        GenerateRequest request;
        request.shape = { .queries = side, .keys = side, .blocks = 16, .hasDiagonals = true, .sinks = 1, .needles = 12 };
        request.output = path;
        if (!generate(request))
            return {};
    }
    auto source = openFiles({ path.toStdString() });
    if (!source)
        return {};
    Session session = sessionFor(std::move(*source));
    session.mechanism = withCausalMask(session.mechanism, isCausal);
    return session;
}

} // namespace attenscope::bench
