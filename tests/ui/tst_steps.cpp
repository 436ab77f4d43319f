// SPDX-License-Identifier: GPL-3.0-or-later
// The steps show the numbers of the engine to the last digit, fold what does not fit and say so, and are walked through by key and button.
#include "support/problems.h"
#include "views/steps/flash_walk_page.h"
#include "views/steps/row_walk_page.h"
#include "views/steps/steps_canvas.h"
#include "views/steps/steps_list.h"
#include "views/steps/steps_view.h"
#include "window/walk_files.h"

#include <QBuffer>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtEndian>
#include <QtTest>

#include <array>
#include <cstring>
#include <map>

using namespace attenscope;

namespace {

StepContent contentOf(const AttentionBlock &block, const AttentionSpec &spec, Index row)
{
    const auto input = std::make_shared<AttentionInput>(AttentionInput{ { block } });
    return { input, explainWalk({ input, spec, {} }, {}, row).value(), 4 };
}

StepContent workedContent()
{
    const Session session = workedExample();
    const AttentionInput input = buildInput(session.source).value();
    return contentOf(input.blocks.front(), session.mechanism, 0);
}

/// The page's arithmetic with its result.
QString sentence(const StepContent &content, WalkStep step, Index key = 0, Index dim = 0)
{
    const StepPage page = stepPage(content, { step, key, dim }, {});
    return page.arithmetic + page.result;
}

/// What explain has for a step with one number per key; empty for other steps.
Vector explained(const Explanation &row, WalkStep step)
{
    const std::map<WalkStep, const Matrix *> stages{ { WalkStep::Scores, &row.scores }, { WalkStep::Scaled, &row.scaled },
        { WalkStep::Capped, &row.capped }, { WalkStep::Biased, &row.biased }, { WalkStep::Tempered, &row.tempered },
        { WalkStep::Masked, &row.masked }, { WalkStep::Weights, &row.weights } };
    const auto found = stages.find(step);
    return found == stages.end() ? Vector() : Vector(found->second->row(0).transpose());
}

} // namespace

class StepsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void numbersAreThoseOfTheEngine_data();
    void numbersAreThoseOfTheEngine();
    void workedExampleReadsAsInTheBook_data();
    void workedExampleReadsAsInTheBook();
    void numbersKeepTheirDigits_data();
    void numbersKeepTheirDigits();
    void foldedAxisSaysHowManyAreLeftOut_data();
    void foldedAxisSaysHowManyAreLeftOut();
    void longSumSaysHowManyTermsAreFolded();
    void foldedKeysArePassedOver();
    void narrowPageFoldsAndUnfoldedPageScrolls();
    void walkGoesThroughEveryKeyOfEveryStep();
    void walkEndsWhereItBegan();
    void goingFromKeyToKeyMovesThePick();
    void pickChoosesQueryAndKey();
    void clickOnACellGoesThere();
    void stepOfTheListIsShown();
    void playingStopsAtTheEnd();
    void decimalsAreKept();
    void recordedWeightsSayWhyThereIsNoArithmetic();
    void seededParametersAreShown_data();
    void seededParametersAreShown();
    void flashIsWalkedTileByTile();
    void flashLinesAreThoseOfTheEngine();
    void seriesHasAFileForEveryState();
    void animationHasAFrameForEveryState();
    void stateIsWrittenInEveryFormat_data();
    void stateIsWrittenInEveryFormat();

private:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<StepsView> m_view;
    RowWalkPage *m_walk = nullptr;
};

void StepsTest::init()
{
    QCoreApplication::setOrganizationName(QStringLiteral("attenscope-test"));
    Settings().setStepDecimals(4);
    m_document = std::make_unique<Document>();
    m_document->reset(workedExample());
    m_selection = std::make_unique<Selection>();
    m_view = std::make_unique<StepsView>(*m_document, *m_selection);
    m_walk = m_view->findChild<RowWalkPage *>();
    m_view->resize(1000, 700);
    m_view->show();
}

void StepsTest::cleanup()
{
    m_view.reset();
    m_selection.reset();
    m_document.reset();
}

void StepsTest::numbersAreThoseOfTheEngine_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("d");
    for (const std::string &name : mechanismNames()) {
        for (const auto &[queries, keys, d] : { std::tuple{ 3, 3, 4 }, std::tuple{ 4, 9, 5 }, std::tuple{ 20, 20, 24 } })
            QTest::addRow("%s, %d x %d, d %d", name.c_str(), queries, keys, d) << QString::fromStdString(name) << queries << keys << d;
    }
}

