// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the streaming pass is, as ratios to a matrix product, to naive attention and to itself; and folding a recorded map.
#include "attention/field.h"
#include "attention/kernels/kernels.h"
#include "attention/stream.h"
#include "bench/measure.h"
#include "bench/naive_attention.h"
#include "core/random.h"

#ifdef ATTENSCOPE_HAS_DNNL
#include <dnnl.h>
#endif
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace attenscope;
using namespace attenscope::bench;

namespace {

struct Problem {
    int heads;
    Index n;
    Index d;
    bool isCausal;
    std::shared_ptr<const HeadOperands> operands;
    MatrixF q, k, v;

    [[nodiscard]] std::string name() const
    {
        return std::to_string(heads) + " x " + std::to_string(n) + " x " + std::to_string(d) + (isCausal ? " causal" : " full");
    }
    /// Of the visible pairs alone: two products of d multiplications and additions each.
    [[nodiscard]] double operations() const
    {
        const double pairs = isCausal ? 0.5 * static_cast<double>(n) * static_cast<double>(n + 1) : static_cast<double>(n * n);
        return 4.0 * heads * pairs * static_cast<double>(d);
    }
    /// Output and log-sum-exp, as others compute them; entropy and largest weight of every row too if wanted.
    void compute(bool wantsWeights = false) const
    {
        for (int head = 0; head < heads; ++head)
            static_cast<void>(stream(*operands, { true, 0, wantsWeights }));
    }
};

Problem makeProblem(int heads, Index n, bool isCausal)
{
    const AttentionBlock block = normalBlock(n);
    AttentionSpec spec;
    spec.mask.rule = isCausal ? MaskRule::Causal : MaskRule::None;
    const auto &data = std::get<ProjectedData>(block.data);
    return { heads, n, 64, isCausal, headOperands(block, spec, {}).value(), data.q[0].toMatrixF(), data.k[0].toMatrixF(),
        data.v[0].toMatrixF() };
}

/// The machine's own measure: products of two 1024 x 1024 matrices by oneDNN, where it is installed.
class MatrixProduct {
public:
    static constexpr Index side = 1024;
#ifdef ATTENSCOPE_HAS_DNNL
    static constexpr bool isThere = true;
#else
    static constexpr bool isThere = false;
#endif

    /// So many products have together about as many operations as @p problem: what takes long meets the same machine as it.
    explicit MatrixProduct(const Problem &problem)
        : m_times(std::max(1, static_cast<int>(problem.operations() / operationsOfOne + 0.5)))
    {
    }

    void compute()
    {
        compute(m_times);
    }
    void computeOne()
    {
        compute(1);
    }
    [[nodiscard]] double operations() const
    {
        return m_times * operationsOfOne;
    }

private:
    static constexpr double operationsOfOne = 2.0 * side * side * side;

    void compute([[maybe_unused]] int times)
    {
#ifdef ATTENSCOPE_HAS_DNNL
        for (int time = 0; time < times; ++time)
            dnnl_sgemm('N', 'N', side, side, side, 1.0F, m_a.data(), side, m_b.data(), side, 0.0F, m_c.data(), side);
#endif
    }

