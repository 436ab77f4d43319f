// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of lines, kept and renewed; what mouse and keys do.
#include "views/lines/lines_canvas.h"

#include "views/zoom_note.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// So many are drawn in less than a frame.
constexpr Index fewLines = 4'000;
constexpr Index pageOfTokens = 10;
/// Closest zoom: so many tokens.
constexpr double leastTokens = 3.0;
/// That a step of the wheel moves by.
constexpr double wheelTokens = 3.0;

} // namespace

LinesCanvas::LinesCanvas(Selection &selection, QWidget *parent)
    : ScrollingCanvas(parent)
    , m_selection(selection)
{
    setAccessibleName(tr("Lines between queries and keys"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    connect(&selection, &Selection::hoveredChanged, this, &LinesCanvas::followSelection);
    connect(&selection, &Selection::pickedChanged, this, &LinesCanvas::followSelection);
    connect(&m_rows, &LineRows::ready, this, [this] {
        invalidate();
        emit hiddenChanged();
    });
}

void LinesCanvas::setContent(std::optional<LinesContent> content, const QString &reason)
{
    m_hasContent = content.has_value();
    m_reason = reason;
    if (content && !(m_scene.content == *content)) {
        m_scene.content = std::move(*content);
        layOut();
    }
    followPick();
    viewport()->update();
}

void LinesCanvas::clear()
{
    if (m_scene.content.heads.empty())
        return;
    m_drawing.cancel();
    m_hasContent = false;
    m_scene = {};
    m_rows.setContent({}, {});
    m_picture = m_litPicture = {};
}

void LinesCanvas::stopRows()
{
    m_rows.stop();
    emit hiddenChanged();
}

void LinesCanvas::resumeRows()
{
    m_rows.resume();
    emit hiddenChanged();
}

bool LinesCanvas::isUpToDate() const
{
    return !m_isStale && !m_drawing.isRunning() && m_rows.isComplete();
}

void LinesCanvas::layOut()
{
    if (m_scene.content.heads.empty())
        return;
    m_scene.style = { Theme::of(palette()), font() };
    m_scene.layout = LinesLayout(m_scene.content, m_scene.style, QSizeF(viewport()->size()));
    const double margin = 8.0 * m_scene.layout.scale;
    fit(verticalScrollBar(), m_scene.layout.height() + margin, viewport()->height() - m_scene.layout.headHeight, m_scene.layout.rowHeight);
    fit(horizontalScrollBar(), m_scene.layout.right + 2.0 * margin, viewport()->width(), margin);
    m_rows.setContent(m_scene.content, inView().queriesInView);
    updateEnds();
    invalidate();
    emit hiddenChanged();
}

void LinesCanvas::followPick()
{
    if (!isVisible() || m_scene.content.heads.empty() || m_selection.picked() == m_followed)
        return;
    const auto picked = m_selection.picked();
    const bool isQuery = picked && picked->row >= 0;
    const TokenSide side = isQuery ? TokenSide::Queries : TokenSide::Keys;
    const Index token = !picked ? -1 : isQuery ? picked->row : picked->col;
    // A pick may come before what it is of.
    if (picked && !(isQuery ? m_scene.content.queries : m_scene.content.keys).contains(token))
        return;
    m_followed = picked;
    if (!picked || m_isPicking)
        return;
    const double top = m_scene.layout.top(side, token);
    bringIntoView(verticalScrollBar(), top, top + m_scene.layout.rowHeight, window().height);
}

void LinesCanvas::followSelection()
{
    followPick();
    updateEnds();
    m_isLitStale = true;
    viewport()->update();
    emit hiddenChanged();
}

void LinesCanvas::updateEnds()
{
    if (!m_hasContent && m_scene.content.heads.empty())
        return;
    m_scene.pickedQueries = m_selection.pickedRows();
    m_scene.pickedKeys = m_selection.pickedCols();
    const auto cell = m_selection.current();
    m_scene.markedKey = cell && cell->row >= 0 && cell->col >= 0 ? std::optional(cell->col) : std::nullopt;
    const LitTokens lit = litTokens(m_selection);
    m_scene.ends = lineEnds(m_scene.content, lit, inView().queriesInView);
}

void LinesCanvas::invalidate()
{
    m_isStale = true;
    m_isLitStale = true;
    viewport()->update();
}

LinesPart LinesCanvas::inView() const
{
    const LinesWindow shown = window();
    return m_scene.layout.part(shown.top, shown.top + shown.height);
}

LinesWindow LinesCanvas::window() const
{
    return { static_cast<double>(verticalScrollBar()->value()), std::max(1.0, viewport()->height() - m_scene.layout.headHeight),
        devicePixelRatioF() };
}

QPointF LinesCanvas::onPage(QPointF point) const
{
    return point + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value() - m_scene.layout.headHeight);
}

void LinesCanvas::drawLines()
{
    if (m_isStale && (lineCount(m_rows.heads(), inView()) <= fewLines || m_picture.isNull())) {
        m_drawing.cancel();
        m_picture = linesImage(m_scene, m_rows.heads(), window());
        m_pictureTop = window().top;
        m_isStale = false;
    } else if (m_isStale && !m_drawing.isRunning()) {
        // Until it is finished: a new one with every row that arrives would never finish any.
        m_isStale = false;
        m_drawing.start([this, scene = m_scene, lines = m_rows.heads(), place = window()](const Run &, const Job::Deliver &deliver) {
            const QImage picture = linesImage(scene, lines, place);
            deliver([this, picture, place] {
                m_picture = picture;
                m_pictureTop = place.top;
                viewport()->update();
            });
        });
    }
    if (std::exchange(m_isLitStale, false))
        m_litPicture = litLinesImage(m_scene, m_rows.heads(), window());
}

void LinesCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const Theme &theme = Theme::of(palette());
    painter.fillRect(viewport()->rect(), theme.view);
    if (!m_hasContent) {
        paintReason(painter, m_reason);
        return;
    }
    drawLines();
    const LinesLayout &layout = m_scene.layout;
    const LinesWindow shown = window();
    const double x = -horizontalScrollBar()->value();
    painter.save();
    painter.setClipRect(QRectF(0.0, layout.headHeight, viewport()->width(), shown.height));
    painter.translate(x, layout.headHeight - shown.top);
    const bool hasLit = m_scene.ends.lit.side != TokenSide::Neither;
    if (hasLit)
        painter.setOpacity(opacityBesideLit(m_scene.content));
    painter.drawImage(QPointF(layout.leftDot, m_pictureTop), m_picture);
    painter.setOpacity(1.0);
    if (hasLit)
        painter.drawImage(QPointF(layout.leftDot, shown.top), m_litPicture);
    m_scene.paintLineNames(painter, m_rows.heads());
    m_scene.paintTokens(painter, inView());
    painter.restore();
    painter.translate(x, 0.0);
    m_scene.paintHead(painter);
}

