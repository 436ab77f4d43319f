// SPDX-License-Identifier: GPL-3.0-or-later
// What is noticed of recorded weights: sums, NaN, a turned table, a causal mask, a second recording.
#include "interpret_answer.h"

#include <QTest>

#include <limits>

using namespace attenscope;
using namespace attenscope::test;
using Names = std::vector<std::string>;

class TestRecordedWeights : public QObject {
    Q_OBJECT

private slots:
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
        QCOMPARE(recorded(answer.input.blocks.at(0)).rowsNotSummingToOne, (std::vector<Index>{ 2 }));
        QCOMPARE(answer.notes, (Names{ "a note of the file", "2 of 4 rows do not sum to 1 (rows with NaN are not counted)." }));
    }

    void oddRowsAreCountedHeadByHead()
    {
        TensorSet set;
        set.tensors.push_back({ "attn", "", tensorOf({ 3, 2, 2 }, { 1, 0, 0.5, 0.5, 7, 0, 0, 2, 1, 0, 0.5, 0.4 }) });
        const Answer answer = answerOf(set);
        QCOMPARE(recorded(answer.input.blocks.at(0)).rowsNotSummingToOne, (std::vector<Index>{ 0, 2, 1 }));
        QCOMPARE(answer.notes, (Names{ "3 of 6 rows do not sum to 1." }));
    }

    void maskedCellsOfAnExportAreNoWrongSums()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        TensorSet set;
        set.tensors.push_back({ "attn", "", tensorOf({ 2, 2 }, { 1, nan, 0.25, 0.75 }) });
        const Answer answer = answerOf(set);
        QCOMPARE(recorded(answer.input.blocks.at(0)).rowsNotSummingToOne, (std::vector<Index>{ 0 }));
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
};

QTEST_APPLESS_MAIN(TestRecordedWeights)
#include "tst_recorded_weights.moc"
