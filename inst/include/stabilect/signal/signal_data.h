#ifndef STABILECT_SIGNAL_DATA_H
#define STABILECT_SIGNAL_DATA_H

// The data of a search for signals: features and response without what the covariates explain, in
// coordinates in which the spectral weights are a diagonal matrix.

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

// n samples, q columns of an orthonormal basis of the covariates (the intercept is among them),
// m = n - q coordinates that are left.
struct SignalData {
  Eigen::MatrixXd basis;     // U, n x m: the coordinates, orthogonal to the covariates
  Eigen::VectorXd spectrum;  // m: eigenvalues of x x', mean 1 (all 0 when no feature varies)
  Eigen::VectorXd weights;   // m: what each coordinate counts in the trimmed metric
  Eigen::MatrixXd x;         // m x p: U'x, columns of length one, or zero
  Eigen::VectorXd y;         // m: U'y, length one
  Eigen::VectorXd x_norm;    // p: length of the column without the covariates' part; 0: out
  double y_norm = 0.0;       // length of y without the covariates' part
  Eigen::VectorXd x_squared; // p: squared length of the column in the trimmed metric

  Index m() const { return y.size(); }
  Index p() const { return x.cols(); }
  bool varies(Index feature) const { return x_norm[feature] > 0.0; }
};

namespace signal_detail {

constexpr Index kColumnBlock = 256;

inline void run_columns(Index p, const Runtime &runtime, const std::function<void(Index)> &task) {
  run_tasks(static_cast<std::size_t>(p), runtime,
            [&](std::size_t j) { task(static_cast<Index>(j)); });
}

// A column without the part that the covariates explain, at length one; zero when less than a
// millionth of its spread is left. Returns that length.
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

// Trim (Cevid, Buehlmann and Meinshausen 2020, section 3.1.2): singular values above their median
// are cut to it.
inline Eigen::VectorXd trim_weights(const Eigen::VectorXd &spectrum) {
  std::vector<double> positive;
  for (Index i = 0; i < spectrum.size(); ++i)
    if (spectrum[i] > 1e-10 * spectrum.maxCoeff())
      positive.push_back(spectrum[i]);
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(spectrum.size());
  if (positive.empty())
    return weights;
  std::sort(positive.begin(), positive.end());
  const std::size_t half = positive.size() / 2;
  const double median =
      positive.size() % 2 == 1 ? positive[half] : 0.5 * (positive[half - 1] + positive[half]);
  for (Index i = 0; i < spectrum.size(); ++i)
    if (spectrum[i] > median)
      weights[i] = std::sqrt(median / spectrum[i]);
  return weights;
}

} // namespace signal_detail

// `covariates`: n x q, orthonormal columns that span the intercept.
inline SignalData signal_data(const ConstMatrix &x, const ConstVector &y,
                              const Eigen::MatrixXd &covariates,
                              const Runtime &runtime = Runtime()) {
  using namespace signal_detail;
  const Index n = x.rows(), p = x.cols(), m = n - covariates.cols();
  SignalData data;
  data.x_norm.resize(p);
  Eigen::MatrixXd residual(n, p);
  run_columns(p, runtime, [&](Index j) {
    data.x_norm[j] = residual_column(x.col(j), covariates, residual.col(j));
  });
  // Far above all other eigenvalues, the covariates come last and leave the rest to the features.
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(n, n);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(residual);
  const double far = 2.0 * gram.trace() + 1.0;
  gram.selfadjointView<Eigen::Lower>().rankUpdate(covariates, far);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  data.basis = solver.eigenvectors().leftCols(m);
  data.spectrum = solver.eigenvalues().head(m).cwiseMax(0.0);
  if (data.spectrum.sum() > 0.0)
    data.spectrum /= data.spectrum.mean();
  data.weights = trim_weights(data.spectrum);
  data.x.resize(m, p);
  data.x_squared.resize(p);
  const Eigen::VectorXd squares = data.weights.cwiseAbs2();
  const Index n_blocks = (p + kColumnBlock - 1) / kColumnBlock;
  run_tasks(static_cast<std::size_t>(n_blocks), runtime, [&](std::size_t t) {
    const Index from = static_cast<Index>(t) * kColumnBlock,
                width = std::min(kColumnBlock, p - from);
    data.x.middleCols(from, width).noalias() =
        data.basis.transpose() * residual.middleCols(from, width);
    data.x_squared.segment(from, width).noalias() =
        data.x.middleCols(from, width).cwiseAbs2().transpose() * squares;
  });
  Eigen::VectorXd left(n);
  data.y_norm = residual_column(y, covariates, left);
  data.y = data.basis.transpose() * left;
  return data;
}

} // namespace stabilect

#endif
