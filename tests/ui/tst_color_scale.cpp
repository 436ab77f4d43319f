// SPDX-License-Identifier: GPL-3.0-or-later
// The colour scale: which numbers stand on it, and which of them where there is little room.
#include "views/map/color_scale.h"

#include <QTest>

using namespace attenscope;

namespace {

QStringList texts(const std::vector<ScaleTick> &ticks)
{
    QStringList list;
    for (const ScaleTick &tick : ticks)
        list << tick.text;
    return list;
}

ColorMap diverging(double upper)
{
    return { divergingTable(), -upper, upper, false };
}

ColorMap weights(double lower, double upper, bool isLogarithmic)
{
    return { colorTable(ColorTable::Viridis), lower, upper, isLogarithmic };
}

} // namespace

class ColorScaleTest : public QObject {
    Q_OBJECT

private slots:
    void ticksAreRoundAndInsideTheRange_data()
    {
        QTest::addColumn<ColorMap>("colors");
        QTest::addColumn<bool>("isSigned");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char *name, const ColorMap &colors, bool isSigned, const char *expected) {
            QTest::newRow(name) << colors << isSigned << QString::fromUtf8(expected).split(QLatin1Char(' '));
        };
        row("weights", weights(0.0, 1.0, false), false, "0.0 0.2 0.4 0.6 0.8 1.0");
        row("own range", weights(0.0, 0.37, false), false, "0.0 0.05 0.10 0.15 0.20 0.25 0.30 0.35");
        row("weighted values", weights(0.0, 7.3, false), false, "0 1 2 3 4 5 6 7");
        row("difference", diverging(1.0), true, "−1.0 −0.5 0 +0.5 +1.0");
        row("crooked", diverging(15.99), false, "−15 −10 −5 0 5 10 15");
        row("just above", diverging(2.0), false, "−2 −1 0 1 2");
        row("just below", diverging(4.99), false, "−4 −3 −2 −1 0 1 2 3 4");
        row("small", diverging(0.0123), true, "−0.010 −0.005 0 +0.005 +0.010");
        row("large", diverging(3.3e38), false, "−3e+38 −2e+38 −1e+38 0 1e+38 2e+38 3e+38");
    }
    void ticksAreRoundAndInsideTheRange()
    {
        QFETCH(ColorMap, colors);
        QFETCH(bool, isSigned);
        const std::vector<ScaleTick> ticks = scaleTicks(colors, isSigned);
        QTEST(texts(ticks), "expected");
        for (const ScaleTick &tick : ticks)
            QVERIFY(tick.position >= 0.0 && tick.position <= 1.0 + 1e-9);
    }

    void ticksOnBothSidesOfZeroAreMirrored_data()
    {
        QTest::addColumn<double>("upper");
        for (const double upper : { 1e-8, 0.3, 1.0, 1.999, 3.5, 42.0, 15.99, 99999.0, 1e308 })
            QTest::addRow("%g", upper) << upper;
    }
    void ticksOnBothSidesOfZeroAreMirrored()
    {
        QFETCH(double, upper);
        const std::vector<ScaleTick> ticks = scaleTicks(diverging(upper), true);
        QVERIFY(ticks.size() >= 5 && ticks.size() <= 9);
        for (std::size_t index = 0; index < ticks.size(); ++index)
            QVERIFY(std::abs(ticks[index].position + ticks[ticks.size() - 1 - index].position - 1.0) < 1e-9);
    }

    void theLowestLogarithmicTickIsAnUpperBound()
    {
        QCOMPARE(scaleTicks(weights(1e-6, 1.0, true), false).front().text, QStringLiteral("≤ 10⁻⁶"));
    }

    void logarithmicTicksStandOnBothSidesOfWhatLooksLikeZero()
    {
        const std::vector<ScaleTick> ticks = scaleTicks(ColorMap::signedLogarithmic(divergingTable(), 1e-6, 1.0), true);
        QCOMPARE(texts(ticks), (QStringList{ "−1", "−10⁻²", "−10⁻⁴", "±10⁻⁶", "+10⁻⁴", "+10⁻²", "+1" }));
        QCOMPARE(ticks[1].position, 1.0 / 6.0);
        QCOMPARE(ticks[3].position, 0.5);
        QCOMPARE(ticks[6].position, 1.0);
        QCOMPARE(texts(fittingTicks(ticks, std::vector(ticks.size(), 30.0), 100.0, 4.0)), (QStringList{ "−1", "±10⁻⁶", "+1" }));
    }

    void labelsThatDoNotFitAreLeftOutEvenly_data()
    {
        QTest::addColumn<double>("length");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("all") << 200.0 << QStringList{ "−1.0", "−0.5", "0", "+0.5", "+1.0" };
        QTest::newRow("every second") << 120.0 << QStringList{ "−1.0", "0", "+1.0" };
        QTest::newRow("zero") << 40.0 << QStringList{ "0" };
    }
    void labelsThatDoNotFitAreLeftOutEvenly()
    {
        QFETCH(double, length);
        const std::vector<ScaleTick> ticks = scaleTicks(diverging(1.0), true);
        QTEST(texts(fittingTicks(ticks, std::vector(ticks.size(), 30.0), length, 4.0)), "expected");
    }
};

QTEST_GUILESS_MAIN(ColorScaleTest)
#include "tst_color_scale.moc"
