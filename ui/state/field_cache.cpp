// SPDX-License-Identifier: GPL-3.0-or-later
// Finding a field by what it is made of, and forgetting those of old results.
#include "state/field_cache.h"

#include <algorithm>

namespace attenscope {

namespace {

bool isEstimate(const MapField &field)
{
    const std::optional<int> level = field.levelAtHand(field.fold());
    return level && field.isEstimate(*level);
}

} // namespace

FieldCache::Made FieldCache::make(std::vector<MapFieldPtr> parts, const CombineFields &combine, bool isFoldedAlike)
{
    // Smaller maps are read before the eye has found an estimate.
    constexpr Index leastCells = Index{ 1 } << 20;
    Made made{ std::move(parts), {}, {} };
    made.exact = combine(made.parts);
    made.shown = made.exact;
    if (made.exact->rows() <= leastCells / std::max<Index>(made.exact->cols(), 1))
        return made;
    if (const auto overview = overviewOfParts(made.parts, combine)) {
        const bool isExact = isFoldedAlike
            && std::none_of(made.parts.begin(), made.parts.end(), [](const MapFieldPtr &part) { return isEstimate(*part); });
        made.shown = isExact ? preparedField(made.exact, overview->cells, overview->pool)
                             : previewField(made.exact, overview->cells, overview->pool);
    }
    return made;
}

MapFieldPtr FieldCache::field(const Heads &heads, HeadsShown shown, Stage stage)
{
    const auto known = std::find_if(m_combined.begin(), m_combined.end(),
        [&](const Combined &one) { return one.stage == stage && one.shown == shown && one.heads == heads; });
    if (known != m_combined.end())
        return known->made.shown;
    std::vector<MapFieldPtr> parts;
    for (const auto &head : heads) {
        parts.push_back(head->field(stage));
        if (!parts.back())
            return nullptr;
    }
    if (shown == HeadsShown::Single) {
        m_combined.push_back({ heads, shown, stage, { {}, parts.front(), parts.front() } });
        return parts.front();
    }
    const auto how = shown == HeadsShown::Mean ? HeadsCombination::Mean : HeadsCombination::Max;
    const auto combine = [how](const std::vector<MapFieldPtr> &fields) { return headsField(fields, how); };
    // The largest of the largest is the largest of all.
    m_combined.push_back({ heads, shown, stage, make(std::move(parts), combine, shown == HeadsShown::Max) });
    return m_combined.back().made.shown;
}

MapFieldPtr FieldCache::difference(const MapFieldPtr &first, const MapFieldPtr &second)
{
    const std::vector<MapFieldPtr> parts{ first, second };
    const auto known = std::find_if(m_differences.begin(), m_differences.end(), [&](const Made &one) { return one.parts == parts; });
    if (known != m_differences.end())
        return known->shown;
    const auto combine = [](const std::vector<MapFieldPtr> &fields) { return differenceField(fields.front(), fields.back()); };
    m_differences.push_back(make(parts, combine, false));
    return m_differences.back().shown;
}

MapFieldPtr FieldCache::toBeRead(const MapFieldPtr &field) const
{
    if (!field || !isEstimate(*field))
        return nullptr;
    const auto exactOf = [&](const Made &one) {
        const bool isReady = std::none_of(one.parts.begin(), one.parts.end(), [](const MapFieldPtr &part) { return isEstimate(*part); });
        return isReady ? one.exact : nullptr;
    };
    for (const Combined &one : m_combined) {
        if (one.made.shown == field)
            return exactOf(one.made);
    }
    for (const Made &one : m_differences) {
        if (one.shown == field)
            return exactOf(one);
    }
    return nullptr;
}

void FieldCache::take(const MapFieldPtr &exact, const FieldOverview &overview)
{
    const auto replace = [&](Made &one) {
        if (one.exact == exact)
            one.shown = preparedField(exact, overview.cells, overview.pool);
    };
    for (Combined &one : m_combined)
        replace(one.made);
    for (Made &one : m_differences)
        replace(one);
}

void FieldCache::keepOnly(const std::shared_ptr<const AttentionResult> &first, const std::shared_ptr<const AttentionResult> &second)
{
    const auto isCurrent = [&](const std::shared_ptr<const HeadResult> &head) {
        return (first && first->find(head->ref) == head) || (second && second->find(head->ref) == head);
    };
    std::erase_if(m_combined, [&](const Combined &one) { return !std::all_of(one.heads.begin(), one.heads.end(), isCurrent); });
    const auto isKept = [&](const MapFieldPtr &field) {
        return std::any_of(m_combined.begin(), m_combined.end(), [&](const Combined &one) { return one.made.shown == field; });
    };
    std::erase_if(m_differences, [&](const Made &one) { return !std::all_of(one.parts.begin(), one.parts.end(), isKept); });
}

} // namespace attenscope
