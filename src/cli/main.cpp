// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point of attenscope-compute: the standard streams and the arguments.
#include "cli/compute_command.h"
#include "core/terminal.h"

#include <QCoreApplication>

#include <cerrno>
#include <cstdio>
#include <cstring>

int main(int argc, char **argv)
{
    const attenscope::Terminal terminal;
    const QCoreApplication application(argc, argv);
    attenscope::Console console;
    const auto print = [&terminal](std::FILE *stream, const std::string &text) {
        terminal.clear();
        std::fputs(text.c_str(), stream);
    };
    console.out = [&print](const std::string &text) { print(stdout, text); };
    console.error = [&print](const std::string &text) { print(stderr, text); };
    console.run = terminal.run();
    const int code = attenscope::computeCommand(application.arguments(), console);
    terminal.endIfStopped();
    // A full disk behind a redirection is a failure too.
    if (std::fflush(stdout) == 0)
        return code;
    const char *const reason = errno == ENOSPC ? "the disk is full" : std::strerror(errno);
    std::fprintf(stderr, "attenscope-compute: The output cannot be written: %s.\n", reason);
    return 1;
}
