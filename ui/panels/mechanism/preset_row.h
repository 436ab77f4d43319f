// SPDX-License-Identifier: GPL-3.0-or-later
// PresetRow: which known mechanism this is, and what the input lacks for it.
#pragma once

#include "panels/controls.h"
#include "session/presets.h"

class QComboBox;

namespace attenscope {

/// A box with the whole presets and the gallery at its end; under it the paper, or "changed", then what the input lacks. Keeps its height when the
/// preset is edited.
class PresetRow : public LabelledRow {
    Q_OBJECT

public:
    explicit PresetRow(QWidget *parent = nullptr);

    /// Emits nothing. @p block is not recorded.
    void show(const Session &session, const AttentionBlock &block);

signals:
    void chosen(const attenscope::Preset &preset);
    void galleryRequested();
    /// A link was clicked that gives the input what the preset needs.
    void offerTaken(const attenscope::PresetOffer &offer);

private:
    QComboBox *m_box = nullptr;
    const Preset *m_shown = nullptr;
    std::vector<LinkButton *> m_links;
    std::vector<PresetOffer> m_offers;
    QBoxLayout *m_linkColumn = nullptr;
};

} // namespace attenscope
