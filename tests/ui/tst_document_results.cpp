// SPDX-License-Identifier: GPL-3.0-or-later
// What a document computes of an edit: on the window's thread or in a job, the picked head first, both sides of a comparison, heads combined.
#include "state/document.h"

#include "attention/explain.h"

#include <QCoreApplication>
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

class TestDocumentResults : public QObject {
    Q_OBJECT

private slots:
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
        compared.comparison = document.session().mechanism;
        compared.comparison->scale = 0.1;
        document.edit(compared, QStringLiteral("compare"));
        finish(document);
        QVERIFY(!document.isSummarizing());
    }

    void theNewestEditWins()
    {
        Document document;
        document.edit(longSession(longTokens), QStringLiteral("type tokens"));
        for (const double scale : { 0.1, 0.2 }) {
            Session next = document.session();
            next.mechanism.scale = scale;
            document.edit(next, QStringLiteral("change scale"));
        }
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
};

QTEST_GUILESS_MAIN(TestDocumentResults)
#include "tst_document_results.moc"
