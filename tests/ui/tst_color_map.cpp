// SPDX-License-Identifier: GPL-3.0-or-later
// Colour tables as published, positions on linear and logarithmic scales, legible digits.
#include "state/color_map.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attenscope;

namespace {

double luminance(const QColor &color)
{
    const auto linear = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const auto [darker, lighter] = std::minmax({ luminance(a), luminance(b) });
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace

class TestColorMap : public QObject {
    Q_OBJECT

private slots:
    void tablesAreThePublishedOnes_data()
    {
        QTest::addColumn<ColorTable>("table");
        QTest::addColumn<int>("entry");
        QTest::addColumn<QString>("color");
        QTest::newRow("viridis, first") << ColorTable::Viridis << 0 << "#440154";
        QTest::newRow("viridis, 26") << ColorTable::Viridis << 26 << "#482576";
        QTest::newRow("viridis, 128") << ColorTable::Viridis << 128 << "#21918c";
        QTest::newRow("viridis, last") << ColorTable::Viridis << 255 << "#fde725";
        QTest::newRow("cividis, first") << ColorTable::Cividis << 0 << "#00224e";
        QTest::newRow("cividis, last") << ColorTable::Cividis << 255 << "#fee838";
        QTest::newRow("magma, first") << ColorTable::Magma << 0 << "#000004";
        QTest::newRow("magma, 128") << ColorTable::Magma << 128 << "#b73779";
        QTest::newRow("magma, last") << ColorTable::Magma << 255 << "#fcfdbf";
        QTest::newRow("grey, 77") << ColorTable::Grey << 77 << "#4d4d4d";
    }
    void tablesAreThePublishedOnes()
    {
        QFETCH(ColorTable, table);
        QFETCH(int, entry);
        QTEST(QColor(colorTable(table)[static_cast<std::size_t>(entry)]).name(), "color");
    }

    void theDivergingTableIsSymmetricAboutAColourlessMiddle()
    {
        const auto table = divergingTable();
        QCOMPARE(QColor(table[0]).name(), QStringLiteral("#2166ac"));
        QCOMPARE(QColor(table[255]).name(), QStringLiteral("#b2182b"));
        QCOMPARE(QColor(table[127]).name(), QStringLiteral("#f7f7f7"));
        QCOMPARE(QColor(table[128]).name(), QStringLiteral("#f7f7f7"));
    }

    void numbersHaveTheirPlaceOnTheScale_data()
    {
        QTest::addColumn<double>("lower");
        QTest::addColumn<double>("upper");
        QTest::addColumn<bool>("isLogarithmic");
        QTest::addColumn<double>("number");
        QTest::addColumn<double>("position");
        constexpr double infinity = std::numeric_limits<double>::infinity();
        QTest::newRow("middle") << 0.0 << 1.0 << false << 0.5 << 0.5;
        QTest::newRow("below") << 0.0 << 1.0 << false << -3.0 << 0.0;
        QTest::newRow("above") << 0.0 << 1.0 << false << 7.0 << 1.0;
        QTest::newRow("about zero") << -2.0 << 2.0 << false << 1.0 << 0.75;
        QTest::newRow("+inf") << 0.0 << 1.0 << false << infinity << 1.0;
        QTest::newRow("-inf") << 0.0 << 1.0 << false << -infinity << 0.0;
        QTest::newRow("the largest range") << -1e308 << 1e308 << false << 0.0 << 0.5;
        QTest::newRow("no range, on it") << 3.0 << 3.0 << false << 3.0 << 0.5;
        QTest::newRow("logarithm, middle") << 1e-6 << 1.0 << true << 1e-3 << 0.5;
        QTest::newRow("logarithm, zero") << 1e-6 << 1.0 << true << 0.0 << 0.0;
        QTest::newRow("logarithm, lower end") << 1e-6 << 1.0 << true << 1e-6 << 0.0;
        QTest::newRow("logarithm, above") << 1e-6 << 1.0 << true << 2.0 << 1.0;
        QTest::newRow("logarithm, +inf") << 1e-6 << 1.0 << true << infinity << 1.0;
    }
    void numbersHaveTheirPlaceOnTheScale()
    {
        QFETCH(double, lower);
        QFETCH(double, upper);
        QFETCH(bool, isLogarithmic);
        QFETCH(double, number);
        QFETCH(double, position);
        const ColorMap map(colorTable(ColorTable::Viridis), lower, upper, isLogarithmic);
        QVERIFY(std::abs(map.position(number) - position) < 1e-12);
    }

    void logarithmsOfBothSignsAreMirrored_data()
    {
        QTest::addColumn<double>("number");
        QTest::addColumn<double>("position");
        QTest::newRow("zero") << 0.0 << 0.5;
        QTest::newRow("looks like zero") << -1e-6 << 0.5;
        QTest::newRow("positive") << 1e-3 << 0.75;
        QTest::newRow("negative") << -1e-3 << 0.25;
        QTest::newRow("end") << -1.0 << 0.0;
        QTest::newRow("beyond") << 3.0 << 1.0;
        QTest::newRow("-inf") << -std::numeric_limits<double>::infinity() << 0.0;
    }
    void logarithmsOfBothSignsAreMirrored()
    {
        QFETCH(double, number);
        QFETCH(double, position);
        const ColorMap map = ColorMap::signedLogarithmic(divergingTable(), 1e-6, 1.0);
        QVERIFY(std::abs(map.position(number) - position) < 1e-12);
        QCOMPARE(map.lower(), -1.0);
        QVERIFY(map.isLogarithmic());
    }

    void eachOf256StepsHasItsOwnEntry()
    {
        const ColorMap map(colorTable(ColorTable::Magma), 0.0, 256.0, false);
        for (int entry = 0; entry < 256; ++entry)
            QCOMPARE(map.color(static_cast<float>(entry) + 0.5F), map.table()[static_cast<std::size_t>(entry)]);
        QCOMPARE(map.color(256.0F), map.table()[255]);
    }

    void digitsAreLegibleOnEveryColour()
    {
        const std::array tables{ colorTable(ColorTable::Viridis), colorTable(ColorTable::Cividis), colorTable(ColorTable::Magma),
            colorTable(ColorTable::Grey), divergingTable() };
        for (const auto table : tables) {
            const ColorMap map(table, 0.0, 256.0, false);
            for (int entry = 0; entry < 256; ++entry) {
                const float number = static_cast<float>(entry) + 0.5F;
                QVERIFY(contrast(map.textColor(number), QColor(map.color(number))) >= 4.5);
            }
        }
    }

    void weightsAreLogarithmicAbove128KeysUnlessChosen_data()
    {
        QTest::addColumn<ColorScale>("scale");
        QTest::addColumn<int>("keys");
        QTest::addColumn<bool>("isLogarithmic");
        QTest::newRow("automatic, 128") << ColorScale::Automatic << 128 << false;
        QTest::newRow("automatic, 129") << ColorScale::Automatic << 129 << true;
        QTest::newRow("linear, 129") << ColorScale::Linear << 129 << false;
        QTest::newRow("logarithmic, 3") << ColorScale::Logarithmic << 3 << true;
    }
    void weightsAreLogarithmicAbove128KeysUnlessChosen()
    {
        QFETCH(ColorScale, scale);
        QFETCH(int, keys);
        ViewState view;
        view.scale = scale;
        const ColorMap map = weightColors(view, keys);
        QTEST(map.isLogarithmic(), "isLogarithmic");
        QCOMPARE(map.upper(), 1.0);
        QCOMPARE(map.lower(), map.isLogarithmic() ? 1e-6 : 0.0);
    }
};

QTEST_GUILESS_MAIN(TestColorMap)
#include "tst_color_map.moc"
