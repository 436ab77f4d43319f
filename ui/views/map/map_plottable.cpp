// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the level, gathers tiles, folds them to device pixels and writes numbers into large cells.
#include "views/map/map_plottable.h"

#include "attention/row_share_field.h"
#include "core/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double leastCellWithNumber = 32.0;
constexpr double leastCellWithFourDecimals = 96.0;
constexpr double leastCellWithInfinity = 20.0; // as text; smaller cells have a plus or minus
constexpr double leastCellWithGap = 16.0;
constexpr double leastTexelWithMark = 4.0; // in device pixels: rounded it may have the five that a mark needs
constexpr int mostExactLevelOfPreview = 2;
constexpr double mostCellsOfFigure = 1e8; // computed for one picture
constexpr std::size_t mostEncodedTiles = 80; // those of the last drawing are kept, however many
/// Half a millisecond each at worst.
constexpr int mostEncodingsOfFrame = 6;

Index divideUp(Index number, Index divisor)
{
    return (number + divisor - 1) / divisor;
}

std::uint64_t tileKey(int level, Index row, Index col)
{
    return (static_cast<std::uint64_t>(level) << 56U) | (static_cast<std::uint64_t>(row) << 28U) | static_cast<std::uint64_t>(col);
}

/// Device pixels of an axis coordinate.
double devicePosition(const QCPAxis &axis, double coordinate, double ratio)
{
    return axis.coordToPixel(coordinate) * ratio;
}

QString infinityText(double number)
{
    return number > 0.0 ? QStringLiteral("+∞") : QStringLiteral("−∞");
}

QString cellNumber(double number, int decimals, bool isSigned)
{
    QString text = QString::fromStdString(displayNumber(number, decimals));
    const bool isZero = std::all_of(text.cbegin(), text.cend(), [](QChar character) { return character == u'0' || character == u'.'; });
    return isSigned && number > 0.0 && !isZero ? u'+' + text : text;
}

} // namespace

MapPlottable::MapPlottable(QCPAxis *keyAxis, QCPAxis *queryAxis, MapScene &scene, std::size_t panel, TileCache *cache)
    : QCPAbstractPlottable(keyAxis, queryAxis)
    , m_scene(scene)
    , m_index(panel)
    , m_cache(cache)
    , m_numbers(cache ? NumbersInView::Mode::Fetched : NumbersInView::Mode::ReadAtOnce)
{
    setSelectable(QCP::stNone);
    setAntialiasedFill(false);
}

void MapPlottable::followContent()
{
    const MapPanel &next = m_scene.content.panels[m_index];
    const bool isOtherField = next.field != m_panel.field || next.isByRow != m_panel.isByRow;
    if (isOtherField)
        m_shades = next.isByRow && next.field ? rowShareField(next.field) : next.field;
    m_numbers.setField(next.field);
    const bool areOtherColors = !(next.colors == m_panel.colors) || next.fold != m_panel.fold;
    if (isOtherField || areOtherColors)
        m_encoded.clear();
    m_panel = next;
    if (areOtherColors)
        m_coder = CellCoder(next.colors, next.fold);
}

std::shared_ptr<const MatrixF> MapPlottable::tile(int level, Index row, Index col)
{
    if (m_cache)
        return m_cache->tile(m_shades, m_panel.fold, level, row, col);
    const auto found = m_encoded.find(tileKey(level, row, col));
    if (found != m_encoded.end())
        return found->second.tile;
    auto cells = std::make_shared<MatrixF>();
    m_shades->read(TileCache::tileCells(*m_shades, level, row, col), level, m_panel.fold, *cells);
    return cells;
}

const std::vector<CellCode> *MapPlottable::encoded(int level, Index row, Index col, const std::shared_ptr<const MatrixF> &tile)
{
    EncodedTile &entry = m_encoded[tileKey(level, row, col)];
    entry.frame = m_frame;
    if (entry.tile != tile) {
        if (m_cache && m_encodingsLeft == 0)
            return nullptr;
        --m_encodingsLeft;
        entry.tile = tile;
        entry.codes.resize(static_cast<std::size_t>(tile->size()));
        m_coder.encode(*tile, entry.codes.data(), static_cast<std::size_t>(tile->cols()));
    }
    return &entry.codes;
}

