// SPDX-License-Identifier: GPL-3.0-or-later
// A tolerant reader of nested brackets.
#include "io/bracket_numbers.h"

#include "core/text.h"
#include "io/number_text.h"

#include <algorithm>
#include <optional>
#include <string>

namespace attenscope {

namespace {

constexpr int maxDepth = 16;
constexpr std::string_view spaces = " \t\r\n\v\f";
constexpr std::string_view separators = " \t\r\n\v\f,;[]()";

bool isWordLetter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || letter == '_'
        || letter == '.';
}

/// What stands before the bracket of an array.
struct Opening {
    std::size_t bracket = 0; ///< Place of the array's own bracket.
    bool isCall = false; ///< It is inside the parentheses of a call.
};

/// name = np.array([ …; any part may be missing.
std::optional<Opening> openingOf(std::string_view text, std::size_t place)
{
    const auto skipSpace = [&] { place = std::min(text.find_first_not_of(spaces, place), text.size()); };
    const auto skipWord = [&] {
        const std::size_t start = place;
        while (place < text.size() && isWordLetter(text[place]))
            ++place;
        return place > start && !(text[start] >= '0' && text[start] <= '9');
    };
    skipSpace();
    std::size_t start = place;
    bool hasWord = skipWord();
    skipSpace();
    if (hasWord && place < text.size() && text[place] == '=') {
        ++place;
        skipSpace();
        start = place;
        hasWord = skipWord();
        skipSpace();
    }
    if (place >= text.size() || (text[place] != '[' && text[place] != '(') || (!hasWord && place != start))
        return std::nullopt;
    if (!hasWord || text[place] == '[')
        return hasWord ? std::nullopt : std::optional(Opening{ place, false });
    ++place;
    skipSpace();
    if (place < text.size() && (text[place] == '[' || text[place] == '('))
        return Opening{ place, true };
    return std::nullopt;
}

/// One array: its numbers in C order and its shape.
struct BracketArray {
    std::vector<double> numbers;
    std::vector<Index> shape;
    bool isTransposed = false;
};

class BracketReader {
public:
    BracketReader(std::string_view text, Opening opening)
        : m_text(text)
        , m_place(opening.bracket)
        , m_isCall(opening.isCall)
    {
    }

    Result<BracketArray> read()
    {
        if (auto list = readList(0); !list)
            return list.error();
        if (auto shaped = finishShape(); !shaped)
            return shaped.error();
        if (m_place < m_text.size() && m_text[m_place] == '\'') {
            m_array.isTransposed = true;
            ++m_place;
        }
        if (m_isCall)
            skipArguments();
        return std::move(m_array);
    }

    [[nodiscard]] std::size_t place() const { return m_place; }

private:
    /// Positions count from 0, as those of the matrix that it becomes.
    [[nodiscard]] std::string placeSentence() const { return "Row " + groupedCount(m_row) + ", column " + groupedCount(m_col) + "."; }
    Error errorAt(std::string what, std::string remedy) const { return { std::move(what), placeSentence(), std::move(remedy), {} }; }

    /// Reads from an opening bracket to behind its closing one.
    Result<void> readList(int depth)
    {
        if (depth == maxDepth)
            return Error{ "Brackets are nested too deep.", {}, "Paste a table of numbers, or one table per head.", {} };
        const char closing = m_text[m_place] == '[' ? ']' : ')';
        ++m_place;
        Index items = 0;
        Index numbers = 0;
        m_col = 0;
        for (;;) {
            const std::size_t gap = m_place;
            m_place = std::min(m_text.find_first_not_of(spaces, m_place), m_text.size());
            if (m_place == m_text.size())
                return Error{ "A bracket is not closed.", {}, "Copy the whole print.", {} };
            const bool isNewLine = m_text.substr(gap, m_place - gap).find('\n') != std::string_view::npos;
            const char letter = m_text[m_place];
            if (isNewLine && numbers > 0 && items == 0 && !m_followsComma)
                m_breaks.push_back(m_array.numbers.size());
            m_followsComma = false;
            if (letter == ']' || letter == ')') {
                if (letter != closing)
                    return errorAt("Brackets do not match.", "Copy the whole print.");
                ++m_place;
                return closeList(depth, items, numbers);
            }
            if (letter == ',') {
                ++m_place;
                m_followsComma = true;
            } else if (letter == ';') {
                ++m_place;
                m_semicolons.push_back(m_array.numbers.size());
            } else if (letter == '[' || letter == '(') {
                if (numbers > 0)
                    return errorAt("Numbers stand beside lists.", "All lists of an array are nested equally deep.");
                if (auto list = readList(depth + 1); !list)
                    return list.error();
                ++items;
            } else {
                if (items > 0)
                    return errorAt("Numbers stand beside lists.", "All lists of an array are nested equally deep.");
                if (auto number = readNumber(); !number)
                    return number.error();
                ++numbers;
            }
        }
    }

    Result<void> readNumber()
    {
        const std::size_t end = std::min(m_text.find_first_of(separators, m_place), m_text.size());
        const std::string_view word = m_text.substr(m_place, end - m_place);
        ParsedNumber parsed = parseNumber(word);
        if (word == "True" || word == "true" || word == "False" || word == "false")
            parsed = { NumberKind::Number, word == "True" || word == "true" ? 1.0 : 0.0 };
        if (parsed.kind == NumberKind::TooLarge)
            return tooLargeNumber(placeSentence());
        if (parsed.kind != NumberKind::Number)
            return errorAt("There is ‘" + shortened(std::string(word), 40) + "’ where a number should be.", "Write a number there.");
        if (static_cast<Index>(m_array.numbers.size()) == mostPastedNumbers)
            return Error{ "These are more than " + groupedCount(mostPastedNumbers) + " numbers.", {},
                "Save them as .npy and open that file.", {} };
        m_array.numbers.push_back(parsed.number);
        m_place = end;
        ++m_col;
        return {};
    }

