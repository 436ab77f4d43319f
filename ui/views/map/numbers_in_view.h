// SPDX-License-Identifier: GPL-3.0-or-later
// NumbersInView: the exact numbers of the cells of a map that are in view, for cells that have them written in.
#pragma once

#include "attention/field.h"
#include "state/fetcher.h"

#include <QObject>

#include <optional>
#include <unordered_map>
#include <vector>

namespace attenscope {

/// Numbers of MapField::row(). Those of fields at hand are read at once, for a few milliseconds a drawing; all others come from a background job, rows
/// ahead of a pan too: until then there is none. GUI thread only.
class NumbersInView : public QObject {
    Q_OBJECT

public:
    enum class Mode { Fetched, ReadAtOnce };
    /// @p mode ReadAtOnce: nothing is left for later.
    explicit NumbersInView(Mode mode);

    void setField(MapFieldPtr field);
    /// Another drawing needs these cells: reads what it may and asks for the rest.
    void follow(Range rows, Range cols);
    /// Nothing while it has not come.
    [[nodiscard]] std::optional<double> at(Index row, Index col) const;
    /// Whether all cells of the last follow() have theirs.
    [[nodiscard]] bool areComplete() const { return m_areComplete; }

signals:
    /// Numbers that were asked for are there.
    void arrived();

private:
    struct Part {
        MapFieldPtr field;
        Index row = 0;
        Range cols;

        friend bool operator==(const Part &, const Part &) = default;
    };
    struct Row {
        Index firstCol = 0;
        std::vector<double> numbers;

        [[nodiscard]] bool covers(Range cols) const
        {
            return firstCol <= cols.first && cols.end <= firstCol + static_cast<Index>(numbers.size());
        }
    };

    [[nodiscard]] static std::vector<double> read(const Part &part);
    [[nodiscard]] bool has(Index row, Range cols) const;
    void takeFetched();

    Mode m_mode;
    MapFieldPtr m_field;
    std::unordered_map<Index, Row> m_rows;
    Range m_shown; ///< Rows of the last drawing.
    bool m_movesUp = false; ///< Where the last pan went.
    bool m_areComplete = true;
    Fetcher<Part, std::vector<double>> m_fetcher; ///< Last: its thread ends before what it uses goes.
};

} // namespace attenscope
