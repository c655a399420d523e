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

#include "stabilect/base/passes.h"
#include "stabilect/base/rng.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"
#include "stabilect/signal/symmetric_eigen.h"

namespace stabilect {

constexpr Index kMostDirections = 128;

// n samples, q columns of an orthonormal basis of the covariates (including the intercept).
// Features and response are without the covariates' part, in m coordinates: of few samples m = n -
// q, in which the products of the samples are diagonal; of many samples (`in_samples()`) the
// samples themselves, m = n, since a basis had n x n numbers.
struct SignalData {
  Eigen::MatrixXd x;        // m x p: columns of length one, or zero
  Eigen::VectorXd y;        // m: length one
  Eigen::VectorXd x_norm;   // p: length of the column without the covariates' part; 0: out
  double y_norm = 0.0;      // length of y without the covariates' part
  Index degrees = 0;        // n - q
  Eigen::VectorXd spectrum; // eigenvalues of x x', ascending: m with mean 1 (0 when no feature
                            // varies), of many samples only the largest of them
  // Of few samples:
  Eigen::MatrixXd basis; // U, n x m: the coordinates, orthogonal to the covariates; x is U'x
  // Of many:
  Eigen::MatrixXd covariates; // n x q
  Eigen::MatrixXd directions; // n x k, orthogonal: x x' is nearly their product, at its mean

  Index m() const { return y.size(); }
  Index p() const { return x.cols(); }
  bool varies(Index feature) const { return x_norm[feature] > 0.0; }
  bool in_samples() const { return covariates.size() > 0; }

  Eigen::VectorXd samples_of(const ConstVector &v) const {
    return in_samples() ? Eigen::VectorXd(v) : Eigen::VectorXd(basis * v);
  }
  // Of columns with a row for each sample.
  Eigen::MatrixXd coordinates_of(Eigen::MatrixXd columns, const Runtime &runtime = Runtime()) const;
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

// x * loadings, in parts of rows.
inline Eigen::MatrixXd along_loadings(const Eigen::MatrixXd &x, const Eigen::MatrixXd &loadings,
                                      const Runtime &runtime) {
  constexpr Index kAtOnce = 4096;
  const Index n = x.rows();
  Eigen::MatrixXd out(n, loadings.cols());
  run_tasks((n + kAtOnce - 1) / kAtOnce, runtime, [&](Index t) {
    const Index from = t * kAtOnce, rows = std::min(kAtOnce, n - from);
    out.middleRows(from, rows).noalias() = x.middleRows(from, rows) * loadings;
  });
  return out;
}

// Orthonormal columns that nearly span the `k` directions in which the rows vary most: subspace
// iterations on at most `kMostRows` rows, evenly spread, from a fixed start (Halko, Martinsson and
// Tropp 2011, algorithm 4.4).
inline Eigen::MatrixXd leading_loadings(const Eigen::MatrixXd &x, Index k, const Runtime &runtime) {
  constexpr Index kMostRows = 4096, kMore = 16, kTurns = 5;
  const Index n = x.rows(), p = x.cols(), rows = std::min(n, kMostRows);
  Eigen::MatrixXd some(rows, p);
  for (Index i = 0; i < rows; ++i)
    some.row(i) = x.row(i * n / rows);
  Rng rng(0, 0, domain_tag("signal directions"));
  Eigen::MatrixXd span(p, std::min(p, k + kMore));
  for (Index i = 0; i < span.size(); ++i)
    span.data()[i] = rng.normal();
  for (Index turn = 0; turn < kTurns; ++turn) {
    check_stop(runtime);
    const Eigen::MatrixXd product = some * span;
    check_stop(runtime);
    span.noalias() = some.transpose() * product;
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(span);
    span = qr.householderQ() * Eigen::MatrixXd::Identity(p, span.cols());
  }
  return span;
}

// Of many samples: the directions of the largest eigenvalues of x x', in the span of the loadings
// (Rayleigh and Ritz); exact if these are all. Scaled as the spectrum of few samples.
inline void samples_directions(const Runtime &runtime, SignalData &data) {
  const Index p = data.p(), k = std::min({p, data.degrees, kMostDirections});
  const bool all = p <= 2 * kMostDirections;
  Eigen::MatrixXd some;
  if (!all)
    some = along_loadings(data.x, leading_loadings(data.x, k, quiet(runtime)), runtime);
  const Eigen::MatrixXd &along = all ? data.x : some;
  const SymmetricEigen found =
      symmetric_eigen(gram_of(along.transpose(), quiet(runtime)), quiet(runtime));
  const double varying = static_cast<double>((data.x_norm.array() > 0.0).count());
  const double scale = varying > 0.0 ? static_cast<double>(data.degrees) / varying : 0.0;
  data.directions = along_loadings(along, std::sqrt(scale) * found.vectors.rightCols(k), runtime);
  data.spectrum = found.values.tail(k).cwiseMax(0.0) * scale;
}

} // namespace signal_detail

inline Eigen::MatrixXd SignalData::coordinates_of(Eigen::MatrixXd columns,
                                                  const Runtime &runtime) const {
  if (!in_samples())
    return signal_detail::coordinates(basis, columns, runtime);
  constexpr Index kAtOnce = 64;
  run_tasks((columns.cols() + kAtOnce - 1) / kAtOnce, runtime, [&](Index t) {
    const Index from = t * kAtOnce;
    auto some = columns.middleCols(from, std::min(kAtOnce, columns.cols() - from));
    some -= covariates * (covariates.transpose() * some);
  });
  return columns;
}

// `covariates`: n x q, orthonormal columns that span the intercept. Above `many` samples the
// coordinates are the samples.
inline SignalData signal_data(const ConstMatrix &x, const ConstVector &y,
                              const Eigen::MatrixXd &covariates, const Runtime &runtime = Runtime(),
                              Index many = kManySamples) {
  using namespace signal_detail;
  const Index n = x.rows(), p = x.cols(), m = n - covariates.cols();
  SignalData data;
  data.degrees = m;
  data.x_norm.resize(p);
  Eigen::MatrixXd residual(n, p);
  Passes parts(runtime, {1.0, 1.0, 1.0});
  run_columns(p, parts.next(), [&](Index j) {
    data.x_norm[j] = residual_column(x.col(j), covariates, residual.col(j));
  });
  Eigen::VectorXd left(n);
  data.y_norm = residual_column(y, covariates, left);
  if (n > many) {
    data.covariates = covariates;
    data.x.swap(residual);
    data.y = left;
    samples_directions(parts.next(), data);
    return data;
  }
  samples_basis(residual, covariates, parts.next(), data);
  if (data.spectrum.sum() > 0.0)
    data.spectrum /= data.spectrum.mean();
  data.x.resize(m, p);
  const Index n_blocks = (p + kColumnBlock - 1) / kColumnBlock;
  run_tasks(n_blocks, parts.next(), [&](Index t) {
    const Index from = t * kColumnBlock, width = std::min(kColumnBlock, p - from);
    data.x.middleCols(from, width).noalias() =
        data.basis.transpose() * residual.middleCols(from, width);
  });
  data.y = data.basis.transpose() * left;
  return data;
}

} // namespace stabilect

#endif
