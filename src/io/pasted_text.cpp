// SPDX-License-Identifier: GPL-3.0-or-later
// Telling apart what people paste, and checking that it is matrices of one shape.
#include "io/pasted_text.h"

#include "core/text.h"
#include "io/bracket_numbers.h"
#include "io/number_table.h"
#include "io/number_text.h"
#include "io/octave_print.h"
#include "io/unicode.h"

#include <optional>

namespace attenscope {

namespace {

bool hasEllipsis(const std::string &text)
{
    return text.find("...") != std::string::npos || text.find("…") != std::string::npos;
}

Error shortenedPrint(const std::string &text)
{
    const bool isTorch = text.find("tensor(") != std::string::npos;
    return { "The print was shortened: numbers are missing where it says “...”.", {},
        isTorch ? "Print it whole: torch.set_printoptions(profile=\"full\")."
                : "Print it whole: np.set_printoptions(threshold=sys.maxsize).",
        {} };
}

Result<PastedMatrices> pastedTable(const std::string &text)
{
    auto table = parseTable(text, mostPastedNumbers, TablePlaces::Positions);
    if (!table)
        return table.error();
    if (table->emptyCells > 0) {
        return Error{ "A cell is empty.", "It is in " + table->firstEmpty + ".", "Write a number there, or nan.", {} };
    }
    if (table->isRagged()) {
        return Error{ "The rows have different lengths.",
            "Row " + groupedCount(table->firstRagged) + " has "
                + groupedCount(table->rowLengths[static_cast<std::size_t>(table->firstRagged)]) + ", the first one "
                + groupedCount(table->rowLengths.front()) + ".",
            "Give all rows the same number of columns.", {} };
    }
    PastedMatrices pasted;
    const Index rows = table->rows() / table->heads;
    for (Index head = 0; head < table->heads; ++head)
        pasted.matrices.emplace_back(Eigen::Map<const Matrix>(table->numbers.data() + head * rows * table->cols(), rows, table->cols()));
    pasted.rowNames = std::move(table->rowNames);
    pasted.colNames = std::move(table->colNames);
    return pasted;
}

Result<PastedMatrices> withoutNames(Result<std::vector<Matrix>> matrices)
{
    if (!matrices)
        return matrices.error();
    const Matrix &first = matrices->front();
    for (const Matrix &matrix : *matrices) {
        if (matrix.rows() != first.rows() || matrix.cols() != first.cols()) {
            return Error{ "The matrices have different sizes.",
                "One is " + shapeText(std::vector<Index>{ first.rows(), first.cols() }) + ", another "
                    + shapeText(std::vector<Index>{ matrix.rows(), matrix.cols() }) + ".",
                "Paste them one at a time.", {} };
        }
    }
    return PastedMatrices{ std::move(*matrices), {}, {} };
}

} // namespace

Result<PastedMatrices> parseMatrices(const std::string &text)
{
    const auto decoded = decodedText(text);
    if (!decoded)
        return decoded.error();
    if (trimmed(*decoded).empty())
        return Error{ "There is nothing to paste.", {}, "Copy a table of numbers first.", {} };
    std::optional<Error> failure;
    if (looksBracketed(*decoded) || looksLikeOctavePrint(*decoded)) {
        auto matrices = withoutNames(looksBracketed(*decoded) ? parseBracketed(*decoded) : parseOctavePrint(*decoded));
        if (matrices)
            return matrices;
        failure = matrices.error();
    }
    // Tokens such as [CLS] begin with a bracket too.
    auto table = pastedTable(*decoded);
    if (table)
        return table;
    if (hasEllipsis(*decoded))
        return shortenedPrint(*decoded);
    return failure ? *failure : table.error();
}

} // namespace attenscope
