// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of the steps whose results are vectors: embeddings, projections, rotations, both sides of the score, heads joined.
#include "views/readout_text.h"
#include "views/steps/steps_parts.h"

#include <QCoreApplication>

namespace attenscope::steps {

namespace {

QString tr(const char *words)
{
    return QCoreApplication::translate("Steps", words);
}

class VectorPageMaker : public GridMaker {
public:
    using GridMaker::GridMaker;

    StepPage make()
    {
        switch (position.step) {
        case WalkStep::Embedding:
            embedding();
            break;
        case WalkStep::KeyEmbedding:
            keyEmbedding();
            break;
        case WalkStep::Query:
            projectRow(walk.query, QStringLiteral("X"), QStringLiteral("W_q"), QStringLiteral("q"), queryBefore());
            break;
        case WalkStep::Key:
            projectKeys(walk.key, QStringLiteral("W_k"), QStringLiteral("K"), keyBefore(), StepAxis::Dimensions);
            break;
        case WalkStep::Value:
            projectKeys(walk.value, QStringLiteral("W_v"), QStringLiteral("V"), walk.operands->v, StepAxis::Values);
            break;
        case WalkStep::RotatedQuery:
            rotation(walk.plainQ, walk.operands->q, walk.row, content.spec().rope->queryOffset + walk.row, QStringLiteral("q"));
            break;
        case WalkStep::RotatedKey:
            rotation(walk.plainK, walk.operands->k, position.key, content.spec().rope->keyOffset + position.key, QStringLiteral("k"));
            break;
        case WalkStep::PreparedQuery:
            prepared(true);
            break;
        case WalkStep::PreparedKey:
            prepared(false);
            break;
        case WalkStep::Units:
            units();
            break;
        case WalkStep::Concatenation:
            concatenation();
            break;
        case WalkStep::OutputProjection:
            outputProjection();
            break;
        default:
            break;
        }
        return std::move(page);
    }

private:
    [[nodiscard]] const SharedMatrix &queryBefore() const { return walk.plainQ.isEmpty() ? walk.operands->q : walk.plainQ; }
    [[nodiscard]] const SharedMatrix &keyBefore() const { return walk.plainK.isEmpty() ? walk.operands->k : walk.plainK; }

    void embedding()
    {
        const auto vector = [this](const QString &name, const Vector &numbers) {
            add(rowGrid(name, StepAxis::Inputs, numbers.size(), reader(numbers), position.dim), QStringLiteral("+"));
        };
        vector(tr("embedding"), walk.embedding);
        vector(tr("position"), walk.position);
        const Reader sum = rowOf(walk.query.input, walk.row);
        add(rowGrid(QStringLiteral("x"), StepAxis::Inputs, walk.embedding.size(), sum, position.dim), QStringLiteral("="));
        put(place(dimPlace()), operand(walk.embedding(position.dim)) + QStringLiteral(" + ") + inner(walk.position(position.dim)),
            sum(position.dim));
        page.remark = positionRemark(walk.row);
    }

    void keyEmbedding()
    {
        const auto &data = std::get<EmbeddedData>(content.block().data);
        const Index key = position.key;
        const Vector added = walk.keyPosition(key);
        const auto vector = [&](const QString &name, const Reader &numbers) {
            add(rowGrid(name, StepAxis::Inputs, added.size(), numbers, position.dim), QStringLiteral("+"));
            page.grids.back().rowNames = QStringList{ content.keyName(key) };
        };
        vector(tr("embedding"), rowOf(walk.keyEmbeddings, key));
        vector(tr("position"), reader(added));
        add(matrixGrid(data.y.empty() ? QStringLiteral("X") : QStringLiteral("Y"), StepAxis::Keys, StepAxis::Inputs, walk.key.input, key,
                position.dim),
            QStringLiteral("="));
        put(keyPlace() + QStringLiteral(" · ") + dimPlace(),
            operand(walk.keyEmbeddings.at(key, position.dim)) + QStringLiteral(" + ") + inner(added(position.dim)),
            walk.key.input.at(key, position.dim));
        page.remark = positionRemark(key);
    }

