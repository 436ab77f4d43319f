// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of costs.
#include "panels/mechanism/cost_plot.h"

#include "panels/controls.h"
#include "state/theme.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>

#include <cmath>

namespace attenscope {

namespace {

constexpr int points = 61;
/// Okabe-Ito.
constexpr std::array colors{ "#0072B2", "#D55E00", "#009E73" };
enum Curve { Adds, Scores, Cache };

} // namespace

CostPlot::CostPlot(QWidget *parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    m_plot->setFixedHeight(220);
    m_plot->setAccessibleName(tr("Costs against the number of tokens"));
    m_plot->setFocusPolicy(Qt::NoFocus);
    for (const char *color : colors) {
        QCPGraph *graph = m_plot->addGraph();
        graph->setPen(QPen(QColor(QLatin1String(color)), 2));
        graph->setAdaptiveSampling(false);
    }
    m_plot->graph(Adds)->setName(tr("multiply-adds"));
    m_plot->graph(Scores)->setName(tr("bytes of scores"));
    m_plot->graph(Cache)->setName(tr("bytes of the K/V cache"));
    for (QCPAxis *axis : { m_plot->xAxis, m_plot->yAxis }) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        const QSharedPointer<QCPAxisTickerLog> ticker(new QCPAxisTickerLog);
        ticker->setSubTickCount(0);
        axis->setTicker(ticker);
        axis->setNumberFormat(QStringLiteral("eb"));
        axis->setNumberPrecision(0);
    }
    static_cast<QCPAxisTickerLog *>(m_plot->yAxis->ticker().data())->setLogBase(1000);
    m_plot->xAxis->setLabel(tr("tokens n"));
    m_plot->xAxis->setRange(1, mostTokens);
    m_plot->legend->setVisible(true);
    m_plot->legend->setBorderPen(Qt::NoPen);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setIconSize(20, 10);
    m_plot->legend->setRowSpacing(0);
    m_plot->legend->setMargins(QMargins(2, 2, 2, 2));
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignLeft | Qt::AlignTop);
    auto *line = new QCPItemStraightLine(m_plot);
    line->setObjectName(QStringLiteral("length"));
    follow();
}

void CostPlot::show(const AttentionSpec &spec, const CostShape &shape)
{
    QVector<double> lengths;
    QVector<double> adds;
    QVector<double> scores;
    QVector<double> cache;
    for (int point = 0; point < points; ++point) {
        const auto n = static_cast<Index>(std::round(std::pow(mostTokens, point / (points - 1.0))));
        const CostShape at = withLength(shape, n);
        const std::optional<Cost> cells = visibleCells(spec.mask, n);
        lengths << static_cast<double>(n);
        adds << (cells ? static_cast<double>(multiplyAdds(spec.score, at, cells->amount).amount) : std::nan(""));
        scores << static_cast<double>(scoreBytes(spec, at).amount);
        cache << static_cast<double>(cacheBytes(at, shape.kvHeads).amount);
    }
    m_plot->graph(Adds)->setData(lengths, adds, true);
    m_plot->graph(Scores)->setData(lengths, scores, true);
    m_plot->graph(Cache)->setData(lengths, cache, true);
    double most = 1.0;
    for (const QVector<double> *curve : { &adds, &scores, &cache })
        for (const double value : *curve)
            most = std::isnan(value) ? most : std::max(most, value);
    // Room for the legend above the curves' left ends.
    m_plot->yAxis->setRange(1.0, most * 1e6);
    auto *line = m_plot->findChild<QCPItemStraightLine *>(QStringLiteral("length"));
    line->point1->setCoords(static_cast<double>(shape.keys), 1.0);
    line->point2->setCoords(static_cast<double>(shape.keys), most);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CostPlot::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        follow();
}

void CostPlot::follow()
{
    const Theme &theme = Theme::of(palette());
    const QFont small = scaledFont(font(), 11.0 / 13.0);
    m_plot->setBackground(theme.panel);
    for (QCPAxis *axis : { m_plot->xAxis, m_plot->yAxis }) {
        axis->setBasePen(theme.line);
        axis->setTickPen(theme.line);
        axis->setSubTickPen(theme.line);
        axis->setTickLabelColor(theme.secondaryText);
        axis->setLabelColor(theme.secondaryText);
        axis->setTickLabelFont(small);
        axis->setLabelFont(small);
        axis->grid()->setPen(theme.faintLine);
    }
    m_plot->legend->setFont(small);
    m_plot->legend->setTextColor(theme.text);
    m_plot->findChild<QCPItemStraightLine *>(QStringLiteral("length"))->setPen(QPen(theme.accent, 1));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace attenscope
