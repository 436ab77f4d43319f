// SPDX-License-Identifier: GPL-3.0-or-later
// MechanismPanel: the dock that edits the mechanism, under its live formula; for recorded input what can be done with recorded weights.
#pragma once

#include "session/presets.h"
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
    /// The gallery of mechanisms, beside the window's other content.
    void showGallery();

signals:
    void titleChanged();
    /// The gallery asks for the map under @p preset beside the present one.
    void compareRequested(const attenscope::Preset &preset);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
