// SPDX-License-Identifier: GPL-3.0-or-later
// The scrolled field of thumbnails behind HeadGrid, and what stands there for one head alone.
#include "state/color_map.h"
#include "state/icons.h"
#include "state/theme.h"
#include "views/heads/head_layout.h"
#include "views/heads/heads.h"
#include "views/heads/thumbnails.h"

#include <QAbstractScrollArea>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedLayout>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>

namespace attenscope {

namespace {

/// Paints and picks; knows the document alone.
class HeadField : public QAbstractScrollArea {
public:
    explicit HeadField(Document &document)
        : m_document(document)
    {
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::StrongFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setAccessibleName(HeadGrid::tr("Heads"));
        viewport()->setMouseTracking(true);
        connect(&m_thumbnails, &Thumbnails::ready, viewport(), qOverload<>(&QWidget::update));
    }

    void refresh()
    {
        m_thumbnails.keepOnly(*m_document.result());
        layOut();
        const HeadRef picked = m_document.head();
        setAccessibleDescription(HeadGrid::tr("Head %1 is picked.").arg(QString::fromStdString(headName(*m_document.input(), picked))));
        if (std::exchange(m_lastPicked, picked) != picked)
            showPicked();
        viewport()->update();
    }

protected:
    bool viewportEvent(QEvent *event) override
    {
        if (event->type() == QEvent::ToolTip) {
            const auto *help = static_cast<QHelpEvent *>(event);
            const int index = m_layout.at(help->pos() + scrolled());
            if (index < 0)
                QToolTip::hideText();
            else
                QToolTip::showText(help->globalPos(), tipOf(m_layout.heads[static_cast<std::size_t>(index)].head), viewport());
            return true;
        }
        if (event->type() == QEvent::Leave)
            setHovered(-1);
        return QAbstractScrollArea::viewportEvent(event);
    }

    void resizeEvent(QResizeEvent *) override { layOut(); }

    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::FontChange)
            layOut();
        if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
            viewport()->update();
        QAbstractScrollArea::changeEvent(event);
    }

    void paintEvent(QPaintEvent *event) override
    {
        const Theme &theme = Theme::of(palette());
        m_thumbnails.setLook(theme, devicePixelRatioF());
        QPainter painter(viewport());
        painter.fillRect(event->rect(), theme.panel);
        const QRect area = event->rect().translated(scrolled()).adjusted(-frameReach, -frameReach, frameReach, frameReach);
        painter.translate(-scrolled());
        for (const HeadCaption &caption : m_layout.captions) {
            if (!caption.line.intersects(area))
                continue;
            paintCaption(painter, caption, theme);
            painter.fillRect(QRect(caption.line.bottomLeft(), QSize(caption.line.width(), 1)), theme.line);
        }
        paintCaption(painter, m_layout.note, theme);
        for (std::size_t index = 0; index < m_layout.heads.size(); ++index) {
            const HeadPlace &place = m_layout.heads[index];
            if (place.thumbnail.united(place.name).intersects(area))
                paintHead(painter, place, static_cast<int>(index) == m_hovered, theme);
        }
        m_thumbnails.fetch();
        if (hasFocus() && m_hasRing) {
            painter.resetTransform();
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.accent, 2.0));
            painter.drawRect(QRectF(viewport()->rect()).adjusted(1.0, 1.0, -1.0, -1.0));
        }
    }

    void mouseMoveEvent(QMouseEvent *event) override { setHovered(m_layout.at(event->pos() + scrolled())); }

    void mousePressEvent(QMouseEvent *event) override
    {
        if (event->button() == Qt::LeftButton)
            pick(m_layout.at(event->pos() + scrolled()));
    }

    void focusInEvent(QFocusEvent *event) override
    {
        // A ring where the mouse went says nothing.
        if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
            m_hasRing = event->reason() != Qt::MouseFocusReason;
        viewport()->update();
    }
    void focusOutEvent(QFocusEvent *) override { viewport()->update(); }

    void keyPressEvent(QKeyEvent *event) override
    {
        const int picked = pickedIndex();
        const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
        if (picked < 0 || !isPlain) {
            event->ignore();
            return;
        }
        switch (event->key()) {
        case Qt::Key_Left:
            return pick(m_layout.neighbour(picked, -1, 0));
        case Qt::Key_Right:
            return pick(m_layout.neighbour(picked, 1, 0));
        case Qt::Key_Up:
            return pick(m_layout.neighbour(picked, 0, -1));
        case Qt::Key_Down:
            return pick(m_layout.neighbour(picked, 0, 1));
        case Qt::Key_Home:
            return pick(0);
        case Qt::Key_End:
            return pick(static_cast<int>(m_layout.heads.size()) - 1);
        default:
            event->ignore();
        }
    }

