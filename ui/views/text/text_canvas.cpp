// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, keys and scrolling of the text.
#include "views/text/text_canvas.h"

#include "views/zoom_note.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr Index pageOfTokens = 10;

} // namespace

TextCanvas::TextCanvas(Selection &selection, QWidget *parent)
    : ScrollingCanvas(parent)
    , m_selection(selection)
{
    setAccessibleName(tr("Text in the colours of weights"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&selection, &Selection::hoveredChanged, this, &TextCanvas::followSelection);
    connect(&selection, &Selection::pickedChanged, this, &TextCanvas::followSelection);
}

void TextCanvas::setContent(std::optional<LinesContent> weights, const ViewState &view, const QString &reason)
{
    m_hasContent = weights.has_value();
    m_reason = reason;
    m_view = view;
    if (weights) {
        m_weights = std::move(weights);
        if (const auto picked = m_selection.picked())
            m_picks = picked->row >= 0 ? TokenSide::Queries : TokenSide::Keys;
        layOut();
        followPick();
    }
    viewport()->update();
}

void TextCanvas::layOut()
{
    if (!m_weights)
        return;
    const bool hasNumbers = m_view.numbers == CellNumbers::WhenTheyFit;
    m_scene = TextScene(*m_weights, { Theme::of(palette()), font() }, viewport()->width(), hasNumbers, m_picks);
    fit(verticalScrollBar(), m_scene.height(), viewport()->height(), 28.0);
    updateContent();
}

void TextCanvas::followSelection()
{
    if (!m_weights)
        return;
    // A key alone can only have been picked as a key.
    const auto picked = m_selection.picked();
    const TokenSide before = m_picks;
    if (picked)
        m_picks = picked->row >= 0 ? TokenSide::Queries : TokenSide::Keys;
    followPick();
    if (m_picks != before)
        layOut();
    else if (followMouse(m_content, m_selection))
        viewport()->update();
    else
        updateContent();
}

void TextCanvas::followPick()
{
    if (!isVisible() || m_selection.picked() == m_followed)
        return;
    const auto picked = m_selection.picked();
    const bool isQuery = picked && picked->row >= 0;
    const QRectF box = picked ? m_scene.box(isQuery ? TokenSide::Queries : TokenSide::Keys, isQuery ? picked->row : picked->col) : QRectF();
    // A pick may come before what it is of.
    if (picked && box.isEmpty())
        return;
    m_followed = picked;
    if (picked && !m_isPicking)
        bringIntoView(verticalScrollBar(), box.top(), box.bottom(), viewport()->height());
}

void TextCanvas::updateContent()
{
    m_content = textContent(*m_weights, m_view, m_selection, queriesInView());
    viewport()->update();
    emit contentChanged();
}

Range TextCanvas::queriesInView() const
{
    const double top = verticalScrollBar()->value();
    return m_scene.tokens(TokenSide::Queries, top, top + viewport()->height());
}

QPointF TextCanvas::onPage(QPointF point) const
{
    return point + QPointF(0.0, verticalScrollBar()->value());
}

void TextCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const Theme &theme = Theme::of(palette());
    painter.fillRect(viewport()->rect(), theme.view);
    if (!m_hasContent) {
        paintReason(painter, m_reason);
        return;
    }
    const double top = verticalScrollBar()->value();
    painter.translate(0.0, -top);
    m_scene.paint(painter, m_content, top, top + viewport()->height());
}

void TextCanvas::scrollContentsBy(int, int)
{
    if (m_weights && !m_content.ends.isWhole)
        updateContent();
    viewport()->update();
}

void TextCanvas::setPicks(TokenSide side)
{
    if (m_picks == side)
        return;
    const bool toKeys = side == TokenSide::Keys;
    const auto tokens = toKeys ? m_selection.pickedRows() : m_selection.pickedCols();
    const Index most = toKeys ? m_weights->cols() : m_weights->rows();
    m_picks = side;
    if (tokens.empty() || tokens.front() >= most) {
        m_selection.setPicked(std::nullopt);
        layOut();
        return;
    }
    m_selection.setPicked(toKeys ? CellRef{ -1, tokens.front() } : CellRef{ tokens.front(), -1 });
    layOut();
}

void TextCanvas::pick(TokenSide side, Index token)
{
    m_selection.setPicked(side == TokenSide::Queries ? CellRef{ token, -1 } : CellRef{ -1, token });
}

void TextCanvas::pickRange(const TextHit &from, Index to)
{
    {
        // One change for all of them.
        const QSignalBlocker blocker(m_selection);
        pick(from.side, from.token);
        const Index direction = to < from.token ? -1 : 1;
        for (Index token = from.token; token != to;) {
            token += direction;
            from.side == TokenSide::Queries ? m_selection.toggleRow(token) : m_selection.toggleCol(token);
        }
    }
    emit m_selection.pickedChanged();
}

