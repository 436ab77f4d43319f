// SPDX-License-Identifier: GPL-3.0-or-later
// The tab for typed matrices.
#include "panels/input/matrices_tab.h"

#include "core/text.h"
#include "panels/controls.h"
#include "panels/input/matrix_section.h"
#include "panels/input/matrix_view.h"
#include "panels/input/source_edit.h"
#include "panels/scrolling_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QVBoxLayout>

#include <array>

namespace attenscope {

namespace {

constexpr MatrixTable projectedTables[] = { MatrixTable::Q, MatrixTable::K, MatrixTable::V };
constexpr MatrixTable embeddedTables[] = { MatrixTable::X, MatrixTable::Y, MatrixTable::Wq, MatrixTable::Bq, MatrixTable::Wk,
    MatrixTable::Bk, MatrixTable::Wv, MatrixTable::Bv, MatrixTable::Wo, MatrixTable::Bo };

/// Embeddings of a second sequence: cross-attention. Of projected matrices nothing says where the keys came from.
bool hasKeysOfTheirOwn(const MatricesSource &source)
{
    return source.form == MatrixForm::Embedded && !source.y.isEmpty();
}

/// Larger ones are opened, not typed.
constexpr Index mostCellsCopied = 1'000'000;

} // namespace

struct MatricesTab::Parts : MatrixOwner {
    Parts(Document &documentToEdit, Selection &selectionToShow)
        : document(documentToEdit)
        , selection(selectionToShow)
    {
    }

    Document &document;
    Selection &selection;
    MatricesSource last = emptyMatrices(); ///< The session's matrices, or the ones that were its source last.
    bool hasLast = false;
    std::uint64_t seed = 0;
    CausalMaskOfSelf causal;

    PanelRow *beginRow = nullptr;
    LinkButton *beginFromInput = nullptr;
    LinkButton *beginFromLast = nullptr;
    PanelRow *generalRow = nullptr;
    QComboBox *form = nullptr;
    LabelledRow *formRow = nullptr;
    QComboBox *head = nullptr;
    LinkButton *removeHead = nullptr;
    LabelledRow *headRow = nullptr;
    std::vector<MatrixSection *> sections;
    PanelRow *addRow = nullptr;
    std::vector<std::pair<MatrixTable, LinkButton *>> addButtons;
    LinkButton *addHeadButton = nullptr;
    LinkButton *addBiases = nullptr;

    [[nodiscard]] const MatricesSource &matrices() const override { return last; }
    void editMatrices(MatricesSource next, const QString &name, const QString &mergeKey) override;
    std::uint64_t nextSeed() override { return ++seed; }
    void editSession(Session session, MatricesSource next, const QString &name, const QString &mergeKey);

