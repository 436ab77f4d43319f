// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in words, errors in sentences, memory in limits.
#include "core/memory.h"
#include "core/result.h"
#include "core/text.h"

#include <QTest>

#include <array>
#include <cmath>
#include <limits>

using namespace attenscope;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

class TestText : public QObject {
    Q_OBJECT

private slots:
    void countsAreGrouped();
    void bytesHaveDecimalUnits();
    void shapesAreMultiplied();
    void exactNumbersReadBack();
    void displayedNumbersHaveFixedDecimals();
    void shortenedTextKeepsCharactersWhole();
    void malformedUtf8IsRecognised_data();
    void malformedUtf8IsRecognised();
    void errorsAreOneSentence();
    void resultsHoldAValueOrAnError();
    void productsSaturate();
    void tooMuchMemoryIsRefused();
};

void TestText::countsAreGrouped()
{
    QCOMPARE(groupedCount(0), std::string("0"));
    QCOMPARE(groupedCount(999), std::string("999"));
    QCOMPARE(groupedCount(146600), std::string("146,600"));
    QCOMPARE(groupedCount(1234567890), std::string("1,234,567,890"));
    QCOMPARE(groupedCount(-1234), std::string("−1,234"));
    QCOMPARE(groupedCount(-100), std::string("−100"));
    QCOMPARE(groupedCount(std::numeric_limits<std::int64_t>::min()), std::string("−9,223,372,036,854,775,808"));
}

void TestText::bytesHaveDecimalUnits()
{
    QCOMPARE(byteSize(1), std::string("1 byte"));
    QCOMPARE(byteSize(146600), std::string("146,600 bytes"));
    QCOMPARE(byteSize(1'000'000), std::string("1.0 MB"));
    QCOMPARE(byteSize(2'400'000'000), std::string("2.4 GB"));
    QCOMPARE(byteSize(134'217'728), std::string("134 MB"));
    QCOMPARE(byteSize(std::numeric_limits<std::uint64_t>::max()), std::string("18.4 EB"));
}

void TestText::shapesAreMultiplied()
{
    QCOMPARE(shapeText(std::array<Index, 3>{ 5, 8, 21 }), std::string("5 × 8 × 21"));
    QCOMPARE(shapeText(std::array<Index, 1>{ 4096 }), std::string("4,096"));
}

void TestText::exactNumbersReadBack()
{
    QCOMPARE(exactNumber(0.1), std::string("0.1"));
    QCOMPARE(exactNumber(-2.0), std::string("-2"));
    QCOMPARE(exactNumber(1e308), std::string("1e+308"));
    QCOMPARE(exactNumber(infinity), std::string("inf"));
    QCOMPARE(exactNumber(-infinity), std::string("-inf"));
    QCOMPARE(exactNumber(std::nan("")), std::string("nan"));
    for (const double number : { 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.30000000000000004 })
        QCOMPARE(QByteArray::fromStdString(exactNumber(number)).toDouble(), number);
}

void TestText::displayedNumbersHaveFixedDecimals()
{
    QCOMPARE(displayNumber(0.50648, 4), std::string("0.5065"));
    QCOMPARE(displayNumber(-1.25, 1), std::string("−1.2"));
    QCOMPARE(displayNumber(-0.00001, 3), std::string("0.000"));
    QCOMPARE(displayNumber(infinity, 2), std::string("∞"));
    QCOMPARE(displayNumber(-infinity, 2), std::string("−∞"));
    QCOMPARE(displayNumber(std::nan(""), 2), std::string("NaN"));
    QCOMPARE(displayNumber(1e308, 2).size(), std::size_t{ 312 });
}

void TestText::shortenedTextKeepsCharactersWhole()
{
    QCOMPARE(shortened("abc", 3), std::string("abc"));
    QCOMPARE(shortened("abcd", 3), std::string("ab…"));
    QCOMPARE(shortened("東京東京", 3), std::string("東京…"));
    QCOMPARE(shortened("a\nb\tc", 9), std::string("a b c"));
    QCOMPARE(shortened("", 3), std::string());
    QCOMPARE(shortened(std::string(10000, 'x'), 12).size(), std::size_t{ 11 + 3 });
}

void TestText::malformedUtf8IsRecognised_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isGood");
    QTest::newRow("ASCII") << QByteArray("plain") << true;
    QTest::newRow("two bytes") << QByteArray("Se\xc3\xa1n") << true;
    QTest::newRow("four bytes") << QByteArray("\xf0\x9f\x98\x80") << true;
    QTest::newRow("largest") << QByteArray("\xf4\x8f\xbf\xbf") << true;
    QTest::newRow("empty") << QByteArray() << true;
    QTest::newRow("cut short") << QByteArray("\xc3") << false;
    QTest::newRow("stray continuation") << QByteArray("\x80") << false;
    QTest::newRow("overlong slash") << QByteArray("\xc0\xaf") << false;
    QTest::newRow("overlong, three bytes") << QByteArray("\xe0\x80\xaf") << false;
    QTest::newRow("overlong, four bytes") << QByteArray("\xf0\x80\x80\xaf") << false;
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << false;
    QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80") << false;
    QTest::newRow("Latin-1") << QByteArray("Se\xe1n") << false;
}

void TestText::malformedUtf8IsRecognised()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isGood);
    QCOMPARE(isUtf8(std::string_view(text.constData(), static_cast<std::size_t>(text.size()))), isGood);
}

void TestText::errorsAreOneSentence()
{
    Error error;
    error.what = "The file ends too early.";
    error.remedy = "Download it again.";
    QCOMPARE(error.sentence(), std::string("The file ends too early. Download it again."));
    QCOMPARE(error.at("/a.npy").sentence(), std::string("The file ends too early. Download it again. /a.npy"));
    QCOMPARE(error.at("/a.npy").at("/b.npy").path, std::string("/a.npy"));
    QVERIFY(Error::cancelled().isCancelled && !error.isCancelled);
}

void TestText::resultsHoldAValueOrAnError()
{
    const Result<int> good = 3;
    QVERIFY(good.ok() && good && *good == 3);
    const Result<int> bad = Error::cancelled();
    QVERIFY(!bad && bad.error().isCancelled);
    QVERIFY(Result<void>().ok());
    QVERIFY(!Result<void>(Error::cancelled()));
    Result<std::string> text = std::string("moved");
    QCOMPARE(std::move(text).value(), std::string("moved"));
}

void TestText::productsSaturate()
{
    QCOMPARE(saturatingProduct(1U << 20U, 1U << 20U), std::uint64_t{ 1 } << 40U);
    QCOMPARE(saturatingProduct(std::uint64_t{ 1 } << 40U, std::uint64_t{ 1 } << 40U), std::numeric_limits<std::uint64_t>::max());
    QCOMPARE(saturatingProduct(0, std::numeric_limits<std::uint64_t>::max()), std::uint64_t{ 0 });
}

void TestText::tooMuchMemoryIsRefused()
{
    QVERIFY(checkMemory(1000, "A row").ok());
    const Result<void> refused = checkMemory(std::uint64_t{ 1 } << 60U, "The map");
    QVERIFY(!refused);
    QVERIFY(refused.error().sentence().starts_with("The map would need 1.2 EB. At most half of the free memory is used, "));
    QVERIFY(!checkMemory(std::numeric_limits<std::uint64_t>::max(), "All"));
    QVERIFY(availableMemory() > 0);
}

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
