// SPDX-License-Identifier: GPL-3.0-or-later
// PresentationBar: the title line that stands in for menus and tools while presenting.
#pragma once

#include "state/document.h"

#include <QWidget>

class QLabel;

namespace attenscope {

class PresentationBar : public QWidget {
    Q_OBJECT

public:
    explicit PresentationBar(Document &document, QWidget *parent = nullptr);

signals:
    void left();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void follow();
    /// Writes as much as there is room for: what is left out is left out whole.
    void fit();

    Document &m_document;
    QLabel *m_name;
    QLabel *m_what;
    QStringList m_parts; ///< What is shown, under which mask, of how many tokens.
};

} // namespace attenscope
