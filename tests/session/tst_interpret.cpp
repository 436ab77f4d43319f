// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays put together to inputs: axes, layers, names, masks, and what does not fit.
#include "array_tools.h"
#include "session/source.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cstring>

using namespace attenscope;
using namespace attenscope::test;
using Names = std::vector<std::string>;
using enum Axis;

namespace {

struct Answer {
    AttentionInput input;
    std::vector<std::string> notes;
    QString error;
};

Answer answerOf(const TensorSet &set, const std::vector<TensorUse> &uses, const Names &queries = {}, const Names &keys = {})
{
    Answer answer;
    const auto input = interpret(set, uses, queries, keys, &answer.notes);
    if (input)
        answer.input = *input;
    else
        answer.error = QString::fromStdString(input.error().sentence());
    return answer;
}

Answer answerOf(const TensorSet &set)
{
    return answerOf(set, recognise(set));
}

const RecordedData &recorded(const AttentionBlock &block)
{
    return std::get<RecordedData>(block.data);
}

const ProjectedData &projected(const AttentionBlock &block)
{
    return std::get<ProjectedData>(block.data);
}

bool hasNote(const Answer &answer, const std::string &text)
{
    return std::any_of(
        answer.notes.begin(), answer.notes.end(), [&](const std::string &note) { return note.find(text) != std::string::npos; });
}

TokenList list(const std::string &name, Index count)
{
    return { name, "test.json", numbered(count) };
}

/// Reads enough of a safetensors file to look into the recordings of real models.
TensorSet readSafetensors(const QString &path)
{
    TensorSet set;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return set;
    const QByteArray raw = file.readAll();
    std::uint64_t headerSize = 0;
    std::memcpy(&headerSize, raw.constData(), 8);
    std::vector<std::byte> bytes(static_cast<std::size_t>(raw.size()));
    std::memcpy(bytes.data(), raw.constData(), bytes.size());
    const auto source = bytesInMemory(std::move(bytes));
    const QJsonObject header = QJsonDocument::fromJson(raw.mid(8, static_cast<qsizetype>(headerSize))).object();
    for (auto member = header.begin(); member != header.end(); ++member) {
        const QJsonObject value = member.value().toObject();
        if (member.key() == "__metadata__") {
            for (auto text = value.begin(); text != value.end(); ++text) {
                TokenList tokens{ text.key().toStdString(), "file", {} };
                for (const QJsonValue token : QJsonDocument::fromJson(text.value().toString().toUtf8()).array())
                    tokens.tokens.push_back(token.toString().toStdString());
                if (!tokens.tokens.empty())
                    set.tokenLists.push_back(tokens);
            }
            continue;
        }
        std::vector<Index> shape;
        for (const QJsonValue size : value["shape"].toArray())
            shape.push_back(size.toInteger());
        const QString type = value["dtype"].toString();
        const ElementType element = type == "F32" ? ElementType::F32 : type == "F64" ? ElementType::F64 : ElementType::I64;
        const std::uint64_t offset = 8 + headerSize + static_cast<std::uint64_t>(value["data_offsets"].toArray()[0].toInteger());
        set.tensors.push_back({ member.key().toStdString(), "file", Tensor(source, offset, element, shape) });
    }
    return set;
}

} // namespace

