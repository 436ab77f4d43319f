// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of tokens that are left out or merged.
#include "views/tokens_button.h"

#include "session/token_groups.h"
#include "views/map/token_ticker.h"
#include "views/menu_button.h"
#include "views/token_part.h"

#include <QMenu>

#include <algorithm>

namespace attenscope {

namespace {

constexpr int mostCharacters = 24;
/// More of them are shown again all at once.
constexpr std::size_t mostTokensListed = 12;

QString tokenName(const std::vector<std::string> &tokens, Index position)
{
    const auto place = static_cast<std::size_t>(position);
    return QObject::tr("%1 “%2”").arg(position).arg(place < tokens.size() ? tokenText(tokens[place], mostCharacters) : QString());
}

bool holds(const std::vector<TokenPlace> &places, const TokenPlace &place)
{
    return std::find(places.begin(), places.end(), place) != places.end();
}

/// How many keys or queries of @p block are such tokens.
Index countOf(const AttentionBlock &block, bool (*isSuch)(std::string_view))
{
    const auto of = [isSuch](const std::vector<std::string> &tokens) { return std::count_if(tokens.begin(), tokens.end(), isSuch); };
    return std::max(of(block.queryTokens), of(block.keyTokens));
}

bool hasPadding(const AttentionBlock &block)
{
    const auto isPadded = [](const std::vector<bool> &isReal) { return std::find(isReal.begin(), isReal.end(), false) != isReal.end(); };
    return countOf(block, &isPaddingToken) > 0 || std::any_of(block.keyPadding.begin(), block.keyPadding.end(), isPadded);
}

bool hasPieces(const AttentionBlock &block)
{
    return wordRanges(block.keyTokens).size() < block.keyTokens.size() || wordRanges(block.queryTokens).size() < block.queryTokens.size();
}

} // namespace

TokensButton::TokensButton(Document &document, Selection &selection, QWidget *parent)
    : QToolButton(parent)
    , m_document(document)
    , m_selection(selection)
{
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setPopupMode(QToolButton::InstantPopup);
    setToolTip(tr("Leave tokens out of every view, or show word pieces as words"));
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, &TokensButton::fill);
    connect(&m_document, &Document::changed, this, &TokensButton::refresh);
    connect(&m_document, &Document::resultChanged, this, &TokensButton::refresh);
    refresh();
}

void TokensButton::refresh()
{
    const AttentionBlock &block = m_document.block();
    setText(block.isReduced() ? tr("%1 of %2 tokens").arg(block.keys).arg(m_document.wholeBlock().keys) : tr("Tokens"));
}

void TokensButton::edit(const QString &name, const std::function<void(TokensShown &)> &change)
{
    Session next = m_document.session();
    change(next.view.tokens);
    m_document.edit(std::move(next), name);
}

void TokensButton::fill()
{
    menu()->clear();
    addKinds();
    addPart();
    addPicked();
    addLeftOut();
    menu()->addSeparator();
    const TokensShown &shown = m_document.session().view.tokens;
    QAction *divides = addChoice(menu(), nullptr, tr("Divide rows by what is left"), shown.renormalizes,
        [this] { edit(tr("renormalise rows"), [](TokensShown &tokens) { tokens.renormalizes = !tokens.renormalizes; }); });
    divides->setEnabled(!shown.showsAll());
    QAction *merges = addChoice(menu(), nullptr, tr("Merge word pieces: columns add, rows average"), shown.mergesPieces,
        [this] { edit(tr("merge word pieces"), [](TokensShown &tokens) { tokens.mergesPieces = !tokens.mergesPieces; }); });
    merges->setEnabled(shown.mergesPieces || hasPieces(m_document.wholeBlock()));
    menu()->addSeparator();
    QAction *all = menu()->addAction(
        tr("Show every token"), this, [this] { edit(tr("show every token"), [](TokensShown &tokens) { tokens = {}; }); });
    all->setEnabled(!shown.showsAll());
}

void TokensButton::addKinds()
{
    const TokensShown &shown = m_document.session().view.tokens;
    const AttentionBlock &whole = m_document.wholeBlock();
    menu()->addSection(tr("Leave out"));
    addChoice(menu(), nullptr, tr("First token"), shown.leavesOutFirst,
        [this] { edit(tr("leave out first token"), [](TokensShown &tokens) { tokens.leavesOutFirst = !tokens.leavesOutFirst; }); });
    const auto add = [this](const QString &text, const QString &name, bool TokensShown::*kind, bool isThere) {
        const bool isOn = m_document.session().view.tokens.*kind;
        QAction *action = addChoice(menu(), nullptr, text, isOn,
            [this, name, kind] { edit(name, [kind](TokensShown &tokens) { tokens.*kind = !(tokens.*kind); }); });
        action->setEnabled(isOn || isThere);
    };
    add(tr("Padding"), tr("leave out padding"), &TokensShown::leavesOutPadding, hasPadding(whole));
    add(tr("Special tokens ([CLS], </s>, …)"), tr("leave out special tokens"), &TokensShown::leavesOutSpecials,
        countOf(whole, &isSpecialToken) > 0);
}