void LinesCanvas::scrollContentsBy(int, int)
{
    if (!m_scene.ends.isWhole)
        updateEnds();
    invalidate();
}

void LinesCanvas::hover(QPointF point)
{
    const auto hit = m_hasContent && point.y() >= m_scene.layout.headHeight ? m_scene.layout.hit(onPage(point)) : std::nullopt;
    viewport()->setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!hit) {
        m_selection.setHovered(std::nullopt);
        return;
    }
    // A weight belongs to the token that is picked, a name is a token of its own.
    const auto rows = m_selection.pickedRows();
    const auto cols = m_selection.pickedCols();
    if (hit->side == TokenSide::Keys)
        m_selection.setHovered(CellRef{ hit->isNumber && rows.size() == 1 ? rows.front() : -1, hit->token });
    else
        m_selection.setHovered(CellRef{ hit->token, -1 });
}

void LinesCanvas::click(QPointF point, bool adds)
{
    const auto hit = m_hasContent && point.y() >= m_scene.layout.headHeight ? m_scene.layout.hit(onPage(point)) : std::nullopt;
    if (!hit)
        return;
    const bool isQuery = hit->side == TokenSide::Queries;
    if (adds) {
        isQuery ? m_selection.toggleRow(hit->token) : m_selection.toggleCol(hit->token);
        return;
    }
    const auto rows = m_selection.pickedRows();
    if (!isQuery && hit->isNumber && rows.size() == 1)
        m_selection.togglePicked({ rows.front(), hit->token });
    else
        m_selection.togglePicked(isQuery ? CellRef{ hit->token, -1 } : CellRef{ -1, hit->token });
}

