// SPDX-License-Identifier: GPL-3.0-or-later
// The plot of bench_scale, drawn as SVG.
#include "bench/scale_plot.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace attenscope::bench {

namespace {

constexpr std::array members{ &ScalePoint::full, &ScalePoint::overview, &ScalePoint::causal, &ScalePoint::causalOverview,
    &ScalePoint::oneThread, &ScalePoint::tile, &ScalePoint::frame, &ScalePoint::memory, &ScalePoint::picture, &ScalePoint::program };

struct Curve {
    double ScalePoint::*value;
    double factor; ///< To the unit of the axis.
    const char *name;
    const char *color;
    double nameShift = 0.0; ///< Of the label, so that those of close curves do not touch.
};

/// A logarithmic chart at a place of the picture.
struct Panel {
    double left;
    double right;
    double least; ///< Powers of ten.
    double most;
    const char *title;

    static constexpr double top = 56.0;
    static constexpr double bottom = 324.0;

    [[nodiscard]] double x(double n) const { return left + (right - left) * (std::log2(n) - 10.0) / 7.0; }
    [[nodiscard]] double y(double value) const { return bottom - (bottom - top) * (std::log10(value) - least) / (most - least); }
};

std::string number(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

std::string text(double x, double y, const std::string &words, const char *style)
{
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + style + ">" + words + "</text>\n";
}

std::string tickText(int power, const char *unit)
{
    constexpr std::array names{ "0.01", "0.1", "1", "10", "100", "1,000", "10,000", "100,000" };
    return std::string(names.at(static_cast<std::size_t>(power + 2))) + " " + unit;
}

std::string draw(const Panel &panel, const char *unit, const std::vector<Curve> &curves, const std::vector<ScalePoint> &points)
{
    std::string svg = text(panel.left, 32, panel.title, "font-weight=\"600\"");
    for (int power = static_cast<int>(panel.least); power <= static_cast<int>(panel.most); ++power) {
        const double y = panel.y(std::pow(10.0, power));
        svg += "<path d=\"M" + number(panel.left) + " " + number(y) + "H" + number(panel.right) + "\" stroke=\"#e3e5e8\"/>\n";
        svg += text(panel.left - 8, y + 4, tickText(power, unit), "text-anchor=\"end\" fill=\"#5f6670\"");
    }
    for (const auto &[n, name] : { std::pair{ 1024.0, "1,024" }, { 8192.0, "8,192" }, { 32768.0, "32,768" }, { 131072.0, "131,072" } })
        svg += text(panel.x(n), Panel::bottom + 22, name, "text-anchor=\"middle\" fill=\"#5f6670\"");
    svg += text((panel.left + panel.right) / 2, Panel::bottom + 44, "tokens", "text-anchor=\"middle\" fill=\"#5f6670\"");
    for (const Curve &curve : curves) {
        std::string path;
        std::string dots;
        double last = 0.0;
        for (const ScalePoint &point : points) {
            const double value = point.*curve.value * curve.factor;
            if (value <= 0.0)
                continue;
            last = panel.y(std::max(value, std::pow(10.0, panel.least)));
            const double x = panel.x(static_cast<double>(point.n));
            path += (path.empty() ? "M" : "L") + number(x) + " " + number(last);
            dots += "<circle cx=\"" + number(x) + "\" cy=\"" + number(last) + "\" r=\"2.5\" fill=\"" + curve.color + "\"/>\n";
        }
        if (path.empty())
            continue; // Not measured.
        svg += "<path d=\"" + path + "\" fill=\"none\" stroke-width=\"2\" stroke=\"" + curve.color + "\"/>\n" + dots;
        svg += text(panel.right + 10, last + 4 + curve.nameShift, curve.name, (std::string("fill=\"") + curve.color + "\"").c_str());
    }
    return svg;
}

} // namespace

std::string toText(const ScalePoint &point)
{
    std::ostringstream text;
    text << point.n;
    for (const auto member : members)
        text << ' ' << point.*member;
    return text.str() + "\n";
}

std::optional<ScalePoint> fromText(const std::string &text)
{
    std::istringstream numbers(text);
    ScalePoint point;
    numbers >> point.n;
    for (const auto member : members)
        numbers >> point.*member;
    return numbers ? std::optional(point) : std::nullopt;
}

bool writeScalePlot(const std::string &path, const std::vector<ScalePoint> &points)
{
    const Panel times{ 84, 392, -1, 5, "Time" };
    const Panel memory{ 652, 892, 0, 4, "Memory" };
    // A whole map of 32-bit weights, for comparison.
    std::vector<ScalePoint> maps;
    for (ScalePoint point : points) {
        point.memory = 4e-6 * static_cast<double>(point.n) * static_cast<double>(point.n);
        if (point.memory <= 1e4)
            maps.push_back(point);
    }
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1060 384\" width=\"1060\" height=\"384\" "
                      "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#1d2126\">\n"
                      "<rect width=\"1060\" height=\"384\" fill=\"#ffffff\"/>\n";
    svg += draw(times, "ms",
        { { &ScalePoint::overview, 1e3, "pass with overview", "#b4540a", -9 }, { &ScalePoint::full, 1e3, "pass", "#1f5fbf", 4 },
            { &ScalePoint::causal, 1e3, "pass, causal", "#1f8a70", 14 },
            { &ScalePoint::tile, 1e3, "a tile of 1024 × 768 cells", "#7a4fb5" },
            { &ScalePoint::frame, 1e3, "a frame while panning", "#8a8f98" } },
        points);
    svg += draw(memory, "MB",
        { { &ScalePoint::memory, 1.0, "the pass", "#1f5fbf" }, { &ScalePoint::program, 1.0, "the whole program", "#b4540a" } }, points);
    const double most = maps.empty() ? 0.0 : memory.y(maps.back().memory);
    std::string path2;
    for (const ScalePoint &point : maps)
        path2 += (path2.empty() ? "M" : "L") + number(memory.x(static_cast<double>(point.n))) + " " + number(memory.y(point.memory));
    svg += "<path d=\"" + path2 + "\" fill=\"none\" stroke=\"#8a8f98\" stroke-dasharray=\"4 4\"/>\n";
    if (!maps.empty())
        svg += text(memory.x(static_cast<double>(maps.back().n)) - 8, most, "all weights", "text-anchor=\"end\" fill=\"#5f6670\"");
    svg += "</svg>\n";
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    std::ofstream file(path);
    file << svg;
    return static_cast<bool>(file.flush());
}

} // namespace attenscope::bench
