// SPDX-License-Identifier: GPL-3.0-or-later
// Thumbnails: small pictures of the weights of heads, made once; at once where they are little work, else in a job.
#pragma once

#include "attention/attention_result.h"
#include "state/color_map.h"
#include "state/job.h"
#include "state/theme.h"

#include <QImage>
#include <QObject>

#include <map>
#include <memory>
#include <vector>

namespace attenscope {

/// The weights of @p head for a figure, where they are drawn as @p size logical pixels: a pixel per cell, or where there are too many cells four per
/// logical pixel with the largest weight in each. Null @p head: what stands in for one that is not ready. On any thread.
[[nodiscard]] QImage figureThumbnail(const HeadResult *head, const ColorMap &colors, const QSize &size, const Theme &theme);

/// Every pixel shows the largest weight of the cells that it covers; where a cell is larger than a pixel its edges fall on pixels. GUI thread only.
class Thumbnails : public QObject {
    Q_OBJECT

public:
    explicit Thumbnails(QObject *parent = nullptr);

    /// How they look; a change forgets all of them. @p pixelScale: device pixels per logical pixel.
    void setLook(const Theme &theme, double pixelScale);
    /// The weights of @p head in @p size device pixels, or a null image: then fetch() makes it.
    [[nodiscard]] QImage image(const std::shared_ptr<const HeadResult> &head, const ColorMap &colors, const QSize &size);
    /// Makes what image() did not have since the last call.
    void fetch();
    /// Forgets the pictures of heads that @p result does not have.
    void keepOnly(const AttentionResult &result);

    /// Device pixels of a map of @p rows x @p cols whose longer side is @p side; the shorter one is at least an eighth of that.
    [[nodiscard]] static QSize size(Index rows, Index cols, int side);
    /// What stands in for a head that is not ready: the hatch of masked cells.
    [[nodiscard]] QImage placeholder(const QSize &size) const;

signals:
    /// Pictures that fetch() made are there.
    void ready();

private:
    struct Picture {
        std::shared_ptr<const HeadResult> head;
        ColorMap colors;
        QSize size;
        QImage image;
    };

    bool m_isDark = false;
    double m_pixelScale = 1.0;
    std::map<const HeadResult *, Picture> m_pictures;
    std::vector<Picture> m_wanted; ///< Without images.
    Job m_job;
};

} // namespace attenscope
