// SPDX-License-Identifier: GPL-3.0-or-later
// A recursive JSON parser with a depth limit.
#include "io/json.h"

#include "core/text.h"
#include "io/number_text.h"
#include "io/unicode.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_set>

namespace attenscope {

namespace {

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    Result<JsonValue> parse()
    {
        JsonValue root;
        if (!readValue(root, 0))
            return *m_error;
        skipSpace();
        if (m_place != m_text.size()) {
            fail("Something follows after the end of the JSON value.");
            return *m_error;
        }
        return root;
    }

private:
    [[nodiscard]] char current() const { return m_place < m_text.size() ? m_text[m_place] : '\0'; }

    void skipSpace()
    {
        while (m_place < m_text.size() && std::string_view(" \t\r\n").find(m_text[m_place]) != std::string_view::npos)
            ++m_place;
    }

    bool fail(std::string what, std::string remedy = {})
    {
        const std::string_view before = m_text.substr(0, std::min(m_place, m_text.size()));
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const auto column = static_cast<std::int64_t>(before.size() - (before.rfind('\n') + 1)) + 1;
        m_error = Error{ std::move(what), "It is at line " + groupedCount(line) + ", byte " + groupedCount(column) + " of the line.",
            std::move(remedy), {} };
        return false;
    }

    bool failUnexpected(std::string_view wanted)
    {
        if (m_place >= m_text.size())
            return fail("The JSON text ends too early.", "Save or download it again.");
        std::size_t end = m_place + 1;
        while (end < m_text.size() && (static_cast<unsigned char>(m_text[end]) & 0xc0U) == 0x80U)
            ++end;
        return fail("This is not JSON: ‘" + shortened(std::string(m_text.substr(m_place, end - m_place)), 4) + "’ where "
            + std::string(wanted) + " should be.");
    }

    bool readValue(JsonValue &out, int depth)
    {
        skipSpace();
        if ((current() == '[' || current() == '{') && depth == maxJsonDepth) {
            return fail(
                "Lists are nested more than " + std::to_string(maxJsonDepth) + " deep.", "Arrays of attention have at most five axes.");
        }
        switch (current()) {
        case '[':
            return readArray(out, depth);
        case '{':
            return readObject(out, depth);
        case '"':
            return readString(out.value.emplace<std::string>());
        default:
            return readScalar(out);
        }
    }

    bool readScalar(JsonValue &out)
    {
        const std::size_t end = std::min(m_text.find_first_of(" \t\r\n,:]}[{\"", m_place), m_text.size());
        const std::string_view word = m_text.substr(m_place, end - m_place);
        if (word == "true" || word == "false") {
            out.value = word == "true";
        } else if (word == "null") {
            out.value = std::monostate{};
        } else {
            const ParsedNumber parsed = parseNumber(word);
            if (parsed.kind == NumberKind::TooLarge)
                return fail(tooLargeNumber({}, "Infinity").what, tooLargeNumber({}, "Infinity").remedy);
            if (parsed.kind != NumberKind::Number)
                return failUnexpected("a value");
            out.value = parsed.number;
        }
        m_place = end;
        return true;
    }

    bool readArray(JsonValue &out, int depth)
    {
        ++m_place;
        JsonNumbers numbers;
        JsonArray items;
        skipSpace();
        if (current() == ']') {
            ++m_place;
            out.value = std::move(numbers);
            return true;
        }
        bool isPlain = true;
        for (;;) {
            JsonValue item;
            if (!readValue(item, depth + 1))
                return false;
            const auto *number = item.as<double>();
            const auto *flag = item.as<bool>();
            if (isPlain && (number != nullptr || flag != nullptr || item.as<std::monostate>() != nullptr)) {
                numbers.push_back(number != nullptr ? *number
                        : flag != nullptr           ? (*flag ? 1.0 : 0.0)
                                                    : std::numeric_limits<double>::quiet_NaN());
            } else {
                if (isPlain) {
                    for (const double earlier : numbers)
                        items.push_back({ earlier });
                    numbers.clear();
                    isPlain = false;
                }
                items.push_back(std::move(item));
            }
            skipSpace();
            if (current() == ']')
                break;
            if (current() != ',')
                return failUnexpected("a comma or ]");
            ++m_place;
        }
        ++m_place;
        if (isPlain)
            out.value = std::move(numbers);
        else
            out.value = std::move(items);
        return true;
    }

