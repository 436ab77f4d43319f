// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens as patches of an image: grids that are offered, weights, picks, pictures.
#include "views/patches/patches_canvas.h"
#include "views/patches/patches_view.h"

#include "support/painted.h"
#include "support/recorded_session.h"

#include <QFile>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

namespace {

/// A class token and 2 x 3 patches: query i has weight 0.4 at key i and 0.1 at the others.
Matrix weights()
{
    Matrix numbers = Matrix::Constant(7, 7, 0.1);
    numbers.diagonal().setConstant(0.4);
    return numbers;
}

void showPatches(Document &document, const std::optional<PatchGrid> &grid)
{
    Session next = document.session();
    next.view.patches = grid;
    document.edit(std::move(next), QStringLiteral("test"));
}

std::optional<PatchesContent> contentOf(const Document &document, const Selection &selection, QString *reason = nullptr)
{
    FieldCache fields;
    QString said;
    auto content = patchesContent(document, selection, fields, {}, said);
    if (reason)
        *reason = said;
    return content;
}

const PatchGrid grid{ 2, 3, 1, {} };

} // namespace

class TestPatches : public QObject {
    Q_OBJECT

private slots:
    void gridsAreOfferedByCount_data()
    {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<QStringList>("grids");
        const auto after = [](const char *size, int tokens) {
            return tokens == 1 ? QString::fromUtf8(size) + QStringLiteral(" after 1 token")
                               : QString::fromUtf8(size) + QStringLiteral(" after %1 tokens").arg(tokens);
        };
        QTest::newRow("square") << 16 << QStringList{ QString::fromUtf8("4 × 4"), after("3 × 5", 1), after("5 × 3", 1) };
        QTest::newRow("with a class token") << 197 << QStringList{ after("14 × 14", 1) };
        QTest::newRow("square first") << 196 << QStringList{ QString::fromUtf8("14 × 14"), after("13 × 15", 1), after("15 × 13", 1) };
        QTest::newRow("registers") << 261
                                   << QStringList{ after("16 × 16", 5), after("13 × 20", 1), after("20 × 13", 1), after("10 × 26", 1),
                                          after("26 × 10", 1) };
        QTest::newRow("rectangles") << 7 << QStringList{ after("2 × 3", 1), after("3 × 2", 1) };
        QTest::newRow("none") << 1 << QStringList{};
        QTest::newRow("nothing") << 0 << QStringList{};
    }

    void gridsAreOfferedByCount()
    {
        QFETCH(const int, tokens);
        QStringList grids;
        for (const PatchGrid &offered : patchGrids(tokens))
            grids.append(gridText(offered));
        QTEST(grids, "grids");
    }

    void patchesHaveTheWeightsOfThePickedQuery()
    {
        Document document;
        document.reset(recordedSession(1, { weights() }));
        showPatches(document, grid);
        Selection selection;
        selection.setPicked(CellRef{ 4, -1 });
        const auto content = contentOf(document, selection);
        QVERIFY(content);
        QCOMPARE(content->side, TokenSide::Keys);
        // Row 1, column 0 of the grid is token 1 + 3.
        QCOMPARE(content->token(1, 0), 4);
        QCOMPARE(content->weight(4), 0.4);
        QCOMPARE(content->weight(0), 0.1);
        QVERIFY(content->caption().contains(QStringLiteral("query 4")));
        selection.setPicked(CellRef{ -1, 2 });
        const auto ofKey = contentOf(document, selection);
        QCOMPARE(ofKey->side, TokenSide::Queries);
        QCOMPARE(ofKey->weight(2), 0.4);
    }

    void theHoveredPatchHasItsExactWeight()
    {
        Document document;
        document.reset(recordedSession(1, { weights() }));
        showPatches(document, grid);
        Selection selection;
        selection.setPicked(CellRef{ 4, -1 });
        selection.setHovered(CellRef{ 4, 5 });
        QVERIFY2(contentOf(document, selection)->caption().endsWith(QStringLiteral("0.1000")),
            qPrintable(contentOf(document, selection)->caption()));
    }

    void tokensThatAreNoGridAreSaid()
    {
        Document document;
        document.reset(recordedSession(1, { weights() }));
        showPatches(document, PatchGrid{ 14, 14, 0, {} });
        QString reason;
        QVERIFY(!contentOf(document, Selection(), &reason));
        QCOMPARE(reason, QString::fromUtf8("A grid of 14 × 14 does not fit 7 keys. Choose other rows and columns above."));
        // None is dropped.
        showPatches(document, PatchGrid{ 2, 2, 1, {} });
        QVERIFY(!contentOf(document, Selection(), &reason));
        QCOMPARE(reason, QString::fromUtf8("A grid of 2 × 2 after 1 token does not fit 7 keys. Choose other rows and columns above."));
        showPatches(document, std::nullopt);
        QVERIFY(!contentOf(document, Selection(), &reason));
        QVERIFY(reason.startsWith(QStringLiteral("Tokens that are patches")));
    }

