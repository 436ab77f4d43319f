// SPDX-License-Identifier: GPL-3.0-or-later
// What an input lacks for a mechanism is said where the mechanism is chosen, and nothing else changes: gallery, panel, menus, find.
#include "core/random.h"
#include "panels/mechanism/gallery.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/mechanism/mechanism_panel.h"
#include "support/panels.h"
#include "window/find_popup.h"
#include "window/main_window.h"
#include "window/message_bar.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QStandardPaths>

using namespace attenscope;
using namespace attenscope::test;

namespace {

constexpr auto recordedReason = "The file holds weights, no Q and K: another mechanism cannot be computed";

Session typed(const std::string &text, Index dModel, int heads)
{
    Session session = exampleSentence();
    auto &tokens = std::get<TokensSource>(session.source);
    tokens.text = text;
    tokens.dModel = dModel;
    session.mechanism.heads = heads;
    return session;
}

Session matrices(int heads, Index queries, Index keys, Index width, bool hasValues)
{
    Random random(3);
    MatricesSource source;
    for (int head = 0; head < heads; ++head)
        source.heads.push_back({ SharedMatrix(random.normalMatrix(queries, width)), SharedMatrix(random.normalMatrix(keys, width)),
            hasValues ? SharedMatrix(random.normalMatrix(keys, 2)) : SharedMatrix() });
    Session session;
    session.source = source;
    return session;
}

Session recorded()
{
    auto set = std::make_shared<TensorSet>();
    set->tensors.push_back(
        { .name = "attention", .file = "a.npy", .tensor = Tensor::fromMatrix(Matrix(Matrix::Constant(3, 3, 1.0 / 3.0))) });
    FileSource file;
    file.tensors = set;
    file.uses = recognise(*set);
    Session session;
    session.source = file;
    return session;
}

/// Inputs that lack something that a mechanism may need.
std::vector<std::pair<const char *, Session>> poorInputs()
{
    Session cross = typed("one two three", 32, 4);
    std::get<TokensSource>(cross.source).keyText = "a b c d e";
    return { { "recorded", recorded() }, { "no values", matrices(2, 4, 4, 4, false) }, { "odd width", matrices(2, 5, 5, 3, true) },
        { "three heads", typed("a b c d e f", 24, 3) }, { "one head", typed("a b c d e f", 32, 1) },
        { "odd heads of tokens", typed("a b c d", 12, 4) }, { "one token", typed("alone", 32, 4) },
        { "one number", matrices(1, 1, 1, 1, true) }, { "cross-attention, causal", cross },
        { "more queries than keys", matrices(1, 5, 2, 4, true) } };
}

QPushButton *button(const QWidget &parent, const QString &text)
{
    for (auto *found : parent.findChildren<QPushButton *>())
        if (found->text() == text)
            return found;
    return nullptr;
}

/// Every sentence on an error ground that is to be seen.
QStringList visibleProblems(const QWidget &panel)
{
    QStringList said;
    for (const ProblemNote *note : panel.findChildren<ProblemNote *>())
        if (note->isVisible())
            said << note->sentence();
    return said;
}

} // namespace

class PresetRefusalsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void whatIsRefusedSaysSoInTheGallery_data()
    {
        QTest::addColumn<int>("input");
        for (std::size_t input = 0; input < poorInputs().size(); ++input)
            QTest::newRow(poorInputs()[input].first) << static_cast<int>(input);
    }

    void whatIsRefusedSaysSoInTheGallery()
    {
        QFETCH(int, input);
        const Session poor = poorInputs()[static_cast<std::size_t>(input)].second;
        Document document;
        Selection selection;
        document.reset(poor);
        MechanismPanel panel(document, selection);
        panel.resize(320, 900);
        panel.show();
        panel.showGallery();
        auto *gallery = panel.findChild<Gallery *>();
        auto *list = control<QListWidget>(*gallery, "galleryList");
        QPushButton *use = button(*gallery, QStringLiteral("Use"));
        for (int row = 0; row < list->count(); ++row) {
            panel.showGallery();
            document.reset(poor);
            list->setCurrentRow(row);
            if (!gallery->current())
                continue; // a heading
            const char *id = gallery->current()->id.c_str();
            const auto result = document.result();
            if (use->isEnabled()) {
                use->click();
                QVERIFY2(!gallery->isVisible(), id);
                // Whatever it is used on, it can be computed.
                QVERIFY2(!document.problem() && visibleProblems(panel).isEmpty(), id);
                continue;
            }
            QVERIFY2(visibleProblems(*gallery).size() == 1, id);
            QVERIFY2(!usePreset(document, *gallery->current()).isUsable, id);
            QVERIFY2(document.session() == poor && document.result() == result, id);
            // What is offered in its place can be computed.
            if (QPushButton *fix = gallery->findChild<ProblemNote *>()->findChild<LinkButton *>(); fix && fix->isVisible()) {
                fix->click();
                QVERIFY2(!(document.session() == poor) && !document.problem() && use->isEnabled(), id);
            }
        }
    }

    void ropeOfOddHeadsOffersOthers()
    {
        Document document;
        Selection selection;
        document.reset(typed("a b c d", 12, 4));
        MechanismPanel panel(document, selection);
        panel.show();
        panel.showGallery();
        auto *gallery = panel.findChild<Gallery *>();
        auto *text = control<QLineEdit>(*gallery, "galleryText");
        QTest::keyClicks(text, "RoPE");
        while (gallery->current()->id != "positions-rope")
            QTest::keyClick(text, Qt::Key_Down);
        auto *lack = control<PanelRow>(*gallery, "galleryLack");
        QCOMPARE(lack->problem(), QStringLiteral("RoPE turns pairs of dimensions, and each head has 3: it is left out."));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(gallery->isVisible());
        QVERIFY(clickLink(lack, "Use 3 heads"));
        QCOMPARE(document.session().mechanism.heads, 3);
        QVERIFY(document.session().mechanism.rope);
    }

    void menusSayWhatIsMissingInTheMessageBar()
    {
        MainWindow window;
        window.show();
        window.document().reset(matrices(2, 5, 5, 3, true));
        const Session before = window.document().session();
        window.actionTable()[QStringLiteral("use.positions-rope")]->trigger();
        QVERIFY(window.document().session() == before);
        QVERIFY(window.messages().isShown());
        QCOMPARE(window.messages().sentence(),
            QStringLiteral("RoPE is not used. RoPE turns pairs of dimensions, and each head has 3: it is left out."));
        window.messages().clear();
        window.document().reset(typed("a b c d", 12, 4));
        window.actionTable()[QStringLiteral("use.positions-rope")]->trigger();
        button(window.messages(), QStringLiteral("Use 3 heads"))->click();
        QCOMPARE(window.document().session().mechanism.heads, 3);
        QVERIFY(!window.messages().isShown());
    }

    void recordedWeightsAreSaidAtTheTopOfMenus()
    {
        MainWindow window;
        window.show();
        window.document().reset(recorded());
        QMenu menu;
        window.actionTable().fill(&menu, MenuId::Mechanism);
        int reasons = 0;
        for (QAction *entry : menu.actions()) {
            if (!entry->menu())
                continue;
            emit entry->menu()->aboutToShow();
            const QAction *first = entry->menu()->actions().front();
            const bool isOff = !entry->menu()->actions().back()->isEnabled();
            QCOMPARE(first->isVisible(), isOff);
            if (isOff)
                QCOMPARE(first->text(), QLatin1String(recordedReason));
            reasons += isOff ? 1 : 0;
        }
        QCOMPARE(reasons, 7); // all groups but the masks
        window.document().reset(exampleSentence());
        for (QAction *entry : menu.actions()) {
            if (!entry->menu())
                continue;
            emit entry->menu()->aboutToShow();
            QVERIFY(!entry->menu()->actions().front()->isVisible());
        }
    }

    void findListsWhatIsOffAndSaysWhy()
    {
        MainWindow window;
        window.show();
        window.document().reset(recorded());
        FindPopup popup(window.document(), window.selection(), window.actionTable());
        popup.open(&window);
        QTest::keyClicks(popup.findChild<QLineEdit *>(), "ALiBi");
        const auto *found = popup.findChild<QListWidget *>();
        QVERIFY(found->count() >= 2);
        for (int row = 0; row < found->count(); ++row) {
            QVERIFY(found->item(row)->text().contains(QLatin1String("ALiBi")));
            QVERIFY(!found->item(row)->flags().testFlag(Qt::ItemIsEnabled));
            QCOMPARE(found->item(row)->data(Qt::AccessibleDescriptionRole).toString(), QLatin1String(recordedReason));
        }
        const Session before = window.document().session();
        QTest::keyClick(popup.findChild<QLineEdit *>(), Qt::Key_Return);
        QVERIFY(popup.isVisible());
        QVERIFY(window.document().session() == before);
    }
};

QTEST_MAIN(PresetRefusalsTest)
#include "tst_preset_refusals.moc"
