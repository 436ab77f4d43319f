// SPDX-License-Identifier: GPL-3.0-or-later
// VectorsView: query, keys, their products, scores and values of the picked query as coloured strips.
#pragma once

#include "views/document_view.h"

namespace attenscope {

/// The row with query, orders and head; the line with exact numbers; and the strips. Where there are no vectors it says why and offers the map.
class VectorsView : public DocumentView {
    Q_OBJECT

public:
    VectorsView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~VectorsView() override;

private:
    void refresh() override;

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
