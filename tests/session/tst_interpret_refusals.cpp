// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays and uses that do not fit together, and the sentences that say so.
#include "interpret_answer.h"

#include <QTest>

using namespace attenscope;
using namespace attenscope::test;
using enum Axis;

class TestInterpretRefusals : public QObject {
    Q_OBJECT

private slots:
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

    void filesThatAreNotLoadedAreNamed()
    {
        FileSource source;
        source.files.push_back({ "/data/q.npy", 1, "", 0 });
        const auto input = buildInput(source);
        QVERIFY(!input.ok());
        QCOMPARE(QString::fromStdString(input.error().sentence()), QString("The input file is not loaded. Locate it. /data/q.npy"));
    }
};

QTEST_APPLESS_MAIN(TestInterpretRefusals)
#include "tst_interpret_refusals.moc"
