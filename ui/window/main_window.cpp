// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: places, sizes, and what follows the document.
#include "window/main_window.h"

#include "core/text.h"
#include "panels/input/input_panel.h"
#include "panels/mechanism/mechanism_panel.h"
#include "views/heads/heads.h"
#include "views/map/map_view.h"
#include "views/overview/overview.h"
#include "views/overview/peak_list.h"
#include "views/patches/patches_view.h"
#include "views/readout.h"
#include "views/steps/steps_view.h"
#include "window/docks.h"
#include "window/export_dialog.h"
#include "window/files.h"
#include "window/find_popup.h"
#include "window/mask_control.h"
#include "window/message_bar.h"
#include "window/presentation_bar.h"
#include "window/view_stack.h"
#include "window/walk_export.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QHBoxLayout>
#include <QImageReader>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QWindow>

#include <algorithm>

namespace attenscope {

namespace {

constexpr QSize defaultSize(1400, 900);
constexpr QSize smallestSize(880, 600);
/// Narrower: icons without text, all docks as tabs at the left.
constexpr int narrowWidth = 1200;

/// Keys that type something belong to whoever takes typed text.
bool isTyping(const QKeyEvent &key)
{
    return !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) && !key.text().isEmpty()
        && key.text().front().isPrint();
}

} // namespace

MainWindow::MainWindow()
    : m_masks(new MaskControl(m_document, this))
    , m_actions(new Actions(this))
{
    setWindowIcon(QIcon(QStringLiteral(":/icons/attenscope.svg")));
    setMinimumSize(smallestSize.boundedTo(screen()->availableSize()));
    setContextMenuPolicy(Qt::NoContextMenu);
    setDocumentMode(true);
    setAnimated(false);
    setAcceptDrops(true);

    makeCentre();
    makeDocks();
    makeReadout();
    makeActions();
    makeToolBar();
    makeMenus();

    connect(&m_document, &Document::changed, this, [this](const Session &before, const Session &after) {
        // Tables need more height than a line of tokens.
        if (before.source.index() != after.source.index())
            m_docks->setShare(DockSide::Left, std::holds_alternative<TokensSource>(after.source) ? 45 : 60);
        m_docks->setWide(after.view.shown == ShownView::Lines);
        followComparing();
        followLength();
        updateActions();
        updateTitle();
        updateNotes();
    });
    connect(&m_document, &Document::resultChanged, this, [this] {
        followLength();
        updateActions();
        updateNotes();
    });
    connect(&m_document, &Document::savedChanged, this, &MainWindow::updateTitle);
    connect(&m_document, &Document::message, this, [this](const Message &message) { m_files->showMessage(message); });
    connect(&m_document, &Document::progressChanged, this, &MainWindow::updateNotes);
    connect(m_document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateActions);
    connect(m_masks, &MaskControl::changed, this, &MainWindow::updateActions);
    connect(m_masks, &MaskControl::recordedKeysHidden, this, [this] {
        const Error note{ tr("Later keys are hidden.").toStdString(), m_masks->causalNote().toStdString(), {}, {} };
        m_messages->showMessage({ Message::Kind::Notice, note, {} });
    });
    connect(&m_selection, &Selection::pickedChanged, this, &MainWindow::updateActions);
    qApp->installEventFilter(this);

    m_document.setPatternRules(m_settings.patternRules());
    m_selection.setPicked(samplePick(m_document.session()));
    updateActions();
    updateTitle();
    updateNotes();
    resize(defaultSize.boundedTo(screen()->availableSize()));
    restoreGeometry(m_settings.windowGeometry());
}

MainWindow::~MainWindow()
{
    qApp->removeEventFilter(this);
    // What holds references to the document, or is told by it, must go before it does.
    m_document.disconnect(this);
    m_document.undoStack()->disconnect(this);
    m_selection.disconnect(this);
    m_views->disconnect(this);
    delete m_export;
    delete m_walkExport;
    delete m_find;
    delete m_files;
    delete m_masks;
    for (Dock *dock : { m_inputDock, m_mechanismDock, m_overviewDock, m_peaksDock, m_headsDock, m_tableDock, m_patchesDock })
        delete dock;
    delete m_readout;
    delete takeCentralWidget();
}

