// SPDX-License-Identifier: GPL-3.0-or-later
// MechanismPanel: the dock that edits the mechanism, under its live formula; for recorded input what can be done with recorded weights.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

namespace attenscope {

/// Edits Session::mechanism. Shows only controls that apply.
class MechanismPanel : public QWidget {
    Q_OBJECT

public:
    MechanismPanel(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~MechanismPanel() override;

    /// "Mechanism" or "Recorded weights".
    [[nodiscard]] QString title() const;

signals:
    void titleChanged();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
