// SPDX-License-Identifier: GPL-3.0-or-later
// Opening files: from paths to a recognised set of tensors.
#include "io/open.h"

#include "core/text.h"
#include "io/bytes.h"
#include "io/formats.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"
#include "io/text_files.h"
#include "io/unicode.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace attenscope {

namespace {

/// NaN and infinities are counted in this many bytes of doubles at most.
constexpr std::uint64_t mostCountedBytes = 64'000'000;
/// A file of token names is not larger.
constexpr std::uint64_t mostTokenBytes = 10'000'000;

Result<FileContents> readNpyFile(const OpenedFile &file, const std::string &name)
{
    auto array = readNpy(file.bytes, { 0, file.bytes->size() }, "the array");
    if (!array)
        return array.error();
    FileContents contents;
    if (array->leftOut)
        contents.leftOut.push_back(std::move(*array->leftOut));
    else if (!array->names.empty())
        contents.tokenLists.push_back({ baseName(name), name, std::move(array->names) });
    else
        contents.tensors.push_back({ baseName(name), name, std::move(array->tensor) });
    return contents;
}

Result<FileContents> readZipFile(const OpenedFile &file, const std::string &name, const Run &run)
{
    const auto archive = ZipArchive::open(file.bytes);
    if (!archive)
        return isPickleName(file.ref.path) ? pickleRefusal(file.ref.path) : archive.error();
    bool hasArrays = false;
    for (const ZipEntry &entry : archive->entries()) {
        if (entry.name == "session.json")
            return Error{ "This is a session.", {}, "Open it alone with File > Open.", {} };
        if (entry.name == "data.pkl" || entry.name.ends_with("/data.pkl"))
            return pickleRefusal(file.ref.path);
        if (entry.name == "[Content_Types].xml")
            return Error{ "This is an office document.", {}, "Save the table as CSV.", {} };
        hasArrays = hasArrays || entry.name.ends_with(".npy");
    }
    if (!hasArrays && isPickleName(file.ref.path))
        return pickleRefusal(file.ref.path);
    if (!hasArrays)
        return Error{ "There are no arrays in this zip file.", {}, "Save them with np.savez.", {} };
    return readNpz(*archive, name, run);
}

Result<std::string> textOf(const OpenedFile &file)
{
    auto content = readText(*file.bytes, 0, file.bytes->size());
    return content ? decodedText(std::move(*content)) : content;
}

Result<FileContents> readContents(const OpenedFile &file, const Run &run)
{
    const std::string name = fileName(file.ref.path);
    const auto beginning = readText(*file.bytes, 0, std::min<std::uint64_t>(file.bytes->size(), kindBytes));
    if (!beginning)
        return beginning.error();
    const auto kind = kindOf(file.ref.path, *beginning);
    if (!kind)
        return kind.error();
    if (*kind == FileKind::Npy)
        return readNpyFile(file, name);
    if (*kind == FileKind::Zip)
        return readZipFile(file, name, run);
    if (*kind == FileKind::Safetensors)
        return readSafetensors(file.bytes, name);
    const auto text = textOf(file);
    if (!text)
        return text.error();
    if (*kind == FileKind::Json)
        return readJsonFile(*text, name);
    return *kind == FileKind::Text ? readTextFile(*text, name) : readTableFile(*text, name);
}

/// Collects what several files contain.
class Collector {
public:
    Result<void> add(FileContents contents, const std::string &path)
    {
        if (!contents.rowLengths.empty()) {
            if (!m_set.rowLengths.empty())
                return Error{ "Two tables have rows of different length.", {}, "Open them one at a time.", path };
            m_set.rowLengths = contents.rowLengths;
        }
        if (!contents.names.rows.empty() || !contents.names.cols.empty())
            m_names.push_back({ m_set.tensors.size(), std::move(contents.names) });
        std::move(contents.tensors.begin(), contents.tensors.end(), std::back_inserter(m_set.tensors));
        std::move(contents.tokenLists.begin(), contents.tokenLists.end(), std::back_inserter(m_set.tokenLists));
        std::move(contents.notes.begin(), contents.notes.end(), std::back_inserter(m_set.notes));
        for (Error &leftOut : contents.leftOut) {
            m_set.notes.push_back("Left out: " + leftOut.what);
            if (!m_firstLeftOut)
                m_firstLeftOut = leftOut.at(path);
        }
        return {};
    }

