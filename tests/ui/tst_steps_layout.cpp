// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of steps show as much as their room allows, fold the rest and say so.
#include "support/painted.h"
#include "support/steps.h"
#include "views/steps/row_walk_page.h"
#include "views/steps/steps_canvas.h"
#include "views/steps/steps_list.h"
#include "views/steps/walk_figure.h"

#include <QApplication>
#include <QScrollBar>
#include <QtTest>

using namespace attenscope;

class StepsLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void foldedAxisSaysHowManyAreLeftOut_data();
    void foldedAxisSaysHowManyAreLeftOut();
    void longSumSaysHowManyTermsAreFolded();
    void foldedKeysArePassedOverWhilePlaying();
    void everyKeyIsReachedStepByStep();
    void narrowPageFoldsAndUnfoldedPageScrolls();
    void tenTokensShowAllTheirKeys();
    void arithmeticIsSeenWhereThePageIsScrolled();
    void clickOnFoldedKeysShowsThem();
    void smallNumbersDoNotWidenTheirMatrix();
    void positionsAreWrittenWhole_data();
    void positionsAreWrittenWhole();
    void anotherQueryIsScrolledTo();
    void lettersOfFiguresFillTheSheet();
    void lettersOfProjectorsFitThePage();
};

void StepsLayoutTest::foldedAxisSaysHowManyAreLeftOut_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("pinned");
    QTest::addColumn<std::vector<Index>>("shown");
    QTest::newRow("fits") << 4 << 4 << 0 << std::vector<Index>{ 0, 1, 2, 3 };
    QTest::newRow("pinned at the start") << 64 << 6 << 2 << std::vector<Index>{ 0, 1, 2, 3, 4, 63 };
    QTest::newRow("pinned at the end of the first part") << 64 << 6 << 4 << std::vector<Index>{ 0, 1, 2, 3, 4, 63 };
    QTest::newRow("pinned in the second part") << 64 << 6 << 5 << std::vector<Index>{ 0, 5, 6, 7, 8, 63 };
    QTest::newRow("pinned in the middle") << 64 << 6 << 30 << std::vector<Index>{ 0, 29, 30, 31, 32, 63 };
    QTest::newRow("pinned at the end") << 64 << 6 << 63 << std::vector<Index>{ 0, 1, 2, 3, 4, 63 };
    QTest::newRow("pinned before the end") << 64 << 6 << 62 << std::vector<Index>{ 0, 59, 60, 61, 62, 63 };
    QTest::newRow("a fold of one is shown") << 7 << 6 << 0 << std::vector<Index>{ 0, 1, 2, 3, 4, 5, 6 };
    QTest::newRow("three at least") << 64 << 1 << 30 << std::vector<Index>{ 0, 30, 63 };
}

void StepsLayoutTest::foldedAxisSaysHowManyAreLeftOut()
{
    QFETCH(int, size);
    QFETCH(int, limit);
    QFETCH(int, pinned);
    QFETCH(std::vector<Index>, shown);
    const FoldedAxis axis = folded(size, static_cast<std::size_t>(limit), pinned);
    QCOMPARE(axis.shown, shown);
    Index all = static_cast<Index>(axis.shown.size());
    for (std::size_t place = 0; place <= axis.shown.size(); ++place)
        all += axis.hiddenBefore(place);
    QCOMPARE(all, Index{ size });
}

void StepsLayoutTest::longSumSaysHowManyTermsAreFolded()
{
    const Case c = sdpaCase(3, 3, 64);
    const StepContent content = contentOf(c.block, c.spec, 0);
    StepFolds folds;
    const StepPage page = stepPage(content, { WalkStep::Scores, 0, 0 }, folds);
    QVERIFY2(page.arithmetic.contains(QStringLiteral("+ … 58 more +")), qPrintable(page.arithmetic));
    QCOMPARE(page.grids.front().cols.shown.size(), std::size_t{ 6 });
    QCOMPARE(page.grids.front().cols.hiddenBefore(5), Index{ 58 });
    QVERIFY(page.grids.front().shape.contains(QStringLiteral("64")));
    folds.more[StepAxis::Dimensions] = 58;
    const StepPage whole = stepPage(content, { WalkStep::Scores, 0, 0 }, folds);
    QCOMPARE(whole.arithmetic.count(QStringLiteral("·")), 64);
    QVERIFY(!whole.arithmetic.contains(QStringLiteral("…")));
}