void TextCanvas::mousePressEvent(QMouseEvent *event)
{
    const QScopedValueRollback picking(m_isPicking, true);
    const auto hit = m_hasContent ? m_scene.hit(onPage(event->position())) : std::nullopt;
    if (event->button() != Qt::LeftButton || !hit)
        return;
    if (event->modifiers() & Qt::ControlModifier) {
        hit->side == TokenSide::Queries ? m_selection.toggleRow(hit->token) : m_selection.toggleCol(hit->token);
        return;
    }
    m_pressed = hit;
    m_dragged = hit->token;
}

void TextCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const QScopedValueRollback picking(m_isPicking, true);
    const auto hit = m_hasContent ? m_scene.hit(onPage(event->position())) : std::nullopt;
    viewport()->setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (m_pressed) {
        if (hit && hit->side == m_pressed->side && hit->token != m_dragged) {
            m_dragged = hit->token;
            pickRange(*m_pressed, m_dragged);
        }
        return;
    }
    if (!hit) {
        m_selection.setHovered(std::nullopt);
        return;
    }
    // With one token picked the cell of both is meant: the readout has its number.
    const auto rows = m_selection.pickedRows();
    const auto cols = m_selection.pickedCols();
    CellRef cell = hit->side == TokenSide::Queries ? CellRef{ hit->token, -1 } : CellRef{ -1, hit->token };
    const bool isOneText = m_content.hasOneText();
    const TokenSide tinted = m_content.tinted();
    if (tinted == TokenSide::Keys && rows.size() == 1 && (isOneText || hit->side == TokenSide::Keys))
        cell = { rows.front(), hit->token };
    else if (tinted == TokenSide::Queries && rows.empty() && cols.size() == 1 && (isOneText || hit->side == TokenSide::Queries))
        cell = { hit->token, cols.front() };
    m_selection.setHovered(cell);
}

void TextCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    const QScopedValueRollback picking(m_isPicking, true);
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    if (!pressed || event->button() != Qt::LeftButton || m_dragged != pressed->token)
        return;
    const auto picked = m_selection.picked();
    const bool isQuery = pressed->side == TokenSide::Queries;
    const CellRef cell = isQuery ? CellRef{ pressed->token, -1 } : CellRef{ -1, pressed->token };
    const bool isPicked = picked && (isQuery ? picked->row : picked->col) == pressed->token && m_selection.moreRows().empty()
        && m_selection.moreCols().empty();
    // The cell that was picked elsewhere may have a key too: a click on its query unpicks it as well.
    m_selection.setPicked(isPicked ? std::nullopt : std::optional(cell));
}

void TextCanvas::leave()
{
    m_selection.setHovered(std::nullopt);
}

void TextCanvas::movePick(Index step, int lines)
{
    const auto picked = m_selection.picked();
    const bool isKey = m_picks == TokenSide::Keys;
    const Index most = isKey ? m_weights->cols() : m_weights->rows();
    Index token = picked ? (isKey ? picked->col : picked->row) : -1;
    if (token < 0)
        token = 0;
    else if (lines != 0)
        token = m_scene.inNextLine(m_picks, token, lines);
    else
        token = std::clamp<Index>(token + step, 0, most - 1);
    m_selection.setHovered(std::nullopt);
    m_selection.setVisible(visibleWith(m_selection.visible(), isKey ? CellRef{ -1, token } : CellRef{ token, -1 }));
    pick(m_picks, token);
    const QRectF box = m_scene.box(m_picks, token);
    const double margin = box.height();
    QScrollBar *bar = verticalScrollBar();
    if (box.top() - margin < bar->value())
        bar->setValue(static_cast<int>(box.top() - margin));
    else if (box.bottom() + margin > bar->value() + viewport()->height())
        bar->setValue(static_cast<int>(box.bottom() + margin) - viewport()->height());
}

void TextCanvas::keyPressEvent(QKeyEvent *event)
{
    const QScopedValueRollback picking(m_isPicking, true);
    if (!m_hasContent) {
        ScrollingCanvas::keyPressEvent(event);
        return;
    }
    const Index step = event->modifiers() & Qt::ShiftModifier ? pageOfTokens : 1;
    const Index all = std::max(m_weights->rows(), m_weights->cols());
    switch (event->key()) {
    case Qt::Key_Left:
        movePick(-step, 0);
        return;
    case Qt::Key_Right:
        movePick(step, 0);
        return;
    case Qt::Key_Up:
        movePick(0, -1);
        return;
    case Qt::Key_Down:
        movePick(0, 1);
        return;
    case Qt::Key_Home:
        movePick(-all, 0);
        return;
    case Qt::Key_End:
        movePick(all, 0);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto hovered = m_selection.hovered(); hovered && hovered != m_selection.picked())
            m_selection.setPicked(*hovered);
        return;
    case Qt::Key_Escape:
        if (m_selection.picked()) {
            m_selection.setPicked(std::nullopt);
            return;
        }
        break;
    default:
        break;
    }
    ScrollingCanvas::keyPressEvent(event);
}

} // namespace attenscope
