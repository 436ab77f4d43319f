// SPDX-License-Identifier: GPL-3.0-or-later
// Writing numbers: CSV, NPY, NPZ and JSON of maps, independent of the locale, atomically.
#pragma once

#include "attention/field.h"
#include "core/run.h"

#include <optional>
#include <string>
#include <vector>

namespace attenscope {

enum class NumbersFormat { Csv, Npy, Npz, Json };

/// An array to be written: a name, a shape and its numbers in C order; or, in an NPZ, a list of strings.
struct NumbersArray {
    std::string name;
    std::vector<Index> shape;
    std::vector<double> numbers;
    std::vector<std::string> strings = {}; ///< Instead of shape and numbers.
};

/// A map with everything that says what it is.
struct MapNumbers {
    std::vector<std::string> rowNames; ///< Query tokens.
    std::vector<std::string> colNames; ///< Key tokens, or dimensions.
    std::string stage;
    std::vector<std::string> headNames; ///< One per field.
    std::vector<MapFieldPtr> fields; ///< All of one size.
    std::vector<std::string> notes; ///< "untrained, random weights"
    std::optional<CellRect> region = std::nullopt; ///< What is written of the fields; unset: all of it.
    Index layers = 1; ///< Of the fields, which are layer by layer, each with as many heads.
    bool isOfHeads = false; ///< Rows are heads, not queries; of a map of heads columns too.
    /// Of the whole input, where tokens of it are left out or merged; empty: rows and columns count as they stand.
    std::vector<Index> rowPositions = {};
    std::vector<Index> colPositions = {};

    /// The cells that are written.
    [[nodiscard]] CellRect cells() const;
};

/// About how large the file will be.
[[nodiscard]] std::uint64_t fileBytes(NumbersFormat format, const MapNumbers &map);
/// Why @p map cannot be written in this format, said with its size: too much text, not enough memory.
Result<void> checkNumbers(NumbersFormat format, const MapNumbers &map);

/// The map as text for the clipboard or a file: CSV with names, 17 significant digits, masked cells empty, NaN and inf spelled out.
/// Several heads: a head column in front. Of a region names stand behind their positions.
Result<std::string> mapCsv(const MapNumbers &map, const Run &run = {});
/// NPY and NPZ are [layers, heads, rows, columns] without axes of one; NPZ has the names beside as query_tokens and key_tokens.
/// Writes @p map to @p path; the size is checked first, the room on the disk too. Masked cells: NaN in NPY, null in JSON, empty in CSV.
Result<void> writeMap(const std::string &path, NumbersFormat format, const MapNumbers &map, const Run &run = {});

/// Plain arrays: NPY (one array) and NPZ (stored, one .npy each).
Result<void> writeNpy(const std::string &path, const NumbersArray &array);
Result<void> writeNpz(const std::string &path, const std::vector<NumbersArray> &arrays, const Run &run = {});

} // namespace attenscope