void StepsTest::numbersAreThoseOfTheEngine()
{
    QFETCH(QString, mechanism);
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, d);
    Case c = sdpaCase(queries, keys, d);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    for (const Index row : { Index{ 0 }, Index{ queries - 1 } }) {
        const StepContent content = contentOf(c.block, c.spec, row);
        const Explanation whole = explain(*operands, { row, row + 1 }).value();
        for (const WalkStep step : content.walk.steps) {
            const Vector expected = explained(whole, step);
            for (Index key = 0; key < expected.size(); ++key) {
                const StepPage page = stepPage(content, { step, key, 0 }, {});
                QCOMPARE(page.result, stepResult(expected(key), 4));
                const auto chip = std::find_if(page.chips.begin(), page.chips.end(), [key](const StepChip &one) { return one.key == key; });
                QVERIFY(chip != page.chips.end());
                QCOMPARE(chip->after, page.result);
            }
            // The map's own number, of the stages that maps have.
            if (step == WalkStep::Weights) {
                const MapFieldPtr map = headField(*content.input, c.spec, {}, Stage::Weights).value();
                for (Index key = 0; key < keys; ++key) {
                    if (content.walk.visible[static_cast<std::size_t>(key)])
                        QCOMPARE(stepPage(content, { step, key, 0 }, {}).result, stepResult(map->at(row, key), 4));
                }
            }
        }
        for (Index dim = 0; dim < whole.output.cols(); ++dim)
            QCOMPARE(stepPage(content, { WalkStep::Output, 0, dim }, {}).result, stepResult(whole.output(0, dim), 4));
        QCOMPARE(stepPage(content, { WalkStep::Maximum, 0, 0 }, {}).result, stepResult(whole.rowMax(0), 4));
    }
}

void StepsTest::workedExampleReadsAsInTheBook_data()
{
    using enum WalkStep;
    QTest::addColumn<WalkStep>("step");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("dim");
    QTest::addColumn<QString>("text");
    QTest::newRow("score") << Scores << 0 << 0 << "1·1 + 0·0 + 1·1 + 0·0 = 2.0";
    QTest::newRow("scaled, first key") << Scaled << 0 << 0 << "(1·1 + 0·0 + 1·1 + 0·0) / √4 = 1.0";
    QTest::newRow("scaled, last key") << Scaled << 2 << 0 << "(1·1 + 0·1 + 1·0 + 0·0) / √4 = 0.5";
    QTest::newRow("mask") << Masked << 1 << 0 << "0 + 0 = 0.0";
    QTest::newRow("maximum") << Maximum << 0 << 0 << "max(1, 0, 0.5) = 1.0";
    QTest::newRow("exponential") << Exponentials << 2 << 0 << "exp(0.5 − 1) = 0.6065";
    QTest::newRow("sum") << Sum << 0 << 0 << "1 + 0.368 + 0.607 = 1.9744";
    QTest::newRow("first weight") << Weights << 0 << 0 << "1 / 1.974 = 0.5065";
    QTest::newRow("second weight") << Weights << 1 << 0 << "0.368 / 1.974 = 0.1863";
    QTest::newRow("third weight") << Weights << 2 << 0 << "0.607 / 1.974 = 0.3072";
    QTest::newRow("weighted value") << WeightedValues << 2 << 0 << "0.307 · 5 = 1.5360";
    QTest::newRow("output") << Output << 0 << 0 << "0.506·1 + 0.186·3 + 0.307·5 = 2.6014";
    QTest::newRow("second number of the output") << Output << 0 << 1 << "0.506·2 + 0.186·4 + 0.307·6 = 3.6014";
}

void StepsTest::workedExampleReadsAsInTheBook()
{
    QFETCH(WalkStep, step);
    QFETCH(int, key);
    QFETCH(int, dim);
    QFETCH(QString, text);
    QCOMPARE(sentence(workedContent(), step, key, dim), text);
}

