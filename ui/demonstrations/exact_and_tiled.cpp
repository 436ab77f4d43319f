// SPDX-License-Identifier: GPL-3.0-or-later
// Exact and tiled: what whole matrices cost, and that one pass gives the same.
#include "analysis/tiled.h"
#include "core/text.h"
#include "demonstrations/demonstration.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace attenscope {

namespace {

constexpr Index firstN = 64;
constexpr Index columns = 64;
constexpr std::uint64_t seed = 1;

QString text(const std::string &words)
{
    return QString::fromStdString(words);
}

class ExactAndTiled : public Demonstration {
public:
    explicit ExactAndTiled(QWidget *parent)
        : Demonstration(tr("Exact and tiled"),
            tr("The same Q, K and V (%1 columns, normal numbers, no mask, single precision) through whole n × n matrices of scores and "
               "weights, and through one pass "
               "over tiles as flash attention does it. The outputs differ by rounding only; the memory by a factor that grows with n.")
                .arg(columns),
            parent)
        , m_start(new QPushButton(tr("Start")))
        , m_bar(new QProgressBar)
        , m_state(new QLabel(tr("Doubles n from %1 on until whole matrices would take more than half of the free memory.").arg(firstN)))
    {
        m_start->setMinimumHeight(28);
        m_start->setToolTip(tr("Measures from n = %1 on; the same button cancels").arg(firstN));
        m_state->setForegroundRole(QPalette::PlaceholderText);
        controls()->setSpacing(12);
        m_bar->setTextVisible(false);
        m_bar->setFixedSize(160, 6);
        m_bar->setRange(0, 1000);
        m_bar->setAccessibleName(tr("Progress of this n"));
        m_bar->hide();
        m_state->setWordWrap(true);
        controls()->addWidget(m_start);
        controls()->addWidget(m_bar);
        controls()->addWidget(m_state, 1);
        m_time = addPlot(0, 0, tr("Time, in seconds"));
        m_memory = addPlot(0, 1,
            allocatedBytes() ? tr("Memory that was allocated for it at most, in bytes") : tr("Memory: this allocator does not count"));
        m_ratio = addPlot(1, 1, tr("Whole matrices ÷ one pass"));
        m_difference = chart().addPanel(1, 0);
        chart().setPanelTitle(m_difference, tr("Largest difference of any number of the two outputs"));
        m_differences = addLine(m_difference);
        prepareAxes(m_difference);
        m_time.whole->setName(tr("whole matrices"));
        m_time.tiled->setName(tr("one pass"));
        m_ratio.whole->setName(tr("memory"));
        m_ratio.tiled->setName(tr("time"));
        for (const Plot &plot : { m_time, m_ratio }) {
            QCPLegend *legend = chart().addLegend(plot.panel);
            // What is measured rises to the right.
            plot.panel->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignLeft);
            plot.whole->addToLegend(legend);
            plot.tiled->addToLegend(legend);
        }
        connect(m_start, &QPushButton::clicked, this, [this] { m_job.isRunning() ? stop() : start(); });
        connect(&m_job, &Job::progressed, this, [this](double fraction) { m_bar->setValue(static_cast<int>(1000.0 * fraction)); });
        connect(&chart(), &Chart::themeChanged, this, [this] { color(); });
        color();
        plot();
        setFocusProxy(m_start);
    }

private:
    struct Plot {
        QCPAxisRect *panel = nullptr;
        QCPGraph *whole = nullptr;
        QCPGraph *tiled = nullptr;
    };

    static QCPGraph *addLine(QCPAxisRect *panel) { return new QCPGraph(panel->axis(QCPAxis::atBottom), panel->axis(QCPAxis::atLeft)); }

    static void setLook(QCPGraph *line, const QColor &color, Qt::PenStyle style, QCPScatterStyle::ScatterShape shape)
    {
        line->setPen(QPen(color, 2.0, style));
        line->setScatterStyle(QCPScatterStyle(shape, QPen(color, 1.5), QBrush(color), 7.0));
    }

    static void prepareAxes(QCPAxisRect *panel)
    {
        Chart::makeLogarithmic(panel->axis(QCPAxis::atLeft));
        Chart::makeLogarithmic(panel->axis(QCPAxis::atBottom));
        panel->axis(QCPAxis::atBottom)->setLabel(tr("n"));
    }

    Plot addPlot(int row, int col, const QString &title)
    {
        Plot made;
        made.panel = chart().addPanel(row, col);
        chart().setPanelTitle(made.panel, title);
        prepareAxes(made.panel);
        made.whole = addLine(made.panel);
        made.tiled = addLine(made.panel);
        return made;
    }

    void color()
    {
        const Theme &theme = chart().theme();
        for (const Plot &plot : { m_time, m_memory }) {
            setLook(plot.whole, chart().secondColor(), Qt::SolidLine, QCPScatterStyle::ssDisc);
            setLook(plot.tiled, chart().firstColor(), Qt::SolidLine, QCPScatterStyle::ssSquare);
        }
        setLook(m_ratio.whole, theme.text, Qt::SolidLine, QCPScatterStyle::ssDisc);
        setLook(m_ratio.tiled, theme.secondaryText, Qt::DashLine, QCPScatterStyle::ssSquare);
        setLook(m_differences, theme.secondaryText, Qt::SolidLine, QCPScatterStyle::ssDiamond);
    }

