// SPDX-License-Identifier: GPL-3.0-or-later
// Exact and tiled: what whole matrices cost, and that one pass gives the same.
#include "analysis/tiled.h"
#include "core/text.h"
#include "demonstrations/demonstration.h"
#include "state/number_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace attenscope {

namespace {

constexpr Index firstN = 64;
/// No memory holds whole matrices of more.
constexpr Index longestN = Index{ 1 } << 40;
/// Of a head for recorded weights, which come without one.
constexpr Index usualColumns = 64;
constexpr std::uint64_t numbersSeed = 1;

QString text(const std::string &words)
{
    return QString::fromStdString(words);
}

class ExactAndTiled : public Demonstration {
public:
    ExactAndTiled(Document &document, QWidget *parent)
        : Demonstration(tr("Exact and tiled"),
            tr("The same Q, K and V in single precision through whole n × n matrices of scores and weights, and through one pass "
               "over tiles as flash attention does it, with the same vectorised loops. The outputs differ by rounding only; the "
               "memory by a factor that grows with n. Times include taking the memory. What the mask hides is computed in whole "
               "matrices too; the pass leaves it out."),
            parent)
        , m_document(document)
        , m_start(new QPushButton(tr("Start")))
        , m_bar(new QProgressBar)
        , m_state(new QLabel)
    {
        m_start->setMinimumHeight(28);
        m_start->setToolTip(tr("Measures longer and longer inputs; the same button cancels"));
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
        for (const Plot &plot : { m_time, m_memory, m_ratio, Plot{ m_difference } })
            m_ends.push_back(addEnd(plot.panel));
        connect(&document, &Document::resultChanged, this, [this] { sayReady(); });
        color();
        takeHead();
        sayReady();
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
        for (QCPItemStraightLine *end : m_ends)
            end->setPen(QPen(theme.accent, 1.0, Qt::DashLine));
    }

    /// The dashed line where the own input ends.
    QCPItemStraightLine *addEnd(QCPAxisRect *panel)
    {
        auto *line = new QCPItemStraightLine(&chart());
        for (QCPItemPosition *point : { line->point1, line->point2 })
            point->setAxes(panel->axis(QCPAxis::atBottom), panel->axis(QCPAxis::atLeft));
        line->setClipAxisRect(panel);
        return line;
    }

    /// The picked head as it is now, or none in its place.
    void takeHead()
    {
        const auto result = m_document.result();
        const auto head = result->find(m_document.head());
        const std::shared_ptr<const HeadOperands> own = head ? head->operands : nullptr;
        m_own = own ? own : std::make_shared<const HeadOperands>(plainHead(usualColumns));
        m_words = own ? ownWords(text(m_document.session().name) + tr(", head %1").arg(text(headName(*result->input, m_document.head()))))
                      : tr("Recorded weights come without Q, K and V: in their place seeded normal numbers, d = %1, scale 1/√%1, no mask.")
                            .arg(usualColumns);
        m_n = nextLength(0);
    }

    /// Which numbers are measured, and with what.
    [[nodiscard]] QString ownWords(const QString &name) const
    {
        const AttentionSpec &spec = m_own->spec;
        const Index length = ownLength(*m_own);
        const MaskSpec longer = longerMask(spec.mask);
        QString beyond = tr("d = %1").arg(m_own->scoreK.cols());
        beyond += tr(", scale %1").arg(cellText(m_own->scale));
        beyond += longer.rule == MaskRule::None ? tr(", no mask") : tr(", mask: %1").arg(text(maskName(longer)));
        QString words = tr("Up to n = %1: %2, its first n tokens. Beyond: seeded normal numbers with the same %3")
                            .arg(text(groupedCount(length)), name, beyond);
        if (spec.score != ScoreFunction::ScaledDot && spec.score != ScoreFunction::Dot)
            words += tr(", its score function");
        if (!spec.bias.isEmpty())
            words += tr(", without the bias");
        if (m_own->v.isEmpty())
            words += tr(". V is missing: normal numbers too");
        return words + QLatin1Char('.');
    }

    /// After @p n: the powers of two, and the own length among them. 0: the first.
    [[nodiscard]] Index nextLength(Index n) const
    {
        const Index own = ownLength(*m_own);
        Index next = firstN;
        while (next <= n)
            next *= 2;
        return own > n && own > 0 ? std::min(own, next) : next;
    }

    void sayReady()
    {
        if (m_job.isRunning() || !m_points.empty())
            return;
        takeHead();
        m_state->setText(tr("%1 Ends when whole matrices would take more than half of the free memory.").arg(m_words));
    }

    void start()
    {
        m_points.clear();
        takeHead();
        chart().setHeading(title() + QStringLiteral(". ") + m_words);
        plot();
        setFinding({});
        m_start->setText(tr("Cancel"));
        m_bar->setValue(0);
        m_bar->show();
        sayState();
        std::vector<Index> lengths{ m_n };
        while (lengths.back() < longestN)
            lengths.push_back(nextLength(lengths.back()));
        m_job.start([this, own = m_own, lengths](const Run &run, const Job::Deliver &deliver) {
            for (const Index n : lengths) {
                const Result<TiledComparison> point = compareTiled(*own, n, numbersSeed, run);
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
        m_state->setText((m_points.empty() ? tr("Stopped.") : tr("Stopped after n = %1.").arg(text(groupedCount(m_points.back().n))))
            + QLatin1Char(' ') + m_words);
    }

    void end(const Error &error)
    {
        m_start->setText(tr("Start"));
        m_bar->hide();
        m_state->setText(tr("Ended before n = %1. %2 %3 %4").arg(text(groupedCount(m_n)), text(error.what), text(error.where), m_words));
    }

    void add(const TiledComparison &point)
    {
        m_points.push_back(point);
        m_n = nextLength(point.n);
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

    void sayState() { m_state->setText(tr("Measuring n = %1… %2").arg(text(groupedCount(m_n)), m_words)); }

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
        const auto shortestN = static_cast<double>(nextLength(0));
        const auto ownN = static_cast<double>(ownLength(*m_own));
        for (QCPItemStraightLine *end : m_ends) {
            end->setVisible(ownN > 0.0);
            end->point1->setCoords(ownN * 1.05, 1.0);
            end->point2->setCoords(ownN * 1.05, 2.0);
        }
        const auto fit = [&](QCPAxisRect *panel, QCPRange empty) {
            panel->axis(QCPAxis::atBottom)->setRange(shortestN / 1.3, lastN * 1.3);
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

    Document &m_document;
    std::shared_ptr<const HeadOperands> m_own; ///< What is measured, or would be; of length 0 where there is none.
    QString m_words; ///< What it is.
    QPushButton *m_start;
    QProgressBar *m_bar;
    QLabel *m_state;
    Plot m_time;
    Plot m_memory;
    Plot m_ratio;
    QCPAxisRect *m_difference = nullptr;
    QCPGraph *m_differences = nullptr;
    std::vector<QCPItemStraightLine *> m_ends;
    std::vector<TiledComparison> m_points;
    Index m_n = firstN;
    Job m_job; ///< Last: stopped before what it delivers to goes.
};

} // namespace

Demonstration *makeExactAndTiled(Document &document, QWidget *parent)
{
    return new ExactAndTiled(document, parent);
}

} // namespace attenscope
