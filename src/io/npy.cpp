// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing .npy headers.
#include "io/npy.h"

#include "core/memory.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/unicode.h"

#include <QString>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>

namespace attenscope {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t maxNpyHeaderBytes = 1'000'000;
/// What numpy itself allows.
constexpr std::size_t maxAxes = 64;

/// The three entries of the header's dictionary.
struct Header {
    std::string descr;
    bool isStructured = false; ///< descr is a list or a tuple.
    bool isFortran = false;
    std::vector<Index> shape;
};

/// Reads the Python dictionary of a header: only what numpy writes, no evaluation.
class HeaderScanner {
public:
    explicit HeaderScanner(std::string_view text)
        : m_text(text)
    {
    }

    std::optional<Header> scan()
    {
        Header header;
        bool hasDescr = false, hasOrder = false, hasShape = false;
        if (!accept('{'))
            return std::nullopt;
        while (!accept('}')) {
            const auto key = string();
            if (!key || !accept(':'))
                return std::nullopt;
            bool *seen = *key == "descr" ? &hasDescr : *key == "fortran_order" ? &hasOrder : *key == "shape" ? &hasShape : nullptr;
            if (seen == nullptr || *seen)
                return std::nullopt;
            *seen = true;
            if (!(seen == &hasDescr ? descr(header) : seen == &hasOrder ? order(header) : shape(header)))
                return std::nullopt;
            if (accept(','))
                continue;
            if (!accept('}'))
                return std::nullopt;
            break;
        }
        if (!hasDescr || !hasOrder || !hasShape || !trimmedRest().empty())
            return std::nullopt;
        return header;
    }

private:
    std::string_view trimmedRest()
    {
        const std::size_t first = m_text.find_first_not_of(" \t\r\n");
        m_text = first == std::string_view::npos ? std::string_view{} : m_text.substr(first);
        return m_text;
    }

    bool accept(std::string_view word)
    {
        if (!trimmedRest().starts_with(word))
            return false;
        m_text.remove_prefix(word.size());
        return true;
    }
    bool accept(char letter) { return accept(std::string_view(&letter, 1)); }

    std::optional<std::string> string()
    {
        const std::string_view rest = trimmedRest();
        if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
            return std::nullopt;
        const std::size_t end = rest.find(rest.front(), 1);
        if (end == std::string_view::npos)
            return std::nullopt;
        std::string content(rest.substr(1, end - 1));
        m_text.remove_prefix(end + 1);
        return content;
    }

    bool descr(Header &header)
    {
        const std::string_view rest = trimmedRest();
        if (!rest.starts_with('[') && !rest.starts_with('(')) {
            const auto content = string();
            if (content)
                header.descr = *content;
            return content.has_value();
        }
        // A structure: only its end matters.
        header.isStructured = true;
        int depth = 0;
        for (std::size_t place = 0; place < rest.size(); ++place) {
            const char letter = rest[place];
            if (letter == '\'' || letter == '"') {
                place = rest.find(letter, place + 1);
                if (place == std::string_view::npos)
                    return false;
            } else if (letter == '[' || letter == '(') {
                ++depth;
            } else if ((letter == ']' || letter == ')') && --depth == 0) {
                m_text.remove_prefix(place + 1);
                return true;
            }
        }
        return false;
    }

    bool order(Header &header)
    {
        header.isFortran = accept("True");
        return header.isFortran || accept("False");
    }

    bool shape(Header &header)
    {
        if (!accept('('))
            return false;
        while (!accept(')')) {
            const std::string_view rest = trimmedRest();
            Index size = 0;
            const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
            if (failure == std::errc::result_out_of_range)
                size = std::numeric_limits<Index>::max();
            else if (failure != std::errc{} || size < 0)
                return false;
            m_text.remove_prefix(static_cast<std::size_t>(end - rest.data()));
            accept('L');
            header.shape.push_back(size);
            if (header.shape.size() > maxAxes)
                return false;
            if (!accept(',') && !trimmedRest().starts_with(')'))
                return false;
        }
        return true;
    }

