// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of generated tokens in files, from bytes to rows; and in sessions.
#include "test_files.h"

#include "io/session_file.h"

#include <cmath>

using namespace attenscope;
using namespace attenscope::test;

namespace {

// A prompt of two tokens, then two steps; one layer, two heads.
const std::string promptRows = rawBytes<float>({ 1.0F, 0.0F, 0.25F, 0.75F, 1.0F, 0.0F, 0.5F, 0.5F });
const std::string firstStep = rawBytes<float>({ 0.5F, 0.25F, 0.25F, 0.125F, 0.125F, 0.75F });
const std::string secondStep = rawBytes<float>({ 0.25F, 0.25F, 0.25F, 0.25F, 0.0F, 0.0F, 0.0F, 1.0F });

std::string asNpz(const Folder &folder)
{
    return folder.write("steps.npz",
        zipOf({ { "step_0.attn.npy", npy("<f4", "(1, 2, 2, 2)", promptRows) }, { "step_1.attn.npy", npy("<f4", "(1, 2, 1, 3)", firstStep) },
            { "step_2.attn.npy", npy("<f4", "(1, 2, 1, 4)", secondStep) } }));
}

/// One entry of a header: "attn.0":{…}.
std::string entry(const std::string &name, const std::string &shape, std::size_t first, std::size_t end)
{
    return "\"" + name + "\":{\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":[" + std::to_string(first) + ","
        + std::to_string(end) + "]}";
}

std::string asSafetensors(const Folder &folder)
{
    const std::string tokens = "\"__metadata__\":{\"tokens\":\"[\\\"the\\\",\\\"cat\\\",\\\"sat\\\",\\\"on\\\"]\"},";
    const std::string header = "{" + tokens + entry("attentions.0", "[1,2,2,2]", 0, 32) + "," + entry("attentions.1", "[1,2,1,3]", 32, 56)
        + "," + entry("attentions.2", "[1,2,1,4]", 56, 88) + "}";
    return folder.write("steps.safetensors", safetensors(header, promptRows + firstStep + secondStep));
}

} // namespace

class TestGeneratedFiles : public QObject {
    Q_OBJECT

private slots:
    void stepsOfAFileAreOneBlock_data()
    {
        QTest::addColumn<bool>("isZip");
        QTest::newRow("npz") << true;
        QTest::newRow("safetensors") << false;
    }

    void stepsOfAFileAreOneBlock()
    {
        QFETCH(const bool, isZip);
        const Folder folder;
        const auto opened = openFiles({ isZip ? asNpz(folder) : asSafetensors(folder) });
        QVERIFY_OK(opened);
        std::vector<std::string> notes;
        const auto input = buildInput(*opened, &notes);
        QVERIFY_OK(input);
        QVERIFY2(notes.empty(), notes.empty() ? "" : notes.front().c_str());
        QCOMPARE(input->blocks.size(), 1U);
        const AttentionBlock &block = input->blocks.front();
        const auto &data = std::get<RecordedData>(block.data);
        QCOMPARE(block.heads, 2);
        QCOMPARE(data.rowLengths, (std::vector<Index>{ 2, 2, 3, 4 }));
        QCOMPARE(data.weights.at(0).toMatrix(),
            (Matrix(4, 4) << 1, 0, 0, 0, 0.25, 0.75, 0, 0, 0.5, 0.25, 0.25, 0, 0.25, 0.25, 0.25, 0.25).finished());
        QCOMPARE(data.weights.at(1).toMatrix(), (Matrix(4, 4) << 1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.125, 0.125, 0.75, 0, 0, 0, 0, 1).finished());
        if (!isZip)
            QCOMPARE(block.queryTokens, (std::vector<std::string>{ "the", "cat", "sat", "on" }));
    }

    void doublesStayDoubles()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("steps.npz",
            zipOf({ { "step_0.attn.npy", npy("<f8", "(1, 1, 2, 2)", rawBytes<double>({ 1.0, 0.0, 0.1, 0.9 })) },
                { "step_1.attn.npy", npy("<f8", "(1, 1, 1, 3)", rawBytes<double>({ 0.7, 0.2, 0.1 })) } })) });
        QVERIFY_OK(opened);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        const auto &data = std::get<RecordedData>(input->blocks.front().data);
        QCOMPARE(data.weights.at(0).toMatrix(), (Matrix(3, 3) << 1.0, 0.0, 0.0, 0.1, 0.9, 0.0, 0.7, 0.2, 0.1).finished());
    }

    void stepsInFilesOfTheirOwnAreOneBlock()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn_step_1.npy", npy("<f4", "(2, 1, 3)", firstStep)),
            folder.write("attn_step_2.npy", npy("<f4", "(2, 1, 4)", secondStep)) });
        QVERIFY_OK(opened);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        QCOMPARE(std::get<RecordedData>(input->blocks.front().data).rowLengths, (std::vector<Index>{ 3, 4 }));
    }

    void sessionsKeepTheSteps()
    {
        const Folder folder;
        auto opened = openFiles({ asSafetensors(folder) });
        QVERIFY_OK(opened);
        const Session session = sessionFor(*opened);
        QVERIFY(saveSession(folder.path("steps.attn"), session, {}));
        const auto loaded = loadSession(folder.path("steps.attn"));
        QVERIFY_OK(loaded);
        QVERIFY(loaded->session == session);
        QCOMPARE(std::get<FileSource>(loaded->session.source).uses.at(2).step, 2);
    }

    void aFileThatIsCutShortReadsAsNan()
    {
        // Large enough to be read piece by piece.
        const Folder folder;
        const Index keys = 4'200'000;
        std::string first(static_cast<std::size_t>(2 * keys) * sizeof(float), '\0');
        std::string second(static_cast<std::size_t>(2 * (keys + 1)) * sizeof(float), '\0');
        const std::string header = "{" + entry("attn.0", "[2,1," + std::to_string(keys) + "]", 0, first.size()) + ","
            + entry("attn.1", "[2,1," + std::to_string(keys + 1) + "]", first.size(), first.size() + second.size()) + "}";
        const std::string path = folder.write("steps.safetensors", safetensors(header, first + second));
        const auto opened = openFiles({ path });
        QVERIFY_OK(opened);
        const auto input = buildInput(*opened);
        QVERIFY_OK(input);
        const SharedMatrix &weights = std::get<RecordedData>(input->blocks.front().data).weights.at(1);
        QVERIFY(!weights.isInMemory());
        QCOMPARE(weights.at(1, keys), 0.0);
        QVERIFY(!weights.readError());
        QVERIFY(QFile::resize(QString::fromStdString(path), 1000));
        QVERIFY(std::isnan(weights.at(1, keys)));
        QVERIFY(weights.readError());
    }
};

QTEST_APPLESS_MAIN(TestGeneratedFiles)
#include "tst_generated_files.moc"
