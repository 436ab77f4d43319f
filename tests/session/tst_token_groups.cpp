// SPDX-License-Identifier: GPL-3.0-or-later
// Words of tokenized texts, what is special, and what leaving out and merging leave of a block.
#include "session/token_groups.h"

#include <QTest>

using namespace attenscope;
using Tokens = std::vector<std::string>;

Q_DECLARE_METATYPE(Tokens)

namespace {

/// Weights of @p tokens against themselves, all equal.
std::shared_ptr<const AttentionInput> recorded(const Tokens &tokens)
{
    const auto n = static_cast<Index>(tokens.size());
    AttentionBlock block;
    block.queryTokens = block.keyTokens = tokens;
    block.queries = block.keys = n;
    block.data = RecordedData{ { SharedMatrix(Matrix(Matrix::Constant(n, n, 1.0 / static_cast<double>(n)))) }, {}, {} };
    return std::make_shared<const AttentionInput>(AttentionInput{ { std::move(block) } });
}

AttentionBlock shown(const std::shared_ptr<const AttentionInput> &whole, const TokensShown &tokens)
{
    const Result<AttentionInput> input = withTokensShown(whole, {}, tokens, 0);
    return input.ok() ? input->blocks.front() : AttentionBlock{};
}

} // namespace

class TestTokenGroups : public QObject {
    Q_OBJECT

private slots:
    void wordsAreWhatTheTokenizerTookApart_data();
    void wordsAreWhatTheTokenizerTookApart();
    void specialTokensAreThoseOfTokenizers_data();
    void specialTokensAreThoseOfTokenizers();
    void kindsAreLeftOutOnBothSides();
    void paddingIsLeftOutByTheMaskOfTheElement();
    void cachedKeysHaveNoFirstQuery();
    void crossAttentionLeavesOutEachSideAlone();
    void aWordGoesWithOneOfItsPieces();
    void aPartLeavesOutAllOthersOfItsBlock();
    void nothingLeftIsAnError();
    void theWordsUnderAPictureSayWhatIsLeftOut();
};

void TestTokenGroups::wordsAreWhatTheTokenizerTookApart_data()
{
    QTest::addColumn<Tokens>("tokens");
    QTest::addColumn<Tokens>("words");
    QTest::newRow("WordPiece") << Tokens{ "[CLS]", "play", "##ing", "chess", ".", "[SEP]" }
                               << Tokens{ "[CLS]", "playing", "chess", ".", "[SEP]" };
    QTest::newRow("GPT-2") << Tokens{ "The", "Ġatt", "ention", "Ġof", "Ġus", "!", "Ċ", "We" }
                           << Tokens{ "The", "attention", "of", "us", "!", "Ċ", "We" };
    QTest::newRow("SentencePiece") << Tokens{ "▁un", "usual", "▁", "word", "</s>" } << Tokens{ "unusual", "▁word", "</s>" };
    QTest::newRow("subword-nmt") << Tokens{ "un@@", "usu@@", "al", "word" } << Tokens{ "unusual", "word" };
    QTest::newRow("end of word") << Tokens{ "un", "usual</w>", "word</w>" } << Tokens{ "unusual", "word" };
    QTest::newRow("plain words") << Tokens{ "the", "cat", "#", "##" } << Tokens{ "the", "cat", "#", "##" };
    QTest::newRow("special in between") << Tokens{ "▁a", "<|sep|>", "b", "▁c" } << Tokens{ "a", "<|sep|>", "b", "c" };
    QTest::newRow("starts with a piece") << Tokens{ "##ing", "now" } << Tokens{ "##ing", "now" };
}

void TestTokenGroups::wordsAreWhatTheTokenizerTookApart()
{
    QFETCH(const Tokens, tokens);
    Tokens words;
    Index end = 0;
    for (const Range &pieces : wordRanges(tokens)) {
        QCOMPARE(pieces.first, end);
        end = pieces.end;
        words.push_back(wordText(tokens, pieces));
    }
    QCOMPARE(end, static_cast<Index>(tokens.size()));
    QTEST(words, "words");
}

