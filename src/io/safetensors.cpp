// SPDX-License-Identifier: GPL-3.0-or-later
// Reading safetensors headers.
#include "io/safetensors.h"

#include "core/memory.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/json.h"
#include "io/tensor_place.h"
#include "session/tensor_names.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr std::uint64_t lengthBytes = 8;
constexpr std::uint64_t maxJsonHeaderBytes = 100'000'000;
/// Memory of a parsed header per byte of its text, at most.
constexpr std::uint64_t parsedPerByte = 16;
constexpr const char *downloadAgain = "Download it again.";

std::string count(std::uint64_t number)
{
    return groupedCount(static_cast<std::int64_t>(number));
}

std::string label(const std::string &name)
{
    return "Tensor " + shortened(name, 100);
}

std::optional<ElementType> typeNamed(std::string_view name)
{
    for (const ElementType type :
        { ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16, ElementType::I64, ElementType::I32, ElementType::I16,
            ElementType::I8, ElementType::U64, ElementType::U32, ElementType::U16, ElementType::U8, ElementType::Bool })
        if (elementName(type) == name)
            return type;
    return std::nullopt;
}

/// A whole number from 0 to 2^53, which JSON numbers carry exactly.
std::optional<std::uint64_t> wholeNumber(double number)
{
    constexpr double most = 9007199254740992.0;
    if (!(number >= 0.0) || number > most || std::floor(number) != number)
        return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

/// One tensor as the header describes it.
struct Entry {
    std::string name;
    std::string dtype;
    std::vector<Index> shape;
    std::uint64_t begin = 0; ///< Relative to the end of the header.
    std::uint64_t end = 0;
};

Result<Entry> entryOf(const std::string &name, const JsonValue &described)
{
    const Error damaged{ "The header of the file is damaged.", label(name) + " has no usable dtype, shape and data_offsets.", downloadAgain,
        {} };
    const JsonValue *dtype = described.find("dtype");
    const JsonValue *shape = described.find("shape");
    const JsonValue *offsets = described.find("data_offsets");
    if (dtype == nullptr || shape == nullptr || offsets == nullptr)
        return damaged;
    const auto *typeName = dtype->as<std::string>();
    const auto *sizes = shape->as<JsonNumbers>();
    const auto *places = offsets->as<JsonNumbers>();
    if (typeName == nullptr || sizes == nullptr || places == nullptr || places->size() != 2)
        return damaged;
    Entry entry{ name, *typeName, {}, 0, 0 };
    for (const double size : *sizes) {
        const auto whole = wholeNumber(size);
        if (!whole)
            return damaged;
        entry.shape.push_back(static_cast<Index>(*whole));
    }
    const auto begin = wholeNumber((*places)[0]);
    const auto end = wholeNumber((*places)[1]);
    if (!begin || !end || *begin > *end)
        return damaged;
    entry.begin = *begin;
    entry.end = *end;
    return entry;
}

/// Every byte of the data belongs to exactly one tensor.
Result<void> checkCoverage(const std::vector<Entry> &entries, std::uint64_t dataFirst, std::uint64_t fileSize)
{
    std::vector<const Entry *> sorted;
    for (const Entry &entry : entries)
        sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(),
        [](const Entry *a, const Entry *b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
    const std::uint64_t dataBytes = fileSize - dataFirst;
    std::uint64_t reached = 0;
    const Entry *previous = nullptr;
    for (const Entry *entry : sorted) {
        if (entry->end > dataBytes) {
            return Error{ "The file ends too early.",
                label(entry->name) + " should end at byte " + count(dataFirst + entry->end) + "; the file has " + count(fileSize) + ".",
                downloadAgain, {} };
        }
        if (entry->begin < reached) {
            return Error{ "Two tensors share bytes of the file.",
                label(entry->name) + " begins at byte " + count(dataFirst + entry->begin) + ", " + label(previous->name) + " ends at byte "
                    + count(dataFirst + reached) + ".",
                downloadAgain, {} };
        }
        if (entry->begin > reached) {
            return Error{ "The file has bytes that belong to no tensor.",
                "There is a gap before " + label(entry->name) + ", from byte " + count(dataFirst + reached) + " to "
                    + count(dataFirst + entry->begin) + ".",
                downloadAgain, {} };
        }
        reached = entry->end;
        previous = entry;
    }
    if (reached != dataBytes) {
        return Error{ "The file goes on after its last tensor.",
            "The tensors end at byte " + count(dataFirst + reached) + "; the file has " + count(fileSize) + ".", downloadAgain, {} };
    }
    return {};
}

void addTokenLists(const JsonValue &metadata, const std::string &file, FileContents &contents)
{
    const auto *members = metadata.as<JsonObject>();
    if (members == nullptr)
        return;
    for (const auto &[name, member] : *members) {
        const auto *text = member.as<std::string>();
        if (text == nullptr)
            continue;
        std::vector<std::string> tokens;
        if (text->starts_with('[')) {
            if (const auto parsed = parseJson(*text))
                tokens = parsed->strings();
        }
        if (!tokens.empty())
            contents.tokenLists.push_back({ name, file, std::move(tokens) });
        else if (meaningOfTokenList(name).role != TensorRole::Unused) // Any other text is none of our business.
            contents.notes.push_back(shortened(name, 60) + " in the metadata is not a JSON list of names and is not used.");
    }
}

Result<std::string> headerText(const ByteSource &bytes)
{
    if (bytes.size() < lengthBytes)
        return Error{ "The file ends too early.", "It has " + count(bytes.size()) + " bytes; a safetensors file has at least 8.",
            downloadAgain, {} };
    const auto prefix = readText(bytes, 0, lengthBytes);
    if (!prefix)
        return prefix.error();
    std::uint64_t length = 0;
    for (std::size_t place = lengthBytes; place-- > 0;)
        length = (length << 8U) | static_cast<unsigned char>((*prefix)[place]);
    if (length > maxJsonHeaderBytes) {
        return Error{ "This is not a safetensors file, or it is damaged.",
            "Its header claims to be " + byteSize(length) + " long; at most 100 MB are allowed.", downloadAgain, {} };
    }
    if (length > bytes.size() - lengthBytes) {
        return Error{ "The file ends too early.",
            "Its header should end at byte " + count(lengthBytes + length) + "; the file has " + count(bytes.size()) + ".", downloadAgain,
            {} };
    }
    if (auto enough = checkMemory(saturatingProduct(length, parsedPerByte), "Reading the header"); !enough)
        return enough.error();
    return readText(bytes, lengthBytes, length);
}

} // namespace

Result<FileContents> readSafetensors(const std::shared_ptr<const ByteSource> &bytes, const std::string &file)
{
    const auto text = headerText(*bytes);
    if (!text)
        return text.error();
    const auto header = parseJson(*text);
    if (!header) {
        Error error = header.error();
        error.where = "In the header: " + error.what + (error.where.empty() ? "" : " " + error.where);
        error.what = "The header of the file is damaged.";
        error.remedy = downloadAgain;
        return error;
    }
    const auto *members = header->as<JsonObject>();
    if (members == nullptr)
        return Error{ "The header of the file is damaged.", "It is not a JSON object.", downloadAgain, {} };

    FileContents contents;
    std::vector<Entry> entries;
    for (const auto &[name, described] : *members) {
        if (name == "__metadata__") {
            addTokenLists(described, file, contents);
            continue;
        }
        auto entry = entryOf(name, described);
        if (!entry)
            return entry.error();
        entries.push_back(std::move(*entry));
    }
    const std::uint64_t dataFirst = lengthBytes + text->size();
    if (auto covered = checkCoverage(entries, dataFirst, bytes->size()); !covered)
        return covered.error();

    for (const Entry &entry : entries) {
        const auto type = typeNamed(entry.dtype);
        if (!type) {
            contents.leftOut.push_back(
                { label(entry.name) + " has the element type " + shortened(entry.dtype, 20) + ", which is not known here.", {},
                    "Convert it: tensor.float().", {} });
            continue;
        }
        const auto needed = checkedBytes(entry.shape, elementSize(*type));
        if (!needed || *needed != entry.end - entry.begin) {
            return Error{ "The header of the file contradicts itself.",
                label(entry.name) + " has the shape " + shapeText(entry.shape) + " of " + entry.dtype + " but "
                    + count(entry.end - entry.begin) + " bytes.",
                downloadAgain, {} };
        }
        contents.tensors.push_back({ entry.name, file, Tensor(bytes, dataFirst + entry.begin, *type, entry.shape) });
    }
    return contents;
}

std::string safetensorsHeader(std::span<const SafetensorsEntry> tensors, std::span<const std::pair<std::string, std::string>> metadata)
{
    std::string json = "{\"__metadata__\":{";
    for (const auto &[name, text] : metadata)
        json.append(json.ends_with('{') ? "\"" : ",\"").append(name).append("\":\"").append(text) += '"';
    json += '}';
    std::uint64_t offset = 0;
    for (const SafetensorsEntry &tensor : tensors) {
        std::string shape;
        std::uint64_t bytes = sizeof(float);
        for (const Index size : tensor.shape) {
            shape += (shape.empty() ? "" : ",") + std::to_string(size);
            bytes *= static_cast<std::uint64_t>(size);
        }
        json += ",\"" + tensor.name + "\":{\"dtype\":\"F32\",\"shape\":[" + shape + "],\"data_offsets\":[" + std::to_string(offset) + ","
            + std::to_string(offset + bytes) + "]}";
        offset += bytes;
    }
    json += '}';
    json.append((lengthBytes - json.size() % lengthBytes) % lengthBytes, ' ');
    std::string header;
    for (std::size_t place = 0; place < lengthBytes; ++place)
        header += static_cast<char>((json.size() >> (8 * place)) & 0xffU);
    return header + json;
}

} // namespace attenscope
