// SPDX-License-Identifier: GPL-3.0-or-later
// TextView: the running text, each token in the colour of its weight for what is picked.
#pragma once

#include "views/document_view.h"
#include "views/picture.h"

#include <memory>

namespace attenscope {

/// View bar, text and what is hidden of it. Knows nothing but Document and Selection. All lengths grow with its font.
class TextView : public DocumentView {
    Q_OBJECT

public:
    TextView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~TextView() override;

private:
    void refresh() override;

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The whole text with what is picked; nothing while the picked head is not ready.
[[nodiscard]] Result<Picture> textPicture(const Document &document, const Selection &selection);

} // namespace attenscope
