// SPDX-License-Identifier: GPL-3.0-or-later
// Names of queries and keys, padding and masks that come with arrays.
#include "interpret_answer.h"

#include <QTest>

#include <limits>

using namespace attenscope;
using namespace attenscope::test;
using Names = std::vector<std::string>;

class TestInterpretNames : public QObject {
    Q_OBJECT

private slots:
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

    void queriesAreTheLastKeysOfGrowingRowsAlone_data()
    {
        QTest::addColumn<std::vector<Index>>("shape");
        QTest::addColumn<std::vector<Index>>("lengths");
        QTest::addColumn<Names>("queries");
        QTest::newRow("growing") << std::vector<Index>{ 2, 4 } << std::vector<Index>{ 3, 4 } << Names{ "2", "3" };
        QTest::newRow("growing, more queries") << std::vector<Index>{ 3, 2 } << std::vector<Index>{ 1, 1, 2 } << Names{ "0", "1", "2" };
        QTest::newRow("a short row between") << std::vector<Index>{ 3, 2 } << std::vector<Index>{ 2, 1, 2 } << Names{ "0", "1", "2" };
        QTest::newRow("a short row between, more keys")
            << std::vector<Index>{ 3, 4 } << std::vector<Index>{ 4, 1, 4 } << Names{ "0", "1", "2" };
    }
    void queriesAreTheLastKeysOfGrowingRowsAlone()
    {
        QFETCH(std::vector<Index>, shape);
        QFETCH(std::vector<Index>, lengths);
        TensorSet set;
        set.tensors.push_back({ "attn", "test.csv", tensorOf(shape, std::vector<double>(static_cast<std::size_t>(shape[0] * shape[1]))) });
        set.rowLengths = lengths;
        const AttentionBlock block = answerOf(set).input.blocks.at(0);
        QTEST(block.queryTokens, "queries");
        QCOMPARE(static_cast<Index>(block.keyTokens.size()), shape[1]);
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
};

QTEST_APPLESS_MAIN(TestInterpretNames)
#include "tst_interpret_names.moc"
