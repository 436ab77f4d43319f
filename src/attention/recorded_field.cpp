// SPDX-License-Identifier: GPL-3.0-or-later
// Weights from a file, under a mask.
#include "attention/field.h"

#include "attention/fold.h"

#include <algorithm>

namespace attenscope {

namespace {

class RecordedField final : public MapField {
public:
    RecordedField(SharedMatrix weights, std::vector<Index> rowLengths, Mask mask)
        : m_weights(std::move(weights))
        , m_rowLengths(std::move(rowLengths))
        , m_mask(std::move(mask))
    {
    }

    [[nodiscard]] Index rows() const override { return m_weights.rows(); }
    [[nodiscard]] Index cols() const override { return m_weights.cols(); }
    [[nodiscard]] bool isAtHand() const override
    {
        constexpr Index mostCells = Index{ 1 } << 20;
        return m_weights.isInMemory() || rows() <= mostCells / std::max<Index>(cols(), 1);
    }
    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        Scratch<double> scratch;
        readCells(row, firstCol, out, scratch);
    }
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override;

private:
    template <typename Number>
    struct Scratch {
        std::vector<Range> visible;
        std::vector<Number> row;
    };

    template <typename Number>
    void readCells(Index row, Index firstCol, std::span<Number> out, Scratch<Number> &scratch) const;
    template <typename Number>
    void readMasked(Index row, Index firstCol, std::span<Number> out, Index length, Scratch<Number> &scratch) const;

    [[nodiscard]] bool isPlain() const { return m_mask.isFull() && m_rowLengths.empty(); }

    SharedMatrix m_weights;
    std::vector<Index> m_rowLengths;
    Mask m_mask;
};

template <typename Number>
void RecordedField::readCells(Index row, Index firstCol, std::span<Number> out, Scratch<Number> &scratch) const
{
    const Index length = m_rowLengths.empty() ? cols() : std::clamp<Index>(m_rowLengths[static_cast<std::size_t>(row)], 0, cols());
    const auto present = static_cast<std::size_t>(std::clamp<Index>(length - firstCol, 0, static_cast<Index>(out.size())));
    std::fill(out.begin() + static_cast<Index>(present), out.end(), cell::absent<Number>());
    if (m_mask.isFull())
        m_weights.readRow(row, firstCol, out.first(present));
    else
        readMasked(row, firstCol, out.first(present), length, scratch);
}

template <typename Number>
void RecordedField::readMasked(Index row, Index firstCol, std::span<Number> out, Index length, Scratch<Number> &scratch) const
{
    std::vector<Number> &all = scratch.row;
    all.resize(static_cast<std::size_t>(length));
    m_weights.readRow(row, 0, std::span(all));
    m_mask.visible(row, scratch.visible);
    std::fill(out.begin(), out.end(), cell::masked<Number>());
    double kept = 0.0;
    bool losesWeight = false;
    Index done = 0;
    const auto isWeight = [](Number weight) { return weight != Number{ 0 }; };
    for (const Range &keys : scratch.visible) {
        const Index first = std::min(keys.first, length);
        const Index end = std::min(keys.end, length);
        losesWeight = losesWeight || std::any_of(all.begin() + done, all.begin() + first, isWeight);
        for (Index key = first; key < end; ++key)
            kept += static_cast<double>(all[static_cast<std::size_t>(key)]);
        done = end;
    }
    losesWeight = losesWeight || std::any_of(all.begin() + done, all.end(), isWeight);
    for (const Range &keys : scratch.visible) {
        const Index end = std::min({ keys.end, length, firstCol + static_cast<Index>(out.size()) });
        for (Index key = std::max(keys.first, firstCol); key < end; ++key) {
            const Number weight = all[static_cast<std::size_t>(key)];
            Number &cell = out[static_cast<std::size_t>(key - firstCol)];
            if (!losesWeight)
                cell = weight;
            else
                cell = kept == 0.0 ? Number{ 0 } : static_cast<Number>(static_cast<double>(weight) / kept);
        }
    }
}

bool RecordedField::read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const
{
    constexpr Index rowsPerTask = 64;
    const auto count = static_cast<std::size_t>(cells.cols.size());
    FoldedMap folded(cells, level, fold, out);
    const bool isFinished = forEachStripe(cells, level, rowsPerTask, run, [&](const Range &stripe) {
        Scratch<float> scratch;
        Eigen::ArrayXf row(cells.cols.size());
        Eigen::ArrayXf largest;
        const Index lastOfFold = (Index{ 1 } << level) - 1;
        for (Index place = stripe.first; place < stripe.end; ++place) {
            readCells(place, cells.cols.first, std::span(row.data(), count), scratch);
            if (level == 0 || fold != Fold::Max || !isPlain()) {
                folded.add(place, cells.cols.first, { row.data(), count });
                continue;
            }
            // Down the columns first, which is fast, then the one row that remains across.
            if (largest.size() == 0)
                largest = row;
            else
                // NaN stays once it is there.
                largest = (row > largest || row != row).select(row, largest).eval();
            if (place + 1 == stripe.end || ((place - cells.rows.first) & lastOfFold) == lastOfFold) {
                folded.add(place, cells.cols.first, { largest.data(), count });
                largest.resize(0);
            }
        }
    });
    folded.finish();
    return isFinished;
}

} // namespace

MapFieldPtr recordedField(SharedMatrix weights, std::vector<Index> rowLengths, Mask mask)
{
    return std::make_shared<RecordedField>(std::move(weights), std::move(rowLengths), std::move(mask));
}

} // namespace attenscope
