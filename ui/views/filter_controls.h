// SPDX-License-Identifier: GPL-3.0-or-later
// FilterControls: which weights lines and text show; it hides and never rescales.
#pragma once

#include "state/document.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QMenu;
class QSlider;
class QToolButton;

namespace attenscope {

/// "Hide below" with slider and number, and a menu with the largest of each row (top k) and their share (top p). Edits ViewState::filter. Where there is
/// little room the slider goes.
class FilterControls : public QWidget {
    Q_OBJECT

public:
    explicit FilterControls(Document &document, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();
    [[nodiscard]] int leastWidth() const;
    void refresh();
    void edit(const WeightFilter &filter, const QString &mergeKey = {});
    void fillTop(QMenu *menu);

    Document &m_document;
    QLabel *m_label = nullptr;
    QSlider *m_slider = nullptr;
    QDoubleSpinBox *m_threshold = nullptr;
    QToolButton *m_top = nullptr;
};

} // namespace attenscope
