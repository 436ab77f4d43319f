// SPDX-License-Identifier: GPL-3.0-or-later
// Typed matrices: what fits, what does not and how it is said and mended.
#include "session/session.h"

#include <QTest>

using namespace attenscope;
using Tokens = std::vector<std::string>;

namespace {

SharedMatrix ones(Index rows, Index cols)
{
    return SharedMatrix(Matrix::Ones(rows, cols));
}

MatricesSource projected(const SharedMatrix &q, const SharedMatrix &k, const SharedMatrix &v, int heads = 1)
{
    MatricesSource source;
    source.heads.assign(static_cast<std::size_t>(heads), { q, k, v });
    return source;
}

/// 2 rows of X, 4 wide; 4 x 4 projections.
MatricesSource embedded()
{
    MatricesSource source;
    source.form = MatrixForm::Embedded;
    source.x = ones(2, 4);
    source.projections.wq = source.projections.wk = source.projections.wv = source.projections.wo = ones(4, 4);
    return source;
}

struct Case {
    MatricesSource source;
    AttentionSpec spec;
    SpecPart table = SpecPart::Q;
    QString sentence;
    QStringList fixes;
};

} // namespace
Q_DECLARE_METATYPE(Case)

class TestMatrices : public QObject {
    Q_OBJECT

private slots:
    void whatFitsHasNoProblem()
    {
        QVERIFY(checkMatrices(std::get<MatricesSource>(workedExample().source), {}).empty());
        QVERIFY(checkMatrices(projected(ones(2, 4), ones(5, 4), {}, 3), {}).empty());
        AttentionSpec spec;
        spec.heads = 2;
        QVERIFY(checkMatrices(embedded(), spec).empty());
        MatricesSource cross = embedded();
        cross.y = ones(5, 3);
        cross.projections.wk = cross.projections.wv = ones(3, 4);
        QVERIFY(checkMatrices(cross, spec).empty());
        // One key/value head of width 2 serves both query heads.
        MatricesSource multiQuery = embedded();
        multiQuery.projections.wk = multiQuery.projections.wv = ones(4, 2);
        QVERIFY(checkMatrices(multiQuery, spec).empty());
        AttentionSpec additive;
        additive.score = ScoreFunction::Additive;
        QVERIFY(checkMatrices(projected(ones(2, 4), ones(5, 3), ones(5, 1)), additive).empty());
    }

