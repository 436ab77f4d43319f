// SPDX-License-Identifier: GPL-3.0-or-later
// Walking one row: the stages of explain, and what lies between them.
#include "attention/walk.h"

#include "attention/cell.h"
#include "attention/row_kernel.h"
#include "core/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

std::span<double> cellsOf(Vector &vector)
{
    return { vector.data(), static_cast<std::size_t>(vector.size()) };
}

Vector rowOf(const SharedMatrix &matrix, Index row)
{
    Vector numbers(matrix.cols());
    matrix.readRow(row, 0, cellsOf(numbers));
    return numbers;
}

Result<std::shared_ptr<const HeadOperands>> operandsOf(const AttentionResult &ready, const HeadRef &ref, const Run &run)
{
    if (const auto head = ready.find(ref); head && head->operands)
        return head->operands;
    return headOperands(ready.input->blocks[static_cast<std::size_t>(ref.block)], ready.spec, ref, run);
}

bool hasUnits(const AttentionSpec &spec)
{
    return spec.score == ScoreFunction::Additive || spec.score == ScoreFunction::Concat;
}

Result<void> checkWalkRoom(const HeadOperands &operands)
{
    const auto units = hasUnits(operands.spec) ? operands.scoreQ.cols() : 0;
    const auto numbers
        = saturatingProduct(static_cast<std::uint64_t>(operands.scoreK.rows()), static_cast<std::uint64_t>(operands.v.cols() + units + 12));
    return checkMemory(saturatingProduct(numbers, sizeof(double)), "Every step of a row");
}

class Walker {
public:
    Walker(const AttentionResult &ready, const HeadRef &ref, Index row, const Run &run)
        : m_ready(ready)
        , m_block(ready.input->blocks[static_cast<std::size_t>(ref.block)])
        , m_run(run)
    {
        m_walk.ref = ref;
        m_walk.row = row;
    }

    Result<RowWalk> walk()
    {
        const auto operands = operandsOf(m_ready, m_walk.ref, m_run);
        if (!operands)
            return operands.error();
        m_walk.operands = *operands;
        if (Result<void> fits = checkWalkRoom(*m_walk.operands); !fits)
            return fits.error();
        for (const auto part : { &Walker::addInput, &Walker::addRotation }) {
            if (Result<void> done = (this->*part)(); !done)
                return done.error();
        }
        addPrepared();
        RowKernel kernel(*m_walk.operands);
        kernel.start(m_walk.row);
        addScores(kernel);
        addSoftmax(kernel);
        addValues(kernel);
        if (m_run.stopped())
            return Error::cancelled();
        if (Result<void> done = addLayer(); !done)
            return done.error();
        return std::move(m_walk);
    }

private:
    void add(WalkStep step) { m_walk.steps.push_back(step); }
    [[nodiscard]] const AttentionSpec &spec() const { return m_walk.operands->spec; }
    [[nodiscard]] Index keys() const { return m_walk.operands->scoreK.rows(); }

    Result<void> addInput()
    {
        const auto *data = std::get_if<EmbeddedData>(&m_block.data);
        if (!data)
            return {};
        const auto place = static_cast<std::size_t>(m_walk.ref.layer * m_block.batch + m_walk.ref.element);
        if (!data->unplaced.empty()) {
            m_walk.embedding = rowOf(data->unplaced[place], m_walk.row);
            m_walk.position = sinusoidalPositions(1, m_walk.embedding.size(), m_walk.row).row(0).transpose();
            m_walk.keyEmbeddings = data->unplaced[data->y.empty() ? place : data->x.size() + place];
            add(WalkStep::Embedding);
            add(WalkStep::KeyEmbedding);
        }
        const HeadProjections projections = headProjections(m_block, spec(), m_walk.ref);
        const SharedMatrix &x = data->x[place];
        const SharedMatrix &y = data->y.empty() ? x : data->y[place];
        m_walk.query = { x, projections.q.weights, projections.q.bias };
        m_walk.key = { y, projections.k.weights, projections.k.bias };
        add(WalkStep::Query);
        add(WalkStep::Key);
        if (!projections.v.weights.isEmpty()) {
            m_walk.value = { y, projections.v.weights, projections.v.bias };
            add(WalkStep::Value);
        }
        return {};
    }

    Result<void> addRotation()
    {
        if (!spec().rope)
            return {};
        // The same projections without the turn; what the score makes of them is not needed.
        AttentionSpec plain = m_ready.spec;
        plain.rope.reset();
        plain.score = ScoreFunction::Dot;
        const auto before = headOperands(m_block, plain, m_walk.ref, m_run);
        if (!before)
            return before.error();
        m_walk.plainQ = (*before)->q;
        m_walk.plainK = (*before)->k;
        add(WalkStep::RotatedQuery);
        add(WalkStep::RotatedKey);
        return {};
    }