void StepsLayoutTest::foldedKeysArePassedOverWhilePlaying()
{
    const Case c = sdpaCase(3, 40, 4);
    const StepContent content = contentOf(c.block, c.spec, 0);
    std::vector<Index> keys;
    std::optional<StepPosition> at = StepPosition{ WalkStep::Scores, 0, 0 };
    for (; at && at->step == WalkStep::Scores; at = playedPosition(content, *at, {}))
        keys.push_back(at->key);
    QCOMPARE(keys, (std::vector<Index>{ 0, 1, 2, 3, 4, 39 }));
    // Numbers are passed over in both directions.
    const Case wide = sdpaCase(3, 3, 4, 40);
    const StepContent numbers = contentOf(wide.block, wide.spec, 0);
    const Index last = numbers.walk.output.size() - 1;
    QVERIFY(last > 5);
    QCOMPARE(nextPosition(numbers, { WalkStep::Output, 0, 4 }, {}, 1)->dim, last);
    QCOMPARE(nextPosition(numbers, { WalkStep::Output, 0, last }, {}, -1)->dim, Index{ 4 });
    // From a key that was picked among the folded ones to the end of its part.
    QCOMPARE(playedPosition(content, { WalkStep::Scores, 20, 0 }, {})->key, Index{ 39 });
    QCOMPARE(playedPosition(content, { WalkStep::Scores, 18, 0 }, {})->key, Index{ 19 });
}

void StepsLayoutTest::everyKeyIsReachedStepByStep()
{
    const Case c = sdpaCase(3, 40, 4);
    const StepContent content = contentOf(c.block, c.spec, 0);
    std::optional<StepPosition> at = StepPosition{ WalkStep::Scores, 0, 0 };
    for (Index key = 0; key < 40; ++key) {
        QCOMPARE(*at, (StepPosition{ WalkStep::Scores, key, 0 }));
        // And is shown: the part of the row that is unfolded moves with it.
        const StepPage page = stepPage(content, *at, {});
        QVERIFY(
            std::any_of(page.chips.begin(), page.chips.end(), [key](const StepChip &chip) { return chip.key == key && chip.isActive; }));
        for (const StepGrid &grid : page.grids)
            QVERIFY(grid.colAxis != StepAxis::Keys || grid.activeCol);
        at = nextPosition(content, *at, {}, 1);
    }
    QCOMPARE(at->step, WalkStep::Scaled);
    QCOMPARE(nextPosition(content, *at, {}, -1), (std::optional<StepPosition>{ { WalkStep::Scores, 39, 0 } }));
}

void StepsLayoutTest::narrowPageFoldsAndUnfoldedPageScrolls()
{
    const Case c = sdpaCase(30, 30, 32);
    const StepContent content = contentOf(c.block, c.spec, 0);
    const StepStyle style{ Theme::light(), QApplication::font() };
    const StepScene wide(content, { WalkStep::Scores, 0, 0 }, {}, style, QSizeF(2000, 1200));
    const StepScene narrow(content, { WalkStep::Scores, 0, 0 }, {}, style, QSizeF(560, 500));
    const auto shown = [](const StepScene &scene) { return scene.page().grids.front().cols.shown.size(); };
    QVERIFY(shown(narrow) < shown(wide));
    QVERIFY(shown(wide) > 20);
    QVERIFY(narrow.size().width() <= 560);
    StepFolds unfolded;
    unfolded.more[StepAxis::Dimensions] = 48;
    const StepScene open(content, { WalkStep::Scores, 0, 0 }, unfolded, style, QSizeF(560, 500));
    QVERIFY(open.size().width() > 1000);
    QCOMPARE(open.page().grids.front().cols.shown.size(), std::size_t{ 32 });
}

