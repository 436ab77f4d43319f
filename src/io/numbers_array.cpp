// SPDX-License-Identifier: GPL-3.0-or-later
// Writing plain arrays as NPY and NPZ.
#include "io/archive_discarder.h"
#include "io/atomic_file.h"
#include "io/npy.h"
#include "io/numbers_file.h"

#include <zip.h>

#include <algorithm>
#include <memory>

namespace attenscope {

namespace {

Error cannotWriteZip(zip_error_t *error, const std::string &path)
{
    return { std::string("The file cannot be written: ") + zip_error_strerror(error) + ".", {}, "Choose another folder.", path };
}

/// Feeds libzip the header and then the numbers, which stay where they are.
struct NumbersFeed {
    std::string header;
    std::span<const std::byte> numbers;
    std::uint64_t place = 0;

    [[nodiscard]] std::uint64_t size() const { return header.size() + numbers.size(); }
    std::uint64_t take(std::byte *out, std::uint64_t length)
    {
        const std::uint64_t first = place;
        for (const std::span<const std::byte> part : { std::as_bytes(std::span(header)), numbers }) {
            const std::uint64_t before = part.data() == numbers.data() ? header.size() : 0;
            if (place < before || place >= before + part.size() || length == 0)
                continue;
            const std::uint64_t count = std::min<std::uint64_t>(length, before + part.size() - place);
            std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(place - before), count, out);
            out += count;
            length -= count;
            place += count;
        }
        return place - first;
    }
};

zip_int64_t feed(void *state, void *data, zip_uint64_t length, zip_source_cmd_t command)
{
    auto &numbers = *static_cast<NumbersFeed *>(state);
    switch (command) {
    case ZIP_SOURCE_OPEN:
        numbers.place = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return static_cast<zip_int64_t>(numbers.take(static_cast<std::byte *>(data), length));
    case ZIP_SOURCE_STAT: {
        auto *status = static_cast<zip_stat_t *>(data);
        zip_stat_init(status);
        status->size = numbers.size();
        status->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
    case ZIP_SOURCE_ERROR:
        return 0;
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_READABLE;
    default:
        return -1;
    }
}

int isStopped(zip_t *, void *run)
{
    return static_cast<const Run *>(run)->stopped() ? 1 : 0;
}

} // namespace

Result<void> writeNpy(const std::string &path, const NumbersArray &array)
{
    return writeFile(path, [&array](const Sink &sink) {
        sink(npyHeader(array.shape));
        constexpr std::size_t piece = 1U << 16U;
        const std::span<const double> numbers(array.numbers);
        for (std::size_t first = 0; first < numbers.size(); first += piece)
            sink(littleEndian(numbers.subspan(first, std::min(piece, numbers.size() - first))));
        return Result<void>();
    });
}

Result<void> writeNpz(const std::string &path, const std::vector<NumbersArray> &arrays, const Run &run)
{
    std::vector<NumbersFeed> feeds;
    for (const NumbersArray &array : arrays)
        feeds.push_back(array.strings.empty() ? NumbersFeed{ npyHeader(array.shape), std::as_bytes(std::span(array.numbers)) }
                                              : NumbersFeed{ npyOfStrings(array.strings), {} });

    int code = 0;
    // libzip writes to a file of its own beside it and renames that at the end.
    std::unique_ptr<zip_t, ArchiveDiscarder> archive(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (!archive) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        Error failure = cannotWriteZip(&error, path);
        zip_error_fini(&error);
        return failure;
    }
    zip_register_cancel_callback_with_state(archive.get(), isStopped, nullptr, const_cast<Run *>(&run));
    for (std::size_t place = 0; place < arrays.size(); ++place) {
        zip_source_t *source = zip_source_function(archive.get(), feed, &feeds[place]);
        if (source == nullptr)
            return cannotWriteZip(zip_get_error(archive.get()), path);
        const std::string name = arrays[place].name + ".npy";
        const zip_int64_t index = zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(source);
            return cannotWriteZip(zip_get_error(archive.get()), path);
        }
        const auto entry = static_cast<zip_uint64_t>(index);
        zip_set_file_compression(archive.get(), entry, ZIP_CM_STORE, 0);
        // 1980-01-01, the beginning of time in zip files: the same numbers give the same bytes.
        zip_file_set_dostime(archive.get(), entry, 0, (1U << 5U) | 1U, 0);
    }
    if (zip_close(archive.get()) != 0)
        return run.stopped() ? Error::cancelled() : cannotWriteZip(zip_get_error(archive.get()), path);
    static_cast<void>(archive.release());
    return {};
}

} // namespace attenscope
