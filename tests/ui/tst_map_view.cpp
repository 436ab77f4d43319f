// SPDX-License-Identifier: GPL-3.0-or-later
// MapView: what mouse and keys do to the selection, what is shown of a document, and that compared maps move together.
#include "views/map/compare_table.h"
#include "views/map/map_interaction.h"
#include "views/map/map_plot.h"
#include "views/map/map_progress.h"
#include "views/map/map_view.h"

#include <QTest>
#include <QToolButton>

#include <cmath>

using namespace attenscope;

class MapViewTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void hoveringACellHoversIt();
    void hoveringATokenHoversItsRowOrColumn();
    void leavingEndsTheHover();
    void clickPicksAndAgainUnpicks();
    void clickOnATokenPicksItsRow();
    void anyTokenLeavesTheMapItsRoom_data();
    void anyTokenLeavesTheMapItsRoom();
    void arrowsMoveThePick_data();
    void arrowsMoveThePick();
    void enterPicksTheHovered();
    void escapeClearsThePick();
    void wheelZoomsAtTheMouse();
    void zoomingOutEndsAtTheWholeMap();
    void zoomStopsAtAFewCells();
    void draggingPansInsideTheMap();
    void shiftDragZoomsToTheRectangle();
    void doubleClickFitsAndKeepsThePick();
    void movingThePickBringsItIntoSight();
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
    void paletteChangeRecolours();

private:
    [[nodiscard]] QPoint pointOf(Index row, Index col, std::size_t panel = 0)
    {
        const QRectF cell(static_cast<double>(col), static_cast<double>(row), 1.0, 1.0);
        return m_plot->mapLayout().rectFromCells(panel, cell).center().toPoint();
    }
    void edit(const std::function<void(Session &)> &change)
    {
        Session next = m_document->session();
        change(next);
        m_document->edit(std::move(next), QStringLiteral("change"));
    }
    void wheel(QPoint point, int steps)
    {
        QWheelEvent event(
            point, m_plot->mapToGlobal(point), QPoint(), QPoint(0, 120 * steps), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_plot, &event);
    }
    void mouse(QEvent::Type type, QPointF point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {})
    {
        const Qt::MouseButtons held = type == QEvent::MouseMove ? Qt::MouseButtons(button) : Qt::MouseButtons();
        QMouseEvent event(type, point, m_plot->mapToGlobal(point), type == QEvent::MouseMove ? Qt::NoButton : button, held, modifiers);
        QCoreApplication::sendEvent(m_plot, &event);
    }
    /// @p count tokens, computed before it returns.
    void useTokens(int count)
    {
        edit([count](Session &session) {
            TokensSource source;
            source.text.clear();
            for (int index = 0; index < count; ++index)
                source.text += "t" + std::to_string(index) + " ";
            session.source = source;
        });
        QTRY_VERIFY(!m_document->isComputing());
        QTRY_COMPARE(m_plot->content().rows(), Index(count));
    }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<MapView> m_view;
    MapPlot *m_plot = nullptr;
};

void MapViewTest::init()
{
    m_document = std::make_unique<Document>();
    m_selection = std::make_unique<Selection>();
    m_view = std::make_unique<MapView>(*m_document, *m_selection);
    m_view->resize(785, 753);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    m_plot = m_view->findChild<MapPlot *>();
    QVERIFY(m_plot);
}

void MapViewTest::cleanup()
{
    m_view.reset();
    m_selection.reset();
    m_document.reset();
}

void MapViewTest::hoveringACellHoversIt()
{
    mouse(QEvent::MouseMove, pointOf(7, 1), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ 7, 1 }));
}

void MapViewTest::hoveringATokenHoversItsRowOrColumn()
{
    const QRectF map = m_plot->mapLayout().maps.front();
    mouse(QEvent::MouseMove, QPointF(map.left() - 14.0, pointOf(4, 0).y()), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ 4, -1 }));
    mouse(QEvent::MouseMove, QPointF(pointOf(0, 3).x() + 5.0, map.top() - 12.0), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ -1, 3 }));
}

void MapViewTest::leavingEndsTheHover()
{
    mouse(QEvent::MouseMove, pointOf(7, 1), Qt::NoButton);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_plot, &leave);
    QVERIFY(!m_selection->hovered());
}

