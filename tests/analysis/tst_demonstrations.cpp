// SPDX-License-Identifier: GPL-3.0-or-later
// What the demonstrations compute: the law of q·k, softmax of samples, other weights with the same output.
#include "analysis/dot_product.h"
#include "analysis/other_weights.h"
#include "attention/explain.h"
#include "support/problems.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool isNear(double a, double b, double relative = 1e-12)
{
    return std::abs(a - b) <= relative * std::abs(b);
}

/// ∫ x^power f(x) dx over the whole line by the trapezoidal rule, which is exact to rounding for smooth functions that die away. f is even.
double moment(Index d, int power)
{
    const double step = 2.5e-3 * std::sqrt(static_cast<double>(d));
    double sum = 0.5 * (power == 0 ? dotProductDensity(0.0, d) : 0.0);
    for (int place = 1; place <= 16000; ++place) {
        const double x = place * step;
        sum += std::pow(x, power) * dotProductDensity(x, d);
    }
    return 2.0 * step * sum;
}

Case workedExample()
{
    const Matrix q{ { 1.0, 0.0, 1.0, 0.0 }, { 0.0, 1.0, 0.0, 1.0 }, { 1.0, 1.0, 0.0, 0.0 } };
    Case c;
    c.block = projectedBlock(q, q, Matrix{ { 1.0, 2.0 }, { 3.0, 4.0 }, { 5.0, 6.0 } });
    return c;
}

} // namespace

class TestDemonstrations : public QObject {
    Q_OBJECT

private slots:
    void densityHasItsClosedForms();
    void densityAtZeroAndFarAway();
    void densityHasTheMomentsOfTheLaw_data();
    void densityHasTheMomentsOfTheLaw();
    void densityOfASumIsTheConvolution();
    void densityComesNearTheNormalLimit();
    void jacobianNormIsThatOfTheMatrix();
    void histogramCountsPerUnit();
    void samplesHaveVarianceD();
    void scalingKeepsSoftmaxAlive();
    void otherWeightsOfTheWorkedExample();
    void otherWeightsAreTheBestOfAll();
    void uniqueWeightsStay();
    void maskedKeysStayZero();
    void sumsOtherThanOneAreKept();
    void weightsOfAnyUnitsGiveTheSame();
    void whatHasNoOtherWeightsIsRefused();
};

void TestDemonstrations::densityHasItsClosedForms()
{
    for (const double x : { 1e-6, 0.1, 0.5, 1.0, 3.0, 10.0, 50.0 }) {
        QVERIFY(isNear(dotProductDensity(x, 1), std::cyl_bessel_k(0.0, x) / std::numbers::pi));
        QVERIFY(isNear(dotProductDensity(x, 2), std::exp(-x) / 2.0));
        QVERIFY(isNear(dotProductDensity(x, 3), x * std::cyl_bessel_k(1.0, x) / std::numbers::pi));
        QVERIFY(isNear(dotProductDensity(x, 4), (1.0 + x) * std::exp(-x) / 4.0));
        QVERIFY(isNear(dotProductDensity(x, 6), (3.0 + 3.0 * x + x * x) * std::exp(-x) / 16.0));
        QCOMPARE(dotProductDensity(-x, 7), dotProductDensity(x, 7));
        // The law as it is written, where that does not overflow.
        const double d = 9.0;
        const double order = (d - 1.0) / 2.0;
        QVERIFY(isNear(dotProductDensity(x, 9),
            std::pow(x, order) * std::cyl_bessel_k(order, x) / (std::sqrt(std::numbers::pi) * std::tgamma(d / 2.0) * std::pow(2.0, order)),
            1e-11));
    }
}

void TestDemonstrations::densityAtZeroAndFarAway()
{
    QCOMPARE(dotProductDensity(0.0, 1), infinity);
    QCOMPARE(dotProductDensity(0.0, 2), 0.5);
    QVERIFY(isNear(dotProductDensity(0.0, 3), 1.0 / std::numbers::pi));
    QVERIFY(isNear(dotProductDensity(0.0, 4), 0.25));
    QVERIFY(isNear(dotProductDensity(0.0, 5), 2.0 / (3.0 * std::numbers::pi)));
    for (const Index d : { 1, 2, 3, 64, 101, 1023, 1024 }) {
        for (const double x : { 1e-310, 1e-250, 1e-5, 499.9, 500.1, 800.0, 1e5, 1e300 }) {
            QVERIFY(std::isfinite(dotProductDensity(x, d)));
            QVERIFY(dotProductDensity(x, d) >= 0.0);
        }
        QCOMPARE(dotProductDensity(infinity, d), 0.0);
        QVERIFY(std::isnan(dotProductDensity(notANumber, d)));
    }
    // Where the asymptotic series takes over nothing jumps.
    QVERIFY(isNear(dotProductDensity(500.0 + 1e-9, 1023), dotProductDensity(500.0 - 1e-9, 1023), 1e-8));
}

