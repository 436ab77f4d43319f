// SPDX-License-Identifier: GPL-3.0-or-later
// The gallery as a list of cards under headings.
#include "panels/mechanism/gallery.h"

#include "panels/controls.h"
#include "panels/mechanism/mechanism_edit.h"
#include "state/math_text.h"
#include "state/theme.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QFontInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QStyledItemDelegate>

#include <map>

namespace attenscope {

namespace {

constexpr QSize usualSize(560, 720);
constexpr double nameScale = 15.0 / 13.0;
constexpr double formulaScale = 18.0 / 13.0;
constexpr double smallScale = 12.0 / 13.0;
constexpr int cardPadding = 12;
constexpr int smallest = 10;
constexpr int lackLines = 3;
constexpr int titleBarRoom = 40;

enum Role { PresetRole = Qt::UserRole };

/// One preset: name and paper, formula, sentence; or a heading.
class CardDelegate : public QStyledItemDelegate {
public:
    explicit CardDelegate(QListWidget *list)
        : QStyledItemDelegate(list)
        , m_list(list)
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const Theme &theme = Theme::of(option.palette);
        const QRect card = option.rect.adjusted(4, 2, -4, -2);
        const QRect inside = card.adjusted(cardPadding, 8, -cardPadding, -8);
        const Preset *preset = presetAt(index);
        if (!preset) {
            QFont bold = option.font;
            bold.setBold(true);
            painter->setFont(bold);
            painter->setPen(theme.text);
            painter->drawText(option.rect.adjusted(4, 0, -4, -4), Qt::AlignLeft | Qt::AlignBottom, index.data().toString());
            painter->restore();
            return;
        }
        const bool isPicked = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(isPicked ? QPen(theme.accent, 1.5) : QPen(theme.line, 1));
        painter->setBrush(isPicked ? theme.accentGround : theme.panel);
        painter->drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);

        const QFont small = scaledFont(option.font, smallScale);
        const QFont name = scaledFont(option.font, nameScale);
        const QString paper = paperText(*preset);
        painter->setFont(small);
        painter->setPen(theme.secondaryText);
        const int paperWidth = QFontMetrics(small).horizontalAdvance(paper);
        painter->drawText(inside, Qt::AlignRight | Qt::AlignTop, paper);
        painter->setFont(name);
        painter->setPen(theme.text);
        const QFontMetrics nameMetrics(name);
        painter->drawText(inside, Qt::AlignLeft | Qt::AlignTop,
            nameMetrics.elidedText(index.data().toString(), Qt::ElideRight, inside.width() - paperWidth - 16));

        const double top = inside.top() + nameMetrics.height();
        const MathBox &box = formula(*preset, option, inside.width());
        const double room = formulaRoom(box);
        const QPointF origin(inside.left(), top + (room + box.ascent - box.descent) / 2.0);
        paintMath(*painter, box, origin, option.font, theme.text, {}, theme.accent);

        painter->setFont(small);
        painter->setPen(theme.secondaryText);
        painter->drawText(inside.adjusted(0, qRound(nameMetrics.height() + room), 0, 0), Qt::AlignLeft | Qt::TextWordWrap,
            QString::fromStdString(preset->sentence));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const int width = m_list->viewport()->width();
        const Preset *preset = presetAt(index);
        if (!preset)
            return { width, option.fontMetrics.height() + 20 };
        const QFontMetrics small(scaledFont(option.font, smallScale));
        const QRect sentence = small.boundingRect(
            QRect(0, 0, width - 8 - 2 * cardPadding, 1000), Qt::TextWordWrap, QString::fromStdString(preset->sentence));
        const int name = QFontMetrics(scaledFont(option.font, nameScale)).height();
        const double room = formulaRoom(formula(*preset, option, width - 8.0 - 2.0 * cardPadding));
        return { width, 4 + 16 + name + qRound(room) + sentence.height() };
    }

private:
    static const Preset *presetAt(const QModelIndex &index)
    {
        const QVariant place = index.data(PresetRole);
        return place.isValid() ? &presets()[static_cast<std::size_t>(place.toInt())] : nullptr;
    }

    static double formulaRoom(const MathBox &box) { return box.ascent + box.descent + 16.0; }

