// SPDX-License-Identifier: GPL-3.0-or-later
// MapView: what is shown of a document, its stages, and that compared maps move together.
#include "map_fixture.h"
#include "views/map/compare_table.h"
#include "views/map/map_progress.h"

#include <QPushButton>
#include <QToolButton>

#include <cmath>

using namespace attenscope;
using namespace attenscope::test;

class MapViewTest : public QObject, protected MapFixture {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { close(); }
    void anyTokenLeavesTheMapItsRoom_data();
    void anyTokenLeavesTheMapItsRoom();
    void comparedMapsAreLinked();
    void tableHasTheNumbersOfTheRow();
    void differenceMapCanBeTurnedOff();
    void stageButtonsAreTheStagesThatExist();
    void stageUnderTheMouseIsTold();
    void litCellIsMarkedInsteadOfTheHovered();
    void valueStageIsCalledByWhatIsKnown();
    void stageChangeIsOneUndoStep();
    void narrowBarListsTheStages();
    void outputSharesTheRowOnly();
    void oldPictureStaysWhileTheInputDoesNotFit();
    void documentThatDoesNotFitHasAnEmptyMapAndSaysWhy();
    void progressIsHiddenAtFirst();
    void progressLeavesSmallMapsFree();
    void progressLeavesWordsBelowTheMapFree();
    void stoppedWorkCanBeContinued();
    void paletteChangeRecolours();
};

void MapViewTest::anyTokenLeavesTheMapItsRoom_data()
{
    QTest::addColumn<std::string>("token");
    QTest::newRow("ten thousand characters") << std::string(10'000, 'W');
    QTest::newRow("right to left") << std::string("שלום");
    QTest::newRow("emoji") << std::string("👩‍👩‍👧");
    QTest::newRow("tag") << std::string("</script>");
}

void MapViewTest::anyTokenLeavesTheMapItsRoom()
{
    QFETCH(std::string, token);
    edit([&token](Session &session) {
        session = workedExample();
        auto &matrices = std::get<MatricesSource>(session.source);
        matrices.queryTokens = matrices.keyTokens = { token, token, "c" };
    });
    QTRY_COMPARE(m_plot->content().rows(), Index(3));
    const QRectF map = m_plot->mapLayout().maps.front();
    QVERIFY2(map.width() > m_plot->width() * 0.4 && map.width() == map.height(), qPrintable(QString::number(map.width())));
    QVERIFY(QRectF(m_plot->rect()).contains(map));
    mouse(QEvent::MouseMove, pointOf(1, 0), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ 1, 0 }));
    QVERIFY(!m_plot->grab().isNull());
}

void MapViewTest::comparedMapsAreLinked()
{
    m_widget->resize(1320, 740);
    edit([](Session &session) { session.comparison = withCausalMask(session.mechanism, false); });
    const MapContent &content = m_plot->content();
    QCOMPARE(content.panels.size(), std::size_t(3));
    QCOMPARE(content.panels[0].title, QStringLiteral("Causal"));
    QCOMPARE(content.panels[1].title, QStringLiteral("Unmasked"));
    QCOMPARE(content.panels[1].subtitle, QStringLiteral("query sees all 10 keys"));
    QCOMPARE(content.panels[2].subtitle, QStringLiteral("causal − unmasked"));
    QVERIFY(content.panels[0].colors == content.panels[1].colors);
    QCOMPARE(content.panels[2].colors.lower(), -content.panels[2].colors.upper());
    const auto &maps = m_plot->mapLayout().maps;
    QCOMPARE(maps[0].size(), maps[1].size());
    QCOMPARE(maps[0].size(), maps[2].size());
    for (std::size_t panel = 0; panel < 3; ++panel) {
        mouse(QEvent::MouseMove, pointOf(6, 4, panel), Qt::NoButton);
        QCOMPARE(m_selection->hovered(), std::optional(CellRef{ 6, 4 }));
    }
    wheel(pointOf(6, 4, 2), 2);
    QVERIFY(m_selection->visible());
    QCOMPARE(m_plot->mapLayout().maps.size(), std::size_t(3));
}

void MapViewTest::tableHasTheNumbersOfTheRow()
{
    m_widget->resize(1320, 740);
    edit([](Session &session) { session.comparison = withCausalMask(session.mechanism, false); });
    auto *table = m_widget->findChild<CompareTable *>();
    QVERIFY(table && table->isVisible());
    QCOMPARE(table->numberText(0, 0), QString());
    m_selection->setPicked(CellRef{ 7, 1 });
    const auto number = [](const QString &text) { return QString(text).replace(u'−', u'-').toDouble(); };
    QCOMPARE(table->numberText(0, 8), QStringLiteral("masked"));
    QVERIFY(number(table->numberText(1, 8)) > 0.0);
    QCOMPARE(table->numberText(2, 8), u'−' + table->numberText(1, 8));
    const double causal = m_document->field(Side::Main)->at(7, 1);
    QVERIFY(std::abs(number(table->numberText(0, 1)) - causal) <= 0.00005);
    const double difference = causal - m_document->field(Side::Comparison)->at(7, 1);
    QVERIFY(std::abs(number(table->numberText(2, 1)) - difference) <= 0.00005);
}

