// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: recent files in order and number, and what damaged ones read as.
#include "state/settings.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

class TestSettings : public QObject {
    Q_OBJECT

private slots:
    void recentFilesAreNewestFirstAndTen()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        {
            Settings settings(path);
            for (int number = 0; number < 12; ++number)
                settings.addRecentFile(QStringLiteral("/data/%1.npy").arg(number));
            settings.addRecentFile(QStringLiteral("/data/5.npy"));
        }
        Settings settings(path);
        const QStringList files = settings.recentFiles();
        QCOMPARE(files.size(), Settings::mostRecentFiles);
        QCOMPARE(files.mid(0, 3),
            QStringList({ QStringLiteral("/data/5.npy"), QStringLiteral("/data/11.npy"), QStringLiteral("/data/10.npy") }));
        QCOMPARE(files.count(QStringLiteral("/data/5.npy")), 1);
        settings.removeRecentFile(QStringLiteral("/data/5.npy"));
        QCOMPARE(settings.recentFiles().first(), QStringLiteral("/data/11.npy"));
        settings.clearRecentFiles();
        QVERIFY(settings.recentFiles().isEmpty());
    }

    void theThemeIsKept_data()
    {
        QTest::addColumn<ThemeChoice>("choice");
        QTest::newRow("light") << ThemeChoice::Light;
        QTest::newRow("dark") << ThemeChoice::Dark;
        QTest::newRow("system") << ThemeChoice::System;
    }
    void theThemeIsKept()
    {
        QFETCH(ThemeChoice, choice);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        {
            Settings settings(path);
            settings.setTheme(ThemeChoice::Dark);
            settings.setTheme(choice);
        }
        QCOMPARE(Settings(path).theme(), choice);
    }

    void patternRulesAreKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        QCOMPARE(Settings(path).patternRules(), PatternRules());
        const PatternRules rules{ 0.4, 3.0, 8, 0.9, 0.25, 0.6, 0.3 };
        Settings(path).setPatternRules(rules);
        QCOMPARE(Settings(path).patternRules(), rules);
        Settings(path).setPatternRules({});
        QCOMPARE(Settings(path).patternRules(), PatternRules());
    }

    void whatIsMissingOrDamagedIsTheDefault()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[General]\ntheme=purple\nexport=7\n\x00\xff not an ini file");
        file.close();
        const Settings settings(path);
        QCOMPARE(settings.theme(), ThemeChoice::System);
        QVERIFY(settings.recentFiles().isEmpty());
        QVERIFY(settings.exportOptions().isEmpty());
        QVERIFY(settings.windowGeometry().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
