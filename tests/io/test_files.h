// SPDX-License-Identifier: GPL-3.0-or-later
// Making small files, good and bad, for the tests of the readers.
#pragma once

#include "io/open.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <zip.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attenscope::test {

/// A folder that goes away with the test.
class Folder {
public:
    [[nodiscard]] std::string path(const std::string &name) const { return m_dir.filePath(QString::fromStdString(name)).toStdString(); }
    /// Writes a file; its path.
    std::string write(const std::string &name, const std::string &content) const
    {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content.data(), static_cast<qint64>(content.size())) < 0)
            qFatal("The test cannot write its file.");
        return path(name);
    }

private:
    QTemporaryDir m_dir;
};

template <typename Number>
std::string rawBytes(std::initializer_list<Number> numbers, bool isBigEndian = false)
{
    std::string bytes;
    for (const Number number : numbers) {
        std::string one(sizeof(Number), '\0');
        std::memcpy(one.data(), &number, sizeof(Number));
        bytes += isBigEndian ? std::string(one.rbegin(), one.rend()) : one;
    }
    return bytes;
}

inline std::string littleEndian(std::uint64_t number, int bytes)
{
    std::string text;
    for (int place = 0; place < bytes; ++place)
        text += static_cast<char>((number >> (8 * place)) & 0xff);
    return text;
}

/// An .npy with this dictionary.
inline std::string npyWith(const std::string &dictionary, const std::string &data, int version = 1)
{
    const int lengthBytes = version == 1 ? 2 : 4;
    const std::string header = dictionary + '\n';
    return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' + littleEndian(header.size(), lengthBytes) + header + data;
}

inline std::string npy(const std::string &descr, const std::string &shape, const std::string &data, bool isFortran = false)
{
    return npyWith("{'descr': '" + descr + "', 'fortran_order': " + (isFortran ? "True" : "False") + ", 'shape': " + shape + ", }", data);
}

inline std::string safetensors(const std::string &header, const std::string &data)
{
    return littleEndian(header.size(), 8) + header + data;
}

using Parts = std::vector<std::pair<std::string, std::string>>;

/// A zip file with these parts.
inline std::string zipOf(const Parts &parts, zip_int32_t compression = ZIP_CM_STORE, const char *password = nullptr)
{
    const Folder folder;
    const std::string path = folder.path("parts.zip");
    zip_t *archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
    for (const auto &[name, content] : parts) {
        const auto index = static_cast<zip_uint64_t>(
            zip_file_add(archive, name.c_str(), zip_source_buffer(archive, content.data(), content.size(), 0), 0));
        zip_set_file_compression(archive, index, compression, 0);
        if (password != nullptr)
            zip_file_set_encryption(archive, index, ZIP_EM_AES_256, password);
    }
    if (zip_close(archive) != 0)
        qFatal("The test cannot write its zip file.");
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The test cannot read its zip file.");
    return file.readAll().toStdString();
}

/// What opening @p path says; for an error its sentence without the path.
inline QString errorOf(const std::string &path)
{
    const auto opened = openFiles({ path });
    if (opened)
        return "opened";
    Error error = opened.error();
    error.path.clear();
    return QString::fromStdString(error.sentence());
}

/// Numbers of the only tensor, or nothing.
inline std::vector<double> numbersOf(const Result<FileSource> &opened)
{
    if (!opened || opened->tensors->tensors.size() != 1)
        return {};
    return opened->tensors->tensors.front().tensor.toNumbers();
}

inline std::vector<Index> shapeOf(const Result<FileSource> &opened)
{
    return opened ? opened->tensors->tensors.front().tensor.shape() : std::vector<Index>();
}

} // namespace attenscope::test

/// Fails the test with the sentence of the error.
#define QVERIFY_OK(result) QVERIFY2((result).ok(), (result).ok() ? "" : qPrintable(QString::fromStdString((result).error().sentence())))
