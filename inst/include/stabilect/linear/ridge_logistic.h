#ifndef STABILECT_RIDGE_LOGISTIC_H
#define STABILECT_RIDGE_LOGISTIC_H

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

struct RidgeLogisticOptions {
  // On the sum (not the mean) of the log likelihood, for features of mean 0 and
  // standard deviation 1 (weighted, divisor sum of weights): lambda is the
  // precision of a normal prior on each standardised coefficient.
  double lambda = 1.0;
  double tolerance = 1e-10; // on the norm of the gradient
  int max_iterations = 100;
};

struct RidgeLogisticResult {
  // On the original scale of the features.
  double intercept = 0.0;
  Eigen::VectorXd coefficients;
  // Standard deviations: coefficient * scale is the standardised coefficient.
  Eigen::VectorXd scale;
  double objective = 0.0;
  double gradient_norm = 0.0;
  int iterations = 0;
  bool converged = false;
};

namespace ridge_logistic_detail {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Standardised {
  MatrixXd z;
  VectorXd mean, scale;
};

// A constant column becomes zero and keeps coefficient 0.
inline Standardised standardise(const ConstMatrix &x, const ConstVector &weights) {
  const double total = weights.sum();
  Standardised s;
  s.mean = x.transpose() * weights / total;
  s.z = x.rowwise() - s.mean.transpose();
  s.scale = (s.z.array().square().colwise() * weights.array()).colwise().sum() / total;
  s.scale = s.scale.cwiseSqrt();
  for (Index j = 0; j < x.cols(); ++j) {
    // a constant column deviates from its computed mean by rounding alone
    const double rounding = 1e-13 * x.col(j).cwiseAbs().maxCoeff();
    if (s.scale[j] <= rounding)
      s.scale[j] = 0.0;
    s.z.col(j) *= s.scale[j] > 0.0 ? 1.0 / s.scale[j] : 0.0;
  }
  return s;
}

// -sum_i w_i loglik_i + lambda/2 |beta|^2 in the columns of `basis` (first: ones,
// whose coefficient is not penalised).
class Problem {
public:
  Problem(const MatrixXd &basis, const ConstVector &y, const ConstVector &weights, double lambda)
      : basis_(basis), y_(y), weights_(weights),
        penalty_(VectorXd::Constant(basis.cols(), lambda)) {
    penalty_[0] = 0.0;
  }

  double objective(const VectorXd &beta) const {
    const VectorXd eta = basis_ * beta;
    double loss = 0.0;
    for (Index i = 0; i < eta.size(); ++i) {
      // log(1 + exp(eta)) - y eta without overflow
      const double soft = std::max(eta[i], 0.0) + std::log1p(std::exp(-std::abs(eta[i])));
      loss += weights_[i] * (soft - y_[i] * eta[i]);
    }
    return loss + 0.5 * penalty_.dot(beta.cwiseAbs2());
  }

  VectorXd gradient(const VectorXd &beta) const {
    return basis_.transpose() * (weights_.array() * (probability(beta) - y_.array())).matrix() +
           penalty_.cwiseProduct(beta);
  }

  // Newton's step. Fitted probabilities of 0 or 1 leave the intercept without
  // curvature: the floor keeps the system definite and does not move the solution.
  VectorXd step(const VectorXd &beta, const VectorXd &gradient) const {
    const Eigen::ArrayXd p = probability(beta);
    const Eigen::ArrayXd curvature = weights_.array() * (p * (1.0 - p)).max(1e-12);
    MatrixXd hessian = basis_.transpose() * curvature.matrix().asDiagonal() * basis_;
    hessian.diagonal() += penalty_;
    return hessian.llt().solve(-gradient);
  }

private:
  Eigen::ArrayXd probability(const VectorXd &beta) const {
    return 1.0 / (1.0 + (-(basis_ * beta)).array().exp());
  }

  const MatrixXd &basis_;
  ConstVector y_, weights_;
  VectorXd penalty_;
};

struct Minimum {
  VectorXd beta;
  RidgeLogisticResult trace;
};

// Newton with step halving; the objective is convex, so any stationary point is
// the minimum. Steps are also accepted when they change it by rounding only.
inline Minimum minimise(const Problem &problem, VectorXd beta,
                        const RidgeLogisticOptions &options) {
  Minimum minimum;
  RidgeLogisticResult &trace = minimum.trace;
  trace.objective = problem.objective(beta);
  VectorXd gradient = problem.gradient(beta);
  while (gradient.norm() > options.tolerance && trace.iterations < options.max_iterations) {
    const VectorXd step = problem.step(beta, gradient);
    const double slack = 1e-14 * (1.0 + std::abs(trace.objective));
    double length = 1.0, value = problem.objective(beta + step);
    while (!(value <= trace.objective + slack) && length > 1e-10) {
      length *= 0.5;
      value = problem.objective(beta + length * step);
    }
    if (!(value <= trace.objective + slack))
      break;
    beta += length * step;
    trace.objective = value;
    gradient = problem.gradient(beta);
    ++trace.iterations;
  }
  trace.gradient_norm = gradient.norm();
  trace.converged = trace.gradient_norm <= options.tolerance;
  minimum.beta = beta;
  return minimum;
}

inline void check_input(const ConstMatrix &x, const ConstVector &y, const ConstVector &weights,
                        const RidgeLogisticOptions &options) {
  if (y.size() != x.rows() || weights.size() != x.rows())
    throw std::invalid_argument("y and weights must have one value per row of x");
  if (!(options.lambda > 0.0))
    throw std::invalid_argument("lambda must be positive");
  if (!(weights.array() >= 0.0).all())
    throw std::invalid_argument("weights must not be negative");
  if (!((y.array() == 0.0) || (y.array() == 1.0)).all())
    throw std::invalid_argument("y must be 0 or 1");
  const double ones = weights.dot(y);
  if (!(ones > 0.0 && ones < weights.sum()))
    throw std::invalid_argument("y must have both classes with positive weight");
}

} // namespace ridge_logistic_detail

