// SPDX-License-Identifier: GPL-3.0-or-later
// Same output, other weights: the real row beside the two that give the picked key the least and the most.
#include "analysis/other_weights.h"
#include "core/text.h"
#include "demonstrations/demonstration.h"
#include "state/number_text.h"
#include "state/wheel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace attenscope {

namespace {

/// More bars cannot be told apart.
constexpr std::size_t mostKeys = 48;
constexpr std::size_t longestToken = 12;
constexpr double barWidth = 0.26;

QString weightText(double weight)
{
    // What the simplex method does not tell from 0.
    constexpr double nothing = 1e-9;
    return shownNumber(std::abs(weight) <= nothing ? 0.0 : weight, 4);
}

/// The keys that are shown: all, or those that have the most weight in any of the three rows, and @p picked.
std::vector<Index> shownKeys(const OtherWeights &rows, Index picked)
{
    std::vector<Index> keys(static_cast<std::size_t>(rows.real.size()));
    std::iota(keys.begin(), keys.end(), Index{ 0 });
    if (keys.size() <= mostKeys)
        return keys;
    Vector most = rows.real.cwiseMax(rows.smallest).cwiseMax(rows.largest);
    most(picked) = std::numeric_limits<double>::infinity();
    std::stable_sort(keys.begin(), keys.end(), [&](Index a, Index b) { return most(a) > most(b); });
    keys.resize(mostKeys);
    std::sort(keys.begin(), keys.end());
    return keys;
}

class OtherWeightsView : public Demonstration {
public:
    OtherWeightsView(Document &document, Selection &selection, QWidget *parent)
        : Demonstration(tr("Same output, other weights"),
            tr("Is attention an explanation? If other weights give the same output, these are not the only story (Jain & Wallace 2019, "
               "arXiv:1902.10186). Shown are "
               "the weights, among all that are not negative, have the same sum and the same output, that give the picked key the least "
               "and the most."),
            parent)
        , m_document(document)
        , m_selection(selection)
        , m_query(addField(tr("Query"), tr("Row whose output is kept")))
        , m_key(addField(tr("Key"), tr("Key whose weight is made as small and as large as can be; a click on its bars picks it too")))
        , m_panel(chart().addPanel(0, 0))
    {
        controls()->addStretch();
        QCPAxis *keys = m_panel->axis(QCPAxis::atBottom);
        QCPAxis *weights = m_panel->axis(QCPAxis::atLeft);
        weights->setLabel(tr("weight"));
        keys->setLabel(tr("key"));
        keys->grid()->setVisible(false);
        keys->setTicker(m_ticker);
        keys->setSubTicks(false);
        m_band = new QCPItemRect(&chart());
        for (QCPItemPosition *corner : { m_band->topLeft, m_band->bottomRight }) {
            corner->setAxes(keys, weights);
            corner->setTypeX(QCPItemPosition::ptPlotCoords);
            corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
            corner->setAxisRect(m_panel);
        }
        m_band->setLayer(QStringLiteral("background"));
        m_band->setClipAxisRect(m_panel);
        QCPLegend *legend = chart().addLegend(m_panel);
        const std::array names{ tr("least"), tr("as computed"), tr("most") };
        for (std::size_t place = 0; place < m_bars.size(); ++place) {
            m_bars[place] = new QCPBars(keys, weights);
            m_bars[place]->setWidth(barWidth);
            m_bars[place]->setName(names[place]);
            m_bars[place]->addToLegend(legend);
        }
        connect(&document, &Document::resultChanged, this, [this] { follow(); });
        connect(&document, &Document::changed, this, [this] { follow(); });
        connect(&selection, &Selection::pickedChanged, this, [this] { follow(); });
        connect(m_query, &QSpinBox::valueChanged, this, [this] { pick(); });
        connect(m_key, &QSpinBox::valueChanged, this, [this] { pick(); });
        connect(&chart(), &QCustomPlot::mousePress, this, [this](const QMouseEvent *event) { pickAt(event->position()); });
        connect(&chart(), &Chart::themeChanged, this, [this] { color(); });
        color();
        follow();
        setFocusProxy(m_query);
    }

private:
    QSpinBox *addField(const QString &label, const QString &help)
    {
        auto *row = new QHBoxLayout;
        row->setSpacing(8);
        auto *field = new QSpinBox;
        field->setMinimumSize(160, 28);
        field->setToolTip(help);
        field->setAccessibleName(label);
        field->setKeyboardTracking(false);
        keepWheelForFocus(field);
        auto *name = new QLabel(label);
        name->setToolTip(help);
        name->setBuddy(field);
        row->addWidget(name);
        row->addWidget(field);
        controls()->addLayout(row);
        return field;
    }

