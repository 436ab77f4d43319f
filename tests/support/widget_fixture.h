// SPDX-License-Identifier: GPL-3.0-or-later
// A panel or a view in a window of its own over a document.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QtTest>

#include <memory>

namespace attenscope::test {

/// For tests of one panel or view: open() in init(), close() in cleanup().
template <typename Widget>
class WidgetFixture {
protected:
    void open(const Session &session, QSize size)
    {
        m_document = std::make_unique<Document>();
        m_document->reset(session);
        m_selection = std::make_unique<Selection>();
        m_widget = std::make_unique<Widget>(*m_document, *m_selection);
        m_widget->resize(size);
        m_widget->show();
        m_widget->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_widget.get()));
    }
    void close()
    {
        m_widget.reset();
        m_selection.reset();
        m_document.reset();
    }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<Widget> m_widget;
};

} // namespace attenscope::test
