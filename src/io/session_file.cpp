// SPDX-License-Identifier: GPL-3.0-or-later
// Packing a session and its arrays into one zip file, and unpacking it.
#include "io/session_file.h"

#include "core/memory.h"
#include "core/text.h"
#include "io/archive_discarder.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/npy.h"
#include "io/open.h"
#include "io/session_reader.h"
#include "io/session_writer.h"
#include "io/zip_archive.h"

#include <QJsonDocument>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace attenscope {

namespace {

constexpr int formatVersion = 1;
constexpr const char *formatName = "attenscope-session";
constexpr const char *jsonName = "session.json";
constexpr std::uint64_t mostJsonBytes = 100'000'000;
constexpr const char *useCopy = "Use another copy.";

/// What is called "source" in the file: one of the three kinds, by name.
constexpr const char *tokensKind = "tokens";
constexpr const char *matricesKind = "matrices";
constexpr const char *filesKind = "files";

std::uint64_t bytesOf(const TensorSet &set)
{
    std::uint64_t bytes = 0;
    for (const NamedTensor &named : set.tensors)
        bytes += named.tensor.bytes();
    return bytes;
}

/// Bytes that the input takes in the file.
std::uint64_t bytesOf(const Source &source)
{
    if (const auto *files = std::get_if<FileSource>(&source))
        return files->tensors ? std::min(bytesOf(*files->tensors), embeddedInputLimit) : 0;
    const auto *matrices = std::get_if<MatricesSource>(&source);
    if (!matrices)
        return 0;
    const Projections &projections = matrices->projections;
    std::uint64_t bytes = matrices->x.bytes() + matrices->y.bytes() + projections.wq.bytes() + projections.wk.bytes()
        + projections.wv.bytes() + projections.wo.bytes();
    for (const HeadMatrices &head : matrices->heads)
        bytes += head.q.bytes() + head.k.bytes() + head.v.bytes();
    return bytes;
}

std::filesystem::path folderOf(const std::string &path)
{
    std::error_code failure;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
    return (failure ? std::filesystem::path(path) : absolute).lexically_normal().parent_path();
}

/// @p path as seen from @p folder where they have more in common than the root.
std::string relativePath(const std::string &path, const std::filesystem::path &folder)
{
    const std::filesystem::path file(path);
    const auto first
        = [](const std::filesystem::path &whole) { return whole.relative_path().empty() ? whole : *whole.relative_path().begin(); };
    const std::filesystem::path relative = file.lexically_relative(folder);
    return relative.empty() || first(file) != first(folder) ? path : relative.string();
}

QJsonObject sourceJson(const Source &source, const std::filesystem::path &folder, std::vector<SessionPart> &parts)
{
    SessionWriter writer(parts, "source");
    if (const auto *tokens = std::get_if<TokensSource>(&source)) {
        writer.field(tokensKind, *tokens);
    } else if (const auto *matrices = std::get_if<MatricesSource>(&source)) {
        writer.field(matricesKind, *matrices);
    } else {
        FileSource files = std::get<FileSource>(source);
        for (FileRef &file : files.files)
            file.path = relativePath(file.path, folder);
        writer.field(filesKind, files);
        if (files.tensors && bytesOf(*files.tensors) <= embeddedInputLimit)
            writer.field("content", *files.tensors);
    }
    return writer.object();
}

/// The failure of a file that arrays are read from while they are written.
std::optional<Error> readingError(const Source &source)
{
    const auto *files = std::get_if<FileSource>(&source);
    if (!files || !files->tensors)
        return {};
    for (const NamedTensor &named : files->tensors->tensors)
        if (named.tensor.source() && named.tensor.source()->error())
            return named.tensor.source()->error();
    return {};
}

Error cannotPack(zip_error_t *error)
{
    return { std::string("The session cannot be packed: ") + zip_error_strerror(error) + ".", {}, {}, {} };
}

struct SourceFreer {
    void operator()(zip_source_t *source) const { zip_source_free(source); }
};

/// A zip file in memory. The same parts give the same bytes.
Result<std::string> packed(const std::vector<SessionPart> &parts)
{
    zip_error_t error;
    zip_error_init(&error);
    const std::unique_ptr<zip_source_t, SourceFreer> buffer(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!buffer)
        return cannotPack(&error);
    std::unique_ptr<zip_t, ArchiveDiscarder> archive(zip_open_from_source(buffer.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
    if (!archive)
        return cannotPack(&error);
    zip_source_keep(buffer.get());
    for (const SessionPart &part : parts) {
        zip_source_t *content = zip_source_buffer(archive.get(), part.content.data(), part.content.size(), 0);
        if (content == nullptr)
            return cannotPack(zip_get_error(archive.get()));
        const zip_int64_t index = zip_file_add(archive.get(), part.name.c_str(), content, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(content);
            return cannotPack(zip_get_error(archive.get()));
        }
        const auto entry = static_cast<zip_uint64_t>(index);
        zip_set_file_compression(archive.get(), entry, ZIP_CM_STORE, 0);
        // 1980-01-01, the beginning of time in zip files.
        zip_file_set_dostime(archive.get(), entry, 0, (1U << 5U) | 1U, 0);
    }
    if (zip_close(archive.get()) != 0)
        return cannotPack(zip_get_error(archive.get()));
    static_cast<void>(archive.release());

    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_source_stat(buffer.get(), &status) != 0 || zip_source_open(buffer.get()) != 0)
        return cannotPack(zip_source_error(buffer.get()));
    std::string content(status.size, '\0');
    const zip_int64_t count = zip_source_read(buffer.get(), content.data(), content.size());
    zip_source_close(buffer.get());
    if (count != static_cast<zip_int64_t>(content.size()))
        return cannotPack(zip_source_error(buffer.get()));
    return content;
}

Error notASession(const std::string &path)
{
    return { "This is not a session.", {}, "Open it as data, or choose a file that was saved as .attn.", path };
}

/// What session.json says, after its format and version have been found good.
Result<QJsonObject> readJson(const ZipArchive &archive)
{
    const auto entry = std::find_if(
        archive.entries().begin(), archive.entries().end(), [](const ZipEntry &candidate) { return candidate.name == jsonName; });
    if (entry == archive.entries().end())
        return notASession({});
    const auto text = archive.readText(static_cast<std::size_t>(entry - archive.entries().begin()), mostJsonBytes);
    if (!text)
        return text.error();
    QJsonParseError problem;
    const QJsonDocument document
        = QJsonDocument::fromJson(QByteArray::fromRawData(text->data(), static_cast<qsizetype>(text->size())), &problem);
    if (problem.error != QJsonParseError::NoError)
        return Error{ "The session is damaged.",
            "session.json is no JSON from byte " + groupedCount(problem.offset) + " on: " + problem.errorString().toStdString() + ".",
            useCopy, {} };
    QJsonObject root = document.object();
    if (root[QLatin1String("format")].toString() != QLatin1String(formatName))
        return notASession({});
    const qint64 version = root[QLatin1String("version")].toInteger(0);
    if (version > formatVersion)
        return Error{ "This session is from a newer Attenscope (format " + std::to_string(version) + ").",
            "This one reads up to " + std::to_string(formatVersion) + ".", "Open it with that version, or update this one.", {} };
    if (version < 1)
        return Error{ "The session is damaged.", "It does not say its format.", useCopy, {} };
    return root;
}

Result<SessionArrays> readArrays(const ZipArchive &archive, const Run &run)
{
    std::vector<std::size_t> indices;
    for (std::size_t index = 0; index < archive.entries().size(); ++index)
        if (archive.entries()[index].name.ends_with(".npy"))
            indices.push_back(index);
    if (const auto sizes = archive.checkSizes(indices); !sizes)
        return sizes.error();
    SessionArrays arrays;
    for (const std::size_t index : indices) {
        if (run.stopped())
            return Error::cancelled();
        const std::string &name = archive.entries()[index].name;
        const auto content = archive.read(index, run);
        if (!content)
            return content.error();
        auto array = readNpy(content->bytes, content->range, "the array " + shortened(name, 80));
        if (!array)
            return array.error();
        if (array->leftOut || !array->names.empty())
            return Error{ "The session is damaged.", shortened(name, 80) + " has no numbers.", useCopy, {} };
        arrays.emplace(name, std::move(array->tensor));
    }
    return arrays;
}

/// The same content as far as it can be told; where it is does not matter.
bool isSameFile(FileRef saved, const FileRef &found)
{
    saved.path = found.path;
    if (saved.checksum.empty() || found.checksum.empty())
        return saved == found;
    return saved.size == found.size && saved.checksum == found.checksum;
}

/// Opens the files that a session refers to; which are not there or not the same goes to @p missing.
Result<void> loadFiles(FileSource &source, std::vector<FileRef> &missing, const Run &run)
{
    std::vector<std::string> paths;
    for (const FileRef &file : source.files) {
        const auto found = openBytes(file.path);
        if (!found || !isSameFile(file, found->ref))
            missing.push_back(file);
        paths.push_back(file.path);
    }
    if (!missing.empty() || paths.empty())
        return {};
    auto opened = openFiles(paths, run);
    if (!opened)
        return opened.error();
    source.tensors = opened->tensors;
    source.files = opened->files;
    // Another reading of the same file can find other arrays only where the program has changed.
    if (source.uses.size() != opened->uses.size())
        source.uses = opened->uses;
    return {};
}

Result<Source> readSource(const QJsonObject &object, const std::filesystem::path &folder, SessionReading &reading)
{
    SessionReader reader(reading, object, "source");
    std::optional<TokensSource> tokens;
    std::optional<MatricesSource> matrices;
    std::optional<FileSource> files;
    std::optional<TensorSet> content;
    reader.field(tokensKind, tokens);
    reader.field(matricesKind, matrices);
    reader.field(filesKind, files);
    reader.field("content", content);
    if (reading.error)
        return *reading.error;
    if (tokens)
        return Source(std::move(*tokens));
    if (matrices)
        return Source(std::move(*matrices));
    if (!files)
        return Error{ "The session is damaged.", "It does not say what its input is.", useCopy, {} };
    for (FileRef &file : files->files)
        file.path = (folder / file.path).lexically_normal().string();
    if (content) {
        files->uses.resize(content->tensors.size() + content->tokenLists.size());
        files->tensors = std::make_shared<const TensorSet>(std::move(*content));
    }
    return Source(std::move(*files));
}

Result<SessionFile> readSession(const QJsonObject &root, SessionArrays arrays, const std::filesystem::path &folder)
{
    SessionReading reading{ std::move(arrays), {} };
    SessionFile file;
    SessionReader reader(reading, root, {});
    reader.field("session", file.session);
    reader.field("selection", file.selection);
    if (reading.error)
        return *reading.error;
    auto source = readSource(root[QLatin1String("source")].toObject(), folder, reading);
    if (!source)
        return source.error();
    file.session.source = std::move(source).value();
    return file;
}

} // namespace

Result<void> saveSession(const std::string &path, const Session &session, const SelectionState &selection)
{
    // As parts, in the zip file and as its bytes.
    if (const auto memory = checkMemory(saturatingProduct(bytesOf(session.source), 3), "Packing the session"); !memory)
        return memory.error().at(path);

    std::vector<SessionPart> parts(1);
    SessionWriter writer(parts, {});
    writer.field("session", session);
    writer.field("selection", selection);
    QJsonObject root = writer.object();
    root[QLatin1String("format")] = QLatin1String(formatName);
    root[QLatin1String("version")] = formatVersion;
    root[QLatin1String("source")] = sourceJson(session.source, folderOf(path), parts);
    if (const auto error = readingError(session.source))
        return *error;
    parts.front() = { jsonName, QJsonDocument(root).toJson().toStdString() };

    const auto content = packed(parts);
    if (!content)
        return content.error().at(path);
    return writeFile(path, [&](const Sink &sink) {
        sink(*content);
        return Result<void>();
    });
}

Result<SessionFile> loadSession(const std::string &path, const Run &run)
{
    const auto opened = openBytes(path);
    if (!opened)
        return opened.error();
    const auto beginning = readText(*opened->bytes, 0, std::min<std::uint64_t>(opened->bytes->size(), 2));
    if (!beginning)
        return beginning.error().at(opened->ref.path);
    if (*beginning != "PK")
        return notASession(opened->ref.path);
    const auto archive = ZipArchive::open(opened->bytes);
    if (!archive)
        return archive.error().at(opened->ref.path);
    const auto root = readJson(*archive);
    if (!root)
        return root.error().at(opened->ref.path);
    auto arrays = readArrays(*archive, run);
    if (!arrays)
        return arrays.error().at(opened->ref.path);
    auto file = readSession(*root, std::move(arrays).value(), folderOf(opened->ref.path));
    if (!file)
        return file.error().at(opened->ref.path);
    auto *files = std::get_if<FileSource>(&file->session.source);
    if (files && !files->tensors) {
        if (const auto loaded = loadFiles(*files, file->missing, run); !loaded)
            return loaded.error();
    }
    return file;
}

} // namespace attenscope
