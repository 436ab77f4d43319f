// SPDX-License-Identifier: GPL-3.0-or-later
// The formula says what the mechanism does, and its symbols can be found, lit and clicked.
#include "panels/mechanism/formula_view.h"
#include "panels/mechanism/scale_field.h"
#include "state/math_text.h"
#include "state/number_text.h"

#include <QSignalSpy>
#include <QtTest>

using namespace attenscope;

namespace {

/// One head of typed Q, K and V.
AttentionBlock block(bool hasValues = true)
{
    AttentionBlock result;
    result.queries = result.keys = 3;
    const SharedMatrix numbers{ Matrix(Matrix::Ones(3, 4)) };
    ProjectedData data{ { numbers }, { numbers }, {} };
    if (hasValues)
        data.v = { numbers };
    result.data = std::move(data);
    return result;
}

Formula formula(const std::function<void(AttentionSpec &)> &change)
{
    AttentionSpec spec;
    change(spec);
    return formulaOf(block(), spec);
}

AttentionSpec masked(double temperature)
{
    AttentionSpec spec;
    spec.temperature = temperature;
    spec.mask.rule = MaskRule::Causal;
    return spec;
}

} // namespace

class FormulaTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatIsComputed_data();
    void saysWhatIsComputed();
    void onlySymbolsOfTheFormulaHaveAPlace();
    void clickAsksForTheControlOfTheSymbol();
    void symbolUnderTheMouseIsLit();
    void narrowFormulaStaysInside();
    void typedScales_data();
    void typedScales();
    void typedNumbers_data();
    void typedNumbers();
    void cellTexts_data();
    void cellTexts();
};

void FormulaTest::saysWhatIsComputed_data()
{
    QTest::addColumn<QString>("markup");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const char *text, const std::function<void(AttentionSpec &)> &change) {
        QTest::newRow(name) << formula(change).markup << text;
    };
    row("scaled dot product", "softmax(QKᵀ / √d_k) V", [](AttentionSpec &) {});
    row("dot product has no root", "softmax(QKᵀ) V", [](AttentionSpec &spec) { spec.score = ScoreFunction::Dot; });
    row("general", "softmax(QWKᵀ) V", [](AttentionSpec &spec) { spec.score = ScoreFunction::General; });
    row("concat", "softmax(vᵀtanh(W[q;k])) V", [](AttentionSpec &spec) { spec.score = ScoreFunction::Concat; });
    row("additive", "softmax(vᵀtanh(W_dec q + W_enc k)) V", [](AttentionSpec &spec) { spec.score = ScoreFunction::Additive; });
    row("linear", "φ(Q)φ(K)ᵀ ⊙ M / (sum of the row) V", [](AttentionSpec &spec) {
        spec.score = ScoreFunction::Linear;
        spec.mask.rule = MaskRule::Causal;
    });
    row("linear with more steps is the softmax of a logarithm", "softmax(ln φ(Q)φ(K)ᵀ / T) V", [](AttentionSpec &spec) {
        spec.score = ScoreFunction::Linear;
        spec.temperature = 2.0;
    });
    row("mask", "softmax(QKᵀ / √d_k + M) V", [](AttentionSpec &spec) { spec.mask.rule = MaskRule::SinksWindow; });
    row("temperature", "softmax(QKᵀ / (√d_k T)) V", [](AttentionSpec &spec) { spec.temperature = 2.0; });
    row("a factor takes the root's place", "softmax(0.25 QKᵀ / T) V", [](AttentionSpec &spec) {
        spec.scale = 0.25;
        spec.temperature = 2.0;
    });
    row("everything in its order", "softmax_1((c tanh(RQ(RK)ᵀ / (√d_k c)) + B − m|i − j|) / T + M) V", [](AttentionSpec &spec) {
        spec.rope = Rope();
        spec.softCap = 50.0;
        spec.bias = SharedMatrix(Matrix(Matrix::Zero(3, 3)));
        spec.hasAlibi = true;
        spec.temperature = 2.0;
        spec.mask.rule = MaskRule::Causal;
        spec.normalization = Normalization::Softmax1;
    });
    QTest::newRow("no values") << formulaOf(block(false), {}).markup << "softmax(QKᵀ / √d_k)";
}

void FormulaTest::saysWhatIsComputed()
{
    QFETCH(QString, markup);
    QFETCH(QString, text);
    QCOMPARE(plainFormula({ markup }), text);
    FormulaView view;
    view.setFormula({ markup });
    QCOMPARE(view.accessibleDescription(), text);
}

void FormulaTest::onlySymbolsOfTheFormulaHaveAPlace()
{
    FormulaView view;
    view.resize(320, 60);
    view.setFormula(formula([](AttentionSpec &spec) { spec.score = ScoreFunction::Dot; }));
    QVERIFY(!view.rectOf(Symbol::Score).isNull());
    QVERIFY(view.rectOf(Symbol::Scale).isNull());
    QVERIFY(view.rectOf(Symbol::Temperature).isNull());
    QVERIFY(view.rectOf(Symbol::Mask).isNull());
    view.setFormula(formulaOf(block(), masked(0.5)));
    for (const Symbol symbol : { Symbol::Score, Symbol::Scale, Symbol::Temperature, Symbol::Mask })
        QCOMPARE(view.symbolAt(view.rectOf(symbol).center()), symbol);
    // The scores are above the bar, the divisor below it.
    QVERIFY(view.rectOf(Symbol::Score).bottom() < view.rectOf(Symbol::Scale).top());
    QVERIFY(view.rectOf(Symbol::Scale).right() <= view.rectOf(Symbol::Temperature).left());
    QVERIFY(view.rectOf(Symbol::Temperature).right() < view.rectOf(Symbol::Mask).left());
}