    [[nodiscard]] static QString positionRemark(Index at)
    {
        return tr("Sinusoidal position %1: sines and cosines of falling frequency.").arg(at);
    }

    void projectRow(
        const WalkProjection &projection, const QString &left, const QString &right, const QString &name, const SharedMatrix &result)
    {
        add(matrixGrid(left, StepAxis::Queries, StepAxis::Inputs, projection.input, walk.row, {}), {});
        add(matrixGrid(right, StepAxis::Inputs, StepAxis::Dimensions, projection.weights, {}, position.dim), QStringLiteral("·"));
        add(rowGrid(name, StepAxis::Dimensions, result.cols(), rowOf(result, walk.row), position.dim), QStringLiteral("="));
        put(place(dimPlace()), projected(projection, walk.row), result.at(walk.row, position.dim));
    }

    void projectKeys(const WalkProjection &projection, const QString &right, const QString &name, const SharedMatrix &result, StepAxis dims)
    {
        const auto &data = std::get<EmbeddedData>(content.block().data);
        add(matrixGrid(data.y.empty() ? QStringLiteral("X") : QStringLiteral("Y"), StepAxis::Keys, StepAxis::Inputs, projection.input,
                position.key, {}),
            {});
        add(matrixGrid(right, StepAxis::Inputs, dims, projection.weights, {}, position.dim), QStringLiteral("·"));
        add(matrixGrid(name, StepAxis::Keys, dims, result, position.key, position.dim), QStringLiteral("="));
        put(keyPlace() + QStringLiteral(" · ") + dimPlace(), projected(projection, position.key), result.at(position.key, position.dim));
    }

    [[nodiscard]] QString projected(const WalkProjection &projection, Index row) const
    {
        return product(StepAxis::Inputs, projection.input.cols(), rowOf(projection.input, row), colOf(projection.weights, position.dim),
            position.dim, projection.bias);
    }

    void rotation(const SharedMatrix &before, const SharedMatrix &after, Index row, Index at, const QString &name)
    {
        const bool isQuery = position.step == WalkStep::RotatedQuery;
        const StepAxis rows = isQuery ? StepAxis::Queries : StepAxis::Keys;
        add(matrixGrid(name.toUpper(), rows, StepAxis::Dimensions, before, row, {}), {});
        add(matrixGrid(tr("%1 turned").arg(name.toUpper()), rows, StepAxis::Dimensions, after, row, position.dim), QStringLiteral("→"));
        const RopePair pair = ropePair(*content.spec().rope, before.cols(), position.dim, at);
        const QString angle = operand(pair.angle);
        const double x = before.at(row, pair.first);
        const double y = before.at(row, pair.second);
        const QString text = position.dim == pair.first ? tr("%1·cos %3 − %2·sin %3").arg(operand(x), inner(y), angle)
                                                        : tr("%1·sin %3 + %2·cos %3").arg(operand(x), inner(y), angle);
        put(isQuery ? place(dimPlace()) : keyPlace() + QStringLiteral(" · ") + dimPlace(), text, after.at(row, position.dim));
        page.remark = tr("Numbers %1 and %2 are turned together, at position %3 by %4 radians.")
                          .arg(pair.first)
                          .arg(pair.second)
                          .arg(at)
                          .arg(angle);
    }

