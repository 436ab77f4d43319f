// SPDX-License-Identifier: GPL-3.0-or-later
// What every picture says about where its weights come from.
#pragma once

#include "state/document.h"

#include <QString>
#include <QStringList>

namespace attenscope {

/// What the titles of pictures call the mechanism of the main side: "causal", "recorded", "first" of two that are compared.
[[nodiscard]] QString mechanismWords(const Document &document);

/// Which side a view shows that has only one of the two that are compared.
[[nodiscard]] QString sideNote(const Document &document);

/// What has to stand under every picture of weights: that they are untrained, that keys are hidden, that there are too few or too many names, which tokens are left out or merged.
[[nodiscard]] QStringList originNotes(const Document &document);

} // namespace attenscope
