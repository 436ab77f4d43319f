// SPDX-License-Identifier: GPL-3.0-or-later
// Presets are what their papers describe, say what the input lacks, and are recognised until they are edited.
#include "session/presets.h"

#include "attention/explain.h"

#include <QTest>

#include <set>

using namespace attenscope;

namespace {

AttentionBlock blockOf(const Session &session)
{
    return buildInput(session.source)->blocks.front();
}

AppliedPreset use(const char *id, const Session &session)
{
    return applied(*findPreset(id), session, blockOf(session));
}

/// Typed Q, K and V: @p heads heads of @p keys tokens, @p width numbers each.
Session matrices(int heads, Index keys, Index width)
{
    MatricesSource source;
    for (int head = 0; head < heads; ++head) {
        const SharedMatrix ones{ Matrix(Matrix::Constant(keys, width, head + 1)) };
        source.heads.push_back({ ones, ones, ones });
    }
    Session session;
    session.source = source;
    return session;
}

bool says(const AppliedPreset &result, const std::string &words)
{
    return std::any_of(
        result.notes.begin(), result.notes.end(), [&words](const std::string &note) { return note.find(words) != std::string::npos; });
}

const Session &offered(const AppliedPreset &result, const std::string &label)
{
    for (const PresetOffer &offer : result.offers)
        if (offer.label == label)
            return offer.session;
    qFatal("There is no offer %s.", label.c_str());
}

} // namespace

class TestPresets : public QObject {
    Q_OBJECT

private slots:
    void everyEntryIsComplete();
    void wholePresetsSetWhatThePapersDescribe();
    void windowsAreThoseOfThePapersWhereTheInputIsLongEnough();
    void groupsDependOnTheNumberOfHeads_data();
    void groupsDependOnTheNumberOfHeads();
    void everyEntryComputesOnTheExample();
    void whatIsMissingIsOffered();
    void sharingOnGivenHeadsKeepsTheFirstOfEachGroup();
    void oddHeadsGetNoRope();
    void partsLeaveTheRestAsItIs();
    void presetIsRecognisedUntilItIsEdited();
    void whatBelongsToTheInputStays();
    void recordedWeightsTakeMasksOnly();
};

void TestPresets::everyEntryIsComplete()
{
    std::set<std::string> ids;
    for (const Preset &preset : presets()) {
        QVERIFY2(ids.insert(preset.id).second, preset.id.c_str());
        QVERIFY2(!preset.name.empty() && !preset.formula.empty() && preset.sentence.back() == '.', preset.id.c_str());
        // The year is that of the number: arXiv:YYMM.
        if (!preset.link.empty())
            QCOMPARE(2000 + std::stoi(preset.link.substr(6, 2)), preset.year);
        QCOMPARE(findPreset(preset.id), &preset);
    }
    QVERIFY(!findPreset("no such"));
}

