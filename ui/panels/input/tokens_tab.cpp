// SPDX-License-Identifier: GPL-3.0-or-later
// The tab for typed sequences.
#include "panels/input/tokens_tab.h"

#include "panels/controls.h"
#include "panels/input/sequence_edit.h"
#include "panels/input/source_edit.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/number_field.h"
#include "panels/scrolling_page.h"
#include "state/icons.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>

#include <QVBoxLayout>

namespace attenscope {

namespace {

constexpr double mostDimensions = 4096;
/// Whole numbers up to here are exact in a NumberField.
constexpr double mostSeed = 9007199254740992.0;

} // namespace

struct TokensTab::Parts {
    Document &document;
    TokensSource shown{}; ///< The session's tokens, or the last ones.
    QString lastKeyText{};
    int heads = 4; ///< Of the mechanism when tokens were last the source.
    int kvHeads = 0;
    CausalMaskOfSelf causal{};

    PanelRow *otherRow = nullptr;
    PanelRow *textRow = nullptr;
    SequenceEdit *text = nullptr;
    QComboBox *split = nullptr;
    QComboBox *keysFrom = nullptr;
    PanelRow *keyTextRow = nullptr;
    SequenceEdit *keyText = nullptr;
    NumberField *dModel = nullptr;
    NumberField *seed = nullptr;
    QAction *newSeed = nullptr;
    LabelledRow *embeddingRow = nullptr;
    QCheckBox *positions = nullptr;
    PanelRow *untrained = nullptr;

    void build(TokensTab *tab);
    void connectAll(TokensTab *tab);
    void edit(const TokensSource &next, const QString &name, const QString &mergeKey = {});
    void showAll();
    void showProblem();
};

void TokensTab::Parts::build(TokensTab *tab)
{
    otherRow = new PanelRow;
    otherRow->setNote(tr("The picture shows another input. An edit here makes these tokens the input; undo brings the other back."));

    text = new SequenceEdit(tr("Tokens"));
    text->setObjectName(QStringLiteral("tokensText"));
    textRow = new PanelRow;
    textRow->body()->addWidget(text);

    split = choiceBox({ tr("white space"), tr("characters"), tr("one per line") });
    split->setObjectName(QStringLiteral("split"));
    auto *splitRow = new LabelledRow(tr("Split at"), split);
    splitRow->setHelp(tr("Where one token ends and the next begins. Equal tokens stay apart by their position. Default: white space."));

    keysFrom = choiceBox({ tr("the same tokens"), tr("a second sequence") });
    keysFrom->setObjectName(QStringLiteral("keysFrom"));
    auto *keysRow = new LabelledRow(tr("Keys from"), keysFrom);
    keysRow->setHelp(tr("Self-attention looks at the same tokens, cross-attention at a second sequence. Default: the same tokens."));

    keyText = new SequenceEdit(tr("Key tokens"));
    keyText->setObjectName(QStringLiteral("keyText"));
    keyTextRow = new PanelRow;
    keyTextRow->body()->addWidget(keyText);

    dModel = new NumberField(
        { .name = tr("Embedding d"), .least = 1, .most = mostDimensions, .isWhole = true, .fallback = 32, .decimals = 0 });
    dModel->setObjectName(QStringLiteral("dModel"));
    dModel->setPrefix(QStringLiteral("d"), true);
    dModel->setToolTip(tr("d_model: numbers in the vector of a token, 1 to 4,096. The number of heads must divide it. Default: 32."));
    seed = new NumberField({ .name = tr("Seed"), .least = 0, .most = mostSeed, .isWhole = true, .fallback = 1, .decimals = 0 });
    seed->setObjectName(QStringLiteral("seed"));
    seed->setPrefix(tr("seed"));
    seed->setToolTip(tr("The same seed gives the same vectors and projections on every machine. A whole number from 0. Default: 1."));
    newSeed = seed->addAction(icon(QStringLiteral("refresh")), QLineEdit::TrailingPosition);
    newSeed->setObjectName(QStringLiteral("newSeed"));
    newSeed->setToolTip(tr("New seed: other vectors and projections"));
    embeddingRow = new LabelledRow(tr("Embedding"), sideBySide({ dModel, seed }, { 2, 3 }));

    positions = new QCheckBox(tr("sinusoidal"));
    positions->setObjectName(QStringLiteral("positions"));
    positions->setMinimumHeight(controlHeight);
    auto *positionsRow = new LabelledRow(tr("Positions"), positions);
    positionsRow->setHelp(tr("Adds sin and cos of the position to each vector, so that equal tokens differ by place. Default: on."));

    untrained = new PanelRow;
    untrained->setNote(tr("Untrained: shows the mechanism, not the language."));

    auto *layout = new QVBoxLayout(tab);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scrollingPage({ otherRow, textRow, splitRow, keysRow, keyTextRow, embeddingRow, positionsRow, untrained }));
}

