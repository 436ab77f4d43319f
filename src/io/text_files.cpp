// SPDX-License-Identifier: GPL-3.0-or-later
// Reading tables, JSON and token lists.
#include "io/text_files.h"

#include "core/text.h"
#include "io/bytes.h"
#include "io/json.h"
#include "io/number_table.h"

#include <algorithm>
#include <limits>

namespace attenscope {

namespace {

Tensor tensorOf(const std::vector<double> &numbers, std::vector<Index> shape)
{
    const auto bytes = std::as_bytes(std::span(numbers));
    return { bytesInMemory({ bytes.begin(), bytes.end() }), 0, ElementType::F64, std::move(shape) };
}

std::string counted(Index count, const char *one, const char *more)
{
    return groupedCount(count) + (count == 1 ? one : more);
}

/// Turns a nested list into numbers in C order; lists of the innermost axis may be of different length.
class NestedList {
public:
    explicit NestedList(std::string name)
        : m_name(std::move(name))
    {
    }

    Result<void> read(const JsonValue &list)
    {
        for (const JsonValue *level = &list; level != nullptr;) {
            const auto *items = level->as<JsonArray>();
            if (items == nullptr && level->as<JsonNumbers>() == nullptr)
                break;
            m_shape.push_back(items != nullptr ? static_cast<Index>(items->size()) : 0);
            level = items != nullptr ? &items->front() : nullptr;
        }
        return add(list, 0, m_name);
    }

    Result<Tensor> tensor()
    {
        m_shape.back() = m_lengths.empty() ? 0 : *std::max_element(m_lengths.begin(), m_lengths.end());
        if (isRagged() && !hasSameLengthsEverywhere())
            return Error{ "The lists of " + m_name + " differ in length.", "They do so differently in each head.",
                "Give all lists of an axis the same length.", {} };
        const auto padded = paddedRows(std::move(m_numbers), m_lengths);
        if (!padded)
            return padded.error();
        return tensorOf(*padded, m_shape);
    }

    [[nodiscard]] bool isRagged() const
    {
        return std::any_of(m_lengths.begin(), m_lengths.end(), [this](Index length) { return length != m_lengths.front(); });
    }
    /// Of the innermost lists of one head.
    [[nodiscard]] std::vector<Index> rowLengths() const { return { m_lengths.begin(), m_lengths.begin() + m_shape[m_shape.size() - 2] }; }

private:
    [[nodiscard]] bool hasSameLengthsEverywhere() const
    {
        const auto rows = static_cast<std::size_t>(m_shape[m_shape.size() - 2]);
        for (std::size_t place = rows; place < m_lengths.size(); ++place)
            if (m_lengths[place] != m_lengths[place - rows])
                return false;
        return true;
    }

    Result<void> add(const JsonValue &list, std::size_t axis, const std::string &path)
    {
        if (const auto *numbers = list.as<JsonNumbers>(); numbers != nullptr && axis + 1 == m_shape.size()) {
            m_numbers.insert(m_numbers.end(), numbers->begin(), numbers->end());
            m_lengths.push_back(static_cast<Index>(numbers->size()));
            return {};
        }
        const auto *items = list.as<JsonArray>();
        if (items == nullptr || axis + 1 >= m_shape.size()) {
            const bool isText = list.as<std::string>() != nullptr
                || (items != nullptr
                    && std::any_of(items->begin(), items->end(), [](const JsonValue &item) { return item.as<std::string>() != nullptr; }));
            return Error{ isText ? "There is text where a number should be." : "The lists of " + m_name + " are not nested equally deep.",
                "It is in " + shortened(path, 60) + ".", "Lists of numbers hold nothing but numbers.", {} };
        }
        if (static_cast<Index>(items->size()) != m_shape[axis]) {
            return Error{ "The lists of " + m_name + " differ in length.",
                shortened(path, 60) + " has " + counted(static_cast<Index>(items->size()), " entry", " entries") + ", the first one has "
                    + groupedCount(m_shape[axis]) + ".",
                "Give all lists of an axis the same length.", {} };
        }
        for (std::size_t place = 0; place < items->size(); ++place)
            if (auto added = add((*items)[place], axis + 1, path + "[" + std::to_string(place) + "]"); !added)
                return added.error();
        return {};
    }

    std::string m_name;
    std::vector<Index> m_shape; ///< The last one is not known before all lists were seen.
    std::vector<double> m_numbers;
    std::vector<Index> m_lengths; ///< Of the innermost lists.
};

/// Walks over JSON and collects arrays and token lists.
class JsonCollector {
public:
    explicit JsonCollector(std::string file)
        : m_file(std::move(file))
    {
    }

