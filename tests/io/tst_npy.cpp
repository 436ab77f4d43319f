// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy arrays: every element type, order and version, and everything that can be wrong with a file.
#include "test_files.h"

using namespace attenscope;
using namespace attenscope::test;

using Numbers = std::vector<double>;
using Shape = std::vector<Index>;

class TestNpy : public QObject {
    Q_OBJECT

private slots:
    void everyElementTypeIsRead_data()
    {
        QTest::addColumn<QString>("descr");
        QTest::addColumn<std::string>("data");
        const auto row = [](const char *descr, const std::string &data) { QTest::newRow(descr) << QString(descr) << data; };
        row("<f8", rawBytes<double>({ 1, 2 }));
        row(">f8", rawBytes<double>({ 1, 2 }, true));
        row("<f4", rawBytes<float>({ 1, 2 }));
        row(">f4", rawBytes<float>({ 1, 2 }, true));
        row("<f2", rawBytes<std::uint16_t>({ 0x3c00, 0x4000 }));
        row(">f2", rawBytes<std::uint16_t>({ 0x3c00, 0x4000 }, true));
        row("<i8", rawBytes<std::int64_t>({ 1, 2 }));
        row(">i4", rawBytes<std::int32_t>({ 1, 2 }, true));
        row("<i2", rawBytes<std::int16_t>({ 1, 2 }));
        row("|i1", rawBytes<std::int8_t>({ 1, 2 }));
        row("<u8", rawBytes<std::uint64_t>({ 1, 2 }));
        row(">u4", rawBytes<std::uint32_t>({ 1, 2 }, true));
        row("<u2", rawBytes<std::uint16_t>({ 1, 2 }));
        row("|u1", rawBytes<std::uint8_t>({ 1, 2 }));
    }
    void everyElementTypeIsRead()
    {
        QFETCH(QString, descr);
        QFETCH(std::string, data);
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.npy", npy(descr.toStdString(), "(1, 2)", data)) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 2 }));
        QCOMPARE(shapeOf(opened), (Shape{ 1, 2 }));
        QCOMPARE(opened->tensors->tensors.front().name, "a");
    }

