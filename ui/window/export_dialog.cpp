// SPDX-License-Identifier: GPL-3.0-or-later
// ExportDialog.
#include "window/export_dialog.h"

#include "core/text.h"
#include "io/output_path.h"
#include "state/theme.h"
#include "window/figure_series.h"
#include "window/view_figure.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

namespace {

/// A preview is drawn as the file will be up to this size, above it in the same proportions.
constexpr double mostPreviewPixels = 4e6;
constexpr QSize previewSize(440, 330);
/// Drawing is done on the window's thread: about a second for so many. Compressing takes longer and is not.
constexpr std::int64_t mostDrawnPixels = 100'000'000;

struct FormatRow {
    const char *name;
    const char *extension;
    std::optional<NumbersFormat> numbers;
};
const std::array formatRows{
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Picture, PNG"), "png", std::nullopt },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Picture, SVG"), "svg", std::nullopt },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Picture, PDF"), "pdf", std::nullopt },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, CSV"), "csv", NumbersFormat::Csv },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, NPY"), "npy", NumbersFormat::Npy },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, NPZ"), "npz", NumbersFormat::Npz },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, JSON"), "json", NumbersFormat::Json },
};

} // namespace

ExportDialog::ExportDialog(Document &document, Selection &selection, QWidget *parent)
    : QDialog(parent)
    , m_document(document)
    , m_selection(selection)
    , m_timer(new QTimer(this))
{
    setWindowTitle(tr("Export"));
    setAttribute(Qt::WA_DeleteOnClose);

    m_format = new QComboBox;
    for (const FormatRow &format : formatRows)
        m_format->addItem(tr(format.name));
    m_subject = new QComboBox;
    m_subject->addItems(
        { tr("the shown view"), tr("all heads, on one sheet"), tr("the shown view of all heads, a file each"), tr("the head table") });
    if (document.session().view.patches)
        m_subject->addItem(tr("the image patches"));
    m_figure = new FigurePage;
    m_numbers = new NumbersPage(document, selection);
    m_said = new QLabel;
    m_said->setWordWrap(true);
    m_said->setMinimumHeight(fontMetrics().height() * 2 + 4);
    m_said->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);

    m_preview = new QLabel;
    m_preview->setFixedSize(previewSize);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setAccessibleName(tr("Preview"));

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton *exportButton = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
    exportButton->setProperty("primary", true);
    m_export = exportButton;
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::choosePath);
    m_close = buttons->button(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &ExportDialog::reject);

    auto *left = new QVBoxLayout;
    left->setSpacing(16);
    auto *top = new QWidget;
    QFormLayout *format = FigurePage::makeForm(top);
    format->addRow(FigurePage::makeLabel(tr("Format")), m_format);
    format->addRow(tr("Of"), m_subject);
    left->addWidget(top);
    left->addWidget(m_figure);
    left->addWidget(m_numbers);
    left->addWidget(m_said);
    left->addStretch(1);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(24);
    columns->addLayout(left, 1);
    columns->addWidget(m_preview, 0, Qt::AlignTop);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(16);
    all->addLayout(columns);
    all->addWidget(buttons);
    // Once it is in the dialog, which does not know of it before and would take the first button.
    exportButton->setDefault(true);

    m_timer->setSingleShot(true);
    m_timer->setInterval(80);
    connect(m_timer, &QTimer::timeout, this, &ExportDialog::updatePreview);
    restoreChoices();
    m_isOfNumbers = numbersFormat().has_value();
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::followFormat);
    for (QComboBox *box : { m_format, m_subject })
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::updateControls);
    connect(&m_job, &Job::progressed, this,
        [this](double fraction) { m_said->setText(tr("Written %1 %…").arg(static_cast<int>(100.0 * fraction))); });
    connect(&m_selection, &Selection::inViewChanged, this, &ExportDialog::updateControls);
    connect(m_figure, &FigurePage::changed, this, &ExportDialog::updateControls);
    connect(m_numbers, &NumbersPage::changed, this, &ExportDialog::updateControls);
    connect(&m_document, &Document::changed, this, [this] {
        m_numbers->updateSides();
        updateControls();
    });
    connect(&m_document, &Document::resultChanged, this, &ExportDialog::updateControls);
    connect(&m_selection, &Selection::pickedChanged, this, &ExportDialog::updateControls);
    updateControls();
}

