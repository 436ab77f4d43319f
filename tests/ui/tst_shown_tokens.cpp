// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens left out of the document: computed weights stay what they are, the pick stays with its token, and all of it can be undone.
#include "state/document.h"
#include "state/field_cache.h"
#include "state/selection.h"
#include "views/lines/line_ends.h"
#include "views/lines/lines_layout.h"
#include "views/map/map_content.h"
#include "views/map/token_ticker.h"
#include "views/origin.h"
#include "views/readout_terms.h"
#include "views/tokens_button.h"
#include "window/numbers.h"

#include <QMenu>
#include <QTest>

#include <algorithm>

using namespace attenscope;

namespace {

void showTokens(Document &document, const TokensShown &tokens)
{
    Session next = document.session();
    next.view.tokens = tokens;
    document.edit(std::move(next), QStringLiteral("tokens"));
}

TokensShown withoutFirst(bool renormalizes = false)
{
    TokensShown tokens;
    tokens.leavesOutFirst = true;
    tokens.renormalizes = renormalizes;
    return tokens;
}

QAction *entry(TokensButton &button, const QString &text)
{
    emit button.menu()->aboutToShow();
    const QList<QAction *> actions = button.menu()->actions();
    const auto found = std::find_if(actions.begin(), actions.end(), [&](const QAction *action) { return action->text() == text; });
    return found == actions.end() ? nullptr : *found;
}

} // namespace

class TestShownTokens : public QObject {
    Q_OBJECT

private slots:
    void weightsLeftAreTheSameNumbers()
    {
        Document document;
        const Matrix before = [&] {
            Matrix cells(10, 10);
            for (Index row = 0; row < 10; ++row)
                document.field()->row(row, 0, { cells.data() + row * 10, 10 });
            return cells;
        }();
        showTokens(document, withoutFirst());
        QCOMPARE(document.block().keys, 9);
        QCOMPARE(document.block().keyTokens.front(), std::string("cat"));
        QCOMPARE(document.wholeBlock().keys, 10);
        for (Index row = 0; row < 9; ++row) {
            for (Index col = 0; col <= row; ++col)
                QCOMPARE(document.field()->at(row, col), before(row + 1, col + 1));
        }
        showTokens(document, withoutFirst(true));
        for (Index row = 0; row < 9; ++row) {
            for (Index col = 0; col <= row; ++col)
                QVERIFY(std::abs(document.field()->at(row, col) - before(row + 1, col + 1) / (1.0 - before(row + 1, 0))) < 1e-14);
        }
        QCOMPARE(cell::kind(document.field()->at(0, 1)), cell::Kind::Masked);
    }

    void goingBackComputesNothingAnew()
    {
        Document document;
        const auto heads = document.result()->heads;
        showTokens(document, withoutFirst());
        QVERIFY(document.result()->heads.front() != heads.front());
        document.undoStack()->undo();
        for (const auto &head : heads)
            QCOMPARE(document.result()->find(head->ref), head);
        QVERIFY(!document.block().isReduced());
        document.undoStack()->redo();
        QVERIFY(document.block().isReduced());
    }

    void comparedMasksLeaveOutTheSame()
    {
        Document document;
        Session next = document.session();
        next.comparison = next.mechanism;
        next.comparison->mask.rule = MaskRule::None;
        document.edit(next, QStringLiteral("compare"));
        const double causal = document.field(Side::Main)->at(3, 1);
        const double unmasked = document.field(Side::Comparison)->at(3, 1);
        showTokens(document, withoutFirst());
        QCOMPARE(document.field(Side::Main)->at(2, 0), causal);
        QCOMPARE(document.field(Side::Comparison)->at(2, 0), unmasked);
        QCOMPARE(document.field(Side::Difference)->at(2, 0), causal - unmasked);
        QCOMPARE(mechanismWords(document), QStringLiteral("causal"));
    }

