// SPDX-License-Identifier: GPL-3.0-or-later
// The program: window, figure or picture of the window.
#include "window/program.h"

#include "core/parallel.h"
#include "core/terminal.h"
#include "window/files.h"
#include "window/main_window.h"
#include "window/message_bar.h"
#include "window/render_command.h"
#include "window/render_job.h"
#include "window/style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace attenscope {

namespace {

enum ExitCode { Done = 0, Failed = 1, CalledWrongly = 2 };

int fail(const Error &error, ExitCode code)
{
    std::fprintf(stderr, "attenscope: %s\n", error.sentence().c_str());
    return code;
}

void print(const QString &text)
{
    std::fputs(text.toUtf8().constData(), stdout);
}

QString programHelp()
{
    return QStringLiteral("Usage: attenscope [FILE…]\n"
                          "       attenscope render [INPUT…] -o FILE [OPTION…]\n"
                          "A desktop microscope for attention.\n\n"
                          "  FILE…        Open these files: one session (.attn), or data files that belong together\n"
                          "  render       Draw a figure without a window; see attenscope render --help\n"
                          "  --help       Show this\n"
                          "  --version    Show the version\n");
}

/// Milliseconds since this process started, to the clock tick of the kernel (10 ms). Negative where /proc does not say.
double processAge()
{
    QFile stat(QStringLiteral("/proc/self/stat"));
    if (!stat.open(QIODevice::ReadOnly))
        return -1;
    // The second field is the program's name in parentheses and may hold spaces.
    const QByteArray line = stat.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    constexpr int startTime = 22 - 3;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec)
        - 1e3 * fields.value(startTime).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Prints when the window has painted itself for the first time.
class FirstPaint : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Expose) {
            watched->removeEventFilter(this);
            QTimer::singleShot(0, this, [] { std::fprintf(stderr, "first paint: %.0f ms\n", processAge()); });
        }
        return false;
    }
};

void prepareApplication(QApplication &)
{
    QCoreApplication::setOrganizationName(QStringLiteral("Attenscope"));
    QCoreApplication::setApplicationName(QStringLiteral("Attenscope"));
    QCoreApplication::setApplicationVersion(QLatin1String(ATTENSCOPE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.attenscope.Attenscope"));
}

/// One figure, or those of a job file.
Result<std::vector<RenderRequest>> readRequests(const QStringList &arguments)
{
    if (arguments.size() == 2 && arguments.front() == QLatin1String("--job"))
        return readRenderJob(arguments.back());
    Result<RenderRequest> request = parseRender(arguments);
    if (!request)
        return request.error();
    return std::vector{ std::move(request).value() };
}

int runRender(int argc, char **argv, const QStringList &arguments)
{
    if (arguments.contains(QStringLiteral("--help")) || arguments.contains(QStringLiteral("-h"))) {
        print(renderHelp());
        return Done;
    }
    const Terminal terminal;
    const Result<std::vector<RenderRequest>> requests = readRequests(arguments);
    if (!requests)
        return fail(requests.error(), CalledWrongly);
    // What stands on the error stream is our sentence alone, not Qt's remarks on the machine (no XDG_RUNTIME_DIR in a container).
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    prepareApplication(application);
    const auto say = [&terminal](const QString &note) {
        terminal.clear();
        std::fprintf(stderr, "attenscope: %s\n", qUtf8Printable(note));
    };
    const Run &run = terminal.run();
    const Result<void> rendered = requests->size() == 1 ? render(requests->front(), say, run) : renderAll(*requests, say, run);
    terminal.endIfStopped();
    terminal.clear();
    return rendered ? Done : fail(rendered.error(), Failed);
}

/// The window as a picture, for the documentation and where there is no display: --screenshot FILE [--size WxH] [--dark] [--do ACTION…] [INPUT…].
int runScreenshot(int argc, char **argv, const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOptions({ { QStringLiteral("screenshot"), {}, QStringLiteral("FILE") }, { QStringLiteral("size"), {}, QStringLiteral("WxH") },
        { QStringLiteral("dark"), {} }, { QStringLiteral("do"), {}, QStringLiteral("ACTION") } });
    if (!parser.parse(QStringList{ QStringLiteral("attenscope") } + arguments))
        return fail({ parser.errorText().toStdString(), {}, {}, {} }, CalledWrongly);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    prepareApplication(application);
    // The picture is of the program as it comes, whatever this user has set.
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    applyTheme(application, parser.isSet(QStringLiteral("dark")) ? ThemeChoice::Dark : ThemeChoice::Light);

    MainWindow window;
    const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
    // The screen that is not there would keep it small.
    window.resize(size.size() == 2 ? QSize(size[0].toInt(), size[1].toInt()) : QSize(1400, 900));
    window.show();
    window.files().open(parser.positionalArguments());
    const auto settle = [&window] {
        do {
            QElapsedTimer quiet;
            quiet.start();
            while (quiet.elapsed() < 250)
                QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
        } while (window.files().isLoading() || window.document().isComputing());
    };
    settle();
    for (const QString &action : parser.values(QStringLiteral("do"))) {
        const auto &specs = window.actionTable().specs();
        if (std::none_of(specs.begin(), specs.end(), [&action](const ActionSpec &spec) { return spec.id == action; }))
            return fail({ "There is no action “" + action.toStdString() + "”.", {}, {}, {} }, CalledWrongly);
        window.actionTable()[action]->trigger();
        settle();
    }
    const QString path = parser.value(QStringLiteral("screenshot"));
    if (!window.grab().save(path))
        return fail({ "The picture cannot be written.", {}, "Choose another folder.", path.toStdString() }, Failed);
    return Done;
}

int runWindow(int argc, char **argv, const QStringList &files)
{
    if (!qEnvironmentVariableIsSet("DISPLAY") && !qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
        && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        return fail({ "There is no display to open a window on.", {}, "`attenscope render` draws a figure without one.", {} }, Failed);
    QApplication application(argc, argv);
    prepareApplication(application);
    letHelpersGiveWay();
    applyTheme(application, Settings().theme());
    MainWindow window;
    FirstPaint firstPaint;
    window.open();
    if (qEnvironmentVariableIsSet("ATTENSCOPE_TIMING"))
        window.installEventFilter(&firstPaint);
    QTimer::singleShot(0, &window, [&window, &files] {
        window.startAutosave();
        window.files().open(files);
    });
    return QApplication::exec();
}

} // namespace

int runProgram(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    if (arguments.value(0) == QLatin1String("render"))
        return runRender(argc, argv, arguments.mid(1));
    if (arguments.contains(QStringLiteral("--help")) || arguments.contains(QStringLiteral("-h"))) {
        print(programHelp());
        return Done;
    }
    if (arguments.contains(QStringLiteral("--version")) || arguments.contains(QStringLiteral("-v"))) {
        print(QStringLiteral("Attenscope %1\n").arg(QLatin1String(ATTENSCOPE_VERSION)));
        return Done;
    }
    for (const QString &argument : arguments) {
        if (argument == QLatin1String("--screenshot") || argument.startsWith(QLatin1String("--screenshot=")))
            return runScreenshot(argc, argv, arguments);
    }
    QStringList files = arguments;
    files.removeAll(QStringLiteral("--"));
    for (const QString &argument : arguments) {
        if (argument == QLatin1String("--"))
            break;
        if (argument.startsWith(QLatin1Char('-')))
            return fail({ QStringLiteral("There is no option %1.").arg(argument).toStdString(), {}, "attenscope --help shows all.", {} },
                CalledWrongly);
    }
    return runWindow(argc, argv, files);
}

} // namespace attenscope
