// SPDX-License-Identifier: GPL-3.0-or-later
// The table of one matrix.
#include "panels/input/matrix_view.h"

#include "core/text.h"
#include "panels/controls.h"
#include "panels/input/name_header.h"
#include "panels/scrolling_page.h"
#include "state/theme.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

namespace attenscope {

namespace {

constexpr int mostRowsShown = 12;
constexpr int mostNamesMeasured = 100;
constexpr int widestName = 96;

/// The current cell has the accent's frame, as in a spreadsheet; others that are selected its ground.
class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::of(option.palette);
        const auto *view = static_cast<const QTableView *>(option.widget);
        const bool isCurrent = view->currentIndex() == index && view->hasFocus();
        if ((option.state & QStyle::State_Selected) && view->hasFocus())
            painter->fillRect(option.rect, isCurrent ? theme.panel : theme.accentGround);
        painter->setFont(option.font);
        painter->setPen(theme.text);
        // Cut at the end: without its first digits a number would be another one. The tooltip has all of them.
        const QRect place = option.rect.adjusted(2, 0, -6, 0);
        const QString text = option.fontMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, place.width());
        painter->drawText(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, text);
        // The style's own grid colour is lost on a dark ground.
        painter->setPen(theme.line);
        painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        if (isCurrent) {
            painter->setPen(QPen(theme.accent, 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        }
    }

    void updateEditorGeometry(QWidget *editor, const QStyleOptionViewItem &option, const QModelIndex &) const override
    {
        editor->setGeometry(option.rect);
    }
};

} // namespace

MatrixView::MatrixView(QWidget *parent)
    : QTableView(parent)
    , m_rowHeader(new NameHeader(Qt::Vertical, this))
    , m_columnHeader(new NameHeader(Qt::Horizontal, this))
{
    setVerticalHeader(m_rowHeader);
    setHorizontalHeader(m_columnHeader);
    setModel(&m_model);
    setItemDelegate(new CellDelegate(this));
    setCornerButtonEnabled(false);
    // The corner between the headers is nothing here, so nothing is painted.
    if (auto *corner = findChild<QAbstractButton *>())
        corner->installEventFilter(this);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setSelectionMode(QAbstractItemView::ContiguousSelection);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_columnHeader, &QHeaderView::sectionClicked, this, [this] { setFocus(Qt::MouseFocusReason); });
    connect(m_rowHeader, &QHeaderView::sectionClicked, this, [this](int row) {
        setFocus(Qt::MouseFocusReason);
        emit rowVisited(row);
    });
    connect(m_rowHeader, &NameHeader::sectionHovered, this, &MatrixView::rowHovered);
    connect(&m_model, &MatrixModel::badTextEntered, this, [this] { m_hadBadText = true; });
    fitCells();
}

void MatrixView::showMatrix(const SharedMatrix &matrix, std::vector<std::string> names, bool hasNames)
{
    const QModelIndex current = currentIndex();
    const int row = current.row();
    const int col = current.column();
    const bool isOtherShape = matrix.rows() != m_model.matrix().rows() || matrix.cols() != m_model.matrix().cols();
    m_isShowing = true;
    m_rowHeader->setNameable(hasNames);
    m_model.setMatrix(matrix, std::move(names), hasNames);
    if (isOtherShape && row >= 0 && m_model.rowCount() > 0 && m_model.columnCount() > 0)
        goTo(qMin(row, m_model.rowCount() - 1), qMin(col, m_model.columnCount() - 1));
    m_isShowing = false;
    fitCells();
}

void MatrixView::goTo(int row, int col)
{
    setCurrentIndex(m_model.index(row, col));
}

QItemSelectionRange MatrixView::chosen() const
{
    const QItemSelection selection = selectionModel()->selection();
    if (!selection.isEmpty())
        return selection.first();
    if (currentIndex().isValid())
        return QItemSelectionRange(currentIndex());
    return { m_model.index(0, 0), m_model.index(m_model.rowCount() - 1, m_model.columnCount() - 1) };
}

QString MatrixView::chosenText() const
{
    QString text;
    const QItemSelectionRange range = chosen();
    for (int row = range.top(); row <= range.bottom(); ++row) {
        for (int col = range.left(); col <= range.right(); ++col) {
            if (col > range.left())
                text += QLatin1Char('\t');
            text += QString::fromStdString(exactNumber(m_model.matrix().at(row, col)));
        }
        text += QLatin1Char('\n');
    }
    return text;
}

