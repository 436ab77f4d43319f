// SPDX-License-Identifier: GPL-3.0-or-later
// What the option -o of a command names, for all commands alike, and what exports may not replace. A file that is there already is replaced, once the new one is complete.
#pragma once

#include "core/result.h"
#include "session/session.h"

#include <QString>
#include <QStringList>

namespace attenscope {

/// @p fileName with ".@p extension" added where it has no extension at all.
[[nodiscard]] QString withExtension(const QString &fileName, const QString &extension);
/// Whether @p path names a folder: one that is there, or any name that ends with a slash.
[[nodiscard]] bool isFolder(const QString &path);
/// The file that -o @p given asks for: in a folder one with the name of the input @p input; .@p extension is added where none is given. Empty where
/// @p given is.
[[nodiscard]] QString outputFile(const QString &given, const QString &input, const QString &extension);
/// "“.txt” cannot be written." of the extension of @p output, and @p known, the sentence that names those that can.
[[nodiscard]] Error unknownExtension(const QString &output, const QString &known);
/// The files that @p session is made of.
[[nodiscard]] QStringList inputFiles(const Session &session);
/// Errors: @p output is one of @p inputs, which it would replace.
Result<void> checkNoInput(const QString &output, const QStringList &inputs);

} // namespace attenscope
