// SPDX-License-Identifier: GPL-3.0-or-later
// Flash attention is walked through tile by tile, with the numbers of the engine and the query that is picked.
#include "support/long_head.h"
#include "views/exact_line.h"
#include "views/readout_terms.h"
#include "views/steps/flash_walk_page.h"
#include "views/steps/steps_view.h"

#include <QApplication>
#include <QComboBox>
#include <QPushButton>
#include <QtTest>

#include <array>

using namespace attenscope;

namespace {

/// Another field that counts the rows that are read of it.
class CountingField final : public MapField {
public:
    explicit CountingField(MapFieldPtr field)
        : m_field(std::move(field))
    {
    }

    [[nodiscard]] Index rows() const override { return m_field->rows(); }
    [[nodiscard]] Index cols() const override { return m_field->cols(); }
    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        ++readRows;
        m_field->row(row, firstCol, out);
    }

    mutable Index readRows = 0;

private:
    MapFieldPtr m_field;
};

/// The worked example by flash attention in tiles of two by two.
Session flashSession()
{
    Session session = workedExample();
    session.mechanism.algorithm = Algorithm::Flash;
    session.mechanism.queryBlock = 2;
    session.mechanism.keyBlock = 2;
    session.mechanism.mask.rule = MaskRule::Causal;
    return session;
}

} // namespace

class FlashWalkTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void flashIsWalkedTileByTile();
    void flashMarksThePickedQuery();
    void queryThatSeesNothingIsMarkedInTheResult();
    void flashLinesAreThoseOfTheEngine();
    void readoutSpeaksOfTheTile();
    void lettersOfFiguresFillTheSheet();
    void longHeadIsWalkedInParts();
    void whatDoesNotFitOffersOneQuery();
    void finishedBlocksAreReadOnce();
    void finishedBlocksAreAsIfReadAtOnce();

private:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<StepsView> m_view;
};

void FlashWalkTest::init()
{
    QCoreApplication::setOrganizationName(QStringLiteral("attenscope-test"));
    Settings().setStepDecimals(4);
    m_document = std::make_unique<Document>();
    m_document->reset(flashSession());
    m_selection = std::make_unique<Selection>();
    m_view = std::make_unique<StepsView>(*m_document, *m_selection);
    m_view->resize(1000, 700);
    m_view->show();
}

void FlashWalkTest::cleanup()
{
    m_view.reset();
    m_selection.reset();
    m_document.reset();
}

void FlashWalkTest::flashIsWalkedTileByTile()
{
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
    QVERIFY(!page->isVisible());
    QVERIFY(m_view->picture()->steps);
}

void FlashWalkTest::flashMarksThePickedQuery()
{
    const auto *page = m_view->findChild<FlashWalkPage *>();
    const auto boxShows = [this](Index query) {
        const auto boxes = m_view->findChildren<QComboBox *>();
        const auto box = std::find_if(
            boxes.begin(), boxes.end(), [](const QComboBox *one) { return one->accessibleName() == QLatin1String("Query"); });
        return (*box)->currentIndex() == query;
    };
    QVERIFY(boxShows(0));
    // The second query block has query 2 alone, at its first keys and then at the last.
    m_view->on();
    QCOMPARE(page->picture()->row, Index{ 2 });
    QVERIFY(boxShows(2));
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 2, 0 }));
    m_view->on();
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 2, 2 }));
    m_view->on();
    QVERIFY(boxShows(2));
    QCOMPARE(page->playerState().text, QStringLiteral("Result"));
    m_view->back();
    m_view->back();
    m_view->back();
    QVERIFY(boxShows(page->picture()->row));
}

