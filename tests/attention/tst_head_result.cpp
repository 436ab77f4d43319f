// SPDX-License-Identifier: GPL-3.0-or-later
// One head computed or read: its fields, its stages, its summary.
#include "attention/attention_result.h"

#include "support/field_checks.h"
#include "support/problems.h"

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

} // namespace

class TestHeadResult : public QObject {
    Q_OBJECT

private slots:
    void headFieldFindsTheHead();
    void stagesDependOnDataAndSpec();
    void computedHeadHasItsFields();
    void headsAreFoundInWhateverOrderTheyCame();
    void recordedHeadIsSummedUp();
    void ragsAndMasksAreCountedInSummaries();
    void problemsAreAnsweredNotComputed();
};

void TestHeadResult::headFieldFindsTheHead()
{
    // Two layers, two elements, two heads: the weight of the only cell is its index.
    AttentionBlock block;
    block.queries = block.keys = 1;
    block.layers = block.batch = block.heads = block.kvHeads = 2;
    RecordedData data;
    for (int index = 0; index < 8; ++index)
        data.weights.emplace_back(Matrix(Matrix::Constant(1, 1, index)));
    block.data = data;
    const AttentionInput input{ { block } };
    const auto field = headField(input, {}, { 0, 1, 0, 1 }, Stage::Weights);
    QVERIFY(field);
    QCOMPARE((*field)->at(0, 0), 6.0);
    const auto none = headField(input, {}, { 0, 1, 0, 1 }, Stage::Scores);
    QVERIFY(none && *none == nullptr);
    const Case c = sdpaCase(3, 4, 2);
    const auto output = headField({ { c.block } }, c.spec, {}, Stage::Output);
    QVERIFY(output && *output);
    QCOMPARE((*output)->at(1, 2), explain(*c.operands(), { 0, 3 }).value().output(1, 2));
}

void TestHeadResult::stagesDependOnDataAndSpec()
{
    using enum Stage;
    Case c = sdpaCase(3, 4, 2);
    QCOMPARE(stagesOf(c.block, c.spec), (std::vector{ Scores, Scaled, Masked, Weights, ValueWeighted, Output }));
    c.spec.score = ScoreFunction::Dot;
    c.block = projectedBlock(c.problem.q, c.problem.k, Matrix());
    QCOMPARE(stagesOf(c.block, c.spec), (std::vector{ Scores, Masked, Weights }));
    c.spec.softCap = 2.0;
    c.spec.hasAlibi = true;
    c.spec.temperature = 0.5;
    c.spec.scale = 1.0;
    QCOMPARE(stagesOf(c.block, c.spec), (std::vector{ Scores, Scaled, Capped, Biased, Tempered, Masked, Weights }));
    QCOMPARE(stagesOf(recordedBlock(Matrix::Ones(1, 1)), c.spec), (std::vector{ Weights }));
}

void TestHeadResult::computedHeadHasItsFields()
{
    const Case c = sdpaCase(20, 30, 4);
    const auto head = computeHead({ { c.block } }, c.spec, {}, { true, 16 });
    QVERIFY(head);
    QCOMPARE((*head)->stream.pool, Index{ 2 });
    for (const Stage stage : stagesOf(c.block, c.spec)) {
        const MapFieldPtr field = (*head)->field(stage);
        QVERIFY(field);
        compareRead(*field, { { 0, 20 }, { 0, field->cols() } }, 0, Fold::Max, 1e-5);
        compareRead(*field, { { 0, 20 }, { 0, field->cols() } }, 2, Fold::Max, 1e-5);
    }
    QVERIFY((*head)->field(Stage::Capped) == nullptr);
    QVERIFY((*head)->recorded == nullptr);
    const oracle::Answer exact = oracle::solve<double>(c.problem);
    QVERIFY(std::abs((*head)->summary.entropy.mean - exact.entropy.mean()) < 1e-5);
    QCOMPARE((*head)->summary.rows, Index{ 20 });
    AttentionResult result;
    result.heads = { *head };
    QVERIFY(result.find({}) == *head);
    QVERIFY(result.find({ 0, 0, 1, 0 }) == nullptr);
}