private:
    static constexpr int frameReach = 4; ///< How far the frame of the picked one stands out.

    [[nodiscard]] QPoint scrolled() const { return { 0, verticalScrollBar()->value() }; }

    [[nodiscard]] int pickedIndex() const
    {
        const HeadRef picked = m_document.head();
        for (std::size_t index = 0; index < m_layout.heads.size(); ++index) {
            if (m_layout.heads[index].head == picked)
                return static_cast<int>(index);
        }
        return -1;
    }

    void pick(int index)
    {
        if (index >= 0)
            m_document.pickHead(m_layout.heads[static_cast<std::size_t>(index)].head);
    }

    void setHovered(int index)
    {
        if (std::exchange(m_hovered, index) == index)
            return;
        viewport()->setCursor(index >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        viewport()->update();
    }

    void layOut()
    {
        m_layout = layOutHeads(
            *m_document.input(), m_document.result()->spec, m_document.head().element, viewport()->width(), fontMetrics().height());
        m_hovered = -1;
        QScrollBar *bar = verticalScrollBar();
        bar->setRange(0, std::max(0, m_layout.height - viewport()->height()));
        bar->setPageStep(viewport()->height());
        bar->setSingleStep(24);
    }

    void showPicked()
    {
        const int picked = pickedIndex();
        if (picked < 0)
            return;
        const HeadPlace &place = m_layout.heads[static_cast<std::size_t>(picked)];
        const QRect whole = place.thumbnail.united(place.name).adjusted(0, -8, 0, 8);
        QScrollBar *bar = verticalScrollBar();
        if (whole.top() < bar->value())
            bar->setValue(whole.top());
        else if (whole.bottom() > bar->value() + viewport()->height())
            bar->setValue(whole.bottom() - viewport()->height());
    }

    [[nodiscard]] QString tipOf(const HeadRef &ref) const
    {
        const QString name = QString::fromStdString(headName(*m_document.input(), ref));
        const auto head = m_document.result()->find(ref);
        if (!head)
            return HeadGrid::tr("Head %1: not computed yet.").arg(name);
        return HeadGrid::tr("Head %1. Mean over rows: entropy %2 nats, %3 keys, largest weight %4.")
            .arg(name)
            .arg(head->summary.entropy.mean, 0, 'f', 4)
            .arg(head->summary.effectiveKeys.mean, 0, 'f', 2)
            .arg(head->summary.largest.mean, 0, 'f', 4);
    }

    void paintCaption(QPainter &painter, const HeadCaption &caption, const Theme &theme)
    {
        QFont small = font();
        small.setPixelSize(std::max(1, qRound(QFontInfo(font()).pixelSize() * 12.0 / 13.0)));
        painter.setFont(small);
        painter.setPen(theme.secondaryText);
        const QString text = QFontMetrics(small).elidedText(caption.text, Qt::ElideRight, caption.line.width());
        painter.drawText(caption.line, Qt::AlignLeft | Qt::AlignTop, text);
    }

    void paintHead(QPainter &painter, const HeadPlace &place, bool isHovered, const Theme &theme)
    {
        const double ratio = devicePixelRatioF();
        const AttentionBlock &block = m_document.input()->blocks[static_cast<std::size_t>(place.head.block)];
        const QSize pixels = (QSizeF(place.thumbnail.size()) * ratio).toSize();
        const auto head = m_document.result()->find(place.head);
        QImage picture = head ? m_thumbnails.image(head, weightColors(m_document.session().view, block.keys), pixels) : QImage();
        if (picture.isNull())
            picture = m_thumbnails.placeholder(pixels);
        // One to one: from a whole device pixel on.
        const QPointF corner = place.thumbnail.topLeft();
        painter.drawImage(QPointF(std::round(corner.x() * ratio) / ratio, std::round(corner.y() * ratio) / ratio), picture);

        const bool isPicked = place.head == m_document.head();
        if (isPicked || isHovered) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(isPicked ? theme.accent : theme.line, isPicked ? 2.0 : 1.0));
            painter.drawRoundedRect(QRectF(place.thumbnail).adjusted(-3.0, -3.0, 3.0, 3.0), 3.0, 3.0);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        QFont name = font();
        name.setBold(isPicked);
        painter.setFont(name);
        painter.setPen(isPicked ? theme.accent : theme.text);
        painter.drawText(place.name, Qt::AlignLeft | Qt::AlignVCenter, place.nameText);
    }

    Document &m_document;
    HeadLayout m_layout;
    HeadRef m_lastPicked{ -1, -1, -1, -1 };
    int m_hovered = -1;
    bool m_hasRing = false;
    Thumbnails m_thumbnails;
};