    /// Lists at one depth have as many entries as the first of them.
    Result<void> closeList(int depth, Index items, Index numbers)
    {
        const auto axis = static_cast<std::size_t>(depth);
        const Index count = items > 0 ? items : numbers;
        if (m_sizes.size() <= axis)
            m_sizes.resize(axis + 1, -1);
        if (items == 0) {
            if (m_innerAxis == -1)
                m_innerAxis = depth;
            if (m_innerAxis != depth)
                return errorAt("The lists are not nested equally deep.", "All lists of an array are nested equally deep.");
        }
        if (m_sizes[axis] == -1)
            m_sizes[axis] = count;
        if (m_sizes[axis] != count) {
            return Error{ "The rows have different lengths.",
                "Row " + groupedCount(m_row) + " has " + groupedCount(count) + ", the first one " + groupedCount(m_sizes[axis]) + ".",
                "Give all rows the same number of columns.", {} };
        }
        if (items == 0)
            ++m_row;
        m_followsComma = false;
        return {};
    }

    /// In single brackets rows are separated by semicolons or, where those come out equal, by ends of lines.
    Result<void> finishShape()
    {
        m_array.shape = m_sizes;
        if (m_sizes.size() != 1) {
            if (!m_semicolons.empty())
                return Error{ "Semicolons stand between lists.", {}, "Write [1 2; 3 4] or [[1, 2], [3, 4]].", {} };
            return {};
        }
        std::vector<std::size_t> ends = m_semicolons;
        if (!m_isCall)
            ends.insert(ends.end(), m_breaks.begin(), m_breaks.end());
        ends.push_back(m_array.numbers.size());
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        if (ends.front() == 0)
            ends.erase(ends.begin());
        std::size_t first = 0;
        for (std::size_t row = 0; row < ends.size(); ++row) {
            const std::size_t length = ends[row] - first;
            if (length != ends.front()) {
                // A long row that NumPy wrapped.
                if (m_semicolons.empty()) {
                    m_array.shape = { 1, static_cast<Index>(m_array.numbers.size()) };
                    return {};
                }
                return Error{ "The rows have different lengths.",
                    "Row " + groupedCount(static_cast<Index>(row)) + " has " + groupedCount(static_cast<Index>(length)) + ", the first one "
                        + groupedCount(static_cast<Index>(ends.front())) + ".",
                    "Give all rows the same number of columns.", {} };
            }
            first = ends[row];
        }
        m_array.shape = { static_cast<Index>(ends.size()), ends.empty() ? 0 : static_cast<Index>(ends.front()) };
        return {};
    }

    /// dtype=torch.float16, grad_fn=<…> and so on up to the parenthesis that closes the call.
    void skipArguments()
    {
        int open = 1;
        while (m_place < m_text.size() && open > 0) {
            open += m_text[m_place] == '(' ? 1 : m_text[m_place] == ')' ? -1 : 0;
            ++m_place;
        }
    }

    std::string_view m_text;
    std::size_t m_place;
    bool m_isCall;
    BracketArray m_array;
    std::vector<Index> m_sizes; ///< Entries of the lists at each depth; -1: not known yet.
    int m_innerAxis = -1; ///< Depth of the lists of numbers.
    std::vector<std::size_t> m_semicolons; ///< Numbers before each.
    std::vector<std::size_t> m_breaks; ///< Numbers before each end of a line.
    bool m_followsComma = false;
    Index m_row = 0;
    Index m_col = 0;
};

Result<void> appendMatrices(BracketArray array, std::vector<Matrix> &matrices)
{
    while (array.shape.size() > 3 && array.shape.front() == 1)
        array.shape.erase(array.shape.begin());
    if (array.shape.size() > 3) {
        return Error{ "These numbers have " + std::to_string(array.shape.size()) + " axes: " + shapeText(array.shape) + ".", {},
            "Paste one table, or one per head (three axes).", {} };
    }
    array.shape.insert(array.shape.begin(), 3 - array.shape.size(), 1);
    const Index rows = array.shape[1];
    const Index cols = array.shape[2];
    if (array.numbers.empty())
        return Error{ "The brackets are empty.", {}, "Paste at least one number.", {} };
    for (Index head = 0; head < array.shape[0]; ++head) {
        const Matrix matrix = Eigen::Map<const Matrix>(array.numbers.data() + head * rows * cols, rows, cols);
        matrices.push_back(array.isTransposed ? Matrix(matrix.transpose()) : matrix);
    }
    return {};
}

} // namespace

bool looksBracketed(std::string_view text)
{
    return openingOf(text, 0).has_value();
}

Result<std::vector<Matrix>> parseBracketed(std::string_view text)
{
    std::vector<Matrix> matrices;
    for (std::size_t place = 0;;) {
        place = std::min(text.find_first_not_of(" \t\r\n,;", place), text.size());
        if (place == text.size())
            break;
        const auto opening = openingOf(text, place);
        if (!opening) {
            return Error{ "Something follows the numbers that is not understood.",
                "It is ‘" + shortened(std::string(text.substr(place, 200)), 40) + "’.", "Paste only the numbers.", {} };
        }
        BracketReader reader(text, *opening);
        auto array = reader.read();
        if (!array)
            return array.error();
        if (auto appended = appendMatrices(std::move(*array), matrices); !appended)
            return appended.error();
        place = reader.place();
    }
    return matrices;
}

} // namespace attenscope
