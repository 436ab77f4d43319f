// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute as people run it: what it prints, what it writes, and how it fails.
#include "support/compute_answer.h"

#include "io/session_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attenscope;

using Numbers = std::vector<double>;
using Shape = std::vector<Index>;

namespace {

bool areClose(const Numbers &numbers, const Numbers &expected, double bound)
{
    if (numbers.size() != expected.size())
        return false;
    for (std::size_t place = 0; place < numbers.size(); ++place)
        if (!(std::abs(numbers[place] - expected[place]) <= bound) && numbers[place] != expected[place])
            return false;
    return true;
}

QString golden(const char *name)
{
    return QString(TEST_DATA "/golden/attention/") + name + ".npz";
}

} // namespace

class TestComputeCommand : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const char *name, const char *content)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) < 0)
            qFatal("The test cannot write its file.");
        return file.fileName();
    }
    QString path(const char *name) { return m_folder.filePath(name); }

private slots:
    void headsAreSummedUpAsATable()
    {
        const QString file = write("attention.csv", "1,0,0\n0.6,0.4,0\n0.5,0.3,0.2\n");
        const Answer table = answerTo({ "heads", file });
        QCOMPARE(table.error, QString());
        const QStringList lines = table.out.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].simplified(),
            QStringLiteral("Head Pattern Entropy Keys H/ln Distance Previous First Own Induction Next Separator Largest"));
        QCOMPARE(lines[1].size(), lines[0].size());
        // -Σ w ln w: 0, 0.6730, 1.0297. Previous: 0.6 and 0.3, first 1, 0.6 and 0.5, own 1, 0.4 and 0.2.
        const QStringList cells = lines[1].simplified().split(u' ');
        QCOMPARE(cells[2], QStringLiteral("0.5676"));
        QCOMPARE(cells.mid(6, 3), (QStringList{ QStringLiteral("0.4500"), QStringLiteral("0.7000"), QStringLiteral("0.5333") }));
        QCOMPARE(cells.last(), QStringLiteral("0.7000"));

        const Answer csv = answerTo({ "heads", file, "--csv" });
        const QStringList rows = csv.out.split(u'\n', Qt::SkipEmptyParts);
        const QStringList names = rows[0].split(u',');
        const QStringList numbers = rows[1].split(u',');
        QCOMPARE(numbers.size(), names.size());
        const auto number = [&](const char *name) { return numbers[names.indexOf(QLatin1String(name))]; };
        QCOMPARE(number("Previous rows"), QStringLiteral("2"));
        QVERIFY(std::abs(number("Own").toDouble() - 1.6 / 3.0) < 1e-15);
        // Uniform attention of a causal row i has 1/(i + 1) at its own key.
        QVERIFY(std::abs(number("Own uniform").toDouble() - (1.0 + 0.5 + 1.0 / 3.0) / 3.0) < 1e-15);
        QCOMPARE(number("Induction"), QString());
        QCOMPARE(answerTo({ "heads" }).code, 2);
        QCOMPARE(
            answerTo({ "heads", file, "--head", "1" }).error, QStringLiteral("attenscope-compute: There is no head 1. There is only 0.\n"));
    }

    void theWorkedExampleIsComputed()
    {
        const QString q = write("q.csv", "1,0,1,0\n0,1,0,1\n1,1,0,0\n");
        const QString k = write("k.csv", "1,0,1,0\n0,1,0,1\n1,1,0,0\n");
        const QString v = write("v.csv", "1,2\n3,4\n5,6\n");
        const Answer answer = answerTo({ "run", q, k, v, "-o", path("worked.npz") });
        QCOMPARE(answer.error, QString());
        QCOMPARE(answer.code, 0);
        const Tensor weights = arrayOf(path("worked.npz"), "weights");
        QCOMPARE(weights.shape(), (Shape{ 1, 1, 3, 3 }));
        const Numbers numbers = weights.toNumbers();
        QVERIFY(areClose({ numbers.begin(), numbers.begin() + 3 }, { 0.5065, 0.1863, 0.3072 }, 5e-5));
        const Tensor output = arrayOf(path("worked.npz"), "output");
        QCOMPARE(output.shape(), (Shape{ 1, 1, 3, 2 }));
        const Numbers rows = output.toNumbers();
        QVERIFY(areClose({ rows.begin(), rows.begin() + 2 }, { 2.6014, 3.6014 }, 5e-5));
        // ln(e^1 + e^0 + e^½), because the scores of row 0 are 2, 0, 1, halved.
        QVERIFY(std::abs(arrayOf(path("worked.npz"), "logsumexp").toNumbers()[0] - std::log(std::exp(1.0) + 1.0 + std::exp(0.5))) < 1e-12);
    }

    void optionsChangeTheMechanism_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("array");
        QTest::addColumn<Numbers>("firstRows");
        const double inf = HUGE_VAL;
        const auto row = [](const char *options, const char *array, const Numbers &numbers) {
            QTest::addRow("%s %s", options, array) << QString(options).split(' ', Qt::SkipEmptyParts) << QString(array) << numbers;
        };
        // q = 1, 2; k = 1, 2, 3; one dimension, so the scale is 1.
        row("", "scores", { 1, 2, 3, 2, 4, 6 });
        row("--scale 0.5", "scaled", { 0.5, 1, 1.5, 1, 2, 3 });
        row("--temperature 2", "tempered", { 0.5, 1, 1.5, 1, 2, 3 });
        row("--mask causal", "masked", { 1, 2, -inf, 2, 4, 6 });
        row("--mask causal --causal-alignment top-left", "masked", { 1, -inf, -inf, 2, 4, -inf });
        row("--preset mask-causal", "masked", { 1, 2, -inf, 2, 4, 6 });
        row("--preset transformer-encoder --scale 0.5", "scaled", { 0.5, 1, 1.5, 1, 2, 3 });
        row("--padding 2", "masked", { 1, -inf, -inf, 2, -inf, -inf });
        row("--padding 2", "weights", { 1, 0, 0, 1, 0, 0 });
        row("--padding 2", "entropy", { 0, 0 });
        row("--mask causal --causal-alignment top-left", "weights-x-values", { 7, 0, 0, 7 / (1 + std::exp(2.0)), 0, 0 });
    }
    void optionsChangeTheMechanism()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, array);
        QFETCH(Numbers, firstRows);
        const QString input = write("one.json", "{\"q\": [[1], [2]], \"k\": [[1], [2], [3]], \"v\": [[7], [0], [0]]}");
        const Answer answer = answerTo(QStringList{ "run", input, "-o", path("one.npz"), "--stages", array } + options);
        QCOMPARE(answer.error, QString());
        const Tensor tensor = arrayOf(path("one.npz"), array.replace('-', '_').toStdString());
        QVERIFY(areClose(tensor.toNumbers(), firstRows, 1e-12));
    }

    void onesOfAMaskMeanWhatIsSaid_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<Numbers>("masked");
        const double inf = HUGE_VAL;
        QTest::newRow("usual") << QStringList() << Numbers{ 1, -inf, 2, 4 };
        QTest::newRow("visible") << QStringList{ "--mask-ones", "visible" } << Numbers{ 1, -inf, 2, 4 };
        QTest::newRow("hidden") << QStringList{ "--mask-ones", "hidden" } << Numbers{ -inf, 2, -inf, -inf };
    }
    void onesOfAMaskMeanWhatIsSaid()
    {
        QFETCH(QStringList, options);
        const QString input = write("mask.json", "{\"q\": [[1], [2]], \"k\": [[1], [2]], \"v\": [[7], [0]], \"mask\": [[1, 0], [1, 1]]}");
        const Answer answer = answerTo(QStringList{ "run", input, "-o", path("mask.npz"), "--stages", "masked" } + options);
        QCOMPARE(answer.error, QString());
        QTEST(arrayOf(path("mask.npz"), "masked").toNumbers(), "masked");
    }

    void onesWithoutAMaskAreRefused()
    {
        const QString input = write("plain.json", "{\"q\": [[1], [2]], \"k\": [[1], [2]]}");
        const Answer answer = answerTo({ "run", input, "-o", path("plain.npz"), "--mask-ones", "hidden" });
        QCOMPARE(answer.code, 1);
        QVERIFY2(answer.error.contains("There is no mask"), qPrintable(answer.error));
    }

    void groupedHeadsAgreeWithTheGoldenCase()
    {
        const QString input = golden("gqa_causal_batch");
        const Answer answer = answerTo({ "run", input, "--heads", "8", "--kv-heads", "2", "--mask", "causal", "-o", path("gqa") });
        QCOMPARE(answer.error, QString());
        const Tensor weights = arrayOf(path("gqa.npz"), "weights");
        QCOMPARE(weights.shape(), (Shape{ 1, 2, 8, 5, 5 }));
        QVERIFY(areClose(weights.toNumbers(), arrayOf(input, "weights").toNumbers(), 1e-12));
        QVERIFY(areClose(arrayOf(path("gqa.npz"), "output").toNumbers(), arrayOf(input, "heads").toNumbers(), 1e-12));
        const Tensor output = arrayOf(path("gqa.npz"), "layer_output");
        QCOMPARE(output.shape(), (Shape{ 1, 2, 5, 32 }));
        QVERIFY(areClose(output.toNumbers(), arrayOf(input, "output").toNumbers(), 1e-12));
    }

    void oneHeadOfOneElementIsChosen()
    {
        const QString input = golden("gqa_causal_batch");
        const Answer answer = answerTo({ "run", input, "--heads", "8", "--kv-heads", "2", "--mask", "causal", "--head", "3", "--element",
            "1", "-o", path("head.npz") });
        QCOMPARE(answer.error, QString());
        const Tensor weights = arrayOf(path("head.npz"), "weights");
        QCOMPARE(weights.shape(), (Shape{ 1, 1, 1, 5, 5 }));
        QVERIFY(areClose(weights.toNumbers(), arrayOf(input, "weights").at(1).at(3).toNumbers(), 1e-12));
        QVERIFY(!answer.out.contains("layer_output"));
    }

    void recordedWeightsAreRenormalisedUnderAMask()
    {
        const QString input = write("attn.csv", "0.5,0.5\n0.25,0.75\n");
        const Answer answer = answerTo({ "run", input, "--mask", "causal", "-o", path("attn.npz") });
        QCOMPARE(answer.error, QString());
        QCOMPARE(arrayOf(path("attn.npz"), "weights").toNumbers(), (Numbers{ 1, 0, 0.25, 0.75 }));
        const double entropy = -0.25 * std::log(0.25) - 0.75 * std::log(0.75);
        QVERIFY(areClose(arrayOf(path("attn.npz"), "entropy").toNumbers(), { 0, entropy }, 1e-12));
    }

    void whatARaggedRowLacksIsNan()
    {
        const QString input = write("ragged.csv", "1\n0.5,0.5\n");
        QCOMPARE(answerTo({ "run", input, "-o", path("ragged.npz") }).error, QString());
        const Numbers numbers = arrayOf(path("ragged.npz"), "weights").toNumbers();
        QVERIFY(std::isnan(numbers[1]));
        QCOMPARE(numbers[3], 0.5);
        QVERIFY(areClose(arrayOf(path("ragged.npz"), "entropy").toNumbers(), { 0, std::log(2.0) }, 1e-12));
    }

    void sessionsAreComputedAsTheyAre()
    {
        QVERIFY(saveSession(path("worked.attn").toStdString(), workedExample(), {}));
        const Answer answer = answerTo({ "run", path("worked.attn"), "-o", path("session.npz") });
        QCOMPARE(answer.error, QString());
        const Numbers numbers = arrayOf(path("session.npz"), "weights").toNumbers();
        QVERIFY(areClose({ numbers.begin(), numbers.begin() + 3 }, { 0.5065, 0.1863, 0.3072 }, 5e-5));
        const Answer info = answerTo({ "info", path("worked.attn") });
        QCOMPARE(info.code, 0);
        QVERIFY2(info.out.contains("1 layer, 1 head, 3 queries × 3 keys, Q, K, V"), qPrintable(info.out));
    }

    void infoSaysWhatIsInAFile()
    {
        const QString input
            = write("info.json", "{\"attn\": [[[0.5, 0.6], [1, 0]]], \"tokens\": [\"the\", \"cat\"], \"extra\": [1, 2, 3]}");
        const Answer answer = answerTo({ "info", input });
        QCOMPARE(answer.code, 0);
        QStringList lines = answer.out.split('\n');
        QCOMPARE(lines.takeFirst(), input + "  78 bytes");
        QCOMPARE(lines.join('\n'),
            QString("  attn    F64   1 × 2 × 2  recorded attention (heads, queries, keys)\n"
                    "  extra   F64   3          not used\n"
                    "  tokens  text  2          token names\n"
                    "Blocks\n"
                    "  0: attn: 1 layer, 1 head, 2 queries × 2 keys, recorded weights\n"
                    "    queries: the cat\n"
                    "Notes\n"
                    "  1 of 2 rows do not sum to 1.\n"));
    }

    void infoNamesWhatThereIs_data()
    {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("kind");
        QTest::newRow("all") << R"({"q": [[1, 2]], "k": [[1, 2]], "v": [[3]]})"
                             << "1 key, Q, K, V\n";
        QTest::newRow("no values") << R"({"q": [[1, 2]], "k": [[1, 2]]})"
                                   << "1 key, Q, K\n";
        QTest::newRow("no W_v") << R"({"x": [[1, 2]], "wq": [[1, 0], [0, 1]], "wk": [[1, 0], [0, 1]]})"
                                << "1 key, embeddings, no V\n";
    }
    void infoNamesWhatThereIs()
    {
        QFETCH(QString, content);
        QFETCH(QString, kind);
        const Answer answer = answerTo({ "info", write("some.json", content.toUtf8().constData()) });
        QVERIFY2(answer.out.contains(kind), qPrintable(answer.out + answer.error));
    }

    void infoShowsFilesThatMakeNoAttention()
    {
        const Answer answer = answerTo({ "info", write("q.json", "{\"q\": [[1, 2]]}") });
        QCOMPARE(answer.code, 0);
        QVERIFY2(answer.out.contains("No attention: "), qPrintable(answer.out));
    }

    void failuresAreOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("sentence");
        const QString input = write("small.json", "{\"q\": [[1, 2]], \"k\": [[1, 2], [3, 4]]}");
        write("taken.npz", "x");
        const QString wide = write("wide.json", "{\"q\": [[1, 2]], \"k\": [[1, 2, 3]]}");
        const QString out = path("out.npz");
        const auto row = [](const char *name, const QStringList &arguments, int code, const QString &sentence) {
            QTest::newRow(name) << arguments << code << sentence;
        };
        row("nothing", {}, 2, "No command was given. It is info, heads, run, stream or generate; see attenscope-compute --help.");
        row("unknown command", { "show" }, 2, "There is no command “show”.");
        row("no file", { "info" }, 2, "No file was named.");
        row("no input", { "run", "-o", out }, 2, "No file was named.");
        row("no output", { "run", input }, 2, "No output was named. Add -o OUT.npz.");
        row("no .npz", { "run", input, "-o", path("out.png") }, 2, "“.png” cannot be written. Arrays are .npz.");
        row("an input as output", { "run", path("taken.npz"), "-o", path("taken.npz") }, 2,
            "The output would replace an input. Choose another name. " + path("taken.npz"));
        row("a folder with the input", { "run", path("taken.npz"), "-o", path("") }, 2, "The output would replace an input.");
        row("unknown option", { "run", input, "-o", out, "--colour", "red" }, 2, "Unknown option 'colour'.");
        row("unknown score", { "run", input, "-o", out, "--score", "cosine" }, 2, "--score cannot be “cosine”. It is scaled-dot or dot.");
        row("unknown stage", { "run", input, "-o", out, "--stages", "weights,blur" }, 2, "--stages cannot be “blur”. It is of scores, ");
        row("text for a number", { "run", input, "-o", out, "--layer", "one" }, 2,
            "--layer cannot be “one”. It is a whole number from 0 on.");
        row("infinite scale", { "run", input, "-o", out, "--scale", "inf" }, 2, "--scale cannot be “inf”. It is a number.");
        row("missing file", { "info", path("missing.npy") }, 1, "There is no such file. " + path("missing.npy"));
        row("no such block", { "run", input, "-o", out, "--block", "1" }, 1, "There is no block 1. There is only 0.");
        row("no such layer", { "run", input, "-o", out, "--layer", "3" }, 1, "There is no layer 3.");
        row("no such head", { "run", input, "-o", out, "--head", "1" }, 1, "There is no head 1.");
        row("no such element", { "run", input, "-o", out, "--element", "1" }, 1, "There is no element 1.");
        row("no values", { "run", input, "-o", out, "--stages", "output" }, 1, "This input has no output. Choose of scores, ");
        row("d_k differs", { "run", wide, "-o", out }, 1, "");
        row("no folder", { "run", input, "-o", path("none/out.npz") }, 1, "The file cannot be written: ");
        row("two sessions", { "info", "a.attn", "b.attn" }, 1, "A session is opened alone.");
    }
    void failuresAreOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, sentence);
        const Answer answer = answerTo(arguments);
        QCOMPARE(answer.code, code);
        QCOMPARE(answer.out, QString());
        QVERIFY2(answer.error.startsWith("attenscope-compute: " + sentence), qPrintable(answer.error));
        QCOMPARE(answer.error.count('\n'), 1);
        QVERIFY(!QFile::exists(path("out.npz")));
    }

    void helpAndVersionArePrinted_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        QTest::newRow("help") << QStringList{ "--help" } << "attenscope-compute run FILE";
        QTest::newRow("version") << QStringList{ "--version" } << "attenscope-compute " ATTENSCOPE_VERSION "\n";
        QTest::newRow("info") << QStringList{ "info", "--help" } << "token names";
        QTest::newRow("run") << QStringList{ "run", "--help" } << "--causal-alignment CORNER";
    }
    void helpAndVersionArePrinted()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        const Answer answer = answerTo(arguments);
        QCOMPARE(answer.code, 0);
        QVERIFY(answer.out.contains(part));
        QCOMPARE(answer.error, QString());
    }

    void outputsHaveTheirExtensionAndFolder()
    {
        const QString input = write("one.csv", "0.75,0.25\n0.5,0.5\n");
        QDir(m_folder.path()).mkdir("results");
        for (const auto &[given, expected] : { std::pair{ "plain", "plain.npz" }, { "capital.NPZ", "capital.NPZ" },
                 { "results", "results/one.npz" }, { "results/", "results/one.npz" } }) {
            for (const char *command : { "run", "stream" }) {
                QFile::remove(path(expected));
                const Answer answer = answerTo({ command, input, "-o", path(given) });
                QCOMPARE(answer.error, QString());
                QVERIFY2(answer.out.startsWith(path(expected) + "\n"), qPrintable(answer.out));
                QVERIFY(QFile::exists(path(expected)));
            }
        }
    }

    void filesThatAreThereAreReplaced()
    {
        const QString input = write("one.csv", "0.75,0.25\n0.5,0.5\n");
        const QString old = write("old.npz", "old");
        QCOMPARE(answerTo({ "run", input, "-o", old, "--stages", "weights" }).error, QString());
        QCOMPARE(arrayOf(old, "weights").toNumbers(), (Numbers{ 0.75, 0.25, 0.5, 0.5 }));
    }

    void stoppedCommandsLeaveTheOldFileAndSayNothing()
    {
        const QString old = write("old.npz", "old");
        std::stop_source source;
        source.request_stop();
        for (const QStringList &arguments : { QStringList{ "run", golden("gqa_causal_batch"), "--heads", "8", "-o", old },
                 QStringList{ "stream", golden("gqa_causal_batch"), "--heads", "8", "-o", old },
                 QStringList{ "heads", golden("gqa_causal_batch"), "--heads", "8" },
                 QStringList{ "generate", "--queries", "9", "-o", path("stopped.safetensors") } }) {
            QString said;
            Console console;
            console.out = console.error = [&said](const std::string &text) { said += QString::fromStdString(text); };
            console.run.stop = source.get_token();
            QCOMPARE(computeCommand(QStringList{ "attenscope-compute" } + arguments, console), 1);
            QCOMPARE(said, QString());
        }
        QFile file(old);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
        QVERIFY(!QFile::exists(path("stopped.safetensors")));
    }

    void progressGoesFromNothingToAll()
    {
        std::vector<double> fractions;
        Console console;
        console.out = [](const std::string &) {};
        console.error = [](const std::string &) {};
        console.run.progress = [&fractions](double fraction) { fractions.push_back(fraction); };
        const QStringList arguments{ "attenscope-compute", "run", golden("gqa_causal_batch"), "--heads", "8", "-o", path("progress.npz") };
        QCOMPARE(computeCommand(arguments, console), 0);
        QVERIFY(fractions.size() >= 16);
        QCOMPARE(fractions.back(), 1.0);
    }
};

QTEST_GUILESS_MAIN(TestComputeCommand)
#include "tst_compute_command.moc"