class TestInterpret : public QObject {
    Q_OBJECT

private slots:
    void recordedAxesCanComeInAnyOrder_data()
    {
        QTest::addColumn<std::vector<Index>>("shape");
        QTest::addColumn<std::vector<Axis>>("axes");
        QTest::addColumn<bool>("isTransposed");
        QTest::addColumn<std::vector<int>>("counts"); // layers, batch, heads, queries, keys
        QTest::addColumn<std::vector<int>>("strides"); // of the same, in elements
        const auto row
            = [](const char *name, std::vector<Index> shape, std::vector<Axis> axes, std::vector<int> counts, std::vector<int> strides,
                  bool isTransposed = false) { QTest::newRow(name) << shape << axes << isTransposed << counts << strides; };
        row("2", { 3, 4 }, { Query, Key }, { 1, 1, 1, 3, 4 }, { 0, 0, 0, 4, 1 });
        row("2, transposed", { 3, 4 }, { Query, Key }, { 1, 1, 1, 4, 3 }, { 0, 0, 0, 1, 4 }, true);
        row("1", { 4 }, { Key }, { 1, 1, 1, 1, 4 }, { 0, 0, 0, 0, 1 });
        row("1, transposed", { 4 }, { Key }, { 1, 1, 1, 4, 1 }, { 0, 0, 0, 1, 0 }, true);
        row("3 heads", { 2, 3, 4 }, { Head, Query, Key }, { 1, 1, 2, 3, 4 }, { 0, 0, 12, 4, 1 });
        row("3 layers", { 2, 3, 4 }, { Layer, Query, Key }, { 2, 1, 1, 3, 4 }, { 12, 0, 0, 4, 1 });
        row("heads last", { 3, 4, 2 }, { Query, Key, Head }, { 1, 1, 2, 3, 4 }, { 0, 0, 1, 8, 2 });
        row("4", { 2, 3, 4, 5 }, { Layer, Head, Query, Key }, { 2, 1, 3, 4, 5 }, { 60, 0, 20, 5, 1 });
        row("4, batch", { 2, 3, 4, 5 }, { Batch, Head, Query, Key }, { 1, 2, 3, 4, 5 }, { 0, 60, 20, 5, 1 });
        row("5", { 2, 3, 2, 4, 5 }, { Layer, Batch, Head, Query, Key }, { 2, 3, 2, 4, 5 }, { 120, 40, 20, 5, 1 });
        row("5, mixed", { 2, 3, 2, 4, 5 }, { Key, Head, Layer, Query, Batch }, { 2, 5, 3, 4, 2 }, { 20, 1, 40, 5, 120 });
        row("ignored", { 2, 3, 4 }, { Ignored, Query, Key }, { 1, 1, 1, 3, 4 }, { 0, 0, 0, 4, 1 });
        row("row scattered in the file", { 3, 2 }, { Key, Ignored }, { 1, 1, 1, 1, 3 }, { 0, 0, 0, 0, 2 });
    }
    void recordedAxesCanComeInAnyOrder()
    {
        QFETCH(std::vector<Index>, shape);
        QFETCH(std::vector<Axis>, axes);
        QFETCH(bool, isTransposed);
        QFETCH(std::vector<int>, counts);
        QFETCH(std::vector<int>, strides);
        const TensorSet set = setOf({ { "a", shape } });
        const Answer answer = answerOf(set, { { TensorRole::Weights, BlockRole::Plain, axes, -1, isTransposed } });
        QCOMPARE(answer.error, QString());
        const AttentionBlock &block = answer.input.blocks.at(0);
        const std::vector<int> found{ block.layers, block.batch, block.heads, static_cast<int>(block.queries),
            static_cast<int>(block.keys) };
        QCOMPARE(found, counts);
        QCOMPARE(block.kvHeads, block.heads);
        std::size_t map = 0;
        for (int layer = 0; layer < counts[0]; ++layer)
            for (int element = 0; element < counts[1]; ++element)
                for (int head = 0; head < counts[2]; ++head, ++map)
                    for (int query = 0; query < counts[3]; ++query)
                        for (int key = 0; key < counts[4]; ++key)
                            QCOMPARE(recorded(block).weights.at(map).at(query, key),
                                static_cast<double>(
                                    layer * strides[0] + element * strides[1] + head * strides[2] + query * strides[3] + key * strides[4]));
        QCOMPARE(recorded(block).weights.size(), map);
    }

    void positionsCanComeBeforeHeads()
    {
        const TensorSet set = setOf({ { "q", { 2, 5, 4, 3 } }, { "k", { 2, 6, 2, 3 } } });
        const std::vector<TensorUse> uses{ { TensorRole::Queries, BlockRole::Plain, { Batch, Row, Head, Dimension }, -1, false },
            { TensorRole::Keys, BlockRole::Plain, { Batch, Row, Head, Dimension }, -1, false } };
        const Answer answer = answerOf(set, uses);
        const AttentionBlock &block = answer.input.blocks.at(0);
        QCOMPARE(block.batch, 2);
        QCOMPARE(block.heads, 4);
        QCOMPARE(block.kvHeads, 2);
        QCOMPARE(block.queries, Index(5));
        QCOMPARE(block.keys, Index(6));
        // Element 1, head 3, row 2, dimension 1; and element 1, head 1, row 5, dimension 2.
        QCOMPARE(projected(block).q.at(1 * 4 + 3).at(2, 1), 60.0 + 2 * 12 + 3 * 3 + 1);
        QCOMPARE(projected(block).k.at(1 * 2 + 1).at(5, 2), 36.0 + 5 * 6 + 1 * 3 + 2);
        QVERIFY(projected(block).v.empty());
    }

    void layersAreJoinedByNumber()
    {
        const Answer answer = answerOf(setOf({ { "attn_10", { 2, 3, 3 } }, { "attn_9", { 2, 3, 3 } }, { "attn_2", { 2, 3, 3 } } }));
        const AttentionBlock &block = answer.input.blocks.at(0);
        QCOMPARE(block.layers, 3);
        QCOMPARE(block.heads, 2);
        QCOMPARE(recorded(block).weights.size(), std::size_t(6));
        QVERIFY(hasNote(answer, "Layers 3, 4, 5, 6, 7, … are not there; the others are counted from 0 without a gap."));
        QVERIFY(!hasNote(answerOf(setOf({ { "attn_1", { 3, 3 } }, { "attn_0", { 3, 3 } } })), "not there"));
        QVERIFY(hasNote(answerOf(setOf({ { "attn_2", { 3, 3 } }, { "attn_0", { 3, 3 } } })), "Layer 1 is not there;"));
    }

    void layersOfProjectedDataStayTogether()
    {
        TensorSet set = setOf({ { "q_1", { 2, 3 } }, { "k_0", { 4, 3 } }, { "q_0", { 2, 3 } }, { "k_1", { 4, 3 } } });
        set.tensors[0].tensor = tensorOf({ 2, 3 }, { 7, 7, 7, 7, 7, 7 });
        const Answer answer = answerOf(set);
        const AttentionBlock &block = answer.input.blocks.at(0);
        QCOMPARE(block.layers, 2);
        QCOMPARE(projected(block).q.at(0).at(0, 1), 1.0);
        QCOMPARE(projected(block).q.at(1).at(0, 1), 7.0);
        set.tensors.pop_back();
        QCOMPARE(answerOf(set).error,
            QString("Queries and keys have different layers. q_0 is 2 × 3, k_0 is 4 × 3. Correct what their axes are, or use only one of "
                    "them."));
    }

