// SPDX-License-Identifier: GPL-3.0-or-later
// What one cell of a map can be: a number, NaN, masked or absent; and how cells fold into one.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace attenscope::cell {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Masked and absent are NaNs of their own, so that maps stay plain arrays of numbers. Only bit patterns tell them apart: never compute
// with a cell before asking kind().
inline constexpr std::uint32_t maskedBits = 0x7fc0a001U;
inline constexpr std::uint32_t absentBits = 0x7fc0a002U;
inline constexpr std::uint64_t maskedBits64 = 0x7ff8000000a00001U;
inline constexpr std::uint64_t absentBits64 = 0x7ff8000000a00002U;

enum class Kind { Number, Nan, Masked, Absent };

/// This query may not see this key.
template <typename Number>
[[nodiscard]] Number masked();
template <>
[[nodiscard]] inline float masked<float>()
{
    return std::bit_cast<float>(maskedBits);
}
template <>
[[nodiscard]] inline double masked<double>()
{
    return std::bit_cast<double>(maskedBits64);
}

/// The row ends before this column, or there is nothing here.
template <typename Number>
[[nodiscard]] Number absent();
template <>
[[nodiscard]] inline float absent<float>()
{
    return std::bit_cast<float>(absentBits);
}
template <>
[[nodiscard]] inline double absent<double>()
{
    return std::bit_cast<double>(absentBits64);
}

[[nodiscard]] inline Kind kind(float value)
{
    if (!std::isnan(value))
        return Kind::Number;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits == maskedBits ? Kind::Masked : bits == absentBits ? Kind::Absent : Kind::Nan;
}
[[nodiscard]] inline Kind kind(double value)
{
    if (!std::isnan(value))
        return Kind::Number;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return bits == maskedBits64 ? Kind::Masked : bits == absentBits64 ? Kind::Absent : Kind::Nan;
}

/// Masked or absent.
template <typename Number>
[[nodiscard]] bool isHidden(Number cell)
{
    return kind(cell) == Kind::Masked || kind(cell) == Kind::Absent;
}

/// Rounds a number once; masked, absent and NaN keep their kind.
[[nodiscard]] inline float toFloat(double value)
{
    switch (kind(value)) {
    case Kind::Number:
        return static_cast<float>(value);
    case Kind::Masked:
        return masked<float>();
    case Kind::Absent:
        return absent<float>();
    case Kind::Nan:
        break;
    }
    return std::numeric_limits<float>::quiet_NaN();
}

/// The same number or kind in double.
[[nodiscard]] inline double toDouble(float value)
{
    switch (kind(value)) {
    case Kind::Number:
        return value;
    case Kind::Masked:
        return masked<double>();
    case Kind::Absent:
        return absent<double>();
    case Kind::Nan:
        break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace attenscope::cell

namespace attenscope {

/// How many cells become one. NaN wins over everything; numbers win over masked; masked wins over absent.
enum class Fold {
    Max, ///< The largest.
    Mean, ///< Mean of the numbers; only where it is chosen, and then stated.
    MaxMagnitude, ///< The one farthest from zero, with its sign: differences.
};

} // namespace attenscope