    /// Laid out as large as fits.
    const MathBox &formula(const Preset &preset, const QStyleOptionViewItem &option, double width) const
    {
        MathBox &box = m_formulas.try_emplace(preset.id, MathBox()).first->second;
        if (box.parts.empty() && box.text.isEmpty())
            box = parseMath(QString::fromStdString(preset.formula));
        double size = QFontInfo(option.font).pixelSize() * formulaScale;
        layOut(box, option.font, size);
        while (box.width > width && size > smallest) {
            size -= 1.0;
            layOut(box, option.font, size);
        }
        return box;
    }

    QListWidget *m_list;
    mutable std::map<std::string, MathBox> m_formulas;
};

bool matches(const Preset &preset, const QString &wanted)
{
    const std::string all
        = preset.name + " " + preset.sentence + " " + preset.paper + " " + preset.link + " " + std::to_string(preset.year);
    return QString::fromStdString(all).contains(wanted, Qt::CaseInsensitive)
        || groupTitle(preset.group).contains(wanted, Qt::CaseInsensitive);
}

} // namespace

QString groupTitle(PresetGroup group)
{
    switch (group) {
    case PresetGroup::Whole:
        return Gallery::tr("Presets: a mechanism as a whole");
    case PresetGroup::Score:
        return Gallery::tr("Score function");
    case PresetGroup::Softmax:
        return Gallery::tr("From scores to weights");
    case PresetGroup::Heads:
        return Gallery::tr("Heads");
    case PresetGroup::KeySource:
        return Gallery::tr("Source of keys and values");
    case PresetGroup::Mask:
        return Gallery::tr("Mask");
    case PresetGroup::Positions:
        return Gallery::tr("Positions");
    case PresetGroup::Algorithm:
        return Gallery::tr("Algorithm");
    }
    return {};
}

QString paperText(const Preset &preset)
{
    if (preset.paper.empty())
        return {};
    QString text = QStringLiteral("%1 %2").arg(QString::fromStdString(preset.paper)).arg(preset.year);
    if (!preset.link.empty())
        text += QStringLiteral(", ") + QString::fromStdString(preset.link);
    return text;
}

Gallery::Gallery(Document &document, QWidget *parent)
    : QDialog(parent)
    , m_document(document)
    , m_text(new QLineEdit)
    , m_list(new QListWidget)
    , m_lack(new PanelRow)
    , m_use(new QPushButton(tr("Use")))
    , m_compare(new QPushButton(tr("Compare with it")))
{
    setWindowTitle(tr("Gallery of mechanisms"));
    setModal(false);
    m_text->setPlaceholderText(tr("Name, paper, year"));
    m_text->setAccessibleName(tr("Find a mechanism"));
    m_text->setObjectName(QStringLiteral("galleryText"));
    m_text->setMinimumHeight(controlHeight);
    m_text->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("galleryList"));
    m_list->setAccessibleName(tr("Mechanisms"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setItemDelegate(new CardDelegate(m_list));
    auto *close = new QPushButton(tr("Close"));
    m_use->setDefault(true);
    m_lack->setObjectName(QStringLiteral("galleryLack"));
    m_lack->layout()->setContentsMargins({});
    // The list keeps its height while entries are looked through.
    m_lack->setMinimumHeight(lackLines * fontMetrics().lineSpacing());
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_compare);
    buttons->addStretch(1);
    buttons->addWidget(close);
    buttons->addWidget(m_use);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(panelPadding, panelPadding, panelPadding, panelPadding);
    column->setSpacing(rowSpacing);
    column->addWidget(m_text);
    column->addWidget(m_list, 1);
    column->addWidget(m_lack);
    column->addLayout(buttons);
    resize(usualSize);

    PresetGroup group = PresetGroup::Algorithm;
    for (std::size_t place = 0; place < presets().size(); ++place) {
        const Preset &preset = presets()[place];
        if (place == 0 || preset.group != group) {
            group = preset.group;
            auto *heading = new QListWidgetItem(groupTitle(group), m_list);
            heading->setFlags(Qt::NoItemFlags);
        }
        auto *item = new QListWidgetItem(QString::fromStdString(preset.name), m_list);
        item->setData(PresetRole, static_cast<int>(place));
        item->setData(Qt::AccessibleDescriptionRole,
            QStringLiteral("%1. %2 %3")
                .arg(plainMath(parseMath(QString::fromStdString(preset.formula))), QString::fromStdString(preset.sentence),
                    paperText(preset)));
    }
    m_list->setCurrentRow(1);
    connect(m_text, &QLineEdit::textChanged, this, &Gallery::filter);
    connect(m_list, &QListWidget::currentRowChanged, this, &Gallery::updateButtons);
    connect(m_list, &QListWidget::itemDoubleClicked, this, &Gallery::use);
    connect(m_use, &QPushButton::clicked, this, &Gallery::use);
    connect(m_compare, &QPushButton::clicked, this, [this] {
        if (current())
            emit compareRequested(*current());
    });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(&document, &Document::resultChanged, this, &Gallery::updateButtons);
    updateButtons();
}

