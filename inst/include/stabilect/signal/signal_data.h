#ifndef STABILECT_SIGNAL_DATA_H
#define STABILECT_SIGNAL_DATA_H

// The data of a search for signals: features and response adjusted for the covariates, in
// coordinates in which the products of the samples are a diagonal matrix.

#include <Eigen/Householder>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"
#include "stabilect/signal/passes.h"
#include "stabilect/signal/symmetric_eigen.h"

namespace stabilect {

// n samples, q columns of an orthonormal basis of the covariates (including the intercept), m = n -
// q remaining coordinates.
struct SignalData {
  Eigen::MatrixXd basis;    // U, n x m: the coordinates, orthogonal to the covariates
  Eigen::VectorXd spectrum; // m: eigenvalues of x x', ascending, mean 1 (0 when no feature varies)
  Eigen::MatrixXd x;        // m x p: U'x, columns of length one, or zero
  Eigen::VectorXd y;        // m: U'y, length one
  Eigen::VectorXd x_norm;   // p: length of the column without the covariates' part; 0: out
  double y_norm = 0.0;      // length of y without the covariates' part

  Index m() const { return y.size(); }
  Index p() const { return x.cols(); }
  bool varies(Index feature) const { return x_norm[feature] > 0.0; }
};

namespace signal_detail {

constexpr Index kColumnBlock = 256;

inline void run_columns(Index p, const Runtime &runtime, const std::function<void(Index)> &task) {
  run_tasks(p, runtime, [&](Index j) { task(j); });
}

// A column adjusted for the covariates, at length one; zero if less than a millionth of its spread
// is left. Returns the previous length.
inline double residual_column(const ConstVector &values, const Eigen::MatrixXd &covariates,
                              Eigen::Ref<Eigen::VectorXd> out) {
  out = values.array() - values[0]; // exactly zero for a constant
  const double largest = out.cwiseAbs().maxCoeff();
  if (!(largest > 0.0) || !std::isfinite(largest)) {
    out.setZero();
    return 0.0;
  }
  out /= largest;
  const double spread = (out.array() - out.mean()).matrix().norm();
  for (int twice = 0; twice < 2; ++twice)
    out -= covariates * (covariates.transpose() * out);
  const double left = out.norm();
  if (!(left > 1e-6 * spread)) {
    out.setZero();
    return 0.0;
  }
  out /= left;
  return left * largest;
}

// Gram matrix of columns in parts, to allow interrupts; at once where it takes at most half a
// second.
inline Eigen::MatrixXd gram_of(const Eigen::MatrixXd &rows, const Runtime &runtime) {
  const Index n = rows.rows(), p = rows.cols();
  const double side = n, entries = side * side;
  const Index at_once = entries * p <= 2147483648.0
                            ? std::max<Index>(p, 1)
                            : std::max<Index>(16, static_cast<Index>(536870912.0 / entries));
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(n, n);
  for (Index from = 0; from < p; from += at_once) {
    check_stop(runtime);
    gram.selfadjointView<Eigen::Lower>().rankUpdate(
        rows.middleCols(from, std::min(at_once, p - from)));
  }
  return gram;
}

// U'g for many columns g.
inline Eigen::MatrixXd coordinates(const Eigen::MatrixXd &basis, const Eigen::MatrixXd &columns,
                                   const Runtime &runtime) {
  constexpr Index kAtOnce = 64;
  const Index n_columns = columns.cols();
  if (1.0 * basis.size() * n_columns <= 1073741824.0)
    return basis.transpose() * columns;
  Eigen::MatrixXd out(basis.cols(), n_columns);
  run_tasks((n_columns + kAtOnce - 1) / kAtOnce, runtime, [&](Index t) {
    const Index from = t * kAtOnce, width = std::min(kAtOnce, n_columns - from);
    out.middleCols(from, width).noalias() = basis.transpose() * columns.middleCols(from, width);
  });
  return out;
}

// Basis and spectrum from the n x n products of samples.
inline void samples_basis(const Eigen::MatrixXd &residual, const Eigen::MatrixXd &covariates,
                          const Runtime &runtime, SignalData &data) {
  const Index m = residual.rows() - covariates.cols();
  // Far above all other eigenvalues, the covariates come last and leave the rest to the features.
  Eigen::MatrixXd gram = gram_of(residual, runtime);
  const double far = 2.0 * gram.trace() + 1.0;
  gram.selfadjointView<Eigen::Lower>().rankUpdate(covariates, far);
  const SymmetricEigen found = symmetric_eigen(std::move(gram), runtime);
  data.basis = found.vectors.leftCols(m);
  data.spectrum = found.values.head(m).cwiseMax(0.0);
}

// The same from the p x p products of few features: their directions in the space of the samples,
// after coordinates in which no feature varies.
inline void features_basis(const Eigen::MatrixXd &residual, const Eigen::MatrixXd &covariates,
                           const Runtime &runtime, SignalData &data) {
  const Index n = residual.rows(), q = covariates.cols(), m = n - q;
  const SymmetricEigen found = symmetric_eigen(gram_of(residual.transpose(), runtime), runtime);
  const double largest = found.values.size() > 0 ? found.values.maxCoeff() : 0.0;
  const Index rank = (found.values.array() > 1e-10 * std::max(largest, 1e-300)).count();
  Eigen::MatrixXd known(n, q + rank);
  known.leftCols(q) = covariates;
  known.rightCols(rank).noalias() = residual * found.vectors.rightCols(rank);
  known.rightCols(rank).colwise().normalize();
  const Eigen::HouseholderQR<Eigen::MatrixXd> decomposed(known);
  const Eigen::MatrixXd all =
      reflections(decomposed.matrixQR(), decomposed.hCoeffs(), 0, quiet(runtime));
  data.basis.resize(n, m);
  data.basis.leftCols(m - rank) = all.rightCols(m - rank);
  data.basis.rightCols(rank) = all.middleCols(q, rank);
  data.spectrum = Eigen::VectorXd::Zero(m);
  data.spectrum.tail(rank) = found.values.tail(rank);
}

} // namespace signal_detail

// `covariates`: n x q, orthonormal columns that span the intercept. `many`: more samples than these
// are decomposed by their features when there are less than half as many.
inline SignalData signal_data(const ConstMatrix &x, const ConstVector &y,
                              const Eigen::MatrixXd &covariates, const Runtime &runtime = Runtime(),
                              Index many = 1000) {
  using namespace signal_detail;
  const Index n = x.rows(), p = x.cols(), m = n - covariates.cols();
  SignalData data;
  data.x_norm.resize(p);
  Eigen::MatrixXd residual(n, p);
  Passes parts(runtime, 3.0);
  run_columns(p, parts.next(), [&](Index j) {
    data.x_norm[j] = residual_column(x.col(j), covariates, residual.col(j));
  });
  const bool few_features = n > many && 2 * p < n && p < m;
  (few_features ? features_basis : samples_basis)(residual, covariates, parts.next(), data);
  if (data.spectrum.sum() > 0.0)
    data.spectrum /= data.spectrum.mean();
  data.x.resize(m, p);
  const Index n_blocks = (p + kColumnBlock - 1) / kColumnBlock;
  run_tasks(n_blocks, parts.next(), [&](Index t) {
    const Index from = t * kColumnBlock, width = std::min(kColumnBlock, p - from);
    data.x.middleCols(from, width).noalias() =
        data.basis.transpose() * residual.middleCols(from, width);
  });
  Eigen::VectorXd left(n);
  data.y_norm = residual_column(y, covariates, left);
  data.y = data.basis.transpose() * left;
  return data;
}

} // namespace stabilect

#endif
