// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages are called.
#include "state/stage_names.h"

#include <QCoreApplication>

namespace attenscope {

namespace {

struct Names {
    Stage stage;
    const char *key;
    const char *title;
};

constexpr std::array table{
    Names{ Stage::Scores, "scores", QT_TRANSLATE_NOOP("Stage", "Scores") },
    Names{ Stage::Scaled, "scaled", QT_TRANSLATE_NOOP("Stage", "Scaled") },
    Names{ Stage::Capped, "capped", QT_TRANSLATE_NOOP("Stage", "Capped") },
    Names{ Stage::Biased, "biased", QT_TRANSLATE_NOOP("Stage", "Biased") },
    Names{ Stage::Tempered, "tempered", QT_TRANSLATE_NOOP("Stage", "Tempered") },
    Names{ Stage::Masked, "masked", QT_TRANSLATE_NOOP("Stage", "Masked") },
    Names{ Stage::Weights, "weights", QT_TRANSLATE_NOOP("Stage", "Weights") },
    Names{ Stage::ValueWeighted, "weights-x-values", QT_TRANSLATE_NOOP("Stage", "Weights × ‖v‖") },
    Names{ Stage::Output, "output", QT_TRANSLATE_NOOP("Stage", "Output") },
};
static_assert(table.size() == allStages.size());

} // namespace

QString stageTitle(Stage stage, bool hasOutputProjection)
{
    if (stage == Stage::ValueWeighted && hasOutputProjection)
        return QCoreApplication::translate("Stage", "Weights × ‖v W_O‖");
    for (const Names &names : table) {
        if (names.stage == stage)
            return QCoreApplication::translate("Stage", names.title);
    }
    return {};
}

QString stageKey(Stage stage)
{
    for (const Names &names : table) {
        if (names.stage == stage)
            return QLatin1String(names.key);
    }
    return {};
}

std::optional<Stage> stageFromKey(const QString &key)
{
    for (const Names &names : table) {
        if (key.compare(QLatin1String(names.key), Qt::CaseInsensitive) == 0)
            return names.stage;
    }
    return std::nullopt;
}

} // namespace attenscope
