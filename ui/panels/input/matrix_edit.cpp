// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of typed matrices.
#include "panels/input/matrix_edit.h"

#include "attention/operands.h"
#include "core/random.h"

#include <algorithm>
#include <functional>

namespace attenscope {

namespace {

/// For a const source and for one that is being changed.
template <typename SourceType>
auto &tableIn(SourceType &source, MatrixTable table, int head)
{
    if (table <= MatrixTable::V) {
        auto &own = source.heads.at(static_cast<std::size_t>(head));
        return table == MatrixTable::Q ? own.q : table == MatrixTable::K ? own.k : own.v;
    }
    auto &projections = source.projections;
    switch (table) {
    case MatrixTable::X:
        return source.x;
    case MatrixTable::Y:
        return source.y;
    case MatrixTable::Wq:
        return projections.wq;
    case MatrixTable::Wk:
        return projections.wk;
    case MatrixTable::Wv:
        return projections.wv;
    case MatrixTable::Wo:
        return projections.wo;
    case MatrixTable::Bq:
        return projections.bq;
    case MatrixTable::Bk:
        return projections.bk;
    case MatrixTable::Bv:
        return projections.bv;
    default:
        return projections.bo;
    }
}

bool isPerHead(MatrixTable table)
{
    return table <= MatrixTable::V;
}

using Change = std::function<SharedMatrix(const SharedMatrix &)>;

/// The same table of every head that has as many rows (or columns) as this one.
void changeInHeads(MatricesSource &source, MatrixTable table, int head, bool byRows, const Change &change)
{
    if (!isPerHead(table)) {
        SharedMatrix &only = tableIn(source, table, head);
        only = change(only);
        return;
    }
    const SharedMatrix &own = matrixOf(source, table, head);
    const Index size = byRows ? own.rows() : own.cols();
    for (int other = 0; other < static_cast<int>(source.heads.size()); ++other) {
        SharedMatrix &matrix = tableIn(source, table, other);
        if (!matrix.isEmpty() && (byRows ? matrix.rows() : matrix.cols()) == size)
            matrix = change(matrix);
    }
}

/// Rows of tokens: the table and its partner over the same tokens.
void changeRows(MatricesSource &source, MatrixTable table, int head, const Change &change)
{
    const Index rows = matrixOf(source, table, head).rows();
    if (table == MatrixTable::K || table == MatrixTable::V) {
        const MatrixTable partner = table == MatrixTable::K ? MatrixTable::V : MatrixTable::K;
        if (matrixOf(source, partner, head).rows() == rows)
            changeInHeads(source, partner, head, true, change);
    }
    changeInHeads(source, table, head, true, change);
}

Index queryCount(const MatricesSource &source)
{
    if (source.form == MatrixForm::Embedded)
        return source.x.rows();
    return source.heads.empty() ? 0 : source.heads.front().q.rows();
}

Index keyCount(const MatricesSource &source)
{
    if (source.form == MatrixForm::Embedded)
        return source.y.isEmpty() ? source.x.rows() : source.y.rows();
    return source.heads.empty() ? 0 : source.heads.front().k.rows();
}

bool sharesNames(const MatricesSource &source)
{
    return source.keyTokens.empty() && queryCount(source) == keyCount(source);
}

/// The names of the table's rows, made long enough to change them, keys with a list of their own where they will differ from the queries.
std::vector<std::string> *namesToChange(MatricesSource &source, MatrixTable table, int head)
{
    if (!hasQueryRows(table) && !hasKeyRows(table))
        return nullptr;
    const bool isSelf = table == MatrixTable::X && source.y.isEmpty();
    if (!isSelf && sharesNames(source) && !source.queryTokens.empty()) {
        source.keyTokens = source.queryTokens;
        source.keyTokens.resize(static_cast<std::size_t>(keyCount(source)));
    }
    std::vector<std::string> &names = hasQueryRows(table) ? source.queryTokens : source.keyTokens;
    if (names.empty())
        return &names;
    names.resize(static_cast<std::size_t>(matrixOf(source, table, head).rows()));
    return &names;
}

} // namespace

const SharedMatrix &matrixOf(const MatricesSource &source, MatrixTable table, int head)
{
    return tableIn(source, table, head);
}

MatrixTable tableOf(SpecPart part)
{
    switch (part) {
    case SpecPart::K:
        return MatrixTable::K;
    case SpecPart::V:
        return MatrixTable::V;
    case SpecPart::X:
        return MatrixTable::X;
    case SpecPart::Y:
        return MatrixTable::Y;
    case SpecPart::Wq:
        return MatrixTable::Wq;
    case SpecPart::Wk:
        return MatrixTable::Wk;
    case SpecPart::Wv:
        return MatrixTable::Wv;
    case SpecPart::Wo:
        return MatrixTable::Wo;
    case SpecPart::Biases:
        return MatrixTable::Bq;
    default:
        return MatrixTable::Q;
    }
}

bool hasQueryRows(MatrixTable table)
{
    return table == MatrixTable::Q || table == MatrixTable::X;
}

bool hasKeyRows(MatrixTable table)
{
    return table == MatrixTable::K || table == MatrixTable::V || table == MatrixTable::Y;
}

MatricesSource withMatrix(MatricesSource source, MatrixTable table, int head, const SharedMatrix &matrix)
{
    tableIn(source, table, head) = matrix;
    if (!isPerHead(table))
        return source;
    for (int other = 0; other < static_cast<int>(source.heads.size()); ++other) {
        SharedMatrix &same = tableIn(source, table, other);
        if (same.rows() != matrix.rows() || same.cols() != matrix.cols())
            same = resized(same, matrix.rows(), matrix.cols());
    }
    return source;
}

MatricesSource withRowsInserted(MatricesSource source, MatrixTable table, int head, Index before, Index count)
{
    if (std::vector<std::string> *names = namesToChange(source, table, head); names && !names->empty())
        names->insert(names->begin() + before, static_cast<std::size_t>(count), std::string());
    changeRows(source, table, head, [&](const SharedMatrix &matrix) { return matrix.withRowsInserted(before, count); });
    return source;
}

MatricesSource withRowsRemoved(MatricesSource source, MatrixTable table, int head, Index first, Index count)
{
    if (count >= matrixOf(source, table, head).rows())
        return source;
    if (std::vector<std::string> *names = namesToChange(source, table, head); names && !names->empty())
        names->erase(names->begin() + first, names->begin() + first + count);
    changeRows(source, table, head, [&](const SharedMatrix &matrix) { return matrix.withRowsRemoved(first, count); });
    return source;
}

MatricesSource withRowMoved(MatricesSource source, MatrixTable table, int head, Index from, Index to)
{
    if (std::vector<std::string> *names = namesToChange(source, table, head); names && !names->empty()) {
        std::string moved = std::move((*names)[static_cast<std::size_t>(from)]);
        names->erase(names->begin() + from);
        names->insert(names->begin() + to, std::move(moved));
    }
    changeRows(source, table, head, [&](const SharedMatrix &matrix) { return matrix.withRowMoved(from, to); });
    return source;
}

MatricesSource withColsInserted(MatricesSource source, MatrixTable table, int head, Index before, Index count)
{
    changeInHeads(source, table, head, false, [&](const SharedMatrix &matrix) { return matrix.withColsInserted(before, count); });
    return source;
}

MatricesSource withColsRemoved(MatricesSource source, MatrixTable table, int head, Index first, Index count)
{
    if (count >= matrixOf(source, table, head).cols())
        return source;
    changeInHeads(source, table, head, false, [&](const SharedMatrix &matrix) { return matrix.withColsRemoved(first, count); });
    return source;
}

MatricesSource withColMoved(MatricesSource source, MatrixTable table, int head, Index from, Index to)
{
    SharedMatrix &matrix = tableIn(source, table, head);
    matrix = matrix.withColMoved(from, to);
    return source;
}

std::vector<std::string> rowNames(const MatricesSource &source, MatrixTable table, int head)
{
    if (hasQueryRows(table))
        return source.queryTokens;
    if (!hasKeyRows(table))
        return {};
    if (!source.keyTokens.empty())
        return source.keyTokens;
    const bool hasAsMany = matrixOf(source, table, head).rows() == queryCount(source);
    return hasAsMany ? source.queryTokens : std::vector<std::string>();
}

MatricesSource withRowName(MatricesSource source, MatrixTable table, int head, Index row, const std::string &name)
{
    const auto rows = static_cast<std::size_t>(matrixOf(source, table, head).rows());
    if (hasQueryRows(table)) {
        source.queryTokens.resize(rows);
        source.queryTokens[static_cast<std::size_t>(row)] = name;
    } else if (hasKeyRows(table)) {
        source.keyTokens = rowNames(source, table, head);
        source.keyTokens.resize(rows);
        source.keyTokens[static_cast<std::size_t>(row)] = name;
    }
    return source;
}

MatricesSource withHeadAdded(MatricesSource source)
{
    if (!source.heads.empty())
        source.heads.push_back(source.heads.back());
    return source;
}

MatricesSource withHeadRemoved(MatricesSource source, int head)
{
    if (source.heads.size() > 1)
        source.heads.erase(source.heads.begin() + head);
    return source;
}

MatricesSource withPasted(MatricesSource source, MatrixTable table, int head, Index row, Index col, const PastedMatrices &pasted)
{
    const std::size_t count = isPerHead(table) ? pasted.matrices.size() : 1;
    for (std::size_t place = 0; place < count; ++place) {
        const int target = head + static_cast<int>(place);
        if (isPerHead(table) && target >= static_cast<int>(source.heads.size()))
            source = withHeadAdded(std::move(source));
        const SharedMatrix next = matrixOf(source, table, target).withPasted(row, col, pasted.matrices[place]);
        source = withMatrix(std::move(source), table, target, next);
    }
    return source;
}

MatricesSource withReplaced(MatricesSource source, MatrixTable table, int head, const PastedMatrices &pasted)
{
    const bool isForAllHeads = isPerHead(table) && pasted.matrices.size() > 1;
    const std::size_t count = isForAllHeads ? pasted.matrices.size() : 1;
    for (std::size_t place = 0; place < count; ++place) {
        const int target = isForAllHeads ? static_cast<int>(place) : head;
        if (isPerHead(table) && target >= static_cast<int>(source.heads.size()))
            source = withHeadAdded(std::move(source));
        source = withMatrix(std::move(source), table, target, SharedMatrix(pasted.matrices[place]));
    }
    if (pasted.rowNames.empty())
        return source;
    if (hasQueryRows(table))
        source.queryTokens = pasted.rowNames;
    else if (hasKeyRows(table) && pasted.rowNames != rowNames(source, table, head))
        source.keyTokens = pasted.rowNames;
    return source;
}

Matrix filled(Fill fill, Index rows, Index cols, std::uint64_t seed)
{
    switch (fill) {
    case Fill::Normal:
        return Random(seed).normalMatrix(rows, cols);
    case Fill::Identity:
        return Matrix::Identity(rows, cols);
    case Fill::OneHot: {
        Matrix matrix = Matrix::Zero(rows, cols);
        for (Index row = 0; row < rows; ++row)
            matrix(row, row % cols) = 1.0;
        return matrix;
    }
    case Fill::Zeros:
        break;
    }
    return Matrix::Zero(rows, cols);
}

SharedMatrix resized(const SharedMatrix &matrix, Index rows, Index cols)
{
    Matrix next = Matrix::Zero(rows, cols);
    const Index keptRows = std::min(rows, matrix.rows());
    const Index keptCols = std::min(cols, matrix.cols());
    if (!matrix.isEmpty())
        next.topLeftCorner(keptRows, keptCols) = matrix.toMatrix().topLeftCorner(keptRows, keptCols);
    return SharedMatrix(next);
}

MatricesSource emptyMatrices()
{
    const SharedMatrix zeros(Matrix(Matrix::Zero(3, 4)));
    MatricesSource source;
    source.heads.push_back({ .q = zeros, .k = zeros, .v = zeros });
    return source;
}

Result<MatricesSource> matricesOf(const AttentionBlock &block, const AttentionSpec &spec, int element)
{
    MatricesSource source;
    if (block.hasWeightsOnly())
        return Error{ .what = "The file holds weights but no Q and K.", .where = {}, .remedy = {}, .path = {}, .isCancelled = false };
    const int heads = headCount(block, spec);
    for (int head = 0; head < heads; ++head) {
        const auto operands = headOperands(block, spec, { .block = 0, .layer = 0, .head = head, .element = element });
        if (!operands)
            return operands.error();
        // Copied, so that an edit can change one block of rows and no file stays open for it.
        source.heads.push_back({ .q = SharedMatrix((*operands)->q.toMatrix()),
            .k = SharedMatrix((*operands)->k.toMatrix()),
            .v = (*operands)->v.isEmpty() ? SharedMatrix() : SharedMatrix((*operands)->v.toMatrix()) });
    }
    if (const auto *embedded = std::get_if<EmbeddedData>(&block.data)) {
        const auto place = static_cast<std::size_t>(element);
        source.x = SharedMatrix(embedded->x.at(place).toMatrix());
        if (!embedded->y.empty())
            source.y = SharedMatrix(embedded->y.at(place).toMatrix());
        source.projections = embedded->layers.front();
    }
    source.queryTokens = block.queryTokens;
    if (block.keyTokens != block.queryTokens)
        source.keyTokens = block.keyTokens;
    return source;
}

MatricesSource withEmbedding(MatricesSource source)
{
    if (!source.x.isEmpty() && !source.projections.wq.isEmpty())
        return source;
    if (source.x.isEmpty())
        source.x = source.heads.empty() ? SharedMatrix(Matrix(Matrix::Zero(3, 4))) : source.heads.front().q;
    const Index width = source.x.cols();
    const SharedMatrix identity(Matrix(Matrix::Identity(width, width)));
    source.projections.wq = source.projections.wk = source.projections.wv = identity;
    return source;
}

} // namespace attenscope
