// SPDX-License-Identifier: GPL-3.0-or-later
// Patches on a page.
#include "views/patches/patches_scene.h"

#include "views/map/color_scale.h"
#include "views/readout_text.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double padding = 16.0;
constexpr double gap = 8.0;
constexpr double scaleHeight = 10.0;
constexpr double mostScaleWidth = 240.0;
constexpr double captionLines = 2.0;
/// From here on a patch has its number, if numbers are shown.
constexpr double leastSideWithNumber = 40.0;
/// Over a picture: of no weight, and of the largest.
constexpr double leastOpacity = 0.15;
constexpr double mostOpacity = 0.8;

} // namespace

PatchesScene::PatchesScene(const PatchesContent &content, const LinesStyle &style, const QSizeF &size)
    : m_style(style)
    , m_grid(content.grid)
{
    const double scale = style.scale();
    const QFontMetricsF notes(style.noteFont());
    const double edge = padding * scale;
    const double space = gap * scale;
    const double captionHeight = captionLines * notes.lineSpacing();
    const double scaleRoom = scaleHeight * scale + 2.0 * space + notes.height();
    const double width = size.width() - 2.0 * edge;
    const bool hasOthers = m_grid.first > 0;
    const double height = size.height() - 2.0 * edge - captionHeight - space - scaleRoom - (hasOthers ? 2.0 * space : 0.0);
    const auto cols = static_cast<double>(m_grid.cols);
    const Index otherRows = (m_grid.first + m_grid.cols - 1) / m_grid.cols;
    const auto rows = static_cast<double>(m_grid.rows + otherRows);
    m_side = std::max(1.0, std::min(width / cols, height / rows));
    if (m_side > 4.0)
        m_side = std::floor(m_side);
    const double left = edge + std::floor(std::max(0.0, width - m_side * cols) / 2.0);
    double top = edge;
    if (hasOthers) {
        m_others
            = QRectF(left, top, m_side * static_cast<double>(std::min(m_grid.first, m_grid.cols)), m_side * static_cast<double>(otherRows));
        top = m_others.bottom() + 2.0 * space;
    }
    m_patches = QRectF(left, top, m_side * cols, m_side * static_cast<double>(m_grid.rows));
    m_scale = QRectF(edge, m_patches.bottom() + 2.0 * space, width, scaleHeight * scale);
    m_caption = QRectF(edge, m_scale.bottom() + notes.height() + space, width, captionHeight);
}

QRectF PatchesScene::box(Index token) const
{
    if (token < m_grid.first)
        return { m_others.left() + m_side * static_cast<double>(token % m_grid.cols),
            m_others.top() + m_side * static_cast<double>(token / m_grid.cols), m_side, m_side };
    const Index patch = token - m_grid.first;
    return { m_patches.left() + m_side * static_cast<double>(patch % m_grid.cols),
        m_patches.top() + m_side * static_cast<double>(patch / m_grid.cols), m_side, m_side };
}

std::optional<Index> PatchesScene::hit(QPointF point) const
{
    const auto place = [&](const QRectF &area) {
        return std::pair(static_cast<Index>((point.y() - area.top()) / m_side), static_cast<Index>((point.x() - area.left()) / m_side));
    };
    if (m_others.contains(point)) {
        const auto [row, col] = place(m_others);
        const Index token = row * m_grid.cols + std::min(col, m_grid.cols - 1);
        return token < m_grid.first ? std::optional(token) : std::nullopt;
    }
    if (!m_patches.contains(point))
        return std::nullopt;
    const auto [row, col] = place(m_patches);
    return m_grid.first + std::min(row, m_grid.rows - 1) * m_grid.cols + std::min(col, m_grid.cols - 1);
}

void PatchesScene::paint(QPainter &painter, const PatchesContent &content) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
    if (!content.picture.isNull())
        painter.drawImage(m_patches, content.picture);
    const Index end = m_grid.first + m_grid.rows * m_grid.cols;
    for (Index token = 0; token < end; ++token)
        paintToken(painter, content, token);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_style.theme.line, m_style.scale()));
    painter.drawRect(m_patches);
    if (m_grid.first > 0) {
        const Index last = m_grid.first % m_grid.cols == 0 ? m_grid.first : m_grid.first - m_grid.first % m_grid.cols;
        if (last > 0)
            painter.drawRect(box(0).united(box(last - 1)));
        if (last < m_grid.first)
            painter.drawRect(box(last).united(box(m_grid.first - 1)));
        // What they are called, where there is room beside them.
        const AttentionBlock &block = content.weights.weights.block();
        const auto &names = content.side == TokenSide::Keys ? block.keyTokens : block.queryTokens;
        QStringList words;
        for (Index token = 0; token < m_grid.first; ++token)
            words.append(readout::tokenText(names, token));
        const double left = m_others.right() + gap * m_style.scale();
        const QRectF room(left, m_others.top(), std::max(0.0, m_caption.right() - left), m_others.height());
        const QFontMetricsF metrics(m_style.noteFont());
        painter.setFont(m_style.noteFont());
        painter.setPen(m_style.theme.secondaryText);
        painter.drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(words.join(QStringLiteral(" ")), Qt::ElideRight, room.width()));
    }
    paintMarks(painter, content);
    paintScale(painter, content);
    painter.setFont(m_style.noteFont());
    painter.setPen(m_style.theme.secondaryText);
    painter.drawText(m_caption, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, content.caption());
    painter.restore();
}

