// SPDX-License-Identifier: GPL-3.0-or-later
// Document: the open session, its undo stack, its input and results; decides what to recompute.
#pragma once

#include "attention/attention_result.h"
#include "session/session.h"
#include "state/job.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace attenscope {

/// Something the message bar shows once.
struct Message {
    enum class Kind { Error, Notice };
    Kind kind = Kind::Error;
    Error error; ///< The parts: bold, plain, remedy, path last.
    QStringList actions; ///< Captions of next-step buttons; the receiver of Document::message() knows them.
};

/// Which of the maps while comparing.
enum class Side { Main, Comparison, Difference };

/// Why the shown picture does not follow the session.
struct Problem {
    SpecPart part = SpecPart::Data; ///< The table or control to mark.
    Error error;
    std::vector<MatrixProblem> matrices; ///< For typed matrices: everything that does not fit, with fixes.
};

/// The one way to change anything is edit(): the panel makes the next session, the document records and swaps it and computes what differs.
/// Small inputs (queries · keys · heads <= 2^18) are computed before edit() returns, larger ones in a job, the picked head first; the old
/// result stays until its heads arrive. GUI thread only.
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
    void pickHead(const HeadRef &head);

    /// Where it was saved or opened as .attn; empty for none.
    [[nodiscard]] QString path() const { return m_path; }
    /// Marks the present state as saved at @p path.
    void setSaved(const QString &path);
    [[nodiscard]] bool isModified() const { return !m_undoStack.isClean(); }

    /// The last valid input and what has been computed of it; never null after construction.
    [[nodiscard]] std::shared_ptr<const AttentionInput> input() const { return m_input; }
    [[nodiscard]] std::shared_ptr<const AttentionResult> result() const { return m_result; }
    /// While comparing, else null.
    [[nodiscard]] std::shared_ptr<const AttentionResult> comparisonResult() const { return m_comparisonResult; }
    /// Set while input() and result() are older than session(): what does not fit.
    [[nodiscard]] const std::optional<Problem> &problem() const { return m_problem; }
    /// Notes on the input: tokens padded, rows not summing to 1, NaN counted.
    [[nodiscard]] const std::vector<std::string> &notes() const { return m_notes; }

    /// session().view.head moved to a head that exists in input().
    [[nodiscard]] HeadRef head() const;
    /// The block of head().
    [[nodiscard]] const AttentionBlock &block() const;
    /// The map that view and side ask for; null while it is not ready or where there is no such stage.
    [[nodiscard]] MapFieldPtr field(Side side = Side::Main) const;
    /// The field of one head at the shown stage; null while not ready.
    [[nodiscard]] MapFieldPtr headField(const HeadRef &head, Side side = Side::Main) const;
    /// The stage that is shown: session().view.stage, or Weights where the block has no such stage.
    [[nodiscard]] Stage stage() const;

    [[nodiscard]] bool isComputing() const;
    /// 0 to 1.
    [[nodiscard]] double progress() const { return m_progress; }
    /// Stops the running computation; what is ready stays.
    void cancel();

signals:
    void changed(const attenscope::Session &before, const attenscope::Session &after);
    /// More heads, another result, or another problem.
    void resultChanged();
    void progressChanged();
    /// path() or isModified() changed.
    void savedChanged();
    void message(const attenscope::Message &message);

private:
    friend class SessionCommand;
    void swapTo(const Session &next);
    void update(const Session &before);
    void rebuildInput();
    void compute();

    Session m_session;
    QString m_path;
    QUndoStack m_undoStack;
    int m_mergeEpoch = 0;
    std::shared_ptr<const AttentionInput> m_input;
    std::shared_ptr<const AttentionResult> m_result;
    std::shared_ptr<const AttentionResult> m_comparisonResult;
    std::optional<Problem> m_problem;
    std::vector<std::string> m_notes;
    Job m_job;
    double m_progress = 0.0;
};

} // namespace attenscope
