// SPDX-License-Identifier: GPL-3.0-or-later
// generate and stream: files of any length, and what one pass over them finds, against the arrays of run.
#include "support/compute_answer.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attenscope;

using Numbers = std::vector<double>;
using Shape = std::vector<Index>;

namespace {

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Of the cells of a pool x pool square of weights, hidden ones 0: the largest, and the mean of those that are not hidden.
struct Folded {
    double largest = 0.0;
    double mean = 0.0;
};
Folded foldedCell(const Numbers &weights, Index rows, Index cols, Index pool, Index row, Index col, bool isCausal)
{
    Folded folded;
    Index count = 0;
    for (Index i = row * pool; i < std::min(rows, (row + 1) * pool); ++i) {
        for (Index j = col * pool; j < std::min(cols, (col + 1) * pool); ++j) {
            if (isCausal && j > i + cols - rows)
                continue;
            const double weight = weights[static_cast<std::size_t>(i * cols + j)];
            folded.largest = std::max(folded.largest, weight);
            folded.mean += weight;
            ++count;
        }
    }
    folded.mean /= std::max<double>(1.0, static_cast<double>(count));
    return folded;
}

bool areClose(const Numbers &numbers, const Numbers &expected, double bound)
{
    if (numbers.size() != expected.size())
        return false;
    for (std::size_t place = 0; place < numbers.size(); ++place)
        if (!(std::abs(numbers[place] - expected[place]) <= bound))
            return false;
    return true;
}

} // namespace

class TestLongCommands : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const char *name) { return m_folder.filePath(name); }

