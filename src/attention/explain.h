// SPDX-License-Identifier: GPL-3.0-or-later
// explain: double precision, every stage kept. Whatever number is shown, copied or exported for a computed input comes from here.
#pragma once

#include "attention/operands.h"

namespace attenscope {

/// What attention looks like after each step. The order is the order of the computation.
enum class Stage { Scores, Scaled, Capped, Biased, Tempered, Masked, Weights, ValueWeighted, Output };

/// Rows [rows) of one head, every stage. A matrix of a stage that the spec does not have is 0 x 0.
/// Scores of masked cells are there (what they would be); only `masked` has -inf. NaN or +inf in a visible score make weights and
/// output of the row NaN. A row that may attend to nothing has weights and output 0 and logSumExp and rowMax -inf.
struct Explanation {
    Range rows;
    Matrix scores; ///< Rows x keys. Linear attention: log φ(q)·φ(k).
    Matrix scaled; ///< scores · scale.
    Matrix capped; ///< With a soft cap.
    Matrix biased; ///< With a bias or ALiBi.
    Matrix tempered; ///< With a temperature other than 1.
    Matrix masked; ///< -inf where masked.
    Matrix weights; ///< Rows x keys.
    Vector rowMax; ///< Largest masked score of each row.
    Vector rowSum; ///< Σ exp(masked - rowMax) over the visible keys; with softmax1 plus exp(-rowMax).
    Vector logSumExp; ///< The normaliser: weight = exp(masked - logSumExp).
    Vector entropy; ///< -Σ w ln w in nats, 0 ln 0 = 0.
    Matrix output; ///< Rows x d_v; 0 x 0 without values.
};

/// Computes rows [rows) of a head. Memory: about 10 · rows · keys doubles, checked first. Errors: memory, cancelled.
Result<Explanation> explain(const HeadOperands &operands, Range rows, const Run &run = {});

/// Row @p row at one stage, keys [firstCol, firstCol + out.size()) (dimensions for Output), by the same arithmetic. ValueWeighted is
/// weight · ‖v‖, with W_o known ‖v W_o‖ (Kobayashi et al. 2020, arXiv:2004.10102). Masked cells of Masked and later are cell::masked().
void explainRow(const HeadOperands &operands, Stage stage, Index row, Index firstCol, std::span<double> out);

/// Concatenation and output projection of a layer: all heads side by side, then W_o, b_o.
struct LayerExplanation {
    Matrix concat; ///< Queries x (heads · d_v).
    Matrix output; ///< Queries x d_out; 0 x 0 without W_o.
};
/// @p headOutputs in head order. For embedded data only; @p block has the projections.
[[nodiscard]] LayerExplanation explainLayer(const AttentionBlock &block, int layer, const std::vector<Matrix> &headOutputs);

/// State of flash attention after a key block. Dao 2023, arXiv:2307.08691: acc is not divided by l.
struct FlashState {
    Vector m; ///< Running maximum per row.
    Vector l; ///< Running sum of exp(score - m).
    Matrix acc; ///< Rows x d_v.
};
/// The whole walk: one state per key block; blocks that the mask hides from every row of a query block are counted and skipped.
struct FlashExplanation {
    std::vector<FlashState> blocks;
    Matrix output;
    Vector logSumExp;
    Index visitedTiles = 0;
    Index skippedTiles = 0;
};
Result<FlashExplanation> explainFlash(const HeadOperands &operands, const Run &run = {});

/// What linear attention keeps instead of a map, over the first @p keys keys: S = Σ φ(k) vᵀ (d_k x d_v) and z = Σ φ(k), so that
/// output = φ(q)ᵀS / φ(q)ᵀz. Causal: row i uses the state after key i. Katharopoulos et al. 2020, arXiv:2006.16236.
struct LinearState {
    Matrix s;
    Vector z;
};
[[nodiscard]] LinearState linearState(const HeadOperands &operands, Index keys);

/// softmax of one row of finite or -inf scores: the plain formula, for tests and small uses. All -inf: zeros.
[[nodiscard]] Vector softmax(const Vector &scores, double *logSumExp = nullptr);

/// Elements of a key/value cache: 2 · layers · kvHeads · dHead · n · batch. Ainslie et al. 2023, arXiv:2305.13245.
[[nodiscard]] double kvCacheElements(double layers, double kvHeads, double dHead, double n, double batch);

} // namespace attenscope
