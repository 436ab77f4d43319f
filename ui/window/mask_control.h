// SPDX-License-Identifier: GPL-3.0-or-later
// MaskControl: what Causal / Unmasked and Compare mean for the open input, what they may not do, and why.
#pragma once

#include "state/document.h"

#include <QObject>
#include <QString>

#include <optional>

namespace attenscope {

/// Edits Session::mechanism and Session::comparison; holds nothing of its own but what it remembers of the past.
class MaskControl : public QObject {
    Q_OBJECT

public:
    explicit MaskControl(Document &document, QObject *parent = nullptr);

    /// The shown mechanism (while comparing: the first one) hides later keys; or it was recorded so.
    [[nodiscard]] bool isCausal() const;
    [[nodiscard]] bool isComparing() const { return m_document.session().comparison.has_value(); }
    /// Comparing causal with unmasked, nothing else being different.
    [[nodiscard]] bool isComparingMasks() const;

    /// Why it cannot be done, in words; empty if it can.
    [[nodiscard]] QString whyNotUnmasked() const;
    [[nodiscard]] QString whyNotCompared() const;
    /// What is special about hiding keys of this input; empty for computed input.
    [[nodiscard]] QString causalNote() const;

    /// Ends a comparison of masks.
    void setCausal(bool isCausal);
    void toggle() { setCausal(!isCausal()); }
    /// Causal first, unmasked second; what else is changed changes on both sides. Off: the mechanism is again what it was.
    void setComparing(bool isComparing);
    /// The mechanism, which can be changed, and @p other, which stays as it is whatever is changed.
    void compareWith(const AttentionSpec &other, const QString &name);

    /// The mechanism before the last change of it that was not a change of input as well.
    [[nodiscard]] const std::optional<AttentionSpec> &previous() const { return m_previous; }

signals:
    void changed();
    /// Keys of recorded weights have been hidden: causalNote() is to be said.
    void recordedKeysHidden();

private:
    void follow(const Session &before, const Session &after);
    [[nodiscard]] bool isRecordedCausal() const;

    Document &m_document;
    bool m_wasUnmasked = false;
    std::optional<AttentionSpec> m_previous;
    int m_previousIndex = -1; ///< Of the undo stack: a drag is one change.
    mutable std::shared_ptr<const AttentionInput> m_checked; ///< The input and block that m_checkedCausal is about.
    mutable int m_checkedBlock = -1;
    mutable bool m_checkedCausal = false;
};

} // namespace attenscope
