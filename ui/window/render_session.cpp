// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs, mechanism and view of a request.
#include "window/render_session.h"

#include "io/open.h"
#include "io/output_path.h"
#include "session/presets.h"

#include <QFileInfo>

#include <string>
#include <vector>

namespace attenscope {

namespace {

Result<SessionFile> openInputs(const RenderRequest &request)
{
    if (request.inputs.isEmpty())
        return SessionFile{ request.example == QLatin1String("worked") ? workedExample() : exampleSentence(), {}, {} };
    const QString first = request.inputs.first();
    if (QFileInfo(first).suffix().compare(QLatin1String("attn"), Qt::CaseInsensitive) == 0) {
        if (request.inputs.size() > 1)
            return Error{ "A session is opened alone.", {}, "Give either one .attn or data files.", {} };
        Result<SessionFile> file = loadSession(first.toStdString());
        if (!file)
            return file.error();
        if (!file->missing.empty())
            return Error{ "A data file of this session is missing.", {},
                "Put it back to where it was, or open the session in the window and locate it.", file->missing.front().path };
        return file;
    }
    std::vector<std::string> paths;
    for (const QString &input : request.inputs)
        paths.push_back(QFileInfo(input).absoluteFilePath().toStdString());
    Result<FileSource> source = openFiles(paths);
    if (!source)
        return source.error();
    return SessionFile{ sessionFor(std::move(source).value()), {}, {} };
}

/// Session @p session under a preset, whose name has been checked.
Result<Session> underPreset(const std::string &id, const Session &session)
{
    const Result<AttentionInput> input = buildInput(session.source);
    if (!input)
        return input.error();
    AppliedPreset result = applied(*findPreset(id), session, input->blocks.front());
    if (input->blocks.front().hasWeightsOnly() && !result.fits)
        return Error{ result.notes.front(), {}, "Choose a mask, such as --preset mask-causal.", {} };
    return std::move(result.session);
}

Result<void> applyMechanism(const RenderRequest &request, Session &session)
{
    if (!request.preset.empty()) {
        Result<Session> used = underPreset(request.preset, session);
        if (!used)
            return used.error();
        session = std::move(used).value();
    }
    AttentionSpec &mechanism = session.mechanism;
    if (request.isCausal) {
        mechanism = withCausalMask(mechanism, *request.isCausal);
        // "none" is what it says: a mask from the file does not count either.
        mechanism.mask.usesInputMask = *request.isCausal && mechanism.mask.usesInputMask;
    }
    if (request.comparesMasks) {
        mechanism = withCausalMask(mechanism, true);
        session.comparison = withCausalMask(mechanism, false);
    }
    if (request.comparesWith.isEmpty())
        return {};
    AttentionSpec other = mechanism;
    if (const std::string id = request.comparesWith.toStdString(); findPreset(id)) {
        const Result<Session> used = underPreset(id, session);
        if (!used)
            return used.error();
        other = used->mechanism;
    } else if (request.comparesWith == QLatin1String("none") || request.comparesWith == QLatin1String("causal"))
        other = withCausalMask(other, request.comparesWith == QLatin1String("causal"));
    else
        other.score = request.comparesWith == QLatin1String("dot") ? ScoreFunction::Dot : ScoreFunction::ScaledDot;
    if (other == mechanism)
        return Error{ "With --compare-with " + request.comparesWith.toStdString() + " both maps would be the same.", {},
            "Compare with another mechanism, or give the first map one, such as --mask causal.", {} };
    session.comparison = other;
    return {};
}

void applyView(const RenderRequest &request, ViewState &view)
{
    view.stage = request.stage.value_or(view.stage);
    view.headsShown = request.heads.value_or(view.headsShown);
    view.colors = request.colors.value_or(view.colors);
    view.scale = request.scale.value_or(view.scale);
    view.range = request.range.value_or(view.range);
    view.filter = request.filter.value_or(view.filter);
    // A region is one of the map, whatever the session shows.
    view.shown = request.view.value_or(request.region ? ShownView::Map : view.shown);
    view.layersShown = request.across.value_or(view.layersShown);
    if (request.isOfAllHeads)
        view.headsShown = HeadsShown::Single;
}

} // namespace

Result<SessionFile> sessionOf(const RenderRequest &request)
{
    Result<SessionFile> opened = openInputs(request);
    if (!opened)
        return opened.error();
    // Files that a session refers to are inputs too.
    if (const Result<void> isFree = checkNoInput(request.output, inputFiles(opened->session)); !isFree)
        return isFree.error();
    if (const Result<void> done = applyMechanism(request, opened->session); !done)
        return done.error();
    applyView(request, opened->session.view);
    return opened;
}

} // namespace attenscope
