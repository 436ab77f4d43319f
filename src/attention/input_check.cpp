// SPDX-License-Identifier: GPL-3.0-or-later
// check(): whether an input and a mechanism can be computed together, and if not, which control or table is to change.
#include "attention/check_parts.h"

namespace attenscope {

namespace {

/// "K has 3 columns, Q has 4."
std::string unequal(const std::string &a, Index countA, const std::string &b, Index countB, const std::string &noun)
{
    return a + " has " + counted(countA, noun) + ", " + b + " has " + groupedCount(countB) + ".";
}

/// "1, 2, 4, 8": what @p number can be shared by.
std::string divisorsOf(Index number)
{
    std::string text;
    for (Index divisor = 1; divisor <= number; ++divisor)
        if (number % divisor == 0)
            text += (text.empty() ? "" : ", ") + groupedCount(divisor);
    return text;
}

Problem checkFilled(SpecPart part, const std::string &name, const SharedMatrix &matrix)
{
    if (matrix.rows() == 0)
        return problem(part, name + " has no rows.", {}, "Type or paste at least one.");
    if (matrix.cols() == 0)
        return problem(part, name + " has no columns.", {}, "Type or paste at least one.");
    return {};
}

Problem checkShape(const AttentionBlock &block)
{
    if (block.queries < 1 || block.keys < 1)
        return problem(SpecPart::Data, block.queries < 1 ? "There are no queries." : "There are no keys.", {}, "Enter at least one token.");
    if (block.layers < 1 || block.batch < 1)
        return problem(SpecPart::Data, "The input has no layers or no batch elements.");
    const auto keys = static_cast<std::size_t>(block.keys);
    if (!block.keyPadding.empty() && block.keyPadding.size() != static_cast<std::size_t>(block.batch))
        return problem(SpecPart::Data, "The key padding has " + counted(static_cast<Index>(block.keyPadding.size()), "row") + ".",
            "It must have one for each of the " + groupedCount(block.batch) + " batch elements.");
    for (const std::vector<bool> &padding : block.keyPadding)
        if (padding.size() != keys)
            return problem(SpecPart::Data, "The key padding has " + counted(static_cast<Index>(padding.size()), "column") + ".",
                "It must have one for each of the " + groupedCount(block.keys) + " keys.");
    if (block.masks.size() > 1 && block.masks.size() != static_cast<std::size_t>(block.batch))
        return problem(SpecPart::Data, "There are " + groupedCount(static_cast<Index>(block.masks.size())) + " masks.",
            "There must be one, or one for each of the " + groupedCount(block.batch) + " batch elements.");
    for (const BitMatrix &mask : block.masks)
        if (mask.rows() != block.queries || mask.cols() != block.keys)
            return problem(SpecPart::Data, "The mask in the data is " + shapeOf(mask.rows(), mask.cols()) + ".",
                "It must be queries × keys, " + shapeOf(block.queries, block.keys) + ".");
    return {};
}

Problem checkDivides(SpecPart part, const std::string &name, Index columns, int heads, const std::string &noun)
{
    if (columns % heads == 0)
        return {};
    return problem(part, name + " has " + counted(columns, "column") + ", which " + counted(heads, noun) + " cannot share evenly.",
        "The valid numbers are " + divisorsOf(columns) + ".");
}

Problem checkHeads(const AttentionBlock &block, const AttentionSpec &spec)
{
    const int heads = headCount(block, spec);
    if (heads < 1)
        return problem(SpecPart::Heads, "There are " + counted(heads, "head") + ".", "There must be at least 1.");
    // Before the key/value heads, whose number comes of the width of a head.
    if (const auto *embedded = std::get_if<EmbeddedData>(&block.data); embedded && !embedded->layers.empty())
        if (const Problem found = checkDivides(SpecPart::Heads, "W_q", embedded->layers.front().wq.cols(), heads, "head"))
            return found;
    if (spec.kvHeads < 0)
        return problem(SpecPart::KvHeads, "There are " + counted(spec.kvHeads, "key/value head") + ".",
            "There must be at least 1, or 0 for as many as the data have.");
    const int kvHeads = kvHeadCount(block, spec);
    if (kvHeads < 1 || heads % kvHeads != 0)
        return problem(SpecPart::KvHeads,
            counted(kvHeads, "key/value head") + " cannot be shared evenly by " + counted(heads, "query head") + ".",
            "The valid numbers are " + divisorsOf(heads) + ".");
    const int dataKvHeads = dataKvHeadCount(block, spec);
    if (kvHeads > dataKvHeads)
        return problem(SpecPart::KvHeads,
            "The data have " + counted(dataKvHeads, "key/value head") + ", not " + groupedCount(kvHeads) + ".",
            "The valid range is 1 to " + groupedCount(dataKvHeads) + ".");
    if (heads % dataKvHeads != 0)
        return problem(SpecPart::K,
            "The data have " + counted(dataKvHeads, "key/value head") + " for " + counted(heads, "query head") + ".",
            "The number of query heads must be a multiple of it.");
    return {};
}

Problem checkCount(SpecPart part, const std::string &name, std::size_t count, Index expected)
{
    if (static_cast<Index>(count) == expected)
        return {};
    const std::string found = count == 1 ? "is 1 matrix" : "are " + groupedCount(static_cast<Index>(count)) + " matrices";
    return problem(part, "There " + found + " of " + name + ".",
        "There must be " + groupedCount(expected) + ", one for each layer, batch element and head.");
}

/// All matrices of one kind: @p rows each, and as many columns as the first.
Problem checkAlike(SpecPart part, const std::string &name, const std::vector<SharedMatrix> &matrices, Index rows)
{
    for (const SharedMatrix &matrix : matrices) {
        if (const Problem found = checkFilled(part, name, matrix))
            return found;
        if (matrix.rows() != rows)
            return problem(part, name + " has " + counted(matrix.rows(), "row") + ".", "Every head must have " + groupedCount(rows) + ".");
        if (matrix.cols() != matrices.front().cols())
            return problem(part,
                name + " has " + counted(matrix.cols(), "column") + " in one head and " + groupedCount(matrices.front().cols())
                    + " in another.",
                "Every head must have the same width.");
    }
    return {};
}

Problem checkProjected(const AttentionBlock &block, const ProjectedData &data, const AttentionSpec &spec)
{
    const Index planes = static_cast<Index>(block.layers) * block.batch;
    const auto filled = [](SpecPart part, const std::string &name, const std::vector<SharedMatrix> &matrices) {
        return matrices.empty() ? problem(part, name + " is missing.", {}, "Type or paste it.") : checkFilled(part, name, matrices.front());
    };
    const auto checkWidths = [&]() -> Problem {
        if (pairsNumbers(spec.score) && data.k.front().cols() != data.q.front().cols())
            return problem(SpecPart::K, unequal("K", data.k.front().cols(), "Q", data.q.front().cols(), "column"),
                "They must be equal, because q · k pairs their numbers.");
        return {};
    };
    const auto checkValues = [&]() -> Problem {
        if (!block.hasValues())
            return {};
        return firstOf([&] { return checkCount(SpecPart::V, "V", data.v.size(), planes * block.kvHeads); },
            [&]() -> Problem {
                if (data.v.front().rows() != data.k.front().rows())
                    return problem(SpecPart::V, unequal("V", data.v.front().rows(), "K", data.k.front().rows(), "row"),
                        "They must be equal, because every key has one value.");
                return {};
            },
            [&] { return checkAlike(SpecPart::V, "V", data.v, block.keys); });
    };
    return firstOf([&] { return filled(SpecPart::Q, "Q", data.q); }, [&] { return filled(SpecPart::K, "K", data.k); },
        [&] { return checkHeads(block, spec); }, [&] { return checkCount(SpecPart::Q, "Q", data.q.size(), planes * block.heads); },
        [&] { return checkCount(SpecPart::K, "K", data.k.size(), planes * block.kvHeads); }, checkWidths,
        [&] { return checkAlike(SpecPart::Q, "Q", data.q, block.queries); },
        [&] { return checkAlike(SpecPart::K, "K", data.k, block.keys); }, checkValues);
}

Problem checkBias(const std::string &name, const SharedMatrix &bias, const std::string &weightName, Index columns)
{
    if (bias.isEmpty() || (bias.rows() == 1 && bias.cols() == columns))
        return {};
    return problem(SpecPart::Biases, name + " is " + shapeOf(bias) + ".",
        "It must have one row and a column for each of the " + groupedCount(columns) + " columns of " + weightName + ".");
}

/// X or Y against a matrix that multiplies it from the right.
Problem checkProduct(SpecPart part, const std::string &left, const SharedMatrix &a, const std::string &right, const SharedMatrix &b)
{
    if (a.cols() == b.rows())
        return {};
    return problem(part, right + " has " + counted(b.rows(), "row") + ", " + left + " has " + counted(a.cols(), "column") + ".",
        "They must be equal, because " + left + " is multiplied by " + right + ".");
}

Problem checkProjections(const SharedMatrix &x, const SharedMatrix &y, bool isCross, const Projections &layer, const AttentionBlock &block,
    const AttentionSpec &spec)
{
    const int heads = headCount(block, spec);
    const int kvHeads = dataKvHeadCount(block, spec);
    const std::string keySource = isCross ? "Y" : "X";
    const bool hasValues = !layer.wv.isEmpty();
    const auto checkWidths = [&]() -> Problem {
        const Index queryWidth = layer.wq.cols() / heads;
        if (pairsNumbers(spec.score) && layer.wk.cols() != queryWidth * kvHeads)
            return problem(SpecPart::Wk, unequal("W_k", layer.wk.cols(), "W_q", layer.wq.cols(), "column"),
                "Each head has " + counted(queryWidth, "column") + " of W_q, so W_k must have a multiple of that, "
                    + groupedCount(layer.wq.cols()) + " at most.");
        return {};
    };
    const auto checkOutput = [&]() -> Problem {
        if (layer.wo.isEmpty() || !hasValues)
            return {};
        const Index concatColumns = layer.wv.cols() / kvHeads * heads;
        if (layer.wo.rows() != concatColumns)
            return problem(SpecPart::Wo, "W_o has " + counted(layer.wo.rows(), "row") + ".",
                "It must have " + groupedCount(concatColumns) + ", because the heads side by side have as many columns.");
        return {};
    };
    const auto none = []() -> Problem { return {}; };
    return firstOf([&] { return checkFilled(SpecPart::Wq, "W_q", layer.wq); }, [&] { return checkFilled(SpecPart::Wk, "W_k", layer.wk); },
        [&] { return checkProduct(SpecPart::Wq, "X", x, "W_q", layer.wq); },
        [&] { return checkProduct(SpecPart::Wk, keySource, y, "W_k", layer.wk); },
        [&] { return hasValues ? checkFilled(SpecPart::Wv, "W_v", layer.wv) : none(); },
        [&] { return hasValues ? checkProduct(SpecPart::Wv, keySource, y, "W_v", layer.wv) : none(); },
        [&] { return checkDivides(SpecPart::Heads, "W_q", layer.wq.cols(), heads, "head"); }, checkWidths,
        [&] { return checkDivides(SpecPart::KvHeads, "W_k", layer.wk.cols(), kvHeads, "key/value head"); },
        [&] { return hasValues ? checkDivides(SpecPart::Wv, "W_v", layer.wv.cols(), kvHeads, "key/value head") : none(); },
        [&] { return checkBias("b_q", layer.bq, "W_q", layer.wq.cols()); },
        [&] { return checkBias("b_k", layer.bk, "W_k", layer.wk.cols()); },
        [&] { return checkBias("b_v", layer.bv, "W_v", layer.wv.cols()); }, checkOutput,
        [&] { return checkBias("b_o", layer.bo, "W_o", layer.wo.cols()); });
}

Problem checkEmbedded(const AttentionBlock &block, const EmbeddedData &data, const AttentionSpec &spec)
{
    const bool isCross = !data.y.empty();
    const Index planes = static_cast<Index>(block.layers) * block.batch;
    const auto checkLayers = [&]() -> Problem {
        if (data.layers.size() != static_cast<std::size_t>(block.layers))
            return problem(SpecPart::Wq, "There are projections for " + counted(static_cast<Index>(data.layers.size()), "layer") + ".",
                "The input has " + groupedCount(block.layers) + ".");
        for (int layer = 0; layer < block.layers; ++layer) {
            const auto first = static_cast<std::size_t>(layer * block.batch);
            const Problem found = checkProjections(
                data.x[first], isCross ? data.y[first] : data.x[first], isCross, data.layers[static_cast<std::size_t>(layer)], block, spec);
            if (found)
                return found;
        }
        return {};
    };
    return firstOf(
        [&] {
            return data.x.empty() ? problem(SpecPart::X, "X is missing.", {}, "Type or paste it.")
                                  : checkFilled(SpecPart::X, "X", data.x.front());
        },
        [&] { return checkCount(SpecPart::X, "X", data.x.size(), planes); },
        [&] { return isCross ? checkCount(SpecPart::Y, "Y", data.y.size(), planes) : Problem{}; },
        [&] { return checkAlike(SpecPart::X, "X", data.x, block.queries); },
        [&] { return isCross ? checkAlike(SpecPart::Y, "Y", data.y, block.keys) : Problem{}; },
        [&]() -> Problem {
            if (!isCross && block.queries != block.keys)
                return problem(SpecPart::Y, "Y is missing.", "There are not as many keys as queries, so the keys cannot be X.");
            return {};
        },
        [&] { return checkHeads(block, spec); }, checkLayers);
}

Problem checkRecorded(const AttentionBlock &block, const RecordedData &data)
{
    if (block.heads < 1)
        return problem(SpecPart::Heads, "There are no heads.");
    const Index planes = static_cast<Index>(block.layers) * block.batch * block.heads;
    if (const Problem found = checkCount(SpecPart::Data, "weights", data.weights.size(), planes))
        return found;
    for (const SharedMatrix &weights : data.weights)
        if (weights.rows() != block.queries || weights.cols() != block.keys)
            return problem(SpecPart::Data, "The weights of a head are " + shapeOf(weights) + ".",
                "They must be queries × keys, " + shapeOf(block.queries, block.keys) + ".");
    if (!data.rowLengths.empty() && data.rowLengths.size() != static_cast<std::size_t>(block.queries))
        return problem(SpecPart::Data, "There are lengths of " + counted(static_cast<Index>(data.rowLengths.size()), "row") + ".",
            "There are " + groupedCount(block.queries) + " queries.");
    return {};
}

} // namespace

std::optional<SpecProblem> check(const AttentionBlock &block, const AttentionSpec &spec)
{
    const auto checkData = [&]() -> Problem {
        if (const auto *projected = std::get_if<ProjectedData>(&block.data))
            return checkProjected(block, *projected, spec);
        if (const auto *embedded = std::get_if<EmbeddedData>(&block.data))
            return checkEmbedded(block, *embedded, spec);
        if (block.isReduced())
            return {}; // The whole is checked where its weights are made.
        return checkRecorded(block, std::get<RecordedData>(block.data));
    };
    // The data first: "Q has no rows" says more than "there are no queries".
    return firstOf(
        checkData, [&] { return checkShape(block); }, [&] { return checkMask(block, spec.mask); },
        [&] { return block.hasWeightsOnly() ? Problem{} : checkSteps(block, spec); });
}

} // namespace attenscope