    [[nodiscard]] bool isSource() const { return std::holds_alternative<MatricesSource>(document.session().source); }
    [[nodiscard]] int shownHead() const;
    [[nodiscard]] int headOf(MatrixTable table) const;
    void build(MatricesTab *tab);
    void buildBegin();
    void buildAdd();
    void connectAll(MatricesTab *tab);
    void begin(MatricesSource source, const QString &sessionName, const QString &undoName);
    void beginFromBlock();
    void focusFirstCell();
    static void focusFirstCell(MatrixSection &section);
    void addTable(MatrixTable table);
    void changeForm(MatrixForm next);
    void showAll();
    void showHeads();
    void showProblems();
};

int MatricesTab::Parts::shownHead() const
{
    const int count = static_cast<int>(last.heads.size());
    return std::clamp(document.session().view.head.head, 0, std::max(0, count - 1));
}

int MatricesTab::Parts::headOf(MatrixTable table) const
{
    // Shared keys and values are the first head's of the group; editing another one's would change nothing.
    const int count = static_cast<int>(last.heads.size());
    const int kvHeads = document.session().mechanism.kvHeads;
    if (table == MatrixTable::Q || kvHeads < 1 || count % kvHeads != 0)
        return shownHead();
    const int group = count / kvHeads;
    return shownHead() / group * group;
}

void MatricesTab::Parts::buildBegin()
{
    beginRow = new PanelRow;
    auto *intro = new QLabel(MatricesTab::tr("Type or paste Q, K and V. Begin with"));
    intro->setWordWrap(true);
    beginRow->body()->addWidget(intro);
    const auto offer = [this](const QString &text, const QString &name, auto action) {
        auto *button = new LinkButton(text);
        button->setObjectName(name);
        QObject::connect(button, &LinkButton::clicked, beginRow, action);
        beginRow->body()->addWidget(button, 0, Qt::AlignLeft);
        return button;
    };
    beginFromLast = offer(MatricesTab::tr("The last matrices"), QStringLiteral("beginLast"),
        [this] { begin(last, typedMatricesName(), MatricesTab::tr("go back to the matrices")); });
    beginFromInput = offer({}, QStringLiteral("beginInput"), [this] { beginFromBlock(); });
    offer(MatricesTab::tr("Empty matrices (3 × 4)"), QStringLiteral("beginEmpty"),
        [this] { begin(emptyMatrices(), typedMatricesName(), MatricesTab::tr("start empty matrices")); });
    offer(MatricesTab::tr("The worked example"), QStringLiteral("beginExample"), [this] {
        const Session example = workedExample();
        begin(std::get<MatricesSource>(example.source), QString::fromStdString(example.name), MatricesTab::tr("start the worked example"));
    });
}

void MatricesTab::Parts::buildAdd()
{
    addRow = new PanelRow;
    const auto offer = [this](const QString &text, const QString &help, auto action) {
        auto *button = new LinkButton(text);
        button->setToolTip(help);
        QObject::connect(button, &LinkButton::clicked, addRow, action);
        addRow->body()->addWidget(button, 0, Qt::AlignLeft);
        return button;
    };
    const std::pair<MatrixTable, std::pair<QString, QString>> tables[] = {
        { MatrixTable::V, { MatricesTab::tr("Add V"), MatricesTab::tr("Without V there is no output.") } },
        { MatrixTable::Y, { MatricesTab::tr("Add Y"), MatricesTab::tr("Keys and values from a second sequence: cross-attention.") } },
        { MatrixTable::Wv, { MatricesTab::tr("Add W_v"), MatricesTab::tr("Without it there are no values and no output.") } },
        { MatrixTable::Wo, { MatricesTab::tr("Add W_o"), MatricesTab::tr("The output projection of all heads together.") } },
    };
    for (const auto &[table, words] : tables) {
        LinkButton *button = offer(words.first, words.second, [this, which = table] { addTable(which); });
        button->setObjectName(QStringLiteral("add ") + tableName(table));
        addButtons.emplace_back(table, button);
    }
    addBiases = offer(MatricesTab::tr("Add biases"), MatricesTab::tr("One number for each column of a projection."), [this] {
        MatricesSource next = last;
        Projections &projections = next.projections;
        const auto add = [](SharedMatrix &bias, const SharedMatrix &weight) {
            if (bias.isEmpty() && !weight.isEmpty())
                bias = SharedMatrix(Matrix(Matrix::Zero(1, weight.cols())));
        };
        add(projections.bq, projections.wq);
        add(projections.bk, projections.wk);
        add(projections.bv, projections.wv);
        add(projections.bo, projections.wo);
        editMatrices(std::move(next), MatricesTab::tr("add biases"), {});
    });
    addHeadButton = offer(MatricesTab::tr("Add a head"), MatricesTab::tr("A copy of the last head, to be changed."), [this] {
        editMatrices(withHeadAdded(last), MatricesTab::tr("add a head"), {});
        document.pickHead({ .block = 0, .layer = 0, .head = static_cast<int>(last.heads.size()) - 1, .element = 0 });
    });
    addHeadButton->setObjectName(QStringLiteral("addHead"));
}

void MatricesTab::Parts::build(MatricesTab *tab)
{
    buildBegin();
    generalRow = new PanelRow;
    form = choiceBox({ MatricesTab::tr("Q, K, V"), MatricesTab::tr("X and projections") });
    form->setObjectName(QStringLiteral("form"));
    formRow = new LabelledRow(MatricesTab::tr("Given are"), form);
    formRow->setHelp(MatricesTab::tr(
        "The projected matrices themselves, or embeddings X (and Y) with the matrices that project them. Default: Q, K, V."));
    head = choiceBox({});
    head->setObjectName(QStringLiteral("head"));
    removeHead = new LinkButton(MatricesTab::tr("Remove"));
    removeHead->setObjectName(QStringLiteral("removeHead"));
    headRow = new LabelledRow(MatricesTab::tr("Head"), sideBySide({ head, removeHead }, { 1 }));
    buildAdd();

    std::vector<QWidget *> rows{ beginRow, generalRow, formRow, headRow };
    const auto addSection = [&](MatrixTable table) {
        sections.push_back(new MatrixSection(table, *this, selection));
        rows.push_back(sections.back());
    };
    for (const MatrixTable table : projectedTables)
        addSection(table);
    for (const MatrixTable table : embeddedTables)
        addSection(table);
    rows.push_back(addRow);
    auto *layout = new QVBoxLayout(tab);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scrollingPage(rows));
}

