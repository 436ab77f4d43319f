// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors: every element type and byte order, views by strides, equality.
#include "core/tensor.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

using namespace attenscope;

namespace {

/// The bytes of numbers, as this machine or the other kind stores them.
template <typename Stored>
std::vector<std::byte> bytesOf(const std::vector<Stored> &numbers, bool isBigEndian = false)
{
    std::vector<std::byte> bytes;
    for (const Stored number : numbers) {
        auto raw = std::bit_cast<std::array<std::byte, sizeof(Stored)>>(number);
        if (isBigEndian != (std::endian::native == std::endian::big))
            std::reverse(raw.begin(), raw.end());
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    return bytes;
}

template <typename Stored>
Tensor tensorOf(ElementType type, const std::vector<Stored> &numbers, std::vector<Index> shape, bool isBigEndian = false)
{
    return { bytesInMemory(bytesOf(numbers, isBigEndian)), 0, type, std::move(shape), isBigEndian };
}

/// 0, 1, 2, … in F64.
Tensor counting(std::vector<Index> shape)
{
    Index count = 1;
    for (const Index size : shape)
        count *= size;
    std::vector<double> numbers;
    for (Index number = 0; number < count; ++number)
        numbers.push_back(static_cast<double>(number));
    return tensorOf(ElementType::F64, numbers, std::move(shape));
}

} // namespace

class TestTensor : public QObject {
    Q_OBJECT

private slots:
    void everyTypeIsRead_data();
    void everyTypeIsRead();
    void halvesAreExact();
    void bfloatsAreTheUpperHalfOfAFloat();
    void offsetsMayBeUnaligned();
    void transposedViewsReadInTheirOrder();
    void viewsOfViews();
    void rowsAreReadInPart();
    void readingGoesOnInTheNextRow();
    void wideStridesReadEveryElement();
    void reshapedKeepsTheOrder();
    void floatsAreRoundedOnce();
    void equalityComparesNumbersBitByBit();
    void emptyTensorsHaveNoNumbers();
    void sizesAndNamesOfTypes();
};

void TestTensor::everyTypeIsRead_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("isBigEndian");
    for (const ElementType type :
        { ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16, ElementType::I64, ElementType::I32, ElementType::I16,
            ElementType::I8, ElementType::U64, ElementType::U32, ElementType::U16, ElementType::U8, ElementType::Bool })
        for (const bool isBigEndian : { false, true })
            QTest::addRow("%s, %s endian", elementName(type).data(), isBigEndian ? "big" : "little")
                << static_cast<int>(type) << isBigEndian;
}

void TestTensor::everyTypeIsRead()
{
    QFETCH(int, type);
    QFETCH(bool, isBigEndian);
    const auto element = static_cast<ElementType>(type);
    const auto numbersOf = [&](const auto &stored) { return tensorOf(element, stored, { 3 }, isBigEndian).toNumbers(); };
    using Numbers = std::vector<double>;
    Numbers result;
    Numbers expected;
    switch (element) {
    case ElementType::F64:
        result = numbersOf(std::vector{ 1.5, -0.1, 1e300 });
        expected = Numbers{ 1.5, -0.1, 1e300 };
        break;
    case ElementType::F32:
        result = numbersOf(std::vector{ 1.5F, -0.25F, 1e30F });
        expected = Numbers{ 1.5, -0.25, static_cast<double>(1e30F) };
        break;
    case ElementType::F16:
        result = numbersOf(std::vector<std::uint16_t>{ 0x3c00, 0xc000, 0x3555 });
        expected = Numbers{ 1.0, -2.0, 0.333251953125 };
        break;
    case ElementType::BF16:
        result = numbersOf(std::vector<std::uint16_t>{ 0x3f80, 0xc000, 0x3eab });
        expected = Numbers{ 1.0, -2.0, 0.333984375 };
        break;
    case ElementType::I64:
        result = numbersOf(std::vector<std::int64_t>{ -1, 7, 1LL << 40 });
        expected = Numbers{ -1.0, 7.0, 1099511627776.0 };
        break;
    case ElementType::I32:
        result = numbersOf(std::vector<std::int32_t>{ -1, 7, 1 << 30 });
        expected = Numbers{ -1.0, 7.0, 1073741824.0 };
        break;
    case ElementType::I16:
        result = numbersOf(std::vector<std::int16_t>{ -1, 7, 258 });
        expected = Numbers{ -1.0, 7.0, 258.0 };
        break;
    case ElementType::I8:
        result = numbersOf(std::vector<std::int8_t>{ -1, 7, 127 });
        expected = Numbers{ -1.0, 7.0, 127.0 };
        break;
    case ElementType::U64:
        result = numbersOf(std::vector<std::uint64_t>{ 1, 7, 1ULL << 63 });
        expected = Numbers{ 1.0, 7.0, 9223372036854775808.0 };
        break;
    case ElementType::U32:
        result = numbersOf(std::vector<std::uint32_t>{ 1, 7, 1U << 31 });
        expected = Numbers{ 1.0, 7.0, 2147483648.0 };
        break;
    case ElementType::U16:
        result = numbersOf(std::vector<std::uint16_t>{ 1, 7, 65535 });
        expected = Numbers{ 1.0, 7.0, 65535.0 };
        break;
    case ElementType::U8:
        result = numbersOf(std::vector<std::uint8_t>{ 1, 7, 255 });
        expected = Numbers{ 1.0, 7.0, 255.0 };
        break;
    case ElementType::Bool:
        result = numbersOf(std::vector<std::uint8_t>{ 0, 1, 2 });
        expected = Numbers{ 0.0, 1.0, 1.0 };
        break;
    }
    QCOMPARE(result, expected);
}

