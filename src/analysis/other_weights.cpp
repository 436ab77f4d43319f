// SPDX-License-Identifier: GPL-3.0-or-later
// The linear programmes behind "same output, other weights".
#include "analysis/other_weights.h"

#include "attention/row_kernel.h"
#include "core/memory.h"
#include "core/text.h"

#include <Eigen/QR>
#include <glpk.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace attenscope {

namespace {

/// What w has to fulfil, a row for each condition: its sum, and every dimension of the output. Independent of units.
Matrix conditions(const Matrix &values, const Vector &weights)
{
    const Vector output = values.transpose() * weights / weights.sum();
    Matrix rows(values.cols() + 1, values.rows());
    rows.row(0).setOnes();
    for (Index dimension = 0; dimension < values.cols(); ++dimension) {
        // Σ w (v - output) = 0 says the same as Σ w v = output, and loses no digits where values are large and alike.
        const auto difference = values.col(dimension).array() - output(dimension);
        const double size = difference.abs().maxCoeff();
        if (size > 0.0)
            rows.row(dimension + 1) = difference.transpose() / size;
        else
            rows.row(dimension + 1).setZero();
    }
    return rows;
}

/// One programme: w >= 0, rows · w = right.
class Programme {
public:
    Programme(const Matrix &rows, const Vector &right)
        : m_programme(glp_create_prob())
        , m_count(static_cast<int>(rows.cols()))
    {
        glp_add_rows(m_programme.get(), static_cast<int>(rows.rows()));
        glp_add_cols(m_programme.get(), m_count);
        std::vector<int> places(static_cast<std::size_t>(m_count) + 1);
        std::vector<double> numbers(places.size());
        for (int col = 1; col <= m_count; ++col) {
            places[static_cast<std::size_t>(col)] = col;
            glp_set_col_bnds(m_programme.get(), col, GLP_LO, 0.0, 0.0);
        }
        for (int row = 1; row <= static_cast<int>(rows.rows()); ++row) {
            for (int col = 1; col <= m_count; ++col)
                numbers[static_cast<std::size_t>(col)] = rows(row - 1, col - 1);
            glp_set_mat_row(m_programme.get(), row, m_count, places.data(), numbers.data());
            glp_set_row_bnds(m_programme.get(), row, GLP_FX, right(row - 1), right(row - 1));
        }
        glp_adv_basis(m_programme.get(), 0);
    }

    /// The w with the least or the most at @p col.
    Result<Vector> solve(Index col, bool wantsLargest, const Run &run)
    {
        glp_set_obj_dir(m_programme.get(), wantsLargest ? GLP_MAX : GLP_MIN);
        glp_set_obj_coef(m_programme.get(), static_cast<int>(col) + 1, 1.0);
        glp_smcp options;
        glp_init_smcp(&options);
        options.msg_lev = GLP_MSG_OFF;
        options.tol_bnd = options.tol_dj = 1e-9;
        options.tm_lim = 100; // milliseconds, then it goes on from where it was
        int code = GLP_ETMLIM;
        while (code == GLP_ETMLIM) {
            if (run.stopped())
                return Error::cancelled();
            code = glp_simplex(m_programme.get(), &options);
        }
        if (code != 0 || glp_get_status(m_programme.get()) != GLP_OPT)
            return Error{ "The linear programme could not be solved.", "The values are too different in size for double precision.",
                "Choose another row.", {} };
        Vector w(m_count);
        for (int place = 0; place < m_count; ++place)
            w(place) = std::max(0.0, glp_get_col_prim(m_programme.get(), place + 1));
        return w;
    }

private:
    struct Delete {
        void operator()(glp_prob *programme) const { glp_delete_prob(programme); }
    };
    std::unique_ptr<glp_prob, Delete> m_programme;
    int m_count;
};

/// Solves rows · w = right anew for the keys that have weight: the simplex method stops at its tolerance, this at rounding.
Vector polished(const Vector &w, const Matrix &rows, const Vector &right)
{
    std::vector<Index> support;
    for (Index place = 0; place < w.size(); ++place)
        if (w(place) > 0.0)
            support.push_back(place);
    const Vector exact = rows(Eigen::all, support).colPivHouseholderQr().solve(right);
    if (!exact.allFinite() || exact.minCoeff() < 0.0)
        return w;
    Vector result = Vector::Zero(w.size());
    result(support) = exact;
    return result;
}

/// GLPK keeps an environment for every thread; it would outlive the thread.
struct QuietGlpk {
    QuietGlpk() { glp_term_out(GLP_OFF); }
    QuietGlpk(const QuietGlpk &) = delete;
    QuietGlpk &operator=(const QuietGlpk &) = delete;
    ~QuietGlpk() { glp_free_env(); }
};

/// Smallest and largest weight at @p place, among w that fulfil the conditions that @p real fulfils.
Result<std::pair<Vector, Vector>> extremes(const Matrix &values, const Vector &real, Index place, const Run &run)
{
    const Matrix all = conditions(values, real);
    if (!all.allFinite())
        return Error{ "The values are too large to compare.", "Their differences leave the range of double precision.",
            "Choose another row.", {} };
    // Conditions that follow from others would only be a burden on the simplex method.
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(all);
    const Index rank = qr.rank();
    if (rank == real.size())
        return std::pair{ real, real };
    const Matrix triangle = qr.matrixR().topRows(rank).template triangularView<Eigen::Upper>();
    const Matrix rows = triangle * qr.colsPermutation().transpose();
    const Vector right = rows * real;
    const QuietGlpk quiet;
    Programme programme(rows, right);
    const Result<Vector> smallest = programme.solve(place, false, run);
    if (!smallest)
        return smallest.error();
    const Result<Vector> largest = programme.solve(place, true, run);
    if (!largest)
        return largest.error();
    return std::pair{ polished(*smallest, rows, right), polished(*largest, rows, right) };
}

Error notFinite(const char *what)
{
    return { std::string(what) + " of this row are not all finite.", "With NaN or ∞ there is no output to keep.", "Choose another row.",
        {} };
}

} // namespace

