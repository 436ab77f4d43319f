// SPDX-License-Identifier: GPL-3.0-or-later
// Written numbers read back as the same numbers, whatever the locale, and a failed write leaves the old file.
#include "test_files.h"

#include "io/json.h"
#include "io/numbers_file.h"

#include <clocale>

using namespace attenscope;
using namespace attenscope::test;

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;
using Shape = std::vector<Index>;

namespace {

const double third = 1.0 / 3.0;

/// A map of two rows and two columns with a masked, a NaN and an exact cell.
MapNumbers twoRows()
{
    Matrix cells(2, 2);
    cells << 1.0, cell::masked<double>(), third, std::numeric_limits<double>::quiet_NaN();
    return { { "the", "say \"hi\"" }, { "a,b", "\n" }, "weights", { "0" }, { matrixField(cells) }, { "untrained, random weights" } };
}

QByteArray contentOf(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestNumbersFile : public QObject {
    Q_OBJECT

private slots:
    void csvHasNamesAndExactNumbers()
    {
        const auto text = mapCsv(twoRows());
        QVERIFY_OK(text);
        QCOMPARE(QString::fromStdString(*text), QString("query,\"a,b\",\"\n\"\nthe,1,\n\"say \"\"hi\"\"\",0.3333333333333333,nan\n"));
    }

    void csvOfSeveralHeadsNamesThem()
    {
        MapNumbers map{ { "a" }, { "b" }, "weights", { "0·1", "0·2" },
            { matrixField(Matrix::Constant(1, 1, 0.25)), matrixField(Matrix::Constant(1, 1, -1e-300)) }, {} };
        const auto text = mapCsv(map);
        QVERIFY_OK(text);
        QCOMPARE(QString::fromStdString(*text), QString("head,query,b\n0·1,a,0.25\n0·2,a,-1e-300\n"));
    }

    void numbersDoNotDependOnTheLocale()
    {
        if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr)
            QSKIP("The German locale is not installed.");
        const auto text = mapCsv(twoRows());
        std::setlocale(LC_ALL, "C");
        QVERIFY_OK(text);
        QVERIFY(text->find("0.3333333333333333") != std::string::npos);
    }

    void csvReadsBackWithItsNames()
    {
        const Folder folder;
        const std::string path = folder.path("map.csv");
        QVERIFY_OK(writeMap(path, NumbersFormat::Csv, twoRows()));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->rowLengths, (Shape{ 1, 2 }));
        QCOMPARE(numbersOf(opened)[2], third);
        QCOMPARE(opened->tensors->tokenLists[0].tokens, (Names{ "the", "say \"hi\"" }));
        QCOMPARE(opened->tensors->tokenLists[1].tokens, (Names{ "a,b", "\n" }));
    }