MapPlottable::Source MapPlottable::sourceOf(Index tileRow, Index tileCol)
{
    constexpr Index side = TileCache::tileSize;
    const int top = std::max(m_window.level, TileCache::topLevel(m_panel.field->rows(), m_panel.field->cols()));
    for (int level = m_window.level; level <= top; ++level) {
        const int coarser = level - m_window.level;
        const Index row = tileRow >> coarser;
        const Index col = tileCol >> coarser;
        const auto found = tile(level, row, col);
        if (!found) {
            if (coarser == 0)
                m_missing.push_back({ m_shades, m_panel.fold, level, row, col });
            continue;
        }
        if (const std::vector<CellCode> *codes = encoded(level, row, col, found)) {
            const Index firstRow = ((tileRow * side) >> coarser) - row * side;
            const Index firstCol = ((tileCol * side) >> coarser) - col * side;
            return { codes->data() + firstRow * found->cols() + firstCol, found->cols(), coarser };
        }
        // What is coarser stands in for it until the next drawing.
        if (coarser == 0) {
            m_isUnfinished = true;
            ++m_scene.missingTiles;
        }
    }
    m_hasGaps = true;
    return {};
}

void MapPlottable::gather(const Window &window)
{
    constexpr Index side = TileCache::tileSize;
    m_window = window;
    m_sources.clear();
    m_texels.resize(static_cast<std::size_t>(window.cols.size()));
    if (m_encoded.size() > mostEncodedTiles)
        std::erase_if(m_encoded, [this](const auto &entry) { return entry.second.frame != m_frame; });
    ++m_frame;
    m_encodingsLeft = mostEncodingsOfFrame;
    m_missing.clear();
    m_hasGaps = false;
    if (m_panel.field->isEstimate(window.level))
        m_scene.estimates.push_back(m_index);
    for (Index row = window.rows.first / side; row * side < window.rows.end; ++row)
        for (Index col = window.cols.first / side; col * side < window.cols.end; ++col)
            m_sources.push_back(sourceOf(row, col));
    m_scene.neededTiles += m_sources.size();
    m_scene.missingTiles += m_missing.size();
    const double middleRow = static_cast<double>(window.rows.first + window.rows.end) / (2.0 * side) - 0.5;
    const double middleCol = static_cast<double>(window.cols.first + window.cols.end) / (2.0 * side) - 0.5;
    const auto distance = [&](const TileCache::Request &one) {
        return std::hypot(static_cast<double>(one.row) - middleRow, static_cast<double>(one.col) - middleCol);
    };
    std::stable_sort(m_missing.begin(), m_missing.end(),
        [&](const TileCache::Request &a, const TileCache::Request &b) { return distance(a) < distance(b); });
}

const CellCode *MapPlottable::texelRow(Index row)
{
    constexpr Index side = TileCache::tileSize;
    const auto &[level, rows, cols] = m_window;
    const Index y = rows.first + row;
    const Index tilesAcross = divideUp(cols.end, side) - cols.first / side;
    const Source *source = m_sources.data() + (y / side - rows.first / side) * tilesAcross;
    CellCode *out = m_texels.data();
    for (Index start = cols.first / side * side; start < cols.end; start += side, ++source) {
        // Where this tile lies in the window.
        const Index first = std::max(cols.first, start) - start;
        const Index end = std::min(cols.end, start + side) - start;
        const CellCode *line = source->codes + ((y % side) >> source->coarser) * source->stride;
        if (!source->codes)
            std::fill_n(out, end - first, code::absent);
        else if (source->coarser == 0)
            std::copy(line + first, line + end, out);
        else
            for (Index x = first; x < end; ++x)
                out[x - first] = line[x >> source->coarser];
        out += end - first;
    }
    return m_texels.data();
}

