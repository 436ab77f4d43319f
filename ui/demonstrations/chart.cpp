// SPDX-License-Identifier: GPL-3.0-or-later
// Puts plots into a grid, gives them the colours and letters of the window, and draws them to files.
#include "demonstrations/chart.h"

#include "state/figure.h"

namespace attenscope {

namespace {

constexpr double noteScale = 12.0 / 13.0;
constexpr int pictureScale = 2;

QFont noteFont(QFont font)
{
    font.setPixelSize(qRound(QFontInfo(font).pixelSize() * noteScale));
    return font;
}

} // namespace

Chart::Chart(QWidget *parent)
    : QCustomPlot(parent)
    , m_theme(&Theme::of(palette()))
{
    plotLayout()->clear();
    plotLayout()->setRowSpacing(4);
    plotLayout()->setColumnSpacing(16);
    setInteractions({});
    setAutoAddPlottableToLegend(false);
    setFocusPolicy(Qt::NoFocus);
    follow(*m_theme);
}

QCPAxisRect *Chart::addPanel(int row, int col)
{
    auto *title = new QCPTextElement(this);
    title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap);
    title->setMargins({ 4, 8, 4, 0 });
    auto *rect = new QCPAxisRect(this);
    rect->setupFullAxesBox(false);
    for (const QCPAxis::AxisType hidden : { QCPAxis::atTop, QCPAxis::atRight })
        rect->axis(hidden)->setVisible(false);
    plotLayout()->addElement(2 * row, col, title);
    plotLayout()->addElement(2 * row + 1, col, rect);
    plotLayout()->setRowStretchFactor(2 * row, 0.001);
    m_panels.push_back({ rect, title });
    follow(*m_theme);
    return rect;
}

void Chart::setPanelTitle(const QCPAxisRect *panel, const QString &title)
{
    for (const Panel &each : m_panels) {
        if (each.rect != panel)
            continue;
        each.title->setText(title);
        fitTitle(*each.title, static_cast<int>(title.count(u'\n')) + 1);
    }
}

/// A title is as wide as its plot is, not the other way round.
void Chart::fitTitle(QCPTextElement &title, int lines)
{
    const QMargins margins = title.margins();
    title.setMinimumSize(1, lines * QFontMetrics(title.font()).lineSpacing() + margins.top() + margins.bottom());
}

QCPLegend *Chart::addLegend(QCPAxisRect *panel)
{
    auto *made = new QCPLegend;
    panel->insetLayout()->addElement(made, Qt::AlignTop | Qt::AlignRight);
    panel->insetLayout()->setMargins({ 8, 8, 8, 8 });
    made->setLayer(QStringLiteral("legend"));
    made->setVisible(true);
    for (Panel &each : m_panels)
        if (each.rect == panel)
            each.legend = made;
    follow(*m_theme);
    return made;
}

void Chart::makeLogarithmic(QCPAxis *axis)
{
    axis->setScaleType(QCPAxis::stLogarithmic);
    axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    axis->setNumberFormat(QStringLiteral("eb"));
    axis->setNumberPrecision(0);
}

QColor Chart::firstColor() const
{
    return m_theme->isDark ? QColor(0x56, 0xB4, 0xE9) : QColor(0x00, 0x72, 0xB2);
}

QColor Chart::secondColor() const
{
    return m_theme->isDark ? QColor(0xE6, 0x9F, 0x00) : QColor(0xD5, 0x5E, 0x00);
}

void Chart::styleAxis(QCPAxis &axis) const
{
    axis.setBasePen(QPen(m_theme->line));
    axis.setTickPen(QPen(m_theme->line));
    axis.setSubTickPen(QPen(m_theme->line));
    axis.setTickLabelFont(noteFont(font()));
    axis.setLabelFont(noteFont(font()));
    axis.setTickLabelColor(m_theme->secondaryText);
    axis.setLabelColor(m_theme->secondaryText);
    axis.grid()->setPen(QPen(m_theme->faintLine));
    axis.grid()->setZeroLinePen(QPen(m_theme->line));
}

void Chart::follow(const Theme &theme)
{
    m_theme = &theme;
    setBackground(QBrush(theme.view));
    for (const Panel &panel : m_panels) {
        for (QCPAxis *axis : panel.rect->axes())
            styleAxis(*axis);
        panel.title->setFont(font());
        panel.title->setTextColor(theme.text);
        fitTitle(*panel.title, static_cast<int>(panel.title->text().count(u'\n')) + 1);
        if (!panel.legend)
            continue;
        panel.legend->setFont(noteFont(font()));
        panel.legend->setTextColor(theme.text);
        panel.legend->setBorderPen(QPen(theme.faintLine));
        panel.legend->setBrush(QBrush(theme.view));
    }
    emit themeChanged();
}

void Chart::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    follow(Theme::of(palette()));
    replot(QCustomPlot::rpQueuedReplot);
}

template <typename Draw>
auto Chart::asPicture(const Draw &draw)
{
    follow(Theme::light());
    plotLayout()->insertRow(0);
    auto *heading = new QCPTextElement(this, m_heading);
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setTextColor(m_theme->text);
    heading->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap);
    heading->setMargins({ 4, 8, 4, 4 });
    const QRect room(0, 0, width() - 32, height());
    fitTitle(
        *heading, 1 + QFontMetrics(bold).boundingRect(room, Qt::TextWordWrap, m_heading).height() / (2 * QFontMetrics(bold).lineSpacing()));
    plotLayout()->addElement(0, 0, heading);
    plotLayout()->setRowStretchFactor(0, 0.001);
    const auto result = draw();
    plotLayout()->remove(heading);
    plotLayout()->simplify();
    follow(Theme::of(palette()));
    replot();
    return result;
}

QImage Chart::picture()
{
    return asPicture([this] { return toPixmap(width(), height(), pictureScale).toImage(); });
}

Result<void> Chart::save(const QString &path)
{
    if (figureFormatOf(path).value_or(FigureFormat::Png) == FigureFormat::Png)
        return writePicture(path, picture());
    Figure figure;
    figure.pixels = size();
    figure.title = m_heading;
    figure.draw = [this](QPaintDevice &device) {
        asPicture([&] {
            QCPPainter painter(&device);
            painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
            toPainter(&painter, width(), height());
            return true;
        });
    };
    return writeFigure(path, figure);
}

} // namespace attenscope
