// SPDX-License-Identifier: GPL-3.0-or-later
// Laying out and painting the terms of the readout: as many as fit, the weight always.
#include "views/readout.h"

#include "state/theme.h"
#include "views/readout_terms.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attenscope {

namespace {

using Look = ReadoutTerm::Look;
using Narrow = ReadoutTerm::Narrow;

/// What a strip does without. Terms are left out only where they do not fit with short labels; those that stay are explained where there is room.
struct Fit {
    enum Left { Everything, NoPattern, NoExponential, NoScore, NoShare };
    enum Labels { Long, ShortPattern, ShortExponential, Short };
    Left left = Everything;
    Labels labels = Long;
};
/// In this order; the last one still has the cell, what the mask says and the weight.
constexpr std::array allFits{ Fit{ Fit::Everything, Fit::Long }, Fit{ Fit::Everything, Fit::ShortPattern },
    Fit{ Fit::NoPattern, Fit::Long }, Fit{ Fit::NoPattern, Fit::ShortExponential }, Fit{ Fit::NoPattern, Fit::Short },
    Fit{ Fit::NoExponential, Fit::Long }, Fit{ Fit::NoExponential, Fit::Short }, Fit{ Fit::NoScore, Fit::Long },
    Fit{ Fit::NoScore, Fit::Short }, Fit{ Fit::NoShare, Fit::Short } };

bool isShown(const ReadoutTerm &term, const Fit &fit)
{
    switch (term.narrow) {
    case Narrow::DropPattern:
        return fit.left < Fit::NoPattern;
    case Narrow::DropExponential:
        return fit.left < Fit::NoExponential;
    case Narrow::DropScore:
        return fit.left < Fit::NoScore;
    case Narrow::DropShare:
        return fit.left < Fit::NoShare;
    case Narrow::Keep:
        break;
    }
    return true;
}

/// Whether @p term has its short label and no note.
bool isShort(const ReadoutTerm &term, const Fit &fit)
{
    return fit.labels == Fit::Short || (fit.labels == Fit::ShortExponential && term.narrow == Narrow::DropExponential)
        || (fit.labels == Fit::ShortPattern && term.narrow == Narrow::DropPattern);
}

/// A term in its place.
struct Placed {
    ReadoutTerm term; ///< Label, op and note as they are shown.
    double opCenter = 0.0;
    QRectF box;
    double noteLeft = 0.0;
};

} // namespace

struct Readout::Parts {
    Document &document;
    Selection &selection;
    ReadoutArithmetic arithmetic;
    std::vector<ReadoutTerm> terms;
    QString hint; ///< Instead of terms.
    std::vector<Placed> placed;
    int hovered = -1;
    int copied = -1; ///< The term whose label says so for a moment.
    QTimer refreshTimer;
    QTimer copiedTimer;

    Parts(Document &theDocument, Selection &theSelection)
        : document(theDocument)
        , selection(theSelection)
    {
    }

    [[nodiscard]] static double unit(const Readout &readout) { return QFontInfo(readout.font()).pixelSize() / 13.0; }

    /// Two lines and the room around them.
    [[nodiscard]] static int height(const Readout &readout)
    {
        constexpr double leastHeight = 72.0;
        const double lines = QFontMetricsF(labelFont(readout)).height() + QFontMetricsF(valueFont(readout, Look::Plain)).height();
        return qRound(std::max(leastHeight, lines + 4.0 * unit(readout) + 24.0));
    }

    [[nodiscard]] static QFont labelFont(const Readout &readout) { return sized(readout, 12.0, false); }
    [[nodiscard]] static QFont valueFont(const Readout &readout, Look look) { return sized(readout, 18.0, look != Look::Plain); }

    [[nodiscard]] static QFont sized(const Readout &readout, double pixels, bool isBold)
    {
        QFont font = readout.font();
        font.setPixelSize(std::max(1, qRound(pixels * unit(readout))));
        font.setBold(isBold);
        return font;
    }

