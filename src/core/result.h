// SPDX-License-Identifier: GPL-3.0-or-later
// Error and Result<T>: how every call that can fail answers, without exceptions.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace attenscope {

/// One sentence about what went wrong, in the four parts that the window shows: bold, then plain, path last.
struct Error {
    std::string what; ///< What is wrong: "The file ends too early."
    std::string where; ///< File part, tensor, row: "Tensor layer.3.attn should end at byte 146,600; the file has 98,304."
    std::string remedy; ///< What to do: "Download it again."
    std::string path; ///< The file, if there is one; shown last.
    bool isCancelled = false; ///< The user stopped the work; never shown.

    /// The four parts in order, separated by single spaces.
    [[nodiscard]] std::string sentence() const;
    /// The same error with @p filePath as its path, unless it has one.
    [[nodiscard]] Error at(std::string filePath) const;
    /// The error that every stopped call returns.
    [[nodiscard]] static Error cancelled();

    friend bool operator==(const Error &, const Error &) = default;
};

/// A value or an Error. Reading the wrong one is a bug in the program (assert), never an answer to data.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] const T &value() const &
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    [[nodiscard]] T &value() &
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    [[nodiscard]] T &&value() &&
    {
        assert(ok());
        return std::get<0>(std::move(m_state));
    }
    [[nodiscard]] const Error &error() const
    {
        assert(!ok());
        return std::get<1>(m_state);
    }

    const T &operator*() const & { return value(); }
    T &operator*() & { return value(); }
    T &&operator*() && { return std::move(*this).value(); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return !m_error; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error &error() const
    {
        assert(!ok());
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

} // namespace attenscope
