// SPDX-License-Identifier: GPL-3.0-or-later
// ReadoutTerm: the arithmetic of one cell in words and numbers, without any drawing.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QString>

#include <array>
#include <memory>
#include <vector>

namespace attenscope {

/// One number (or word) of the strip with the label above it.
struct ReadoutTerm {
    enum class Look { Plain, Bold, Result };
    /// What a narrow strip does without, first things first.
    enum class Narrow { Keep, DropPattern, DropExponential, DropScore, DropShare };

    QString op; ///< "÷", "=": stands before the value; empty: none.
    QString label;
    QString value;
    QString note; ///< Small, after the value: "largest of 8".
    QString copied; ///< The value with full precision; empty: there is nothing to copy.
    QString shortLabel; ///< Where the strip is narrow; empty: label.
    QString shortOp; ///< Instead of op where the term before has been left out.
    Look look = Look::Plain;
    Narrow narrow = Narrow::Keep;
    bool isOfRow = false; ///< Speaks of the whole row, not of the cell.
};

/// Makes the terms of a cell; remembers the rows explained last, so that moving along a row is free. GUI thread only.
class ReadoutArithmetic {
public:
    /// The first term names the cell. Empty if @p cell lies outside the map.
    [[nodiscard]] std::vector<ReadoutTerm> terms(const Document &document, const CellRef &cell);

private:
    using Terms = std::vector<ReadoutTerm>;
    struct ExplainedRow {
        std::shared_ptr<const HeadOperands> operands;
        Index row = -1;
        Explanation stages;
    };

    [[nodiscard]] const Explanation *explained(Side side, const std::shared_ptr<const HeadOperands> &operands, Index row);
    void addComputed(Terms &terms, const Document &document, const HeadResult &head, const CellRef &cell);
    /// Running maximum, factor and sum after the tile of the cell, and the weight then.
    void addFlash(Terms &terms, const Document &document, const HeadResult &head, const CellRef &cell);
    void addCompared(Terms &terms, const Document &document, const HeadResult &first, const HeadResult &second, const CellRef &cell);
    void addOutput(Terms &terms, const Document &document, const HeadResult &head, const CellRef &cell);
    static void addRow(Terms &terms, const Document &document, Index row);

    std::array<ExplainedRow, 2> m_rows; ///< Main and comparison.
};

} // namespace attenscope
