// SPDX-License-Identifier: GPL-3.0-or-later
// Every beginning of a good file and every good file with one wrong byte opens or is refused in words; nothing else happens.
#include "test_files.h"

#include "io/pasted_text.h"

using namespace attenscope;
using namespace attenscope::test;

namespace {

/// Reads whatever was accepted, as a view would.
bool opensOrSaysWhy(const std::string &path)
{
    const auto opened = openFiles({ path });
    if (!opened)
        return !opened.error().what.empty() && opened.error().path == path;
    for (const NamedTensor &named : opened->tensors->tensors)
        if (static_cast<Index>(named.tensor.toNumbers().size()) != named.tensor.elements())
            return false;
    const auto input = buildInput(*opened);
    return !opened->tensors->tensors.empty() && (input || !input.error().what.empty());
}

} // namespace

class TestDamagedFiles : public QObject {
    Q_OBJECT

    void addFiles()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::string>("content");
        const std::string array = npy("<f4", "(2, 3)", rawBytes<float>({ 1, 2, 3, 4, 5, 6 }));
        const std::string metadata = "\"__metadata__\": {\"tokens\": \"[\\\"a\\\", \\\"b\\\"]\"}";
        QTest::newRow("npy") << "attn.npy" << array;
        QTest::newRow("npz, stored") << "a.npz" << zipOf({ { "attn.npy", array } });
        QTest::newRow("npz, deflated") << "a.npz" << zipOf({ { "attn.npy", array } }, ZIP_CM_DEFLATE);
        QTest::newRow("safetensors") << "a.safetensors"
                                     << safetensors("{" + metadata
                                                + ", \"attn\": {\"dtype\": \"F32\", \"shape\": [2, 2], \"data_offsets\": [0, 16]}}",
                                            rawBytes<float>({ 1, 0, 0.5F, 0.5F }));
        QTest::newRow("csv") << "attn.csv" << std::string(",the,\"c,t\"\nthe,1,0\ncat,0.5,5e-1\n");
        QTest::newRow("json") << "a.json" << std::string("{\"attn\": [[1, 0], [0.5, NaN]], \"tokens\": [\"a\", \"\\u0628\"]}");
        QTest::newRow("txt") << "attn.txt" << std::string("1 0\n0.5 0.5\n");
    }

private slots:
    void everyBeginningOpensOrSaysWhy_data() { addFiles(); }
    void everyBeginningOpensOrSaysWhy()
    {
        QFETCH(QString, name);
        QFETCH(std::string, content);
        const Folder folder;
        for (std::size_t length = 0; length <= content.size(); ++length) {
            const std::string path = folder.write(name.toStdString(), content.substr(0, length));
            QVERIFY2(opensOrSaysWhy(path), qPrintable(QString("%1 bytes").arg(length)));
        }
    }

    void everyWrongByteOpensOrSaysWhy_data() { addFiles(); }
    void everyWrongByteOpensOrSaysWhy()
    {
        QFETCH(QString, name);
        QFETCH(std::string, content);
        const Folder folder;
        for (std::size_t place = 0; place < content.size(); ++place) {
            for (const int change : { 0x01, 0xff }) {
                std::string damaged = content;
                damaged[place] = static_cast<char>(damaged[place] ^ change);
                const std::string path = folder.write(name.toStdString(), damaged);
                QVERIFY2(opensOrSaysWhy(path), qPrintable(QString("byte %1 changed by %2").arg(place).arg(change)));
            }
        }
    }

    void everyPieceOfAPrintIsUnderstoodOrRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("torch") << "x = tensor([[ 1.0000, -2.5],\n        [nan, inf]], device='cuda:0', grad_fn=<A>)";
        QTest::newRow("MATLAB") << "A = [1 2; 3, 4]'; B = [1 2\n3 4];";
        QTest::newRow("Octave") << "A =\n\n Columns 1 through 2:\n\n   1.0e+03 *\n   1  2\n\n Column 3:\n\n 3\n";
        QTest::newRow("table") << "\"a\"\t1,5\t2\r\nb\t3,25\t-4\r\n";
    }
    void everyPieceOfAPrintIsUnderstoodOrRefused()
    {
        QFETCH(QString, text);
        const std::string whole = text.toStdString();
        for (std::size_t first = 0; first < whole.size(); ++first) {
            for (std::size_t length = 0; first + length <= whole.size(); ++length) {
                const auto pasted = parseMatrices(whole.substr(first, length));
                QVERIFY(pasted ? !pasted->matrices.empty() : !pasted.error().what.empty());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestDamagedFiles)
#include "tst_damaged_files.moc"