void MatricesTab::Parts::connectAll(MatricesTab *tab)
{
    QObject::connect(form, &QComboBox::activated, tab, [this](int choice) { changeForm(static_cast<MatrixForm>(choice)); });
    QObject::connect(head, &QComboBox::activated, tab, [this](int choice) {
        HeadRef next = document.head();
        next.head = choice;
        document.pickHead(next);
    });
    QObject::connect(removeHead, &LinkButton::clicked, tab,
        [this] { editMatrices(withHeadRemoved(last, shownHead()), MatricesTab::tr("remove a head"), {}); });
    QObject::connect(&document, &Document::changed, tab, [this] { showAll(); });
    QObject::connect(&document, &Document::resultChanged, tab, [this] {
        showHeads();
        showProblems();
    });
}

void MatricesTab::Parts::begin(MatricesSource source, const QString &sessionName, const QString &undoName)
{
    Session session = document.session();
    startOtherSource(session, sessionName);
    session.source = std::move(source);
    document.edit(std::move(session), undoName);
    focusFirstCell();
}

void MatricesTab::Parts::focusFirstCell()
{
    const auto shown = std::find_if(sections.begin(), sections.end(), [](const MatrixSection *section) { return !section->isHidden(); });
    if (shown != sections.end())
        focusFirstCell(**shown);
}

void MatricesTab::Parts::focusFirstCell(MatrixSection &section)
{
    section.view()->goTo(0, 0);
    section.view()->setFocus(Qt::OtherFocusReason);
}

void MatricesTab::Parts::beginFromBlock()
{
    Result<MatricesSource> copied = matricesOf(document.wholeBlock(), document.session().mechanism, document.head().element);
    if (!copied) {
        beginRow->setProblem(QString::fromStdString(copied.error().sentence()));
        return;
    }
    begin(std::move(*copied), typedMatricesName(), MatricesTab::tr("start from Q, K, V"));
}

void MatricesTab::Parts::editMatrices(MatricesSource next, const QString &name, const QString &mergeKey)
{
    editSession(document.session(), std::move(next), name, mergeKey);
}

void MatricesTab::Parts::editSession(Session session, MatricesSource next, const QString &name, const QString &mergeKey)
{
    const bool isCross = hasKeysOfTheirOwn(next);
    if (isCross != hasKeysOfTheirOwn(last))
        causal.follow(session, isCross);
    session.source = std::move(next);
    nameOwnInput(session, typedMatricesName());
    document.edit(std::move(session), name, mergeKey);
}

