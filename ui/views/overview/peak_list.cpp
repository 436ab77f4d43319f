// SPDX-License-Identifier: GPL-3.0-or-later
// Searching, listing and going to peaks.
#include "views/overview/peak_list.h"

#include "attention/summary.h"
#include "core/text.h"
#include "session/token_groups.h"
#include "state/number_text.h"
#include "state/tile_cache.h"
#include "views/overview/overview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace attenscope {

namespace {

/// Cells on a side that are shown around a peak, unless fewer are shown already.
constexpr double cellsAround = 64.0;

QTableWidgetItem *numberItem(const QString &text, const QString &tip)
{
    auto *item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(tip);
    return item;
}

} // namespace

PeakList::PeakList(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_document(document)
    , m_selection(selection)
    , m_table(new QTableWidget(0, 3))
    , m_note(new QLabel)
    , m_progress(new QWidget)
    , m_bar(new QProgressBar)
    , m_again(new QPushButton(tr("Find peaks")))
{
    m_table->setHorizontalHeaderLabels({ tr("query"), tr("key"), tr("weight ↓") });
    m_table->setAccessibleName(tr("Largest weights"));
    m_table->setToolTip(
        tr("The largest weights, a click goes there. Of what lies within a 64th of the map only the largest is named, and of one key\n"
           "the largest two: a sink, which most queries see, would fill the list"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionsClickable(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->installEventFilter(this);
    setFocusProxy(m_table);
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setContentsMargins(16, 12, 16, 4);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_bar->setRange(0, 1000);
    m_bar->setAccessibleName(tr("Progress of finding peaks"));
    auto *cancel = new QPushButton(tr("Cancel"));
    auto *bar = new QHBoxLayout(m_progress);
    bar->setContentsMargins(16, 8, 16, 8);
    bar->setSpacing(16);
    bar->addWidget(m_bar, 1);
    bar->addWidget(cancel);
    auto *button = new QHBoxLayout;
    button->setContentsMargins(16, 4, 16, 8);
    button->addWidget(m_again);
    button->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_progress);
    column->addWidget(m_note);
    column->addLayout(button);
    column->addWidget(m_table, 1);
    column->addStretch(0);
    setMinimumHeight(96);
    m_progress->hide();
    say({}, false);
    fit();

    connect(cancel, &QPushButton::clicked, this, &PeakList::stop);
    connect(m_again, &QPushButton::clicked, this, &PeakList::search);
    connect(&m_job, &Job::progressed, this, [this](double fraction) { m_bar->setValue(static_cast<int>(fraction * 1000.0)); });
    connect(&selection, &Selection::pickedChanged, this, &PeakList::follow);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (!m_isFollowing)
            goTo(row);
    });
    // A click on the row that is current already leads there again.
    connect(m_table, &QTableWidget::cellClicked, this, &PeakList::goTo);
}

QString PeakList::titleNote() const
{
    return m_hasDiagonal ? tr("off the diagonal and key 0") : tr("off key 0");
}

void PeakList::refresh()
{
    const MapFieldPtr field = m_document.weights();
    const bool isLong = field && hasOverview(field->rows(), field->cols());
    if (isLong && field == m_field) {
        fill();
        return;
    }
    m_job.cancel();
    m_progress->hide();
    m_peaks.clear();
    m_field.reset();
    fill();
    if (!isLong || field->isEstimate(TileCache::topLevel(field->rows(), field->cols()))) {
        say(isLong ? tr("As soon as the map is exact.") : QString(), false);
        return;
    }
    search();
}

void PeakList::search()
{
    m_field = m_document.weights();
    if (!m_field)
        return;
    PeakOptions options;
    options.firstPosition = sequenceOf(m_document.block(), m_document.result()->spec).firstPosition;
    m_hasDiagonal = options.firstPosition.has_value();
    emit titleNoteChanged();
    say({}, false);
    m_bar->setValue(0);
    m_progress->show();
    m_job.start([this, field = m_field, options](const Run &run, const Job::Deliver &deliver) {
        auto found = findPeaks(*field, options, run);
        if (found)
            deliver([this, peaks = std::move(*found)] { take(peaks); });
        else if (!found.error().isCancelled)
            deliver([this, text = QString::fromStdString(found.error().what)] {
                m_progress->hide();
                say(text, true);
            });
    });
}

void PeakList::stop()
{
    m_job.cancel();
    m_progress->hide();
    say(tr("Stopped."), true);
}

void PeakList::take(std::vector<Peak> peaks)
{
    m_progress->hide();
    m_peaks = std::move(peaks);
    say(m_peaks.empty() ? tr("No weight above 0 is there.") : QString(), false);
    fill();
}

void PeakList::say(const QString &text, bool canSearch)
{
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
    m_again->setVisible(canSearch);
    m_table->setVisible(text.isEmpty());
}

void PeakList::fill()
{
    m_isFollowing = true;
    m_table->setRowCount(static_cast<int>(m_peaks.size()));
    std::vector<CellRef> cells;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const Peak &peak = m_peaks[static_cast<std::size_t>(row)];
        const AttentionBlock &block = m_document.block();
        const auto count = [](Index position) { return QString::fromStdString(groupedCount(position)); };
        const QString exact = QString::fromStdString(exactNumber(peak.weight));
        m_table->setItem(row, 0, numberItem(count(wholeQuery(block, peak.row)), exact));
        m_table->setItem(row, 1, numberItem(count(wholeKey(block, peak.col)), exact));
        m_table->setItem(row, 2, numberItem(shownNumber(peak.weight, 4), exact));
        cells.push_back({ peak.row, peak.col });
    }
    m_isFollowing = false;
    m_selection.setListed(std::move(cells));
    follow();
}

