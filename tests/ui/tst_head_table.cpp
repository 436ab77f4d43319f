// SPDX-License-Identifier: GPL-3.0-or-later
// HeadTable: numbers, tips, order, filter, names of patterns, picking and copying.
#include "core/text.h"
#include "state/head_table_model.h"
#include "state/theme.h"
#include "support/painted.h"
#include "views/heads/heads.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

using namespace attenscope;

namespace {

/// Widgets are laid out once they are shown.
void showIn(QWidget &widget, const QSize &size)
{
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

NamedTensor tensorOf(const std::string &name, std::vector<Index> shape, const std::vector<double> &numbers)
{
    std::vector<std::byte> bytes(numbers.size() * sizeof(double));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return { name, "a.npz", Tensor(bytesInMemory(std::move(bytes)), 0, ElementType::F64, std::move(shape)) };
}

/// An encoder with two causal heads of 8 tokens, 0.9 of the weight on the token before and on the first one, and cross-attention with one head,
/// 3 queries on the first key.
Session recordedSession()
{
    constexpr Index n = 8;
    std::vector<double> encoder;
    for (const bool isPrevious : { true, false }) {
        for (Index row = 0; row < n; ++row) {
            for (Index key = 0; key < n; ++key) {
                const double rest = key <= row ? 0.1 / static_cast<double>(row + 1) : 0.0;
                encoder.push_back(rest + (key == (isPrevious ? std::max<Index>(row - 1, 0) : 0) ? 0.9 : 0.0));
            }
        }
    }
    std::vector<double> cross(3 * n, 0.0);
    for (std::size_t row = 0; row < 3; ++row)
        cross[row * n] = 1.0;
    auto tensors = std::make_shared<TensorSet>();
    tensors->tensors = { tensorOf("encoder_attentions", { 1, 2, n, n }, encoder), tensorOf("cross_attentions", { 1, 1, 3, n }, cross) };
    FileSource source;
    source.uses = recognise(*tensors);
    source.tensors = tensors;
    Session session = exampleSentence();
    session.source = source;
    session.mechanism = {};
    session.view.head = {};
    return session;
}

} // namespace

class TestHeadTable : public QObject {
    Q_OBJECT

private slots:
    void theTableHasTheSummaries()
    {
        Document document;
        Selection selection;
        HeadTable table(document, selection);
        auto *view = table.findChild<QTableView *>();
        QCOMPARE(view->model()->rowCount(), 4);
        const HeadSummary &summary = document.result()->find({ 0, 0, 2, 0 })->summary;
        QVERIFY(summary.isComplete);
        const auto text = [view](HeadColumn column) { return view->model()->index(2, static_cast<int>(column)).data().toString(); };
        QCOMPARE(text(HeadColumn::Head), QStringLiteral("2"));
        // Seeded heads have no names.
        QCOMPARE(text(HeadColumn::Pattern), QStringLiteral("–"));
        for (const HeadColumn column : { HeadColumn::Entropy, HeadColumn::EffectiveKeys, HeadColumn::NormalizedEntropy,
                 HeadColumn::Distance, HeadColumn::Previous, HeadColumn::First, HeadColumn::Own, HeadColumn::Largest })
            QCOMPARE(text(column), QString::fromStdString(displayNumber((summary.*columnMean(column)).mean, 4)));
        // Causal: nobody sees the next token.
        QCOMPARE(text(HeadColumn::Next), QStringLiteral("–"));
        QCOMPARE(view->currentIndex().row(), document.head().head);
    }

    void tipsSayTheExactMeanUniformAndRows()
    {
        Document document;
        const HeadTableModel model(document);
        const RowMean &previous = document.result()->find({ 0, 0, 1, 0 })->summary.previous;
        const auto tip = [&model](HeadColumn column) { return model.index(1, static_cast<int>(column)).data(Qt::ToolTipRole).toString(); };
        QCOMPARE(tip(HeadColumn::Previous),
            QStringLiteral("%1\nUniform attention under the same mask: %2\nMean over 9 rows")
                .arg(QString::fromStdString(exactNumber(previous.mean)), QString::fromStdString(exactNumber(previous.uniform))));
        // 0.21 of ten causal tokens.
        QVERIFY(std::abs(previous.uniform - (7381.0 / 2520.0 - 1.0) / 9.0) < 1e-12);
        QCOMPARE(tip(HeadColumn::Pattern), QStringLiteral("untrained, random weights: no name"));
        QCOMPARE(tip(HeadColumn::Next), QStringLiteral("No query sees the token after it."));
    }

