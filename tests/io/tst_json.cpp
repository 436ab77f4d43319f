// SPDX-License-Identifier: GPL-3.0-or-later
// JSON: what Python writes, what JSON forbids, and nesting that would end a careless program.
#include "test_files.h"

#include "io/json.h"

using namespace attenscope;
using namespace attenscope::test;

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;
using Shape = std::vector<Index>;

class TestJson : public QObject {
    Q_OBJECT

private slots:
    void nestedListsAreTensors_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<Shape>("shape");
        const auto row = [](const char *text, const Shape &shape) { QTest::newRow(text) << QString(text) << shape; };
        row("[[1, 2, 3], [4, 5, 6]]", { 2, 3 });
        row("[[[1, 2, 3]], [[4, 5, 6]]]", { 2, 1, 3 });
        row("[[[[1, 2, 3]], [[4, 5, 6]]]]", { 1, 2, 1, 3 });
        row("[[[[[1, 2, 3]], [[4, 5, 6]]]]]", { 1, 1, 2, 1, 3 });
        row("{\"attn\": [[1, 2, 3],\n [4, 5, 6]]}", { 2, 3 });
        row("{\"model\": {\"name\": \"x\", \"attn\": [[1, 2, 3], [4, 5, 6]]}, \"n\": 3}", { 2, 3 });
    }
    void nestedListsAreTensors()
    {
        QFETCH(QString, text);
        QFETCH(Shape, shape);
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.json", text.toStdString()) });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), shape);
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 2, 3, 4, 5, 6 }));
    }

    void membersOfAnObjectAreNamed()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.json",
            "{\"q\": [[1, 2]], \"k\": [[3, 4], [5, 6]], \"tokens\": {\"query\": [\"a\"], \"keys\": [\"</script>\", \"\"]}, \"empty\": "
            "[]}") });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->tensors.size(), 3U);
        QCOMPARE(opened->tensors->tensors[0].name, "q");
        QCOMPARE(opened->tensors->tensors[1].name, "k");
        QCOMPARE(opened->tensors->tokenLists[0].name, "tokens.query");
        QCOMPARE(opened->tensors->tokenLists[1].tokens, (Names{ "</script>", "" }));
    }

    void listsOfObjectsAreNumbered()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.json", "{\"layers\": [{\"attn\": [[1]]}, {\"attn\": [[2]]}]}") });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->tensors[0].name, "layers.0.attn");
        QCOMPARE(opened->tensors->tensors[1].name, "layers.1.attn");
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().layers, 2);
    }

    void whatPythonWritesIsRead()
    {
        const auto value = parseJson("[NaN, Infinity, -Infinity, true, false, null, 1e308, -0.0]");
        QVERIFY_OK(value);
        const auto *numbers = value->as<JsonNumbers>();
        QVERIFY(numbers != nullptr);
        QVERIFY(std::isnan((*numbers)[0]));
        QCOMPARE((*numbers)[1], HUGE_VAL);
        QCOMPARE((*numbers)[2], -HUGE_VAL);
        QCOMPARE((*numbers)[3], 1.0);
        QCOMPARE((*numbers)[4], 0.0);
        QVERIFY(std::isnan((*numbers)[5]));
        QCOMPARE((*numbers)[6], 1e308);
        QVERIFY(std::signbit((*numbers)[7]));
    }

    void escapesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("meaning");
        QTest::newRow("letters") << "\"a\\n\\t\\\"\\\\\\/\"" << QString("a\n\t\"\\/");
        QTest::newRow("two bytes") << "\"\\u00e9\"" << QString("é");
        QTest::newRow("three bytes") << "\"\\u6771\\u4eac\"" << QString("東京");
        QTest::newRow("a pair") << "\"\\ud83d\\ude00\"" << QString("😀");
        QTest::newRow("half a pair") << "\"\\ud83dx\"" << QString("\ufffdx");
        QTest::newRow("two halves") << "\"\\ud83d\\u0041\"" << QString("\ufffdA");
        QTest::newRow("as it is") << QString("\"é 東京 😀\"") << QString("é 東京 😀");
    }
    void escapesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, meaning);
        const auto value = parseJson(text.toStdString());
        QVERIFY_OK(value);
        QVERIFY(value->as<std::string>() != nullptr);
        QCOMPARE(QString::fromStdString(*value->as<std::string>()), meaning);
    }

    void badJsonIsRefusedInOneSentence_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char *name, const std::string &text, const char *answer) { QTest::newRow(name) << text << answer; };
        row("ten thousand deep", std::string(10'000, '[') + std::string(10'000, ']'), "Lists are nested more than 64 deep.");
        row(
            "ten thousand objects deep",
            [] {
                std::string text;
                for (int level = 0; level < 10'000; ++level)
                    text += "{\"a\":";
                return text;
            }(),
            "Lists are nested more than 64 deep.");
        row("ends early", "[[1, 2], [3", "The JSON text ends too early. It is at line 1, byte 12 of the line.");
        row("ends in a string", "[\"abc", "The JSON text ends too early.");
        row("ends in an escape", "[\"abc\\", "The JSON text ends too early.");
        row("no comma", "[[1, 2]\n [3, 4]]", "This is not JSON: ‘[’ where a comma or ] should be. It is at line 2, byte 2 of the line.");
        row("comma too many", "[1, 2, ]", "This is not JSON: ‘]’ where a value should be.");
        row("comma in an object", "{\"a\": 1,}", "This is not JSON: ‘}’ where a name in quotes should be.");
        row("single quotes", "{'a': 1}", "This is not JSON: ‘'’ where a name in quotes should be.");
        row("something follows", "[[1]] x", "Something follows after the end of the JSON value.");
        row("a name twice", "{\"a\": [[1]], \"a\": [[2]]}", "The name ‘a’ occurs twice. It is at line 1, byte 14 of the line.");
        row("too large", "[[1e999]]", "A number is too large for double precision.");
        row("bad escape", "[\"\\x\"]", "This is not JSON: ‘x’ where an escape such as \\n should be.");
        row("bad digits", "[\"\\u12g4\"]", "This is not JSON: ‘u’ where four hexadecimal digits should be.");
        row("text among numbers", "[[1, \"a\"], [2, 3]]", "There is text where a number should be. It is in a[0].");
        row("text in place of a list", "[[1, 2], \"a\"]", "There is text where a number should be. It is in a[1].");
        row("unequal depth", "[[1, 2], [[3], [4]]]", "The lists of a are not nested equally deep. It is in a[1].");
        row("unequal lists", "[[[1], [2]], [[3]]]", "The lists of a differ in length. a[1] has 1 entry, the first one has 2.");
        row("ragged otherwise", "[[[1], [2, 3]], [[4, 5], [6]]]", "The lists of a differ in length. They do so differently in each head.");
        row("a number", "5", "There are no arrays in this file.");
        row("tokens only", "[\"a\", \"b\"]", "There are only token names here, no numbers.");
    }
    void badJsonIsRefusedInOneSentence()
    {
        QFETCH(std::string, text);
        QFETCH(QString, answer);
        const Folder folder;
        const QString said = errorOf(folder.write("a.json", text));
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }

    void raggedRowsAreKept()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.json", "[[[1], [0.5, 0.5]], [[1], [0.25, 0.75]]]") });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), (Shape{ 2, 2, 2 }));
        QCOMPARE(opened->tensors->rowLengths, (Shape{ 1, 2 }));
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 0, 0.5, 0.5, 1, 0, 0.25, 0.75 }));
    }
};

QTEST_APPLESS_MAIN(TestJson)
#include "tst_json.moc"