void MatricesTab::Parts::addTable(MatrixTable table)
{
    const Projections &projections = last.projections;
    SharedMatrix next;
    const auto identity = [](Index rows, Index cols) { return SharedMatrix(Matrix(Matrix::Identity(rows, cols))); };
    switch (table) {
    case MatrixTable::V:
        next = SharedMatrix(Matrix(Matrix::Zero(last.heads.front().k.rows(), last.heads.front().k.cols())));
        break;
    case MatrixTable::Y:
        next = last.x;
        break;
    case MatrixTable::Wv:
        next = identity(projections.wk.rows(), projections.wk.cols());
        break;
    default:
        next = identity(projections.wq.cols(), last.x.cols());
        break;
    }
    editMatrices(withMatrix(last, table, 0, next), MatricesTab::tr("add %1").arg(tableName(table)), {});
    const auto added
        = std::find_if(sections.begin(), sections.end(), [table](const MatrixSection *section) { return section->table() == table; });
    focusFirstCell(**added);
    reveal(*added);
}

void MatricesTab::Parts::changeForm(MatrixForm next)
{
    MatricesSource source = next == MatrixForm::Embedded ? withEmbedding(last) : last;
    source.form = next;
    if (next == MatrixForm::Projected && source.heads.empty())
        source.heads = emptyMatrices().heads;
    // Heads that were set for another input would split identities that were made for one.
    const bool isNew = next == MatrixForm::Embedded && last.projections.wq.isEmpty();
    Session session = document.session();
    if (isNew) {
        session.mechanism.heads = 1;
        session.mechanism.kvHeads = 0;
    }
    editSession(std::move(session), std::move(source), MatricesTab::tr("change what is given"), {});
}

void MatricesTab::Parts::showHeads()
{
    const int count = static_cast<int>(last.heads.size());
    if (head->count() != count) {
        head->clear();
        for (int place = 0; place < count; ++place)
            head->addItem(MatricesTab::tr("%1 of %2").arg(place).arg(count));
    }
    head->setCurrentIndex(shownHead());
    const bool isProjected = last.form == MatrixForm::Projected;
    headRow->setVisible(isSource() && isProjected && count > 1);
    headRow->setNote(
        headOf(MatrixTable::K) == shownHead() ? QString() : MatricesTab::tr("Uses K and V of head %1").arg(headOf(MatrixTable::K)));
}

void MatricesTab::Parts::showAll()
{
    if (const auto *source = std::get_if<MatricesSource>(&document.session().source)) {
        last = *source;
        hasLast = true;
        if (last.heads.empty())
            last.heads.emplace_back();
    }
    const bool isShown = isSource();
    const AttentionBlock &block = document.wholeBlock();
    beginRow->setVisible(!isShown);
    beginRow->setProblem({});
    beginFromLast->setVisible(hasLast);
    beginFromInput->setText(std::holds_alternative<TokensSource>(document.session().source) ? MatricesTab::tr("These tokens’ Q, K, V")
                                                                                            : MatricesTab::tr("This file’s Q, K, V"));
    beginFromInput->setVisible(
        document.hasPicture() && !block.hasWeightsOnly() && std::max(block.queries, block.keys) * 64 <= mostCellsCopied);

    const bool isProjected = last.form == MatrixForm::Projected;
    formRow->setVisible(isShown);
    form->setCurrentIndex(isProjected ? 0 : 1);
    showHeads();
    for (MatrixSection *section : sections) {
        if (isShown && (section->table() <= MatrixTable::V) == isProjected)
            section->show(headOf(section->table()));
        else
            section->hide();
    }
    addRow->setVisible(isShown);
    for (const auto &[table, button] : addButtons)
        button->setVisible(isShown && (table == MatrixTable::V) == isProjected && matrixOf(last, table, 0).isEmpty()
            && (table != MatrixTable::Wo || !last.projections.wv.isEmpty()));
    const Projections &projections = last.projections;
    const auto isMissing = [](const SharedMatrix &bias, const SharedMatrix &weight) { return bias.isEmpty() && !weight.isEmpty(); };
    addBiases->setVisible(!isProjected
        && (isMissing(projections.bq, projections.wq) || isMissing(projections.bk, projections.wk)
            || isMissing(projections.bv, projections.wv) || isMissing(projections.bo, projections.wo)));
    addHeadButton->setVisible(isProjected);
    const bool hasValues = !matrixOf(last, isProjected ? MatrixTable::V : MatrixTable::Wv, 0).isEmpty();
    addRow->setNote(hasValues ? QString()
            : isProjected     ? MatricesTab::tr("Without V there are no weights × ‖V‖ and no output.")
                              : MatricesTab::tr("Without W_v there are no values, no weights × ‖V‖ and no output."));
    showProblems();
}

