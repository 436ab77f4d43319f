// SPDX-License-Identifier: GPL-3.0-or-later
// Running attenscope-compute in a test: its answer, and the arrays it wrote.
#pragma once

#include "cli/compute_command.h"
#include "io/open.h"

#include <QString>
#include <QStringList>

#include <string>

namespace attenscope {

struct Answer {
    int code = 0;
    QString out;
    QString error;
};

/// What `attenscope-compute` with @p arguments says.
inline Answer answerTo(const QStringList &arguments)
{
    Answer answer;
    Console console;
    console.out = [&answer](const std::string &text) { answer.out += QString::fromStdString(text); };
    console.error = [&answer](const std::string &text) { answer.error += QString::fromStdString(text); };
    answer.code = computeCommand(QStringList{ "attenscope-compute" } + arguments, console);
    return answer;
}

/// The array @p name of a file; one without elements where there is none.
inline Tensor arrayOf(const QString &path, const std::string &name)
{
    const auto opened = openFiles({ path.toStdString() });
    if (opened)
        for (const NamedTensor &named : opened->tensors->tensors)
            if (named.name == name)
                return named.tensor;
    return {};
}

} // namespace attenscope