void TestDemonstrations::densityHasTheMomentsOfTheLaw_data()
{
    QTest::addColumn<int>("d");
    for (const int d : { 2, 3, 4, 7, 16, 63, 64, 255, 1024 })
        QTest::addRow("d %d", d) << d;
}

void TestDemonstrations::densityHasTheMomentsOfTheLaw()
{
    QFETCH(int, d);
    // The corner at 0 of d = 2 costs the rule some digits.
    QVERIFY(isNear(moment(d, 0), 1.0, 1e-5));
    QVERIFY(isNear(moment(d, 2), d, 1e-5));
    QVERIFY(isNear(moment(d, 4), 3.0 * d * d + 6.0 * d, 1e-5));
}

void TestDemonstrations::densityOfASumIsTheConvolution()
{
    // f_5 = f_2 * f_3: another product of two normals is another independent term.
    constexpr double step = 0.002;
    for (const double x : { 0.0, 1.0, 3.5 }) {
        double sum = 0.0;
        for (int place = -20000; place <= 20000; ++place)
            sum += dotProductDensity(x - place * step, 2) * dotProductDensity(place * step, 3);
        QVERIFY(isNear(sum * step, dotProductDensity(x, 5), 1e-5));
    }
}

void TestDemonstrations::densityComesNearTheNormalLimit()
{
    QVERIFY(isNear(normalDensity(0.0, 1.0), 1.0 / std::sqrt(2.0 * std::numbers::pi)));
    const auto distance = [](Index d) { return std::abs(dotProductDensity(0.0, d) / normalDensity(0.0, static_cast<double>(d)) - 1.0); };
    // The kurtosis 6/d makes it 3/(4d) too high in the middle.
    QVERIFY(isNear(distance(1024), 0.75 / 1024.0, 0.01));
    QVERIFY(distance(1024) < distance(64) && distance(64) < distance(4));
}

void TestDemonstrations::jacobianNormIsThatOfTheMatrix()
{
    QCOMPARE(jacobianNorm(std::vector<double>{ 1.0, 0.0, 0.0 }), 0.0);
    QVERIFY(isNear(jacobianNorm(std::vector<double>{ 0.5, 0.5 }), 0.5));
    Random random(3);
    for (const Index n : { 1, 2, 7, 40 }) {
        const Vector p = softmax(random.normalMatrix(n, 1, 2.0).col(0));
        const Matrix jacobian = Matrix(p.asDiagonal()) - p * p.transpose();
        QVERIFY(std::abs(jacobianNorm({ p.data(), static_cast<std::size_t>(n) }) - jacobian.norm()) < 1e-14);
    }
}

void TestDemonstrations::histogramCountsPerUnit()
{
    const Vector density = histogram(Matrix{ { -0.5, 0.0, 0.5, 0.75, 1.0, notANumber } }, 0.0, 1.0, 2);
    // One of six in [0, 0.5), two in [0.5, 1), intervals of 0.5.
    QCOMPARE(density, (Vector{ { 1.0 / 3.0, 2.0 / 3.0 } }));
}

void TestDemonstrations::samplesHaveVarianceD()
{
    const DotProductSamples samples(7, 1000, 16, 256);
    for (const Index d : { 1, 4, 64, 256 }) {
        const Matrix scores = samples.scores(d);
        QCOMPARE(scores.rows(), Index{ 1000 });
        QCOMPARE(scores.cols(), Index{ 16 });
        // 1,000 rows share ‖q‖: the variance of the estimate is about 2(1 + 3/d)/16000 + 2/(1000 d) of d².
        const auto share = static_cast<double>(d);
        const double deviation = std::sqrt(2.0 * (1.0 + 3.0 / share) / 16000.0 + 2.0 / (1000.0 * share));
        QVERIFY(std::abs(scores.squaredNorm() / 16000.0 / share - 1.0) < 4.0 * deviation);
        const Vector counted = histogram(scores, -3.0 * std::sqrt(share), 3.0 * std::sqrt(share), 12);
        const double width = 0.5 * std::sqrt(share);
        for (Index bin = 0; bin < 12; ++bin) {
            double expected = 0.0;
            for (int part = 0; part < 100; ++part)
                expected
                    += dotProductDensity(-3.0 * std::sqrt(share) + (static_cast<double>(bin) + (part + 0.5) / 100.0) * width, d) / 100.0;
            QVERIFY(std::abs(counted(bin) - expected) * width < 0.015);
        }
    }
    QVERIFY(samples.scores(4) == DotProductSamples(7, 1000, 16, 256).scores(4));
}

