// SPDX-License-Identifier: GPL-3.0-or-later
// Understanding tables of numbers.
#include "io/number_table.h"

#include "core/memory.h"
#include "core/text.h"
#include "io/number_text.h"
#include "io/table_cells.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace attenscope {

namespace {

using Cells = std::vector<std::string_view>;

/// How a text is to be read.
struct TableStyle {
    char delimiter = ',';
    bool hasHeader = false;
    bool hasNames = false;
    bool hasHeads = false; ///< A column with the head in front of the names.

    [[nodiscard]] std::size_t nameCols() const { return hasHeads ? 2 : hasNames ? 1 : 0; }
};

/// Rows by which the style is judged.
constexpr std::size_t sampleRows = 64;

/// What stands between the quotes of a quoted cell, if there are any.
std::string_view withoutQuotes(std::string_view cell)
{
    const bool isQuoted = cell.size() > 1 && cell.front() == '"' && cell.back() == '"';
    return isQuoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

/// A number with either decimal mark; with commas between cells only a point can be one.
bool isNumber(std::string_view cell, char delimiter)
{
    const auto reads = [number = withoutQuotes(cell)](char mark) {
        const NumberKind kind = parseNumber(number, mark).kind;
        return kind == NumberKind::Number || kind == NumberKind::TooLarge;
    };
    return reads('.') || (delimiter != ',' && reads(','));
}

bool isText(std::string_view cell, char delimiter)
{
    return !cell.empty() && !isNumber(cell, delimiter);
}

std::vector<Cells> sampleOf(std::string_view text, char delimiter)
{
    CellReader reader(text, delimiter);
    std::vector<Cells> rows;
    Cells cells;
    while (rows.size() < sampleRows && reader.next(cells))
        rows.push_back(cells);
    return rows;
}

/// What spreadsheets and our own exports write into the corner above row names.
bool isCornerName(std::string_view cell)
{
    const std::string text = cellText(cell);
    return text == "query" || text == "token" || text == "index";
}

TableStyle styleOf(const std::vector<Cells> &rows, char delimiter)
{
    TableStyle style{ delimiter, false, false, false };
    if (rows.size() < 2)
        return style;
    const Cells &first = rows.front();
    if (first.size() > 2 && cellText(first[0]) == "head" && isCornerName(first[1]))
        return { delimiter, true, true, true };
    const auto isNamed = [delimiter](const Cells &row) { return row.size() > 1 && isText(row.front(), delimiter); };
    const bool hasFirstCells
        = std::all_of(rows.begin() + 1, rows.end(), [](const Cells &row) { return row.size() > 1 && !row.front().empty(); });
    const bool hasCorner = first.size() > 1 && hasFirstCells
        && (isCornerName(first.front())
            || (first.front().empty() && std::all_of(first.begin() + 1, first.end(), [](auto cell) { return !cell.empty(); })));
    const auto named = std::count_if(rows.begin() + 1, rows.end(), isNamed);
    style.hasNames = hasCorner || 2 * named > static_cast<std::ptrdiff_t>(rows.size()) - 1;

    const auto names = first.begin() + (style.hasNames && first.size() > 1 ? 1 : 0);
    const auto filled = std::count_if(names, first.end(), [](std::string_view cell) { return !cell.empty(); });
    const auto texts = std::count_if(names, first.end(), [delimiter](std::string_view cell) { return isText(cell, delimiter); });
    style.hasHeader = hasCorner || 2 * texts > filled;
    return style;
}

/// How well a delimiter explains a text.
struct Score {
    bool isClean = true; ///< Nothing but numbers where numbers should be.
    bool hasColumns = false;
    Index numbers = 0;
};

Score scoreOf(const std::vector<Cells> &rows, const TableStyle &style)
{
    Score score;
    for (std::size_t row = style.hasHeader ? 1 : 0; row < rows.size(); ++row) {
        for (std::size_t col = style.nameCols(); col < rows[row].size(); ++col) {
            if (isText(rows[row][col], style.delimiter))
                score.isClean = false;
            else if (!rows[row][col].empty())
                ++score.numbers;
        }
        score.hasColumns = score.hasColumns || rows[row].size() > 1;
    }
    score.isClean = score.isClean && score.numbers > 0;
    return score;
}

std::optional<TableStyle> bestStyle(std::string_view text)
{
    std::optional<TableStyle> best;
    Score bestScore;
    for (const char delimiter : { '\t', ';', ',', ' ' }) {
        const std::vector<Cells> rows = sampleOf(text, delimiter);
        const TableStyle style = styleOf(rows, delimiter);
        const Score score = scoreOf(rows, style);
        const auto rank
            = [](const Score &judged) { return std::tuple(judged.isClean, judged.hasColumns, judged.isClean ? 0 : judged.numbers); };
        if (score.numbers > 0 && (!best || rank(score) > rank(bestScore))) {
            best = style;
            bestScore = score;
        }
    }
    return best;
}

/// A cell of a table: @p line and @p cell in the text, from 1, and @p row and @p col in the matrix, from 0.
struct CellPlace {
    Index line = 1;
    std::size_t cell = 1;
    Index row = 0;
    std::size_t col = 0;

    [[nodiscard]] std::string text(TablePlaces places) const
    {
        return places == TablePlaces::Lines ? "line " + groupedCount(line) + ", cell " + groupedCount(static_cast<Index>(cell))
                                            : "row " + groupedCount(row) + ", column " + groupedCount(static_cast<Index>(col));
    }
};

/// A sentence: "Row 1, column 0 is ‘x’."
std::string placeText(const CellPlace &place, TablePlaces places, std::string_view cell)
{
    std::string text = place.text(places) + " is ‘" + shortened(cellText(cell), 40) + "’.";
    text.front() = places == TablePlaces::Lines ? 'L' : 'R';
    return text;
}

/// 1,234 or 12,345,678: digits in groups of three, and no leading zero.
bool looksGrouped(std::string_view digits)
{
    if (digits.starts_with('-') || digits.starts_with('+'))
        digits.remove_prefix(1);
    const std::size_t first = digits.find(',');
    if (first == 0 || first > 3 || digits.front() == '0')
        return false;
    for (std::size_t place = first; place < digits.size(); place += 4)
        if (digits[place] != ',' || digits.size() - place < 4
            || digits.substr(place + 1, 3).find_first_not_of("0123456789") != std::string_view::npos)
            return false;
    return true;
}

Result<char> decimalMark(std::string_view text, const TableStyle &style, TablePlaces places)
{
    if (style.delimiter == ',' || text.find(',') == std::string_view::npos)
        return '.';
    CellReader reader(text, style.delimiter);
    Cells cells;
    bool hasPoint = false;
    bool hasDecimal = false;
    std::string grouped;
    std::string comma;
    Index row = -1;
    for (bool isFirst = true; reader.next(cells); isFirst = false) {
        if (isFirst && style.hasHeader)
            continue;
        ++row;
        for (std::size_t col = style.nameCols(); col < cells.size(); ++col) {
            const CellPlace place{ reader.row(), col + 1, row, col - style.nameCols() };
            const std::string_view cell = withoutQuotes(cells[col]);
            if (cell.find_first_not_of("0123456789.,eE+-") != std::string_view::npos)
                continue;
            hasPoint = hasPoint || cell.find('.') != std::string_view::npos;
            if (cell.find(',') == std::string_view::npos)
                continue;
            if (comma.empty())
                comma = placeText(place, places, cell);
            if (!looksGrouped(cell) && cell.find('.') == std::string_view::npos)
                hasDecimal = true;
            else if (grouped.empty())
                grouped = placeText(place, places, cell);
        }
    }
    if (comma.empty())
        return '.';
    if (hasPoint || !hasDecimal) {
        return Error{ "A comma here may be a decimal mark or a thousands separator.", hasPoint && grouped.empty() ? comma : grouped,
            "Write the numbers without thousands separators, all with the same decimal mark.", {} };
    }
    return ',';
}

/// "11" of head "11·3" and of "decoder 11·3"; empty where the name has no layer.
std::string_view layerOf(std::string_view head)
{
    constexpr std::string_view dot = "·";
    const std::size_t at = head.rfind(dot);
    if (at == std::string_view::npos)
        return {};
    const auto isCount
        = [](std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; };
    const std::string_view before = head.substr(0, at);
    const std::string_view layer = before.substr(before.rfind(' ') + 1);
    return isCount(layer) && isCount(head.substr(at + dot.size())) ? layer : std::string_view();
}

/// How many layers @p heads are of, one after the other with as many heads each; 1 where their names do not say.
Index layersOf(const std::vector<std::string> &heads)
{
    std::vector<std::string_view> layers;
    std::vector<std::size_t> counts;
    for (const std::string &head : heads) {
        const std::string_view layer = layerOf(head);
        if (layer.empty())
            return 1;
        if (layers.empty() || layer != layers.back()) {
            if (std::find(layers.begin(), layers.end(), layer) != layers.end())
                return 1;
            layers.push_back(layer);
            counts.push_back(0);
        }
        ++counts.back();
    }
    const bool isEven = std::all_of(counts.begin(), counts.end(), [&counts](std::size_t count) { return count == counts.front(); });
    return isEven ? static_cast<Index>(layers.size()) : 1;
}

/// Fills a NumberTable row by row.
class TableBuilder {
public:
    TableBuilder(const TableStyle &style, char mark, Index mostNumbers, TablePlaces places)
        : m_style(style)
        , m_mark(mark)
        , m_mostNumbers(mostNumbers)
        , m_places(places)
    {
    }

    void addHeader(const Cells &cells)
    {
        for (const std::string_view cell : cells)
            m_table.colNames.push_back(cellText(cell));
        m_headerCells = cells.size();
    }

    Result<void> addRow(Cells &cells, Index line)
    {
        m_widest = std::max(m_widest, cells.size());
        const std::size_t first = m_style.nameCols();
        if (m_style.hasHeads)
            countHead(cellText(cells.front()));
        const Index row = m_style.hasHeads ? m_headRows.back() - 1 : m_table.rows();
        if (first > 0)
            m_table.rowNames.push_back(cells.size() < first ? std::string() : cellText(cells[first - 1]));
        while (cells.size() > first && cells.back().empty())
            cells.pop_back();
        for (std::size_t col = first; col < cells.size(); ++col)
            if (auto added = addCell(cells[col], { line, col + 1, row, col - first }); !added)
                return added.error();
        const auto length = static_cast<Index>(cells.size() - std::min(first, cells.size()));
        if (!m_table.rowLengths.empty() && length != m_table.rowLengths.front() && !m_table.isRagged())
            m_table.firstRagged = m_table.rows();
        m_table.rowLengths.push_back(length);
        return {};
    }

    Result<NumberTable> finish()
    {
        if (m_style.hasHeads) {
            const auto uneven
                = std::find_if(m_headRows.begin(), m_headRows.end(), [this](Index rows) { return rows != m_headRows.front(); });
            if (uneven != m_headRows.end())
                return Error{ "The heads have different numbers of rows.",
                    "The first one has " + groupedCount(m_headRows.front()) + ", another " + groupedCount(*uneven) + ".",
                    "Give every head the same rows.", {} };
            m_table.heads = static_cast<Index>(m_headRows.size());
            m_table.layers = layersOf(m_heads);
            m_table.rowNames.resize(static_cast<std::size_t>(m_headRows.front()));
        }
        // The corner above the row names is no name; some programs leave it out.
        if (m_style.hasNames && m_headerCells == m_widest && !m_table.colNames.empty())
            m_table.colNames.erase(m_table.colNames.begin(), m_table.colNames.begin() + static_cast<std::ptrdiff_t>(m_style.nameCols()));
        const auto cols = static_cast<std::size_t>(m_table.cols());
        if (m_table.colNames.size() > cols)
            m_table.colNames.resize(cols);
        return std::move(m_table);
    }

private:
    void countHead(std::string head)
    {
        if (m_heads.empty() || head != m_heads.back()) {
            m_headRows.push_back(0);
            m_heads.push_back(std::move(head));
        }
        ++m_headRows.back();
    }

    Result<void> addCell(std::string_view cell, const CellPlace &place)
    {
        ParsedNumber parsed = parseNumber(withoutQuotes(cell), m_mark);
        if (parsed.kind == NumberKind::Text)
            return Error{ "There is text where a number should be.", placeText(place, m_places, cell), "Write a number there.", {} };
        if (parsed.kind == NumberKind::TooLarge)
            return tooLargeNumber(placeText(place, m_places, cell));
        if (parsed.kind == NumberKind::Empty) {
            parsed.number = std::numeric_limits<double>::quiet_NaN();
            if (m_table.emptyCells++ == 0)
                m_table.firstEmpty = place.text(m_places);
        }
        if (static_cast<Index>(m_table.numbers.size()) == m_mostNumbers)
            return Error{ "The table has more than " + groupedCount(m_mostNumbers) + " numbers.", {}, "Save it as .npy and open that file.",
                {} };
        m_table.numbers.push_back(parsed.number);
        return {};
    }

    TableStyle m_style;
    char m_mark;
    Index m_mostNumbers;
    TablePlaces m_places;
    NumberTable m_table;
    std::vector<std::string> m_heads;
    std::vector<Index> m_headRows;
    std::size_t m_headerCells = 0;
    std::size_t m_widest = 0;
};

} // namespace

Index NumberTable::cols() const
{
    return rowLengths.empty() ? 0 : *std::max_element(rowLengths.begin(), rowLengths.end());
}

Result<std::vector<double>> paddedRows(std::vector<double> numbers, const std::vector<Index> &rowLengths)
{
    const Index widest = rowLengths.empty() ? 0 : *std::max_element(rowLengths.begin(), rowLengths.end());
    const std::uint64_t cells = saturatingProduct(rowLengths.size(), static_cast<std::uint64_t>(widest));
    if (cells == numbers.size())
        return numbers;
    if (auto enough = checkMemory(saturatingProduct(cells, sizeof(double)), "The table"); !enough)
        return enough.error();
    std::vector<double> padded;
    padded.reserve(cells);
    auto from = numbers.begin();
    for (const Index length : rowLengths) {
        padded.insert(padded.end(), from, from + length);
        padded.resize(padded.size() + static_cast<std::size_t>(widest - length), 0.0);
        from += length;
    }
    return padded;
}

Result<NumberTable> parseTable(std::string_view text, Index mostNumbers, TablePlaces places)
{
    const auto style = bestStyle(text);
    if (!style)
        return Error{ "There are no numbers in this text.", {}, "A table has one row of numbers per line.", {} };
    const auto mark = decimalMark(text, *style, places);
    if (!mark)
        return mark.error();
    TableBuilder builder(*style, *mark, mostNumbers, places);
    CellReader reader(text, style->delimiter);
    Cells cells;
    for (bool isFirst = true; reader.next(cells); isFirst = false) {
        if (isFirst && style->hasHeader)
            builder.addHeader(cells);
        else if (auto added = builder.addRow(cells, reader.row()); !added)
            return added.error();
    }
    return builder.finish();
}

} // namespace attenscope
