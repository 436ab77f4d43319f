// SPDX-License-Identifier: GPL-3.0-or-later
// From a session to its input and heads: building, checking, and computing the head that is looked at first.
#include "state/computation.h"

#include "attention/preview.h"
#include "core/memory.h"
#include "session/token_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attenscope {

namespace {

/// Score cells up to which computing takes no longer than a frame: 12 heads of 128 x 128 and some.
constexpr std::uint64_t smallWork = 1U << 18U;
/// Numbers up to which an input is built at once.
constexpr std::uint64_t smallSource = 1U << 20U;

std::uint64_t size(Index count)
{
    return static_cast<std::uint64_t>(std::max<Index>(count, 0));
}

std::uint64_t numbersOf(const SharedMatrix &matrix)
{
    return saturatingProduct(size(matrix.rows()), size(matrix.cols()));
}

/// About how many numbers building the input touches.
std::uint64_t sourceNumbers(const Source &source)
{
    if (const auto *tokens = std::get_if<TokensSource>(&source)) {
        const std::uint64_t d = size(tokens->dModel);
        const std::uint64_t length = tokens->text.size() + (tokens->keyText ? tokens->keyText->size() : 0);
        return 4 * saturatingProduct(d, d) + saturatingProduct(length, d);
    }
    std::uint64_t sum = 0;
    if (const auto *matrices = std::get_if<MatricesSource>(&source)) {
        for (const HeadMatrices &head : matrices->heads)
            sum += numbersOf(head.q) + numbersOf(head.k) + numbersOf(head.v);
        const Projections &p = matrices->projections;
        for (const auto *matrix : { &matrices->x, &matrices->y, &p.wq, &p.wk, &p.wv, &p.wo })
            sum += numbersOf(*matrix);
    } else if (const auto &tensors = std::get<FileSource>(source).tensors) {
        for (const NamedTensor &tensor : tensors->tensors)
            sum += size(tensor.tensor.elements());
    }
    return sum;
}

/// About how many score cells' worth of work one head of @p block is.
std::uint64_t headWork(const AttentionBlock &block, const AttentionSpec &spec)
{
    std::uint64_t work = saturatingProduct(size(block.queries), size(block.keys));
    if (const auto *embedded = std::get_if<EmbeddedData>(&block.data); embedded && !embedded->layers.empty()) {
        constexpr std::uint64_t productsPerCell = 64;
        const SharedMatrix &wq = embedded->layers.front().wq;
        const std::uint64_t rows = size(block.queries) + 2 * size(block.keys);
        work += saturatingProduct(rows, numbersOf(wq) / static_cast<std::uint64_t>(std::max(headCount(block, spec), 1))) / productsPerCell;
    }
    return work;
}

/// 0: the head that is waited for; then those that are seen, its layer, its block, the rest.
int rank(const HeadRef &head, const HeadRef &wanted, const std::set<HeadRef> &seen)
{
    const bool isInLayer = head.block == wanted.block && head.layer == wanted.layer;
    if (isInLayer && head.head == wanted.head)
        return 0;
    if (seen.contains(head))
        return 1;
    return isInLayer ? 2 : head.block == wanted.block ? 3 : 4;
}

} // namespace

std::vector<HeadRef> allHeads(const AttentionInput &input, const AttentionSpec &spec, int element)
{
    std::vector<HeadRef> heads;
    for (int block = 0; block < static_cast<int>(input.blocks.size()); ++block) {
        const AttentionBlock &data = input.blocks[static_cast<std::size_t>(block)];
        for (int layer = 0; layer < data.layers; ++layer) {
            for (int head = 0; head < headCount(data, spec); ++head)
                heads.push_back({ block, layer, head, std::clamp(element, 0, std::max(data.batch - 1, 0)) });
        }
    }
    return heads;
}

void completeSummaries(const AttentionResult &result, const WantedHead &wanted, const Run &run,
    const std::function<void(const HeadRef &, const HeadSummary &)> &tell)
{
    std::vector<std::shared_ptr<const HeadResult>> heads;
    std::copy_if(result.heads.begin(), result.heads.end(), std::back_inserter(heads),
        [&result](const auto &head) { return !result.summary(head->ref)->isComplete; });
    std::vector<Sequence> sequences;
    for (const AttentionBlock &block : result.input->blocks)
        sequences.push_back(sequenceOf(block, result.spec));
    while (!heads.empty()) {
        const HeadRef first = wanted.get();
        const std::set<HeadRef> seen = wanted.seen();
        const auto next = std::min_element(heads.begin(), heads.end(),
            [&](const auto &a, const auto &b) { return rank(a->ref, first, seen) < rank(b->ref, first, seen); });
        const auto summary
            = summarize(*(*next)->field(Stage::Weights), sequences[static_cast<std::size_t>((*next)->ref.block)], { run.stop, {} });
        if (!summary)
            return;
        tell((*next)->ref, *summary);
        heads.erase(next);
    }
}

