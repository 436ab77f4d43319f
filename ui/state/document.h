// SPDX-License-Identifier: GPL-3.0-or-later
// Document: the open session, its undo stack, its input and results; decides what to recompute.
#pragma once

#include "attention/patterns.h"
#include "state/computation.h"
#include "state/job.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>
#include <set>

namespace attenscope {

class FieldCache;

/// Something the message bar shows once.
struct Message {
    enum class Kind { Error, Notice };
    Kind kind = Kind::Error;
    Error error; ///< The parts: bold, plain, remedy, path last.
    QStringList actions; ///< Captions of next-step buttons; the receiver of Document::message() knows them.
};

/// The one way to change anything is edit(): the panel makes the next session, the document records and swaps it and computes what differs.
/// Small inputs (queries · keys · heads <= 2^18) are computed before edit() returns, larger ones in a job, the picked head first; the old
/// input and result stay until the first head of the new one arrives. GUI thread only.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject *parent = nullptr);
    ~Document() override;

    [[nodiscard]] const Session &session() const { return m_session; }
    [[nodiscard]] QUndoStack *undoStack() { return &m_undoStack; }

    /// Makes @p next the session. @p name is the undo text without "Undo": "change scale". Edits in a row with an equal, non-empty @p mergeKey
    /// become one step (a slider drag). Nothing happens if @p next equals the session.
    void edit(Session next, const QString &name, const QString &mergeKey = {});
    /// Replaces everything and clears the undo stack: open, new, sample.
    void reset(Session session, const QString &path = {});
    /// The next edit() starts a step of its own; called when a drag ends.
    void endMerge();
    /// Makes @p head the picked one: session().view.head changes without an undo step and without isModified(), and changed() is emitted.
    /// Undo and redo keep the picked head. Computes the head where it is missing (another batch element, or after cancel()).
    void pickHead(HeadRef head);
    /// Heads whose thumbnails are in view: what is not ready of them comes right after the picked one.
    void setSeenHeads(std::set<HeadRef> heads);

    /// Where it was saved or opened as .attn; empty for none.
    [[nodiscard]] QString path() const { return m_path; }
    /// Marks the present state as saved at @p path.
    void setSaved(const QString &path);
    /// Marks everything, whatever is undone, as not saved: a session that was recovered.
    void setUnsaved();
    [[nodiscard]] bool isModified() const { return !m_undoStack.isClean(); }

    /// The last valid input and what has been computed of it; never null after construction. Where hasPicture() is false an input of one query and
    /// one key without data or heads that are ready.
    [[nodiscard]] std::shared_ptr<const AttentionInput> input() const { return m_input; }
    [[nodiscard]] std::shared_ptr<const AttentionResult> result() const { return m_result; }
    /// The input with every token, where session().view.tokens leaves some out or merges some: what panels speak of; else input() itself.
    [[nodiscard]] std::shared_ptr<const AttentionInput> wholeInput() const { return m_wholeInput; }
    /// While comparing, else null.
    [[nodiscard]] std::shared_ptr<const AttentionResult> comparisonResult() const { return m_comparisonResult; }
    /// False from the moment that a document was opened which cannot be computed as it is until it can: there is no earlier picture of it.
    [[nodiscard]] bool hasPicture() const { return m_hasPicture; }
    /// Whether input() and result() are those of session() already: at least the first head or its preview is there. Until then they are the ones before.
    [[nodiscard]] bool isCurrent() const { return m_isPublished && !m_problem; }
    /// Set while input() and result() are older than session(): what does not fit. A failure of the work itself (memory, a file that changed)
    /// is also told once by message().
    [[nodiscard]] const std::optional<Problem> &problem() const { return m_problem; }
    /// Notes on the input: tokens padded, rows not summing to 1, NaN counted.
    [[nodiscard]] const std::vector<std::string> &notes() const { return m_notes; }

