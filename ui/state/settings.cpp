// SPDX-License-Identifier: GPL-3.0-or-later
// The keys under which Settings keeps things.
#include "state/settings.h"

namespace attenscope {

namespace {

const QString recentKey = QStringLiteral("recentFiles");
const QString themeKey = QStringLiteral("theme");
const QString geometryKey = QStringLiteral("window/geometry");
const QString stateKey = QStringLiteral("window/state");
const QString rightWidthsKey = QStringLiteral("window/rightWidths");
const QString closedDocksKey = QStringLiteral("window/closedDocks");
const QString speedKey = QStringLiteral("steps/seconds");
const QString decimalsKey = QStringLiteral("steps/decimals");
const QString patternsKey = QStringLiteral("heads/patterns");
const QString hiddenColumnsKey = QStringLiteral("heads/hiddenColumns");
const QString exportKey = QStringLiteral("export");

} // namespace

Settings::Settings(const QString &iniFile)
    : m_settings(iniFile, QSettings::IniFormat)
{
}

QStringList Settings::recentFiles() const
{
    return m_settings.value(recentKey).toStringList().mid(0, mostRecentFiles);
}

void Settings::addRecentFile(const QString &path)
{
    QStringList paths = recentFiles();
    paths.removeAll(path);
    paths.prepend(path);
    m_settings.setValue(recentKey, paths.mid(0, mostRecentFiles));
}

void Settings::removeRecentFile(const QString &path)
{
    QStringList paths = recentFiles();
    paths.removeAll(path);
    m_settings.setValue(recentKey, paths);
}

void Settings::clearRecentFiles()
{
    m_settings.remove(recentKey);
}

ThemeChoice Settings::theme() const
{
    const QString name = m_settings.value(themeKey).toString();
    return name == QLatin1String("light") ? ThemeChoice::Light : name == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

void Settings::setTheme(ThemeChoice choice)
{
    if (choice == ThemeChoice::System)
        m_settings.remove(themeKey);
    else
        m_settings.setValue(themeKey, choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark"));
}

QByteArray Settings::windowGeometry() const
{
    return m_settings.value(geometryKey).toByteArray();
}

QByteArray Settings::windowState() const
{
    return m_settings.value(stateKey).toByteArray();
}

void Settings::setWindow(const QByteArray &geometry, const QByteArray &state)
{
    m_settings.setValue(geometryKey, geometry);
    m_settings.setValue(stateKey, state);
}

std::optional<std::array<int, 2>> Settings::rightWidths() const
{
    const QVariantList widths = m_settings.value(rightWidthsKey).toList();
    constexpr int most = 10'000;
    if (widths.size() != 2 || widths[0].toInt() <= 0 || widths[1].toInt() <= 0 || widths[0].toInt() > most || widths[1].toInt() > most)
        return std::nullopt;
    return std::array{ widths[0].toInt(), widths[1].toInt() };
}

void Settings::setRightWidths(const std::array<int, 2> &widths)
{
    m_settings.setValue(rightWidthsKey, QVariantList{ widths[0], widths[1] });
}

QStringList Settings::closedDocks() const
{
    return m_settings.value(closedDocksKey).toStringList();
}

void Settings::setClosedDocks(const QStringList &names)
{
    if (names.isEmpty())
        m_settings.remove(closedDocksKey);
    else
        m_settings.setValue(closedDocksKey, names);
}

double Settings::secondsPerStep() const
{
    const double seconds = m_settings.value(speedKey).toDouble();
    return seconds > 0.0 ? seconds : 1.0;
}

void Settings::setSecondsPerStep(double seconds)
{
    m_settings.setValue(speedKey, seconds);
}

int Settings::stepDecimals() const
{
    const int decimals = m_settings.value(decimalsKey).toInt();
    return decimals >= 1 && decimals <= 8 ? decimals : 4;
}

void Settings::setStepDecimals(int decimals)
{
    m_settings.setValue(decimalsKey, decimals);
}

PatternRules Settings::patternRules() const
{
    const QVariantMap map = m_settings.value(patternsKey).toMap();
    PatternRules rules;
    const auto read = [&map](const char *name, double &bound) {
        bool isNumber = false;
        const double number = map.value(QLatin1String(name)).toDouble(&isNumber);
        if (isNumber && number >= 0.0 && number <= PatternRules::mostTimesUniform)
            bound = number;
    };
    read("share", rules.share);
    read("timesUniform", rules.timesUniform);
    read("uniform", rules.uniform);
    read("local", rules.local);
    read("broad", rules.broad);
    read("weight", rules.weight);
    const int rows = map.value(QLatin1String("rows")).toInt();
    rules.rows = rows > 0 ? rows : rules.rows;
    return rules;
}

void Settings::setPatternRules(const PatternRules &rules)
{
    if (rules == PatternRules()) {
        m_settings.remove(patternsKey);
        return;
    }
    m_settings.setValue(patternsKey,
        QVariantMap{ { QStringLiteral("share"), rules.share }, { QStringLiteral("timesUniform"), rules.timesUniform },
            { QStringLiteral("rows"), static_cast<qlonglong>(rules.rows) }, { QStringLiteral("uniform"), rules.uniform },
            { QStringLiteral("local"), rules.local }, { QStringLiteral("broad"), rules.broad },
            { QStringLiteral("weight"), rules.weight } });
}

QVariantList Settings::hiddenHeadColumns() const
{
    return m_settings.value(hiddenColumnsKey).toList();
}

void Settings::setHiddenHeadColumns(const QVariantList &columns)
{
    if (columns.isEmpty())
        m_settings.remove(hiddenColumnsKey);
    else
        m_settings.setValue(hiddenColumnsKey, columns);
}

QVariantMap Settings::exportOptions() const
{
    return m_settings.value(exportKey).toMap();
}

void Settings::setExportOptions(const QVariantMap &options)
{
    m_settings.setValue(exportKey, options);
}

} // namespace attenscope
