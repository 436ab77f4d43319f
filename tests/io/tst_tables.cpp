// SPDX-License-Identifier: GPL-3.0-or-later
// Tables in text files: delimiters, names, decimal commas, ragged rows, encodings.
#include "test_files.h"

#include "io/number_table.h"
#include "io/number_text.h"

using namespace attenscope;
using namespace attenscope::test;

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;
using Shape = std::vector<Index>;

namespace {

constexpr Index noLimit = std::numeric_limits<Index>::max();

std::string utf16(const std::string &latin, bool isBigEndian)
{
    std::string text = isBigEndian ? "\xfe\xff" : "\xff\xfe";
    for (const char letter : latin)
        text += isBigEndian ? std::string{ '\0', letter } : std::string{ letter, '\0' };
    return text;
}

} // namespace

class TestTables : public QObject {
    Q_OBJECT

private slots:
    void numbersAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("number");
        const auto row = [](const char *text, double number) { QTest::newRow(text) << QString(text) << number; };
        row("1", 1);
        row(" 1.5 ", 1.5);
        row("-1.5", -1.5);
        row("−1.5", -1.5);
        row("+.5", 0.5);
        row("2.", 2);
        row("1e-3", 0.001);
        row("1E+03", 1000);
        row("1e308", 1e308);
        row("-1e308", -1e308);
        row("5e-324", 5e-324);
        row("1e-400", 0);
        row("0.0000000000000000000000000000001e-330", 0);
        row("inf", HUGE_VAL);
        row("-Infinity", -HUGE_VAL);
        row("∞", HUGE_VAL);
    }
    void numbersAreRead()
    {
        QFETCH(QString, text);
        QFETCH(double, number);
        const ParsedNumber parsed = parseNumber(text.toStdString());
        QCOMPARE(parsed.kind, NumberKind::Number);
        QCOMPARE(parsed.number, number);
    }

    void whatIsNoNumberIsNotRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *text, NumberKind kind) { QTest::newRow(text) << QString(text) << static_cast<int>(kind); };
        row("1e999", NumberKind::TooLarge);
        row("-1e999", NumberKind::TooLarge);
        row("1000000000e300", NumberKind::TooLarge);
        row("1e99999999999999999999", NumberKind::TooLarge);
        row("", NumberKind::Empty);
        row("  ", NumberKind::Empty);
        row("-", NumberKind::Text);
        row("--1", NumberKind::Text);
        row("+-1", NumberKind::Text);
        row("1 2", NumberKind::Text);
        row("1,5", NumberKind::Text);
        row("1_000", NumberKind::Text);
        row("0x10", NumberKind::Text);
        row("1e", NumberKind::Text);
        row("1.2.3", NumberKind::Text);
        row("nanny", NumberKind::Text);
        row("e5", NumberKind::Text);
        row("1+2i", NumberKind::Text);
    }
    void whatIsNoNumberIsNotRead()
    {
        QFETCH(QString, text);
        QFETCH(int, kind);
        QCOMPARE(static_cast<int>(parseNumber(text.toStdString()).kind), kind);
    }

    void tablesAreRead_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<Numbers>("numbers");
        QTest::addColumn<Shape>("rowLengths");
        QTest::addColumn<Names>("rowNames");
        QTest::addColumn<Names>("colNames");
        const auto row = [](const char *name, const std::string &text, const Numbers &numbers, const Shape &lengths = { 2, 2 },
                             const Names &rowNames = {},
                             const Names &colNames = {}) { QTest::newRow(name) << text << numbers << lengths << rowNames << colNames; };
        const Numbers four{ 1, 0, 0.5, 0.25 };
        row("comma", "1,0\n0.5,0.25\n", four);
        row("comma and space", "1, 0\r\n0.5, 0.25\r\n", four);
        row("old Macintosh", "1,0\r0.5,0.25", four);
        row("tab", "1\t0\n0.5\t0.25", four);
        row("semicolon", "1;0\n0.5;0.25", four);
        row("spaces", "  1.00   0.00\n  0.50   0.25\n", four);
        row("blank lines", "\n1,0\n\n\n0.5,0.25\n\n", four);
        row("decimal comma and semicolon", "1;0\n0,5;0,25", four);
        row("decimal comma and tab", "1,0\t0,0\n0,5\t0,25", four);
        row("decimal comma and space", "1,0 0,0\n0,5 0,25", four);
        row("three decimals", "1,000;0,000\n0,500;0,250", four);
        row("quoted", "\"1\",\"0\"\n\"0.5\",\"0.25\"", four);
        row("quoted decimal commas", "\"1,0\";\"0,0\"\n\"0,5\";\"0,25\"", four);
        row("one row", "1,0", { 1, 0 }, { 2 });
        row("one column", "1\n0\n0.5\n", { 1, 0, 0.5 }, { 1, 1, 1 });
        row("one number", "5", { 5 }, { 1 });
        row("header", "the,cat\n1,0\n0.5,0.25", four, { 2, 2 }, {}, { "the", "cat" });
        row("names", "the,1,0\ncat,0.5,0.25", four, { 2, 2 }, { "the", "cat" });
        row("header and names", ",the,cat\nthe,1,0\ncat,0.5,0.25", four, { 2, 2 }, { "the", "cat" }, { "the", "cat" });
        row("corner", "query,the,cat\nthe,1,0\ncat,0.5,0.25", four, { 2, 2 }, { "the", "cat" }, { "the", "cat" });
        row("header without corner", "the cat\nthe 1 0\ncat 0.5 0.25", four, { 2, 2 }, { "the", "cat" }, { "the", "cat" });
        row("names that are numbers", "query,1,2\n1,1,0\n2,0.5,0.25", four, { 2, 2 }, { "1", "2" }, { "1", "2" });
        row("index of pandas", ",0,1\n0,1,0\n1,0.5,0.25", four, { 2, 2 }, { "0", "1" }, { "0", "1" });
        row("names with delimiters", ",\",\",\"\"\"\"\n\"a\nb\",1,0\n</script>,0.5,0.25", four, { 2, 2 }, { "a\nb", "</script>" },
            { ",", "\"" });
        row("lone quotes", "\",1,0\nx\"y,0.5,0.25", four, { 2, 2 }, { "\"", "x\"y" });
        row("brackets", "[CLS]\t1\t0\n[SEP]\t0.5\t0.25", four, { 2, 2 }, { "[CLS]", "[SEP]" });
        row("ragged", "1\n0.5,0.5\n", { 1, 0.5, 0.5 }, { 1, 2 });
        row("empty ends", "1,,\n0.5,0.5,\n", { 1, 0.5, 0.5 }, { 1, 2 });
        row("not a number", "nan,inf\n-inf,1e308", { NAN, HUGE_VAL, -HUGE_VAL, 1e308 });
    }
    void tablesAreRead()
    {
        QFETCH(std::string, text);
        QFETCH(Numbers, numbers);
        QFETCH(Shape, rowLengths);
        QFETCH(Names, rowNames);
        QFETCH(Names, colNames);
        const auto table = parseTable(text, noLimit, TablePlaces::Lines);
        QVERIFY_OK(table);
        QCOMPARE(table->rowLengths, rowLengths);
        QCOMPARE(table->rowNames, rowNames);
        QCOMPARE(table->colNames, colNames);
        QCOMPARE(table->numbers.size(), numbers.size());
        for (std::size_t place = 0; place < numbers.size(); ++place)
            QVERIFY(std::isnan(numbers[place]) ? std::isnan(table->numbers[place]) : table->numbers[place] == numbers[place]);
    }

    void badTablesAreRefusedInOneSentence_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char *name, const std::string &text, const char *answer) { QTest::newRow(name) << text << answer; };
        row("text in numbers", "1,2,3\n4,x5,6\n", "There is text where a number should be. Line 2, cell 2 is ‘x5’.");
        row("text in the first row", "1,x5,3\n4,5,6\n", "There is text where a number should be. Line 1, cell 2 is ‘x5’.");
        row("text in the first column", "1,2\nx,3\n4,5\n5,6", "There is text where a number should be. Line 2, cell 1 is ‘x’.");
        row("text behind names", "a,1,2\nb,3,?\n", "There is text where a number should be. Line 2, cell 3 is ‘?’.");
        row("thousands", "1,234\t5\n2,345\t6", "A comma here may be a decimal mark or a thousands separator. Line 1, cell 1 is ‘1,234’.");
        row("thousands and points", "1,234.5\t5\n",
            "A comma here may be a decimal mark or a thousands separator. Line 1, cell 1 is ‘1,234.5’.");
        row("both marks", "0,5;0.5\n", "A comma here may be a decimal mark or a thousands separator. Line 1, cell 1 is ‘0,5’.");
        row("too large", "1,2\n3,1e999", "A number is too large for double precision. Line 2, cell 2 is ‘1e999’.");
        row("uneven heads", "head,query,a\n0,x,1\n0,y,2\n1,x,3\n",
            "The heads have different numbers of rows. The first one has 2, another 1.");
        row("prose", "the cat sat\non the mat", "There are no numbers in this text.");
        row("blank", " \n\n", "There are no numbers in this text.");
        row("many", "1,2\n3,4\n5,6", "The table has more than 5 numbers.");
    }
    void badTablesAreRefusedInOneSentence()
    {
        QFETCH(std::string, text);
        QFETCH(QString, answer);
        const auto table = parseTable(text, 5, TablePlaces::Lines);
        const QString said = table ? "read" : QString::fromStdString(table.error().sentence());
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }

    void encodingsAreRecognised_data()
    {
        QTest::addColumn<std::string>("content");
        QTest::addColumn<QString>("answer");
        QTest::newRow("UTF-8 with a mark") << std::string("\xef\xbb\xbf") + "1,2\n3,4"
                                           << "opened";
        QTest::newRow("UTF-16, little-endian") << utf16("1\t2\n3\t4", false) << "opened";
        QTest::newRow("UTF-16, big-endian") << utf16("1\t2\n3\t4", true) << "opened";
        QTest::newRow("cut UTF-16") << utf16("1\t2", false) + "x"
                                    << "The text begins as UTF-16 but is not.";
        QTest::newRow("Latin-1") << std::string("the,caf\xe9\n1,2\n3,4")
                                 << "The text is not UTF-8. Line 1 has letters in another encoding.";
        QTest::newRow("Latin-1 below") << std::string("a,b\n1,2\n3,4\nxx\xe9y,2") << "The text is not UTF-8. Line 4";
        QTest::newRow("zero bytes") << std::string("1,2\n3,\0", 8) << "This is not a text file.";
    }
    void encodingsAreRecognised()
    {
        QFETCH(std::string, content);
        QFETCH(QString, answer);
        const Folder folder;
        const QString said = errorOf(folder.write("a.csv", content));
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }

    void namesOfAnAttentionTableBecomeTokens()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.csv", ",der,Kater\nthe,1,0\ncat,0.5,0.5\n") });
        QVERIFY_OK(opened);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().queryTokens, (Names{ "the", "cat" }));
        QCOMPARE(input->blocks.front().keyTokens, (Names{ "der", "Kater" }));
    }

    void rowNamesOfQueriesAndKeysBecomeTokens()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("q.csv", "a,1,0\nb,0,1\n"), folder.write("k.csv", "u,1,0\nv,0,1\nw,1,1\n") });
        QVERIFY_OK(opened);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().queryTokens, (Names{ "a", "b" }));
        QCOMPARE(input->blocks.front().keyTokens, (Names{ "u", "v", "w" }));
    }

    void raggedRowsOfAnAttentionTableAreKept()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.csv", "1\n0.5,0.5\n0.2,0.3,0.5\n") });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->rowLengths, (Shape{ 1, 2, 3 }));
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 0, 0, 0.5, 0.5, 0, 0.2, 0.3, 0.5 }));
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(std::get<RecordedData>(input->blocks.front().data).rowLengths, (Shape{ 1, 2, 3 }));
    }

    void shortRowsBetweenLongOnesAreKept_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<Shape>("rowLengths");
        QTest::newRow("more rows than columns") << std::string("1,2\n5\n3,4\n") << Shape{ 2, 1, 2 };
        QTest::newRow("two short ones") << std::string("1,2\n3\n4,5\n6,7\n8\n9,1\n") << Shape{ 2, 1, 2, 2, 1, 2 };
        QTest::newRow("names") << std::string("a,b\n1,2\nNaN\n3,4\n") << Shape{ 2, 1, 2 };
        QTest::newRow("as many rows as columns") << std::string("1,2,3\n4\n5,6,7\n") << Shape{ 3, 1, 3 };
        QTest::newRow("fewer rows than columns") << std::string("1,2,3\n4,5,6,7\n") << Shape{ 3, 4 };
    }
    void shortRowsBetweenLongOnesAreKept()
    {
        QFETCH(std::string, text);
        QFETCH(Shape, rowLengths);
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.csv", text) });
        QVERIFY_OK(opened);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        const AttentionBlock &block = input->blocks.front();
        QCOMPARE(std::get<RecordedData>(block.data).rowLengths, rowLengths);
        QCOMPARE(block.queryTokens.size(), rowLengths.size());
        QCOMPARE(static_cast<Index>(block.keyTokens.size()), block.keys);
    }

    void emptyCellsBetweenNumbersAreNanAndCounted()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.csv", "1,0,0\n0.5,,0.5\n0.2,0.3,0.5\n") });
        QVERIFY_OK(opened);
        QVERIFY(std::isnan(numbersOf(opened)[4]));
        QCOMPARE(opened->tensors->notes.front(), "1 empty cell of attn.csv read as NaN, the first in line 2, cell 2.");
    }

    void manyOpeningQuotesTakeNoTime()
    {
        std::string text;
        for (int cell = 0; cell < 200'000; ++cell)
            text += "\"x,";
        QVERIFY(!parseTable(text, noLimit, TablePlaces::Lines));
    }
};

QTEST_APPLESS_MAIN(TestTables)
#include "tst_tables.moc"
