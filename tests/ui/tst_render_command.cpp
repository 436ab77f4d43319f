// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope render: options, sentences, exit codes, and that the figure shows the numbers.
#include "window/render_command.h"

#include "io/numbers_file.h"
#include "io/session_file.h"
#include "session/color_table_names.h"
#include "state/color_map.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace attenscope;

namespace {

QString programPath()
{
    return QCoreApplication::applicationDirPath() + QStringLiteral("/../ui/attenscope");
}

struct Outcome {
    int code = -1;
    QString out;
    QString err;
};

Outcome run(const QStringList &arguments, const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(programPath(), arguments);
    process.waitForFinished(-1);
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

QStringList rows(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

} // namespace

class TestRenderCommand : public QObject {
    Q_OBJECT

private slots:
    void wrongUsageIsAnsweredInWords_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("what");

        QTest::newRow("no input") << QStringList{ "-o", "a.png" } << "There is no input.";
        QTest::newRow("no output") << QStringList{ "--example", "worked" } << "There is no output.";
        QTest::newRow("other picture format") << QStringList{ "--example", "worked", "-o", "a.jpg" }
                                              << QStringLiteral("“.jpg” cannot be written.");
        QTest::newRow("example") << QStringList{ "--example", "poem", "-o", "a.png" } << QStringLiteral("--example cannot be “poem”.");
        QTest::newRow("example and input") << QStringList{ "a.npy", "--example", "worked", "-o", "a.png" }
                                           << "--example stands instead of an input.";
        QTest::newRow("stage") << QStringList{ "a.npy", "-o", "a.png", "--stage", "sauce" } << QStringLiteral("--stage cannot be “sauce”.");
        QTest::newRow("head") << QStringList{ "a.npy", "-o", "a.png", "--head", "-1" } << QStringLiteral("--head cannot be “-1”.");
        QTest::newRow("size") << QStringList{ "a.npy", "-o", "a.png", "--size", "1400" } << QStringLiteral("--size cannot be “1400”.");
        QTest::newRow("size beyond all bounds")
            << QStringList{ "a.npy", "-o", "a.png", "--size", "1e9x1e9" } << QStringLiteral("--size cannot be “1e9x1e9”.");
        QTest::newRow("size not a number") << QStringList{ "a.npy", "-o", "a.png", "--size", "nanxnan" }
                                           << QStringLiteral("--size cannot be “nanxnan”.");
        QTest::newRow("two sizes") << QStringList{ "a.npy", "-o", "a.png", "--size", "90x90", "--cell", "8" }
                                   << "--size, --mm and --cell exclude each other.";
        QTest::newRow("step of the map") << QStringList{ "a.npy", "-o", "a.png", "--step", "2" } << "--step is for --view steps.";
        QTest::newRow("numbers of the steps") << QStringList{ "a.npy", "-o", "a.csv", "--view", "steps" }
                                              << QStringLiteral("“.csv” cannot be written.");
        QTest::newRow("two comparisons") << QStringList{ "a.npy", "-o", "a.png", "--compare", "--compare-with", "dot" }
                                         << "--compare and --compare-with exclude each other.";
        QTest::newRow("pick") << QStringList{ "a.npy", "-o", "a.png", "--pick", "7" } << QStringLiteral("--pick cannot be “7”.");
        QTest::newRow("steps of all heads") << QStringList{ "a.npy", "-o", "a.png", "--view", "steps", "--all-heads" }
                                            << "--all-heads is not for steps.";
        QTest::newRow("view") << QStringList{ "a.npy", "-o", "a.png", "--view", "neurons" }
                              << QStringLiteral("--view cannot be “neurons”.");
        QTest::newRow("share") << QStringList{ "a.npy", "-o", "a.png", "--top-p", "1.5" } << QStringLiteral("--top-p cannot be “1.5”.");
        QTest::newRow("job and more") << QStringList{ "--job", "a.json", "-o", "a.png" } << "--job stands alone.";
    }

    void wrongUsageIsAnsweredInWords()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, what);
        const Result<RenderRequest> request = parseRender(arguments);
        QVERIFY(!request.ok());
        QCOMPARE(QString::fromStdString(request.error().what), what);
    }

    void stepsAreDrawn_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("PNG") << "step.png" << QByteArray("\x89PNG");
        QTest::newRow("SVG") << "step.svg" << QByteArray("<?xml");
        QTest::newRow("PDF") << "step.pdf" << QByteArray("%PDF");
        QTest::newRow("animation") << "steps.apng" << QByteArray("\x89PNG");
    }
    void stepsAreDrawn()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, start);
        const QTemporaryDir folder;
        const QString path = folder.filePath(file);
        const Outcome outcome = run({ "render", "--example", "worked", "--view", "steps", "--size", "800x600", "-o", path });
        QCOMPARE(outcome.err, QString());
        QCOMPARE(outcome.code, 0);
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray bytes = written.readAll();
        QVERIFY(bytes.startsWith(start));
        QCOMPARE(bytes.contains("acTL"), file.endsWith(QLatin1String(".apng")));
        const Outcome none = run({ "render", "--example", "worked", "--view", "steps", "--step", "99", "-o", path });
        QCOMPARE(none.code, file.endsWith(QLatin1String(".apng")) ? 0 : 1);
    }
    void everyColourTableIsAnOption()
    {
        QStringList names;
        for (const std::string_view name : colorTableNames) {
            names << QLatin1String(name.data());
            const Result<RenderRequest> request = parseRender({ "q.npy", "-o", "a", "--colors", names.last() });
            QVERIFY(request.ok());
            QCOMPARE(static_cast<qsizetype>(*request->colors), names.size() - 1);
        }
        QVERIFY(renderHelp().contains(QStringLiteral("--colors TABLE         ") + names.join(QStringLiteral(", "))));
        QCOMPARE(QString::fromStdString(parseRender({ "q.npy", "-o", "a", "--colors", "jet" }).error().remedy),
            QStringLiteral("It is viridis, cividis, magma or grey."));
    }
    void everyOptionArrives()
    {
        const Result<RenderRequest> request
            = parseRender({ "q.npy", "k.npy", "--stage", "masked", "--layer", "2", "--head", "5", "--element", "1", "--block", "cross",
                "--heads", "mean", "--colors", "magma", "--scale", "log", "--range", "own", "--mm", "120x90", "--dpi", "600",
                "--background", "transparent", "--mask", "causal", "--compare-with", "dot", "--no-title", "--no-labels", "--no-scale",
                "--no-caption", "--pick", "7,1", "--hide-below", "0.25", "--top-k", "3", "--top-p", "0.9", "-o", "fig" });

        QVERIFY2(request.ok(), request.ok() ? "" : request.error().sentence().c_str());
        QCOMPARE(request->inputs, QStringList({ "q.npy", "k.npy" }));
        QCOMPARE(request->output, QStringLiteral("fig.png"));
        QVERIFY(request->stage == Stage::Masked);
        QVERIFY(request->filter == (WeightFilter{ 0.25, 3, 0.9 }));
        QCOMPARE(request->layer.value_or(-1), 2);
        QCOMPARE(request->head.value_or(-1), 5);
        QCOMPARE(request->element, 1);
        QCOMPARE(request->block, QStringLiteral("cross"));
        QVERIFY(request->heads == HeadsShown::Mean);
        QVERIFY(request->colors == ColorTable::Magma);
        QVERIFY(request->scale == ColorScale::Logarithmic);
        QVERIFY(request->range == ColorRange::Own);
        QVERIFY(request->isCausal == true);
        QCOMPARE(request->comparesWith, QStringLiteral("dot"));
        QVERIFY(request->pick == (CellRef{ 7, 1 }));
        QCOMPARE(*request->figure.millimetres, QSizeF(120, 90));
        QCOMPARE(request->figure.dpi, 600.0);
        QVERIFY(request->figure.background == FigureBackground::Transparent);
        QVERIFY(!request->figure.hasTitle && !request->figure.hasLabels && !request->figure.hasColorScale && !request->figure.hasCaption);
        QVERIFY(request->figure.hasPick);
    }

    void figureHasTheColoursOfTheWorkedExample()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("worked"));
        const Result<RenderRequest> request
            = parseRender({ "--example", "worked", "--cell", "24", "--no-title", "--no-labels", "--no-scale", "--no-caption", "-o", path });
        QVERIFY(request.ok());
        const Result<void> drawn = render(*request);
        QVERIFY2(drawn.ok(), drawn.ok() ? "" : drawn.error().sentence().c_str());
        const QImage image(path + QStringLiteral(".png"));
        QVERIFY(!image.isNull());
        std::set<QRgb> seen;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                seen.insert(image.pixel(x, y) | 0xff000000U);
        }
        const ColorMap colors(colorTable(ColorTable::Viridis), 0.0, 1.0, false);
        for (const float weight : { 0.5065F, 0.1863F, 0.3072F, 0.2741F, 0.4519F })
            QVERIFY2(seen.count(colors.color(weight)), qPrintable(QString::number(weight)));
    }

    void numbersAreThoseOfTheWorkedExample()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("worked.csv"));
        const Result<RenderRequest> request = parseRender({ "--example", "worked", "-o", path });
        QVERIFY(request.ok());
        const Result<void> written = render(*request);
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().sentence().c_str());
        QString the;
        for (const QString &row : rows(path)) {
            if (row.startsWith(QLatin1String("the,")))
                the = row;
        }
        const QStringList cells = the.split(QLatin1Char(','));
        QCOMPARE(cells.size(), 4);
        // exp(1), exp(0), exp(0.5) over their sum.
        const double sum = std::exp(1.0) + 1.0 + std::exp(0.5);
        QVERIFY(std::abs(cells[1].toDouble() - std::exp(1.0) / sum) < 1e-15);
        QVERIFY(std::abs(cells[2].toDouble() - 1.0 / sum) < 1e-15);
        QVERIFY(std::abs(cells[3].toDouble() - std::exp(0.5) / sum) < 1e-15);
    }

    /// An input that is loaded in a job is waited for; what is written is never the map from before.
    void largeInputsAreWaitedFor()
    {
        QTemporaryDir folder;
        constexpr Index n = 600;
        NumbersArray identity{ "attention", { n, n }, std::vector<double>(n * n, 0.0) };
        for (Index row = 0; row < n; ++row)
            identity.numbers[static_cast<std::size_t>(row * n + row)] = 1.0;
        const QString input = folder.filePath(QStringLiteral("large_attention.npy"));
        QVERIFY(writeNpy(input.toStdString(), identity).ok());
        const QString path = folder.filePath(QStringLiteral("large.csv"));
        const Result<RenderRequest> request = parseRender({ input, "-o", path });
        QVERIFY(request.ok());
        QVERIFY(render(*request).ok());
        const QStringList lines = rows(path);
        QCOMPARE(lines.size(), n + 1);
        QCOMPARE(lines.last().count(QLatin1Char(',')), n);
        QVERIFY(lines.last().endsWith(QLatin1String(",0,1")));
    }

    void aSessionIsDrawnAsItWasSaved()
    {
        QTemporaryDir folder;
        Session session = exampleSentence();
        session.view.head.head = 2;
        const QString saved = folder.filePath(QStringLiteral("saved.attn"));
        QVERIFY(saveSession(saved.toStdString(), session, { std::pair<Index, Index>(7, 1), {}, {}, std::nullopt }).ok());
        const auto draw = [&folder](const QStringList &arguments, const QString &name) {
            const QString path = folder.filePath(name);
            const Result<RenderRequest> request = parseRender(arguments + QStringList{ "--no-title", "-o", path });
            return request.ok() && render(*request).ok() ? QImage(path) : QImage();
        };
        const QImage asSaved = draw({ saved }, QStringLiteral("saved.png"));
        QVERIFY(!asSaved.isNull());
        QCOMPARE(draw({ "--example", "sentence", "--head", "2", "--pick", "7,1" }, QStringLiteral("named.png")), asSaved);
        QVERIFY(draw({ "--example", "sentence", "--head", "2" }, QStringLiteral("no pick.png")) != asSaved);
        QVERIFY(draw({ saved, "--head", "1" }, QStringLiteral("other head.png")) != asSaved);
    }

    /// Positions are those of the whole input where tokens are left out.
    void leftOutTokensMoveNeitherPickNorRegion()
    {
        QTemporaryDir folder;
        const auto written = [&folder](const QStringList &arguments, const QString &name) {
            const QString path = folder.filePath(name);
            const Result<RenderRequest> request
                = parseRender(QStringList{ "--example", "sentence", "--leave-out", "0-3" } + arguments + QStringList{ "-o", path });
            return request.ok() && render(*request).ok() ? path : QString();
        };
        QVERIFY(!written({ "--pick", "9,9" }, QStringLiteral("last.png")).isEmpty());
        const QStringList part = rows(written({ "--region", "3:6,5:7" }, QStringLiteral("part.csv")));
        QCOMPARE(part.size(), 3);
        QCOMPARE(part[0], QStringLiteral("query,5 mat,6 because"));
        QVERIFY(part[1].startsWith(QStringLiteral("4 the,")));
        QVERIFY(part[2].startsWith(QStringLiteral("5 mat,")));
    }

    void whatIsNotThereIsSaid_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("head") << QStringList{ "--example", "sentence", "--head", "9" } << "There is no head 9. Layer 0 has heads 0 to 3.";
        QTest::newRow("the only head") << QStringList{ "--example", "worked", "--head", "1" }
                                       << "There is no head 1. Layer 0 has head 0 only.";
        QTest::newRow("layer") << QStringList{ "--example", "sentence", "--layer", "2" } << "There is no layer 2. There is layer 0 only.";
        QTest::newRow("element") << QStringList{ "--example", "sentence", "--element", "1" }
                                 << "There is no element 1. There is element 0 only.";
        QTest::newRow("stage") << QStringList{ "--example", "worked", "--stage", "capped" }
                               << QStringLiteral("There is no stage “capped”. This input and mechanism do not have it.");
        QTest::newRow("cell") << QStringList{ "--example", "worked", "--pick", "3,0" }
                              << "There is no cell 3,0. There are 3 queries and 3 keys, from 0.";
        QTest::newRow("token that is left out") << QStringList{ "--example", "sentence", "--leave-out", "0-3", "--pick", "5,3" }
                                                << "There is no cell 5,3. Key 3 is left out. Pick a token that is shown.";
        QTest::newRow("region that is left out") << QStringList{ "--example", "sentence", "--leave-out", "0-3", "--region",
            "0:3,4:8" } << "Nothing of the region is shown. All of its queries or all of its keys are left out. Choose another region.";
    }

    void whatIsNotThereIsSaid()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.png"));
        const Result<RenderRequest> request = parseRender(arguments + QStringList{ "-o", path });
        QVERIFY(request.ok());
        const Result<void> drawn = render(*request);
        QVERIFY(!drawn.ok());
        QCOMPARE(QString::fromStdString(drawn.error().sentence()), sentence);
        QVERIFY(!QFileInfo::exists(path));
    }

    void whatTakesLongTellsHowFarItIsAndStops_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("least");
        QTest::newRow("numbers of a region, 32 rows at once") << QStringList{ "--region", "0:120,0:64" } << "a.csv" << 4;
        QTest::newRow("layers, found and drawn") << QStringList{ "--view", "layers" } << "a.png" << 2;
        QTest::newRow("numbers of layers") << QStringList{ "--view", "layers" } << "a.csv" << 5;
        QTest::newRow("steps, each of them") << QStringList{ "--view", "steps", "--size", "640x480", "--pick", "2,0" } << "a.apng" << 5;
        QTest::newRow("all heads, each of them") << QStringList{ "--all-heads" } << "a.png" << 8;
    }
    void whatTakesLongTellsHowFarItIsAndStops()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, file);
        QFETCH(int, least);
        const QTemporaryDir folder;
        const QString input = folder.filePath(QStringLiteral("heads.npz"));
        NumbersArray q{ "q", { 8, 120, 2 }, {} };
        for (int place = 0; place < 8 * 120 * 2; ++place)
            q.numbers.push_back(place * 7 % 11);
        NumbersArray k = q;
        k.name = "k";
        NumbersArray v = q;
        v.name = "v";
        QVERIFY(writeNpz(input.toStdString(), { q, k, v }).ok());
        const QString path = folder.filePath(file);
        const Result<RenderRequest> request = parseRender(QStringList{ input, "-o", path } + arguments);
        QVERIFY(request.ok());
        std::vector<double> told;
        const Run watched = Run{ {}, [&told](double fraction) { told.push_back(fraction); } }.rising();
        QVERIFY(render(*request, {}, watched).ok());
        QVERIFY2(static_cast<int>(told.size()) >= least, qPrintable(QString::number(told.size())));
        QCOMPARE(told.back(), 1.0);
        const QStringList written = QDir(folder.path()).entryList(QDir::Files);
        for (const QString &name : written)
            QVERIFY(name == QLatin1String("heads.npz") || QFile::remove(folder.filePath(name)));
        std::stop_source source;
        const Run stopping{ source.get_token(), [&source, last = told[told.size() - 2]](double fraction) {
                               if (fraction >= last)
                                   source.request_stop();
                           } };
        const Result<void> stopped = render(*request, {}, stopping);
        QVERIFY(!stopped.ok() && stopped.error().isCancelled);
        QVERIFY(QDir(folder.path()).entryList(QDir::Files).size() < written.size());
        source = std::stop_source();
        source.request_stop();
        QVERIFY(render(*request, {}, { source.get_token(), {} }).error().isCancelled);
    }

    void anInputIsNotReplaced()
    {
        const QTemporaryDir folder;
        QFile input(folder.filePath(QStringLiteral("a.csv")));
        QVERIFY(input.open(QIODevice::WriteOnly) && input.write("1,0\n0,1\n") > 0);
        input.close();
        const Outcome outcome = run({ "render", input.fileName(), "-o", input.fileName() });
        QCOMPARE(outcome.code, 2);
        QCOMPARE(
            outcome.err, QStringLiteral("attenscope: The output would replace an input. Choose another name. %1\n").arg(input.fileName()));
        QCOMPARE(rows(input.fileName()), QStringList({ "1,0", "0,1" }));
        // Any other file is.
        QVERIFY(QFile::copy(input.fileName(), folder.filePath(QStringLiteral("b.csv"))));
        QCOMPARE(run({ "render", input.fileName(), "-o", folder.filePath(QStringLiteral("b.csv")) }).err, QString());
        QCOMPARE(rows(folder.filePath(QStringLiteral("b.csv"))), QStringList({ "query,0,1", "0,1,0", "1,0,1" }));
    }

    void nothingIsComparedWithItself_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("answer");
        QTest::newRow("recorded causal") << QStringList{ "--compare" }
                                         << "Comparing with unmasked needs Q and K. This file has only the weights, recorded causal. "
                                            "Leave the comparison out.";
        QTest::newRow("recorded causal, the other way round")
            << QStringList{ "--compare-with", "causal" }
            << "Comparing with unmasked needs Q and K. This file has only the weights, recorded causal. Leave the comparison out.";
        QTest::newRow("the same") << QStringList{ "--compare-with", "none" }
                                  << "With --compare-with none both maps would be the same. Compare with another mechanism, or give the "
                                     "first map one, such as --mask causal.";
    }
    void nothingIsComparedWithItself()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, answer);
        const QTemporaryDir folder;
        QFile weights(folder.filePath(QStringLiteral("attention.csv")));
        QVERIFY(weights.open(QIODevice::WriteOnly) && weights.write("1,0,0\n0.5,0.5,0\n0.25,0.25,0.5\n") > 0);
        weights.close();
        const QString picture = folder.filePath(QStringLiteral("c.png"));
        const Outcome outcome = run(QStringList{ "render", weights.fileName(), "-o", picture } + options);
        QCOMPARE(outcome.err, QStringLiteral("attenscope: %1\n").arg(answer));
        QCOMPARE(outcome.code, 1);
        QVERIFY(!QFile::exists(picture));
    }

    void comparingDrawsThreeMaps()
    {
        QTemporaryDir folder;
        const auto draw = [&folder](const QStringList &options, const QString &name) {
            const QString path = folder.filePath(name);
            const Result<RenderRequest> request = parseRender(
                QStringList{ "--example", "worked", "--cell", "60", "--no-title", "--no-labels", "--no-scale", "--no-caption", "-o", path }
                + options);
            return request.ok() && render(*request).ok() ? QImage(path) : QImage();
        };
        const QImage one = draw({}, QStringLiteral("one.png"));
        const QImage three = draw({ QStringLiteral("--compare") }, QStringLiteral("three.png"));
        QVERIFY(!one.isNull() && !three.isNull());
        QVERIFY2(three.width() >= one.width() + 2 * 3 * 60, qPrintable(QStringLiteral("%1, %2").arg(one.width()).arg(three.width())));
    }

    void aFolderGetsAFileNamedAsTheInput_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("name");
        QTest::newRow("folder") << "there"
                                << "there/weights.png";
        QTest::newRow("with a slash") << "there/"
                                      << "there/weights.png";
        QTest::newRow("that is not there") << "elsewhere/"
                                           << "elsewhere/weights.png";
        QTest::newRow("file") << "there/a"
                              << "there/a.png";
        QTest::newRow("no folder") << "a"
                                   << "a.png";
    }
    void aFolderGetsAFileNamedAsTheInput()
    {
        QFETCH(QString, output);
        QFETCH(QString, name);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("there")));
        const Result<RenderRequest> request = parseRender({ "weights.csv", "-o", folder.path() + QLatin1Char('/') + output });
        QVERIFY(request.ok());
        QCOMPARE(QDir::cleanPath(request->output), folder.path() + QLatin1Char('/') + name);
    }

    void exitCodesTellFailureFromWrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("err");
        QTest::newRow("written") << QStringList{ "render", "--example", "worked", "-o", "@/a.png" } << 0 << QString();
        QTest::newRow("no such head") << QStringList{ "render", "--example", "sentence", "--head", "9", "-o", "@/a.png" } << 1
                                      << "attenscope: There is no head 9. Layer 0 has heads 0 to 3.\n";
        QTest::newRow("option") << QStringList{ "render", "--example", "worked", "-o", "@/a.png", "--sauce" } << 2
                                << "attenscope: Unknown option 'sauce'. attenscope render --help shows all options.\n";
        QTest::newRow("option of the window") << QStringList{ "--sauce" } << 2
                                              << "attenscope: There is no option --sauce. attenscope --help shows all.\n";
    }

    void exitCodesTellFailureFromWrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, err);
        QTemporaryDir folder;
        arguments.replaceInStrings(QStringLiteral("@"), folder.path());
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.err, err);
        QCOMPARE(outcome.code, code);
        QCOMPARE(outcome.out, QString());
        QCOMPARE(QFileInfo::exists(folder.filePath(QStringLiteral("a.png"))), code == 0);
    }

    void folderThatIsNotThereIsSaidWithThePath()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("nowhere/a.png"));
        const Outcome outcome = run({ "render", "--example", "worked", "-o", path });
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.endsWith(path + QLatin1Char('\n')), qPrintable(outcome.err));
        QCOMPARE(outcome.err.count(QLatin1Char('\n')), 1);
    }

    void missingFontsAreAnError()
    {
        QTemporaryDir folder;
        QFile config(folder.filePath(QStringLiteral("fonts.conf")));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write("<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig></fontconfig>");
        config.close();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("FONTCONFIG_FILE"), config.fileName());
        const Outcome outcome = run({ "render", "--example", "worked", "-o", folder.filePath(QStringLiteral("a.png")) }, environment);
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains(QLatin1String("font")), qPrintable(outcome.err));
        QVERIFY(!QFileInfo::exists(folder.filePath(QStringLiteral("a.png"))));
    }

    void helpListsEveryOptionOfTheRequest()
    {
        const Outcome outcome = run({ "render", "--help" });
        QCOMPARE(outcome.code, 0);
        for (const char *option : { "--stage", "--compare-with", "--cell", "--pick", "--all-heads", "-o, --output" })
            QVERIFY2(outcome.out.contains(QLatin1String(option)), option);
    }

    void versionIsPrinted()
    {
        const Outcome outcome = run({ "--version" });
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.out, QStringLiteral("Attenscope %1\n").arg(QLatin1String(ATTENSCOPE_VERSION)));
    }

    void withoutADisplayTheWindowSaysSo()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" })
            environment.remove(QLatin1String(name));
        const Outcome outcome = run({}, environment);
        QCOMPARE(outcome.code, 1);
        QCOMPARE(outcome.err,
            QStringLiteral("attenscope: There is no display to open a window on. `attenscope render` draws a figure without one.\n"));
    }
};

QTEST_MAIN(TestRenderCommand)
#include "tst_render_command.moc"
