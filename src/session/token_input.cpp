// SPDX-License-Identifier: GPL-3.0-or-later
// Typed tokens: splitting, seeded embeddings and projections.
#include "attention/operands.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"
#include "session/characters.h"
#include "session/input_builders.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace attenscope {

namespace {

std::vector<std::string> splitAtWhiteSpace(const std::string &text)
{
    std::vector<std::string> tokens;
    std::string token;
    for (std::size_t place = 0; place < text.size();) {
        if (const std::size_t bytes = whiteSpaceBytes(text, place)) {
            if (!token.empty())
                tokens.push_back(std::exchange(token, {}));
            place += bytes;
        } else {
            token += text[place++];
        }
    }
    if (!token.empty())
        tokens.push_back(std::move(token));
    return tokens;
}

std::vector<std::string> splitCharacters(const std::string &text)
{
    std::vector<std::string> tokens;
    for (std::size_t place = 0; place < text.size(); place += tokens.back().size())
        tokens.push_back(text.substr(place, characterBytes(text, place)));
    return tokens;
}

std::vector<std::string> splitLines(const std::string &text)
{
    std::vector<std::string> tokens;
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", place), text.size());
        tokens.push_back(text.substr(place, end - place));
        place = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return tokens;
}

Matrix embeddings(const std::vector<std::string> &tokens, const TokensSource &source)
{
    const auto rows = static_cast<Index>(tokens.size());
    Matrix x(rows, source.dModel);
    std::unordered_map<std::string, Index> firstRows;
    for (Index row = 0; row < rows; ++row) {
        const std::string &token = tokens[static_cast<std::size_t>(row)];
        const auto [known, isNew] = firstRows.try_emplace(token, row);
        if (isNew)
            x.row(row) = Random(namedSeed(source.seed, "token " + token)).normalMatrix(1, source.dModel);
        else
            x.row(row) = x.row(known->second);
    }
    return x;
}

SharedMatrix seededProjection(const TokensSource &source, std::string_view name)
{
    const double deviation = 1.0 / std::sqrt(static_cast<double>(source.dModel));
    return SharedMatrix(Random(namedSeed(source.seed, name)).normalMatrix(source.dModel, source.dModel, deviation));
}

} // namespace

std::vector<std::string> splitTokens(const std::string &text, SplitRule rule)
{
    switch (rule) {
    case SplitRule::WhiteSpace:
        return splitAtWhiteSpace(text);
    case SplitRule::Characters:
        return splitCharacters(text);
    case SplitRule::Lines:
        return splitLines(text);
    }
    return {};
}

Result<AttentionInput> buildTokenInput(const TokensSource &source)
{
    AttentionBlock block;
    block.queryTokens = splitTokens(source.text, source.split);
    block.keyTokens = source.keyText ? splitTokens(*source.keyText, source.split) : block.queryTokens;
    if (block.queryTokens.empty())
        return Error{ "There are no tokens.", "", "Type some text.", {} };
    if (block.keyTokens.empty())
        return Error{ "There are no tokens for the keys.", "", "Type a second text, or take the keys from the same tokens.", {} };
    if (source.dModel < 1)
        return Error{ "The embeddings have no numbers.", "d_model is " + std::to_string(source.dModel) + ".", "Make it 1 or more.", {} };

    block.queries = static_cast<Index>(block.queryTokens.size());
    block.keys = static_cast<Index>(block.keyTokens.size());
    const auto dModel = static_cast<std::uint64_t>(source.dModel);
    const std::uint64_t rows = block.queryTokens.size() + block.keyTokens.size() + 4 * dModel;
    const std::uint64_t bytes = saturatingProduct(saturatingProduct(rows, dModel), 3 * sizeof(double));
    if (const auto memory = checkMemory(bytes, "Embeddings with d_model " + groupedCount(source.dModel)); !memory)
        return memory.error();

    EmbeddedData data;
    const auto placed = [&source](Matrix vectors) {
        if (source.hasPositions)
            vectors += sinusoidalPositions(vectors.rows(), vectors.cols());
        return SharedMatrix(vectors);
    };
    const Matrix vectors = embeddings(block.queryTokens, source);
    data.x.push_back(placed(vectors));
    if (source.hasPositions)
        data.unplaced.emplace_back(vectors);
    if (source.keyText) {
        const Matrix keyVectors = embeddings(block.keyTokens, source);
        data.y.push_back(placed(keyVectors));
        if (source.hasPositions)
            data.unplaced.emplace_back(keyVectors);
    }
    Projections projections;
    projections.wq = seededProjection(source, "W_q");
    projections.wk = seededProjection(source, "W_k");
    projections.wv = seededProjection(source, "W_v");
    projections.wo = seededProjection(source, "W_o");
    data.layers.push_back(std::move(projections));

    block.heads = 0;
    block.kvHeads = 0;
    block.data = std::move(data);
    block.isUntrained = true;
    return AttentionInput{ { std::move(block) } };
}

} // namespace attenscope
