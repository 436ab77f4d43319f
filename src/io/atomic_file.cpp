// SPDX-License-Identifier: GPL-3.0-or-later
// QSaveFile behind one call.
#include "io/atomic_file.h"

#include <QFile>
#include <QSaveFile>

#include <bit>

namespace attenscope {

namespace {

Error cannotWrite(const QSaveFile &file, const std::string &path)
{
    return { "The file cannot be written: " + file.errorString().toStdString() + ".", {}, "Choose another folder.", path };
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

std::string littleEndian(std::span<const double> numbers)
{
    static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");
    const auto bytes = std::as_bytes(numbers);
    return { reinterpret_cast<const char *>(bytes.data()), bytes.size() };
}

} // namespace attenscope
