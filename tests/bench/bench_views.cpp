// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded attention of 12 layers x 12 heads in the whole window, off screen: opening, switching views, hovering, other heads, memory.
#include "window/actions.h"
#include "window/files.h"
#include "window/main_window.h"
#include "window/view_stack.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace attenscope;

namespace {

constexpr int layers = 12;
constexpr int heads = 12;
constexpr int repeats = 100;

/// A .safetensors of random causal weights; every row sums to 1.
bool writeRecording(const QString &path, Index side)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    const Index bytes = Index{ layers } * heads * side * side * 4;
    std::string header = R"({"attentions":{"dtype":"F32","shape":[)" + std::to_string(layers) + "," + std::to_string(heads) + ","
        + std::to_string(side) + "," + std::to_string(side) + R"(],"data_offsets":[0,)" + std::to_string(bytes) + "]}}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const quint64 length = header.size();
    file.write(reinterpret_cast<const char *>(&length), sizeof length);
    file.write(header.data(), static_cast<qint64>(header.size()));
    std::minstd_rand random(7);
    std::vector<float> map(static_cast<std::size_t>(side * side));
    for (int head = 0; head < layers * heads; ++head) {
        std::fill(map.begin(), map.end(), 0.0F);
        for (Index row = 0; row < side; ++row) {
            float *cells = map.data() + row * side;
            float sum = 0.0F;
            for (Index col = 0; col <= row; ++col) {
                const auto number = static_cast<float>(random() % 1000 + 1);
                cells[col] = number * number * number;
                sum += cells[col];
            }
            for (Index col = 0; col <= row; ++col)
                cells[col] /= sum;
        }
        file.write(reinterpret_cast<const char *>(map.data()), static_cast<qint64>(map.size() * sizeof(float)));
    }
    return file.error() == QFileDevice::NoError;
}

/// Megabytes that are this process's own: not those of mapped files or the page cache.
double privateMegabytes()
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0.0;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith("RssAnon:"))
            return line.simplified().split(' ').value(1).toDouble() / 1024.0;
    }
    return 0.0;
}

/// What has been asked for is painted when this returns.
void paint()
{
    for (int round = 0; round < 3; ++round) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
}

double timed(const std::function<void()> &act)
{
    QElapsedTimer clock;
    clock.start();
    act();
    paint();
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

void report(Index side, const char *what, std::vector<double> times, double most)
{
    std::sort(times.begin(), times.end());
    const double p99 = times[times.size() * 99 / 100];
    std::printf("views %5td  %-24s median %8.2f ms   99 %% %8.2f ms%s\n", side, what, times[times.size() / 2], p99,
        p99 < most ? "" : "   over the target");
    std::fflush(stdout);
}

void settle(MainWindow &window)
{
    while (window.files().isLoading() || window.document().isComputing())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    QElapsedTimer quiet;
    quiet.start();
    while (quiet.elapsed() < 300)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

void measure(Index side, double mostToOpen, double mostToSwitch)
{
    const QTemporaryDir folder(QStringLiteral("bench_views_XXXXXX"));
    const QString path = folder.filePath(QStringLiteral("attention.safetensors"));
    if (!writeRecording(path, side)) {
        std::fprintf(stderr, "bench_views: %s cannot be written\n", qUtf8Printable(path));
        return;
    }
    MainWindow window;
    window.resize(1400, 900);
    window.show();
    settle(window);
    const double before = privateMegabytes();
    QElapsedTimer clock;
    clock.start();
    window.files().open({ path });
    while (window.files().isLoading() || window.document().block().queries != side || !window.document().isCurrent())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 2);
    paint();
    report(side, "open to first picture", { static_cast<double>(clock.nsecsElapsed()) / 1e6 }, mostToOpen);
    while (window.document().isComputing())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    std::printf("views %5td  %-24s        %8.2f ms\n", side, "all heads", static_cast<double>(clock.nsecsElapsed()) / 1e6);
    settle(window);

    std::vector<double> switches;
    for (int round = 0; round < 4; ++round) {
        for (const ViewRow &row : viewRows())
            switches.push_back(timed([&] { window.actionTable()[QLatin1String(row.id)]->trigger(); }));
    }
    report(side, "switch view", switches, mostToSwitch);
    std::minstd_rand random(3);
    for (const ViewRow &row : viewRows()) {
        window.actionTable()[QLatin1String(row.id)]->trigger();
        settle(window);
        std::vector<double> hovers;
        std::vector<double> picks;
        for (int at = 0; at < repeats; ++at) {
            const Index query = static_cast<Index>(random()) % side;
            const Index key = static_cast<Index>(random()) % (query + 1);
            hovers.push_back(timed([&] { window.selection().setHovered(CellRef{ query, key }); }));
        }
        window.selection().setHovered(std::nullopt);
        for (int at = 0; at < repeats; ++at) {
            const HeadRef head{ 0, static_cast<int>(random() % layers), static_cast<int>(random() % heads), 0 };
            picks.push_back(timed([&] { window.document().pickHead(head); }));
        }
        report(side, (std::string(row.id) + ", hover").c_str(), hovers, 16.0);
        report(side, (std::string(row.id) + ", other head").c_str(), picks, 16.0);
    }
    settle(window);
    std::printf("views %5td  %-24s        %8.1f MB above the example\n", side, "private memory", privateMegabytes() - before);
    std::fflush(stdout);
}

} // namespace

/// Without arguments 64 and 512 tokens; with 2048 a file of 2.4 GB is written into the current folder, and removed.
int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QStringList sides = QCoreApplication::arguments().mid(1);
    if (sides.isEmpty())
        sides = QStringList{ QStringLiteral("64"), QStringLiteral("512") };
    for (const QString &side : sides) {
        const Index tokens = side.toLongLong();
        measure(tokens, tokens <= 64 ? 200.0 : tokens <= 512 ? 1000.0 : 2000.0, tokens <= 64 ? 50.0 : 100.0);
    }
    return 0;
}