void TestTensor::halvesAreExact()
{
    QCOMPARE(halfToFloat(0x7bff), 65504.0F);
    QCOMPARE(halfToFloat(0x0001), 0x1p-24F);
    QCOMPARE(halfToFloat(0x03ff), 0x1.ff8p-15F);
    QCOMPARE(halfToFloat(0x0400), 0x1p-14F);
    QVERIFY(std::signbit(halfToFloat(0x8000)) && halfToFloat(0x8000) == 0.0F);
    QVERIFY(std::isinf(halfToFloat(0x7c00)) && halfToFloat(0xfc00) < 0.0F);
    QVERIFY(std::isnan(halfToFloat(0x7e01)));
}

void TestTensor::bfloatsAreTheUpperHalfOfAFloat()
{
    QCOMPARE(std::bit_cast<std::uint32_t>(bfloatToFloat(0x1234)), 0x12340000U);
    QVERIFY(std::isnan(bfloatToFloat(0x7fc0)));
}

void TestTensor::offsetsMayBeUnaligned()
{
    std::vector<std::byte> bytes(3, std::byte{ 0xee });
    for (const std::byte byte : bytesOf(std::vector{ 1.25, 2.5 }))
        bytes.push_back(byte);
    const Tensor tensor(bytesInMemory(bytes), 3, ElementType::F64, { 2 });
    QCOMPARE(tensor.toNumbers(), (std::vector{ 1.25, 2.5 }));
}

void TestTensor::transposedViewsReadInTheirOrder()
{
    const Tensor tensor = counting({ 2, 3, 4 });
    const std::array order{ 2, 0, 1 };
    const Tensor turned = tensor.transposed(order);
    QCOMPARE(turned.shape(), (std::vector<Index>{ 4, 2, 3 }));
    const std::vector<double> numbers = turned.toNumbers();
    for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t c = 0; c < 3; ++c)
                QCOMPARE(numbers[(a * 2 + b) * 3 + c], static_cast<double>(b * 12 + c * 4 + a));
    QVERIFY(tensor.isContiguous() && !turned.isContiguous());
}

void TestTensor::viewsOfViews()
{
    const Tensor tensor = counting({ 3, 4, 5 });
    const std::array swap{ 1, 0 };
    const Tensor view = tensor.at(2).sliced(0, { 1, 4 }).sliced(1, { 2, 4 }).transposed(swap);
    QCOMPARE(view.shape(), (std::vector<Index>{ 2, 3 }));
    QCOMPARE(view.toNumbers(), (std::vector{ 47.0, 52.0, 57.0, 48.0, 53.0, 58.0 }));
    QCOMPARE(view.elements(), Index{ 6 });
}