    void colorsReachTheLargestWhereTheRangeIsNotShared()
    {
        Document document;
        document.reset(recordedSession(1, { weights() }));
        showPatches(document, grid);
        Selection selection;
        selection.setPicked(CellRef{ 4, -1 });
        QCOMPARE(contentOf(document, selection)->weights.colors.upper(), 1.0);
        Session next = document.session();
        next.view.range = ColorRange::Row;
        document.edit(std::move(next), QStringLiteral("test"));
        QCOMPARE(contentOf(document, selection)->weights.colors.upper(), 0.4);
    }

    void aClickPicksAndTheMouseIsLinked()
    {
        Document document;
        document.reset(recordedSession(1, { weights() }));
        showPatches(document, grid);
        Selection selection;
        PatchesCanvas canvas(selection);
        canvas.resize(400, 500);
        canvas.setContent(contentOf(document, selection));
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        const auto at = [&](Index token) { return canvas.scene().box(token).center().toPoint(); };
        QTest::mouseMove(&canvas, at(5));
        QVERIFY(selection.hovered() == std::optional(CellRef{ 5, -1 }));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at(5));
        QVERIFY(selection.picked() == std::optional(CellRef{ 5, -1 }));
        canvas.setContent(contentOf(document, selection));
        QTest::mouseMove(&canvas, at(0));
        QVERIFY(selection.hovered() == std::optional(CellRef{ 5, 0 }));
        QTest::keyClick(&canvas, Qt::Key_Up);
        QVERIFY(selection.picked() == std::optional(CellRef{ 2, -1 }));
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(!selection.picked());
    }

    void everyTokenIsHitInItsBox_data()
    {
        QTest::addColumn<PatchGrid>("grid");
        QTest::newRow("one before") << grid;
        QTest::newRow("one row before") << PatchGrid{ 2, 2, 3, {} };
        QTest::newRow("more before than a row has") << PatchGrid{ 1, 2, 5, {} };
        QTest::newRow("two full rows before") << PatchGrid{ 1, 3, 4, {} };
    }
    void everyTokenIsHitInItsBox()
    {
        QFETCH(const PatchGrid, grid);
        Document document;
        document.reset(recordedSession(1, { weights() }));
        showPatches(document, grid);
        const auto content = contentOf(document, Selection());
        QVERIFY(content);
        const QRectF page(0.0, 0.0, 300.0, 400.0);
        const PatchesScene scene(*content, { Theme::light(), QFont() }, page.size());
        for (Index token = 0; token < 7; ++token) {
            QVERIFY(scene.hit(scene.box(token).center()) == std::optional(token));
            // Those before the first are as wide as the patches.
            QVERIFY(scene.box(token).right() <= scene.patches().right() && page.contains(scene.box(token)));
        }
        QVERIFY(!scene.hit({ 1.0, 1.0 }));
    }

    void badPicturesAreOneSentence()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("cat.png"));
        QCOMPARE(readPicture(path.toStdString()).problem, QStringLiteral("The picture cat.png is not where it was. Choose it again."));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("not a picture") > 0);
        file.close();
        QVERIFY(readPicture(path.toStdString()).problem.startsWith(QStringLiteral("cat.png cannot be read as a picture: ")));
        QVERIFY(readPicture({}).problem.isEmpty());
    }

    void aPictureIsUnderThePatches()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("red.png"));
        QImage red(30, 20, QImage::Format_RGB32);
        red.fill(Qt::red);
        QVERIFY(red.save(path));
        Document document;
        document.reset(recordedSession(1, { weights() }));
        showPatches(document, PatchGrid{ 2, 3, 1, path.toStdString() });
        // Nothing is picked: the picture alone.
        const auto picture = patchesPicture(document, Selection());
        QVERIFY(picture);
        const QImage image = painted(*picture);
        const auto content = contentOf(document, Selection());
        const PatchesScene scene(*content, { Theme::light(), pictureFont() }, picture->size);
        QCOMPARE(image.pixelColor(scene.box(5).center().toPoint()), QColor(Qt::red));
        // The class token is none of it.
        QVERIFY(image.pixelColor(scene.box(0).center().toPoint()) != QColor(Qt::red));
    }
};

QTEST_MAIN(TestPatches)
#include "tst_patches.moc"
