// SPDX-License-Identifier: GPL-3.0-or-later
// PatchesView: tokens of an image as a grid of patches, in the colours of the weights of what is picked.
#pragma once

#include "views/document_view.h"
#include "views/picture.h"

#include <memory>

namespace attenscope {

/// Choice of the grid and of a picture, patches, and what is said about them. Knows nothing but Document and Selection.
class PatchesView : public DocumentView {
    Q_OBJECT

public:
    PatchesView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~PatchesView() override;

private:
    void refresh() override;
    void choosePicture();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The patches with what is picked; nothing where tokens are no patches or the picked head is not ready.
[[nodiscard]] Result<Picture> patchesPicture(const Document &document, const Selection &selection);

} // namespace attenscope
