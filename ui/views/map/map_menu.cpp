// SPDX-License-Identifier: GPL-3.0-or-later
// Copies numbers, rows and pictures of maps.
#include "views/map/map_menu.h"

#include "core/text.h"
#include "views/map/map_figure.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

namespace attenscope {

namespace {

QString exactCell(double cell)
{
    return cell::isHidden(cell) ? QString() : QString::fromStdString(exactNumber(cell));
}

} // namespace

QString rowText(const MapContent &content, Index row)
{
    QStringList lines;
    std::vector<double> numbers(static_cast<std::size_t>(content.cols()));
    for (const MapPanel &panel : content.panels) {
        panel.field->row(row, 0, numbers);
        QStringList cells;
        for (const double number : numbers)
            cells.push_back(exactCell(number));
        lines.push_back(cells.join(u'\t'));
    }
    return lines.join(u'\n');
}

void showMapMenu(
    const MapContent &content, const Document &document, const Selection &selection, const QPoint &globalPosition, QWidget *parent)
{
    auto *menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const auto cell = selection.current();
    const bool hasRow = cell && cell->row >= 0 && cell->row < content.rows();
    const bool hasCell = hasRow && cell->col >= 0 && cell->col < content.cols();
    const auto add = [menu](const QString &text, bool isEnabled, auto copy) {
        QAction *action = menu->addAction(text);
        action->setEnabled(isEnabled);
        if (!isEnabled)
            action->setToolTip(QObject::tr("There is no cell under the mouse, and none is picked."));
        QObject::connect(action, &QAction::triggered, menu, copy);
    };
    add(QObject::tr("Copy number"), hasCell, [content, cell] {
        QStringList numbers;
        for (const MapPanel &panel : content.panels)
            numbers.push_back(exactCell(panel.field->at(cell->row, cell->col)));
        QGuiApplication::clipboard()->setText(numbers.join(u'\t'));
    });
    add(QObject::tr("Copy row"), hasRow, [content, cell] { QGuiApplication::clipboard()->setText(rowText(content, cell->row)); });
    menu->addSeparator();
    add(QObject::tr("Copy picture"), !content.panels.empty(), [&document, &selection] {
        const Result<Figure> figure = mapFigure(document, selection, {});
        if (!figure)
            return;
        if (const auto image = figureImage(*figure))
            QGuiApplication::clipboard()->setImage(*image);
    });
    menu->popup(globalPosition);
}

} // namespace attenscope
