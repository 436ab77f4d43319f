// SPDX-License-Identifier: GPL-3.0-or-later
// The dock that says what goes in.
#include "panels/input/input_panel.h"

#include "core/text.h"
#include "io/pasted_text.h"
#include "panels/input/file_tab.h"
#include "panels/input/matrices_tab.h"
#include "panels/input/tokens_tab.h"
#include "panels/mechanism/mechanism_edit.h"
#include "state/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace attenscope {

namespace {

enum Tab { TokensPage, MatricesPage, FilePage };

/// The print of an array, whether or not it can be read (a shortened one cannot).
bool isMeantAsMatrix(const QString &text)
{
    static const QRegularExpression start(
        QStringLiteral(R"(^\s*(\w+\s*=\s*)?(((np|numpy|torch)\.)?(array|tensor|matrix)\s*\(|\[\s*(\[|[-+.]?\d)))"));
    return start.match(text).hasMatch();
}

} // namespace

struct InputPanel::Parts {
    Document &document;
    QTabBar *bar = nullptr;
    QStackedWidget *pages = nullptr;
    TokensTab *tokens = nullptr;
    MatricesTab *matrices = nullptr;
    FileTab *file = nullptr;

    /// The tab of the session's source; the kinds of Source are in the order of the tabs.
    [[nodiscard]] int sourceTab() const { return static_cast<int>(document.session().source.index()); }
    void focusEmptyText();
};

void InputPanel::Parts::focusEmptyText()
{
    const auto *source = std::get_if<TokensSource>(&document.session().source);
    if (source && bar->currentIndex() == TokensPage && splitTokens(source->text, source->split).empty())
        tokens->focusText();
}

InputPanel::InputPanel(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_parts(new Parts{ .document = document })
{
    m_parts->bar = new QTabBar;
    m_parts->bar->setObjectName(QStringLiteral("inputTabs"));
    m_parts->bar->setDocumentMode(true);
    m_parts->bar->setExpanding(false);
    m_parts->bar->setAccessibleName(tr("Kind of input"));
    for (const QString &title : { tr("Tokens"), tr("Matrices"), tr("File") })
        m_parts->bar->addTab(title);
    m_parts->tokens = new TokensTab(document);
    m_parts->matrices = new MatricesTab(document, selection);
    m_parts->file = new FileTab(document);
    m_parts->pages = new QStackedWidget;
    for (QWidget *page : std::initializer_list<QWidget *>{ m_parts->tokens, m_parts->matrices, m_parts->file })
        m_parts->pages->addWidget(page);

    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_parts->bar);
    layout->addWidget(m_parts->pages, 1);

    connect(m_parts->bar, &QTabBar::currentChanged, m_parts->pages, &QStackedWidget::setCurrentIndex);
    connect(m_parts->file, &FileTab::openRequested, this, &InputPanel::openRequested);
    connect(m_parts->file, &FileTab::locateRequested, this, &InputPanel::locateRequested);
    connect(&document, &Document::changed, this, [this](const Session &before, const Session &after) {
        if (before.source.index() != after.source.index())
            m_parts->bar->setCurrentIndex(m_parts->sourceTab());
        if (!(before.source == after.source))
            m_parts->focusEmptyText();
    });
    connect(&document, &Document::resultChanged, this, &InputPanel::titleNoteChanged);
    m_parts->bar->setCurrentIndex(m_parts->sourceTab());
    m_parts->focusEmptyText();
}

InputPanel::~InputPanel() = default;

QString InputPanel::titleNote() const
{
    if (!m_parts->document.hasPicture())
        return {};
    const AttentionBlock &block = m_parts->document.wholeBlock();
    const QString queries = QString::fromStdString(groupedCount(block.queries));
    if (block.queries == block.keys && block.queryTokens == block.keyTokens)
        return block.queries == 1 ? tr("1 token") : tr("%1 tokens").arg(queries);
    return tr("%1 × %2").arg(queries, QString::fromStdString(groupedCount(block.keys)));
}

void InputPanel::focusInput()
{
    m_parts->bar->setCurrentIndex(m_parts->sourceTab());
    if (m_parts->sourceTab() == TokensPage)
        m_parts->tokens->focusText();
    else if (m_parts->sourceTab() == MatricesPage)
        m_parts->matrices->focusFirstCell();
}

void InputPanel::addHead()
{
    if (m_parts->sourceTab() == MatricesPage) {
        m_parts->matrices->addHead();
        return;
    }
    const auto *source = std::get_if<TokensSource>(&m_parts->document.session().source);
    if (!source)
        return;
    AttentionSpec next = m_parts->document.session().mechanism;
    do {
        ++next.heads;
    } while (next.heads < source->dModel && source->dModel % next.heads != 0);
    if (next.heads > source->dModel)
        return;
    next.kvHeads = 0;
    editMechanism(m_parts->document, next, tr("add a head"));
}

void InputPanel::paste()
{
    const QString text = QApplication::clipboard()->text();
    if (text.trimmed().isEmpty())
        return;
    const bool isMatrix = bool(parseMatrices(text.toStdString()));
    if (m_parts->matrices->hasTableFocus() || isMatrix || isMeantAsMatrix(text)) {
        // Why it cannot be read is said there.
        if (!isMatrix)
            m_parts->bar->setCurrentIndex(MatricesPage);
        m_parts->matrices->paste();
        return;
    }
    m_parts->tokens->setText(text);
}

} // namespace attenscope