/// What was chosen for a picture is meant of numbers too, and the other way round.
void ExportDialog::followFormat()
{
    const bool isOfNumbers = numbersFormat().has_value();
    if (isOfNumbers == m_isOfNumbers)
        return;
    m_isOfNumbers = isOfNumbers;
    if (isOfNumbers)
        m_numbers->setScope(subject() == Table             ? NumbersPage::HeadTable
                : subject() == Grid || subject() == Series ? NumbersPage::AllHeads
                                                           : NumbersPage::ShownMap);
    else if (m_numbers->scope() == NumbersPage::HeadTable || subject() == Table)
        m_subject->setCurrentIndex(m_numbers->scope() == NumbersPage::HeadTable ? Table : View);
}

std::optional<NumbersFormat> ExportDialog::numbersFormat() const
{
    return formatRows[static_cast<std::size_t>(m_format->currentIndex())].numbers;
}

QString ExportDialog::extension() const
{
    return QLatin1String(formatRows[static_cast<std::size_t>(m_format->currentIndex())].extension);
}

ExportDialog::Subject ExportDialog::subject() const
{
    return static_cast<Subject>(m_subject->currentIndex());
}

Result<Figure> ExportDialog::figure(const FigureOptions &options) const
{
    const FigureSubject of = subject() == Grid ? FigureSubject::Grid
        : subject() == Table                   ? FigureSubject::Table
        : subject() == Patches                 ? FigureSubject::Patches
                                               : FigureSubject::View;
    return viewFigure(m_document, m_selection, options, of);
}

FigureOptions ExportDialog::figureOptions() const
{
    FigureOptions options = m_figure->options();
    const bool isOfMap = (subject() == View || subject() == Series) && isMapShown(m_document);
    if (const MapFieldPtr field = isOfMap ? m_document.field() : nullptr) {
        const auto region = m_figure->isOnlyInView() ? regionInView(m_document, m_selection) : std::nullopt;
        options.region = region.value_or(CellRect{ { 0, field->rows() }, { 0, field->cols() } });
    }
    return options;
}

Result<QString> ExportDialog::description() const
{
    const FigureOptions options = figureOptions();
    const Result<Figure> made = figure(options);
    if (!made)
        return made.error();
    const QSize size = made->pixels;
    if (const Result<void> possible = checkFigure(size); !possible)
        return possible.error();
    if (std::int64_t{ size.width() } * size.height() > mostDrawnPixels)
        return Error{ "The picture is too large to be drawn here.",
            "It would have " + shapeText(std::array<Index, 2>{ size.width(), size.height() })
                + " pixels, and the window would stand still for seconds.",
            "Choose a smaller size, or draw it with attenscope render.", "" };
    const QString width = QString::fromStdString(groupedCount(size.width()));
    const QString height = QString::fromStdString(groupedCount(size.height()));
    const QString file = extension() == QLatin1String("png") ? tr("The file will have %1 × %2 pixels.")
        : options.millimetres                                ? tr("Letters are text; the map is an image without loss of %1 × %2 dots.")
                                                             : tr("%1 × %2 pixels, 96 of them an inch. Letters are text.");
    const QString said = file.arg(width, height);
    return subject() == Series ? tr("%1 files, one for each head. %2").arg(seriesCount()).arg(said) : said;
}