    void color()
    {
        const Theme &theme = chart().theme();
        const std::array colors{ chart().firstColor(), theme.secondaryText, chart().secondColor() };
        const std::array patterns{ Qt::Dense4Pattern, Qt::SolidPattern, Qt::Dense4Pattern };
        for (std::size_t place = 0; place < m_bars.size(); ++place) {
            m_bars[place]->setPen(QPen(colors[place]));
            m_bars[place]->setBrush(QBrush(colors[place], patterns[place]));
        }
        m_band->setPen(Qt::NoPen);
        m_band->setBrush(theme.accentGround);
    }

    static void fillField(QSpinBox &field, const std::vector<std::string> &tokens, Index count, Index position)
    {
        const QSignalBlocker quiet(&field);
        field.setRange(0, static_cast<int>(count - 1));
        field.setValue(static_cast<int>(position));
        const auto place = static_cast<std::size_t>(position);
        field.setSuffix(
            place < tokens.size() ? QStringLiteral("  %1").arg(QString::fromStdString(shortened(tokens[place], longestToken))) : QString());
    }

    void pick() { m_selection.setPicked(CellRef{ m_query->value(), m_key->value() }); }

    void pickAt(const QPointF &point)
    {
        const double place = std::round(m_panel->axis(QCPAxis::atBottom)->pixelToCoord(point.x()));
        if (place >= 0.0 && place < static_cast<double>(m_keys.size()) && m_panel->rect().contains(point.toPoint()))
            m_selection.setPicked(CellRef{ m_query->value(), m_keys[static_cast<std::size_t>(place)] });
    }

    void follow()
    {
        const auto result = m_document.result();
        const auto head = result->find(m_document.head());
        if (!head)
            return; // The old picture stays until it is ready.
        const AttentionBlock &block = m_document.wholeBlock();
        const CellRef picked = m_selection.picked().value_or(CellRef{ block.queries - 1, 0 });
        const CellRef cell{ std::clamp<Index>(picked.row, 0, block.queries - 1), std::clamp<Index>(picked.col, 0, block.keys - 1) };
        if (head == m_head && cell == m_cell)
            return;
        m_head = head;
        m_cell = cell;
        fillField(*m_query, block.queryTokens, block.queries, cell.row);
        fillField(*m_key, block.keyTokens, block.keys, cell.col);
        if (!head->operands) {
            refuse(m_document.block().isReduced()
                    ? Error{ "Tokens are left out or merged.", "What is shown of them has no values V of its own.", "Show every token.",
                        {} }
                    : Error{ "Recorded weights come without the values V.", {}, "Open a file with Q, K and V, or type tokens.", {} });
            return;
        }
        const QString name = tr("%1, head %2, query %3")
                                 .arg(QString::fromStdString(m_document.session().name),
                                     QString::fromStdString(headName(*result->input, m_document.head())))
                                 .arg(cell.row);
        m_job.start([this, operands = head->operands, cell, name](const Run &run, const Job::Deliver &deliver) {
            const Result<OtherWeights> rows = otherWeights(*operands, cell.row, cell.col, run);
            if (!rows)
                deliver([this, error = rows.error()] { refuse(error); });
            else
                deliver([this, rows = *rows, cell, name, columns = operands->v.cols()] { put(rows, cell, name, columns); });
        });
    }

    void refuse(const Error &error)
    {
        m_job.cancel();
        m_keys.clear();
        for (QCPBars *bars : m_bars)
            bars->data()->clear();
        m_band->setVisible(false);
        m_ticker->clear();
        chart().setPanelTitle(m_panel, {});
        chart().replot(QCustomPlot::rpQueuedReplot);
        setFinding(QString::fromStdString(error.sentence()));
    }

