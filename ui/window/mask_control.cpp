// SPDX-License-Identifier: GPL-3.0-or-later
// MaskControl: Causal / Unmasked and Compare.
#include "window/mask_control.h"

#include "session/tensor_set.h"

namespace attenscope {

MaskControl::MaskControl(Document &document, QObject *parent)
    : QObject(parent)
    , m_document(document)
{
    connect(&m_document, &Document::changed, this, &MaskControl::follow);
    connect(&m_document, &Document::resultChanged, this, &MaskControl::changed);
}

void MaskControl::follow(const Session &before, const Session &after)
{
    if (!(before.source == after.source)) {
        m_previous.reset();
        m_previousIndex = -1;
    } else if (!(before.mechanism == after.mechanism)) {
        const int index = m_document.undoStack()->index();
        if (index != m_previousIndex || !m_previous)
            m_previous = before.mechanism;
        m_previousIndex = index;
    }
    emit changed();
}

bool MaskControl::isRecordedCausal() const
{
    const AttentionBlock &block = m_document.wholeBlock();
    if (!block.hasWeightsOnly())
        return false;
    const auto input = m_document.wholeInput();
    const int index = m_document.head().block;
    if (m_checked != input || m_checkedBlock != index) {
        m_checked = input;
        m_checkedBlock = index;
        m_checkedCausal = checkWeights(block).isCausal;
    }
    return m_checkedCausal;
}

bool MaskControl::isCausal() const
{
    return m_document.session().mechanism.mask.rule == MaskRule::Causal || isRecordedCausal();
}

bool MaskControl::isComparingMasks() const
{
    const Session &session = m_document.session();
    return session.comparison && session.comparisonFollows && session.mechanism.mask.rule != session.comparison->mask.rule
        && withCausalMask(session.mechanism, true) == withCausalMask(*session.comparison, true);
}

QString MaskControl::whyNotUnmasked() const
{
    return isRecordedCausal() ? tr("Showing hidden keys needs Q and K; this file has only the weights.") : QString();
}

QString MaskControl::whyNotCompared() const
{
    return isRecordedCausal() ? tr("Comparing with unmasked needs Q and K; this file has only the weights, recorded causal.") : QString();
}

QString MaskControl::causalNote() const
{
    return m_document.wholeBlock().hasWeightsOnly()
        ? tr("Kept weights ÷ their sum: exact within the layer. Deeper layers would have changed.")
        : QString();
}

void MaskControl::setCausal(bool isCausal)
{
    if (!isCausal && !whyNotUnmasked().isEmpty())
        return;
    Session next = m_document.session();
    next.mechanism = withCausalMask(next.mechanism, isCausal);
    if (isComparingMasks())
        next.comparison.reset();
    m_document.edit(std::move(next), isCausal ? tr("causal mask") : tr("unmasked"));
    if (isCausal && m_document.wholeBlock().hasWeightsOnly() && !isRecordedCausal())
        emit recordedKeysHidden();
}

void MaskControl::setComparing(bool isComparing)
{
    Session next = m_document.session();
    if (isComparing == next.comparison.has_value())
        return;
    if (isComparing) {
        if (!whyNotCompared().isEmpty())
            return;
        m_wasUnmasked = next.mechanism.mask.rule == MaskRule::None;
        if (m_wasUnmasked)
            next.mechanism = withCausalMask(next.mechanism, true);
        next.comparison = withCausalMask(next.mechanism, false);
        next.comparisonFollows = true;
        m_document.edit(std::move(next), tr("compare"));
        return;
    }
    if (m_wasUnmasked && isComparingMasks())
        next.mechanism = withCausalMask(next.mechanism, false);
    m_wasUnmasked = false;
    next.comparison.reset();
    m_document.edit(std::move(next), tr("end of compare"));
}

void MaskControl::compareWith(const AttentionSpec &other, const QString &name)
{
    m_wasUnmasked = false;
    Session next = m_document.session();
    next.comparison = other;
    next.comparisonFollows = false;
    m_document.edit(std::move(next), name);
}

} // namespace attenscope
