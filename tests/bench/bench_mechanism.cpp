// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes from choosing a mechanism until its map is drawn, for 512 tokens and 12 heads, off screen.
#include "panels/mechanism/mechanism_edit.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>

#include <cstdio>

using namespace attenscope;

namespace {

constexpr int tokens = 512;
constexpr double most = 200.0;

Session longSession()
{
    Session session = exampleSentence();
    auto &source = std::get<TokensSource>(session.source);
    source.text.clear();
    for (int token = 0; token < tokens; ++token)
        source.text += "t" + std::to_string(token) + " ";
    source.dModel = 768;
    session.mechanism.heads = 12;
    return session;
}

void wait(const std::function<bool()> &isDone)
{
    while (!isDone())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    Document document;
    Selection selection;
    document.reset(longSession());
    MapView view(document, selection);
    view.resize(1000, 800);
    view.show();
    auto *plot = view.findChild<MapPlot *>();
    const auto isDrawn = [&] { return document.isCurrent() && plot->content().rows() == tokens && plot->scene().missingTiles == 0; };
    wait([&] { return !document.isComputing() && isDrawn(); });
    QImage image(view.size(), QImage::Format_RGB32);
    for (const Preset &preset : presets()) {
        if (preset.group == PresetGroup::KeySource)
            continue;
        QElapsedTimer clock;
        clock.start();
        usePreset(document, preset);
        // The picked head comes first; the others follow with progress.
        wait(isDrawn);
        view.render(&image);
        const double drawn = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        wait([&] { return !document.isComputing(); });
        const double all = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        std::printf(
            "mechanism %-22s drawn %7.1f ms   all heads %7.1f ms%s\n", preset.id.c_str(), drawn, all, drawn < most ? "" : "   over 200 ms");
        std::fflush(stdout);
        document.undoStack()->undo();
        wait([&] { return !document.isComputing() && isDrawn(); });
    }
    return 0;
}
