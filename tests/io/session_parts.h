// SPDX-License-Identifier: GPL-3.0-or-later
// A session file as its parts, to be looked into and damaged.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QTest>

#include <zip.h>

#include <map>
#include <string>

namespace attenscope::test {

using Parts = std::map<std::string, QByteArray>;

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeTo(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

/// The parts of a zip archive; none if it is no such file.
inline Parts partsOf(const QString &path)
{
    Parts parts;
    zip_t *archive = zip_open(qPrintable(path), ZIP_RDONLY, nullptr);
    if (archive == nullptr)
        return parts;
    for (zip_int64_t index = 0; index < zip_get_num_entries(archive, 0); ++index) {
        zip_stat_t status;
        zip_stat_index(archive, static_cast<zip_uint64_t>(index), 0, &status);
        QByteArray content(static_cast<qsizetype>(status.size), '\0');
        zip_file_t *file = zip_fopen_index(archive, static_cast<zip_uint64_t>(index), 0);
        zip_fread(file, content.data(), status.size);
        zip_fclose(file);
        parts[status.name] = content;
    }
    zip_discard(archive);
    return parts;
}

inline void pack(const QString &path, const Parts &parts)
{
    QFile::remove(path);
    zip_t *archive = zip_open(qPrintable(path), ZIP_CREATE, nullptr);
    QVERIFY(archive != nullptr);
    for (const auto &[name, content] : parts)
        zip_file_add(
            archive, name.c_str(), zip_source_buffer(archive, content.constData(), static_cast<zip_uint64_t>(content.size()), 0), 0);
    QCOMPARE(zip_close(archive), 0);
}

} // namespace attenscope::test
