// SPDX-License-Identifier: GPL-3.0-or-later
// Lines between tokens: numbers at their ends, what is hidden, strength and colour at known places.
#include "attention/explain.h"
#include "views/lines/line_raster.h"
#include "views/lines/lines_scene.h"
#include "views/lines/lines_view.h"

#include "support/painted.h"
#include "support/recorded_session.h"

#include <QPainter>
#include <QSemaphore>
#include <QTest>

#include <set>

using namespace attenscope;

namespace {

LinesContent contentOf(const Document &document)
{
    FieldCache fields;
    auto content = linesContent(document, fields);
    return content.value_or(LinesContent{});
}

LinesScene sceneOf(const LinesContent &content, const LitTokens &lit = {})
{
    LinesScene scene;
    scene.content = content;
    scene.style = { Theme::light(), pictureFont() };
    scene.layout = LinesLayout(content, scene.style, QSizeF(700.0, 600.0));
    scene.ends = lineEnds(content, lit, { 0, content.rows() });
    return scene;
}

const Matrix small{ { 1.0, 0.0, 0.0 }, { 0.6, 0.4, 0.0 }, { 0.5, 0.3, 0.2 } };

void setFilter(Document &document, const WeightFilter &filter)
{
    Session next = document.session();
    next.view.filter = filter;
    document.edit(next, QStringLiteral("filter"));
}

} // namespace

class TestLines : public QObject {
    Q_OBJECT

private slots:
    void endsOfComputedHeadsAreWhatExplainSays()
    {
        Document document;
        for (int number = 0; number < 4; ++number) {
            document.pickHead({ 0, 0, number, 0 });
            const auto head = document.result()->find(document.head());
            const auto stages = explain(*head->operands, { 0, 10 });
            QVERIFY(static_cast<bool>(stages));
            for (Index row = 0; row < 10; ++row) {
                const LineEnds ends = lineEnds(contentOf(document), { TokenSide::Queries, { row } }, { 0, 10 });
                for (Index key = 0; key < 10; ++key) {
                    const double cell = ends.heads.front().cells[static_cast<std::size_t>(key)];
                    if (key > row)
                        QCOMPARE(endText(cell), QStringLiteral("masked"));
                    else
                        QCOMPARE(cell, stages.value().weights(row, key));
                }
            }
            const LineEnds column = lineEnds(contentOf(document), { TokenSide::Keys, { 2 } }, { 0, 10 });
            for (Index row = 2; row < 10; ++row)
                QCOMPARE(column.heads.front().cells[static_cast<std::size_t>(row)], stages.value().weights(row, 2));
        }
    }

    void endsOfRecordedHeadsAreTheNumbersOfTheFile()
    {
        Document document;
        document.reset(recordedSession(1, { small, small.transpose() }));
        document.pickHead({ 0, 0, 1, 0 });
        const LineEnds ends = lineEnds(contentOf(document), { TokenSide::Queries, { 1 } }, { 0, 3 });
        QCOMPARE(ends.heads.front().cells, (std::vector<double>{ 0.0, 0.4, 0.3 }));
        QCOMPARE(endText(0.43794), QStringLiteral("0.4379"));
    }

    void smallWeightsKeepTheirSize()
    {
        QCOMPARE(endText(1.5e-6), QStringLiteral("1.5e−06"));
        QCOMPARE(endText(0.0), QStringLiteral("0.0000"));
        QCOMPARE(endText(0.25, true), QStringLiteral("+0.2500"));
        QCOMPARE(endText(-1.5e-6, true), QStringLiteral("−1.5e−06"));
        // Rounding is no difference.
        QCOMPARE(endText(1e-17, true), QStringLiteral("0.0000"));
        // And there is room for them, the largest in bold.
        Document document;
        document.reset(recordedSession(1, { small }));
        const LinesScene scene = sceneOf(contentOf(document));
        QFont bold = scene.style.tokenFont();
        bold.setBold(true);
        QVERIFY(scene.layout.numberWidth >= QFontMetricsF(bold).horizontalAdvance(endText(1.5e-6)));
    }

