// SPDX-License-Identifier: GPL-3.0-or-later
// Reading files whole or piece by piece, and noticing that they changed.
#include "io/bytes.h"

#include "core/memory.h"
#include "core/text.h"

#include <QCryptographicHash>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace attenscope {

namespace {

/// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    [[nodiscard]] int number() const { return m_number; }
    /// Reads until @p out is full or the file ends; how many bytes there were.
    [[nodiscard]] std::size_t read(std::uint64_t offset, std::span<std::byte> out) const
    {
        std::size_t done = 0;
        while (done < out.size()) {
            const ssize_t count = ::pread(m_number, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                break;
            done += static_cast<std::size_t>(count);
        }
        return done;
    }

private:
    int m_number;
};

/// A large file. It is read, not mapped: a mapped file that another program cuts short kills the program that looks at it, a read
/// just ends, and both come from the same page cache.
class FileBytes final : public ByteSource {
public:
    FileBytes(std::unique_ptr<Descriptor> file, std::string path, std::uint64_t size)
        : m_file(std::move(file))
        , m_path(std::move(path))
        , m_size(size)
    {
    }
    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        assert(offset + out.size() <= m_size);
        const std::size_t count = m_file->read(offset, out);
        if (count == out.size())
            return;
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), std::byte{ 0xff });
        m_hasFailed.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] std::optional<Error> error() const override
    {
        if (!m_hasFailed.load(std::memory_order_relaxed))
            return std::nullopt;
        return Error{ "The file became shorter or unreadable while it was open.",
            "It had " + groupedCount(static_cast<std::int64_t>(m_size)) + " bytes; what is missing shows as NaN.", "Reload it.", m_path };
    }

private:
    std::unique_ptr<Descriptor> m_file;
    std::string m_path;
    std::uint64_t m_size;
    mutable std::atomic<bool> m_hasFailed{ false };
};

/// What Qt and others put in place of bytes of a name that are not UTF-8.
constexpr std::string_view replacement = "\xef\xbf\xbd";

std::string systemWords(int number, const std::string &path)
{
    if (number == ENOENT && path.find(replacement) != std::string::npos)
        return "The name of the file, or of its folder, is not UTF-8: give it another name.";
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return "There is no such file.";
    case EACCES:
    case EPERM:
        return "The file may not be read by this user.";
    case ENAMETOOLONG:
        return "The name of the file is too long.";
    default:
        return std::string("The file cannot be read: ") + std::strerror(number) + ".";
    }
}

std::int64_t modifiedTime(const struct stat &status)
{
    return std::int64_t{ status.st_mtim.tv_sec } * 1'000'000'000 + status.st_mtim.tv_nsec;
}

std::string checksumOf(std::span<const std::byte> bytes)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    return hash.result().toHex().toStdString();
}

std::string absolutePath(const std::string &path)
{
    std::error_code failure;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
    return failure ? path : absolute.lexically_normal().string();
}

} // namespace

Result<OpenedFile> openBytes(const std::string &path)
{
    const std::string place = absolutePath(path);
    struct stat status { };
    if (::stat(place.c_str(), &status) != 0)
        return Error{ systemWords(errno, place), {}, {}, place };
    if (S_ISDIR(status.st_mode))
        return Error{ "This is a folder.", {}, "Open the files in it.", place };
    if (!S_ISREG(status.st_mode))
        return Error{ "This is not a regular file.", {}, "Copy its content to a file first.", place };
    auto file = std::make_unique<Descriptor>(::open(place.c_str(), O_RDONLY | O_CLOEXEC));
    if (file->number() < 0 || ::fstat(file->number(), &status) != 0)
        return Error{ systemWords(errno, place), {}, {}, place };
    if (status.st_size == 0)
        return Error{ "The file is empty.", {}, "Save it again.", place };

    OpenedFile opened;
    opened.ref.path = place;
    opened.ref.size = static_cast<std::uint64_t>(status.st_size);
    opened.ref.modified = modifiedTime(status);
    if (opened.ref.size >= wholeFileLimit) {
        opened.bytes = std::make_shared<FileBytes>(std::move(file), place, opened.ref.size);
        return opened;
    }
    if (auto enough = checkMemory(opened.ref.size, "Reading the file"); !enough)
        return enough.error().at(place);
    std::vector<std::byte> bytes(opened.ref.size);
    if (file->read(0, bytes) != bytes.size())
        return Error{ "The file changed while it was read.", {}, "Open it again.", place };
    opened.ref.checksum = checksumOf(bytes);
    opened.bytes = bytesInMemory(std::move(bytes));
    return opened;
}

Result<void> checkUnchanged(const FileRef &ref)
{
    struct stat status { };
    if (::stat(ref.path.c_str(), &status) != 0)
        return Error{ errno == ENOENT ? "The file is gone." : systemWords(errno, ref.path), {}, "Open it where it is now.", ref.path };
    const Error changed{ "The file changed.", {}, "Reload it.", ref.path };
    if (!S_ISREG(status.st_mode) || static_cast<std::uint64_t>(status.st_size) != ref.size)
        return changed;
    if (ref.modified == 0 || ref.modified == modifiedTime(status))
        return {};
    if (ref.checksum.empty())
        return changed;
    // Written anew, perhaps with the same content.
    const auto reopened = openBytes(ref.path);
    if (!reopened)
        return reopened.error();
    if (reopened->ref.checksum != ref.checksum)
        return changed;
    return {};
}

Result<std::string> readText(const ByteSource &bytes, std::uint64_t first, std::uint64_t count)
{
    if (auto enough = checkMemory(count, "Reading the text"); !enough)
        return enough.error();
    std::string text(count, '\0');
    bytes.read(first, std::as_writable_bytes(std::span(text)));
    if (const auto failure = bytes.error())
        return *failure;
    return text;
}

std::string fileName(const std::string &path)
{
    return std::filesystem::path(path).filename().string();
}

std::string baseName(const std::string &path)
{
    return std::filesystem::path(path).stem().string();
}

std::string extension(const std::string &path)
{
    std::string text = std::filesystem::path(path).extension().string();
    if (!text.empty())
        text.erase(0, 1);
    for (char &letter : text)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return text;
}

} // namespace attenscope