Result<OtherWeights> otherWeights(const HeadOperands &operands, Index row, Index key, const Run &run)
{
    if (operands.v.isEmpty())
        return Error{ "There are no values.", "Without V there is no output to keep.", "Add V.", {} };
    RowKernel kernel(operands);
    kernel.start(row);
    std::vector<Index> keys;
    for (const Range &visible : kernel.visible())
        for (Index place = visible.first; place < visible.end; ++place)
            keys.push_back(place);
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    if (found == keys.end() || *found != key)
        return Error{ "This key is masked for the row.", "A masked key has the weight 0.", "Pick a visible cell.", {} };
    const auto count = static_cast<std::uint64_t>(keys.size());
    const auto cols = static_cast<std::uint64_t>(operands.v.cols()) + 1;
    // Values, conditions, their triangle, and what GLPK makes of them.
    if (Result<void> fits = checkMemory(saturatingProduct(saturatingProduct(count, cols), 8 * sizeof(double)), "Looking for other weights");
        !fits)
        return fits.error();

    OtherWeights result;
    result.real.resize(operands.scoreK.rows());
    kernel.weights({ result.real.data(), static_cast<std::size_t>(result.real.size()) });
    const Vector real = result.real(keys);
    if (!real.allFinite())
        return notFinite("The weights");
    Matrix values(static_cast<Index>(keys.size()), operands.v.cols());
    for (Index place = 0; place < values.rows(); ++place)
        operands.v.readRow(
            keys[static_cast<std::size_t>(place)], 0, { values.data() + place * values.cols(), static_cast<std::size_t>(values.cols()) });
    if (!values.allFinite())
        return notFinite("The values");
    if (!(real.sum() > 0.0))
        return Error{ "The weights of this row are all 0.", {}, "Choose another row.", {} };
    const auto pair = extremes(values, real, found - keys.begin(), run);
    if (!pair)
        return pair.error();
    const Matrix all = conditions(values, real);
    const auto put = [&](const Vector &w, Vector &out) {
        out = Vector::Zero(result.real.size());
        out(keys) = w;
        result.residual = std::max(result.residual, (all * (w - real)).cwiseAbs().maxCoeff());
    };
    put(pair->first, result.smallest);
    put(pair->second, result.largest);
    if (result.residual > 1e-6)
        return Error{ "No other weights were found.",
            "The linear programme ended " + displayNumber(result.residual, 2) + " off the output.", "Choose another row.", {} };
    return result;
}

} // namespace attenscope
