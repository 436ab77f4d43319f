// SPDX-License-Identifier: GPL-3.0-or-later
// RenderRequest: what the arguments of attenscope render ask for.
#pragma once

#include "core/result.h"
#include "session/session.h"
#include "state/selection.h"
#include "window/view_figure.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace attenscope {

/// What the arguments ask for. A plain value.
struct RenderRequest {
    QStringList inputs; ///< Empty: a sample.
    QString example = QStringLiteral("sentence"); ///< "sentence" or "worked".
    QString output;
    FigureSubject subject = FigureSubject::View; ///< Of --view grid, --view table and --view patches.
    std::optional<ShownView> view; ///< Unset: the one that a session shows, else the map.
    std::optional<int> step; ///< Of the steps, from 1.
    std::optional<LayersShown> across; ///< Of the layers.
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
    bool isOfAllHeads = false; ///< Numbers of all heads in one file; a picture of each in files of its own.
    std::optional<WeightFilter> filter; ///< Of lines and text.
    std::optional<TokensShown> tokens; ///< Tokens that are left out by position are of block 0: the one that is shown is meant.
    std::optional<CellRef> pick;
    std::optional<CellRect> region; ///< Of maps and numbers; unset: what a session has in view, of numbers all.
    std::optional<PatchGrid> patches; ///< Without rows: the likeliest for the keys.
    FigureOptions figure;
};

/// Reads what follows "render" on the command line. Errors are about usage: which option, what it may be.
Result<RenderRequest> parseRender(const QStringList &arguments);
/// Whether an option, named without dashes, has no value.
[[nodiscard]] bool isRenderSwitch(const QString &option);
/// The text of `attenscope render --help`.
[[nodiscard]] QString renderHelp();

} // namespace attenscope
