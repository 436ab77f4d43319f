// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps bar, lines and footer as the document has them.
#include "views/lines/lines_view.h"

#include "views/lines/lines_bar.h"
#include "views/lines/lines_canvas.h"
#include "views/map/map_content.h"

#include <QLabel>
#include <QVBoxLayout>

namespace attenscope {

struct LinesView::Parts {
    Document &document;
    Selection &selection;
    FieldCache fields;
    LinesBar *bar = nullptr;
    LinesCanvas *canvas = nullptr;
    QLabel *footer = nullptr;
    std::shared_ptr<const AttentionInput> input;

    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    void refresh()
    {
        auto content = linesContent(document, fields);
        const QString reason = reasonForBlank(document);
        if (!content) {
            // The old picture stays until the new one is ready.
            if (!reason.isEmpty() || !input)
                canvas->setContent(std::nullopt, reason.isEmpty() ? LinesView::tr("computing…") : reason);
            return;
        }
        if (content->input != input)
            selection.follow(document.input(), document.head().block);
        input = content->input;
        canvas->setContent(std::move(content));
        describe();
    }

    void describe()
    {
        const LinesScene &scene = canvas->scene();
        if (scene.content.heads.empty())
            return;
        QStringList sentences;
        if (const QString hidden = hiddenText(scene.content, scene.ends, canvas->lines()); !hidden.isEmpty())
            sentences.push_back(hidden);
        sentences.append(scene.content.notes);
        footer->setText(sentences.join(QStringLiteral("  ·  ")));
    }
};

LinesView::LinesView(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    m_parts->bar = new LinesBar(document, selection);
    m_parts->canvas = new LinesCanvas(selection);
    m_parts->footer = makeFooter();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_parts->bar);
    column->addWidget(m_parts->canvas, 1);
    column->addWidget(m_parts->footer);
    setFocusProxy(m_parts->canvas);
    connect(m_parts->canvas, &LinesCanvas::hiddenChanged, this, [this] { m_parts->describe(); });
}

LinesView::~LinesView() = default;

void LinesView::refresh()
{
    m_parts->refresh();
}

} // namespace attenscope