    Result<void> visit(const JsonValue &value, const std::string &name)
    {
        if (const auto *members = value.as<JsonObject>()) {
            for (const auto &[memberName, member] : *members)
                if (auto visited = visit(member, name.empty() ? memberName : name + "." + memberName); !visited)
                    return visited.error();
            return {};
        }
        const auto *items = value.as<JsonArray>();
        if (items == nullptr && value.as<JsonNumbers>() == nullptr)
            return {};
        if (items != nullptr && items->front().as<JsonObject>() != nullptr) {
            for (std::size_t place = 0; place < items->size(); ++place)
                if (auto visited = visit((*items)[place], name + "." + std::to_string(place)); !visited)
                    return visited.error();
            return {};
        }
        if (auto tokens = value.strings(); !tokens.empty()) {
            m_contents.tokenLists.push_back({ name, m_file, std::move(tokens) });
            return {};
        }
        return addTensor(value, name);
    }

    Result<FileContents> read(const JsonValue &root)
    {
        if (auto visited = visit(root, root.as<JsonObject>() != nullptr ? std::string() : baseName(m_file)); !visited)
            return visited.error();
        return std::move(m_contents);
    }

private:
    Result<void> addTensor(const JsonValue &value, const std::string &name)
    {
        NestedList list(shortened(name, 60));
        if (auto read = list.read(value); !read)
            return read.error();
        auto tensor = list.tensor();
        if (!tensor)
            return tensor.error();
        if (list.isRagged()) {
            if (!m_contents.rowLengths.empty())
                return Error{ "Two arrays have rows of different length.", "The second is " + shortened(name, 60) + ".",
                    "Save them in files of their own.", {} };
            m_contents.rowLengths = list.rowLengths();
            m_contents.notes.push_back("The rows of " + shortened(name, 60) + " have different lengths; what they lack is absent.");
        }
        m_contents.tensors.push_back({ name, m_file, std::move(*tensor) });
        return {};
    }

    std::string m_file;
    FileContents m_contents;
};

std::vector<std::string> linesOf(const std::string &text)
{
    std::vector<std::string> lines;
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t end = std::min(text.find('\n', place), text.size());
        std::string line = text.substr(place, end - place);
        if (line.ends_with('\r'))
            line.pop_back();
        lines.push_back(std::move(line));
        place = end + 1;
    }
    while (!lines.empty() && lines.back().empty())
        lines.pop_back();
    return lines;
}

Result<FileContents> contentsOf(NumberTable table, const std::string &file)
{
    FileContents contents;
    const auto numbers = paddedRows(std::move(table.numbers), table.rowLengths);
    if (!numbers)
        return numbers.error();
    std::vector<Index> shape{ table.rows(), table.cols() };
    if (table.heads > 1)
        shape = { table.heads / table.layers, table.rows() / table.heads, table.cols() };
    if (table.layers > 1)
        shape.insert(shape.begin(), table.layers);
    contents.tensors.push_back({ baseName(file), file, tensorOf(*numbers, shape) });
    if (table.isRagged()) {
        const auto rows = table.rowLengths.begin() + table.rows() / table.heads;
        if (!std::equal(rows, table.rowLengths.end(), table.rowLengths.begin()))
            return Error{ "The rows have different lengths.", "They do so differently in each head.",
                "Write nan where a number is missing.", {} };
        contents.rowLengths = { table.rowLengths.begin(), rows };
        contents.notes.push_back("The rows of " + file + " have different lengths; what they lack is absent.");
    }
    if (table.emptyCells > 0)
        contents.notes.push_back(counted(table.emptyCells, " empty cell", " empty cells") + " of " + file + " read as NaN, the first in "
            + table.firstEmpty + ".");
    contents.names = { std::move(table.rowNames), std::move(table.colNames) };
    return contents;
}

} // namespace

Result<FileContents> readTableFile(const std::string &text, const std::string &file)
{
    auto table = parseTable(text, std::numeric_limits<Index>::max(), TablePlaces::Lines);
    return table ? contentsOf(std::move(*table), file) : Result<FileContents>(table.error());
}

Result<FileContents> readJsonFile(const std::string &text, const std::string &file)
{
    const auto root = parseJson(text);
    return root ? JsonCollector(file).read(*root) : Result<FileContents>(root.error());
}

Result<FileContents> readTextFile(const std::string &text, const std::string &file)
{
    if (auto table = parseTable(text, std::numeric_limits<Index>::max(), TablePlaces::Lines); table && table->cols() > 1)
        return contentsOf(std::move(*table), file);
    FileContents contents;
    contents.tokenLists.push_back({ baseName(file), file, linesOf(text) });
    return contents;
}

} // namespace attenscope