private slots:
    void theSameSeedGivesTheSameBytes()
    {
        const auto write = [&](const char *name, const char *seed) {
            const Answer answer = answerTo(
                QString("generate --queries 300 --width 32 --blocks 3 --sinks 1 --seed %1 -o %2").arg(seed, path(name)).split(' '));
            return answer.code == 0 ? bytesOf(path(name)) : QByteArray();
        };
        const QByteArray first = write("a.safetensors", "7");
        // q, k and v: 3 · 300 · 32 numbers of 4 bytes behind the header.
        QVERIFY(first.size() > 115200 && first.size() < 116200);
        QCOMPARE(write("b.safetensors", "7"), first);
        QVERIFY(write("c.safetensors", "8") != first);
    }

    void npyAndSafetensorsHaveTheSameNumbers()
    {
        const QStringList shape = QString("generate --queries 30 --keys 50 --width 5 --value-width 3 --heads 2 -o").split(' ');
        QCOMPARE(answerTo(shape + QStringList{ path("same.safetensors") }).error, QString());
        QCOMPARE(answerTo(shape + QStringList{ path("folder") }).error, QString());
        for (const auto &[name, size] : { std::pair{ "q", Shape{ 2, 30, 5 } }, { "k", Shape{ 2, 50, 5 } }, { "v", Shape{ 2, 50, 3 } } }) {
            const Tensor tensor = arrayOf(path("same.safetensors"), name);
            QCOMPARE(tensor.shape(), size);
            QCOMPARE(arrayOf(path("folder") + "/" + name + ".npy", name).toNumbers(), tensor.toNumbers());
        }
        // A dot in a folder's name takes a slash, unless the folder is there.
        for (const char *folder : { "a.folder/", "a.folder" })
            QCOMPARE(answerTo({ "generate", "--queries", "2", "-o", path(folder) }).error, QString());
        QVERIFY(QFile::exists(path("a.folder/q.npy")));
    }

    void aFileWithoutValuesHasQueriesAndKeys()
    {
        QCOMPARE(answerTo({ "generate", "--value-width", "0", "--queries", "4", "-o", path("qk.safetensors") }).error, QString());
        QCOMPARE(arrayOf(path("qk.safetensors"), "k").shape(), (Shape{ 4, 64 }));
        QCOMPARE(arrayOf(path("qk.safetensors"), "v").shape(), Tensor().shape());
    }

    void needlesAreWhereTheReportSays()
    {
        const Answer answer = answerTo(
            QString("generate --queries 700 --needles 3 --sinks 1 --diagonals -o %1").arg(path("needles.safetensors")).split(' '));
        QCOMPARE(answer.error, QString());
        const QString list = answer.out.section("by head: ", 1).trimmed();
        QVERIFY(bytesOf(path("needles.safetensors")).contains(list.toUtf8()));
        QCOMPARE(answerTo(QString("run %1 --mask causal --stages weights -o %2").arg(path("needles.safetensors"), path("n.npz")).split(' '))
                     .error,
            QString());
        const Numbers weights = arrayOf(path("n.npz"), "weights").toNumbers();
        auto cells = QRegularExpression("\\[(\\d+), (\\d+)\\]").globalMatch(list);
        int count = 0;
        for (; cells.hasNext(); ++count) {
            const auto cell = cells.next();
            QVERIFY(weights[static_cast<std::size_t>(cell.captured(1).toInt() * 700 + cell.captured(2).toInt())] > 0.9);
        }
        QCOMPARE(count, 3);
    }

    void onePassFindsWhatRunFinds_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<int>("pool");
        QTest::addColumn<bool>("isCausal");
        QTest::newRow("full") << "--queries 33 --keys 47 --width 8" << 8 << false;
        QTest::newRow("causal") << "--queries 33 --keys 47 --width 8" << 8 << true;
        QTest::newRow("structured") << "--queries 130 --width 32 --needles 2 --diagonals --heads 2" << 16 << true;
        QTest::newRow("not folded") << "--queries 5 --keys 9 --width 3" << 1 << false;
    }
    void onePassFindsWhatRunFinds()
    {
        QFETCH(QString, shape);
        QFETCH(int, pool);
        QFETCH(bool, isCausal);
        const QString input = path("pass.safetensors");
        QCOMPARE(answerTo(("generate " + shape + " -o " + input).split(' ')).error, QString());
        const QString mask = isCausal ? " --mask causal" : " --mask none";
        QCOMPARE(answerTo(("run " + input + mask + " -o " + path("exact.npz")).split(' ')).error, QString());
        const QString arrays = " --arrays output,logsumexp,entropy,largest,max,mean,summary --map 9";
        QCOMPARE(answerTo(("stream " + input + mask + arrays + " -o " + path("pass.npz")).split(' ')).error, QString());
        const auto exact = [&](const char *name) { return arrayOf(path("exact.npz"), name).toNumbers(); };
        const auto pass = [&](const char *name) { return arrayOf(path("pass.npz"), name).toNumbers(); };
        QVERIFY(areClose(pass("output"), exact("output"), 1e-5));
        QVERIFY(areClose(pass("logsumexp"), exact("logsumexp"), 1e-5));
        QVERIFY(areClose(pass("entropy"), exact("entropy"), 1e-5));
        const Tensor weights = arrayOf(path("exact.npz"), "weights");
        const Tensor max = arrayOf(path("pass.npz"), "max");
        QCOMPARE(arrayOf(path("pass.npz"), "mean").shape(), max.shape());
        const Shape size = weights.shape();
        QCOMPARE(max.shape()[2], (size[2] + pool - 1) / pool);
        QCOMPARE(max.shape()[3], (size[3] + pool - 1) / pool);
        for (Index head = 0; head < size[1]; ++head) {
            const Numbers own = weights.at(0).at(head).toNumbers();
            const Numbers ownMax = max.at(0).at(head).toNumbers();
            const Numbers ownMean = arrayOf(path("pass.npz"), "mean").at(0).at(head).toNumbers();
            for (Index row = 0; row < max.shape()[2]; ++row) {
                for (Index col = 0; col < max.shape()[3]; ++col) {
                    const Folded folded = foldedCell(own, size[2], size[3], pool, row, col, isCausal);
                    const auto place = static_cast<std::size_t>(row * max.shape()[3] + col);
                    QVERIFY(std::abs(ownMax[place] - folded.largest) < 1e-5);
                    QVERIFY(std::abs(ownMean[place] - folded.mean) < 1e-5);
                }
            }
            // The first column of the summary is the mean entropy.
            const Numbers entropies = arrayOf(path("exact.npz"), "entropy").at(0).at(head).toNumbers();
            double mean = 0.0;
            for (const double entropy : entropies)
                mean += entropy / static_cast<double>(entropies.size());
            QVERIFY(std::abs(arrayOf(path("pass.npz"), "summary").at(0).at(head).toNumbers()[0] - mean) < 1e-5);
        }
    }

    void summariesArePrintedALinePerHead()
    {
        QCOMPARE(answerTo({ "generate", "--queries", "12", "--heads", "3", "-o", path("heads.safetensors") }).error, QString());
        const Answer answer = answerTo({ "stream", path("heads.safetensors"), "--arrays", "summary", "-o", path("heads.npz") });
        const QStringList lines = answer.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2 + 1 + 3);
        QVERIFY(lines[2].startsWith("head\tEntropy\tKeys\t"));
        QVERIFY(lines[5].startsWith("2\t"));
        QCOMPARE(lines[5].count('\t'), lines[2].count('\t'));
    }

    void linearAttentionIsComputedFromSumsWithTheSameNumbers()
    {
        QCOMPARE(answerTo({ "generate", "--queries", "80", "--width", "6", "-o", path("linear.safetensors") }).error, QString());
        const QString shared = path("linear.safetensors") + " --preset linear --mask causal -o ";
        QCOMPARE(answerTo(("run " + shared + path("le.npz")).split(' ')).error, QString());
        QCOMPARE(answerTo(("stream " + shared + path("lp.npz") + " --arrays output,logsumexp").split(' ')).error, QString());
        QVERIFY(areClose(arrayOf(path("lp.npz"), "output").toNumbers(), arrayOf(path("le.npz"), "output").toNumbers(), 1e-5));
        QVERIFY(areClose(arrayOf(path("lp.npz"), "logsumexp").toNumbers(), arrayOf(path("le.npz"), "logsumexp").toNumbers(), 1e-5));
    }

    void wrongUsageIsOneSentence_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("sentence");
        const auto row
            = [](const char *arguments, int code, const char *sentence) { QTest::newRow(arguments) << arguments << code << sentence; };
        row("generate", 2, "No output was named. Add -o OUT.safetensors, or -o FOLDER for .npy.");
        row("generate -o /tmp/x.txt", 2, "“.txt” cannot be written. Give OUT.safetensors, or a folder for .npy, such as /tmp/x.txt/.\n");
        row("generate -o .hidden", 2, "“.hidden” cannot be written.");
        row("stream x.npy -o x.png", 2, "“.png” cannot be written. Arrays are .npz.\n");
        row("generate x.npy -o y", 2, "There is nothing to read: “x.npy”.");
        row("generate -o y --queries 0", 2, "--queries cannot be “0”. It is a whole number from 1 to 100000000.");
        row("generate -o y --queries 8 --needles 3", 2, "--needles cannot be “3”. It is a whole number from 0 to 2.");
        row("generate -o y --width 8 --sinks 1", 2,
            "A width of 8 has no room for blocks, diagonals, sinks and needles. Choose 32 or more.");
        row("generate -o /nowhere/y.safetensors --queries 2", 1, "The file cannot be written:");
        row("generate -o /tmp/y.safetensors --queries 100000000 --width 65536", 1,
            "These numbers would take 78.6 TB. The disk has room for ");
        row("stream", 2, "No file was named.");
        row("stream x.npy -o y --arrays weights", 2,
            "--arrays cannot be “weights”. It is of output, logsumexp, entropy, largest, max, mean, summary.");
        row("stream x.npy -o y --map 0", 2, "--map cannot be “0”.");
    }
    void wrongUsageIsOneSentence()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, sentence);
        const Answer answer = answerTo(arguments.split(' '));
        QVERIFY2(answer.error.startsWith("attenscope-compute: " + sentence), qPrintable(answer.error));
        QTEST(answer.code, "code");
    }

    void recordedWeightsHaveMapsAndNoOutput()
    {
        QFile file(path("attention.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("0.75,0.25\n0.5,0.5\n") > 0);
        file.close();
        QCOMPARE(answerTo({ "stream", path("attention.csv"), "--map", "1", "-o", path("recorded.npz") }).error, QString());
        QCOMPARE(arrayOf(path("recorded.npz"), "max").toNumbers(), Numbers{ 0.75 });
        const Answer answer = answerTo({ "stream", path("attention.csv"), "--arrays", "output", "-o", path("recorded.npz") });
        QCOMPARE(
            answer.error, QString("attenscope-compute: This input has no output. Its weights were recorded. Leave it out of --arrays.\n"));
    }

    void progressComesToAnEnd_data()
    {
        QTest::addColumn<QStringList>("arguments"); // of one head
        QTest::newRow("stream") << QStringList{ "stream", path("progress.safetensors"), "--arrays", "max,mean", "-o", path("p.npz") };
        QTest::newRow("heads") << QStringList{ "heads", path("progress.safetensors") };
    }
    void progressComesToAnEnd()
    {
        QFETCH(QStringList, arguments);
        QCOMPARE(answerTo({ "generate", "--queries", "200", "-o", path("progress.safetensors") }).error, QString());
        Numbers fractions;
        Console console;
        console.out = [](const std::string &) {};
        console.error = [](const std::string &text) { QFAIL(text.c_str()); };
        console.run.progress = [&fractions](double fraction) { fractions.push_back(fraction); };
        QCOMPARE(computeCommand(QStringList{ "attenscope-compute" } + arguments, console), 0);
        QVERIFY(fractions.size() > 2);
        QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
        QCOMPARE(fractions.back(), 1.0);
    }
};

QTEST_GUILESS_MAIN(TestLongCommands)
#include "tst_long_commands.moc"
