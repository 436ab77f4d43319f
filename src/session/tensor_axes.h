// SPDX-License-Identifier: GPL-3.0-or-later
// TensorStack: the tensors of one role as matrices by layer, batch element and head.
#pragma once

#include "session/tensor_set.h"

namespace attenscope {

/// Tensors that are used as the same thing, one or one per layer, seen as layers x batch x heads matrices. Views; nothing is copied but a
/// matrix of one row or column that lies scattered in its file.
class TensorStack {
public:
    TensorStack() = default;
    /// One entry per tensor, in the order of the layers; not empty. Errors: axes that make no matrix of the role, nothing in it, shapes
    /// that differ from tensor to tensor, more than maxMatrices.
    static Result<TensorStack> make(std::vector<const NamedTensor *> tensors, const std::vector<TensorUse> &uses);

    static constexpr Index maxMatrices = 65'536;

    [[nodiscard]] bool isThere() const { return !m_parts.empty(); }
    [[nodiscard]] const std::string &name() const { return m_parts.front().tensor->name; }
    /// "q is 2 × 5 × 4", as in the file.
    [[nodiscard]] std::string shapeSentence() const;
    [[nodiscard]] bool isOne() const { return m_parts.size() == 1; }

    [[nodiscard]] int layers() const { return m_layers; }
    [[nodiscard]] int batch() const { return m_batch; }
    [[nodiscard]] int heads() const { return m_heads; }
    [[nodiscard]] Index rows() const { return m_rows; }
    [[nodiscard]] Index cols() const { return m_cols; }
    [[nodiscard]] SharedMatrix matrix(int layer, int element, int head) const;

private:
    struct Part {
        const NamedTensor *tensor = nullptr;
        Tensor view; ///< layers x batch x heads x rows x cols without the axes that it does not have.
        bool hasLayers = false;
        bool hasBatch = false;
        bool hasHeads = false;
        int layers = 1;
        int batch = 1;
        int heads = 1;
        Index rows = 1;
        Index cols = 1;
    };
    static Result<Part> makePart(const NamedTensor &tensor, const TensorUse &use);

    std::vector<Part> m_parts;
    int m_layers = 1;
    int m_batch = 1;
    int m_heads = 1;
    Index m_rows = 0;
    Index m_cols = 0;
};

} // namespace attenscope