    void rowsThatAreNoDistributionAreLeftOutAndCounted()
    {
        auto tensors = std::make_shared<TensorSet>();
        tensors->tensors
            = { tensorOf("attentions", { 1, 3, 2, 2 }, { 7.0, 0.0, -0.5, 1.5, 2.0, 0.0, 0.5, 0.5, std::nan(""), 1.0, 1.0, 1.0 }) };
        FileSource source;
        source.uses = recognise(*tensors);
        source.tensors = tensors;
        Session session = exampleSentence();
        session.source = source;
        session.mechanism = {};
        session.view.head = {};
        Document document;
        document.reset(session);
        const HeadTableModel model(document);
        const auto text = [&model](int head, HeadColumn column) { return model.index(head, static_cast<int>(column)).data().toString(); };
        const auto tip = [&model](int head, HeadColumn column) {
            return model.index(head, static_cast<int>(column)).data(Qt::ToolTipRole).toString();
        };
        const QString none = QStringLiteral("No row is a distribution: a weight is negative, or NaN, or they sum to more than 1.");
        for (const HeadColumn column : { HeadColumn::Entropy, HeadColumn::EffectiveKeys, HeadColumn::NormalizedEntropy,
                 HeadColumn::Distance, HeadColumn::Largest, HeadColumn::First }) {
            QCOMPARE(text(0, column), QStringLiteral("–"));
            QCOMPARE(tip(0, column), none);
            QCOMPARE(text(2, column), QStringLiteral("–"));
        }
        QCOMPARE(tip(0, HeadColumn::Pattern), QStringLiteral("no row is a distribution"));
        // ln 2 of the one row that is left.
        QCOMPARE(text(1, HeadColumn::Entropy), QStringLiteral("0.6931"));
        QVERIFY(tip(1, HeadColumn::Entropy)
                    .endsWith(QStringLiteral("Mean over 1 row\n1 left out: a weight is negative, or they sum to more than 1")));
    }

    void theHeaderHasWhatUniformAttentionHas()
    {
        Document document;
        const HeadTableModel model(document);
        const auto uniform = [&model](HeadColumn column) {
            return model.headerData(static_cast<int>(column), Qt::Horizontal, HeadTableModel::uniformRole).toString();
        };
        // Ten causal tokens: the mean of 1, 1/2, …, 1/10 for the first and the own token, without the first row over nine for the previous.
        QCOMPARE(uniform(HeadColumn::First), QStringLiteral("0.2929"));
        QCOMPARE(uniform(HeadColumn::Own), QStringLiteral("0.2929"));
        QCOMPARE(uniform(HeadColumn::Previous), QStringLiteral("0.2143"));
        QCOMPARE(uniform(HeadColumn::NormalizedEntropy), QStringLiteral("1.0000"));
        QCOMPARE(uniform(HeadColumn::Next), QStringLiteral("–"));
        QCOMPARE(uniform(HeadColumn::Pattern), QStringLiteral("if uniform"));
    }

