// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar and LoadingBar.
#include "window/message_bar.h"

#include "state/icons.h"
#include "state/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTextLayout>
#include <QTimer>
#include <QToolButton>

namespace attenscope {

namespace {

constexpr int lineGap = 2;

/// The home folder as ~, as people write it.
QString shownPath(const std::string &path)
{
    QString shown = QString::fromStdString(path);
    const QString home = QDir::homePath();
    if (home.size() > 1 && shown.startsWith(home + QLatin1Char('/')))
        shown.replace(0, home.size(), QStringLiteral("~"));
    return shown;
}

} // namespace

MessageText::MessageText(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MessageText::setError(const Error &error)
{
    m_what = QString::fromStdString(error.what);
    m_where = QString::fromStdString(error.where);
    m_remedy = QString::fromStdString(error.remedy);
    m_path = shownPath(error.path);
    const QString whole = QString::fromStdString(error.sentence());
    setToolTip(whole);
    setAccessibleName(whole);
    updateGeometry();
    update();
}

QFont MessageText::bold() const
{
    QFont font = this->font();
    font.setBold(true);
    return font;
}

bool MessageText::isFlowing() const
{
    const int space = fontMetrics().horizontalAdvance(QLatin1Char(' '));
    const int where = m_where.isEmpty() ? 0 : space + fontMetrics().horizontalAdvance(m_where);
    return QFontMetrics(bold()).horizontalAdvance(m_what) + where > width();
}

int MessageText::lines() const
{
    return m_remedy.isEmpty() && m_path.isEmpty() && !isFlowing() ? 1 : 2;
}

QSize MessageText::sizeHint() const
{
    const int height = fontMetrics().height();
    return QSize(200, lines() * height + (lines() - 1) * lineGap);
}

QSize MessageText::minimumSizeHint() const
{
    return QSize(80, sizeHint().height());
}

void MessageText::resizeEvent(QResizeEvent *event)
{
    updateGeometry();
    QWidget::resizeEvent(event);
}

std::array<std::vector<MessageText::Piece>, 2> MessageText::rows() const
{
    const Theme &theme = Theme::of(palette());
    std::vector<Piece> pieces;
    const auto add = [&pieces](const QString &text, const QFont &font, const QColor &color, Qt::TextElideMode mode) {
        if (!text.isEmpty())
            pieces.push_back({ text, font, color, mode });
    };
    add(m_what, bold(), theme.text, Qt::ElideRight);
    add(m_where, font(), theme.text, Qt::ElideRight);
    const std::size_t upper = pieces.size();
    add(m_remedy, font(), theme.secondaryText, Qt::ElideRight);
    add(m_path, font(), theme.secondaryText, Qt::ElideMiddle);
    const auto lower = pieces.begin() + static_cast<std::ptrdiff_t>(upper);
    if (!isFlowing())
        return { std::vector(pieces.begin(), lower), std::vector(lower, pieces.end()) };

    // What does not fit into the upper line goes on in the lower one, before what to do.
    std::array<std::vector<Piece>, 2> rows;
    int free = width();
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
        const QFontMetrics metrics(piece->font);
        if (!rows[1].empty() || free <= 0) {
            rows[1].push_back(*piece);
            continue;
        }
        QTextLayout layout(piece->text, piece->font);
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(free);
        layout.endLayout();
        const int end = line.naturalTextWidth() <= free ? line.textLength() : 0;
        Piece head = *piece;
        Piece tail = *piece;
        head.text = piece->text.first(end).trimmed();
        tail.text = piece->text.sliced(end).trimmed();
        if (!head.text.isEmpty())
            rows[0].push_back(head);
        free -= metrics.horizontalAdvance(head.text + QLatin1Char(' '));
        if (!tail.text.isEmpty())
            rows[1].push_back(tail);
    }
    return rows;
}

void MessageText::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int height = fontMetrics().height();
    int top = 0;
    for (const std::vector<Piece> &row : rows()) {
        int x = 0;
        for (std::size_t index = 0; index < row.size(); ++index) {
            const Piece &piece = row[index];
            const QFontMetrics metrics(piece.font);
            // A long piece leaves room for the next one, up to half of the line.
            int next = 0;
            if (index + 1 < row.size())
                next = std::min(QFontMetrics(row[index + 1].font).horizontalAdvance(QLatin1Char(' ') + row[index + 1].text), width() / 2);
            const QString shown = metrics.elidedText(piece.text, piece.mode, std::max(0, width() - x - next));
            painter.setFont(piece.font);
            painter.setPen(piece.color);
            painter.drawText(x, top + metrics.ascent(), shown);
            x += metrics.horizontalAdvance(shown + QLatin1Char(' '));
        }
        top += height + lineGap;
    }
}

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent)
    , m_text(new MessageText(this))
    , m_close(new QToolButton(this))
{
    setAccessibleName(tr("Message"));
    auto *column = new QVBoxLayout;
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(8);
    column->addWidget(m_text);
    column->addLayout(m_buttons);
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setIconSize(QSize(16, 16));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close (Esc)"));
    m_close->setAccessibleName(tr("Close the message"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(56, 9, 8, 9);
    row->setSpacing(8);
    row->addLayout(column, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, [this] {
        clear();
        emit closed();
    });
    hide();
}

void MessageBar::showMessage(const Message &message, std::vector<MessageAction> actions)
{
    if (message.error.isCancelled)
        return;
    m_kind = message.kind;
    m_error = message.error;
    m_actions = std::move(actions);
    m_isShown = true;
    m_text->setError(m_error);
    setAccessibleDescription(sentence());
    rebuildButtons();
    show();
    update();
}

void MessageBar::rebuildButtons()
{
    while (QLayoutItem *item = m_buttons->takeAt(0)) {
        if (QWidget *button = item->widget()) {
            // An action may replace the message that its button belongs to.
            button->hide();
            button->deleteLater();
        }
        delete item;
    }
    const auto addButton = [this](const QString &caption, const char *look, std::function<void()> run) {
        auto *button = new QPushButton(caption, this);
        if (look)
            button->setProperty(look, true);
        connect(button, &QPushButton::clicked, this, [run = std::move(run)] { run(); });
        m_buttons->addWidget(button);
    };
    for (std::size_t i = 0; i < m_actions.size(); ++i)
        addButton(m_actions[i].caption, i == 0 ? "primary" : nullptr, m_actions[i].run);
    if (m_kind == Message::Kind::Error)
        addButton(tr("Copy message"), "link", [this] { QApplication::clipboard()->setText(sentence()); });
    m_buttons->addStretch(1);
}

QString MessageBar::sentence() const
{
    return m_isShown ? QString::fromStdString(m_error.sentence()) : QString();
}

void MessageBar::clear()
{
    m_isShown = false;
    hide();
}

void MessageBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    const bool isError = m_kind == Message::Kind::Error;
    QPainter painter(this);
    painter.fillRect(rect(), isError ? theme.errorGround : theme.noticeGround);
    QColor edge = isError ? theme.error : theme.notice;
    edge.setAlphaF(0.35F);
    painter.fillRect(0, height() - 1, width(), 1, edge);
    const QPixmap symbol = iconPixmap(
        isError ? QStringLiteral("warning") : QStringLiteral("info"), 24, isError ? theme.error : theme.notice, devicePixelRatioF());
    painter.drawPixmap(16, 12, symbol);
}

void MessageBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape)
        return QFrame::keyPressEvent(event);
    clear();
    emit closed();
}

LoadingBar::LoadingBar(QWidget *parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_timer(new QTimer(this))
{
    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(16);
    row->addWidget(m_text);
    row->addWidget(m_bar, 1);
    row->addWidget(cancel);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_timer->setSingleShot(true);
    m_timer->setInterval(200);
    connect(m_timer, &QTimer::timeout, this, &QWidget::show);
    connect(cancel, &QPushButton::clicked, this, &LoadingBar::cancelled);
    hide();
}

void LoadingBar::start(const QString &text)
{
    m_text->setText(text);
    m_bar->setValue(0);
    m_timer->start();
}

void LoadingBar::setProgress(double fraction)
{
    m_bar->setValue(qRound(fraction * 1000));
}

void LoadingBar::finish()
{
    m_timer->stop();
    hide();
}

} // namespace attenscope
