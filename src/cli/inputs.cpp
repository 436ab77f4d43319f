// SPDX-License-Identifier: GPL-3.0-or-later
// Data files or one session.
#include "cli/inputs.h"

#include "io/bytes.h"
#include "io/open.h"
#include "io/session_file.h"

#include <QFile>

#include <algorithm>

namespace attenscope {

Result<Session> openInputs(const QStringList &paths, const Run &run)
{
    std::vector<std::string> names;
    for (const QString &path : paths)
        names.push_back(QFile::encodeName(path).toStdString());
    const bool hasSession = std::any_of(names.begin(), names.end(), [](const std::string &name) { return extension(name) == "attn"; });
    if (!hasSession) {
        auto source = openFiles(names, run);
        if (!source)
            return source.error();
        return sessionFor(std::move(*source));
    }
    if (names.size() > 1)
        return Error{ "A session is opened alone.", {}, "Name one .attn file, or data files.", {} };
    auto file = loadSession(names.front(), run);
    if (!file)
        return file.error();
    if (!file->missing.empty()) {
        return Error{ "A file that the session needs is not there or was changed.", {}, "Put it back, or open the session in the window.",
            file->missing.front().path };
    }
    return std::move(file->session);
}

} // namespace attenscope
