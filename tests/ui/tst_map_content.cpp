// SPDX-License-Identifier: GPL-3.0-or-later
// MapContent: which maps a document shows, with which colours, titles and notes.
#include "views/map/map_content.h"

#include "support/recorded_session.h"

#include <QTest>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>

using namespace attenscope;

namespace {

std::optional<MapContent> contentOf(const Document &document)
{
    return mapContent(document, [](const std::vector<MapFieldPtr> &fields) { return std::optional(measureRange(fields)); });
}

void edit(Document &document, const std::function<void(Session &)> &change)
{
    Session next = document.session();
    change(next);
    document.edit(std::move(next), QStringLiteral("change"));
}

/// @p count tokens, computed before it returns.
void useTokens(Document &document, int count)
{
    edit(document, [count](Session &session) {
        TokensSource source;
        source.text.clear();
        for (int index = 0; index < count; ++index)
            source.text += "t" + std::to_string(index) + " ";
        session.source = source;
        session.mechanism.heads = 1;
        session.mechanism.kvHeads = 0;
    });
}

} // namespace

class MapContentTest : public QObject {
    Q_OBJECT

private slots:
    void untrainedWeightsAreNamed();
    void lastValidInputIsSaid();
    void nothingIsShownWhileARangeIsUnknown();
    void scoresDivergeAboutZeroAndShareOneRange();
    void ownRangeIsThatOfTheMap();
    void rowsUpToTheirLargestSaySo();
    void tooFewAndTooManyNamesAreSaid();
    void manyKeysAreLogarithmic();
    void combinedHeadsSaySo();
    void rowsThatSeeNothingAreNoted();
    void rowsWithNanAreSetApart();
    void rowsNotSummingToOneAreThoseOfTheShownHeads();
    void mechanismsAreNamedByWhatDiffers_data();
    void mechanismsAreNamedByWhatDiffers();
    void aMissingStageOfTheOtherMechanismIsSaid();
    void rangeIgnoresInfinityAndMaskedCells();
    void largeFieldsAreSampled();
    void costlyOutputsAreSampled();
    void whatIsNotAtHandIsMeasuredInTheBackground();
    void numbersOutsideTheScaleAreNoted_data();
    void numbersOutsideTheScaleAreNoted();
};

void MapContentTest::untrainedWeightsAreNamed()
{
    Document document;
    const auto content = contentOf(document);
    QVERIFY(content);
    QVERIFY(content->origin.contains(QStringLiteral("untrained, random weights")));
    QCOMPARE(content->rowsNote, QStringLiteral("each row sums to 1"));
    QCOMPARE(content->title, QStringLiteral("Example sentence — weights, head %1, causal").arg(document.head().head));
    document.reset(workedExample());
    QVERIFY(!contentOf(document)->origin.contains(QStringLiteral("untrained")));
}

void MapContentTest::lastValidInputIsSaid()
{
    Document document;
    document.reset(workedExample());
    QVERIFY(contentOf(document)->notice.isEmpty());
    edit(document, [](Session &session) {
        auto source = std::get<MatricesSource>(session.source);
        source.heads.front().k = source.heads.front().k.withColsRemoved(3, 1);
        session.source = source;
    });
    QCOMPARE(contentOf(document)->notice, QStringLiteral("Last valid input. Follows again when K fits."));
}

void MapContentTest::nothingIsShownWhileARangeIsUnknown()
{
    Document document;
    edit(document, [](Session &session) { session.view.stage = Stage::Scores; });
    QVERIFY(!mapContent(document, [](const std::vector<MapFieldPtr> &) { return std::optional<FieldRange>(); }));
}

void MapContentTest::scoresDivergeAboutZeroAndShareOneRange()
{
    Document document;
    edit(document, [](Session &session) { session.view.stage = Stage::Scores; });
    const ColorMap first = contentOf(document)->panels.front().colors;
    QCOMPARE(first.lower(), -first.upper());
    HeadRef head = document.head();
    double largest = 0.0;
    for (head.head = 0; head.head < headCount(document.block(), document.result()->spec); ++head.head) {
        const MapFieldPtr field = document.headField(head);
        for (Index row = 0; row < field->rows(); ++row) {
            for (Index col = 0; col < field->cols(); ++col)
                largest = std::max(largest, std::abs(field->at(row, col)));
        }
    }
    QVERIFY(std::abs(first.upper() - largest) < 1e-5 * largest);
    head.head = (document.head().head + 1) % headCount(document.block(), document.result()->spec);
    document.pickHead(head);
    QVERIFY(contentOf(document)->panels.front().colors == first);
}

