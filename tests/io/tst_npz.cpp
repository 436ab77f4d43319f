// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy archives: stored and deflated, zip64, bombs, damage.
#include "test_files.h"

#include <algorithm>

using namespace attenscope;
using namespace attenscope::test;

using Numbers = std::vector<double>;

namespace {

const Parts queriesAndKeys{
    { "q.npy", npy("<f8", "(2, 2)", rawBytes<double>({ 1, 2, 3, 4 })) },
    { "k.npy", npy("<f4", "(2, 2)", rawBytes<float>({ 5, 6, 7, 8 })) },
};

/// Replaces all occurrences.
std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    for (std::size_t place = text.find(from); place != std::string::npos; place = text.find(from, place + to.size()))
        text.replace(place, from.size(), to);
    return text;
}

/// A stored entry as zipfile writes it with force_zip64, which numpy does: the sizes are in an extra field of the local header.
std::string zip64(const std::string &name, const std::string &content, std::uint32_t crc)
{
    const std::string times(4, '\0');
    const std::string extra = littleEndian(1, 2) + littleEndian(16, 2) + littleEndian(content.size(), 8) + littleEndian(content.size(), 8);
    const std::string local = std::string("PK\3\4") + littleEndian(45, 2) + littleEndian(0, 2) + littleEndian(0, 2) + times
        + littleEndian(crc, 4) + littleEndian(0xffffffffU, 4) + littleEndian(0xffffffffU, 4) + littleEndian(name.size(), 2)
        + littleEndian(extra.size(), 2) + name + extra + content;
    const std::string central = std::string("PK\1\2") + littleEndian(45, 2) + littleEndian(45, 2) + littleEndian(0, 2) + littleEndian(0, 2)
        + times + littleEndian(crc, 4) + littleEndian(0xffffffffU, 4) + littleEndian(0xffffffffU, 4) + littleEndian(name.size(), 2)
        + littleEndian(extra.size(), 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 4)
        + littleEndian(0, 4) + name + extra;
    const std::string end64 = std::string("PK\6\6") + littleEndian(44, 8) + littleEndian(45, 2) + littleEndian(45, 2) + littleEndian(0, 4)
        + littleEndian(0, 4) + littleEndian(1, 8) + littleEndian(1, 8) + littleEndian(central.size(), 8) + littleEndian(local.size(), 8);
    const std::string locator
        = std::string("PK\6\7") + littleEndian(0, 4) + littleEndian(local.size() + central.size(), 8) + littleEndian(1, 4);
    const std::string end = std::string("PK\5\6") + littleEndian(0, 4) + littleEndian(0xffff, 2) + littleEndian(0xffff, 2)
        + littleEndian(0xffffffffU, 4) + littleEndian(0xffffffffU, 4) + littleEndian(0, 2);
    return local + central + end64 + locator + end;
}

