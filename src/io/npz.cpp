// SPDX-License-Identifier: GPL-3.0-or-later
// Reading .npz archives.
#include "io/npz.h"

#include "core/text.h"
#include "io/npy.h"

namespace attenscope {

Result<FileContents> readNpz(const ZipArchive &archive, const std::string &file, const Run &run)
{
    constexpr std::string_view suffix = ".npy";
    std::vector<std::size_t> arrays;
    for (std::size_t index = 0; index < archive.entries().size(); ++index)
        if (archive.entries()[index].name.ends_with(suffix))
            arrays.push_back(index);
    if (auto possible = archive.checkSizes(arrays); !possible)
        return possible.error();

    FileContents contents;
    for (std::size_t place = 0; place < arrays.size(); ++place) {
        if (run.stopped())
            return Error::cancelled();
        const ZipEntry &entry = archive.entries()[arrays[place]];
        const std::string name = entry.name.substr(0, entry.name.size() - suffix.size());
        const auto bytes = archive.read(arrays[place], run);
        if (!bytes)
            return bytes.error();
        auto array = readNpy(bytes->bytes, bytes->range, "array " + shortened(name, 80));
        if (!array)
            return array.error();
        if (array->leftOut)
            contents.leftOut.push_back(std::move(*array->leftOut));
        else if (!array->names.empty())
            contents.tokenLists.push_back({ name, file, std::move(array->names) });
        else
            contents.tensors.push_back({ name, file, std::move(array->tensor) });
        run.report(static_cast<double>(place + 1) / static_cast<double>(arrays.size()));
    }
    return contents;
}

} // namespace attenscope