    void thePickStaysWithItsToken()
    {
        Document document;
        Selection selection;
        selection.follow(document.input(), 0);
        selection.setPicked(CellRef{ 5, 2 });
        selection.toggleRow(0);
        selection.toggleCol(3);
        showTokens(document, withoutFirst());
        selection.follow(document.input(), 0);
        QCOMPARE(selection.picked(), (CellRef{ 4, 1 }));
        QVERIFY(selection.moreRows().empty());
        QCOMPARE(selection.moreCols(), std::vector<Index>{ 2 });
        showTokens(document, {});
        selection.follow(document.input(), 0);
        QCOMPARE(selection.picked(), (CellRef{ 5, 2 }));
    }

    void positionsAreThoseOfTheWholeInput()
    {
        Document document;
        TokensShown tokens = withoutFirst();
        tokens.leftOut = { { 0, false, 8 } };
        showTokens(document, tokens);
        const CellRef sat{ 1, 7 }; // Query 2 "sat" and, after keys 0 and 8, key 9 "tired".
        ReadoutArithmetic arithmetic;
        QCOMPARE(arithmetic.terms(document, sat).front().label, QStringLiteral("query 2 → key 9, head 3"));
        QCOMPARE(arithmetic.terms(document, sat).front().shortLabel, QStringLiteral("2 → 9, head 3"));
        const auto content
            = mapContent(document, [](const std::vector<MapFieldPtr> &fields) { return std::optional(measureRange(fields)); });
        QVERIFY(content);
        QCOMPARE(content->rowLabel(1, true).text(), QStringLiteral("2 ‘sat’"));
        QCOMPARE(content->colLabel(7, true).text(), QStringLiteral("9 ‘tired’"));
        FieldCache fields;
        auto lines = linesContent(document, fields);
        QVERIFY(lines);
        lines->filter.mostKeys = 1;
        const LineEnds ends = lineEnds(*lines, { TokenSide::Queries, { 1 } }, lines->keys);
        QVERIFY(hiddenText(*lines, ends, {}).startsWith(QStringLiteral("Row 2: ")));
        // Facing tokens are others where keys alone are left out: both sides have their positions.
        QVERIFY(LinesLayout(*lines, LinesStyle{ Theme::light(), QFont() }, { 1000.0, 600.0 }).keyPositions > 0.0);
        const auto numbers = numbersOf(document, NumbersScope::ShownMap, Side::Main, {});
        QVERIFY(numbers.ok());
        QCOMPARE(numbers->colPositions, (std::vector<Index>{ 1, 2, 3, 4, 5, 6, 7, 9 }));
    }

    void everythingLeftOutKeepsThePictureAndSaysSo()
    {
        Document document;
        TokensShown all;
        for (Index position = 0; position < 10; ++position)
            all.leftOut.insert(all.leftOut.end(), { { 0, true, position }, { 0, false, position } });
        showTokens(document, all);
        QVERIFY(document.problem());
        QCOMPARE(document.problem()->error.what, std::string("No query is left."));
        QCOMPARE(document.block().keys, 10);
        document.undoStack()->undo();
        QVERIFY(!document.problem());
    }

    void theMenuLeavesOutThePickedTokenAndShowsItAgain()
    {
        Document document;
        Selection selection;
        TokensButton button(document, selection);
        selection.setPicked(CellRef{ 1, 1 });
        QAction *leaveOut = entry(button, QStringLiteral("1 “cat”"));
        QVERIFY(leaveOut);
        leaveOut->trigger();
        QCOMPARE(
            document.block().keyTokens, (std::vector<std::string>{ "The", "sat", "on", "the", "mat", "because", "it", "was", "tired" }));
        QCOMPARE(document.block().queries, 9);
        QCOMPARE(button.text(), QStringLiteral("9 of 10 tokens"));
        QVERIFY(originNotes(document).contains(QStringLiteral("left out: cat, rows not renormalised")));
        // The picked cell is now that of "sat", which is token 2.
        selection.follow(document.input(), 0);
        selection.setPicked(CellRef{ 1, 1 });
        QVERIFY(entry(button, QStringLiteral("2 “sat”")));
        QAction *again = entry(button, QStringLiteral("Show 1 “cat” again"));
        QVERIFY(again);
        again->trigger();
        QVERIFY(document.session().view.tokens.showsAll());
        QCOMPARE(document.block().keys, 10);
    }
};

QTEST_MAIN(TestShownTokens)
#include "tst_shown_tokens.moc"