const Preset *Gallery::current() const
{
    const QListWidgetItem *item = m_list->currentItem();
    if (!item || item->isHidden() || !item->data(PresetRole).isValid())
        return nullptr;
    return &presets()[static_cast<std::size_t>(item->data(PresetRole).toInt())];
}

void Gallery::filter(const QString &text)
{
    const QString wanted = text.trimmed();
    int first = -1;
    int heading = -1;
    bool isUsed = false;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem *item = m_list->item(row);
        const QVariant place = item->data(PresetRole);
        if (!place.isValid()) {
            if (heading >= 0)
                m_list->item(heading)->setHidden(!isUsed);
            heading = row;
            isUsed = false;
            continue;
        }
        const bool isFound = matches(presets()[static_cast<std::size_t>(place.toInt())], wanted);
        item->setHidden(!isFound);
        isUsed = isUsed || isFound;
        if (isFound && first < 0)
            first = row;
    }
    if (heading >= 0)
        m_list->item(heading)->setHidden(!isUsed);
    if (!m_list->currentItem() || m_list->currentItem()->isHidden())
        m_list->setCurrentRow(first);
    updateButtons();
}

void Gallery::use()
{
    if (!current() || !m_use->isEnabled())
        return;
    usePreset(m_document, *current());
    close();
}

void Gallery::updateButtons()
{
    const Preset *preset = current();
    AppliedPreset trial{ .session = {}, .isUsable = false, .notes = {}, .offers = {} };
    if (preset)
        trial = applied(*preset, m_document.session(), m_document.wholeBlock(), true);
    showLack(trial);
    m_use->setEnabled(trial.isUsable);
    m_use->setToolTip(trial.isUsable ? tr("Makes it the mechanism of this input, in one step that can be undone") : QString());
    // A comparison is of one input.
    const bool isOfSource = preset && preset->group == PresetGroup::KeySource;
    m_compare->setEnabled(trial.isUsable && !isOfSource);
    m_compare->setToolTip(isOfSource ? tr("Two mechanisms are compared on one input") : QString());
}

void Gallery::showLack(const AppliedPreset &trial)
{
    QStringList sentences;
    for (const std::string &note : trial.notes)
        sentences << QString::fromStdString(note);
    std::vector<Fix> fixes;
    for (const PresetOffer &offer : trial.offers)
        fixes.push_back({ QString::fromStdString(offer.label), [this, preset = current(), label = offer.label] {
                             for (const PresetOffer &again : applied(*preset, m_document.session(), m_document.wholeBlock()).offers)
                                 if (again.label == label)
                                     return takeOffer(m_document, again);
                         } });
    const QString text = sentences.join(QLatin1Char(' '));
    m_lack->setNote(trial.isUsable ? text : QString());
    m_lack->setProblem(trial.isUsable ? QString() : text, trial.isUsable ? std::vector<Fix>() : std::move(fixes));
}

void Gallery::showEvent(QShowEvent *event)
{
    // The buttons are at its bottom.
    resize(size().boundedTo(screen()->availableSize() - QSize(0, titleBarRoom)));
    QDialog::showEvent(event);
    m_text->setFocus();
    m_text->selectAll();
}

bool Gallery::eventFilter(QObject *watched, QEvent *event)
{
    // The list is moved from the field, so that typing and choosing need no Tab between them.
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: {
            QKeyEvent copy(key->type(), key->key(), key->modifiers());
            QCoreApplication::sendEvent(m_list, &copy);
            return true;
        }
        default:
            break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace attenscope
