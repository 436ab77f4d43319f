// SPDX-License-Identifier: GPL-3.0-or-later
// A session whose weights were recorded, made of matrices instead of a file.
#pragma once

#include "session/session.h"
#include "session/tensor_set.h"

#include <cstring>

namespace attenscope {

/// @p weights layer by layer, head by head, all of one size. @p tokens names queries and keys; empty: positions.
[[nodiscard]] inline Session recordedSession(Index layers, const std::vector<Matrix> &weights, const std::vector<std::string> &tokens = {})
{
    const Index rows = weights.front().rows();
    const Index cols = weights.front().cols();
    const std::size_t map = static_cast<std::size_t>(rows * cols) * sizeof(double);
    std::vector<std::byte> bytes(map * weights.size());
    for (std::size_t head = 0; head < weights.size(); ++head)
        std::memcpy(bytes.data() + head * map, weights[head].data(), map);
    auto tensors = std::make_shared<TensorSet>();
    const Index heads = static_cast<Index>(weights.size()) / layers;
    tensors->tensors.push_back(
        { "attentions", "a.npy", Tensor(bytesInMemory(std::move(bytes)), 0, ElementType::F64, { layers, heads, rows, cols }) });
    if (!tokens.empty())
        tensors->tokenLists.push_back({ "tokens", "tokens.txt", tokens });
    FileSource source;
    source.uses = recognise(*tensors);
    source.tensors = tensors;
    Session session = exampleSentence();
    session.source = source;
    session.mechanism = {};
    return session;
}

} // namespace attenscope
