// SPDX-License-Identifier: GPL-3.0-or-later
// What the streaming pass is measured against: whole matrices through Eigen, compiled for processors from 2013 on.
#pragma once

#include <cstddef>

/// output = softmax(q kᵀ · scale) v in single precision with the whole n x n matrix in memory, one thread; all arrays n x d.
__attribute__((visibility("default"))) void naiveAttention(
    const float *q, const float *k, const float *v, std::ptrdiff_t n, std::ptrdiff_t d, float scale, bool isCausal, float *output);