    /// Right edge of the last term.
    double place(const Readout &readout, const Fit &fit)
    {
        const double u = unit(readout);
        const QFontMetricsF labels(labelFont(readout));
        const QFontMetricsF plain(valueFont(readout, Look::Plain));
        const double height = readout.height();
        double x = 16.0 * u;
        bool wasDropped = false;
        placed.clear();
        for (const ReadoutTerm &full : terms) {
            if (!isShown(full, fit)) {
                wasDropped = true;
                continue;
            }
            Placed one{ full, 0.0, {}, 0.0 };
            if (std::exchange(wasDropped, false))
                one.term.op = full.shortOp;
            if (isShort(full, fit)) {
                one.term.note.clear();
                if (!full.shortLabel.isEmpty())
                    one.term.label = full.shortLabel;
            }
            if (!placed.empty() && one.term.op.isEmpty()) {
                x += 22.0 * u;
            } else if (!placed.empty()) {
                const double width = plain.horizontalAdvance(one.term.op);
                one.opCenter = x + 16.0 * u + width / 2.0;
                x += 32.0 * u + width;
            }
            const double valueWidth = QFontMetricsF(valueFont(readout, one.term.look)).horizontalAdvance(one.term.value);
            one.noteLeft = x + valueWidth + 6.0 * u;
            const double noteWidth = one.term.note.isEmpty() ? 0.0 : 6.0 * u + labels.horizontalAdvance(one.term.note);
            const double width = std::max(labels.horizontalAdvance(one.term.label), valueWidth + noteWidth);
            one.box = QRectF(x, 0.0, width, height);
            x += width;
            placed.push_back(std::move(one));
        }
        return x;
    }

    void layOut(const Readout &readout)
    {
        hovered = -1;
        selection.setLit(std::nullopt);
        for (const Fit &fit : allFits) {
            if (place(readout, fit) <= readout.width() - 16.0 * unit(readout))
                return;
        }
    }

    [[nodiscard]] int termAt(const QPointF &point) const
    {
        for (int index = 0; index < static_cast<int>(placed.size()); ++index) {
            const Placed &one = placed[static_cast<std::size_t>(index)];
            if (!one.term.copied.isEmpty() && one.box.adjusted(-6.0, 0.0, 6.0, 0.0).contains(point))
                return index;
        }
        return -1;
    }
};

Readout::Readout(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    setMouseTracking(true);
    setAccessibleName(tr("Arithmetic of the cell"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(Parts::height(*this));
    m_parts->refreshTimer.setSingleShot(true);
    m_parts->copiedTimer.setSingleShot(true);
    connect(&m_parts->refreshTimer, &QTimer::timeout, this, &Readout::refresh);
    connect(&m_parts->copiedTimer, &QTimer::timeout, this, [this] {
        m_parts->copied = -1;
        update();
    });
    // Several changes in a row (a mouse that moves fast over a long row) are explained once.
    const auto refreshSoon = [this] { m_parts->refreshTimer.start(0); };
    connect(&selection, &Selection::hoveredChanged, this, refreshSoon);
    connect(&selection, &Selection::pickedChanged, this, refreshSoon);
    connect(&document, &Document::changed, this, refreshSoon);
    connect(&document, &Document::resultChanged, this, refreshSoon);
    connect(&document, &Document::summariesChanged, this, refreshSoon);
    refresh();
}

Readout::~Readout() = default;

QSize Readout::minimumSizeHint() const
{
    return { 0, minimumHeight() };
}

void Readout::refresh()
{
    const std::optional<CellRef> cell = m_parts->selection.current();
    m_parts->terms = cell ? m_parts->arithmetic.terms(m_parts->document, *cell) : std::vector<ReadoutTerm>();
    m_parts->hint = m_parts->terms.empty() ? tr("Hover or click a cell to see its arithmetic.") : QString();
    m_parts->copied = -1;
    m_parts->layOut(*this);
    QString words = m_parts->hint;
    for (const ReadoutTerm &term : m_parts->terms)
        words += QStringLiteral("%1 %2: %3 %4. ").arg(term.op, term.label, term.value, term.note).simplified() + u' ';
    setAccessibleDescription(words.simplified());
    update();
}

bool Readout::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int index = m_parts->termAt(help->pos());
        if (index < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(
                help->globalPos(), tr("%1. Click to copy.").arg(m_parts->placed[static_cast<std::size_t>(index)].term.copied), this);
        return true;
    }
    return QWidget::event(event);
}

void Readout::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange) {
        setFixedHeight(Parts::height(*this));
        m_parts->layOut(*this);
    }
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