void MapPlottable::draw(QCPPainter *painter)
{
    if (m_index == 0) {
        m_scene.forgetDrawing();
        if (m_cache)
            m_cache->beginFrame();
    }
    m_missing.clear();
    m_isUnfinished = false;
    // Also takes back the half pixel that QCPPainter moves everything by while it is on.
    painter->setAntialiasing(false);
    if (!m_panel.field || m_scene.layout.isEmpty() || !keyAxis() || !valueAxis())
        return;
    const double ratio = painter->device()->devicePixelRatioF() * painter->transform().m11();
    const auto rowCount = m_panel.field->rows();
    const auto colCount = m_panel.field->cols();
    // The visible cells and their device pixels.
    const QRectF &shown = m_scene.layout.shown;
    const double left = std::max(0.0, shown.left());
    const double right = std::min(static_cast<double>(colCount), shown.right());
    const double top = std::max(0.0, shown.top());
    const double bottom = std::min(static_cast<double>(rowCount), shown.bottom());
    const auto pixelLeft = static_cast<Index>(std::lround(devicePosition(*keyAxis(), left, ratio)));
    const auto pixelTop = static_cast<Index>(std::lround(devicePosition(*valueAxis(), top, ratio)));
    const Index pixelWidth = std::lround(devicePosition(*keyAxis(), right, ratio)) - pixelLeft;
    const Index pixelHeight = std::lround(devicePosition(*valueAxis(), bottom, ratio)) - pixelTop;
    if (pixelWidth <= 0 || pixelHeight <= 0)
        return;
    const double cellWidth = (devicePosition(*keyAxis(), right, ratio) - devicePosition(*keyAxis(), left, ratio)) / (right - left);
    const double cellHeight = (devicePosition(*valueAxis(), bottom, ratio) - devicePosition(*valueAxis(), top, ratio)) / (bottom - top);

    Window window;
    const double finest = std::max(cellWidth, cellHeight);
    if (finest < 1.0 - 1e-9) {
        // Of means a pixel can show only one, so they are folded to at least a pixel; of maxima it shows the largest of two.
        const double exact = std::log2(1.0 / finest);
        window.level = static_cast<int>(m_panel.fold == Fold::Mean ? std::ceil(exact - 1e-9) : std::floor(exact + 1e-9));
        window.level = std::clamp(window.level, 0, TileCache::topLevel(rowCount, colCount));
        // Between an estimate and tiles that take a moment nothing is worth its time: what is exact comes with the whole head.
        const std::optional<int> atHand = m_panel.field->levelAtHand(m_panel.fold);
        if (atHand && m_panel.field->isEstimate(*atHand) && window.level > mostExactLevelOfPreview)
            window.level = std::max(window.level, *atHand);
        // A figure is drawn while the window waits.
        if (atHand && !m_cache && (right - left) * (bottom - top) > mostCellsOfFigure)
            window.level = std::max(window.level, *atHand);
    }
    const Index texel = Index(1) << window.level;
    const auto texels = [texel](double first, double end, Index count) {
        return Range{ static_cast<Index>(std::floor(first)) / texel,
            std::min(divideUp(static_cast<Index>(std::ceil(end)), texel), divideUp(count, texel)) };
    };
    window.rows = texels(top, bottom, rowCount);
    window.cols = texels(left, right, colCount);
    const double texelWidth = cellWidth * static_cast<double>(texel);
    const double texelHeight = cellHeight * static_cast<double>(texel);
    const double texelsPerPixel = std::max(1.0, 1.0 / std::min(texelWidth, texelHeight));

    gather(window);
    const double scale = m_scene.style.scale * ratio;
    const auto gapOf = [&](double cell) { return cell >= leastCellWithGap * scale ? std::max<Index>(1, std::lround(scale)) : Index(0); };
    const auto firstEdge = [&](const QCPAxis &axis, Index firstTexel, Index pixelStart) {
        return devicePosition(axis, static_cast<double>(firstTexel * texel), ratio) - static_cast<double>(pixelStart);
    };
    const PixelSpan rowSpan = PixelSpan::between(
        firstEdge(*valueAxis(), window.rows.first, pixelTop), texelHeight, window.rows.size(), pixelHeight, gapOf(texelHeight));
    const PixelSpan colSpan = PixelSpan::between(
        firstEdge(*keyAxis(), window.cols.first, pixelLeft), texelWidth, window.cols.size(), pixelWidth, gapOf(texelWidth));
    CellKinds kinds;
    QImage image = cellImage([this](Index row) { return texelRow(row); }, window.cols.size(), rowSpan, colSpan, m_coder,
        cellLook(m_scene.style.theme, m_scene.style.background, scale), kinds, std::move(m_image));
    // What is not there yet is no row that ends early.
    kinds.hasAbsent = kinds.hasAbsent && !m_hasGaps;
    noteFold(window, finest, texelsPerPixel, kinds);
    const double narrowest = std::min(cellWidth, cellHeight) / scale;
    const bool hasNumbers = m_scene.content.hasNumbers && window.level == 0 && narrowest >= leastCellWithNumber;
    const bool hasMarks
        = (kinds.hasNan || kinds.hasPlusInfinity || kinds.hasMinusInfinity) && std::min(texelWidth, texelHeight) >= leastTexelWithMark;
    std::vector<CellCode> codes; // for what is written on cells
    for (Index row = 0; (hasNumbers || hasMarks) && row < window.rows.size(); ++row) {
        const CellCode *line = texelRow(row);
        codes.insert(codes.end(), line, line + window.cols.size());
    }
    if (hasMarks)
        stampMarks(image, codes, rowSpan, colSpan, window.cols.size(), scale, leastCellWithInfinity * scale);
    painter->save();
    painter->scale(1.0 / ratio, 1.0 / ratio);
    painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter->drawImage(QPointF(static_cast<double>(pixelLeft), static_cast<double>(pixelTop)), image);
    painter->restore();
    m_image = std::move(image);
    m_numbers.follow(hasNumbers ? window.rows : Range(), hasNumbers ? window.cols : Range());
    m_scene.lacksNumbers |= !m_numbers.areComplete();
    if (hasNumbers)
        drawNumbers(*painter, window, codes);
    else if (narrowest >= leastCellWithInfinity && (kinds.hasPlusInfinity || kinds.hasMinusInfinity))
        drawInfinities(*painter, window, codes);
}