void StepsTest::numbersKeepTheirDigits_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QString>("put");
    QTest::addColumn<QString>("result");
    QTest::newRow("whole") << 1.0 << 4 << "1"
                           << "1.0";
    QTest::newRow("short") << -0.25 << 4 << "−0.25"
                           << "−0.25";
    QTest::newRow("long") << 1.0 / 3.0 << 4 << "0.3333"
                          << "0.3333";
    QTest::newRow("what is rounded says so") << 0.1 + 0.2 << 4 << "0.3000"
                                             << "0.3000";
    QTest::newRow("one decimal") << 0.26 << 1 << "0.3"
                                 << "0.3";
    QTest::newRow("eight") << 2.0 / 3.0 << 8 << "0.66666667"
                           << "0.66666667";
    QTest::newRow("infinite") << -std::numeric_limits<double>::infinity() << 4 << "−∞"
                              << "−∞";
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << 2 << "NaN"
                                  << "NaN";
}

void StepsTest::numbersKeepTheirDigits()
{
    QFETCH(double, number);
    QFETCH(int, decimals);
    QTEST(stepNumber(number, decimals), "put");
    QTEST(stepResult(number, decimals), "result");
}

void StepsTest::foldedAxisSaysHowManyAreLeftOut_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("pinned");
    QTest::addColumn<std::vector<Index>>("shown");
    QTest::newRow("fits") << 4 << 4 << 0 << std::vector<Index>{ 0, 1, 2, 3 };
    QTest::newRow("pinned at the start") << 64 << 6 << 2 << std::vector<Index>{ 0, 1, 2, 3, 4, 63 };
    QTest::newRow("pinned in the middle") << 64 << 6 << 30 << std::vector<Index>{ 0, 1, 2, 3, 30, 63 };
    QTest::newRow("pinned at the end") << 64 << 6 << 63 << std::vector<Index>{ 0, 1, 2, 3, 4, 63 };
    QTest::newRow("three at least") << 64 << 1 << 30 << std::vector<Index>{ 0, 30, 63 };
}

void StepsTest::foldedAxisSaysHowManyAreLeftOut()
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

void StepsTest::longSumSaysHowManyTermsAreFolded()
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

void StepsTest::foldedKeysArePassedOver()
{
    const Case c = sdpaCase(3, 40, 4);
    const StepContent content = contentOf(c.block, c.spec, 0);
    std::vector<Index> keys;
    std::optional<StepPosition> at = StepPosition{ WalkStep::Scores, 0, 0 };
    for (; at && at->step == WalkStep::Scores; at = nextPosition(content, *at, {}, 1))
        keys.push_back(at->key);
    QCOMPARE(keys, (std::vector<Index>{ 0, 1, 2, 3, 4, 39 }));
    // A key that was picked among the folded ones is left in both directions.
    QCOMPARE(nextPosition(content, { WalkStep::Scores, 20, 0 }, {}, 1)->key, Index{ 39 });
    QCOMPARE(nextPosition(content, { WalkStep::Scores, 20, 0 }, {}, -1)->key, Index{ 3 });
}

void StepsTest::narrowPageFoldsAndUnfoldedPageScrolls()
{
    const Case c = sdpaCase(30, 30, 32);
    const StepContent content = contentOf(c.block, c.spec, 0);
    const StepStyle style{ Theme::light(), QApplication::font() };
    const StepScene wide(content, { WalkStep::Scores, 0, 0 }, {}, style, QSizeF(2000, 1200));
    const StepScene narrow(content, { WalkStep::Scores, 0, 0 }, {}, style, QSizeF(560, 500));
    QVERIFY(narrow.folds().limit < wide.folds().limit);
    QVERIFY(wide.size().width() <= 2000);
    StepFolds unfolded;
    unfolded.more[StepAxis::Dimensions] = 48;
    const StepScene open(content, { WalkStep::Scores, 0, 0 }, unfolded, style, QSizeF(560, 500));
    QVERIFY(open.size().width() > 1000);
    QCOMPARE(open.page().grids.front().cols.shown.size(), std::size_t{ 32 });
}

void StepsTest::walkGoesThroughEveryKeyOfEveryStep()
{
    QVERIFY(m_walk->content());
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Scores, 0, 0 }));
    int states = 1;
    for (StepPosition before = m_walk->position(); states < 100; ++states) {
        QTest::keyClick(m_view->findChild<StepsCanvas *>(), Qt::Key_Right);
        if (m_walk->position() == before)
            break;
        before = m_walk->position();
    }
    // Scores, scale, mask, exponentials, weights and weighted values for three keys, maximum and sum once, two numbers of the output.
    QCOMPARE(states, 6 * 3 + 2 + 2);
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Output, 2, 1 }));
}

