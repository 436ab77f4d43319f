// SPDX-License-Identifier: GPL-3.0-or-later
// A mechanism that cannot be computed, from a file or after the input changed, is refused in sight of its control; the last good picture stays.
#include "panels/mechanism/mechanism_panel.h"
#include "support/panels.h"

#include <limits>

using namespace attenscope;
using namespace attenscope::test;

namespace {

struct BadMechanism {
    const char *name;
    const char *control; ///< In whose row it is said.
    const char *sentence; ///< How that begins.
    void (*spoil)(AttentionSpec &spec);
};

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Of the example sentence: 10 tokens, d_model 32, 4 heads.
const std::vector<BadMechanism> &badMechanisms()
{
    static const std::vector<BadMechanism> all{
        { "window 0", "maskWindow", "The window is 0. It must be at least 1.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::CausalSlidingWindow;
                spec.mask.window = 0;
            } },
        { "window 0 with sinks", "maskWindow", "The window is 0. It must be at least 1.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::SinksWindow;
                spec.mask.window = 0;
            } },
        { "sinks", "maskSinks", "The number of sinks is −1. It must be at least 0.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::SinksWindow;
                spec.mask.sinks = -1;
            } },
        { "prefix", "maskPrefix", "The prefix is 11. The valid range is 0 to 10.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::PrefixLm;
                spec.mask.prefix = 11;
            } },
        { "stride", "maskStride", "The stride is 0. It must be at least 1.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::SparseStrided;
                spec.mask.stride = 0;
            } },
        { "columns", "maskColumns", "The number of columns is 5. The valid range is 1 to 4.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::SparseFixed;
                spec.mask.fixedColumns = 5;
            } },
        { "block", "maskBlock", "The block is 0. It must be at least 1.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::BlockSparse;
                spec.mask.block = 0;
            } },
        { "layout", "blockLayout", "The block layout is 2 × 2. It must be 3 × 3 for blocks of 4.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::BlockSparse;
                spec.mask.blockLayout = BitMatrix(2, 2, true);
            } },
        { "documents", "documentStarts", "The starts of the documents are not in ascending order.",
            [](AttentionSpec &spec) {
                spec.mask.rule = MaskRule::Document;
                spec.mask.documentStarts = { 5, 3 };
            } },
        { "padding", "maskPadding", "The number of padded keys is 11. The valid range is 0 to 10.",
            [](AttentionSpec &spec) { spec.mask.paddedKeys = 11; } },
        { "0/1 matrix", "maskPolarity", "The mask is 3 × 3. It must be queries × keys, 10 × 10.",
            [](AttentionSpec &spec) { spec.mask.allowed = BitMatrix(3, 3, true); } },
        { "temperature 0", "temperature", "The temperature is 0. It must be a number above 0.",
            [](AttentionSpec &spec) { spec.temperature = 0.0; } },
        { "temperature −1", "temperature", "The temperature is −1. It must be a number above 0.",
            [](AttentionSpec &spec) { spec.temperature = -1.0; } },
        { "scale", "scale", "The scale is NaN. It must be a finite number.", [](AttentionSpec &spec) { spec.scale = notANumber; } },
        { "cap 0", "softCap", "The soft cap is 0. It must be a number above 0.", [](AttentionSpec &spec) { spec.softCap = 0.0; } },
        { "bias", "table B", "The bias is 3 × 3. It must be queries × keys, 10 × 10.",
            [](AttentionSpec &spec) { spec.bias = SharedMatrix(Matrix(Matrix::Zero(3, 3))); } },
        { "heads 0", "heads", "There are 0 heads. There must be at least 1.", [](AttentionSpec &spec) { spec.heads = 0; } },
        { "heads 7", "heads", "W_q has 32 columns, which 7 heads cannot share evenly. The valid numbers are 1, 2, 4, 8, 16, 32.",
            [](AttentionSpec &spec) { spec.heads = 7; } },
        { "K/V heads", "kvHeads", "3 key/value heads cannot be shared evenly by 4 query heads. The valid numbers are 1, 2, 4.",
            [](AttentionSpec &spec) { spec.kvHeads = 3; } },
        { "RoPE with odd d", "rope", "Each head has 1 dimension. RoPE turns pairs, so the number must be even.",
            [](AttentionSpec &spec) {
                spec.heads = 32;
                spec.rope = Rope();
            } },
        { "base of RoPE", "ropeBase", "The base of RoPE is 0. It must be a number above 0.",
            [](AttentionSpec &spec) {
                spec.rope = Rope();
                spec.rope->base = 0.0;
            } },
        { "parameters", "score", "W is 3 × 3. It must be 8 × 8.",
            [](AttentionSpec &spec) {
                spec.score = ScoreFunction::General;
                spec.parameters.w = SharedMatrix(Matrix(Matrix::Zero(3, 3)));
            } },
        { "query rows", "queryBlock", "The query block is 0. It must be at least 1.",
            [](AttentionSpec &spec) {
                spec.algorithm = Algorithm::Flash;
                spec.queryBlock = 0;
            } },
        { "key columns", "keyBlock", "The key block is 0. It must be at least 1.",
            [](AttentionSpec &spec) {
                spec.algorithm = Algorithm::Flash;
                spec.keyBlock = 0;
            } },
    };
    return all;
}

/// The rows that say something is wrong.
std::vector<PanelRow *> wrongRows(const QWidget &panel)
{
    std::vector<PanelRow *> wrong;
    for (PanelRow *row : panel.findChildren<PanelRow *>())
        if (row->isVisibleTo(&panel) && !row->problem().isEmpty())
            wrong.push_back(row);
    return wrong;
}

} // namespace

class BadMechanismsTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrongIsSaidInSightOfItsControl_data()
    {
        QTest::addColumn<int>("place");
        for (std::size_t place = 0; place < badMechanisms().size(); ++place)
            QTest::newRow(badMechanisms()[place].name) << static_cast<int>(place);
    }

    void whatIsWrongIsSaidInSightOfItsControl()
    {
        QFETCH(int, place);
        const BadMechanism &bad = badMechanisms()[static_cast<std::size_t>(place)];
        Document document;
        Selection selection;
        document.reset(exampleSentence());
        MechanismPanel panel(document, selection);
        // As low as a dock may be: what is wrong has to be scrolled to, and unfolded.
        panel.resize(264, 240);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto good = document.result();
        Session session = document.session();
        bad.spoil(session.mechanism);
        document.edit(session, "spoil");
        QVERIFY(document.problem());
        QCOMPARE(document.result(), good);
        const std::vector<PanelRow *> wrong = wrongRows(panel);
        QCOMPARE(wrong.size(), std::size_t{ 1 });
        QCOMPARE(wrong.front(), rowOf(control<QWidget>(panel, bad.control)));
        QVERIFY2(wrong.front()->problem().startsWith(QString::fromUtf8(bad.sentence)), qPrintable(wrong.front()->problem()));
        const auto *note = wrong.front()->findChild<ProblemNote *>();
        QTRY_VERIFY(!note->visibleRegion().isEmpty());
        document.undoStack()->undo();
        QVERIFY(wrongRows(panel).empty());
    }
};

QTEST_MAIN(BadMechanismsTest)
#include "tst_bad_mechanisms.moc"
