// SPDX-License-Identifier: GPL-3.0-or-later
// Extensions, folders, and inputs that are not to be lost.
#include "io/output_path.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace attenscope {

QString withExtension(const QString &fileName, const QString &extension)
{
    if (fileName.isEmpty() || !QFileInfo(fileName).suffix().isEmpty())
        return fileName;
    const bool endsWithDot = fileName.endsWith(QLatin1Char('.'));
    return fileName + (endsWithDot ? QString() : QStringLiteral(".")) + extension;
}

bool isFolder(const QString &path)
{
    return path.endsWith(QLatin1Char('/')) || QFileInfo(path).isDir();
}

QString outputFile(const QString &given, const QString &input, const QString &extension)
{
    if (given.isEmpty() || !isFolder(given))
        return withExtension(given, extension);
    return QDir(given).filePath(QFileInfo(input).completeBaseName() + QLatin1Char('.') + extension);
}

Error unknownExtension(const QString &output, const QString &known)
{
    return { QStringLiteral("“.%1” cannot be written.").arg(QFileInfo(output).suffix()).toStdString(), {}, known.toStdString(), {} };
}

QStringList inputFiles(const Session &session)
{
    QStringList files;
    if (const auto *source = std::get_if<FileSource>(&session.source))
        for (const FileRef &file : source->files)
            files << QFile::decodeName(file.path.c_str());
    if (session.view.patches)
        files << QFile::decodeName(session.view.patches->picture.c_str());
    return files;
}

Result<void> checkNoInput(const QString &output, const QStringList &inputs)
{
    // Under any of its names: by a link, by a path of its own.
    const QString path = QFileInfo(output).canonicalFilePath();
    const bool isInput = !path.isEmpty() && std::any_of(inputs.begin(), inputs.end(), [&path](const QString &input) {
        return QFileInfo(input).canonicalFilePath() == path;
    });
    if (!isInput)
        return {};
    return Error{ "The output would replace an input.", {}, "Choose another name.", QFile::encodeName(output).toStdString() };
}

} // namespace attenscope