    std::string_view m_text;
};

struct NumberType {
    std::string_view code;
    ElementType type;
};

constexpr NumberType numberTypes[] = {
    { "f8", ElementType::F64 },
    { "f4", ElementType::F32 },
    { "f2", ElementType::F16 },
    { "i8", ElementType::I64 },
    { "i4", ElementType::I32 },
    { "i2", ElementType::I16 },
    { "i1", ElementType::I8 },
    { "u8", ElementType::U64 },
    { "u4", ElementType::U32 },
    { "u2", ElementType::U16 },
    { "u1", ElementType::U8 },
    { "b1", ElementType::Bool },
};

Error unusable(const Header &header, const std::string &name)
{
    const std::string_view code = std::string_view(header.descr).substr(std::min<std::size_t>(1, header.descr.size()));
    if (header.isStructured || code.starts_with('V'))
        return { atStart(name) + " is a structured array.", "Its elements have several fields.",
            "Save each field as an array of numbers: np.savez(\"x.npz\", q=a[\"q\"]).", {} };
    if (header.descr.find('O') != std::string::npos)
        return { atStart(name) + " holds Python objects.", "They are pickles, which can run programs and are not read.",
            "Save numbers: np.save(\"x.npy\", a.astype(float), allow_pickle=False).", {} };
    if (code.starts_with('c'))
        return { atStart(name) + " holds complex numbers.", {}, "Save a.real, a.imag or np.abs(a).", {} };
    if (code.starts_with('U') || code.starts_with('S'))
        return { atStart(name) + " holds strings.", "Only a list of strings with one axis can be used, as token names.",
            "Save an array of numbers.", {} };
    return { atStart(name) + " has the element type ‘" + shortened(header.descr, 20) + "’, which is not known here.", {},
        "Save it with a.astype(\"float32\").", {} };
}

/// The strings of an array of fixed-width strings with one axis; nothing if they are no text.
std::optional<std::vector<std::string>> fixedStrings(
    const ByteSource &bytes, ByteRange range, std::uint64_t count, std::uint64_t width, char kind, bool isBigEndian)
{
    const auto text = readText(bytes, range.first, range.size());
    if (!text)
        return std::nullopt;
    std::vector<std::string> names;
    for (std::uint64_t item = 0; item < count; ++item) {
        const std::string_view cell = std::string_view(*text).substr(item * width, width);
        std::string name;
        if (kind == 'S') {
            name = cell.substr(0, cell.find_last_not_of('\0') + 1);
            if (!isUtf8(name))
                return std::nullopt;
        } else {
            for (std::size_t place = 0; place + 4 <= cell.size(); place += 4) {
                std::uint32_t code = 0;
                std::memcpy(&code, cell.data() + place, 4);
                if (isBigEndian != (std::endian::native == std::endian::big))
                    code = __builtin_bswap32(code);
                if (code == 0)
                    break;
                appendUtf8(name, code);
            }
        }
        names.push_back(std::move(name));
    }
    return names;
}

/// Whether @p header is a list of strings, and then the strings.
std::optional<std::vector<std::string>> stringsOf(const Header &header, const ByteSource &bytes, ByteRange range)
{
    if (header.isStructured || header.descr.size() < 3 || (header.descr[1] != 'U' && header.descr[1] != 'S') || header.shape.size() != 1)
        return std::nullopt;
    std::uint64_t letters = 0;
    const char *first = header.descr.data() + 2;
    const char *last = header.descr.data() + header.descr.size();
    const auto [end, failure] = std::from_chars(first, last, letters);
    if (end != last || failure != std::errc{})
        return std::nullopt;
    const char kind = header.descr[1];
    const std::uint64_t width = saturatingProduct(letters, kind == 'U' ? 4 : 1);
    const auto count = static_cast<std::uint64_t>(header.shape.front());
    if (width == 0 || saturatingProduct(width, count) != range.size())
        return std::nullopt;
    return fixedStrings(bytes, range, count, width, kind, header.descr.front() == '>');
}

Error damagedHeader(const std::string &name, std::string where)
{
    return { "The header of " + name + " is damaged.", std::move(where), "Save or download it again.", {} };
}

struct HeaderText {
    std::string text;
    std::uint64_t end = 0;
};

Result<HeaderText> headerText(const ByteSource &bytes, ByteRange range, const std::string &name)
{
    constexpr std::uint64_t prefix = 8;
    const Error tooShort{ "The file ends too early.",
        "The header of " + name + " does not fit into " + groupedCount(static_cast<std::int64_t>(range.size())) + " bytes.",
        "Download or save it again.", {} };
    if (range.size() < prefix + 4)
        return tooShort;
    const auto start = readText(bytes, range.first, prefix + 4);
    if (!start)
        return start.error();
    const auto byteAt = [&start](std::size_t place) { return static_cast<std::uint64_t>(static_cast<unsigned char>((*start)[place])); };
    if (!start->starts_with(magic))
        return damagedHeader(name, "It does not begin like a NumPy array.");
    const std::uint64_t version = byteAt(6);
    if (version < 1 || version > 3)
        return Error{ atStart(name) + " is written in version " + std::to_string(version) + " of the NumPy format.",
            "Versions 1 to 3 are known.", "Save it with np.save of NumPy 1 or 2.", {} };
    const bool isShort = version == 1;
    const std::uint64_t length
        = isShort ? byteAt(8) | (byteAt(9) << 8U) : byteAt(8) | (byteAt(9) << 8U) | (byteAt(10) << 16U) | (byteAt(11) << 24U);
    const std::uint64_t first = range.first + prefix + (isShort ? 2 : 4);
    if (length > range.end - first)
        return tooShort;
    if (length > maxNpyHeaderBytes)
        return damagedHeader(name, "It claims to be " + byteSize(length) + " long.");
    auto text = readText(bytes, first, length);
    if (!text)
        return text.error();
    return HeaderText{ std::move(*text), first + length };
}

/// Version 1.0, C order; its length is a multiple of 64.
std::string headerOf(const std::string &descr, std::span<const Index> shape)
{
    std::string dictionary = "{'descr': '";
    dictionary.append(descr).append("', 'fortran_order': False, 'shape': (");
    for (const Index size : shape)
        dictionary += std::to_string(size) + (shape.size() == 1 ? "," : ", ");
    if (shape.size() > 1)
        dictionary.erase(dictionary.size() - 2);
    dictionary += "), }";
    constexpr std::size_t prefix = 10;
    constexpr std::size_t alignment = 64;
    const std::size_t used = prefix + dictionary.size() + 1;
    dictionary.append((alignment - used % alignment) % alignment, ' ');
    dictionary += '\n';
    std::string header(magic);
    header += '\x01';
    header += '\0';
    header += static_cast<char>(dictionary.size() & 0xffU);
    header += static_cast<char>(dictionary.size() >> 8U);
    return header + dictionary;
}

} // namespace