void StepsTest::walkEndsWhereItBegan()
{
    m_walk->last();
    int states = 1;
    for (StepPosition before = m_walk->position(); states < 100; ++states) {
        m_view->back();
        if (m_walk->position() == before)
            break;
        before = m_walk->position();
    }
    QCOMPARE(states, 6 * 3 + 2 + 2);
    QCOMPARE(m_walk->position().step, WalkStep::Scores);
    QCOMPARE(m_walk->position().key, Index{ 0 });
}

void StepsTest::goingFromKeyToKeyMovesThePick()
{
    m_view->on();
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 0, 1 })));
    m_view->on();
    m_view->on();
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Scaled, 0, 0 }));
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 0, 0 })));
}

void StepsTest::pickChoosesQueryAndKey()
{
    m_selection->setPicked(CellRef{ 2, 1 });
    QCOMPARE(m_walk->content()->walk.row, Index{ 2 });
    QCOMPARE(m_walk->position().key, Index{ 1 });
    QTest::keyClick(m_view->findChild<StepsCanvas *>(), Qt::Key_Up);
    QCOMPARE(m_walk->content()->walk.row, Index{ 1 });
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 1, 1 })));
}

void StepsTest::clickOnACellGoesThere()
{
    m_walk->goTo({ WalkStep::WeightedValues, 0, 0 });
    auto *canvas = m_view->findChild<StepsCanvas *>();
    // The first place of the page that means key 2 and its second number.
    std::optional<QPoint> found;
    for (int y = 0; y < canvas->viewport()->height() && !found; y += 4) {
        for (int x = 0; x < canvas->viewport()->width() && !found; x += 4) {
            const auto hit = canvas->scene().hitAt(QPointF(x, y));
            if (hit && hit->position && hit->position->key == 2 && hit->position->dim == 1)
                found = QPoint(x, y);
        }
    }
    QVERIFY(found);
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, *found);
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::WeightedValues, 2, 1 }));
}

void StepsTest::stepOfTheListIsShown()
{
    auto *list = m_view->findChild<StepsList *>();
    QCOMPARE(list->count(), 9);
    list->setCurrentRow(6);
    QCOMPARE(m_walk->position().step, WalkStep::Weights);
    m_walk->goTo({ WalkStep::Maximum, 0, 0 });
    QCOMPARE(list->currentItem()->text(), QStringLiteral("Maximum"));
}

void StepsTest::playingStopsAtTheEnd()
{
    m_walk->goTo({ WalkStep::Output, 0, 0 });
    auto *player = m_view->findChild<PlayerBar *>();
    for (QComboBox *box : player->findChildren<QComboBox *>()) {
        if (box->currentText().contains(QLatin1Char('/')))
            box->setCurrentIndex(0);
    }
    m_view->togglePlaying();
    QVERIFY(m_view->isPlaying());
    QTRY_VERIFY(!m_view->isPlaying());
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Output, 0, 1 }));
}

void StepsTest::decimalsAreKept()
{
    for (QComboBox *box : m_view->findChildren<QComboBox *>()) {
        if (box->currentText() == QLatin1String("4 decimals"))
            box->setCurrentIndex(box->findText(QStringLiteral("6 decimals")));
    }
    m_walk->goTo({ WalkStep::Weights, 1, 0 });
    QCOMPARE(m_view->findChild<StepsCanvas *>()->scene().page().result, QStringLiteral("0.186324"));
    QCOMPARE(Settings().stepDecimals(), 6);
}

void StepsTest::recordedWeightsSayWhyThereIsNoArithmetic()
{
    const std::array numbers{ 1.0, 0.0, 0.5, 0.5 };
    std::vector<std::byte> bytes(sizeof numbers);
    std::memcpy(bytes.data(), numbers.data(), sizeof numbers);
    auto set = std::make_shared<TensorSet>();
    set->tensors.push_back({ "attention", "a.npy", Tensor(bytesInMemory(std::move(bytes)), 0, ElementType::F64, { 2, 2 }) });
    FileSource source;
    source.tensors = set;
    source.uses = recognise(*set);
    Session session;
    session.source = source;
    m_document->reset(session);
    QVERIFY(m_document->block().isRecorded());
    QVERIFY(!m_view->picture());
    QString said;
    for (const QLabel *label : m_view->findChildren<QLabel *>()) {
        if (label->isVisible() && label->text().contains(QStringLiteral("recorded")))
            said = label->text();
    }
    QVERIFY(said.contains(QStringLiteral("no queries and keys")));
    QVERIFY(!m_view->findChild<PlayerBar *>()->isVisible());
    m_view->on();
    // And it is back with matrices.
    m_document->reset(workedExample());
    QVERIFY(m_view->picture());
}