void ExportDialog::updateControls()
{
    const bool isFigure = !numbersFormat();
    const bool isOtherPage = m_figure->isHidden() == isFigure;
    m_figure->setVisible(isFigure);
    m_numbers->setVisible(!isFigure);
    m_preview->setVisible(isFigure);
    m_subject->setVisible(isFigure);
    if (auto *form = qobject_cast<QFormLayout *>(m_subject->parentWidget()->layout()))
        form->labelForField(m_subject)->setVisible(isFigure);
    m_figure->setOfMap((subject() == View || subject() == Series) && isMapShown(m_document));
    m_figure->setHasPick(m_selection.picked().has_value());
    const MapFieldPtr shown = m_document.field();
    m_figure->setInView(regionInView(m_document, m_selection), shown ? shown->rows() : 0, shown ? shown->cols() : 0);
    m_numbers->follow();

    const Result<QString> described = isFigure ? description() : m_numbers->description(*numbersFormat());
    // What is being written is what the controls said when it began.
    const QString said = m_isWriting ? m_said->text() : described ? *described : QString::fromStdString(described.error().sentence());
    QPalette colors = palette();
    const Theme &theme = Theme::of(colors);
    colors.setColor(QPalette::WindowText, described ? theme.secondaryText : theme.error);
    m_said->setPalette(colors);
    m_said->setText(said);
    m_export->setEnabled(described.ok() && !m_isWriting);
    m_export->setToolTip(described ? QString() : said);
    if (isFigure)
        m_timer->start();
    // The pages differ much in size.
    if (isOtherPage && isVisible()) {
        layout()->activate();
        adjustSize();
    }
}