Computation::Computation(const Session &session, BuiltInput built, const std::vector<std::shared_ptr<const AttentionResult>> &known,
    std::shared_ptr<WantedHead> wanted)
    : m_mechanism(session.mechanism)
    , m_comparison(session.comparison)
    , m_tokens(session.view.tokens)
    , m_built(std::move(built))
    , m_wanted(std::move(wanted))
{
    for (const auto &result : known) {
        if (result)
            m_known.push_back(result);
    }
    if (m_built.input && !(m_built.source == session.source))
        m_built = {};
    m_built.source = session.source;
}

bool Computation::buildIfSmall()
{
    if (!m_built.input && sourceNumbers(m_built.source) > smallSource)
        return false;
    prepare();
    return !m_problem;
}

void Computation::prepare()
{
    if (m_isPrepared)
        return;
    m_isPrepared = true;
    m_problem = build();
    if (!m_problem)
        m_problem = checkSpecs();
    if (!m_problem)
        m_problem = chooseTokens();
    if (!m_problem)
        plan();
}

std::optional<Problem> Computation::build()
{
    if (const auto *matrices = std::get_if<MatricesSource>(&m_built.source)) {
        if (auto problems = checkMatrices(*matrices, m_mechanism); !problems.empty()) {
            Error error;
            error.what = problems.front().sentence;
            return Problem{ problems.front().table, std::move(error), std::move(problems) };
        }
    }
    if (m_built.input)
        return std::nullopt;
    const auto *files = std::get_if<FileSource>(&m_built.source);
    const bool isLoaded = files && files->tensors;
    auto input = isLoaded ? interpret(*files->tensors, files->uses, files->queryTokens, files->keyTokens, &m_built.notes)
                          : buildInput(m_built.source);
    if (!input)
        return Problem{ SpecPart::Data, input.error(), {} };
    m_built.input = std::make_shared<const AttentionInput>(std::move(input).value());
    return std::nullopt;
}

std::vector<Side> Computation::sides() const
{
    return m_comparison ? std::vector{ Side::Main, Side::Comparison } : std::vector{ Side::Main };
}

std::optional<Problem> Computation::checkSpecs() const
{
    for (const Side side : sides()) {
        for (const AttentionBlock &block : m_built.input->blocks) {
            if (auto problem = check(block, mechanism(side)))
                return Problem{ problem->part, std::move(problem->error), {} };
        }
    }
    return std::nullopt;
}

std::optional<Problem> Computation::chooseTokens()
{
    for (const Side side : sides()) {
        if (m_tokens.showsAll()) {
            m_from.push_back({ m_built.input, mechanism(side) });
            continue;
        }
        auto reduced = withTokensShown(m_built.input, mechanism(side), m_tokens, m_wanted->get().element);
        if (!reduced)
            return Problem{ SpecPart::Data, reduced.error(), {} };
        m_from.push_back({ std::make_shared<const AttentionInput>(std::move(reduced).value()), {} });
    }
    return std::nullopt;
}

void Computation::plan()
{
    for (const Side side : sides()) {
        ComputedFrom &from = m_from[static_cast<std::size_t>(side)];
        const auto same = std::find_if(m_known.begin(), m_known.end(), [&](const auto &result) {
            // Reduced inputs are made anew each time; values of others are not looked at.
            const bool isReduced = !m_tokens.showsAll() && result->input->blocks.front().isReduced();
            return (result->input == from.input || (isReduced && *result->input == *from.input)) && result->spec == from.spec;
        });
        if (same != m_known.end())
            from.input = (*same)->input;
        HeadsReady reused{ side, {}, {} };
        for (const HeadRef &ref : allHeads(*from.input, from.spec, clamped(m_wanted->get(), *from.input, from.spec).element)) {
            ++m_headCount;
            if (auto ready = same != m_known.end() ? (*same)->find(ref) : nullptr)
                reused.heads.push_back(std::move(ready));
            else
                m_tasks.push_back({ side, ref });
        }
        if (!reused.heads.empty())
            m_reused.push_back(std::move(reused));
    }
    m_known.clear();
}

bool Computation::isSmall() const
{
    if (!m_built.input)
        return false;
    const auto add = [this](std::uint64_t sum, const Task &task) {
        const std::uint64_t work = headWork(m_built.input->blocks[static_cast<std::size_t>(task.head.block)], mechanism(task.side));
        return work > smallWork ? smallWork + 1 : sum + work;
    };
    return std::accumulate(m_tasks.begin(), m_tasks.end(), std::uint64_t{ 0 }, add) <= smallWork;
}

