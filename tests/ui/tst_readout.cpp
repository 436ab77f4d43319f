// SPDX-License-Identifier: GPL-3.0-or-later
// Readout: the numbers of a cell, in words that suit the mechanism, and what a narrow strip leaves out.
#include "views/readout.h"

#include "attention/explain.h"
#include "core/text.h"
#include "state/number_text.h"
#include "state/theme.h"
#include "support/painted.h"
#include "views/readout_terms.h"

#include <QApplication>
#include <QClipboard>
#include <QFont>
#include <QTest>

#include <cmath>
#include <set>

using namespace attenscope;

namespace {

using Terms = std::vector<ReadoutTerm>;

/// "÷ √4 2.000" and so on, notes in brackets.
QStringList lines(const Terms &terms)
{
    QStringList result;
    for (const ReadoutTerm &term : terms) {
        QStringList parts{ term.op, term.label, term.value };
        parts.removeAll(QString());
        if (!term.note.isEmpty())
            parts.append(u'[' + term.note + u']');
        result.append(parts.join(u' '));
    }
    return result;
}

QStringList linesOf(const Document &document, const CellRef &cell)
{
    ReadoutArithmetic arithmetic;
    return lines(arithmetic.terms(document, cell));
}

/// Widgets are laid out once they are shown.
void showAt(Readout &readout, int width)
{
    readout.resize(width, readout.height());
    readout.show();
    QVERIFY(QTest::qWaitForWindowExposed(&readout));
}

/// Recorded weights of two layers with one head each, three tokens.
Session recordedSession(const MaskRule rule, const std::vector<std::string> &tokens = { "the", "cat", "sat" },
    const Matrix &weights = Matrix{ { 1.0, 0.0, 0.0 }, { 0.25, 0.75, 0.0 }, { 0.5, 0.125, 0.375 } })
{
    auto tensors = std::make_shared<TensorSet>();
    Matrix both(6, 3);
    both << weights, weights;
    tensors->tensors.push_back({ "attentions", "a.npy", Tensor::fromMatrix(both).reshaped({ 2, 1, 3, 3 }) });
    tensors->tokenLists.push_back({ "tokens", "a.npy", tokens });
    FileSource source;
    source.tensors = tensors;
    source.uses = recognise(*tensors);
    Session session = exampleSentence();
    session.source = source;
    session.mechanism = {};
    session.mechanism.mask.rule = rule;
    session.view.head = { 0, 1, 0, 0 };
    return session;
}

} // namespace

class TestReadout : public QObject {
    Q_OBJECT

private slots:
    void theWorkedExampleReadsAsInTheBooks()
    {
        Document document;
        document.reset(workedExample());
        QCOMPARE(linesOf(document, { 0, 2 }),
            QStringList({ QStringLiteral("query 0 → key 2, head 0 the → sat"), QStringLiteral("q · k, sum of 4 products 1.000"),
                QStringLiteral("÷ √4 2.000"), QStringLiteral("= scaled 0.500"), QStringLiteral("→ mask: none visible"),
                QStringLiteral("→ exp(scaled − row max 1.000) 0.607"), QStringLiteral("÷ sum of exponentials 1.974"),
                QStringLiteral("= weight 0.3072"), QStringLiteral("share of row 30.72 % [2nd of 3]"),
                QStringLiteral("pattern of this head Broad [H/ln 0.94 ≥ 0.75]") }));
    }

    void copiesHaveFullPrecision()
    {
        Document document;
        document.reset(workedExample());
        ReadoutArithmetic arithmetic;
        const Terms terms = arithmetic.terms(document, { 0, 2 });
        const auto operands = headOperands(document.block(), document.session().mechanism, document.head());
        const double weight = explain(**operands, { 0, 1 })->weights(0, 2);
        QCOMPARE(terms[7].copied, QString::fromStdString(exactNumber(weight)));
        QVERIFY(terms[7].copied.size() > 12);
        QVERIFY(terms[0].copied.isEmpty());
        QVERIFY(terms[4].copied.isEmpty());
    }

    void theWeightIsTheResult()
    {
        Document document;
        ReadoutArithmetic arithmetic;
        int results = 0;
        for (const ReadoutTerm &term : arithmetic.terms(document, { 7, 1 })) {
            if (term.look == ReadoutTerm::Look::Result) {
                QCOMPARE(term.label, QStringLiteral("weight"));
                ++results;
            }
        }
        QCOMPARE(results, 1);
    }

