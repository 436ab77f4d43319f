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

private:
    void follow();

    Document &m_document;
    QLabel *m_name;
    QLabel *m_what;
};

} // namespace attenscope