bool MatrixView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        // A cell takes letters, digits and clipboard keys; the window's one-key commands are for elsewhere.
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isTyping
            = !key->text().isEmpty() && key->text().front().isPrint() && !(key->modifiers() & (Qt::ControlModifier | Qt::MetaModifier));
        const bool isArrow = key->key() >= Qt::Key_Home && key->key() <= Qt::Key_PageDown;
        if (isTyping || isArrow || key->key() == Qt::Key_Delete || key->matches(QKeySequence::Copy) || key->matches(QKeySequence::Cut)
            || key->matches(QKeySequence::Paste)) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void MatrixView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        emit copyRequested();
        return;
    }
    if (event->matches(QKeySequence::Cut)) {
        emit cutRequested();
        return;
    }
    if (event->matches(QKeySequence::Paste)) {
        emit pasteRequested();
        return;
    }
    const bool hasAlt = event->modifiers() & Qt::AltModifier;
    switch (event->key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        emit clearRequested();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (state() != EditingState && currentIndex().isValid()) {
            edit(currentIndex());
            return;
        }
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (hasAlt) {
            emit moveRequested(event->key() == Qt::Key_Up ? -1 : 1, 0);
            return;
        }
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (hasAlt) {
            emit moveRequested(0, event->key() == Qt::Key_Left ? -1 : 1);
            return;
        }
        break;
    default:
        break;
    }
    QTableView::keyPressEvent(event);
}

bool MatrixView::focusNextPrevChild(bool next)
{
    // At the first and the last cell Tab leaves the table, so that the keyboard is never caught in it.
    const QModelIndex current = currentIndex();
    const bool isAtEnd = !current.isValid()
        || (next ? current.row() == m_model.rowCount() - 1 && current.column() == m_model.columnCount() - 1
                 : current.row() == 0 && current.column() == 0);
    return isAtEnd ? QAbstractScrollArea::focusNextPrevChild(next) : QTableView::focusNextPrevChild(next);
}

void MatrixView::closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint)
{
    QTableView::closeEditor(editor, hint);
    const bool isEnter = hint == QAbstractItemDelegate::SubmitModelCache;
    if (isEnter && !m_hadBadText && currentIndex().row() + 1 < m_model.rowCount())
        goTo(currentIndex().row() + 1, currentIndex().column());
    m_hadBadText = false;
}

void MatrixView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    // Repainted whole: the frame of the current cell reaches into nothing else, but selection grounds change with it.
    viewport()->update();
    if (!m_isShowing && hasFocus() && current.isValid()) {
        emit rowVisited(current.row());
        // Nothing moves under the mouse.
        if (!m_isUnderMouse)
            revealCurrent();
    }
}

void MatrixView::revealCurrent()
{
    const QRect cell = visualRect(currentIndex());
    reveal(this, { viewport()->mapTo(this, cell.topLeft()), cell.size() });
}

void MatrixView::focusInEvent(QFocusEvent *event)
{
    QTableView::focusInEvent(event);
    if (currentIndex().isValid() && event->reason() != Qt::MouseFocusReason)
        revealCurrent();
}

void MatrixView::mousePressEvent(QMouseEvent *event)
{
    m_isUnderMouse = true;
    QTableView::mousePressEvent(event);
    m_isUnderMouse = false;
}

void MatrixView::mouseMoveEvent(QMouseEvent *event)
{
    m_isUnderMouse = true;
    QTableView::mouseMoveEvent(event);
    m_isUnderMouse = false;
    emit rowHovered(indexAt(event->pos()).row());
}

bool MatrixView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        emit rowHovered(-1);
    return QTableView::viewportEvent(event);
}

bool MatrixView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Paint && qobject_cast<QAbstractButton *>(watched))
        return true;
    return QTableView::eventFilter(watched, event);
}

void MatrixView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitCells();
}

void MatrixView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitHeight();
}

void MatrixView::fitCells()
{
    const QFontMetrics metrics = fontMetrics();
    const int rowHeight = qMax(24, metrics.height() + 8);
    m_rowHeader->setMinimumSectionSize(rowHeight);
    m_rowHeader->setDefaultSectionSize(rowHeight);
    m_columnHeader->setMinimumSectionSize(24);
    m_columnHeader->setDefaultSectionSize(qMax(56, metrics.horizontalAdvance(QStringLiteral("−0.0000")) + 8));
    m_columnHeader->setFixedHeight(qMax(22, metrics.height() + 6));
    int widest = 0;
    for (int row = 0; row < qMin(m_model.rowCount(), mostNamesMeasured); ++row)
        widest = qMax(widest, metrics.horizontalAdvance(m_model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString()));
    m_rowHeader->setFixedWidth(qBound(32, widest + 16, widestName));
    fitHeight();
}

void MatrixView::fitHeight()
{
    const int rows = qMin(m_model.rowCount(), mostRowsShown);
    int wanted = m_columnHeader->height() + rows * m_rowHeader->defaultSectionSize() + 1;
    const int cellsWidth = m_model.columnCount() * m_columnHeader->defaultSectionSize();
    if (m_rowHeader->width() + cellsWidth > width())
        wanted += horizontalScrollBar()->sizeHint().height();
    if (minimumHeight() != wanted || maximumHeight() != wanted)
        setFixedHeight(wanted);
}

} // namespace attenscope
