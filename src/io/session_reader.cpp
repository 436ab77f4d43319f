// SPDX-License-Identifier: GPL-3.0-or-later
// Values that are not objects or lists, from JSON or .npy.
#include "io/session_reader.h"

#include "core/memory.h"
#include "core/text.h"

#include <algorithm>

namespace attenscope {

void SessionReader::read(const std::string &path, const QJsonValue &json, std::string &value)
{
    if (!json.isString())
        return fail(path, "a text");
    value = json.toString().toStdString();
}

void SessionReader::read(const std::string &path, const QJsonValue &json, bool &value)
{
    if (!json.isBool())
        return fail(path, "true or false");
    value = json.toBool();
}

void SessionReader::read(const std::string &path, const QJsonValue &json, double &value)
{
    if (json.isDouble()) {
        value = json.toDouble();
        return;
    }
    const QString text = json.toString();
    if (text == QLatin1String("nan"))
        value = std::numeric_limits<double>::quiet_NaN();
    else if (text == QLatin1String("inf"))
        value = std::numeric_limits<double>::infinity();
    else if (text == QLatin1String("-inf"))
        value = -std::numeric_limits<double>::infinity();
    else
        fail(path, "a number");
}

void SessionReader::read(const std::string &path, const QJsonValue &json, std::uint64_t &value)
{
    bool ok = false;
    value = json.toString().toULongLong(&ok);
    if (!ok)
        fail(path, "a whole number in quotes");
}

void SessionReader::read(const std::string &path, const QJsonValue &json, SharedMatrix &value)
{
    value = {};
    if (json.isNull())
        return;
    const auto array = takeArray(path, json);
    if (!array)
        return;
    if (array->axes() != 2)
        return fail(path, "a matrix");
    const auto bytes = saturatingProduct(static_cast<std::uint64_t>(array->elements()), sizeof(double));
    if (const auto memory = checkMemory(bytes, "A matrix of the session"); !memory) {
        m_reading.error = m_reading.error ? m_reading.error : memory.error();
        return;
    }
    value = SharedMatrix(SharedMatrix(*array).toMatrix());
}

void SessionReader::read(const std::string &path, const QJsonValue &json, BitMatrix &value)
{
    value = {};
    if (json.isNull())
        return;
    const QJsonObject object = json.toObject();
    const Index cols = integer(path + "/columns", object[QLatin1String("columns")], 0, std::numeric_limits<std::int32_t>::max());
    const auto array = takeArray(path, object[QLatin1String("bits")]);
    if (!array)
        return;
    if (array->axes() != 2 || array->type() != ElementType::U8 || array->shape()[1] != (cols + 7) / 8)
        return fail(path, "a mask");
    const Index rows = array->shape()[0];
    const auto bytes = saturatingProduct(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols / 8 + 8));
    if (const auto memory = checkMemory(bytes, "A mask of the session"); !memory) {
        m_reading.error = m_reading.error ? m_reading.error : memory.error();
        return;
    }
    value = BitMatrix(rows, cols, false);
    std::vector<double> row(static_cast<std::size_t>(array->shape()[1]));
    for (Index query = 0; query < rows; ++query) {
        array->readRow(query, 0, row);
        for (Index key = 0; key < cols; ++key) {
            const auto byte = static_cast<unsigned>(row[static_cast<std::size_t>(key / 8)]);
            if (((byte >> static_cast<unsigned>(key % 8)) & 1U) != 0)
                value.set(query, key, true);
        }
    }
}

void SessionReader::read(const std::string &path, const QJsonValue &json, Tensor &value)
{
    const QJsonObject object = json.toObject();
    const auto array = takeArray(path, object[QLatin1String("array")]);
    if (!array)
        return;
    value = *array;
    const std::string type = object[QLatin1String("type")].toString().toStdString();
    if (type == elementName(array->type()))
        return;
    // NumPy has no name for it, so that the bits are stored as integers.
    if (type != elementName(ElementType::BF16) || array->type() != ElementType::U16)
        return fail(path + "/type", "the type of its array");
    value = Tensor(bytesInMemory(array->toBytes()), 0, ElementType::BF16, array->shape());
}

std::int64_t SessionReader::integer(const std::string &path, const QJsonValue &json, std::int64_t least, std::int64_t most)
{
    // toInteger() gives its argument back for what is no whole number of 64 bits.
    const std::int64_t number = json.toInteger(least);
    const bool isInteger = json.isDouble() && json.toInteger(least) == json.toInteger(most);
    if (isInteger && number >= least && number <= most)
        return number;
    fail(path, "a whole number");
    return std::clamp<std::int64_t>(0, least, most);
}

std::size_t SessionReader::choice(const std::string &path, const QJsonValue &json, std::span<const std::string_view> names)
{
    const std::string text = json.toString().toStdString();
    const auto name = std::find(names.begin(), names.end(), text);
    if (name != names.end())
        return static_cast<std::size_t>(name - names.begin());
    fail(path, "a known word");
    return 0;
}

std::optional<Tensor> SessionReader::takeArray(const std::string &path, const QJsonValue &json)
{
    const auto node = m_reading.arrays.extract(json.toString().toStdString());
    if (node)
        return std::move(node.mapped());
    if (!m_reading.error)
        m_reading.error
            = Error{ "The session is incomplete.", "The array for " + shortened(path, 120) + " is missing.", "Use another copy.", {} };
    return {};
}

void SessionReader::fail(const std::string &path, const std::string &wanted)
{
    if (!m_reading.error)
        m_reading.error = Error{ "The session is damaged.", shortened(path, 120) + " is not " + wanted + ".", "Use another copy.", {} };
}

} // namespace attenscope