void TestTokenGroups::specialTokensAreThoseOfTokenizers_data()
{
    QTest::addColumn<std::string>("token");
    QTest::addColumn<bool>("isSpecial");
    QTest::addColumn<bool>("isPadding");
    const auto row
        = [](const char *token, bool isSpecial, bool isPadding) { QTest::newRow(token) << std::string(token) << isSpecial << isPadding; };
    for (const char *token : { "[CLS]", "[SEP]", "[MASK]", "[unused1]" })
        row(token, true, false);
    for (const char *token : { "<s>", "</s>", "<|endoftext|>", "<|im_start|>", "<extra_id_0>", "<unused7>", "<bos>" })
        row(token, true, false);
    for (const char *token : { "[PAD]", "<pad>", "<|pad|>" })
        row(token, true, true);
    for (const char *token : { "", "[]", "[1]", "</script>", "<b>", "sat", "[the]", "<|", "PAD" })
        row(token, false, false);
}

void TestTokenGroups::specialTokensAreThoseOfTokenizers()
{
    QFETCH(const std::string, token);
    QTEST(isSpecialToken(token), "isSpecial");
    QTEST(isPaddingToken(token), "isPadding");
}

void TestTokenGroups::kindsAreLeftOutOnBothSides()
{
    const auto whole = recorded({ "[CLS]", "a", "b", "[SEP]", "[PAD]" });
    TokensShown first;
    first.leavesOutFirst = true;
    QCOMPARE(shown(whole, first).keyTokens, (Tokens{ "a", "b", "[SEP]", "[PAD]" }));
    QCOMPARE(shown(whole, first).queryTokens, (Tokens{ "a", "b", "[SEP]", "[PAD]" }));
    TokensShown padding;
    padding.leavesOutPadding = true;
    QCOMPARE(shown(whole, padding).keyTokens, (Tokens{ "[CLS]", "a", "b", "[SEP]" }));
    TokensShown specials;
    specials.leavesOutSpecials = true;
    QCOMPARE(shown(whole, specials).queryTokens, (Tokens{ "a", "b" }));
    TokensShown one;
    one.leftOut = { { 0, false, 2 }, { 0, true, 1 }, { 1, false, 0 }, { 0, false, 99 } };
    QCOMPARE(shown(whole, one).keyTokens, (Tokens{ "[CLS]", "a", "[SEP]", "[PAD]" }));
    QCOMPARE(shown(whole, one).queryTokens, (Tokens{ "[CLS]", "b", "[SEP]", "[PAD]" }));
}

void TestTokenGroups::paddingIsLeftOutByTheMaskOfTheElement()
{
    AttentionInput input = *recorded({ "a", "b", "c" });
    AttentionBlock &block = input.blocks.front();
    block.batch = 2;
    auto &data = std::get<RecordedData>(block.data);
    data.weights.push_back(data.weights.front());
    block.keyPadding = { { true, true, false }, { true, false, false } };
    const auto whole = std::make_shared<const AttentionInput>(input);
    TokensShown padding;
    padding.leavesOutPadding = true;
    QCOMPARE(withTokensShown(whole, {}, padding, 0)->blocks.front().keyTokens, (Tokens{ "a", "b" }));
    QCOMPARE(withTokensShown(whole, {}, padding, 1)->blocks.front().queryTokens, (Tokens{ "a" }));
}

void TestTokenGroups::cachedKeysHaveNoFirstQuery()
{
    AttentionInput input = *recorded({ "a", "b", "c" });
    AttentionBlock &block = input.blocks.front();
    block.queries = 1;
    block.queryTokens = { "c" };
    std::get<RecordedData>(block.data).weights = { SharedMatrix(Matrix{ { 0.5, 0.25, 0.25 } }) };
    TokensShown first;
    first.leavesOutFirst = true;
    const AttentionBlock left = shown(std::make_shared<const AttentionInput>(input), first);
    QCOMPARE(left.keyTokens, (Tokens{ "b", "c" }));
    QCOMPARE(left.queryTokens, (Tokens{ "c" }));
}

