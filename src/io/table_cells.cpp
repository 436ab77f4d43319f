// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and cells of delimited text.
#include "io/table_cells.h"

#include "io/number_text.h"

#include <algorithm>

namespace attenscope {

namespace {

bool isSpace(char letter)
{
    return letter == ' ' || letter == '\t';
}

bool isLineEnd(char letter)
{
    return letter == '\n' || letter == '\r';
}

} // namespace

CellReader::CellReader(std::string_view text, char delimiter)
    : m_text(text)
    , m_delimiter(delimiter)
{
}

std::size_t CellReader::quotedEnd()
{
    for (std::size_t place = m_place + 1; m_hasQuotes;) {
        place = m_text.find('"', place);
        if (place == std::string_view::npos) {
            // Not searched again, or a text of opening quotes would take quadratic time.
            m_hasQuotes = false;
            break;
        }
        if (place + 1 < m_text.size() && m_text[place + 1] == '"') {
            place += 2;
            continue;
        }
        std::size_t after = place + 1;
        while (after < m_text.size() && m_text[after] == ' ' && m_delimiter != ' ')
            ++after;
        if (after == m_text.size() || m_text[after] == m_delimiter || isLineEnd(m_text[after])
            || (m_delimiter == ' ' && isSpace(m_text[after])))
            return place + 1;
        break;
    }
    return std::string_view::npos;
}

bool CellReader::next(std::vector<std::string_view> &cells)
{
    while (m_place < m_text.size()) {
        cells.clear();
        m_row = m_nextRow;
        bool isBlank = true;
        for (;;) {
            while (m_place < m_text.size() && m_text[m_place] == ' ')
                ++m_place;
            if (m_delimiter == ' ')
                while (m_place < m_text.size() && isSpace(m_text[m_place]))
                    ++m_place;
            const std::size_t start = m_place;
            if (m_place < m_text.size() && m_text[m_place] == '"')
                if (const std::size_t end = quotedEnd(); end != std::string_view::npos) {
                    m_nextRow += std::count(
                        m_text.begin() + static_cast<std::ptrdiff_t>(m_place), m_text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
                    m_place = end;
                }
            while (m_place < m_text.size() && !isLineEnd(m_text[m_place]) && m_text[m_place] != m_delimiter
                && !(m_delimiter == ' ' && m_text[m_place] == '\t'))
                ++m_place;
            const std::string_view cell = trimmed(m_text.substr(start, m_place - start));
            isBlank = isBlank && cell.empty();
            const bool isLast = m_place >= m_text.size() || isLineEnd(m_text[m_place]);
            // Spaces at the end of a line begin no cell.
            if (m_delimiter != ' ' || !cell.empty())
                cells.push_back(cell);
            if (isLast)
                break;
            ++m_place;
        }
        if (m_place < m_text.size()) {
            const bool isPair = m_text[m_place] == '\r' && m_place + 1 < m_text.size() && m_text[m_place + 1] == '\n';
            m_place += isPair ? 2 : 1;
            ++m_nextRow;
        }
        if (!isBlank)
            return true;
    }
    return false;
}

std::string cellText(std::string_view cell)
{
    if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"')
        return std::string(cell);
    std::string text;
    for (std::size_t place = 1; place + 1 < cell.size(); ++place) {
        text += cell[place];
        if (cell[place] == '"' && place + 2 < cell.size() && cell[place + 1] == '"')
            ++place;
    }
    return text;
}

} // namespace attenscope