    bool readObject(JsonValue &out, int depth)
    {
        ++m_place;
        JsonObject members;
        std::unordered_set<std::string> names;
        skipSpace();
        if (current() == '}') {
            ++m_place;
            out.value = std::move(members);
            return true;
        }
        for (;;) {
            skipSpace();
            const std::size_t start = m_place;
            std::string name;
            if (current() != '"')
                return failUnexpected("a name in quotes");
            if (!readString(name))
                return false;
            if (!names.insert(name).second) {
                m_place = start;
                return fail("The name ‘" + shortened(name, 60) + "’ occurs twice.", "Give every array a name of its own.");
            }
            skipSpace();
            if (current() != ':')
                return failUnexpected("a colon");
            ++m_place;
            JsonValue member;
            if (!readValue(member, depth + 1))
                return false;
            members.emplace_back(std::move(name), std::move(member));
            skipSpace();
            if (current() == '}')
                break;
            if (current() != ',')
                return failUnexpected("a comma or }");
            ++m_place;
        }
        ++m_place;
        out.value = std::move(members);
        return true;
    }

    bool readString(std::string &out)
    {
        ++m_place;
        for (;;) {
            const std::size_t end = m_text.find_first_of("\"\\", m_place);
            if (end == std::string_view::npos) {
                m_place = m_text.size();
                return failUnexpected("a quote");
            }
            out.append(m_text.substr(m_place, end - m_place));
            m_place = end + 1;
            if (m_text[end] == '"')
                return true;
            if (!readEscape(out))
                return false;
        }
    }

    bool readEscape(std::string &out)
    {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const char letter = current();
        if (letter == 'u')
            return readUnicodeEscape(out);
        const std::size_t index = letter == '\0' ? std::string_view::npos : letters.find(letter);
        if (index == std::string_view::npos)
            return failUnexpected("an escape such as \\n");
        out += meanings[index];
        ++m_place;
        return true;
    }

    std::optional<std::uint32_t> readHex()
    {
        if (m_place + 5 > m_text.size())
            return std::nullopt;
        std::uint32_t code = 0;
        for (std::size_t digit = 1; digit <= 4; ++digit) {
            const char letter = m_text[m_place + digit];
            const std::size_t value = std::string_view("0123456789abcdef0123456789ABCDEF").find(letter);
            if (value == std::string_view::npos)
                return std::nullopt;
            code = code * 16 + static_cast<std::uint32_t>(value % 16);
        }
        m_place += 5;
        return code;
    }

    bool readUnicodeEscape(std::string &out)
    {
        auto code = readHex();
        if (!code)
            return failUnexpected("four hexadecimal digits");
        if (*code >= 0xd800U && *code < 0xdc00U && m_text.substr(m_place, 2) == "\\u") {
            const std::size_t start = m_place;
            ++m_place;
            const auto low = readHex();
            if (low && *low >= 0xdc00U && *low < 0xe000U)
                code = 0x10000U + ((*code - 0xd800U) << 10U) + (*low - 0xdc00U);
            else
                m_place = start;
        }
        appendUtf8(out, *code);
        return true;
    }

    std::string_view m_text;
    std::size_t m_place = 0;
    std::optional<Error> m_error;
};

} // namespace

const JsonValue *JsonValue::find(std::string_view name) const
{
    if (const auto *members = as<JsonObject>())
        for (const auto &[memberName, member] : *members)
            if (memberName == name)
                return &member;
    return nullptr;
}

std::vector<std::string> JsonValue::strings() const
{
    std::vector<std::string> result;
    if (const auto *items = as<JsonArray>()) {
        for (const JsonValue &item : *items) {
            const auto *text = item.as<std::string>();
            if (text == nullptr)
                return {};
            result.push_back(*text);
        }
    }
    return result;
}

Result<JsonValue> parseJson(std::string_view text)
{
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    if (!isUtf8(text))
        return Error{ "The text is not UTF-8.", {}, "Save it with the encoding UTF-8.", {} };
    return Parser(text).parse();
}

} // namespace attenscope