void MainWindow::open()
{
    m_isOpening = true;
    show();
}

void MainWindow::fitToScreen()
{
    if (isMaximized() || isFullScreen())
        return;
    const QRect room = screen()->availableGeometry().marginsRemoved(windowHandle()->frameMargins());
    setMinimumSize(minimumSize().boundedTo(room.size()));
    QRect place(geometry().topLeft(), size().boundedTo(room.size()));
    place.moveLeft(std::clamp(place.left(), room.left(), room.right() + 1 - place.width()));
    place.moveTop(std::clamp(place.top(), room.top(), room.bottom() + 1 - place.height()));
    if (place != geometry())
        setGeometry(place);
}

void MainWindow::startAutosave()
{
    m_files->offerRecovery();
    m_autosave = std::make_unique<Autosave>(m_document, m_selection);
    connect(m_autosave.get(), &Autosave::written, m_files, &Files::forgetRestored);
    connect(m_autosave.get(), &Autosave::failed, this, [this](const Error &error) {
        m_messages->showMessage({ Message::Kind::Error, error, {} });
    });
}

void MainWindow::makeCentre()
{
    m_messages = new MessageBar;
    m_loading = new LoadingBar;
    m_views = new ViewStack(m_document, m_selection);
    // A small screen at a doubled scale has less room than that.
    m_views->setMinimumWidth(std::min(560, screen()->availableSize().width() - leftMinimum - 8));
    m_map = m_views->view<MapView>();
    m_steps = m_views->view<StepsView>();
    connect(m_views, &ViewStack::shownChanged, this, &MainWindow::updateActions);
    m_files = new Files(m_document, m_selection, *m_messages, *m_loading, this);
    m_presentation = new PresentationBar(m_document);
    connect(m_presentation, &PresentationBar::left, this, [this] { setPresenting(false); });
    connect(m_messages, &MessageBar::closed, m_views, qOverload<>(&QWidget::setFocus));
}

void MainWindow::makeReadout()
{
    m_readout = new Readout(m_document, m_selection);
    m_readout->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    // A tool bar, because docks end above it and it reaches from edge to edge.
    auto *strip = m_readoutStrip = new QToolBar(tr("Readout"));
    strip->setObjectName(QStringLiteral("readout"));
    strip->setMovable(false);
    strip->setFloatable(false);
    strip->setContentsMargins(0, 0, 0, 0);
    strip->layout()->setContentsMargins(0, 0, 0, 0);
    strip->addWidget(m_readout);
    addToolBar(Qt::BottomToolBarArea, strip);
}

