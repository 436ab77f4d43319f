// SPDX-License-Identifier: GPL-3.0-or-later
// MapField: one map of any stage, readable at any zoom without existing in memory.
#pragma once

#include "attention/cell.h"
#include "attention/explain.h"
#include "core/run.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attenscope {

class CellTiles;

/// What the columns of a map are.
enum class Columns { Keys, Dimensions };

/// Rectangle of cells: rows x cols.
struct CellRect {
    Range rows;
    Range cols;

    friend bool operator==(const CellRect &, const CellRect &) = default;
};

/// One map: rows are queries; columns are keys, or dimensions for the output. Immutable and thread-safe.
/// Two ways to read: row() gives exact numbers (explain, double; the file's own for recorded maps), read() gives colours (float, folded).
class MapField {
public:
    MapField() = default;
    MapField(const MapField &) = delete;
    MapField &operator=(const MapField &) = delete;
    virtual ~MapField() = default;

    [[nodiscard]] virtual Index rows() const = 0;
    [[nodiscard]] virtual Index cols() const = 0;
    [[nodiscard]] virtual Columns columns() const { return Columns::Keys; }
    /// How cells of this field fold unless the caller chooses.
    [[nodiscard]] virtual Fold fold() const { return Fold::Max; }

    /// Exact cells of row @p row from column @p firstCol on: a number, NaN, cell::masked() or cell::absent().
    virtual void row(Index row, Index firstCol, std::span<double> out) const = 0;
    [[nodiscard]] double at(Index row, Index col) const;

    /// Cells of @p cells folded by 2^level: result(r, c) folds rows [cells.rows.first + r·2^level, …) and so on; the last ones may be
    /// cut by the edge of @p cells. level 0 is the cells themselves. @p out is resized. False if stopped. The default folds row().
    virtual bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run = {}) const;
    /// The cells of @p cells as they are before folding, for reading in passing and for fields that are made of this one; refers to the field. Null if
    /// stopped. The default asks read(), which must be another than one that asks tiles().
    [[nodiscard]] virtual std::unique_ptr<const CellTiles> tiles(const CellRect &cells, const Run &run = {}) const;

    /// Whether read() is cheap enough for the window's own thread at this size (data at hand, no computing over keys).
    [[nodiscard]] virtual bool isAtHand() const { return false; }
    /// From this level on read() with @p fold only folds numbers that have been computed before, one per cell of this level. Nothing: at no level.
    [[nodiscard]] virtual std::optional<int> levelAtHand(Fold) const { return std::nullopt; }
    /// Whether what read() gives at this level is an estimate, which must be marked as one.
    [[nodiscard]] virtual bool isEstimate(int) const { return false; }
};

using MapFieldPtr = std::shared_ptr<const MapField>;

/// A stage of a computed head. @p logSumExp (from stream, one per row) speeds up weights; without it rows are normalised as they are read.
[[nodiscard]] MapFieldPtr computedField(std::shared_ptr<const HeadOperands> operands, Stage stage, VectorF logSumExp = {});

/// Weights from a file under a mask: hidden keys are masked and the kept weights of the row divided by their sum, which is exact for
/// softmax weights within the layer. A row that loses no weight (a full mask, hidden weights all 0) keeps the numbers of the file; one
/// that loses all of it is 0. @p rowLengths as in RecordedData.
[[nodiscard]] MapFieldPtr recordedField(SharedMatrix weights, std::vector<Index> rowLengths, Mask mask);

/// @p weights with tokens left out or merged: row i is the mean of the rows @p queries[i], cell j of it the sum of the cells @p keys[j], where
/// masked and absent cells count as 0 unless all are. @p renormalizes: every row is then divided by the sum of what is left; a row
/// without weight stays 0.
[[nodiscard]] MapFieldPtr reducedField(MapFieldPtr weights, std::vector<Range> queries, std::vector<Range> keys, bool renormalizes);

/// A matrix in memory, float or double: overviews, tests, outputs.
[[nodiscard]] MapFieldPtr matrixField(Matrix cells, Columns columns = Columns::Keys);

/// @p exact with colours from cells that have been computed before, folded @p pool x @p pool as its fold() says (for pool 1 the cells themselves);
/// closer zooms and other folds read @p exact.
[[nodiscard]] MapFieldPtr preparedField(MapFieldPtr exact, std::shared_ptr<const MatrixF> cells, Index pool);

/// @p exact with colours from an estimate of it, folded @p pool x @p pool (see previewWeights()); closer zooms read @p exact.
[[nodiscard]] MapFieldPtr previewField(MapFieldPtr exact, std::shared_ptr<const MatrixF> cells, Index pool);

/// first - second, cell by cell before folding; a cell masked in both is masked, masked in one counts as 0 there.
[[nodiscard]] MapFieldPtr differenceField(MapFieldPtr first, MapFieldPtr second);

enum class HeadsCombination { Mean, Max };
/// Mean or maximum over heads, cell by cell before folding. All of one size. A cell is masked if it is masked in all; masked ones count as 0 in the mean.
[[nodiscard]] MapFieldPtr headsField(std::vector<MapFieldPtr> heads, HeadsCombination combination);

/// The recorded or computed field of a head at a stage; null where the head has no such stage (no values: no output).
/// Recorded blocks have Weights only, under spec.mask.
Result<MapFieldPtr> headField(const AttentionInput &input, const AttentionSpec &spec, const HeadRef &ref, Stage stage, const Run &run = {});

/// The stages that a block has under a spec, in order.
[[nodiscard]] std::vector<Stage> stagesOf(const AttentionBlock &block, const AttentionSpec &spec);

} // namespace attenscope
