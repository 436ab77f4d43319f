// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: everything comes back, the old file stays until the new one is complete, large inputs stay beside it.
#include "io/session_file.h"

#include "io/numbers_file.h"
#include "io/open.h"
#include "session_parts.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cstring>
#include <limits>

using namespace attenscope;
using namespace attenscope::test;

namespace {

SharedMatrix matrix(Index rows, Index cols, double first)
{
    Matrix numbers(rows, cols);
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            numbers(row, col) = first + 0.1 * static_cast<double>(row * cols + col);
    return SharedMatrix(numbers);
}

Tensor tensorOf(ElementType type, std::vector<Index> shape)
{
    std::size_t size = elementSize(type);
    for (const Index length : shape)
        size *= static_cast<std::size_t>(length);
    std::vector<std::byte> bytes(size);
    for (std::size_t place = 0; place < size; ++place)
        bytes[place] = static_cast<std::byte>(type == ElementType::Bool ? place % 2 : 11 * place + 3);
    return { bytesInMemory(std::move(bytes)), 0, type, std::move(shape) };
}

BitMatrix bits(Index rows, Index cols)
{
    BitMatrix result(rows, cols, false);
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            result.set(row, col, (row * 7 + col * 3) % 5 < 2);
    return result;
}

/// No field has its default.
AttentionSpec oddSpec()
{
    AttentionSpec spec;
    spec.score = ScoreFunction::Additive;
    spec.parameters = { matrix(1, 2, 1), matrix(2, 3, 2), matrix(2, 1, 3), matrix(2, 1, 4) };
    spec.scale = 0.1;
    spec.softCap = std::numeric_limits<double>::infinity();
    spec.temperature = 1.0 / 3.0;
    spec.bias = matrix(3, 70, -1e308);
    spec.hasAlibi = true;
    spec.rope = Rope{ RopeLayout::Interleaved, 5e5, 3, std::numeric_limits<Index>::max() };
    spec.normalization = Normalization::Softmax1;
    spec.mask.rule = MaskRule::BlockSparse;
    spec.mask.alignment = CausalAlignment::TopLeft;
    spec.mask.window = 5;
    spec.mask.prefix = 6;
    spec.mask.stride = 7;
    spec.mask.fixedColumns = 2;
    spec.mask.sinks = 3;
    spec.mask.block = 9;
    spec.mask.blockLayout = bits(2, 9);
    spec.mask.documentStarts = { 2, 4 };
    spec.mask.paddedKeys = 1;
    spec.mask.usesInputMask = false;
    spec.mask.allowed = bits(3, 70);
    spec.heads = 8;
    spec.kvHeads = 2;
    spec.algorithm = Algorithm::Flash;
    spec.queryBlock = 16;
    spec.keyBlock = 32;
    return spec;
}

Session oddSession(Source source)
{
    Session session;
    session.source = std::move(source);
    session.mechanism = oddSpec();
    session.comparison = oddSpec();
    session.comparison->mask.rule = MaskRule::Document;
    session.comparisonFollows = false;
    session.view = { ShownView::Steps, Stage::ValueWeighted, { 1, 2, 3, 4 }, HeadsShown::Max, ColorTable::Magma, ColorScale::Logarithmic,
        ColorRange::Row, CellNumbers::Never, false, Fold::Mean, { { 0, 1, 2, 0 }, { 1, 0, 0, 3 } }, { 0.25, 3, 0.9 },
        SentencePairs::FromBToA, true, true, LayersShown::Embedding, 3, { HeadColumn::Induction, true, Pattern::Local, "first > 0.4" },
        { true, true, true, { { 1, true, 7 } }, TokenPart{ 1, { 2, 9 }, { 3, 8 } }, true, true }, PatchGrid{ 14, 13, 1, "katze 猫.png" } };
    session.name = "Żółć 😀 \"quoted\"";
    return session;
}

const SelectionState oddSelection{ std::pair<Index, Index>{ 3, -1 }, { 5, 2 }, { 7 }, CellRect{ { 1, 20 }, { -3, 40 } } };

TokensSource oddTokens()
{
    return { "a </script> 猫\n\ttab", "ключ", SplitRule::Lines, 7, false, 0xffff'ffff'ffff'fff1ULL };
}

MatricesSource oddMatrices()
{
    MatricesSource source;
    source.form = MatrixForm::Embedded;
    Matrix special(1, 5);
    special << std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -0.0, 5e-324, 0.1;
    source.heads = { { SharedMatrix(special), matrix(130, 2, 5), SharedMatrix() },
        { matrix(2, 2, 0), SharedMatrix(Matrix(3, 0)), matrix(1, 1, 9) } };
    source.x = matrix(2, 3, 1);
    source.y = matrix(4, 3, 2);
    source.projections = { matrix(3, 4, 1), matrix(3, 4, 2), matrix(3, 4, 3), matrix(4, 4, 4), matrix(1, 4, 5), matrix(1, 4, 6),
        matrix(1, 4, 7), matrix(1, 4, 8) };
    source.queryTokens = { "a", "", "c" };
    source.keyTokens = { "k" };
    return source;
}

FileSource oddFiles(const QString &folder)
{
    TensorSet set;
    for (const ElementType type :
        { ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16, ElementType::I64, ElementType::I32, ElementType::I16,
            ElementType::I8, ElementType::U64, ElementType::U32, ElementType::U16, ElementType::U8, ElementType::Bool })
        set.tensors.push_back({ std::string("the/same name"), "a.npz", tensorOf(type, { 2, 3 }) });
    const std::array order{ 2, 0, 1 };
    set.tensors.push_back({ "turned", "a.npz", tensorOf(ElementType::F32, { 2, 3, 4 }).transposed(order) });
    set.tensors.push_back({ "number", "a.npz", tensorOf(ElementType::F64, {}) });
    set.tensors.push_back({ "empty", "a.npz", tensorOf(ElementType::F64, { 0, 4 }) });
    set.tokenLists.push_back({ "tokens", "a.txt", { "x", "" } });
    set.notes = { "A note." };
    set.rowLengths = { 1, 2 };
    FileSource source;
    source.files = { { (folder + "/data/a.npz").toStdString(), 123, "abc", 456 }, { "/elsewhere/b.npz", 1ULL << 40U, "", 789 } };
    source.uses.resize(set.tensors.size() + set.tokenLists.size());
    source.uses[0] = { TensorRole::HiddenMask, BlockRole::Cross, { Axis::Ignored, Axis::Dimension }, 3, true };
    source.uses.back() = { TensorRole::Tokens, BlockRole::EncoderSelf, {}, -1, false };
    source.tensors = std::make_shared<const TensorSet>(std::move(set));
    source.queryTokens = { "q0" };
    source.keyTokens = { "k0", "k1" };
    return source;
}

} // namespace

class TestSessionFile : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath("test.attn");
    }

    void everythingComesBack_data()
    {
        QTest::addColumn<Session>("session");
        QTest::addColumn<SelectionState>("selection");
        const QString folder = QDir::tempPath();
        QTest::newRow("the example") << exampleSentence() << SelectionState{ examplePick(), {}, {}, {} };
        QTest::newRow("the worked example") << workedExample() << SelectionState{};
        QTest::newRow("tokens") << oddSession(oddTokens()) << oddSelection;
        QTest::newRow("no key text") << oddSession(TokensSource()) << oddSelection;
        QTest::newRow("matrices") << oddSession(oddMatrices()) << oddSelection;
        QTest::newRow("files") << oddSession(oddFiles(folder)) << oddSelection;
    }
    void everythingComesBack()
    {
        QFETCH(Session, session);
        QFETCH(SelectionState, selection);
        QVERIFY(saveSession(m_path.toStdString(), session, selection));
        const auto loaded = loadSession(m_path.toStdString());
        QVERIFY2(loaded, loaded ? "" : loaded.error().sentence().c_str());
        QVERIFY(loaded->session.source == session.source);
        QVERIFY(loaded->session.mechanism == session.mechanism);
        QVERIFY(loaded->session.comparison == session.comparison);
        QCOMPARE(loaded->session.comparisonFollows, session.comparisonFollows);
        QVERIFY(loaded->session.view == session.view);
        QCOMPARE(loaded->session.name, session.name);
        QVERIFY(loaded->session == session);
        QVERIFY(loaded->selection == selection);
        QVERIFY(loaded->missing.empty());
    }

    void tensorsKeepTheirBits()
    {
        const FileSource source = oddFiles(m_folder->path());
        QVERIFY(saveSession(m_path.toStdString(), oddSession(source), {}));
        const auto loaded = loadSession(m_path.toStdString());
        const TensorSet &set = *std::get<FileSource>(loaded->session.source).tensors;
        QCOMPARE(set.tensors.size(), source.tensors->tensors.size());
        for (std::size_t place = 0; place < set.tensors.size(); ++place) {
            QCOMPARE(set.tensors[place].tensor.type(), source.tensors->tensors[place].tensor.type());
            QVERIFY(set.tensors[place].tensor.toBytes() == source.tensors->tensors[place].tensor.toBytes());
        }
    }

    void matricesKeepTheirBits()
    {
        Matrix numbers(1, 2);
        numbers << std::bit_cast<double>(0x7ff8'0000'0000'1234ULL), -0.0;
        MatricesSource source;
        source.heads = { { SharedMatrix(numbers), {}, {} } };
        Session session;
        session.source = source;
        QVERIFY(saveSession(m_path.toStdString(), session, {}));
        const auto loaded = loadSession(m_path.toStdString());
        const Matrix read = std::get<MatricesSource>(loaded->session.source).heads.at(0).q.toMatrix();
        QCOMPARE(std::memcmp(read.data(), numbers.data(), sizeof(double) * 2), 0);
    }

    void equalSessionsGiveEqualBytes()
    {
        QVERIFY(saveSession(m_path.toStdString(), oddSession(oddMatrices()), oddSelection));
        const QByteArray first = contentOf(m_path);
        QVERIFY(saveSession(m_path.toStdString(), oddSession(oddMatrices()), oddSelection));
        QVERIFY(first == contentOf(m_path));
        // The time of a part is 1980-01-01, not now.
        QCOMPARE(first.mid(10, 4).toHex(), QByteArray("00002100"));
    }

    void theOldFileStaysWhereTheNewOneCannotBeWritten()
    {
        QVERIFY(saveSession(m_path.toStdString(), exampleSentence(), {}));
        const QByteArray old = contentOf(m_path);
        // A folder in the way fails for every user; missing permissions do not stop root.
        const QString folder = m_folder->filePath("folder.attn");
        QVERIFY(QDir().mkdir(folder));
        const auto onFolder = saveSession(folder.toStdString(), workedExample(), {});
        QVERIFY(!onFolder);
        QCOMPARE(QString::fromStdString(onFolder.error().path), folder);
        QVERIFY(QDir(folder).exists());
        QVERIFY(!saveSession(m_folder->filePath("nowhere/test.attn").toStdString(), workedExample(), {}));

        // The inputs of a session vanish while it is saved: nothing is written.
        class Gone : public ByteSource {
        public:
            [[nodiscard]] std::uint64_t size() const override { return 32; }
            void read(std::uint64_t, std::span<std::byte> out) const override { std::fill(out.begin(), out.end(), std::byte{ 0xff }); }
            [[nodiscard]] std::optional<Error> error() const override { return Error{ "The file is gone.", {}, {}, {} }; }
        };
        TensorSet set;
        set.tensors.push_back({ "q", "q.npy", Tensor(std::make_shared<Gone>(), 0, ElementType::F64, { 2, 2 }) });
        FileSource source;
        source.tensors = std::make_shared<const TensorSet>(std::move(set));
        Session session;
        session.source = source;
        const auto failed = saveSession(m_path.toStdString(), session, {});
        QVERIFY(!failed);
        QCOMPARE(QString::fromStdString(failed.error().what), QString("The file is gone."));
        QVERIFY(contentOf(m_path) == old);
        QCOMPARE(m_folder->path().isEmpty(), false);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{ "test.attn" });
    }

    void largeInputsAreFoundBesideTheSession()
    {
        // One row more than is stored inside.
        const Index cols = 4000;
        const Index rows = static_cast<Index>(embeddedInputLimit / 8) / cols + 1;
        QVERIFY(QDir(m_folder->path()).mkpath("here/data"));
        const QString array = m_folder->filePath("here/data/attn.npy");
        std::vector<double> numbers(static_cast<std::size_t>(rows * cols), 0.0);
        for (Index row = 0; row < rows; ++row)
            numbers[static_cast<std::size_t>(row * cols)] = 1.0;
        QVERIFY(writeNpy(array.toStdString(), { "attn", { rows, cols }, numbers }));
        auto opened = openFiles({ array.toStdString() });
        QVERIFY(opened);
        Session session = sessionFor(*opened);
        auto &source = std::get<FileSource>(session.source);
        source.uses.at(0).isTransposed = true;
        const QString path = m_folder->filePath("here/test.attn");
        QVERIFY(saveSession(path.toStdString(), session, {}));
        QVERIFY(QFileInfo(path).size() < 100'000);
        QVERIFY(partsOf(path)["session.json"].contains("\"path\": \"data/attn.npy\""));

        auto loaded = loadSession(path.toStdString());
        QVERIFY2(loaded, loaded ? "" : loaded.error().sentence().c_str());
        QVERIFY(loaded->missing.empty());
        QVERIFY(loaded->session == session);

        // Both are moved together.
        QVERIFY(QDir(m_folder->path()).rename("here", "there"));
        const QString moved = m_folder->filePath("there/test.attn");
        loaded = loadSession(moved.toStdString());
        QVERIFY(loaded && loaded->missing.empty());
        const auto &found = std::get<FileSource>(loaded->session.source);
        QVERIFY(found.tensors);
        QCOMPARE(QString::fromStdString(found.files.at(0).path), m_folder->filePath("there/data/attn.npy"));
        QVERIFY(found.uses.at(0).isTransposed);

        // The array is changed, then gone.
        const QString movedArray = m_folder->filePath("there/data/attn.npy");
        QFile file(movedArray);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(1000) && file.write("x") == 1);
        file.close();
        loaded = loadSession(moved.toStdString());
        QVERIFY(loaded);
        QCOMPARE(loaded->missing.size(), std::size_t(1));
        QVERIFY(!std::get<FileSource>(loaded->session.source).tensors);
        QVERIFY(QFile::remove(movedArray));
        loaded = loadSession(moved.toStdString());
        QVERIFY(loaded);
        QCOMPARE(QString::fromStdString(loaded->missing.at(0).path), movedArray);
        QVERIFY(loaded->session.mechanism == session.mechanism);

        // Saved without it, it is still missed.
        QVERIFY(saveSession(moved.toStdString(), loaded->session, {}));
        loaded = loadSession(moved.toStdString());
        QVERIFY(loaded);
        QCOMPARE(loaded->missing.size(), std::size_t(1));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_APPLESS_MAIN(TestSessionFile)
#include "tst_session_file.moc"
