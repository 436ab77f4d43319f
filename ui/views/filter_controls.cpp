// SPDX-License-Identifier: GPL-3.0-or-later
// The slider's places, and the choices of top k and top p.
#include "views/filter_controls.h"

#include "core/text.h"
#include "views/menu_button.h"
#include "views/number_entry.h"

#include <QActionGroup>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

namespace {

constexpr int sliderSteps = 100;
constexpr int leastSlider = 80;
constexpr int spacing = 8;
constexpr std::array<Index, 7> keyChoices{ 0, 1, 2, 3, 5, 10, 20 };
constexpr std::array shareChoices{ 1.0, 0.99, 0.95, 0.9, 0.8, 0.5 };

/// Small weights have most of the slider; two digits are enough.
double thresholdOf(int step)
{
    const double part = static_cast<double>(step) / sliderSteps;
    const double threshold = part * part * part;
    if (!(threshold > 0.0))
        return 0.0;
    const double digit = std::pow(10.0, std::max(-6.0, std::floor(std::log10(threshold)) - 1.0));
    return std::min(1.0, std::round(threshold / digit) * digit);
}

int stepOf(double threshold)
{
    return static_cast<int>(std::lround(std::cbrt(threshold) * sliderSteps));
}

/// Shows as many digits as the number has.
class ThresholdField : public NumberEntry<QDoubleSpinBox> {
public:
    using NumberEntry::NumberEntry;

    [[nodiscard]] QString textFromValue(double number) const override { return QString::number(number, 'g', 6); }
    [[nodiscard]] QSize sizeHint() const override
    {
        const QSize hint = QDoubleSpinBox::sizeHint();
        return { std::max(hint.width(), fontMetrics().horizontalAdvance(QStringLiteral("0.0000")) + hint.height()), hint.height() };
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
};

QString mostKeysText(Index keys)
{
    return keys == 0 ? QObject::tr("All keys") : keys == 1 ? QObject::tr("The largest") : QObject::tr("The %1 largest").arg(keys);
}

QString shareText(double share)
{
    return share >= 1.0 ? QObject::tr("All of the weight")
                        : QObject::tr("%1 % of the weight").arg(QString::fromStdString(displayNumber(100.0 * share, 0)));
}

} // namespace

FilterControls::FilterControls(Document &document, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(spacing);
    row->setSizeConstraint(QLayout::SetNoConstraint);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    const QString help = tr("Weights below are hidden; the others stay as they are. 0 to 1, default 0.");
    m_label = new QLabel(tr("Hide below"));
    m_label->setToolTip(help);
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setRange(0, sliderSteps);
    m_slider->setMinimumWidth(leastSlider);
    m_slider->setMaximumWidth(160);
    m_slider->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_slider->setFocusPolicy(Qt::TabFocus);
    m_slider->setToolTip(help);
    m_slider->setAccessibleName(tr("Hide below"));
    auto *field = new ThresholdField;
    field->setRefused([this](const QString &typed) {
        emit m_document.message({ Message::Kind::Notice,
            { tr("“%1” is no weight to hide below.").arg(typed).toStdString(), {}, tr("Type a number from 0 to 1.").toStdString(), {} },
            {} });
    });
    m_threshold = field;
    m_threshold->setRange(0.0, 1.0);
    m_threshold->setDecimals(4);
    m_threshold->setSingleStep(0.01);
    m_threshold->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_threshold->setAlignment(Qt::AlignRight);
    m_threshold->setToolTip(help);
    m_threshold->setAccessibleName(tr("Hide below"));
    m_threshold->setLocale(QLocale::c());
    m_threshold->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_top = menuButton(tr("Show only the largest weights of each query"), [this](QMenu *menu) { fillTop(menu); });
    row->addWidget(m_label);
    row->addWidget(m_slider);
    row->addWidget(m_threshold);
    row->addWidget(m_top);
    row->addStretch(1);
    connect(m_slider, &QSlider::valueChanged, this, [this](int step) {
        WeightFilter filter = m_document.session().view.filter;
        filter.threshold = thresholdOf(step);
        edit(filter, QStringLiteral("hide below"));
    });
    connect(m_slider, &QSlider::sliderReleased, &m_document, &Document::endMerge);
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, [this](double threshold) {
        WeightFilter filter = m_document.session().view.filter;
        filter.threshold = threshold;
        edit(filter);
    });
    connect(&m_document, &Document::changed, this, &FilterControls::refresh);
    refresh();
}

void FilterControls::edit(const WeightFilter &filter, const QString &mergeKey)
{
    Session next = m_document.session();
    next.view.filter = filter;
    m_document.edit(std::move(next), tr("change filter"), mergeKey);
}

void FilterControls::refresh()
{
    const WeightFilter &filter = m_document.session().view.filter;
    const QSignalBlocker sliderBlocker(m_slider);
    const QSignalBlocker thresholdBlocker(m_threshold);
    m_slider->setValue(stepOf(filter.threshold));
    m_threshold->setValue(filter.threshold);
    QStringList parts;
    if (filter.mostKeys > 0)
        parts.push_back(tr("Top %1").arg(filter.mostKeys));
    if (filter.share < 1.0)
        parts.push_back(tr("top %1 %").arg(QString::fromStdString(displayNumber(100.0 * filter.share, 0))));
    QString text = parts.isEmpty() ? tr("Top: all") : parts.join(QStringLiteral(", "));
    text[0] = text.at(0).toUpper();
    m_top->setText(text);
    updateGeometry();
    fit();
}

int FilterControls::leastWidth() const
{
    return m_label->sizeHint().width() + m_threshold->sizeHint().width() + m_top->sizeHint().width() + 2 * spacing;
}

QSize FilterControls::minimumSizeHint() const
{
    return { leastWidth(), QWidget::minimumSizeHint().height() };
}

void FilterControls::fit()
{
    m_slider->setVisible(width() >= leastWidth() + spacing + leastSlider);
}

void FilterControls::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void FilterControls::fillTop(QMenu *menu)
{
    const WeightFilter now = m_document.session().view.filter;
    menu->addSection(tr("Of each query"));
    auto *keys = new QActionGroup(menu);
    for (const Index choice : keyChoices) {
        addChoice(menu, keys, mostKeysText(choice), choice == now.mostKeys, [this, choice] {
            WeightFilter filter = m_document.session().view.filter;
            filter.mostKeys = choice;
            edit(filter);
        });
    }
    menu->addSection(tr("The fewest that have"));
    auto *shares = new QActionGroup(menu);
    for (const double choice : shareChoices) {
        addChoice(menu, shares, shareText(choice), choice == now.share, [this, choice] {
            WeightFilter filter = m_document.session().view.filter;
            filter.share = choice;
            edit(filter);
        });
    }
}

} // namespace attenscope