void MapContentTest::ownRangeIsThatOfTheMap()
{
    Document document;
    document.reset(workedExample());
    edit(document, [](Session &session) { session.view.range = ColorRange::Own; });
    const ColorMap own = contentOf(document)->panels.front().colors;
    QCOMPARE(own.lower(), 0.0);
    QVERIFY(std::abs(own.upper() - 0.5065) < 1e-4);
    // Maps side by side never have ranges of their own.
    edit(document, [](Session &session) { session.comparison = withCausalMask(session.mechanism, true); });
    QCOMPARE(contentOf(document)->panels.front().colors.upper(), 1.0);
}

void MapContentTest::rowsUpToTheirLargestSaySo()
{
    Document document;
    edit(document, [](Session &session) {
        session.view.range = ColorRange::Row;
        session.view.scale = ColorScale::Logarithmic;
    });
    const auto content = contentOf(document);
    QVERIFY(content->panels.front().isByRow);
    QCOMPARE(content->scaleTitle, QString::fromUtf8("÷ largest of the row"));
    QCOMPARE(content->panels.front().colors.upper(), 1.0);
    // The map itself has the weights.
    QVERIFY(content->panels.front().field == document.headField(document.head()));
    edit(document, [](Session &session) { session.comparison = withCausalMask(session.mechanism, false); });
    const auto compared = contentOf(document);
    QVERIFY(compared->panels.at(1).isByRow);
    QVERIFY(!compared->panels.at(2).isByRow);
    // Scores have no sum to share.
    edit(document, [](Session &session) { session.view.stage = Stage::Scores; });
    QVERIFY(!contentOf(document)->panels.front().isByRow);
}

void MapContentTest::tooFewAndTooManyNamesAreSaid()
{
    Document document;
    const Matrix weights = Matrix::Constant(3, 3, 1.0 / 3.0);
    document.reset(recordedSession(1, { weights }, { "a", "b" }));
    QCOMPARE(contentOf(document)->origin, QStringLiteral("2 tokens for 3 positions; the others are shown as positions"));
    document.reset(recordedSession(1, { weights }, { "a", "b", "c", "d" }));
    QCOMPARE(contentOf(document)->origin, QStringLiteral("4 tokens for 3 positions; the last 1 is left out"));
    document.reset(recordedSession(1, { weights }, { "a", "b", "c" }));
    QCOMPARE(contentOf(document)->origin, QString());
}

void MapContentTest::manyKeysAreLogarithmic()
{
    Document document;
    useTokens(document, 129);
    QVERIFY(contentOf(document)->panels.front().colors.isLogarithmic());
    QCOMPARE(contentOf(document)->scaleTitle, QStringLiteral("weight, logarithmic"));
    edit(document, [](Session &session) { session.view.scale = ColorScale::Linear; });
    QVERIFY(!contentOf(document)->panels.front().colors.isLogarithmic());
    edit(document, [](Session &session) { session.view.scale = ColorScale::Automatic; });
    useTokens(document, 128);
    QVERIFY(!contentOf(document)->panels.front().colors.isLogarithmic());
}

void MapContentTest::combinedHeadsSaySo()
{
    Document document;
    const int heads = headCount(document.block(), document.result()->spec);
    edit(document, [](Session &session) { session.view.headsShown = HeadsShown::Mean; });
    QVERIFY(contentOf(document)->origin.contains(QStringLiteral("mean over %1 heads").arg(heads)));
    edit(document, [](Session &session) { session.view.headsShown = HeadsShown::Max; });
    QVERIFY(contentOf(document)->origin.contains(QStringLiteral("largest of %1 heads").arg(heads)));
    QVERIFY(contentOf(document)->rowsNote.isEmpty());
}

void MapContentTest::rowsThatSeeNothingAreNoted()
{
    Document document;
    edit(document, [](Session &session) {
        BitMatrix allowed(10, 10, true);
        for (Index key = 0; key < 10; ++key)
            allowed.set(4, key, false);
        session.mechanism.mask.allowed = allowed;
    });
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("each row that sees a key sums to 1"));
}

