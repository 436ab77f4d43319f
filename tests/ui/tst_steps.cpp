// SPDX-License-Identifier: GPL-3.0-or-later
// The steps show the numbers of the engine to the last digit, fold what does not fit and say so, and are walked through by key and button.
#include "state/formula.h"
#include "support/steps.h"
#include "views/steps/row_walk_page.h"
#include "views/steps/steps_canvas.h"
#include "views/steps/steps_list.h"
#include "views/steps/steps_view.h"

#include <QApplication>
#include <QComboBox>
#include <QToolButton>
#include <QtTest>

#include <array>
#include <cstring>
#include <map>

using namespace attenscope;

namespace {

/// What explain has for a step with one number per key; empty for other steps.
Vector explained(const Explanation &row, WalkStep step)
{
    const std::map<WalkStep, const Matrix *> stages{ { WalkStep::Scores, &row.scores }, { WalkStep::Scaled, &row.scaled },
        { WalkStep::Capped, &row.capped }, { WalkStep::Biased, &row.biased }, { WalkStep::Tempered, &row.tempered },
        { WalkStep::Masked, &row.masked }, { WalkStep::Weights, &row.weights } };
    const auto found = stages.find(step);
    return found == stages.end() ? Vector() : Vector(found->second->row(0).transpose());
}

} // namespace

class StepsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void numbersAreThoseOfTheEngine_data();
    void numbersAreThoseOfTheEngine();
    void workedExampleReadsAsInTheBook_data();
    void workedExampleReadsAsInTheBook();
    void formulaIsThatOfTheStep();
    void numbersKeepTheirDigits_data();
    void numbersKeepTheirDigits();
    void walkGoesThroughEveryKeyOfEveryStep();
    void walkEndsWhereItBegan();
    void goingFromKeyToKeyMovesThePick();
    void pickChoosesQueryAndKey();
    void clickOnACellGoesThere();
    void stepOfTheListIsShown();
    void playingStopsAtTheEnd();
    void decimalsAreKept();
    void recordedWeightsAreWalkedThroughTheirMask();
    void seededParametersAreShown_data();
    void seededParametersAreShown();

private:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<StepsView> m_view;
    RowWalkPage *m_walk = nullptr;
};

void StepsTest::init()
{
    QCoreApplication::setOrganizationName(QStringLiteral("attenscope-test"));
    Settings().setStepDecimals(4);
    m_document = std::make_unique<Document>();
    m_document->reset(workedExample());
    m_selection = std::make_unique<Selection>();
    m_view = std::make_unique<StepsView>(*m_document, *m_selection);
    m_walk = m_view->findChild<RowWalkPage *>();
    m_view->resize(1000, 700);
    m_view->show();
}

void StepsTest::cleanup()
{
    m_view.reset();
    m_selection.reset();
    m_document.reset();
}

void StepsTest::numbersAreThoseOfTheEngine_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("d");
    for (const std::string &name : mechanismNames()) {
        for (const auto &[queries, keys, d] : { std::tuple{ 3, 3, 4 }, std::tuple{ 4, 9, 5 }, std::tuple{ 20, 20, 24 } })
            QTest::addRow("%s, %d x %d, d %d", name.c_str(), queries, keys, d) << QString::fromStdString(name) << queries << keys << d;
    }
}

void StepsTest::numbersAreThoseOfTheEngine()
{
    QFETCH(QString, mechanism);
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, d);
    Case c = sdpaCase(queries, keys, d);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    for (const Index row : { Index{ 0 }, Index{ queries - 1 } }) {
        const StepContent content = contentOf(c.block, c.spec, row);
        const Explanation whole = explain(*operands, { row, row + 1 }).value();
        for (const WalkStep step : content.walk.steps) {
            const Vector expected = explained(whole, step);
            for (Index key = 0; key < expected.size(); ++key) {
                const StepPage page = stepPage(content, { step, key, 0 }, {});
                QCOMPARE(page.result, stepResult(expected(key), 4));
                const auto chip = std::find_if(page.chips.begin(), page.chips.end(), [key](const StepChip &one) { return one.key == key; });
                QVERIFY(chip != page.chips.end());
                QCOMPARE(chip->after, page.result);
            }
            // The map's own number, of the stages that maps have.
            if (step == WalkStep::Weights) {
                const MapFieldPtr map = headField(*content.input, c.spec, {}, Stage::Weights).value();
                for (Index key = 0; key < keys; ++key) {
                    if (content.walk.visible[static_cast<std::size_t>(key)])
                        QCOMPARE(stepPage(content, { step, key, 0 }, {}).result, stepResult(map->at(row, key), 4));
                }
            }
        }
        for (Index dim = 0; dim < whole.output.cols(); ++dim)
            QCOMPARE(stepPage(content, { WalkStep::Output, 0, dim }, {}).result, stepResult(whole.output(0, dim), 4));
        QCOMPARE(stepPage(content, { WalkStep::Maximum, 0, 0 }, {}).result, stepResult(whole.rowMax(0), 4));
    }
}

