// SPDX-License-Identifier: GPL-3.0-or-later
// What people report about starting other tools and about their kernels: files from the desktop, no network, translations, halves, equal shapes.
#include "attention/explain.h"
#include "core/random.h"
#include "io/npy.h"
#include "io/open.h"
#include "session/presets.h"
#include "views/lines/lines_content.h"
#include "views/lines/lines_view.h"
#include "views/readout_text.h"
#include "window/view_figure.h"

#include "support/recorded_session.h"

#include <QFile>
#include <QMimeDatabase>
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>

using namespace attenscope;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

/// Half-precision numbers of either sign between 2⁻⁴ and 2, as an array of @p rows x @p cols.
QByteArray halves(Index rows, Index cols, std::uint64_t seed)
{
    QByteArray content = QByteArray::fromStdString(npyHeader(std::vector<Index>{ rows, cols }, ElementType::F16));
    Random random(seed);
    for (Index place = 0; place < rows * cols; ++place) {
        const double number = random.normal();
        const auto bits = static_cast<std::uint16_t>(
            (number < 0.0 ? 0x8000 : 0) | (11 + place % 5) << 10 | static_cast<int>(std::abs(number) * 4096.0) % 1024);
        content.append(reinterpret_cast<const char *>(&bits), sizeof bits);
    }
    return content;
}

} // namespace

class ReportedUseTest : public QObject {
    Q_OBJECT

private slots:
    /// jessevig/bertviz/issues/8: a double click on a file opens it, so the desktop has to know whose files these are.
    void desktopEntryHasTheTypesOfAllFiles_data()
    {
        QTest::addColumn<QString>("extension");
        for (const char *extension : { "npy", "npz", "safetensors", "csv", "tsv", "json", "attn" })
            QTest::newRow(extension) << QString::fromLatin1(extension);
    }
    void desktopEntryHasTheTypesOfAllFiles()
    {
        QFETCH(QString, extension);
        const QString packaging = QStringLiteral(TEST_DATA "/../../packaging/");
        const QString entry = QString::fromUtf8(contentOf(packaging + QStringLiteral("org.attenscope.Attenscope.desktop")));
        QVERIFY(entry.contains(QStringLiteral("\nExec=attenscope %F\n")));
        // Types of our own, else those that every desktop has.
        const QStringList own
            = QString::fromUtf8(contentOf(packaging + QStringLiteral("attenscope-mime.xml"))).split(QStringLiteral("<mime-type "));
        QString type = QMimeDatabase().mimeTypeForFile(QStringLiteral("a.") + extension, QMimeDatabase::MatchExtension).name();
        for (const QString &one : own) {
            if (one.contains(QStringLiteral("pattern=\"*.%1\"").arg(extension)))
                type = one.section(u'"', 1, 1);
        }
        const QString types = entry.section(QStringLiteral("MimeType="), 1).section(u'\n', 0, 0);
        QVERIFY2(types.split(u';').contains(type), qPrintable(type));
    }

    /// jessevig/bertviz/issues/53 and /63: nothing is fetched from anywhere, so nothing can be missing.
    void nothingOfANetworkIsLoaded()
    {
        Document document;
        const Selection selection;
        QVERIFY(viewFigure(document, selection, {}).ok());
        const QByteArray loaded = contentOf(QStringLiteral("/proc/self/maps"));
        QVERIFY(loaded.contains("libQt6Gui"));
        for (const char *library : { "libQt6Network", "libQt6WebEngine", "libcurl", "libsoup" })
            QVERIFY2(!loaded.contains(library), library);
    }

