// SPDX-License-Identifier: GPL-3.0-or-later
// FigurePage: how large a figure is, on what ground, and what is on it.
#pragma once

#include "state/figure.h"

#include <QVariantMap>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;
class QStackedWidget;

namespace attenscope {

/// A form over FigureOptions. What is of maps only is hidden for other views.
class FigurePage : public QWidget {
    Q_OBJECT

public:
    explicit FigurePage(QWidget *parent = nullptr);

    [[nodiscard]] FigureOptions options() const;
    void setOfMap(bool isOfMap);
    void setHasPick(bool hasPick);
    /// What is in view of the map, of how much: without it all is.
    void setInView(const std::optional<CellRect> &region, Index rows, Index cols);
    /// Only what is in view is wanted.
    [[nodiscard]] bool isOnlyInView() const;
    /// Says on @p box how much that is.
    static void describeInView(QCheckBox &box, const std::optional<CellRect> &region, Index rows, Index cols);

    /// For settings.
    [[nodiscard]] QVariantMap choices() const;
    void restore(const QVariantMap &choices);

    /// A form of the export dialog: labels of all forms start and end at the same place.
    [[nodiscard]] static QFormLayout *makeForm(QWidget *page);
    [[nodiscard]] static QLabel *makeLabel(const QString &text);

signals:
    void changed();

private:
    void follow();

    bool m_isOfMap = true;
    QFormLayout *m_form = nullptr;
    QComboBox *m_sizing = nullptr;
    QStackedWidget *m_sizes = nullptr;
    QSpinBox *m_width = nullptr;
    QSpinBox *m_height = nullptr;
    QDoubleSpinBox *m_millimetresWide = nullptr;
    QDoubleSpinBox *m_millimetresHigh = nullptr;
    QSpinBox *m_dpi = nullptr;
    QSpinBox *m_cell = nullptr;
    QCheckBox *m_inView = nullptr;
    QComboBox *m_background = nullptr;
    QCheckBox *m_title = nullptr;
    QCheckBox *m_labels = nullptr;
    QCheckBox *m_colorScale = nullptr;
    QCheckBox *m_caption = nullptr;
    QCheckBox *m_pick = nullptr;
};

} // namespace attenscope
