// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as Python writes it (NaN, Infinity), compact for long lists of numbers, strict about duplicate keys and depth.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attenscope {

struct JsonValue;

/// Members in the order of the text; no name occurs twice.
using JsonObject = std::vector<std::pair<std::string, JsonValue>>;
using JsonArray = std::vector<JsonValue>;
/// A list of numbers only, true, false and null among them as 1, 0 and NaN; also the empty list.
using JsonNumbers = std::vector<double>;

/// One value. null is std::monostate.
struct JsonValue {
    std::variant<std::monostate, bool, double, std::string, JsonNumbers, JsonArray, JsonObject> value;

    template <typename Kind>
    [[nodiscard]] const Kind *as() const
    {
        return std::get_if<Kind>(&value);
    }
    /// The member @p name of an object; null where there is none.
    [[nodiscard]] const JsonValue *find(std::string_view name) const;
    /// The strings of a list of strings (not empty), else nothing.
    [[nodiscard]] std::vector<std::string> strings() const;
};

/// How deep lists and objects may lie in each other.
inline constexpr int maxJsonDepth = 64;

/// Parses all of @p text. Errors, with line and column: not UTF-8, not JSON, a name twice, nested too deep, a number too large for a double.
Result<JsonValue> parseJson(std::string_view text);

} // namespace attenscope