    void addPrepared()
    {
        const HeadOperands &operands = *m_walk.operands;
        switch (spec().score) {
        case ScoreFunction::ScaledDot:
        case ScoreFunction::Dot:
            return;
        case ScoreFunction::General:
            add(WalkStep::PreparedQuery);
            return;
        case ScoreFunction::Linear:
            add(WalkStep::PreparedQuery);
            add(WalkStep::PreparedKey);
            return;
        case ScoreFunction::Concat:
        case ScoreFunction::Additive:
            break;
        }
        add(WalkStep::PreparedQuery);
        add(WalkStep::PreparedKey);
        const Vector query = rowOf(operands.scoreQ, m_walk.row);
        m_walk.units.resize(keys(), query.size());
        for (Index key = 0; key < keys(); ++key) {
            const std::span<double> unit(m_walk.units.data() + key * query.size(), static_cast<std::size_t>(query.size()));
            operands.scoreK.readRow(key, 0, unit);
            for (std::size_t place = 0; place < unit.size(); ++place)
                unit[place] = std::tanh(query(static_cast<Index>(place)) + unit[place]);
        }
        add(WalkStep::Units);
    }

    void addScores(RowKernel &kernel)
    {
        m_walk.scores.resize(keys());
        kernel.scores(0, cellsOf(m_walk.scores));
        add(WalkStep::Scores);
        const Vector *last = &m_walk.scores;
        const auto apply = [&](Stage stage, WalkStep step, Vector &cells) {
            if (!hasStep(spec(), stage))
                return;
            cells = *last;
            kernel.apply(stage, 0, cellsOf(cells));
            last = &cells;
            add(step);
        };
        apply(Stage::Scaled, WalkStep::Scaled, m_walk.scaled);
        apply(Stage::Capped, WalkStep::Capped, m_walk.capped);
        apply(Stage::Biased, WalkStep::Biased, m_walk.biased);
        if (m_walk.biased.size() > 0) {
            // Alone, as it would be added to nothing.
            m_walk.bias = Vector::Zero(keys());
            kernel.apply(Stage::Biased, 0, cellsOf(m_walk.bias));
        }
        apply(Stage::Tempered, WalkStep::Tempered, m_walk.tempered);
        m_walk.masked = *last;
        m_walk.visible.assign(static_cast<std::size_t>(keys()), false);
        for (const Range &range : kernel.visible())
            std::fill(m_walk.visible.begin() + range.first, m_walk.visible.begin() + range.end, true);
        // What is not visible may be NaN and counts for nothing.
        m_walk.exponentials = *last;
        for (Index key = 0; key < keys(); ++key) {
            if (!m_walk.visible[static_cast<std::size_t>(key)])
                m_walk.masked(key) = -cell::infinity;
        }
        add(WalkStep::Masked);
    }

    void addSoftmax(RowKernel &kernel)
    {
        const RowKernel::Exponentials found = kernel.exponentials(cellsOf(m_walk.exponentials));
        m_walk.max = found.max;
        m_walk.reference = found.reference;
        m_walk.one = found.one;
        m_walk.sum = found.sum;
        m_walk.weights = m_walk.exponentials;
        kernel.normalize(found, cellsOf(m_walk.weights));
        for (const WalkStep step : { WalkStep::Maximum, WalkStep::Exponentials, WalkStep::Sum, WalkStep::Weights })
            add(step);
    }

    void addValues(RowKernel &kernel)
    {
        const SharedMatrix &v = m_walk.operands->v;
        if (v.isEmpty())
            return;
        m_walk.weightedValues.resize(keys(), v.cols());
        for (Index key = 0; key < keys(); ++key) {
            const std::span<double> value(m_walk.weightedValues.data() + key * v.cols(), static_cast<std::size_t>(v.cols()));
            // Masked values do not count, whatever they are.
            if (m_walk.visible[static_cast<std::size_t>(key)])
                v.readRow(key, 0, value);
            else
                std::fill(value.begin(), value.end(), 0.0);
            for (double &number : value)
                number *= m_walk.weights(key);
        }
        m_walk.output.resize(v.cols());
        kernel.output({ m_walk.weights.data(), static_cast<std::size_t>(keys()) }, cellsOf(m_walk.output));
        add(WalkStep::WeightedValues);
        add(WalkStep::Output);
    }

