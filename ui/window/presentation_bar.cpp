// SPDX-License-Identifier: GPL-3.0-or-later
// PresentationBar.
#include "window/presentation_bar.h"

#include "core/text.h"
#include "state/theme.h"
#include "views/map/map_content.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace attenscope {

namespace {

constexpr int largeLetters = 20;
/// What a projector shows may be no smaller.
constexpr int leastLetters = 17;

} // namespace

PresentationBar::PresentationBar(Document &document, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_name(new QLabel(this))
    , m_what(new QLabel(this))
{
    QFont large = font();
    large.setPixelSize(largeLetters);
    m_what->setFont(large);
    large.setBold(true);
    m_name->setFont(large);
    m_what->setObjectName(QStringLiteral("presented"));
    for (QLabel *label : { m_name, m_what })
        label->setTextFormat(Qt::PlainText);
    m_what->setForegroundRole(QPalette::PlaceholderText);
    auto *leave = new QPushButton(tr("Esc leaves presentation"), this);
    QFont note = font();
    note.setPixelSize(leastLetters);
    leave->setFont(note);
    leave->setFixedHeight(32);
    leave->setFocusPolicy(Qt::NoFocus);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(24, 4, 24, 5);
    row->setSpacing(24);
    row->addWidget(m_name);
    // A long title is cut rather than makes the window wider.
    m_what->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_what, 1);
    row->addWidget(leave);
    connect(leave, &QPushButton::clicked, this, &PresentationBar::left);
    connect(&m_document, &Document::changed, this, &PresentationBar::follow);
    connect(&m_document, &Document::resultChanged, this, &PresentationBar::follow);
    follow();
    hide();
}

void PresentationBar::follow()
{
    const Session &session = m_document.session();
    const AttentionBlock &block = m_document.block();
    m_name->setText(QString::fromStdString(session.name));
    m_parts.clear();
    if (!m_document.hasPicture())
        return fit();
    QString mask = QString::fromStdString(maskName(session.mechanism.mask));
    if (session.comparison)
        mask = tr("%1 and %2").arg(mask, QString::fromStdString(maskName(session.comparison->mask)));
    const auto counted = [](Index count, const QString &one, const QString &more) {
        return count == 1 ? one : more.arg(QString::fromStdString(groupedCount(count)));
    };
    const QString queries = counted(block.queries, tr("1 query"), tr("%1 queries"));
    const QString keys = counted(block.keys, tr("1 key"), tr("%1 keys"));
    const QString size
        = block.queries == block.keys ? counted(block.keys, tr("1 token"), tr("%1 tokens")) : tr("%1, %2").arg(queries, keys);
    m_parts = { shownWords(m_document), m_document.wholeBlock().hasWeightsOnly() ? tr("recorded") : mask, size };
    fit();
}

void PresentationBar::fit()
{
    QFont letters = m_what->font();
    const auto fits = [&](const QString &text) { return QFontMetrics(letters).horizontalAdvance(text) <= m_what->width(); };
    for (auto count = m_parts.size(); count > 0; --count) {
        const QString text = QStringList(m_parts.mid(0, count)).join(QStringLiteral(", "));
        for (const int pixels : { largeLetters, leastLetters }) {
            letters.setPixelSize(pixels);
            if (!fits(text) && (count > 1 || pixels > leastLetters))
                continue;
            m_what->setFont(letters);
            m_what->setText(QFontMetrics(letters).elidedText(text, Qt::ElideRight, m_what->width()));
            return;
        }
    }
    m_what->clear();
}

void PresentationBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void PresentationBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(0, height() - 1, width(), 1, theme.line);
}

} // namespace attenscope