    void oneArrayCanBeKeysAndValues()
    {
        const Answer answer = answerOf(setOf({ { "s", { 3, 4 } }, { "h", { 5, 4 } } }));
        const AttentionBlock &block = answer.input.blocks.at(0);
        QVERIFY(projected(block).k == projected(block).v);
        QCOMPARE(block.keys, Index(5));
    }

    void anArrayWithoutBatchServesAllElements()
    {
        const std::vector<TensorUse> uses{ { TensorRole::Queries, BlockRole::Plain, { Batch, Row, Dimension }, -1, false },
            { TensorRole::Keys, BlockRole::Plain, { Row, Dimension }, -1, false } };
        const Answer answer = answerOf(setOf({ { "q", { 3, 2, 4 } }, { "k", { 5, 4 } } }), uses);
        const AttentionBlock &block = answer.input.blocks.at(0);
        QCOMPARE(block.batch, 3);
        QCOMPARE(projected(block).k.size(), std::size_t(3));
        QVERIFY(projected(block).k[0] == projected(block).k[2]);
    }

    void embeddingsComeWithTheirProjections()
    {
        TensorSet set
            = setOf({ { "X", { 2, 3, 4 } }, { "W_q", { 4, 6 } }, { "W_k", { 4, 2 } }, { "b_q", { 6 } }, { "q_proj.bias", { 6 } } });
        const Answer answer = answerOf(set);
        QCOMPARE(answer.error, QString());
        const AttentionBlock &block = answer.input.blocks.at(0);
        const auto &data = std::get<EmbeddedData>(block.data);
        QCOMPARE(block.heads, 0);
        QCOMPARE(block.batch, 2);
        QCOMPARE(data.x.at(1).at(2, 3), 23.0);
        QVERIFY(data.y.empty());
        QCOMPARE(data.layers.at(0).bq.rows(), Index(1));
        QCOMPARE(data.layers.at(0).bq.at(0, 5), 5.0);
        QVERIFY(data.layers.at(0).wv.isEmpty());
        QVERIFY(!block.hasValues());
    }

    void torchProjectionsAreTurned()
    {
        const Answer answer = answerOf(setOf({ { "x", { 3, 4 } }, { "q_proj.weight", { 6, 4 } }, { "k_proj.weight", { 4, 4 } } }));
        const auto &data = std::get<EmbeddedData>(answer.input.blocks.at(0).data);
        QCOMPARE(data.layers.at(0).wq.rows(), Index(4));
        QCOMPARE(data.layers.at(0).wq.at(1, 2), 2.0 * 4 + 1);
        QCOMPARE(data.layers.at(0).wk.at(0, 3), 12.0);
    }

