// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of heads: words, comparisons, and what cannot be understood.
#include "session/head_order.h"

#include <QTest>

using namespace attenscope;

class TestHeadOrder : public QObject {
    Q_OBJECT

private slots:
    void wordsAndComparisonsMustAllHold_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<bool>("accepts");
        for (const char *filter : { "", "  ", "4", "4·0", "previous", "PREV token", "previous > 0.4", "previous>=0.75", "previous=0.75",
                 "prev < 0,8", "h/ln < 1", "keys<=3 previous>0.5", "token previous > 0.5 4" })
            QTest::addRow("yes: %s", filter) << QString::fromUtf8(filter) << true;
        for (const char *filter :
            { "5·0", "first", "previous > 0.75", "previous<0.75", "keys > 3", "token keys>3", "own > 0", "first < 1" })
            QTest::addRow("no: %s", filter) << QString::fromUtf8(filter) << false;
    }

    void wordsAndComparisonsMustAllHold()
    {
        QFETCH(QString, filter);
        HeadSummary summary;
        summary.previous = { 0.75, 9, 0.2 };
        summary.effectiveKeys = { 3.0, 10, 5.0 };
        summary.normalizedEntropy = { 0.5, 9, 1.0 };
        const auto parsed = HeadFilter::parse(filter.toStdString());
        QVERIFY(parsed);
        QTEST(parsed->accepts("4·0", "Previous token", &summary), "accepts");
    }

    void aHeadThatIsNotReadyHasNoNumbers()
    {
        QVERIFY(HeadFilter::parse("4")->accepts("4·0", "…", nullptr));
        QVERIFY(!HeadFilter::parse("entropy < 9")->accepts("4·0", "…", nullptr));
    }

    void whatIsNotUnderstoodIsSaid_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("what");
        QTest::newRow("column") << QStringLiteral("weight > 1") << QStringLiteral("There is no column “weight”.");
        QTest::newRow("no column") << QStringLiteral("> 1") << QStringLiteral("There is no column “”.");
        QTest::newRow("number") << QStringLiteral("first > much") << QStringLiteral("After “first >” there is no number.");
        QTest::newRow("no number") << QStringLiteral("first >") << QStringLiteral("After “first >” there is no number.");
        QTest::newRow("sign") << QStringLiteral("first <> 1") << QStringLiteral("“<>” compares nothing.");
    }

    void whatIsNotUnderstoodIsSaid()
    {
        QFETCH(QString, filter);
        const auto parsed = HeadFilter::parse(filter.toStdString());
        QVERIFY(!parsed);
        QTEST(QString::fromStdString(parsed.error().what), "what");
    }
};

QTEST_APPLESS_MAIN(TestHeadOrder)
#include "tst_head_order.moc"
