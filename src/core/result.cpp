// SPDX-License-Identifier: GPL-3.0-or-later
// Putting the parts of an Error together.
#include "core/result.h"

namespace attenscope {

std::string Error::sentence() const
{
    std::string text;
    for (const std::string *part : { &what, &where, &remedy, &path }) {
        if (part->empty())
            continue;
        if (!text.empty())
            text += ' ';
        text += *part;
    }
    return text;
}

Error Error::at(std::string filePath) const
{
    Error located = *this;
    if (located.path.empty())
        located.path = std::move(filePath);
    return located;
}

Error Error::cancelled()
{
    Error error;
    error.what = "Cancelled.";
    error.isCancelled = true;
    return error;
}

} // namespace attenscope