void Readout::resizeEvent(QResizeEvent *event)
{
    m_parts->layOut(*this);
    QWidget::resizeEvent(event);
}

void Readout::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    const QFont labelFont = Parts::labelFont(*this);
    const QFontMetricsF labels(labelFont);
    const QFontMetricsF values(Parts::valueFont(*this, Look::Plain));
    // Label and value stand in the middle of the strip, their baselines the same for every term.
    const double gap = 4.0 * Parts::unit(*this);
    const double top = (height() + 1 - labels.height() - gap - values.height()) / 2.0;
    const double labelBase = std::round(top + labels.ascent());
    const double valueBase = std::round(top + labels.height() + gap + values.ascent());
    const auto draw = [&painter](const QFont &font, const QColor &color, double x, double baseline, const QString &words) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QPointF(x, baseline), words);
    };
    if (!m_parts->hint.isEmpty())
        draw(font(), theme.secondaryText, 16.0, std::round(height() / 2.0 + labels.ascent() / 2.0), m_parts->hint);
    for (int index = 0; index < static_cast<int>(m_parts->placed.size()); ++index) {
        const Placed &one = m_parts->placed[static_cast<std::size_t>(index)];
        const double x = one.box.left();
        if (index == m_parts->hovered) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.hover);
            painter.drawRoundedRect(QRectF(x - 6.0, top - 4.0, one.box.width() + 12.0, height() - 2.0 * (top - 4.0)), 4.0, 4.0);
        }
        const QFont valueFont = Parts::valueFont(*this, one.term.look);
        if (one.opCenter > 0.0) {
            const QFont opFont = Parts::valueFont(*this, Look::Plain);
            draw(opFont, theme.secondaryText, one.opCenter - values.horizontalAdvance(one.term.op) / 2.0, valueBase, one.term.op);
        }
        draw(labelFont, theme.secondaryText, x, labelBase, index == m_parts->copied ? tr("copied") : one.term.label);
        draw(valueFont, one.term.look == Look::Result ? theme.accent : theme.text, x, valueBase, one.term.value);
        if (!one.term.note.isEmpty())
            draw(labelFont, theme.secondaryText, one.noteLeft, valueBase, one.term.note);
    }
}

void Readout::mouseMoveEvent(QMouseEvent *event)
{
    const int hovered = m_parts->termAt(event->position());
    setCursor(hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setHoveredTerm(hovered);
}

void Readout::setHoveredTerm(int term)
{
    if (std::exchange(m_parts->hovered, term) == term)
        return;
    std::optional<CellRef> lit = term >= 0 ? m_parts->selection.current() : std::nullopt;
    if (lit && m_parts->placed[static_cast<std::size_t>(term)].term.isOfRow)
        lit->col = -1;
    m_parts->selection.setLit(lit);
    update();
}

void Readout::leaveEvent(QEvent *event)
{
    setHoveredTerm(-1);
    QWidget::leaveEvent(event);
}

void Readout::mouseReleaseEvent(QMouseEvent *event)
{
    const int index = m_parts->termAt(event->position());
    if (index < 0 || event->button() != Qt::LeftButton)
        return;
    QGuiApplication::clipboard()->setText(m_parts->placed[static_cast<std::size_t>(index)].term.copied);
    m_parts->copied = index;
    m_parts->copiedTimer.start(1200);
    update();
}

} // namespace attenscope
