// SPDX-License-Identifier: GPL-3.0-or-later
// The mechanism panel over a document, and choosing in its boxes.
#pragma once

#include "panels/mechanism/fold_row.h"
#include "panels/mechanism/mechanism_panel.h"
#include "support/panels.h"
#include "support/widget_fixture.h"

#include <QComboBox>

namespace attenscope::test {

class MechanismFixture : protected WidgetFixture<MechanismPanel> {
protected:
    [[nodiscard]] const AttentionSpec &spec() const { return m_document->session().mechanism; }
    [[nodiscard]] QString undoText() const { return m_document->undoStack()->undoText(); }
    /// Chooses an entry by its words, at once.
    void choose(const char *box, const QString &entry) const
    {
        auto *combo = control<QComboBox>(*m_widget, box);
        const int index = combo->findText(entry);
        QVERIFY2(index >= 0, qPrintable(entry));
        combo->setCurrentIndex(index);
        emit combo->activated(index);
    }
    /// Walks to an entry with the arrow keys.
    void walkTo(const char *box, int entry) const
    {
        auto *combo = control<QComboBox>(*m_widget, box);
        combo->setFocus();
        while (combo->currentIndex() != entry) {
            const int before = combo->currentIndex();
            QTest::keyClick(combo, before < entry ? Qt::Key_Down : Qt::Key_Up);
            QVERIFY(combo->currentIndex() != before);
        }
    }
    void unfold(const char *name) const { control<FoldRow>(*m_widget, name)->setOpen(true); }
};

} // namespace attenscope::test
