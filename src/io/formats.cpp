// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats and the table of signatures.
#include "io/formats.h"

#include "io/bytes.h"
#include "io/open.h"

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

using namespace std::string_view_literals;

/// Files that are something else, by their first bytes.
struct Signature {
    std::string_view bytes;
    const char *what;
    const char *remedy;
};

constexpr const char *exportPicture = "Open the numbers it was made from.";
constexpr std::array signatures{
    Signature{ "\x89HDF\r\n\x1a\n"sv, "This is an HDF5 file, which is not read here.",
        "Save its arrays in Python: np.savez(\"x.npz\", **{k: f[k][()] for k in f})." },
    Signature{ "\x89PNG"sv, "This is a picture.", exportPicture },
    Signature{ "\xff\xd8\xff"sv, "This is a picture.", exportPicture },
    Signature{ "GIF8"sv, "This is a picture.", exportPicture },
    Signature{ "II*\0"sv, "This is a picture.", exportPicture },
    Signature{ "MM\0*"sv, "This is a picture.", exportPicture },
    Signature{ "RIFF"sv, "This is a picture or a recording.", exportPicture },
    Signature{ "<svg"sv, "This is a picture.", exportPicture },
    Signature{ "%PDF"sv, "This is a PDF document.", exportPicture },
    Signature{ "\x1f\x8b"sv, "The file is compressed with gzip.", "Unpack it first: gunzip." },
    Signature{ "\xfd"
               "7zXZ"sv,
        "The file is compressed with xz.", "Unpack it first: unxz." },
    Signature{ "\x28\xb5\x2f\xfd"sv, "The file is compressed with Zstandard.", "Unpack it first: unzstd." },
    Signature{ "7z\xbc\xaf"sv, "The file is a 7z archive.", "Unpack it first." },
    Signature{ "MATLAB 5.0"sv, "This is a MATLAB data file, which is not read here.", "Save a table with writematrix(A, \"a.csv\")." },
    Signature{ "GGUF"sv, "This is a GGUF model file; it holds no attention.", "Save the attention as .npz or .safetensors." },
    Signature{ "PAR1"sv, "This is a Parquet file, which is not read here.", "Save the table as .csv." },
};

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> list)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// Eight bytes of a length below 2^40, then the brace of the header.
bool looksLikeSafetensors(std::string_view beginning)
{
    return beginning.size() > 8 && beginning[8] == '{' && beginning.substr(5, 3) == "\0\0\0"sv;
}

/// Protocol 2 to 5; older ones are text and are known by their extension.
bool looksLikePickle(std::string_view beginning)
{
    return beginning.size() > 1 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
}

/// torch.save() makes a zip file whose first entry is the pickle: known even where the list at the end of the file is cut off.
bool looksLikeTorch(std::string_view beginning)
{
    constexpr std::size_t nameAt = 30;
    if (!beginning.starts_with("PK\x03\x04") || beginning.size() < nameAt)
        return false;
    const auto length = static_cast<unsigned char>(beginning[26]) + 256U * static_cast<unsigned char>(beginning[27]);
    const std::string_view name = beginning.substr(nameAt, length);
    return name == "data.pkl" || name.ends_with("/data.pkl");
}

} // namespace

std::span<const Format> formats()
{
    static const std::array table{
        Format{ "NumPy array", { "npy" } },
        Format{ "NumPy archive", { "npz" } },
        Format{ "Safetensors", { "safetensors" } },
        Format{ "Table", { "csv", "tsv" } },
        Format{ "JSON", { "json" } },
        Format{ "Text", { "txt" } },
    };
    return table;
}

bool isPickleName(const std::string &path)
{
    return isOneOf(extension(path), { "pt", "pth", "bin", "pkl", "pickle", "ckpt" });
}

Error pickleRefusal(const std::string &path)
{
    std::string name = fileName(path);
    std::replace(name.begin(), name.end(), '"', '_');
    return { "This is a Python pickle, which can run programs and is not read.", {},
        "Save it as safetensors: from safetensors.torch import save_file; save_file(torch.load(\"" + name + "\"), \"" + baseName(name)
            + ".safetensors\").",
        path };
}

Result<FileKind> kindOf(const std::string &path, std::string_view beginning)
{
    const std::string ending = extension(path);
    if (beginning.starts_with("\x93NUMPY"))
        return FileKind::Npy;
    if (looksLikeTorch(beginning))
        return pickleRefusal(path);
    if (beginning.starts_with("PK\x03\x04") || beginning.starts_with("PK\x05\x06"))
        return FileKind::Zip;
    if (looksLikeSafetensors(beginning))
        return FileKind::Safetensors;
    if (looksLikePickle(beginning) || isPickleName(path))
        return pickleRefusal(path);
    for (const Signature &signature : signatures)
        if (beginning.starts_with(signature.bytes))
            return Error{ signature.what, {}, signature.remedy, path };

    if (ending == "safetensors")
        return FileKind::Safetensors;
    if (ending == "npy" || ending == "npz") {
        return Error{ "This is not a NumPy file, or it is damaged.", "It does not begin like one.", "Save or download it again.", path };
    }
    if (ending == "attn")
        return Error{ "This is not a session, or it is damaged.", "It does not begin like one.", {}, path };
    if (isOneOf(ending, { "csv", "tsv", "tab" }))
        return FileKind::Table;
    if (ending == "json")
        return FileKind::Json;
    if (ending == "txt" || ending == "tokens")
        return FileKind::Text;
    const std::size_t first = beginning.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (beginning[first] == '[' || beginning[first] == '{'))
        return FileKind::Json;
    if (beginning.find('\0') == std::string_view::npos)
        return FileKind::Table;
    return Error{ "This kind of file is not known here.", {}, "Open .npy, .npz, .safetensors, .csv, .tsv, .json or .txt.", path };
}

} // namespace attenscope
