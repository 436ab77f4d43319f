// SPDX-License-Identifier: GPL-3.0-or-later
// Reading MATLAB and Octave prints.
#include "io/octave_print.h"

#include "core/text.h"
#include "io/bracket_numbers.h"
#include "io/number_table.h"
#include "io/number_text.h"

#include <algorithm>
#include <optional>
#include <string>

namespace attenscope {

namespace {

enum class LineKind { Numbers, Name, Columns, Factor };

LineKind lineKindOf(std::string_view line)
{
    if (line.ends_with('=') && line.find_first_of("[]") == std::string_view::npos)
        return LineKind::Name;
    if (line.starts_with("Columns ") || line.starts_with("Column "))
        return LineKind::Columns;
    if (line.ends_with('*') && parseNumber(line.substr(0, line.size() - 1)).kind == NumberKind::Number)
        return LineKind::Factor;
    return LineKind::Numbers;
}

template <typename Visit>
void forEachLine(std::string_view text, Visit visit)
{
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t end = std::min(text.find('\n', place), text.size());
        visit(trimmed(text.substr(place, end - place)));
        place = end + 1;
    }
}

/// The lines of one group of columns.
struct Block {
    bool continues = false; ///< More columns of the matrix before it.
    std::string numbers;
    double factor = 1.0;
};

Result<Matrix> matrixOf(const Block &block)
{
    auto table = parseTable(block.numbers, mostPastedNumbers, TablePlaces::Positions);
    if (!table)
        return table.error();
    if (table->isRagged() || !table->rowNames.empty() || !table->colNames.empty())
        return Error{ "This print is not understood.", "Its rows have different lengths or hold text.", "Paste it as [1 2; 3 4].", {} };
    const Matrix matrix = Eigen::Map<const Matrix>(table->numbers.data(), table->rows(), table->cols());
    return Matrix(matrix * block.factor);
}

} // namespace

bool looksLikeOctavePrint(std::string_view text)
{
    bool found = false;
    forEachLine(text, [&found](std::string_view line) {
        const LineKind kind = lineKindOf(line);
        found = found || kind == LineKind::Name || kind == LineKind::Columns;
    });
    return found;
}

Result<std::vector<Matrix>> parseOctavePrint(std::string_view text)
{
    std::vector<Block> blocks;
    double factor = 1.0;
    bool isNew = true;
    bool continues = false;
    forEachLine(text, [&](std::string_view line) {
        if (line.empty())
            return;
        const LineKind kind = lineKindOf(line);
        if (kind == LineKind::Numbers) {
            if (isNew)
                blocks.push_back({ continues, {}, factor });
            isNew = false;
            blocks.back().numbers.append(line).append("\n");
        } else if (kind == LineKind::Factor) {
            factor = parseNumber(line.substr(0, line.size() - 1)).number;
        } else {
            // The first group of columns follows the name, the others follow numbers.
            continues = kind == LineKind::Columns && !isNew;
            factor = continues ? factor : 1.0;
            isNew = true;
        }
    });

    std::vector<Matrix> matrices;
    for (const Block &block : blocks) {
        auto part = matrixOf(block);
        if (!part)
            return part.error();
        if (!block.continues) {
            matrices.push_back(std::move(*part));
            continue;
        }
        const Matrix &left = matrices.back();
        if (left.rows() != part->rows()) {
            return Error{ "The groups of columns have different numbers of rows.",
                "One has " + groupedCount(left.rows()) + ", another " + groupedCount(part->rows()) + ".", "Copy the whole print.", {} };
        }
        Matrix joined(left.rows(), left.cols() + part->cols());
        joined << left, *part;
        matrices.back() = std::move(joined);
    }
    if (matrices.empty())
        return Error{ "There are no numbers in this text.", {}, "Copy the whole print.", {} };
    return matrices;
}

} // namespace attenscope
