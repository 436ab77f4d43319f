// SPDX-License-Identifier: GPL-3.0-or-later
// QSaveFile behind one call.
#include "io/atomic_file.h"

#include "core/text.h"

#include <QFile>
#include <QSaveFile>

#include <bit>
#include <filesystem>
#include <optional>

namespace attenscope {

namespace {

/// Bytes that may still be written to the disk of @p path; nothing where that cannot be told.
std::optional<std::uint64_t> roomFor(const std::string &path)
{
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::absolute(path, failed).parent_path();
    const std::filesystem::space_info space = std::filesystem::space(folder, failed);
    return failed ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

Error cannotWrite(const QSaveFile &file, const std::string &path)
{
    // Of a full disk QSaveFile says that the error is unknown.
    constexpr std::uint64_t nothing = 1 << 16;
    const std::string reason = roomFor(path).value_or(nothing) < nothing ? "the disk is full" : file.errorString().toStdString();
    return { "The file cannot be written: " + reason + ".", {}, "Choose another folder.", path };
}

} // namespace

Result<void> writeFile(const std::string &path, const std::function<Result<void>(const Sink &)> &write)
{
    QSaveFile file(QFile::decodeName(path.c_str()));
    if (!file.open(QIODevice::WriteOnly))
        return cannotWrite(file, path);
    bool isWritten = true;
    const auto written = write([&](const std::string &piece) {
        isWritten = isWritten && file.write(piece.data(), static_cast<qint64>(piece.size())) == static_cast<qint64>(piece.size());
        return isWritten;
    });
    if (!written)
        return written.error().at(path);
    if (!isWritten || !file.commit())
        return cannotWrite(file, path);
    return {};
}

Result<void> writeText(const std::string &path, const std::string &text)
{
    return writeFile(path, [&text](const Sink &sink) -> Result<void> {
        sink(text);
        return {};
    });
}

Result<void> checkDisk(const std::string &path, std::uint64_t bytes, const std::string &remedy)
{
    const std::optional<std::uint64_t> room = roomFor(path);
    if (!room || bytes <= *room)
        return {};
    return Error{ "These numbers would take " + byteSize(bytes) + ".", "The disk has room for " + byteSize(*room) + ".", remedy, path };
}

std::string littleEndian(std::span<const double> numbers)
{
    static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");
    const auto bytes = std::as_bytes(numbers);
    return { reinterpret_cast<const char *>(bytes.data()), bytes.size() };
}

} // namespace attenscope
