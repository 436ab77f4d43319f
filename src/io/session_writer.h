// SPDX-License-Identifier: GPL-3.0-or-later
// SessionWriter: a value as JSON, its matrices and tensors as .npy beside it.
#pragma once

#include "io/session_fields.h"

#include <QJsonArray>
#include <QJsonObject>

#include <concepts>
#include <vector>

namespace attenscope {

/// A part of the zip file.
struct SessionPart {
    std::string name;
    std::string content;
};

/// Collects the JSON of one value. Numbers that JSON does not have are strings ("nan", "inf"), and so are unsigned 64-bit numbers.
class SessionWriter {
public:
    /// Arrays go to @p parts, named after @p path and the field.
    SessionWriter(std::vector<SessionPart> &parts, std::string path)
        : m_parts(parts)
        , m_path(std::move(path))
    {
    }

    [[nodiscard]] const QJsonObject &object() const { return m_object; }

    template <typename Value>
    void field(const char *name, const Value &value)
    {
        m_object[QLatin1String(name)] = json(m_path.empty() ? name : m_path + "/" + name, value);
    }

private:
    QJsonValue json(const std::string &path, const std::string &value) const;
    QJsonValue json(const std::string &path, bool value) const;
    QJsonValue json(const std::string &path, double value) const;
    QJsonValue json(const std::string &path, std::uint64_t value) const;
    QJsonValue json(const std::string &path, const SharedMatrix &value) const;
    QJsonValue json(const std::string &path, const BitMatrix &value) const;
    QJsonValue json(const std::string &path, const Tensor &value) const;

    template <std::signed_integral Value>
    QJsonValue json(const std::string &, Value value) const
    {
        return QJsonValue(static_cast<qint64>(value));
    }
    template <typename Enum>
    requires std::is_enum_v<Enum> QJsonValue json(const std::string &, Enum value)
    const
    {
        const std::string_view name = enumNames<Enum>.at(static_cast<std::size_t>(value));
        return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
    }
    template <typename Value>
    QJsonValue json(const std::string &path, const std::optional<Value> &value) const
    {
        return value ? json(path, *value) : QJsonValue();
    }
    template <typename Value>
    QJsonValue json(const std::string &path, const std::vector<Value> &values) const
    {
        QJsonArray array;
        for (std::size_t place = 0; place < values.size(); ++place)
            array.append(json(path + "/" + std::to_string(place), values[place]));
        return array;
    }
    template <typename Value>
    requires std::is_class_v<Value> QJsonValue json(const std::string &path, const Value &value)
    const
    {
        SessionWriter writer(m_parts, path);
        Value copy = value;
        describe(writer, copy);
        return writer.object();
    }

    void addPart(const std::string &path, std::span<const Index> shape, ElementType type, std::span<const std::byte> bytes) const;

    std::vector<SessionPart> &m_parts;
    std::string m_path;
    QJsonObject m_object;
};

} // namespace attenscope