    /// jessevig/bertviz/issues/72, /67, /36: source against target, 8 x 10.
    void translationsAreQueriesByKeys()
    {
        const QTemporaryDir folder;
        std::vector<double> cells(80);
        for (std::size_t place = 0; place < cells.size(); ++place)
            cells[place] = (static_cast<double>(place % 10) + 1.0) / 55.0;
        const std::string header = npyHeader(std::vector<Index>{ 8, 10 });
        QVERIFY(writeFile(folder.filePath(QStringLiteral("cross_attentions.npy")),
            QByteArray::fromStdString(header)
                + QByteArray(reinterpret_cast<const char *>(cells.data()), static_cast<qsizetype>(cells.size() * sizeof(double)))));
        QVERIFY(writeFile(folder.filePath(QStringLiteral("cross_attentions.json")), R"({
            "query_tokens": ["Kot", "siedział", "na", "macie", ",", "bo", "był", "zmęczony"],
            "key_tokens": ["The", "cat", "sat", "on", "the", "mat", "because", "it", "was", "tired"] })"));
        Document document;
        document.reset(sessionFor(openFiles({ folder.filePath(QStringLiteral("cross_attentions.npy")).toStdString() }).value()));
        const AttentionBlock &block = document.block();
        QCOMPARE(block.role, BlockRole::Cross);
        QCOMPARE(readout::tokenText(block.queryTokens, 7), QStringLiteral("zmęczony"));
        QCOMPARE(readout::tokenText(block.keyTokens, 9), QStringLiteral("tired"));
        QCOMPARE(document.field()->at(7, 9), 10.0 / 55.0);
        // Positions of two sentences are not compared with each other.
        QCOMPARE(document.result()->summary(document.head())->previous.rows, Index(0));
        Selection selection;
        selection.setPicked(CellRef{ 7, -1 });
        FieldCache fields;
        const auto lines = linesContent(document, fields);
        QCOMPARE(lines->queries, (Range{ 0, 8 }));
        QCOMPARE(lines->keys, (Range{ 0, 10 }));
        QVERIFY(linesPicture(document, selection).ok());
    }

    /// Dao-AILab/flash-attention/issues/1445, 410, 211: tiles are not bit-equal to whole rows; how far off is said.
    void tilesOfHalvesDifferByRoundingAlone()
    {
        const QTemporaryDir folder;
        std::vector<std::string> paths;
        for (const char *name : { "q", "k", "v" }) {
            const QString path = folder.filePath(QString::fromLatin1(name) + QStringLiteral(".npy"));
            QVERIFY(writeFile(path, halves(256, 64, static_cast<std::uint64_t>(name[0]))));
            paths.push_back(path.toStdString());
        }
        Document document;
        document.reset(sessionFor(openFiles(paths).value()));
        QTRY_VERIFY(document.isCurrent() && !document.isComputing());
        const auto head = document.result()->find(document.head());
        const Matrix exact = explain(*head->operands, { 0, 256 }).value().output;
        const auto flash = explainFlash(*head->operands).value();
        const double doubles = (flash.output - exact).cwiseAbs().maxCoeff();
        QVERIFY2(doubles > 0.0 && doubles < 1e-13, qPrintable(QString::number(doubles)));
        const double singles = (head->stream.output.cast<double>() - exact).cwiseAbs().maxCoeff();
        QVERIFY2(singles > doubles && singles < 1e-5, qPrintable(QString::number(singles)));
    }

    /// huggingface/transformers/issues/33417: the same Q, K and V have maps and outputs of one shape, whatever computes them.
    void everyMechanismHasTheSameShapes_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Algorithm>("algorithm");
        for (const Preset &preset : presets()) {
            QTest::addRow("%s, exact", preset.id.c_str()) << QString::fromStdString(preset.id) << Algorithm::Exact;
            QTest::addRow("%s, flash", preset.id.c_str()) << QString::fromStdString(preset.id) << Algorithm::Flash;
        }
    }
    void everyMechanismHasTheSameShapes()
    {
        QFETCH(QString, id);
        QFETCH(Algorithm, algorithm);
        Random random(5);
        MatricesSource source;
        for (int head = 0; head < 4; ++head)
            source.heads.push_back({ SharedMatrix(random.normalMatrix(7, 8)), SharedMatrix(random.normalMatrix(7, 8)),
                SharedMatrix(random.normalMatrix(7, 6)) });
        Session session;
        session.source = source;
        session.mechanism = {};
        Document document;
        document.reset(session);
        const AppliedPreset used = applied(*findPreset(id.toStdString()), session, document.wholeBlock());
        if (!used.isUsable) {
            QVERIFY(!used.notes.empty());
            return;
        }
        Session next = used.session;
        next.mechanism.algorithm = algorithm;
        document.edit(next, QStringLiteral("preset"));
        QVERIFY(!document.problem());
        for (int head = 0; head < headCount(document.block(), document.result()->spec); ++head) {
            const auto found = document.result()->find({ 0, 0, head, 0 });
            QVERIFY(found);
            const MapFieldPtr weights = found->field(Stage::Weights);
            QCOMPARE(weights->rows(), Index(7));
            QCOMPARE(weights->cols(), Index(7));
            const MapFieldPtr output = found->field(Stage::Output);
            QCOMPARE(output->rows(), Index(7));
            QCOMPARE(output->cols(), Index(6));
        }
    }
};

QTEST_MAIN(ReportedUseTest)
#include "tst_reported_use.moc"