    int m_times;
    MatrixF m_a = MatrixF::Constant(side, side, 0.5F);
    MatrixF m_b = MatrixF::Constant(side, side, 0.25F);
    MatrixF m_c = MatrixF::Zero(side, side);
};

void naive(const Problem &problem, MatrixF &output)
{
    for (int head = 0; head < problem.heads; ++head)
        naiveAttention(problem.q.data(), problem.k.data(), problem.v.data(), problem.n, problem.d,
            static_cast<float>(problem.operands->scale), problem.isCausal, output.data());
}

/// The pass and the products, each warm.
std::vector<Item> passAndProducts(const Problem &problem, MatrixProduct &product)
{
    const auto pass = [&problem] { problem.compute(); };
    return { { pass, 1, pass }, { [&product] { product.compute(); }, 1, [&product] { product.computeOne(); } } };
}

/// What is wanted of a ratio stands beside it, in brackets.
void printRatio(double ratio, double wanted)
{
    std::printf(" %7.2f", ratio);
    if (wanted > 0.0)
        std::printf(" (%.2f)", wanted);
    else
        std::printf("%7s", "");
}

/// One thread against a matrix product, naive attention and itself, in processor time, which other programs do not disturb.
void benchOneThread()
{
    std::printf(
        "\n%-20s %9s %9s %14s %14s %14s %14s\n", "one thread", "ms", "GFLOP/s", "of sgemm", "naive / own", "with entropy", "causal / full");
    double full = 0.0;
    for (const auto &[heads, n] : { std::pair{ 12, Index{ 512 } }, { 12, 2048 }, { 1, 16384 } }) {
        for (const bool isCausal : { false, true }) {
            const Problem problem = makeProblem(heads, n, isCausal);
            MatrixProduct product(problem);
            MatrixF output(n, problem.d);
            const auto withEntropy = [&] { problem.compute(true); };
            std::vector<Item> items = passAndProducts(problem, product);
            items.push_back({ withEntropy, 1, withEntropy });
            // Whole matrices of 16,384² are 1 GB.
            if (n <= 4096)
                items.push_back({ [&] { naive(problem, output); } });
            interleave(items, 7, Clock::Processor);
            const bool isLong = n >= 2048;
            const double time = items[0].median();
            const double speed = problem.operations() / time * 1e-9;
            std::printf("%-20s %9.2f %9.1f", problem.name().c_str(), time * 1e3, speed);
            if (MatrixProduct::isThere)
                printRatio(speed / (product.operations() / items[1].median() * 1e-9), isLong ? 0.88 : isCausal ? 0.75 : 0.0);
            else
                std::printf(" %14s", "-");
            if (items.size() > 3)
                printRatio(items[3].median() / time, !isLong ? 0.0 : isCausal ? 2.6 : 1.4);
            else
                std::printf(" %14s", "-");
            printRatio(items[2].median() / time, 0.0);
            if (isCausal)
                printRatio(time / full, isLong ? 0.55 : 0.0);
            std::printf("\n");
            full = time;
        }
    }
    if (!MatrixProduct::isThere)
        std::printf("oneDNN is not installed (libdnnl-dev).\n");
}

/// For a script that runs others in turn: milliseconds of processor time of the pass, of naive attention and of a matrix product that does as many operations;
/// 0 for what is not there.
void printRound(int heads, Index n, bool isCausal)
{
    setThreadCount(1);
    const Problem problem = makeProblem(heads, n, isCausal);
    MatrixProduct product(problem);
    MatrixF output(n, problem.d);
    std::vector<Item> items = passAndProducts(problem, product);
    if (n <= 4096)
        items.push_back({ [&] { naive(problem, output); } });
    interleave(items, 3, Clock::Processor);
    const double productTime = MatrixProduct::isThere ? items[1].median() * problem.operations() / product.operations() : 0.0;
    std::printf("%g %g %g\n", 1e3 * items.front().median(), n <= 4096 ? 1e3 * items.back().median() : 0.0, 1e3 * productTime);
}

/// One thread against two, by the clock on the wall.
void benchThreads()
{
    std::printf("\n%-20s %9s %9s %14s\n", "wall clock, ms", "1 thread", "2 threads", "ratio");
    for (const auto &[heads, n] : { std::pair{ 12, Index{ 2048 } }, { 1, 16384 } }) {
        for (const bool isCausal : { false, true }) {
            const Problem problem = makeProblem(heads, n, isCausal);
            std::vector<Item> items{ { [&] { problem.compute(); } }, { [&] { problem.compute(); }, 2 } };
            interleave(items, 7, Clock::Wall);
            const double one = items[0].median() * 1e3;
            const double two = items[1].median() * 1e3;
            std::printf("%-20s %9.2f %9.2f", problem.name().c_str(), one, two);
            printRatio(one / two, 1.85);
            std::printf("\n");
        }
    }
    const Problem small = makeProblem(12, 16, false);
    constexpr int repeats = 200;
    const auto work = [&small] {
        for (int repeat = 0; repeat < repeats; ++repeat)
            parallelFor(small.heads, [&](Index) { static_cast<void>(stream(*small.operands, { true, 0, false })); });
    };
    std::vector<Item> one{ { work } };
    interleave(one, 21, Clock::Processor);
    std::vector<Item> two{ { work, 2 } };
    interleave(two, 21, Clock::Wall);
    std::printf("%-20s one thread %.1f µs (25), two threads %.1f µs (20), at best %.1f µs\n", small.name().c_str(),
        one[0].median() * 1e6 / repeats, two[0].median() * 1e6 / repeats, two[0].quantile(0.0) * 1e6 / repeats);
}

/// How much more memory the process has at most while it computes, beyond the keys and values as floats and the result. For that freed memory is to
/// go back to the system.
void benchMemory()
{
    std::printf("\n%-20s beside inputs and results, MB (1 a thread)\n", "extra memory");
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
    makeProblem(1, 64, true).compute();
    for (const Index n : { 8192, 32768 }) {
        const Problem problem = makeProblem(1, n, true);
        for (const int threads : { 1, 2 }) {
            setThreadCount(threads);
            malloc_trim(0);
            forgetPeak();
            const std::uint64_t before = statusBytes("VmRSS:");
            // A thread of its own, because threads keep their work space for the next time.
            std::jthread([&problem] { problem.compute(); }).join();
            const double most = static_cast<double>(statusBytes("VmHWM:")) - static_cast<double>(before);
            const double known = static_cast<double>(n) * (3.0 * static_cast<double>(problem.d) + 1.0) * sizeof(float);
            std::printf("%-20s %d threads: %.2f\n", problem.name().c_str(), threads, (most - known) / 1e6);
        }
    }
}

/// Folding a recorded map, two threads.
void benchRecorded(Index n)
{
    std::vector<float> numbers(static_cast<std::size_t>(n * n));
    Random random(2);
    for (float &number : numbers)
        number = static_cast<float>(random.uniform());
    const auto *first = reinterpret_cast<const std::byte *>(numbers.data());
    const Tensor tensor(
        bytesInMemory(std::vector<std::byte>(first, first + numbers.size() * sizeof(float))), 0, ElementType::F32, { n, n });
    AttentionBlock block;
    block.queries = block.keys = n;
    MaskSpec causal;
    causal.rule = MaskRule::Causal;
    for (const bool isMasked : { false, true }) {
        const MapFieldPtr field = recordedField(SharedMatrix(tensor), {}, isMasked ? Mask(block, causal, 0) : Mask(n, n));
        for (const int level : { 2, 3 }) {
            MatrixF out;
            std::vector<Item> items{ { [&] { field->read({ { 0, n }, { 0, n } }, level, Fold::Max, out); }, 2 } };
            interleave(items, 5, Clock::Wall);
            std::printf(
                "recorded %td x %td folded to level %d%s %8.1f ms\n", n, n, level, isMasked ? ", causal" : "", items[0].median() * 1e3);
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    // OpenMP reads it before main().
    if (!std::getenv("OMP_NUM_THREADS")) {
        setenv("OMP_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", argv);
    }
    // Else the time that the system takes to give and clear memory is measured, for all alike.
    const auto keepMemory = [] {
        mallopt(M_MMAP_THRESHOLD, 1 << 30);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
    };
    if (argc == 4) {
        keepMemory();
        printRound(std::atoi(argv[1]), std::atol(argv[2]), std::string(argv[3]) == "causal");
        return 0;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf("instruction set %s\n", kernels().name);
    benchMemory();
    keepMemory();
    benchOneThread();
    benchThreads();
    std::printf("\n");
    benchRecorded(4096);
    return 0;
}
