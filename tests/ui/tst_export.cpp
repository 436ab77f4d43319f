// SPDX-License-Identifier: GPL-3.0-or-later
// ExportDialog and numbersOf(): what the controls ask for is what is written.
#include "window/export_dialog.h"

#include "core/text.h"
#include "io/open.h"
#include "state/head_list.h"
#include "views/map/map_figure.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

namespace {

/// A dialog on a sample; deletes it with the scope.
struct Shown {
    explicit Shown(const Session &session = workedExample())
    {
        document.reset(session);
        dialog = new ExportDialog(document, selection);
        dialog->show();
    }
    ~Shown() { delete dialog; }

    QComboBox *box(const QString &item) const
    {
        for (auto *candidate : dialog->findChildren<QComboBox *>()) {
            if (candidate->findText(item) >= 0)
                return candidate;
        }
        return nullptr;
    }
    void choose(const QString &item) const { box(item)->setCurrentText(item); }

    template <typename Widget>
    Widget *named(const QString &name) const
    {
        for (auto *candidate : dialog->findChildren<Widget *>()) {
            if (candidate->accessibleName() == name)
                return candidate;
        }
        return nullptr;
    }

    bool says(const QString &text) const
    {
        for (auto *label : dialog->findChildren<QLabel *>()) {
            if (label->text().contains(text))
                return true;
        }
        return false;
    }

    QPushButton *exportButton() const
    {
        for (auto *candidate : dialog->findChildren<QPushButton *>()) {
            if (candidate->property("primary").toBool())
                return candidate;
        }
        return nullptr;
    }

    Document document;
    Selection selection;
    QPointer<ExportDialog> dialog;
};

QSize sizeOf(const Shown &shown)
{
    return mapFigure(shown.document, shown.selection, shown.dialog->figureOptions())->pixels;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT

private slots:
    void init() { QSettings().clear(); }

    void saysHowManyPixelsTheFileWillHave()
    {
        Shown shown;
        const QSize size = sizeOf(shown);
        QCOMPARE(size.width(), 1400);
        QVERIFY(size.height() > 0);
        QVERIFY(shown.says(QStringLiteral("1,400 × %1 pixels").arg(QString::fromStdString(groupedCount(size.height())))));
        shown.choose(QStringLiteral("in millimetres"));
        // 120 mm and 90 mm at 300 dpi.
        QVERIFY(shown.says(QStringLiteral("1,417 × 1,063 pixels")));
        QCOMPARE(*shown.dialog->figureOptions().millimetres, QSizeF(120, 90));
        shown.choose(QStringLiteral("by cell"));
        QVERIFY(!shown.dialog->figureOptions().millimetres.has_value());
        QVERIFY(shown.dialog->figureOptions().cellPixels.has_value());
    }

    void tooLargeIsSaidBeforehand()
    {
        Shown shown;
        shown.named<QSpinBox>(QStringLiteral("Width"))->setValue(100000);
        shown.named<QSpinBox>(QStringLiteral("Height"))->setValue(100000);
        QVERIFY(!shown.exportButton()->isEnabled());
        const QString sentence = QString::fromStdString(checkFigure(sizeOf(shown)).error().sentence());
        QVERIFY(shown.says(sentence));
        // What can be drawn, but not while the window goes on.
        shown.named<QSpinBox>(QStringLiteral("Width"))->setValue(20000);
        shown.named<QSpinBox>(QStringLiteral("Height"))->setValue(6000);
        QVERIFY(!shown.exportButton()->isEnabled());
        QVERIFY(shown.says(QStringLiteral("too large to be drawn here")));
    }

    void pictureIsWrittenWithTheMissingExtension()
    {
        QTemporaryDir folder;
        Shown shown;
        const QSignalSpy exported(shown.dialog, &ExportDialog::exported);
        shown.dialog->write(folder.filePath(QStringLiteral("figure")));
        QTRY_COMPARE(exported.count(), 1);
        const QImage image(folder.filePath(QStringLiteral("figure.png")));
        QCOMPARE(image.size(), mapFigure(shown.document, shown.selection, FigureOptions())->pixels);
    }

    void allHeadsAreWrittenAFileEach()
    {
        QTemporaryDir folder;
        Shown shown(exampleSentence());
        shown.choose(QStringLiteral("the shown view of all heads, a file each"));
        QVERIFY(shown.says(QStringLiteral("4 files, one for each head.")));
        const QSignalSpy exported(shown.dialog, &ExportDialog::exported);
        shown.dialog->write(folder.filePath(QStringLiteral("head")));
        QTRY_COMPARE(exported.count(), 1);
        QCOMPARE(exported.front().at(0).toString(), folder.filePath(QStringLiteral("head-0-0.png")));
        QCOMPARE(exported.front().at(1).toInt(), 4);
        for (int head = 0; head < 4; ++head) {
            shown.document.pickHead({ 0, 0, head, 0 });
            const Result<QImage> alone = figureImage(*mapFigure(shown.document, shown.selection, FigureOptions()));
            QVERIFY(alone.ok());
            QCOMPARE(QImage(folder.filePath(QStringLiteral("head-0-%1.png").arg(head))).convertToFormat(QImage::Format_RGB32),
                alone->convertToFormat(QImage::Format_RGB32));
        }
    }

    void aSeriesCanBeStopped()
    {
        QTemporaryDir folder;
        Shown shown(exampleSentence());
        shown.choose(QStringLiteral("the shown view of all heads, a file each"));
        const QSignalSpy exported(shown.dialog, &ExportDialog::exported);
        shown.dialog->write(folder.filePath(QStringLiteral("head")));
        QVERIFY(!shown.exportButton()->isEnabled());
        shown.dialog->reject();
        QVERIFY(shown.exportButton()->isEnabled());
        QTest::qWait(200);
        QCOMPARE(exported.count(), 0);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList());
    }

