// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of generated tokens: arrays numbered by step become one block with rows of growing length.
#include "array_tools.h"
#include "attention/field.h"
#include "session/source.h"

#include <QTest>

#include <cmath>

using namespace attenscope;
using namespace attenscope::test;
using Arrays = std::vector<std::pair<std::string, std::vector<Index>>>;
using Names = std::vector<std::string>;

namespace {

struct Answer {
    std::vector<AttentionBlock> blocks;
    std::vector<std::string> notes;
    QString error;
};

Answer answerOf(const TensorSet &set)
{
    Answer answer;
    const auto input = interpret(set, recognise(set), {}, {}, &answer.notes);
    if (input)
        answer.blocks = input->blocks;
    else
        answer.error = QString::fromStdString(input.error().sentence());
    return answer;
}

const RecordedData &recorded(const AttentionBlock &block)
{
    return std::get<RecordedData>(block.data);
}

/// "0 1; 2 3 4": the rows of a head as they are shown; absent cells are not there.
QString rowsOf(const AttentionBlock &block, std::size_t head)
{
    const RecordedData &data = recorded(block);
    const MapFieldPtr field = recordedField(data.weights.at(head), data.rowLengths, Mask(block.queries, block.keys));
    QStringList rows;
    for (Index row = 0; row < field->rows(); ++row) {
        QStringList cells;
        for (Index col = 0; col < field->cols(); ++col)
            if (const double cell = field->at(row, col); cell::kind(cell) == cell::Kind::Number)
                cells.append(QString::number(cell));
        rows.append(cells.join(QLatin1Char(' ')));
    }
    return rows.join(QStringLiteral("; "));
}

/// "1·2·1 4×6": layers, batch, heads, queries, keys.
QString sizesOf(const AttentionBlock &block)
{
    return QStringLiteral("%1·%2·%3 %4×%5").arg(block.layers).arg(block.batch).arg(block.heads).arg(block.queries).arg(block.keys);
}

} // namespace

class TestGeneratedSteps : public QObject {
    Q_OBJECT

private slots:
    void stepsBecomeOneBlock_data()
    {
        QTest::addColumn<Arrays>("arrays");
        QTest::addColumn<QString>("sizes");
        QTest::addColumn<std::vector<Index>>("lengths");
        const auto row = [](const char *name, const Arrays &arrays, const char *sizes, const std::vector<Index> &lengths) {
            QTest::newRow(name) << arrays << QString::fromUtf8(sizes) << lengths;
        };
        row("keys that grow", { { "attentions.0", { 2, 3, 1, 4 } }, { "attentions.1", { 2, 3, 1, 5 } } }, "2·1·3 2×5", { 4, 5 });
        row("the prompt is the first",
            { { "step_0.attn", { 2, 3, 4, 4 } }, { "step_1.attn", { 2, 3, 1, 5 } }, { "step_2.attn", { 2, 3, 1, 6 } } }, "2·1·3 6×6",
            { 4, 4, 4, 4, 5, 6 });
        row("the number is last", { { "attn_step_0", { 3, 2, 2 } }, { "attn_step_1", { 3, 1, 3 } } }, "1·1·3 3×3", { 2, 2, 3 });
        row("not in order", { { "attn.11", { 1, 1, 1, 6 } }, { "attn.9", { 1, 1, 1, 4 } }, { "attn.10", { 1, 1, 1, 5 } } }, "1·1·1 3×6",
            { 4, 5, 6 });
        row("with a batch", { { "attn.1", { 2, 4, 3, 1, 4 } }, { "attn.2", { 2, 4, 3, 1, 5 } } }, "2·4·3 2×5", { 4, 5 });
        row("one head", { { "attn.1", { 1, 2 } }, { "attn.2", { 1, 3 } } }, "1·1·1 2×3", { 2, 3 });
        row("steps, then layers",
            { { "attn.0.0", { 1, 3, 2, 2 } }, { "attn.0.1", { 1, 3, 2, 2 } }, { "attn.1.0", { 1, 3, 1, 3 } },
                { "attn.1.1", { 1, 3, 1, 3 } } },
            "2·1·3 3×3", { 2, 2, 3 });
        row("layers, then steps",
            { { "layer.0.step.0.attn", { 3, 1, 2 } }, { "layer.0.step.1.attn", { 3, 1, 3 } }, { "layer.1.step.0.attn", { 3, 1, 2 } },
                { "layer.1.step.1.attn", { 3, 1, 3 } } },
            "2·1·3 2×3", { 2, 3 });
        row("the prompt has no number",
            { { "prompt.attn", { 2, 3, 4, 4 } }, { "step_0.attn", { 2, 3, 1, 5 } }, { "step_1.attn", { 2, 3, 1, 6 } } }, "2·1·3 6×6",
            { 4, 4, 4, 4, 5, 6 });
        row("no name says attention", { { "step_1", { 2, 3, 1, 4 } }, { "step_2", { 2, 3, 1, 5 } } }, "2·1·3 2×5", { 4, 5 });
        row("keys that stay", { { "cross.step_0.attn", { 2, 3, 1, 4 } }, { "cross.step_1.attn", { 2, 3, 1, 4 } } }, "2·1·3 2×4", {});
    }

