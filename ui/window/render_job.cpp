// SPDX-License-Identifier: GPL-3.0-or-later
// Job files become the arguments of single figures.
#include "window/render_job.h"

#include "window/render_command.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace attenscope {

namespace {

constexpr qint64 mostBytes = 16'000'000;

Error wrong(const QString &where, const QString &what, const QString &remedy)
{
    return { "The job file cannot be used.", where.isEmpty() ? what.toStdString() : QStringLiteral("%1: %2").arg(where, what).toStdString(),
        remedy.toStdString(), {} };
}

Result<QStringList> inputsOf(const QJsonValue &value, const QDir &folder)
{
    QStringList inputs;
    const QJsonArray files = value.isArray() ? value.toArray() : QJsonArray{ value };
    for (const QJsonValue &file : files) {
        if (!file.isString())
            return wrong({}, QStringLiteral("“input” is neither a file name nor a list of them."), {});
        inputs << folder.absoluteFilePath(file.toString());
    }
    return inputs;
}

/// The arguments that say the same as @p options.
Result<QStringList> argumentsOf(const QJsonObject &options, const QDir &folder)
{
    QStringList arguments;
    QStringList inputs;
    for (auto option = options.begin(); option != options.end(); ++option) {
        const QJsonValue value = option.value();
        if (option.key() == QLatin1String("input")) {
            Result<QStringList> read = inputsOf(value, folder);
            if (!read)
                return read.error();
            inputs = std::move(read).value();
            continue;
        }
        const QString name = QStringLiteral("--") + option.key();
        if (option.key() == QLatin1String("job"))
            return wrong({}, QStringLiteral("A job file cannot name another one."), {});
        if (isRenderSwitch(option.key()) && !value.isBool())
            return wrong({}, QStringLiteral("“%1” is true or false.").arg(option.key()), {});
        if (value.isBool()) {
            if (value.toBool())
                arguments << name;
        } else if (value.isString()) {
            const QString text = value.toString();
            arguments << name << (option.key() == QLatin1String("output") && !text.isEmpty() ? folder.absoluteFilePath(text) : text);
        } else if (value.isDouble()) {
            arguments << name << QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
        } else {
            return wrong({}, QStringLiteral("“%1” is neither a text, a number, true nor false.").arg(option.key()), {});
        }
    }
    if (!inputs.isEmpty())
        arguments << QStringLiteral("--") << inputs;
    return arguments;
}

} // namespace

Result<std::vector<RenderRequest>> readRenderJob(const QString &path)
{
    const auto at = [&path](const Error &error) { return error.at(path.toStdString()); };
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return at({ "The job file cannot be read.", file.errorString().toStdString() + ".", "", "" });
    if (file.size() > mostBytes)
        return at(wrong({}, QStringLiteral("It has more than 16 MB."), QStringLiteral("Split it.")));
    QJsonParseError failed;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &failed);
    if (failed.error != QJsonParseError::NoError)
        return at(wrong({}, QStringLiteral("It is not JSON: %1 at byte %2.").arg(failed.errorString()).arg(failed.offset), {}));
    const QJsonObject job = document.object();
    for (const QString &key : job.keys()) {
        if (key != QLatin1String("defaults") && key != QLatin1String("figures"))
            return at(wrong({}, QStringLiteral("It has “%1”.").arg(key), QStringLiteral("It may have “defaults” and “figures”.")));
    }
    const QJsonArray figures = job.value(QStringLiteral("figures")).toArray();
    if (figures.isEmpty())
        return at(
            wrong({}, QStringLiteral("It lists no figures."), QStringLiteral("Write {\"figures\": [{\"input\": …, \"output\": …}]}.")));
    const QDir folder = QFileInfo(path).absoluteDir();
    std::vector<RenderRequest> requests;
    for (const QJsonValue &figure : figures) {
        const QString where = QStringLiteral("Figure %1").arg(requests.size() + 1);
        QJsonObject options = job.value(QStringLiteral("defaults")).toObject();
        const QJsonObject own = figure.toObject();
        for (auto option = own.begin(); option != own.end(); ++option)
            options.insert(option.key(), option.value());
        const Result<QStringList> arguments = argumentsOf(options, folder);
        if (!arguments)
            return at(wrong(where, QString::fromStdString(arguments.error().where), {}));
        Result<RenderRequest> request = parseRender(*arguments);
        if (!request)
            return at(wrong(where, QString::fromStdString(request.error().what), QString::fromStdString(request.error().remedy)));
        requests.push_back(std::move(request).value());
    }
    // What is written later would take the place of what was drawn first.
    for (std::size_t place = 0; place < requests.size(); ++place) {
        const QString output = QDir::cleanPath(requests[place].output);
        const auto isSame = [&output](const RenderRequest &one) { return QDir::cleanPath(one.output) == output; };
        const auto first = static_cast<std::size_t>(std::find_if(requests.begin(), requests.end(), isSame) - requests.begin());
        if (first < place)
            return at(
                wrong({}, QStringLiteral("Figures %1 and %2 are both %3.").arg(first + 1).arg(place + 1).arg(QFileInfo(output).fileName()),
                    QStringLiteral("Give each an output of its own.")));
    }
    return requests;
}

Result<void> renderAll(const std::vector<RenderRequest> &requests, const std::function<void(const QString &)> &say, const Run &run)
{
    int failures = 0;
    for (std::size_t at = 0; at < requests.size(); ++at) {
        say(QStringLiteral("%1 of %2: %3").arg(at + 1).arg(requests.size()).arg(QFileInfo(requests[at].output).fileName()));
        const Run part = run.part(static_cast<Index>(at), static_cast<Index>(requests.size()));
        if (const Result<void> drawn = render(requests[at], say, part); !drawn) {
            if (drawn.error().isCancelled)
                return drawn;
            ++failures;
            say(QString::fromStdString(drawn.error().sentence()));
        }
    }
    if (failures > 0)
        return Error{ QStringLiteral("%1 of %2 figures could not be drawn.").arg(failures).arg(requests.size()).toStdString(), "", "", "" };
    return {};
}

} // namespace attenscope