void FormulaTest::clickAsksForTheControlOfTheSymbol()
{
    FormulaView view;
    view.resize(320, 60);
    view.setFormula(formulaOf(block(), masked(1.0)));
    QList<Symbol> clicked;
    connect(&view, &FormulaView::symbolClicked, this, [&](Symbol symbol) { clicked.append(symbol); });
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.rectOf(Symbol::Scale).center().toPoint());
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(1, 1));
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.rectOf(Symbol::Mask).center().toPoint());
    QCOMPARE(clicked, (QList<Symbol>{ Symbol::Scale, Symbol::Mask }));
}

void FormulaTest::symbolUnderTheMouseIsLit()
{
    FormulaView view;
    view.resize(320, 60);
    view.setFormula(formulaOf(block(), {}));
    view.show();
    QTest::mouseMove(&view, view.rectOf(Symbol::Score).center().toPoint());
    QTRY_COMPARE(view.lit(), Symbol::Score);
    QTest::mouseMove(&view, QPoint(2, 2));
    QTRY_COMPARE(view.lit(), Symbol::None);
}

void FormulaTest::narrowFormulaStaysInside()
{
    FormulaView view;
    view.setFormula(formulaOf(block(), masked(3.0)));
    for (const int width : { 600, 320, 264, 200 }) {
        view.resize(width, 60);
        for (const Symbol symbol : { Symbol::Score, Symbol::Scale, Symbol::Temperature, Symbol::Mask })
            QVERIFY2(QRectF(view.rect()).contains(view.rectOf(symbol)), qPrintable(QString::number(width)));
    }
}

void FormulaTest::typedScales_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("factor"); // NaN: not a factor.
    QTest::newRow("number") << "0.5" << 0.5;
    QTest::newRow("root sign") << "1/√16" << 0.25;
    QTest::newRow("as shown") << "1 / √4" << 0.5;
    QTest::newRow("function") << "1/sqrt(16)" << 0.25;
    QTest::newRow("fraction") << "3/4" << 0.75;
    QTest::newRow("decimal comma") << "0,125" << 0.125;
    QTest::newRow("negative") << "−2" << -2.0;
    QTest::newRow("word") << "large" << qQNaN();
    QTest::newRow("division by zero") << "1/0" << qQNaN();
    QTest::newRow("root of a negative number") << "1/√-4" << qQNaN();
    QTest::newRow("infinity") << "inf" << qQNaN();
}

void FormulaTest::typedScales()
{
    QFETCH(QString, text);
    QFETCH(double, factor);
    const std::optional<double> parsed = parseScale(text);
    QCOMPARE(parsed.has_value(), !qIsNaN(factor));
    if (parsed)
        QCOMPARE(*parsed, factor);
}

void FormulaTest::typedNumbers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isNumber");
    QTest::addColumn<double>("number");
    QTest::newRow("blanks around") << " 1e-3 " << true << 0.001;
    QTest::newRow("minus sign") << "−1.5" << true << -1.5;
    QTest::newRow("decimal comma") << "2,5" << true << 2.5;
    QTest::newRow("NaN") << "NaN" << true << qQNaN();
    QTest::newRow("minus infinity") << "-inf" << true << -qInf();
    QTest::newRow("sign for infinity") << "∞" << true << qInf();
    QTest::newRow("two marks") << "1,000.5" << false << 0.0;
    QTest::newRow("too large") << "1e999" << false << 0.0;
    QTest::newRow("empty") << "" << false << 0.0;
    QTest::newRow("text") << "cat" << false << 0.0;
}

void FormulaTest::typedNumbers()
{
    QFETCH(QString, text);
    QFETCH(bool, isNumber);
    QFETCH(double, number);
    const std::optional<double> parsed = typedNumber(text);
    QCOMPARE(parsed.has_value(), isNumber);
    if (isNumber)
        QVERIFY(qIsNaN(number) ? qIsNaN(*parsed) : *parsed == number);
}

void FormulaTest::cellTexts_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 3.0 << "3";
    QTest::newRow("short") << 0.25 << "0.25";
    QTest::newRow("negative") << -1.5 << "−1.5";
    QTest::newRow("long") << 0.7071067811865475 << "0.7071";
    QTest::newRow("small") << 1.25e-7 << "1.25e−7";
    QTest::newRow("large") << 1e300 << "1e300";
    QTest::newRow("ten million") << -1.25e7 << "−1.25e7";
    QTest::newRow("tiny") << 5e-324 << "4.94e−324";
    QTest::newRow("NaN") << qQNaN() << "NaN";
    QTest::newRow("infinite") << -qInf() << "−∞";
    QTest::newRow("zero") << 0.0 << "0";
}

void FormulaTest::cellTexts()
{
    QFETCH(double, number);
    QFETCH(QString, text);
    QCOMPARE(cellText(number), text);
}

QTEST_MAIN(FormulaTest)
#include "tst_formula.moc"