    void maskedCellsSayWhy()
    {
        Document document;
        document.reset(workedExample());
        Session next = document.session();
        next.mechanism = withCausalMask(next.mechanism, true);
        document.edit(next, QStringLiteral("mask"));
        const QStringList texts = linesOf(document, { 0, 2 });
        QVERIFY(texts.contains(QStringLiteral("→ mask: causal masked: causal")));
        QVERIFY(texts.contains(QStringLiteral("→ weight 0.0000")));
        QVERIFY(!texts.join(u'\n').contains(QStringLiteral("exp(")));

        next.mechanism.mask.paddedKeys = 1;
        document.edit(next, QStringLiteral("mask"));
        QVERIFY(linesOf(document, { 2, 2 }).contains(QStringLiteral("→ mask: causal masked: padding")));
    }

    void eachMechanismHasItsOwnSteps_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("dot") << "dot"
                             << QStringList({ QStringLiteral("q · k, sum of 4 products 1.000"), QStringLiteral("→ mask: none visible"),
                                    QStringLiteral("→ exp(score − row max 2.000) 0.368") });
        QTest::newRow("own scale") << "scale"
                                   << QStringList({ QStringLiteral("q · k, sum of 4 products 1.000"), QStringLiteral("× scale 0.250"),
                                          QStringLiteral("= scaled 0.250"), QStringLiteral("→ mask: none visible"),
                                          QStringLiteral("→ exp(scaled − row max 0.500) 0.779") });
        QTest::newRow("temperature") << "temperature"
                                     << QStringList({ QStringLiteral("= scaled 0.500"), QStringLiteral("÷ temperature 2.00"),
                                            QStringLiteral("= tempered 0.250"), QStringLiteral("→ mask: none visible"),
                                            QStringLiteral("→ exp(tempered − row max 0.500) 0.779") });
        QTest::newRow("soft cap") << "cap" << QStringList({ QStringLiteral("= scaled 0.500"), QStringLiteral("→ soft cap 2.0 0.490") });
        QTest::newRow("bias") << "bias"
                              << QStringList({ QStringLiteral("= scaled 0.500"), QStringLiteral("+ bias −0.250"),
                                     QStringLiteral("= biased 0.250") });
    }
    void eachMechanismHasItsOwnSteps()
    {
        QFETCH(QString, what);
        QFETCH(QStringList, expected);
        Document document;
        Session next = workedExample();
        AttentionSpec &spec = next.mechanism;
        if (what == QLatin1String("dot"))
            spec.score = ScoreFunction::Dot;
        else if (what == QLatin1String("scale"))
            spec.scale = 0.25;
        else if (what == QLatin1String("temperature"))
            spec.temperature = 2.0;
        else if (what == QLatin1String("cap"))
            spec.softCap = 2.0; // 2 · tanh(0.25) = 0.4898
        else
            spec.bias = SharedMatrix(Matrix::Constant(3, 3, -0.25));
        document.reset(next);
        QVERIFY2(!document.problem(), document.problem() ? document.problem()->error.what.c_str() : "");
        const QStringList texts = linesOf(document, { 0, 2 });
        const qsizetype start = texts.indexOf(expected.first());
        QVERIFY2(start >= 0, qPrintable(texts.join(u'\n')));
        QCOMPARE(texts.mid(start, expected.size()), expected);
    }

    void comparingPutsBothWeightsSideBySide()
    {
        Document document;
        document.reset(workedExample());
        Session next = document.session();
        next.comparison = next.mechanism;
        next.mechanism = withCausalMask(next.mechanism, true);
        document.edit(next, QStringLiteral("compare"));
        // Row 1 sees keys 0 and 1: scaled 0 and 1, so exp(−1) + 1 = 1.368; unmasked also key 2: 1.368 + exp(−0.5) = 1.974.
        QCOMPARE(linesOf(document, { 1, 1 }),
            QStringList({ QStringLiteral("query 1 → key 1, head 0 cat → cat"), QStringLiteral("scaled score, the same in both 1.000"),
                QStringLiteral("sum of exponentials, causal 1.368 [2 keys]"),
                QStringLiteral("sum of exponentials, unmasked 1.974 [3 keys]"), QStringLiteral("causal weight 0.7311"),
                QStringLiteral("− unmasked weight 0.5065"), QStringLiteral("= difference +0.2246"), QStringLiteral("ratio 1.443") }));
        const QStringList masked = linesOf(document, { 1, 2 });
        QVERIFY(masked.contains(QStringLiteral("causal weight masked")));
        QVERIFY(masked.contains(QStringLiteral("= difference −0.3072")));
        QVERIFY(!masked.join(u'\n').contains(QStringLiteral("ratio")));
    }

    void theOutputNamesItsLargestPart()
    {
        Document document;
        Session next = workedExample();
        next.view.stage = Stage::Output;
        document.reset(next);
        // 0.5065 · 1 + 0.1863 · 3 + 0.3072 · 5 = 2.6014
        QCOMPARE(linesOf(document, { 0, 0 }),
            QStringList(
                { QStringLiteral("query 0, dimension 0, head 0 the"), QStringLiteral("output, sum of weight × v over 3 keys 2.6014"),
                    QStringLiteral("largest part, from key 2 sat 1.5360 [0.3072 × 5.000]") }));
        QVERIFY(linesOf(document, { 0, 2 }).isEmpty());
    }

    void valueWeightedGoesOnToTheNorm()
    {
        Document document;
        Session next = workedExample();
        next.view.stage = Stage::ValueWeighted;
        document.reset(next);
        // ‖(5, 6)‖ = 7.810
        const QStringList texts = linesOf(document, { 0, 2 });
        QCOMPARE(texts.mid(texts.size() - 3),
            QStringList({ QStringLiteral("= weight 0.3072"), QStringLiteral("× ‖v‖ 7.810"), QStringLiteral("= weight × ‖v‖ 2.3993") }));
    }

    void recordedWeightsAreGivenAsRecorded()
    {
        Document document;
        document.reset(recordedSession(MaskRule::None));
        QVERIFY(!document.problem());
        // Entropy of (0.5, 0.125, 0.375): 0.3466 + 0.2599 + 0.3678 = 0.9743.
        QCOMPARE(linesOf(document, { 2, 1 }),
            QStringList({ QStringLiteral("query 2 → key 1, layer 1, head 0 sat → cat"), QStringLiteral("weight, as recorded 0.1250"),
                QStringLiteral("share of row 12.50 %"), QStringLiteral("rank 3 of 3"), QStringLiteral("row entropy 0.974 nats"),
                QStringLiteral("pattern of this head Broad [H/ln 0.85 ≥ 0.75]") }));
    }

    void rowsThatAreNoDistributionHaveNoEntropy()
    {
        Document document;
        document.reset(recordedSession(
            MaskRule::None, { "the", "cat", "sat" }, Matrix{ { std::nan(""), 0.5, 0.5 }, { -0.5, 0.75, 0.75 }, { 0.0, 7.0, 0.0 } }));
        QVERIFY(!document.problem());
        QCOMPARE(linesOf(document, { 0, 1 }).mid(1, 4),
            QStringList({ QStringLiteral("weight, as recorded 0.5000"), QStringLiteral("share of row —"), QStringLiteral("rank —"),
                QStringLiteral("row entropy NaN") }));
        QCOMPARE(linesOf(document, { 0, 0 }).mid(1, 4),
            QStringList({ QStringLiteral("weight, as recorded NaN"), QStringLiteral("share of row —"), QStringLiteral("rank —"),
                QStringLiteral("row entropy NaN") }));
        QCOMPARE(linesOf(document, { 1, 1 }).mid(2, 3),
            QStringList({ QStringLiteral("share of row 75.00 %"), QStringLiteral("rank 1 of 3"), QStringLiteral("row entropy —") }));
        QVERIFY(linesOf(document, { 2, 1 }).contains(QStringLiteral("row entropy —")));
        // Of a whole row too, and of one that is computed.
        QVERIFY(linesOf(document, { 0, -1 }).contains(QStringLiteral("row entropy NaN")));
        QVERIFY(linesOf(document, { 2, -1 }).contains(QStringLiteral("row entropy —")));
        Session computed = workedExample();
        auto &q = std::get<MatricesSource>(computed.source).heads.front().q;
        q = q.withCell(1, 0, std::nan(""));
        document.reset(computed);
        QVERIFY(linesOf(document, { 1, -1 }).contains(QStringLiteral("row entropy NaN")));
    }

    void hidingRecordedKeysShowsTheDivision()
    {
        Document document;
        Session next = recordedSession(MaskRule::None);
        next.mechanism.mask.paddedKeys = 1;
        document.reset(next);
        QCOMPARE(linesOf(document, { 2, 1 }).mid(1, 3),
            QStringList({ QStringLiteral("weight, as recorded 0.1250"), QStringLiteral("÷ kept weights of the row 0.6250"),
                QStringLiteral("= weight 0.2000") }));
        QVERIFY(linesOf(document, { 2, 2 }).contains(QStringLiteral("→ mask: padding masked: padding")));
    }

    void hidingOnlyZerosChangesNothing()
    {
        Document document;
        document.reset(recordedSession(MaskRule::Causal));
        QCOMPARE(linesOf(document, { 1, 0 }).mid(1, 3),
            QStringList(
                { QStringLiteral("weight, as recorded 0.2500"), QStringLiteral("share of row 25.00 %"), QStringLiteral("rank 2 of 2") }));
    }

    void combinedHeadsSaySo()
    {
        Document document;
        Session next = document.session();
        double sum = 0.0;
        for (int head = 0; head < 4; ++head)
            sum += document.headField({ 0, 0, head, 0 })->at(7, 1);
        next.view.headsShown = HeadsShown::Mean;
        document.edit(next, QStringLiteral("mean"));
        QCOMPARE(linesOf(document, { 7, 1 }),
            QStringList({ QStringLiteral("query 7 → key 1, mean of heads it → cat"),
                QStringLiteral("mean weight of 4 heads ") + QString::fromStdString(displayNumber(sum / 4.0, 4)) }));
    }

    void aWholeRowIsSummedUp()
    {
        Document document;
        document.reset(workedExample());
        QCOMPARE(linesOf(document, { 0, -1 }),
            QStringList({ QStringLiteral("query 0, head 0 the"), QStringLiteral("visible keys 3 of 3"),
                QStringLiteral("largest weight 0.5065 [the]"), QStringLiteral("row entropy 1.020 nats") }));
        QCOMPARE(linesOf(document, { -1, 1 }), QStringList({ QStringLiteral("key 1, head 0 cat") }));
        // The file has no mask: its zeros may be hidden keys.
        document.reset(recordedSession(MaskRule::None));
        QVERIFY(linesOf(document, { 0, -1 }).contains(QStringLiteral("keys with weight, as recorded 1 of 3")));
    }

    void nanIsSaid()
    {
        Document document;
        Session next = workedExample();
        auto &head = std::get<MatricesSource>(next.source).heads.front();
        head.q = head.q.withCell(0, 0, std::numeric_limits<double>::quiet_NaN());
        document.reset(next);
        const QStringList texts = linesOf(document, { 0, 2 });
        QVERIFY(texts.contains(QStringLiteral("= weight NaN")));
        QVERIFY(texts.contains(QStringLiteral("share of row —")));
    }

    void numbersAreNeverRoundedToNothing_data()
    {
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0.0000";
        QTest::newRow("tiny") << 3.14e-7 << QStringLiteral("3.1e−07");
        QTest::newRow("just seen") << 5.1e-5 << "0.0001";
        QTest::newRow("negative") << -0.25 << QStringLiteral("−0.2500");
        QTest::newRow("huge") << 1e308 << "1.0000e+308";
        QTest::newRow("infinite") << -std::numeric_limits<double>::infinity() << QStringLiteral("−∞");
    }
    void numbersAreNeverRoundedToNothing()
    {
        QFETCH(double, number);
        QTEST(shownNumber(number, 4), "text");
    }

    void itFollowsTheHoveredThenThePickedCell()
    {
        Document document;
        document.reset(workedExample());
        Selection selection;
        const Readout readout(document, selection);
        QVERIFY(readout.accessibleDescription().startsWith(QStringLiteral("Hover or click")));
        selection.setPicked(CellRef{ 0, 2 });
        QTRY_VERIFY(readout.accessibleDescription().contains(QStringLiteral("0.3072")));
        selection.setHovered(CellRef{ 0, 0 });
        QTRY_VERIFY(readout.accessibleDescription().contains(QStringLiteral("0.5065")));
        selection.setHovered(std::nullopt);
        QTRY_VERIFY(readout.accessibleDescription().contains(QStringLiteral("0.3072")));
    }

    void aNarrowStripDropsTheExponentialFirstAndTheWeightNever_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("hasExponential");
        QTest::addColumn<bool>("hasScore");
        QTest::newRow("wide") << 1400 << true << true;
        // Short labels come before leaving out.
        QTest::newRow("1100") << 1100 << true << true;
        QTest::newRow("880") << 880 << false << true;
        QTest::newRow("narrow") << 420 << false << false;
    }
    void aNarrowStripDropsTheExponentialFirstAndTheWeightNever()
    {
        QFETCH(int, width);
        Document document;
        document.reset(workedExample());
        Selection selection;
        selection.setPicked(CellRef{ 0, 2 });
        Readout readout(document, selection);
        showAt(readout, width);
        QCOMPARE(readout.height(), 72);
        // Clicks along the strip copy whatever is shown.
        QStringList copied;
        for (int x = 4; x < width; x += 6) {
            QApplication::clipboard()->clear();
            QTest::mouseClick(&readout, Qt::LeftButton, {}, QPoint(x, 45));
            copied.append(QApplication::clipboard()->text());
        }
        ReadoutArithmetic arithmetic;
        const Terms terms = arithmetic.terms(document, { 0, 2 });
        QVERIFY(copied.contains(terms[7].copied));
        QTEST(copied.contains(terms[5].copied), "hasExponential");
        QTEST(copied.contains(terms[1].copied), "hasScore");
    }

    void theMapMarksWhatTheHoveredTermSpeaksOf()
    {
        Document document;
        document.reset(workedExample());
        Selection selection;
        selection.setPicked(CellRef{ 1, 2 });
        Readout readout(document, selection);
        showAt(readout, 1400);
        std::set<std::pair<Index, Index>> lit;
        for (int x = 4; x < 1400; x += 6) {
            QTest::mouseMove(&readout, QPoint(x, 45));
            if (selection.lit())
                lit.insert({ selection.lit()->row, selection.lit()->col });
        }
        // Terms of the cell, and terms of its row.
        QCOMPARE(lit, (std::set<std::pair<Index, Index>>{ { 1, 2 }, { 1, -1 } }));
        QVERIFY(selection.picked() == (CellRef{ 1, 2 }));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&readout, &leave);
        QVERIFY(!selection.lit());
    }

    void tokensReadAsOnTheAxes()
    {
        Document document;
        Session next = document.session();
        TokensSource source;
        source.text = "\u2581the \u2581cat";
        next.source = source;
        document.edit(next, QStringLiteral("type"));
        ReadoutArithmetic arithmetic;
        QCOMPARE(arithmetic.terms(document, { 1, 0 }).front().value, QStringLiteral("·cat → ·the"));
    }

    void anyTokenReadsAsOneWord_data()
    {
        QTest::addColumn<std::string>("token");
        QTest::addColumn<QString>("pair");
        QTest::newRow("tag") << std::string("</script>") << QStringLiteral("</script> → </script>");
        QTest::newRow("emoji") << std::string("👩‍👩‍👧") << QStringLiteral("👩‍👩‍👧 → 👩‍👩‍👧");
        QTest::newRow("ten thousand characters") << std::string(10'000, 'x') << QStringLiteral("xxxxxxxxxxxxxxx… → xxxxxxxxxxxxxxx…");
        QTest::newRow("empty") << std::string() << QStringLiteral("∅ → ∅");
        // Marks from left to right keep the query in front of the arrow.
        QTest::newRow("right to left") << std::string("שלום") << QStringLiteral("שלום\u200e → \u200eשלום");
    }
    void anyTokenReadsAsOneWord()
    {
        QFETCH(std::string, token);
        QFETCH(QString, pair);
        Document document;
        document.reset(recordedSession(MaskRule::None, { token, "b", "c" }));
        ReadoutArithmetic arithmetic;
        QCOMPARE(arithmetic.terms(document, { 0, 0 }).front().value, pair);
    }

    void itFollowsThePalette()
    {
        Document document;
        document.reset(workedExample());
        Selection selection;
        selection.setPicked(CellRef{ 0, 2 });
        Readout readout(document, selection);
        showAt(readout, 1400);
        for (const Theme &theme : { Theme::light(), Theme::dark() }) {
            readout.setPalette(theme.palette());
            const QImage picture = readout.grab().toImage();
            QCOMPARE(picture.pixelColor(2, 40), theme.panel);
            QCOMPARE(picture.pixelColor(700, 0), theme.line);
            int accented = 0;
            for (int y = 0; y < picture.height(); ++y) {
                for (int x = 0; x < picture.width(); ++x)
                    accented += picture.pixelColor(x, y) == theme.accent ? 1 : 0;
            }
            QVERIFY(accented > 20);
        }
    }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setFont(pictureFont());
    TestReadout test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_readout.moc"