void FlashWalkTest::queryThatSeesNothingIsMarkedInTheResult()
{
    Session session = flashSession();
    session.mechanism.queryBlock = 1;
    session.mechanism.mask.rule = MaskRule::None;
    session.mechanism.mask.allowed = BitMatrix(3, 3, false);
    for (Index key = 0; key < 3; ++key)
        session.mechanism.mask.allowed.set(2, key, true);
    m_document->reset(session);
    const auto *page = m_view->findChild<FlashWalkPage *>();
    QCOMPARE(page->picture()->row, Index{ 0 });
    QCOMPARE(page->playerState().text, QStringLiteral("Result"));
    m_view->back();
    QCOMPARE(page->picture()->row, Index{ 2 });
    QCOMPARE(m_selection->picked()->row, Index{ 2 });
}

void FlashWalkTest::flashLinesAreThoseOfTheEngine()
{
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

void FlashWalkTest::readoutSpeaksOfTheTile()
{
    Session session = flashSession();
    session.view.shown = ShownView::Steps;
    m_document->reset(session);
    ReadoutArithmetic arithmetic;
    const auto said = [&](const CellRef &cell) {
        QStringList lines;
        for (const ReadoutTerm &term : arithmetic.terms(*m_document, cell)) {
            // What the whole head is called comes after what the tile did.
            if (term.narrow == ReadoutTerm::Narrow::DropPattern)
                continue;
            lines << (term.shortLabel.isEmpty() ? term.label : term.shortLabel) + u' ' + term.value;
        }
        return lines.mid(1);
    };
    // Scaled scores 0.5, 0.5 and then 1, as in the lines of the walk: exp(0.5 - 0.5) / 2 after the first tile.
    QCOMPARE(said({ 2, 0 }), (QStringList{ "tile 2 → 0–1", "m 0.500", "c 0.000", "l 2.000", "weight so far 0.5000", "weight 0.2741" }));
    QCOMPARE(said({ 2, 2 }), (QStringList{ "tile 2 → 2", "m 1.000", "c 0.607", "l 2.213", "weight so far 0.4519", "weight 0.4519" }));
    QCOMPARE(said({ 0, 1 }).last(), QStringLiteral("weight 0.0000"));
    // On the map it is the arithmetic of the softmax.
    session.view.shown = ShownView::Map;
    m_document->reset(session);
    QVERIFY(said({ 2, 0 }).join(u' ').contains(QStringLiteral("sum of exponentials"))
        || said({ 2, 0 }).join(u' ').contains(QStringLiteral("exp")));
}

void FlashWalkTest::lettersOfFiguresFillTheSheet()
{
    StepStyle style;
    style.font = QApplication::font();
    const auto letters = [&](QSizeF sheet) { return fittedStyle(*m_view->picture(), style.withLetters(13), sheet).letters(); };
    QVERIFY(letters({ 1400, 900 }) >= 16);
    QVERIFY(letters({ 2000, 1400 }) > letters({ 1400, 900 }));
    QCOMPARE(letters({ 640, 420 }), 13);
}

void FlashWalkTest::longHeadIsWalkedInParts()
{
    Session session = longHead(8192, 64);
    session.mechanism.algorithm = Algorithm::Flash;
    session.mechanism.queryBlock = session.mechanism.keyBlock = 64;
    m_document->reset(session);
    auto *page = m_view->findChild<FlashWalkPage *>();
    const auto walks = [page](const Range &rows) { return page->content() && page->content()->walk.rows == rows; };
    QTRY_VERIFY_WITH_TIMEOUT(walks({ 0, 3904 }), 120'000);
    QCOMPARE(page->content()->walk.tiles.size(), std::size_t{ 61 });
    const QString note = QStringLiteral("queries 0 to 3,903 of 8,192: the states of all would take 558 MB");
    QVERIFY(m_view->findChild<ExactLine *>()->isVisible());
    QCOMPARE(m_view->findChild<ExactLine *>()->text(), note);
    QVERIFY(m_view->picture()->title.contains(note));
    // A picked query brings its part, unless that is cancelled.
    auto *button = page->work()->findChild<QPushButton *>();
    m_selection->setPicked(CellRef{ 8000, 8000 });
    QCOMPARE(button->text(), QStringLiteral("Cancel"));
    button->click();
    QCOMPARE(button->text(), QStringLiteral("Compute"));
    QVERIFY(page->work()->isVisible());
    QTest::qWait(50);
    QVERIFY(walks({ 0, 3904 }));
    button->click();
    QTRY_VERIFY_WITH_TIMEOUT(walks({ 7808, 8192 }), 120'000);
    QVERIFY(!page->work()->isVisible());
    // The diagonal tile of queries 8,000 to 8,063 is the fourth of six.
    QCOMPARE(page->state(), std::size_t{ 3 });
    QCOMPARE(page->playerState().text, QStringLiteral("Tile 4 of 6"));
    m_view->on();
    m_view->on();
    m_view->on();
    QCOMPARE(page->playerState().text, QStringLiteral("Result"));
    QVERIFY(page->content()->walk.rows.contains(m_selection->picked()->row));
}

void FlashWalkTest::whatDoesNotFitOffersOneQuery()
{
    // Every state of tiles of one key and all queries would take 100 GB; the head itself takes nothing, as each query sees one key.
    constexpr Index tokens = 65536;
    Session session = longHead(tokens);
    session.mechanism.algorithm = Algorithm::Flash;
    session.mechanism.queryBlock = tokens;
    session.mechanism.keyBlock = 1;
    m_document->reset(session);
    const auto offer = [this]() -> QPushButton * {
        for (auto *button : m_view->findChildren<QPushButton *>()) {
            if (button->isVisible() && button->text() == QStringLiteral("Steps of one query"))
                return button;
        }
        return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(offer(), 120'000);
    offer()->click();
    QCOMPARE(m_document->session().mechanism.algorithm, Algorithm::Exact);
    QTRY_VERIFY_WITH_TIMEOUT(m_view->picture() && m_view->picture()->steps, 120'000);
    QVERIFY(!offer());
}

void FlashWalkTest::finishedBlocksAreReadOnce()
{
    const auto shown = m_view->findChild<FlashWalkPage *>()->content();
    const auto field = std::make_shared<CountingField>(shown->weights);
    const auto content
        = std::make_shared<FlashContent>(FlashContent{ shown->input, shown->ref, shown->walk, field, shown->colors, shown->decimals });
    // The first block has queries 0 and 1, the second query 2; both are finished at the end alone.
    const std::array<Index, 4> read{ 0, 2, 2, 3 };
    for (std::size_t state = 0; state < content->states(); ++state) {
        const FlashScene scene(content, state, 0, StepStyle(), QSizeF(900, 700));
        QCOMPARE(field->readRows, read[state]);
    }
    const FlashScene back(content, 1, 0, StepStyle(), QSizeF(900, 700));
    QCOMPARE(field->readRows, Index{ 3 });
}

void FlashWalkTest::finishedBlocksAreAsIfReadAtOnce()
{
    Matrix cells(7, 3);
    for (Index at = 0; at < cells.size(); ++at)
        cells.data()[at] = static_cast<double>(at * 5 % 21) / 21.0;
    cells(3, 1) = cell::masked<double>();
    const MapFieldPtr field = matrixField(cells);
    const ColorMap colors;
    FinishedBlocks blocks;
    // Two rows make a texel: the last one of three or five rows has one of them, and the other one later.
    for (const Index end : { 4, 6, 4, 5, 8, 8, 4 }) {
        const QImage image = blocks.image(*field, { 1, std::min<Index>(end, 7) }, 1, colors);
        QCOMPARE(image, texelsOf(*field, { { 1, std::min<Index>(end, 7) }, { 0, 3 } }, 1, colors));
    }
    QVERIFY(blocks.image(*field, { 1, 1 }, 1, colors).isNull());
}

QTEST_MAIN(FlashWalkTest)
#include "tst_flash_walk.moc"
