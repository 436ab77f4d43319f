// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products in double precision on the vectorised kernels: projections and what scores are made of.
#pragma once

#include "core/matrix.h"

namespace attenscope {

/// @p left · @p right, split over rows by parallelFor(). Every number is summed in order of the depth, whatever the number of threads.
[[nodiscard]] Matrix matrixProduct(const Matrix &left, const Matrix &right);

} // namespace attenscope
