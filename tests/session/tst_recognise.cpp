// SPDX-License-Identifier: GPL-3.0-or-later
// What arrays are taken for, by their names and shapes.
#include "array_tools.h"
#include "session/tensor_names.h"

#include <QTest>

using namespace attenscope;
using namespace attenscope::test;
using Arrays = std::vector<std::pair<std::string, std::vector<Index>>>;
using Lists = std::vector<std::pair<std::string, Index>>;

namespace {

const char *word(TensorRole role)
{
    switch (role) {
    case TensorRole::Unused:
        return "-";
    case TensorRole::Queries:
        return "q";
    case TensorRole::Keys:
        return "k";
    case TensorRole::Values:
        return "v";
    case TensorRole::KeysAndValues:
        return "kv";
    case TensorRole::X:
        return "x";
    case TensorRole::Y:
        return "y";
    case TensorRole::Wq:
        return "wq";
    case TensorRole::Wk:
        return "wk";
    case TensorRole::Wv:
        return "wv";
    case TensorRole::Wo:
        return "wo";
    case TensorRole::Bq:
        return "bq";
    case TensorRole::Bk:
        return "bk";
    case TensorRole::Bv:
        return "bv";
    case TensorRole::Bo:
        return "bo";
    case TensorRole::Weights:
        return "weights";
    case TensorRole::KeyPadding:
        return "real";
    case TensorRole::PaddedKeys:
        return "padded";
    case TensorRole::AllowedMask:
        return "allowed";
    case TensorRole::HiddenMask:
        return "hidden";
    case TensorRole::QueryTokens:
        return "query tokens";
    case TensorRole::KeyTokens:
        return "key tokens";
    case TensorRole::Tokens:
        return "tokens";
    }
    return "?";
}

/// "encoder weights LHQK", "q 3 HRD": block, role, layer, axes.
QString described(const TensorUse &use)
{
    QString text = QString::fromLatin1(word(use.role));
    if (use.role == TensorRole::Unused)
        return text;
    static const char *const blocks[] = { "", "encoder ", "decoder ", "cross " };
    text.prepend(QString::fromLatin1(blocks[static_cast<int>(use.block)]));
    if (use.layer >= 0)
        text += " " + QString::number(use.layer);
    if (!use.axes.empty())
        text += " ";
    for (const Axis axis : use.axes)
        text += QLatin1Char("LBHQKRDI"[static_cast<int>(axis)]);
    return text;
}

} // namespace