    void aHeaderClickOrdersAndThePickStays()
    {
        Document document;
        Selection selection;
        HeadTable table(document, selection);
        showIn(table, QSize(296, 300));
        auto *view = table.findChild<QTableView *>();
        document.pickHead({ 0, 0, 1, 0 });
        QHeaderView *header = view->horizontalHeader();
        const int section = static_cast<int>(HeadColumn::Entropy);
        const QPoint entropy(header->sectionViewportPosition(section) + 20, header->height() / 2);
        const auto isOrdered = [&](auto compare) {
            for (int row = 1; row < 4; ++row) {
                const auto at = [&](int place) { return view->model()->index(place, section).data(HeadTableModel::exactRole).toDouble(); };
                if (!compare(at(row - 1), at(row)))
                    return false;
            }
            return true;
        };
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, entropy);
        QVERIFY(isOrdered(std::less<>()));
        QCOMPARE(document.head().head, 1);
        QCOMPARE(view->currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("1"));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, entropy);
        QVERIFY(isOrdered(std::greater<>()));
        // One step back brings the order of the heads.
        document.undoStack()->undo();
        QCOMPARE(document.session().view.heads, HeadOrder());
    }

    void typingFilters()
    {
        Document document;
        Selection selection;
        HeadTable table(document, selection);
        showIn(table, QSize(296, 300));
        auto *view = table.findChild<QTableView *>();
        auto *field = table.findChild<QLineEdit *>();
        QCOMPARE(table.titleNote(), QStringLiteral("4 heads"));
        std::vector<double> largest;
        for (int head = 0; head < 4; ++head)
            largest.push_back(document.result()->find({ 0, 0, head, 0 })->summary.largest.mean);
        std::sort(largest.begin(), largest.end());
        QTest::keyClicks(field, QStringLiteral("largest > %1").arg((largest[1] + largest[2]) / 2.0, 0, 'f', 9));
        QCOMPARE(view->model()->rowCount(), 2);
        QCOMPARE(table.titleNote(), QStringLiteral("2 of 4 heads"));
        document.undoStack()->undo();
        QCOMPARE(view->model()->rowCount(), 4);
        QVERIFY(field->text().isEmpty());
        // What cannot be understood hides nothing and says so.
        QTest::keyClicks(field, QStringLiteral("weight > 1"));
        QCOMPARE(view->model()->rowCount(), 4);
        QVERIFY(HeadTableModel(document).list().problem.contains(QStringLiteral("“weight”")));
    }

    void smallNumbersKeepTheirSize()
    {
        HeadSummary summary;
        summary.rows = 9;
        summary.isComplete = true;
        summary.first = { 3.14e-7, 9, 0.25 };
        summary.own = { 0.5, 9, 0.25 };
        const ListedHead head{ {}, {}, &summary, {} };
        QCOMPARE(columnText(head, HeadColumn::First), QStringLiteral("3.1e−07"));
        QCOMPARE(columnText(head, HeadColumn::Own), QStringLiteral("0.5000"));
    }

    void headsWithoutTheNumberStandLast()
    {
        // The encoder has positions, the cross-attention has none.
        Document document;
        document.reset(recordedSession());
        Session next = document.session();
        next.view.heads.by = HeadColumn::First;
        next.view.heads.isDescending = true;
        document.edit(next, QStringLiteral("order heads"));
        const HeadList list = listHeads(document);
        QCOMPARE(list.heads.size(), 3U);
        QCOMPARE(list.heads[0].name, QStringLiteral("encoder 1"));
        QCOMPARE(list.heads[0].pattern.name, QStringLiteral("First token"));
        QCOMPARE(list.heads[1].name, QStringLiteral("encoder 0"));
        QCOMPARE(list.heads[1].pattern.name, QStringLiteral("Previous token"));
        QCOMPARE(columnText(list.heads[2], HeadColumn::First), QStringLiteral("–"));
        QCOMPARE(list.heads[2].ref.block, 1);
        QCOMPARE(list.counts[static_cast<std::size_t>(Pattern::First)], 1U);
        const QString csv = headTableCsv(list);
        QVERIFY(csv.startsWith(QStringLiteral("Head,Pattern,Entropy,Entropy uniform,Entropy rows,Keys,")));
        QCOMPARE(csv.count(u'\n'), 4);
        next.view.heads.only = Pattern::Previous;
        document.edit(next, QStringLiteral("show a pattern"));
        QCOMPARE(listHeads(document).heads.size(), 1U);
    }

    void aHeadThatSeesNothingHasNoNumbers()
    {
        Document document;
        Session next = document.session();
        next.mechanism.mask.paddedKeys = 10;
        document.edit(next, QStringLiteral("mask all"));
        const HeadTableModel model(document);
        for (int section = 1; section < model.columnCount(); ++section)
            QCOMPARE(model.index(0, section).data().toString(), QStringLiteral("–"));
    }

    void longNumbersKeepTheirFirstDigits_data()
    {
        QTest::addColumn<int>("keys");
        QTest::addColumn<QString>("shown");
        QTest::newRow("2") << 2 << QStringLiteral("2.0000");
        QTest::newRow("20") << 20 << QStringLiteral("20.000");
        QTest::newRow("200") << 200 << QStringLiteral("200.00");
        QTest::newRow("2000") << 2000 << QStringLiteral("2000.0");
    }

    void longNumbersKeepTheirFirstDigits()
    {
        QFETCH(int, keys);
        // Equal scores: every key counts.
        Session session = workedExample();
        MatricesSource source;
        source.heads = { { SharedMatrix(Matrix::Zero(1, 1)), SharedMatrix(Matrix::Zero(keys, 1)), {} } };
        session.source = source;
        Document document;
        document.reset(session);
        const HeadTableModel model(document);
        QTEST(model.index(0, static_cast<int>(HeadColumn::EffectiveKeys)).data().toString(), "shown");
    }

    void noColumnCutsItsNumbersOff_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("narrow") << 232;
        QTest::newRow("wide") << 1200;
    }

    void noColumnCutsItsNumbersOff()
    {
        QFETCH(int, width);
        Document document;
        Selection selection;
        HeadTable table(document, selection);
        showIn(table, QSize(width, 300));
        const auto *view = table.findChild<QTableView *>();
        QFont bold = view->font();
        bold.setBold(true);
        int used = 0;
        for (int section = 0; section < view->model()->columnCount(); ++section) {
            const QString title = view->model()->headerData(section, Qt::Horizontal).toString();
            const QString number = view->model()->index(0, section).data().toString();
            const int text = std::max(view->fontMetrics().horizontalAdvance(title), QFontMetrics(bold).horizontalAdvance(number));
            QVERIFY(view->columnWidth(section) >= text + 16);
            used += view->columnWidth(section);
        }
        // A narrow table scrolls, a wide one is filled.
        QCOMPARE(view->horizontalScrollBar()->maximum() > 0, width < 600);
        QVERIFY(width < 600 || used > width - 16);
    }

    void rowsComeBeforeTheCaption()
    {
        Document document;
        Selection selection;
        HeadTable table(document, selection);
        showIn(table, { 296, 400 });
        const auto *view = table.findChild<QTableView *>();
        const QList<QLabel *> labels = table.findChildren<QLabel *>();
        const auto caption
            = std::find_if(labels.begin(), labels.end(), [](const QLabel *label) { return label->text().startsWith("Means over rows"); });
        QVERIFY(caption != labels.end());
        QVERIFY((*caption)->isVisible());
        table.resize(296, 150);
        QVERIFY(!(*caption)->isVisible());
        QTRY_VERIFY(view->rowViewportPosition(0) + view->rowHeight(0) <= view->viewport()->height());
        table.resize(296, 400);
        QVERIFY((*caption)->isVisible());
    }

    void aRowPicksAndCopies()
    {
        Document document;
        Selection selection;
        HeadTable table(document, selection);
        showIn(table, QSize(296, 300));
        auto *view = table.findChild<QTableView *>();
        const auto at = [view](int row) { return view->visualRect(view->model()->index(row, 1)).center(); };
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at(0));
        QCOMPARE(document.head().head, 0);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ShiftModifier, at(1));
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
        QString expected
            = QStringLiteral("Head\tPattern\tEntropy\tKeys\tH/ln\tDistance\tPrevious\tFirst\tOwn\tInduction\tNext\tSeparator\tLargest\n");
        for (int head = 0; head < 2; ++head) {
            const HeadSummary &summary = document.result()->find({ 0, 0, head, 0 })->summary;
            expected += QString::number(head) + QStringLiteral("\t–");
            for (const HeadColumn column : allHeadColumns) {
                if (columnMean(column) == nullptr)
                    continue;
                const RowMean &mean = summary.*columnMean(column);
                expected += u'\t' + (mean.rows > 0 ? QString::fromStdString(exactNumber(mean.mean)) : QString());
            }
            expected += u'\n';
        }
        QCOMPARE(QApplication::clipboard()->text(), expected);
    }

    void boundsOfPatternsCanBeChanged()
    {
        Document document;
        document.reset(recordedSession());
        QSignalSpy changes(&document, &Document::summariesChanged);
        PatternRules rules;
        rules.share = 0.95;
        document.setPatternRules(rules);
        QCOMPARE(changes.count(), 1);
        QVERIFY(headPattern(document, { 0, 0, 0, 0 }).name != QStringLiteral("Previous token"));
        document.setPatternRules({});
        QCOMPARE(headPattern(document, { 0, 0, 0, 0 }).name, QStringLiteral("Previous token"));
        QCOMPARE(headPattern(document, { 0, 0, 0, 0 }).rule, QStringLiteral("previous 0.92 ≥ 0.5 and ≥ 2 × 0.25 of uniform, 7 rows"));
    }

    void theTableFollowsThePick()
    {
        Document document;
        Selection selection;
        HeadTable table(document, selection);
        auto *view = table.findChild<QTableView *>();
        document.pickHead({ 0, 0, 0, 0 });
        QCOMPARE(view->currentIndex().row(), 0);
        document.pickHead({ 0, 0, 3, 0 });
        QCOMPARE(view->currentIndex().row(), 3);
        QVERIFY(view->selectionModel()->isRowSelected(3, {}));
        QVERIFY(!view->selectionModel()->isRowSelected(0, {}));
    }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    // Hidden columns are the user's.
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("attenscope-tests"));
    QApplication::setFont(pictureFont());
    QApplication::setPalette(Theme::light().palette());
    TestHeadTable test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_head_table.moc"
