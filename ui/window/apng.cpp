// SPDX-License-Identifier: GPL-3.0-or-later
// The chunks of an animated PNG.
#include "window/apng.h"

#include <QBuffer>
#include <QImageWriter>
#include <QtEndian>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr int signatureBytes = 8;

QByteArray bigEndian(quint32 number)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(number, bytes.data());
    return bytes;
}

QByteArray bigEndian16(quint16 number)
{
    QByteArray bytes(2, '\0');
    qToBigEndian(number, bytes.data());
    return bytes;
}

/// CRC-32 as PNG and zlib have it.
quint32 checksum(const QByteArray &bytes)
{
    static const std::array<quint32, 256> table = [] {
        std::array<quint32, 256> made{};
        for (quint32 entry = 0; entry < 256; ++entry) {
            quint32 value = entry;
            for (int bit = 0; bit < 8; ++bit)
                value = value & 1U ? 0xedb88320U ^ (value >> 1) : value >> 1;
            made[entry] = value;
        }
        return made;
    }();
    quint32 crc = 0xffffffffU;
    for (const char byte : bytes)
        crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xffU] ^ (crc >> 8);
    return ~crc;
}

/// The data of all chunks of a kind.
QByteArray chunksOf(const QByteArray &png, const char *type)
{
    QByteArray result;
    for (qsizetype at = signatureBytes; at + 12 <= png.size();) {
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(png.constData() + at));
        if (png.mid(at + 4, 4) == type)
            result += png.mid(at + 8, length);
        at += 12 + length;
    }
    return result;
}

} // namespace

ApngWriter::ApngWriter(QIODevice &device, int frames, double seconds)
    : m_device(device)
    , m_frames(frames)
    , m_milliseconds(static_cast<int>(std::clamp(seconds * 1000.0, 1.0, 65535.0)))
{
}

Result<void> ApngWriter::writeChunk(const char *type, const QByteArray &data)
{
    const QByteArray body = QByteArray(type) + data;
    const QByteArray chunk = bigEndian(static_cast<quint32>(data.size())) + body + bigEndian(checksum(body));
    if (m_device.write(chunk) != chunk.size())
        return Error{ "The animation could not be written.", m_device.errorString().toStdString() + ".", "Choose another place.", {} };
    return {};
}

QByteArray ApngWriter::frameControl(const QSize &size)
{
    QByteArray data = bigEndian(m_sequence++) + bigEndian(static_cast<quint32>(size.width()))
        + bigEndian(static_cast<quint32>(size.height())) + bigEndian(0) + bigEndian(0) + bigEndian16(static_cast<quint16>(m_milliseconds))
        + bigEndian16(1000);
    // No disposal, the frame replaces what was there.
    data += '\0';
    data += '\0';
    return data;
}

Result<void> ApngWriter::add(const QImage &frame)
{
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    // One pixel format for all frames: they share one header.
    QImageWriter writer(&buffer, "png");
    if (!writer.write(frame.convertToFormat(QImage::Format_RGB888)))
        return Error{ "The animation could not be written.", writer.errorString().toStdString() + ".", "", {} };
    const QByteArray pixels = chunksOf(png, "IDAT");
    if (m_size.isEmpty()) {
        m_size = frame.size();
        if (m_device.write(png.left(signatureBytes)) != signatureBytes)
            return Error{ "The animation could not be written.", m_device.errorString().toStdString() + ".", "Choose another place.", {} };
        for (const auto &[type, data] : { std::pair{ "IHDR", chunksOf(png, "IHDR") },
                 std::pair{ "acTL", QByteArray(bigEndian(static_cast<quint32>(m_frames)) + bigEndian(0)) },
                 std::pair{ "fcTL", frameControl(m_size) }, std::pair{ "IDAT", pixels } }) {
            if (Result<void> done = writeChunk(type, data); !done)
                return done;
        }
        return {};
    }
    if (frame.size() != m_size)
        return Error{ "The animation could not be written.", "Its frames are not of one size.", "", {} };
    if (Result<void> done = writeChunk("fcTL", frameControl(m_size)); !done)
        return done;
    return writeChunk("fdAT", bigEndian(m_sequence++) + pixels);
}

Result<void> ApngWriter::finish()
{
    return writeChunk("IEND", {});
}

} // namespace attenscope
