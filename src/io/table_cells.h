// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting a text into rows of cells.
#pragma once

#include "core/matrix.h"

#include <string>
#include <string_view>
#include <vector>

namespace attenscope {

/// Walks over a text row by row. Delimiter ' ' means runs of spaces and tabs.
class CellReader {
public:
    CellReader(std::string_view text, char delimiter);

    /// The cells of the next row that is not blank, or false at the end. They are pieces of the text: trimmed, quoted ones with their quotes.
    bool next(std::vector<std::string_view> &cells);
    /// Number of the row that next() gave, from 1, blank ones counted.
    [[nodiscard]] Index row() const { return m_row; }

private:
    /// Just behind the closing quote of the cell that begins at m_place, or npos where the quote is an ordinary letter.
    [[nodiscard]] std::size_t quotedEnd();

    std::string_view m_text;
    char m_delimiter;
    std::size_t m_place = 0;
    Index m_row = 0;
    Index m_nextRow = 1;
    bool m_hasQuotes = true; ///< There may be closing quotes ahead.
};

/// What a cell says, without its quotes.
[[nodiscard]] std::string cellText(std::string_view cell);

} // namespace attenscope
