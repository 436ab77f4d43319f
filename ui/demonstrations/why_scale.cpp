// SPDX-License-Identifier: GPL-3.0-or-later
// Why scale: the spread of q·k grows with √dₖ, and without the scale softmax saturates.
#include "analysis/dot_product.h"
#include "core/text.h"
#include "demonstrations/demonstration.h"

#include <QHBoxLayout>

#include <cmath>

namespace attenscope {

namespace {

constexpr Index rows = 1000;
constexpr Index keys = 16;
constexpr Index largestD = 1024;
constexpr std::uint64_t samplesSeed = 1;
constexpr Index bins = 48;
constexpr int curvePoints = 400;
/// Plots reach this many standard deviations.
constexpr double deviations = 4.0;

/// The legend stands above the curves.
constexpr double headroom = 1.6;

/// Numbers with the minus sign of the interface.
class SignTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar format, int precision) override
    {
        return QCPAxisTicker::getTickLabel(tick, locale, format, precision).replace(u'-', QChar(0x2212));
    }
};

QString number(double value, int decimals)
{
    return QString::fromStdString(displayNumber(value, decimals));
}

class WhyScale : public Demonstration {
public:
    explicit WhyScale(QWidget *parent)
        : Demonstration(tr("Why scale"),
            tr("q and k have dₖ independent standard normal numbers. Their product spreads like √dₖ; without the factor 1/√dₖ the "
               "softmax soon gives one key "
               "everything, and its derivative J = diag(p) − ppᵀ, through which training learns, vanishes."),
            parent)
        , m_samples(samplesSeed, rows, keys, largestD)
        , m_d(new LogSlider(
              tr("dₖ"), { 1.0, static_cast<double>(largestD), 64.0, 0 }, tr("Dimensions of q and k, 1 to 1,024. Default: 64.")))
        , m_temperature(new LogSlider(tr("Temperature T"), { 0.1, 10.0, 1.0, 2 },
              tr("What goes into the softmax is divided by it, 0.1 to 10. Default: 1. The histograms are of q·k before that.")))
    {
        controls()->addWidget(m_d, 1);
        controls()->addWidget(m_temperature, 1);
        controls()->addStretch();
        for (const bool isScaled : { false, true }) {
            Side &side = isScaled ? m_scaled : m_plain;
            const int col = isScaled ? 1 : 0;
            side.law = chart().addPanel(0, col);
            side.softmax = chart().addPanel(1, col);
            side.histogram = new QCPBars(side.law->axis(QCPAxis::atBottom), side.law->axis(QCPAxis::atLeft));
            side.exact = new QCPGraph(side.law->axis(QCPAxis::atBottom), side.law->axis(QCPAxis::atLeft));
            side.normal = new QCPGraph(side.law->axis(QCPAxis::atBottom), side.law->axis(QCPAxis::atLeft));
            side.weights = new QCPBars(side.softmax->axis(QCPAxis::atBottom), side.softmax->axis(QCPAxis::atLeft));
            side.law->axis(QCPAxis::atBottom)->setLabel(isScaled ? tr("q·k / √dₖ") : tr("q·k"));
            side.law->axis(QCPAxis::atBottom)->setTicker(QSharedPointer<SignTicker>::create());
            side.law->axis(QCPAxis::atLeft)->setLabel(tr("density"));
            side.softmax->axis(QCPAxis::atBottom)->setLabel(tr("key"));
            side.softmax->axis(QCPAxis::atLeft)->setLabel(tr("weight"));
            side.softmax->axis(QCPAxis::atLeft)->setRange(0.0, 1.0);
            side.softmax->axis(QCPAxis::atBottom)->setRange(-0.7, keys - 0.3);
            auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
            ticker->setTickStep(1.0);
            ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
            side.softmax->axis(QCPAxis::atBottom)->setTicker(ticker);
            side.weights->setWidth(0.7);
            side.exact->setName(tr("exact"));
            side.normal->setName(isScaled ? tr("N(0, 1)") : tr("N(0, dₖ)"));
            side.histogram->setName(tr("samples"));
            QCPLegend *legend = chart().addLegend(side.law);
            legend->setFillOrder(QCPLegend::foColumnsFirst);
            legend->setIconSize(18, 12);
            for (QCPAbstractPlottable *plottable : { static_cast<QCPAbstractPlottable *>(side.exact),
                     static_cast<QCPAbstractPlottable *>(side.normal), static_cast<QCPAbstractPlottable *>(side.histogram) })
                plottable->addToLegend(legend);
        }
        connect(m_d, &LogSlider::valueChanged, this, [this] { recompute(); });
        connect(m_temperature, &LogSlider::valueChanged, this, [this] { recompute(); });
        connect(&chart(), &Chart::themeChanged, this, [this] { color(); });
        color();
        recompute();
        setFocusProxy(m_d);
    }

private:
    /// What is plotted without (left) or with (right) the scale.
    struct Side {
        QCPAxisRect *law;
        QCPAxisRect *softmax;
        QCPBars *histogram;
        QCPGraph *exact;
        QCPGraph *normal;
        QCPBars *weights;
    };

