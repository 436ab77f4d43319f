// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps bar, text and footer as the document has them; the text as a figure.
#include "views/text/text_view.h"

#include "views/map/map_content.h"
#include "views/text/text_bar.h"
#include "views/text/text_canvas.h"
#include "views/waiting_row.h"
#include "views/zoom_note.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <cmath>

namespace attenscope {

struct TextView::Parts {
    Document &document;
    Selection &selection;
    FieldCache fields;
    LineRows rows; ///< What is hidden in the whole head.
    TextBar *bar = nullptr;
    WaitingRow *waiting = nullptr;
    TextCanvas *canvas = nullptr;
    ZoomNote *zoom = nullptr;
    QLabel *footer = nullptr;
    std::shared_ptr<const AttentionInput> input;

    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    void refresh()
    {
        auto weights = textWeights(document, fields);
        const QString reason = reasonForBlank(document);
        waiting->setReady(weights.has_value() || !reason.isEmpty());
        if (!weights) {
            // The old text stays until the new one is ready.
            if (!reason.isEmpty() || !input)
                canvas->setContent(std::nullopt, document.session().view, reason.isEmpty() ? waitingWords(document) : reason);
            return;
        }
        if (weights->input != input)
            selection.follow(document.input(), document.head().block);
        input = weights->input;
        if (weights->filter.hides())
            rows.setContent(*weights, {});
        zoomTo(*weights, selection.visible());
        canvas->setContent(std::move(weights), document.session().view);
        describe();
    }

    void describe()
    {
        const TextContent &content = canvas->content();
        if (content.weights.heads.empty())
            return;
        bar->setPicks(canvas->picks(), content.hasOneText());
        QStringList sentences;
        if (const QString hidden = hiddenText(content.weights, content.ends, rows.heads(), HiddenThings::Tokens); !hidden.isEmpty())
            sentences.push_back(hidden);
        sentences.append(content.weights.notes);
        footer->setText(sentences.join(QStringLiteral("  ·  ")));
        footer->setVisible(!sentences.isEmpty());
        const LinesContent &weights = content.weights;
        const QString away = content.hasOneText() ? QString() : outOfSightText(weights, content.ends);
        zoom->setWords(zoomWords({ weights.queries, weights.keys }, weights.block()), away.isEmpty() ? QStringList() : QStringList{ away });
    }
};

TextView::TextView(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    m_parts->bar = new TextBar(document, selection);
    m_parts->waiting = new WaitingRow(document);
    m_parts->canvas = new TextCanvas(selection);
    m_parts->zoom = new ZoomNote(selection);
    m_parts->footer = makeFooter();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_parts->bar);
    column->addWidget(m_parts->waiting);
    column->addWidget(m_parts->canvas, 1);
    column->addWidget(m_parts->zoom);
    column->addWidget(m_parts->footer);
    setFocusProxy(m_parts->canvas);
    connect(&selection, &Selection::visibleChanged, this, &TextView::refreshIfSeen);
    connect(m_parts->canvas, &TextCanvas::contentChanged, this, [this] { m_parts->describe(); });
    connect(&m_parts->rows, &LineRows::ready, this, [this] { m_parts->describe(); });
    connect(m_parts->bar, &TextBar::picksChosen, this, [this](TokenSide side) {
        m_parts->canvas->setPicks(side);
        m_parts->describe();
    });
}

TextView::~TextView() = default;

void TextView::refresh()
{
    m_parts->refresh();
}

Result<Picture> textPicture(const Document &document, const Selection &selection)
{
    constexpr double pageWidth = 720.0;
    FieldCache fields;
    auto weights = textWeights(document, fields);
    if (!weights)
        return nothingToDraw(document);
    zoomTo(*weights, selection.visible());
    Selection picks;
    picks.restore(selection.state());
    TextContent content = textContent(std::move(*weights), document.session().view, picks, { 0, document.block().queries });
    Picture picture;
    picture.title = content.weights.title;
    if (content.weights.filter.hides())
        picture.notes.push_back(hiddenText(content.weights, content.ends, allLines(content.weights), HiddenThings::Tokens));
    if (const QString zoom = zoomWords({ content.weights.queries, content.weights.keys }, content.weights.block()); !zoom.isEmpty())
        picture.notes.push_back(zoom);
    picture.notes.append(content.weights.notes);
    QFont font;
    font.setPixelSize(13);
    const auto sceneOf = [pageWidth](const TextContent &shown, const LinesStyle &style) {
        return TextScene(shown.weights, style, pageWidth, shown.hasNumbers, TokenSide::Queries);
    };
    picture.size = QSizeF(pageWidth, std::ceil(sceneOf(content, { Theme::light(), font }).height()));
    picture.paint = [content = std::move(content), sceneOf](QPainter &painter, const Theme &theme) {
        const TextScene scene = sceneOf(content, { theme, painter.font() });
        scene.paint(painter, content, 0.0, scene.height());
    };
    return picture;
}

} // namespace attenscope
