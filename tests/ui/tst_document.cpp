// SPDX-License-Identifier: GPL-3.0-or-later
// Document: one step per edit, and the last valid picture while something does not fit.
#include "state/document.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attenscope;

namespace {

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