void LinesCanvas::mouseMoveEvent(QMouseEvent *event)
{
    hover(event->position());
}

void LinesCanvas::mousePressEvent(QMouseEvent *event)
{
    const QScopedValueRollback picking(m_isPicking, true);
    if (event->button() == Qt::LeftButton)
        click(event->position(), (event->modifiers() & Qt::ControlModifier) != 0);
    else
        ScrollingCanvas::mousePressEvent(event);
}

void LinesCanvas::leave()
{
    m_selection.setHovered(std::nullopt);
}

void LinesCanvas::keyPressEvent(QKeyEvent *event)
{
    const QScopedValueRollback picking(m_isPicking, true);
    if (!m_hasContent) {
        ScrollingCanvas::keyPressEvent(event);
        return;
    }
    const Index step = event->modifiers() & Qt::ShiftModifier ? pageOfTokens : 1;
    const bool hasControl = (event->modifiers() & Qt::ControlModifier) != 0;
    const auto picked = m_selection.picked();
    const bool isKeyAlone = picked && picked->row < 0;
    const Index rows = m_scene.layout.rows;
    const Index cols = m_scene.layout.cols;
    switch (event->key()) {
    case Qt::Key_Up:
        isKeyAlone ? movePick(0, -step) : movePick(-step, 0);
        return;
    case Qt::Key_Down:
        isKeyAlone ? movePick(0, step) : movePick(step, 0);
        return;
    case Qt::Key_Left:
        movePick(0, -step);
        return;
    case Qt::Key_Right:
        movePick(0, step);
        return;
    case Qt::Key_Home:
        hasControl ? movePick(-rows, 0) : movePick(0, -cols);
        return;
    case Qt::Key_End: {
        if (hasControl || !picked || picked->row < 0) {
            hasControl ? movePick(rows, 0) : movePick(0, cols);
            return;
        }
        std::vector<double> cells(static_cast<std::size_t>(cols));
        m_scene.content.heads.front().weights->row(picked->row, 0, cells);
        Index last = cols - 1;
        while (last > 0 && cell::kind(cells[static_cast<std::size_t>(last)]) == cell::Kind::Masked)
            --last;
        m_selection.setPicked(CellRef{ picked->row, last });
        return;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_0:
        m_selection.setVisible(std::nullopt);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto hovered = m_selection.hovered(); hovered && hovered != picked)
            m_selection.setPicked(*hovered);
        return;
    case Qt::Key_Escape:
        if (picked) {
            m_selection.setPicked(std::nullopt);
            return;
        }
        break;
    default:
        break;
    }
    ScrollingCanvas::keyPressEvent(event);
}

void LinesCanvas::wheelEvent(QWheelEvent *event)
{
    const double steps = event->angleDelta().y() / 120.0;
    if (!m_hasContent || steps == 0.0) {
        ScrollingCanvas::wheelEvent(event);
    } else if (event->modifiers() & Qt::ControlModifier) {
        zoomAt(std::max(0.0, onPage(event->position()).y()), std::pow(wheelStep, steps));
    } else if (m_selection.visible() && verticalScrollBar()->maximum() == 0) {
        showCells(m_selection.visible()->translated(-steps * wheelTokens, -steps * wheelTokens));
    } else {
        ScrollingCanvas::wheelEvent(event);
    }
}

void LinesCanvas::zoomIn()
{
    zoomBy(keyStep);
}

void LinesCanvas::zoomOut()
{
    zoomBy(1.0 / keyStep);
}