void MainWindow::makeToolBar()
{
    m_tools = new QToolBar(tr("Tools"));
    m_tools->setObjectName(QStringLiteral("tools"));
    m_tools->setMovable(false);
    m_tools->setFloatable(false);
    m_tools->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_tools->setIconSize(QSize(20, 20));
    const auto add = [this](const char *id) {
        m_tools->addAction((*m_actions)[QLatin1String(id)]);
        auto *button = static_cast<QToolButton *>(m_tools->widgetForAction((*m_actions)[QLatin1String(id)]));
        button->setFocusPolicy(Qt::TabFocus);
        return button;
    };
    const auto addSegment = [this](const QString &text, const char *place, bool isCausal) {
        auto *button = new QToolButton;
        button->setText(text);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setCheckable(true);
        button->setProperty("segment", QLatin1String(place));
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, [this, isCausal] {
            m_masks->setCausal(isCausal);
            updateActions();
        });
        return button;
    };
    add("file.open");
    add("file.save");
    for (const char *id : { "edit.undo", "edit.redo" })
        add(id)->setProperty("iconOnly", true);
    m_tools->addSeparator();
    for (const ViewRow &row : viewRows())
        add(row.id);
    m_tools->addSeparator();
    m_causal = addSegment(tr("Causal"), "first", true);
    m_unmasked = addSegment(tr("Unmasked"), "last", false);
    auto *segments = new QWidget;
    auto *row = new QHBoxLayout(segments);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(0);
    row->addWidget(m_causal);
    row->addWidget(m_unmasked);
    m_tools->addWidget(segments);
    QToolButton *compare = add("compare.toggle");
    auto *compareMenu = new QMenu(compare);
    for (const char *id : { "compare.masks", "compare.previous", "compare.score", "compare.copy" })
        compareMenu->addAction((*m_actions)[QLatin1String(id)]);
    compareMenu->addMenu(m_actions->submenu(tr("With a preset"), MenuId::Compare, compareMenu));
    compareMenu->setToolTipsVisible(true);
    compare->setMenu(compareMenu);
    compare->setPopupMode(QToolButton::MenuButtonPopup);
    m_tools->addSeparator();
    add("file.export");
    auto *spring = new QWidget;
    spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_tools->addWidget(spring);
    m_findField = new FindField;
    connect(m_findField, &QAbstractButton::clicked, (*m_actions)[QStringLiteral("edit.find")], &QAction::trigger);
    m_tools->addWidget(m_findField);
    add("help.keys")->setProperty("iconOnly", true);
    addToolBar(Qt::TopToolBarArea, m_tools);
    for (auto *button : m_tools->findChildren<QToolButton *>()) {
        if (button->property("iconOnly").toBool())
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
}