void MapViewTest::differenceMapCanBeTurnedOff()
{
    edit([](Session &session) {
        session.comparison = withCausalMask(session.mechanism, false);
        session.view.showsDifference = false;
    });
    QCOMPARE(m_plot->content().panels.size(), std::size_t(2));
}

void MapViewTest::stageButtonsAreTheStagesThatExist()
{
    const auto segments = [this] {
        QStringList names;
        for (const QToolButton *button : m_widget->findChildren<QToolButton *>()) {
            if (button->property("segment").isValid() && !button->isHidden())
                names.push_back(button->text());
        }
        return names;
    };
    QCOMPARE(segments().size(), 6);
    Session worked = workedExample();
    auto source = std::get<MatricesSource>(worked.source);
    source.heads.front().v = {};
    worked.source = source;
    m_document->reset(worked);
    QCOMPARE(segments(), (QStringList{ "Scores", "Scaled", "Masked", "Weights" }));
}

void MapViewTest::stageUnderTheMouseIsTold()
{
    for (auto *button : m_widget->findChildren<QToolButton *>()) {
        if (button->text() != QLatin1String("Masked"))
            continue;
        QEnterEvent enter({}, {}, {});
        QCoreApplication::sendEvent(button, &enter);
        QVERIFY(m_selection->hoveredStage() == Stage::Masked);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(button, &leave);
        QVERIFY(!m_selection->hoveredStage());
        return;
    }
    QFAIL("There is no such stage.");
}

void MapViewTest::litCellIsMarkedInsteadOfTheHovered()
{
    m_selection->setHovered(CellRef{ 7, 1 });
    m_selection->setLit(CellRef{ 7, -1 });
    QCOMPARE(m_plot->scene().current(), std::optional(CellRef{ 7, -1 }));
    m_selection->setLit(std::nullopt);
    QCOMPARE(m_plot->scene().current(), std::optional(CellRef{ 7, 1 }));
}

void MapViewTest::valueStageIsCalledByWhatIsKnown()
{
    const auto hasButton = [this](const QString &text) {
        const auto buttons = m_widget->findChildren<QToolButton *>();
        return std::any_of(
            buttons.begin(), buttons.end(), [&](const auto *button) { return button->text().endsWith(text) && !button->isHidden(); });
    };
    // Embedded tokens have W_O, the matrices of the worked example do not.
    const bool isKnown = hasOutputProjection(m_document->block(), 0);
    QVERIFY(hasButton(isKnown ? QStringLiteral("× ‖v W_O‖") : QStringLiteral("× ‖v‖")));
    m_document->reset(workedExample());
    QVERIFY(hasButton(QStringLiteral("× ‖v‖")));
    QVERIFY(!hasButton(QStringLiteral("× ‖v W_O‖")));
}

void MapViewTest::stageChangeIsOneUndoStep()
{
    for (QToolButton *button : m_widget->findChildren<QToolButton *>()) {
        if (button->property("segment").isValid() && button->text() == QLatin1String("Scaled"))
            button->click();
    }
    QCOMPARE(m_document->stage(), Stage::Scaled);
    QCOMPARE(m_plot->content().stage, Stage::Scaled);
    QCOMPARE(m_document->undoStack()->count(), 1);
    QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("change stage"));
    m_document->undoStack()->undo();
    QCOMPARE(m_plot->content().stage, Stage::Weights);
}

void MapViewTest::narrowBarListsTheStages()
{
    const auto shown = [this](bool isSegment) {
        int count = 0;
        for (const QToolButton *button : m_widget->findChildren<QToolButton *>())
            count += button->isVisible() && button->property("segment").isValid() == isSegment ? 1 : 0;
        return count;
    };
    QCOMPARE(shown(true), 6);
    m_widget->resize(420, 600);
    QTRY_COMPARE(shown(true), 0);
    m_widget->resize(1000, 600);
    QTRY_COMPARE(shown(true), 6);
}

void MapViewTest::outputSharesTheRowOnly()
{
    m_selection->setPicked(CellRef{ 7, 1 });
    edit([](Session &session) { session.view.stage = Stage::Output; });
    QVERIFY(m_plot->content().hasDimensions());
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointOf(3, 5));
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 3, 1 }));
    mouse(QEvent::MouseMove, pointOf(2, 6), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ 2, 6 }));
}

void MapViewTest::oldPictureStaysWhileTheInputDoesNotFit()
{
    m_document->reset(workedExample());
    const MapFieldPtr before = m_plot->content().panels.front().field;
    edit([](Session &session) {
        auto source = std::get<MatricesSource>(session.source);
        source.heads.front().k = source.heads.front().k.withColsRemoved(3, 1);
        session.source = source;
    });
    QCOMPARE(m_plot->content().panels.front().field, before);
    QCOMPARE(m_plot->content().notice, QStringLiteral("Last valid input. Follows again when K fits."));
    m_document->undoStack()->undo();
    QVERIFY(m_plot->content().notice.isEmpty());
}