    void booleansAreZeroAndOne()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.npy", npy("|b1", "(1, 3)", std::string("\1\0\1", 3))) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 0, 1 }));
    }

    void fortranOrderIsTurned()
    {
        // np.asfortranarray([[1, 2, 3], [4, 5, 6]]) lies in memory as 1 4 2 5 3 6.
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.npy", npy("<f8", "(2, 3)", rawBytes<double>({ 1, 4, 2, 5, 3, 6 }), true)) });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), (Shape{ 2, 3 }));
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 2, 3, 4, 5, 6 }));
    }

    void rowsOfTallFortranMatricesAreTurned()
    {
        // Neighbours in a row are 8,000 bytes apart: column c of row r is 1000 c + r.
        std::string data;
        for (int number = 0; number < 3000; ++number)
            data += rawBytes<double>({ static_cast<double>(number) });
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.npy", npy("<f8", "(1000, 3)", data, true)) });
        QVERIFY_OK(opened);
        std::vector<float> row(2);
        opened->tensors->tensors.front().tensor.readRow(998, 1, row);
        QCOMPARE(row, (std::vector<float>{ 1998, 2998 }));
    }

    void allVersionsAreRead_data()
    {
        QTest::addColumn<int>("version");
        QTest::newRow("1.0") << 1;
        QTest::newRow("2.0") << 2;
        QTest::newRow("3.0") << 3;
    }
    void allVersionsAreRead()
    {
        QFETCH(int, version);
        const Folder folder;
        const std::string file = npyWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", rawBytes<float>({ 7, 8 }), version);
        const auto opened = openFiles({ folder.write("a.npy", file) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 7, 8 }));
    }

    void headersOfOldPythonAreRead()
    {
        const Folder folder;
        const std::string file = npyWith("{'shape': (2L, 1L), 'fortran_order': False, 'descr': '<f4'}", rawBytes<float>({ 7, 8 }));
        const auto opened = openFiles({ folder.write("a.npy", file) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 7, 8 }));
    }

    void nanAndInfinityAreKeptAndCounted()
    {
        const Folder folder;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double inf = std::numeric_limits<double>::infinity();
        const auto opened = openFiles({ folder.write("attn.npy", npy("<f8", "(2, 2)", rawBytes<double>({ nan, inf, -inf, 1e308 }))) });
        QVERIFY_OK(opened);
        const Numbers numbers = numbersOf(opened);
        QVERIFY(std::isnan(numbers[0]));
        QCOMPARE(numbers[1], inf);
        QCOMPARE(numbers[2], -inf);
        QCOMPARE(numbers[3], 1e308);
        QCOMPARE(opened->tensors->notes, (std::vector<std::string>{ "attn has 1 NaN and 2 infinite numbers." }));
    }

    void badFilesAreRefusedInOneSentence_data()
    {
        QTest::addColumn<std::string>("content");
        QTest::addColumn<QString>("answer");
        const std::string two = rawBytes<double>({ 1, 2 });
        const auto row = [](const char *name, const std::string &content, const char *answer) { QTest::newRow(name) << content << answer; };
        row("empty", "", "The file is empty.");
        row("magic only", "\x93NUMPY", "The file ends too early.");
        row("cut in the header", npy("<f8", "(1, 2)", two).substr(0, 30), "The file ends too early.");
        row("cut in the numbers", npy("<f8", "(1, 2)", two.substr(0, 9)),
            "The file ends too early. The array should end at byte 86; the file has 79. Download or save it again.");
        row("more than the shape", npy("<f8", "(1, 2)", two + two), "The file goes on after its numbers.");
        row("version 9", npyWith("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", two, 9),
            "The array is written in version 9 of the NumPy format.");
        row("objects", npy("|O", "(1, 2)", "cos\nsystem\n(S'true'\ntR."), "The array holds Python objects. They are pickles");
        row("strings with two axes", npy("<U1", "(1, 2)", std::string(8, 'a')), "The array holds strings.");
        row("one axis of strings", npy("|S2", "(2,)", "abcd"), "There are only token names here, no numbers.");
        row("structure", npyWith("{'descr': [('x', '<f8'), ('y', '<f8')], 'fortran_order': False, 'shape': (1,), }", two),
            "The array is a structured array.");
        row("complex", npy("<c16", "(1,)", two), "The array holds complex numbers.");
        row("long double", npy("<f16", "(1,)", two), "The array has the element type ‘<f16’, which is not known here.");
        row("product overflows", npy("<f8", "(4294967296, 4294967296, 2)", two), "The shape of the array is impossible.");
        row("zero hides an overflow", npy("<f8", "(0, 4294967296, 4294967296)", ""), "The shape of the array is impossible.");
        row("size overflows", npy("<f8", "(99999999999999999999,)", two), "The shape of the array is impossible.");
        row("huge", npy("<f8", "(1000000, 1000000)", two), "The file ends too early.");
        row("negative size", npy("<f8", "(-1, 2)", two), "The header of the array is damaged.");
        row("no shape", npyWith("{'descr': '<f8', 'fortran_order': False, }", two), "The header of the array is damaged.");
        row("key twice", npyWith("{'descr': '<f8', 'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", two),
            "The header of the array is damaged.");
        row("program", npyWith("{'descr': __import__('os'), 'fortran_order': False, 'shape': (1, 2), }", two),
            "The header of the array is damaged.");
        row("empty names without end", npy("<U0", "(1000000000000000,)", ""), "The array holds strings.");
        row("something else", "hello", "This is not a NumPy file, or it is damaged.");
        row("0 x n", npy("<f8", "(0, 3)", ""), "opened");
        row("1 x 1", npy("<f8", "(1, 1)", rawBytes<double>({ 1 })), "opened");
    }
    void badFilesAreRefusedInOneSentence()
    {
        QFETCH(std::string, content);
        QFETCH(QString, answer);
        const Folder folder;
        const QString said = errorOf(folder.write("a.npy", content));
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }

    void stringsBesideNumbersBecomeTokens()
    {
        const Folder folder;
        const std::string letters("t\0\0\0h\0\0\0\xe9\0\0\0\0\0\0\0", 16);
        const std::string attention = folder.write("attn.npy", npy("<f4", "(2, 2)", rawBytes<float>({ 1, 0, 0.5F, 0.5F })));
        const auto opened = openFiles({ attention, folder.write("tokens.npy", npy("<U2", "(2,)", letters)) });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->tokenLists.size(), 1U);
        QCOMPARE(opened->tensors->tokenLists.front().tokens, (std::vector<std::string>{ "th", "é" }));
    }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "tst_npy.moc"
