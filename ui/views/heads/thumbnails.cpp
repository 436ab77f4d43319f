// SPDX-License-Identifier: GPL-3.0-or-later
// From the overview of a head to pixels.
#include "views/heads/thumbnails.h"

#include "views/map/cell_image.h"

#include <algorithm>
#include <set>

namespace attenscope {

namespace {

QImage painted(const std::vector<CellCode> &codes, Index rows, Index cols, const CellCoder &coder, const CellLook &look, const QSize &size)
{
    const auto span = [](Index texels, int pixels) {
        return PixelSpan::between(0.0, static_cast<double>(pixels) / static_cast<double>(texels), texels, pixels, 0);
    };
    CellKinds kinds;
    QImage image = cellImage(codes, cols, span(rows, size.height()), span(cols, size.width()), coder, look, kinds);
    image.setDevicePixelRatio(look.pixelScale);
    return image;
}

/// Masked cells are plain here: a hatch would be all that one sees, and the placeholder is hatched.
QImage pictureOf(const HeadResult &head, const ColorMap &colors, CellLook look, const QSize &size)
{
    const MatrixF &cells = head.stream.overview;
    if (cells.size() == 0)
        return {};
    look.maskedHatch = look.maskedGround;
    const CellCoder coder(colors, Fold::Max);
    std::vector<CellCode> codes(static_cast<std::size_t>(cells.size()));
    coder.encode(cells, codes.data(), static_cast<std::size_t>(cells.cols()));
    return painted(codes, cells.rows(), cells.cols(), coder, look, size);
}

} // namespace

QImage figureThumbnail(const HeadResult *head, const ColorMap &colors, const QSize &size, const Theme &theme)
{
    constexpr int mostPixels = 4;
    const CellLook look = cellLook(theme, theme.panel, 1.0);
    if (!head || head->stream.overview.size() == 0)
        return painted({ code::masked }, 1, 1, CellCoder(), look, size);
    const auto along = [](Index cells, int length) { return static_cast<int>(std::min<Index>(cells, Index{ mostPixels } * length)); };
    const MatrixF &cells = head->stream.overview;
    return pictureOf(*head, colors, look, QSize(along(cells.cols(), size.width()), along(cells.rows(), size.height())));
}

Thumbnails::Thumbnails(QObject *parent)
    : QObject(parent)
{
    connect(&m_job, &Job::finished, this, &Thumbnails::ready);
}

void Thumbnails::setLook(const Theme &theme, double pixelScale)
{
    if (m_isDark == theme.isDark && m_pixelScale == pixelScale)
        return;
    m_isDark = theme.isDark;
    m_pixelScale = pixelScale;
    m_pictures.clear();
    m_job.cancel();
}

QImage Thumbnails::image(const std::shared_ptr<const HeadResult> &head, const ColorMap &colors, const QSize &size)
{
    constexpr Index littleWork = 128 * 128;
    const auto known = m_pictures.find(head.get());
    if (known != m_pictures.end() && known->second.colors == colors && known->second.size == size)
        return known->second.image;
    Picture picture{ head, colors, size, {} };
    if (head->stream.overview.size() > littleWork) {
        m_wanted.push_back(std::move(picture));
        return {};
    }
    const Theme &theme = m_isDark ? Theme::dark() : Theme::light();
    picture.image = pictureOf(*head, colors, cellLook(theme, theme.panel, m_pixelScale), size);
    return m_pictures.insert_or_assign(head.get(), std::move(picture)).first->second.image;
}

void Thumbnails::fetch()
{
    // One batch after the other: a new one with every head that becomes ready would never finish any.
    std::vector<Picture> wanted = std::exchange(m_wanted, {});
    if (wanted.empty() || m_job.isRunning())
        return;
    const Theme &theme = m_isDark ? Theme::dark() : Theme::light();
    const CellLook look = cellLook(theme, theme.panel, m_pixelScale);
    m_job.start([this, look, wanted = std::move(wanted)](const Run &run, const Job::Deliver &deliver) {
        for (const Picture &one : wanted) {
            if (run.stopped())
                return;
            Picture picture = one;
            picture.image = pictureOf(*one.head, one.colors, look, one.size);
            deliver([this, picture] {
                m_pictures.insert_or_assign(picture.head.get(), picture);
                emit ready();
            });
        }
    });
}

void Thumbnails::keepOnly(const AttentionResult &result)
{
    std::set<const HeadResult *> known;
    for (const auto &head : result.heads)
        known.insert(head.get());
    std::erase_if(m_pictures, [&known](const auto &one) { return !known.contains(one.first); });
}

QSize Thumbnails::size(Index rows, Index cols, int side)
{
    const double pixels = static_cast<double>(side) / static_cast<double>(std::max<Index>({ rows, cols, 1 }));
    const auto along = [&](Index cells) { return std::max(side / 8, static_cast<int>(static_cast<double>(cells) * pixels + 0.5)); };
    return { along(cols), along(rows) };
}

QImage Thumbnails::placeholder(const QSize &size) const
{
    const Theme &theme = m_isDark ? Theme::dark() : Theme::light();
    return painted({ code::masked }, 1, 1, CellCoder(), cellLook(theme, theme.panel, m_pixelScale), size);
}

} // namespace attenscope
