// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps bar, patches and footer as the document has them; the patches as a figure.
#include "views/patches/patches_view.h"

#include "views/menu_button.h"
#include "views/patches/patches_canvas.h"
#include "views/view_bar.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QImageReader>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Grids for the keys, and for the queries where there are as many of another number.
std::vector<PatchGrid> offeredGrids(const AttentionBlock &block)
{
    std::vector<PatchGrid> grids = patchGrids(block.keys);
    if (block.queries != block.keys)
        for (const PatchGrid &grid : patchGrids(block.queries))
            if (std::find(grids.begin(), grids.end(), grid) == grids.end())
                grids.push_back(grid);
    return grids;
}

bool haveSameShape(const PatchGrid &a, const PatchGrid &b)
{
    return a.rows == b.rows && a.cols == b.cols && a.first == b.first;
}

} // namespace

struct PatchesView::Parts {
    Document &document;
    Selection &selection;
    FieldCache fields;
    PatchPicture picture;
    QToolButton *gridButton = nullptr;
    QToolButton *pictureButton = nullptr;
    PatchesCanvas *canvas = nullptr;
    QLabel *footer = nullptr;

    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    void edit(std::optional<PatchGrid> grid, const QString &undoName)
    {
        Session next = document.session();
        next.view.patches = std::move(grid);
        document.edit(std::move(next), undoName);
    }

    void setPicture(const QString &path)
    {
        PatchGrid grid = document.session().view.patches.value_or(PatchGrid());
        if (grid.rows == 0) {
            const auto grids = offeredGrids(document.block());
            if (grids.empty())
                return;
            grid = grids.front();
        }
        grid.picture = path.toStdString();
        edit(grid, path.isEmpty() ? PatchesView::tr("remove picture") : PatchesView::tr("put picture under patches"));
    }

    void fillGrids(QMenu *menu)
    {
        const auto &chosen = document.session().view.patches;
        auto grids = offeredGrids(document.block());
        if (chosen && std::none_of(grids.begin(), grids.end(), [&](const PatchGrid &grid) { return haveSameShape(grid, *chosen); }))
            grids.push_back(*chosen);
        for (PatchGrid grid : grids) {
            const bool isChosen = chosen && haveSameShape(grid, *chosen);
            grid.picture = chosen ? chosen->picture : std::string();
            addChoice(menu, nullptr, gridText(grid), isChosen, [this, grid] { edit(grid, PatchesView::tr("change patches")); });
        }
        if (grids.empty())
            menu->addAction(PatchesView::tr("%1 keys make no grid").arg(document.block().keys))->setEnabled(false);
        menu->addSeparator();
        addChoice(
            menu, nullptr, PatchesView::tr("No patches"), !chosen, [this] { edit(std::nullopt, PatchesView::tr("show no patches")); });
    }

    void show()
    {
        const auto &chosen = document.session().view.patches;
        const std::string path = chosen ? chosen->picture : std::string();
        if (picture.path != path)
            picture = readPicture(path);
        gridButton->setText(chosen ? gridText(*chosen) : PatchesView::tr("Rows × columns"));
        pictureButton->setEnabled(chosen || !offeredGrids(document.block()).empty());
        QString reason;
        auto content = patchesContent(document, selection, fields, picture.image, reason);
        QStringList sentences;
        if (!picture.problem.isEmpty())
            sentences.append(picture.problem);
        if (content)
            sentences.append(content->weights.weights.notes);
        footer->setText(sentences.join(QStringLiteral("  ·  ")));
        footer->setVisible(!sentences.isEmpty());
        canvas->setContent(std::move(content), reason);
    }
};

PatchesView::PatchesView(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    constexpr int padding = 16;
    constexpr int spacing = 8;
    Parts &parts = *m_parts;
    parts.gridButton = menuButton(
        tr("Rows and columns of patches, and how many tokens are before them"), [this](QMenu *menu) { m_parts->fillGrids(menu); });
    parts.pictureButton = menuButton(tr("The picture under the patches; it can also be dropped on them"), [this](QMenu *menu) {
        menu->addAction(tr("Choose…"), this, &PatchesView::choosePicture);
        QAction *none = menu->addAction(tr("None"), this, [this] { m_parts->setPicture({}); });
        none->setEnabled(!m_parts->picture.path.empty());
    });
    parts.pictureButton->setText(tr("Picture"));
    auto *bar = new ViewBar;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(padding, spacing, padding, spacing);
    row->setSpacing(spacing);
    row->addWidget(parts.gridButton);
    row->addWidget(parts.pictureButton);
    row->addStretch(1);
    parts.canvas = new PatchesCanvas(selection);
    parts.footer = makeFooter();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(parts.canvas, 1);
    column->addWidget(parts.footer);
    setFocusProxy(parts.canvas);
    connect(parts.canvas, &PatchesCanvas::pictureDropped, this, [this](const QString &path) { m_parts->setPicture(path); });
    connect(&selection, &Selection::hoveredChanged, this, &PatchesView::refreshIfSeen);
    connect(&selection, &Selection::pickedChanged, this, &PatchesView::refreshIfSeen);
}

PatchesView::~PatchesView() = default;

void PatchesView::refresh()
{
    m_parts->show();
}

void PatchesView::choosePicture()
{
    QStringList patterns;
    for (const QByteArray &format : QImageReader::supportedImageFormats())
        patterns.append(QStringLiteral("*.") + QString::fromLatin1(format));
    const QString now = QFileInfo(QString::fromStdString(m_parts->picture.path)).path();
    const QString path = QFileDialog::getOpenFileName(this, tr("Picture under the patches"), now,
        tr("Pictures (%1)").arg(patterns.join(u' ')) + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty())
        m_parts->setPicture(path);
}

Result<Picture> patchesPicture(const Document &document, const Selection &selection)
{
    constexpr double side = 560.0;
    FieldCache fields;
    QString reason;
    Selection picks;
    picks.restore(selection.state());
    const auto &chosen = document.session().view.patches;
    const PatchPicture under = readPicture(chosen ? chosen->picture : std::string());
    auto content = patchesContent(document, picks, fields, under.image, reason);
    if (!content)
        return reason.isEmpty() ? nothingToDraw(document) : Error{ reason.toStdString(), "", "", "" };
    Picture picture;
    picture.title = titleOf(document, content->weights.weights, QObject::tr("patches"));
    picture.notes = content->weights.weights.notes;
    if (!under.problem.isEmpty())
        picture.notes.push_front(under.problem);
    // As wide as the patches; room for scale and caption below.
    const PatchGrid &grid = content->grid;
    const auto rows = static_cast<double>(grid.rows + (grid.first + grid.cols - 1) / grid.cols);
    picture.size = QSizeF(side, std::ceil(side * rows / static_cast<double>(grid.cols)) + 100.0);
    picture.paint = [content = std::move(*content), size = picture.size](QPainter &painter, const Theme &theme) {
        PatchesScene(content, { theme, painter.font() }, size).paint(painter, content);
    };
    return picture;
}

} // namespace attenscope
