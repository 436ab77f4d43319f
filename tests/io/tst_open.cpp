// SPDX-License-Identifier: GPL-3.0-or-later
// Opening files: what they are, what belongs together, and noticing that they change.
#include "test_files.h"

#include "io/bytes.h"
#include "io/numbers_file.h"

#include <unistd.h>

using namespace attenscope;
using namespace attenscope::test;

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;
using Shape = std::vector<Index>;

namespace {

std::string matrix(Index rows, Index cols, double number = 0.5)
{
    const std::string one = rawBytes<double>({ number });
    std::string data;
    for (Index cell = 0; cell < rows * cols; ++cell)
        data += one;
    return npy("<f8", "(" + std::to_string(rows) + ", " + std::to_string(cols) + ")", data);
}

} // namespace

class TestOpen : public QObject {
    Q_OBJECT

private slots:
    void filesOpenedTogetherAreOneInput()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("q.npy", matrix(2, 3)), folder.write("k.npy", matrix(4, 3)),
            folder.write("v.npy", matrix(4, 5)), folder.write("tokens.txt", "a\nb\nc\nd\n") });
        QVERIFY_OK(opened);
        QCOMPARE(opened->files.size(), 4U);
        QCOMPARE(opened->tensors->tensors.size(), 3U);
        QCOMPARE(opened->uses.size(), 4U);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        const AttentionBlock &block = input->blocks.front();
        QCOMPARE(block.queries, 2);
        QCOMPARE(block.keys, 4);
        QVERIFY(block.hasValues());
        QCOMPARE(block.keyTokens, (Names{ "a", "b", "c", "d" }));
    }

    void aFileNamedTwiceIsOpenedOnce()
    {
        const Folder folder;
        const std::string path = folder.write("attn.npy", matrix(2, 2));
        const auto opened = openFiles({ path, folder.path("./attn.npy") });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->tensors.size(), 1U);
    }

    void tokensAreFoundBesideTheFile_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("content");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("same name") << "attn.txt"
                                   << "the\n\u0627\u0644\nsat\n"
                                   << true;
        QTest::newRow("Windows") << "attn.txt"
                                 << "the\r\n\u0627\u0644\r\nsat\r\n"
                                 << true;
        QTest::newRow("tokens of the name") << "attn.tokens.txt"
                                            << "the\n\u0627\u0644\nsat" << true;
        QTest::newRow("JSON") << "attn.json"
                              << "[\"the\", \"\u0627\u0644\", \"sat\"]" << true;
        QTest::newRow("JSON object") << "attn.json"
                                     << "{\"tokens\": [\"the\", \"\u0627\u0644\", \"sat\"]}" << true;
        QTest::newRow("tokens.txt") << "tokens.txt"
                                    << "the\n\u0627\u0644\nsat\n"
                                    << true;
        QTest::newRow("tokens.json") << "tokens.json"
                                     << "[\"the\", \"\u0627\u0644\", \"sat\"]" << true;
        QTest::newRow("other name") << "other.txt"
                                    << "the\n\u0627\u0644\nsat\n"
                                    << false;
        QTest::newRow("other count") << "attn.txt"
                                     << "the\ncat\n"
                                     << false;
        QTest::newRow("numbers") << "attn.txt"
                                 << "1 2 3\n4 5 6\n7 8 9\n"
                                 << false;
        QTest::newRow("damaged") << "attn.json"
                                 << "[\"the\", " << false;
    }
    void tokensAreFoundBesideTheFile()
    {
        QFETCH(QString, name);
        QFETCH(QString, content);
        QFETCH(bool, isFound);
        const Folder folder;
        folder.write(name.toStdString(), content.toStdString());
        const auto opened = openFiles({ folder.write("attn.npy", matrix(3, 3)) });
        QVERIFY_OK(opened);
        QCOMPARE(opened->files.size(), isFound ? 2U : 1U);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().queryTokens[1], isFound ? "\u0627\u0644" : "1");
    }

    void anyTokenIsKeptAsItIs()
    {
        const std::string longToken(10'000, 'x');
        const Names tokens{ longToken, "\u0627\u0644\u0642\u0637", "\U0001F600", "</script>", "", " ", "\"" };
        std::string text;
        for (const std::string &token : tokens)
            text += token + "\n";
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.npy", matrix(7, 7)), folder.write("tokens.txt", text) });
        QVERIFY_OK(opened);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().queryTokens, tokens);
    }

    void columnsOfNumbersInATextFileAreATable()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.txt", "1.0e+00 0.0e+00\n2.5e-01 7.5e-01\n") });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 0, 0.25, 0.75 }));
    }

    void otherFilesAreNamed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::string>("content");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char *name, const std::string &content, const char *answer) {
            QTest::addRow("%s %d", name, static_cast<unsigned char>(content[0])) << QString(name) << content << answer;
        };
        const char *python
            = "This is a Python pickle, which can run programs and is not read. Save it as safetensors: from safetensors.torch import "
              "save_file; save_file(torch.load(\"model.pt\"), \"model.safetensors\").";
        row("model.pt", "\x80\x02}q", python);
        row("model.pt", "not even a pickle", python);
        const std::string torch = zipOf({ { "model/data.pkl", std::string(500, 'x') }, { "model/data/0", std::string(500, 'y') } });
        QTest::newRow("cut torch file") << "model.pt" << torch.substr(0, 600) << python;
        QTest::newRow("damaged torch file") << "model.pt" << ("PK\x03\x04" + std::string(600, 'x')) << python;
        QTest::newRow("cut torch file of another name") << "a.npz" << torch.substr(0, 600) << "This is a Python pickle";
        QTest::newRow("torch file without a pickle") << "model.pt" << zipOf({ { "model/code.py", "x" } }) << python;
        row("model.pth", "x", "This is a Python pickle");
        row("pytorch_model.bin", "x", "This is a Python pickle");
        row("a.pkl", "(dp0\n.", "This is a Python pickle");
        row("a.ckpt", "x", "This is a Python pickle");
        row("a.npy", "\x80\x04\x95", "This is a Python pickle");
        row("a.csv", "\x80\x04\x95", "This is a Python pickle");
        row("a.h5", "\x89HDF\r\n\x1a\n....", "This is an HDF5 file");
        row("a.png", "\x89PNG\r\n", "This is a picture.");
        row("a.jpg", "\xff\xd8\xff\xe0", "This is a picture.");
        row("a.pdf", "%PDF-1.7", "This is a PDF document.");
        row("a.npy.gz", "\x1f\x8b\x08", "The file is compressed with gzip.");
        row("a.mat", "MATLAB 5.0 MAT-file", "This is a MATLAB data file");
        row("a.gguf", "GGUF", "This is a GGUF model file");
        row("a.attn", "x", "This is not a session, or it is damaged.");
        row("a.xyz", std::string("\1\2\3\0\0\0", 6), "This kind of file is not known here.");
        row("a.xyz", "hello", "There are no numbers in this text.");
        row("a.npz", "hello", "This is not a NumPy file, or it is damaged.");
    }
    void otherFilesAreNamed()
    {
        QFETCH(QString, name);
        QFETCH(std::string, content);
        QFETCH(QString, answer);
        const Folder folder;
        const QString said = errorOf(folder.write(name.toStdString(), content));
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }

    void contentCountsMoreThanTheExtension()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.dat", matrix(1, 2)) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 0.5, 0.5 }));
        QVERIFY_OK(openFiles(
            { folder.write("model.bin", safetensors("{\"attn\":{\"dtype\":\"U8\",\"shape\":[1,1],\"data_offsets\":[0,1]}}", "x")) }));
    }

    void errorsNameTheFile()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("q.npy", matrix(2, 2)), folder.write("k.npy", "x") });
        QVERIFY(!opened);
        QCOMPARE(opened.error().path, folder.path("k.npy"));
        QVERIFY(QString::fromStdString(opened.error().sentence()).endsWith("/k.npy"));
    }

    void whatIsNoFileIsRefused()
    {
        const Folder folder;
        QCOMPARE(errorOf(folder.path("missing.npy")), QString("There is no such file."));
        QCOMPARE(errorOf(folder.path("n\xef\xbf\xbd.npy")),
            QString("The name of the file, or of its folder, is not UTF-8: give it another name."));
        QVERIFY(errorOf(folder.path("")).startsWith("This is a folder."));
        QCOMPARE(errorOf("/dev/null"), QString("This is not a regular file. Copy its content to a file first."));
        QVERIFY(!openFiles({}));
    }

    void filesWithoutPermissionAreRefused()
    {
        if (::geteuid() == 0)
            QSKIP("Root may read every file.");
        const Folder folder;
        const std::string path = folder.write("a.npy", matrix(1, 1));
        QFile::setPermissions(QString::fromStdString(path), {});
        QCOMPARE(errorOf(path), QString("The file may not be read by this user."));
    }

    void twoRaggedTablesAreRefused()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.csv", "1\n1,2"), folder.write("b.csv", "1\n1,2") });
        QVERIFY(!opened);
        QCOMPARE(opened.error().what, "Two tables have rows of different length.");
    }

    void stoppedReadingSaysSo()
    {
        const Folder folder;
        std::stop_source source;
        source.request_stop();
        const auto opened = openFiles({ folder.write("a.npy", matrix(1, 1)) }, { source.get_token(), {} });
        QVERIFY(!opened && opened.error().isCancelled);
    }

    void changesAreNoticed()
    {
        const Folder folder;
        const std::string path = folder.write("attn.npy", matrix(2, 2));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        QVERIFY_OK(checkUnchanged(*opened));

        // Written anew with the same content.
        ::usleep(20'000);
        folder.write("attn.npy", matrix(2, 2));
        QVERIFY_OK(checkUnchanged(*opened));

        ::usleep(20'000);
        folder.write("attn.npy", matrix(2, 2, 0.25));
        auto same = checkUnchanged(*opened);
        QVERIFY(!same);
        QCOMPARE(same.error().sentence(), "The file changed. Reload it. " + path);

        QFile::remove(QString::fromStdString(path));
        same = checkUnchanged(*opened);
        QVERIFY(!same);
        QCOMPARE(same.error().what, "The file is gone.");
    }

    void smallFilesStayAsTheyWereWhenOthersChangeThem()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.npy", matrix(2, 2)) });
        QVERIFY_OK(opened);
        folder.write("attn.npy", "x");
        QCOMPARE(numbersOf(opened), (Numbers{ 0.5, 0.5, 0.5, 0.5 }));
    }

    void largeFilesThatAreCutShortGiveNanAndAnError()
    {
        const Folder folder;
        const std::string path = folder.write("attn.npy", npy("<f4", "(4096, 4096)", std::string(std::size_t{ 4096 } * 4096 * 4, '\0')));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        const Tensor tensor = opened->tensors->tensors.front().tensor;
        QVERIFY(!tensor.source()->error());
        QVERIFY(QFile::resize(QString::fromStdString(path), 1000));
        QCOMPARE(tensor.at(0).sliced(0, { 0, 1 }).toNumbers().front(), 0.0);
        QVERIFY(std::isnan(tensor.at(4095).toNumbers().back()));
        QVERIFY(tensor.source()->error().has_value());
        QCOMPARE(tensor.source()->error()->what, "The file became shorter or unreadable while it was open.");
        QVERIFY(!checkUnchanged(*opened));
    }

    void sessionsHaveTheNameOfTheFileAndNoMask()
    {
        const Folder folder;
        auto opened = openFiles({ folder.write("attn.csv", "1,0\n0.5,0.5\n") });
        QVERIFY_OK(opened);
        const Session session = sessionFor(*opened);
        QCOMPARE(session.name, "attn.csv");
        QCOMPARE(session.mechanism.mask.rule, MaskRule::None);
        QCOMPARE(session.view.head, HeadRef{});
        QCOMPARE(std::get<FileSource>(session.source), *opened);
    }

    void sharedKeyHeadsAreGuessedFromTheProjections()
    {
        const Folder folder;
        const std::string path = folder.path("x.npz");
        const auto zeros = [](const char *name, Index rows, Index cols) {
            return NumbersArray{ name, { rows, cols }, Numbers(static_cast<std::size_t>(rows * cols)) };
        };
        QVERIFY_OK(writeNpz(path, { zeros("x", 3, 8), zeros("w_q", 8, 8), zeros("w_k", 8, 2), zeros("w_v", 8, 2) }));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        const Session session = sessionFor(*opened);
        QCOMPARE(session.mechanism.heads, 4);
        // Left to the data, so that another number of heads still uses every column.
        const auto input = buildInput(session.source);
        QVERIFY(input.ok());
        QCOMPARE(kvHeadCount(input->blocks.front(), session.mechanism), 1);
        AttentionSpec more = session.mechanism;
        more.heads *= 2;
        QCOMPARE(kvHeadCount(input->blocks.front(), more), 2);
    }
};

QTEST_APPLESS_MAIN(TestOpen)
#include "tst_open.moc"