void StepsTest::seededParametersAreShown_data()
{
    QTest::addColumn<ScoreFunction>("score");
    QTest::newRow("additive") << ScoreFunction::Additive;
    QTest::newRow("general") << ScoreFunction::General;
    QTest::newRow("concat") << ScoreFunction::Concat;
}

void StepsTest::seededParametersAreShown()
{
    QFETCH(ScoreFunction, score);
    Session session = workedExample();
    session.mechanism.score = score;
    m_document->reset(session);
    const auto picture = m_view->picture();
    QVERIFY(picture);
    QVERIFY(picture->steps->spec().parameters == parametersFor(m_document->block(), session.mechanism));
    // Every step has a page made of them.
    for (const WalkState &state : walkStates(*picture, StepStyle(), QSizeF(1000, 700))) {
        const StepPage page = stepPage(*picture->steps, state.position, StepFolds());
        QVERIFY(!page.arithmetic.isEmpty() || !page.grids.empty());
    }
}

/// The worked example by flash attention in tiles of two by two.
static Session flashSession()
{
    Session session = workedExample();
    session.mechanism.algorithm = Algorithm::Flash;
    session.mechanism.queryBlock = 2;
    session.mechanism.keyBlock = 2;
    session.mechanism.mask.rule = MaskRule::Causal;
    return session;
}

void StepsTest::flashIsWalkedTileByTile()
{
    m_document->reset(flashSession());
    auto *page = m_view->findChild<FlashWalkPage *>();
    QVERIFY(page->isVisible());
    QVERIFY(page->content());
    // Queries 0 and 1 see the first two keys only: one of four tiles is skipped.
    QCOMPARE(page->content()->walk.tiles.size(), std::size_t{ 3 });
    QCOMPARE(page->content()->walk.skipped(), Index{ 1 });
    QCOMPARE(page->playerState().text, QStringLiteral("Tile 1 of 3"));
    m_view->on();
    m_view->on();
    QCOMPARE(page->playerState().text, QStringLiteral("Tile 3 of 3"));
    m_view->on();
    QCOMPARE(page->playerState().text, QStringLiteral("Result"));
    QVERIFY(page->playerState().isLast);
    QVERIFY(page->content()->walk.largestDifference < 1e-15);
    // A pick goes to the tile of its cell.
    m_selection->setPicked(CellRef{ 2, 1 });
    QCOMPARE(page->state(), std::size_t{ 1 });
    // And the exact algorithm brings the steps back.
    m_document->reset(workedExample());
    QVERIFY(m_walk->isVisible());
}

void StepsTest::flashLinesAreThoseOfTheEngine()
{
    m_document->reset(flashSession());
    const FlashContent &content = *m_view->findChild<FlashWalkPage *>()->content();
    // Query 2 has the scaled scores 0.5, 0.5 and then 1: the maximum rises, what was gathered is multiplied by exp(-0.5).
    const std::vector<FlashLine> lines = flashLines(content, 2, 2);
    QCOMPARE(lines[0].numbers + lines[0].result, QStringLiteral("max(0.500, 1.000) = 1.000"));
    QCOMPARE(lines[1].numbers + lines[1].result, QStringLiteral("exp(0.500 − 1.000) = 0.607"));
    QCOMPARE(lines[2].numbers + lines[2].result, QStringLiteral("0.607·2.000 + 1.000 = 2.213"));
    const auto note = [this](std::size_t tile) {
        return FlashScene(m_view->findChild<FlashWalkPage *>()->content(), tile, 0, StepStyle(), QSizeF(900, 700)).tileNote();
    };
    QVERIFY(note(0).startsWith(QStringLiteral("2 of 2 rows see their first keys in this tile: they had gathered nothing, c = 0.")));
    QVERIFY(note(3).startsWith(QStringLiteral("1 of 1 rows found a larger score: what they had gathered is multiplied by c.")));
}

