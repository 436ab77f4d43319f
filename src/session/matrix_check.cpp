// SPDX-License-Identifier: GPL-3.0-or-later
// What does not fit between typed matrices, in words, with the changes that make it fit.
#include "attention/input.h"
#include "core/text.h"
#include "session/input_builders.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace attenscope {

namespace {

/// One of the matrices of a source; @p access finds it in the head (or, for embedded sources, in any head).
struct Table {
    SpecPart part = SpecPart::Q;
    std::string name;
    std::function<SharedMatrix &(MatricesSource &, std::size_t)> access;
};

enum class Side { Rows, Columns };

std::string counted(Index count, std::string_view what)
{
    return groupedCount(count).append(" ").append(what).append(count == 1 ? "" : "s");
}

std::string counted(Index count, Side side)
{
    return counted(count, side == Side::Rows ? "row" : "column");
}

SharedMatrix resized(const SharedMatrix &matrix, Index rows, Index cols)
{
    Matrix result = Matrix::Zero(rows, cols);
    const Index keptCols = std::min(cols, matrix.cols());
    const Index keptRows = keptCols > 0 ? std::min(rows, matrix.rows()) : 0;
    for (Index row = 0; row < keptRows; ++row)
        matrix.readRow(row, 0, std::span(result.data() + row * cols, static_cast<std::size_t>(keptCols)));
    return SharedMatrix(result);
}

std::string resizeLabel(const std::string &name, Side side, Index now, Index count)
{
    const std::string noun = side == Side::Rows ? "row" : "column";
    if (count == now + 1)
        return "Add a " + noun + " of zeros to " + name;
    if (count > now)
        return "Add " + groupedCount(count - now) + " " + noun + "s of zeros to " + name;
    if (count == now - 1)
        return "Remove " + noun + " " + std::to_string(count) + " of " + name;
    const std::string between = count == now - 2 ? " and " : " to ";
    return "Remove " + noun + "s " + std::to_string(count) + between + std::to_string(now - 1) + " of " + name;
}

class Checker {
public:
    Checker(const MatricesSource &source, const AttentionSpec *spec)
        : m_source(source)
        , m_spec(spec)
    {
    }

    std::vector<MatrixProblem> check()
    {
        if (m_source.form == MatrixForm::Projected)
            checkProjected();
        else
            checkEmbedded();
        return std::move(m_problems);
    }

private:
    [[nodiscard]] const SharedMatrix &at(const Table &table, std::size_t head = 0) const
    {
        // The access functions serve changes too; this one only reads.
        return table.access(const_cast<MatricesSource &>(m_source), head); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }

    [[nodiscard]] Index sizeOf(const Table &table, Side side) const { return side == Side::Rows ? at(table).rows() : at(table).cols(); }

    MatrixProblem &report(const Table &table, std::string sentence, int head = 0)
    {
        return m_problems.emplace_back(MatrixProblem{ table.part, head, std::move(sentence), {} });
    }

    /// The source with @p change made to the table in every head that has the shape of head 0.
    [[nodiscard]] MatricesSource changed(const Table &table, const std::function<SharedMatrix(const SharedMatrix &)> &change) const
    {
        MatricesSource fixed = m_source;
        const Index rows = at(table).rows();
        const Index cols = at(table).cols();
        const std::size_t heads = m_source.form == MatrixForm::Projected ? m_source.heads.size() : 1;
        for (std::size_t head = 0; head < heads; ++head) {
            SharedMatrix &matrix = table.access(fixed, head);
            if (matrix.rows() == rows && matrix.cols() == cols)
                matrix = change(matrix);
        }
        return fixed;
    }

    void offerResize(MatrixProblem &problem, const Table &table, Side side, Index count) const
    {
        const Index now = sizeOf(table, side);
        if (count < 1 || count == now)
            return;
        problem.fixes.push_back({ resizeLabel(table.name, side, now, count), changed(table, [&](const SharedMatrix &matrix) {
                                     return side == Side::Rows ? resized(matrix, count, matrix.cols())
                                                               : resized(matrix, matrix.rows(), count);
                                 }) });
    }

