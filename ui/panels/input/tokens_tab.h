// SPDX-License-Identifier: GPL-3.0-or-later
// TokensTab: typed sequences with seeded embeddings.
#pragma once

#include "state/document.h"

#include <QWidget>

namespace attenscope {

/// Edits a TokensSource. While the session's source is of another kind it shows the last tokens; the first edit makes them the source.
class TokensTab : public QWidget {
    Q_OBJECT

public:
    explicit TokensTab(Document &document, QWidget *parent = nullptr);
    ~TokensTab() override;

    /// Replaces the first sequence, as if it had been pasted over everything.
    void setText(const QString &text);
    void focusText();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