void TestTensor::rowsAreReadInPart()
{
    const Tensor tensor = counting({ 3, 5 });
    std::array<double, 2> part{};
    tensor.readRow(1, 3, std::span<double>(part));
    QCOMPARE(part, (std::array{ 8.0, 9.0 }));
    const std::array swap{ 1, 0 };
    tensor.transposed(swap).readRow(4, 1, std::span<double>(part));
    QCOMPARE(part, (std::array{ 9.0, 14.0 }));
    tensor.readRow(2, 5, std::span<double>());
}

void TestTensor::readingGoesOnInTheNextRow()
{
    const Tensor tensor = counting({ 4, 5 });
    std::array<double, 9> numbers{};
    tensor.readRow(1, 3, std::span<double>(numbers));
    QCOMPARE(numbers, (std::array{ 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0 }));
    // Where rows are not side by side: a part of every row, and columns as rows.
    std::array<float, 5> some{};
    tensor.sliced(1, { 1, 3 }).readRow(1, 1, std::span<float>(some));
    QCOMPARE(some, (std::array{ 7.0F, 11.0F, 12.0F, 16.0F, 17.0F }));
    const std::array swap{ 1, 0 };
    tensor.transposed(swap).readRow(0, 2, std::span<float>(some));
    QCOMPARE(some, (std::array{ 10.0F, 15.0F, 1.0F, 6.0F, 11.0F }));
}

void TestTensor::wideStridesReadEveryElement()
{
    // A column of a matrix whose rows are longer than what is read at once.
    constexpr Index cols = 20000;
    const Tensor tensor = counting({ 5, cols });
    const std::array swap{ 1, 0 };
    std::array<double, 5> column{};
    tensor.transposed(swap).readRow(cols - 1, 0, std::span<double>(column));
    for (std::size_t row = 0; row < 5; ++row)
        QCOMPARE(column[row], static_cast<double>((row + 1) * cols - 1));
}

void TestTensor::reshapedKeepsTheOrder()
{
    const Tensor tensor = counting({ 2, 6 }).reshaped({ 3, 4 });
    std::array<double, 4> row{};
    tensor.readRow(1, 0, std::span<double>(row));
    QCOMPARE(row, (std::array{ 4.0, 5.0, 6.0, 7.0 }));
}

void TestTensor::floatsAreRoundedOnce()
{
    const Tensor tensor = tensorOf(ElementType::F64, std::vector{ 0.1, 1e300, 16777217.0 }, { 1, 3 });
    std::array<float, 3> row{};
    tensor.readRow(0, 0, std::span<float>(row));
    QCOMPARE(row[0], 0.1F);
    QVERIFY(std::isinf(row[1]));
    QCOMPARE(row[2], 16777216.0F);
}

void TestTensor::equalityComparesNumbersBitByBit()
{
    const double nan = std::nan("");
    const Tensor first = tensorOf(ElementType::F64, std::vector{ 1.0, nan }, { 2 });
    QVERIFY(first == tensorOf(ElementType::F64, std::vector{ 1.0, nan }, { 2 }));
    QVERIFY(first == tensorOf(ElementType::F64, std::vector{ 1.0, nan }, { 2 }, true));
    QVERIFY(!(first == tensorOf(ElementType::F64, std::vector{ 2.0, nan }, { 2 })));
    QVERIFY(!(first == tensorOf(ElementType::F64, std::vector{ 1.0, nan }, { 2, 1 })));
    QVERIFY(!(tensorOf(ElementType::F64, std::vector{ 0.0 }, { 1 }) == tensorOf(ElementType::F64, std::vector{ -0.0 }, { 1 })));
}

void TestTensor::emptyTensorsHaveNoNumbers()
{
    QVERIFY(Tensor().toNumbers().empty());
    QVERIFY(Tensor() == Tensor());
    QVERIFY(counting({ 3, 0 }).toNumbers().empty());
    QCOMPARE(counting({}).toNumbers(), (std::vector{ 0.0 }));
}

void TestTensor::sizesAndNamesOfTypes()
{
    QCOMPARE(elementSize(ElementType::BF16), std::size_t{ 2 });
    QCOMPARE(elementSize(ElementType::Bool), std::size_t{ 1 });
    QCOMPARE(elementName(ElementType::Bool), std::string_view("BOOL"));
    QCOMPARE(counting({ 3, 5 }).bytes(), std::uint64_t{ 120 });
}

QTEST_APPLESS_MAIN(TestTensor)
#include "tst_tensor.moc"
