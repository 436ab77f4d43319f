// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: what the program remembers between starts and what belongs to no session.
#pragma once

#include "attention/patterns.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <QVariantMap>

#include <array>
#include <optional>

namespace attenscope {

/// Light, dark, or whichever the desktop has.
enum class ThemeChoice { System, Light, Dark };

/// A thin, typed face of QSettings (application and organisation name are set by main). Whatever is missing or damaged reads as the default.
class Settings {
public:
    static constexpr int mostRecentFiles = 10;

    Settings() = default;
    /// In @p iniFile instead of the user's settings: tests.
    explicit Settings(const QString &iniFile);

    /// Newest first; absolute paths, also of files that are gone. Several that were opened together are joined by newlines.
    [[nodiscard]] QStringList recentFiles() const;
    void addRecentFile(const QString &path);
    void removeRecentFile(const QString &path);
    void clearRecentFiles();

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    [[nodiscard]] QByteArray windowGeometry() const;
    [[nodiscard]] QByteArray windowState() const;
    void setWindow(const QByteArray &geometry, const QByteArray &state);

    /// Widths of the docks at the right, the usual one and that beside views of many heads; nothing before the first end of the program.
    [[nodiscard]] std::optional<std::array<int, 2>> rightWidths() const;
    void setRightWidths(const std::array<int, 2> &widths);

    /// Object names of docks that the user has closed.
    [[nodiscard]] QStringList closedDocks() const;
    void setClosedDocks(const QStringList &names);

    /// How long a state of a walk stays while it plays.
    [[nodiscard]] double secondsPerStep() const;
    void setSecondsPerStep(double seconds);
    /// Digits after the point of results in the steps, 1 to 8.
    [[nodiscard]] int stepDecimals() const;
    void setStepDecimals(int decimals);

    /// The bounds behind the names of patterns; one that makes no sense is the default.
    [[nodiscard]] PatternRules patternRules() const;
    void setPatternRules(const PatternRules &rules);
    /// Columns of the head table that are not shown, by number.
    [[nodiscard]] QVariantList hiddenHeadColumns() const;
    void setHiddenHeadColumns(const QVariantList &columns);

    /// The choices of the export dialog as it last was.
    [[nodiscard]] QVariantMap exportOptions() const;
    void setExportOptions(const QVariantMap &options);

private:
    QSettings m_settings;
};

} // namespace attenscope
