// SPDX-License-Identifier: GPL-3.0-or-later
// ExportDialog.
#include "window/export_dialog.h"

#include "core/text.h"
#include "state/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>

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
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, CSV"), "csv", NumbersFormat::Csv },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, NPY"), "npy", NumbersFormat::Npy },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, NPZ"), "npz", NumbersFormat::Npz },
    FormatRow{ QT_TRANSLATE_NOOP("attenscope::ExportDialog", "Numbers, JSON"), "json", NumbersFormat::Json },
};

QSpinBox *wholeNumber(int least, int most, int value, const QString &suffix, const QString &name)
{
    auto *box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setAccessibleName(name);
    box->setToolTip(QStringLiteral("%1: %2 to %3").arg(name).arg(least).arg(most));
    return box;
}

QDoubleSpinBox *millimetres(double value, const QString &name)
{
    auto *box = new QDoubleSpinBox;
    box->setRange(5.0, 2000.0);
    box->setDecimals(1);
    box->setValue(value);
    box->setSuffix(QStringLiteral(" mm"));
    box->setAccessibleName(name);
    return box;
}

QWidget *row(const std::vector<QWidget *> &widgets)
{
    auto *holder = new QWidget;
    auto *layout = new QHBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (QWidget *widget : widgets)
        layout->addWidget(widget);
    layout->addStretch(1);
    return holder;
}

/// Labels of all forms start and end at the same place.
QLabel *label(const QString &text)
{
    auto *made = new QLabel(text);
    made->setMinimumWidth(96);
    return made;
}

QFormLayout *form(QWidget *page)
{
    auto *layout = new QFormLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(8);
    layout->setHorizontalSpacing(16);
    layout->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return layout;
}

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
    m_pages = new QStackedWidget;
    m_pages->addWidget(makeFigurePage());
    m_pages->addWidget(makeNumbersPage());
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
    form(top)->addRow(label(tr("Format")), m_format);
    left->addWidget(top);
    left->addWidget(m_pages);
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
    updateSides();
    restoreChoices();
    for (QComboBox *box : findChildren<QComboBox *>())
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::updateControls);
    for (QSpinBox *box : findChildren<QSpinBox *>())
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::updateControls);
    for (QDoubleSpinBox *box : findChildren<QDoubleSpinBox *>())
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::updateControls);
    for (QCheckBox *box : findChildren<QCheckBox *>())
        connect(box, &QCheckBox::toggled, this, &ExportDialog::updateControls);
    connect(&m_document, &Document::changed, this, &ExportDialog::updateSides);
    connect(&m_document, &Document::resultChanged, this, &ExportDialog::updateControls);
    connect(&m_selection, &Selection::pickedChanged, this, &ExportDialog::updateControls);
    updateControls();
}

