// SPDX-License-Identifier: GPL-3.0-or-later
// Making a walk for a file.
#include "window/render_steps.h"

#include "core/text.h"
#include "state/settings.h"

#include <QFileInfo>

#include <algorithm>

namespace attenscope {

namespace {

Result<WalkPicture> walkOf(const Document &document, Index row, const Run &run)
{
    const auto result = document.result();
    const auto head = result->find(document.head());
    const int decimals = Settings().stepDecimals();
    WalkPicture picture;
    picture.row = row;
    if (result->spec.algorithm == Algorithm::Flash && head && head->operands) {
        Result<FlashWalk> walk = explainFlashWalk(head->operands, flashRows(*head->operands, row), run);
        if (!walk)
            return walk.error();
        if (walk->tiles.empty())
            return Error{ "There are no steps.", "No query may see any key, so that every tile is skipped.", "Choose another mask.", {} };
        picture.flash = std::make_shared<FlashContent>(FlashContent{ document.input(), head->ref, std::move(walk).value(),
            head->field(Stage::Weights), weightColors(document.session().view, document.block().keys), std::max(1, decimals - 1) });
    } else {
        Result<RowWalk> walk = explainWalk(*result, document.head(), row);
        if (!walk)
            return walk.error();
        picture.steps = std::make_shared<StepContent>(StepContent{ document.input(), std::move(walk).value(), decimals });
    }
    picture.title = walkTitle(document, picture);
    return picture;
}

} // namespace

Result<void> renderSteps(const Document &document, Index row, Index key, std::optional<int> step, const QString &path,
    const WalkFileOptions &options, const Run &run)
{
    if (Result<void> fits = checkWalkFile(options); !fits)
        return fits;
    const Result<WalkPicture> picture = walkOf(document, row, run.part(0, 2));
    if (!picture)
        return picture.error();
    if (QFileInfo(path).suffix().compare(QLatin1String("apng"), Qt::CaseInsensitive) == 0)
        return saveWalkAnimation(path, *picture, options, run.part(1, 2));
    const auto place = static_cast<std::size_t>(step.value_or(1) - 1);
    const std::size_t steps = picture->flash ? picture->flash->states() : picture->steps->walk.steps.size();
    if (place >= steps)
        return Error{ "There is no step " + groupedCount(static_cast<Index>(place) + 1) + ".",
            steps == 1 ? "There is step 1 only." : "There are steps 1 to " + groupedCount(static_cast<Index>(steps)) + ".", "", {} };
    WalkState state;
    state.flash = place;
    if (picture->steps)
        state.position = clamped(*picture->steps, { picture->steps->walk.steps[place], key, 0 });
    return saveWalkState(path, *picture, state, options);
}

} // namespace attenscope
