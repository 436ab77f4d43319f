// SPDX-License-Identifier: GPL-3.0-or-later
// Typed tokens: what splits, what stays together, and what the seeded embeddings depend on.
#include "session/session.h"

#include "attention/explain.h"

#include <QTest>

#include <cmath>

using namespace attenscope;
using Tokens = std::vector<std::string>;

Q_DECLARE_METATYPE(attenscope::SplitRule)
Q_DECLARE_METATYPE(Tokens)

namespace {

AttentionBlock blockOf(const TokensSource &source)
{
    const Result<AttentionInput> input = buildInput(source);
    return input.ok() && input->blocks.size() == 1 ? input->blocks.front() : AttentionBlock{};
}

const EmbeddedData &embedded(const AttentionBlock &block)
{
    return std::get<EmbeddedData>(block.data);
}

TokensSource source(const std::string &text)
{
    TokensSource tokens;
    tokens.text = text;
    return tokens;
}

} // namespace

class TestTokens : public QObject {
    Q_OBJECT

private slots:
    void splitsWhereTheRuleSays_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<SplitRule>("rule");
        QTest::addColumn<Tokens>("tokens");
        const auto row = [](const char *name, const std::string &text, SplitRule rule, const Tokens &tokens) {
            QTest::newRow(name) << text << rule << tokens;
        };
        row("words", "The cat  sat", SplitRule::WhiteSpace, { "The", "cat", "sat" });
        row("white space at the ends", " \t a\n\n", SplitRule::WhiteSpace, { "a" });
        row("nothing", "", SplitRule::WhiteSpace, {});
        row("only white space", " \n\u3000", SplitRule::WhiteSpace, {});
        row("no-break, thin and ideographic spaces", "a\u00a0b\u2009c\u3000d\u2028e\u0085f", SplitRule::WhiteSpace,
            { "a", "b", "c", "d", "e", "f" });
        row("a zero-width space is no white space", "a\u200bb", SplitRule::WhiteSpace, { "a\u200bb" });
        row("right to left", "قط جلس", SplitRule::WhiteSpace, { "قط", "جلس" });
        row("markup", "a </script> b", SplitRule::WhiteSpace, { "a", "</script>", "b" });
        row("equal tokens", "the cat the", SplitRule::WhiteSpace, { "the", "cat", "the" });
        row("long token", std::string(10'000, 'x'), SplitRule::WhiteSpace, { std::string(10'000, 'x') });
        row("broken UTF-8", "a\xff b\xc3", SplitRule::WhiteSpace, { "a\xff", "b\xc3" });

        row("characters", "a b", SplitRule::Characters, { "a", " ", "b" });
        row("wide characters", "東京", SplitRule::Characters, { "東", "京" });
        row("combining marks", "Sea\u0301n", SplitRule::Characters, { "S", "e", "a\u0301", "n" });
        row("two marks", "a\u0301\u0323b", SplitRule::Characters, { "a\u0301\u0323", "b" });
        row("a mark without a base", "\u0301a", SplitRule::Characters, { "\u0301", "a" });
        row("Arabic vowels", "مُحَ", SplitRule::Characters, { "مُ", "حَ" });
        row("joined emoji", "👩‍🔬!", SplitRule::Characters, { "👩‍🔬", "!" });
        row("skin tone", "👍🏽👍", SplitRule::Characters, { "👍🏽", "👍" });
        row("variation selector", "❤\ufe0f+", SplitRule::Characters, { "❤\ufe0f", "+" });
        row("flags", "🇮🇪🇩🇪", SplitRule::Characters, { "🇮🇪", "🇩🇪" });
        row("keycap", "1\ufe0f\u20e32", SplitRule::Characters, { "1\ufe0f\u20e3", "2" });
        row("line ends", "a\r\nb\n", SplitRule::Characters, { "a", "\r\n", "b", "\n" });
        row("broken UTF-8 by character", "a\xe2\x82z", SplitRule::Characters, { "a", "\xe2", "\x82", "z" });

        row("lines", "a b\nc", SplitRule::Lines, { "a b", "c" });
        row("a line end at the end", "a\nb\n", SplitRule::Lines, { "a", "b" });
        row("empty lines", "a\n\nb\n\n", SplitRule::Lines, { "a", "", "b", "" });
        row("all line ends", "a\r\nb\rc\nd", SplitRule::Lines, { "a", "b", "c", "d" });
        row("one line end", "\n", SplitRule::Lines, { "" });
        row("no lines", "", SplitRule::Lines, {});
    }
    void splitsWhereTheRuleSays()
    {
        QFETCH(std::string, text);
        QFETCH(SplitRule, rule);
        QFETCH(Tokens, tokens);
        const Tokens found = splitTokens(text, rule);
        QCOMPARE(found.size(), tokens.size());
        for (std::size_t place = 0; place < tokens.size(); ++place)
            QCOMPARE(QByteArray::fromStdString(found[place]), QByteArray::fromStdString(tokens[place]));
    }

    void aTextWithoutTokensIsAnError_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("hasKeyText");
        QTest::addColumn<QString>("keyText");
        QTest::addColumn<QString>("what");
        QTest::newRow("no text") << "  " << false << ""
                                 << "There are no tokens.";
        QTest::newRow("no key text") << "a" << true << " "
                                     << "There are no tokens for the keys.";
    }
    void aTextWithoutTokensIsAnError()
    {
        QFETCH(QString, text);
        QFETCH(bool, hasKeyText);
        QFETCH(QString, keyText);
        QFETCH(QString, what);
        TokensSource tokens = source(text.toStdString());
        if (hasKeyText)
            tokens.keyText = keyText.toStdString();
        const auto input = buildInput(tokens);
        QVERIFY(!input.ok());
        QCOMPARE(QString::fromStdString(input.error().what), what);
    }

    void impossibleEmbeddingsAreRefused_data()
    {
        QTest::addColumn<int>("dModel");
        QTest::newRow("none") << 0;
        QTest::newRow("negative") << -3;
        QTest::newRow("more than memory") << 2'000'000'000;
    }
    void impossibleEmbeddingsAreRefused()
    {
        QFETCH(int, dModel);
        TokensSource tokens = source("a b");
        tokens.dModel = dModel;
        QVERIFY(!buildInput(tokens).ok());
    }

    void theInputHasTheTokensAndIsMarkedUntrained()
    {
        TokensSource tokens = source("the cat the");
        tokens.dModel = 6;
        const AttentionBlock block = blockOf(tokens);
        QCOMPARE(block.queries, Index(3));
        QCOMPARE(block.keys, Index(3));
        QCOMPARE(block.queryTokens, (Tokens{ "the", "cat", "the" }));
        QCOMPARE(block.keyTokens, block.queryTokens);
        QVERIFY(block.isUntrained);
        QCOMPARE(block.heads, 0);
        QCOMPARE(embedded(block).x.front().cols(), Index(6));
        QVERIFY(embedded(block).y.empty());
        const Projections &weights = embedded(block).layers.front();
        for (const SharedMatrix *matrix : { &weights.wq, &weights.wk, &weights.wv, &weights.wo }) {
            QCOMPARE(matrix->rows(), Index(6));
            QCOMPARE(matrix->cols(), Index(6));
        }
        QVERIFY(!(weights.wq == weights.wk));
    }

    void theSameTokenHasTheSameVectorAnywhere()
    {
        TokensSource tokens = source("the cat the");
        tokens.hasPositions = false;
        const Matrix x = embedded(blockOf(tokens)).x.front().toMatrix();
        QCOMPARE(x.row(0), x.row(2));
        QVERIFY(x.row(0) != x.row(1));

        tokens.text = "a the";
        tokens.keyText = "dog the cat";
        const AttentionBlock cross = blockOf(tokens);
        QCOMPARE(embedded(cross).x.front().toMatrix().row(1), x.row(0));
        QCOMPARE(embedded(cross).y.front().toMatrix().row(2), x.row(1));
        QCOMPARE(cross.keyTokens, (Tokens{ "dog", "the", "cat" }));
        QCOMPARE(cross.queries, Index(2));
        QCOMPARE(cross.keys, Index(3));
    }

    void aTokenCalledLikeAProjectionIsNotIt()
    {
        TokensSource tokens = source("W_q");
        tokens.hasPositions = false;
        tokens.dModel = 1;
        const AttentionBlock block = blockOf(tokens);
        QVERIFY(embedded(block).x.front().at(0, 0) != embedded(block).layers.front().wq.at(0, 0));
    }

    void positionsAreAddedOnTop()
    {
        TokensSource tokens = source("the cat the");
        tokens.dModel = 8;
        const Matrix with = embedded(blockOf(tokens)).x.front().toMatrix();
        tokens.hasPositions = false;
        const Matrix without = embedded(blockOf(tokens)).x.front().toMatrix();
        const Matrix positions = with - without;
        // PE(2, 0) = sin 2, PE(2, 1) = cos 2.
        QVERIFY(std::abs(positions(2, 0) - std::sin(2.0)) < 1e-12);
        QVERIFY(std::abs(positions(2, 1) - std::cos(2.0)) < 1e-12);
    }

    void theSeedChangesEverything()
    {
        TokensSource tokens = source("cat");
        const AttentionBlock one = blockOf(tokens);
        QVERIFY(one == blockOf(tokens));
        tokens.seed = 0xffff'ffff'ffff'fff2ULL;
        const AttentionBlock other = blockOf(tokens);
        QVERIFY(!(embedded(one).x == embedded(other).x));
        QVERIFY(!(embedded(one).layers.front().wv == embedded(other).layers.front().wv));
    }

    void spreadIsAsStated()
    {
        TokensSource tokens = source("a b c d e f g h i j k l m n o p");
        tokens.dModel = 256;
        tokens.hasPositions = false;
        const AttentionBlock block = blockOf(tokens);
        const Matrix x = embedded(block).x.front().toMatrix();
        const Matrix w = embedded(block).layers.front().wk.toMatrix();
        const auto deviation = [](const Matrix &matrix) { return std::sqrt(matrix.array().square().mean()); };
        QVERIFY(std::abs(deviation(x) - 1.0) < 0.05);
        QVERIFY(std::abs(deviation(w) - 1.0 / 16.0) < 0.005);
    }

    void theExampleIsWhatTheFirstPictureShows()
    {
        const Session session = exampleSentence();
        const auto input = buildInput(session.source);
        QVERIFY(input.ok());
        const AttentionBlock &block = input->blocks.front();
        const auto [query, key] = examplePick();
        QCOMPARE(block.queryTokens.at(static_cast<std::size_t>(query)), std::string("sat"));
        QCOMPARE(block.keyTokens.at(static_cast<std::size_t>(key)), std::string("The"));
        QVERIFY(!check(block, session.mechanism));
        QCOMPARE(session.mechanism.heads, 4);
        // The picked cell is worth a look: the largest of its row in the shown head, and no certainty.
        const auto operands = headOperands(block, session.mechanism, session.view.head);
        QVERIFY(operands);
        const auto steps = explain(**operands, { query, query + 1 });
        QVERIFY(steps);
        QCOMPARE(steps->weights(0, key), steps->weights.maxCoeff());
        QVERIFY(steps->weights(0, key) > 0.5 && steps->weights(0, key) < 0.95);
        QCOMPARE(session.mechanism.mask.rule, MaskRule::Causal);
    }
};

QTEST_APPLESS_MAIN(TestTokens)
#include "tst_tokens.moc"
