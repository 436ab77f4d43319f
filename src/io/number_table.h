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

/// How errors say where a cell is.
enum class TablePlaces {
    Lines, ///< "line 3, cell 2": of a file, both from 1, with names and blank lines counted.
    Positions, ///< "row 1, column 0": of the matrix (of its head) that is pasted, both from 0 as everywhere on the screen.
};

/// A table as it stands in the text; what is odd is left to the caller to judge.
struct NumberTable {
    std::vector<double> numbers; ///< Row by row, each as long as rowLengths says; cells left out between numbers are NaN.
    std::vector<Index> rowLengths; ///< Cells per row; empty cells at the end of a row do not count.
    Index heads = 1; ///< Tables of one height under one another, told apart by a first column "head" as mapCsv() writes it.
    Index layers = 1; ///< Of the heads, layer by layer, where the names say so: "0·0", "0·1", "1·0", "1·1".
    std::vector<std::string> rowNames; ///< Of the first head, from a first column of text; else empty.
    std::vector<std::string> colNames; ///< From a first row of text; else empty.
    Index emptyCells = 0; ///< Between numbers.
    std::string firstEmpty; ///< Where the first of them is, "row 1, column 0" or "line 3, cell 2".
    Index firstRagged = -1; ///< Row, from 0, that is not as long as the first one; -1: none.

    /// Of all heads.
    [[nodiscard]] Index rows() const { return static_cast<Index>(rowLengths.size()); }
    /// Of the longest row.
    [[nodiscard]] Index cols() const;
    [[nodiscard]] bool isRagged() const { return firstRagged >= 0; }
};

/// Rows of different length, one after another, filled up with zeros to a rectangle as wide as the longest. Errors: memory.
Result<std::vector<double>> paddedRows(std::vector<double> numbers, const std::vector<Index> &rowLengths);

/// Reads UTF-8 text whose cells are separated by tabs, semicolons, commas or spaces, whichever gives numbers; quoted cells as in RFC 4180; blank
/// lines are skipped. Where tabs, semicolons or spaces separate, a comma is the decimal mark. A first row or column that is not numbers
/// holds names, and columns "head" and "query" those of several heads. Errors, with the place of the cell: text among numbers, a number too large for a
/// double, a comma that may be a decimal mark or a thousands separator, heads of different height, more than @p mostNumbers numbers, no numbers.
Result<NumberTable> parseTable(std::string_view text, Index mostNumbers, TablePlaces places);

} // namespace attenscope