    void theSheetHasAllHeads()
    {
        Shown shown(exampleSentence());
        shown.choose(QStringLiteral("all heads, on one sheet"));
        // What is of maps only is not offered for it.
        QCOMPARE(shown.box(QStringLiteral("by cell")), nullptr);
        shown.choose(QStringLiteral("the shown view"));
        QVERIFY(shown.box(QStringLiteral("by cell")) != nullptr);
    }

    void backgroundArrivesInThePicture_data()
    {
        QTest::addColumn<QString>("background");
        QTest::addColumn<QColor>("corner");
        QTest::newRow("white") << "white" << QColor(Qt::white);
        QTest::newRow("transparent") << "transparent" << QColor(0, 0, 0, 0);
    }

    void backgroundArrivesInThePicture()
    {
        QFETCH(QString, background);
        QFETCH(QColor, corner);
        QTemporaryDir folder;
        Shown shown;
        shown.choose(background);
        const QSignalSpy exported(shown.dialog, &ExportDialog::exported);
        shown.dialog->write(folder.filePath(QStringLiteral("figure.png")));
        QTRY_COMPARE(exported.count(), 1);
        const QImage image(folder.filePath(QStringLiteral("figure.png")));
        QCOMPARE(image.pixelColor(0, 0), corner);
    }

