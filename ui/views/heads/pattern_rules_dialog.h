// SPDX-License-Identifier: GPL-3.0-or-later
// PatternRulesDialog: the bounds behind the names of patterns.
#pragma once

#include "state/document.h"

#include <QDialog>

#include <functional>
#include <vector>

class QPushButton;

namespace attenscope {

/// Every bound in a field of its own with its default; a change shows at once and is kept for the next start.
class PatternRulesDialog : public QDialog {
    Q_OBJECT

public:
    explicit PatternRulesDialog(Document &document, QWidget *parent = nullptr);

    /// Shows the one dialog of @p window, which is made at first.
    static void open(Document &document, QWidget *window);
    /// Gives every bound its default, for this user.
    static void reset(Document &document);

private:
    void follow();
    void apply(const PatternRules &rules);

    Document &m_document;
    std::vector<std::function<void(const PatternRules &)>> m_fields; ///< Each shows its bound.
    QPushButton *m_reset = nullptr;
};

} // namespace attenscope
