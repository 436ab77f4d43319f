// SPDX-License-Identifier: GPL-3.0-or-later
// Walks become pictures, numbered series and animations.
#include "support/steps.h"
#include "views/steps/walk_figure.h"
#include "window/walk_files.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtEndian>
#include <QtTest>

using namespace attenscope;

namespace {

WalkPicture workedPicture()
{
    WalkPicture picture;
    picture.steps = std::make_shared<StepContent>(workedContent());
    picture.title = QStringLiteral("Worked example");
    picture.state.position = { WalkStep::Scaled, 2, 0 };
    return picture;
}

} // namespace

class WalkFilesTest : public QObject {
    Q_OBJECT

private slots:
    void seriesHasAFileForEveryState();
    void animationHasAFrameForEveryState();
    void stateIsWrittenInEveryFormat_data();
    void stateIsWrittenInEveryFormat();
};

void WalkFilesTest::seriesHasAFileForEveryState()
{
    const QTemporaryDir folder;
    const WalkPicture picture = workedPicture();
    const WalkFileOptions options{ { 900, 700 }, FigureBackground::White, false, 1.0 };
    const QStringList paths = saveWalkSeries(folder.filePath(QStringLiteral("walk.png")), picture, options).value();
    QCOMPARE(paths.size(), 22);
    QCOMPARE(QFileInfo(paths.first()).fileName(), QStringLiteral("walk-01.png"));
    QCOMPARE(QFileInfo(paths.last()).fileName(), QStringLiteral("walk-22.png"));
    const QImage second(paths[1]);
    QCOMPARE(second.size(), QSize(900, 700));
    QVERIFY(second.convertToFormat(QImage::Format_RGB32)
        == walkImage(picture, { { WalkStep::Scores, 1, 0 }, 0 }, options)->convertToFormat(QImage::Format_RGB32));
    std::stop_source stop;
    stop.request_stop();
    Run run;
    run.stop = stop.get_token();
    QVERIFY(saveWalkSeries(folder.filePath(QStringLiteral("stopped.png")), picture, options, run).error().isCancelled);
}

void WalkFilesTest::animationHasAFrameForEveryState()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("walk.png"));
    const WalkPicture picture = workedPicture();
    const WalkFileOptions options{ { 900, 700 }, FigureBackground::Dark, false, 0.5 };
    QVERIFY(saveWalkAnimation(path, picture, options).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    int controls = 0;
    quint32 sequence = 0;
    QByteArray header;
    QByteArray second;
    QByteArray last;
    for (qsizetype at = 8; at + 12 <= bytes.size();) {
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(bytes.constData() + at));
        const QByteArray type = bytes.mid(at + 4, 4);
        const QByteArray data = bytes.mid(at + 8, length);
        if (type == "IHDR")
            header = bytes.mid(at, length + 12);
        if (type == "acTL")
            QCOMPARE(qFromBigEndian<quint32>(data.constData()), 22U);
        if (type == "fcTL" || type == "fdAT")
            QCOMPARE(qFromBigEndian<quint32>(data.constData()), sequence++);
        if (type == "fcTL") {
            ++controls;
            QCOMPARE(qFromBigEndian<quint16>(data.constData() + 20), quint16{ 500 });
        }
        if (type == "fdAT" && controls == 2)
            second += data.mid(4);
        last = type;
        at += length + 12;
    }
    QCOMPARE(controls, 22);
    QCOMPARE(last, QByteArray("IEND"));
    // A reader that knows no animations sees the first frame.
    QCOMPARE(QImage(path).convertToFormat(QImage::Format_RGB32),
        walkImage(picture, walkStates(picture, options).front(), options)->convertToFormat(QImage::Format_RGB32));
    // The pixels of the second frame, zlib's stream of filtered rows, are those that Qt writes for it.
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    walkImage(picture, walkStates(picture, options)[1], options)->convertToFormat(QImage::Format_RGB888).save(&buffer, "png");
    QVERIFY(png.contains(header.mid(4, 13)));
    QVERIFY(second.size() > 1000);
    QCOMPARE(qUncompress(QByteArray("\0\x40\0\0", 4) + second).size(), 700 * (900 * 3 + 1));
}

void WalkFilesTest::stateIsWrittenInEveryFormat_data()
{
    QTest::addColumn<QString>("extension");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("PNG") << "png" << QByteArray("\x89PNG");
    QTest::newRow("SVG") << "svg" << QByteArray("<?xml");
    QTest::newRow("PDF") << "pdf" << QByteArray("%PDF");
}

void WalkFilesTest::stateIsWrittenInEveryFormat()
{
    QFETCH(QString, extension);
    QFETCH(QByteArray, start);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("state.") + extension);
    const WalkPicture picture = workedPicture();
    QVERIFY(saveWalkState(path, picture, picture.state, {}).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith(start));
    if (extension == QLatin1String("svg")) {
        QVERIFY(QString::fromUtf8(bytes).contains(QStringLiteral("√4")));
        QVERIFY(bytes.contains("@font-face"));
    }
    const Result<void> failed = saveWalkState(folder.filePath(QStringLiteral("none/state.png")), picture, picture.state, {});
    QVERIFY(!failed.ok());
    QVERIFY(!saveWalkState(path, picture, picture.state, { { 100, 100 }, FigureBackground::White, false, 1.0 }).ok());
}

QTEST_MAIN(WalkFilesTest)
#include "tst_walk_files.moc"
