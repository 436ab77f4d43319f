// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of typed matrices as functions from one value to the next: rows, columns, heads, names, fills and pastes.
#pragma once

#include "io/pasted_text.h"
#include "session/source.h"

namespace attenscope {

/// One of the tables of a MatricesSource. Q, K and V exist once for each head.
enum class MatrixTable { Q, K, V, X, Y, Wq, Wk, Wv, Wo, Bq, Bk, Bv, Bo };

enum class Fill { Normal, Identity, OneHot, Zeros };

[[nodiscard]] const SharedMatrix &matrixOf(const MatricesSource &source, MatrixTable table, int head);
/// The table that an answer of the engine is about; biases all answer to Bq.
[[nodiscard]] MatrixTable tableOf(SpecPart part);
/// Rows are queries (Q, X) or keys (K, V, Y, and X where the keys are the same).
[[nodiscard]] bool hasQueryRows(MatrixTable table);
[[nodiscard]] bool hasKeyRows(MatrixTable table);

/// @p matrix in place of the table; where its shape is new, the same table of other heads takes it too (zeros at the ends), since heads share their shapes.
[[nodiscard]] MatricesSource withMatrix(MatricesSource source, MatrixTable table, int head, const SharedMatrix &matrix);

/// Rows of tokens are inserted, removed and moved for every head and, for keys, in K and V alike, with their names; elsewhere in the one table.
/// One row always stays.
[[nodiscard]] MatricesSource withRowsInserted(MatricesSource source, MatrixTable table, int head, Index before, Index count);
[[nodiscard]] MatricesSource withRowsRemoved(MatricesSource source, MatrixTable table, int head, Index first, Index count);
[[nodiscard]] MatricesSource withRowMoved(MatricesSource source, MatrixTable table, int head, Index from, Index to);
/// Columns are inserted and removed in the table of every head and moved in the one.
[[nodiscard]] MatricesSource withColsInserted(MatricesSource source, MatrixTable table, int head, Index before, Index count);
[[nodiscard]] MatricesSource withColsRemoved(MatricesSource source, MatrixTable table, int head, Index first, Index count);
[[nodiscard]] MatricesSource withColMoved(MatricesSource source, MatrixTable table, int head, Index from, Index to);

/// Names of the table's rows, shorter where the rest are shown as positions; empty for tables whose rows are no tokens.
[[nodiscard]] std::vector<std::string> rowNames(const MatricesSource &source, MatrixTable table, int head);
/// A key that shares its name with a query gets one of its own.
[[nodiscard]] MatricesSource withRowName(MatricesSource source, MatrixTable table, int head, Index row, const std::string &name);

/// A copy of the last head at the end.
[[nodiscard]] MatricesSource withHeadAdded(MatricesSource source);
[[nodiscard]] MatricesSource withHeadRemoved(MatricesSource source, int head);

/// Cells from (row, col) on, growing the table; several matrices go to this head and the following ones, which are added.
[[nodiscard]] MatricesSource withPasted(
    MatricesSource source, MatrixTable table, int head, Index row, Index col, const PastedMatrices &pasted);
/// The whole table (several matrices: of the heads from 0 on), with row names where the text has them.
[[nodiscard]] MatricesSource withReplaced(MatricesSource source, MatrixTable table, int head, const PastedMatrices &pasted);

/// Identity has ones on the diagonal; one-hot one 1 in each row, going round. @p seed is of Normal only.
[[nodiscard]] Matrix filled(Fill fill, Index rows, Index cols, std::uint64_t seed);
/// Cut or filled up with zeros.
[[nodiscard]] SharedMatrix resized(const SharedMatrix &matrix, Index rows, Index cols);

/// Three rows of four zeros for Q, K and V.
[[nodiscard]] MatricesSource emptyMatrices();
/// The block's heads (of its first layer) as typed matrices, and its embeddings and projections where it has them. Errors: recorded, memory.
Result<MatricesSource> matricesOf(const AttentionBlock &block, const AttentionSpec &spec, int element);
/// @p source with X and projections where it has none yet: X is the first head's Q, the projections are identities.
[[nodiscard]] MatricesSource withEmbedding(MatricesSource source);

} // namespace attenscope
