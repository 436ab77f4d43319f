// SPDX-License-Identifier: GPL-3.0-or-later
// A weight is one number: in every view, in what is exported, from attenscope-compute and from the engine.
#include "attention/explain.h"
#include "cli/compute_command.h"
#include "core/random.h"
#include "core/text.h"
#include "io/npy.h"
#include "io/open.h"
#include "io/session_file.h"
#include "session/presets.h"
#include "state/head_table_model.h"
#include "views/lines/lines_canvas.h"
#include "views/lines/lines_view.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"
#include "views/readout_terms.h"
#include "views/steps/row_walk_page.h"
#include "views/steps/steps_view.h"
#include "views/text/text_canvas.h"
#include "views/text/text_view.h"
#include "views/vectors/vectors_canvas.h"
#include "views/vectors/vectors_view.h"
#include "window/numbers.h"

#include "support/window.h"

#include <cmath>

using namespace attenscope;

namespace {

/// A row as it is read somewhere; masked cells as cell::masked().
using Row = std::vector<double>;

/// Every view on one document and one selection.
struct Views {
    Document document;
    Selection selection;
    MapView map{ document, selection };
    LinesView lines{ document, selection };
    VectorsView vectors{ document, selection };
    StepsView steps{ document, selection };
    TextView text{ document, selection };
    ReadoutArithmetic readout;

    Views()
    {
        for (QWidget *view : std::initializer_list<QWidget *>{ &map, &lines, &vectors, &steps, &text })
            view->show();
    }
    [[nodiscard]] std::shared_ptr<const StepContent> walk() const { return steps.findChild<RowWalkPage *>()->content(); }
    [[nodiscard]] std::shared_ptr<const VectorsContent> strips() const { return vectors.findChild<VectorsCanvas *>()->content(); }
    [[nodiscard]] const LineEnds &lineEnds() const { return lines.findChild<LinesCanvas *>()->scene().ends; }
    [[nodiscard]] const LineEnds &tints() const { return text.findChild<TextCanvas *>()->content().ends; }

    /// All of them show row @p row of the picked head.
    void pick(Index row)
    {
        selection.setPicked(CellRef{ row, -1 });
        const HeadRef head = document.head();
        QTRY_VERIFY_WITH_TIMEOUT(walk() && walk()->walk.row == row && walk()->walk.ref == head && walk()->input == document.input(), 60000);
        if (document.result()->find(head)->operands)
            QTRY_VERIFY_WITH_TIMEOUT(strips() && strips()->terms->row == row && strips()->head == head, 60000);
    }
};

/// The same bits, or both masked.
bool areSame(double a, double b)
{
    return cell::kind(a) == cell::kind(b) && (a == b || std::isnan(a));
}

QString differenceOf(const Row &seen, const Row &expected)
{
    if (seen.size() != expected.size())
        return QStringLiteral("%1 numbers instead of %2").arg(seen.size()).arg(expected.size());
    for (std::size_t key = 0; key < seen.size(); ++key) {
        if (!areSame(seen[key], expected[key]))
            return QStringLiteral("key %1: %2 instead of %3").arg(key).arg(seen[key], 0, 'g', 17).arg(expected[key], 0, 'g', 17);
    }
    return {};
}

/// Masked weights are 0 where a place has numbers only.
Row plain(Row row)
{
    for (double &number : row)
        number = cell::kind(number) == cell::Kind::Masked ? 0.0 : number;
    return row;
}

Row rowOf(const MapField &field, Index row)
{
    Row cells(static_cast<std::size_t>(field.cols()));
    field.row(row, 0, cells);
    return cells;
}

Row rowOf(const Vector &numbers)
{
    return { numbers.data(), numbers.data() + numbers.size() };
}

/// What the numbers at the bottom copy, key by key.
Row readoutRow(Views &views, Index row)
{
    Row numbers;
    for (Index key = 0; key < views.document.block().keys; ++key) {
        for (const ReadoutTerm &term : views.readout.terms(views.document, { row, key })) {
            if (term.look == ReadoutTerm::Look::Result)
                numbers.push_back(term.copied.toDouble());
        }
    }
    return numbers;
}

/// Row @p row of head @p place in CSV of all heads: a line per head and query with head and query in front, under one line of names.
Row csvRow(const QStringList &lines, Index place, Index row, const AttentionBlock &block)
{
    QStringList cells = lines.value(static_cast<qsizetype>(1 + place * block.queries + row)).split(u',');
    cells.remove(0, 2);
    Row numbers;
    for (const QString &cell : cells)
        numbers.push_back(cell.isEmpty() ? cell::masked<double>() : cell.toDouble());
    return numbers;
}

Tensor weightsIn(const QString &path)
{
    const auto opened = openFiles({ path.toStdString() });
    if (opened) {
        for (const NamedTensor &named : opened->tensors->tensors) {
            if (named.name == "weights")
                return named.tensor;
        }
    }
    return {};
}

/// Two layers of three heads, rows that sum to 1; keys after the query are 0.
Matrix recordedMap(Index queries, Index keys, std::uint64_t seed)
{
    Random random(seed);
    Matrix map = random.normalMatrix(queries, keys).array().exp();
    for (Index row = 0; row < queries; ++row) {
        for (Index key = row + keys - queries + 1; key < keys; ++key)
            map(row, key) = 0.0;
        map.row(row) /= map.row(row).sum();
    }
    return map;
}

constexpr int recordedLayers = 2;
constexpr int recordedHeads = 3;

QByteArray recordedFile(Index queries, Index keys, ElementType type)
{
    const std::string header = npyHeader(std::vector<Index>{ recordedLayers, recordedHeads, queries, keys }, type);
    QByteArray bytes(header.data(), static_cast<qsizetype>(header.size()));
    const auto add = [&bytes](auto number) { bytes.append(reinterpret_cast<const char *>(&number), sizeof number); };
    for (int head = 0; head < recordedLayers * recordedHeads; ++head) {
        const Matrix map = recordedMap(queries, keys, static_cast<std::uint64_t>(head) + 1);
        for (const double number : map.reshaped<Eigen::RowMajor>())
            type == ElementType::F32 ? add(static_cast<float>(number)) : add(number);
    }
    return bytes;
}

} // namespace

