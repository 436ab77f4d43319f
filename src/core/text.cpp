// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and shapes in words.
#include "core/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace attenscope {

std::string groupedCount(std::int64_t count)
{
    std::string digits = std::to_string(count);
    const std::string sign = count < 0 ? "−" : "";
    if (count < 0)
        digits.erase(0, 1);
    for (std::size_t place = digits.size(); place > 3;) {
        place -= 3;
        digits.insert(place, 1, ',');
    }
    return sign + digits;
}

std::string byteSize(std::uint64_t bytes)
{
    if (bytes < 1'000'000)
        return groupedCount(static_cast<std::int64_t>(bytes)) + (bytes == 1 ? " byte" : " bytes");
    double amount = static_cast<double>(bytes) / 1e6;
    std::string_view unit = " MB";
    for (const std::string_view larger : { " GB", " TB", " PB", " EB" }) {
        if (amount < 1000.0)
            break;
        amount /= 1000.0;
        unit = larger;
    }
    return displayNumber(amount, amount < 100.0 ? 1 : 0).append(unit);
}

std::string shapeText(std::span<const Index> shape)
{
    std::string text;
    for (const Index size : shape) {
        if (!text.empty())
            text += " × ";
        text += groupedCount(size);
    }
    return text;
}

std::string exactNumber(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    return { buffer.data(), end };
}

std::string displayNumber(double number, int decimals)
{
    if (std::isnan(number))
        return "NaN";
    if (std::isinf(number))
        return number > 0 ? "∞" : "−∞";
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed, decimals).ptr;
    std::string digits(buffer.data(), end);
    if (digits.front() == '-') {
        digits.erase(0, 1);
        if (digits.find_first_of("123456789") != std::string::npos)
            digits.insert(0, "−");
    }
    return digits;
}

std::string shortened(const std::string &text, std::size_t most)
{
    std::string result;
    std::size_t count = 0;
    for (std::size_t place = 0; place < text.size();) {
        std::size_t next = place + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0U) == 0x80U)
            ++next;
        if (count + 1 >= most && next < text.size())
            return result + "…";
        if (static_cast<unsigned char>(text[place]) < 0x20U || text[place] == 0x7f)
            result += ' ';
        else
            result.append(text, place, next - place);
        ++count;
        place = next;
    }
    return result;
}

bool isUtf8(std::string_view text)
{
    for (std::size_t place = 0; place < text.size();) {
        const auto lead = static_cast<unsigned char>(text[place]);
        std::size_t length = 0;
        std::uint32_t code = 0;
        if (lead < 0x80U) {
            ++place;
            continue;
        }
        if (lead >= 0xc2U && lead < 0xe0U) {
            length = 2;
            code = lead & 0x1fU;
        } else if (lead >= 0xe0U && lead < 0xf0U) {
            length = 3;
            code = lead & 0x0fU;
        } else if (lead >= 0xf0U && lead < 0xf5U) {
            length = 4;
            code = lead & 0x07U;
        } else {
            return false;
        }
        if (place + length > text.size())
            return false;
        for (std::size_t next = 1; next < length; ++next) {
            const auto byte = static_cast<unsigned char>(text[place + next]);
            if ((byte & 0xc0U) != 0x80U)
                return false;
            code = (code << 6U) | (byte & 0x3fU);
        }
        const bool isOverlong = (length == 3 && code < 0x800U) || (length == 4 && code < 0x10000U);
        if (isOverlong || (code >= 0xd800U && code < 0xe000U) || code > 0x10ffffU)
            return false;
        place += length;
    }
    return true;
}

} // namespace attenscope
