// SPDX-License-Identifier: GPL-3.0-or-later
// LinesView: queries left, keys right, lines as strong as the weights between them.
#pragma once

#include "views/document_view.h"
#include "views/picture.h"

#include <memory>

namespace attenscope {

/// View bar, lines and what is hidden of them; while comparing a page of each side, with their difference beside or below where there is room for it. Follows the
/// zoom of the map. Knows nothing but Document and Selection. All lengths grow with its font.
class LinesView : public DocumentView {
    Q_OBJECT

public:
    LinesView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~LinesView() override;

    void zoomIn();
    void zoomOut();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh() override;
    /// Of the pages.
    [[nodiscard]] QSize room() const;

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The lines of the shown tokens with what is picked, of both sides while comparing; an error while the picked head is not ready.
[[nodiscard]] Result<Picture> linesPicture(const Document &document, const Selection &selection);

} // namespace attenscope
