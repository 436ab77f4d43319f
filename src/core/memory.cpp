// SPDX-License-Identifier: GPL-3.0-or-later
// Reading MemAvailable and refusing too much.
#include "core/memory.h"

#include "core/text.h"

#include <fstream>
#include <limits>

namespace attenscope {

std::uint64_t availableMemory()
{
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kibibytes = 0;
    std::string unit;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:")
            return kibibytes * 1024;
        std::getline(file, unit);
    }
    return std::numeric_limits<std::uint64_t>::max();
}

Result<void> checkMemory(std::uint64_t bytes, const std::string &purpose)
{
    // Small amounts are not worth a system call.
    if (bytes < (std::uint64_t{ 16 } << 20U))
        return {};
    const std::uint64_t most = availableMemory() / 2;
    if (bytes <= most)
        return {};
    Error error;
    error.what = purpose + " would need " + byteSize(bytes) + ".";
    error.where = "At most half of the free memory is used, " + byteSize(most) + " now.";
    error.remedy = "Choose a smaller part.";
    return error;
}

std::uint64_t saturatingProduct(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        return std::numeric_limits<std::uint64_t>::max();
    return product;
}

} // namespace attenscope
