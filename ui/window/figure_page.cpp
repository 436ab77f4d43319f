// SPDX-License-Identifier: GPL-3.0-or-later
// FigurePage.
#include "window/figure_page.h"

#include "core/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <vector>

namespace attenscope {

namespace {

enum Sizing { InPixels, InMillimetres, ByCell };

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

QCheckBox *checked(const QString &text)
{
    auto *box = new QCheckBox(text);
    box->setChecked(true);
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

} // namespace

QFormLayout *FigurePage::makeForm(QWidget *page)
{
    auto *layout = new QFormLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(8);
    layout->setHorizontalSpacing(16);
    layout->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return layout;
}

QLabel *FigurePage::makeLabel(const QString &text)
{
    auto *made = new QLabel(text);
    made->setMinimumWidth(96);
    return made;
}

FigurePage::FigurePage(QWidget *parent)
    : QWidget(parent)
    , m_form(makeForm(this))
{
    m_sizing = new QComboBox;
    m_width = wholeNumber(16, 100000, 1400, tr(" px"), tr("Width"));
    m_height = wholeNumber(0, 100000, 0, tr(" px"), tr("Height"));
    m_height->setSpecialValueText(tr("fitting"));
    m_height->setToolTip(tr("Height: 16 to 100,000; 0 is as much as the picture needs, of maps at most 1,000"));
    m_millimetresWide = millimetres(120.0, tr("Width"));
    m_millimetresHigh = millimetres(90.0, tr("Height"));
    m_dpi = wholeNumber(36, 2400, 300, tr(" dpi"), tr("Resolution"));
    m_cell = wholeNumber(1, 512, 16, tr(" px"), tr("Pixels per cell"));
    m_sizes = new QStackedWidget;
    m_sizes->addWidget(row({ m_width, new QLabel(QStringLiteral("×")), m_height }));
    m_sizes->addWidget(row({ m_millimetresWide, new QLabel(QStringLiteral("×")), m_millimetresHigh, new QLabel(tr("at")), m_dpi }));
    m_sizes->addWidget(row({ m_cell, new QLabel(tr("each cell")) }));
    m_inView = new QCheckBox;
    describeInView(*m_inView, std::nullopt, 0, 0);
    m_inView->setChecked(true);
    m_background = new QComboBox;
    m_background->addItems({ tr("white"), tr("dark"), tr("transparent") });
    m_title = checked(tr("Title: name, view, head, mechanism"));
    m_labels = checked(tr("Token labels"));
    m_colorScale = checked(tr("Colour scale"));
    m_caption = checked(tr("Caption: what the picture leaves out"));
    m_pick = checked(tr("Frame of the picked cell"));
    m_form->addRow(makeLabel(tr("Size")), m_sizing);
    m_form->addRow(QString(), m_sizes);
    m_form->addRow(tr("Cells"), m_inView);
    m_form->addRow(tr("Background"), m_background);
    QString with = tr("With");
    for (QCheckBox *box : { m_title, m_caption, m_labels, m_colorScale, m_pick }) {
        m_form->addRow(with, box);
        with.clear();
    }
    setOfMap(true);

    for (QComboBox *box : { m_sizing, m_background })
        connect(box, &QComboBox::currentIndexChanged, this, &FigurePage::follow);
    for (QSpinBox *box : { m_width, m_height, m_dpi, m_cell })
        connect(box, &QSpinBox::valueChanged, this, &FigurePage::follow);
    for (QDoubleSpinBox *box : { m_millimetresWide, m_millimetresHigh })
        connect(box, &QDoubleSpinBox::valueChanged, this, &FigurePage::follow);
    for (QCheckBox *box : { m_inView, m_title, m_labels, m_colorScale, m_caption, m_pick })
        connect(box, &QCheckBox::toggled, this, &FigurePage::follow);
}

void FigurePage::follow()
{
    m_sizes->setCurrentIndex(std::max(0, m_sizing->currentIndex()));
    emit changed();
}

void FigurePage::setOfMap(bool isOfMap)
{
    m_isOfMap = isOfMap;
    for (QCheckBox *box : { m_labels, m_colorScale, m_pick })
        box->setVisible(isOfMap);
    m_inView->setVisible(isOfMap);
    m_form->labelForField(m_inView)->setVisible(isOfMap);
    QStringList ways{ tr("in pixels"), tr("in millimetres") };
    if (isOfMap)
        ways << tr("by cell");
    if (m_sizing->count() == ways.size())
        return;
    const QSignalBlocker blocker(m_sizing);
    const int current = m_sizing->currentIndex();
    m_sizing->clear();
    m_sizing->addItems(ways);
    m_sizing->setCurrentIndex(current >= 0 && current < ways.size() ? current : InPixels);
    m_sizes->setCurrentIndex(m_sizing->currentIndex());
}

void FigurePage::setHasPick(bool hasPick)
{
    m_pick->setEnabled(hasPick);
    m_pick->setToolTip(hasPick ? QString() : tr("No cell is picked."));
}

void FigurePage::describeInView(QCheckBox &box, const std::optional<CellRect> &region, Index rows, Index cols)
{
    const auto size = [](Index high, Index wide) { return QString::fromStdString(shapeText(std::array{ high, wide })); };
    box.setText(region ? tr("Only what is in view: %1 of %2").arg(size(region->rows.size(), region->cols.size()), size(rows, cols))
                       : tr("Only what is in view"));
    box.setEnabled(region.has_value());
    box.setToolTip(region ? tr("Zoom or move the map to choose others") : tr("All of the map is in view. Zoom in to choose a region."));
}

void FigurePage::setInView(const std::optional<CellRect> &region, Index rows, Index cols)
{
    describeInView(*m_inView, region, rows, cols);
}

bool FigurePage::isOnlyInView() const
{
    return m_inView->isChecked();
}

FigureOptions FigurePage::options() const
{
    FigureOptions options;
    options.pixels = QSize(m_width->value(), m_height->value());
    options.dpi = m_dpi->value();
    if (m_sizing->currentIndex() == InMillimetres)
        options.millimetres = QSizeF(m_millimetresWide->value(), m_millimetresHigh->value());
    else if (m_sizing->currentIndex() == ByCell)
        options.cellPixels = m_cell->value();
    options.background = static_cast<FigureBackground>(m_background->currentIndex());
    options.hasTitle = m_title->isChecked();
    options.hasLabels = m_labels->isChecked();
    options.hasColorScale = m_colorScale->isChecked();
    options.hasCaption = m_caption->isChecked();
    options.hasPick = m_pick->isChecked();
    return options;
}

QVariantMap FigurePage::choices() const
{
    return {
        { QStringLiteral("sizing"), m_sizing->currentIndex() },
        { QStringLiteral("background"), m_background->currentIndex() },
        { QStringLiteral("width"), m_width->value() },
        { QStringLiteral("height"), m_height->value() },
        { QStringLiteral("millimetresWide"), m_millimetresWide->value() },
        { QStringLiteral("millimetresHigh"), m_millimetresHigh->value() },
        { QStringLiteral("dpi"), m_dpi->value() },
        { QStringLiteral("cell"), m_cell->value() },
        { QStringLiteral("inView"), m_inView->isChecked() },
        { QStringLiteral("title"), m_title->isChecked() },
        { QStringLiteral("labels"), m_labels->isChecked() },
        { QStringLiteral("colorScale"), m_colorScale->isChecked() },
        { QStringLiteral("caption"), m_caption->isChecked() },
        { QStringLiteral("pick"), m_pick->isChecked() },
    };
}

void FigurePage::restore(const QVariantMap &choices)
{
    const auto number = [&](const char *key, int usual) { return choices.value(QLatin1String(key), usual).toInt(); };
    const auto restoreBox = [&](QComboBox *box, const char *key) { box->setCurrentIndex(std::clamp(number(key, 0), 0, box->count() - 1)); };
    restoreBox(m_sizing, "sizing");
    restoreBox(m_background, "background");
    m_width->setValue(number("width", m_width->value()));
    m_height->setValue(number("height", m_height->value()));
    m_millimetresWide->setValue(choices.value(QStringLiteral("millimetresWide"), m_millimetresWide->value()).toDouble());
    m_millimetresHigh->setValue(choices.value(QStringLiteral("millimetresHigh"), m_millimetresHigh->value()).toDouble());
    m_dpi->setValue(number("dpi", m_dpi->value()));
    m_cell->setValue(number("cell", m_cell->value()));
    const auto restoreCheck = [&](QCheckBox *box, const char *key) { box->setChecked(choices.value(QLatin1String(key), true).toBool()); };
    restoreCheck(m_inView, "inView");
    restoreCheck(m_title, "title");
    restoreCheck(m_labels, "labels");
    restoreCheck(m_colorScale, "colorScale");
    restoreCheck(m_caption, "caption");
    restoreCheck(m_pick, "pick");
}

} // namespace attenscope
