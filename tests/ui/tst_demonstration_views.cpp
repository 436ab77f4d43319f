// SPDX-License-Identifier: GPL-3.0-or-later
// The demonstrations as they are seen: what is plotted follows the controls and the pick, and can be saved.
#include "demonstrations/demonstration.h"
#include "window/style.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace attenscope;

namespace {

std::unique_ptr<Demonstration> shown(Demonstration *made)
{
    made->resize(900, 640);
    made->show();
    QCoreApplication::processEvents();
    return std::unique_ptr<Demonstration>(made);
}

/// What stands in any label of the page or above any plot.
QString wordsOf(Demonstration &page)
{
    QString words;
    for (const QLabel *label : page.findChildren<QLabel *>())
        if (!label->isHidden())
            words += label->text() + u'\n';
    for (int place = 0; place < page.chart().plotLayout()->elementCount(); ++place)
        if (auto *text = qobject_cast<QCPTextElement *>(page.chart().plotLayout()->elementAt(place)))
            words += text->text() + u'\n';
    return words;
}

std::vector<QCPBars *> barsOf(Demonstration &page)
{
    std::vector<QCPBars *> bars;
    for (int place = 0; place < page.chart().plottableCount(); ++place)
        if (auto *found = qobject_cast<QCPBars *>(page.chart().plottable(place)))
            bars.push_back(found);
    return bars;
}

QPushButton *button(Demonstration &page, const QString &text)
{
    for (auto *found : page.findChildren<QPushButton *>())
        if (found->text() == text)
            return found;
    return nullptr;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Q, K and V of the worked example, no mask.
void showWorkedExample(Document &document, Selection &selection)
{
    document.reset(workedExample());
    QTRY_VERIFY(document.isCurrent());
    selection.setPicked(CellRef{ 0, 1 });
}

} // namespace

class TestDemonstrationViews : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(*qApp, ThemeChoice::Light);
    }

    void wheelWithoutFocusChangesNothing()
    {
        const auto page = shown(makeWhyScale());
        auto *field = page->findChildren<QDoubleSpinBox *>().first();
        auto *slider = page->findChildren<QSlider *>().first();
        const auto turn = [](QWidget *widget) {
            QWheelEvent wheel({ 5.0, 5.0 }, widget->mapToGlobal(QPointF(5.0, 5.0)), {}, { 0, 120 }, Qt::NoButton, Qt::NoModifier,
                Qt::NoScrollPhase, false);
            QApplication::sendEvent(widget, &wheel);
        };
        page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(page.get()));
        page->findChildren<QPushButton *>().first()->setFocus();
        const double before = field->value();
        turn(field);
        turn(slider);
        QCOMPARE(field->value(), before);
        field->setFocus();
        turn(field);
        QCOMPARE(field->value(), before + 1.0);
    }

    void whyScaleFollowsItsControls()
    {
        const auto page = shown(makeWhyScale());
        const auto fields = page->findChildren<QDoubleSpinBox *>();
        QCOMPARE(fields.size(), 2);
        const auto bars = barsOf(*page);
        QCOMPARE(bars.size(), 4U); // histogram and softmax, without the scale and with it
        QVERIFY(wordsOf(*page).contains("√dₖ = 8.00"));
        for (const double d : { 1.0, 2.0, 1024.0 }) {
            fields[0]->setValue(d);
            const double end = 4.0 * std::sqrt(d);
            QVERIFY(std::abs(page->chart().axisRect(0)->axis(QCPAxis::atBottom)->range().upper - end) < 1e-9);
            double area = 0.0;
            for (const QCPBarsData &bar : *bars[0]->data())
                area += bar.value * bars[0]->width();
            QVERIFY(area > 0.98 && area < 1.0 + 1e-9);
            double sum = 0.0;
            for (const QCPBarsData &bar : *bars[1]->data())
                sum += bar.value;
            QVERIFY(std::abs(sum - 1.0) < 1e-12);
        }
        // T = 10 makes the row flatter.
        const auto largest = [&] {
            double most = 0.0;
            for (const QCPBarsData &bar : *bars[1]->data())
                most = std::max(most, bar.value);
            return most;
        };
        const double before = largest();
        fields[1]->setValue(10.0);
        QVERIFY(largest() < before);
        auto *slider = page->findChild<QSlider *>();
        slider->setValue(0);
        QCOMPARE(fields[0]->value(), 1.0);
        slider->setValue(slider->maximum());
        QCOMPARE(fields[0]->value(), 1024.0);
        QTest::mouseDClick(slider, Qt::LeftButton);
        QCOMPARE(fields[0]->value(), 64.0);
    }

    void tiledIsPlottedAsItGoesAndStops()
    {
        Document document;
        Selection selection;
        showWorkedExample(document, selection);
        const auto page = shown(makeExactAndTiled(document));
        QVERIFY(wordsOf(*page).contains("more than half of the free memory"));
        // The own input as long as it is, then the same kind of numbers.
        QVERIFY(wordsOf(*page).contains("Up to n = 3: Worked example, head 0, its first n tokens."));
        QVERIFY(wordsOf(*page).contains("the same d = 4, scale 0.5, no mask."));
        auto *time = qobject_cast<QCPGraph *>(page->chart().plottable(0));
        QVERIFY(time && time->dataCount() == 0);
        QTest::mouseClick(button(*page, "Start"), Qt::LeftButton);
        QTRY_VERIFY(time->dataCount() >= 3);
        QCOMPARE(time->dataMainKey(0), 3.0);
        QCOMPARE(time->dataMainKey(1), 64.0);
        QCOMPARE(time->dataMainKey(2), 128.0);
        QVERIFY(time->dataMainValue(1) > 0.0);
        QVERIFY(wordsOf(*page).contains("largest difference"));
        QTest::mouseClick(button(*page, "Cancel"), Qt::LeftButton);
        QVERIFY(wordsOf(*page).contains("Stopped after n = "));
        const int count = time->dataCount();
        QTest::qWait(50);
        QCOMPARE(time->dataCount(), count);
        QVERIFY(button(*page, "Start"));
    }

    void tiledFollowsTheMechanismUntilItIsMeasured()
    {
        Document document;
        Selection selection;
        showWorkedExample(document, selection);
        const auto page = shown(makeExactAndTiled(document));
        Session causal = document.session();
        causal.mechanism.mask.rule = MaskRule::Causal;
        causal.mechanism.scale = 2.0;
        document.edit(causal, "change");
        QTRY_VERIFY(wordsOf(*page).contains("scale 2, mask: causal."));
    }

    void otherWeightsStandBesideTheRealOnes()
    {
        Document document;
        Selection selection;
        showWorkedExample(document, selection);
        const auto page = shown(makeOtherWeights(document, selection));
        const auto bars = barsOf(*page);
        QCOMPARE(bars.size(), 3U);
        QTRY_COMPARE(bars[0]->dataCount(), 3);
        const std::array least{ 0.5996, 0.0, 0.4004 };
        const std::array real{ 0.5065, 0.1863, 0.3072 };
        for (int key = 0; key < 3; ++key) {
            QVERIFY(std::abs(bars[0]->dataMainValue(key) - least[static_cast<std::size_t>(key)]) < 5e-5);
            QVERIFY(std::abs(bars[1]->dataMainValue(key) - real[static_cast<std::size_t>(key)]) < 5e-5);
        }
        QVERIFY(wordsOf(*page).contains("Key 1 has 0.1863; with the same output it could have anything from 0.0000 to 0.8007."));
        // Another key from the field, another row from the map.
        page->findChildren<QSpinBox *>()[1]->setValue(2);
        QCOMPARE(selection.picked(), (CellRef{ 0, 2 }));
        QTRY_VERIFY(wordsOf(*page).contains("Key 2 has 0.3072"));
        selection.setPicked(CellRef{ 2, 0 });
        QCOMPARE(page->findChildren<QSpinBox *>()[0]->value(), 2);
        QTRY_VERIFY(wordsOf(*page).contains("query 2"));
    }

    void clickOnBarsPicksTheKey()
    {
        Document document;
        Selection selection;
        showWorkedExample(document, selection);
        const auto page = shown(makeOtherWeights(document, selection));
        QTRY_COMPARE(barsOf(*page)[0]->dataCount(), 3);
        page->chart().replot();
        const QCPAxisRect *rect = page->chart().axisRect(0);
        const int x = qRound(rect->axis(QCPAxis::atBottom)->coordToPixel(2.0));
        QTest::mouseClick(&page->chart(), Qt::LeftButton, {}, QPoint(x, rect->rect().center().y()));
        QCOMPARE(selection.picked(), (CellRef{ 0, 2 }));
    }

    void maskedKeysAndMissingValuesAreSaid()
    {
        Document document;
        Selection selection;
        showWorkedExample(document, selection);
        Session masked = document.session();
        masked.mechanism.mask.rule = MaskRule::Causal;
        document.edit(masked, "mask");
        const auto page = shown(makeOtherWeights(document, selection));
        QTRY_VERIFY(wordsOf(*page).contains("This key is masked for the row."));
        QCOMPARE(barsOf(*page)[0]->dataCount(), 0);
        selection.setPicked(CellRef{ 0, 0 });
        QTRY_VERIFY(wordsOf(*page).contains("no other weights give this output"));
        Session fewer = document.session();
        fewer.view.tokens.leavesOutFirst = true;
        document.edit(fewer, "tokens");
        QTRY_VERIFY(
            wordsOf(*page).contains("Tokens are left out or merged. What is shown of them has no values V of its own. Show every token."));
    }

    void picturesAreSaved()
    {
        QTemporaryDir folder;
        const auto page = shown(makeWhyScale());
        const auto save = [&](const char *name) {
            const Result<void> saved = page->chart().save(folder.filePath(name));
            return saved ? contents(folder.filePath(name)) : QByteArray();
        };
        QVERIFY(save("a.png").startsWith("\x89PNG"));
        const QByteArray svg = save("a.svg");
        QVERIFY(svg.contains("@font-face"));
        QVERIFY(svg.contains("<svg") && !svg.contains("<image"));
        QVERIFY(svg.contains("Why scale: dₖ = 64"));
        QVERIFY(save("a.pdf").startsWith("%PDF"));
        const Result<void> failed = page->chart().save(folder.filePath("missing/a.png"));
        QVERIFY(!failed);
        QCOMPARE(failed.error().what, std::string("The picture could not be saved."));
        // On white, whatever the theme, and afterwards everything is as before.
        applyTheme(*qApp, ThemeChoice::Dark);
        QCoreApplication::processEvents();
        QVERIFY(page->chart().theme().isDark);
        const QImage picture = page->chart().picture();
        QCOMPARE(picture.size(), 2 * page->chart().size());
        QCOMPARE(picture.pixelColor(2, 2), Theme::light().view);
        QVERIFY(page->chart().theme().isDark);
        QCOMPARE(page->chart().plotLayout()->rowCount(), 4);
        applyTheme(*qApp, ThemeChoice::Light);
    }
};

QTEST_MAIN(TestDemonstrationViews)
#include "tst_demonstration_views.moc"
