// SPDX-License-Identifier: GPL-3.0-or-later
// What takes long across layers waits for its button, and what does not fit says so and offers a part.
#include "core/random.h"
#include "layers_fixture.h"
#include "support/long_head.h"
#include "support/recorded_session.h"
#include "views/nothing_here.h"
#include "views/work_row.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>

using namespace attenscope;
using namespace attenscope::test;

class LayersCostTest : public QObject, protected LayersFixture {
    Q_OBJECT

private slots:
    void init() { open(recordedSession(1, { Matrix::Identity(3, 3) }), { 800, 640 }); }
    void cleanup() { close(); }

    void longWorkWaitsForTheButton();
    void longWorkOffersAPart();
    void sizeIsSaidBeforeTime_data();
    void sizeIsSaidBeforeTime();
};

void LayersCostTest::longWorkWaitsForTheButton()
{
    m_widget->setMostSeconds(0.0);
    Random random(1);
    std::vector<Matrix> heads;
    for (int head = 0; head < 6; ++head)
        heads.push_back(rowsNormalized(random.normalMatrix(100, 100).cwiseAbs()));
    m_document->reset(recordedSession(6, heads));
    auto *work = m_widget->findChild<WorkRow *>();
    auto *button = work->findChild<QPushButton *>();
    choose(LayersShown::Flow);
    QTRY_VERIFY(work->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Compute"));
    QVERIFY(
        work->findChild<QLabel *>()->text().startsWith(QStringLiteral("Attention flow through 6 layers of 100 positions takes about ")));
    QVERIFY(!canvas()->isVisible());
    button->click();
    QCOMPARE(button->text(), QStringLiteral("Cancel"));
    button->click();
    QCOMPARE(button->text(), QStringLiteral("Compute"));
    QVERIFY(!canvas()->content());
    choose(LayersShown::Rollout);
    button->click();
    QTRY_VERIFY(canvas()->isVisible());
    QVERIFY(!work->isVisible());
    QVERIFY((canvas()->content()->values->values.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-12);
    // What has been computed is kept.
    choose(LayersShown::Flow);
    choose(LayersShown::Rollout);
    QVERIFY(canvas()->isVisible());
    QVERIFY(!work->isVisible());
}

void LayersCostTest::longWorkOffersAPart()
{
    m_widget->setMostSeconds(0.0);
    const Matrix layer = Matrix::Constant(600, 600, 1.0 / 600.0);
    m_document->reset(recordedSession(2, { layer, layer }));
    QTRY_VERIFY(!m_document->isComputing());
    choose(LayersShown::Flow);
    const auto offer = [this]() -> QPushButton * {
        for (auto *button : m_widget->findChildren<QPushButton *>()) {
            if (button->isVisible() && button->text().startsWith(QStringLiteral("Only ")))
                return button;
        }
        return nullptr;
    };
    QVERIFY2(QTest::qWaitFor([&] { return offer() != nullptr; }), "no part is offered");
    QCOMPARE(offer()->text(), QStringLiteral("Only positions 0 to 511"));
    // Around the picked query, and inside of what is in view.
    m_selection->setPicked(CellRef{ 599, 0 });
    m_selection->setVisible(QRectF(0.0, 100.0, 50.0, 500.0));
    QVERIFY2(offer(), "no part of what is in view is offered");
    QCOMPARE(offer()->text(), QStringLiteral("Only positions 100 to 599"));
    offer()->click();
    QTRY_COMPARE(m_document->block().queries, Index{ 500 });
    QCOMPARE(m_document->block().keys, Index{ 500 });
    QVERIFY(!m_selection->visible());
    // Few enough to have no smaller part.
    QTRY_VERIFY(!offer());
    m_document->undoStack()->undo();
    QTRY_COMPARE(m_document->block().queries, Index{ 600 });
}

void LayersCostTest::sizeIsSaidBeforeTime_data()
{
    QTest::addColumn<LayersShown>("shown");
    QTest::newRow("rollout") << LayersShown::Rollout;
    QTest::newRow("flow") << LayersShown::Flow;
}

void LayersCostTest::sizeIsSaidBeforeTime()
{
    QFETCH(const LayersShown, shown);
    // 300,000 positions to the square are 720 GB; the head itself takes little, as each query sees one key.
    Session session = longHead(300'000);
    session.view.layersShown = shown;
    m_document->reset(session);
    const auto *why = m_widget->findChild<NothingHere *>();
    const auto *part = why->findChild<QPushButton *>();
    // The head takes a while; what is said of the layers then comes at once.
    QTRY_VERIFY_WITH_TIMEOUT(!m_document->isComputing(), 120'000);
    const bool isOffered = QTest::qWaitFor([&] { return part->isVisible(); });
    const QString words
        = why->isVisible() ? why->findChild<QLabel *>()->text() : m_widget->findChild<WorkRow *>()->findChild<QLabel *>()->text();
    QVERIFY2(isOffered, qPrintable(QStringLiteral("No part is offered, but said: ") + words));
    QVERIFY2(words.contains(QStringLiteral(" would need ")), qPrintable(words));
    QCOMPARE(part->text(), QStringLiteral("Only positions 0 to 511"));
    QVERIFY(!m_widget->findChild<WorkRow *>()->isVisible());
    const auto picture = shownLayers(*m_document);
    QVERIFY(!picture && QString::fromStdString(picture.error().what).contains(QStringLiteral(" would need ")));
}

QTEST_MAIN(LayersCostTest)
#include "tst_layers_cost.moc"