void TestPresets::wholePresetsSetWhatThePapersDescribe()
{
    Session start = exampleSentence();
    std::get<TokensSource>(start.source).hasPositions = false;
    // What was set before is gone.
    start.mechanism.softCap = 3.0;
    start.mechanism.temperature = 2.0;
    start.mechanism.hasAlibi = true;
    start.mechanism.normalization = Normalization::Softmax1;
    start.mechanism.scale = 0.1;
    const auto specOf = [&start](const char *id) { return use(id, start).session.mechanism; };
    const auto expected = [&start](auto change) {
        AttentionSpec spec;
        spec.heads = start.mechanism.heads;
        change(spec);
        return spec;
    };
    QCOMPARE(specOf("bahdanau-2014"), expected([](AttentionSpec &spec) { spec.score = ScoreFunction::Additive; }));
    QCOMPARE(specOf("luong-2015"), expected([](AttentionSpec &spec) { spec.score = ScoreFunction::General; }));
    QCOMPARE(specOf("transformer-encoder"), expected([](AttentionSpec &) {}));
    QCOMPARE(specOf("transformer-decoder"), expected([](AttentionSpec &spec) { spec.mask.rule = MaskRule::Causal; }));
    QCOMPARE(specOf("cross-attention"), expected([](AttentionSpec &) {}));
    QCOMPARE(specOf("multi-query"), expected([](AttentionSpec &spec) {
        spec.mask.rule = MaskRule::Causal;
        spec.kvHeads = 1;
        spec.rope = Rope();
    }));
    QCOMPARE(specOf("grouped-query"), expected([](AttentionSpec &spec) {
        spec.mask.rule = MaskRule::Causal;
        spec.kvHeads = 2;
        spec.rope = Rope();
    }));
    QCOMPARE(specOf("longformer"), expected([](AttentionSpec &spec) {
        spec.mask.rule = MaskRule::SlidingWindow;
        spec.mask.window = 2;
    }));
    QCOMPARE(specOf("alibi-bloom"), expected([](AttentionSpec &spec) {
        spec.mask.rule = MaskRule::Causal;
        spec.hasAlibi = true;
    }));
    QCOMPARE(specOf("soft-cap-gemma-2"), expected([](AttentionSpec &spec) {
        spec.mask.rule = MaskRule::Causal;
        spec.softCap = 50.0;
        spec.kvHeads = 2;
        spec.rope = Rope();
    }));
    QCOMPARE(specOf("sinks-streaming-llm"), expected([](AttentionSpec &spec) {
        spec.mask.rule = MaskRule::SinksWindow;
        spec.mask.sinks = 1;
        spec.mask.window = 2;
    }));
    QCOMPARE(specOf("linear"), expected([](AttentionSpec &spec) {
        spec.score = ScoreFunction::Linear;
        spec.mask.rule = MaskRule::Causal;
    }));
}

void TestPresets::windowsAreThoseOfThePapersWhereTheInputIsLongEnough()
{
    const Session session = matrices(8, 5000, 2);
    const auto maskOf = [&session](const char *id) { return use(id, session).session.mechanism.mask; };
    QCOMPARE(maskOf("longformer").window, 256);
    QCOMPARE(maskOf("mistral-window").rule, MaskRule::CausalSlidingWindow);
    QCOMPARE(maskOf("mistral-window").window, 4096);
    QCOMPARE(maskOf("sinks-streaming-llm").sinks, 4);
    QCOMPARE(maskOf("sinks-streaming-llm").window, 1020);
    QVERIFY(!says(use("mistral-window", session), "wider than this input"));
    QVERIFY(says(use("mistral-window", exampleSentence()), "4,096 keys, wider than this input; here it is 2."));
}

void TestPresets::groupsDependOnTheNumberOfHeads_data()
{
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("kvHeads");
    // LLaMA 2 70B has 64 and 8, Mistral 7B 32 and 8.
    for (const auto &[heads, kvHeads] :
        { std::pair{ 64, 8 }, { 32, 8 }, { 16, 8 }, { 8, 2 }, { 4, 2 }, { 6, 3 }, { 12, 3 }, { 2, 0 }, { 1, 0 }, { 5, 0 } })
        QTest::addRow("%d", heads) << heads << kvHeads;
}

void TestPresets::groupsDependOnTheNumberOfHeads()
{
    QFETCH(int, heads);
    QFETCH(int, kvHeads);
    const AppliedPreset result = use("grouped-query", matrices(heads, 3, 2));
    QCOMPARE(result.session.mechanism.kvHeads, kvHeads);
    QCOMPARE(result.fits, kvHeads > 0);
}

void TestPresets::everyEntryComputesOnTheExample()
{
    for (const Session &session : { exampleSentence(), matrices(8, 24, 6), workedExample() }) {
        for (const Preset &preset : presets()) {
            const AppliedPreset result = applied(preset, session, blockOf(session));
            const AttentionBlock block = blockOf(result.session);
            QVERIFY2(!check(block, result.session.mechanism), preset.id.c_str());
            for (const PresetOffer &offer : result.offers)
                QVERIFY2(!check(blockOf(offer.session), offer.session.mechanism), (preset.id + ": " + offer.label).c_str());
        }
    }
}

