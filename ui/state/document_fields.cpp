// SPDX-License-Identifier: GPL-3.0-or-later
// Document: the shown head, and the maps of what is ready.
#include "state/document.h"

#include "state/field_cache.h"

#include <algorithm>

namespace attenscope {

HeadRef Document::head() const
{
    return clamped(m_session.view.head, *m_input, m_result->spec);
}

const AttentionBlock &Document::block() const
{
    return m_input->blocks[static_cast<std::size_t>(head().block)];
}

const AttentionBlock &Document::wholeBlock() const
{
    return m_wholeInput->blocks[static_cast<std::size_t>(head().block)];
}

Stage Document::stage() const
{
    const std::vector<Stage> stages = stagesOf(block(), m_result->spec);
    const bool isThere = std::find(stages.begin(), stages.end(), m_session.view.stage) != stages.end();
    return isThere ? m_session.view.stage : Stage::Weights;
}

MapFieldPtr Document::field(Side side) const
{
    return fieldOf(side, head(), m_session.view.headsShown, stage());
}

MapFieldPtr Document::weights(Side side) const
{
    return fieldOf(side, head(), m_session.view.headsShown, Stage::Weights);
}

MapFieldPtr Document::headField(const HeadRef &head, Side side) const
{
    return fieldOf(side, head, HeadsShown::Single, stage());
}

MapFieldPtr Document::fieldOf(Side side, const HeadRef &head, HeadsShown shown, Stage stage) const
{
    if (side == Side::Difference) {
        const MapFieldPtr first = fieldOf(Side::Main, head, shown, stage);
        const MapFieldPtr second = fieldOf(Side::Comparison, head, shown, stage);
        const bool isComparable = first && second && first->rows() == second->rows() && first->cols() == second->cols();
        return isComparable ? m_fields->difference(first, second) : nullptr;
    }
    const auto heads = shownHeads(side, head, shown);
    if (!heads.empty())
        return m_fields->field(heads, shown, stage);
    const auto estimate = std::find_if(
        m_previews.begin(), m_previews.end(), [&](const HeadPreview &preview) { return preview.side == side && preview.head == head; });
    return stage == Stage::Weights && shown == HeadsShown::Single && estimate != m_previews.end() ? estimate->weights : nullptr;
}

std::vector<std::shared_ptr<const HeadResult>> Document::shownHeads(Side side, const HeadRef &head, HeadsShown shown) const
{
    const auto &result = side == Side::Main ? m_result : m_comparisonResult;
    if (!result)
        return {};
    // The other mechanism may have fewer heads.
    const HeadRef existing = clamped(head, *m_input, result->spec);
    const bool isSingle = shown == HeadsShown::Single;
    const int first = isSingle ? existing.head : 0;
    const int end = isSingle ? first + 1 : headCount(m_input->blocks[static_cast<std::size_t>(existing.block)], result->spec);
    std::vector<std::shared_ptr<const HeadResult>> heads;
    for (int position = first; position < end; ++position) {
        auto ready = result->find({ existing.block, existing.layer, position, existing.element });
        if (!ready)
            return {};
        heads.push_back(std::move(ready));
    }
    return heads;
}

} // namespace attenscope
