// SPDX-License-Identifier: GPL-3.0-or-later
// Document: recording edits, deciding what to compute, and publishing heads as they become ready.
#include "state/document.h"

#include "state/field_cache.h"

#include <QFileInfo>

#include <algorithm>
#include <cassert>
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

/// Holds the session that is not shown: the one before while done, the one after while undone.
class SessionCommand : public QUndoCommand {
public:
    SessionCommand(Document &document, Session next, const QString &name, QString mergeKey)
        : QUndoCommand(name)
        , m_document(document)
        , m_other(std::move(next))
        , m_mergeKey(std::move(mergeKey))
        , m_epoch(document.m_mergeEpoch)
    {
    }

    [[nodiscard]] int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }

    bool mergeWith(const QUndoCommand *newer) override
    {
        // id() has told that it is one of ours.
        const auto *edit = static_cast<const SessionCommand *>(newer);
        if (edit->m_mergeKey != m_mergeKey || edit->m_epoch != m_epoch)
            return false;
        m_other.view.head = m_document.m_session.view.head;
        setObsolete(m_other == m_document.m_session);
        return true;
    }

    void redo() override
    {
        m_document.swapWith(m_other, m_isDone);
        if (m_isDone)
            m_document.endMerge();
        m_isDone = true;
    }

    void undo() override
    {
        m_document.swapWith(m_other, true);
        m_document.endMerge();
    }

private:
    Document &m_document;
    Session m_other;
    QString m_mergeKey;
    int m_epoch;
    bool m_isDone = false; ///< Has been done once: from then on the picked head stays.
};

Document::Document(QObject *parent)
    : QObject(parent)
    , m_session(exampleSentence())
    , m_fields(std::make_unique<FieldCache>())
    , m_wanted(std::make_shared<WantedHead>(m_session.view.head))
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &Document::savedChanged);
    connect(&m_job, &Job::progressed, this, &Document::setProgress);
    connect(&m_job, &Job::finished, this, [this] {
        setProgress(1.0);
        completeSummaries();
    });
    connect(&m_overviewJob, &Job::progressed, this, [this](double fraction) {
        if (!m_job.isRunning())
            setProgress(fraction);
    });
    connect(&m_overviewJob, &Job::finished, this, [this] {
        completeOverviews();
        emit progressChanged();
        if (!m_job.isRunning())
            completeSummaries();
    });
    connect(&m_summaryJob, &Job::finished, this, &Document::summariesChanged);
    update();
    assert(m_input && m_result);
}

Document::~Document() = default;

void Document::edit(Session next, const QString &name, const QString &mergeKey)
{
    if (next == m_session)
        return;
    const HeadRef head = std::exchange(next.view.head, m_session.view.head);
    if (next == m_session) {
        pickHead(head);
        return;
    }
    next.view.head = head;
    m_undoStack.push(new SessionCommand(*this, std::move(next), name, mergeKey));
}

void Document::reset(Session session, const QString &path)
{
    const Session before = std::exchange(m_session, std::move(session));
    m_path = path;
    m_isOther = true;
    m_undoStack.clear();
    endMerge();
    emit savedChanged();
    emit changed(before, m_session);
    update();
}

void Document::endMerge()
{
    ++m_mergeEpoch;
}

void Document::pickHead(HeadRef head)
{
    // By value: views hand over heads of layouts that changed() makes anew.
    if (head == m_session.view.head)
        return;
    const Session before = m_session;
    m_session.view.head = head;
    m_wanted->set(head);
    emit changed(before, m_session);
    const bool isOtherElement = head.element != before.view.head.element;
    const bool isMissing = !m_problem && !m_job.isRunning() && !m_result->find(this->head());
    if (isOtherElement || isMissing)
        update();
    else
        completeOverviews();
}

void Document::setSeenHeads(std::set<HeadRef> heads)
{
    m_wanted->setSeen(std::move(heads));
}

void Document::setSaved(const QString &path)
{
    const Session before = m_session;
    m_path = path;
    m_session.name = QFileInfo(path).completeBaseName().toStdString();
    m_undoStack.setClean();
    endMerge();
    emit savedChanged();
    if (!(before == m_session))
        emit changed(before, m_session);
}

void Document::setUnsaved()
{
    m_undoStack.resetClean();
}

void Document::swapWith(Session &other, bool keepsHead)
{
    const Session before = std::exchange(m_session, std::move(other));
    if (keepsHead)
        m_session.view.head = before.view.head;
    if (!m_path.isEmpty())
        m_session.name = before.name;
    other = before;
    emit changed(before, m_session);
    const bool needsComputing = !(before.source == m_session.source) || !(before.mechanism == m_session.mechanism)
        || before.comparison != m_session.comparison || before.view.tokens != m_session.view.tokens
        || before.view.head.element != m_session.view.head.element;
    if (needsComputing)
        update();
    else
        completeOverviews();
    m_wanted->set(m_session.view.head);
}

void Document::update()
{
    const bool wasComputing = m_job.isRunning();
    m_job.cancel();
    m_overviewJob.cancel();
    m_read.reset();
    m_summaryJob.cancel();
    m_wanted = std::make_shared<WantedHead>(m_session.view.head, m_wanted->seen());
    m_isPublished = false;
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

void Document::setPatternRules(const PatternRules &rules)
{
    if (std::exchange(m_patternRules, rules) != rules)
        emit summariesChanged();
}

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
    if (!m_isPublished)
        fail({ SpecPart::Data, Error::cancelled(), {} });
    emit progressChanged();
}

void Document::setProgress(double fraction)
{
    m_progress = fraction;
    emit progressChanged();
}

} // namespace attenscope