void LinesCanvas::zoomBy(double factor)
{
    const LinesWindow shown = window();
    double y = shown.top + std::min(shown.height, m_scene.layout.height() - shown.top) / 2.0;
    if (const auto picked = m_selection.picked()) {
        const bool isQuery = picked->row >= 0;
        const LinesPart part = inView();
        if ((isQuery ? part.queriesInView : part.keysInView).contains(isQuery ? picked->row : picked->col))
            y = isQuery ? m_scene.layout.middle(TokenSide::Queries, picked->row) : m_scene.layout.middle(TokenSide::Keys, picked->col);
    }
    zoomAt(y, factor);
}

QRectF LinesCanvas::allCells() const
{
    return { 0.0, 0.0, static_cast<double>(m_scene.layout.cols), static_cast<double>(m_scene.layout.rows) };
}

void LinesCanvas::zoomAt(double y, double factor)
{
    const LinesLayout &layout = m_scene.layout;
    if (!m_hasContent || !(factor > 0.0))
        return;
    const LinesWindow shown = window();
    const double place = y / layout.rowHeight;
    const double offset = (y - shown.top) / layout.rowHeight;
    const QRectF cells = m_selection.visible().value_or(allCells());
    const QRectF all = allCells();
    const auto zoomed = [&](double first, double length, double whole) {
        double top = first;
        double count = length;
        // What is out of view goes first, or a step closer would show nothing new.
        if (factor > 1.0 && layout.height() > shown.height) {
            top = first + std::min(shown.top / layout.rowHeight, std::max(0.0, length - leastTokens));
            count = std::min(first + length - top, shown.height / layout.rowHeight);
        }
        const double anchor = std::clamp(first + place, top, top + count);
        const double size = std::clamp(count / factor, std::min(leastTokens, whole), whole);
        return std::pair(anchor - (anchor - top) * size / count, size);
    };
    const auto [left, width] = zoomed(cells.left(), cells.width(), all.width());
    const auto [top, height] = zoomed(cells.top(), cells.height(), all.height());
    const double anchor = cells.top() + place;
    showCells({ left, top, width, height });
    // The token at the mouse stays there.
    if (verticalScrollBar()->maximum() > 0)
        verticalScrollBar()->setValue(
            qRound((anchor - static_cast<double>(m_scene.layout.queries.first) - offset) * m_scene.layout.rowHeight));
}

void LinesCanvas::showCells(QRectF cells)
{
    const QRectF all = allCells();
    cells.moveLeft(std::clamp(cells.left(), 0.0, std::max(0.0, all.width() - cells.width())));
    cells.moveTop(std::clamp(cells.top(), 0.0, std::max(0.0, all.height() - cells.height())));
    cells = cells.intersected(all);
    constexpr double nearly = 1e-6;
    const bool isAll = cells.width() >= all.width() - nearly && cells.height() >= all.height() - nearly;
    m_selection.setVisible(isAll ? std::nullopt : std::optional(cells));
}

void LinesCanvas::movePick(Index queries, Index keys)
{
    const auto picked = m_selection.picked();
    CellRef cell = picked.value_or(CellRef{ -1, -1 });
    const auto moved = [](Index place, Index by, Index count) { return place < 0 ? 0 : std::clamp<Index>(place + by, 0, count - 1); };
    if (queries != 0 || !picked)
        cell.row = moved(cell.row, queries, m_scene.layout.rows);
    if (keys != 0)
        cell.col = moved(cell.col, keys, m_scene.layout.cols);
    m_selection.setHovered(std::nullopt);
    m_selection.setPicked(cell);
    queries != 0 || !picked ? reveal(TokenSide::Queries, cell.row) : reveal(TokenSide::Keys, cell.col);
}

void LinesCanvas::reveal(TokenSide side, Index token)
{
    m_selection.setVisible(visibleWith(m_selection.visible(), side == TokenSide::Queries ? CellRef{ token, -1 } : CellRef{ -1, token }));
    const double top = m_scene.layout.top(side, token);
    const LinesWindow shown = window();
    if (top < shown.top)
        verticalScrollBar()->setValue(static_cast<int>(std::floor(top)));
    else if (top + m_scene.layout.rowHeight > shown.top + shown.height)
        verticalScrollBar()->setValue(static_cast<int>(std::ceil(top + m_scene.layout.rowHeight - shown.height)));
}

} // namespace attenscope
