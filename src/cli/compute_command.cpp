// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the command and turning answers into exit codes.
#include "cli/compute_command.h"

#include "cli/info_command.h"
#include "cli/run_command.h"

namespace attenscope {

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int wrongUsage = 2;

const char *const help = "attenscope-compute: attention computed without a screen\n"
                         "\n"
                         "attenscope-compute info FILE...                     what the files contain and how it is understood\n"
                         "attenscope-compute run FILE... -o OUT.npz [options] computes attention and writes arrays\n"
                         "attenscope-compute info --help, run --help          all options\n"
                         "attenscope-compute --version\n"
                         "\n"
                         "FILE: .npy, .npz, .safetensors, .csv, .tsv, .json, .txt, or one session (.attn).\n"
                         "Exit code: 0 done, 1 failed with a sentence, 2 wrong usage.\n";

int reported(const Result<std::string> &answer, int code, const Console &console)
{
    if (answer) {
        console.out(*answer);
        return done;
    }
    console.error("attenscope-compute: " + answer.error().sentence() + "\n");
    return code;
}

} // namespace

int computeCommand(const QStringList &arguments, const Console &console)
{
    const QString command = arguments.value(1);
    const QStringList rest = arguments.mid(2);
    if (command == QLatin1String("--help") || command == QLatin1String("-h")) {
        console.out(help);
        return done;
    }
    if (command == QLatin1String("--version") || command == QLatin1String("-v")) {
        console.out("attenscope-compute " ATTENSCOPE_VERSION "\n");
        return done;
    }
    const bool wantsHelp = rest.contains(QLatin1String("--help")) || rest.contains(QLatin1String("-h"));
    if (command == QLatin1String("info")) {
        if (wantsHelp) {
            console.out(infoHelp());
            return done;
        }
        const auto files = parseInfo(rest);
        return files ? reported(info(*files), failed, console) : reported(files.error(), wrongUsage, console);
    }
    if (command == QLatin1String("run")) {
        if (wantsHelp) {
            console.out(runHelp());
            return done;
        }
        const auto request = parseRun(rest);
        if (!request)
            return reported(request.error(), wrongUsage, console);
        Run watched;
        watched.progress = console.progress;
        return reported(run(*request, watched), failed, console);
    }
    const std::string what = command.isEmpty() ? "No command was given." : "There is no command “" + command.toStdString() + "”.";
    return reported(Error{ what, {}, "It is info or run; see attenscope-compute --help.", {} }, wrongUsage, console);
}

} // namespace attenscope
