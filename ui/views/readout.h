// SPDX-License-Identifier: GPL-3.0-or-later
// Readout: the strip at the bottom with the arithmetic of the hovered, else the picked cell.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

namespace attenscope {

/// Fixed height. Every number comes from explain of that row. Clicking a number copies it with full precision.
class Readout : public QWidget {
    Q_OBJECT

public:
    Readout(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~Readout() override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