void TestPresets::whatIsMissingIsOffered()
{
    const Session session = exampleSentence();
    const AppliedPreset cross = use("cross-attention", session);
    QVERIFY(!cross.fits);
    const Session &second = offered(cross, "Take the keys from a second sequence");
    QCOMPARE(blockOf(second).keys, 6);
    QCOMPARE(second.preset, std::string("cross-attention"));
    QVERIFY(use("cross-attention", second).notes.empty());
    // And back.
    const AppliedPreset self = use("transformer-decoder", second);
    QVERIFY(!self.fits);
    QCOMPARE(blockOf(offered(self, "Take the keys from the same tokens")).keys, 10);
    QVERIFY(use("transformer-decoder", session).notes.empty());

    const AppliedPreset alibi = use("alibi-bloom", session);
    QVERIFY(!std::get<TokensSource>(offered(alibi, "Leave the sinusoidal positions out").source).hasPositions);

    Session single = session;
    single.mechanism.heads = 1;
    const AppliedPreset shared = use("multi-query", single);
    QVERIFY(!shared.fits);
    QCOMPARE(offered(shared, "Use 4 heads").mechanism.heads, 4);
    QCOMPARE(offered(shared, "Use 4 heads").mechanism.kvHeads, 1);
    QCOMPARE(offered(use("grouped-query", single), "Use 8 heads").mechanism.kvHeads, 2);
    QCOMPARE(offered(use("bahdanau-2014", session), "Use 1 head").mechanism.heads, 1);
}

void TestPresets::sharingOnGivenHeadsKeepsTheFirstOfEachGroup()
{
    const Session session = matrices(4, 3, 2);
    const AppliedPreset result = use("grouped-query", session);
    QVERIFY(says(result, "The data have 4 key/value heads; the first of each group is kept."));
    // Head h holds h + 1: heads 0 and 1 read 1, heads 2 and 3 read 3.
    const AttentionBlock block = blockOf(result.session);
    AttentionSpec plain = result.session.mechanism;
    plain.rope.reset();
    for (const auto &[head, kept] : { std::pair{ 0, 1.0 }, { 1, 1.0 }, { 2, 3.0 }, { 3, 3.0 } })
        QCOMPARE(headOperands(block, plain, { 0, 0, head, 0 }).value()->v.at(0, 0), kept);
    QVERIFY(says(use("multi-query", session), "the first of each group is kept"));
    QVERIFY(use("transformer-encoder", session).notes.empty());
}

void TestPresets::oddHeadsGetNoRope()
{
    const AppliedPreset result = use("multi-query", matrices(4, 3, 3));
    QVERIFY(!result.session.mechanism.rope);
    QVERIFY(!result.fits);
    QVERIFY(says(result, "RoPE turns pairs of dimensions, and each head has 3: it is left out."));
    // 32 columns: 32 heads have one each, 16 have two.
    Session narrow = exampleSentence();
    narrow.mechanism.heads = 32;
    const AppliedPreset wide = use("multi-query", narrow);
    QVERIFY(!wide.session.mechanism.rope);
    QCOMPARE(offered(wide, "Use 16 heads").mechanism.heads, 16);
    QVERIFY(offered(wide, "Use 16 heads").mechanism.rope);
}

