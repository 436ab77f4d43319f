// SPDX-License-Identifier: GPL-3.0-or-later
// Recognising encodings.
#include "io/unicode.h"

#include "core/text.h"

#include <QStringDecoder>

#include <algorithm>

namespace attenscope {

namespace {

Error notUtf8(const std::string &content)
{
    // The longest good beginning, by halving.
    std::size_t good = 0;
    std::size_t bad = content.size();
    while (bad - good > 4) {
        const std::size_t middle = good + (bad - good) / 2;
        std::size_t cut = middle;
        while (cut > good && (static_cast<unsigned char>(content[cut]) & 0xc0U) == 0x80U)
            --cut;
        if (cut == good)
            break;
        if (isUtf8(std::string_view(content).substr(good, cut - good)))
            good = cut;
        else
            bad = cut;
    }
    const auto line = std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(good), '\n') + 1;
    return { "The text is not UTF-8.", "Line " + groupedCount(line) + " has letters in another encoding.",
        "Save it with the encoding UTF-8.", {} };
}

} // namespace

void appendUtf8(std::string &text, std::uint32_t code)
{
    if ((code >= 0xd800U && code < 0xe000U) || code > 0x10ffffU)
        code = 0xfffdU;
    const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80U) {
        put(code);
    } else if (code < 0x800U) {
        put(0xc0U | (code >> 6U));
        put(0x80U | (code & 0x3fU));
    } else if (code < 0x10000U) {
        put(0xe0U | (code >> 12U));
        put(0x80U | ((code >> 6U) & 0x3fU));
        put(0x80U | (code & 0x3fU));
    } else {
        put(0xf0U | (code >> 18U));
        put(0x80U | ((code >> 12U) & 0x3fU));
        put(0x80U | ((code >> 6U) & 0x3fU));
        put(0x80U | (code & 0x3fU));
    }
}

Result<std::string> decodedText(std::string content)
{
    if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff")) {
        QStringDecoder decoder(QStringDecoder::Utf16);
        const QString text = decoder.decode(QByteArrayView(content.data(), static_cast<qsizetype>(content.size())));
        if (decoder.hasError() || content.size() % 2 != 0)
            return Error{ "The text begins as UTF-16 but is not.", {}, "Save it with the encoding UTF-8.", {} };
        content = text.toStdString();
    } else if (content.starts_with("\xef\xbb\xbf")) {
        content.erase(0, 3);
    }
    if (content.find('\0') != std::string::npos)
        return Error{ "This is not a text file.", "It has zero bytes.", "Save it as UTF-8 text.", {} };
    if (!isUtf8(content))
        return notUtf8(content);
    return content;
}

} // namespace attenscope