    void namesOfLatePositionsAreWhole()
    {
        constexpr Index count = 12'000;
        class EmptyField : public MapField {
        public:
            [[nodiscard]] Index rows() const override { return count; }
            [[nodiscard]] Index cols() const override { return count; }
            void row(Index, Index, std::span<double> out) const override { std::fill(out.begin(), out.end(), 0.0); }
        };
        Document document;
        document.reset(recordedSession(1, { small }));
        LinesContent content = contentOf(document);
        AttentionInput input = *content.input;
        AttentionBlock &block = input.blocks.front();
        block.queries = block.keys = count;
        block.queryTokens.clear();
        for (Index token = 0; token < count; ++token)
            block.queryTokens.push_back(std::to_string(token));
        block.keyTokens = block.queryTokens;
        content.input = std::make_shared<const AttentionInput>(std::move(input));
        content.heads.front().weights = std::make_shared<EmptyField>();
        content.queries = content.keys = { 0, count };
        const LinesLayout layout = sceneOf(content).layout;
        // As if the first one were as long as the last.
        AttentionInput longer = *content.input;
        longer.blocks.front().queryTokens.front() = longer.blocks.front().keyTokens.front() = "11999";
        content.input = std::make_shared<const AttentionInput>(std::move(longer));
        const LinesLayout expected = sceneOf(content).layout;
        QCOMPARE(layout.queryRight - layout.queryLeft, expected.queryRight - expected.queryLeft);
        QCOMPARE(layout.rightNumbers - layout.keyLeft, expected.rightNumbers - expected.keyLeft);
    }