    void largeArraysStayViews()
    {
        // Numbers that exist nowhere: none of them is needed but for the check of the rows.
        class Endless : public ByteSource {
        public:
            [[nodiscard]] std::uint64_t size() const override { return 12'800'000'000ULL; }
            void read(std::uint64_t, std::span<std::byte> out) const override
            {
                readBytes += out.size();
                std::fill(out.begin(), out.end(), std::byte{ 0 });
            }
            mutable std::uint64_t readBytes = 0;
        };
        const auto source = std::make_shared<Endless>();
        TensorSet set;
        set.tensors.push_back({ "attn", "huge", Tensor(source, 0, ElementType::F64, { 4, 20'000, 20'000 }) });
        set.tokenLists.push_back(list("tokens", 3));
        const Answer answer = answerOf(set);
        QCOMPARE(answer.input.blocks.at(0).queries, Index(20'000));
        QVERIFY(source->readBytes <= 64'000'000);
        QCOMPARE(recorded(answer.input.blocks[0]).weights.size(), std::size_t(4));
    }

    void encoderAndDecoderAreThreeBlocks()
    {
        TensorSet set = setOf(
            { { "cross_attentions", { 4, 2, 3, 6 } }, { "decoder_attentions", { 4, 2, 3, 3 } }, { "encoder_attentions", { 2, 8, 6, 6 } } });
        set.tokenLists = { list("encoder_tokens", 6), { "decoder_tokens", "test.json", { "a", "b", "c" } } };
        const Answer answer = answerOf(set);
        QCOMPARE(answer.input.blocks.size(), std::size_t(3));
        const AttentionBlock &encoder = answer.input.blocks[0];
        const AttentionBlock &decoder = answer.input.blocks[1];
        const AttentionBlock &cross = answer.input.blocks[2];
        QCOMPARE(encoder.role, BlockRole::EncoderSelf);
        QCOMPARE(QString::fromStdString(headName(answer.input, { 0, 1, 2, 0 })), QString("encoder 1·2"));
        QCOMPARE(QString::fromStdString(headName(answer.input, { 2, 0, 1, 0 })), QString("cross 0·1"));
        QCOMPARE(encoder.layers, 2);
        QCOMPARE(encoder.heads, 8);
        QCOMPARE(encoder.queryTokens, numbered(6));
        QCOMPARE(decoder.role, BlockRole::DecoderSelf);
        QCOMPARE(decoder.keyTokens, (Names{ "a", "b", "c" }));
        QCOMPARE(cross.role, BlockRole::Cross);
        for (const auto &[place, name] : { std::pair{ 0, "encoder" }, { 1, "decoder" }, { 2, "cross" } })
            QCOMPARE(blockName(answer.input, place), std::string(name));
        QCOMPARE(cross.queryTokens, decoder.queryTokens);
        QCOMPARE(cross.keyTokens, encoder.keyTokens);

        const Answer typed = answerOf(set, recognise(set), { "x", "y", "z" }, { "1", "2", "3", "4", "5", "6" });
        QCOMPARE(typed.input.blocks[0].queryTokens.front(), std::string("1"));
        QCOMPARE(typed.input.blocks[1].keyTokens.back(), std::string("z"));
        QCOMPARE(typed.input.blocks[2].queryTokens.front(), std::string("x"));
        QCOMPARE(typed.input.blocks[2].keyTokens.back(), std::string("6"));
    }

    void namesAreFittedAndItIsSaid_data()
    {
        QTest::addColumn<std::vector<Index>>("shape");
        QTest::addColumn<std::string>("listName");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("queries");
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("note");
        const auto row
            = [](const char *name, std::vector<Index> shape, const char *listName, int count, const char *queries, const char *keys,
                  const char *note) { QTest::newRow(name) << shape << std::string(listName) << count << queries << keys << note; };
        row("as many", { 3, 3 }, "tokens", 3, "t0 t1 t2", "t0 t1 t2", "");
        row("too few", { 3, 3 }, "tokens", 2, "t0 t1 2", "t0 t1 2", "2 tokens for 3 positions; the others are shown as positions.");
        row("too many", { 3, 3 }, "tokens", 4, "t0 t1 t2", "t0 t1 t2", "4 tokens for 3 positions; the last 1 is left out.");
        row("none", { 2, 3 }, "", 0, "0 1", "0 1 2", "");
        row("of the queries", { 2, 3 }, "tokens", 2, "t0 t1", "0 1 2", "");
        row("of the keys, queries are the last", { 2, 4 }, "tokens", 4, "t2 t3", "t0 t1 t2 t3",
            "The 2 queries are named as the last of the 4 keys.");
        row("of the keys, more queries", { 4, 2 }, "tokens", 2, "0 1 2 3", "t0 t1", "");
        row("of neither", { 2, 4 }, "tokens", 3, "t0 t1", "t0 t1 t2 3", "3 tokens for 4 keys; the others are shown as positions.");
        row("key tokens alone", { 3, 3 }, "key_tokens", 3, "t0 t1 t2", "t0 t1 t2", "");
        row("query tokens, cross", { 2, 3 }, "query_tokens", 2, "t0 t1", "0 1 2", "");
    }
    void namesAreFittedAndItIsSaid()
    {
        QFETCH(std::vector<Index>, shape);
        QFETCH(std::string, listName);
        QFETCH(int, count);
        QFETCH(QString, queries);
        QFETCH(QString, keys);
        QFETCH(QString, note);
        TensorSet set;
        // Uniform rows, so that nothing else is to be said.
        const auto cells = static_cast<std::size_t>(shape[0] * shape[1]);
        set.tensors.push_back({ "attn", "test.npz", tensorOf(shape, std::vector<double>(cells, 1.0 / static_cast<double>(shape[1]))) });
        if (count > 0)
            set.tokenLists.push_back(list(listName, count));
        const Answer answer = answerOf(set);
        const auto joined = [](const Names &names) {
            QStringList words;
            for (const std::string &name : names)
                words.append(QString::fromStdString(name));
            return words.join(' ');
        };
        QCOMPARE(joined(answer.input.blocks.at(0).queryTokens), queries);
        QCOMPARE(joined(answer.input.blocks.at(0).keyTokens), keys);
        if (note.isEmpty())
            QVERIFY(answer.notes.empty());
        else
            QVERIFY2(hasNote(answer, note.toStdString()), answer.notes.empty() ? "no note" : answer.notes.back().c_str());
        QVERIFY(answer.notes.size() <= 2);
    }

    void typedNamesComeBeforeThoseOfTheFile()
    {
        TensorSet set = setOf({ { "attn", { 2, 2 } } });
        set.tokenLists.push_back(list("tokens", 2));
        const AttentionBlock both = answerOf(set, recognise(set), { "a", "b" }).input.blocks.at(0);
        QCOMPARE(both.queryTokens, (Names{ "a", "b" }));
        QCOMPARE(both.keyTokens, (Names{ "a", "b" }));
        const AttentionBlock keys = answerOf(set, recognise(set), {}, { "x", "y" }).input.blocks.at(0);
        QCOMPARE(keys.queryTokens, (Names{ "t0", "t1" }));
        QCOMPARE(keys.keyTokens, (Names{ "x", "y" }));
    }

    void paddingAndMasksAreRead_data()
    {
        QTest::addColumn<int>("role");
        QTest::addColumn<std::vector<double>>("numbers");
        QTest::addColumn<bool>("isPadding");
        const auto row = [](const char *name, TensorRole role, std::vector<double> numbers, bool isPadding) {
            QTest::newRow(name) << static_cast<int>(role) << numbers << isPadding;
        };
        const double inf = std::numeric_limits<double>::infinity();
        // The visible keys are 0 and 2 in all of them.
        row("real tokens", TensorRole::KeyPadding, { 1, 0, 1 }, true);
        row("padded tokens", TensorRole::PaddedKeys, { 0, 1, 0 }, true);
        row("allowed", TensorRole::AllowedMask, { 1, 0, 1, 1, 0, 1 }, false);
        row("hidden", TensorRole::HiddenMask, { 0, 1, 0, 0, 1, 0 }, false);
        row("to be added", TensorRole::AllowedMask, { 0, -inf, 0, 0, -inf, 0 }, false);
        row("to be added, finite", TensorRole::AllowedMask, { 0, -10000, 0, 0, -10000, 0 }, false);
        row("to be added, as hidden", TensorRole::HiddenMask, { 0, -inf, 0, 0, -inf, 0 }, false);
    }
    void paddingAndMasksAreRead()
    {
        QFETCH(int, role);
        QFETCH(std::vector<double>, numbers);
        QFETCH(bool, isPadding);
        TensorSet set = setOf({ { "attn", { 2, 3 } } });
        const std::vector<Index> shape = isPadding ? std::vector<Index>{ 3 } : std::vector<Index>{ 2, 3 };
        set.tensors.push_back({ "m", "test.npz", tensorOf(shape, numbers) });
        std::vector<TensorUse> uses(2);
        uses[0].role = TensorRole::Weights;
        uses[1].role = static_cast<TensorRole>(role);
        const AttentionBlock block = answerOf(set, uses).input.blocks.at(0);
        if (isPadding) {
            QCOMPARE(block.keyPadding, (std::vector<std::vector<bool>>{ { true, false, true } }));
            QVERIFY(block.masks.empty());
            return;
        }
        QVERIFY(block.keyPadding.empty());
        QCOMPARE(block.masks.size(), std::size_t(1));
        for (Index query = 0; query < 2; ++query)
            for (Index key = 0; key < 3; ++key)
                QCOMPARE(block.masks[0].at(query, key), key != 1);
    }

    void masksGoByBatchElement()
    {
        TensorSet set = setOf({ { "q", { 2, 1, 4 } }, { "k", { 2, 2, 4 } } });
        set.tensors.push_back({ "mask", "", tensorOf({ 2, 1, 2 }, { 1, 0, 0, 1 }) });
        set.tensors.push_back({ "key_padding", "", tensorOf({ 2, 2 }, { 1, 1, 1, 0 }) });
        const AttentionBlock block = answerOf(set).input.blocks.at(0);
        QCOMPARE(block.batch, 2);
        QVERIFY(block.masks.at(0).at(0, 0) && !block.masks.at(0).at(0, 1));
        QVERIFY(!block.masks.at(1).at(0, 0) && block.masks.at(1).at(0, 1));
        QCOMPARE(block.keyPadding, (std::vector<std::vector<bool>>{ { true, true }, { true, false } }));
    }

    void theEncodersPaddingCountsForItsKeysEverywhere()
    {
        TensorSet set = setOf(
            { { "encoder_attentions", { 1, 1, 2, 2 } }, { "decoder_attentions", { 1, 1, 3, 3 } }, { "cross_attentions", { 1, 1, 3, 2 } } });
        set.tensors.push_back({ "attention_mask", "", tensorOf({ 1, 2 }, { 1, 0 }) });
        const Answer answer = answerOf(set);
        QCOMPARE(answer.input.blocks.at(0).keyPadding.size(), std::size_t(1));
        QVERIFY(answer.input.blocks.at(1).keyPadding.empty());
        QCOMPARE(answer.input.blocks.at(2).keyPadding, (std::vector<std::vector<bool>>{ { true, false } }));
    }

    void aMaskThatDoesNotFitIsNotUsed()
    {
        const Answer answer = answerOf(setOf({ { "attn", { 2, 3, 3 } }, { "mask", { 4, 4 } }, { "key_padding", { 5 } } }));
        QVERIFY(answer.input.blocks.at(0).masks.empty());
        QVERIFY(answer.input.blocks.at(0).keyPadding.empty());
        QVERIFY(hasNote(answer, "mask is 4 × 4. It does not fit and is not used."));
        QVERIFY(hasNote(answer, "key_padding is 5. It does not fit and is not used."));
    }

    void raggedRowsAreKept()
    {
        TensorSet set = setOf({ { "attn", { 2, 3 } } });
        set.rowLengths = { 1, 3 };
        QCOMPARE(recorded(answerOf(set).input.blocks.at(0)).rowLengths, (std::vector<Index>{ 1, 3 }));
        TensorSet ofHeads = setOf({ { "attn", { 2, 2, 3 } } });
        ofHeads.rowLengths = set.rowLengths;
        QCOMPARE(recorded(answerOf(ofHeads).input.blocks.at(0)).rowLengths, (std::vector<Index>{ 1, 3 }));
        const QString sentence
            = "The rows of the table have different lengths. Only recorded weights, one row per query, can be shorter at the end. "
              "Complete the table.";
        QCOMPARE(answerOf(set, { { TensorRole::Weights, BlockRole::Plain, {}, -1, true } }).error, sentence);
        QCOMPARE(answerOf(set, { { TensorRole::Queries, BlockRole::Plain, {}, -1, false } }).error, sentence);
    }

    void whatContradictsIsRefused_data()
    {
        QTest::addColumn<TensorSet>("set");
        QTest::addColumn<QString>("error");
        const auto row
            = [](const char *name, const TensorSet &set, const char *error) { QTest::newRow(name) << set << QString::fromUtf8(error); };
        row("nothing", {}, "No array is known as attention. Choose what the arrays are, for example q and k, or recorded weights.");
        row("only unknown arrays", setOf({ { "a", { 2, 3 } }, { "b", { 4 } }, { "c", { 3, 3 } } }),
            "No array is known as attention. It contains a (2 × 3), b (4), c (3 × 3). Choose what the arrays are, for example q and k, or "
            "recorded "
            "weights.");
        row("v shorter than k", setOf({ { "q", { 5, 4 } }, { "k", { 7, 4 } }, { "v", { 6, 4 } } }),
            "There are not as many values as keys. k is 7 × 4, v is 6 × 4. Correct what their axes are, or use only one of them.");
        row("heads", setOf({ { "q", { 4, 5, 4 } }, { "k", { 3, 5, 4 } } }),
            "3 key heads cannot serve 4 query heads equally. q is 4 × 5 × 4, k is 3 × 5 × 4. Correct what their axes are, or use only one "
            "of them.");
        row("more key heads than query heads", setOf({ { "q", { 1, 5, 4 } }, { "k", { 2, 5, 4 } } }),
            "2 key heads cannot serve 1 query head equally. q is 1 × 5 × 4, k is 2 × 5 × 4. Correct what their axes are, or use only one "
            "of them.");
        row("value heads", setOf({ { "q", { 4, 5, 4 } }, { "k", { 4, 5, 4 } }, { "v", { 2, 5, 4 } } }),
            "Keys and values have different heads. k is 4 × 5 × 4, v is 2 × 5 × 4. Correct what their axes are, or use only one of them.");
        row("batches", setOf({ { "q", { 2, 1, 5, 4 } }, { "k", { 3, 1, 5, 4 } } }),
            "Queries and keys have different batches. q is 2 × 1 × 5 × 4, k is 3 × 1 × 5 × 4. Correct what their axes are, or use only one "
            "of them.");
        row("an empty array", setOf({ { "attn", { 0, 4 } } }), "An array is empty. attn is 0 × 4. Use it as nothing, or save it again.");
        row("layers of different shapes", setOf({ { "attn_0", { 4, 5, 5 } }, { "attn_1", { 8, 5, 5 } } }),
            "The layers have different shapes. attn_0 is 4 × 5 × 5, attn_1 is 8 × 5 × 5. Use those of one shape, and not the others.");
        row("too many heads", setOf({ { "attn", { 300, 300, 1, 1 } } }),
            "An array has too many layers, batch elements and heads. attn is 300 × 300 × 1 × 1. At most 65,536 maps can be opened. Choose "
            "what each "
            "axis is.");
    }
    void whatContradictsIsRefused()
    {
        QFETCH(TensorSet, set);
        QFETCH(QString, error);
        QCOMPARE(answerOf(set).error, error);
    }

    void usesThatContradictAreRefused_data()
    {
        QTest::addColumn<std::vector<TensorUse>>("uses");
        QTest::addColumn<QString>("error");
        const auto use = [](TensorRole role, std::vector<Axis> axes = {}) {
            return TensorUse{ role, BlockRole::Plain, std::move(axes), -1, false };
        };
        QTest::newRow("computed and recorded") << std::vector<TensorUse>{
            use(TensorRole::Queries), use(TensorRole::Weights)
        } << "Queries, keys and values and recorded weights are used for the same attention. a and b. Use only one kind.";
        QTest::newRow("embedded and recorded") << std::vector<TensorUse>{ use(TensorRole::X),
            use(TensorRole::Weights) } << "Embeddings and recorded weights are used for the same attention. a and b. Use only one kind.";
        QTest::newRow("no keys") << std::vector<TensorUse>{ use(TensorRole::Queries), use(TensorRole::Unused) }
                                 << "There are queries, but no keys. Choose which array they are.";
        QTest::newRow("no queries") << std::vector<TensorUse>{ use(TensorRole::Keys), use(TensorRole::Unused) }
                                    << "There are keys, but no queries. Choose which array they are.";
        QTest::newRow("no projections") << std::vector<TensorUse>{ use(TensorRole::X),
            use(TensorRole::Wq) } << "There is no W_k. Embeddings need X, W_q and W_k. Choose which array it is, or use something else.";
        QTest::newRow("twice") << std::vector<TensorUse>{ use(TensorRole::Weights), use(TensorRole::Weights) }
                               << "Two arrays are used as the same recorded weights. a and b. Use only one of them.";
        QTest::newRow("an axis twice") << std::vector<TensorUse>{ use(TensorRole::Weights, { Key, Key }), use(TensorRole::Unused) }
                                       << "The axes of an array do not say what is queries and keys. a is 4 × 4. Choose what each axis is.";
        QTest::newRow("axes of another role") << std::vector<TensorUse>{ use(TensorRole::Weights, { Row, Dimension }),
            use(TensorRole::Unused) } << "The axes of an array do not say what is queries and keys. a is 4 × 4. Choose what each axis is.";
        QTest::newRow("too few axes") << std::vector<TensorUse>{ use(TensorRole::Weights, { Key }), use(TensorRole::Unused) }
                                      << "The axes of an array do not say what is queries and keys. a is 4 × 4. Choose what each axis is.";
        QTest::newRow("a matrix as a bias of three axes")
            << std::vector<TensorUse>{ use(TensorRole::X), use(TensorRole::Bq, { Layer, Dimension, Ignored }) }
            << "The axes of an array do not say what is rows and dimensions. b is 4 × 4. Choose what each axis is.";
    }
    void usesThatContradictAreRefused()
    {
        QFETCH(std::vector<TensorUse>, uses);
        QFETCH(QString, error);
        const QString found = answerOf(setOf({ { "a", { 4, 4 } }, { "b", { 4, 4 } } }), uses).error;
        QCOMPARE(found, error);
    }

    void queriesAndKeysMayDifferInWidth()
    {
        // Additive scores take them; check() refuses them for the others.
        const Answer answer = answerOf(setOf({ { "q", { 5, 4 } }, { "k", { 7, 3 } } }));
        QCOMPARE(answer.error, QString());
        QVERIFY(check(answer.input.blocks.at(0), {}));
    }

    void fewerUsesThanTensorsIsNoTrouble() { QVERIFY(!answerOf(setOf({ { "attn", { 2, 2 } } }), {}).error.isEmpty()); }

    void aSecondRecordingIsSaidToBeUnused()
    {
        TensorSet set;
        const auto ones = [](const std::string &name, const std::vector<Index> &shape) {
            const Index cells = shape[0] * shape[1] * shape[2];
            return NamedTensor{ name, name + ".npy", tensorOf(shape, std::vector<double>(static_cast<std::size_t>(cells), 1.0)) };
        };
        set.tensors = { ones("attention", { 1, 2, 2 }), ones("b", { 3, 4, 4 }), ones("hidden_states", { 1, 4, 8 }) };
        const TensorUse weights{ TensorRole::Weights, BlockRole::Plain, {}, -1, false };
        QVERIFY(hasNote(
            answerOf(set, { weights, {}, {} }), "b could be attention too and is not used: choose what arrays are, or open it alone."));
        QVERIFY(!hasNote(answerOf(set, { {}, weights, {} }), "hidden_states"));
        // Cross-attention is not square: there the shape of what is shown tells.
        set.tensors = { ones("cross", { 1, 2, 3 }), ones("cross_again", { 1, 2, 3 }), ones("hidden_states", { 1, 4, 8 }) };
        QVERIFY(hasNote(answerOf(set, { weights, {}, {} }),
            "cross_again could be attention too and is not used: choose what arrays are, or open it alone."));
        set.tensors.resize(1);
        QVERIFY(!hasNote(answerOf(set, { weights }), "not used"));
    }

    void oddWeightsAreCounted()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double inf = std::numeric_limits<double>::infinity();
        TensorSet set;
        set.notes = { "a note of the file" };
        set.tensors.push_back({ "attn", "", tensorOf({ 4, 2 }, { 0.5, 0.5, 0.5, 0.4, nan, 1, inf, 0 }) });
        const Answer answer = answerOf(set);
        const WeightsCheck found = checkWeights(answer.input.blocks.at(0));
        QCOMPARE(found.rowsLookedAt, Index(4));
        QCOMPARE(found.rowsNotSummingToOne, Index(2));
        QCOMPARE(found.nanCells, Index(1));
        QCOMPARE(found.infiniteCells, Index(1));
        QVERIFY(!found.columnsSumToOne);
        QCOMPARE(recorded(answer.input.blocks.at(0)).rowsNotSummingToOne, Index(2));
        QCOMPARE(answer.notes, (Names{ "a note of the file", "2 of 4 rows do not sum to 1 (rows with NaN are not counted)." }));
    }

    void maskedCellsOfAnExportAreNoWrongSums()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        TensorSet set;
        set.tensors.push_back({ "attn", "", tensorOf({ 2, 2 }, { 1, nan, 0.25, 0.75 }) });
        const Answer answer = answerOf(set);
        QCOMPARE(recorded(answer.input.blocks.at(0)).rowsNotSummingToOne, Index(0));
        QVERIFY(answer.notes.empty());
    }

    void transposedWeightsAreNoticed()
    {
        TensorSet set;
        set.tensors.push_back({ "attn", "", tensorOf({ 2, 2 }, { 0.9, 0.3, 0.1, 0.7 }) });
        Answer answer = answerOf(set);
        QVERIFY(checkWeights(answer.input.blocks.at(0)).columnsSumToOne);
        QVERIFY(hasNote(answer, "2 of 2 rows do not sum to 1, but all columns do."));
        auto uses = recognise(set);
        uses[0].isTransposed = true;
        answer = answerOf(set, uses);
        QVERIFY(answer.notes.empty());
        QVERIFY(!checkWeights(answer.input.blocks.at(0)).columnsSumToOne);
    }

    void causalRecordingsAreNoticed_data()
    {
        QTest::addColumn<std::vector<Index>>("shape");
        QTest::addColumn<std::vector<double>>("numbers");
        QTest::addColumn<bool>("isCausal");
        QTest::newRow("causal") << std::vector<Index>{ 2, 2 } << std::vector<double>{ 1, 0, 0.5, 0.5 } << true;
        QTest::newRow("not causal") << std::vector<Index>{ 2, 2 } << std::vector<double>{ 0.9, 0.1, 0.5, 0.5 } << false;
        QTest::newRow("one head is not") << std::vector<Index>{ 2, 2, 2 } << std::vector<double>{ 1, 0, 0.5, 0.5, 0.9, 0.1, 0.5, 0.5 }
                                         << false;
        QTest::newRow("a cache") << std::vector<Index>{ 2, 3 } << std::vector<double>{ 0.5, 0.5, 0, 0.2, 0.4, 0.4 } << true;
        QTest::newRow("one row") << std::vector<Index>{ 1, 2 } << std::vector<double>{ 0.9, 0.1 } << false;
        QTest::newRow("one cell") << std::vector<Index>{ 1, 1 } << std::vector<double>{ 1 } << false;
    }
    void causalRecordingsAreNoticed()
    {
        QFETCH(std::vector<Index>, shape);
        QFETCH(std::vector<double>, numbers);
        QFETCH(bool, isCausal);
        TensorSet set;
        set.tensors.push_back({ "attn", "", tensorOf(shape, numbers) });
        QCOMPARE(checkWeights(answerOf(set).input.blocks.at(0)).isCausal, isCausal);
    }

    void filesThatAreNotLoadedAreNamed()
    {
        FileSource source;
        source.files.push_back({ "/data/q.npy", 1, "", 0 });
        const auto input = buildInput(source);
        QVERIFY(!input.ok());
        QCOMPARE(QString::fromStdString(input.error().sentence()), QString("The input file is not loaded. Locate it. /data/q.npy"));
    }

    void recordingsOfRealModelsAreUnderstood_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("blocks");
        const QString folder = qEnvironmentVariable("ATTENSCOPE_MODELS_GOLDEN");
        if (folder.isEmpty())
            QSKIP("ATTENSCOPE_MODELS_GOLDEN is not set.");
        for (const QString &model : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            for (const QString &file : QDir(folder + "/" + model).entryList({ "*.safetensors" }))
                QTest::newRow(qPrintable(model + "/" + file)) << folder + "/" + model + "/" + file << (model.startsWith("aren") ? 3 : 1);
    }
    void recordingsOfRealModelsAreUnderstood()
    {
        QFETCH(QString, path);
        QFETCH(int, blocks);
        const TensorSet set = readSafetensors(path);
        QVERIFY(!set.tensors.empty());
        const Answer answer = answerOf(set);
        QCOMPARE(answer.error, QString());
        const char *const names[] = { "attentions", "encoder_attentions", "decoder_attentions", "cross_attentions" };
        // Some files hold what another program answered too, as attentions_onnxruntime: it is said that this is not shown.
        QStringList notes;
        for (const NamedTensor &tensor : set.tensors)
            for (const char *const name : names)
                if (tensor.name.rfind(std::string(name) + "_", 0) == 0)
                    notes.push_back(QString::fromStdString(tensor.name)
                        + " could be attention too and is not used: choose what arrays are, or open it alone.");
        QStringList said;
        for (const std::string &note : answer.notes)
            said.push_back(QString::fromStdString(note));
        QCOMPARE(said, notes);
        QCOMPARE(static_cast<int>(answer.input.blocks.size()), blocks);
        for (const AttentionBlock &block : answer.input.blocks) {
            const std::string name = names[static_cast<int>(block.role)];
            const auto array
                = std::find_if(set.tensors.begin(), set.tensors.end(), [&](const NamedTensor &tensor) { return tensor.name == name; });
            const std::vector<Index> shape{ block.layers, block.heads, block.queries, block.keys };
            QCOMPARE(shape, array->tensor.shape());
            QCOMPARE(block.queryTokens.size(), static_cast<std::size_t>(block.queries));
            // Every name is a token, not a position.
            const auto tokensOf = [&](const std::string &listName) {
                const auto tokens = std::find_if(
                    set.tokenLists.begin(), set.tokenLists.end(), [&](const TokenList &tokenList) { return tokenList.name == listName; });
                return tokens == set.tokenLists.end() ? Names() : tokens->tokens;
            };
            const bool isPlain = block.role == BlockRole::Plain;
            QCOMPARE(block.queryTokens,
                tokensOf(isPlain                               ? "tokens"
                        : block.role == BlockRole::EncoderSelf ? "encoder_tokens"
                                                               : "decoder_tokens"));
            QCOMPARE(block.keyTokens,
                tokensOf(isPlain                               ? "tokens"
                        : block.role == BlockRole::DecoderSelf ? "decoder_tokens"
                                                               : "encoder_tokens"));
            const bool isCausal = block.role == BlockRole::DecoderSelf || path.contains("stories") || path.contains("nano");
            QCOMPARE(checkWeights(block).isCausal, isCausal);
            const Tensor &raw = array->tensor;
            const double expected = raw.at(block.layers - 1).at(block.heads - 1).toNumbers().back();
            QCOMPARE(recorded(block).weights.back().at(block.queries - 1, block.keys - 1), expected);
        }
    }
};

QTEST_APPLESS_MAIN(TestInterpret)
#include "tst_interpret.moc"
