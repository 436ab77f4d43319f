// SPDX-License-Identifier: GPL-3.0-or-later
// RowKernel: the double-precision arithmetic of one row, shared by everything that shows exact numbers so that they agree bit for bit.
#pragma once

#include "attention/explain.h"

#include <algorithm>
#include <span>
#include <vector>

namespace attenscope {

/// Computes one row of a head at a time. Refers to the operands; one per thread.
class RowKernel {
public:
    explicit RowKernel(const HeadOperands &operands);

    /// Chooses the row that everything below is about.
    void start(Index row);
    [[nodiscard]] const std::vector<Range> &visible() const { return m_visible; }
    /// Calls use(first, end) for the keys of [range) between the visible intervals.
    template <typename Use>
    void forEachHidden(const Range &range, const Use &use) const
    {
        Index done = range.first;
        for (const Range &keys : m_visible) {
            if (done < std::min(keys.first, range.end))
                use(done, std::min(keys.first, range.end));
            done = std::max(done, keys.end);
        }
        if (done < range.end)
            use(done, range.end);
    }

    /// Scores of keys [firstKey, firstKey + out.size()), masked ones too.
    void scores(Index firstKey, std::span<double> out);
    /// The step that leads to @p stage (Scaled to Tempered), in place; nothing where the spec does not have it.
    void apply(Stage stage, Index firstKey, std::span<double> cells);
    /// scores() and all steps up to @p stage, Tempered at most.
    void compute(Stage stage, Index firstKey, std::span<double> out);

    struct Normalizer {
        double max;
        double sum;
        double logSumExp;
    };
    /// What lies between scores and weights.
    struct Exponentials {
        double max; ///< Largest visible score; -inf where there is none.
        double reference; ///< What was taken from every score: max, with softmax1 at least 0.
        double one; ///< With softmax1 exp(-reference), else 0.
        double sum; ///< one + Σ exponentials; 0 where there is no visible score above -inf, NaN where one has no softmax.
    };
    /// Turns the tempered scores of all keys into exp(score - reference) in place; masked ones become 0, whatever was there.
    Exponentials exponentials(std::span<double> cells) const;
    /// Turns those into weights.
    void normalize(const Exponentials &found, std::span<double> cells) const;
    /// Weights of keys [firstKey, firstKey + out.size()) where the exponentials() of the row are known: the bits that the whole row would give.
    void weights(const Exponentials &found, Index firstKey, std::span<double> out);
    /// Both: tempered scores to weights.
    Normalizer normalize(std::span<double> cells) const;
    /// compute() of the visible keys and normalize(): the weights of all keys.
    Normalizer weights(std::span<double> out);
    /// Σ weight · v over the visible keys; out has d_v numbers.
    void output(std::span<const double> weights, std::span<double> out);

private:
    /// Of the row with one key, which may be overwritten.
    [[nodiscard]] double score(std::span<double> key) const;

    const HeadOperands &m_operands;
    Index m_row = 0;
    std::vector<Range> m_visible;
    std::vector<double> m_query;
    std::vector<double> m_buffer;
    std::vector<double> m_scoreVector; ///< v of the additive and concat scores.
};

/// Whether a mechanism has the step that leads to @p stage, for the stages before the mask.
[[nodiscard]] bool hasStep(const AttentionSpec &spec, Stage stage);

/// ‖v‖ of keys [firstKey, firstKey + out.size()), with W_o known ‖v W_O‖.
void valueNorms(const HeadOperands &operands, Index firstKey, std::span<double> out);

/// -Σ w ln w, 0 ln 0 = 0.
[[nodiscard]] double entropyOf(std::span<const double> weights);

} // namespace attenscope