void MainWindow::fitToWidth()
{
    const bool isNarrow = width() < narrowWidth;
    const auto show = [this](bool hasTexts, bool hasField) {
        for (auto *button : m_tools->findChildren<QToolButton *>()) {
            if (!button->icon().isNull() && !button->property("iconOnly").toBool())
                button->setToolButtonStyle(hasTexts ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        }
        m_findField->setCompact(!hasField);
        m_tools->layout()->invalidate();
        return m_tools->sizeHint().width() <= width();
    };
    // With a large font the words do not fit where there would be room for them: nothing goes out of sight.
    if (isNarrow || !(show(true, true) || show(true, false)))
        show(false, false);
    m_docks->setGathered(isNarrow);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    if (m_isArranged)
        fitToWidth();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    if (m_isArranged)
        return;
    m_isArranged = true;
    m_docks->arrange();
    if (const QByteArray state = m_settings.windowState(); !state.isEmpty())
        m_docks->restore(state);
    if (const std::optional<std::array<int, 2>> widths = m_settings.rightWidths())
        m_docks->setRightWidths(*widths);
    QStringList closed = m_settings.closedDocks();
    // The document says whether there are patches, not the last window.
    closed.removeAll(m_patchesDock->objectName());
    if (!m_document.session().view.patches)
        closed.append(m_patchesDock->objectName());
    m_docks->setClosed(closed);
    updateActions();
    fitToWidth();
    m_views->setFocus();
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        m_files->checkChanged();
    else if (event->type() == QEvent::WindowStateChange)
        (*m_actions)[QStringLiteral("window.fullScreen")]->setChecked(isFullScreen());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_files->mayReplace()) {
        event->ignore();
        return;
    }
    setPresenting(false);
    m_settings.setWindow(saveGeometry(), m_docks->state());
    m_settings.setRightWidths(m_docks->rightWidths());
    m_settings.setClosedDocks(m_docks->closed());
    m_document.cancel();
    // Nothing is lost from here on: the copies go with it.
    m_autosave.reset();
    m_files->forgetRestored();
    event->accept();
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    // From a field that had nothing to give up.
    if (event->key() == Qt::Key_Escape)
        m_views->setFocus();
    else
        QMainWindow::keyPressEvent(event);
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Resize:
        // Before the layout squeezes the docks into a narrower window.
        if (watched == this && m_isArranged)
            m_docks->keepLayout();
        break;
    case QEvent::Expose:
        // Only now it is known how much the frame adds.
        if (m_isOpening && watched == windowHandle()) {
            m_isOpening = false;
            QTimer::singleShot(0, this, &MainWindow::fitToScreen);
        }
        break;
    case QEvent::ShortcutOverride: {
        // Tables start editing with the first digit, and tables and texts turn their own pages.
        const auto *view = qobject_cast<QAbstractItemView *>(watched);
        const auto *key = static_cast<QKeyEvent *>(event);
        // Escape means the field first: what was typed into it is given up before anything else is.
        const bool isField = watched->inherits("QLineEdit") || watched->inherits("QPlainTextEdit") || watched->inherits("QAbstractSpinBox");
        if (key->key() == Qt::Key_Escape && isField && static_cast<QWidget *>(watched)->window() == this) {
            event->accept();
            return true;
        }
        const bool isPage = key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown;
        // Space presses what has the focus; anywhere else it plays the steps.
        const bool isPress = key->key() == Qt::Key_Space && !key->modifiers()
            && (qobject_cast<const QAbstractButton *>(watched) || qobject_cast<const QComboBox *>(watched));
        const bool isForView
            = view && ((isTyping(*key) && view->editTriggers() & QAbstractItemView::AnyKeyPressed) || key->matches(QKeySequence::Copy));
        if (isForView || isPress || (isPage && (view || watched->inherits("QPlainTextEdit") || watched->inherits("QComboBox")))) {
            event->accept();
            return true;
        }
        break;
    }
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::Drop: {
        // Files can be dropped anywhere, on text fields too.
        auto *drop = static_cast<QDropEvent *>(event);
        auto *widget = qobject_cast<QWidget *>(watched);
        if (!widget || widget->window() != this || !drop->mimeData()->hasUrls())
            break;
        QStringList paths;
        for (const QUrl &url : drop->mimeData()->urls()) {
            if (url.isLocalFile())
                paths << url.toLocalFile();
        }
        // A picture for the patches is not to be opened as a file.
        const bool isForPatches
            = paths.size() == 1 && m_patches->isAncestorOf(widget) && !QImageReader::imageFormat(paths.front()).isEmpty();
        if (paths.isEmpty() || isForPatches)
            break;
        drop->acceptProposedAction();
        if (event->type() == QEvent::Drop)
            m_files->open(paths);
        return true;
    }
    default:
        break;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::updateTitle()
{
    const QString name = QString::fromStdString(m_document.session().name);
    setWindowTitle(QStringLiteral("%1[*] – Attenscope").arg(name));
    setWindowModified(m_document.isModified());
    m_documentName->setText(m_document.isModified() ? tr("%1, edited").arg(name) : name);
    m_documentName->setToolTip(m_document.path().isEmpty() ? tr("Not saved as a session yet") : m_document.path());
    // The menu bar gives its corner the size that it asks for once.
    m_documentName->setFixedSize(m_documentName->sizeHint().width(), menuBar()->sizeHint().height());
    menuBar()->setCornerWidget(m_documentName, Qt::TopRightCorner);
}

void MainWindow::setPresenting(bool isPresenting)
{
    if (m_isPresenting == isPresenting)
        return;
    m_isPresenting = isPresenting;
    menuBar()->setVisible(!isPresenting);
    m_presentation->setVisible(isPresenting);
    m_map->setPresenting(isPresenting);
    // Nothing that says anything is under 17 on a projector.
    QFont font = QApplication::font();
    if (isPresenting)
        font.setPixelSize(20);
    m_views->setFont(font);
    m_readout->setFont(font);
    // Once the view has its size again, or the large letters would take the docks some of theirs.
    centralWidget()->layout()->activate();
    m_docks->setHidden(isPresenting);
    // After the docks, whose stored layout has the tool bar in it.
    m_tools->setVisible(!isPresenting);
    updateActions();
    m_views->setFocus();
}

void MainWindow::say(const QString &what, const std::string &path)
{
    m_messages->showMessage({ Message::Kind::Notice, Error{ what.toStdString(), {}, {}, path }, {} });
}

} // namespace attenscope