void MapPlottable::drawInfinities(QPainter &painter, const Window &cells, const std::vector<CellCode> &codes) const
{
    const QFont font = m_scene.style.font(m_scene.style.px(12.0));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(Qt::black);
    for (Index row = cells.rows.first; row < cells.rows.end; ++row) {
        for (Index col = cells.cols.first; col < cells.cols.end; ++col) {
            const CellCode cell = codes[static_cast<std::size_t>((row - cells.rows.first) * cells.cols.size() + col - cells.cols.first)];
            if (cell != code::plusInfinity && cell != code::minusInfinity)
                continue;
            const QString text = infinityText(cell == code::plusInfinity ? 1.0 : -1.0);
            painter.drawText(QPointF(keyAxis()->coordToPixel(static_cast<double>(col) + 0.5) - metrics.horizontalAdvance(text) / 2.0,
                                 valueAxis()->coordToPixel(static_cast<double>(row) + 0.5) + metrics.capHeight() / 2.0),
                text);
        }
    }
}

void MapPlottable::noteFold(const Window &window, double finest, double texelsPerPixel, const CellKinds &kinds)
{
    m_scene.kinds |= kinds;
    if (finest >= 1.0 - 1e-9)
        return;
    const Index texel = Index(1) << window.level;
    m_scene.foldedCells = m_panel.fold == Fold::Mean ? texel : texel * static_cast<Index>(std::ceil(texelsPerPixel - 1e-6));
    m_scene.isFoldEven = m_panel.fold == Fold::Mean || std::abs(texelsPerPixel - std::round(texelsPerPixel)) < 1e-6;
}

QRgb MapPlottable::groundOf(CellCode cell) const
{
    if (cell == code::absent)
        return m_scene.style.background.rgb();
    // What is too large for the scale lies on white.
    return cell >= code::firstNumber && cell < code::endNumber ? m_coder.color(cell) : 0xffffffffU;
}

