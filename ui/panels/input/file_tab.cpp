// SPDX-License-Identifier: GPL-3.0-or-later
// The tab for opened files.
#include "panels/input/file_tab.h"

#include "core/text.h"
#include "io/bytes.h"
#include "io/open.h"
#include "panels/controls.h"
#include "panels/input/file_entry.h"
#include "panels/input/sequence_edit.h"
#include "panels/input/source_edit.h"
#include "panels/scrolling_page.h"

#include <QBoxLayout>
#include <QPushButton>

namespace attenscope {

namespace {

/// More parts than this are counted, not listed: a checkpoint has hundreds.
constexpr std::size_t mostEntries = 200;
constexpr int nameLines = 8;

std::vector<std::string> lines(const QString &text)
{
    std::vector<std::string> result;
    if (text.isEmpty())
        return result;
    for (const QString &line : text.split(QLatin1Char('\n')))
        result.push_back(line.toStdString());
    // The end of the last line begins no name.
    if (result.back().empty())
        result.pop_back();
    return result;
}

QString joined(const std::vector<std::string> &names)
{
    QStringList list;
    for (const std::string &name : names)
        list.append(QString::fromStdString(name));
    return list.join(QLatin1Char('\n'));
}

QString formatList()
{
    QStringList names;
    for (const Format &format : formats())
        for (const std::string &extension : format.extensions)
            names.append(QLatin1Char('.') + QString::fromStdString(extension));
    names.removeDuplicates();
    return names.join(QStringLiteral(", "));
}

QString baseNameOf(const FileRef &file)
{
    return QString::fromStdString(fileName(file.path));
}

} // namespace

struct FileTab::Parts {
    explicit Parts(Document &documentToEdit)
        : document(documentToEdit)
    {
    }

    Document &document;
    std::optional<FileSource> last; ///< The session's files, or the ones that were its source last.
    std::string lastName;
    std::shared_ptr<const TensorSet> listed; ///< What the entries were made for.
    std::shared_ptr<const AttentionInput> checked; ///< What the check was made of.
    WeightsCheck check;
    Job checking;

    PanelRow *emptyRow = nullptr;
    LinkButton *backToLast = nullptr;
    PanelRow *fileRow = nullptr;
    QLabel *fileNames = nullptr;
    NoteLabel *fileSizes = nullptr;
    QWidget *entryBox = nullptr;
    std::vector<FileEntry *> entries;
    PanelRow *notesRow = nullptr;
    PanelRow *namesRow = nullptr;
    LinkButton *namesButton = nullptr;
    QLabel *queryLabel = nullptr;
    SequenceEdit *queryNames = nullptr;
    QLabel *keyLabel = nullptr;
    SequenceEdit *keyNames = nullptr;

    [[nodiscard]] const FileSource *source() const { return std::get_if<FileSource>(&document.session().source); }
    void build(FileTab *tab);
    void buildNames();
    void connectAll(FileTab *tab);
    void edit(FileSource next, const QString &name, const QString &mergeKey = {});
    void editUse(std::size_t place, const TensorUse &use);
    void transpose();
    void showAll(FileTab *tab);
    void listEntries(FileTab *tab);
    void showNames();
    void showNotes();
    void checkLater();
};

void FileTab::Parts::build(FileTab *tab)
{
    emptyRow = new PanelRow;
    auto *invitation = new QLabel(tr("Open a file or drop it anywhere."));
    invitation->setWordWrap(true);
    auto *open = new QPushButton(tr("Open…"));
    open->setObjectName(QStringLiteral("open"));
    open->setMinimumHeight(controlHeight);
    backToLast = new LinkButton({});
    emptyRow->body()->addWidget(invitation);
    emptyRow->body()->addWidget(open, 0, Qt::AlignLeft);
    emptyRow->body()->addWidget(backToLast, 0, Qt::AlignLeft);
    emptyRow->setNote(
        tr("%1: Q, K and V, embeddings with projections, or recorded attention, with token names beside them.").arg(formatList()));
    QObject::connect(open, &QPushButton::clicked, tab, &FileTab::openRequested);
    QObject::connect(backToLast, &LinkButton::clicked, tab, [this] {
        Session session = document.session();
        startOtherSource(session, QString::fromStdString(lastName));
        session.source = *last;
        document.edit(std::move(session), FileTab::tr("go back to the file"));
    });

    fileRow = new PanelRow;
    fileNames = new QLabel;
    fileNames->setTextFormat(Qt::PlainText);
    fileNames->setWordWrap(true);
    fileNames->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = fileNames->font();
    bold.setBold(true);
    fileNames->setFont(bold);
    fileSizes = new NoteLabel;
    fileRow->body()->setSpacing(0);
    fileRow->body()->addWidget(fileNames);
    fileRow->body()->addWidget(fileSizes);

    entryBox = new QWidget;
    auto *entryLayout = new QVBoxLayout(entryBox);
    entryLayout->setContentsMargins(0, 0, 0, 0);
    entryLayout->setSpacing(rowSpacing - 2);
    notesRow = new PanelRow;
    buildNames();

    auto *layout = new QVBoxLayout(tab);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scrollingPage({ emptyRow, fileRow, entryBox, notesRow, namesRow }));
}