class TestRecognise : public QObject {
    Q_OBJECT

private slots:
    void namesTellTheRole_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("role");
        QTest::addColumn<int>("block");
        const auto row = [](const char *name, const char *role, BlockRole block = BlockRole::Plain) {
            QTest::newRow(name) << QString::fromUtf8(name) << role << static_cast<int>(block);
        };
        row("q", "q");
        row("Q", "q");
        row("query", "q");
        row("query_states", "q");
        row("queryStates", "q");
        row("layer.3.attn.q", "q");
        row("blocks.0.attn.hook_q", "q");
        row("my.own.prefix.k", "k");
        row("attn_v", "v");
        row("values", "v");
        row("X", "x");
        row("hidden_states", "x");
        row("encoder_hidden_states", "y");
        row("Y", "y");
        row("W_q", "wq");
        row("Wq", "wq");
        row("layers.0.self_attn.q_proj.weight", "wq");
        row("bert.encoder.layer.0.attention.self.query.weight", "wq", BlockRole::EncoderSelf);
        row("out_proj.weight", "wo");
        row("b_o", "bo");
        row("k_proj.bias", "bk");
        row("attention", "weights");
        row("attn_weights", "weights");
        row("attentions.11", "weights");
        row("layer.3.attn", "weights");
        row("self_attention", "weights");
        row("attn_output_weights", "weights");
        row("encoder_attentions", "weights", BlockRole::EncoderSelf);
        row("decoder_attentions", "weights", BlockRole::DecoderSelf);
        row("cross_attentions", "weights", BlockRole::Cross);
        row("decoder.layers.2.encoder_attn", "weights", BlockRole::Cross);
        row("key_padding", "real");
        row("attention_mask", "real");
        row("src_key_padding_mask", "padded", BlockRole::EncoderSelf);
        row("mask", "allowed");
        row("attn_mask", "allowed");
        for (const char *name : { "attentions_original", "attentions_layer0_original", "attentions_onnxruntime", "weights_f32",
                 "mask_local", "logits", "input_ids", "hidden", "hidden_ref64", "encoder_last_hidden", "scores", "masked", "output",
                 "q_rot", "W_dec", "W", "phi_q", "", "...", "12345678901234567890123" })
            row(name, "-");
        row("decoder_input_ids", "-", BlockRole::DecoderSelf);
    }
    void namesTellTheRole()
    {
        QFETCH(QString, name);
        QFETCH(QString, role);
        QFETCH(int, block);
        const NameMeaning meaning = meaningOfTensor(name.toStdString());
        QCOMPARE(QString::fromLatin1(word(meaning.role)), role);
        if (meaning.role != TensorRole::Unused)
            QCOMPARE(static_cast<int>(meaning.block), block);
    }

    void setsAreUnderstood_data()
    {
        QTest::addColumn<Arrays>("arrays");
        QTest::addColumn<Lists>("lists");
        QTest::addColumn<QStringList>("uses");
        const auto row = [](const char *name, const Arrays &arrays, const QStringList &uses, const Lists &lists = {}) {
            QTest::newRow(name) << arrays << lists << uses;
        };
        row("one head", { { "q", { 5, 4 } }, { "k", { 7, 4 } }, { "v", { 7, 3 } } }, { "q RD", "k RD", "v RD" });
        row("heads", { { "q", { 2, 5, 4 } }, { "k", { 2, 7, 4 } } }, { "q HRD", "k HRD" });
        row("batch and heads", { { "query", { 3, 8, 5, 4 } }, { "key", { 3, 2, 5, 4 } } }, { "q BHRD", "k BHRD" });
        row("heads after positions, told by the tokens", { { "q", { 1, 5, 8, 4 } }, { "k", { 1, 5, 2, 4 } }, { "tokens", { 5 } } },
            { "q BRHD", "k BRHD", "-", "tokens" }, { { "tokens", 5 } });
        row("heads last but one as TransformerLens has them",
            { { "blocks.0.attn.hook_q", { 1, 5, 8, 4 } }, { "blocks.0.attn.hook_k", { 1, 5, 8, 4 } } }, { "q BRHD", "k BRHD" });
        row("q and k win over what was computed of them",
            { { "q", { 5, 4 } }, { "k", { 5, 4 } }, { "v", { 5, 4 } }, { "scores", { 5, 5 } }, { "weights", { 5, 5 } },
                { "output", { 5, 4 } } },
            { "q RD", "k RD", "v RD", "-", "-", "-" });
        row("q and k win over X", { { "X", { 5, 6 } }, { "W_q", { 6, 4 } }, { "W_k", { 6, 4 } }, { "Q", { 5, 4 } }, { "K", { 5, 4 } } },
            { "-", "-", "-", "q RD", "k RD" });
        row("Luong", { { "s", { 3, 4 } }, { "h", { 5, 4 } }, { "W", { 4, 4 } }, { "scores", { 3, 5 } }, { "weights", { 3, 5 } } },
            { "q RD", "kv RD", "-", "-", "-" });
        row("a vector called v", { { "s", { 3, 4 } }, { "h", { 5, 4 } }, { "v", { 5 } } }, { "q RD", "kv RD", "-" });
        row("S beside q", { { "q", { 6, 4 } }, { "k", { 6, 4 } }, { "s", { 4, 3 } }, { "h", { 4, 3 } } }, { "q RD", "k RD", "-", "-" });
        row("embeddings",
            { { "X", { 5, 8 } }, { "W_q", { 8, 8 } }, { "b_q", { 8 } }, { "W_k", { 8, 2 } }, { "W_o", { 8, 8 } },
                { "weights", { 4, 5, 5 } } },
            { "x RD", "wq RD", "bq D", "wk RD", "wo RD", "-" });
        row("cross-attention from embeddings", { { "X", { 4, 6 } }, { "Y", { 7, 5 } }, { "W_q", { 6, 4 } }, { "W_k", { 4, 5 } } },
            { "x RD", "y RD", "wq RD", "wk DR" });
        row("torch's projections", { { "x", { 2, 4, 8 } }, { "q_proj.weight", { 8, 8 } }, { "k_proj.weight", { 8, 8 } } },
            { "x BRD", "wq DR", "wk DR" });
        row("X without projections", { { "x", { 7, 4 } }, { "weights", { 7, 4 } } }, { "-", "weights QK" });
        row("2 axes", { { "attn", { 5, 6 } } }, { "weights QK" });
        row("3 axes", { { "attn", { 8, 5, 6 } } }, { "weights HQK" });
        row("4 axes", { { "attn", { 3, 8, 5, 6 } } }, { "weights LHQK" });
        row("5 axes", { { "attn", { 3, 2, 8, 5, 6 } } }, { "weights LBHQK" });
        row("1 axis", { { "attn", { 2 } } }, { "weights K" });
        row("6 axes", { { "attn", { 1, 1, 1, 1, 2, 2 } } }, { "-" });
        row("layers by number", { { "attn_10", { 8, 5, 5 } }, { "attn_9", { 8, 5, 5 } }, { "attn_2", { 8, 5, 5 } } },
            { "weights 10 HQK", "weights 9 HQK", "weights 2 HQK" });
        row("layers of a tuple, batch first", { { "attentions.0", { 1, 8, 5, 5 } }, { "attentions.1", { 1, 8, 5, 5 } } },
            { "weights 0 BHQK", "weights 1 BHQK" });
        row("the number that varies", { { "model2.layers.0.attn", { 5, 5 } }, { "model2.layers.1.attn", { 5, 5 } } },
            { "weights 0 QK", "weights 1 QK" });
        row("a number alone is no layer", { { "attn_7", { 2, 8, 5, 5 } } }, { "weights LHQK" });
        row("layers of q and k",
            { { "layer.0.q", { 2, 5, 4 } }, { "layer.0.k", { 2, 5, 4 } }, { "layer.1.q", { 2, 5, 4 } }, { "layer.1.k", { 2, 5, 4 } } },
            { "q 0 HRD", "k 0 HRD", "q 1 HRD", "k 1 HRD" });
        row("the usual name", { { "attn", { 5, 5 } }, { "attentions", { 5, 5 } }, { "attentions_original", { 5, 5 } } },
            { "-", "weights QK", "-" });
        row("encoder and decoder",
            { { "cross_attentions", { 2, 4, 3, 6 } }, { "decoder_attentions", { 2, 4, 3, 3 } }, { "encoder_attentions", { 1, 8, 6, 6 } },
                { "encoder_last_hidden", { 6, 8 } } },
            { "cross weights LHQK", "decoder weights LHQK", "encoder weights LHQK", "-", "encoder tokens", "decoder tokens" },
            { { "encoder_tokens", 6 }, { "decoder_tokens", 3 } });
        row("key padding tells the batch",
            { { "q", { 2, 4, 4 } }, { "k", { 2, 5, 4 } }, { "v", { 2, 5, 3 } }, { "key_padding", { 2, 5 } } },
            { "q BRD", "k BRD", "v BRD", "real BK" });
        row("masks tell the batch", { { "attn", { 2, 4, 5 } }, { "mask", { 2, 4, 5 } } }, { "weights BQK", "allowed BQK" });
        row("one mask", { { "q", { 2, 4, 4 } }, { "k", { 2, 5, 4 } }, { "mask", { 4, 5 } } }, { "q HRD", "k HRD", "allowed QK" });
        row("attention_mask by query and key", { { "attn", { 3, 4, 5 } }, { "attention_mask", { 4, 5 } } },
            { "weights HQK", "allowed QK" });
        row("attention_mask by batch element", { { "attn", { 2, 2, 3, 4, 5 } }, { "attention_mask", { 2, 5 } } },
            { "weights LBHQK", "real BK" });
        row("attention_mask with 4 axes", { { "attn", { 1, 3, 4, 5 } }, { "attention_mask", { 1, 1, 4, 5 } } },
            { "weights LHQK", "allowed BIQK" });
        row("an array of no known name", { { "matrix", { 5, 5 } } }, { "weights QK" });
        row("a vector of no known name", { { "bytes", { 5 } }, { "table", { 5, 6 } } }, { "-", "weights QK" });
        row("arrays of no known name, alike", { { "arr_0", { 5, 5 } }, { "arr_1", { 5, 5 } } }, { "weights 0 QK", "weights 1 QK" });
        row("arrays of no known name, not alike", { { "arr_0", { 5, 4 } }, { "arr_1", { 7, 4 } } }, { "-", "-" });
        row("q alone", { { "q", { 5, 4 } } }, { "-" });
        row("an array that would be v", { { "values", { 5, 4 } } }, { "weights QK" });
        row("nothing", {}, {});
        row("only tokens", {}, { "tokens" }, { { "tokens", 3 } });
        row("tokens by their number", { { "attn", { 4, 6 } } }, { "weights QK", "query tokens", "key tokens" },
            { { "polish", 4 }, { "english", 6 } });
        row("one list of any name", { { "attn", { 4, 4 } } }, { "weights QK", "tokens" }, { { "notes", 9 } });
        row("a list that fits nothing, beside one that does", { { "attn", { 4, 4 } } }, { "weights QK", "-", "tokens" },
            { { "notes", 9 }, { "tokens", 4 } });
    }
    void setsAreUnderstood()
    {
        QFETCH(Arrays, arrays);
        QFETCH(Lists, lists);
        QFETCH(QStringList, uses);
        TensorSet set = setOf(arrays);
        for (const auto &[name, count] : lists)
            set.tokenLists.push_back({ name, "test.json", numbered(count) });
        QStringList found;
        for (const TensorUse &use : recognise(set))
            found.append(described(use));
        QCOMPARE(found, uses);
    }

    void arraysOfOneNameAreLayersByTheirFiles()
    {
        TensorSet set = setOf({ { "attn", { 5, 5 } }, { "attn", { 5, 5 } } });
        set.tensors[0].file = "layer1.npz";
        set.tensors[1].file = "layer0.npz";
        auto uses = recognise(set);
        QCOMPARE(described(uses[0]), QString("weights 1 QK"));
        QCOMPARE(described(uses[1]), QString("weights 0 QK"));
        set.tensors[1].file = "other.npz";
        uses = recognise(set);
        QCOMPARE(described(uses[0]), QString("weights QK"));
        QCOMPARE(described(uses[1]), QString("-"));
    }

    void everyChoiceNamesEveryAxisOnce()
    {
        for (int role = static_cast<int>(TensorRole::Queries); role <= static_cast<int>(TensorRole::HiddenMask); ++role) {
            for (std::size_t count = 1; count <= 5; ++count) {
                const Tensor tensor = counting(std::vector<Index>(count, 2));
                const auto choices = axisChoices(tensor, static_cast<TensorRole>(role));
                for (std::size_t place = 0; place < choices.size(); ++place) {
                    QCOMPARE(choices[place].size(), count);
                    QCOMPARE(std::count(choices.begin(), choices.end(), choices[place]), 1);
                }
            }
        }
        using enum Axis;
        const auto has = [](const auto &choices, const std::vector<Axis> &axes) {
            return std::find(choices.begin(), choices.end(), axes) != choices.end();
        };
        QVERIFY(has(axisChoices(counting({ 1, 2, 3, 4 }), TensorRole::Weights), { Batch, Head, Query, Key }));
        QVERIFY(has(axisChoices(counting({ 1, 2, 3, 4 }), TensorRole::Queries), { Batch, Row, Head, Dimension }));
        QVERIFY(has(axisChoices(counting({ 1, 2, 3, 4, 5 }), TensorRole::Weights), { Head, Layer, Batch, Query, Key }));
        QCOMPARE(axisChoices(counting({ 1, 2, 3, 4, 5 }), TensorRole::Weights).size(), std::size_t{ 120 });
        QVERIFY(axisChoices(Tensor(), TensorRole::Unused).empty());
    }
};

QTEST_APPLESS_MAIN(TestRecognise)
#include "tst_recognise.moc"
