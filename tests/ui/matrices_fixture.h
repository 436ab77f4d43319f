// SPDX-License-Identifier: GPL-3.0-or-later
// The input panel over typed matrices, and what is done in its tables.
#pragma once

#include "panels/input/input_panel.h"
#include "panels/input/matrix_section.h"
#include "panels/input/matrix_view.h"
#include "support/panels.h"
#include "support/widget_fixture.h"

namespace attenscope::test {

inline Matrix rowsOf(std::initializer_list<std::initializer_list<double>> rows)
{
    Matrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
    Index row = 0;
    for (const auto &numbers : rows) {
        Index col = 0;
        for (const double number : numbers)
            matrix(row, col++) = number;
        ++row;
    }
    return matrix;
}

class MatricesFixture : protected WidgetFixture<InputPanel> {
protected:
    [[nodiscard]] const MatricesSource &source() const { return std::get<MatricesSource>(m_document->session().source); }
    [[nodiscard]] Matrix q(int head = 0) const { return source().heads[static_cast<std::size_t>(head)].q.toMatrix(); }
    [[nodiscard]] MatrixSection *section(const char *name) const
    {
        return control<MatrixSection>(*m_widget, qPrintable(QStringLiteral("section ") + QLatin1String(name)));
    }
    /// Does what a row of the menu of @p table does.
    void choose(const char *table, const QString &action) const
    {
        for (QAction *found : section(table)->findChildren<QAction *>()) {
            if (found->text().section(QLatin1Char('\t'), 0, 0) == action) {
                found->trigger();
                return;
            }
        }
        QFAIL(qPrintable(QStringLiteral("No action ") + action));
    }
    /// Types into a cell and presses Enter.
    void typeInto(const char *table, int row, int col, const QString &text) const
    {
        MatrixView *view = section(table)->view();
        view->setFocus();
        view->goTo(row, col);
        view->edit(view->currentIndex());
        auto *editor = view->viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        // The closed editor must be gone before another is looked for.
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
};

} // namespace attenscope::test
