// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded attention of many heads in the whole window, off screen: opening into every view, switching, hovering, other heads, memory.
#include "io/open.h"
#include "io/session_file.h"
#include "window/actions.h"
#include "window/files.h"
#include "window/main_window.h"
#include "window/view_stack.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace attenscope;

namespace {

constexpr int repeats = 100;

/// A recording: "512" is 12 layers of 12 heads, "512:32x32" others.
struct Recording {
    Index side = 0;
    int layers = 12;
    int heads = 12;
};

std::optional<Recording> recordingOf(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d+)(?::(\\d+)x(\\d+))?$"));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    Recording recording{ match.captured(1).toLongLong() };
    if (!match.captured(2).isEmpty()) {
        recording.layers = match.captured(2).toInt();
        recording.heads = match.captured(3).toInt();
    }
    return recording;
}

/// A .safetensors of random causal weights; every row sums to 1.
bool writeRecording(const QString &path, const Recording &recording)
{
    const auto [side, layers, heads] = recording;
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

/// Milliseconds until what was done is painted, and those of them in which the window's thread worked: the same on a busy machine.
struct Time {
    double passed = 0.0;
    double worked = 0.0;
};

double workedMilliseconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e6;
}

Time timed(const std::function<void()> &act)
{
    const double before = workedMilliseconds();
    QElapsedTimer clock;
    clock.start();
    act();
    paint();
    return { static_cast<double>(clock.nsecsElapsed()) / 1e6, workedMilliseconds() - before };
}

void report(Index side, const char *what, const std::vector<Time> &times, double most)
{
    const auto sorted = [&times](double Time::*kind) {
        std::vector<double> numbers;
        std::transform(times.begin(), times.end(), std::back_inserter(numbers), [kind](const Time &time) { return time.*kind; });
        std::sort(numbers.begin(), numbers.end());
        return std::pair{ numbers[numbers.size() / 2], numbers[numbers.size() * 99 / 100] };
    };
    const auto [median, p99] = sorted(&Time::passed);
    const auto [work, mostWork] = sorted(&Time::worked);
    std::printf("views %5td  %-24s median %8.2f ms   99 %% %8.2f ms   of it work %8.2f and %8.2f ms%s\n", side, what, median, p99, work,
        mostWork, p99 < most ? "" : "   over the target");
    std::fflush(stdout);
}

void settle(MainWindow &window)
{
    while (window.files().isLoading() || window.document().isComputing() || window.document().isSummarizing())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    QElapsedTimer quiet;
    quiet.start();
    while (quiet.elapsed() < 300)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

void show(MainWindow &window, const ViewRow &row)
{
    window.actionTable()[QLatin1String(row.id)]->trigger();
}

/// A window with its example; what of the process's memory is above that is of the recording.
struct Example {
    MainWindow window;
    double megabytes = 0.0;

    Example()
    {
        window.resize(1400, 900);
        window.show();
        settle(window);
        megabytes = privateMegabytes();
    }
};

/// Until the first head is painted; @p longest is set to the longest time that the window did not answer before all heads were there.
Time open(MainWindow &window, const QString &path, Index side, double *whole = nullptr, double *longest = nullptr)
{
    const double before = workedMilliseconds();
    QElapsedTimer clock;
    clock.start();
    window.files().open({ path });
    while (window.files().isLoading() || window.document().block().queries != side || !window.document().isCurrent())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 2);
    paint();
    const Time first{ static_cast<double>(clock.nsecsElapsed()) / 1e6, workedMilliseconds() - before };
    while (whole && window.document().isComputing()) {
        QElapsedTimer answer;
        answer.start();
        QCoreApplication::processEvents();
        *longest = std::max(*longest, static_cast<double>(answer.nsecsElapsed()) / 1e6);
        QThread::msleep(1);
    }
    if (whole)
        *whole = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    return first;
}

