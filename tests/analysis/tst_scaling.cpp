// SPDX-License-Identifier: GPL-3.0-or-later
// Classical scaling finds points whose distances are known, and says how much it leaves out.
#include "analysis/scaling.h"

#include "core/random.h"

#include <QtTest>

#include <cmath>

using namespace attenscope;

namespace {

Matrix distancesOf(const Matrix &points)
{
    Matrix distances(points.rows(), points.rows());
    for (Index a = 0; a < points.rows(); ++a)
        for (Index b = 0; b < points.rows(); ++b)
            distances(a, b) = (points.row(a) - points.row(b)).norm();
    return distances;
}

} // namespace

class TestScaling : public QObject {
    Q_OBJECT

private slots:
    void pointsOnALineByHand();
    void rectangleByHand();
    void distancesOfAKnownConfigurationComeBack_data();
    void distancesOfAKnownConfigurationComeBack();
    void shareSaysWhatIsLeftOut();
    void equalPointsLieTogether();
    void badDistancesAreRefused();
};

void TestScaling::pointsOnALineByHand()
{
    // At 0, 1 and 5: their mean is 2, the farthest is the last.
    const auto scaled = classicalScaling(Matrix{ { 0.0, 1.0, 5.0 }, { 1.0, 0.0, 4.0 }, { 5.0, 4.0, 0.0 } }, 2);
    QVERIFY(scaled);
    const Matrix expected{ { -2.0, 0.0 }, { -1.0, 0.0 }, { 3.0, 0.0 } };
    QVERIFY((scaled->points - expected).cwiseAbs().maxCoeff() < 1e-7);
    QVERIFY(std::abs(scaled->share - 1.0) < 1e-12);
}

void TestScaling::rectangleByHand()
{
    // 6 wide, 2 high: coordinates ±3 and ±1.
    const Matrix corners{ { 0.0, 0.0 }, { 6.0, 0.0 }, { 6.0, 2.0 }, { 0.0, 2.0 } };
    const auto scaled = classicalScaling(distancesOf(corners), 2);
    QVERIFY(scaled);
    QVERIFY((scaled->points.col(0).cwiseAbs().array() - 3.0).abs().maxCoeff() < 1e-12);
    QVERIFY((scaled->points.col(1).cwiseAbs().array() - 1.0).abs().maxCoeff() < 1e-12);
    const auto line = classicalScaling(distancesOf(corners), 1);
    QVERIFY(line);
    // 4 · 9 of 4 · 9 + 4 · 1.
    QVERIFY(std::abs(line->share - 0.9) < 1e-12);
}

void TestScaling::distancesOfAKnownConfigurationComeBack_data()
{
    QTest::addColumn<int>("count");
    QTest::newRow("one point") << 1;
    QTest::newRow("two points") << 2;
    QTest::newRow("144 points") << 144;
}

void TestScaling::distancesOfAKnownConfigurationComeBack()
{
    QFETCH(int, count);
    const Matrix distances = distancesOf(Random(3).normalMatrix(count, 2));
    const auto scaled = classicalScaling(distances, 2);
    QVERIFY(scaled);
    QCOMPARE(scaled->points.rows(), Index{ count });
    QVERIFY((distancesOf(scaled->points) - distances).cwiseAbs().maxCoeff() < 1e-9);
}

void TestScaling::shareSaysWhatIsLeftOut()
{
    const Matrix distances = distancesOf(Random(4).normalMatrix(30, 3));
    const auto two = classicalScaling(distances, 2);
    const auto three = classicalScaling(distances, 3);
    QVERIFY(two && three);
    QVERIFY(two->share < 0.95);
    QVERIFY(std::abs(three->share - 1.0) < 1e-12);
    QVERIFY(distancesOf(two->points).sum() < distances.sum());
    QVERIFY(two->points.isApprox(three->points.leftCols(2)));
}

void TestScaling::equalPointsLieTogether()
{
    const auto scaled = classicalScaling(Matrix::Zero(3, 3), 2);
    QVERIFY(scaled);
    QCOMPARE(scaled->points, Matrix(Matrix::Zero(3, 2)));
    QCOMPARE(scaled->share, 1.0);
    QCOMPARE(classicalScaling(Matrix(), 2).value().points.rows(), 0);
}

void TestScaling::badDistancesAreRefused()
{
    Matrix distances = Matrix::Zero(2, 2);
    distances(0, 1) = distances(1, 0) = std::numeric_limits<double>::quiet_NaN();
    const auto scaled = classicalScaling(distances, 2);
    QVERIFY(!scaled);
    QCOMPARE(scaled.error().what, std::string("There is a distance that is not a number."));
    std::stop_source source;
    source.request_stop();
    const auto cancelled = classicalScaling(Matrix::Zero(2, 2), 2, { source.get_token(), {} });
    QVERIFY(!cancelled && cancelled.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestScaling)
#include "tst_scaling.moc"