void MapViewTest::clickPicksAndAgainUnpicks()
{
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointOf(5, 2));
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 5, 2 }));
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointOf(5, 2));
    QVERIFY(!m_selection->picked());
}

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

void MapViewTest::clickOnATokenPicksItsRow()
{
    const QRectF map = m_plot->mapLayout().maps.front();
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, QPoint(static_cast<int>(map.left()) - 14, pointOf(6, 0).y()));
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 6, -1 }));
}

void MapViewTest::arrowsMoveThePick_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<Index>("row");
    QTest::addColumn<Index>("col");
    const auto none = Qt::KeyboardModifiers();
    // From query 7, key 1 of ten; under the causal mask query 7 sees keys 0 to 7.
    QTest::newRow("left") << int(Qt::Key_Left) << none << Index(7) << Index(0);
    QTest::newRow("right") << int(Qt::Key_Right) << none << Index(7) << Index(2);
    QTest::newRow("up") << int(Qt::Key_Up) << none << Index(6) << Index(1);
    QTest::newRow("down") << int(Qt::Key_Down) << none << Index(8) << Index(1);
    QTest::newRow("ten to the right stops at the end")
        << int(Qt::Key_Right) << Qt::KeyboardModifiers(Qt::ShiftModifier) << Index(7) << Index(9);
    QTest::newRow("home") << int(Qt::Key_Home) << none << Index(7) << Index(0);
    QTest::newRow("end is the last visible key") << int(Qt::Key_End) << none << Index(7) << Index(7);
    QTest::newRow("first query") << int(Qt::Key_Home) << Qt::KeyboardModifiers(Qt::ControlModifier) << Index(0) << Index(1);
    QTest::newRow("last query") << int(Qt::Key_End) << Qt::KeyboardModifiers(Qt::ControlModifier) << Index(9) << Index(1);
}

void MapViewTest::arrowsMoveThePick()
{
    QFETCH(int, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(Index, row);
    QFETCH(Index, col);
    m_selection->setPicked(CellRef{ 7, 1 });
    QTest::keyClick(m_plot, static_cast<Qt::Key>(key), modifiers);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ row, col }));
}

void MapViewTest::enterPicksTheHovered()
{
    m_selection->setHovered(CellRef{ 3, 2 });
    QTest::keyClick(m_plot, Qt::Key_Return);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 3, 2 }));
    QTest::keyClick(m_plot, Qt::Key_Return);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 3, 2 }));
}

void MapViewTest::escapeClearsThePick()
{
    m_selection->setPicked(CellRef{ 7, 1 });
    QTest::keyClick(m_plot, Qt::Key_Escape);
    QVERIFY(!m_selection->picked());
}

void MapViewTest::wheelZoomsAtTheMouse()
{
    useTokens(60);
    const QPoint point = pointOf(40, 20);
    const QPointF before = m_plot->mapLayout().cellFromPoint(0, point);
    const double cell = m_plot->mapLayout().cellWidth;
    wheel(point, 1);
    wheel(point, 1);
    QVERIFY(m_plot->mapLayout().cellWidth > 1.3 * cell);
    const QPointF after = m_plot->mapLayout().cellFromPoint(0, point);
    QVERIFY2(std::hypot(after.x() - before.x(), after.y() - before.y()) < 0.2,
        qPrintable(QStringLiteral("%1 %2 -> %3 %4").arg(before.x()).arg(before.y()).arg(after.x()).arg(after.y())));
}

void MapViewTest::zoomingOutEndsAtTheWholeMap()
{
    useTokens(60);
    wheel(pointOf(40, 20), 3);
    QVERIFY(m_selection->visible());
    wheel(pointOf(40, 20), -8);
    QVERIFY(!m_selection->visible());
}

void MapViewTest::zoomStopsAtAFewCells()
{
    useTokens(60);
    for (int step = 0; step < 40; ++step)
        wheel(m_plot->mapLayout().maps.front().center().toPoint(), 2);
    QVERIFY(m_plot->mapLayout().shown.width() >= 2.9);
    QVERIFY(m_plot->mapLayout().shown.width() < 6.0);
}

