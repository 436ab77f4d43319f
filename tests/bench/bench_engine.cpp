// SPDX-License-Identifier: GPL-3.0-or-later
// How long the streaming pass takes, and how it compares with the whole matrix through Eigen in the same run; and folding a recorded map.
#include "attention/field.h"
#include "attention/stream.h"
#include "core/parallel.h"
#include "core/random.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

using namespace attenscope;

namespace {

/// Median milliseconds of a few runs.
double milliseconds(const std::function<void()> &work)
{
    std::vector<double> times;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// softmax(Q Kᵀ scale) V with a whole matrix in memory, one thread.
MatrixF wholeMatrix(const MatrixF &q, const MatrixF &k, const MatrixF &v, float scale, bool isCausal)
{
    MatrixF scores = q * k.transpose() * scale;
    VectorF sums(scores.rows());
    for (Index row = 0; row < scores.rows(); ++row) {
        const Index visible = isCausal ? row + 1 : scores.cols();
        auto weights = scores.row(row).head(visible).array();
        weights -= weights.maxCoeff();
        weights = weights.exp();
        scores.row(row).tail(scores.cols() - visible).setZero();
        sums(row) = weights.sum();
    }
    MatrixF output = scores * v;
    output.array().colwise() /= sums.array();
    return output;
}

void benchStream(int heads, Index n, Index d, bool isCausal)
{
    Random random(1);
    const Matrix q = random.normalMatrix(n, d);
    const Matrix k = random.normalMatrix(n, d);
    const Matrix v = random.normalMatrix(n, d);
    AttentionBlock block;
    block.queries = block.keys = n;
    block.data = ProjectedData{ { SharedMatrix(q) }, { SharedMatrix(k) }, { SharedMatrix(v) } };
    AttentionSpec spec;
    spec.mask.rule = isCausal ? MaskRule::Causal : MaskRule::None;
    const auto operands = headOperands(block, spec, {});
    if (!operands)
        return;
    const double streamed = milliseconds([&] {
        for (int head = 0; head < heads; ++head)
            static_cast<void>(stream(**operands, { true, 512 }));
    });
    const MatrixF qf = q.cast<float>();
    const MatrixF kf = k.cast<float>();
    const MatrixF vf = v.cast<float>();
    float sink = 0.0F;
    const double naive = milliseconds([&] {
        for (int head = 0; head < heads; ++head)
            sink += wholeMatrix(qf, kf, vf, static_cast<float>((*operands)->scale), isCausal)(0, 0);
    });
    std::printf("stream %2d x %5td x %td %-6s %8.1f ms   whole matrix, 1 thread %8.1f ms   ratio %.2f%s\n", heads, n, d,
        isCausal ? "causal" : "full", streamed, naive, streamed / naive, sink == 12345.0F ? " " : "");
}

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
            const double folding = milliseconds([&] { field->read({ { 0, n }, { 0, n } }, level, Fold::Max, out); });
            std::printf("recorded %td x %td folded to level %d%s %8.1f ms\n", n, n, level, isMasked ? ", causal" : "", folding);
        }
    }
}

} // namespace

int main()
{
    std::printf("%d threads\n", threadCount());
    for (const bool isCausal : { false, true }) {
        benchStream(12, 512, 64, isCausal);
        benchStream(1, 4096, 64, isCausal);
    }
    benchRecorded(4096);
    return 0;
}