void TokensTab::Parts::connectAll(TokensTab *tab)
{
    QObject::connect(text, &SequenceEdit::textEdited, tab, [this](const QString &typed) {
        TokensSource next = shown;
        next.text = typed.toStdString();
        edit(next, tr("edit tokens"), QStringLiteral("tokens text"));
    });
    QObject::connect(keyText, &SequenceEdit::textEdited, tab, [this](const QString &typed) {
        TokensSource next = shown;
        next.keyText = typed.toStdString();
        edit(next, tr("edit key tokens"), QStringLiteral("key tokens text"));
    });
    text->giveUpBy(*document.undoStack(), tr("edit tokens"));
    keyText->giveUpBy(*document.undoStack(), tr("edit key tokens"));
    for (SequenceEdit *field : { text, keyText })
        QObject::connect(field, &SequenceEdit::editingEnded, &document, &Document::endMerge);
    QObject::connect(split, &QComboBox::activated, tab, [this](int choice) {
        TokensSource next = shown;
        next.split = static_cast<SplitRule>(choice);
        edit(next, tr("change splitting"));
    });
    QObject::connect(keysFrom, &QComboBox::activated, tab, [this](int choice) {
        TokensSource next = shown;
        if (choice == 0)
            next.keyText.reset();
        else if (!next.keyText)
            next.keyText = lastKeyText.isEmpty() ? next.text : lastKeyText.toStdString();
        edit(next, choice == 0 ? tr("take keys from the same tokens") : tr("take keys from a second sequence"));
        if (choice == 1) {
            // What stands there is a beginning that typing replaces.
            keyText->selectAll();
            keyText->setFocus(Qt::OtherFocusReason);
            reveal(keyText);
        }
    });
    QObject::connect(dModel, &NumberField::edited, tab, [this](double number) {
        TokensSource next = shown;
        next.dModel = static_cast<int>(number);
        edit(next, tr("change embedding size"));
    });
    QObject::connect(seed, &NumberField::edited, tab, [this](double number) {
        TokensSource next = shown;
        next.seed = static_cast<std::uint64_t>(number);
        edit(next, tr("change seed"));
    });
    for (NumberField *field : { dModel, seed })
        QObject::connect(field, &NumberField::badText, tab, [this](const QString &sentence) { embeddingRow->setProblem(sentence); });
    QObject::connect(newSeed, &QAction::triggered, tab, [this] {
        TokensSource next = shown;
        ++next.seed;
        edit(next, tr("change seed"));
    });
    QObject::connect(embeddingRow, &LabelledRow::labelDoubleClicked, tab, [this] {
        TokensSource next = shown;
        next.dModel = TokensSource().dModel;
        next.seed = TokensSource().seed;
        edit(next, tr("reset embedding"));
    });
    QObject::connect(positions, &QCheckBox::clicked, tab, [this](bool isOn) {
        TokensSource next = shown;
        next.hasPositions = isOn;
        edit(next, isOn ? tr("add positions") : tr("remove positions"));
    });
    QObject::connect(&document, &Document::changed, tab, [this] { showAll(); });
    QObject::connect(&document, &Document::resultChanged, tab, [this] { showProblem(); });
}

