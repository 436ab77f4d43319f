// SPDX-License-Identifier: GPL-3.0-or-later
// VectorsContent: the vectors behind one row of scores, in the order in which they are shown, and the words about them.
#pragma once

#include "attention/score_terms.h"
#include "state/color_map.h"
#include "state/document.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace attenscope {

/// What the vectors of a score function are called, and how its terms read.
struct VectorNames {
    QString query; ///< "q", "q W", "φ(q)"
    QString key;
    QString term; ///< "q × k", "v tanh(query side + key side)"
    QString unit; ///< "dimension", "unit"
};
[[nodiscard]] VectorNames vectorNames(const AttentionSpec &spec);

/// One query and every key. Immutable once made; the numbers are those of its ScoreTerms.
struct VectorsContent {
    std::shared_ptr<const AttentionInput> input;
    HeadRef head;
    std::shared_ptr<const ScoreTerms> terms;
    std::vector<Index> keys; ///< From top to bottom; with a zoom those that are shown.
    std::vector<Index> units; ///< From left to right in every strip of units.
    Index orderedBy = -1; ///< The key whose terms order the units; -1: they are in order.
    ColorMap colors; ///< One scale for every strip, symmetric about zero.
    VectorNames names;
    QStringList
        notes; ///< What must be known: which K/V head, after RoPE, how many keys are masked and by what, the order of units, untrained.

    [[nodiscard]] const AttentionBlock &block() const { return input->blocks[static_cast<std::size_t>(head.block)]; }
    [[nodiscard]] const AttentionSpec &spec() const { return terms->operands->spec; }
    [[nodiscard]] bool isVisible(Index key) const { return terms->visible[static_cast<std::size_t>(key)]; }
    /// The row in which a key is shown.
    [[nodiscard]] Index placeOf(Index key) const;
};

/// @p picked is the key that the order of units is for; without one, or where it is masked, the key of the largest weight.
[[nodiscard]] VectorsContent vectorsContent(std::shared_ptr<const AttentionInput> input, const HeadRef &head,
    std::shared_ptr<const ScoreTerms> terms, const ViewState &view, std::optional<Index> picked);

/// The steps from score to weight that the mechanism has.
[[nodiscard]] std::vector<Stage> scoreStages(const ScoreTerms &terms);
/// The number of @p key at one of them.
[[nodiscard]] double stageNumber(const ScoreTerms &terms, Stage stage, Index key);

/// "key 3 cat · dimension 12: q 0.3412 × k −1.2000 = −0.4094"
[[nodiscard]] QString termSentence(const VectorsContent &content, Index key, Index unit);
/// "query 4 it · dimension 12: q 0.3412"
[[nodiscard]] QString querySentence(const VectorsContent &content, Index unit);
/// "key 3 cat · value dimension 5: weight 0.2500 × v 0.1234 = 0.0309"
[[nodiscard]] QString valueSentence(const VectorsContent &content, Index key, Index dimension);
/// "query 4 it → key 3 cat: q · k, sum of 8 products = 1.2345 · scaled score 0.4365 · weight 0.1234", or why it is masked.
[[nodiscard]] QString keySentence(const VectorsContent &content, Index key);
/// Why there are no vectors to show for the head of @p document, in one line; empty where there are, or will be.
[[nodiscard]] QString reasonForNoVectors(const Document &document);

} // namespace attenscope