    void color()
    {
        const Theme &theme = chart().theme();
        for (const Side &side : { m_plain, m_scaled }) {
            side.histogram->setPen(Qt::NoPen);
            side.histogram->setBrush(theme.line);
            side.exact->setPen(QPen(chart().firstColor(), 2.0));
            side.normal->setPen(QPen(chart().secondColor(), 2.0, Qt::DashLine));
            side.weights->setPen(Qt::NoPen);
            side.weights->setBrush(theme.secondaryText);
        }
    }

    void recompute()
    {
        const auto d = static_cast<Index>(m_d->value());
        const Matrix scores = m_samples.scores(d);
        show(m_plain, scores, d, 1.0);
        show(m_scaled, scores, d, 1.0 / std::sqrt(static_cast<double>(d)));
        chart().setHeading(
            tr("Why scale: dₖ = %1, T = %2, %3 rows of %4 keys, seed %5")
                .arg(QString::fromStdString(groupedCount(d)), number(m_temperature->value(), 2), QString::fromStdString(groupedCount(rows)))
                .arg(keys)
                .arg(samplesSeed));
        chart().replot(QCustomPlot::rpQueuedReplot);
    }

    void show(const Side &side, const Matrix &scores, Index d, double scale)
    {
        const double variance = static_cast<double>(d) * scale * scale;
        const double end = deviations * std::sqrt(variance);
        const double width = 2.0 * end / static_cast<double>(bins);
        const Vector counted = histogram(scores * scale, -end, end, bins);
        QVector<double> places;
        QVector<double> heights;
        for (Index bin = 0; bin < bins; ++bin) {
            places << -end + (static_cast<double>(bin) + 0.5) * width;
            heights << counted(bin);
        }
        side.histogram->setWidth(width);
        side.histogram->setData(places, heights, true);
        // The density is even; points stand beside 0, where that of d = 1 is infinite.
        QVector<double> xs(2 * curvePoints);
        QVector<double> exact(2 * curvePoints);
        QVector<double> normal(2 * curvePoints);
        for (int place = 0; place < curvePoints; ++place) {
            const double x = end * (place + 0.5) / curvePoints;
            const int right = curvePoints + place;
            const int left = curvePoints - 1 - place;
            xs[right] = x;
            xs[left] = -x;
            exact[right] = exact[left] = dotProductDensity(x / scale, d) / scale;
            normal[right] = normal[left] = normalDensity(x, variance);
        }
        side.exact->setData(xs, exact, true);
        side.normal->setData(xs, normal, true);
        side.law->axis(QCPAxis::atBottom)->setRange(-end, end);
        side.law->axis(QCPAxis::atLeft)->setRange(0.0, headroom * std::max(counted.maxCoeff(), normalDensity(0.0, variance)));
        chart().setPanelTitle(side.law,
            &side == &m_plain ? tr("Without the scale: standard deviation √dₖ = %1").arg(number(std::sqrt(variance), 2))
                              : tr("With 1/√dₖ: standard deviation 1"));

        const SoftmaxRows softmax = softmaxRows(scores, scale, m_temperature->value());
        places.clear();
        heights.clear();
        for (Index key = 0; key < keys; ++key) {
            places << static_cast<double>(key);
            heights << softmax.weights(0, key);
        }
        side.weights->setData(places, heights, true);
        chart().setPanelTitle(side.softmax,
            tr("Softmax of one row: entropy %1 of %2 nats\nMean ‖J‖ of %3 rows: %4")
                .arg(number(softmax.entropy, 2), number(std::log(static_cast<double>(keys)), 2), QString::fromStdString(groupedCount(rows)),
                    number(softmax.meanJacobianNorm, 4)));
    }

    DotProductSamples m_samples;
    LogSlider *m_d;
    LogSlider *m_temperature;
    Side m_plain{};
    Side m_scaled{};
};

} // namespace

Demonstration *makeWhyScale(QWidget *parent)
{
    return new WhyScale(parent);
}

} // namespace attenscope
