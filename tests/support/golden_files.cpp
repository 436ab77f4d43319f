// SPDX-License-Identifier: GPL-3.0-or-later
// A reader and writer for just the .npz files of golden sets.
#include "support/golden_files.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QtEndian>

#include <cstring>
#include <numeric>

namespace attenscope {

namespace {

Index productOf(const std::vector<Index> &shape)
{
    return std::accumulate(shape.begin(), shape.end(), Index{ 1 }, std::multiplies<>());
}

std::vector<Index> shapeFrom(const QJsonArray &array)
{
    std::vector<Index> shape;
    for (const auto &size : array)
        shape.push_back(size.toInteger());
    return shape;
}

/// 0 beyond the end.
template <typename Number>
Number numberAt(const QByteArray &bytes, qsizetype place)
{
    Number number{};
    if (place >= 0 && place + static_cast<qsizetype>(sizeof(Number)) <= bytes.size())
        std::memcpy(&number, bytes.constData() + place, sizeof(Number));
    return qFromLittleEndian(number);
}

/// npy 1.0, '<f8', C order.
std::optional<GoldenArray> parseNpy(const QByteArray &bytes)
{
    if (bytes.size() < 10 || !bytes.startsWith("\x93NUMPY\x01"))
        return std::nullopt;
    const qsizetype start = 10 + numberAt<quint16>(bytes, 8);
    const QString header = QString::fromLatin1(bytes.mid(10, start - 10));
    const auto shapeText = QRegularExpression("'shape': \\(([0-9, ]*)\\)").match(header);
    if (!header.contains("'descr': '<f8'") || !header.contains("'fortran_order': False") || !shapeText.hasMatch())
        return std::nullopt;
    GoldenArray array;
    for (const QString &size : shapeText.captured(1).split(',', Qt::SkipEmptyParts))
        if (!size.trimmed().isEmpty())
            array.shape.push_back(size.trimmed().toLongLong());
    array.numbers.resize(static_cast<std::size_t>(productOf(array.shape)));
    if (bytes.size() - start != static_cast<qsizetype>(array.numbers.size() * sizeof(double)))
        return std::nullopt;
    for (std::size_t place = 0; place < array.numbers.size(); ++place)
        array.numbers[place] = numberAt<double>(bytes, start + static_cast<qsizetype>(place * sizeof(double)));
    return array;
}

QByteArray npyOf(const GoldenArray &array)
{
    QString shape;
    for (const Index size : array.shape)
        shape += QString::number(size) + ", ";
    QByteArray header = QStringLiteral("{'descr': '<f8', 'fortran_order': False, 'shape': (%1), }").arg(shape).toLatin1();
    header = header.leftJustified((header.size() + 10 + 64) / 64 * 64 - 10 - 1, ' ') + '\n';
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes.resize(10);
    qToLittleEndian(static_cast<quint16>(header.size()), bytes.data() + 8);
    bytes += header;
    const qsizetype start = bytes.size();
    bytes.resize(start + static_cast<qsizetype>(array.numbers.size() * sizeof(double)));
    for (std::size_t place = 0; place < array.numbers.size(); ++place)
        qToLittleEndian(array.numbers[place], bytes.data() + start + static_cast<qsizetype>(place * sizeof(double)));
    return bytes;
}

quint32 crc32(const QByteArray &bytes)
{
    quint32 crc = ~0U;
    for (const char byte : bytes) {
        crc ^= static_cast<quint8>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

template <typename Number>
void append(QByteArray &bytes, Number number)
{
    const Number stored = qToLittleEndian(number);
    bytes.append(reinterpret_cast<const char *>(&stored), sizeof(stored));
}

} // namespace

Index GoldenArray::planeSize() const
{
    return shape.at(shape.size() - 2) * shape.back();
}

Index GoldenArray::planes() const
{
    return productOf({ shape.begin(), shape.end() - 2 });
}

Matrix GoldenArray::plane(Index plane) const
{
    const Index rows = shape.at(shape.size() - 2);
    return Eigen::Map<const Matrix>(numbers.data() + plane * planeSize(), rows, shape.back());
}

std::optional<GoldenArrays> readNpz(const QString &path, const std::vector<std::string> &names)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray bytes = file.readAll();
    const qsizetype end = bytes.lastIndexOf("PK\x05\x06");
    if (end < 0)
        return std::nullopt;
    GoldenArrays arrays;
    qsizetype place = numberAt<quint32>(bytes, end + 16);
    for (int entry = 0; entry < numberAt<quint16>(bytes, end + 10); ++entry) {
        const qsizetype size = numberAt<quint32>(bytes, place + 24);
        const qsizetype nameSize = numberAt<quint16>(bytes, place + 28);
        const QByteArray name = bytes.mid(place + 46, nameSize);
        const qsizetype local = numberAt<quint32>(bytes, place + 42);
        const qsizetype data = local + 30 + numberAt<quint16>(bytes, local + 26) + numberAt<quint16>(bytes, local + 28);
        const std::string arrayName = name.left(name.size() - 4).toStdString();
        if (std::find(names.begin(), names.end(), arrayName) != names.end()) {
            std::optional<GoldenArray> array = parseNpy(bytes.mid(data, size));
            if (!array)
                return std::nullopt;
            arrays[arrayName] = std::move(*array);
        }
        place += 46 + nameSize + numberAt<quint16>(bytes, place + 30) + numberAt<quint16>(bytes, place + 32);
    }
    if (arrays.size() != names.size())
        return std::nullopt;
    return arrays;
}

bool writeNpz(const QString &path, const GoldenArrays &arrays)
{
    QByteArray bytes;
    QByteArray directory;
    for (const auto &[name, array] : arrays) {
        const QByteArray entryName = QByteArray::fromStdString(name) + ".npy";
        const QByteArray data = npyOf(array);
        QByteArray common; // of the local header and the directory
        append<quint16>(common, 20);
        append<quint16>(common, 0);
        append<quint16>(common, 0); // stored
        append<quint16>(common, 0);
        append<quint16>(common, 0x21); // 1 January 1980
        append<quint32>(common, crc32(data));
        append<quint32>(common, static_cast<quint32>(data.size()));
        append<quint32>(common, static_cast<quint32>(data.size()));
        append<quint16>(common, static_cast<quint16>(entryName.size()));
        append<quint16>(common, 0);
        const auto start = static_cast<quint32>(bytes.size());
        bytes += "PK\x03\x04" + common + entryName + data;
        directory += QByteArray("PK\x01\x02\x14\x00", 6) + common + QByteArray(10, '\0');
        append<quint32>(directory, start);
        directory += entryName;
    }
    const auto directoryStart = static_cast<quint32>(bytes.size());
    bytes += directory + QByteArray("PK\x05\x06\x00\x00\x00\x00", 8);
    append<quint16>(bytes, static_cast<quint16>(arrays.size()));
    append<quint16>(bytes, static_cast<quint16>(arrays.size()));
    append<quint32>(bytes, static_cast<quint32>(directory.size()));
    append<quint32>(bytes, directoryStart);
    append<quint16>(bytes, 0);
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

std::optional<std::vector<GoldenCase>> readCases(const QString &folder, QString *error)
{
    const auto fail = [error](const QString &text) {
        if (error)
            *error = text;
        return std::nullopt;
    };
    QFile file(QDir(folder).filePath("manifest.json"));
    if (!file.open(QIODevice::ReadOnly))
        return fail("There is no manifest.json in " + folder);
    QJsonParseError parseError;
    const QJsonDocument manifest = QJsonDocument::fromJson(file.readAll(), &parseError);
    if (manifest.isNull())
        return fail("manifest.json: " + parseError.errorString());
    std::vector<GoldenCase> cases;
    const QJsonArray entries = manifest.object()["cases"].toArray();
    for (const auto &entry : entries) {
        const QJsonObject object = entry.toObject();
        GoldenCase golden;
        golden.name = object["name"].toString().toStdString();
        golden.file = object["file"].toString().toStdString();
        golden.variant = object["variant"].toString().toStdString();
        golden.params = object["params"].toObject();
        std::vector<std::string> names;
        for (const auto &input : object["inputs"].toArray())
            names.push_back(input.toObject()["name"].toString().toStdString());
        const std::optional<GoldenArrays> inputs = readNpz(QDir(folder).filePath(QString::fromStdString(golden.file)), names);
        if (!inputs)
            return fail("Cannot read the inputs in " + QString::fromStdString(golden.file));
        golden.inputs = *inputs;
        for (const auto &output : object["outputs"].toArray()) {
            const QJsonObject declared = output.toObject();
            const QJsonObject tolerance
                = declared.contains("tolerance") ? declared["tolerance"].toObject() : object["tolerance"].toObject();
            golden.outputs.push_back({ declared["name"].toString().toStdString(), shapeFrom(declared["shape"].toArray()),
                tolerance["atol"].toDouble(), tolerance["rtol"].toDouble() });
        }
        cases.push_back(std::move(golden));
    }
    return cases;
}

} // namespace attenscope
