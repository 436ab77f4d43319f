// SPDX-License-Identifier: GPL-3.0-or-later
// ApngWriter: an animated PNG of frames that Qt encodes one by one.
#pragma once

#include "core/result.h"

#include <QByteArray>
#include <QImage>

class QIODevice;

namespace attenscope {

/// Writes to an open device. Programs that know no APNG show the first frame. Format: https://wiki.mozilla.org/APNG_Specification.
class ApngWriter {
public:
    /// @p frames that will be added, all of one size, each shown for @p seconds; the animation repeats for ever.
    ApngWriter(QIODevice &device, int frames, double seconds);

    /// Errors: what the device says, a frame of another size.
    Result<void> add(const QImage &frame);
    /// After the last frame.
    Result<void> finish();

private:
    Result<void> writeChunk(const char *type, const QByteArray &data);
    [[nodiscard]] QByteArray frameControl(const QSize &size);

    QIODevice &m_device;
    int m_frames;
    int m_milliseconds;
    QSize m_size;
    quint32 m_sequence = 0;
};

} // namespace attenscope