void TestTokenGroups::crossAttentionLeavesOutEachSideAlone()
{
    AttentionInput input = *recorded({ "<s>", "b" });
    input.blocks.front().role = BlockRole::Cross;
    input.blocks.front().queryTokens = { "x", "</s>" };
    TokensShown first;
    first.leavesOutFirst = true;
    const AttentionBlock left = shown(std::make_shared<const AttentionInput>(input), first);
    QCOMPARE(left.keyTokens, (Tokens{ "b" }));
    QCOMPARE(left.queryTokens, (Tokens{ "x", "</s>" }));
    QCOMPARE(left.role, BlockRole::Cross);
}

void TestTokenGroups::aWordGoesWithOneOfItsPieces()
{
    TokensShown tokens;
    tokens.mergesPieces = true;
    tokens.leftOut = { { 0, false, 1 } };
    const AttentionBlock left = shown(recorded({ "play", "##ing", "chess" }), tokens);
    QCOMPARE(left.keyTokens, (Tokens{ "chess" }));
    QCOMPARE(left.queryTokens, (Tokens{ "playing", "chess" }));
    const auto &data = std::get<ReducedData>(left.data);
    QCOMPARE(data.queries, (std::vector<Range>{ { 0, 2 }, { 2, 3 } }));
}

void TestTokenGroups::aPartLeavesOutAllOthersOfItsBlock()
{
    TokensShown tokens;
    tokens.part = { 0, { 1, 3 }, { 0, 2 } };
    tokens.leavesOutFirst = true;
    AttentionInput input = *recorded({ "a", "b", "c", "d" });
    input.blocks.push_back(input.blocks.front());
    const auto whole = std::make_shared<const AttentionInput>(input);
    const Result<AttentionInput> left = withTokensShown(whole, {}, tokens, 0);
    QVERIFY(left.ok());
    QCOMPARE(left->blocks[0].queryTokens, (Tokens{ "b", "c" }));
    QCOMPARE(left->blocks[0].keyTokens, (Tokens{ "b" }));
    QCOMPARE(left->blocks[1].queryTokens, (Tokens{ "b", "c", "d" }));
    QCOMPARE(wholeQuery(left->blocks[0], 0), Index{ 1 });
    tokens.part = { 0, { 9, 12 }, { 0, 2 } };
    QVERIFY(!withTokensShown(whole, {}, tokens, 0).ok());
}

void TestTokenGroups::nothingLeftIsAnError()
{
    TokensShown tokens;
    tokens.leavesOutSpecials = true;
    const Result<AttentionInput> left = withTokensShown(recorded({ "[CLS]", "[SEP]" }), {}, tokens, 0);
    QVERIFY(!left.ok());
    QCOMPARE(left.error().what, std::string("No query is left."));
}

void TestTokenGroups::theWordsUnderAPictureSayWhatIsLeftOut()
{
    const auto whole = recorded({ "[CLS]", "play", "##ing", "[SEP]" });
    TokensShown tokens;
    tokens.leavesOutSpecials = true;
    QCOMPARE(reductionWords(shown(whole, tokens), 0), std::string("left out: [CLS], [SEP], rows not renormalised"));
    tokens.renormalizes = true;
    tokens.mergesPieces = true;
    QCOMPARE(
        reductionWords(shown(whole, tokens), 0), std::string("left out: [CLS], [SEP], rows divided by what is left, word pieces merged"));
    TokensShown keys;
    keys.leftOut = { { 0, false, 0 } };
    QCOMPARE(reductionWords(shown(whole, keys), 0), std::string("keys left out: [CLS], rows not renormalised"));
    QCOMPARE(reductionWords(whole->blocks.front(), 0), std::string());
    const auto many = recorded({ "a", "b", "c", "d", "e", "f" });
    TokensShown part;
    part.part = { 0, { 1, 2 }, { 1, 2 } };
    QCOMPARE(reductionWords(shown(many, part), 0), std::string("5 of 6 tokens left out, rows not renormalised"));
    part.part = { 0, { 1, 2 }, { 2, 4 } };
    QCOMPARE(reductionWords(shown(many, part), 0), std::string("5 of 6 queries left out, 4 of 6 keys left out, rows not renormalised"));
}

QTEST_APPLESS_MAIN(TestTokenGroups)
#include "tst_token_groups.moc"