class SameWeightTest : public QObject {
    Q_OBJECT

private slots:
    void everywhereTheSameNumber_data();
    void everywhereTheSameNumber();

private:
    /// A session of the input that a row of data names, saved in a file and opened again.
    Session session(const QString &input, const QString &preset);

    QTemporaryDir m_folder;
};

void SameWeightTest::everywhereTheSameNumber_data()
{
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("preset");
    for (const Preset &preset : presets()) {
        if (preset.group <= PresetGroup::Softmax)
            QTest::addRow("tokens, %s", preset.id.c_str()) << "tokens" << QString::fromStdString(preset.id);
    }
    for (const char *preset : { "transformer-decoder", "score-additive" })
        QTest::addRow("matrices, %s", preset) << "matrices" << preset;
    for (const char *input : { "file of floats", "file of doubles", "wide file" }) {
        QTest::addRow("%s, as it is", input) << input << QString();
        QTest::addRow("%s, causal", input) << input << "mask-causal";
        QTest::addRow("%s, window", input) << input << "mask-causal-window";
    }
    QTest::newRow("long tokens") << "long tokens"
                                 << "transformer-decoder";
    QTest::newRow("long file") << "long file"
                               << "mask-causal-window";
}

Session SameWeightTest::session(const QString &input, const QString &preset)
{
    Session session = exampleSentence();
    if (input.contains(QLatin1String("tokens"))) {
        auto &tokens = std::get<TokensSource>(session.source);
        if (input.startsWith(QLatin1String("long"))) {
            for (int word = 0; word < 290; ++word)
                tokens.text += " w" + std::to_string(word);
        }
    } else if (input == QLatin1String("matrices")) {
        Random random(3);
        MatricesSource source;
        for (int head = 0; head < 4; ++head)
            source.heads.push_back({ SharedMatrix(random.normalMatrix(5, 4)), SharedMatrix(random.normalMatrix(8, 4)),
                SharedMatrix(random.normalMatrix(8, 3)) });
        session.source = source;
    } else {
        const bool isLong = input.startsWith(QLatin1String("long"));
        const Index queries = isLong ? 300 : input.startsWith(QLatin1String("wide")) ? 4 : 9;
        const ElementType type = input.contains(QLatin1String("floats")) ? ElementType::F32 : ElementType::F64;
        const QString path = writeFile(m_folder, QStringLiteral("attentions.npy"), recordedFile(queries, isLong ? 300 : 9, type));
        session = sessionFor(openFiles({ path.toStdString() }).value());
    }
    if (!preset.isEmpty()) {
        const AttentionInput built = buildInput(session.source).value();
        session = applied(*findPreset(preset.toStdString()), session, built.blocks.front()).session;
    }
    const std::string path = m_folder.filePath(QStringLiteral("s.attn")).toStdString();
    return saveSession(path, session, {}) ? loadSession(path).value().session : Session();
}