void TestHeadResult::headsAreFoundInWhateverOrderTheyCame()
{
    AttentionResult result;
    std::vector<HeadRef> refs;
    for (int number = 0; number < 60; ++number)
        refs.push_back({ number % 2, number % 3, number % 5, number % 2 });
    std::sort(refs.begin(), refs.end());
    refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
    QCOMPARE(refs.size(), 30U);
    for (std::size_t place = 0; place < refs.size(); ++place) {
        auto head = std::make_shared<HeadResult>();
        head->ref = refs[place * 7 % refs.size()];
        head->summary.rows = head->ref.head;
        result.add(head);
        HeadSummary later;
        later.rows = 100 + head->ref.head;
        if (head->ref.layer == 1)
            result.add(head->ref, later);
    }
    for (std::size_t place = 0; place < refs.size(); ++place) {
        const HeadRef &ref = refs[place];
        QVERIFY(result.heads[place]->ref == ref);
        QVERIFY(result.find(ref) == result.heads[place]);
        QCOMPARE(result.summary(ref)->rows, Index{ ref.head + (ref.layer == 1 ? 100 : 0) });
    }
    QVERIFY(result.find({ 0, 0, 5, 0 }) == nullptr);
    QVERIFY(result.summary({ 0, 3, 0, 0 }) == nullptr);
}

void TestHeadResult::recordedHeadIsSummedUp()
{
    // Rows: all on one key; half and half; nothing.
    const Matrix weights{ { 1.0, 0.0, 0.0, 0.0 }, { 0.5, 0.5, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0 } };
    const auto head = computeHead({ { recordedBlock(weights) } }, {}, {}, { true, 2 });
    QVERIFY(head);
    QVERIFY((*head)->operands == nullptr);
    QVERIFY((*head)->field(Stage::Scores) == nullptr);
    QVERIFY((*head)->field(Stage::Weights) != nullptr);
    QCOMPARE((*head)->stream.pool, Index{ 2 });
    QCOMPARE((*head)->stream.overview, (MatrixF{ { 1.0F, 0.0F }, { 0.0F, 0.0F } }));
    QVERIFY(std::abs((*head)->stream.entropy(1) - std::log(2.0)) < 1e-6);
    QCOMPARE((*head)->stream.largest(1), 0.5F);
    QVERIFY(std::abs((*head)->summary.entropy.mean - std::log(2.0) / 3.0) < 1e-6);
    QCOMPARE((*head)->summary.largest.mean, 0.5);
    const auto without = computeHead({ { recordedBlock(weights) } }, {}, {}, { true, 0 });
    QVERIFY(without);
    QCOMPARE((*without)->stream.overview.size(), Index{ 0 });
}

void TestHeadResult::ragsAndMasksAreCountedInSummaries()
{
    AttentionBlock block = recordedBlock(Matrix{ { 0.5, 0.5 }, { notANumber, 0.5 }, { 0.25, 0.75 } });
    std::get<RecordedData>(block.data).rowLengths = { 1, 2, 2 };
    block.masks = { BitMatrix(3, 2, true) };
    block.masks.front().set(2, 0, false);
    block.masks.front().set(2, 1, false);
    const auto head = computeHead({ { block } }, {}, {}, { true, 16 });
    QVERIFY(head);
    QCOMPARE((*head)->summary.rows, Index{ 1 });
    QCOMPARE((*head)->summary.nanRows, Index{ 1 });
    QCOMPARE((*head)->summary.largest.mean, 0.5);
    QCOMPARE(cell::kind((*head)->stream.overview(0, 1)), cell::Kind::Absent);
    QCOMPARE(cell::kind((*head)->stream.overview(2, 1)), cell::Kind::Masked);
    const auto exact = summarize(*(*head)->recorded);
    QVERIFY(exact);
    QCOMPARE(exact->rows, Index{ 1 });
    QCOMPARE(exact->nanRows, Index{ 1 });
}

void TestHeadResult::problemsAreAnsweredNotComputed()
{
    Case c = sdpaCase(3, 4, 2);
    c.spec.temperature = 0.0;
    const auto head = computeHead({ { c.block } }, c.spec, {}, {});
    QVERIFY(!head);
    QCOMPARE(head.error().what, std::string("The temperature is 0."));
    QVERIFY(!headField({ { c.block } }, c.spec, {}, Stage::Weights));
}

QTEST_APPLESS_MAIN(TestHeadResult)
#include "tst_head_result.moc"
