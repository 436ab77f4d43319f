// SPDX-License-Identifier: GPL-3.0-or-later
// Golden sets: a manifest and one .npz per case, read and written without the program's own readers.
#pragma once

#include "core/matrix.h"

#include <QJsonObject>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attenscope {

/// An array of a golden file: C order, any number of axes.
struct GoldenArray {
    std::vector<Index> shape;
    std::vector<double> numbers;

    [[nodiscard]] int axes() const { return static_cast<int>(shape.size()); }
    /// Product of the last two sizes: the numbers of one matrix.
    [[nodiscard]] Index planeSize() const;
    /// Matrix @p plane of an array with two axes or more, counted over all leading axes.
    [[nodiscard]] Matrix plane(Index plane) const;
    [[nodiscard]] Index planes() const;
};

using GoldenArrays = std::map<std::string, GoldenArray>;

/// What the manifest says about an output.
struct GoldenOutput {
    std::string name;
    std::vector<Index> shape;
    double atol = 0.0;
    double rtol = 0.0;
};

/// One case with its inputs; the expected numbers are not read.
struct GoldenCase {
    std::string name;
    std::string file;
    std::string variant;
    QJsonObject params;
    GoldenArrays inputs;
    std::vector<GoldenOutput> outputs;

    [[nodiscard]] bool has(const std::string &input) const { return inputs.count(input) > 0; }
    [[nodiscard]] int intParam(const char *param, int fallback) const
    {
        const QJsonValue value = params[QLatin1String(param)];
        return value.isDouble() ? value.toInt() : fallback;
    }
};

/// The arrays of @p names in a .npz of stored '<f8' entries; nothing if it is not one or lacks one of them.
[[nodiscard]] std::optional<GoldenArrays> readNpz(const QString &path, const std::vector<std::string> &names);
/// Writes stored '<f8' entries. False if the file cannot be written.
[[nodiscard]] bool writeNpz(const QString &path, const GoldenArrays &arrays);

/// All cases of the set in @p folder; nothing, and @p error, if it cannot be read.
[[nodiscard]] std::optional<std::vector<GoldenCase>> readCases(const QString &folder, QString *error = nullptr);

} // namespace attenscope
