// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point of attenscope-compute: the standard streams and the arguments.
#include "cli/compute_command.h"

#include <QCoreApplication>

#include <cstdio>
#include <unistd.h>

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    attenscope::Console console;
    console.out = [](const std::string &text) { std::fputs(text.c_str(), stdout); };
    console.error = [](const std::string &text) { std::fputs(text.c_str(), stderr); };
    if (::isatty(STDERR_FILENO) != 0) {
        console.progress = [last = -1](double fraction) mutable {
            const int percent = static_cast<int>(fraction * 100);
            if (percent == last)
                return;
            last = percent;
            std::fprintf(stderr, percent == 100 ? "\r     \r" : "\r%3d %%", percent);
        };
    }
    const int code = attenscope::computeCommand(application.arguments(), console);
    // A full disk behind a redirection is a failure too.
    return std::fflush(stdout) == 0 ? code : 1;
}
