// SPDX-License-Identifier: GPL-3.0-or-later
// Writing maps as CSV, JSON, NPY and NPZ.
#include "io/numbers_file.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/text.h"
#include "io/atomic_file.h"
#include "io/npy.h"

#include <algorithm>
#include <array>
#include <functional>

namespace attenscope {

namespace {

/// 17 digits, a sign, a point, an exponent and a separator.
constexpr std::uint64_t textBytesPerNumber = 25;
constexpr std::uint64_t mostTextBytes = 4'000'000'000;

Index rowsOf(const MapNumbers &map)
{
    return map.cells().rows.size();
}

Index colsOf(const MapNumbers &map)
{
    return map.cells().cols.size();
}

std::uint64_t cellsOf(const MapNumbers &map)
{
    return saturatingProduct(
        saturatingProduct(static_cast<std::uint64_t>(rowsOf(map)), static_cast<std::uint64_t>(colsOf(map))), map.fields.size());
}

std::string nameAt(const std::vector<std::string> &names, Index position)
{
    const auto place = static_cast<std::size_t>(position);
    return place < names.size() ? names[place] : std::to_string(position);
}

Index positionAt(const std::vector<Index> &positions, Index place)
{
    return static_cast<std::size_t>(place) < positions.size() ? positions[static_cast<std::size_t>(place)] : place;
}

std::string csvText(const std::string &text)
{
    const bool isPlain = text.find_first_of(",;\"\t\r\n") == std::string::npos && text == shortened(text, text.size() + 1)
        && !text.starts_with(' ') && !text.ends_with(' ');
    if (isPlain)
        return text;
    std::string quoted = "\"";
    for (const char letter : text)
        quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + '"';
}

/// The name of a row or column; of a part of a map with the position, which cannot be counted there.
std::string csvName(const MapNumbers &map, const std::vector<std::string> &names, const std::vector<Index> &positions, Index place)
{
    const std::string position = std::to_string(positionAt(positions, place));
    if (static_cast<std::size_t>(place) >= names.size())
        return csvText(position);
    return csvText(map.region ? position + ' ' + nameAt(names, place) : nameAt(names, place));
}

std::string jsonText(const std::string &text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\')
            quoted += '\\';
        if (code < 0x20U)
            (quoted += "\\u00").append({ digits[code >> 4U], digits[code & 15U] });
        else
            quoted += letter;
    }
    return quoted + '"';
}

std::string jsonList(const std::vector<std::string> &names, const Range &range)
{
    std::string list = "[";
    for (Index position = range.first; position < range.end; ++position)
        list += (position == range.first ? "" : ", ") + jsonText(nameAt(names, position));
    return list + "]";
}

std::string jsonList(const std::vector<Index> &numbers, const Range &range)
{
    std::string list = "[";
    for (Index place = range.first; place < range.end; ++place)
        (list += place == range.first ? "" : ", ") += std::to_string(positionAt(numbers, place));
    return list + "]";
}

/// Masked and absent cells are left empty.
std::string csvCell(double cell)
{
    return cell::isHidden(cell) ? std::string() : exactNumber(cell);
}

/// As Python reads it.
std::string jsonCell(double cell)
{
    switch (cell::kind(cell)) {
    case cell::Kind::Masked:
    case cell::Kind::Absent:
        return "null";
    case cell::Kind::Nan:
        return "NaN";
    case cell::Kind::Number:
        break;
    }
    return std::isinf(cell) ? (cell > 0 ? "Infinity" : "-Infinity") : exactNumber(cell);
}

/// Calls @p visit(field, row, cells) for every row that is written of every map. Rows are read by all threads, some at a time: an exact one of a long
/// map looks at all of its keys.
Result<void> forEachRow(
    const MapNumbers &map, const Run &run, const std::function<bool(std::size_t, Index, std::span<const double>)> &visit)
{
    constexpr Index mostRows = 32;
    constexpr Index mostCells = Index{ 1 } << 22;
    const CellRect region = map.cells();
    const Index cols = colsOf(map);
    const Index rowsAtOnce = std::clamp<Index>(mostCells / std::max<Index>(cols, 1), 1, mostRows);
    Matrix cells(std::min(rowsAtOnce, rowsOf(map)), cols);
    const auto cellsOfRow = [&](Index place) { return std::span(cells.data() + place * cols, static_cast<std::size_t>(cols)); };
    const auto rows = static_cast<double>(std::max<Index>(rowsOf(map), 1)) * static_cast<double>(map.fields.size());
    double done = 0;
    for (std::size_t field = 0; field < map.fields.size(); ++field) {
        for (Index first = region.rows.first; first < region.rows.end; first += rowsAtOnce) {
            const Index count = std::min(rowsAtOnce, region.rows.end - first);
            parallelFor(count, [&](Index place) {
                if (!run.stopped())
                    map.fields[field]->row(first + place, region.cols.first, cellsOfRow(place));
            });
            if (run.stopped())
                return Error::cancelled();
            for (Index place = 0; place < count; ++place)
                if (!visit(field, first + place, cellsOfRow(place)))
                    return {};
            done += static_cast<double>(count);
            run.report(done / rows);
        }
    }
    return {};
}

Result<void> writeCsv(const MapNumbers &map, const Run &run, const Sink &sink)
{
    const bool hasHeads = map.fields.size() > 1;
    std::string header = map.isOfHeads ? "head" : hasHeads ? "head,query" : "query";
    const Range cols = map.cells().cols;
    for (Index col = cols.first; col < cols.end; ++col)
        (header += ',') += csvName(map, map.colNames, map.colPositions, col);
    sink(header + "\n");
    return forEachRow(map, run, [&](std::size_t field, Index row, std::span<const double> cells) {
        std::string line = hasHeads ? csvText(nameAt(map.headNames, static_cast<Index>(field))) + "," : std::string();
        line += csvName(map, map.rowNames, map.rowPositions, row);
        for (const double cell : cells)
            (line += ',') += csvCell(cell);
        return sink(line += '\n');
    });
}

Result<void> writeJson(const MapNumbers &map, const Run &run, const Sink &sink)
{
    std::string start = "{\"stage\": " + jsonText(map.stage) + ",\n";
    if (!map.notes.empty())
        start += "\"notes\": " + jsonList(map.notes, { 0, static_cast<Index>(map.notes.size()) }) + ",\n";
    const CellRect region = map.cells();
    start += "\"heads\": " + jsonList(map.headNames, { 0, static_cast<Index>(map.fields.size()) }) + ",\n";
    const std::array axes = map.isOfHeads ? std::array{ "rows", "columns" } : std::array{ "queries", "keys" };
    if (map.region) {
        start += "\"first query\": " + std::to_string(positionAt(map.rowPositions, region.rows.first)) + ",\n";
        start += "\"first key\": " + std::to_string(positionAt(map.colPositions, region.cols.first)) + ",\n";
    }
    if (!map.rowPositions.empty())
        start += "\"query positions\": " + jsonList(map.rowPositions, region.rows) + ",\n";
    if (!map.colPositions.empty())
        start += "\"key positions\": " + jsonList(map.colPositions, region.cols) + ",\n";
    start += jsonText(axes[0]) + ": " + jsonList(map.rowNames, region.rows) + ",\n";
    start += jsonText(axes[1]) + ": " + jsonList(map.colNames, region.cols) + ",\n";
    sink(start + jsonText(map.stage) + ": [");
    auto written = forEachRow(map, run, [&](std::size_t field, Index row, std::span<const double> cells) {
        const bool isFirstOfLayer = map.layers > 1 && field % (map.fields.size() / static_cast<std::size_t>(map.layers)) == 0;
        std::string line = ",\n[";
        if (row == region.rows.first)
            line = std::string(field == 0 ? "" : isFirstOfLayer ? "]],\n" : "],\n").append(isFirstOfLayer ? "[[\n[" : "[\n[");
        for (std::size_t col = 0; col < cells.size(); ++col)
            (line += col == 0 ? "" : ", ") += jsonCell(cells[col]);
        return sink(line += ']');
    });
    sink(map.fields.empty() ? "]}\n" : map.layers > 1 ? "]]]}\n" : "]]}\n");
    return written;
}

Result<void> checkTextSize(const MapNumbers &map)
{
    const std::uint64_t bytes = fileBytes(NumbersFormat::Csv, map);
    if (bytes <= mostTextBytes)
        return {};
    return Error{ "As text these numbers would take " + byteSize(bytes) + ".", "At most " + byteSize(mostTextBytes) + " are written.",
        std::string("Choose ") + (map.fields.size() > 1 ? "one head or " : "") + "a region, or save them as .npy.", {} };
}

NumbersArray arrayOf(const MapNumbers &map)
{
    NumbersArray array;
    array.name = map.stage;
    const Index heads = static_cast<Index>(map.fields.size()) / map.layers;
    if (map.layers > 1)
        array.shape.push_back(map.layers);
    if (map.fields.size() > 1)
        array.shape.push_back(heads);
    array.shape.push_back(rowsOf(map));
    array.shape.push_back(colsOf(map));
    return array;
}

double plainCell(double cell)
{
    return cell::kind(cell) == cell::Kind::Number ? cell : std::numeric_limits<double>::quiet_NaN();
}

Result<void> writeMapNpy(const std::string &path, const MapNumbers &map, const Run &run)
{
    return writeFile(path, [&](const Sink &sink) {
        sink(npyHeader(arrayOf(map).shape));
        return forEachRow(map, run, [&sink](std::size_t, Index, std::span<const double> cells) {
            std::vector<double> plain(cells.size());
            std::transform(cells.begin(), cells.end(), plain.begin(), plainCell);
            return sink(littleEndian(plain));
        });
    });
}

Result<void> writeMapNpz(const std::string &path, const MapNumbers &map, const Run &run)
{
    NumbersArray array = arrayOf(map);
    array.numbers.reserve(cellsOf(map));
    auto collected = forEachRow(map, run, [&array](std::size_t, Index, std::span<const double> cells) {
        std::transform(cells.begin(), cells.end(), std::back_inserter(array.numbers), plainCell);
        return true;
    });
    if (!collected)
        return collected.error();
    std::vector<NumbersArray> arrays{ std::move(array) };
    const auto addNames = [&](const char *name, const std::vector<std::string> &names, const Range &range) {
        if (static_cast<Index>(names.size()) >= range.end)
            arrays.push_back({ name, {}, {}, { names.begin() + range.first, names.begin() + range.end } });
    };
    addNames(map.isOfHeads ? "rows" : "query_tokens", map.rowNames, map.cells().rows);
    if (map.fields.empty() || map.fields.front()->columns() == Columns::Keys)
        addNames(map.isOfHeads ? "columns" : "key_tokens", map.colNames, map.cells().cols);
    return writeNpz(path, arrays, run);
}

} // namespace