    Result<void> addLayer()
    {
        const auto *data = std::get_if<EmbeddedData>(&m_block.data);
        m_walk.heads = headCount(m_block, m_ready.spec);
        if (!data || m_walk.output.size() == 0)
            return {};
        const Projections &projections = data->layers[static_cast<std::size_t>(m_walk.ref.layer)];
        if (m_walk.heads < 2 && projections.wo.isEmpty())
            return {};
        std::vector<Matrix> outputs;
        for (int head = 0; head < m_walk.heads; ++head) {
            HeadRef ref = m_walk.ref;
            ref.head = head;
            const auto operands = operandsOf(m_ready, ref, m_run);
            if (!operands)
                return operands.error();
            Matrix output(1, (*operands)->v.cols());
            explainRow(**operands, Stage::Output, m_walk.row, 0, { output.data(), static_cast<std::size_t>(output.size()) });
            outputs.push_back(std::move(output));
        }
        const LayerExplanation layer = explainLayer(m_block, m_walk.ref.layer, outputs);
        m_walk.concat = layer.concat.row(0).transpose();
        add(WalkStep::Concatenation);
        if (layer.output.size() == 0)
            return {};
        m_walk.wo = projections.wo;
        if (!projections.bo.isEmpty())
            m_walk.bo = rowOf(projections.bo, 0);
        m_walk.projected = layer.output.row(0).transpose();
        add(WalkStep::OutputProjection);
        return {};
    }

    const AttentionResult &m_ready;
    const AttentionBlock &m_block;
    const Run &m_run;
    RowWalk m_walk;
};

Result<RowWalk> recordedWalk(const AttentionBlock &block, const AttentionSpec &spec, const HeadRef &ref, Index row)
{
    const auto &data = std::get<RecordedData>(block.data);
    const auto place = static_cast<std::size_t>((ref.layer * block.batch + ref.element) * block.heads + ref.head);
    const Index keys
        = data.rowLengths.empty() ? block.keys : std::clamp<Index>(data.rowLengths[static_cast<std::size_t>(row)], 0, block.keys);
    if (keys == 0)
        return Error{ "This row has no weights.", "In the file row " + std::to_string(row) + " is empty.", "Pick another query.", {} };
    if (Result<void> fits = checkMemory(saturatingProduct(static_cast<std::uint64_t>(keys), 4 * sizeof(double)), "Every step of a row");
        !fits)
        return fits.error();
    HeadOperands operands;
    operands.spec = spec;
    operands.mask = Mask(block, spec.mask, ref.element);
    RowWalk walk;
    walk.ref = ref;
    walk.row = row;
    walk.recorded.resize(keys);
    data.weights[place].readRow(row, 0, cellsOf(walk.recorded));
    walk.weights.resize(keys);
    recordedField(data.weights[place], data.rowLengths, operands.mask)->row(row, 0, cellsOf(walk.weights));
    walk.visible.assign(static_cast<std::size_t>(keys), false);
    std::vector<Range> visible;
    operands.mask.visible(row, visible);
    for (const Range &range : visible)
        std::fill(walk.visible.begin() + std::min(range.first, keys), walk.visible.begin() + std::min(range.end, keys), true);
    walk.masked = walk.recorded;
    bool hides = false;
    bool losesWeight = false;
    for (Index key = 0; key < keys; ++key) {
        if (walk.visible[static_cast<std::size_t>(key)]) {
            walk.sum += walk.recorded(key);
            continue;
        }
        hides = true;
        losesWeight = losesWeight || walk.recorded(key) != 0.0;
        walk.masked(key) = walk.weights(key) = 0.0;
    }
    walk.steps = { WalkStep::Recorded };
    if (hides)
        walk.steps.push_back(WalkStep::Masked);
    if (losesWeight)
        walk.steps.insert(walk.steps.end(), { WalkStep::Sum, WalkStep::Weights });
    walk.operands = std::make_shared<HeadOperands>(std::move(operands));
    return walk;
}

} // namespace

Vector RowWalk::keyPosition(Index at) const
{
    return sinusoidalPositions(1, keyEmbeddings.cols(), at).row(0).transpose();
}

bool RowWalk::has(WalkStep step) const
{
    return std::find(steps.begin(), steps.end(), step) != steps.end();
}

RopePair ropePair(const Rope &rope, Index d, Index dim, Index position)
{
    const bool isInterleaved = rope.layout == RopeLayout::Interleaved;
    const Index pair = isInterleaved ? dim / 2 : dim % (d / 2);
    const double frequency = std::pow(rope.base, -2.0 * static_cast<double>(pair) / static_cast<double>(d));
    const Index first = isInterleaved ? 2 * pair : pair;
    return { first, isInterleaved ? first + 1 : first + d / 2, static_cast<double>(position) * frequency };
}

Result<RowWalk> explainWalk(const AttentionResult &ready, const HeadRef &ref, Index row, const Run &run)
{
    const AttentionBlock &block = ready.input->blocks[static_cast<std::size_t>(ref.block)];
    if (block.isReduced())
        return Error{ "Tokens are left out or merged.", "Steps are those of whole tokens.", "Show every token to see them.", {} };
    return block.hasWeightsOnly() ? recordedWalk(block, ready.spec, ref, row) : Walker(ready, ref, row, run).walk();
}

} // namespace attenscope