namespace {

/// The example of the first start.
StepContent exampleContent()
{
    const Session session = exampleSentence();
    const AttentionInput input = buildInput(session.source).value();
    return contentOf(input.blocks.front(), session.mechanism, 7);
}

StepStyle styleOf(int letters)
{
    StepStyle style;
    style.font = QApplication::font();
    return style.withLetters(letters);
}

} // namespace

void StepsLayoutTest::tenTokensShowAllTheirKeys()
{
    const StepContent content = exampleContent();
    QCOMPARE(content.walk.keys(), Index{ 10 });
    // The page of a window of 1400 x 900 with both docks.
    for (const WalkStep step : content.walk.steps) {
        const StepScene scene(content, clamped(content, { step, 4, 0 }), {}, styleOf(13), QSizeF(600, 640));
        QVERIFY2(!scene.page().foldedAxes().contains(StepAxis::Keys), qPrintable(stepTitle(content, step).first));
        QVERIFY(scene.size().width() <= 600);
        QVERIFY(!scene.page().foldedAxes().contains(StepAxis::Dimensions));
        QVERIFY(!scene.page().foldedAxes().contains(StepAxis::Values));
    }
}

void StepsLayoutTest::arithmeticIsSeenWhereThePageIsScrolled()
{
    const StepContent content = exampleContent();
    const StepScene scene(content, { WalkStep::Scores, 4, 0 }, {}, styleOf(13), QSizeF(600, 300));
    QVERIFY(scene.size().height() > 300);
    for (const double top : { 0.0, 100.0, scene.size().height() - 300.0 }) {
        const QRectF visible(0.0, top, 600.0, 300.0);
        QVERIFY(visible.contains(scene.arithmeticIn(visible)));
        QVERIFY(!scene.hitAt(scene.arithmeticIn(visible).center(), visible));
    }
    // In a figure it stands below the matrices.
    QVERIFY(scene.arithmeticIn({}).bottom() > 300.0);
}

void StepsLayoutTest::clickOnFoldedKeysShowsThem()
{
    const Case c = sdpaCase(3, 60, 4);
    const StepContent content = contentOf(c.block, c.spec, 0);
    const StepScene scene(content, { WalkStep::Weights, 0, 0 }, {}, styleOf(13), QSizeF(600, 640));
    const auto hidden = scene.page().hiddenChips;
    const Index count = *std::max_element(hidden.begin(), hidden.end());
    QVERIFY(count > 0);
    QCOMPARE(foldText(StepAxis::Keys, count), QStringLiteral("%1 more keys").arg(count));
    int places = 0;
    for (double y = 0.0; y < scene.size().height(); y += 4.0) {
        for (double x = 0.0; x < 600.0; x += 4.0) {
            const auto hit = scene.hitAt({ x, y });
            if (!hit || !hit->unfolds)
                continue;
            ++places;
            QCOMPARE(*hit->unfolds, StepAxis::Keys);
            QVERIFY(hit->tip.startsWith(QStringLiteral("%1 more keys").arg(count)));
        }
    }
    QVERIFY(places > 0);
}

void StepsLayoutTest::smallNumbersDoNotWidenTheirMatrix()
{
    Matrix q(1, 2);
    q << 0.001234, -0.5;
    const StepContent content = contentOf(projectedBlock(q, q, q), {}, 0);
    const StepPage page = stepPage(content, { WalkStep::Scores, 0, 0 }, {});
    const StepGrid &grid = page.grids.front();
    QCOMPARE(grid.cell(0, 0).text, QStringLiteral("0.00"));
    QCOMPARE(grid.cell(0, 0).exact, QStringLiteral("0.001234"));
    QCOMPARE(grid.cell(0, 1).text, QStringLiteral("−0.5"));
}

void StepsLayoutTest::positionsAreWrittenWhole_data()
{
    QTest::addColumn<int>("row");
    QTest::newRow("five digits") << 26'000;
    QTest::newRow("six digits") << 123'456;
}

