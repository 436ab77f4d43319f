// SPDX-License-Identifier: GPL-3.0-or-later
// Document: one step per edit, computing only what differs, and the last valid picture while something does not fit.
#include "state/document.h"

#include "attention/explain.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attenscope;

namespace {

/// The example with @p tokens tokens; 300 are too many to be computed at once.
Session longSession(int tokens)
{
    Session session = exampleSentence();
    auto &source = std::get<TokensSource>(session.source);
    source.text.clear();
    for (int token = 0; token < tokens; ++token)
        source.text += "word" + std::to_string(token % 17) + ' ';
    return session;
}
constexpr int longTokens = 300;

Session withScale(Session session, double scale)
{
    session.mechanism.scale = scale;
    return session;
}

Session withoutLastColumnOfK(Session session)
{
    auto &matrices = std::get<MatricesSource>(session.source);
    matrices.heads.front().k = matrices.heads.front().k.withColsRemoved(3, 1);
    return session;
}

/// Computes whatever is still to do.
void finish(Document &document)
{
    QTRY_VERIFY(!document.isComputing());
}

double exactWeight(const Document &document, const HeadRef &head, const AttentionSpec &spec, Index row, Index col)
{
    const auto operands = headOperands(document.input()->blocks[static_cast<std::size_t>(head.block)], spec, head);
    return explain(**operands, { row, row + 1 })->weights(0, col);
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

private slots:
    void itOpensTheExampleComputed()
    {
        const Document document;
        QCOMPARE(document.session(), exampleSentence());
        QCOMPARE(document.input()->blocks.front().queries, 10);
        QCOMPARE(document.result()->heads.size(), 4U);
        QVERIFY(!document.comparisonResult());
        QVERIFY(!document.problem());
        QVERIFY(!document.isModified());
        QVERIFY(!document.isComputing());
    }

    void aDocumentThatDoesNotFitShowsNothingOfTheOneBefore()
    {
        Document document;
        document.reset(withoutLastColumnOfK(workedExample()));
        QVERIFY(document.problem());
        QVERIFY(!document.hasPicture());
        QVERIFY(!document.field());
        QVERIFY(document.result()->heads.empty());
        QCOMPARE(document.block().queries, 1);
        document.edit(workedExample(), QStringLiteral("make the matrices fit"));
        QVERIFY(document.hasPicture());
        QVERIFY(document.field());
        // From here on there is an earlier picture.
        document.undoStack()->undo();
        QVERIFY(document.problem());
        QVERIFY(document.hasPicture());
        QCOMPARE(document.block().queries, 3);
    }

    void aSmallEditIsComputedBeforeItReturns()
    {
        Document document;
        document.edit(workedExample(), QStringLiteral("open sample"));
        QVERIFY(!document.isComputing());
        const MapFieldPtr field = document.field();
        QVERIFY(field);
        // The weights of row 0 as in every textbook that has this example.
        QVERIFY(std::abs(field->at(0, 0) - 0.5065) < 5e-5);
        QVERIFY(std::abs(field->at(0, 1) - 0.1863) < 5e-5);
        QVERIFY(std::abs(field->at(0, 2) - 0.3072) < 5e-5);
        Session masked = document.session();
        masked.mechanism = withCausalMask(masked.mechanism, true);
        document.edit(masked, QStringLiteral("mask"));
        QCOMPARE(document.field()->at(0, 0), 1.0);
        QCOMPARE(cell::kind(document.field()->at(0, 1)), cell::Kind::Masked);
    }

    void undoAndRedoSwapTheSession()
    {
        Document document;
        const Session before = document.session();
        const Session after = withScale(before, 0.125);
        QSignalSpy changed(&document, &Document::changed);
        document.edit(after, QStringLiteral("change scale"));
        QCOMPARE(document.undoStack()->undoText(), QStringLiteral("change scale"));
        QVERIFY(document.isModified());
        const auto computed = document.result();
        document.undoStack()->undo();
        QCOMPARE(document.session(), before);
        QCOMPARE(document.result()->spec, before.mechanism);
        QVERIFY(!document.isModified());
        document.undoStack()->redo();
        QCOMPARE(document.session(), after);
        QCOMPARE(document.result()->spec, computed->spec);
        QCOMPARE(changed.count(), 3);
        document.edit(after, QStringLiteral("nothing"));
        QCOMPARE(changed.count(), 3);
        QCOMPARE(document.undoStack()->count(), 1);
    }

    void aDragIsOneStep()
    {
        Document document;
        const Session before = document.session();
        const QString key = QStringLiteral("scale");
        for (const double scale : { 0.1, 0.2, 0.3 })
            document.edit(withScale(document.session(), scale), QStringLiteral("change scale"), key);
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(*document.session().mechanism.scale, 0.3);
        document.undoStack()->undo();
        QCOMPARE(document.session(), before);
        document.undoStack()->redo();
        QCOMPARE(*document.session().mechanism.scale, 0.3);
    }

    void stepsDoNotMerge_data()
    {
        QTest::addColumn<QString>("firstKey");
        QTest::addColumn<QString>("secondKey");
        QTest::addColumn<QString>("between");
        QTest::newRow("other key") << "scale"
                                   << "temperature"
                                   << "";
        QTest::newRow("no key") << ""
                                << ""
                                << "";
        QTest::newRow("the drag ended") << "scale"
                                        << "scale"
                                        << "end";
        QTest::newRow("undone and redone") << "scale"
                                           << "scale"
                                           << "undo";
        QTest::newRow("saved") << "scale"
                               << "scale"
                               << "save";
    }
    void stepsDoNotMerge()
    {
        QFETCH(QString, firstKey);
        QFETCH(QString, secondKey);
        QFETCH(QString, between);
        Document document;
        document.edit(withScale(document.session(), 0.1), QStringLiteral("one"), firstKey);
        if (between == QLatin1String("end")) {
            document.endMerge();
        } else if (between == QLatin1String("undo")) {
            document.undoStack()->undo();
            document.undoStack()->redo();
        } else if (between == QLatin1String("save")) {
            document.setSaved(QStringLiteral("/tmp/one.attn"));
        }
        document.edit(withScale(document.session(), 0.2), QStringLiteral("two"), secondKey);
        QCOMPARE(document.undoStack()->count(), 2);
        document.undoStack()->undo();
        QCOMPARE(*document.session().mechanism.scale, 0.1);
    }

    void aDragBackToWhereItBeganLeavesNoStep()
    {
        Document document;
        const Session before = document.session();
        document.edit(withScale(before, 0.1), QStringLiteral("change scale"), QStringLiteral("scale"));
        document.edit(before, QStringLiteral("change scale"), QStringLiteral("scale"));
        QCOMPARE(document.undoStack()->count(), 0);
        QCOMPARE(document.session(), before);
        QVERIFY(!document.isModified());
    }

    void aChangeOfTheViewComputesNothing()
    {
        Document document;
        const auto result = document.result();
        const MapFieldPtr weights = document.field();
        QSignalSpy resultChanged(&document, &Document::resultChanged);
        Session next = document.session();
        next.view.colors = ColorTable::Magma;
        next.view.stage = Stage::Scores;
        document.edit(next, QStringLiteral("change stage"));
        QCOMPARE(document.result(), result);
        QCOMPARE(resultChanged.count(), 0);
        QVERIFY(document.field() != weights);
        document.undoStack()->undo();
        QCOMPARE(document.field(), weights);
    }

    void pickingAHeadIsNoStep()
    {
        Document document;
        QSignalSpy changed(&document, &Document::changed);
        document.pickHead({ 0, 0, 2, 0 });
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 2, 0 }));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(document.undoStack()->count(), 0);
        QVERIFY(!document.isModified());
        Session next = document.session();
        next.view.head.head = 1;
        document.edit(next, QStringLiteral("pick head"));
        QCOMPARE(document.undoStack()->count(), 0);
        QCOMPARE(document.head().head, 1);
    }

    void undoKeepsThePickedHead()
    {
        Document document;
        document.edit(withScale(document.session(), 0.1), QStringLiteral("change scale"));
        document.pickHead({ 0, 0, 1, 0 });
        document.undoStack()->undo();
        QCOMPARE(document.head().head, 1);
        document.pickHead({ 0, 0, 2, 0 });
        document.undoStack()->redo();
        QCOMPARE(document.head().head, 2);
        QCOMPARE(*document.session().mechanism.scale, 0.1);
    }

    void thePickedHeadIsOneThatExists()
    {
        Document document;
        document.pickHead({ 3, 9, 99, 7 });
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 3, 0 }));
        QVERIFY(document.field());
    }

    void matricesThatDoNotFitKeepTheLastPicture()
    {
        Document document;
        document.reset(workedExample());
        const auto input = document.input();
        const auto result = document.result();
        document.edit(withoutLastColumnOfK(document.session()), QStringLiteral("remove column"));
        QVERIFY(document.problem());
        QCOMPARE(document.problem()->part, SpecPart::K);
        QVERIFY(!document.problem()->matrices.empty());
        QCOMPARE(document.problem()->error.what, document.problem()->matrices.front().sentence);
        QCOMPARE(document.input(), input);
        QCOMPARE(document.result(), result);
        QVERIFY(document.field());

        Session fixed = document.session();
        fixed.source = document.problem()->matrices.front().fixes.front().fixed;
        document.edit(fixed, QStringLiteral("add column"));
        QVERIFY(!document.problem());
        QVERIFY(document.result() != result);
        document.undoStack()->undo();
        QVERIFY(document.problem());
        document.undoStack()->undo();
        QVERIFY(!document.problem());
        QCOMPARE(document.session(), workedExample());
    }

    void aMechanismThatDoesNotFitNamesItsControl()
    {
        Document document;
        const auto result = document.result();
        Session next = document.session();
        next.mechanism.heads = 3; // of a d_model of 32
        document.edit(next, QStringLiteral("change heads"));
        QVERIFY(document.problem());
        QCOMPARE(document.problem()->part, SpecPart::Heads);
        QVERIFY(!document.problem()->error.what.empty());
        QCOMPARE(document.result(), result);
        next.mechanism.heads = 2;
        document.edit(next, QStringLiteral("change heads"));
        QVERIFY(!document.problem());
        QCOMPARE(document.result()->heads.size(), 2U);
        QCOMPARE(document.head().head, 1);
    }

    void noTokensKeepTheLastPicture()
    {
        Document document;
        Session next = document.session();
        std::get<TokensSource>(next.source).text = "  ";
        document.edit(next, QStringLiteral("type tokens"));
        QVERIFY(document.problem());
        QCOMPARE(document.input()->blocks.front().queries, 10);
    }

    void anEqualQuestionGetsTheSameField()
    {
        Document document;
        Session next = document.session();
        next.comparison = withCausalMask(next.mechanism, false);
        document.edit(next, QStringLiteral("compare"));
        for (const HeadsShown shown : { HeadsShown::Single, HeadsShown::Mean, HeadsShown::Max }) {
            next.view.headsShown = shown;
            document.edit(next, QStringLiteral("combine heads"));
            for (const Side side : { Side::Main, Side::Comparison, Side::Difference }) {
                QVERIFY(document.field(side));
                QCOMPARE(document.field(side), document.field(side));
            }
            QVERIFY(document.field(Side::Main) != document.field(Side::Comparison));
        }
    }

    void comparingKeepsWhatIsComputed()
    {
        Document document;
        const HeadRef head = document.head();
        const auto computed = document.result()->find(head);
        const MapFieldPtr field = document.field();
        Session next = document.session();
        next.comparison = withCausalMask(next.mechanism, false);
        document.edit(next, QStringLiteral("compare"));
        QCOMPARE(document.result()->find(head), computed);
        QCOMPARE(document.field(), field);
        QCOMPARE(document.comparisonResult()->heads.size(), 4U);
        const double causal = exactWeight(document, head, next.mechanism, 7, 1);
        const double unmasked = exactWeight(document, head, *next.comparison, 7, 1);
        QCOMPARE(document.field(Side::Main)->at(7, 1), causal);
        QCOMPARE(document.field(Side::Comparison)->at(7, 1), unmasked);
        QCOMPARE(document.field(Side::Difference)->at(7, 1), causal - unmasked);

        // What was compared with becomes the mechanism: its heads are there already.
        const auto other = document.comparisonResult()->find(head);
        next.mechanism = std::exchange(next.comparison, std::nullopt).value();
        document.edit(next, QStringLiteral("unmask"));
        QCOMPARE(document.result()->find(head), other);
        QVERIFY(!document.comparisonResult());
        QVERIFY(!document.field(Side::Difference));
    }

    void aComparisonWithFewerHeadsShowsItsLast()
    {
        Document document;
        document.pickHead({ 0, 0, 3, 0 });
        Session next = document.session();
        next.comparison = next.mechanism;
        next.comparison->heads = 2;
        document.edit(next, QStringLiteral("compare"));
        QCOMPARE(document.comparisonResult()->heads.size(), 2U);
        QVERIFY(document.field(Side::Comparison));
        QCOMPARE(document.field(Side::Comparison)->at(7, 1), exactWeight(document, { 0, 0, 1, 0 }, *next.comparison, 7, 1));
        QVERIFY(document.field(Side::Difference));
        // Two heads have outputs twice as wide.
        next.view.stage = Stage::Output;
        document.edit(next, QStringLiteral("change stage"));
        QCOMPARE(document.field(Side::Comparison)->cols(), 2 * document.field(Side::Main)->cols());
        QVERIFY(!document.field(Side::Difference));
    }

    void headsAreCombinedCellByCell()
    {
        Document document;
        Session next = document.session();
        double sum = 0.0;
        double largest = 0.0;
        for (int head = 0; head < 4; ++head) {
            const double weight = exactWeight(document, { 0, 0, head, 0 }, next.mechanism, 5, 2);
            sum += weight;
            largest = std::max(largest, weight);
        }
        next.view.headsShown = HeadsShown::Mean;
        document.edit(next, QStringLiteral("mean"));
        QVERIFY(std::abs(document.field()->at(5, 2) - sum / 4.0) < 1e-15);
        next.view.headsShown = HeadsShown::Max;
        document.edit(next, QStringLiteral("largest"));
        QCOMPARE(document.field()->at(5, 2), largest);
    }

    void headsThatAreSeenComeRightAfterThePickedOne()
    {
        Document document;
        document.pickHead({ 0, 0, 2, 0 });
        document.setSeenHeads({ { 0, 0, 3, 0 } });
        QList<int> order;
        connect(&document, &Document::resultChanged, this, [&] {
            for (const auto &head : document.result()->heads) {
                if (!order.contains(head->ref.head))
                    order.append(head->ref.head);
            }
        });
        Session next = longSession(longTokens);
        next.view.head = document.head();
        document.edit(next, QStringLiteral("type tokens"));
        finish(document);
        QCOMPARE(order, QList<int>({ 2, 3, 0, 1 }));
    }

    void aLargeInputIsComputedInAJobPickedHeadFirst()
    {
        Document document;
        document.pickHead({ 0, 0, 2, 0 });
        const auto before = document.result();
        Session next = longSession(longTokens);
        next.view.head = document.head();
        QList<std::size_t> counts;
        QList<int> first;
        connect(&document, &Document::resultChanged, this, [&] {
            counts.append(document.result()->heads.size());
            first.append(document.result()->heads.front()->ref.head);
        });
        document.edit(next, QStringLiteral("type tokens"));
        QVERIFY(document.isComputing());
        QCOMPARE(document.result(), before);
        QCOMPARE(document.input()->blocks.front().queries, 10);
        finish(document);
        QCOMPARE(counts, QList<std::size_t>({ 1, 2, 3, 4 }));
        QCOMPARE(first.first(), 2);
        QCOMPARE(document.input()->blocks.front().queries, longTokens);
        QCOMPARE(document.progress(), 1.0);
    }

    void longHeadsAreSummedUpAfterwards()
    {
        Document document;
        document.edit(longSession(2100), QStringLiteral("type tokens"));
        finish(document);
        QVERIFY(document.isSummarizing());
        QVERIFY(!document.result()->heads.back()->summary.isComplete);
        const auto heads = document.result()->heads;
        QTRY_VERIFY_WITH_TIMEOUT(!document.isSummarizing(), 60'000);
        QCOMPARE(document.result()->heads, heads);
        for (const auto &head : heads)
            QVERIFY(document.result()->summary(head->ref)->isComplete);
        const HeadSummary *summary = document.result()->summary(document.head());
        // Causal: the first query has no token before it.
        QCOMPARE(summary->previous.rows, Index{ 2099 });
        QVERIFY(std::abs(summary->distance.uniform - 2099.0 / 4.0) < 1e-9);
        QVERIFY(std::abs(summary->entropy.mean - document.result()->find(document.head())->summary.entropy.mean) < 1e-4);

        // Nothing is computed anew where nothing changed.
        document.pickHead({ 0, 0, 1, 0 });
        QVERIFY(!document.isSummarizing());
        Session compared = document.session();
        compared.comparison = withScale(document.session(), 0.1).mechanism;
        document.edit(compared, QStringLiteral("compare"));
        finish(document);
        QVERIFY(!document.isSummarizing());
    }

    void theNewestEditWins()
    {
        Document document;
        document.edit(longSession(longTokens), QStringLiteral("type tokens"));
        document.edit(withScale(document.session(), 0.1), QStringLiteral("change scale"));
        document.edit(withScale(document.session(), 0.2), QStringLiteral("change scale"));
        finish(document);
        QCOMPARE(document.result()->spec, document.session().mechanism);
        QCOMPARE(document.result()->heads.size(), 4U);
        QVERIFY(!document.problem());
    }

    void anEditThatNeedsNoWorkEndsTheJob()
    {
        Document document;
        const Session before = document.session();
        document.edit(longSession(longTokens), QStringLiteral("type tokens"));
        QVERIFY(document.isComputing());
        document.undoStack()->undo();
        QVERIFY(!document.isComputing());
        QCoreApplication::processEvents();
        QCOMPARE(document.session(), before);
        QCOMPARE(document.input()->blocks.front().queries, 10);
    }

    void cancelKeepsTheHeadsThatAreReady()
    {
        Document document;
        const auto connection = connect(&document, &Document::resultChanged, &document, [&document] {
            if (document.isComputing())
                document.cancel();
        });
        document.edit(longSession(longTokens), QStringLiteral("type tokens"));
        finish(document);
        QCOMPARE(document.result()->heads.size(), 1U);
        QVERIFY(document.field());
        QVERIFY(!document.problem());

        // Asking for one that is missing computes it and keeps what is there.
        disconnect(connection);
        const auto ready = document.result()->heads.front();
        const HeadRef missing{ 0, 0, (document.head().head + 1) % 4, 0 };
        document.pickHead(missing);
        QVERIFY(document.isComputing());
        finish(document);
        QVERIFY(document.result()->find(missing));
        QCOMPARE(document.result()->find(ready->ref), ready);
    }

    void cancelBeforeTheFirstHeadSaysThatThePictureIsOld()
    {
        Document document;
        const auto result = document.result();
        document.edit(longSession(longTokens), QStringLiteral("type tokens"));
        document.cancel();
        QVERIFY(!document.isComputing());
        QCOMPARE(document.result(), result);
        QVERIFY(document.problem());
        QVERIFY(document.problem()->error.isCancelled);
        QCoreApplication::processEvents();
        QCOMPARE(document.result(), result);
    }

    void aFileSaysWhatIsOddAboutIt()
    {
        auto tensors = std::make_shared<TensorSet>();
        Matrix weights(3, 3);
        weights << 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.2, 0.3, 0.4; // The last row sums to 0.9.
        tensors->tensors.push_back({ "attention", "a.npy", Tensor::fromMatrix(weights) });
        tensors->notes.emplace_back("A note of the reader.");
        FileSource source;
        source.tensors = tensors;
        source.uses = recognise(*tensors);
        Session session = exampleSentence();
        session.source = source;
        session.mechanism.mask = {};
        Document document;
        document.reset(session);
        QVERIFY(!document.problem());
        QVERIFY(document.block().hasWeightsOnly());
        const std::vector<std::string> &notes = document.notes();
        QCOMPARE(std::count(notes.begin(), notes.end(), "A note of the reader."), 1);
        QVERIFY(std::any_of(
            notes.begin(), notes.end(), [](const std::string &note) { return note.starts_with("1 of 3 rows do not sum to 1"); }));
        QCOMPARE(document.stage(), Stage::Weights);
        QCOMPARE(document.field()->at(1, 0), 0.5);
    }

    void savingNamesTheSessionAndUndoKeepsTheName()
    {
        Document document;
        QSignalSpy saved(&document, &Document::savedChanged);
        document.edit(withScale(document.session(), 0.1), QStringLiteral("change scale"));
        QVERIFY(document.isModified());
        document.setSaved(QStringLiteral("/tmp/my example.attn"));
        QVERIFY(!document.isModified());
        QVERIFY(saved.count() >= 2);
        QCOMPARE(document.session().name, std::string("my example"));
        document.undoStack()->undo();
        QCOMPARE(document.session().name, std::string("my example"));
        QVERIFY(document.isModified());
        QVERIFY(!document.session().mechanism.scale);
    }

    void openingForgetsTheSteps()
    {
        Document document;
        document.edit(withScale(document.session(), 0.1), QStringLiteral("change scale"));
        document.reset(workedExample(), QStringLiteral("/tmp/worked.attn"));
        QCOMPARE(document.undoStack()->count(), 0);
        QVERIFY(!document.isModified());
        QCOMPARE(document.path(), QStringLiteral("/tmp/worked.attn"));
        QCOMPARE(document.input()->blocks.front().queries, 3);
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_document.moc"
