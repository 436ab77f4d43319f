// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the map while it is panned, zoomed and hovered over at 60 frames per second, off screen: recorded weights, and long inputs from files.
#include "bench/map_frames.h"
#include "bench/scale_plot.h"
#include "core/parallel.h"
#include "io/bytes.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <malloc.h>
#include <stop_token>
#include <thread>

using namespace attenscope;
using namespace attenscope::bench;

namespace {

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

void report(const char *what, Index side, const FrameTimes &times)
{
    const auto &[passed, computed] = times;
    std::printf("map %6td  %-17s median %6.2f ms   99 %% %6.2f ms   most %6.2f ms   computed %6.2f %6.2f %6.2f%s\n", side, what,
        passed.median, passed.p99, passed.most, computed.median, computed.p99, computed.most,
        passed.p99 < 16.0 && passed.most < 50.0 ? "" : "   too long");
    std::fflush(stdout);
}

void reportAll(Index side, MapFrames &map)
{
    report("pan, a half", side, map.pan(0.5));
    report("pan, close", side, map.pan(std::min(0.5, 600.0 / static_cast<double>(side))));
    report("pan, with numbers", side, map.pan(std::min(0.5, 18.0 / static_cast<double>(side))));
    report("zoom", side, map.zoom());
    report("hover", side, map.hover());
}

/// How long reading a tile takes to end once it is outdated.
void reportCancel(Index side)
{
    AttentionBlock block = normalBlock(side);
    const auto operands = headOperands(block, {}, {});
    if (!operands)
        return;
    for (const int level : { 0, 3, 5, 7 }) {
        const Index cells = std::min(side, Index{ 256 } << level);
        const MapFieldPtr field = computedField(*operands, Stage::Weights, VectorF::Constant(side, std::log(static_cast<float>(side))));
        Item item;
        for (int attempt = 0; attempt < 25; ++attempt) {
            std::stop_source stop;
            std::atomic<double> end = 0.0;
            std::jthread reader([&] {
                MatrixF out;
                static_cast<void>(field->read({ { 0, cells }, { 0, cells } }, level, Fold::Max, out, { stop.get_token(), {} }));
                end = now(Clock::Wall);
            });
            std::this_thread::sleep_for(std::chrono::milliseconds(1 + attempt));
            const double start = now(Clock::Wall);
            stop.request_stop();
            reader.join();
            item.seconds.push_back(std::max(0.0, end - start));
        }
        std::printf("map %6td  outdated tile of level %d ends after median %.2f ms, most %.2f ms\n", side, level, 1e3 * item.median(),
            1e3 * item.quantile(1.0));
    }
}

/// Bytes of a long input that are in memory: small files are read whole, of others nothing is kept.
double heldBytes(Index side)
{
    const auto bytes = static_cast<std::uint64_t>(side) * 3 * 64 * sizeof(float);
    return bytes < wholeFileLimit ? static_cast<double>(bytes) : 0.0;
}

/// A file of this length in the map, and whether the program stays within the memory that it may take beside the file.
void reportLong(Index side)
{
    malloc_trim(0);
    forgetPeak();
    MapFrames map(longSession(side, true), side);
    if (!map.isReady()) {
        std::printf("map %6td  cannot be opened\n", side);
        return;
    }
    std::printf("map %6td  first picture after %.2f s, all of it exact after %.2f s\n", side, map.firstPicture(), map.allExact());
    reportAll(side, map);
    const double input = heldBytes(side) / 1e6;
    const double most = static_cast<double>(statusBytes("VmHWM:")) / 1e6;
    const double limit = side <= 32768 ? 200.0 : 400.0;
    std::printf(
        "map %6td  memory: at most %.0f MB (own %.0f, files %.0f, shared %.0f); %.0f of them the input: %.0f MB above it, %s %.0f\n", side,
        most, map.memory().own, map.memory().files, map.memory().shared, input, most - input, most - input < limit ? "below" : "NOT below",
        limit);
    reportCancel(side);
}

/// Causal against unmasked side by side, and their difference.
void reportComparison(Index side)
{
    Session session = longSession(side, true);
    session.comparison = withCausalMask(session.mechanism, false);
    MapFrames map(std::move(session), side);
    if (!map.isReady())
        return;
    std::printf("map %6td  compared: first picture after %.2f s, all of it exact after %.2f s\n", side, map.firstPicture(), map.allExact());
    report("three maps, pan", side, map.pan(0.5));
    report("  close", side, map.pan(600.0 / static_cast<double>(side)));
    report("  with numbers", side, map.pan(18.0 / static_cast<double>(side)));
    report("  zoom", side, map.zoom());
}

/// For bench_scale: the map of a file of this length, and the memory of the process.
ScalePoint measureWindow(Index n)
{
    ScalePoint point;
    point.n = n;
    MapFrames map(longSession(n, true), n);
    if (!map.isReady())
        return point;
    point.frame = std::max(map.pan(0.5).passed.median, map.zoom().passed.median) / 1e3;
    point.program = static_cast<double>(statusBytes("VmHWM:")) / 1e6;
    point.picture = map.firstPicture();
    return point;
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    letHelpersGiveWay();
    if (argc == 2) {
        std::fputs(toText(measureWindow(std::atol(argv[1]))).c_str(), stdout);
        return 0;
    }
    // "at 32768": nothing but maps of this length.
    const Index only = argc > 2 ? std::atol(argv[2]) : 0;
    // Long ones first: memory that others had and gave back would count.
    for (const Index side : { 32768, 131072 }) {
        if (only == 0 || only == side)
            reportLong(side);
    }
    if (only == 0 || only == 32768)
        reportComparison(32768);
    for (const Index side : { 64, 512, 4096 }) {
        if (only != 0 && only != side)
            continue;
        MapFrames map(recordedSession(side), side);
        reportAll(side, map);
    }
    return 0;
}
