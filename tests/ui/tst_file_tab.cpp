// SPDX-License-Identifier: GPL-3.0-or-later
// The File tab lists what was opened, lets its meaning be corrected, and says what is odd.
#include "panels/input/file_entry.h"
#include "panels/input/input_panel.h"
#include "panels/input/sequence_edit.h"
#include "support/panels.h"
#include "support/widget_fixture.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>

using namespace attenscope;
using namespace attenscope::test;

namespace {

Tensor tensor(std::vector<Index> shape, std::vector<double> numbers)
{
    const Matrix flat = Eigen::Map<Matrix>(numbers.data(), 1, static_cast<Index>(numbers.size()));
    return Tensor::fromMatrix(flat).reshaped(std::move(shape));
}

/// Two heads of 2 x 2 whose rows sum to 1, and tokens.
TensorSet recordedSet()
{
    TensorSet set;
    set.tensors.push_back({ .name = "attentions", .file = "a.npz", .tensor = tensor({ 2, 2, 2 }, { 1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5 }) });
    set.tensors.push_back({ .name = "logits", .file = "a.npz", .tensor = tensor({ 2, 3 }, { 1, 2, 3, 4, 5, 6 }) });
    set.tokenLists.push_back({ .name = "tokens", .file = "a.txt", .tokens = { "red", "green" } });
    return set;
}

Session sessionOf(const TensorSet &set)
{
    FileSource files;
    files.files.push_back({ .path = "/data/a.npz", .size = 146600, .checksum = {} });
    files.tensors = std::make_shared<const TensorSet>(set);
    files.uses = recognise(set);
    Session session;
    session.source = files;
    session.name = "a.npz";
    return session;
}

} // namespace

class FileTabTest : public QObject, protected WidgetFixture<InputPanel> {
    Q_OBJECT

private slots:
    void init() { open(exampleSentence(), { 320, 700 }); }
    void cleanup() { close(); }
    void emptyTabOffersToOpen();
    void partsAreListedWithTheirUse();
    void roleCanBeCorrected();
    void axesCanBeRelabelled();
    void masksSayTheirPolarity();
    void columnsThatSumToOneOfferTransposing();
    void tokenNamesCanBeTyped();
    void missingFileCanBeLocated();
    void unusableChoiceIsExplained();
    void lastFileComesBack();
    void oddRowsAreCounted();
    void missingValuesAreSaid_data();
    void missingValuesAreSaid();

private:
    [[nodiscard]] const FileSource &source() const { return std::get<FileSource>(m_document->session().source); }
    [[nodiscard]] QList<FileEntry *> entries() const { return m_widget->findChildren<FileEntry *>(); }
    static void choose(QComboBox *box, const QString &entry);
};

void FileTabTest::choose(QComboBox *box, const QString &entry)
{
    const int index = box->findText(entry);
    QVERIFY2(index >= 0, qPrintable(entry));
    box->setCurrentIndex(index);
    emit box->activated(index);
}

void FileTabTest::emptyTabOffersToOpen()
{
    control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(2);
    auto *open = control<QPushButton>(*m_widget, "open");
    QVERIFY(open->isVisible());
    QSignalSpy spy(m_widget.get(), &InputPanel::openRequested);
    open->click();
    QCOMPARE(spy.count(), 1);
    QVERIFY(rowOf(open)->note().contains(".safetensors"));
}

void FileTabTest::partsAreListedWithTheirUse()
{
    m_document->reset(sessionOf(recordedSet()));
    QCOMPARE(control<QTabBar>(*m_widget, "inputTabs")->currentIndex(), 2);
    QCOMPARE(entries().size(), 3);
    QStringList uses;
    for (FileEntry *entry : entries())
        uses.append(control<QuietChoice>(*entry, "role")->currentText());
    QCOMPARE(uses, (QStringList{ "recorded attention", "not used", "token names" }));
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "red", "green" }));
    QVERIFY(!control<QPushButton>(*m_widget, "open")->isVisible());
}