CellRect MapNumbers::cells() const
{
    if (fields.empty())
        return {};
    return region.value_or(CellRect{ { 0, fields.front()->rows() }, { 0, fields.front()->cols() } });
}

std::uint64_t fileBytes(NumbersFormat format, const MapNumbers &map)
{
    const bool isText = format == NumbersFormat::Csv || format == NumbersFormat::Json;
    return saturatingProduct(cellsOf(map), isText ? textBytesPerNumber : sizeof(double));
}

Result<void> checkNumbers(NumbersFormat format, const MapNumbers &map)
{
    switch (format) {
    case NumbersFormat::Csv:
    case NumbersFormat::Json:
        return checkTextSize(map);
    case NumbersFormat::Npz:
        return checkMemory(fileBytes(format, map), "Saving the numbers as .npz");
    case NumbersFormat::Npy:
        break;
    }
    return {};
}

Result<std::string> mapCsv(const MapNumbers &map, const Run &run)
{
    if (auto fits = checkTextSize(map); !fits)
        return fits.error();
    if (auto enough = checkMemory(saturatingProduct(cellsOf(map), textBytesPerNumber), "Copying the numbers"); !enough)
        return enough.error();
    std::string text;
    auto written = writeCsv(map, run, [&text](const std::string &piece) {
        text += piece;
        return true;
    });
    if (!written)
        return written.error();
    return text;
}

Result<void> writeMap(const std::string &path, NumbersFormat format, const MapNumbers &map, const Run &run)
{
    if (const Result<void> possible = checkNumbers(format, map); !possible)
        return possible.error().at(path);
    if (Result<void> fits = checkDisk(path, fileBytes(format, map), "Choose a region, or another place."); !fits)
        return fits;
    switch (format) {
    case NumbersFormat::Npy:
        return writeMapNpy(path, map, run);
    case NumbersFormat::Npz:
        return writeMapNpz(path, map, run);
    case NumbersFormat::Csv:
    case NumbersFormat::Json:
        break;
    }
    return writeFile(
        path, [&](const Sink &sink) { return format == NumbersFormat::Csv ? writeCsv(map, run, sink) : writeJson(map, run, sink); });
}

} // namespace attenscope