    void stepsBecomeOneBlock()
    {
        QFETCH(const Arrays, arrays);
        QFETCH(const std::vector<Index>, lengths);
        const Answer answer = answerOf(setOf(arrays));
        QCOMPARE(answer.error, QString());
        QCOMPARE(answer.blocks.size(), 1U);
        QTEST(sizesOf(answer.blocks.front()), "sizes");
        QCOMPARE(recorded(answer.blocks.front()).rowLengths, lengths);
    }

    void rowsAreThoseOfTheirStep()
    {
        // Of two heads; element e of each array is e.
        const Answer answer = answerOf(setOf({ { "attn.0", { 1, 2, 2, 2 } }, { "attn.1", { 1, 2, 1, 3 } }, { "attn.2", { 1, 2, 1, 4 } } }));
        const AttentionBlock &block = answer.blocks.at(0);
        QCOMPARE(rowsOf(block, 0), QStringLiteral("0 1; 2 3; 0 1 2; 0 1 2 3"));
        QCOMPARE(rowsOf(block, 1), QStringLiteral("4 5; 6 7; 3 4 5; 4 5 6 7"));
        // Row by row or all at once is the same, and what is not there is 0.
        const Matrix all = recorded(block).weights.at(1).toMatrix();
        QCOMPARE(all, (Matrix(4, 4) << 4, 5, 0, 0, 6, 7, 0, 0, 3, 4, 5, 0, 4, 5, 6, 7).finished());
        QVERIFY(recorded(block).weights.at(1).isInMemory());
    }

    void layersAndElementsAreNotMixed()
    {
        const Answer answer = answerOf(setOf({ { "attn.0", { 2, 2, 1, 1, 2 } }, { "attn.1", { 2, 2, 1, 1, 3 } } }));
        QCOMPARE(sizesOf(answer.blocks.at(0)), QString::fromUtf8("2·2·1 2×3"));
        const QStringList expected{ "0 1; 0 1 2", "2 3; 3 4 5", "4 5; 6 7 8", "6 7; 9 10 11" };
        for (qsizetype head = 0; head < expected.size(); ++head)
            QCOMPARE(rowsOf(answer.blocks.at(0), static_cast<std::size_t>(head)), expected[head]);
    }

    void crossAttentionFollowsTheNumbersOfTheDecoder()
    {
        // As transformers' generate() gives them: per step, all layers stacked; cross-attention never grows.
        const Answer answer = answerOf(setOf({ { "decoder_attentions.0", { 4, 1, 2, 1, 1 } }, { "decoder_attentions.1", { 4, 1, 2, 1, 2 } },
            { "decoder_attentions.2", { 4, 1, 2, 1, 3 } }, { "cross_attentions.0", { 4, 1, 2, 1, 7 } },
            { "cross_attentions.1", { 4, 1, 2, 1, 7 } }, { "cross_attentions.2", { 4, 1, 2, 1, 7 } },
            { "encoder_attentions", { 2, 1, 8, 7, 7 } } }));
        QCOMPARE(answer.blocks.size(), 3U);
        QCOMPARE(sizesOf(answer.blocks[0]), QString::fromUtf8("2·1·8 7×7"));
        QCOMPARE(sizesOf(answer.blocks[1]), QString::fromUtf8("4·1·2 3×3"));
        QCOMPARE(sizesOf(answer.blocks[2]), QString::fromUtf8("4·1·2 3×7"));
        QCOMPARE(recorded(answer.blocks[1]).rowLengths, (std::vector<Index>{ 1, 2, 3 }));
        QVERIFY(recorded(answer.blocks[2]).rowLengths.empty());
    }

    void layersOfOneShapeStayLayers_data()
    {
        QTest::addColumn<Arrays>("arrays");
        QTest::addColumn<QString>("sizes");
        QTest::newRow("of one query") << Arrays{ { "attentions.0", { 1, 3, 1, 4 } }, { "attentions.1", { 1, 3, 1, 4 } } }
                                      << QString::fromUtf8("2·1·3 1×4");
        QTest::newRow("square") << Arrays{ { "layer.0.attn", { 3, 4, 4 } }, { "layer.1.attn", { 3, 4, 4 } } }
                                << QString::fromUtf8("2·1·3 4×4");
    }