void MapViewTest::draggingPansInsideTheMap()
{
    useTokens(60);
    m_selection->setVisible(QRectF(20.0, 20.0, 20.0, 20.0));
    const QRectF before = m_plot->mapLayout().shown;
    const double cell = m_plot->mapLayout().cellWidth;
    const QPointF start = m_plot->mapLayout().maps.front().center();
    mouse(QEvent::MouseButtonPress, start, Qt::LeftButton);
    mouse(QEvent::MouseMove, start + QPointF(2.0 * cell, 0.0), Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, start + QPointF(2.0 * cell, 0.0), Qt::LeftButton);
    QVERIFY(std::abs(m_plot->mapLayout().shown.left() - (before.left() - 2.0)) < 0.1);
    QVERIFY(!m_selection->picked());
    mouse(QEvent::MouseButtonPress, start, Qt::LeftButton);
    mouse(QEvent::MouseMove, start + QPointF(5000.0, 5000.0), Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, start + QPointF(5000.0, 5000.0), Qt::LeftButton);
    QCOMPARE(m_plot->mapLayout().shown.topLeft(), QPointF(0.0, 0.0));
}

void MapViewTest::shiftDragZoomsToTheRectangle()
{
    useTokens(60);
    const QPoint first = pointOf(10, 20);
    const QPoint last = pointOf(20, 30);
    mouse(QEvent::MouseButtonPress, first, Qt::LeftButton, Qt::ShiftModifier);
    mouse(QEvent::MouseMove, last, Qt::LeftButton, Qt::ShiftModifier);
    mouse(QEvent::MouseButtonRelease, last, Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(m_selection->visible());
    const QRectF visible = *m_selection->visible();
    QVERIFY(std::abs(visible.left() - 20.5) < 0.2 && std::abs(visible.right() - 30.5) < 0.2);
    QVERIFY(std::abs(visible.top() - 10.5) < 0.2 && std::abs(visible.bottom() - 20.5) < 0.2);
    QVERIFY(m_plot->mapLayout().shown.contains(visible));
}

void MapViewTest::doubleClickFitsAndKeepsThePick()
{
    useTokens(60);
    m_selection->setVisible(QRectF(20.0, 20.0, 20.0, 20.0));
    m_selection->setPicked(CellRef{ 30, 3 });
    const QPoint point = pointOf(30, 30);
    for (const auto type :
        { QEvent::MouseButtonPress, QEvent::MouseButtonRelease, QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease })
        mouse(type, point, Qt::LeftButton);
    QVERIFY(!m_selection->visible());
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 30, 3 }));
}

void MapViewTest::movingThePickBringsItIntoSight()
{
    useTokens(60);
    m_selection->setVisible(QRectF(20.0, 20.0, 20.0, 20.0));
    m_selection->setPicked(CellRef{ 30, 30 });
    QTest::keyClick(m_plot, Qt::Key_Home);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 30, 0 }));
    QCOMPARE(m_plot->mapLayout().shown.left(), 0.0);
}

void MapViewTest::comparedMapsAreLinked()
{
    m_view->resize(1320, 740);
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
    m_view->resize(1320, 740);
    edit([](Session &session) { session.comparison = withCausalMask(session.mechanism, false); });
    auto *table = m_view->findChild<CompareTable *>();
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
        for (const QToolButton *button : m_view->findChildren<QToolButton *>()) {
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
    for (auto *button : m_view->findChildren<QToolButton *>()) {
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
        const auto buttons = m_view->findChildren<QToolButton *>();
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
    for (QToolButton *button : m_view->findChildren<QToolButton *>()) {
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
        for (const QToolButton *button : m_view->findChildren<QToolButton *>())
            count += button->isVisible() && button->property("segment").isValid() == isSegment ? 1 : 0;
        return count;
    };
    QCOMPARE(shown(true), 6);
    m_view->resize(420, 600);
    QTRY_COMPARE(shown(true), 0);
    m_view->resize(1000, 600);
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
    auto *progress = m_view->findChild<MapProgress *>();
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

void MapViewTest::paletteChangeRecolours()
{
    m_view->setPalette(Theme::dark().palette());
    const QImage image = m_plot->grab().toImage();
    QCOMPARE(image.pixelColor(6, 6), Theme::dark().view);
    m_view->setPalette(Theme::light().palette());
    QCOMPARE(m_plot->grab().toImage().pixelColor(6, 6), Theme::light().view);
}

QTEST_MAIN(MapViewTest)
#include "tst_map_view.moc"