    void whatDoesNotFitIsSaidAtItsTable_data()
    {
        QTest::addColumn<Case>("data");
        const auto row = [](const char *name, const MatricesSource &source, SpecPart table, const char *sentence, const QStringList &fixes,
                             int heads = 1, int kvHeads = 0) {
            AttentionSpec spec;
            spec.heads = heads;
            spec.kvHeads = kvHeads;
            QTest::newRow(name) << Case{ source, spec, table, QString::fromUtf8(sentence), fixes };
        };
        const SharedMatrix three = ones(3, 4);
        row("K narrower", projected(three, ones(3, 3), ones(3, 2)), SpecPart::K,
            "K has 3 columns, Q has 4. They must be equal, because q · k pairs their numbers.",
            { "Add a column of zeros to K", "Remove column 3 of Q" });
        row("K wider by 2", projected(three, ones(3, 6), ones(3, 2)), SpecPart::K,
            "K has 6 columns, Q has 4. They must be equal, because q · k pairs their numbers.",
            { "Remove columns 4 and 5 of K", "Add 2 columns of zeros to Q" });
        row("K with one column", projected(three, ones(3, 1), ones(3, 2)), SpecPart::K,
            "K has 1 column, Q has 4. They must be equal, because q · k pairs their numbers.",
            { "Add 3 columns of zeros to K", "Remove columns 1 to 3 of Q" });
        row("V shorter", projected(three, ones(4, 4), ones(3, 2)), SpecPart::V,
            "V has 3 rows, K has 4. They must be equal, because each key has one value.",
            { "Add a row of zeros to V", "Remove row 3 of K" });
        row("Q empty", projected(SharedMatrix(), three, ones(3, 2)), SpecPart::Q, "Q has no rows.", { "Fill Q with 3 × 4 zeros" });
        row("Q without columns", projected(SharedMatrix(Matrix(3, 0)), three, ones(3, 2)), SpecPart::Q, "Q has no columns.",
            { "Fill Q with 3 × 4 zeros" });
        row("V without columns", projected(three, three, SharedMatrix(Matrix(3, 0))), SpecPart::V, "V has no columns.", {});
        row("Q and K empty", projected({}, {}, {}), SpecPart::Q, "Q has no rows.", {});
        row("no head", MatricesSource{}, SpecPart::Q, "There is no head.", {});

        MatricesSource heads = projected(three, three, ones(3, 2), 2);
        heads.heads[1].q = ones(4, 4);
        row("heads of other lengths", heads, SpecPart::Q, "Q of head 1 is 4 × 4, of head 0 3 × 4. They must be equal.",
            { "Remove row 3 of Q of head 1", "Resize Q of every head to 4 × 4" });
        heads = projected(three, three, ones(3, 2), 2);
        heads.heads[1].k = ones(2, 5);
        row("heads of other shapes", heads, SpecPart::K, "K of head 1 is 2 × 5, of head 0 3 × 4. They must be equal.",
            { "Resize K of head 1 to 3 × 4", "Resize K of every head to 2 × 5" });
        heads = projected(three, three, ones(3, 2), 2);
        heads.heads[1].v = {};
        row("a head without V", heads, SpecPart::V, "Head 1 has no V, head 0 has one. All heads have one or none.",
            { "Fill V of head 1 with zeros", "Remove V of every head" });
        heads.heads[1].v = ones(3, 2);
        heads.heads[0].v = {};
        row("head 0 without V", heads, SpecPart::V, "Head 0 has no V, head 1 has one. All heads have one or none.",
            { "Remove V of head 1", "Resize V of every head to 3 × 2" });

        MatricesSource matrices = embedded();
        matrices.x = {};
        row("X empty", matrices, SpecPart::X, "X has no rows.", { "Fill X with 1 × 4 zeros" });
        matrices = embedded();
        matrices.x = ones(2, 5);
        row("X wider", matrices, SpecPart::Wq, "W_q has 4 rows, X has 5 columns. They must be equal, because Q = X W_q.",
            { "Add a row of zeros to W_q", "Remove column 4 of X" });
        matrices = embedded();
        matrices.y = ones(3, 3);
        row("Y narrower", matrices, SpecPart::Wk, "W_k has 4 rows, Y has 3 columns. They must be equal, because K = Y W_k.",
            { "Remove row 3 of W_k", "Add a column of zeros to Y" });
        matrices = embedded();
        matrices.projections.wv = ones(5, 4);
        row("W_v longer", matrices, SpecPart::Wv, "W_v has 5 rows, X has 4 columns. They must be equal, because V = X W_v.",
            { "Remove row 4 of W_v", "Add a column of zeros to X" });
        matrices = embedded();
        matrices.projections.wk = {};
        row("W_k missing", matrices, SpecPart::Wk, "W_k has no rows.", { "Fill W_k with 4 × 4 zeros" });
        row("heads that do not divide", embedded(), SpecPart::Wq, "W_q has 4 columns, which 3 heads cannot share equally.",
            { "Add 2 columns of zeros to W_q", "Remove column 3 of W_q" }, 3);
        matrices = embedded();
        matrices.projections.wk = ones(4, 3);
        row("K heads of another width", matrices, SpecPart::Wk,
            "W_k has 3 columns; a head of Q has 2 numbers, and q · k pairs the numbers of equal heads.",
            { "Add a column of zeros to W_k", "Remove column 2 of W_k" }, 2);
        matrices.projections.wk = matrices.projections.wv = ones(4, 3);
        row("K heads that do not serve", matrices, SpecPart::Wk,
            "W_k has columns for 3 heads of 1 number, which do not serve 4 query heads equally.",
            { "Remove column 2 of W_k", "Add a column of zeros to W_k" }, 4);
        matrices = embedded();
        matrices.projections.wv = ones(4, 3);
        row("V heads that do not divide", matrices, SpecPart::Wv, "W_v has 3 columns, which 2 key/value heads cannot share equally.",
            { "Add a column of zeros to W_v", "Remove column 2 of W_v" }, 2);
        matrices = embedded();
        matrices.projections.wo = ones(5, 2);
        row("W_o longer", matrices, SpecPart::Wo, "W_o has 5 rows, the heads side by side have 4 columns. They must be equal.",
            { "Remove row 4 of W_o" }, 2);
        matrices = embedded();
        matrices.projections.wv = {};
        row("W_o without W_v", matrices, SpecPart::Wo, "W_o has no values to project, because there is no W_v.", { "Remove W_o" });
        matrices = embedded();
        matrices.projections.bq = ones(1, 3);
        row("bias shorter", matrices, SpecPart::Biases,
            "b_q has 3 columns, W_q has 4. They must be equal, because one number is added to each column.",
            { "Add a column of zeros to b_q", "Remove b_q" });
        matrices = embedded();
        matrices.projections.bo = ones(2, 4);
        row("bias of two rows", matrices, SpecPart::Biases, "b_o has 2 rows. A bias has one.", { "Remove row 1 of b_o", "Remove b_o" });
        matrices = embedded();
        matrices.projections.wo = {};
        matrices.projections.bo = ones(1, 4);
        row("bias of nothing", matrices, SpecPart::Biases, "b_o has nothing to be added to, because there is no W_o.", { "Remove b_o" });
    }
    void whatDoesNotFitIsSaidAtItsTable()
    {
        QFETCH(Case, data);
        const std::vector<MatrixProblem> problems = checkMatrices(data.source, data.spec);
        QVERIFY(!problems.empty());
        QCOMPARE(QString::fromStdString(problems.front().sentence), data.sentence);
        QCOMPARE(static_cast<int>(problems.front().table), static_cast<int>(data.table));
        QStringList labels;
        for (const MatrixFix &fix : problems.front().fixes) {
            labels.append(QString::fromStdString(fix.label));
            // A fix mends what it is offered for.
            for (const MatrixProblem &left : checkMatrices(fix.fixed, data.spec))
                QVERIFY2(left.sentence != problems.front().sentence, fix.label.c_str());
        }
        QCOMPARE(labels, data.fixes);
    }