QWidget *ExportDialog::makeFigurePage()
{
    auto *page = new QWidget;
    QFormLayout *layout = form(page);
    m_sizing = new QComboBox;
    m_sizing->addItems({ tr("in pixels"), tr("in millimetres"), tr("by cell") });
    m_width = wholeNumber(16, 100000, 1400, tr(" px"), tr("Width"));
    m_height = wholeNumber(0, 100000, 0, tr(" px"), tr("Height"));
    m_height->setSpecialValueText(tr("fitting"));
    m_height->setToolTip(tr("Height: 16 to 100,000; 0 is as much as the maps need, at most 1,000"));
    m_millimetresWide = millimetres(120.0, tr("Width"));
    m_millimetresHigh = millimetres(90.0, tr("Height"));
    m_dpi = wholeNumber(36, 2400, 300, tr(" dpi"), tr("Resolution"));
    m_cell = wholeNumber(1, 512, 16, tr(" px"), tr("Pixels per cell"));
    m_sizes = new QStackedWidget;
    m_sizes->addWidget(row({ m_width, new QLabel(QStringLiteral("×")), m_height }));
    m_sizes->addWidget(row({ m_millimetresWide, new QLabel(QStringLiteral("×")), m_millimetresHigh, new QLabel(tr("at")), m_dpi }));
    m_sizes->addWidget(row({ m_cell, new QLabel(tr("each cell")) }));
    m_background = new QComboBox;
    m_background->addItems({ tr("white"), tr("dark"), tr("transparent") });
    const auto check = [](const QString &text) {
        auto *box = new QCheckBox(text);
        box->setChecked(true);
        return box;
    };
    m_title = check(tr("Title: name, stage, head, mechanism"));
    m_labels = check(tr("Token labels"));
    m_colorScale = check(tr("Colour scale"));
    m_caption = check(tr("Caption: what the picture leaves out"));
    m_pick = check(tr("Frame of the picked cell"));
    layout->addRow(label(tr("Size")), m_sizing);
    layout->addRow(QString(), m_sizes);
    layout->addRow(tr("Background"), m_background);
    QString with = tr("With");
    for (QCheckBox *box : { m_title, m_labels, m_colorScale, m_caption, m_pick }) {
        layout->addRow(with, box);
        with.clear();
    }
    return page;
}

QWidget *ExportDialog::makeNumbersPage()
{
    auto *page = new QWidget;
    QFormLayout *layout = form(page);
    m_scope = new QComboBox;
    m_scope->addItems({ tr("the shown map"), tr("all heads") });
    m_side = new QComboBox;
    layout->addRow(label(tr("Of")), m_scope);
    layout->addRow(tr("Map"), m_side);
    return page;
}

void ExportDialog::updateSides()
{
    const Session &session = m_document.session();
    const QSignalBlocker blocker(m_side);
    const int current = m_side->currentIndex();
    m_side->clear();
    m_side->addItem(QString::fromStdString(maskName(session.mechanism.mask)));
    if (session.comparison) {
        m_side->addItem(QString::fromStdString(maskName(session.comparison->mask)));
        m_side->addItem(tr("difference"));
    }
    m_side->setCurrentIndex(std::clamp(current, 0, m_side->count() - 1));
    m_side->setEnabled(session.comparison.has_value());
    m_side->setToolTip(session.comparison ? QString() : tr("There is one map; comparing there are three."));
}

Side ExportDialog::side() const
{
    return m_side->currentIndex() == 1 ? Side::Comparison : m_side->currentIndex() == 2 ? Side::Difference : Side::Main;
}

std::optional<NumbersFormat> ExportDialog::numbersFormat() const
{
    return formatRows[static_cast<std::size_t>(m_format->currentIndex())].numbers;
}

QString ExportDialog::extension() const
{
    return QLatin1String(formatRows[static_cast<std::size_t>(m_format->currentIndex())].extension);
}

FigureOptions ExportDialog::figureOptions() const
{
    FigureOptions options;
    options.pixels = QSize(m_width->value(), m_height->value());
    options.dpi = m_dpi->value();
    if (m_sizing->currentIndex() == 1)
        options.millimetres = QSizeF(m_millimetresWide->value(), m_millimetresHigh->value());
    else if (m_sizing->currentIndex() == 2)
        options.cellPixels = m_cell->value();
    options.background = static_cast<FigureBackground>(m_background->currentIndex());
    options.hasTitle = m_title->isChecked();
    options.hasLabels = m_labels->isChecked();
    options.hasColorScale = m_colorScale->isChecked();
    options.hasCaption = m_caption->isChecked();
    options.hasPick = m_pick->isChecked();
    return options;
}