void TestPresets::partsLeaveTheRestAsItIs()
{
    Session session = exampleSentence();
    session.mechanism.temperature = 3.0;
    session.preset = "transformer-decoder";
    const Session window = use("mask-causal-window", session).session;
    QCOMPARE(window.mechanism.mask.rule, MaskRule::CausalSlidingWindow);
    QCOMPARE(window.mechanism.temperature, 3.0);
    QCOMPARE(window.preset, session.preset);
    const Session rope = use("positions-rope", window).session;
    QCOMPARE(rope.mechanism.mask, window.mechanism.mask);
    QVERIFY(rope.mechanism.rope);
    QCOMPARE(use("mask-blocks", session).session.mechanism.mask.blockLayout.rows(), 3);
    QVERIFY(!std::get<TokensSource>(use("positions-none", rope).session.source).hasPositions);
    QVERIFY(!use("positions-none", rope).session.mechanism.rope);
    QCOMPARE(use("positions-bias", session).session.mechanism.bias.cols(), 10);
}

void TestPresets::presetIsRecognisedUntilItIsEdited()
{
    Session session = exampleSentence();
    const auto state = [&session] { return presetOf(session, blockOf(session)); };
    const auto id = [&state] { return state().preset ? state().preset->id : std::string(); };
    // The example was never set to it, but it is it.
    QCOMPARE(id(), std::string("transformer-decoder"));
    session = use("alibi-bloom", session).session;
    QCOMPARE(id(), std::string("alibi-bloom"));
    QVERIFY(!state().isChanged);
    session.mechanism.temperature = 2.0;
    QCOMPARE(id(), std::string("alibi-bloom"));
    QVERIFY(state().isChanged);
    // Edited into another one it is that.
    session.mechanism.temperature = 1.0;
    session.mechanism.hasAlibi = false;
    session.mechanism.mask.rule = MaskRule::None;
    QCOMPARE(id(), std::string("transformer-encoder"));
    QVERIFY(!state().isChanged);
    session.preset.clear();
    session.mechanism.temperature = 2.0;
    QVERIFY(!state().preset);
}

void TestPresets::whatBelongsToTheInputStays()
{
    Session session = exampleSentence();
    session.mechanism.heads = 8;
    session.mechanism.mask.paddedKeys = 2;
    session.mechanism.mask.usesInputMask = false;
    session.mechanism.algorithm = Algorithm::Flash;
    session.mechanism.mask.allowed = BitMatrix(10, 10, false);
    session.comparison = AttentionSpec();
    const Session next = use("transformer-encoder", session).session;
    QCOMPARE(next.mechanism.heads, 8);
    QCOMPARE(next.mechanism.mask.paddedKeys, 2);
    QVERIFY(!next.mechanism.mask.usesInputMask);
    QCOMPARE(next.mechanism.algorithm, Algorithm::Flash);
    QVERIFY(next.mechanism.mask.allowed.isEmpty());
    QCOMPARE(next.comparison, session.comparison);
    // Parameters stay while the score does.
    Session edited = use("luong-2015", exampleSentence()).session;
    edited.mechanism.parameters.w = SharedMatrix(Matrix(Matrix::Identity(8, 8)));
    QCOMPARE(use("luong-2015", edited).session.mechanism.parameters, edited.mechanism.parameters);
    QCOMPARE(use("bahdanau-2014", edited).session.mechanism.parameters, ScoreParameters());
}

void TestPresets::recordedWeightsTakeMasksOnly()
{
    AttentionBlock block;
    block.queries = block.keys = 2;
    block.data = RecordedData{ { SharedMatrix(Matrix(Matrix::Constant(2, 2, 0.5))) }, {}, {} };
    const Session session;
    const AppliedPreset whole = applied(*findPreset("transformer-decoder"), session, block);
    QVERIFY(!whole.fits && !whole.isUsable);
    QCOMPARE(whole.session, session);
    const AppliedPreset mask = applied(*findPreset("mask-causal"), session, block);
    QVERIFY(mask.fits);
    QCOMPARE(mask.session.mechanism.mask.rule, MaskRule::Causal);
    QVERIFY(!presetOf(session, block).preset);
}

QTEST_APPLESS_MAIN(TestPresets)
#include "tst_presets.moc"