    void writingCanBeCancelled()
    {
        QTemporaryDir folder;
        Shown shown;
        shown.named<QSpinBox>(QStringLiteral("Width"))->setValue(5000);
        shown.named<QSpinBox>(QStringLiteral("Height"))->setValue(5000);
        const QSignalSpy exported(shown.dialog, &ExportDialog::exported);
        const QString path = folder.filePath(QStringLiteral("figure.png"));
        shown.dialog->write(path);
        QVERIFY(shown.says(QStringLiteral("Writing figure.png…")));
        QVERIFY(!shown.exportButton()->isEnabled());
        QTest::keyClick(shown.dialog, Qt::Key_Escape);
        QVERIFY(shown.dialog->isVisible());
        QVERIFY(shown.exportButton()->isEnabled());
        QVERIFY(shown.says(QStringLiteral("5,000 × 5,000 pixels")));
        // The next one is written after the first has stopped.
        shown.dialog->write(folder.filePath(QStringLiteral("other.png")));
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 60000);
        QVERIFY(!QFileInfo::exists(path));
    }

    void unwritableFolderKeepsTheDialogAndSaysThePath()
    {
        QTemporaryDir folder;
        Shown shown;
        const QSignalSpy failed(shown.dialog, &ExportDialog::failed);
        const QString path = folder.filePath(QStringLiteral("nowhere/figure.png"));
        shown.dialog->write(path);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(QString::fromStdString(failed.first().first().value<Error>().path), path);
        QVERIFY(shown.dialog->isVisible());
    }

    void openFilesAreNotReplaced()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("attention.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("1,0\n0.5,0.5\n") > 0);
        file.close();
        const auto source = openFiles({ file.fileName().toStdString() });
        QVERIFY(source);
        Shown shown(sessionFor(*source));
        shown.choose(QStringLiteral("Numbers, CSV"));
        const QSignalSpy failed(shown.dialog, &ExportDialog::failed);
        shown.dialog->write(file.fileName());
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(QString::fromStdString(failed.first().first().value<Error>().sentence()),
            QStringLiteral("The output would replace an input. Choose another name. %1").arg(file.fileName()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("1,0\n0.5,0.5\n"));
    }

    void numbersAreWrittenInEachFormat_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("extension");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("csv") << "Numbers, CSV"
                             << "csv" << QByteArray();
        QTest::newRow("npy") << "Numbers, NPY"
                             << "npy" << QByteArray("\x93NUMPY");
        QTest::newRow("npz") << "Numbers, NPZ"
                             << "npz" << QByteArray("PK");
        QTest::newRow("json") << "Numbers, JSON"
                              << "json" << QByteArray("{");
    }

    void numbersAreWrittenInEachFormat()
    {
        QFETCH(QString, format);
        QFETCH(QString, extension);
        QFETCH(QByteArray, start);
        QTemporaryDir folder;
        Shown shown;
        shown.choose(format);
        QVERIFY(shown.says(QStringLiteral("3 × 3 numbers, full precision.")));
        const QSignalSpy exported(shown.dialog, &ExportDialog::exported);
        shown.dialog->write(folder.filePath(QStringLiteral("numbers")));
        QTRY_COMPARE(exported.count(), 1);
        const QByteArray written = contents(folder.filePath(QStringLiteral("numbers.") + extension));
        QVERIFY(written.size() > 40);
        QVERIFY(written.startsWith(start));
    }

    void allHeadsAreAsManyAsTheMechanismHas()
    {
        Shown shown(exampleSentence());
        shown.choose(QStringLiteral("Numbers, NPY"));
        shown.choose(QStringLiteral("all heads"));
        QVERIFY(shown.says(QStringLiteral("4 heads of 10 × 10 numbers")));
        const Result<MapNumbers> numbers = numbersOf(shown.document, NumbersScope::AllHeads);
        QVERIFY(numbers.ok());
        QCOMPARE(numbers->fields.size(), std::size_t{ 4 });
        QCOMPARE(numbers->headNames, std::vector<std::string>({ "0", "1", "2", "3" }));
        QCOMPARE(numbers->notes, std::vector<std::string>({ "untrained, random weights" }));
    }

    void headsAreInOrderWhicheverIsPicked()
    {
        Session session = exampleSentence();
        session.view.head.head = 2;
        const Shown shown(session);
        const Result<MapNumbers> numbers = numbersOf(shown.document, NumbersScope::AllHeads);
        QVERIFY(numbers.ok());
        QCOMPARE(numbers->headNames, std::vector<std::string>({ "0", "1", "2", "3" }));
        QCOMPARE(numbers->fields[2]->at(1, 0), shown.document.field(Side::Main)->at(1, 0));
    }

    void theHeadTableStaysChosenWhenItBecomesNumbers()
    {
        QTemporaryDir folder;
        Shown shown(exampleSentence());
        shown.choose(QStringLiteral("all heads, on one sheet"));
        shown.box(QStringLiteral("all heads, on one sheet"))->setCurrentText(QStringLiteral("the head table"));
        shown.choose(QStringLiteral("Numbers, NPY"));
        QVERIFY(!shown.exportButton()->isEnabled());
        QVERIFY(shown.says(QStringLiteral("The head table is written as CSV.")));
        shown.choose(QStringLiteral("Numbers, CSV"));
        QVERIFY(shown.says(QStringLiteral("4 heads, a row each, full precision.")));
        shown.choose(QStringLiteral("Picture, PNG"));
        QCOMPARE(shown.dialog->subject(), ExportDialog::Table);
        shown.choose(QStringLiteral("Numbers, CSV"));
        const QSignalSpy exported(shown.dialog, &ExportDialog::exported);
        shown.dialog->write(folder.filePath(QStringLiteral("table")));
        QTRY_COMPARE(exported.count(), 1);
        QCOMPARE(contents(folder.filePath(QStringLiteral("table.csv"))), headTableCsv(listHeads(shown.document)).toUtf8());
    }

    void enterExports()
    {
        const Shown shown;
        QVERIFY(QTest::qWaitForWindowActive(shown.dialog));
        QList<QPushButton *> pressedByEnter;
        for (auto *button : shown.dialog->findChildren<QPushButton *>()) {
            if (button->isDefault())
                pressedByEnter.append(button);
        }
        QCOMPARE(pressedByEnter, QList<QPushButton *>{ shown.exportButton() });
    }

    void comparingOffersThreeMaps()
    {
        Session session = workedExample();
        session.comparison = withCausalMask(session.mechanism, true);
        Shown shown(session);
        shown.choose(QStringLiteral("Numbers, CSV"));
        QComboBox *sides = shown.box(QStringLiteral("difference"));
        QVERIFY(sides);
        QCOMPARE(sides->count(), 3);
        const Result<MapNumbers> difference = numbersOf(shown.document, NumbersScope::ShownMap, Side::Difference);
        QVERIFY(difference.ok());
        const Result<MapNumbers> first = numbersOf(shown.document, NumbersScope::ShownMap, Side::Main);
        const Result<MapNumbers> second = numbersOf(shown.document, NumbersScope::ShownMap, Side::Comparison);
        // Row 0 sees only itself when causal: 1 - 0.5065 there.
        QVERIFY(std::abs(second->fields.front()->at(0, 0) - 1.0) < 1e-15);
        QVERIFY(std::abs(difference->fields.front()->at(0, 0) - (first->fields.front()->at(0, 0) - 1.0)) < 1e-15);
    }

    void choicesAreRememberedForTheNextTime()
    {
        {
            Shown shown;
            shown.choose(QStringLiteral("by cell"));
            shown.named<QSpinBox>(QStringLiteral("Pixels per cell"))->setValue(32);
            shown.choose(QStringLiteral("dark"));
            shown.dialog->reject();
        }
        const Shown again;
        QCOMPARE(again.dialog->figureOptions().cellPixels, 32);
        QVERIFY(again.dialog->figureOptions().background == FigureBackground::Dark);
    }
};

QTEST_MAIN(TestExport)
#include "tst_export.moc"
