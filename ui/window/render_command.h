// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope render: a figure or numbers from files, without a window or a display.
#pragma once

#include "core/result.h"
#include "session/session.h"
#include "state/selection.h"
#include "views/map/figure.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace attenscope {

/// What the arguments ask for. A plain value.
struct RenderRequest {
    QStringList inputs; ///< Empty: a sample.
    QString example = QStringLiteral("sentence"); ///< "sentence" or "worked".
    QString output;
    ShownView view = ShownView::Map; ///< The map, or the steps of the picked query.
    std::optional<int> step; ///< Of the steps, from 1.
    std::optional<Stage> stage;
    QString block; ///< Number or name; empty: as the session has it, the first of data files.
    std::optional<int> layer;
    std::optional<int> head;
    std::optional<int> element;
    std::optional<HeadsShown> heads;
    std::optional<ColorTable> colors;
    std::optional<ColorScale> scale;
    std::optional<ColorRange> range;
    std::string preset; ///< Id of a preset that is used before the other options; empty: none.
    std::optional<bool> isCausal; ///< --mask.
    bool comparesMasks = false; ///< Causal and unmasked.
    QString comparesWith; ///< "none", "causal", "dot", "scaled-dot" or the id of a preset; empty: nothing.
    bool isOfAllHeads = false; ///< Numbers only.
    std::optional<CellRef> pick;
    FigureOptions figure;
};

/// Reads what follows "render" on the command line. Errors are about usage: which option, what it may be.
Result<RenderRequest> parseRender(const QStringList &arguments);
/// Opens, computes, draws and writes. Needs a QApplication. @p say gets what is to be known before it is done, whole sentences.
/// Errors: files, no such head, no fonts, too large, not writable.
Result<void> render(const RenderRequest &request, const std::function<void(const QString &)> &say = {});
/// The text of `attenscope render --help`.
[[nodiscard]] QString renderHelp();

} // namespace attenscope