void SameWeightTest::everywhereTheSameNumber()
{
    QFETCH(QString, input);
    QFETCH(QString, preset);
    Views views;
    Document &document = views.document;
    document.reset(session(input, preset));
    QTRY_VERIFY_WITH_TIMEOUT(document.isCurrent() && !document.isComputing() && !document.isSummarizing(), 60000);
    QCOMPARE(document.session().mechanism == AttentionSpec(), preset.isEmpty());
    const AttentionBlock &block = document.block();
    const AttentionSpec &spec = document.result()->spec;

    const Result<std::string> csv = mapCsv(numbersOf(document, NumbersScope::AllHeads).value());
    QVERIFY(csv);
    QStringList csvLines = QString::fromStdString(*csv).split(u'\n', Qt::SkipEmptyParts);
    csvLines.erase(
        std::remove_if(csvLines.begin(), csvLines.end(), [](const QString &line) { return line.startsWith(u'#'); }), csvLines.end());
    const QString arrays = m_folder.filePath(QStringLiteral("weights.npz"));
    Console console;
    console.out = [](const std::string &) {};
    console.error = [](const std::string &error) { qWarning("%s", error.c_str()); };
    const QStringList arguments{ "attenscope-compute", "run", m_folder.filePath(QStringLiteral("s.attn")), "--stages", "weights", "-o",
        arrays };
    QCOMPARE(computeCommand(arguments, console), 0);
    const Row computed = weightsIn(arrays).toNumbers();
    QCOMPARE(static_cast<Index>(computed.size()), block.layers * headCount(block, spec) * block.queries * block.keys);

    const HeadTableModel table(document);
    Index place = 0;
    for (const HeadRef &head : allHeads(*document.input(), spec, 0)) {
        document.pickHead(head);
        const auto result = document.result()->find(head);
        const MapFieldPtr thumbnail = document.headField(head);
        double largest = 0.0;
        for (Index row = 0; row < block.queries; row += std::max<Index>(1, block.queries / 11)) {
            const std::string where = "head " + std::to_string(place) + ", row " + std::to_string(row);
            Row truth(static_cast<std::size_t>(block.keys));
            if (result->operands) {
                const Explanation stages = explain(*result->operands, { row, row + 1 }).value();
                for (Index key = 0; key < block.keys; ++key)
                    truth[static_cast<std::size_t>(key)]
                        = result->operands->mask.isVisible(row, key) ? stages.weights(0, key) : cell::masked<double>();
            } else {
                // Kept weights of a row divided by their sum, within rounding; from there on the same bits.
                const Matrix map = recordedMap(block.queries, block.keys, static_cast<std::uint64_t>(place) + 1);
                const Mask mask(block, spec.mask, 0);
                double kept = 0.0;
                for (Index key = 0; key < block.keys; ++key)
                    kept += mask.isVisible(row, key) ? map(row, key) : 0.0;
                truth = rowOf(*result->recorded, row);
                for (Index key = 0; key < block.keys; ++key) {
                    const double cell = truth[static_cast<std::size_t>(key)];
                    QCOMPARE(cell::kind(cell) == cell::Kind::Masked, !mask.isVisible(row, key));
                    if (mask.isVisible(row, key))
                        QVERIFY(std::abs(cell - map(row, key) / kept) <= (input.contains(QLatin1String("floats")) ? 1e-7 : 1e-15));
                }
            }
            views.pick(row);
            QVERIFY2(!QTest::currentTestFailed(), where.c_str());
            const std::pair<const char *, QString> differences[] = {
                { "map", differenceOf(rowOf(*views.map.findChild<MapPlot *>()->content().panels.front().field, row), truth) },
                { "thumbnail", differenceOf(rowOf(*thumbnail, row), truth) },
                { "lines", differenceOf(views.lineEnds().heads.front().cells, truth) },
                { "text", differenceOf(views.tints().heads.front().cells, truth) },
                { "steps", differenceOf(rowOf(views.walk()->walk.weights), plain(truth)) },
                { "vectors",
                    result->operands ? differenceOf(rowOf(views.strips()->terms->stages.weights.row(0).transpose()), plain(truth))
                                     : QString() },
                { "readout", differenceOf(readoutRow(views, row), plain(truth)) },
                { "CSV", differenceOf(csvRow(csvLines, place, row, block), truth) },
                { "attenscope-compute",
                    differenceOf({ computed.begin() + (place * block.queries + row) * block.keys,
                                     computed.begin() + (place * block.queries + row + 1) * block.keys },
                        plain(truth)) },
            };
            for (const auto &[view, difference] : differences)
                QVERIFY2(
                    difference.isEmpty(), qPrintable(QStringLiteral("%1, %2: %3").arg(view, QString::fromStdString(where), difference)));
        }
        for (Index row = 0; row < block.queries; ++row) {
            const Row cells = plain(rowOf(*thumbnail, row));
            largest += *std::max_element(cells.begin(), cells.end()) / static_cast<double>(block.queries);
        }
        // In the order of the table before anything was sorted.
        const QModelIndex cell = table.index(static_cast<int>(place), HeadTableModel::sectionOf(HeadColumn::Largest));
        QCOMPARE(table.headAt(static_cast<int>(place)), head);
        QVERIFY(std::abs(table.data(cell, HeadTableModel::exactRole).toDouble() - largest) < 1e-12);
        ++place;
    }
}

QTEST_MAIN(SameWeightTest)
#include "tst_same_weight.moc"
