// SPDX-License-Identifier: GPL-3.0-or-later
// NumbersPage.
#include "window/numbers_page.h"

#include "core/text.h"
#include "io/atomic_file.h"
#include "state/head_list.h"
#include "views/token_part.h"
#include "window/figure_page.h"
#include "window/view_figure.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

QString sizeText(const MapNumbers &map, NumbersFormat format)
{
    constexpr std::uint64_t worthSaying = 50'000'000;
    const CellRect cells = map.cells();
    const QString shape = QString::fromStdString(shapeText(std::array{ cells.rows.size(), cells.cols.size() }));
    const std::uint64_t bytes = fileBytes(format, map);
    const QString size = bytes < worthSaying ? QString() : NumbersPage::tr(", about %1").arg(QString::fromStdString(byteSize(bytes)));
    return map.fields.size() == 1 ? NumbersPage::tr("%1 numbers, full precision%2.").arg(shape, size)
                                  : NumbersPage::tr("%1 heads of %2 numbers, full precision%3.").arg(map.fields.size()).arg(shape, size);
}

} // namespace

NumbersPage::NumbersPage(const Document &document, const Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
{
    QFormLayout *layout = FigurePage::makeForm(this);
    m_scope = new QComboBox;
    m_scope->addItems({ tr("the shown map"), tr("all heads"), tr("the head table") });
    m_side = new QComboBox;
    layout->addRow(FigurePage::makeLabel(tr("Of")), m_scope);
    layout->addRow(tr("Map"), m_side);
    m_inView = new QCheckBox;
    m_inView->setObjectName(QStringLiteral("numbersRegion"));
    layout->addRow(tr("Cells"), m_inView);
    updateSides();
    for (QComboBox *box : { m_scope, m_side })
        connect(box, &QComboBox::currentIndexChanged, this, &NumbersPage::changed);
    connect(m_inView, &QCheckBox::toggled, this, &NumbersPage::changed);
}

NumbersPage::Scope NumbersPage::scope() const
{
    return static_cast<Scope>(m_scope->currentIndex());
}

void NumbersPage::setScope(Scope scope)
{
    m_scope->setCurrentIndex(scope);
}

void NumbersPage::restoreScope(int scope)
{
    m_scope->setCurrentIndex(std::clamp(scope, 0, m_scope->count() - 1));
}

void NumbersPage::updateSides()
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
}

void NumbersPage::follow()
{
    const Session &session = m_document.session();
    const bool isOfTable = scope() == HeadTable;
    const bool isOfLayers = session.view.shown == ShownView::Layers && scope() == ShownMap;
    const bool hasSides = session.comparison.has_value() && !isOfTable && !isOfLayers;
    m_side->setEnabled(hasSides);
    m_side->setToolTip(hasSides ? QString()
            : isOfTable         ? tr("The head table is that of the first map.")
            : isOfLayers        ? tr("Layers are those of the first map.")
                                : tr("There is one map; comparing there are three."));
    const auto part = isOfTable ? std::nullopt : region();
    const MapFieldPtr shown = m_document.field();
    FigurePage::describeInView(*m_inView, part, shown ? shown->rows() : 0, shown ? shown->cols() : 0);
    if (part && !regionInView(m_document, m_selection))
        m_inView->setText(tr("Only %1").arg(partWords(partOf(*part, m_document))));
}

Result<QString> NumbersPage::description(NumbersFormat format) const
{
    if (scope() == HeadTable) {
        if (format != NumbersFormat::Csv)
            return Error{ "The head table is written as CSV.", "", "Choose Numbers, CSV.", "" };
        return listHeads(m_document).countText() + tr(", a row each, full precision.");
    }
    const Result<MapNumbers> map = numbers();
    if (!map)
        return map.error();
    if (const Result<void> possible = checkNumbers(format, *map); !possible)
        return possible.error();
    return sizeText(*map, format);
}

Result<std::function<Result<void>(const Run &)>> NumbersPage::writer(const QString &path, NumbersFormat format) const
{
    using Writer = std::function<Result<void>(const Run &)>;
    if (scope() == HeadTable)
        return Writer(
            [path, csv = headTableCsv(listHeads(m_document)).toStdString()](const Run &) { return writeText(path.toStdString(), csv); });
    Result<MapNumbers> map = numbers();
    if (!map)
        return map.error();
    return Writer(
        [path, format, written = std::move(map).value()](const Run &run) { return writeMap(path.toStdString(), format, written, run); });
}

Side NumbersPage::side() const
{
    return m_side->currentIndex() == 1 ? Side::Comparison : m_side->currentIndex() == 2 ? Side::Difference : Side::Main;
}

Result<MapNumbers> NumbersPage::numbers() const
{
    const auto of = scope() == AllHeads ? NumbersScope::AllHeads : NumbersScope::ShownMap;
    return numbersOf(m_document, of, side(), m_inView->isChecked() ? region() : std::nullopt);
}

std::optional<CellRect> NumbersPage::region() const
{
    constexpr Index mostCells = Index{ 1 } << 22;
    if (const auto inView = regionInView(m_document, m_selection))
        return inView;
    const MapFieldPtr field = m_document.field();
    const bool isOfMap = field && field->columns() == Columns::Keys && m_document.session().view.shown != ShownView::Layers;
    if (!isOfMap || field->rows() <= mostCells / std::max<Index>(field->cols(), 1))
        return std::nullopt;
    return smallRegion(m_document, m_selection);
}

} // namespace attenscope
