// SPDX-License-Identifier: GPL-3.0-or-later
// WaitingRow: what a view says while the heads that it is to show are being computed.
#pragma once

#include "state/document.h"
#include "views/work_row.h"

namespace attenscope {

/// The work of a document in a row: "Computing…" with its progress and Cancel, or that it was stopped, and Continue.
class WaitingRow : public WorkRow {
    Q_OBJECT

public:
    explicit WaitingRow(Document &document, QWidget *parent = nullptr);

    /// Whether the view could draw what the document has; an older picture of it may be all that is there. Called with every change of the document.
    void setReady(bool isReady);

private:
    void follow();

    Document &m_document;
    bool m_isReady = true;
};

} // namespace attenscope