    /// session().view.head moved to a head that exists in input().
    [[nodiscard]] HeadRef head() const;
    /// The block of head().
    [[nodiscard]] const AttentionBlock &block() const;
    /// The same of wholeInput().
    [[nodiscard]] const AttentionBlock &wholeBlock() const;
    /// The map that view and side ask for, perhaps a preview (MapField::isEstimate()); null while it is not ready, where there is no such stage, and for a difference of maps of two sizes.
    /// Where the comparison has fewer heads its last one is taken.
    [[nodiscard]] MapFieldPtr field(Side side = Side::Main) const;
    /// The weights that field() would show at stage Weights.
    [[nodiscard]] MapFieldPtr weights(Side side = Side::Main) const;
    /// The field of one head at the shown stage; null while not ready.
    [[nodiscard]] MapFieldPtr headField(const HeadRef &head, Side side = Side::Main) const;
    /// The stage that is shown: session().view.stage, or Weights where the block has no such stage.
    [[nodiscard]] Stage stage() const;

    /// The bounds behind the names of patterns; the user's, not the session's.
    [[nodiscard]] const PatternRules &patternRules() const { return m_patternRules; }
    void setPatternRules(const PatternRules &rules);

    /// Heads, or after them the overview of a long map that is made of several.
    [[nodiscard]] bool isComputing() const;
    /// 0 to 1.
    [[nodiscard]] double progress() const { return m_progress; }
    /// Summaries of heads in result() that take a pass of their own are still being completed, after the heads.
    [[nodiscard]] bool isSummarizing() const { return m_summaryJob.isRunning(); }
    /// Stops the running computation; what is ready stays.
    void cancel();
    /// cancel() has left something out that resume() would compute.
    [[nodiscard]] bool isStopped() const { return m_isStopped; }
    /// Computes what cancel() has left out; nothing where it has left out nothing.
    void resume();

signals:
    /// isModified() follows with savedChanged().
    void changed(const attenscope::Session &before, const attenscope::Session &after);
    /// More heads, another result, or another problem.
    void resultChanged();
    /// result() has another summary, all of them are complete, or patternRules() changed.
    void summariesChanged();
    void progressChanged();
    /// path() or isModified() changed.
    void savedChanged();
    void message(const attenscope::Message &message);

private:
    friend class SessionCommand;

    void swapWith(Session &other, bool keepsHead);
    void update();
    void take(ComputationEvent event);
    void begin(const std::vector<ComputedFrom> &from);
    void publish(const HeadsReady &ready);
    void keepWholeResults(const ComputedFrom &next);
    void fail(Problem problem);
    void completeOverviews();
    void completeSummaries();
    void addSummary(const HeadRef &head, const HeadSummary &summary);
    [[nodiscard]] std::vector<std::shared_ptr<const HeadResult>> shownHeads(Side side, const HeadRef &head, HeadsShown shown) const;
    [[nodiscard]] MapFieldPtr fieldOf(Side side, const HeadRef &head, HeadsShown shown, Stage stage) const;
    void setProgress(double fraction);

    Session m_session;
    QString m_path;
    QUndoStack m_undoStack;
    int m_mergeEpoch = 0;
    BuiltInput m_built; ///< Newer than m_input until its first head is there.
    std::shared_ptr<const AttentionInput> m_input;
    std::shared_ptr<const AttentionInput> m_wholeInput;
    std::shared_ptr<const AttentionResult> m_result;
    std::shared_ptr<const AttentionResult> m_comparisonResult;
    std::vector<std::shared_ptr<const AttentionResult>>
        m_wholeResults; ///< While tokens are left out or merged: those of before, to go back to.
    std::vector<HeadPreview> m_previews; ///< Of heads that m_result and m_comparisonResult do not have yet.
    bool m_isStopped = false; ///< By cancel(), and nothing has begun since.
    bool m_isPublished = false; ///< Heads of the present computation have been shown.
    bool m_isOther = false; ///< m_input is of the document that was open before.
    bool m_hasPicture = true;
    std::unique_ptr<FieldCache> m_fields;
    MapFieldPtr m_read; ///< That m_overviewJob reads.
    std::shared_ptr<WantedHead> m_wanted;
    std::optional<Problem> m_problem;
    std::vector<std::string> m_notes;
    PatternRules m_patternRules;
    double m_progress = 0.0;
    // Last: stopped before what they deliver to goes.
    Job m_job;
    Job m_overviewJob;
    Job m_summaryJob;
};

} // namespace attenscope
