// SPDX-License-Identifier: GPL-3.0-or-later
// Walks every mechanism of the gallery on three shapes: panel, map and readout agree with the engine to the last shown digit.
#include "attention/explain.h"
#include "core/random.h"
#include "core/text.h"
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/mechanism/mechanism_panel.h"
#include "state/number_text.h"
#include "support/panels.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"
#include "views/readout_terms.h"

#include <QComboBox>
#include <QMouseEvent>

using namespace attenscope;
using namespace attenscope::test;

namespace {

/// Embeddings of ten tokens; three queries of another sequence of seven keys; typed Q, K, V of six queries and nine keys with shared heads.
Session sessionOf(const QString &shape)
{
    Session session = exampleSentence();
    if (shape == QLatin1String("self")) {
        session.mechanism.mask.rule = MaskRule::None;
    } else if (shape == QLatin1String("cross")) {
        auto &tokens = std::get<TokensSource>(session.source);
        tokens.text = "one two three";
        tokens.keyText = "a b c d e f g";
        tokens.dModel = 24;
        session.mechanism.heads = 2;
        session.mechanism.mask.rule = MaskRule::None;
    } else {
        Random random(7);
        MatricesSource source;
        for (int head = 0; head < 4; ++head)
            source.heads.push_back({ SharedMatrix(random.normalMatrix(6, 4)), SharedMatrix(random.normalMatrix(9, 4)),
                SharedMatrix(random.normalMatrix(9, 3)) });
        session.source = source;
        session.mechanism = {};
        session.mechanism.mask.paddedKeys = 2;
    }
    return session;
}

QString shown(double number)
{
    return QString::fromStdString(displayNumber(number, 4));
}

} // namespace

class EveryMechanismTest : public QObject {
    Q_OBJECT

private slots:
    void panelMapAndEngineAgree_data();
    void panelMapAndEngineAgree();
    void strokesPaintTheMask();
    void paintingEndsWithEscape();
    void keysPaintThePickedCell();
};

void EveryMechanismTest::panelMapAndEngineAgree_data()
{
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("id");
    for (const char *shape : { "self", "cross", "matrices" })
        for (const Preset &preset : presets())
            QTest::addRow("%s: %s", shape, preset.id.c_str()) << shape << QString::fromStdString(preset.id);
}

void EveryMechanismTest::panelMapAndEngineAgree()
{
    QFETCH(QString, shape);
    QFETCH(QString, id);
    Document document;
    Selection selection;
    document.reset(sessionOf(shape));
    MechanismPanel panel(document, selection);
    MapView map(document, selection);
    usePreset(document, *findPreset(id.toStdString()));
    QVERIFY(!document.problem());
    const AttentionBlock &block = document.block();
    const AttentionSpec &spec = document.session().mechanism;
    const auto operands = headOperands(block, spec, document.head());
    QVERIFY(operands);
    const auto stages = explain(**operands, { 0, block.queries });
    QVERIFY(stages);

    // The map draws the field whose exact numbers are these.
    const MapContent &content = map.findChild<MapPlot *>()->content();
    const MapFieldPtr field = content.panels.front().field;
    QCOMPARE(field->rows(), block.queries);
    QCOMPARE(field->cols(), block.keys);
    ReadoutArithmetic readout;
    for (Index row = 0; row < block.queries; ++row) {
        Index visible = 0;
        for (Index key = 0; key < block.keys; ++key) {
            const bool isMasked = cell::kind(field->at(row, key)) == cell::Kind::Masked;
            visible += isMasked ? 0 : 1;
            QCOMPARE(isMasked, !(*operands)->mask.isVisible(row, key));
            if (!isMasked)
                QCOMPARE(shown(field->at(row, key)), shown(stages->weights(row, key)));
            bool isSaid = false;
            for (const ReadoutTerm &term : readout.terms(document, { row, key })) {
                if (term.label != QLatin1String("weight"))
                    continue;
                isSaid = true;
                QCOMPARE(term.value, shownNumber(stages->weights(row, key), 4));
            }
            QVERIFY(isSaid);
        }
        // The panel counts what the map shows.
        selection.setPicked(CellRef{ row, 0 });
        QCOMPARE(rowOf(control<QComboBox>(panel, "maskRule"))->note(),
            QStringLiteral("%1 of %2 keys visible in this row").arg(visible).arg(block.keys));
    }
    // The formula has the steps that the engine made.
    const auto *formula = panel.findChild<FormulaView *>();
    QCOMPARE(formula->formula(), formulaOf(block, spec));
    QCOMPARE(!formula->rectOf(Symbol::SoftCap).isNull(), stages->capped.size() > 0);
    QCOMPARE(!formula->rectOf(Symbol::Bias).isNull(), stages->biased.size() > 0);
    QCOMPARE(!formula->rectOf(Symbol::Temperature).isNull(), stages->tempered.size() > 0);
}