void TokensButton::addPart()
{
    if (const std::optional<TokenPart> &part = m_document.session().view.tokens.part) {
        addChoice(menu(), nullptr, tr("All but %1").arg(partWords(*part)), true,
            [this] { edit(tr("show all parts"), [](TokensShown &tokens) { tokens.part.reset(); }); });
        return;
    }
    QAction *inView = addChoice(menu(), nullptr, tr("All but what is in view"), false,
        [this] { showPart(partInView(m_document, m_selection), m_document, m_selection); });
    inView->setEnabled(m_selection.visible().has_value() && m_document.stage() != Stage::Output);
}

void TokensButton::addPicked()
{
    const AttentionBlock &block = m_document.block();
    const AttentionBlock &whole = m_document.wholeBlock();
    const int place = m_document.head().block;
    const bool isSame = whole.queryTokens == whole.keyTokens && whole.role != BlockRole::Cross;
    const auto offer = [&](const QString &text, std::vector<TokenPlace> places) {
        menu()->addAction(text, this, [this, places = std::move(places)] {
            edit(tr("leave out token"), [&places](TokensShown &tokens) {
                for (const TokenPlace &token : places) {
                    if (!holds(tokens.leftOut, token))
                        tokens.leftOut.push_back(token);
                }
            });
        });
    };
    const auto picked = [&](bool isQuery, const std::vector<Index> &shown) {
        const auto count = isQuery ? block.queries : block.keys;
        std::vector<Index> positions;
        for (const Index one : shown) {
            if (one < count)
                positions.push_back(isQuery ? wholeQuery(block, one) : wholeKey(block, one));
        }
        return positions;
    };
    std::vector<Index> queries = picked(true, m_selection.pickedRows());
    std::vector<Index> keys = m_document.stage() == Stage::Output ? std::vector<Index>() : picked(false, m_selection.pickedCols());
    if (isSame) {
        queries.insert(queries.end(), keys.begin(), keys.end());
        std::sort(queries.begin(), queries.end());
        queries.erase(std::unique(queries.begin(), queries.end()), queries.end());
        for (const Index position : queries)
            offer(tokenName(whole.keyTokens, position), { { place, true, position }, { place, false, position } });
        return;
    }
    for (const Index position : queries)
        offer(tr("Query %1").arg(tokenName(whole.queryTokens, position)), { { place, true, position } });
    for (const Index position : keys)
        offer(tr("Key %1").arg(tokenName(whole.keyTokens, position)), { { place, false, position } });
}

void TokensButton::addLeftOut()
{
    const AttentionBlock &whole = m_document.wholeBlock();
    const int place = m_document.head().block;
    const std::vector<TokenPlace> &leftOut = m_document.session().view.tokens.leftOut;
    if (leftOut.empty())
        return;
    menu()->addSection(tr("Left out one by one"));
    const auto showAgain = [this](const TokenPlace &token, bool isBoth) {
        edit(tr("show token again"), [&](TokensShown &tokens) {
            std::erase_if(tokens.leftOut, [&](const TokenPlace &other) {
                return other.block == token.block && other.position == token.position && (isBoth || other.isQuery == token.isQuery);
            });
        });
    };
    std::size_t listed = 0;
    for (const TokenPlace &token : leftOut) {
        const TokenPlace other{ token.block, !token.isQuery, token.position };
        const bool isBoth = holds(leftOut, other);
        if (token.block != place || (isBoth && token.isQuery) || ++listed > mostTokensListed)
            continue;
        const QString name = tokenName(token.isQuery ? whole.queryTokens : whole.keyTokens, token.position);
        menu()->addAction(
            isBoth ? tr("Show %1 again").arg(name) : (token.isQuery ? tr("Show query %1 again") : tr("Show key %1 again")).arg(name), this,
            [showAgain, token, isBoth] { showAgain(token, isBoth); });
    }
    if (listed > 1)
        menu()->addAction(
            tr("Show these again"), this, [this] { edit(tr("show tokens again"), [](TokensShown &tokens) { tokens.leftOut.clear(); }); });
}

} // namespace attenscope