    void gatheringCanBeStoppedAndContinued()
    {
        // Rows that come one by one as they are let through.
        class GatedField : public MapField {
        public:
            [[nodiscard]] Index rows() const override { return 200; }
            [[nodiscard]] Index cols() const override { return 200; }
            void row(Index, Index, std::span<double> out) const override
            {
                gate.acquire();
                std::fill(out.begin(), out.end(), 0.005);
            }
            mutable QSemaphore gate;
        };
        Document document;
        document.reset(recordedSession(1, { small }));
        LinesContent content = contentOf(document);
        const auto field = std::make_shared<GatedField>();
        content.heads.front().weights = field;
        LineRows rows;
        rows.setContent(content, { 0, 10 });
        QVERIFY(rows.isRunning());
        QCOMPARE(rows.progress(), (std::pair<Index, Index>(0, 200)));
        rows.stop();
        QVERIFY(!rows.isRunning());
        field->gate.release(1'000);
        QTest::qWait(50);
        QCOMPARE(rows.progress(), (std::pair<Index, Index>(0, 200)));
        rows.resume();
        QTRY_COMPARE(rows.progress(), (std::pair<Index, Index>(200, 200)));
        QVERIFY(rows.isComplete());
    }

    void weightsOfSeveralPickedTokensAreAdded()
    {
        Document document;
        document.reset(recordedSession(1, { small }));
        const LineEnds rows = lineEnds(contentOf(document), { TokenSide::Queries, { 2, 1 } }, { 0, 3 });
        const std::vector<double> sums{ 1.1, 0.7, 0.2 };
        for (std::size_t key = 0; key < 3; ++key)
            QCOMPARE(rows.heads.front().cells[key], sums[key]);
        const LineEnds cols = lineEnds(contentOf(document), { TokenSide::Keys, { 0, 2 } }, { 0, 3 });
        QCOMPARE(cols.heads.front().cells, (std::vector<double>{ 1.0, 0.6, 0.7 }));
    }

    void maskedAddsNothingAndStaysMaskedAlone()
    {
        Document document; // Causal.
        const auto weights = document.headField(document.head());
        const LineEnds ends = lineEnds(contentOf(document), { TokenSide::Queries, { 3, 1 } }, { 0, 10 });
        const auto &cells = ends.heads.front().cells;
        QCOMPARE(cells[0], weights->at(3, 0) + weights->at(1, 0));
        QCOMPARE(cells[2], weights->at(3, 2));
        QCOMPARE(cell::kind(cells[4]), cell::Kind::Masked);
    }

    void hiddenWeightIsCounted_data()
    {
        QTest::addColumn<double>("threshold");
        QTest::addColumn<int>("most");
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << 0 << 1.0 << QString();
        // Row 2 loses 0.3 and 0.2; of all rows 0.5 of 3.
        QTest::newRow("threshold") << 0.35 << 0 << 1.0
                                   << QStringLiteral("Row 2: 2 lines hidden, 50.00 % of the weight. Whole head: 16.67 %.");
        // Rows 1 and 2 lose 0.4 and 0.5.
        QTest::newRow("top k") << 0.0 << 1 << 1.0 << QStringLiteral("Row 2: 2 lines hidden, 50.00 % of the weight. Whole head: 30.00 %.");
        // 0.5 and 0.3 have 0.75 of row 2; 0.6 and 0.4 of row 1.
        QTest::newRow("top p") << 0.0 << 0 << 0.75 << QStringLiteral("Row 2: 1 line hidden, 20.00 % of the weight. Whole head: 6.67 %.");
    }
    void hiddenWeightIsCounted()
    {
        QFETCH(double, threshold);
        QFETCH(int, most);
        QFETCH(double, share);
        QFETCH(QString, text);
        Document document;
        document.reset(recordedSession(1, { small }));
        setFilter(document, { threshold, most, share });
        const LinesContent content = contentOf(document);
        const LineEnds ends = lineEnds(content, { TokenSide::Queries, { 2 } }, { 0, 3 });
        QCOMPARE(hiddenText(content, ends, allLines(content)), text);
        // Hiding changes no number.
        QCOMPARE(ends.heads.front().cells, (std::vector<double>{ 0.5, 0.3, 0.2 }));
    }

    void strengthIsTheWeight_data()
    {
        QTest::addColumn<double>("weight");
        for (const double weight : { 1.0, 0.5, 0.1, 0.02 })
            QTest::addRow("%g", weight) << weight;
    }
    void strengthIsTheWeight()
    {
        QFETCH(double, weight);
        Matrix weights = Matrix::Zero(3, 3);
        weights(1, 1) = weight;
        for (int heads = 1; heads <= 3; ++heads) {
            Document document;
            Session next = recordedSession(1, [&] {
                std::vector<Matrix> layer(static_cast<std::size_t>(heads), Matrix::Zero(3, 3));
                layer.front() = weights;
                return layer;
            }());
            next.view.head = {};
            for (int more = 1; more < heads; ++more)
                next.view.moreHeads.push_back({ 0, 0, more, 0 });
            document.reset(next);
            const LinesContent content = contentOf(document);
            QCOMPARE(content.heads.size(), static_cast<std::size_t>(heads));
            const LinesScene scene = sceneOf(content, { TokenSide::Queries, { 1 } });
            const double top = scene.layout.middle(TokenSide::Queries, 1) + scene.layout.offset(0) - 10.5;
            const QImage image = linesImage(scene, allLines(content), { top, 21.0, 1.0 });
            const QColor middle = image.pixelColor(image.width() / 2, 10);
            QVERIFY(std::abs(middle.alphaF() - weight) < 0.004);
            if (weight == 1.0)
                QCOMPARE(middle, lineColor(content, 0, Theme::light()));
            QCOMPARE(image.pixelColor(image.width() / 2, 8).alpha(), 0);
            // Lit, it is eight times as wide, cut to whole pixels here.
            const QImage lit = litLinesImage(scene, allLines(content), { top, 21.0, 1.0 });
            double ink = 0.0;
            for (int y = 0; y < 21; ++y)
                ink += lit.pixelColor(lit.width() / 2, y).alphaF();
            QVERIFY(std::abs(ink - 8.0 * weight) < 0.02);
        }
    }

    void faintLinesAddUp()
    {
        constexpr int lines = 200;
        LineRaster raster(20, 9);
        for (int line = 0; line < lines; ++line)
            raster.add({ 0.0, 4.5 }, { 20.0, 4.5 }, 0.002);
        QImage image(20, 9, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        raster.blendOver(image, Qt::black);
        QCOMPARE(image.pixelColor(10, 4).red(), static_cast<int>(std::lround(255.0 * std::pow(0.998, lines))));
        QCOMPARE(image.pixelColor(10, 3), QColor(Qt::white));
    }

    void steepLinesAreAsStrongAsFlatOnes()
    {
        // A line covers its width times its length, whichever way it goes.
        for (const QPointF &end : { QPointF(90.0, 50.0), QPointF(90.0, 90.0), QPointF(55.0, 90.0), QPointF(50.0, 90.0) }) {
            const QPointF start(50.0, 10.0);
            LineRaster raster(100, 100);
            raster.add(start, end, 2.0);
            QImage image(100, 100, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            raster.blendOver(image, Qt::black);
            double ink = 0.0;
            for (int y = 0; y < 100; ++y) {
                for (int x = 0; x < 100; ++x)
                    ink += image.pixelColor(x, y).alphaF();
            }
            const double length = std::hypot(end.x() - start.x(), end.y() - start.y());
            QVERIFY2(std::abs(ink - 2.0 * length) < 0.02 * ink, qPrintable(QString::number(ink / length)));
        }
    }

    void headsHaveColoursOfTheirOwn()
    {
        for (const Theme *theme : { &Theme::light(), &Theme::dark() }) {
            std::set<QRgb> colors;
            for (std::size_t place = 0; place < 144; ++place)
                colors.insert(headColor(place, *theme).rgb());
            QCOMPARE(colors.size(), 144U);
        }
        QCOMPARE(headColor(0, Theme::light()).name(), QStringLiteral("#0072b2"));
        QCOMPARE(headColor(7, Theme::light()), Theme::light().text);
        Document document;
        document.pickHead({});
        Session next = document.session();
        // The picked one, one of a layer that is not there and one twice.
        next.view.moreHeads = { { 0, 0, 0, 0 }, { 0, 0, 2, 0 }, { 0, 5, 1, 0 }, { 0, 0, 2, 0 } };
        document.edit(next, QStringLiteral("heads"));
        const LinesContent content = contentOf(document);
        QCOMPARE(content.heads.size(), 2U);
        QVERIFY(lineColor(content, 0, Theme::light()) != lineColor(content, 1, Theme::light()));
        // Side by side in a row.
        const LinesLayout layout = sceneOf(content).layout;
        QVERIFY(layout.offset(0) < 0.0 && layout.offset(1) == -layout.offset(0));
        QVERIFY(2.0 * layout.offset(1) < layout.rowHeight);
        const LineEnds ends = lineEnds(content, { TokenSide::Queries, { 7 } }, { 0, 10 });
        QCOMPARE(ends.heads[1].cells[1], document.headField({ 0, 0, 2, 0 })->at(7, 1));
    }

    void pairsOfSentencesHideTheOthers_data()
    {
        QTest::addColumn<SentencePairs>("pairs");
        QTest::addColumn<QRect>("cells"); // x: keys, y: queries
        QTest::newRow("all") << SentencePairs::All << QRect(0, 0, 5, 5);
        QTest::newRow("A to A") << SentencePairs::WithinA << QRect(0, 0, 3, 3);
        QTest::newRow("A to B") << SentencePairs::FromAToB << QRect(3, 0, 2, 3);
        QTest::newRow("B to A") << SentencePairs::FromBToA << QRect(0, 3, 3, 2);
        QTest::newRow("B to B") << SentencePairs::WithinB << QRect(3, 3, 2, 2);
    }
    void pairsOfSentencesHideTheOthers()
    {
        QFETCH(SentencePairs, pairs);
        QFETCH(QRect, cells);
        const int lines = cells.width() * cells.height();
        Document document;
        Session session = recordedSession(1, { Matrix::Constant(5, 5, 0.2) }, { "[CLS]", "a", "[SEP]", "b", "[SEP]" });
        session.view.pairs = pairs;
        document.reset(session);
        const LinesContent content = contentOf(document);
        QVERIFY(content.boundary == (SentenceBoundary{ 3, 3 }));
        const auto all = allLines(content);
        QCOMPARE(lineCount(all, sceneOf(content).layout.part()), Index(lines));
        QVERIFY(std::abs(hiddenShare(all.front()) - (25 - lines) / 25.0) < 1e-12);
        forEachLine(all.front(), sceneOf(content).layout.part(),
            [&](Index query, Index key, double) { QVERIFY(cells.contains(static_cast<int>(key), static_cast<int>(query))); });
    }

    void oneSentenceHasNoPairs()
    {
        AttentionBlock block;
        block.queries = block.keys = 4;
        block.queryTokens = block.keyTokens = { "<s>", "a", "b", "</s>" };
        QVERIFY(!sentenceBoundary(block, {}));
        block.queryTokens = block.keyTokens = { "a", "</s>", "</s>", "b" };
        QVERIFY(sentenceBoundary(block, {}) == (SentenceBoundary{ 3, 3 }));
        MaskSpec mask;
        mask.rule = MaskRule::Document;
        mask.documentStarts = { 0, 2 };
        QVERIFY(sentenceBoundary(block, mask) == (SentenceBoundary{ 2, 2 }));
    }

    void largeHeadsComeFromAJobWithTheSameLines()
    {
        Matrix weights = Matrix::Zero(600, 600);
        for (Index row = 0; row < 600; ++row) {
            for (Index key = 0; key <= row; ++key)
                weights(row, key) = 1.0 / static_cast<double>(row + 1);
        }
        Document document;
        document.reset(recordedSession(1, { weights }));
        QTRY_VERIFY(document.isCurrent());
        const LinesContent content = contentOf(document);
        LineRows rows;
        rows.setContent(content, { 300, 320 });
        QVERIFY(!rows.isComplete());
        QTRY_VERIFY(rows.isComplete());
        const auto all = allLines(content);
        const LinesPart part = sceneOf(content).layout.part();
        QCOMPARE(lineCount(rows.heads(), part), lineCount(all, part));
        // 1/511 is half a level of 255 and more, 1/512 is not... rows from 510 on have nothing that is seen.
        QCOMPARE(lineCount(all, part), Index(510 * 511 / 2));
    }

    void positionsStandBesideNamesOnly_data()
    {
        QTest::addColumn<Session>("session");
        QTest::addColumn<bool>("hasPositions");
        QTest::newRow("names") << exampleSentence() << true;
        QTest::newRow("no names, which are the positions then") << recordedSession(1, { small }) << false;
    }
    void positionsStandBesideNamesOnly()
    {
        QFETCH(Session, session);
        QFETCH(bool, hasPositions);
        Document document;
        document.reset(session);
        Selection selection;
        const auto picture = linesPicture(document, selection);
        QVERIFY(picture);
        const QImage image = painted(*picture);
        const LinesLayout layout(contentOf(document), { Theme::light(), pictureFont() }, picture->size);
        bool isInked = false;
        for (int y = static_cast<int>(layout.headHeight); y < image.height(); ++y)
            for (int x = static_cast<int>(layout.left); x < static_cast<int>(layout.leftNumbers); ++x)
                isInked = isInked || image.pixelColor(x, y).lightness() < 160;
        QCOMPARE(isInked, hasPositions);
    }

    void figuresHaveWhatThePageHas()
    {
        Document document;
        document.reset(recordedSession(1, { small }));
        Selection selection;
        selection.setPicked(CellRef{ 0, -1 });
        setFilter(document, { 0.35, 0, 1.0 });
        const auto picture = linesPicture(document, selection);
        QVERIFY(picture);
        QVERIFY2(picture->title.contains(QStringLiteral(" — lines, head 0")), qPrintable(picture->title));
        QCOMPARE(picture->notes.front(), QStringLiteral("Row 0: 0 lines hidden, 0.00 % of the weight. Whole head: 16.67 %."));
        const QImage image = painted(*picture);
        // The line of weight 1 is eight pixels of the accent.
        const LinesLayout layout(contentOf(document), { Theme::light(), pictureFont() }, QSizeF(720.0, 1000.0));
        const QPointF middle((layout.leftDot + layout.rightDot) / 2.0, layout.headHeight + layout.middle(TokenSide::Queries, 0));
        QCOMPARE(image.pixelColor(middle.toPoint()), Theme::light().accent);
    }
};

QTEST_MAIN(TestLines)
#include "tst_lines.moc"
