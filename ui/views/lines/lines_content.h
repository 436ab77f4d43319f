// SPDX-License-Identifier: GPL-3.0-or-later
// LinesContent: what the lines between queries and keys are drawn of, as a value; made from a Document for the screen and for figures alike.
#pragma once

#include "state/document.h"
#include "state/field_cache.h"
#include "state/head_colors.h"
#include "state/selection.h"
#include "state/theme.h"

#include <QRectF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace attenscope {

/// First positions of the second of two sentences that are packed into one sequence.
struct SentenceBoundary {
    Index query = 0;
    Index key = 0;

    friend bool operator==(const SentenceBoundary &, const SentenceBoundary &) = default;
};

/// One head, or all heads of the layer combined.
struct LinesHead {
    HeadRef ref;
    QString name; ///< "4·0", "mean of heads".
    MapFieldPtr weights;

    friend bool operator==(const LinesHead &, const LinesHead &) = default;
};

struct LinesContent {
    std::shared_ptr<const AttentionInput> input; ///< Owns the tokens.
    std::vector<LinesHead> heads; ///< The picked one first; all of one block and batch element. Not empty.
    Side side = Side::Main; ///< While comparing; the difference is of the picked head alone, and its weights have signs.
    Range queries; ///< That are shown: all, or those of the zoom.
    Range keys;
    WeightFilter filter;
    SentencePairs pairs = SentencePairs::All;
    std::optional<SentenceBoundary> boundary; ///< Of pairs other than All.
    QString title; ///< Of a figure: "Example sentence — lines, head 3, causal".
    QString sideTitle; ///< While comparing: "Causal".
    QString sideSubtitle; ///< "query sees itself and earlier keys".
    QStringList notes; ///< "untrained, random weights".

    [[nodiscard]] const AttentionBlock &block() const { return input->blocks[static_cast<std::size_t>(heads.front().ref.block)]; }
    [[nodiscard]] Index rows() const { return heads.empty() ? 0 : heads.front().weights->rows(); }
    [[nodiscard]] Index cols() const { return heads.empty() ? 0 : heads.front().weights->cols(); }
    [[nodiscard]] bool isDifference() const { return side == Side::Difference; }
    /// Whether the chosen pairs of sentences have query @p row and key @p col.
    [[nodiscard]] bool hasPair(Index row, Index col) const;

    friend bool operator==(const LinesContent &, const LinesContent &) = default;
};

/// What @p document shows as lines, always weights, of all queries and keys; nothing while the picked head is not ready, and of other sides unless
/// mechanisms are compared. @p fields keeps the fields, so that equal contents are of equal fields.
[[nodiscard]] std::optional<LinesContent> linesContent(const Document &document, FieldCache &fields, Side side = Side::Main);
/// Leaves the queries and keys of @p visible (see Selection::visible()).
void zoomTo(LinesContent &content, const std::optional<QRectF> &visible);

/// "Example sentence — lines, head 3, causal", with @p what "lines".
[[nodiscard]] QString titleOf(const Document &document, const LinesContent &content, const QString &what);

/// Where the second sentence begins: the second document of a document mask, else what follows the first separator ([SEP], </s>, <sep>, one or
/// several in a row) that is not at the end. Nothing where either axis has one sentence.
[[nodiscard]] std::optional<SentenceBoundary> sentenceBoundary(const AttentionBlock &block, const MaskSpec &mask);

enum class TokenSide { Neither, Queries, Keys };

/// Queries or keys whose lines stand out and whose weights are at the ends of the lines.
struct LitTokens {
    TokenSide side = TokenSide::Neither;
    std::vector<Index> tokens; ///< Several: their weights are added.

    friend bool operator==(const LitTokens &, const LitTokens &) = default;
};
/// The hovered token, else the picked ones: queries before keys.
[[nodiscard]] LitTokens litTokens(const Selection &selection);

} // namespace attenscope
