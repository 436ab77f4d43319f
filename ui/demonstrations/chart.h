// SPDX-License-Identifier: GPL-3.0-or-later
// Chart: plots side by side in the look of the window, which can be saved as a picture.
#pragma once

#include "core/result.h"
#include "state/theme.h"

#include <qcustomplot.h>

#include <vector>

namespace attenscope {

/// A grid of titled plots. Follows palette and font; pictures of it are drawn on white with the heading on top.
class Chart : public QCustomPlot {
    Q_OBJECT

public:
    explicit Chart(QWidget *parent = nullptr);

    /// A plot at a place of the grid, with a line or more of text above it.
    QCPAxisRect *addPanel(int row, int col);
    void setPanelTitle(const QCPAxisRect *panel, const QString &title);
    /// A legend inside @p panel, at its top right, for what is plotted in it.
    QCPLegend *addLegend(QCPAxisRect *panel);
    /// Logarithmic, with powers of ten written as such.
    static void makeLogarithmic(QCPAxis *axis);
    /// What stands above the plots in pictures.
    void setHeading(const QString &text) { m_heading = text; }

    [[nodiscard]] const Theme &theme() const { return *m_theme; }
    /// Colours that tell two things apart in this theme, also for the colour-blind.
    [[nodiscard]] QColor firstColor() const;
    [[nodiscard]] QColor secondColor() const;

    /// Twice the pixels of the screen, for the clipboard.
    [[nodiscard]] QImage picture();
    /// PNG, SVG or PDF by the end of the name, written atomically.
    Result<void> save(const QString &path);

signals:
    /// Pens and brushes of what is plotted are to be set from theme().
    void themeChanged();

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Panel {
        QCPAxisRect *rect;
        QCPTextElement *title;
        QCPLegend *legend = nullptr;
    };

    void follow(const Theme &theme);
    void styleAxis(QCPAxis &axis) const;
    static void fitTitle(QCPTextElement &title, int lines);
    /// Draws for a picture: light, with the heading.
    template <typename Draw>
    auto asPicture(const Draw &draw);

    const Theme *m_theme;
    std::vector<Panel> m_panels;
    QString m_heading;
};

} // namespace attenscope
