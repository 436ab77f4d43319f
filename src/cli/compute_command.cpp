// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the command and turning answers into exit codes.
#include "cli/compute_command.h"

#include "cli/generate_command.h"
#include "cli/heads_command.h"
#include "cli/info_command.h"
#include "cli/run_command.h"
#include "cli/stream_command.h"

namespace attenscope {

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int wrongUsage = 2;

const char *const help
    = "attenscope-compute: attention computed without a screen\n"
      "\n"
      "attenscope-compute info FILE...                     what the files contain and how it is understood\n"
      "attenscope-compute heads FILE... [options]          the head table: entropy, distance, patterns, a line per head\n"
      "attenscope-compute run FILE... -o OUT.npz [options] computes attention in double precision and writes arrays\n"
      "attenscope-compute stream FILE... -o OUT.npz [options]\n"
      "                                                    long inputs: outputs, summaries and pooled maps in one pass\n"
      "attenscope-compute generate -o OUT [options]        writes made-up queries, keys and values of any length\n"
      "attenscope-compute COMMAND --help                   all options of a command\n"
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
    if (!answer.error().isCancelled)
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
    const Run watched = console.run.rising();
    // A command that is parsed into a request and then runs.
    const auto perform = [&](const std::string &help, const auto &parse, const auto &work) {
        if (wantsHelp) {
            console.out(help);
            return done;
        }
        const auto request = parse(rest);
        return request ? reported(work(*request, watched), failed, console) : reported(request.error(), wrongUsage, console);
    };
    if (command == QLatin1String("info"))
        return perform(infoHelp(), parseInfo, info);
    if (command == QLatin1String("heads"))
        return perform(headsHelp(), parseHeads, heads);
    if (command == QLatin1String("run"))
        return perform(runHelp(), parseRun, run);
    if (command == QLatin1String("stream"))
        return perform(streamHelp(), parseStream, [](const StreamRequest &request, const Run &watch) { return stream(request, watch); });
    if (command == QLatin1String("generate"))
        return perform(generateHelp(), parseGenerate, generate);
    const std::string what = command.isEmpty() ? "No command was given." : "There is no command “" + command.toStdString() + "”.";
    return reported(
        Error{ what, {}, "It is info, heads, run, stream or generate; see attenscope-compute --help.", {} }, wrongUsage, console);
}

} // namespace attenscope
