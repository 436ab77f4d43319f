// SPDX-License-Identifier: GPL-3.0-or-later
// LineRows: which lines every query has, what the filter hides of them; gathered at once where that is little work, else in a job.
#pragma once

#include "state/job.h"
#include "views/lines/lines_content.h"

#include <QObject>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace attenscope {

/// The line from a query to @p key: its strength is the weight itself, of a difference its magnitude.
struct WeightLine {
    Index key = 0;
    double weight = 0.0;
};

/// One query of one head.
struct RowLines {
    std::vector<WeightLine>
        lines; ///< Ascending keys; what is too weak to be seen, zero, negative (but of differences) or not a number is left out.
    std::vector<Index> shown; ///< Keys that filter and pairs leave, ascending; empty unless it was asked for.
    Index hidden = 0; ///< Keys with a weight other than 0 that filter and pairs hide.
    double hiddenWeight = 0.0; ///< Their sum.
    double weight = 0.0; ///< The sum of the row.
};

/// Query @p row of @p head under filter and pairs of @p content. @p cells: the exact row. Of a difference magnitudes are filtered and added.
[[nodiscard]] RowLines rowLines(const LinesContent &content, Index row, std::span<const double> cells, bool withShown = false);

/// Queries of one head; null where they are not gathered yet.
struct HeadLines {
    MapFieldPtr weights;
    std::vector<std::shared_ptr<const RowLines>> rows;
    Index missing = 0;

    [[nodiscard]] bool isComplete() const { return missing == 0; }
};

/// Share of the weight of all rows that is hidden, 0 to 1.
[[nodiscard]] double hiddenShare(const HeadLines &head);

/// GUI thread only.
class LineRows : public QObject {
    Q_OBJECT

public:
    explicit LineRows(QObject *parent = nullptr);

    /// Gathers what @p content needs and is not there; queries @p first come first where it takes a job. Lines of heads that stay are kept.
    void setContent(const LinesContent &content, Range first);
    /// As many as the content has heads.
    [[nodiscard]] const std::vector<HeadLines> &heads() const { return m_heads; }
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// Rows that are there, and all of them, of all heads.
    [[nodiscard]] std::pair<Index, Index> progress() const;
    /// Leaves out what is not there yet, until resume() or other lines are asked for.
    void stop();
    void resume();

signals:
    /// More rows are there.
    void ready();

private:
    struct Wanted {
        std::size_t head = 0;
        Index row = 0;
    };
    /// What is missing.
    void gather();
    void gather(const std::vector<Wanted> &wanted);

    LinesContent m_content;
    Range m_first;
    std::vector<HeadLines> m_heads;
    Job m_job;
};

/// All of it at once: for figures and tests.
[[nodiscard]] std::vector<HeadLines> allLines(const LinesContent &content);

} // namespace attenscope