    /// Whether there are numbers; if not, why.
    [[nodiscard]] Result<void> checkNumbers(const std::string &path) const
    {
        if (!m_set.tensors.empty())
            return {};
        if (m_firstLeftOut)
            return *m_firstLeftOut;
        if (!m_set.tokenLists.empty())
            return Error{ "There are only token names here, no numbers.", {}, "Open them together with the file they name the tokens of.",
                path };
        return Error{ "There are no arrays in this file.", {}, "Save at least one array of numbers.", path };
    }

    [[nodiscard]] TensorSet &set() { return m_set; }

    /// Names of rows and columns become token lists where the axis is one of tokens.
    void addNames(const std::vector<TensorUse> &uses)
    {
        for (const auto &[tensor, names] : m_names) {
            // In front of rows and columns a table may have heads.
            const std::size_t rowAxis = std::max<std::size_t>(uses[tensor].axes.size(), 2) - 2;
            const std::string rows = tokenListName(uses[tensor], rowAxis);
            const std::string cols = tokenListName(uses[tensor], rowAxis + 1);
            const std::string &file = m_set.tensors[tensor].file;
            if (names.rows == names.cols && !rows.empty() && !cols.empty() && rows != cols) {
                addTokens("tokens", file, names.rows);
            } else {
                addTokens(rows, file, names.rows);
                addTokens(cols, file, names.cols);
            }
        }
    }

private:
    struct NamesOfTensor {
        std::size_t tensor = 0;
        AxisNames names;
    };

    static std::string rowTokensName(TensorRole role)
    {
        switch (role) {
        case TensorRole::Queries:
        case TensorRole::X:
            return "query_tokens";
        case TensorRole::Keys:
        case TensorRole::Values:
        case TensorRole::KeysAndValues:
        case TensorRole::Y:
            return "key_tokens";
        default:
            return {};
        }
    }

    static std::string tokenListName(const TensorUse &use, std::size_t axis)
    {
        if (axis >= use.axes.size())
            return {};
        switch (use.axes[axis]) {
        case Axis::Query:
            return "query_tokens";
        case Axis::Key:
            return "key_tokens";
        case Axis::Row:
            return rowTokensName(use.role);
        default:
            return {};
        }
    }

    void addTokens(const std::string &name, const std::string &file, const std::vector<std::string> &tokens)
    {
        const bool isKnown
            = std::any_of(m_set.tokenLists.begin(), m_set.tokenLists.end(), [&name](const TokenList &list) { return list.name == name; });
        if (!name.empty() && !tokens.empty() && !isKnown)
            m_set.tokenLists.push_back({ name, file, tokens });
    }