void ExportDialog::updatePreview()
{
    FigureOptions options = figureOptions();
    Result<Figure> made = figure(options);
    if (!made || !checkFigure(made->pixels)) {
        m_preview->clear();
        return;
    }
    const QSizeF size = made->pixels;
    const double pixels = size.width() * size.height();
    if (pixels > mostPreviewPixels) {
        options.pixels = (size * std::sqrt(mostPreviewPixels / 4 / pixels)).toSize().expandedTo(QSize(16, 16));
        options.millimetres.reset();
        options.cellPixels.reset();
        made = figure(options);
    }
    const Result<QImage> image = made ? figureImage(*made) : Result<QImage>(made.error());
    if (!image) {
        m_preview->setText(QString::fromStdString(image.error().sentence()));
        return;
    }
    const double ratio = devicePixelRatioF();
    QImage scaled = image->scaled((QSizeF(previewSize - QSize(8, 8)) * ratio).toSize(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
    if (options.background == FigureBackground::Transparent) {
        QImage ground(scaled.size(), QImage::Format_RGB32);
        QPainter painter(&ground);
        const int square = qRound(8 * ratio);
        for (int y = 0; y < ground.height(); y += square) {
            for (int x = 0; x < ground.width(); x += square)
                painter.fillRect(x, y, square, square, (x / square + y / square) % 2 ? QColor(0xdd, 0xdd, 0xdd) : Qt::white);
        }
        painter.drawImage(0, 0, scaled);
        painter.end();
        scaled = ground;
    }
    scaled.setDevicePixelRatio(ratio);
    m_preview->setPixmap(QPixmap::fromImage(scaled));
}

void ExportDialog::choosePath()
{
    if (m_folder.isEmpty())
        m_folder = QDir::homePath();
    const QString name = QString::fromStdString(m_document.session().name) + QLatin1Char('.') + extension();
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"), QDir(m_folder).filePath(name), QStringLiteral("%1 (*.%2)").arg(extension().toUpper(), extension()));
    if (!path.isEmpty())
        write(path);
}

void ExportDialog::write(QString path)
{
    path = withExtension(path, extension());
    if (const Result<void> isFree = checkNoInput(path, inputFiles(m_document.session())); !isFree) {
        emit failed(isFree.error());
        return;
    }
    m_folder = QFileInfo(path).absolutePath();
    if (const auto format = numbersFormat()) {
        auto writer = m_numbers->writer(path, *format);
        if (writer)
            writeInJob(path, std::move(writer).value());
        else
            emit failed(writer.error());
        return;
    }
    if (subject() == Series)
        writeSeries(path);
    else
        writeView(path);
}

void ExportDialog::writeView(const QString &path)
{
    const Result<Figure> made = figure(figureOptions());
    if (!made) {
        emit failed(made.error().at(path.toStdString()));
        return;
    }
    if (figureFormatOf(path) != FigureFormat::Png) {
        if (const Result<void> written = writeFigure(path, *made); !written) {
            emit failed(written.error());
            return;
        }
        emit exported(path, 1);
        accept();
        return;
    }
    // Drawing needs the window's thread and takes a fraction of what compressing does.
    Result<QImage> image = figureImage(*made);
    if (!image) {
        emit failed(image.error().at(path.toStdString()));
        return;
    }
    writeInJob(path, [path, picture = std::move(image).value()](const Run &run) { return writePicture(path, picture, run); });
}

void ExportDialog::writeInJob(const QString &path, std::function<Result<void>(const Run &)> work)
{
    setWriting(true);
    m_said->setText(tr("Writing %1…").arg(QFileInfo(path).fileName()));
    m_job.start([this, path, work = std::move(work)](const Run &run, const Job::Deliver &deliver) {
        const Result<void> written = work(run);
        deliver([this, path, written] {
            setWriting(false);
            if (!written) {
                emit failed(written.error());
                return;
            }
            emit exported(path, 1);
            accept();
        });
    });
}

void ExportDialog::writeSeries(const QString &path)
{
    setWriting(true);
    m_said->setText(tr("Writing %1 files…").arg(seriesCount()));
    m_series = new FigureSeries(m_document, m_selection, figureOptions(), path, this);
    connect(m_series, &FigureSeries::progress, this,
        [this](int written, int all) { m_said->setText(tr("Written %1 of %2 files…").arg(written).arg(all)); });
    connect(m_series, &FigureSeries::failed, this, [this](const Error &error) {
        stopSeries();
        setWriting(false);
        emit failed(error);
    });
    connect(m_series, &FigureSeries::finished, this, [this, path](int written) {
        setWriting(false);
        emit exported(headPath(path, {}, m_document.block().layers, written / m_document.block().layers), written);
        accept();
    });
}

void ExportDialog::stopSeries()
{
    if (!m_series)
        return;
    m_series->cancel();
    // It may be the one that says that it is finished.
    m_series->deleteLater();
    m_series = nullptr;
}

int ExportDialog::seriesCount() const
{
    return m_document.block().layers * headCount(m_document.block(), m_document.result()->spec);
}

void ExportDialog::setWriting(bool isWriting)
{
    m_isWriting = isWriting;
    m_close->setText(isWriting ? tr("Cancel") : tr("Close"));
    for (QWidget *control : std::initializer_list<QWidget *>{ m_figure, m_numbers, m_format, m_subject })
        control->setEnabled(!isWriting);
    updateControls();
}

void ExportDialog::reject()
{
    if (!m_isWriting) {
        QDialog::reject();
        return;
    }
    m_job.cancel();
    stopSeries();
    setWriting(false);
}

void ExportDialog::done(int result)
{
    m_job.cancel();
    stopSeries();
    storeChoices();
    QDialog::done(result);
}

void ExportDialog::restoreChoices()
{
    const QVariantMap choices = m_settings.exportOptions();
    m_folder = choices.value(QStringLiteral("folder")).toString();
    // By its extension: rows are added. What was stored by number is a PNG.
    const QString extension = choices.value(QStringLiteral("format")).toString();
    const auto isStored = [&](const FormatRow &row) { return extension == QLatin1String(row.extension); };
    const auto stored = std::find_if(formatRows.begin(), formatRows.end(), isStored);
    m_format->setCurrentIndex(stored == formatRows.end() ? 0 : static_cast<int>(stored - formatRows.begin()));
    m_numbers->restoreScope(choices.value(QStringLiteral("scope"), 0).toInt());
    m_figure->restore(choices);
}

void ExportDialog::storeChoices() const
{
    QVariantMap choices = m_figure->choices();
    choices.insert(QStringLiteral("folder"), m_folder);
    choices.insert(QStringLiteral("format"), QLatin1String(formatRows[static_cast<std::size_t>(m_format->currentIndex())].extension));
    choices.insert(QStringLiteral("scope"), static_cast<int>(m_numbers->scope()));
    Settings().setExportOptions(choices);
}

} // namespace attenscope
