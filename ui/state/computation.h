// SPDX-License-Identifier: GPL-3.0-or-later
// Computation: what a session needs computed, how much work that is, and the work itself; the same on the window's thread and in a job.
#pragma once

#include "attention/attention_result.h"
#include "core/run.h"
#include "session/session.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace attenscope {

/// Which of the maps while comparing.
enum class Side { Main, Comparison, Difference };

/// Why the shown picture does not follow the session.
struct Problem {
    SpecPart part = SpecPart::Data; ///< The table or control to mark.
    Error error; ///< isCancelled where the user stopped the work before the first head was ready.
    std::vector<MatrixProblem> matrices; ///< For typed matrices: everything that does not fit, with fixes.
};

/// An input with the source it was built from and what is to be said about it.
struct BuiltInput {
    Source source;
    std::shared_ptr<const AttentionInput> input; ///< Null until built.
    std::vector<std::string> notes;
};

/// Every head of a batch element, block by block, layer by layer; @p element is cut to what each block has.
[[nodiscard]] std::vector<HeadRef> allHeads(const AttentionInput &input, const AttentionSpec &spec, int element);

/// The head that the user waits for, and those that are looked at besides; set by the window, read by the worker between two heads.
class WantedHead {
public:
    explicit WantedHead(const HeadRef &head, std::set<HeadRef> seen = {})
        : m_head(head)
        , m_seen(std::move(seen))
    {
    }
    void set(const HeadRef &head)
    {
        const std::lock_guard lock(m_mutex);
        m_head = head;
    }
    [[nodiscard]] HeadRef get() const
    {
        const std::lock_guard lock(m_mutex);
        return m_head;
    }
    void setSeen(std::set<HeadRef> heads)
    {
        const std::lock_guard lock(m_mutex);
        m_seen = std::move(heads);
    }
    [[nodiscard]] std::set<HeadRef> seen() const
    {
        const std::lock_guard lock(m_mutex);
        return m_seen;
    }

private:
    mutable std::mutex m_mutex;
    HeadRef m_head;
    std::set<HeadRef> m_seen;
};

/// The built input and its mechanism; where tokens are left out or merged, that input reduced and the default mechanism.
struct ComputedFrom {
    std::shared_ptr<const AttentionInput> input;
    AttentionSpec spec;
};

/// What a computation says, in this order: Problem alone, or BuiltInput, then heads, each perhaps after its preview (both sides' first), at the end perhaps
/// Error.
struct HeadsReady {
    Side side = Side::Main;
    std::vector<ComputedFrom> from; ///< By side.
    std::vector<std::shared_ptr<const HeadResult>> heads;
};
/// An estimate of the weights of the wanted head, said before a head that takes long.
struct HeadPreview {
    Side side = Side::Main;
    std::vector<ComputedFrom> from; ///< By side.
    HeadRef head;
    MapFieldPtr weights;
};

using ComputationEvent = std::variant<Problem, BuiltInput, HeadPreview, HeadsReady, Error>;

/// Completes the summaries of those heads of @p result that have none or half of one, the wanted head first, and tells each.
void completeSummaries(const AttentionResult &result, const WantedHead &wanted, const Run &run,
    const std::function<void(const HeadRef &, const HeadSummary &)> &tell);

/// A plain value that a job can carry.
class Computation {
public:
    /// @p built is used if it is of the session's source. Heads of @p known with the same input and spec are not computed again.
    Computation(const Session &session, BuiltInput built, const std::vector<std::shared_ptr<const AttentionResult>> &known,
        std::shared_ptr<WantedHead> wanted);

    /// Builds the input where that is so little work that the window may wait. False: it is too much, or there is a problem.
    bool buildIfSmall();
    /// What buildIfSmall() found cannot be computed.
    [[nodiscard]] bool hasProblem() const { return m_problem.has_value(); }
    /// The input is there, and what is to be computed takes no longer than a frame.
    [[nodiscard]] bool isSmall() const;
    /// Does the rest, telling @p tell everything, also what buildIfSmall() found.
    void perform(const Run &run, const std::function<void(ComputationEvent)> &tell);

private:
    struct Task {
        Side side = Side::Main;
        HeadRef head;

        friend bool operator==(const Task &, const Task &) = default;
    };

    void prepare();
    [[nodiscard]] std::optional<Problem> build();
    [[nodiscard]] std::optional<Problem> checkSpecs() const;
    [[nodiscard]] std::optional<Problem> chooseTokens();
    void plan();
    [[nodiscard]] std::vector<Side> sides() const;
    [[nodiscard]] const AttentionSpec &mechanism(Side side) const { return side == Side::Main ? m_mechanism : *m_comparison; }
    [[nodiscard]] const ComputedFrom &from(Side side) const { return m_from[static_cast<std::size_t>(side)]; }
    [[nodiscard]] Index overviewSize() const;
    void tellPreviews(const std::function<void(ComputationEvent)> &tell, std::vector<Task> &previewed, const Run &run) const;
    [[nodiscard]] std::optional<HeadPreview> preview(const Task &task, const Run &run) const;

    AttentionSpec m_mechanism;
    std::optional<AttentionSpec> m_comparison;
    TokensShown m_tokens;
    std::vector<ComputedFrom> m_from; ///< By side.
    BuiltInput m_built;
    std::vector<std::shared_ptr<const AttentionResult>> m_known;
    std::shared_ptr<WantedHead> m_wanted;
    bool m_isPrepared = false;
    std::optional<Problem> m_problem;
    std::vector<Task> m_tasks;
    std::vector<HeadsReady> m_reused;
    std::size_t m_headCount = 0; ///< Of both sides, the known ones too.
};

} // namespace attenscope
