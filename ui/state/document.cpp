// SPDX-License-Identifier: GPL-3.0-or-later
// Document: the session, its edits and their steps.
#include "state/document.h"

#include "state/field_cache.h"

#include <QFileInfo>

#include <cassert>
#include <utility>

namespace attenscope {

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

void Document::setPatternRules(const PatternRules &rules)
{
    if (std::exchange(m_patternRules, rules) != rules)
        emit summariesChanged();
}

} // namespace attenscope