void StepsLayoutTest::positionsAreWrittenWhole()
{
    QFETCH(const int, row);
    // Tokens without names are their positions: half of one would be another one.
    const Case c = sdpaCase(130'000, 130'000, 2);
    const StepContent content = contentOf(c.block, c.spec, row);
    for (const QSizeF room : { QSizeF(1200, 700), QSizeF(420, 360) }) {
        const StepScene scene(content, { WalkStep::Scores, row, 0 }, {}, { Theme::light(), pictureFont() }, room);
        TextRecorder recorder(scene.size().toSize());
        QPainter painter(&recorder);
        scene.paint(painter);
        painter.end();
        const StepGrid &queries = scene.page().grids.front();
        QVERIFY(queries.rowNames.contains(QString::number(row)));
        for (const QString &name : queries.rowNames)
            QVERIFY2(recorder.texts().contains(name), qPrintable(name + QStringLiteral(" is not among ") + recorder.texts().join(u' ')));
    }
}

void StepsLayoutTest::anotherQueryIsScrolledTo()
{
    const Case c = sdpaCase(60, 60, 2);
    StepsCanvas canvas;
    canvas.resize(600, 300);
    canvas.show();
    QVERIFY(QTest::qWaitForWindowExposed(&canvas));
    const auto show = [&](Index row) {
        canvas.setContent(std::make_shared<StepContent>(contentOf(c.block, c.spec, row)), { WalkStep::Scores, 0, 0 });
    };
    show(0);
    canvas.unfold();
    QVERIFY(canvas.verticalScrollBar()->maximum() > 0);
    // The key stays, the query is another one, far down among the rows of Q.
    show(40);
    const QRectF row = canvas.scene().activeRow();
    const double top = canvas.verticalScrollBar()->value();
    QVERIFY(!row.isNull());
    QVERIFY(row.top() >= top && row.bottom() <= top + canvas.viewport()->height());
    show(0);
    QVERIFY(canvas.scene().activeRow().top() >= canvas.verticalScrollBar()->value());
}

void StepsLayoutTest::lettersOfFiguresFillTheSheet()
{
    WalkPicture picture;
    picture.steps = std::make_shared<StepContent>(workedContent());
    const QSizeF sheet(1400, 900);
    const StepStyle style = fittedStyle(picture, styleOf(13), sheet);
    QVERIFY(style.letters() >= 18);
    double highest = 0.0;
    const auto heights = [&](const StepStyle &letters) {
        double height = 0.0;
        for (const WalkStep step : picture.steps->walk.steps) {
            const StepScene scene(*picture.steps, clamped(*picture.steps, { step, 0, 0 }), {}, letters,
                QSizeF(sheet.width() - letters.size(184, 288), sheet.height()));
            height = std::max(height, scene.size().height());
        }
        return height;
    };
    highest = heights(style);
    QVERIFY(highest <= sheet.height());
    QVERIFY2(highest > 0.75 * sheet.height(), qPrintable(QString::number(highest)));
    // Large walks keep their letters.
    const Case c = sdpaCase(80, 80, 64);
    picture.steps = std::make_shared<StepContent>(contentOf(c.block, c.spec, 0));
    QCOMPARE(fittedStyle(picture, styleOf(13), sheet).letters(), 13);
}

void StepsLayoutTest::lettersOfProjectorsFitThePage()
{
    Document document;
    document.reset(workedExample());
    Selection selection;
    RowWalkPage page(document, selection, 4);
    QFont font = QApplication::font();
    font.setPixelSize(20);
    page.setFont(font);
    // What a window of 1100 x 700 leaves while presenting.
    page.resize(1100, 440);
    page.setVisible(true);
    page.refresh();
    const auto *canvas = page.findChild<StepsCanvas *>();
    for (int step = 0; step < page.playerState().steps; ++step) {
        page.goToStep(step);
        QCOMPARE(canvas->verticalScrollBar()->maximum(), 0);
        QCOMPARE(canvas->horizontalScrollBar()->maximum(), 0);
    }
    // And no letter is smaller than 17 pixels, also where only those fit.
    const StepStyle letters = page.findChild<StepsList *>()->stepStyle();
    QVERIFY(letters.sized(12, 17).pixelSize() >= 17);
    page.resize(1100, 2000);
    QCOMPARE(page.findChild<StepsList *>()->stepStyle().letters(), 20);
}

QTEST_MAIN(StepsLayoutTest)
#include "tst_steps_layout.moc"