void measure(const Recording &recording, double mostToOpen, double mostToSwitch)
{
    const auto [side, layers, heads] = recording;
    const QTemporaryDir folder(QStringLiteral("bench_views_XXXXXX"));
    const QString path = folder.filePath(QStringLiteral("attention.safetensors"));
    if (!writeRecording(path, recording)) {
        std::fprintf(stderr, "bench_views: %s cannot be written\n", qUtf8Printable(path));
        return;
    }
    // A session file opens into the view that it was saved with.
    Session session = sessionFor(openFiles({ path.toStdString() }).value());
    for (const ViewRow &row : viewRows()) {
        session.view.shown = row.shown;
        const QString saved = folder.filePath(QStringLiteral("view.attn"));
        if (!saveSession(saved.toStdString(), session, {}))
            std::fprintf(stderr, "bench_views: %s cannot be written\n", qUtf8Printable(saved));
        Example example;
        report(side, (std::string(row.id) + ", open").c_str(), { open(example.window, saved, side) }, mostToOpen);
    }
    Example example;
    MainWindow &window = example.window;
    double whole = 0.0;
    double longest = 0.0;
    open(window, path, side, &whole, &longest);
    std::printf("views %5td  %-24s        %8.2f ms, at most %.1f ms without an answer\n", side, "all heads", whole, longest);
    settle(window);

    std::vector<Time> switches;
    for (int round = 0; round < 4; ++round) {
        for (const ViewRow &row : viewRows())
            switches.push_back(timed([&] { show(window, row); }));
    }
    report(side, "switch view", switches, mostToSwitch);
    std::minstd_rand random(3);
    const auto anyHead = [&, layerCount = layers, headCount = heads] {
        return HeadRef{ 0, static_cast<int>(random() % layerCount), static_cast<int>(random() % headCount), 0 };
    };
    for (const ViewRow &row : viewRows()) {
        show(window, row);
        settle(window);
        std::vector<Time> hovers;
        std::vector<Time> picks;
        std::vector<Time> toggles;
        for (int at = 0; at < repeats; ++at) {
            const Index query = static_cast<Index>(random()) % side;
            const Index key = static_cast<Index>(random()) % (query + 1);
            hovers.push_back(timed([&] { window.selection().setHovered(CellRef{ query, key }); }));
        }
        window.selection().setHovered(std::nullopt);
        for (int at = 0; at < repeats; ++at)
            picks.push_back(timed([&, head = anyHead()] { window.document().pickHead(head); }));
        // Two heads beside the picked one, by turns.
        const HeadRef others[] = { anyHead(), anyHead() };
        for (int at = 0; at < repeats; ++at) {
            Session next = window.document().session();
            next.view.moreHeads.assign(others, others + at % 3);
            toggles.push_back(timed([&] { window.document().edit(next, QStringLiteral("choose heads")); }));
        }
        report(side, (std::string(row.id) + ", hover").c_str(), hovers, 16.0);
        report(side, (std::string(row.id) + ", other head").c_str(), picks, 16.0);
        report(side, (std::string(row.id) + ", toggle head").c_str(), toggles, 16.0);
    }
    settle(window);
    std::printf("views %5td  %-24s        %8.1f MB above the example\n", side, "private memory", privateMegabytes() - example.megabytes);
    std::fflush(stdout);
}

} // namespace

/// Each argument is a recording; without any 64 and 512 tokens. With 2048 a file of 2.4 GB is written into the current folder, and removed.
int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QStringList arguments = QCoreApplication::arguments().mid(1);
    if (arguments.isEmpty())
        arguments = QStringList{ QStringLiteral("64"), QStringLiteral("512") };
    for (const QString &argument : arguments) {
        const auto recording = recordingOf(argument);
        if (!recording) {
            std::fprintf(stderr, "bench_views: %s is not a recording like 512 or 512:32x32\n", qUtf8Printable(argument));
            return 2;
        }
        const Index side = recording->side;
        measure(*recording, side <= 64 ? 200.0 : side <= 512 ? 1000.0 : 2000.0, side <= 64 ? 50.0 : 100.0);
    }
    return 0;
}
