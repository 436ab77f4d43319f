// SPDX-License-Identifier: GPL-3.0-or-later
// What people have on the clipboard becomes matrices, or one sentence that says why not.
#include "test_files.h"

#include "io/pasted_text.h"

using namespace attenscope;

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

namespace {

Numbers cellsOf(const Matrix &matrix)
{
    return { matrix.data(), matrix.data() + matrix.size() };
}

} // namespace

class TestPastedText : public QObject {
    Q_OBJECT

private slots:
    void everyWayToWriteAMatrixIsUnderstood_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const char *text) { QTest::newRow(name) << QString(text); };
        // All of them mean 1 2.5 / -3 0.004.
        row("spreadsheet", "1\t2.5\n-3\t0.004\n");
        row("German spreadsheet", "1\t2,5\n-3\t0,004\n");
        row("CSV", "1,2.5\n-3,0.004");
        row("CSV with semicolons", "1;2,5\n-3;0,004");
        row("spaces", "1 2.5\n-3 4e-3");
        row("minus sign", "1 2.5\n−3 4e-3");
        row("numpy expression", "np.array([[1, 2.5], [-3, 0.004]])");
        row("numpy name", "Q = np.array([[1, 2.5],\n              [-3, 0.004]], dtype=np.float32)");
        row("numpy repr", "array([[ 1.0e+00,  2.5e+00],\n       [-3.0e+00,  4.0e-03]])");
        row("numpy repr with a type", "array([[ 1.   ,  2.5  ],\n       [-3.   ,  0.004]], dtype=float32)");
        row("numpy matrix", "matrix([[ 1. ,  2.5],\n        [-3.,  0.004]])");
        row("numpy print", "[[ 1.     2.5  ]\n [-3.     0.004]]");
        row("torch", "tensor([[ 1.0000,  2.5000],\n        [-3.0000,  0.0040]])");
        row("torch on a device",
            "tensor([[ 1.0000,  2.5000],\n        [-3.0000,  0.0040]], device='cuda:0', dtype=torch.float64,\n       "
            "grad_fn=<SoftmaxBackward0>)");
        row("torch constructor", "torch.tensor([[1, 2.5], [-3, 0.004]])");
        row("torch with a batch of one", "tensor([[[[ 1.0000,  2.5000],\n          [-3.0000,  0.0040]]]])");
        row("MATLAB", "[1 2.5; -3 0.004]");
        row("MATLAB with commas", "[1, 2.5; -3, 0.004];");
        row("MATLAB assignment", "A = [1 2.5; -3 0.004];");
        row("MATLAB over lines", "A = [\n  1 2.5\n  -3 0.004\n];");
        row("MATLAB over lines with semicolons", "A = [1 2.5;\n     -3 0.004];");
        row("MATLAB transposed", "[1 -3; 2.5 0.004]'");
        row("Octave print", "A =\n\n   1.0000000   2.5000000\n  -3.0000000   0.0040000\n\n");
        row("Octave print with a factor", "A =\n\n   1.0e+03 *\n\n   1.0e-03   2.5e-03\n  -3.0e-03   4.0e-06\n");
        row("Octave print in columns", "A =\n\n Columns 1 through 1:\n\n   1\n  -3\n\n Column 2:\n\n   2.5000\n   0.0040\n");
        row("JSON", "[[1, 2.5], [-3, 4e-3]]");
        row("JSON over lines", "[\n  [\n    1,\n    2.5\n  ],\n  [\n    -3,\n    0.004\n  ]\n]\n");
        row("tuples", "((1, 2.5), (-3, 0.004))");
        row("tuples in a list", "[(1, 2.5), (-3, 0.004,),]");
        row("UTF-8 mark",
            "\xef\xbb\xbf"
            "1\t2.5\n-3\t0.004\n");
    }
    void everyWayToWriteAMatrixIsUnderstood()
    {
        QFETCH(QString, text);
        const auto pasted = parseMatrices(text.toStdString());
        QVERIFY_OK(pasted);
        QCOMPARE(pasted->matrices.size(), 1U);
        const Matrix &matrix = pasted->matrices.front();
        QCOMPARE(matrix.rows(), 2);
        QCOMPARE(matrix.cols(), 2);
        // A factor of an Octave print is multiplied, everything else is read as it stands.
        const Numbers expected{ 1, 2.5, -3, 0.004 };
        for (std::size_t place = 0; place < expected.size(); ++place)
            QVERIFY(std::abs(cellsOf(matrix)[place] - expected[place]) <= 1e-15);
    }

    void threeAxesAreOneMatrixPerHead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("JSON") << "[[[1, 2]], [[3, 4]], [[5, 6]]]";
        QTest::newRow("numpy print") << "[[[1. 2.]]\n\n [[3. 4.]]\n\n [[5. 6.]]]";
        QTest::newRow("three matrices") << "A = [1 2];\nB = [3 4];\nC = [5 6];";
        QTest::newRow("Octave") << "ans(:,:,1) =\n\n   1   2\n\nans(:,:,2) =\n\n   3   4\n\nans(:,:,3) =\n\n   5   6\n";
    }
    void threeAxesAreOneMatrixPerHead()
    {
        QFETCH(QString, text);
        const auto pasted = parseMatrices(text.toStdString());
        QVERIFY_OK(pasted);
        QCOMPARE(pasted->matrices.size(), 3U);
        QCOMPARE(cellsOf(pasted->matrices[0]), (Numbers{ 1, 2 }));
        QCOMPARE(cellsOf(pasted->matrices[1]), (Numbers{ 3, 4 }));
        QCOMPARE(cellsOf(pasted->matrices[2]), (Numbers{ 5, 6 }));
    }

    void oneAxisIsOneRow_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("list") << "[1, 2, 3]";
        QTest::newRow("wrapped print") << "[1. 2.\n 3.]";
        QTest::newRow("array over lines") << "array([1,\n 2,\n 3])";
        QTest::newRow("row") << "1 2 3";
        QTest::newRow("MATLAB") << "[1 2 3]";
    }
    void oneAxisIsOneRow()
    {
        QFETCH(QString, text);
        const auto pasted = parseMatrices(text.toStdString());
        QVERIFY_OK(pasted);
        QCOMPARE(pasted->matrices.front().rows(), 1);
        QCOMPARE(cellsOf(pasted->matrices.front()), (Numbers{ 1, 2, 3 }));
    }

    void columnsAreColumns()
    {
        const auto pasted = parseMatrices("[1; 2; 3]");
        QVERIFY_OK(pasted);
        QCOMPARE(pasted->matrices.front().rows(), 3);
        QCOMPARE(pasted->matrices.front().cols(), 1);
    }

    void extremesAreKept()
    {
        const auto pasted = parseMatrices("[[nan, -inf], [1e308, 5e-324]]");
        QVERIFY_OK(pasted);
        const Numbers cells = cellsOf(pasted->matrices.front());
        QVERIFY(std::isnan(cells[0]));
        QCOMPARE(cells[1], -HUGE_VAL);
        QCOMPARE(cells[2], 1e308);
        QCOMPARE(cells[3], 5e-324);
        const auto flags = parseMatrices("array([[ True, False]])");
        QVERIFY_OK(flags);
        QCOMPARE(cellsOf(flags->matrices.front()), (Numbers{ 1, 0 }));
    }

    void namesOfRowsAndColumnsAreKept()
    {
        const auto pasted = parseMatrices("\td0\td1\n[CLS]\t1\t2\n...\t3\t4\n");
        QVERIFY_OK(pasted);
        QCOMPARE(pasted->rowNames, (Names{ "[CLS]", "..." }));
        QCOMPARE(pasted->colNames, (Names{ "d0", "d1" }));
        QCOMPARE(cellsOf(pasted->matrices.front()), (Numbers{ 1, 2, 3, 4 }));
    }

    void whatIsNoMatrixIsRefusedInOneSentence_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char *name, const std::string &text, const char *answer) { QTest::newRow(name) << text << answer; };
        row("nothing", " \n", "There is nothing to paste.");
        row("prose", "the cat sat", "There are no numbers in this text.");
        row("shortened numpy", "[[0.1 0.2 ... 0.3]\n [0.4 0.5 ... 0.6]]",
            "The print was shortened: numbers are missing where it says “...”. Print it whole: "
            "np.set_printoptions(threshold=sys.maxsize).");
        row("shortened rows", "array([[1, 2],\n       ...,\n       [3, 4]])", "The print was shortened");
        row("shortened torch", "tensor([[0.1, 0.2,  ..., 0.3],\n        [0.1, 0.2,  ..., 0.3]])",
            "The print was shortened: numbers are missing where it says “...”. Print it whole: torch.set_printoptions(profile=\"full\").");
        row("shortened pandas", "     0    1  ...    9\n0  0.1  0.2  ...  0.3\n1  0.4  0.5  ...  0.6\n", "The print was shortened");
        row("ragged table", "1\t2\n3\n", "The rows have different lengths. Row 1 has 1, the first one 2.");
        row("ragged lists", "[[1, 2], [3]]", "The rows have different lengths. Row 1 has 1, the first one 2.");
        row("ragged MATLAB", "[1 2; 3]", "The rows have different lengths. Row 1 has 1, the first one 2.");
        row("ragged heads", "[[[1], [2]], [[3]]]", "The rows have different lengths.");
        row("unequal depth", "[[1, 2], [[3, 4]]]", "The lists are not nested equally deep.");
        row("numbers beside lists", "[1, [2, 3]]", "Numbers stand beside lists.");
        row("text in lists", "[[1, 2], [3, x]]", "There is ‘x’ where a number should be. Row 1, column 1.");
        row("fraction", "[[1/2, 2]]", "There is ‘1/2’ where a number should be. Row 0, column 0.");
        row("text in cells", "1\t2\n3\tabc\n", "There is text where a number should be. Row 1, column 1 is ‘abc’.");
        row("text under names", "\tx\ty\na\t1\t2\nb\t3\tabc\n", "There is text where a number should be. Row 1, column 1 is ‘abc’.");
        row("text in the second head", "head,query,x,y\n0,a,1,2\n0,b,3,4\n1,a,5,?\n1,b,7,8\n",
            "There is text where a number should be. Row 0, column 1 is ‘?’.");
        row("thousands", "1,234\t5\n2,345\t6", "A comma here may be a decimal mark or a thousands separator. Row 0, column 0 is ‘1,234’.");
        row("empty cell", "1\t2\t3\n4\t\t6\n", "A cell is empty. It is in row 1, column 1.");
        row("thousands", "1,234\t5,678", "A comma here may be a decimal mark or a thousands separator.");
        row("too large", "[[1e999]]", "A number is too large for double precision. Row 0, column 0.");
        row("too large in a cell", "1\t1e999\n", "A number is too large for double precision. Row 0, column 1 is ‘1e999’.");
        row("open bracket", "[[1, 2], [3, 4]", "A bracket is not closed.");
        row("wrong bracket", "[[1, 2), [3, 4]]", "Brackets do not match.");
        row("empty brackets", "[[], []]", "The brackets are empty.");
        row("four axes", "[[[[1]], [[2]]], [[[3]], [[4]]]]", "These numbers have 4 axes: 2 × 2 × 1 × 1.");
        row("ten thousand deep", std::string(10'000, '[') + std::string(10'000, ']'), "Brackets are nested too deep.");
        row("different sizes", "[1 2]; [1 2 3]", "The matrices have different sizes. One is 1 × 2, another 1 × 3.");
        row("something follows", "[[1, 2]] and more", "Something follows the numbers that is not understood. It is ‘and more’.");
        row("not UTF-8", "1,2\n3,caf\xe9", "The text is not UTF-8.");
        row("name only", "A =\n\n", "There are no numbers in this text.");
        row("zero bytes", std::string("1,2\0", 4), "This is not a text file.");
    }
    void whatIsNoMatrixIsRefusedInOneSentence()
    {
        QFETCH(std::string, text);
        QFETCH(QString, answer);
        const auto pasted = parseMatrices(text);
        const QString said = pasted ? "understood" : QString::fromStdString(pasted.error().sentence());
        QVERIFY2(said.startsWith(answer), qPrintable(said));
    }
};

QTEST_APPLESS_MAIN(TestPastedText)
#include "tst_pasted_text.moc"