void StepsTest::workedExampleReadsAsInTheBook_data()
{
    using enum WalkStep;
    QTest::addColumn<WalkStep>("step");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("dim");
    QTest::addColumn<QString>("text");
    QTest::newRow("score") << Scores << 0 << 0 << "1·1 + 0·0 + 1·1 + 0·0 = 2.0";
    QTest::newRow("scaled, first key") << Scaled << 0 << 0 << "(1·1 + 0·0 + 1·1 + 0·0) / √4 = 1.0";
    QTest::newRow("scaled, last key") << Scaled << 2 << 0 << "(1·1 + 0·1 + 1·0 + 0·0) / √4 = 0.5";
    QTest::newRow("mask") << Masked << 1 << 0 << "0 + 0 = 0.0";
    QTest::newRow("maximum") << Maximum << 0 << 0 << "max(1, 0, 0.5) = 1.0";
    QTest::newRow("exponential") << Exponentials << 2 << 0 << "exp(0.5 − 1) = 0.6065";
    QTest::newRow("sum") << Sum << 0 << 0 << "1 + 0.368 + 0.607 = 1.9744";
    QTest::newRow("first weight") << Weights << 0 << 0 << "1 / 1.974 = 0.5065";
    QTest::newRow("second weight") << Weights << 1 << 0 << "0.368 / 1.974 = 0.1863";
    QTest::newRow("third weight") << Weights << 2 << 0 << "0.607 / 1.974 = 0.3072";
    QTest::newRow("weighted value") << WeightedValues << 2 << 0 << "0.307 · 5 = 1.5360";
    QTest::newRow("output") << Output << 0 << 0 << "0.506·1 + 0.186·3 + 0.307·5 = 2.6014";
    QTest::newRow("second number of the output") << Output << 0 << 1 << "0.506·2 + 0.186·4 + 0.307·6 = 3.6014";
}

void StepsTest::workedExampleReadsAsInTheBook()
{
    QFETCH(WalkStep, step);
    QFETCH(int, key);
    QFETCH(int, dim);
    QFETCH(QString, text);
    QCOMPARE(sentence(workedContent(), step, key, dim), text);
}

void StepsTest::formulaIsThatOfTheStep()
{
    const Session session = exampleSentence();
    const AttentionInput input = buildInput(session.source).value();
    const StepContent content = contentOf(input.blocks.front(), session.mechanism, 2);
    const auto formula = [&](WalkStep step) { return plainFormula({ stepFormula(content, step) }); };
    QCOMPARE(formula(WalkStep::Embedding), QStringLiteral("x = embedding + position"));
    QCOMPARE(formula(WalkStep::Key), QStringLiteral("k = x W_k"));
    QCOMPARE(formula(WalkStep::OutputProjection), QStringLiteral("concat(head_0, …, head_3) W_o"));
    QCOMPARE(formula(WalkStep::Scores), plainFormula(formulaOf(content.block(), content.spec())));
    // Every step lights a part of its formula.
    for (const WalkStep step : content.walk.steps) {
        MathBox box = mathBox({ stepFormula(content, step) });
        layOut(box, QApplication::font(), 22);
        QRectF lit;
        for (const Symbol symbol : stepPage(content, { step, 0, 0 }, {}).lit)
            lit = lit.united(symbolRect(box, symbol, {}));
        QVERIFY2(!lit.isNull(), qPrintable(stepTitle(content, step).first));
    }
}