    /// Whether the table has numbers; reports it where not, with zeros of the given shape as the fix.
    bool isThere(const Table &table, Index rows, Index cols)
    {
        const SharedMatrix &matrix = at(table);
        if (matrix.rows() > 0 && matrix.cols() > 0)
            return true;
        MatrixProblem &problem = report(table, table.name + (matrix.rows() == 0 ? " has no rows." : " has no columns."));
        if (rows > 0 && cols > 0) {
            const std::vector<Index> shape{ rows, cols };
            problem.fixes.push_back({ "Fill " + table.name + " with " + shapeText(shape) + " zeros",
                changed(table, [&](const SharedMatrix &) { return SharedMatrix(Matrix::Zero(rows, cols)); }) });
        }
        return false;
    }

    /// Two sizes that must be equal; reported at @p table, whose fix comes first.
    void expectEqual(const Table &table, Side side, const Table &other, Side otherSide, const std::string &reason)
    {
        const Index count = sizeOf(table, side);
        const Index otherCount = sizeOf(other, otherSide);
        if (count == otherCount)
            return;
        const std::string otherText = side == otherSide ? groupedCount(otherCount) : counted(otherCount, otherSide);
        MatrixProblem &problem
            = report(table, table.name + " has " + counted(count, side) + ", " + other.name + " has " + otherText + ". " + reason);
        offerResize(problem, table, side, otherCount);
        offerResize(problem, other, otherSide, count);
    }

    [[nodiscard]] bool pairsNumbers() const
    {
        return m_spec
            && (m_spec->score == ScoreFunction::ScaledDot || m_spec->score == ScoreFunction::Dot || m_spec->score == ScoreFunction::Linear);
    }

    void checkProjected();
    void checkHeadShapes(const Table &table);
    void checkEmbedded();
    void checkHeads();
    void checkBias(const Table &bias, const Table &weight);