void ExportDialog::updateControls()
{
    const bool isFigure = !numbersFormat();
    m_pages->setCurrentIndex(isFigure ? 0 : 1);
    m_sizes->setCurrentIndex(m_sizing->currentIndex());
    m_preview->setVisible(isFigure);
    m_pick->setEnabled(m_selection.picked().has_value());
    m_pick->setToolTip(m_selection.picked() ? QString() : tr("No cell is picked."));

    Result<void> possible;
    QString said;
    if (isFigure) {
        const FigureOptions options = figureOptions();
        possible = checkFigure(m_document, options);
        const QSize size = figureSize(m_document, options);
        if (possible && std::int64_t{ size.width() } * size.height() > mostDrawnPixels)
            possible = Error{ "The picture is too large to be drawn here.",
                "It would have " + shapeText(std::array<Index, 2>{ size.width(), size.height() })
                    + " pixels, and the window would stand still for seconds.",
                "Choose a smaller size, or draw it with attenscope render.", "" };
        said = tr("The file will have %1 × %2 pixels.")
                   .arg(QString::fromStdString(groupedCount(size.width())), QString::fromStdString(groupedCount(size.height())));
    } else {
        const auto scope = m_scope->currentIndex() == 0 ? NumbersScope::ShownMap : NumbersScope::AllHeads;
        const Result<MapNumbers> numbers = numbersOf(m_document, scope, side());
        if (numbers) {
            const Index rows = numbers->fields.front()->rows();
            const Index cols = numbers->fields.front()->cols();
            const QString shape = QString::fromStdString(shapeText(std::array{ rows, cols }));
            said = numbers->fields.size() == 1 ? tr("%1 numbers, full precision.").arg(shape)
                                               : tr("%1 heads of %2 numbers, full precision.").arg(numbers->fields.size()).arg(shape);
        } else {
            possible = numbers.error();
        }
    }
    // What is being written is what the controls said when it began.
    if (m_isWriting)
        said = m_said->text();
    else if (!possible)
        said = QString::fromStdString(possible.error().sentence());
    QPalette colors = palette();
    const Theme &theme = Theme::of(colors);
    colors.setColor(QPalette::WindowText, possible ? theme.secondaryText : theme.error);
    m_said->setPalette(colors);
    m_said->setText(said);
    m_export->setEnabled(possible.ok() && !m_isWriting);
    m_export->setToolTip(possible ? QString() : said);
    if (isFigure)
        m_timer->start();
}

void ExportDialog::updatePreview()
{
    FigureOptions options = figureOptions();
    if (!checkFigure(m_document, options)) {
        m_preview->clear();
        return;
    }
    const QSizeF size = figureSize(m_document, options);
    const double pixels = size.width() * size.height();
    if (pixels > mostPreviewPixels) {
        options.pixels = (size * std::sqrt(mostPreviewPixels / 4 / pixels)).toSize().expandedTo(QSize(16, 16));
        options.millimetres.reset();
        options.cellPixels.reset();
    }
    const Result<QImage> image = renderFigure(m_document, m_selection, options);
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
    m_folder = QFileInfo(path).absolutePath();
    if (const auto format = numbersFormat()) {
        writeNumbers(path, *format);
        return;
    }
    writeFigure(path);
}

void ExportDialog::writeFigure(const QString &path)
{
    // Drawing needs the window's thread and takes a fraction of what compressing does.
    Result<QImage> image = renderFigure(m_document, m_selection, figureOptions());
    if (!image) {
        emit failed(image.error().at(path.toStdString()));
        return;
    }
    writeInJob(path, [path, picture = std::move(image).value()](const Run &run) { return writePicture(path, picture, run); });
}

void ExportDialog::writeNumbers(const QString &path, NumbersFormat format)
{
    const auto scope = m_scope->currentIndex() == 0 ? NumbersScope::ShownMap : NumbersScope::AllHeads;
    Result<MapNumbers> numbers = numbersOf(m_document, scope, side());
    if (!numbers) {
        emit failed(numbers.error());
        return;
    }
    writeInJob(
        path, [path, format, map = std::move(numbers).value()](const Run &run) { return writeMap(path.toStdString(), format, map, run); });
}

