// SPDX-License-Identifier: GPL-3.0-or-later
// WalkExportDialog.
#include "window/walk_export.h"

#include "state/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <array>

namespace attenscope {

namespace {

constexpr std::array extensions{ "png", "svg", "pdf" };

QSpinBox *pixels(int value, const QString &name)
{
    auto *box = new QSpinBox;
    box->setRange(320, 16384);
    box->setValue(value);
    box->setSuffix(QObject::tr(" px"));
    box->setAccessibleName(name);
    box->setToolTip(QObject::tr("%1: 320 to 16384").arg(name));
    return box;
}

} // namespace

WalkExportDialog::WalkExportDialog(const Document &document, const StepsView &view, QWidget *parent)
    : QDialog(parent)
    , m_document(document)
    , m_view(view)
{
    setWindowTitle(tr("Export steps"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_scope = new QComboBox;
    m_scope->addItems({ tr("this state"), tr("all states, numbered"), tr("all states as an animation (APNG)") });
    m_format = new QComboBox;
    m_format->addItems({ tr("Picture, PNG"), tr("Drawing, SVG"), tr("Document, PDF") });
    m_width = pixels(1400, tr("Width"));
    m_height = pixels(900, tr("Height"));
    m_letters = new QComboBox;
    m_letters->addItems({ tr("at least as in the window"), tr("at least for a projector") });
    m_letters->setToolTip(tr("Larger where the largest page of the walk leaves room; the same for all states"));
    m_ground = new QComboBox;
    m_ground->addItems({ tr("white"), tr("dark"), tr("transparent") });
    m_said = new QLabel;
    m_said->setWordWrap(true);
    m_progress = new QProgressBar;
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_cancel = new QPushButton(tr("Cancel"));

    auto *size = new QHBoxLayout;
    size->setSpacing(8);
    size->addWidget(m_width);
    size->addWidget(new QLabel(QStringLiteral("×")));
    size->addWidget(m_height);
    size->addStretch(1);
    auto *form = new QFormLayout;
    form->setVerticalSpacing(8);
    form->setHorizontalSpacing(16);
    form->addRow(tr("What"), m_scope);
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Size"), size);
    form->addRow(tr("Letters"), m_letters);
    form->addRow(tr("Background"), m_ground);
    auto *progress = new QHBoxLayout;
    progress->addWidget(m_progress, 1);
    progress->addWidget(m_cancel);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton *exportButton = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
    exportButton->setProperty("primary", true);
    exportButton->setDefault(true);
    m_export = exportButton;
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(16);
    all->addLayout(form);
    all->addWidget(m_said);
    all->addLayout(progress);
    all->addStretch(1);
    all->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::accepted, this, &WalkExportDialog::choosePath);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_job.cancel();
        setWriting(false);
    });
    connect(&m_job, &Job::progressed, this, [this](double fraction) { m_progress->setValue(qRound(fraction * 1000.0)); });
    for (QComboBox *box : { m_scope, m_format, m_letters, m_ground })
        connect(box, &QComboBox::currentIndexChanged, this, &WalkExportDialog::updateControls);
    for (QSpinBox *box : { m_width, m_height })
        connect(box, &QSpinBox::valueChanged, this, &WalkExportDialog::updateControls);
    setWriting(false);
}

QString WalkExportDialog::name() const
{
    return QString::fromStdString(m_document.session().name);
}

WalkScope WalkExportDialog::scope() const
{
    return static_cast<WalkScope>(m_scope->currentIndex());
}

WalkFileOptions WalkExportDialog::options() const
{
    WalkFileOptions options;
    options.pixels = { m_width->value(), m_height->value() };
    options.isForProjector = m_letters->currentIndex() == 1;
    options.background = static_cast<FigureBackground>(m_ground->currentIndex());
    options.secondsPerState = m_settings.secondsPerStep();
    return options;
}

QString WalkExportDialog::extension() const
{
    return scope() == WalkScope::Animation ? QStringLiteral("png")
                                           : QLatin1String(extensions[static_cast<std::size_t>(m_format->currentIndex())]);
}

void WalkExportDialog::updateControls()
{
    const bool isAnimation = scope() == WalkScope::Animation;
    m_format->setEnabled(!isAnimation);
    m_format->setToolTip(isAnimation ? tr("Animations are animated PNG files.") : QString());
    Result<void> possible = checkWalkFile(options());
    if (possible && !m_view.picture())
        possible = Error{ "There are no steps to export.", "They must be computed first.", {}, {} };
    QString said;
    if (!possible)
        said = QString::fromStdString(possible.error().sentence());
    else if (isAnimation)
        said = tr("Each state is shown for %1 s, the speed of the player. What is folded is passed over.").arg(m_settings.secondsPerStep());
    else if (scope() == WalkScope::Series)
        said = tr("Files are numbered: %1-01.%2, %1-02.%2, … What is folded is passed over.").arg(name(), extension());
    QPalette colors = palette();
    const Theme &theme = Theme::of(colors);
    colors.setColor(QPalette::WindowText, possible ? theme.secondaryText : theme.error);
    m_said->setPalette(colors);
    m_said->setText(said);
    m_export->setEnabled(possible.ok() && !m_job.isRunning());
}

void WalkExportDialog::setWriting(bool isWriting)
{
    m_progress->setVisible(isWriting);
    m_cancel->setVisible(isWriting);
    m_progress->setValue(0);
    updateControls();
    if (isWriting)
        m_export->setEnabled(false);
}

void WalkExportDialog::choosePath()
{
    QString folder = m_settings.exportOptions().value(QStringLiteral("folder")).toString();
    if (folder.isEmpty())
        folder = QDir::homePath();
    const QString path
        = QFileDialog::getSaveFileName(this, tr("Export steps"), QDir(folder).filePath(name() + QLatin1Char('.') + extension()),
            QStringLiteral("%1 (*.%2)").arg(extension().toUpper(), extension()));
    if (!path.isEmpty())
        write(path);
}

void WalkExportDialog::write(QString path)
{
    if (QFileInfo(path).suffix().compare(extension(), Qt::CaseInsensitive) != 0)
        path += QLatin1Char('.') + extension();
    const auto picture = m_view.picture();
    if (!picture) {
        updateControls();
        return;
    }
    if (scope() == WalkScope::State) {
        const Result<void> saved = saveWalkState(path, *picture, picture->state, options());
        if (!saved) {
            emit failed(saved.error());
            return;
        }
        emit exported(path, 1);
        accept();
        return;
    }
    setWriting(true);
    m_job.start([this, path, picture = *picture, options = options(), isSeries = scope() == WalkScope::Series](
                    const Run &run, const Job::Deliver &deliver) {
        Result<QStringList> written = QStringList{ path };
        if (isSeries)
            written = saveWalkSeries(path, picture, options, run);
        else if (Result<void> saved = saveWalkAnimation(path, picture, options, run); !saved)
            written = saved.error();
        deliver([this, written] {
            setWriting(false);
            if (!written) {
                emit failed(written.error());
                return;
            }
            emit exported(written->first(), static_cast<int>(written->size()));
            accept();
        });
    });
}

void WalkExportDialog::done(int result)
{
    m_job.cancel();
    QDialog::done(result);
}

} // namespace attenscope
