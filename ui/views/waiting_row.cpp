// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the document's work.
#include "views/waiting_row.h"

namespace attenscope {

WaitingRow::WaitingRow(Document &document, QWidget *parent)
    : WorkRow(parent)
    , m_document(document)
{
    connect(this, &WorkRow::cancelRequested, &document, &Document::cancel);
    connect(this, &WorkRow::computeRequested, &document, &Document::resume);
    connect(&document, &Document::progressChanged, this, &WaitingRow::follow);
}

void WaitingRow::setReady(bool isReady)
{
    m_isReady = isReady;
    follow();
}

void WaitingRow::follow()
{
    const bool isLacking = !(m_isReady && m_document.isCurrent());
    if (isLacking && m_document.isStopped()) {
        offer(tr("Stopped before this was computed."), tr("Continue"));
    } else if (isLacking && m_document.isComputing()) {
        run(tr("Computing…"));
        setProgress(m_document.progress());
    } else {
        rest();
    }
}

} // namespace attenscope
