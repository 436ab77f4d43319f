// SPDX-License-Identifier: GPL-3.0-or-later
// ViewStack: the views of the centre, of which the session says which one is shown.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/picture.h"

#include <QStackedWidget>

#include <span>

namespace attenscope {

/// What a view shows, for a figure; where it has nothing to show, why, and what to do.
using PictureOf = Result<Picture> (*)(const Document &document, const Selection &selection);

/// One row of the table of views: key, tool button, menu entry, and how it is made.
struct ViewRow {
    ShownView shown = ShownView::Map;
    const char *id; ///< Of its action: "view.map".
    const char *text; ///< With mnemonic; to be translated in the context of MainWindow.
    const char *tip;
    const char *icon; ///< In resources/icons.
    Qt::Key key;
    QWidget *(*make)(Document &document, Selection &selection);
    PictureOf picture = nullptr; ///< Null: the map, and the steps, which have figures of their own.
};
/// All views in the order of their buttons. A new view is one row here.
[[nodiscard]] std::span<const ViewRow> viewRows();

/// Shows the view that the session names. Other pages can be added and shown for a while; showView() ends that.
class ViewStack : public QStackedWidget {
    Q_OBJECT

public:
    ViewStack(Document &document, Selection &selection, QWidget *parent = nullptr);

    /// Makes @p shown the session's view and brings it to the front.
    void showView(ShownView shown);
    /// Whether a view of the session is in front, not a page that was added.
    [[nodiscard]] bool showsView() const { return currentIndex() == indexOfShown(); }
    /// The view of this kind; every row has one.
    template <typename View>
    [[nodiscard]] View *view() const
    {
        return findChild<View *>(QString(), Qt::FindDirectChildrenOnly);
    }

signals:
    /// Another page is in front.
    void shownChanged();

private:
    [[nodiscard]] int indexOfShown() const;

    Document &m_document;
};

} // namespace attenscope