void StepsTest::numbersKeepTheirDigits_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QString>("put");
    QTest::addColumn<QString>("result");
    QTest::newRow("whole") << 1.0 << 4 << "1"
                           << "1.0";
    QTest::newRow("short") << -0.25 << 4 << "−0.25"
                           << "−0.25";
    QTest::newRow("long") << 1.0 / 3.0 << 4 << "0.3333"
                          << "0.3333";
    QTest::newRow("what is rounded says so") << 0.1 + 0.2 << 4 << "0.3000"
                                             << "0.3000";
    QTest::newRow("one decimal") << 0.26 << 1 << "0.3"
                                 << "0.3";
    QTest::newRow("eight") << 2.0 / 3.0 << 8 << "0.66666667"
                           << "0.66666667";
    QTest::newRow("infinite") << -std::numeric_limits<double>::infinity() << 4 << "−∞"
                              << "−∞";
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << 2 << "NaN"
                                  << "NaN";
}

void StepsTest::numbersKeepTheirDigits()
{
    QFETCH(double, number);
    QFETCH(int, decimals);
    QTEST(stepNumber(number, decimals), "put");
    QTEST(stepResult(number, decimals), "result");
}

void StepsTest::walkGoesThroughEveryKeyOfEveryStep()
{
    QVERIFY(m_walk->content());
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Scores, 0, 0 }));
    int states = 1;
    for (StepPosition before = m_walk->position(); states < 100; ++states) {
        QTest::keyClick(m_view->findChild<StepsCanvas *>(), Qt::Key_Right);
        if (m_walk->position() == before)
            break;
        before = m_walk->position();
    }
    // Scores, scale, mask, exponentials, weights and weighted values for three keys, maximum and sum once, two numbers of the output.
    QCOMPARE(states, 6 * 3 + 2 + 2);
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Output, 2, 1 }));
}

void StepsTest::walkEndsWhereItBegan()
{
    m_walk->last();
    int states = 1;
    for (StepPosition before = m_walk->position(); states < 100; ++states) {
        m_view->back();
        if (m_walk->position() == before)
            break;
        before = m_walk->position();
    }
    QCOMPARE(states, 6 * 3 + 2 + 2);
    QCOMPARE(m_walk->position().step, WalkStep::Scores);
    QCOMPARE(m_walk->position().key, Index{ 0 });
}

void StepsTest::goingFromKeyToKeyMovesThePick()
{
    m_view->on();
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 0, 1 })));
    m_view->on();
    m_view->on();
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Scaled, 0, 0 }));
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 0, 0 })));
}

void StepsTest::pickChoosesQueryAndKey()
{
    m_selection->setPicked(CellRef{ 2, 1 });
    QCOMPARE(m_walk->content()->walk.row, Index{ 2 });
    QCOMPARE(m_walk->position().key, Index{ 1 });
    QTest::keyClick(m_view->findChild<StepsCanvas *>(), Qt::Key_Up);
    QCOMPARE(m_walk->content()->walk.row, Index{ 1 });
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 1, 1 })));
}

void StepsTest::clickOnACellGoesThere()
{
    m_walk->goTo({ WalkStep::WeightedValues, 0, 0 });
    auto *canvas = m_view->findChild<StepsCanvas *>();
    // The first place of the page that means key 2 and its second number.
    std::optional<QPoint> found;
    for (int y = 0; y < canvas->viewport()->height() && !found; y += 4) {
        for (int x = 0; x < canvas->viewport()->width() && !found; x += 4) {
            const auto hit = canvas->scene().hitAt(QPointF(x, y));
            if (hit && hit->position && hit->position->key == 2 && hit->position->dim == 1)
                found = QPoint(x, y);
        }
    }
    QVERIFY(found);
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, *found);
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::WeightedValues, 2, 1 }));
}

void StepsTest::stepOfTheListIsShown()
{
    auto *list = m_view->findChild<StepsList *>();
    QCOMPARE(list->count(), 9);
    list->setCurrentRow(6);
    QCOMPARE(m_walk->position().step, WalkStep::Weights);
    m_walk->goTo({ WalkStep::Maximum, 0, 0 });
    QCOMPARE(list->currentItem()->text(), QStringLiteral("Maximum"));
}