void FileTabTest::roleCanBeCorrected()
{
    m_document->reset(sessionOf(recordedSet()));
    choose(control<QuietChoice>(*entries()[2], "role"), "not used");
    QCOMPARE(source().uses[2].role, TensorRole::Unused);
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "0", "1" }));
    m_document->undoStack()->undo();
    QCOMPARE(control<QuietChoice>(*entries()[2], "role")->currentText(), QStringLiteral("token names"));
    QCOMPARE(m_document->block().queryTokens[0], std::string("red"));
}

void FileTabTest::axesCanBeRelabelled()
{
    m_document->reset(sessionOf(recordedSet()));
    auto *axes = control<QuietChoice>(*entries()[0], "axes");
    QVERIFY(axes->isVisible());
    QCOMPARE(axes->currentText(), QStringLiteral("heads, queries, keys"));
    QCOMPARE(m_document->block().heads, 2);
    choose(axes, "layers, queries, keys");
    QCOMPARE(source().uses[0].axes, (std::vector<Axis>{ Axis::Layer, Axis::Query, Axis::Key }));
    QCOMPARE(m_document->block().layers, 2);
    QCOMPARE(m_document->block().heads, 1);
}

void FileTabTest::masksSayTheirPolarity()
{
    QCOMPARE(useName(TensorRole::AllowedMask, BlockRole::Plain), QStringLiteral("mask, 1 = may attend"));
    QCOMPARE(useName(TensorRole::HiddenMask, BlockRole::Plain), QStringLiteral("mask, 1 = is hidden"));
    TensorSet set;
    set.tensors.push_back({ .name = "q", .file = "a.npz", .tensor = tensor({ 2, 2 }, { 1, 0, 0, 1 }) });
    set.tensors.push_back({ .name = "k", .file = "a.npz", .tensor = tensor({ 2, 2 }, { 1, 0, 0, 1 }) });
    set.tensors.push_back({ .name = "mask", .file = "a.npz", .tensor = tensor({ 2, 2 }, { 0, 1, 0, 0 }) });
    m_document->reset(sessionOf(set));
    choose(control<QuietChoice>(*entries()[2], "role"), "mask, 1 = is hidden");
    const Mask hidden(m_document->block(), m_document->session().mechanism.mask, 0);
    QVERIFY(!hidden.isVisible(0, 1));
    QVERIFY(hidden.isVisible(1, 0));
    choose(control<QuietChoice>(*entries()[2], "role"), "mask, 1 = may attend");
    const Mask allowed(m_document->block(), m_document->session().mechanism.mask, 0);
    QVERIFY(allowed.isVisible(0, 1));
    QVERIFY(!allowed.isVisible(1, 0));
}

void FileTabTest::columnsThatSumToOneOfferTransposing()
{
    TensorSet set;
    // The columns sum to 1: keys are down.
    set.tensors.push_back({ .name = "attention", .file = "a.npy", .tensor = tensor({ 2, 2 }, { 1, 0.25, 0, 0.75 }) });
    m_document->reset(sessionOf(set));
    LinkButton *transpose = nullptr;
    const auto find = [&] {
        for (LinkButton *link : m_widget->findChildren<LinkButton *>())
            if (link->text() == QLatin1String("Transpose") && !link->isHidden())
                transpose = link;
        return transpose != nullptr;
    };
    QTRY_VERIFY(find());
    QCOMPARE(rowOf(transpose)->problem(), QStringLiteral("The columns sum to 1, not the rows."));
    transpose->click();
    QVERIFY(source().uses[0].isTransposed);
    const auto &recorded = std::get<RecordedData>(m_document->block().data);
    QCOMPARE(recorded.weights[0].at(1, 0), 0.25);
    QCOMPARE(recorded.rowsNotSummingToOne, (std::vector<Index>{ 0 }));
}

