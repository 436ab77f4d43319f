// SPDX-License-Identifier: GPL-3.0-or-later
// Values that are not objects or lists, as JSON or as .npy.
#include "io/session_writer.h"

#include "core/text.h"
#include "io/npy.h"

#include <bit>
#include <cmath>

namespace attenscope {

static_assert(std::endian::native == std::endian::little, "matrices are written as they are in memory");

QJsonValue SessionWriter::json(const std::string &, const std::string &value) const
{
    return QString::fromStdString(value);
}

QJsonValue SessionWriter::json(const std::string &, bool value) const
{
    return value;
}

QJsonValue SessionWriter::json(const std::string &, double value) const
{
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue(QString::fromStdString(exactNumber(value)));
}

QJsonValue SessionWriter::json(const std::string &, std::uint64_t value) const
{
    return QString::number(value);
}

QJsonValue SessionWriter::json(const std::string &path, const SharedMatrix &value) const
{
    if (value.isEmpty())
        return {};
    const Matrix matrix = value.toMatrix();
    const std::array<Index, 2> shape{ matrix.rows(), matrix.cols() };
    addPart(path, shape, ElementType::F64, std::as_bytes(std::span(matrix.data(), static_cast<std::size_t>(matrix.size()))));
    return QString::fromStdString(path + ".npy");
}

QJsonValue SessionWriter::json(const std::string &path, const BitMatrix &value) const
{
    if (value.isEmpty())
        return {};
    // As np.packbits(…, axis=1, bitorder="little") has them.
    const std::array<Index, 2> shape{ value.rows(), (value.cols() + 7) / 8 };
    std::vector<std::byte> bytes;
    for (Index row = 0; row < value.rows(); ++row) {
        const auto words = std::as_bytes(value.words(row));
        bytes.insert(bytes.end(), words.begin(), words.begin() + shape[1]);
    }
    addPart(path, shape, ElementType::U8, bytes);
    return QJsonObject{ { "bits", QString::fromStdString(path + ".npy") }, { "columns", static_cast<qint64>(value.cols()) } };
}

QJsonValue SessionWriter::json(const std::string &path, const Tensor &value) const
{
    addPart(path, value.shape(), value.type(), value.toBytes());
    const std::string_view type = elementName(value.type());
    return QJsonObject{ { "array", QString::fromStdString(path + ".npy") },
        { "type", QString::fromLatin1(type.data(), static_cast<qsizetype>(type.size())) } };
}

void SessionWriter::addPart(const std::string &path, std::span<const Index> shape, ElementType type, std::span<const std::byte> bytes) const
{
    SessionPart part{ path + ".npy", npyHeader(shape, type) };
    part.content.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    m_parts.push_back(std::move(part));
}

} // namespace attenscope