void TestDemonstrations::scalingKeepsSoftmaxAlive()
{
    const DotProductSamples samples(1, 1000, 16, 1024);
    const SoftmaxRows scaled = softmaxRows(samples.scores(1024), 1.0 / 32.0, 1.0);
    const SoftmaxRows plain = softmaxRows(samples.scores(1024), 1.0, 1.0);
    // Scaled, every d looks like d = 1 of unit variance; unscaled, one key takes all.
    QVERIFY(scaled.meanEntropy > 2.0 && plain.meanEntropy < 0.3);
    QVERIFY(plain.meanJacobianNorm < 0.2 * scaled.meanJacobianNorm);
    QVERIFY(isNear(scaled.weights.row(0).sum(), 1.0));
    const SoftmaxRows hot = softmaxRows(samples.scores(1024), 1.0, 32.0);
    QVERIFY(hot.weights.isApprox(scaled.weights, 1e-12));
    const SoftmaxRows one = softmaxRows(Matrix{ { 0.0, std::log(3.0) } }, 2.0, 2.0);
    QVERIFY(isNear(one.weights(0, 1), 0.75));
    QVERIFY(isNear(one.entropy, -0.75 * std::log(0.75) - 0.25 * std::log(0.25)));
}

void TestDemonstrations::otherWeightsOfTheWorkedExample()
{
    const auto other = otherWeights(*workedExample().operands(), 0, 1);
    QVERIFY(other);
    // v lies on a line: w0 - w2 and the sum are fixed, so key 1 can give up all of its weight, in halves, or take 2 · 0.3072 of theirs.
    QVERIFY(isNear(other->real(1), 0.1863, 1e-3));
    QVERIFY(std::abs(other->smallest(0) - 0.5996) < 5e-5);
    QVERIFY(std::abs(other->smallest(1)) < 1e-12);
    QVERIFY(std::abs(other->smallest(2) - 0.4004) < 5e-5);
    QVERIFY(isNear(other->largest(1), other->real(1) + 2.0 * other->real(2), 1e-12));
    QVERIFY(std::abs(other->largest(2)) < 1e-12);
    const Matrix v{ { 1.0, 2.0 }, { 3.0, 4.0 }, { 5.0, 6.0 } };
    for (const Vector &weights : { other->smallest, other->largest }) {
        const Vector output = v.transpose() * weights;
        QVERIFY(std::abs(output(0) - 2.6014) < 5e-5 && std::abs(output(1) - 3.6014) < 5e-5);
        QVERIFY(isNear(weights.sum(), 1.0));
    }
    QVERIFY(other->residual < 1e-14);
}

void TestDemonstrations::otherWeightsAreTheBestOfAll()
{
    // One-dimensional values: the extremes have at most two keys beside the picked one, and those can be tried.
    Case c = sdpaCase(1, 6, 4, 1);
    const auto operands = c.operands();
    const Vector v = c.problem.v.col(0);
    for (Index key = 0; key < 6; ++key) {
        const auto other = otherWeights(*operands, 0, key);
        QVERIFY(other);
        const double output = v.dot(other->real);
        double least = 1.0;
        double most = 0.0;
        for (Index a = 0; a < 6; ++a) {
            for (Index b = 0; b < 6; ++b) {
                // w_a + w_b = 1, w_a v_a + w_b v_b = output.
                const double share = a == b ? 1.0 : (output - v(b)) / (v(a) - v(b));
                if (a == b || share < 0.0 || share > 1.0)
                    continue;
                const double weight = a == key ? share : b == key ? 1.0 - share : 0.0;
                least = std::min(least, weight);
                most = std::max(most, weight);
            }
        }
        QVERIFY(std::abs(other->smallest(key) - least) < 1e-12);
        QVERIFY(std::abs(other->largest(key) - most) < 1e-12);
        QVERIFY(other->smallest(key) <= other->real(key) && other->real(key) <= other->largest(key));
        QVERIFY(other->smallest.minCoeff() >= 0.0 && other->largest.minCoeff() >= 0.0);
    }
}