    const MatricesSource &m_source;
    const AttentionSpec *m_spec;
    std::vector<MatrixProblem> m_problems;
};

const std::string pairsReason = "They must be equal, because q · k pairs their numbers.";

template <auto member>
Table headTable(SpecPart part, const char *name)
{
    return { part, name, [](MatricesSource &source, std::size_t head) -> SharedMatrix & { return source.heads[head].*member; } };
}

template <auto member>
Table inputTable(SpecPart part, const char *name)
{
    return { part, name, [](MatricesSource &source, std::size_t) -> SharedMatrix & { return source.*member; } };
}

template <auto member>
Table projectionTable(SpecPart part, const char *name)
{
    return { part, name, [](MatricesSource &source, std::size_t) -> SharedMatrix & { return source.projections.*member; } };
}

void Checker::checkProjected()
{
    const Table q = headTable<&HeadMatrices::q>(SpecPart::Q, "Q");
    const Table k = headTable<&HeadMatrices::k>(SpecPart::K, "K");
    const Table v = headTable<&HeadMatrices::v>(SpecPart::V, "V");
    if (m_source.heads.empty()) {
        report(q, "There is no head.");
        return;
    }
    const bool hasQ = isThere(q, at(k).rows(), at(k).cols());
    const bool hasK = isThere(k, at(q).rows(), at(q).cols());
    if (hasQ && hasK && pairsNumbers())
        expectEqual(k, Side::Columns, q, Side::Columns, pairsReason);
    if (!at(v).isEmpty() && hasK && isThere(v, at(k).rows(), at(v).cols()))
        expectEqual(v, Side::Rows, k, Side::Rows, "They must be equal, because each key has one value.");
    checkHeadShapes(q);
    checkHeadShapes(k);
    checkHeadShapes(v);
}

void Checker::checkHeadShapes(const Table &table)
{
    const SharedMatrix &first = at(table);
    const std::vector<Index> wanted{ first.rows(), first.cols() };
    for (std::size_t head = 1; head < m_source.heads.size(); ++head) {
        const SharedMatrix &matrix = at(table, head);
        const std::vector<Index> shape{ matrix.rows(), matrix.cols() };
        if (shape == wanted)
            continue;
        const std::string name = table.name + " of head " + std::to_string(head);
        const bool isMissing = matrix.isEmpty() || first.isEmpty();
        std::string sentence;
        if (isMissing)
            sentence = "Head " + std::to_string(first.isEmpty() ? 0 : head) + " has no " + table.name + ", head "
                + std::to_string(first.isEmpty() ? head : 0) + " has one. All heads have one or none.";
        else
            sentence = name + " is " + shapeText(shape) + ", of head 0 " + shapeText(wanted) + ". They must be equal.";
        MatrixProblem &problem = report(table, std::move(sentence), static_cast<int>(head));

        MatricesSource fixed = m_source;
        table.access(fixed, head) = first.isEmpty() ? SharedMatrix() : resized(matrix, wanted[0], wanted[1]);
        std::string label = "Resize " + name + " to " + shapeText(wanted);
        if (first.isEmpty())
            label = "Remove " + name;
        else if (matrix.isEmpty())
            label = "Fill " + name + " with zeros";
        else if (shape[0] == wanted[0])
            label = resizeLabel(name, Side::Columns, shape[1], wanted[1]);
        else if (shape[1] == wanted[1])
            label = resizeLabel(name, Side::Rows, shape[0], wanted[0]);
        problem.fixes.push_back({ std::move(label), std::move(fixed) });

        fixed = m_source;
        for (std::size_t other = 0; other < fixed.heads.size(); ++other) {
            SharedMatrix &changing = table.access(fixed, other);
            changing = matrix.isEmpty() ? SharedMatrix() : resized(changing, shape[0], shape[1]);
        }
        label = matrix.isEmpty() ? "Remove " + table.name + " of every head"
                                 : "Resize " + table.name + " of every head to " + shapeText(shape);
        problem.fixes.push_back({ std::move(label), std::move(fixed) });
    }
}

void Checker::checkEmbedded()
{
    const Table x = inputTable<&MatricesSource::x>(SpecPart::X, "X");
    const Table y = inputTable<&MatricesSource::y>(SpecPart::Y, "Y");
    const Table wq = projectionTable<&Projections::wq>(SpecPart::Wq, "W_q");
    const Table wk = projectionTable<&Projections::wk>(SpecPart::Wk, "W_k");
    const Table wv = projectionTable<&Projections::wv>(SpecPart::Wv, "W_v");
    const Table wo = projectionTable<&Projections::wo>(SpecPart::Wo, "W_o");
    if (!isThere(x, 1, at(wq).rows()) || (!at(y).isEmpty() && !isThere(y, at(x).rows(), at(x).cols())))
        return;
    const Table &keySide = at(y).isEmpty() ? x : y;

    const bool hasWq = isThere(wq, at(x).cols(), at(wk).cols());
    const bool hasWk = isThere(wk, at(keySide).cols(), at(wq).cols());
    const bool hasWv = !at(wv).isEmpty() && isThere(wv, at(keySide).cols(), at(wk).cols());
    const auto product = [](const char *what, const Table &side, const Table &weight) {
        return std::string("They must be equal, because ").append(what).append(" = ") + side.name + " " + weight.name + ".";
    };
    if (hasWq)
        expectEqual(wq, Side::Rows, x, Side::Columns, product("Q", x, wq));
    if (hasWk)
        expectEqual(wk, Side::Rows, keySide, Side::Columns, product("K", keySide, wk));
    if (hasWv)
        expectEqual(wv, Side::Rows, keySide, Side::Columns, product("V", keySide, wv));
    if (!at(wo).isEmpty() && at(wv).isEmpty()) {
        MatrixProblem &problem = report(wo, "W_o has no values to project, because there is no W_v.");
        problem.fixes.push_back({ "Remove W_o", changed(wo, [](const SharedMatrix &) { return SharedMatrix(); }) });
    }
    if (hasWq && hasWk && (hasWv || at(wv).isEmpty()) && m_spec)
        checkHeads();

    checkBias(projectionTable<&Projections::bq>(SpecPart::Biases, "b_q"), wq);
    checkBias(projectionTable<&Projections::bk>(SpecPart::Biases, "b_k"), wk);
    checkBias(projectionTable<&Projections::bv>(SpecPart::Biases, "b_v"), wv);
    checkBias(projectionTable<&Projections::bo>(SpecPart::Biases, "b_o"), wo);
}

/// The nearest multiple of @p step above @p count, and the one below, as fixes.
std::pair<Index, Index> multiplesAround(Index count, Index step)
{
    const Index below = count / step * step;
    return { below + step, below };
}

void Checker::checkHeads()
{
    const Table wq = projectionTable<&Projections::wq>(SpecPart::Wq, "W_q");
    const Table wk = projectionTable<&Projections::wk>(SpecPart::Wk, "W_k");
    const Table wv = projectionTable<&Projections::wv>(SpecPart::Wv, "W_v");
    const Table wo = projectionTable<&Projections::wo>(SpecPart::Wo, "W_o");
    const Index heads = m_spec->heads;
    if (heads < 1)
        return;
    const auto expectMultiple = [&](const Table &table, Index step, const std::string &sentence) {
        if (at(table).cols() % step == 0)
            return true;
        MatrixProblem &problem = report(table, table.name + " has " + counted(at(table).cols(), Side::Columns) + sentence);
        const auto [above, below] = multiplesAround(at(table).cols(), step);
        offerResize(problem, table, Side::Columns, above);
        offerResize(problem, table, Side::Columns, below);
        return false;
    };

    if (!expectMultiple(wq, heads, ", which " + groupedCount(heads) + " heads cannot share equally."))
        return;
    const Index headSize = at(wq).cols() / heads;
    AttentionBlock block;
    block.data = EmbeddedData{ {}, {}, { m_source.projections }, {} };
    Index keyHeads = dataKvHeadCount(block, *m_spec);
    if (pairsNumbers()) {
        const std::string width = counted(headSize, "number");
        if (!expectMultiple(wk, headSize, "; a head of Q has " + width + ", and q · k pairs the numbers of equal heads."))
            return;
        keyHeads = at(wk).cols() / headSize;
        if (keyHeads > heads || heads % keyHeads != 0) {
            MatrixProblem &problem = report(wk,
                "W_k has columns for " + counted(keyHeads, "head") + " of " + width + ", which do not serve " + counted(heads, "query head")
                    + " equally.");
            Index fewer = std::min(keyHeads, heads);
            while (heads % fewer != 0)
                --fewer;
            offerResize(problem, wk, Side::Columns, fewer * headSize);
            if (keyHeads < heads)
                offerResize(problem, wk, Side::Columns, heads * headSize);
            return;
        }
    } else if (!expectMultiple(wk, keyHeads, ", which " + groupedCount(keyHeads) + " key/value heads cannot share equally.")) {
        return;
    }

    if (at(wv).isEmpty() || !expectMultiple(wv, keyHeads, ", which " + groupedCount(keyHeads) + " key/value heads cannot share equally."))
        return;
    const Index concat = heads * (at(wv).cols() / keyHeads);
    if (at(wo).isEmpty() || at(wo).rows() == concat)
        return;
    MatrixProblem &problem = report(wo,
        "W_o has " + counted(at(wo).rows(), Side::Rows) + ", the heads side by side have " + counted(concat, Side::Columns)
            + ". They must be equal.");
    offerResize(problem, wo, Side::Rows, concat);
}

void Checker::checkBias(const Table &bias, const Table &weight)
{
    if (at(bias).isEmpty())
        return;
    const auto remove = [&](MatrixProblem &problem) {
        problem.fixes.push_back({ "Remove " + bias.name, changed(bias, [](const SharedMatrix &) { return SharedMatrix(); }) });
    };
    if (at(weight).isEmpty()) {
        remove(report(bias, bias.name + " has nothing to be added to, because there is no " + weight.name + "."));
    } else if (at(bias).rows() != 1) {
        MatrixProblem &problem = report(bias, bias.name + " has " + counted(at(bias).rows(), Side::Rows) + ". A bias has one.");
        if (at(bias).rows() > 0 && at(bias).cols() > 0)
            offerResize(problem, bias, Side::Rows, 1);
        remove(problem);
    } else if (at(bias).cols() != at(weight).cols()) {
        const std::string reason = "They must be equal, because one number is added to each column.";
        MatrixProblem &problem = report(bias,
            bias.name + " has " + counted(at(bias).cols(), Side::Columns) + ", " + weight.name + " has " + groupedCount(at(weight).cols())
                + ". " + reason);
        offerResize(problem, bias, Side::Columns, at(weight).cols());
        remove(problem);
    }
}

} // namespace

std::vector<MatrixProblem> matrixProblems(const MatricesSource &source, const AttentionSpec *spec)
{
    return Checker(source, spec).check();
}

} // namespace attenscope
