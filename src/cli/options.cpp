// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and listing options.
#include "cli/options.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

void addOptions(QCommandLineParser &parser, std::span<const OptionRow> rows)
{
    for (const OptionRow &row : rows) {
        QStringList names{ QLatin1String(row.name) };
        if (names.first() == QLatin1String("output"))
            names << QStringLiteral("o");
        if (*row.value == '\0')
            parser.addOption({ names, QLatin1String(row.help) });
        else
            parser.addOption({ names, QLatin1String(row.help), QLatin1String(row.value) });
    }
}

std::string optionsHelp(std::span<const OptionRow> rows)
{
    std::string text;
    for (const OptionRow &row : rows) {
        const QString start = QLatin1String(row.name) == QLatin1String("output") ? QStringLiteral("  -o, --") : QStringLiteral("  --");
        const QString name = start + QLatin1String(row.name) + QLatin1Char(' ') + QLatin1String(row.value);
        text += name.leftJustified(30).toStdString() + row.help + "\n";
    }
    return text;
}

std::optional<int> OptionReader::whole(const char *name, int least, int most)
{
    const auto text = given(name);
    if (!text)
        return std::nullopt;
    bool isNumber = false;
    const int number = text->toInt(&isNumber);
    if (isNumber && number >= least && number <= most)
        return number;
    fail(name, *text,
        "a whole number from " + std::to_string(least) + (most == std::numeric_limits<int>::max() ? " on" : " to " + std::to_string(most)));
    return std::nullopt;
}

std::optional<double> OptionReader::number(const char *name)
{
    const auto text = given(name);
    if (!text)
        return std::nullopt;
    bool isNumber = false;
    const double number = text->toDouble(&isNumber);
    if (isNumber && std::isfinite(number))
        return number;
    fail(name, *text, "a number");
    return std::nullopt;
}

std::vector<std::string> OptionReader::words(const char *name, std::span<const std::string> known)
{
    std::vector<std::string> chosen;
    const auto text = given(name);
    if (!text)
        return chosen;
    for (QString part : text->split(QLatin1Char(','))) {
        part = part.trimmed().replace(QLatin1Char('-'), QLatin1Char('_'));
        chosen.push_back(part.toStdString());
        if (std::find(known.begin(), known.end(), chosen.back()) != known.end())
            continue;
        std::string allowed;
        for (const std::string &word : known)
            allowed += (allowed.empty() ? "" : ", ") + word;
        fail(name, part, "of " + allowed);
    }
    return chosen;
}

std::optional<QString> OptionReader::given(const char *name) const
{
    const QString key = QLatin1String(name);
    return m_parser.isSet(key) ? std::optional(m_parser.value(key)) : std::nullopt;
}

void OptionReader::fail(const char *name, const QString &text, const std::string &allowed)
{
    if (!m_error)
        m_error = Error{ std::string("--") + name + " cannot be “" + text.toStdString() + "”.", {}, "It is " + allowed + ".", {} };
}

} // namespace attenscope
