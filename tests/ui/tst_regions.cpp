// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a map in figures and numbers: what is in view, and the regions of attenscope render.
#include "io/session_file.h"
#include "support/long_head.h"
#include "window/export_dialog.h"
#include "window/render_command.h"
#include "window/view_figure.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

namespace {

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void choose(const QDialog &dialog, const QString &item)
{
    for (auto *box : dialog.findChildren<QComboBox *>()) {
        if (box->findText(item) >= 0)
            box->setCurrentText(item);
    }
}

/// That of figures, or that of numbers.
QCheckBox *inView(const QDialog &dialog, bool isOfFigures)
{
    for (auto *box : dialog.findChildren<QCheckBox *>()) {
        if (box->text().startsWith(QLatin1String("Only what is in view")) && isOfFigures == bool(qobject_cast<FigurePage *>(box->parent())))
            return box;
    }
    return nullptr;
}

/// What the command writes as numbers, or its error.
QString rendered(const QStringList &arguments)
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.csv"));
    const Result<RenderRequest> request = parseRender(QStringList{ "--example", "worked", "-o", path } + arguments);
    const Result<void> written = request ? render(*request, {}) : Result<void>(request.error());
    return written ? QString::fromUtf8(contents(path)) : QString::fromStdString(written.error().sentence());
}

} // namespace

class TestRegions : public QObject {
    Q_OBJECT

private slots:
    void init() { QSettings().clear(); }

    void whatIsInViewIsRoundedOutward_data()
    {
        QTest::addColumn<QRectF>("visible");
        QTest::addColumn<CellRect>("region");
        QTest::newRow("whole cells") << QRectF(2, 3, 4, 5) << CellRect{ { 3, 8 }, { 2, 6 } };
        QTest::newRow("fractions") << QRectF(2.9, 3.1, 0.2, 1.5) << CellRect{ { 3, 5 }, { 2, 4 } };
        QTest::newRow("at the edge") << QRectF(-3.0, 8.5, 5.0, 9.0) << CellRect{ { 8, 10 }, { 0, 2 } };
    }
    void whatIsInViewIsRoundedOutward()
    {
        QFETCH(QRectF, visible);
        QFETCH(CellRect, region);
        const Document document;
        Selection selection;
        QVERIFY(!regionInView(document, selection));
        selection.setVisible(visible);
        QCOMPARE(regionInView(document, selection), std::optional(region));
        selection.setVisible(QRectF(0.2, 0.2, 9.5, 9.5));
        QVERIFY(!regionInView(document, selection));
    }

    void picturesByCellShowWhatIsInView()
    {
        Document document;
        Selection selection;
        ExportDialog dialog(document, selection);
        choose(dialog, QStringLiteral("by cell"));
        QVERIFY(!inView(dialog, true)->isEnabled());
        selection.setVisible(QRectF(1.0, 2.0, 3.5, 2.0));
        QVERIFY(inView(dialog, true)->isEnabled());
        QCOMPARE(inView(dialog, true)->text(), QStringLiteral("Only what is in view: 2 × 4 of 10 × 10"));
        QCOMPARE(dialog.figureOptions().region, std::optional(CellRect{ { 2, 4 }, { 1, 5 } }));
        inView(dialog, true)->setChecked(false);
        QCOMPARE(dialog.figureOptions().region, std::optional(CellRect{ { 0, 10 }, { 0, 10 } }));
    }

    void numbersAreOfAllUnlessAskedOtherwise()
    {
        QTemporaryDir folder;
        for (const bool isOnlyInView : { false, true }) {
            Document document;
            document.reset(workedExample());
            Selection selection;
            selection.setVisible(QRectF(0.0, 1.5, 1.5, 1.0));
            auto *dialog = new ExportDialog(document, selection);
            choose(*dialog, QStringLiteral("Numbers, CSV"));
            QVERIFY(!inView(*dialog, false)->isChecked());
            inView(*dialog, false)->setChecked(isOnlyInView);
            QSignalSpy exported(dialog, &ExportDialog::exported);
            dialog->write(folder.filePath(QStringLiteral("a.csv")));
            QTRY_COMPARE(exported.count(), 1);
            const QList<QByteArray> lines = contents(folder.filePath(QStringLiteral("a.csv"))).trimmed().split('\n');
            QCOMPARE(lines.size(), isOnlyInView ? 3 : 4);
            QCOMPARE(lines.last().count(','), isOnlyInView ? 2 : 3);
        }
    }