    void aFixAddsZerosAndKeepsTheRest()
    {
        const auto problems = checkMatrices(projected(ones(3, 4), ones(3, 3), ones(3, 2), 2), {});
        QCOMPARE(problems.size(), std::size_t(1));
        const MatricesSource &wider = problems.front().fixes.at(0).fixed;
        for (const HeadMatrices &head : wider.heads) {
            QCOMPARE(head.k.cols(), Index(4));
            QCOMPARE(head.k.at(2, 2), 1.0);
            QCOMPARE(head.k.at(2, 3), 0.0);
        }
        const MatricesSource &narrower = problems.front().fixes.at(1).fixed;
        QVERIFY(narrower.heads[1].q == ones(3, 3));
    }

    void allTablesThatDoNotFitAreReported()
    {
        const auto problems = checkMatrices(projected(ones(3, 4), ones(3, 3), ones(4, 2)), {});
        QCOMPARE(problems.size(), std::size_t(2));
        QCOMPARE(problems[0].table, SpecPart::K);
        QCOMPARE(problems[1].table, SpecPart::V);
    }

    void headsBecomeOneBlock()
    {
        MatricesSource source = projected(ones(2, 4), ones(3, 4), ones(3, 1), 2);
        source.heads[1].q = source.heads[1].q.withCell(0, 0, 7.0);
        source.queryTokens = { "a", "b", "surplus" };
        source.keyTokens = { "x", "" };
        const auto input = buildInput(source);
        QVERIFY(input.ok());
        const AttentionBlock &block = input->blocks.at(0);
        const auto &data = std::get<ProjectedData>(block.data);
        QCOMPARE(block.heads, 2);
        QCOMPARE(block.kvHeads, 2);
        QCOMPARE(block.queries, Index(2));
        QCOMPARE(block.keys, Index(3));
        QCOMPARE(data.q.at(1).at(0, 0), 7.0);
        QCOMPARE(data.v.size(), std::size_t(2));
        QCOMPARE(block.queryTokens, (Tokens{ "a", "b" }));
        QCOMPARE(block.keyTokens, (Tokens{ "x", "1", "2" }));
        QVERIFY(!block.isUntrained);
    }

    void keysShareTheNamesOfAsManyQueries()
    {
        MatricesSource source = projected(ones(2, 4), ones(2, 4), {});
        source.queryTokens = { "a" };
        AttentionBlock block = buildInput(source)->blocks.at(0);
        QCOMPARE(block.keyTokens, (Tokens{ "a", "1" }));
        QVERIFY(std::get<ProjectedData>(block.data).v.empty());
        source.heads[0].k = ones(3, 4);
        block = buildInput(source)->blocks.at(0);
        QCOMPARE(block.keyTokens, (Tokens{ "0", "1", "2" }));
    }

    void embeddedMatricesBecomeEmbeddedData()
    {
        MatricesSource source = embedded();
        AttentionBlock block = buildInput(source)->blocks.at(0);
        QCOMPARE(block.heads, 0);
        QCOMPARE(block.keys, Index(2));
        QVERIFY(std::get<EmbeddedData>(block.data).y.empty());
        source.y = ones(5, 4);
        block = buildInput(source)->blocks.at(0);
        QCOMPARE(block.keys, Index(5));
        QCOMPARE(std::get<EmbeddedData>(block.data).y.size(), std::size_t(1));
        QVERIFY(std::get<EmbeddedData>(block.data).layers.at(0) == source.projections);
    }

    void shapesThatNoMechanismTakesAreRefused()
    {
        const auto input = buildInput(projected(ones(2, 4), ones(3, 4), ones(2, 1)));
        QVERIFY(!input.ok());
        QCOMPARE(QString::fromStdString(input.error().sentence()),
            QString("V has 2 rows, K has 3. They must be equal, because each key has one value. Add a row of zeros to V."));
        // Additive scores take them, so this is for check() to say.
        QVERIFY(buildInput(projected(ones(2, 4), ones(3, 3), {})).ok());
    }

    void theWorkedExampleIsThePublishedOne()
    {
        const Session session = workedExample();
        const auto input = buildInput(session.source);
        QVERIFY(input.ok());
        const AttentionBlock &block = input->blocks.front();
        const auto &data = std::get<ProjectedData>(block.data);
        QCOMPARE(block.queryTokens, (Tokens{ "the", "cat", "sat" }));
        QVERIFY(data.q == data.k);
        QCOMPARE(data.q.at(0).at(2, 1), 1.0);
        QCOMPARE(data.v.at(0).at(1, 0), 3.0);
        QCOMPARE(session.mechanism.mask.rule, MaskRule::None);
    }
};

QTEST_APPLESS_MAIN(TestMatrices)
#include "tst_matrices.moc"
