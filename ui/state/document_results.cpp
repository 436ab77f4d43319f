// SPDX-License-Identifier: GPL-3.0-or-later
// Document: deciding what to compute, and publishing heads as they become ready.
#include "state/document.h"

#include "state/field_cache.h"

#include <algorithm>
#include <utility>

namespace attenscope {

namespace {

/// Stands for an input that there is not: as many heads as there would be, one query, one key and nothing to compute with.
std::shared_ptr<const AttentionInput> blankInput(const Source &source)
{
    AttentionBlock block;
    block.queries = 1;
    block.keys = 1;
    const auto *matrices = std::get_if<MatricesSource>(&source);
    if (std::holds_alternative<TokensSource>(source) || (matrices && matrices->form == MatrixForm::Embedded)) {
        block.data = EmbeddedData{};
        block.heads = 0;
        block.kvHeads = 0;
    } else if (matrices) {
        block.heads = std::max(1, static_cast<int>(matrices->heads.size()));
    }
    return std::make_shared<const AttentionInput>(AttentionInput{ { std::move(block) } });
}

} // namespace

void Document::update()
{
    const bool wasComputing = m_job.isRunning();
    m_job.cancel();
    m_overviewJob.cancel();
    m_read.reset();
    m_summaryJob.cancel();
    m_wanted = std::make_shared<WantedHead>(m_session.view.head, m_wanted->seen());
    m_isPublished = false;
    m_isStopped = false;
    auto known = m_wholeResults;
    known.insert(known.end(), { m_result, m_comparisonResult });
    Computation work(m_session, m_built, known, m_wanted);
    const bool isBuilt = work.buildIfSmall();
    if (isBuilt ? work.isSmall() : work.hasProblem()) {
        work.perform({}, [this](ComputationEvent event) { take(std::move(event)); });
        if (wasComputing)
            setProgress(1.0);
        completeSummaries();
        return;
    }
    setProgress(0.0);
    m_job.start([this, work = std::make_shared<Computation>(std::move(work))](const Run &run, const Job::Deliver &deliver) {
        work->perform(run,
            [this, &deliver](ComputationEvent event) { deliver([this, event = std::move(event)]() mutable { take(std::move(event)); }); });
    });
    emit progressChanged();
}

void Document::take(ComputationEvent event)
{
    if (auto *problem = std::get_if<Problem>(&event)) {
        fail(std::move(*problem));
    } else if (auto *built = std::get_if<BuiltInput>(&event)) {
        m_built = std::move(*built);
        if (m_problem) {
            m_problem.reset();
            emit resultChanged();
        }
    } else if (auto *preview = std::get_if<HeadPreview>(&event)) {
        begin(preview->from);
        m_previews.push_back(std::move(*preview));
        emit resultChanged();
    } else if (const auto *ready = std::get_if<HeadsReady>(&event)) {
        publish(*ready);
    } else {
        const auto &error = std::get<Error>(event);
        if (!m_isPublished)
            fail({ SpecPart::Data, error, {} });
        emit message({ Message::Kind::Error, error, {} });
    }
}

void Document::fail(Problem problem)
{
    m_problem = std::move(problem);
    // What another document showed says nothing about this one.
    if (std::exchange(m_isOther, false)) {
        m_hasPicture = false;
        m_input = blankInput(m_session.source);
        m_wholeInput = m_input;
        m_wholeResults.clear();
        m_previews.clear();
        m_notes.clear();
        m_result = std::make_shared<const AttentionResult>(AttentionResult{ m_input, m_session.mechanism, {}, {} });
        m_comparisonResult = nullptr;
        m_fields->keepOnly(m_result, m_comparisonResult);
    }
    emit resultChanged();
}

void Document::begin(const std::vector<ComputedFrom> &from)
{
    if (!m_isPublished) {
        m_previews.clear();
        m_isPublished = true;
        m_isOther = false;
        m_hasPicture = true;
        const ComputedFrom &main = from.front();
        keepWholeResults(main);
        m_input = main.input;
        m_wholeInput = m_built.input;
        m_notes = m_built.notes;
        const bool isSame = m_result && m_result->input == m_input && m_result->spec == main.spec;
        auto summaries = isSame ? m_result->summaries : decltype(m_result->summaries)();
        m_result = std::make_shared<const AttentionResult>(AttentionResult{ m_input, main.spec, {}, std::move(summaries) });
        m_comparisonResult
            = from.size() > 1 ? std::make_shared<const AttentionResult>(AttentionResult{ from[1].input, from[1].spec, {}, {} }) : nullptr;
    }
}

void Document::publish(const HeadsReady &ready)
{
    begin(ready.from);
    std::erase_if(m_previews, [&ready](const HeadPreview &preview) {
        return preview.side == ready.side
            && std::any_of(ready.heads.begin(), ready.heads.end(), [&](const auto &head) { return head->ref == preview.head; });
    });
    auto &result = ready.side == Side::Main ? m_result : m_comparisonResult;
    auto next = std::make_shared<AttentionResult>(*result);
    for (const auto &head : ready.heads)
        next->add(head);
    result = std::move(next);
    m_fields->keepOnly(m_result, m_comparisonResult);
    emit resultChanged();
    completeOverviews();
}

void Document::keepWholeResults(const ComputedFrom &next)
{
    const bool isWhole = !next.input->blocks.front().isReduced();
    const bool wasWhole = m_result && m_result->input == m_built.input;
    if (isWhole)
        m_wholeResults.clear();
    else if (wasWhole)
        m_wholeResults = { m_result, m_comparisonResult };
    else
        std::erase_if(m_wholeResults, [this](const auto &result) { return !result || result->input != m_built.input; });
}

/// Estimates that are shown though what they are made of is exact are read.
void Document::completeOverviews()
{
    MapFieldPtr wanted;
    for (const Side side : { Side::Main, Side::Comparison, Side::Difference }) {
        if (!wanted && !m_problem && (side != Side::Difference || m_session.view.showsDifference))
            wanted = m_fields->toBeRead(field(side));
    }
    if (wanted == m_read)
        return;
    m_read = wanted;
    if (!wanted) {
        m_overviewJob.cancel();
        return;
    }
    m_overviewJob.start([this, wanted](const Run &run, const Job::Deliver &deliver) {
        const Result<FieldOverview> overview = readOverview(*wanted, run);
        deliver([this, wanted, overview] {
            if (!overview) {
                emit message({ Message::Kind::Error, overview.error(), {} });
                return;
            }
            m_fields->take(wanted, *overview);
            emit resultChanged();
        });
    });
    emit progressChanged();
}

void Document::completeSummaries()
{
    const AttentionResult &result = *m_result;
    if (m_problem || m_overviewJob.isRunning()
        || std::all_of(result.heads.begin(), result.heads.end(), [&](const auto &head) { return result.summary(head->ref)->isComplete; }))
        return;
    m_summaryJob.start([this, result = m_result, wanted = m_wanted](const Run &run, const Job::Deliver &deliver) {
        attenscope::completeSummaries(*result, *wanted, run, [this, &deliver](const HeadRef &head, const HeadSummary &summary) {
            deliver([this, head, summary] { addSummary(head, summary); });
        });
    });
}

void Document::addSummary(const HeadRef &head, const HeadSummary &summary)
{
    auto next = std::make_shared<AttentionResult>(*m_result);
    next->add(head, summary);
    m_result = std::move(next);
    emit summariesChanged();
}

bool Document::isComputing() const
{
    return m_job.isRunning() || m_overviewJob.isRunning();
}

void Document::cancel()
{
    m_summaryJob.cancel();
    if (!isComputing())
        return;
    m_overviewJob.cancel();
    m_job.cancel();
    m_isStopped = true;
    if (!m_isPublished)
        fail({ SpecPart::Data, Error::cancelled(), {} });
    else
        emit resultChanged();
    emit progressChanged();
}

void Document::resume()
{
    if (m_isStopped)
        update();
}

void Document::setProgress(double fraction)
{
    m_progress = fraction;
    emit progressChanged();
}

} // namespace attenscope