void MapViewTest::documentThatDoesNotFitHasAnEmptyMapAndSaysWhy()
{
    Session session = workedExample();
    auto &matrices = std::get<MatricesSource>(session.source);
    matrices.heads.front().k = matrices.heads.front().k.withColsRemoved(3, 1);
    m_document->reset(session);
    QVERIFY(m_plot->content().panels.empty());
    QCOMPARE(m_plot->content().notice, QStringLiteral("Shown as soon as K fits."));
    // Nothing of it can be hovered or walked through.
    QTest::keyClick(m_plot, Qt::Key_Right);
    mouse(QEvent::MouseMove, QPointF(m_plot->rect().center()), Qt::NoButton);
    QVERIFY(!m_selection->hovered());
    const QImage picture = m_plot->grab().toImage();
    bool isInked = false;
    for (int x = picture.width() / 4; x < picture.width() * 3 / 4; ++x)
        isInked = isInked || picture.pixelColor(x, picture.height() / 2) != picture.pixelColor(1, 1);
    QVERIFY2(isInked, "the reason stands in the middle");
    m_document->edit(workedExample(), QStringLiteral("make the matrices fit"));
    QCOMPARE(m_plot->content().rows(), 3);
    QVERIFY(m_plot->content().notice.isEmpty());
}

void MapViewTest::progressIsHiddenAtFirst()
{
    auto *progress = m_widget->findChild<MapProgress *>();
    QVERIFY(progress);
    progress->setWaiting(true);
    QVERIFY(!progress->isVisible());
    QTRY_VERIFY(progress->isVisible());
    QVERIFY(!m_plot->scene().isComputing);
    QTRY_VERIFY(m_plot->scene().isComputing);
    progress->setWaiting(false);
    QVERIFY(!progress->isVisible());
    QVERIFY(!m_plot->scene().isComputing);
}

void MapViewTest::progressLeavesSmallMapsFree()
{
    edit([](Session &session) {
        session.comparison = session.mechanism;
        session.comparison->mask.rule = MaskRule::None;
    });
    QTRY_COMPARE(m_plot->content().panels.size(), std::size_t{ 3 });
    auto *progress = m_widget->findChild<MapProgress *>();
    progress->setWaiting(true);
    QTRY_VERIFY(progress->isVisible());
    const MapLayout &layout = m_plot->mapLayout();
    // Below all that the maps have, of which the legend and the scales are the last.
    QVERIFY(progress->geometry().top() >= layout.scaleBar.bottom());
    for (const QRectF &map : layout.maps)
        QVERIFY(!map.intersects(QRectF(progress->geometry())));
}

void MapViewTest::progressLeavesWordsBelowTheMapFree()
{
    auto *progress = m_widget->findChild<MapProgress *>();
    progress->setWaiting(true);
    QTRY_VERIFY(progress->isVisible());
    for (const QSize size : { QSize(700, 380), QSize(1000, 800), QSize(500, 700) }) {
        m_widget->resize(size);
        const auto isOnMap = [&] {
            const MapLayout &layout = m_plot->mapLayout();
            const QRectF &map = layout.maps.front();
            const bool isOver = progress->geometry().bottom() < map.bottom() && progress->geometry().top() > map.top();
            const bool isBelow = progress->geometry().top() >= (layout.size.height() + layout.block.height()) / 2.0;
            return (isOver || isBelow) && m_plot->rect().contains(progress->geometry());
        };
        QTRY_VERIFY(isOnMap());
    }
}

void MapViewTest::stoppedWorkCanBeContinued()
{
    const auto *progress = m_widget->findChild<MapProgress *>();
    auto *button = progress->findChild<QPushButton *>();
    edit([](Session &session) {
        TokensSource source;
        source.text = QStringLiteral("t ").repeated(400).toStdString();
        session.source = source;
    });
    QVERIFY(m_document->isComputing());
    m_document->cancel();
    QVERIFY(progress->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Continue"));
    QCOMPARE(m_plot->content().rows(), Index(10));
    button->click();
    QTRY_COMPARE(m_plot->content().rows(), Index(400));
    QTRY_VERIFY(!progress->isVisible());
    QVERIFY(m_plot->content().notice.isEmpty());
}

void MapViewTest::paletteChangeRecolours()
{
    m_widget->setPalette(Theme::dark().palette());
    const QImage image = m_plot->grab().toImage();
    QCOMPARE(image.pixelColor(6, 6), Theme::dark().view);
    m_widget->setPalette(Theme::light().palette());
    QCOMPARE(m_plot->grab().toImage().pixelColor(6, 6), Theme::light().view);
}

QTEST_MAIN(MapViewTest)
#include "tst_map_view.moc"
