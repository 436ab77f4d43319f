// SPDX-License-Identifier: GPL-3.0-or-later
// Finding a field by the heads it is made of, and forgetting those of old results.
#include "state/field_cache.h"

#include <algorithm>

namespace attenscope {

MapFieldPtr FieldCache::field(const Heads &heads, HeadsShown shown, Stage stage)
{
    const auto known = std::find_if(m_combined.begin(), m_combined.end(),
        [&](const Combined &one) { return one.stage == stage && one.shown == shown && one.heads == heads; });
    if (known != m_combined.end())
        return known->field;
    std::vector<MapFieldPtr> parts;
    for (const auto &head : heads) {
        parts.push_back(head->field(stage));
        if (!parts.back())
            return nullptr;
    }
    MapFieldPtr made = shown == HeadsShown::Single
        ? parts.front()
        : headsField(std::move(parts), shown == HeadsShown::Mean ? HeadsCombination::Mean : HeadsCombination::Max);
    m_combined.push_back({ heads, shown, stage, made });
    return made;
}

MapFieldPtr FieldCache::difference(const MapFieldPtr &first, const MapFieldPtr &second)
{
    const auto known = std::find_if(
        m_differences.begin(), m_differences.end(), [&](const Difference &one) { return one.first == first && one.second == second; });
    if (known != m_differences.end())
        return known->field;
    m_differences.push_back({ first, second, differenceField(first, second) });
    return m_differences.back().field;
}

void FieldCache::keepOnly(const std::shared_ptr<const AttentionResult> &first, const std::shared_ptr<const AttentionResult> &second)
{
    const auto isCurrent = [&](const std::shared_ptr<const HeadResult> &head) {
        return (first && first->find(head->ref) == head) || (second && second->find(head->ref) == head);
    };
    std::erase_if(m_combined, [&](const Combined &one) { return !std::all_of(one.heads.begin(), one.heads.end(), isCurrent); });
    const auto isKept = [&](const MapFieldPtr &field) {
        return std::any_of(m_combined.begin(), m_combined.end(), [&](const Combined &one) { return one.field == field; });
    };
    std::erase_if(m_differences, [&](const Difference &one) { return !isKept(one.first) || !isKept(one.second); });
}

} // namespace attenscope