void PatchesScene::paintToken(QPainter &painter, const PatchesContent &content, Index token) const
{
    const QRectF place = box(token);
    const bool isOverPicture = !content.picture.isNull() && token >= m_grid.first;
    const double weight = content.weight(token);
    const ColorMap &colors = content.weights.colors;
    const auto single = static_cast<float>(weight);
    switch (cell::kind(weight)) {
    case cell::Kind::Absent:
        if (!isOverPicture)
            painter.fillRect(place, m_style.theme.maskedGround);
        painter.setPen(QPen(m_style.theme.faintLine, m_style.scale()));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place);
        return;
    case cell::Kind::Masked:
        painter.fillRect(place, m_style.theme.maskedGround);
        painter.fillRect(place, QBrush(m_style.theme.maskedHatch, Qt::BDiagPattern));
        return;
    case cell::Kind::Nan:
        painter.fillRect(place, Qt::white);
        painter.setPen(QPen(Qt::black, m_style.scale()));
        painter.drawLine(place.topLeft(), place.bottomRight());
        painter.drawLine(place.topRight(), place.bottomLeft());
        return;
    case cell::Kind::Number:
        break;
    }
    QColor color = colors.color(single);
    if (isOverPicture)
        color.setAlphaF(static_cast<float>(leastOpacity + (mostOpacity - leastOpacity) * colors.position(weight)));
    painter.fillRect(place, color);
    if (isOverPicture || !content.weights.hasNumbers || m_side < leastSideWithNumber * m_style.scale())
        return;
    const QFont font = m_style.noteFont();
    const QString text = endText(weight);
    if (QFontMetricsF(font).horizontalAdvance(text) > m_side - 2.0)
        return;
    painter.setFont(font);
    painter.setPen(colors.textColor(single));
    painter.drawText(place, Qt::AlignCenter, text);
}

void PatchesScene::paintMarks(QPainter &painter, const PatchesContent &content) const
{
    const TextContent &weights = content.weights;
    const Index end = m_grid.first + m_grid.rows * m_grid.cols;
    const auto mark = [&](Index token, const QColor &color, double width) {
        if (token < 0 || token >= end)
            return;
        // A light line beside the dark one is seen on every colour.
        const double inside = width * m_style.scale();
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Qt::white, inside + 2.0 * m_style.scale(), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(box(token));
        painter.setPen(QPen(color, inside, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(box(token));
    };
    // Of one text that is both, the picked tokens of the other side are patches too.
    const bool isOneText = weights.hasOneText();
    if (isOneText || content.side == TokenSide::Queries)
        for (const Index query : weights.pickedQueries)
            mark(query, m_style.theme.accent, 2.0);
    if (content.side == TokenSide::Keys || (isOneText && weights.pickedQueries.empty()))
        for (const Index key : weights.pickedKeys)
            mark(key, m_style.theme.accent, isOneText && !weights.pickedQueries.empty() ? 1.0 : 2.0);
    if (weights.hovered) {
        const Index hovered = content.side == TokenSide::Keys ? weights.hovered->col : weights.hovered->row;
        mark(hovered >= 0 || !isOneText ? hovered : std::max(weights.hovered->col, weights.hovered->row), m_style.theme.text, 1.0);
    }
}

void PatchesScene::paintScale(QPainter &painter, const PatchesContent &content) const
{
    const double scale = m_style.scale();
    const ColorMap &colors = content.weights.colors;
    MapStyle style;
    style.theme = m_style.theme;
    style.fontFamily = QFontInfo(m_style.font).family();
    style.scale = scale;
    const QString title = colors.isLogarithmic() ? QObject::tr("weight, logarithmic") : QObject::tr("weight");
    const double left = m_scale.left() + QFontMetricsF(m_style.noteFont()).horizontalAdvance(title) + 12.0 * scale;
    const QRectF bar(
        left, m_scale.top(), std::clamp(m_scale.right() - left - 16.0 * scale, 40.0 * scale, mostScaleWidth * scale), m_scale.height());
    // Sums of several queries may be more than 1.
    const bool hasAbove = std::any_of(content.weights.tints.begin(), content.weights.tints.end(),
        [&](double tint) { return cell::kind(tint) == cell::Kind::Number && tint > colors.upper() * (1.0 + 1e-4); });
    paintColorScale(painter, bar, colors, scaleTicks(colors, false), title, { false, hasAbove }, style);
}

} // namespace attenscope