    void layersOfOneShapeStayLayers()
    {
        QFETCH(const Arrays, arrays);
        const Answer answer = answerOf(setOf(arrays));
        QTEST(sizesOf(answer.blocks.at(0)), "sizes");
    }

    void whatDoesNotGoOnIsRefused_data()
    {
        QTest::addColumn<Arrays>("arrays");
        QTest::addColumn<QString>("error");
        const auto rest = QStringLiteral(
            " Each step has the keys of the one before and one for each of its own queries, or the same keys; use only those that go on.");
        QTest::newRow("missing") << Arrays{
            { "step_3.attn", { 2, 1, 1, 4 } }, { "step_5.attn", { 2, 1, 1, 6 } }
        } << "A step of generation is missing. After step_3.attn (1 query, 4 keys) comes step_5.attn (1 query, 6 keys)." + rest;
        QTest::newRow("missing where keys stay")
            << Arrays{ { "step_0.attn", { 1, 1, 4 } }, { "step_1.attn", { 1, 1, 4 } }, { "step_3.attn", { 1, 1, 4 } } }
            << "A step of generation is missing. After step_1.attn (1 query, 4 keys) comes step_3.attn (1 query, 4 keys)." + rest;
        QTest::newRow("another run") << Arrays{
            { "attn.0", { 2, 5, 5 } }, { "attn.1", { 2, 1, 6 } }, { "attn.2", { 2, 1, 6 } }
        } << "The steps of generation contradict each other. After attn.1 (1 query, 6 keys) comes attn.2 (1 query, 6 keys)." + rest;
        QTest::newRow("fewer keys") << Arrays{
            { "attn.0", { 2, 1, 6 } }, { "attn.1", { 2, 1, 5 } }
        } << "The steps of generation contradict each other. After attn.0 (1 query, 6 keys) comes attn.1 (1 query, 5 keys)." + rest;
        QTest::newRow("a layer is missing")
            << Arrays{ { "attn.0.0", { 3, 2, 2 } }, { "attn.0.1", { 3, 2, 2 } }, { "attn.1.0", { 3, 1, 3 } } }
            << QString::fromUtf8(
                   "The steps of generation have different layers or heads. attn.0.0 is 3 × 2 × 2, attn.1.0 is 3 × 1 × 3. Use "
                   "those of one model, and all layers of each step.");
    }

    void whatDoesNotGoOnIsRefused()
    {
        QFETCH(const Arrays, arrays);
        QTEST(answerOf(setOf(arrays)).error, "error");
    }

    void tokensAreThoseOfTheKeys_data()
    {
        QTest::addColumn<std::vector<TokenList>>("lists");
        QTest::addColumn<Names>("queries");
        QTest::addColumn<Names>("keys");
        using Lists = std::vector<TokenList>;
        const Names keys{ "the", "cat", "sat", "on" };
        const Names queries{ "sat", "on" };
        QTest::newRow("one list") << Lists{ { "tokens", "t", keys } } << queries << keys;
        // The token that ends the text has no row.
        QTest::newRow("and the last one") << Lists{ { "tokens", "t", { "the", "cat", "sat", "on", "mat" } } } << queries << keys;
        QTest::newRow("of keys") << Lists{ { "key_tokens", "t", keys } } << queries << keys;
        QTest::newRow("prompt and generated") << Lists{ { "generated_tokens", "t", { "sat", "on" } },
            { "prompt_tokens", "t", { "the", "cat" } } }
                                              << queries << keys;
        QTest::newRow("generated alone") << Lists{ { "generated_tokens", "t", queries } } << queries << Names{ "0", "1", "2", "3" };
        QTest::newRow("none") << Lists{} << Names{ "2", "3" } << Names{ "0", "1", "2", "3" };
    }

    void tokensAreThoseOfTheKeys()
    {
        QFETCH(const std::vector<TokenList>, lists);
        TensorSet set = setOf({ { "step_0.attn", { 2, 1, 3 } }, { "step_1.attn", { 2, 1, 4 } } });
        set.tokenLists = lists;
        const Answer answer = answerOf(set);
        QCOMPARE(answer.error, QString());
        QTEST(answer.blocks.at(0).queryTokens, "queries");
        QTEST(answer.blocks.at(0).keyTokens, "keys");
    }
};

QTEST_APPLESS_MAIN(TestGeneratedSteps)
#include "tst_generated_steps.moc"