    void prepared(bool isQuery)
    {
        const HeadOperands &operands = *walk.operands;
        const SharedMatrix &vectors = isQuery ? operands.q : operands.k;
        const SharedMatrix &result = isQuery ? operands.scoreQ : operands.scoreK;
        const Index row = isQuery ? walk.row : position.key;
        const StepAxis rows = isQuery ? StepAxis::Queries : StepAxis::Keys;
        const QString letter = isQuery ? QStringLiteral("Q") : QStringLiteral("K");
        const QString caption = isQuery ? place(dimPlace()) : keyPlace() + QStringLiteral(" · ") + dimPlace();
        if (content.spec().score == ScoreFunction::Linear) {
            add(matrixGrid(letter, rows, StepAxis::Units, vectors, row, position.dim), {});
            add(matrixGrid(QStringLiteral("φ(%1)").arg(letter), rows, StepAxis::Units, result, row, position.dim), QStringLiteral("→"));
            const double x = vectors.at(row, position.dim);
            put(caption, x > 0.0 ? operand(x) + QStringLiteral(" + 1") : QStringLiteral("exp(%1)").arg(operand(x)),
                result.at(row, position.dim));
            page.remark = tr("φ(x) = x + 1 above zero, exp(x) below: never negative, so that no softmax is needed.");
            return;
        }
        const SharedMatrix turned = scoreMatrix(content.spec(), operands, isQuery);
        add(matrixGrid(letter, rows, StepAxis::Dimensions, vectors, row, {}), {});
        add(matrixGrid(scoreMatrixName(content.spec(), isQuery), StepAxis::Dimensions, StepAxis::Units, turned, {}, position.dim),
            QStringLiteral("·"));
        add(matrixGrid(tr("%1 side").arg(isQuery ? tr("query") : tr("key")), rows, StepAxis::Units, result, row, position.dim),
            QStringLiteral("="));
        put(caption, product(StepAxis::Dimensions, vectors.cols(), rowOf(vectors, row), colOf(turned, position.dim)),
            result.at(row, position.dim));
    }

    void units()
    {
        const HeadOperands &operands = *walk.operands;
        const Reader query = rowOf(operands.scoreQ, walk.row);
        add(rowGrid(tr("query side"), StepAxis::Units, operands.scoreQ.cols(), query, position.dim), {});
        add(matrixGrid(tr("key side"), StepAxis::Keys, StepAxis::Units, operands.scoreK, position.key, position.dim), QStringLiteral("+"));
        add(matrixGrid(QStringLiteral("tanh"), StepAxis::Keys, StepAxis::Units, walk.units, position.key, position.dim),
            QStringLiteral("→"));
        put(place(keyPlace() + QStringLiteral(" · ") + tr("unit %1").arg(position.dim)),
            QStringLiteral("tanh(%1 + %2)").arg(operand(query(position.dim)), inner(operands.scoreK.at(position.key, position.dim))),
            walk.units(position.key, position.dim));
    }

    void concatenation()
    {
        const Index width = walk.concat.size() / walk.heads;
        add(rowGrid(tr("output of head %1").arg(walk.ref.head), StepAxis::Values, walk.output.size(), reader(walk.output), {}), {});
        add(rowGrid(tr("all heads"), StepAxis::Joined, walk.concat.size(), reader(walk.concat), {}), QStringLiteral("→"));
        page.caption = place({});
        page.arithmetic
            = tr("Head %1 is numbers %2 to %3 of ").arg(walk.ref.head).arg(walk.ref.head * width).arg((walk.ref.head + 1) * width - 1);
        page.result = readout::counted(walk.concat.size());
    }

    void outputProjection()
    {
        add(rowGrid(tr("all heads"), StepAxis::Joined, walk.concat.size(), reader(walk.concat), {}), {});
        add(matrixGrid(QStringLiteral("W_o"), StepAxis::Joined, StepAxis::Outputs, walk.wo, {}, position.dim), QStringLiteral("·"));
        add(rowGrid(tr("projected"), StepAxis::Outputs, walk.projected.size(), reader(walk.projected), position.dim), QStringLiteral("="));
        put(place(dimPlace()),
            product(StepAxis::Joined, walk.concat.size(), reader(walk.concat), colOf(walk.wo, position.dim), position.dim, walk.bo),
            walk.projected(position.dim));
    }
};

} // namespace

bool isVectorStep(WalkStep step)
{
    return step < WalkStep::Scores || step > WalkStep::Output;
}

StepPage vectorPage(const StepContent &content, const StepPosition &position, const StepFolds &folds)
{
    return VectorPageMaker(content, position, folds).make();
}

} // namespace attenscope::steps