    void put(const OtherWeights &rows, const CellRef &cell, const QString &name, Index columns)
    {
        const std::vector<std::string> &tokens = m_document.wholeBlock().keyTokens;
        m_keys = shownKeys(rows, cell.col);
        m_ticker->clear();
        const std::array all{ &rows.smallest, &rows.real, &rows.largest };
        for (std::size_t place = 0; place < m_bars.size(); ++place) {
            QVector<double> places;
            QVector<double> heights;
            for (std::size_t shown = 0; shown < m_keys.size(); ++shown) {
                places << static_cast<double>(shown) + (static_cast<double>(place) - 1.0) * barWidth;
                heights << (*all[place])(m_keys[shown]);
            }
            m_bars[place]->setData(places, heights, true);
        }
        for (std::size_t shown = 0; shown < m_keys.size(); ++shown) {
            const auto key = static_cast<std::size_t>(m_keys[shown]);
            const QString token = key < tokens.size() ? QString::fromStdString(shortened(tokens[key], longestToken)) : QString();
            m_ticker->addTick(static_cast<double>(shown), QStringLiteral("%1 %2").arg(key).arg(token).trimmed());
            if (m_keys[shown] == cell.col) {
                m_band->topLeft->setCoords(static_cast<double>(shown) - 0.5, 0.0);
                m_band->bottomRight->setCoords(static_cast<double>(shown) + 0.5, 1.0);
                m_band->setVisible(true);
            }
        }
        m_panel->axis(QCPAxis::atBottom)->setTickLabelRotation(m_keys.size() > 8 ? 60.0 : 0.0);
        m_panel->axis(QCPAxis::atBottom)->setRange(-0.6, static_cast<double>(m_keys.size()) - 0.4);
        const double most = std::max({ rows.real.maxCoeff(), rows.smallest.maxCoeff(), rows.largest.maxCoeff() });
        m_panel->axis(QCPAxis::atLeft)->setRange(0.0, 1.2 * most);
        const auto count = static_cast<std::size_t>(rows.real.size());
        chart().setPanelTitle(m_panel,
            count == m_keys.size() ? name
                                   : tr("%1: %2 of %3 keys, those with the most weight in any of the three")
                                         .arg(name)
                                         .arg(m_keys.size())
                                         .arg(QString::fromStdString(groupedCount(static_cast<Index>(count)))));
        chart().setHeading(
            tr("Same output, other weights: key %1 from %2 to %3, computed %4")
                .arg(cell.col)
                .arg(weightText(rows.smallest(cell.col)), weightText(rows.largest(cell.col)), weightText(rows.real(cell.col))));
        chart().replot(QCustomPlot::rpQueuedReplot);
        setFinding(findingOf(rows, cell, columns));
    }

    [[nodiscard]] QString findingOf(const OtherWeights &rows, const CellRef &cell, Index columns) const
    {
        const double width = std::max((rows.largest - rows.real).cwiseAbs().maxCoeff(), (rows.smallest - rows.real).cwiseAbs().maxCoeff());
        const QString real = weightText(rows.real(cell.col));
        if (width < 1e-12)
            return tr("Key %1 has %2, and no other weights give this output: with %3 in V the visible keys are too few for a choice.")
                .arg(QString::number(cell.col), real, columns == 1 ? tr("1 column") : tr("%1 columns").arg(columns));
        return tr("Key %1 has %2; with the same output it could have anything from %3 to %4. What rounding leaves of “the same”: %5 of the "
                  "spread of the values.")
            .arg(cell.col)
            .arg(real, weightText(rows.smallest(cell.col)), weightText(rows.largest(cell.col)), powerText(rows.residual, 0));
    }

    Document &m_document;
    Selection &m_selection;
    QSpinBox *m_query;
    QSpinBox *m_key;
    QCPAxisRect *m_panel;
    QCPItemRect *m_band = nullptr;
    std::array<QCPBars *, 3> m_bars{};
    QSharedPointer<QCPAxisTickerText> m_ticker = QSharedPointer<QCPAxisTickerText>::create();
    std::shared_ptr<const HeadResult> m_head; ///< What is shown, or asked for.
    std::optional<CellRef> m_cell;
    std::vector<Index> m_keys; ///< Of the bars, from the left.
    Job m_job; ///< Last: stopped before what it delivers to goes.
};

} // namespace

Demonstration *makeOtherWeights(Document &document, Selection &selection, QWidget *parent)
{
    return new OtherWeightsView(document, selection, parent);
}

} // namespace attenscope