/// Why there is nothing to see, and what to do about it.
class OneHead : public QWidget {
public:
    explicit OneHead(HeadGrid &grid)
        : m_picture(new QLabel)
        , m_button(new QPushButton(icon(QStringLiteral("add")), HeadGrid::tr("Add a head")))
    {
        auto *words = new QLabel(HeadGrid::tr("One head: it is in the middle.\nMore heads would appear here."));
        words->setAlignment(Qt::AlignCenter);
        words->setWordWrap(true);
        words->setForegroundRole(QPalette::PlaceholderText);
        m_picture->setAlignment(Qt::AlignCenter);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(16, 16, 16, 16);
        column->setSpacing(16);
        column->addStretch(2);
        column->addWidget(m_picture);
        column->addWidget(words);
        column->addWidget(m_button, 0, Qt::AlignHCenter);
        column->addStretch(3);
        connect(m_button, &QPushButton::clicked, &grid, &HeadGrid::addHeadRequested);
        setAutoFillBackground(true);
        setBackgroundRole(QPalette::Base);
        drawPicture();
    }

    void setCanAdd(bool canAdd) { m_button->setVisible(canAdd); }

protected:
    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange)
            drawPicture();
        QWidget::changeEvent(event);
    }

private:
    void drawPicture()
    {
        m_picture->setPixmap(iconPixmap(QStringLiteral("map"), 32, Theme::of(palette()).maskedHatch, devicePixelRatioF()));
    }

    QLabel *m_picture;
    QPushButton *m_button;
};

} // namespace

struct HeadGrid::Parts {
    Document &document;
    HeadField *field;
    OneHead *oneHead;
    QStackedLayout *pages;
};

HeadGrid::HeadGrid(Document &document, Selection &, QWidget *parent)
    : QWidget(parent)
    , m_parts(new Parts{ document, new HeadField(document), new OneHead(*this), new QStackedLayout(this) })
{
    m_parts->pages->addWidget(m_parts->field);
    m_parts->pages->addWidget(m_parts->oneHead);
    setFocusProxy(m_parts->field);
    const auto refresh = [this] {
        const Parts &parts = *m_parts;
        const bool isAlone = allHeads(*parts.document.input(), parts.document.result()->spec, 0).size() == 1;
        parts.pages->setCurrentIndex(isAlone ? 1 : 0);
        parts.oneHead->setCanAdd(!std::holds_alternative<FileSource>(parts.document.session().source));
        parts.field->refresh();
        emit titleNoteChanged();
    };
    connect(&document, &Document::changed, this, refresh);
    connect(&document, &Document::resultChanged, this, refresh);
    refresh();
}

HeadGrid::~HeadGrid() = default;

QString HeadGrid::titleNote() const
{
    const Document &document = m_parts->document;
    const AttentionResult &result = *document.result();
    const std::size_t all = allHeads(*document.input(), result.spec, document.head().element).size();
    if (result.heads.size() < all)
        return tr("%1 of %2 ready").arg(result.heads.size()).arg(all);
    if (document.input()->blocks.size() > 1)
        return tr("%1 heads").arg(all);
    const AttentionBlock &block = document.input()->blocks.front();
    const int heads = headCount(block, result.spec);
    const QString headText = heads == 1 ? tr("1 head") : tr("%1 heads").arg(heads);
    const QString layerText = block.layers == 1 ? tr("1 layer") : tr("%1 layers").arg(block.layers);
    return all == 1 ? headText : layerText + QStringLiteral(" × ") + headText;
}

} // namespace attenscope
