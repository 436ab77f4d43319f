// SPDX-License-Identifier: GPL-3.0-or-later
// The words and numbers that the terms of the readout are made of.
#pragma once

#include "attention/operands.h"
#include "attention/summary.h"
#include "views/readout_terms.h"

#include <QString>

#include <string>
#include <utility>
#include <vector>

namespace attenscope::readout {

/// Translates a text of the readout.
[[nodiscard]] QString text(const char *words);
/// The number with full precision, for copies and tooltips.
[[nodiscard]] QString exact(double number);
/// 26000 -> "26,000".
[[nodiscard]] QString counted(Index count);
/// "8 keys"
[[nodiscard]] QString keysText(Index count);
/// "largest of 8", "2nd of 3"
[[nodiscard]] QString rankText(Index rank, Index count);
/// A token as on the axes of maps, of at most 16 characters.
[[nodiscard]] QString tokenText(const std::vector<std::string> &tokens, Index position);
/// The query in row or the key in column @p shown of @p block; without a name its position in the whole input.
[[nodiscard]] QString queryText(const AttentionBlock &block, Index shown);
[[nodiscard]] QString keyText(const AttentionBlock &block, Index shown);
/// "12", "1,200": its position in the whole input, whatever is left out or merged.
[[nodiscard]] QString queryPosition(const AttentionBlock &block, Index shown);
[[nodiscard]] QString keyPosition(const AttentionBlock &block, Index shown);
/// "q · k, sum of 8 products", or what another score function computes.
[[nodiscard]] QString scoreLabel(const AttentionSpec &spec, Index d);
[[nodiscard]] QString shortScoreLabel(const AttentionSpec &spec);
/// What the two maps of a comparison are called, in lower case.
[[nodiscard]] std::pair<QString, QString> sideNames(const Document &document);
/// "mean weight of 4 heads": what the shown map has in its cells while heads are combined.
[[nodiscard]] QString combinedNoun(const Document &document);

[[nodiscard]] ReadoutTerm numberTerm(
    const QString &op, const QString &label, double number, int decimals, ReadoutTerm::Look look = ReadoutTerm::Look::Plain);
/// A cell of a map, with 4 decimals: masked and absent ones in words.
[[nodiscard]] ReadoutTerm cellTerm(const QString &op, const QString &label, double cell, ReadoutTerm::Look look);
/// "query 7 → key 1, head 3" over "it → cat"; only the row's or the column's part where the other is -1.
[[nodiscard]] ReadoutTerm placeTerm(const Document &document, const CellRef &cell, bool isOutput);
/// "mask: causal" over "visible" or "masked: causal".
[[nodiscard]] ReadoutTerm maskTerm(const AttentionBlock &block, const MaskSpec &mask, int element, const CellRef &cell);
/// NaN of a row with NaN, a dash of one that is no distribution.
[[nodiscard]] ReadoutTerm entropyTerm(RowKind kind, double entropy);
/// Stands in for what is still being computed.
[[nodiscard]] ReadoutTerm waitingTerm(const Document &document);
/// first − second = difference, and their ratio where it means something. A masked cell counts as 0.
void addDifference(std::vector<ReadoutTerm> &terms, const QString &firstLabel, double first, const QString &secondLabel, double second);

} // namespace attenscope::readout
