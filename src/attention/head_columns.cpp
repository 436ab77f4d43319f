// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the columns of the head table and the means behind them.
#include "attention/head_columns.h"

namespace attenscope {

namespace {

struct Row {
    const char *name;
    RowMean HeadSummary::*mean;
};

/// In the order of the enumeration.
constexpr std::array table{
    Row{ "Head", nullptr },
    Row{ "Pattern", nullptr },
    Row{ "Entropy", &HeadSummary::entropy },
    Row{ "Keys", &HeadSummary::effectiveKeys },
    Row{ "H/ln", &HeadSummary::normalizedEntropy },
    Row{ "Distance", &HeadSummary::distance },
    Row{ "Previous", &HeadSummary::previous },
    Row{ "First", &HeadSummary::first },
    Row{ "Own", &HeadSummary::own },
    Row{ "Induction", &HeadSummary::induction },
    Row{ "Next", &HeadSummary::next },
    Row{ "Separator", &HeadSummary::separator },
    Row{ "Largest", &HeadSummary::largest },
};
static_assert(table.size() == allHeadColumns.size());

const Row &rowOf(HeadColumn column)
{
    return table[static_cast<std::size_t>(column)];
}

} // namespace

std::string columnName(HeadColumn column)
{
    return rowOf(column).name;
}

RowMean HeadSummary::*columnMean(HeadColumn column)
{
    return rowOf(column).mean;
}

bool isAlwaysKnown(HeadColumn column)
{
    switch (column) {
    case HeadColumn::Entropy:
    case HeadColumn::EffectiveKeys:
    case HeadColumn::NormalizedEntropy:
    case HeadColumn::Largest:
        return true;
    default:
        return false;
    }
}

} // namespace attenscope