void MapPlottable::drawNumbers(QPainter &painter, const Window &cells, const std::vector<CellCode> &codes)
{
    constexpr double mostFixed = 1e6; // larger ones do not decide how many decimals the others have
    struct Entry {
        Index row;
        Index col;
        double number;
        CellCode code;
    };
    std::vector<Entry> entries;
    double largest = 0.0;
    auto coded = codes.begin();
    for (Index row = cells.rows.first; row < cells.rows.end; ++row) {
        for (Index col = cells.cols.first; col < cells.cols.end; ++col, ++coded) {
            const std::optional<double> number = m_numbers.at(row, col);
            if (!number || cell::kind(*number) != cell::Kind::Number)
                continue;
            entries.push_back({ row, col, *number, *coded });
            if (std::abs(*number) < mostFixed)
                largest = std::max(largest, std::abs(*number));
        }
    }
    const double width = std::abs(keyAxis()->coordToPixel(1.0) - keyAxis()->coordToPixel(0.0));
    const double height = std::abs(valueAxis()->coordToPixel(1.0) - valueAxis()->coordToPixel(0.0));
    const double side = std::min(width, height) / m_scene.style.scale;
    const QFont font
        = m_scene.style.font(m_scene.style.px(side >= leastCellWithFourDecimals ? 20.0 : std::clamp(std::round(side * 0.29), 10.0, 13.0)));
    const QFontMetricsF metrics(font);
    const double digit = metrics.horizontalAdvance(u'0');
    const bool isSigned = m_panel.side == Side::Difference;
    const double room = width - m_scene.style.px(2.0);
    const auto widthOf = [&](const QString &text) { return metrics.horizontalAdvance(text); };
    int decimals = side >= leastCellWithFourDecimals ? 4 : 2;
    const bool hasSign = isSigned || m_panel.colors.lower() < 0.0;
    while (decimals > 0 && widthOf(cellNumber(hasSign ? -largest : largest, decimals, isSigned)) > room)
        --decimals;
    painter.setFont(font);
    const double baseline = (metrics.capHeight()) / 2.0;
    const QRectF &map = m_scene.layout.maps[m_index];
    for (const Entry &entry : entries) {
        QString text = std::isinf(entry.number) ? infinityText(entry.number) : cellNumber(entry.number, decimals, isSigned);
        if (text.size() * digit > room && widthOf(text) > room)
            text = QString::number(entry.number, 'e', 0).remove(u'+').replace(u'-', u'−');
        const double advance = widthOf(text);
        if (advance > room)
            continue;
        const QPointF place(keyAxis()->coordToPixel(static_cast<double>(entry.col) + 0.5) - advance / 2.0,
            valueAxis()->coordToPixel(static_cast<double>(entry.row) + 0.5) + baseline);
        // Half a number would be another one.
        if (place.x() < map.left() || place.x() + advance > map.right() || place.y() - 2.0 * baseline < map.top()
            || place.y() > map.bottom())
            continue;
        painter.setPen(textColorOn(groundOf(entry.code)));
        painter.drawText(place, text);
    }
}

double MapPlottable::selectTest(const QPointF &, bool, QVariant *) const
{
    return -1.0;
}

QCPRange MapPlottable::getKeyRange(bool &foundRange, QCP::SignDomain) const
{
    foundRange = m_panel.field != nullptr;
    return foundRange ? QCPRange(0.0, static_cast<double>(m_panel.field->cols())) : QCPRange();
}

QCPRange MapPlottable::getValueRange(bool &foundRange, QCP::SignDomain, const QCPRange &) const
{
    foundRange = m_panel.field != nullptr;
    return foundRange ? QCPRange(0.0, static_cast<double>(m_panel.field->rows())) : QCPRange();
}

QRect MapPlottable::clipRect() const
{
    if (m_index >= m_scene.layout.maps.size())
        return {};
    // QCPLayer moves what it is told up by a pixel.
    return m_scene.layout.maps[m_index].toAlignedRect().adjusted(0, 0, 0, 1);
}

void MapPlottable::drawLegendIcon(QCPPainter *, const QRectF &) const { }

} // namespace attenscope