namespace {

/// A map of the worked example, being painted.
struct Painting {
    Document document;
    Selection selection;
    std::unique_ptr<MapView> view;
    MapPlot *plot = nullptr;

    Painting()
    {
        document.reset(workedExample());
        view = std::make_unique<MapView>(document, selection);
        view->resize(700, 700);
        view->show();
        plot = view->findChild<MapPlot *>();
        selection.setPaintingMask(true);
    }
    void mouse(QEvent::Type type, Index row, Index col) const
    {
        const QRectF place(static_cast<double>(col), static_cast<double>(row), 1.0, 1.0);
        const QPointF point = plot->mapLayout().rectFromCells(0, place).center();
        const bool isMove = type == QEvent::MouseMove;
        QMouseEvent event(type, point, plot->mapToGlobal(point), isMove ? Qt::NoButton : Qt::LeftButton,
            type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
        QCoreApplication::sendEvent(plot, &event);
    }
    [[nodiscard]] const BitMatrix &allowed() const { return document.session().mechanism.mask.allowed; }
};

} // namespace

void EveryMechanismTest::strokesPaintTheMask()
{
    Painting painting;
    QVERIFY(QTest::qWaitForWindowExposed(painting.view.get()));
    // From the first to the last key of a row, though the mouse jumps over the middle.
    painting.mouse(QEvent::MouseButtonPress, 1, 0);
    painting.mouse(QEvent::MouseMove, 1, 2);
    painting.mouse(QEvent::MouseButtonRelease, 1, 2);
    for (Index key = 0; key < 3; ++key)
        QVERIFY(!painting.allowed().at(1, key));
    QVERIFY(painting.allowed().at(0, 0));
    QVERIFY(painting.allowed().at(2, 2));
    QCOMPARE(painting.document.undoStack()->count(), 1);
    QCOMPARE(painting.document.undoStack()->undoText(), QStringLiteral("paint the mask"));
    QVERIFY(!painting.selection.picked());
    QCOMPARE(cell::kind(painting.document.field()->at(1, 1)), cell::Kind::Masked);
    // A stroke that begins on a hidden key shows keys.
    painting.mouse(QEvent::MouseButtonPress, 1, 1);
    painting.mouse(QEvent::MouseButtonRelease, 1, 1);
    QVERIFY(painting.allowed().at(1, 1));
    QVERIFY(!painting.allowed().at(1, 0));
    QCOMPARE(painting.document.undoStack()->count(), 2);
    QCOMPARE(shown(painting.document.field()->at(1, 1)), QStringLiteral("1.0000"));
    painting.document.undoStack()->undo();
    painting.document.undoStack()->undo();
    QVERIFY(painting.allowed().isEmpty());
}

void EveryMechanismTest::paintingEndsWithEscape()
{
    Painting painting;
    QVERIFY(QTest::qWaitForWindowExposed(painting.view.get()));
    QTest::keyClick(painting.plot, Qt::Key_Escape);
    QVERIFY(!painting.selection.isPaintingMask());
    painting.mouse(QEvent::MouseButtonPress, 1, 0);
    painting.mouse(QEvent::MouseButtonRelease, 1, 0);
    QVERIFY(painting.allowed().isEmpty());
    QCOMPARE(painting.selection.picked(), std::optional(CellRef{ 1, 0 }));
}

void EveryMechanismTest::keysPaintThePickedCell()
{
    Painting painting;
    QVERIFY(QTest::qWaitForWindowExposed(painting.view.get()));
    painting.selection.setPicked(CellRef{ 2, 0 });
    QTest::keyClick(painting.plot, Qt::Key_Return);
    QVERIFY(!painting.allowed().at(2, 0));
    QTest::keyClick(painting.plot, Qt::Key_Right);
    QTest::keyClick(painting.plot, Qt::Key_Return);
    QVERIFY(!painting.allowed().at(2, 1));
    QVERIFY(painting.allowed().at(2, 2));
    QCOMPARE(painting.document.undoStack()->count(), 2);
}

QTEST_MAIN(EveryMechanismTest)
#include "tst_every_mechanism.moc"
