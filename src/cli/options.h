// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a command: their help, their values, and the complaint about a wrong one.
#pragma once

#include "core/result.h"

#include <QCommandLineParser>

#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attenscope {

/// An option as it is listed.
struct OptionRow {
    const char *name; ///< Without dashes; "output" is also -o.
    const char *value; ///< What stands for its value in the help; empty: it has none.
    const char *help;
};

void addOptions(QCommandLineParser &parser, std::span<const OptionRow> rows);
/// A line per option.
[[nodiscard]] std::string optionsHelp(std::span<const OptionRow> rows);

/// Reads options and keeps the first complaint. What was not given is unset.
class OptionReader {
public:
    explicit OptionReader(const QCommandLineParser &parser)
        : m_parser(parser)
    {
    }

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    [[nodiscard]] bool isGiven(const char *name) const { return m_parser.isSet(QLatin1String(name)); }

    template <typename Value>
    std::optional<Value> choice(const char *name, std::initializer_list<std::pair<const char *, Value>> choices)
    {
        const auto text = given(name);
        if (!text)
            return std::nullopt;
        std::string allowed;
        for (const auto &[key, value] : choices) {
            if (*text == QLatin1String(key))
                return value;
            allowed += (allowed.empty() ? "" : " or ") + std::string(key);
        }
        fail(name, *text, allowed);
        return std::nullopt;
    }
    /// From @p least on, up to @p most.
    std::optional<int> whole(const char *name, int least, int most = std::numeric_limits<int>::max());
    std::optional<double> number(const char *name);
    /// Words with commas between, all of @p known; dashes count as underscores.
    std::vector<std::string> words(const char *name, std::span<const std::string> known);

private:
    [[nodiscard]] std::optional<QString> given(const char *name) const;
    void fail(const char *name, const QString &text, const std::string &allowed);

    const QCommandLineParser &m_parser;
    std::optional<Error> m_error;
};

} // namespace attenscope