void FileTab::Parts::buildNames()
{
    namesRow = new PanelRow;
    namesButton = new LinkButton(tr("Token names…"));
    namesButton->setObjectName(QStringLiteral("tokenNames"));
    namesButton->setToolTip(tr("Type the names of queries and keys, one per line. Too few are filled up with positions, too many cut."));
    namesRow->body()->addWidget(namesButton, 0, Qt::AlignLeft);
    const auto editor = [this](QLabel *&label, SequenceEdit *&field, const QString &name) {
        label = new QLabel(name);
        field = new SequenceEdit(name);
        field->setMostLines(nameLines);
        field->setLineWrapMode(QPlainTextEdit::NoWrap);
        label->setBuddy(field);
        label->hide();
        field->hide();
        namesRow->body()->addWidget(label);
        namesRow->body()->addWidget(field);
    };
    editor(queryLabel, queryNames, tr("Query names, one per line"));
    editor(keyLabel, keyNames, tr("Key names, one per line"));
    queryNames->setObjectName(QStringLiteral("queryNames"));
    keyNames->setObjectName(QStringLiteral("keyNames"));
}

void FileTab::Parts::connectAll(FileTab *tab)
{
    QObject::connect(namesButton, &LinkButton::clicked, tab, [this] {
        const bool isOpen = !queryNames->isHidden();
        queryLabel->setVisible(!isOpen);
        queryNames->setVisible(!isOpen);
        showNames();
        if (!isOpen)
            queryNames->setFocus(Qt::OtherFocusReason);
    });
    QObject::connect(queryNames, &SequenceEdit::textEdited, tab, [this](const QString &text) {
        FileSource next = *source();
        next.queryTokens = lines(text);
        edit(std::move(next), FileTab::tr("name tokens"), QStringLiteral("query names"));
    });
    QObject::connect(keyNames, &SequenceEdit::textEdited, tab, [this](const QString &text) {
        FileSource next = *source();
        next.keyTokens = lines(text);
        edit(std::move(next), FileTab::tr("name keys"), QStringLiteral("key names"));
    });
    queryNames->giveUpBy(*document.undoStack(), FileTab::tr("name tokens"));
    keyNames->giveUpBy(*document.undoStack(), FileTab::tr("name keys"));
    for (SequenceEdit *field : { queryNames, keyNames })
        QObject::connect(field, &SequenceEdit::editingEnded, &document, &Document::endMerge);
    QObject::connect(&document, &Document::changed, tab, [this, tab](const Session &before, const Session &after) {
        if (!(before.source == after.source))
            showAll(tab);
    });
    QObject::connect(&document, &Document::resultChanged, tab, [this] {
        showNames();
        showNotes();
        checkLater();
    });
}

void FileTab::Parts::edit(FileSource next, const QString &name, const QString &mergeKey)
{
    Session session = document.session();
    session.source = std::move(next);
    document.edit(std::move(session), name, mergeKey);
}

void FileTab::Parts::editUse(std::size_t place, const TensorUse &use)
{
    FileSource next = *source();
    next.uses.at(place) = use;
    edit(std::move(next), FileTab::tr("change what is in the file"));
}

void FileTab::Parts::transpose()
{
    FileSource next = *source();
    for (TensorUse &use : next.uses)
        if (use.role == TensorRole::Weights && use.block == document.wholeBlock().role)
            use.isTransposed = !use.isTransposed;
    edit(std::move(next), FileTab::tr("transpose"));
}

void FileTab::Parts::listEntries(FileTab *tab)
{
    const FileSource &files = *source();
    if (files.tensors == listed)
        return;
    listed = files.tensors;
    for (FileEntry *entry : entries)
        entry->deleteLater();
    entries.clear();
    if (!listed)
        return;
    const auto add = [&](FileEntry *entry) {
        const std::size_t place = entries.size();
        entries.push_back(entry);
        entryBox->layout()->addWidget(entry);
        QObject::connect(entry, &FileEntry::edited, tab, [this, place](const TensorUse &use) { editUse(place, use); });
    };
    for (const NamedTensor &tensor : listed->tensors)
        if (entries.size() < mostEntries)
            add(new FileEntry(tensor));
    if (listed->tensors.size() <= mostEntries)
        for (const TokenList &list : listed->tokenLists)
            add(new FileEntry(list));
}

