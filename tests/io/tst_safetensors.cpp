// SPDX-License-Identifier: GPL-3.0-or-later
// Safetensors: types, tokens in the metadata, and headers that lie.
#include "test_files.h"

#include "core/text.h"
#include "io/json.h"

#include <QDir>

using namespace attenscope;
using namespace attenscope::test;

using Numbers = std::vector<double>;

namespace {

std::string entry(const std::string &name, const std::string &dtype, const std::string &shape, const std::string &offsets)
{
    return "\"" + name + "\": {\"dtype\": \"" + dtype + "\", \"shape\": " + shape + ", \"data_offsets\": " + offsets + "}";
}

const std::string oneTensor = "{" + entry("attn", "F32", "[1, 2]", "[0, 8]") + "}";

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private slots:
    void everyElementTypeIsRead_data()
    {
        QTest::addColumn<std::string>("dtype");
        QTest::addColumn<std::string>("data");
        const auto row = [](const char *dtype, const std::string &data) { QTest::newRow(dtype) << std::string(dtype) << data; };
        row("F64", rawBytes<double>({ 1, 2 }));
        row("F32", rawBytes<float>({ 1, 2 }));
        row("F16", rawBytes<std::uint16_t>({ 0x3c00, 0x4000 }));
        row("BF16", rawBytes<std::uint16_t>({ 0x3f80, 0x4000 }));
        row("I64", rawBytes<std::int64_t>({ 1, 2 }));
        row("I32", rawBytes<std::int32_t>({ 1, 2 }));
        row("I16", rawBytes<std::int16_t>({ 1, 2 }));
        row("I8", rawBytes<std::int8_t>({ 1, 2 }));
        row("U64", rawBytes<std::uint64_t>({ 1, 2 }));
        row("U32", rawBytes<std::uint32_t>({ 1, 2 }));
        row("U16", rawBytes<std::uint16_t>({ 1, 2 }));
        row("U8", rawBytes<std::uint8_t>({ 1, 2 }));
    }
    void everyElementTypeIsRead()
    {
        QFETCH(std::string, dtype);
        QFETCH(std::string, data);
        const Folder folder;
        const std::string header = "{" + entry("attn", dtype, "[1, 2]", "[0, " + std::to_string(data.size()) + "]") + "}   ";
        const auto opened = openFiles({ folder.write("a.safetensors", safetensors(header, data)) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 2 }));
        QCOMPARE(opened->tensors->tensors.front().name, "attn");
    }

    void listsInTheMetadataBecomeTokens()
    {
        const std::string header
            = "{\"__metadata__\": {\"text\": \"[no list\", \"tokens\": \"[\\\"a\\\", \\\"\\\\u0628\\\"]\", \"n\": \"[1, 2]\"}, "
            + entry("attn", "F32", "[2, 2]", "[0, 16]") + "}";
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.safetensors", safetensors(header, rawBytes<float>({ 1, 0, 0, 1 }))) });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->tokenLists.size(), 1U);
        QCOMPARE(opened->tensors->tokenLists.front().name, "tokens");
        QCOMPARE(opened->tensors->tokenLists.front().tokens, (std::vector<std::string>{ "a", "ب" }));
    }

    void tokensThatAreNoListAreNotPassedOverInSilence()
    {
        const Folder folder;
        for (const std::string text : { "a b c", "[\\\"a\\\"", "[1, 2]" }) {
            const std::string header
                = "{\"__metadata__\": {\"tokens\": \"" + text + "\"}, " + entry("attn", "F32", "[1, 2]", "[0, 8]") + "}";
            const auto opened = openFiles({ folder.write("a.safetensors", safetensors(header, rawBytes<float>({ 1, 0 }))) });
            QVERIFY_OK(opened);
            QVERIFY(opened->tensors->tokenLists.empty());
            QCOMPARE(opened->tensors->notes,
                (std::vector<std::string>{ "tokens in the metadata is not a JSON list of names and is not used." }));
        }
    }

    void tensorsOfOtherTypesAreLeftOut()
    {
        const std::string header = "{" + entry("w", "F8_E4M3", "[4]", "[8, 12]") + ", " + entry("attn", "F32", "[1, 2]", "[0, 8]") + "}";
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.safetensors", safetensors(header, rawBytes<float>({ 1, 2, 3 }))) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 2 }));
        QCOMPARE(opened->tensors->notes,
            (std::vector<std::string>{ "Left out: Tensor w has the element type F8_E4M3, which is not known here." }));
    }

    void badFilesAreRefusedInOneSentence_data()
    {
        QTest::addColumn<std::string>("content");
        QTest::addColumn<QString>("answer");
        const std::string data = rawBytes<float>({ 1, 2 });
        const auto row
            = [](const char *name, const std::string &content, const QString &answer) { QTest::newRow(name) << content << answer; };
        const auto withHeader = [&](const std::string &header) { return safetensors(header, data); };
        row("seven bytes", "1234567", "The file ends too early.");
        row("header longer than the file", littleEndian(5000, 8) + "{}",
            "The file ends too early. Its header should end at byte 5,008; the file has 10. Download it again.");
        row("header of a terabyte", littleEndian(1ULL << 40U, 8) + "{}", "This is not a safetensors file, or it is damaged.");
        row("header of all bytes", std::string(20, '\xff'), "This is not a safetensors file, or it is damaged.");
        row("cut", withHeader(oneTensor).substr(0, 8 + oneTensor.size() + 7),
            QString("The file ends too early. Tensor attn should end at byte %1; the file has %2. Download it again.")
                .arg(16 + oneTensor.size())
                .arg(15 + oneTensor.size()));
        row("trailing bytes", withHeader(oneTensor) + "x", "The file goes on after its last tensor.");
        row("overlap", withHeader("{" + entry("a", "F32", "[2]", "[0, 8]") + "," + entry("b", "F32", "[1]", "[4, 8]") + "}"),
            "Two tensors share bytes of the file. Tensor b begins at byte");
        row("gap", withHeader("{" + entry("a", "F32", "[1]", "[4, 8]") + "}"), "The file has bytes that belong to no tensor.");
        row("duplicate key", withHeader("{" + entry("a", "F32", "[2]", "[0, 8]") + "," + entry("a", "F32", "[2]", "[0, 8]") + "}"),
            "The header of the file is damaged. In the header: The name ‘a’ occurs twice.");
        row("unknown type", withHeader("{" + entry("a", "F8_E5M2", "[8]", "[0, 8]") + "}"),
            "Tensor a has the element type F8_E5M2, which is not known here.");
        row("size contradicts shape", withHeader("{" + entry("a", "F32", "[3]", "[0, 8]") + "}"),
            "The header of the file contradicts itself.");
        row("shape overflows", withHeader("{" + entry("a", "F32", "[4294967296, 4294967296, 4294967296]", "[0, 8]") + "}"),
            "The header of the file contradicts itself.");
        row("negative size", withHeader("{" + entry("a", "F32", "[-2]", "[0, 8]") + "}"), "The header of the file is damaged.");
        row("broken size", withHeader("{" + entry("a", "F32", "[1.5]", "[0, 8]") + "}"), "The header of the file is damaged.");
        row("offsets reversed", withHeader("{" + entry("a", "F32", "[2]", "[8, 0]") + "}"), "The header of the file is damaged.");
        row("three offsets", withHeader("{" + entry("a", "F32", "[2]", "[0, 4, 8]") + "}"), "The header of the file is damaged.");
        row("huge offset", withHeader("{" + entry("a", "F32", "[2]", "[0, 1e300]") + "}"), "The header of the file is damaged.");
        row("no dtype", withHeader("{\"a\": {\"shape\": [2], \"data_offsets\": [0, 8]}}"), "The header of the file is damaged.");
        row("entry is a number", withHeader("{\"a\": 5}"), "The header of the file is damaged.");
        row("a list", withHeader("[]"), "The header of the file is damaged.");
        row("no JSON", withHeader("{]"), "The header of the file is damaged.");
        row("deep", withHeader("{\"a\":" + std::string(10000, '[') + std::string(10000, ']') + "}"), "The header of the file is damaged.");
        row("no tensors", safetensors("{}", ""), "There are no arrays in this file.");
    }
    void badFilesAreRefusedInOneSentence()
    {
        QFETCH(std::string, content);
        QFETCH(QString, answer);
        const Folder folder;
        const QString said = errorOf(folder.write("a.safetensors", content));
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }

    void realModelsOpenWithTheirTokens()
    {
        const QString golden = qEnvironmentVariable("ATTENSCOPE_MODELS_GOLDEN");
        if (golden.isEmpty())
            QSKIP("ATTENSCOPE_MODELS_GOLDEN names no folder of recorded models.");
        int files = 0;
        for (const QString &model : QDir(golden).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QDir folder(golden + "/" + model);
            for (const QString &name : folder.entryList({ "*.safetensors" }, QDir::Files)) {
                const auto opened = openFiles({ folder.filePath(name).toStdString() });
                QVERIFY_OK(opened);
                const auto input = buildInput(*opened);
                QVERIFY_OK(input);
                const bool isTransliteration = model.startsWith("aren");
                QCOMPARE(input->blocks.size(), isTransliteration ? 3U : 1U);
                for (const AttentionBlock &block : input->blocks) {
                    QVERIFY(block.hasWeightsOnly());
                    QCOMPARE(static_cast<Index>(block.queryTokens.size()), block.queries);
                    // Positions are what stands where there is no token.
                    QVERIFY(block.queryTokens.back() != std::to_string(block.queries - 1));
                    QVERIFY(block.keyTokens.back() != std::to_string(block.keys - 1));
                }
                ++files;
            }
        }
        QVERIFY(files > 0);
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