void ExportDialog::writeInJob(const QString &path, std::function<Result<void>(const Run &)> work)
{
    m_isWriting = true;
    m_close->setText(tr("Cancel"));
    m_pages->setEnabled(false);
    m_format->setEnabled(false);
    updateControls();
    m_said->setText(tr("Writing %1…").arg(QFileInfo(path).fileName()));
    m_job.start([this, path, work = std::move(work)](const Run &run, const Job::Deliver &deliver) {
        const Result<void> written = work(run);
        deliver([this, path, written] {
            stopWriting();
            if (!written) {
                emit failed(written.error());
                return;
            }
            emit exported(path);
            accept();
        });
    });
}

void ExportDialog::stopWriting()
{
    m_isWriting = false;
    m_close->setText(tr("Close"));
    m_pages->setEnabled(true);
    m_format->setEnabled(true);
    updateControls();
}

void ExportDialog::reject()
{
    if (!m_isWriting) {
        QDialog::reject();
        return;
    }
    m_job.cancel();
    stopWriting();
}

void ExportDialog::done(int result)
{
    m_job.cancel();
    storeChoices();
    QDialog::done(result);
}

void ExportDialog::restoreChoices()
{
    const QVariantMap choices = m_settings.exportOptions();
    m_folder = choices.value(QStringLiteral("folder")).toString();
    const auto restoreBox = [&](QComboBox *box, const char *key) {
        box->setCurrentIndex(std::clamp(choices.value(QLatin1String(key), 0).toInt(), 0, box->count() - 1));
    };
    restoreBox(m_format, "format");
    restoreBox(m_sizing, "sizing");
    restoreBox(m_background, "background");
    restoreBox(m_scope, "scope");
    m_width->setValue(choices.value(QStringLiteral("width"), m_width->value()).toInt());
    m_height->setValue(choices.value(QStringLiteral("height"), m_height->value()).toInt());
    m_millimetresWide->setValue(choices.value(QStringLiteral("millimetresWide"), m_millimetresWide->value()).toDouble());
    m_millimetresHigh->setValue(choices.value(QStringLiteral("millimetresHigh"), m_millimetresHigh->value()).toDouble());
    m_dpi->setValue(choices.value(QStringLiteral("dpi"), m_dpi->value()).toInt());
    m_cell->setValue(choices.value(QStringLiteral("cell"), m_cell->value()).toInt());
    m_title->setChecked(choices.value(QStringLiteral("title"), true).toBool());
    m_labels->setChecked(choices.value(QStringLiteral("labels"), true).toBool());
    m_colorScale->setChecked(choices.value(QStringLiteral("colorScale"), true).toBool());
    m_caption->setChecked(choices.value(QStringLiteral("caption"), true).toBool());
    m_pick->setChecked(choices.value(QStringLiteral("pick"), true).toBool());
}

void ExportDialog::storeChoices() const
{
    Settings().setExportOptions({
        { QStringLiteral("folder"), m_folder },
        { QStringLiteral("format"), m_format->currentIndex() },
        { QStringLiteral("sizing"), m_sizing->currentIndex() },
        { QStringLiteral("background"), m_background->currentIndex() },
        { QStringLiteral("scope"), m_scope->currentIndex() },
        { QStringLiteral("width"), m_width->value() },
        { QStringLiteral("height"), m_height->value() },
        { QStringLiteral("millimetresWide"), m_millimetresWide->value() },
        { QStringLiteral("millimetresHigh"), m_millimetresHigh->value() },
        { QStringLiteral("dpi"), m_dpi->value() },
        { QStringLiteral("cell"), m_cell->value() },
        { QStringLiteral("title"), m_title->isChecked() },
        { QStringLiteral("labels"), m_labels->isChecked() },
        { QStringLiteral("colorScale"), m_colorScale->isChecked() },
        { QStringLiteral("caption"), m_caption->isChecked() },
        { QStringLiteral("pick"), m_pick->isChecked() },
    });
}

} // namespace attenscope
