// SPDX-License-Identifier: GPL-3.0-or-later
// LinesView: queries left, keys right, lines as strong as the weights between them.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/picture.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace attenscope {

/// View bar, lines and what is hidden of them. Knows nothing but Document and Selection. All lengths grow with its font.
class LinesView : public QWidget {
    Q_OBJECT

public:
    LinesView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~LinesView() override;

protected:
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The lines of all tokens with what is picked; nothing while the picked head is not ready.
[[nodiscard]] std::optional<Picture> linesPicture(const Document &document, const Selection &selection);

} // namespace attenscope