void MapContentTest::rowsWithNanAreSetApart()
{
    Document document;
    Session session = workedExample();
    auto &q = std::get<MatricesSource>(session.source).heads.front().q;
    q = q.withCell(1, 0, std::nan(""));
    document.reset(session);
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("each row without NaN sums to 1"));
}

void MapContentTest::rowsNotSummingToOneAreThoseOfTheShownHeads()
{
    Document document;
    const Matrix even = Matrix::Constant(2, 2, 0.5);
    document.reset(recordedSession(2,
        { even, Matrix{ { 7.0, 0.0 }, { -0.5, 0.5 } }, Matrix{ { std::numeric_limits<double>::infinity(), 0.0 }, { 0.0, 1.0 } }, even }));
    document.pickHead({ 0, 0, 0, 0 });
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("each row sums to 1"));
    document.pickHead({ 0, 0, 1, 0 });
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("2 rows do not sum to 1"));
    document.pickHead({ 0, 1, 0, 0 });
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("1 row does not sum to 1"));
    document.pickHead({ 0, 1, 1, 0 });
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("each row sums to 1"));
    // Heads shown together are those of the layer.
    edit(document, [](Session &session) { session.view.headsShown = HeadsShown::Mean; });
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("1 row does not sum to 1"));
    document.pickHead({ 0, 0, 0, 0 });
    edit(document, [](Session &session) { session.view.headsShown = HeadsShown::Mean; });
    QCOMPARE(contentOf(document)->rowsNote, QStringLiteral("2 rows do not sum to 1"));
}

void MapContentTest::mechanismsAreNamedByWhatDiffers_data()
{
    QTest::addColumn<AttentionSpec>("first");
    QTest::addColumn<AttentionSpec>("second");
    QTest::addColumn<QString>("firstTitle");
    QTest::addColumn<QString>("secondTitle");
    const AttentionSpec plain;
    const auto with = [&](auto change) {
        AttentionSpec spec;
        change(spec);
        return spec;
    };
    QTest::newRow("mask") << withCausalMask(plain, true) << plain << QStringLiteral("Causal") << QStringLiteral("Unmasked");
    QTest::newRow("temperature") << plain << with([](AttentionSpec &spec) { spec.temperature = 0.5; }) << QStringLiteral("Temperature 1")
                                 << QStringLiteral("Temperature 0.5");
    QTest::newRow("score") << plain << with([](AttentionSpec &spec) { spec.score = ScoreFunction::Dot; })
                           << QStringLiteral("Scaled dot product") << QStringLiteral("Dot product");
    QTest::newRow("scale") << with([](AttentionSpec &spec) { spec.scale = 1.0; }) << plain << QStringLiteral("Scale 1")
                           << QStringLiteral("Usual scale");
    QTest::newRow("same rule, other window") << with([](AttentionSpec &spec) {
        spec.mask.rule = MaskRule::SlidingWindow;
        spec.mask.window = 2;
    }) << with([](AttentionSpec &spec) { spec.mask.rule = MaskRule::SlidingWindow; })
                                             << QStringLiteral("First") << QStringLiteral("Second");
}

void MapContentTest::mechanismsAreNamedByWhatDiffers()
{
    QFETCH(AttentionSpec, first);
    QFETCH(AttentionSpec, second);
    const Document document;
    const auto [one, other] = mechanismTitles(first, second, document.block());
    QTEST(one.title, "firstTitle");
    QTEST(other.title, "secondTitle");
    QVERIFY(one.title != other.title || one.subtitle != other.subtitle);
}

void MapContentTest::aMissingStageOfTheOtherMechanismIsSaid()
{
    Document document;
    edit(document, [](Session &session) {
        session.comparison = session.mechanism;
        session.mechanism.temperature = 2.0;
        session.view.stage = Stage::Tempered;
    });
    const auto content = contentOf(document);
    QVERIFY(content);
    QCOMPARE(content->panels.size(), std::size_t(1));
    QCOMPARE(content->panels.front().subtitle, QStringLiteral("Temperature 1 has no such map"));
}