void FileTabTest::tokenNamesCanBeTyped()
{
    m_document->reset(sessionOf(recordedSet()));
    control<LinkButton>(*m_widget, "tokenNames")->click();
    auto *names = control<SequenceEdit>(*m_widget, "queryNames");
    QVERIFY(names->isVisible());
    QCOMPARE(names->toPlainText(), QStringLiteral("red\ngreen"));
    QVERIFY2(!control<SequenceEdit>(*m_widget, "keyNames")->isVisible(), "one list names both axes");
    names->selectAll();
    QTest::keyClicks(names, "one");
    QTest::keyClick(names, Qt::Key_Return);
    QTest::keyClicks(names, "two");
    QCOMPARE(names->toPlainText(), QStringLiteral("one\ntwo"));
    QCOMPARE(m_document->block().queryTokens, (std::vector<std::string>{ "one", "two" }));
    QCOMPARE(m_document->block().keyTokens, (std::vector<std::string>{ "one", "two" }));
    m_document->undoStack()->undo();
    QCOMPARE(m_document->block().queryTokens[0], std::string("red"));
}

void FileTabTest::missingFileCanBeLocated()
{
    Session session = sessionOf(recordedSet());
    std::get<FileSource>(session.source).tensors = nullptr;
    m_document->reset(session);
    QSignalSpy spy(m_widget.get(), &InputPanel::locateRequested);
    QVERIFY(clickLink(m_widget.get(), "Locate…"));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.front().front().toString(), QStringLiteral("/data/a.npz"));
    QCOMPARE(entries().size(), 0);
}

void FileTabTest::unusableChoiceIsExplained()
{
    m_document->reset(sessionOf(recordedSet()));
    choose(control<QuietChoice>(*entries()[0], "role"), "not used");
    QVERIFY(m_document->problem());
    bool isSaid = false;
    for (PanelRow *row : m_widget->findChildren<PanelRow *>())
        isSaid = isSaid || (row->isVisible() && row->problem().contains("No array is known as attention."));
    QVERIFY(isSaid);
}

void FileTabTest::lastFileComesBack()
{
    m_document->reset(sessionOf(recordedSet()));
    Session session = m_document->session();
    session.source = TokensSource{};
    session.name = "Typed tokens";
    m_document->edit(session, "type tokens");
    control<QTabBar>(*m_widget, "inputTabs")->setCurrentIndex(2);
    QVERIFY(clickLink(m_widget.get(), "Back to a.npz"));
    QVERIFY(std::holds_alternative<FileSource>(m_document->session().source));
    QCOMPARE(m_document->session().name, std::string("a.npz"));
}

void FileTabTest::oddRowsAreCounted()
{
    TensorSet set;
    set.tensors.push_back({ .name = "attention", .file = "a.npy", .tensor = tensor({ 2, 2 }, { 1, 0, 0.5, 0.2 }) });
    m_document->reset(sessionOf(set));
    bool isSaid = false;
    for (PanelRow *row : m_widget->findChildren<PanelRow *>())
        isSaid = isSaid || (row->isVisible() && row->note().contains("1 of 2 rows do not sum to 1"));
    QVERIFY(isSaid);
}

void FileTabTest::missingValuesAreSaid_data()
{
    QTest::addColumn<QStringList>("arrays");
    QTest::addColumn<bool>("isSaid");
    QTest::newRow("q and k") << QStringList{ "q", "k" } << true;
    QTest::newRow("q, k and v") << QStringList{ "q", "k", "v" } << false;
    QTest::newRow("recorded") << QStringList{ "attention" } << false;
}

void FileTabTest::missingValuesAreSaid()
{
    QFETCH(QStringList, arrays);
    QFETCH(bool, isSaid);
    TensorSet set;
    for (const QString &name : arrays)
        set.tensors.push_back({ .name = name.toStdString(), .file = "a.npz", .tensor = tensor({ 2, 2 }, { 1, 0, 0.5, 0.5 }) });
    m_document->reset(sessionOf(set));
    const QList<PanelRow *> rows = m_widget->findChildren<PanelRow *>();
    const bool found
        = std::any_of(rows.begin(), rows.end(), [](PanelRow *row) { return row->isVisible() && row->note().contains("Without V"); });
    QCOMPARE(found, isSaid);
}

QTEST_MAIN(FileTabTest)
#include "tst_file_tab.moc"