    void start()
    {
        m_points.clear();
        m_n = firstN;
        plot();
        setFinding({});
        m_start->setText(tr("Cancel"));
        m_bar->setValue(0);
        m_bar->show();
        sayState();
        m_job.start([this](const Run &run, const Job::Deliver &deliver) {
            for (Index n = firstN;; n *= 2) {
                const Result<TiledComparison> point = compareTiled(n, columns, seed, run);
                if (!point) {
                    deliver([this, error = point.error()] { end(error); });
                    return;
                }
                deliver([this, point = *point] { add(point); });
            }
        });
    }

    void stop()
    {
        m_job.cancel();
        m_start->setText(tr("Start"));
        m_bar->hide();
        m_state->setText(m_points.empty() ? tr("Stopped.") : tr("Stopped after n = %1.").arg(text(groupedCount(m_points.back().n))));
    }

    void end(const Error &error)
    {
        m_start->setText(tr("Start"));
        m_bar->hide();
        m_state->setText(tr("Ended before n = %1. %2 %3").arg(text(groupedCount(m_n)), text(error.what), text(error.where)));
    }

    void add(const TiledComparison &point)
    {
        m_points.push_back(point);
        m_n = 2 * point.n;
        plot();
        sayState();
        QString finding = tr("n = %1: %2 s whole, %3 s in one pass")
                              .arg(text(groupedCount(point.n)), text(displayNumber(point.whole.seconds, 4)),
                                  text(displayNumber(point.tiled.seconds, 4)));
        if (point.whole.bytes && point.tiled.bytes)
            finding += tr("; %1 and %2").arg(text(byteSize(*point.whole.bytes)), text(byteSize(*point.tiled.bytes)));
        finding += tr("; largest difference %1.").arg(powerText(point.largestDifference, 1));
        setFinding(finding);
    }

    void sayState() { m_state->setText(tr("Measuring n = %1…").arg(text(groupedCount(m_n)))); }

    void plot()
    {
        const auto put = [this](QCPGraph *graph, const auto &valueOf) {
            QVector<double> ns;
            QVector<double> values;
            for (const TiledComparison &point : m_points) {
                const double value = valueOf(point);
                if (value > 0.0) {
                    ns << static_cast<double>(point.n);
                    values << value;
                }
            }
            graph->setData(ns, values, true);
        };
        const auto bytes = [](const TiledComparison::Way &way) { return static_cast<double>(way.bytes.value_or(0)); };
        put(m_time.whole, [](const TiledComparison &point) { return point.whole.seconds; });
        put(m_time.tiled, [](const TiledComparison &point) { return point.tiled.seconds; });
        put(m_memory.whole, [&](const TiledComparison &point) { return bytes(point.whole); });
        put(m_memory.tiled, [&](const TiledComparison &point) { return bytes(point.tiled); });
        put(m_ratio.tiled, [](const TiledComparison &point) { return point.whole.seconds / point.tiled.seconds; });
        put(m_ratio.whole,
            [&](const TiledComparison &point) { return bytes(point.tiled) > 0.0 ? bytes(point.whole) / bytes(point.tiled) : 0.0; });
        put(m_differences, [](const TiledComparison &point) { return point.largestDifference; });
        const double lastN = static_cast<double>(m_points.empty() ? 1024 : std::max<Index>(m_points.back().n, 1024));
        const auto fit = [&](QCPAxisRect *panel, QCPRange empty) {
            panel->axis(QCPAxis::atBottom)->setRange(static_cast<double>(firstN) / 1.3, lastN * 1.3);
            QCPAxis *axis = panel->axis(QCPAxis::atLeft);
            axis->rescale(true);
            // At least a decade, so that there is a number on the axis; and what was measured first does not stand on the edge.
            const QCPRange range = m_points.empty() ? empty : axis->range();
            axis->setRange(std::min(range.lower / 2.0, range.center() / 4.0), std::max(range.upper * 2.0, range.center() * 4.0));
        };
        fit(m_time.panel, { 1e-4, 1.0 });
        fit(m_memory.panel, { 1e5, 1e9 });
        fit(m_ratio.panel, { 1.0, 100.0 });
        fit(m_difference, { 1e-8, 1e-6 });
        chart().replot(QCustomPlot::rpQueuedReplot);
    }

    QPushButton *m_start;
    QProgressBar *m_bar;
    QLabel *m_state;
    Plot m_time;
    Plot m_memory;
    Plot m_ratio;
    QCPAxisRect *m_difference = nullptr;
    QCPGraph *m_differences = nullptr;
    std::vector<TiledComparison> m_points;
    Index m_n = firstN;
    Job m_job; ///< Last: stopped before what it delivers to goes.
};

} // namespace

Demonstration *makeExactAndTiled(QWidget *parent)
{
    return new ExactAndTiled(parent);
}

} // namespace attenscope