void MapContentTest::rangeIgnoresInfinityAndMaskedCells()
{
    Matrix cells(2, 3);
    cells << -3.0, 2.0, std::numeric_limits<double>::infinity(), cell::masked<double>(), std::numeric_limits<double>::quiet_NaN(),
        cell::absent<double>();
    QCOMPARE(measureRange({ matrixField(cells) }), (FieldRange{ 3.0, -3.0, 2.0, false }));
    QCOMPARE(measureRange({ matrixField(Matrix::Constant(2, 2, 0.5)), matrixField(cells) }).magnitude, 3.0);
}

void MapContentTest::largeFieldsAreSampled()
{
    // Rows are numbered; the first and the last are among those looked at.
    class Numbered : public MapField {
    public:
        [[nodiscard]] Index rows() const override { return 100000; }
        [[nodiscard]] Index cols() const override { return 64; }
        void row(Index row, Index, std::span<double> out) const override { std::fill(out.begin(), out.end(), static_cast<double>(row)); }
    };
    QCOMPARE(measureRange({ std::make_shared<Numbered>() }), (FieldRange{ 99999.0, 0.0, 99999.0, true }));
}

namespace {

/// Rows that are numbered, and counted as they are read.
class CostlyOutput : public MapField {
public:
    explicit CostlyOutput(Index rows)
        : m_rows(rows)
    {
    }
    [[nodiscard]] Index rows() const override { return m_rows; }
    [[nodiscard]] Index cols() const override { return 2; }
    [[nodiscard]] Columns columns() const override { return Columns::Dimensions; }
    void row(Index row, Index, std::span<double> out) const override
    {
        ++rowsRead;
        std::fill(out.begin(), out.end(), static_cast<double>(row));
    }
    mutable std::atomic<int> rowsRead = 0;

private:
    Index m_rows;
};

} // namespace

void MapContentTest::costlyOutputsAreSampled()
{
    // Few numbers, but each takes a whole row of keys.
    const auto output = std::make_shared<CostlyOutput>(4096);
    QCOMPARE(measureRange({ output }), (FieldRange{ 4095.0, 0.0, 4095.0, true }));
    QCOMPARE(output->rowsRead.load(), 128);
    QCOMPARE(measureRange({ std::make_shared<CostlyOutput>(1000) }), (FieldRange{ 999.0, 0.0, 999.0, false }));
}

void MapContentTest::whatIsNotAtHandIsMeasuredInTheBackground()
{
    RangeCache cache;
    const MapFieldPtr costly = std::make_shared<CostlyOutput>(10);
    QCOMPARE(cache.range({ costly }), std::nullopt);
    QTRY_COMPARE(cache.range({ costly }), std::optional(FieldRange{ 9.0, 0.0, 9.0, false }));
    QCOMPARE(cache.range({ matrixField(Matrix::Constant(2, 2, 0.5)) }), std::optional(FieldRange{ 0.5, 0.0, 0.5, false }));
}

void MapContentTest::numbersOutsideTheScaleAreNoted_data()
{
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("lowest");
    QTest::addColumn<double>("highest");
    const double none = std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("inside") << 1.0 << none << none;
    QTest::newRow("rounding") << 1.0 + 1e-6 << none << none;
    QTest::newRow("above") << 1.375 << none << 1.375;
    QTest::newRow("below") << -0.25 << -0.25 << none;
    QTest::newRow("infinite ones are marked in the map") << std::numeric_limits<double>::infinity() << none << none;
}

void MapContentTest::numbersOutsideTheScaleAreNoted()
{
    QFETCH(double, first);
    Matrix weights(2, 2);
    weights << first, 0.0, 0.5, 0.5;
    auto tensors = std::make_shared<TensorSet>();
    tensors->tensors.push_back({ "attention", "a.npy", Tensor::fromMatrix(weights) });
    FileSource source;
    source.tensors = tensors;
    source.uses = recognise(*tensors);
    Document document;
    edit(document, [&source](Session &session) {
        session.source = source;
        session.mechanism = {};
    });
    QVERIFY(document.block().hasWeightsOnly());
    const auto content = contentOf(document);
    QVERIFY(content);
    const double none = std::numeric_limits<double>::quiet_NaN();
    QTEST(content->lowest.value_or(none), "lowest");
    QTEST(content->highest.value_or(none), "highest");
}

QTEST_GUILESS_MAIN(MapContentTest)
#include "tst_map_content.moc"