void MatricesTab::Parts::showProblems()
{
    generalRow->setProblem({});
    generalRow->hide();
    for (MatrixSection *section : sections)
        section->showProblem({});
    const std::optional<Problem> &problem = document.problem();
    if (!problem || !isSource())
        return;
    const auto sectionOf = [this](SpecPart part) -> MatrixSection * {
        const MatrixTable wanted = tableOf(part);
        for (MatrixSection *section : sections) {
            const bool isIt = part == SpecPart::Biases ? section->table() >= MatrixTable::Bq : section->table() == wanted;
            if (isIt && !section->isHidden())
                return section;
        }
        return nullptr;
    };
    if (problem->matrices.empty()) {
        const QString sentence = QString::fromStdString(problem->error.sentence());
        MatrixSection *section = problem->part <= SpecPart::Biases ? sectionOf(problem->part) : nullptr;
        if (section) {
            section->showProblem(sentence);
        } else if (problem->part == SpecPart::Data || problem->part <= SpecPart::Biases) {
            generalRow->show();
            generalRow->setProblem(sentence);
        }
        return;
    }
    // The first one of each table: a fix often settles the others.
    std::vector<MatrixSection *> told;
    for (const MatrixProblem &found : problem->matrices) {
        MatrixSection *section = sectionOf(found.table);
        if (!section || std::find(told.begin(), told.end(), section) != told.end())
            continue;
        told.push_back(section);
        std::vector<Fix> fixes;
        for (const MatrixFix &fix : found.fixes) {
            const QString label = QString::fromStdString(fix.label);
            fixes.push_back({ label, [this, fixed = fix.fixed] { editMatrices(fixed, MatricesTab::tr("make the matrices fit"), {}); } });
        }
        section->showProblem(QString::fromStdString(found.sentence), std::move(fixes));
    }
}

MatricesTab::MatricesTab(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_parts(new Parts(document, selection))
{
    m_parts->build(this);
    m_parts->connectAll(this);
    m_parts->showAll();
}

MatricesTab::~MatricesTab() = default;

void MatricesTab::focusFirstCell()
{
    m_parts->focusFirstCell();
}

void MatricesTab::addHead()
{
    m_parts->addHeadButton->click();
}

bool MatricesTab::hasTableFocus() const
{
    const QWidget *focus = QApplication::focusWidget();
    return std::any_of(m_parts->sections.begin(), m_parts->sections.end(),
        [focus](MatrixSection *section) { return focus && section->isAncestorOf(focus); });
}

void MatricesTab::paste()
{
    MatrixSection *target = m_parts->sections.front();
    const QWidget *focus = QApplication::focusWidget();
    for (MatrixSection *section : m_parts->sections) {
        if (focus && section->isAncestorOf(focus)) {
            section->pasteHere();
            return;
        }
        if (target->isHidden() && !section->isHidden())
            target = section;
    }
    if (m_parts->isSource()) {
        target->pasteAll();
        return;
    }
    const Result<PastedMatrices> pasted = parseMatrices(QApplication::clipboard()->text().toStdString());
    if (!pasted) {
        m_parts->beginRow->setProblem(QString::fromStdString(pasted.error().sentence()));
        return;
    }
    MatricesSource source = emptyMatrices();
    for (const MatrixTable table : projectedTables)
        source = withReplaced(std::move(source), table, 0, *pasted);
    m_parts->begin(std::move(source), tr("Pasted matrix"), tr("paste a matrix"));
}

} // namespace attenscope
