// SPDX-License-Identifier: GPL-3.0-or-later
// FileTab: what the opened files contain and what each part is used as.
#pragma once

#include "state/document.h"

#include <QWidget>

namespace attenscope {

/// Edits FileSource::uses and the typed token names. While the source is of another kind it offers to open a file.
class FileTab : public QWidget {
    Q_OBJECT

public:
    explicit FileTab(Document &document, QWidget *parent = nullptr);
    ~FileTab() override;

signals:
    void openRequested();
    /// The files of the session are not where they were; the user wants to show where this one is now.
    void locateRequested(const QString &path);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
