// SPDX-License-Identifier: GPL-3.0-or-later
// DocumentView: what views of lines, text, vectors and layers have in common.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

class QLabel;

namespace attenscope {

/// Brings itself up to date when the document changes, but only while somebody sees it: nothing is computed for a hidden view. Hiding it ends hovering.
class DocumentView : public QWidget {
    Q_OBJECT

protected:
    DocumentView(Document &document, Selection &selection, QWidget *parent);

    /// Shows what the document has now.
    virtual void refresh() = 0;
    void refreshIfSeen();
    /// Notes below a view.
    [[nodiscard]] static QLabel *makeFooter();

    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    Selection &m_selection;
};

} // namespace attenscope
