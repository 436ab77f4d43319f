// SPDX-License-Identifier: GPL-3.0-or-later
// libzip on a ByteSource.
#include "io/zip_archive.h"

#include "core/memory.h"
#include "core/text.h"
#include "io/bytes.h"

#include <zip.h>

#include <algorithm>
#include <unordered_set>

namespace attenscope {

namespace {

constexpr const char *saveAgain = "Download or save it again.";
/// Deflated numbers are seldom a tenth of their size; what is a hundredth and large is meant to fill the memory.
constexpr std::uint64_t bombBytes = 256'000'000;
constexpr std::uint64_t bombRatio = 100;

/// What libzip reads from.
struct Reader {
    std::shared_ptr<const ByteSource> bytes;
    std::uint64_t offset = 0;
    std::uint64_t lastRead = 0; ///< Where the latest read began: for a stored entry, where its data are.
    zip_error_t error{};
};

zip_int64_t readMore(Reader &reader, void *data, zip_uint64_t length)
{
    const std::uint64_t count = std::min<std::uint64_t>(length, reader.bytes->size() - reader.offset);
    reader.bytes->read(reader.offset, std::span(static_cast<std::byte *>(data), count));
    if (reader.bytes->error()) {
        zip_error_set(&reader.error, ZIP_ER_READ, 0);
        return -1;
    }
    reader.lastRead = reader.offset;
    reader.offset += count;
    return static_cast<zip_int64_t>(count);
}

zip_int64_t answer(void *state, void *data, zip_uint64_t length, zip_source_cmd_t command)
{
    Reader &reader = *static_cast<Reader *>(state);
    switch (command) {
    case ZIP_SOURCE_OPEN:
        reader.offset = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return readMore(reader, data, length);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_STAT: {
        auto *status = static_cast<zip_stat_t *>(data);
        zip_stat_init(status);
        status->size = reader.bytes->size();
        status->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&reader.error, data, length);
    case ZIP_SOURCE_SEEK: {
        const zip_int64_t place = zip_source_seek_compute_offset(reader.offset, reader.bytes->size(), data, length, &reader.error);
        if (place < 0)
            return -1;
        reader.offset = static_cast<std::uint64_t>(place);
        return 0;
    }
    case ZIP_SOURCE_TELL:
        return static_cast<zip_int64_t>(reader.offset);
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    default:
        zip_error_set(&reader.error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

struct FileCloser {
    void operator()(zip_file_t *file) const { zip_fclose(file); }
};
using ZipFile = std::unique_ptr<zip_file_t, FileCloser>;

Error damaged(const std::string &name, zip_error_t *error)
{
    return { "The zip file is damaged.", "Its part " + shortened(name, 80) + " cannot be read: " + zip_error_strerror(error) + ".",
        saveAgain, {} };
}

} // namespace

struct ZipArchive::Handle {
    Reader reader;
    zip_t *archive = nullptr;

    ~Handle()
    {
        if (archive != nullptr)
            zip_discard(archive);
    }

    /// Reads up to @p count bytes of @p file to @p out; fewer at its end.
    static Result<std::uint64_t> fill(zip_file_t *file, const std::string &name, std::span<std::byte> out, const Run &run)
    {
        constexpr std::uint64_t piece = 1U << 20U;
        std::uint64_t done = 0;
        while (done < out.size()) {
            if (run.stopped())
                return Error::cancelled();
            const zip_int64_t count = zip_fread(file, out.data() + done, std::min<std::uint64_t>(piece, out.size() - done));
            if (count < 0)
                return damaged(name, zip_file_get_error(file));
            if (count == 0)
                break;
            done += static_cast<std::uint64_t>(count);
        }
        return done;
    }

    Result<ZipBytes> inflate(zip_file_t *file, const ZipEntry &entry, const Run &run) const
    {
        std::vector<std::byte> content(entry.size);
        const auto filled = fill(file, entry.name, content, run);
        if (!filled)
            return filled.error();
        std::byte extra{};
        const auto more = fill(file, entry.name, std::span(&extra, 1), run);
        if (!more)
            return more.error();
        if (*filled != entry.size || *more != 0) {
            return Error{ "The zip file contradicts itself.",
                shortened(entry.name, 80) + " should have " + byteSize(entry.size) + " but has " + (*more != 0 ? "more." : "fewer."),
                saveAgain, {} };
        }
        return ZipBytes{ bytesInMemory(std::move(content)), { 0, entry.size } };
    }

    Result<ZipBytes> view(zip_file_t *file, const ZipEntry &entry, const Run &run) const
    {
        if (entry.size == 0)
            return ZipBytes{ reader.bytes, { 0, 0 } };
        // libzip does not tell where the data of an entry are, but it reads the first byte from there.
        std::byte first{};
        const auto one = fill(file, entry.name, std::span(&first, 1), run);
        if (!one)
            return one.error();
        const ByteRange range{ reader.lastRead, reader.lastRead + entry.size };
        if (*one != 1 || entry.size > reader.bytes->size() - reader.lastRead) {
            return Error{ "The file ends too early.", "Its part " + shortened(entry.name, 80) + " has " + byteSize(entry.size) + ".",
                saveAgain, {} };
        }
        if (reader.bytes->size() < wholeFileLimit) {
            std::vector<std::byte> piece(1U << 16U);
            for (std::uint64_t count = 1; count != 0;) {
                const auto filled = fill(file, entry.name, piece, run);
                if (!filled)
                    return filled.error();
                count = *filled;
            }
        }
        return ZipBytes{ reader.bytes, range };
    }
};

ZipArchive::ZipArchive()
    : m_handle(std::make_unique<Handle>())
{
}
ZipArchive::ZipArchive(ZipArchive &&other) noexcept = default;
ZipArchive &ZipArchive::operator=(ZipArchive &&other) noexcept = default;
ZipArchive::~ZipArchive() = default;

Result<ZipArchive> ZipArchive::open(std::shared_ptr<const ByteSource> bytes)
{
    ZipArchive result;
    Handle &handle = *result.m_handle;
    handle.reader.bytes = std::move(bytes);
    zip_error_init(&handle.reader.error);
    zip_error_t error;
    zip_error_init(&error);
    const auto failed = [&error](const char *what) {
        Error failure{ what, std::string("It cannot be read: ") + zip_error_strerror(&error) + ".", saveAgain, {} };
        zip_error_fini(&error);
        return failure;
    };
    zip_source_t *source = zip_source_function_create(answer, &handle.reader, &error);
    if (source == nullptr)
        return failed("The zip file cannot be opened.");
    handle.archive = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (handle.archive == nullptr) {
        zip_source_free(source);
        return failed("The zip file is damaged or ends too early.");
    }

    std::unordered_set<std::string> names;
    const zip_int64_t count = zip_get_num_entries(handle.archive, 0);
    for (zip_int64_t index = 0; index < count; ++index) {
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(handle.archive, static_cast<zip_uint64_t>(index), 0, &status) != 0 || status.name == nullptr)
            return damaged("number " + std::to_string(index), zip_get_error(handle.archive));
        const std::string name = status.name;
        if (!names.insert(name).second) {
            return Error{ "The zip file contradicts itself.", "It has two parts named " + shortened(name, 80) + ".", saveAgain, {} };
        }
        if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE)
            return Error{ "The zip file is encrypted.", "Its part " + shortened(name, 80) + " needs a password.", "Save it without one.",
                {} };
        const bool isStored = status.comp_method == ZIP_CM_STORE;
        if (!isStored && zip_compression_method_supported(status.comp_method, 0) == 0) {
            return Error{ "The zip file uses a compression that is not known here.",
                shortened(name, 80) + " has method " + std::to_string(status.comp_method) + ".",
                "Save it with np.savez or np.savez_compressed.", {} };
        }
        if (isStored && status.size != status.comp_size) {
            return Error{ "The zip file contradicts itself.",
                shortened(name, 80) + " is stored in " + byteSize(status.comp_size) + " but should have " + byteSize(status.size) + ".",
                saveAgain, {} };
        }
        result.m_entries.push_back({ name, status.size, status.comp_size, isStored });
    }
    return result;
}

Result<void> ZipArchive::checkSizes(const std::vector<std::size_t> &indices) const
{
    std::uint64_t inflated = 0;
    std::uint64_t compressed = 0;
    for (const std::size_t index : indices) {
        const ZipEntry &entry = m_entries[index];
        if (entry.isStored)
            continue;
        if (__builtin_add_overflow(inflated, entry.size, &inflated))
            inflated = std::numeric_limits<std::uint64_t>::max();
        compressed += std::min(entry.compressedSize, m_handle->reader.bytes->size());
    }
    if (inflated > bombBytes && inflated / bombRatio > compressed) {
        return Error{ "The file would unpack to " + byteSize(inflated) + ".",
            "It is packed into " + byteSize(compressed) + ", as no real measurement is.", "If it is meant, save it with np.savez.", {} };
    }
    return checkMemory(inflated, "Unpacking the file");
}

Result<ZipBytes> ZipArchive::read(std::size_t index, const Run &run) const
{
    const ZipEntry &entry = m_entries[index];
    const ZipFile file(zip_fopen_index(m_handle->archive, index, 0));
    if (!file)
        return damaged(entry.name, zip_get_error(m_handle->archive));
    return entry.isStored ? m_handle->view(file.get(), entry, run) : m_handle->inflate(file.get(), entry, run);
}

Result<std::string> ZipArchive::readText(std::size_t index, std::uint64_t mostBytes) const
{
    const ZipEntry &entry = m_entries[index];
    if (entry.size > mostBytes)
        return Error{ "The zip file is damaged.", shortened(entry.name, 80) + " claims to be " + byteSize(entry.size) + " long.", saveAgain,
            {} };
    const auto content = read(index);
    if (!content)
        return content.error();
    return attenscope::readText(*content->bytes, content->range.first, content->range.size());
}

} // namespace attenscope