std::uint32_t crc32(const std::string &content)
{
    std::uint32_t crc = 0xffffffffU;
    for (const char letter : content) {
        crc ^= static_cast<unsigned char>(letter);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

} // namespace

class TestNpz : public QObject {
    Q_OBJECT

private slots:
    void arraysOfAnArchiveAreRead_data()
    {
        QTest::addColumn<int>("compression");
        QTest::newRow("stored") << ZIP_CM_STORE;
        QTest::newRow("deflated") << ZIP_CM_DEFLATE;
    }
    void arraysOfAnArchiveAreRead()
    {
        QFETCH(int, compression);
        const Folder folder;
        const auto opened = openFiles({ folder.write("qk.npz", zipOf(queriesAndKeys, compression)) });
        QVERIFY_OK(opened);
        const auto &tensors = opened->tensors->tensors;
        QCOMPARE(tensors.size(), 2U);
        QCOMPARE(tensors[0].name, "q");
        QCOMPARE(tensors[0].file, "qk.npz");
        QCOMPARE(tensors[0].tensor.toNumbers(), (Numbers{ 1, 2, 3, 4 }));
        QCOMPARE(tensors[1].name, "k");
        QCOMPARE(tensors[1].tensor.toNumbers(), (Numbers{ 5, 6, 7, 8 }));
        QCOMPARE(opened->uses[0].role, TensorRole::Queries);
        QCOMPARE(opened->uses[1].role, TensorRole::Keys);
    }

    void storedArraysAreNotCopied()
    {
        const Folder folder;
        const auto opened = openFiles({ folder.write("qk.npz", zipOf(queriesAndKeys)) });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->tensors[0].tensor.source(), opened->tensors->tensors[1].tensor.source());
    }

    void zip64IsRead()
    {
        const Folder folder;
        const std::string content = npy("<f8", "(1, 2)", rawBytes<double>({ 1, 2 }));
        const auto opened = openFiles({ folder.write("a.npz", zip64("attn.npy", content, crc32(content))) });
        QVERIFY_OK(opened);
        QCOMPARE(numbersOf(opened), (Numbers{ 1, 2 }));
    }

    void whatIsNoArrayOfNumbersIsLeftOut()
    {
        Parts parts = queriesAndKeys;
        parts.emplace_back("labels.npy", npy("|O", "(1,)", "cos\nsystem\n."));
        parts.emplace_back("tokens.npy", npy("|S1", "(2,)", "ab"));
        parts.emplace_back("readme.txt", "hello");
        const Folder folder;
        const auto opened = openFiles({ folder.write("a.npz", zipOf(parts)) });
        QVERIFY_OK(opened);
        QCOMPARE(opened->tensors->tensors.size(), 2U);
        QCOMPARE(opened->tensors->tokenLists.front().tokens, (std::vector<std::string>{ "a", "b" }));
        QCOMPARE(opened->tensors->notes, (std::vector<std::string>{ "Left out: Array labels holds Python objects." }));
    }

    void badArchivesAreRefusedInOneSentence_data()
    {
        QTest::addColumn<std::string>("content");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char *name, const std::string &content, const char *answer) { QTest::newRow(name) << content << answer; };
        const std::string stored = zipOf(queriesAndKeys);
        const std::string part = queriesAndKeys.front().second;
        const Parts one{ queriesAndKeys.front() };
        row("cut short", stored.substr(0, stored.size() / 2), "The zip file is damaged or ends too early.");
        row("beginning only", stored.substr(0, 4), "The zip file is damaged or ends too early.");
        row("damaged numbers", replaced(stored, rawBytes<double>({ 3 }), rawBytes<double>({ 9 })), "The zip file is damaged.");
        row(
            "damaged deflate",
            [&] {
                std::string deflated = zipOf(one, ZIP_CM_DEFLATE);
                deflated[60] = static_cast<char>(~deflated[60]);
                return deflated;
            }(),
            "The zip file is damaged.");
        row("encrypted", zipOf(one, ZIP_CM_STORE, "secret"), "The zip file is encrypted.");
        row("no arrays", zipOf({ { "readme.txt", "hello" } }), "There are no arrays in this zip file.");
        row("only objects", zipOf({ { "a.npy", npy("|O", "(1,)", "cos\nsystem\n.") } }), "Array a holds Python objects.");
        row("torch", zipOf({ { "model/data.pkl", "x" }, { "model/data/0", "y" } }), "This is a Python pickle");
        row("spreadsheet", zipOf({ { "[Content_Types].xml", "x" } }), "This is an office document.");
        row("session", zipOf({ { "session.json", "{}" } }), "This is a session.");
        row("cut array", zipOf({ { "a.npy", part.substr(0, part.size() - 1) } }), "The file ends too early.");
        row("empty array", zipOf({ { "a.npy", "" } }), "The file ends too early.");
        row(
            "deflated to another size",
            [&] {
                const std::string deflated = zipOf({ { "a.npy", part } }, ZIP_CM_DEFLATE);
                return replaced(deflated, littleEndian(part.size(), 4), littleEndian(part.size() - 8, 4));
            }(),
            "The zip file");
        // Half a terabyte of zeros said to be in some hundred bytes.
        row(
            "bomb",
            [&] {
                const std::string deflated = zipOf({ { "a.npy", part } }, ZIP_CM_DEFLATE);
                return replaced(deflated, littleEndian(part.size(), 4), littleEndian(4'000'000'000U, 4));
            }(),
            "The file would unpack to 4.0 GB.");
    }
    void badArchivesAreRefusedInOneSentence()
    {
        QFETCH(std::string, content);
        QFETCH(QString, answer);
        const Folder folder;
        const QString said = errorOf(folder.write("a.npz", content));
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }

    void manyPartsMakeABombToo()
    {
        const std::string part = npy("<f8", "(1, 100)", std::string(800, '\1'));
        const std::string deflated = zipOf({ { "a.npy", part }, { "b.npy", part } }, ZIP_CM_DEFLATE);
        const Folder folder;
        const QString said = errorOf(folder.write("a.npz", replaced(deflated, littleEndian(part.size(), 4), littleEndian(200'000'000, 4))));
        QVERIFY2(said.startsWith("The file would unpack to 400 MB."), qPrintable(said));
    }

    void largeArchivesAreReadInPieces()
    {
        // Above the size that is read whole; the numbers at the end must be found where they are.
        std::string content = npy("|u1", "(8000, 8000)", std::string(64'000'000, '\0'));
        content.back() = 7;
        const Folder folder;
        const auto opened = openFiles({ folder.write("attn.npz", zipOf({ { "attn.npy", content } })) });
        QVERIFY_OK(opened);
        const Tensor row = opened->tensors->tensors.front().tensor.at(7999);
        QCOMPARE(row.toNumbers().back(), 7.0);
        QVERIFY(opened->files.front().checksum.empty());
    }
};

QTEST_APPLESS_MAIN(TestNpz)
#include "tst_npz.moc"