void FileTab::Parts::showAll(FileTab *tab)
{
    const FileSource *files = source();
    if (files) {
        last = *files;
        lastName = document.session().name;
    }
    emptyRow->setVisible(!files);
    backToLast->setVisible(!files && last && !last->files.empty());
    if (last && !last->files.empty())
        backToLast->setText(tr("Back to %1").arg(baseNameOf(last->files.front())));
    for (QWidget *row : std::initializer_list<QWidget *>{ fileRow, entryBox, notesRow, namesRow })
        row->setVisible(files);
    if (!files)
        return;

    QStringList names;
    std::uint64_t size = 0;
    bool isMapped = false;
    for (const FileRef &file : files->files) {
        names.append(baseNameOf(file));
        size += file.size;
        isMapped = isMapped || file.size >= wholeFileLimit;
    }
    fileNames->setText(names.join(QStringLiteral(", ")));
    const QString bytes = QString::fromStdString(byteSize(size));
    fileSizes->setNote(isMapped ? tr("%1, mapped, read only").arg(bytes) : tr("%1, read only").arg(bytes));
    if (files->tensors || files->files.empty()) {
        fileRow->setProblem({});
    } else {
        const QString path = QString::fromStdString(files->files.front().path);
        fileRow->setProblem(
            tr("%1 is not where it was.").arg(names.front()), { { tr("Locate…"), [tab, path] { emit tab->locateRequested(path); } } });
    }
    listEntries(tab);
    for (std::size_t place = 0; place < entries.size() && place < files->uses.size(); ++place)
        entries[place]->show(files->uses[place]);
    showNames();
    showNotes();
    checkLater();
}

void FileTab::Parts::showNames()
{
    const FileSource *files = source();
    if (!files || !files->tensors) {
        namesRow->setVisible(false);
        return;
    }
    const AttentionBlock &block = document.wholeBlock();
    const bool isOpen = !queryNames->isHidden();
    const bool isSelf = block.queries == block.keys && files->keyTokens.empty() && block.queryTokens == block.keyTokens;
    queryLabel->setText(isSelf ? tr("Token names, one per line") : tr("Query names, one per line"));
    keyLabel->setVisible(isOpen && !isSelf);
    keyNames->setVisible(isOpen && !isSelf);
    // Filled only while they are seen: names of a long context are many. Typed ones as typed, so that the cursor's empty line stays.
    const auto fill = [](SequenceEdit *field, const std::vector<std::string> &typed, const std::vector<std::string> &shown) {
        if (!field->isHidden() && !(field->hasFocus() && lines(field->toPlainText()) == typed))
            field->showText(joined(typed.empty() ? shown : typed));
    };
    fill(queryNames, files->queryTokens, block.queryTokens);
    fill(keyNames, files->keyTokens, block.keyTokens);
}

void FileTab::Parts::showNotes()
{
    const FileSource *files = source();
    if (!files)
        return;
    notesRow->setProblem({});
    notesRow->setVisible(files->tensors != nullptr);
    const std::optional<Problem> &problem = document.problem();
    if (problem && files->tensors) {
        notesRow->setNote({});
        notesRow->setProblem(QString::fromStdString(problem->error.sentence()));
        return;
    }
    QStringList notes;
    for (const std::string &note : document.notes())
        notes.append(QString::fromStdString(note));
    const std::size_t all = listed ? listed->tensors.size() + listed->tokenLists.size() : 0;
    if (all > entries.size())
        notes.append(
            tr("%1 more parts are not listed.").arg(QString::fromStdString(groupedCount(static_cast<std::int64_t>(all - entries.size())))));
    const AttentionBlock &block = document.wholeBlock();
    if (document.hasPicture() && !block.hasWeightsOnly() && !block.hasValues())
        notes.append(tr("Without V there are no weights × ‖V‖ and no output"));
    const bool isChecked = checked == document.wholeInput() && block.hasWeightsOnly();
    if (isChecked && check.isCausal)
        notes.append(tr("Causal: all weights above the diagonal are 0"));
    const bool isTransposed = std::any_of(files->uses.begin(), files->uses.end(), [](const TensorUse &use) { return use.isTransposed; });
    if (isTransposed)
        notes.append(tr("Transposed: keys are down and queries across in the file"));
    notesRow->setNote(notes.join(QLatin1Char('\n')));
    if (isChecked && check.columnsSumToOne && check.rowsNotSummingToOne > 0)
        notesRow->setProblem(tr("The columns sum to 1, not the rows."), { { tr("Transpose"), [this] { transpose(); } } });
}

void FileTab::Parts::checkLater()
{
    const std::shared_ptr<const AttentionInput> input = document.wholeInput();
    if (checked == input || !source() || !document.wholeBlock().hasWeightsOnly())
        return;
    checked = input;
    check = {};
    const auto block = static_cast<std::size_t>(document.head().block);
    checking.start([this, input, block](const Run &, const Job::Deliver &deliver) {
        const WeightsCheck found = checkWeights(input->blocks.at(block));
        deliver([this, found] {
            check = found;
            showNotes();
        });
    });
}

FileTab::FileTab(Document &document, QWidget *parent)
    : QWidget(parent)
    , m_parts(new Parts(document))
{
    m_parts->build(this);
    m_parts->connectAll(this);
    m_parts->showAll(this);
}

FileTab::~FileTab() = default;

} // namespace attenscope