Result<NpyContent> readNpy(const std::shared_ptr<const ByteSource> &bytes, ByteRange range, const std::string &name)
{
    const auto text = headerText(*bytes, range, name);
    if (!text)
        return text.error();
    const auto header = HeaderScanner(text->text).scan();
    if (!header)
        return damagedHeader(name, "It says ‘" + shortened(isUtf8(text->text) ? text->text : std::string(), 60) + "’.");
    const ByteRange data{ text->end, range.end };

    NpyContent content;
    const std::string_view descr = header->descr;
    const auto *known = std::find_if(std::begin(numberTypes), std::end(numberTypes), [descr](const NumberType &candidate) {
        return descr.size() == 3 && std::string_view("<>=|").find(descr.front()) != std::string_view::npos
            && descr.substr(1) == candidate.code;
    });
    if (header->isStructured || known == std::end(numberTypes)) {
        if (auto strings = stringsOf(*header, *bytes, data))
            content.names = std::move(*strings);
        else
            content.leftOut = unusable(*header, name);
        return content;
    }
    TensorLayout layout{ known->type, header->shape, descr.front() == '>' };
    if (header->isFortran)
        std::reverse(layout.shape.begin(), layout.shape.end());
    auto tensor = placeTensor(bytes, data, layout, name);
    if (!tensor)
        return tensor.error();
    if (header->isFortran) {
        std::vector<int> order(layout.shape.size());
        std::iota(order.rbegin(), order.rend(), 0);
        content.tensor = tensor->transposed(order);
    } else {
        content.tensor = std::move(*tensor);
    }
    return content;
}

std::string npyHeader(std::span<const Index> shape, ElementType type)
{
    const ElementType written = type == ElementType::BF16 ? ElementType::U16 : type;
    const auto *known = std::find_if(
        std::begin(numberTypes), std::end(numberTypes), [written](const NumberType &candidate) { return candidate.type == written; });
    std::string descr(1, elementSize(type) == 1 ? '|' : '<');
    return headerOf(descr.append(known->code), shape);
}

std::string npyOfStrings(const std::vector<std::string> &strings)
{
    std::vector<std::u32string> texts;
    std::size_t width = 1;
    for (const std::string &string : strings) {
        texts.push_back(QString::fromStdString(string).toStdU32String());
        width = std::max(width, texts.back().size());
    }
    std::string npy = headerOf(std::string("<U").append(std::to_string(width)), std::array{ static_cast<Index>(strings.size()) });
    for (std::u32string &text : texts) {
        text.resize(width, U'\0');
        for (const char32_t letter : text)
            for (unsigned shift = 0; shift < 32; shift += 8)
                npy += static_cast<char>((letter >> shift) & 0xffU);
    }
    return npy;
}

} // namespace attenscope
