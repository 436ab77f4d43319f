// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy's .npy format, versions 1.0, 2.0 and 3.0 (numpy.lib.format).
#pragma once

#include "io/tensor_place.h"

#include <optional>
#include <string>
#include <vector>

namespace attenscope {

/// What an .npy holds: numbers, or strings of one axis, which are names, or something that is of no use here.
struct NpyContent {
    Tensor tensor;
    std::vector<std::string> names;
    std::optional<Error> leftOut; ///< Why it is neither: objects (pickles, never read), structures, complex numbers, ….
};

/// Reads the .npy that fills @p range of @p bytes; the numbers stay where they are. Fortran order becomes a transposed view. Errors, naming the
/// array @p name as within a sentence: damaged header, an impossible shape, too few or too many bytes.
Result<NpyContent> readNpy(const std::shared_ptr<const ByteSource> &bytes, ByteRange range, const std::string &name);

/// The header of a version 1.0 .npy with little-endian numbers in C order; its length is a multiple of 64. BF16, which NumPy does not know, is
/// written as u2.
[[nodiscard]] std::string npyHeader(std::span<const Index> shape, ElementType type = ElementType::F64);
/// A whole .npy with a list of strings (UTF-8), as np.array(strings) is saved.
[[nodiscard]] std::string npyOfStrings(const std::vector<std::string> &strings);

} // namespace attenscope
