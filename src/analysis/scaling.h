// SPDX-License-Identifier: GPL-3.0-or-later
// Classical scaling: points in few dimensions whose distances are those that were given, as nearly as that is possible.
#pragma once

#include "core/matrix.h"
#include "core/result.h"
#include "core/run.h"

namespace attenscope {

/// Points in the order of the distances.
struct ScaledPoints {
    Matrix points; ///< Points x dimensions, around zero; the direction with the largest spread first, its largest coordinate positive.
    double share
        = 1.0; ///< Of the spread in all directions (the sum of the positive eigenvalues) that these dimensions have; 1 where there is none.
};

/// Torgerson 1952: the leading eigenvectors of -½ J D² J, J = I - 1/n, times the roots of their eigenvalues. @p distances is symmetric with
/// zeros on the diagonal; where points with such distances exist in so many dimensions they are found, but for turns and mirrors.
/// n³ operations that cannot be stopped half way. Errors: a distance that is not finite, memory, cancelled before it began.
Result<ScaledPoints> classicalScaling(const Matrix &distances, Index dimensions, const Run &run = {});

} // namespace attenscope