// minimises -sum_i w_i loglik_i + (lambda / 2) |beta|^2, beta of the standardised
// features, intercept free; y is 0 or 1. With more features than samples the
// solution lies in the row space: it is found there, in n coordinates.
inline RidgeLogisticResult
fit_ridge_logistic(const ConstMatrix &x, const ConstVector &y, const ConstVector &weights,
                   const RidgeLogisticOptions &options = RidgeLogisticOptions()) {
  namespace impl = ridge_logistic_detail;
  impl::check_input(x, y, weights, options);
  const impl::Standardised s = impl::standardise(x, weights);
  const Index n = x.rows(), k = x.cols(), rank = std::min(n, k);
  Eigen::MatrixXd rows(k, rank), basis(n, rank + 1);
  basis.col(0).setOnes();
  if (k > n) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(s.z.transpose());
    rows = qr.householderQ() * Eigen::MatrixXd::Identity(k, rank);
    const Eigen::MatrixXd upper = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
    basis.rightCols(rank) = upper.transpose();
  } else {
    basis.rightCols(rank) = s.z;
  }
  const impl::Problem problem(basis, y, weights, options.lambda);
  Eigen::VectorXd start = Eigen::VectorXd::Zero(rank + 1);
  const double ones = weights.dot(y);
  start[0] = std::log(ones / (weights.sum() - ones));
  const impl::Minimum minimum = impl::minimise(problem, start, options);

  RidgeLogisticResult result = minimum.trace;
  result.coefficients = minimum.beta.tail(rank);
  if (k > n)
    result.coefficients = rows * result.coefficients;
  result.scale = s.scale;
  for (Index j = 0; j < k; ++j)
    result.coefficients[j] = s.scale[j] > 0.0 ? result.coefficients[j] / s.scale[j] : 0.0;
  result.intercept = minimum.beta[0] - s.mean.dot(result.coefficients);
  return result;
}

// Log odds of each sample i from the model of the features in sets[i] (columns of
// x) fitted without i, or without all samples of its block when `blocks` tells the
// block of each sample. If all other samples are of one class they are infinite.
inline Eigen::VectorXd loo_ridge_logistic(const ConstMatrix &x, const ConstVector &y,
                                          const std::vector<std::vector<int>> &sets,
                                          const RidgeLogisticOptions &options,
                                          const Runtime &runtime = Runtime(),
                                          const std::vector<int> &blocks = {}) {
  const Index n = x.rows();
  if (!blocks.empty() && static_cast<Index>(blocks.size()) != n)
    throw std::invalid_argument("blocks must be empty or have one element per row of x");
  if (static_cast<Index>(sets.size()) != n)
    throw std::invalid_argument("sets must have one element per row of x");
  for (const auto &set : sets)
    for (int j : set)
      if (j < 0 || j >= x.cols())
        throw std::invalid_argument("sets must name columns of x");
  Eigen::VectorXd link(n);
  run_in_chunks(static_cast<std::size_t>(n), 64, runtime, [&](std::size_t task) {
    const Index i = static_cast<Index>(task);
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(n);
    weights[i] = 0.0;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      if (blocks[k] == blocks[task])
        weights[static_cast<Index>(k)] = 0.0;
    }
    const double ones = weights.dot(y);
    if (ones == 0.0 || ones == weights.sum()) {
      const double limit = std::numeric_limits<double>::infinity();
      link[i] = ones == 0.0 ? -limit : limit;
      return;
    }
    const std::vector<int> &set = sets[task];
    Eigen::MatrixXd part(n, static_cast<Index>(set.size()));
    for (std::size_t j = 0; j < set.size(); ++j)
      part.col(static_cast<Index>(j)) = x.col(set[j]);
    const RidgeLogisticResult fit = fit_ridge_logistic(part, y, weights, options);
    link[i] = fit.intercept + part.row(i).dot(fit.coefficients);
  });
  return link;
}

} // namespace stabilect

#endif
