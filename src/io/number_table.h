// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of numbers in text: CSV, TSV, spreadsheet cells, columns of numbers.
#pragma once

#include "core/matrix.h"
#include "core/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attenscope {

/// A table as it stands in the text; what is odd is left to the caller to judge.
struct NumberTable {
    std::vector<double> numbers; ///< Row by row, each as long as rowLengths says; cells left out between numbers are NaN.
    std::vector<Index> rowLengths; ///< Cells per row; empty cells at the end of a row do not count.
    Index heads = 1; ///< Tables of one height under one another, told apart by a first column "head" as mapCsv() writes it.
    Index layers = 1; ///< Of the heads, layer by layer, where the names say so: "0·0", "0·1", "1·0", "1·1".
    std::vector<std::string> rowNames; ///< Of the first head, from a first column of text; else empty.
    std::vector<std::string> colNames; ///< From a first row of text; else empty.
    Index emptyCells = 0; ///< Between numbers.
    std::pair<Index, Index> firstEmpty; ///< Row and column of the first of them, from 1 as in the text.
    std::pair<Index, Index> firstRagged; ///< Row that is not as long as the first one (from 1 as in the text) and its cells; {0, 0}: none.

    /// Of all heads.
    [[nodiscard]] Index rows() const { return static_cast<Index>(rowLengths.size()); }
    /// Of the longest row.
    [[nodiscard]] Index cols() const;
    [[nodiscard]] bool isRagged() const { return firstRagged.first != 0; }
};

/// Rows of different length, one after another, filled up with zeros to a rectangle as wide as the longest. Errors: memory.
Result<std::vector<double>> paddedRows(std::vector<double> numbers, const std::vector<Index> &rowLengths);

/// Reads UTF-8 text whose cells are separated by tabs, semicolons, commas or spaces, whichever gives numbers; quoted cells as in RFC 4180; blank
/// lines are skipped. Where tabs, semicolons or spaces separate, a comma is the decimal mark. A first row or column that is not numbers
/// holds names, and columns "head" and "query" those of several heads. Errors, with row and column: text among numbers, a number too large for a
/// double, a comma that may be a decimal mark or a thousands separator, heads of different height, more than @p mostNumbers numbers, no numbers.
Result<NumberTable> parseTable(std::string_view text, Index mostNumbers);

} // namespace attenscope
