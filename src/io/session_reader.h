// SPDX-License-Identifier: GPL-3.0-or-later
// SessionReader: a value from JSON and the arrays beside it, with every type and range checked.
#pragma once

#include "io/session_fields.h"

#include <QJsonArray>
#include <QJsonObject>

#include <concepts>
#include <limits>
#include <map>

namespace attenscope {

/// The arrays of a session file by name; each is used once, so that a small file cannot ask for the same large matrix many times.
using SessionArrays = std::map<std::string, Tensor>;

/// What readers of one file share.
struct SessionReading {
    SessionArrays arrays;
    std::optional<Error> error; ///< The first thing that is wrong; the values read after it do not count.
};

/// Reads the fields that are there; one that is missing keeps its default.
class SessionReader {
public:
    /// @p path names the object in errors: "mechanism/mask".
    SessionReader(SessionReading &reading, QJsonObject object, std::string path)
        : m_reading(reading)
        , m_object(std::move(object))
        , m_path(std::move(path))
    {
    }

    template <typename Value>
    void field(const char *name, Value &value)
    {
        const auto member = m_object.constFind(QLatin1String(name));
        if (member != m_object.constEnd())
            read(m_path.empty() ? name : m_path + "/" + name, *member, value);
    }

private:
    void read(const std::string &path, const QJsonValue &json, std::string &value);
    void read(const std::string &path, const QJsonValue &json, bool &value);
    void read(const std::string &path, const QJsonValue &json, double &value);
    void read(const std::string &path, const QJsonValue &json, std::uint64_t &value);
    void read(const std::string &path, const QJsonValue &json, SharedMatrix &value);
    void read(const std::string &path, const QJsonValue &json, BitMatrix &value);
    void read(const std::string &path, const QJsonValue &json, Tensor &value);

    template <std::signed_integral Value>
    void read(const std::string &path, const QJsonValue &json, Value &value)
    {
        value = static_cast<Value>(integer(path, json, std::numeric_limits<Value>::min(), std::numeric_limits<Value>::max()));
    }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void read(const std::string &path, const QJsonValue &json, Enum &value)
    {
        value = static_cast<Enum>(choice(path, json, enumNames<Enum>));
    }
    template <typename Value>
    void read(const std::string &path, const QJsonValue &json, std::optional<Value> &value)
    {
        value.reset();
        if (!json.isNull())
            read(path, json, value.emplace());
    }
    template <typename Value>
    void read(const std::string &path, const QJsonValue &json, std::vector<Value> &values)
    {
        values.clear();
        if (!json.isArray())
            return fail(path, "a list");
        const QJsonArray array = json.toArray();
        for (qsizetype place = 0; place < array.size(); ++place)
            read(path + "/" + std::to_string(place), array[place], values.emplace_back());
    }
    template <typename Value>
    requires std::is_class_v<Value>
    void read(const std::string &path, const QJsonValue &json, Value &value)
    {
        if (!json.isObject())
            return fail(path, "an object");
        SessionReader reader(m_reading, json.toObject(), path);
        describe(reader, value);
    }

    std::int64_t integer(const std::string &path, const QJsonValue &json, std::int64_t least, std::int64_t most);
    std::size_t choice(const std::string &path, const QJsonValue &json, std::span<const std::string_view> names);
    /// Takes the array named @p json out of the reading.
    std::optional<Tensor> takeArray(const std::string &path, const QJsonValue &json);
    /// "mechanism/heads is no whole number."
    void fail(const std::string &path, const std::string &wanted);

    SessionReading &m_reading;
    QJsonObject m_object;
    std::string m_path;
};

} // namespace attenscope