Index Computation::overviewSize() const
{
    constexpr std::uint64_t mostBytes = 128'000'000;
    constexpr Index smallest = 64;
    for (Index width = 1024; width > smallest; width /= 2) {
        std::uint64_t bytes = 0;
        for (const AttentionBlock &block : m_built.input->blocks) {
            const Index pool = overviewPool(block.queries, block.keys, width);
            const std::uint64_t cells = size((block.queries + pool - 1) / pool) * size((block.keys + pool - 1) / pool);
            bytes += sides().size() * size(block.layers) * size(headCount(block, m_mechanism)) * cells * sizeof(float);
        }
        if (bytes <= mostBytes)
            return width;
    }
    return smallest;
}

std::optional<HeadPreview> Computation::preview(const Task &task, const Run &run) const
{
    // Smaller maps are there before the eye has found the preview.
    constexpr std::uint64_t leastCells = std::uint64_t{ 1 } << 23U;
    constexpr Index width = 1024;
    const ComputedFrom &source = from(task.side);
    const auto place = static_cast<std::size_t>(task.head.block);
    const AttentionBlock &shown = source.input->blocks[place];
    const auto *reduced = std::get_if<ReducedData>(&shown.data);
    const AttentionBlock &block = reduced ? reduced->whole->blocks[place] : shown;
    // Only where the head's queries and keys need no projection: that would be done twice.
    const bool isLong = saturatingProduct(size(block.queries), size(block.keys)) >= leastCells;
    if (!isLong || !std::holds_alternative<ProjectedData>(block.data))
        return std::nullopt;
    const auto operands = headOperands(block, wholeSpec(shown, source.spec), task.head, run);
    if (!operands)
        return std::nullopt;
    auto estimate = previewWeights(**operands, overviewPool(block.queries, block.keys, width), run);
    if (!estimate)
        return std::nullopt;
    MapFieldPtr exact = computedField(*operands, Stage::Weights);
    if (reduced) {
        exact = reducedField(std::move(exact), reduced->queries, reduced->keys, reduced->renormalizes);
        estimate = reducedPreview(*estimate, *reduced, overviewPool(shown.queries, shown.keys, width));
    }
    auto cells = std::make_shared<const MatrixF>(std::move(estimate->cells));
    return HeadPreview{ task.side, m_from, task.head, previewField(std::move(exact), std::move(cells), estimate->pool) };
}

/// Of the wanted head on both sides, before the first of them takes its time.
void Computation::tellPreviews(const std::function<void(ComputationEvent)> &tell, std::vector<Task> &previewed, const Run &run) const
{
    for (const Task &task : m_tasks) {
        if (rank(task.head, m_wanted->get(), {}) != 0 || std::find(previewed.begin(), previewed.end(), task) != previewed.end())
            continue;
        previewed.push_back(task);
        if (auto estimate = preview(task, { run.stop, {} }))
            tell(std::move(*estimate));
    }
}

void Computation::perform(const Run &run, const std::function<void(ComputationEvent)> &tell)
{
    prepare();
    if (m_problem) {
        tell(std::move(*m_problem));
        return;
    }
    tell(m_built);
    // The old picture stays until a head of the main map is there.
    bool isMainReady = m_tasks.empty() || (!m_reused.empty() && m_reused.front().side == Side::Main);
    const auto tellReused = [&] {
        for (HeadsReady &reused : m_reused) {
            reused.from = m_from;
            tell(std::move(reused));
        }
    };
    if (isMainReady)
        tellReused();
    const StreamOptions options{ true, overviewSize() };
    auto done = static_cast<Index>(m_headCount - m_tasks.size());
    const auto all = static_cast<Index>(std::max<std::size_t>(m_headCount, 1));
    std::vector<Task> previewed;
    while (!m_tasks.empty() && !run.stopped()) {
        const HeadRef wanted = m_wanted->get();
        const std::set<HeadRef> seen = m_wanted->seen();
        const auto next = std::min_element(m_tasks.begin(), m_tasks.end(),
            [&](const Task &a, const Task &b) { return rank(a.head, wanted, seen) < rank(b.head, wanted, seen); });
        const Run inTask = run.part(done, all);
        if (rank(next->head, wanted, seen) == 0 && (next->side == Side::Main || isMainReady))
            tellPreviews(tell, previewed, run);
        auto head = computeHead(*from(next->side).input, from(next->side).spec, next->head, options, inTask);
        if (!head) {
            if (!head.error().isCancelled)
                tell(head.error());
            return;
        }
        tell(HeadsReady{ next->side, m_from, { std::move(head).value() } });
        if (!std::exchange(isMainReady, true))
            tellReused();
        m_tasks.erase(next);
        inTask.report(1.0);
        ++done;
    }
}

} // namespace attenscope