void PeakList::fit()
{
    m_table->verticalHeader()->setDefaultSectionSize(std::max(24, fontMetrics().height() + 6));
    m_table->horizontalHeader()->setFixedHeight(std::max(28, fontMetrics().height() + 8));
}

void PeakList::follow()
{
    const auto picked = m_selection.picked();
    const auto found = std::find_if(
        m_peaks.begin(), m_peaks.end(), [&](const Peak &peak) { return picked && picked->row == peak.row && picked->col == peak.col; });
    m_isFollowing = true;
    if (found == m_peaks.end())
        m_table->setCurrentItem(nullptr);
    else
        m_table->setCurrentCell(static_cast<int>(found - m_peaks.begin()), std::max(m_table->currentColumn(), 0));
    m_isFollowing = false;
}

void PeakList::goTo(int row)
{
    if (row < 0 || row >= static_cast<int>(m_peaks.size()) || !m_field)
        return;
    const Peak &peak = m_peaks[static_cast<std::size_t>(row)];
    const QSizeF all(static_cast<double>(m_field->cols()), static_cast<double>(m_field->rows()));
    const QSizeF now = m_selection.visible() ? m_selection.visible()->size() : all;
    QRectF cells(QPointF(), now.boundedTo(QSizeF(cellsAround, cellsAround)).boundedTo(all));
    cells.moveCenter({ static_cast<double>(peak.col) + 0.5, static_cast<double>(peak.row) + 0.5 });
    cells.moveLeft(std::clamp(cells.left(), 0.0, all.width() - cells.width()));
    cells.moveTop(std::clamp(cells.top(), 0.0, all.height() - cells.height()));
    // Views scroll to a pick among what they show.
    m_selection.setVisible(cells);
    m_selection.setPicked(CellRef{ peak.row, peak.col });
}

void PeakList::copy() const
{
    const AttentionBlock &block = m_document.block();
    QString text = tr("query\tkey\tweight\n");
    for (const Peak &peak : m_peaks)
        text += QStringLiteral("%1\t%2\t%3\n")
                    .arg(wholeQuery(block, peak.row))
                    .arg(wholeKey(block, peak.col))
                    .arg(QString::fromStdString(exactNumber(peak.weight)));
    QGuiApplication::clipboard()->setText(text);
}

void PeakList::hideEvent(QHideEvent *event)
{
    DocumentView::hideEvent(event);
    m_job.cancel();
    m_progress->hide();
    if (m_peaks.empty())
        m_field.reset();
    m_selection.setListed({});
}

void PeakList::changeEvent(QEvent *event)
{
    DocumentView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

bool PeakList::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    return DocumentView::eventFilter(watched, event);
}

} // namespace attenscope