    void csvOfSeveralHeadsReadsBack_data()
    {
        QTest::addColumn<Names>("headNames");
        QTest::addColumn<Names>("rowNames");
        QTest::newRow("names") << Names{ "0·1", "0·2" } << Names{ "the", "cat" };
        QTest::newRow("numbers") << Names{ "0", "1" } << Names{ "0", "1" };
    }
    void csvOfSeveralHeadsReadsBack()
    {
        QFETCH(Names, headNames);
        QFETCH(Names, rowNames);
        const Folder folder;
        const std::string path = folder.path("map.csv");
        Matrix first(2, 2);
        first << 1.0, cell::masked<double>(), third, 0.5;
        Matrix second(2, 2);
        second << 0.25, cell::masked<double>(), 0.125, 0.75;
        QVERIFY_OK(writeMap(
            path, NumbersFormat::Csv, { rowNames, { "a", "b" }, "weights", headNames, { matrixField(first), matrixField(second) }, {} }));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), (Shape{ 2, 2, 2 }));
        QCOMPARE(opened->tensors->rowLengths, (Shape{ 1, 2 }));
        QCOMPARE(numbersOf(opened), (Numbers{ 1.0, 0.0, third, 0.5, 0.25, 0.0, 0.125, 0.75 }));
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().heads, 2);
        QCOMPARE(input->blocks.front().queryTokens, rowNames);
        QCOMPARE(input->blocks.front().keyTokens, (Names{ "a", "b" }));
    }

    void layersAndHeadsReadBackAsTheyWere_data()
    {
        QTest::addColumn<NumbersFormat>("format");
        QTest::addColumn<std::string>("name");
        QTest::newRow("NPY") << NumbersFormat::Npy << std::string("map.npy");
        QTest::newRow("NPZ") << NumbersFormat::Npz << std::string("map.npz");
        QTest::newRow("JSON") << NumbersFormat::Json << std::string("map.json");
        QTest::newRow("CSV") << NumbersFormat::Csv << std::string("map.csv");
    }
    void layersAndHeadsReadBackAsTheyWere()
    {
        QFETCH(NumbersFormat, format);
        QFETCH(std::string, name);
        const Folder folder;
        MapNumbers map{ { "la", "été", "🐱" }, { "the", "", "cat" }, "weights", {}, {}, {} };
        map.layers = 2;
        Numbers written;
        for (int head = 0; head < 8; ++head) {
            const Matrix cells = Matrix::Constant(3, 3, head / 8.0);
            map.headNames.push_back(std::to_string(head / 4) + "·" + std::to_string(head % 4));
            map.fields.push_back(matrixField(cells));
            written.insert(written.end(), cells.data(), cells.data() + cells.size());
        }
        QVERIFY_OK(writeMap(folder.path(name), format, map));
        const auto opened = openFiles({ folder.path(name) });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), (Shape{ 2, 4, 3, 3 }));
        QCOMPARE(numbersOf(opened), written);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().layers, 2);
        QCOMPARE(input->blocks.front().heads, 4);
        if (format == NumbersFormat::Npy)
            return;
        QCOMPARE(input->blocks.front().queryTokens, (Names{ "la", "été", "🐱" }));
        QCOMPARE(input->blocks.front().keyTokens, (Names{ "the", "", "cat" }));
    }

    void aMapOfHeadsSaysSo()
    {
        const Folder folder;
        MapNumbers map{ { "0·0", "0·1" }, { "x", "y" }, "points", { "layer 0" }, { matrixField(Matrix{ { 1.0, 2.0 }, { 3.0, 4.0 } }) },
            {} };
        map.isOfHeads = true;
        const auto text = mapCsv(map);
        QVERIFY_OK(text);
        QCOMPARE(QString::fromStdString(*text), QString("head,x,y\n0·0,1,2\n0·1,3,4\n"));
        QVERIFY_OK(writeMap(folder.path("map.json"), NumbersFormat::Json, map));
        const auto value = parseJson(contentOf(folder.path("map.json")).toStdString());
        QVERIFY_OK(value);
        QVERIFY(value->find("rows") && value->find("columns") && !value->find("queries"));
    }

    void jsonReadsBackWithItsNames()
    {
        const Folder folder;
        const std::string path = folder.path("map.json");
        MapNumbers map = twoRows();
        map.rowNames = { "\u0001é", "</script>" };
        QVERIFY_OK(writeMap(path, NumbersFormat::Json, map));
        const auto value = parseJson(contentOf(path).toStdString());
        QVERIFY_OK(value);
        QCOMPARE(*value->find("stage")->as<std::string>(), "weights");
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), (Shape{ 1, 2, 2 }));
        QCOMPARE(numbersOf(opened)[2], third);
        QVERIFY(std::isnan(numbersOf(opened)[1]));
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(input->blocks.front().queryTokens, (Names{ "\u0001é", "</script>" }));
        QCOMPARE(input->blocks.front().keyTokens, (Names{ "a,b", "\n" }));
    }

    void aRegionIsWrittenWithItsPlace()
    {
        const Folder folder;
        Matrix cells(3, 4);
        cells << 0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23;
        MapNumbers map{ { "a", "b", "c" }, { "w", "x", "y" }, "weights", { "0" }, { matrixField(cells) }, {} };
        map.region = CellRect{ { 1, 3 }, { 2, 4 } };
        const auto text = mapCsv(map);
        QVERIFY_OK(text);
        // There is no name for the last key.
        QCOMPARE(QString::fromStdString(*text), QString("query,2 y,3\n1 b,12,13\n2 c,22,23\n"));
        const std::string json = folder.path("map.json");
        QVERIFY_OK(writeMap(json, NumbersFormat::Json, map));
        const auto value = parseJson(contentOf(json).toStdString());
        QVERIFY_OK(value);
        QCOMPARE(*value->find("first query")->as<double>(), 1.0);
        QCOMPARE(*value->find("first key")->as<double>(), 2.0);
        for (const auto &[format, path] : { std::pair(NumbersFormat::Npy, folder.path("map.npy")),
                 std::pair(NumbersFormat::Npz, folder.path("map.npz")), std::pair(NumbersFormat::Json, json) }) {
            QVERIFY_OK(writeMap(path, format, map));
            const auto opened = openFiles({ path });
            QVERIFY_OK(opened);
            QCOMPARE(numbersOf(opened), (Numbers{ 12, 13, 22, 23 }));
        }
    }

    void whatIsTooLargeSaysHowLarge()
    {
        const MapFieldPtr cell = matrixField(Matrix::Zero(1, 1));
        MapNumbers map{ {}, {}, "weights", { "0" }, { cell }, {} };
        map.region = CellRect{ { 0, 131072 }, { 0, 131072 } };
        QCOMPARE(fileBytes(NumbersFormat::Npy, map), std::uint64_t{ 8 } << 34U);
        const auto asText = checkNumbers(NumbersFormat::Csv, map);
        QVERIFY(!asText);
        QCOMPARE(QString::fromStdString(asText.error().what), QString("As text these numbers would take 429 GB."));
        QCOMPARE(QString::fromStdString(asText.error().remedy), QString("Choose a region, or save them as .npy."));
        map.fields.push_back(cell);
        QCOMPARE(QString::fromStdString(checkNumbers(NumbersFormat::Csv, map).error().remedy),
            QString("Choose one head or a region, or save them as .npy."));
        map.fields.pop_back();
        map.region->rows.end = map.region->cols.end = Index{ 1 } << 28;
        const Folder folder;
        const auto onDisk = writeMap(folder.path("map.npy"), NumbersFormat::Npy, map);
        QVERIFY(!onDisk);
        QCOMPARE(QString::fromStdString(onDisk.error().what), QString("These numbers would take 576 PB."));
    }

    void mapsReadBackFromNumpyFiles_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("name");
        QTest::newRow("npy") << static_cast<int>(NumbersFormat::Npy) << "map.npy";
        QTest::newRow("npz") << static_cast<int>(NumbersFormat::Npz) << "map.npz";
    }
    void mapsReadBackFromNumpyFiles()
    {
        QFETCH(int, format);
        QFETCH(QString, name);
        const Folder folder;
        const std::string path = folder.path(name.toStdString());
        QVERIFY_OK(writeMap(path, static_cast<NumbersFormat>(format), twoRows()));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), (Shape{ 2, 2 }));
        QCOMPARE(numbersOf(opened)[0], 1.0);
        QVERIFY(std::isnan(numbersOf(opened)[1]));
        QCOMPARE(numbersOf(opened)[2], third);
    }

    void arraysReadBackFromArchives()
    {
        Numbers many(100'000);
        for (std::size_t place = 0; place < many.size(); ++place)
            many[place] = std::sqrt(static_cast<double>(place));
        const Folder folder;
        const std::string path = folder.path("a.npz");
        QVERIFY_OK(writeNpz(path, { { "q", { 2, 2 }, { 1, -2, 1e308, 5e-324 } }, { "k", { 100'000 }, many }, { "none", { 0, 3 }, {} } }));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        const auto &tensors = opened->tensors->tensors;
        QCOMPARE(tensors.size(), 3U);
        QCOMPARE(tensors[0].name, "q");
        QCOMPARE(tensors[0].tensor.toNumbers(), (Numbers{ 1, -2, 1e308, 5e-324 }));
        QCOMPARE(tensors[1].tensor.toNumbers(), many);
        QCOMPARE(tensors[2].tensor.shape(), (Shape{ 0, 3 }));
        // Numbers begin at multiples of 64 bytes, as numpy wants it.
        const QByteArray bytes = contentOf(path);
        QCOMPARE(bytes.mid(bytes.indexOf("\x93NUMPY") + 8, 2), QByteArray("\x76\0", 2));
    }

    void arraysReadBackFromArrayFiles()
    {
        const Folder folder;
        const std::string path = folder.path("a.npy");
        QVERIFY_OK(writeNpy(path, { "a", { 3, 1 }, { 1, 2, third } }));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        QCOMPARE(shapeOf(opened), (Shape{ 3, 1 }));
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 2, third }));
    }

    void sameNumbersGiveTheSameBytes()
    {
        const Folder folder;
        QVERIFY_OK(writeNpz(folder.path("a.npz"), { { "q", { 1 }, { 1 } } }));
        QVERIFY_OK(writeNpz(folder.path("b.npz"), { { "q", { 1 }, { 1 } } }));
        QCOMPARE(contentOf(folder.path("a.npz")), contentOf(folder.path("b.npz")));
    }

    void placesThatCannotBeWrittenAreNamed_data()
    {
        QTest::addColumn<int>("format");
        QTest::newRow("csv") << static_cast<int>(NumbersFormat::Csv);
        QTest::newRow("json") << static_cast<int>(NumbersFormat::Json);
        QTest::newRow("npy") << static_cast<int>(NumbersFormat::Npy);
        QTest::newRow("npz") << static_cast<int>(NumbersFormat::Npz);
    }
    void placesThatCannotBeWrittenAreNamed()
    {
        QFETCH(int, format);
        const Folder folder;
        const std::string path = folder.path("no folder/map");
        const auto written = writeMap(path, static_cast<NumbersFormat>(format), twoRows());
        QVERIFY(!written);
        QVERIFY2(written.error().what.starts_with("The file cannot be written: "), written.error().what.c_str());
        QCOMPARE(written.error().path, path);
    }

    void stoppedWritesLeaveTheOldFile()
    {
        const Folder folder;
        const std::string path = folder.write("map.csv", "old");
        std::stop_source source;
        source.request_stop();
        const auto written = writeMap(path, NumbersFormat::Csv, twoRows(), { source.get_token(), {} });
        QVERIFY(!written && written.error().isCancelled);
        QCOMPARE(contentOf(path), QByteArray("old"));
    }

    void textsOfAbsurdSizeAreRefusedBeforehand()
    {
        /// Claims to be large and must not be read.
        class Endless final : public MapField {
        public:
            [[nodiscard]] Index rows() const override { return 100'000; }
            [[nodiscard]] Index cols() const override { return 100'000; }
            void row(Index, Index, std::span<double>) const override { qFatal("read"); }
        };
        const MapNumbers map{ {}, {}, "weights", { "0" }, { std::make_shared<Endless>() }, {} };
        const Folder folder;
        const auto written = writeMap(folder.path("map.json"), NumbersFormat::Json, map);
        QVERIFY(!written);
        QCOMPARE(QString::fromStdString(written.error().what), QString("As text these numbers would take 250 GB."));
        QVERIFY(!mapCsv(map));
    }
};

QTEST_APPLESS_MAIN(TestNumbersFile)
#include "tst_numbers_file.moc"