void TestDemonstrations::uniqueWeightsStay()
{
    // Four keys and values in five dimensions: one row of weights gives the output, and no other.
    const auto other = otherWeights(*sdpaCase(2, 4, 3, 5).operands(), 1, 2);
    QVERIFY(other);
    QVERIFY(other->smallest == other->real && other->largest == other->real);
    // More keys than that leave room.
    const auto more = otherWeights(*sdpaCase(2, 90, 3, 5).operands(), 1, 2);
    QVERIFY(more);
    QVERIFY(more->largest(2) > 2.0 * more->real(2) && more->smallest(2) < 1e-9);
    QVERIFY(more->residual < 1e-12);
}

void TestDemonstrations::maskedKeysStayZero()
{
    Case c = workedExample();
    c.spec.mask.rule = MaskRule::Causal;
    const auto other = otherWeights(*c.operands(), 1, 0);
    QVERIFY(other);
    QCOMPARE(other->real(2), 0.0);
    QCOMPARE(other->smallest(2), 0.0);
    QCOMPARE(other->largest(2), 0.0);
    QVERIFY(!otherWeights(*c.operands(), 1, 2));
}

void TestDemonstrations::sumsOtherThanOneAreKept()
{
    Case c = workedExample();
    c.spec.normalization = Normalization::Softmax1;
    const auto other = otherWeights(*c.operands(), 0, 1);
    QVERIFY(other);
    QVERIFY(other->real.sum() < 0.9);
    QVERIFY(isNear(other->smallest.sum(), other->real.sum()));
    QVERIFY(std::abs(other->smallest(1)) < 1e-12);
}

void TestDemonstrations::weightsOfAnyUnitsGiveTheSame()
{
    for (const double unit : { 1e-200, 1e-9, 1e12, 1e200 }) {
        Case c = sdpaCase(1, 40, 4, 3);
        const auto usual = otherWeights(*c.operands(), 0, 5);
        c.block = projectedBlock(c.problem.q, c.problem.k, Matrix(c.problem.v * unit));
        const auto scaled = otherWeights(*c.operands(), 0, 5);
        QVERIFY(usual && scaled);
        QVERIFY(std::abs(usual->largest(5) - scaled->largest(5)) < 1e-9);
        QVERIFY(scaled->residual < 1e-12);
    }
}

void TestDemonstrations::whatHasNoOtherWeightsIsRefused()
{
    const auto sentence = [](const Case &c, Index row, Index key) {
        const auto other = otherWeights(*c.operands(), row, key);
        return other ? std::string() : other.error().sentence();
    };
    Case c = workedExample();
    c.block = projectedBlock(Matrix::Ones(3, 4), Matrix::Ones(3, 4), Matrix());
    QCOMPARE(sentence(c, 0, 0), std::string("There are no values. Without V there is no output to keep. Add V."));
    c = workedExample();
    QCOMPARE(sentence(c, 0, 7), std::string("This key is masked for the row. A masked key has the weight 0. Pick a visible cell."));
    for (const double odd : { notANumber, infinity, -infinity }) {
        const Matrix q = Matrix::Ones(3, 4);
        Matrix v = Matrix::Ones(3, 2);
        v(1, 1) = odd;
        c.block = projectedBlock(q, q, v);
        QCOMPARE(sentence(c, 0, 0),
            std::string("The values of this row are not all finite. With NaN or ∞ there is no output to keep. Choose another row."));
        Matrix k = q;
        k(0, 0) = notANumber;
        c.block = projectedBlock(q, k, Matrix::Ones(3, 2));
        QCOMPARE(sentence(c, 0, 0),
            std::string("The weights of this row are not all finite. With NaN or ∞ there is no output to keep. Choose another row."));
    }
    c.block = projectedBlock(Matrix::Ones(3, 4), Matrix::Ones(3, 4), Matrix{ { 1.7e308, 0.0 }, { -1.7e308, 1.0 }, { 1.7e308, 2.0 } });
    QVERIFY(sentence(c, 0, 0).starts_with("The values are too large to compare."));
    std::stop_source source;
    source.request_stop();
    const auto stopped = otherWeights(*sdpaCase(1, 40, 4, 3).operands(), 0, 0, Run{ source.get_token(), {} });
    QVERIFY(!stopped && stopped.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestDemonstrations)
#include "tst_demonstrations.moc"
