// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays put together to inputs: axes, layers, blocks, and the recordings of real models.
#include "interpret_answer.h"

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