void StepsTest::seriesHasAFileForEveryState()
{
    const QTemporaryDir folder;
    const WalkPicture picture = *m_view->picture();
    const WalkFileOptions options{ { 900, 700 }, WalkGround::White, false, 1.0 };
    const QStringList paths = saveWalkSeries(folder.filePath(QStringLiteral("walk.png")), picture, options).value();
    QCOMPARE(paths.size(), 22);
    QCOMPARE(QFileInfo(paths.first()).fileName(), QStringLiteral("walk-01.png"));
    QCOMPARE(QFileInfo(paths.last()).fileName(), QStringLiteral("walk-22.png"));
    const QImage second(paths[1]);
    QCOMPARE(second.size(), QSize(900, 700));
    QVERIFY(second.convertToFormat(QImage::Format_RGB32)
        == walkImage(picture, { { WalkStep::Scores, 1, 0 }, 0 }, options).convertToFormat(QImage::Format_RGB32));
    std::stop_source stop;
    stop.request_stop();
    Run run;
    run.stop = stop.get_token();
    QVERIFY(saveWalkSeries(folder.filePath(QStringLiteral("stopped.png")), picture, options, run).error().isCancelled);
}

void StepsTest::animationHasAFrameForEveryState()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("walk.png"));
    const WalkPicture picture = *m_view->picture();
    const WalkFileOptions options{ { 900, 700 }, WalkGround::Dark, false, 0.5 };
    QVERIFY(saveWalkAnimation(path, picture, options).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    int controls = 0;
    quint32 sequence = 0;
    QByteArray header;
    QByteArray second;
    QByteArray last;
    for (qsizetype at = 8; at + 12 <= bytes.size();) {
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(bytes.constData() + at));
        const QByteArray type = bytes.mid(at + 4, 4);
        const QByteArray data = bytes.mid(at + 8, length);
        if (type == "IHDR")
            header = bytes.mid(at, length + 12);
        if (type == "acTL")
            QCOMPARE(qFromBigEndian<quint32>(data.constData()), 22U);
        if (type == "fcTL" || type == "fdAT")
            QCOMPARE(qFromBigEndian<quint32>(data.constData()), sequence++);
        if (type == "fcTL") {
            ++controls;
            QCOMPARE(qFromBigEndian<quint16>(data.constData() + 20), quint16{ 500 });
        }
        if (type == "fdAT" && controls == 2)
            second += data.mid(4);
        last = type;
        at += length + 12;
    }
    QCOMPARE(controls, 22);
    QCOMPARE(last, QByteArray("IEND"));
    // A reader that knows no animations sees the first frame.
    QCOMPARE(QImage(path).convertToFormat(QImage::Format_RGB32),
        walkImage(picture, walkStates(picture, options).front(), options).convertToFormat(QImage::Format_RGB32));
    // The pixels of the second frame, zlib's stream of filtered rows, are those that Qt writes for it.
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    walkImage(picture, walkStates(picture, options)[1], options).convertToFormat(QImage::Format_RGB888).save(&buffer, "png");
    QVERIFY(png.contains(header.mid(4, 13)));
    QVERIFY(second.size() > 1000);
    QCOMPARE(qUncompress(QByteArray("\0\x40\0\0", 4) + second).size(), 700 * (900 * 3 + 1));
}

void StepsTest::stateIsWrittenInEveryFormat_data()
{
    QTest::addColumn<QString>("extension");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("PNG") << "png" << QByteArray("\x89PNG");
    QTest::newRow("SVG") << "svg" << QByteArray("<?xml");
    QTest::newRow("PDF") << "pdf" << QByteArray("%PDF");
}

void StepsTest::stateIsWrittenInEveryFormat()
{
    QFETCH(QString, extension);
    QFETCH(QByteArray, start);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("state.") + extension);
    m_walk->goTo({ WalkStep::Scaled, 2, 0 });
    const WalkPicture picture = *m_view->picture();
    QVERIFY(saveWalkState(path, picture, picture.state, {}).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith(start));
    if (extension == QLatin1String("svg"))
        QVERIFY(QString::fromUtf8(bytes).contains(QStringLiteral("√4")));
    const Result<void> failed = saveWalkState(folder.filePath(QStringLiteral("none/state.png")), picture, picture.state, {});
    QVERIFY(!failed.ok());
    QVERIFY(!saveWalkState(path, picture, picture.state, { { 100, 100 }, WalkGround::White, false, 1.0 }).ok());
}

QTEST_MAIN(StepsTest)
#include "tst_steps.moc"
