// SPDX-License-Identifier: GPL-3.0-or-later
// TextView: the running text, each token in the colour of its weight for what is picked.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/picture.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace attenscope {

/// View bar, text and what is hidden of it. Knows nothing but Document and Selection. All lengths grow with its font.
class TextView : public QWidget {
    Q_OBJECT

public:
    TextView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~TextView() override;

protected:
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The whole text with what is picked; nothing while the picked head is not ready.
[[nodiscard]] std::optional<Picture> textPicture(const Document &document, const Selection &selection);

} // namespace attenscope