    void numbersOfALongMapOfferAPart()
    {
        // 2,100 x 2,100 numbers, each query seeing itself.
        Document document;
        document.reset(longHead(2100));
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing(), 60'000);
        Selection selection;
        const ExportDialog dialog(document, selection);
        choose(dialog, QStringLiteral("Numbers, CSV"));
        auto *part = dialog.findChild<QCheckBox *>(QStringLiteral("numbersRegion"));
        QVERIFY(part->isEnabled());
        QCOMPARE(part->text(), QStringLiteral("Only positions 0 to 511"));
        selection.setPicked(CellRef{ 2000, 1000 });
        QCOMPARE(part->text(), QStringLiteral("Only queries 1,588 to 2,099, keys 744 to 1,255"));
        selection.setVisible(QRectF(0.0, 0.0, 10.0, 20.0));
        QCOMPARE(part->text(), QStringLiteral("Only what is in view: 20 × 10 of 2,100 × 2,100"));
    }

    void commandWritesTheRegion()
    {
        const QStringList all = rendered({}).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(all.size(), 4);
        const QStringList part = rendered({ "--region", "1:3,0:2" }).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(part.size(), 3);
        for (int row = 1; row < 3; ++row)
            QCOMPARE(part[row].section(QLatin1Char(','), 1), all[row + 1].section(QLatin1Char(','), 1, 2));
    }

    void commandDrawsAPixelForEachCell()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.png"));
        const Result<RenderRequest> request = parseRender({ "--example", "sentence", "--region", "6:9,0:5", "--cell", "1", "--no-title",
            "--no-labels", "--no-scale", "--no-caption", "-o", path });
        QVERIFY(request.ok());
        const Result<void> written = render(*request, {});
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().sentence().c_str());
        QCOMPARE(QImage(path).size(), QSize(2 * 16 + 5, 2 * 16 + 3));
    }

    void regionsAreOfTheMapWhateverTheSessionShows()
    {
        QTemporaryDir folder;
        const QString saved = folder.filePath(QStringLiteral("a.attn"));
        Session session = workedExample();
        session.view.shown = ShownView::Lines;
        QVERIFY(saveSession(saved.toStdString(), session, {}).ok());
        QList<QImage> pictures;
        for (const QStringList &view : { QStringList(), QStringList{ "--view", "map" } }) {
            const QString path = folder.filePath(QStringLiteral("a.png"));
            const Result<RenderRequest> request = parseRender(QStringList{ saved, "--region", "0:2,0:1", "-o", path } + view);
            QVERIFY(request.ok());
            QVERIFY(render(*request, {}).ok());
            pictures << QImage(path);
        }
        QVERIFY(!pictures.front().isNull());
        QCOMPARE(pictures.front(), pictures.back());
    }

    void axesAreNamedAsTheyAre_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("axes");
        QTest::newRow("weights") << QStringList() << "queries 0:10 and keys 0:10";
        QTest::newRow("output") << QStringList{ "--stage", "output" } << "queries 0:10 and dimensions 0:8";
        QTest::newRow("rollout") << QStringList{ "--view", "layers" } << "queries 0:10 and keys 0:10";
        QTest::newRow("similarity") << QStringList{ "--view", "layers", "--across", "similarity" } << "heads 0:4 and heads 0:4";
        QTest::newRow("embedding") << QStringList{ "--view", "layers", "--across", "embedding" } << "heads 0:4 and coordinates 0:2";
    }
    void axesAreNamedAsTheyAre()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, axes);
        const QTemporaryDir folder;
        const Result<RenderRequest> request = parseRender(
            QStringList{ "--example", "sentence", "--region", "0:99,0:1", "-o", folder.filePath(QStringLiteral("a.csv")) } + arguments);
        QVERIFY(request.ok());
        QCOMPARE(QString::fromStdString(render(*request).error().where), QStringLiteral("The map has %1.").arg(axes));
        QVERIFY(renderHelp().contains(QLatin1String("--region QUERIES,KEYS")));
    }

    void wrongRegionsAreSaid_data()
    {
        QTest::addColumn<QString>("region");
        QTest::addColumn<QString>("sentence");
        const QString form = QStringLiteral("--region cannot be “%1”. It is a range of queries and one of keys such as 4096:4608,0:512.");
        for (const QString text : { "", "1:2", "2:1,0:1", "1:1,0:1", "-1:2,0:1", "1:2,0:1,3:4", "a:b,c:d", "1:9999999999999999999,0:1" })
            QTest::newRow(qPrintable(text)) << text << form.arg(text);
        QTest::newRow("outside") << "0:2,1:4"
                                 << "There is no region 0:2,1:4. The map has queries 0:3 and keys 0:3.";
    }
    void wrongRegionsAreSaid()
    {
        QFETCH(QString, region);
        QFETCH(QString, sentence);
        QCOMPARE(rendered({ "--region", region }), sentence);
    }

    void otherViewsHaveNoRegion()
    {
        const Result<RenderRequest> request
            = parseRender({ "--example", "worked", "--view", "lines", "--region", "0:1,0:1", "-o", "a.png" });
        QVERIFY(!request.ok());
        QCOMPARE(QString::fromStdString(request.error().what), QStringLiteral("--region is for maps and numbers."));
    }
};

QTEST_MAIN(TestRegions)
#include "tst_regions.moc"
