// SPDX-License-Identifier: GPL-3.0-or-later
// The words for recorded, untrained, masked and reduced weights.
#include "views/origin.h"

#include "session/name_notes.h"
#include "session/token_groups.h"
#include "views/map/map_content.h"

namespace attenscope {

QString mechanismWords(const Document &document)
{
    const AttentionBlock &whole = document.wholeBlock();
    const AttentionSpec &spec = wholeSpec(document.block(), document.result()->spec);
    if (const auto other = document.comparisonResult())
        return mechanismTitles(spec, wholeSpec(other->input->blocks[static_cast<std::size_t>(document.head().block)], other->spec), whole)
            .first.title.toLower();
    return whole.hasWeightsOnly() ? QObject::tr("recorded") : QString::fromStdString(maskName(spec.mask));
}

QString sideNote(const Document &document)
{
    return QObject::tr("one side of the comparison: %1; map and lines show both").arg(mechanismWords(document));
}

QStringList originNotes(const Document &document)
{
    const AttentionBlock &block = document.block();
    QStringList notes;
    if (block.isUntrained)
        notes.push_back(QObject::tr("untrained, random weights"));
    if (document.wholeBlock().hasWeightsOnly() && wholeSpec(block, document.result()->spec).mask.rule != MaskRule::None)
        notes.push_back(QObject::tr("keys hidden: kept weights ÷ their sum; deeper layers would have changed"));
    for (const std::string &note : nameNotes(document.session().source, document.wholeBlock()))
        notes.push_back(QString::fromStdString(note));
    if (block.isReduced())
        notes.push_back(QString::fromStdString(reductionWords(block, document.head().block)));
    return notes;
}

} // namespace attenscope