    TensorSet m_set;
    std::vector<NamesOfTensor> m_names;
    std::optional<Error> m_firstLeftOut;
};

bool fitsAnAxis(const TokenList &list, const TensorSet &set)
{
    const auto count = static_cast<Index>(list.tokens.size());
    return std::any_of(set.tensors.begin(), set.tensors.end(), [count](const NamedTensor &tensor) {
        return std::find(tensor.tensor.shape().begin(), tensor.tensor.shape().end(), count) != tensor.tensor.shape().end();
    });
}

/// Token names in a file beside @p path that fit a shape in @p set; the file they are from is added to @p files.
void addSiblingTokens(const std::string &path, TensorSet &set, std::vector<FileRef> &files, const Run &run)
{
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::string base = baseName(path);
    for (const std::string &name :
        { base + ".txt", base + ".tokens.txt", base + ".json", std::string("tokens.txt"), std::string("tokens.json") }) {
        const std::string sibling = (folder / name).string();
        std::error_code failure;
        if (sibling == path || std::filesystem::file_size(sibling, failure) > mostTokenBytes || failure)
            continue;
        const auto file = openBytes(sibling);
        if (!file)
            continue;
        const auto contents = readContents(*file, run);
        if (!contents)
            continue;
        bool isUsed = false;
        for (const TokenList &list : contents->tokenLists) {
            if (fitsAnAxis(list, set)) {
                set.tokenLists.push_back(list);
                isUsed = true;
            }
        }
        if (isUsed) {
            files.push_back(file->ref);
            set.notes.push_back("Tokens from " + name + ".");
            return;
        }
    }
}

void addNonFiniteNotes(const std::vector<TensorUse> &uses, TensorSet &set)
{
    std::uint64_t budget = mostCountedBytes;
    for (std::size_t index = 0; index < set.tensors.size(); ++index) {
        const Tensor &tensor = set.tensors[index].tensor;
        const ElementType type = tensor.type();
        const bool isFloating
            = type == ElementType::F64 || type == ElementType::F32 || type == ElementType::F16 || type == ElementType::BF16;
        const std::uint64_t bytes = static_cast<std::uint64_t>(tensor.elements()) * sizeof(double);
        if (!isFloating || uses[index].role == TensorRole::Unused || bytes > budget)
            continue;
        budget -= bytes;
        const std::vector<double> numbers = tensor.toNumbers();
        const auto nans = std::count_if(numbers.begin(), numbers.end(), [](double number) { return std::isnan(number); });
        const auto infinities = std::count_if(numbers.begin(), numbers.end(), [](double number) { return std::isinf(number); });
        if (nans + infinities == 0)
            continue;
        std::string note = shortened(set.tensors[index].name, 60) + " has ";
        if (nans > 0)
            note += groupedCount(nans) + " NaN";
        if (infinities > 0)
            note += (nans > 0 ? " and " : "") + groupedCount(infinities) + (infinities == 1 ? " infinite number" : " infinite numbers");
        set.notes.push_back(note + ".");
    }
}

} // namespace

Result<FileSource> openFiles(const std::vector<std::string> &paths, const Run &run)
{
    if (paths.empty())
        return Error{ "No file was named.", {}, "Choose one.", {} };
    FileSource source;
    Collector collector;
    for (const std::string &path : paths) {
        if (run.stopped())
            return Error::cancelled();
        const auto file = openBytes(path);
        if (!file)
            return file.error();
        const bool isRepeated
            = std::any_of(source.files.begin(), source.files.end(), [&file](const FileRef &known) { return known.path == file->ref.path; });
        if (isRepeated)
            continue;
        auto contents = readContents(*file, run);
        if (!contents)
            return contents.error().at(file->ref.path);
        if (auto added = collector.add(std::move(*contents), file->ref.path); !added)
            return added.error();
        source.files.push_back(file->ref);
        run.report(static_cast<double>(source.files.size()) / static_cast<double>(paths.size()));
    }
    if (auto numbers = collector.checkNumbers(source.files.front().path); !numbers)
        return numbers.error();

    collector.addNames(recognise(collector.set()));
    TensorSet &set = collector.set();
    if (source.files.size() == 1 && set.tokenLists.empty())
        addSiblingTokens(source.files.front().path, set, source.files, run);
    source.uses = recognise(set);
    addNonFiniteNotes(source.uses, set);
    source.tensors = std::make_shared<const TensorSet>(std::move(set));
    return source;
}

Session sessionFor(FileSource source)
{
    Session session;
    session.name = source.files.empty() ? "Untitled" : fileName(source.files.front().path);
    session.source = std::move(source);
    const auto input = buildInput(session.source);
    if (!input)
        return session;
    const auto *embedded = std::get_if<EmbeddedData>(&input->blocks.front().data);
    if (embedded != nullptr && !embedded->layers.empty()) {
        // Fewer key columns than query columns mean shared heads; how many heads there are the shapes do not say, so as few as possible.
        // How many share is left to the data, so that another number of heads still uses every column.
        const Projections &projections = embedded->layers.front();
        const Index queryCols = projections.wq.cols();
        const Index keyCols = projections.wk.cols();
        if (keyCols > 0 && keyCols < queryCols && queryCols % keyCols == 0)
            session.mechanism.heads = static_cast<int>(queryCols / keyCols);
    }
    session.view.head = clamped(session.view.head, *input, session.mechanism);
    return session;
}

Result<void> checkUnchanged(const FileSource &source)
{
    for (const FileRef &file : source.files)
        if (auto same = checkUnchanged(file); !same)
            return same.error();
    return {};
}

} // namespace attenscope
