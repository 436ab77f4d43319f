// SPDX-License-Identifier: GPL-3.0-or-later
// LinesView: queries left, keys right, lines as strong as the weights between them.
#pragma once

#include "views/document_view.h"
#include "views/picture.h"

#include <memory>
#include <optional>

namespace attenscope {

/// View bar, lines and what is hidden of them. Knows nothing but Document and Selection. All lengths grow with its font.
class LinesView : public DocumentView {
    Q_OBJECT

public:
    LinesView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~LinesView() override;

private:
    void refresh() override;

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The lines of all tokens with what is picked; nothing while the picked head is not ready.
[[nodiscard]] std::optional<Picture> linesPicture(const Document &document, const Selection &selection);

} // namespace attenscope