void TokensTab::Parts::edit(const TokensSource &next, const QString &name, const QString &mergeKey)
{
    Session session = document.session();
    const bool isOther = !std::holds_alternative<TokensSource>(session.source);
    const bool isCross = next.keyText.has_value();
    if (isOther) {
        startOtherSource(session, typedTokensName());
        session.mechanism.heads = heads;
        session.mechanism.kvHeads = kvHeads;
    }
    if (isOther ? isCross : isCross != shown.keyText.has_value())
        causal.follow(session, isCross);
    session.source = next;
    if (!isOther && (next.text != shown.text || next.keyText != shown.keyText || next.split != shown.split))
        nameOwnInput(session, typedTokensName());
    document.edit(std::move(session), name, mergeKey);
}

void TokensTab::Parts::showAll()
{
    const Session &session = document.session();
    const auto *source = std::get_if<TokensSource>(&session.source);
    if (source) {
        shown = *source;
        heads = session.mechanism.heads;
        kvHeads = session.mechanism.kvHeads;
        if (source->keyText)
            lastKeyText = QString::fromStdString(*source->keyText);
    }
    otherRow->setVisible(!source);
    text->showText(QString::fromStdString(shown.text));
    split->setCurrentIndex(static_cast<int>(shown.split));
    keysFrom->setCurrentIndex(shown.keyText ? 1 : 0);
    keyTextRow->setVisible(shown.keyText.has_value());
    if (shown.keyText)
        keyText->showText(QString::fromStdString(*shown.keyText));
    dModel->setNumber(shown.dModel);
    seed->setNumber(static_cast<double>(shown.seed));
    positions->setChecked(shown.hasPositions);
    showProblem();
}

void TokensTab::Parts::showProblem()
{
    textRow->setProblem({});
    keyTextRow->setProblem({});
    embeddingRow->setProblem({});
    const bool isEmpty = splitTokens(shown.text, shown.split).empty();
    const bool isKeyTextEmpty = shown.keyText && splitTokens(*shown.keyText, shown.split).empty();
    textRow->setNote(isEmpty ? tr("Type some tokens.") : QString());
    keyTextRow->setNote(isKeyTextEmpty ? tr("Type some tokens for the keys.") : QString());
    const std::optional<Problem> &problem = document.problem();
    if (!problem || isEmpty || isKeyTextEmpty || !std::holds_alternative<TokensSource>(document.session().source))
        return;
    const QString sentence = QString::fromStdString(problem->error.sentence());
    if (problem->part == SpecPart::Data) {
        textRow->setProblem(sentence);
        return;
    }
    const int count = document.session().mechanism.heads;
    if (count < 1 || !isEmbeddingAtFault(document))
        return;
    std::vector<Fix> fixes;
    const int below = shown.dModel / count * count;
    for (const int fitting : { below, below + count }) {
        if (fitting < 1 || fitting > mostDimensions)
            continue;
        fixes.push_back({ tr("Use d = %1").arg(fitting), [this, fitting] {
                             TokensSource next = shown;
                             next.dModel = fitting;
                             edit(next, tr("change embedding size"));
                         } });
    }
    embeddingRow->setProblem(tr("d = %1 does not split into %2 heads of equal size.").arg(shown.dModel).arg(count), std::move(fixes));
}

TokensTab::TokensTab(Document &document, QWidget *parent)
    : QWidget(parent)
    , m_parts(new Parts{ .document = document })
{
    m_parts->build(this);
    m_parts->connectAll(this);
    m_parts->showAll();
}

TokensTab::~TokensTab() = default;

void TokensTab::setText(const QString &text)
{
    TokensSource next = m_parts->shown;
    next.text = text.toStdString();
    m_parts->edit(next, tr("paste tokens"));
}

void TokensTab::focusText()
{
    m_parts->text->setFocus(Qt::OtherFocusReason);
}

} // namespace attenscope
