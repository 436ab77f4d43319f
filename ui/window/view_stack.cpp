// SPDX-License-Identifier: GPL-3.0-or-later
// ViewStack: the table of views, and which of them is in front.
#include "window/view_stack.h"

#include "views/layers/layers_picture.h"
#include "views/layers/layers_view.h"
#include "views/lines/lines_view.h"
#include "views/map/map_view.h"
#include "views/steps/steps_view.h"
#include "views/text/text_view.h"
#include "views/vectors/vectors_picture.h"
#include "views/vectors/vectors_view.h"

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

template <typename View>
QWidget *make(Document &document, Selection &selection)
{
    return new View(document, selection);
}

constexpr std::array rows{
    ViewRow{ ShownView::Map, "view.map", QT_TRANSLATE_NOOP("attenscope::MainWindow", "&Map"),
        QT_TRANSLATE_NOOP("attenscope::MainWindow", "Queries down, keys across"), "map", Qt::Key_1, &make<MapView>, nullptr },
    ViewRow{ ShownView::Lines, "view.lines", QT_TRANSLATE_NOOP("attenscope::MainWindow", "&Lines"),
        QT_TRANSLATE_NOOP("attenscope::MainWindow", "Queries left, keys right, a line for each weight"), "lines", Qt::Key_2,
        &make<LinesView>, &linesPicture },
    ViewRow{ ShownView::Vectors, "view.vectors", QT_TRANSLATE_NOOP("attenscope::MainWindow", "&Vectors"),
        QT_TRANSLATE_NOOP("attenscope::MainWindow", "Query, keys, products and values, number by number"), "vectors", Qt::Key_3,
        &make<VectorsView>, &vectorsPicture },
    ViewRow{ ShownView::Steps, "view.steps", QT_TRANSLATE_NOOP("attenscope::MainWindow", "St&eps"),
        QT_TRANSLATE_NOOP("attenscope::MainWindow", "The arithmetic of the picked query, step by step"), "steps", Qt::Key_4,
        &make<StepsView>, nullptr },
    ViewRow{ ShownView::Text, "view.text", QT_TRANSLATE_NOOP("attenscope::MainWindow", "&Text"),
        QT_TRANSLATE_NOOP("attenscope::MainWindow", "The text in the colours of the weights of what is picked"), "text", Qt::Key_5,
        &make<TextView>, &textPicture },
    ViewRow{ ShownView::Layers, "view.layers", QT_TRANSLATE_NOOP("attenscope::MainWindow", "L&ayers"),
        QT_TRANSLATE_NOOP("attenscope::MainWindow", "Rollout, flow, and how much heads differ, across all layers"), "layers", Qt::Key_6,
        &make<LayersView>, &layersPicture },
};

} // namespace

std::span<const ViewRow> viewRows()
{
    return rows;
}

ViewStack::ViewStack(Document &document, Selection &selection, QWidget *parent)
    : QStackedWidget(parent)
    , m_document(document)
{
    for (const ViewRow &row : rows)
        addWidget(row.make(document, selection));
    const auto follow = [this] {
        setCurrentIndex(indexOfShown());
        // A stack has no focus of its own.
        setFocusProxy(currentWidget());
    };
    follow();
    connect(this, &QStackedWidget::currentChanged, this, [this] {
        setFocusProxy(currentWidget());
        emit shownChanged();
    });
    connect(&document, &Document::changed, this, [follow](const Session &before, const Session &after) {
        if (before.view.shown != after.view.shown)
            follow();
    });
}

int ViewStack::indexOfShown() const
{
    const ShownView shown = m_document.session().view.shown;
    return static_cast<int>(
        std::find_if(rows.begin(), rows.end(), [shown](const ViewRow &row) { return row.shown == shown; }) - rows.begin());
}

void ViewStack::showView(ShownView shown)
{
    Session next = m_document.session();
    next.view.shown = shown;
    m_document.edit(std::move(next), tr("change view"), QStringLiteral("view"));
    setCurrentIndex(indexOfShown());
}

} // namespace attenscope