void StepsTest::playingStopsAtTheEnd()
{
    m_walk->goTo({ WalkStep::Output, 0, 0 });
    auto *player = m_view->findChild<PlayerBar *>();
    for (QComboBox *box : player->findChildren<QComboBox *>()) {
        if (box->currentText().contains(QLatin1Char('/')))
            box->setCurrentIndex(0);
    }
    m_view->togglePlaying();
    QVERIFY(m_view->isPlaying());
    QTRY_VERIFY(!m_view->isPlaying());
    QCOMPARE(m_walk->position(), (StepPosition{ WalkStep::Output, 0, 1 }));
}

void StepsTest::decimalsAreKept()
{
    for (QComboBox *box : m_view->findChildren<QComboBox *>()) {
        if (box->currentText() == QLatin1String("4 decimals"))
            box->setCurrentIndex(box->findText(QStringLiteral("6 decimals")));
    }
    m_walk->goTo({ WalkStep::Weights, 1, 0 });
    QCOMPARE(m_view->findChild<StepsCanvas *>()->scene().page().result, QStringLiteral("0.186324"));
    QCOMPARE(Settings().stepDecimals(), 6);
}

void StepsTest::recordedWeightsAreWalkedThroughTheirMask()
{
    const std::array numbers{ 0.2, 0.3, 0.5, 0.1, 0.3, 0.6, 0.5, 0.25, 0.25 };
    std::vector<std::byte> bytes(sizeof numbers);
    std::memcpy(bytes.data(), numbers.data(), sizeof numbers);
    auto set = std::make_shared<TensorSet>();
    set->tensors.push_back({ "attention", "a.npy", Tensor(bytesInMemory(std::move(bytes)), 0, ElementType::F64, { 3, 3 }) });
    FileSource source;
    source.tensors = set;
    source.uses = recognise(*set);
    Session session;
    session.source = source;
    m_document->reset(session);
    QVERIFY(m_document->block().hasWeightsOnly());
    QVERIFY((m_walk->content()->walk.steps == std::vector{ WalkStep::Recorded }));
    QCOMPARE(sentence(*m_walk->content(), WalkStep::Recorded, 1), QStringLiteral("weight in the file = 0.3"));
    session.mechanism.mask.rule = MaskRule::Causal;
    m_document->reset(session);
    m_selection->setPicked(CellRef{ 1, 0 });
    const StepContent &content = *m_walk->content();
    QCOMPARE(sentence(content, WalkStep::Masked, 2), QStringLiteral("0.6 · 0 = 0.0"));
    QCOMPARE(sentence(content, WalkStep::Sum), QStringLiteral("0.1 + 0.3 = 0.4"));
    QCOMPARE(sentence(content, WalkStep::Weights, 1), QStringLiteral("0.3 / 0.4 = 0.7500"));
    QVERIFY(m_view->picture());
    m_document->reset(workedExample());
    QCOMPARE(m_walk->content()->walk.steps.front(), WalkStep::Scores);
}

void StepsTest::seededParametersAreShown_data()
{
    QTest::addColumn<ScoreFunction>("score");
    QTest::newRow("additive") << ScoreFunction::Additive;
    QTest::newRow("general") << ScoreFunction::General;
    QTest::newRow("concat") << ScoreFunction::Concat;
}

void StepsTest::seededParametersAreShown()
{
    QFETCH(ScoreFunction, score);
    Session session = workedExample();
    session.mechanism.score = score;
    m_document->reset(session);
    const auto picture = m_view->picture();
    QVERIFY(picture);
    QVERIFY(picture->steps->spec().parameters == parametersFor(m_document->block(), session.mechanism));
    // Every step has a page made of them.
    for (const WalkState &state : walkStates(*picture, StepStyle(), QSizeF(1000, 700))) {
        const StepPage page = stepPage(*picture->steps, state.position, StepFolds());
        QVERIFY(!page.arithmetic.isEmpty() || !page.grids.empty());
    }
}

QTEST_MAIN(StepsTest)
#include "tst_steps.moc"
