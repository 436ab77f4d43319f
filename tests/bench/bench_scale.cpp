// SPDX-License-Identifier: GPL-3.0-or-later
// How time and memory grow with the tokens, 1,024 to 131,072: the pass, the overview, a tile, a frame; and the plot of it.
#include "attention/field.h"
#include "attention/stream.h"
#include "bench/measure.h"
#include "bench/scale_plot.h"

#include <malloc.h>

#include <cstdio>
#include <filesystem>

using namespace attenscope;
using namespace attenscope::bench;

namespace {

constexpr double mega = 1e6;

/// The engine at one length.
ScalePoint measureEngine(Index n)
{
    const AttentionBlock block = normalBlock(n);
    ScalePoint point;
    point.n = n;
    const auto operandsOf = [&block](bool isCausal) {
        AttentionSpec spec;
        spec.mask.rule = isCausal ? MaskRule::Causal : MaskRule::None;
        return headOperands(block, spec, {}).value();
    };
    const auto full = operandsOf(false);
    const auto causal = operandsOf(true);
    const int all = threadCount();
    const auto pass = [](const auto &operands, Index overview) {
        return [operands, overview] { static_cast<void>(stream(*operands, { true, overview })); };
    };
    std::vector<Item> items{ { pass(full, 0), all }, { pass(full, 1024), all }, { pass(causal, 0), all }, { pass(causal, 1024), all } };
    // Long ones are nearly their own average; short ones are repeated more.
    const int rounds = n >= 16384 ? 3 : 9;
    malloc_trim(0);
    const std::uint64_t before = statusBytes("VmRSS:");
    forgetPeak();
    interleave(items, rounds, Clock::Wall, n >= 65536 ? 0 : 1);
    point.memory = static_cast<double>(statusBytes("VmHWM:") - before) / mega;
    point.full = items[0].median();
    point.overview = items[1].median();
    point.causal = items[2].median();
    point.causalOverview = items[3].median();
    if (n <= 32768) {
        std::vector<Item> single{ { pass(full, 0), 1 } };
        interleave(single, n >= 16384 ? 1 : 5, Clock::Wall, n >= 16384 ? 0 : 1);
        point.oneThread = single[0].median();
    }
    setThreadCount(0);
    const MapFieldPtr field = computedField(full, Stage::Weights, stream(*full, { false, 0 }).value().logSumExp);
    const CellRect tile{ { n / 2, std::min(n, n / 2 + 768) }, { 0, std::min<Index>(n, 1024) } };
    MatrixF cells;
    std::vector<Item> tiles{ { [&] { field->read(tile, 0, Fold::Max, cells); }, all } };
    interleave(tiles, 21, Clock::Wall);
    point.tile = tiles[0].median();
    return point;
}

/// What a program prints; nothing if it fails.
std::optional<ScalePoint> ofProgram(const std::string &command)
{
    FILE *pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (!pipe)
        return std::nullopt;
    std::string text;
    for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
        text += static_cast<char>(letter);
    return pclose(pipe) == 0 ? fromText(text) : std::nullopt;
}

void print(const ScalePoint &point)
{
    std::printf("%7td %9.2f %9.2f %9.2f %6.2f %6.2f ", point.n, 1e3 * point.full, 1e3 * point.causal, 1e3 * point.overview,
        point.causal / point.full, point.overview / point.full);
    if (point.oneThread > 0.0)
        std::printf("%6.2f", point.oneThread / point.full);
    else
        std::printf("%6s", "-");
    std::printf(" %8.2f %8.1f %8.2f %8.2f %8.0f\n", 1e3 * point.tile, point.memory, 1e3 * point.frame, point.picture, point.program);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 2) {
        std::fputs(toText(measureEngine(std::atol(argv[1]))).c_str(), stdout);
        return 0;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf("one head, 64 wide, %d threads; times in ms, memory in MB, at most\n\n", threadCount());
    std::printf("%7s %9s %9s %9s %6s %6s %6s %8s %8s %8s %8s %8s\n", "n", "pass", "causal", "overview", "c/f", "o/p", "1t/all", "tile",
        "memory", "frame", "open, s", "program");
    // Each length in processes of its own, so that the peak of memory is that length's; the window where it was built.
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string window = (self.parent_path() / "bench_map").string();
    std::vector<ScalePoint> points;
    for (Index n = 1024; n <= 131072; n *= 2) {
        auto point = ofProgram("'" + self.string() + "' " + std::to_string(n));
        if (!point) {
            std::printf("%7td failed\n", n);
            continue;
        }
        if (const auto shown = ofProgram("'" + window + "' " + std::to_string(n))) {
            point->frame = shown->frame;
            point->program = shown->program;
            point->picture = shown->picture;
        }
        print(*point);
        points.push_back(*point);
    }
    const std::string path = ATTENSCOPE_SOURCE "/docs/images/scale.svg";
    if (!writeScalePlot(path, points))
        std::printf("The plot cannot be written to %s.\n", path.c_str());
    return 0;
}
