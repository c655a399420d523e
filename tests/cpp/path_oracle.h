#ifndef STABILECT_TESTS_PATH_ORACLE_H
#define STABILECT_TESTS_PATH_ORACLE_H

// Judges a path by the optimality conditions of its problem, computed with plain Eigen from
// the data. The conditions are necessary and sufficient, so nothing here knows how a path is
// found. What is returned is the largest violation relative to the first lambda.

#include <stabilect/base/rng.h>
#include <stabilect/path/lars_batch.h>

#include <algorithm>
#include <cmath>

namespace path_oracle {

using stabilect::Array;
using stabilect::Index;

using Eigen::MatrixXd;
using Eigen::VectorXd;
using stabilect::LarsOptions;
using stabilect::LarsPath;

inline LarsPath run_path(const MatrixXd &x, const VectorXd &y, const VectorXd &weights,
                         LarsOptions options = LarsOptions()) {
  options.keep_coefficients = true;
  const stabilect::PackedMatrix packed(x, options.intercept);
  LarsPath out;
  stabilect::run_paths(packed, y, weights, options, stabilect::Runtime(),
                       [&](Index, LarsPath path) { out = std::move(path); });
  return out;
}

// The weighted problem as a plain one: rows times sqrt(w), columns centred and scaled.
struct Problem {
  MatrixXd x;
  VectorXd y;

  Problem(const MatrixXd &data, const VectorXd &response, const VectorXd &weights,
          const LarsOptions &options)
      : x(data), y(response) {
    const double total = weights.sum();
    if (options.intercept) {
      y.array() -= weights.dot(response) / total;
      for (Index j = 0; j < x.cols(); ++j)
        x.col(j).array() -= weights.dot(data.col(j)) / total;
    }
    const VectorXd roots = weights.cwiseSqrt();
    y = roots.cwiseProduct(y).eval();
    for (Index j = 0; j < x.cols(); ++j) {
      const double range = (weights.array() > 0.0).select(x.col(j), 0.0).cwiseAbs().maxCoeff();
      x.col(j) = roots.cwiseProduct(x.col(j)).eval();
      const double norm = x.col(j).norm();
      const double size = data.col(j).cwiseAbs().maxCoeff() * std::sqrt(total);
      if (norm <= 1e-13 * size || range == 0.0)
        x.col(j).setZero();
      else if (options.normalize)
        x.col(j) /= norm;
    }
  }
};

inline VectorXd coefficients(const LarsPath &path, Index step, Index p) {
  VectorXd beta = VectorXd::Zero(p);
  const int from = step == 0 ? 0 : path.coef_end[step - 1];
  for (int k = from; k < path.coef_end[step]; ++k)
    beta[path.coef_feature[k]] = path.coef_value[k];
  return beta;
}

// Active features (from 0) during each step.
inline Array<Array<int>> active_sets(const LarsPath &path) {
  Array<Array<int>> sets;
  Array<int> active;
  int at = 0;
  for (int end : path.event_end) {
    for (; at < end; ++at) {
      const int event = path.events[at];
      if (event > 0)
        active.push_back(event - 1);
      else
        active.erase(std::remove(active.begin(), active.end(), -event - 1), active.end());
    }
    sets.push_back(active);
  }
  return sets;
}

// How far beta is from being the solution at lambda. "lasso": |x_j'r| <= lambda for all, and
// x_j'r = lambda sign(beta_j) where beta_j is not zero. "lar": |x_j'r| = lambda for the
// active ones whatever their sign.
inline double violation(const Problem &problem, const VectorXd &beta, double lambda,
                        const Array<int> &active, stabilect::PathType type) {
  const VectorXd c = problem.x.transpose() * (problem.y - problem.x * beta);
  double worst = c.size() ? std::max(0.0, c.cwiseAbs().maxCoeff() - lambda) : 0.0;
  Array<char> is_active(c.size(), 0);
  for (int j : active) {
    is_active[j] = 1;
    worst = std::max(worst, std::abs(std::abs(c[j]) - lambda));
  }
  for (Index j = 0; j < beta.size(); ++j) {
    if (beta[j] == 0.0)
      continue;
    if (!is_active[j])
      return 1e300;
    if (type == stabilect::PathType::lasso)
      worst = std::max(worst, std::abs(c[j] - (beta[j] > 0.0 ? lambda : -lambda)));
  }
  return worst;
}

// The largest violation over all knots and, because every segment is a straight line, over
// points inside all segments: a knot that was missed shows there.
inline double worst_violation(const LarsPath &path, const Problem &problem,
                              const LarsOptions &options) {
  const double first = (problem.x.transpose() * problem.y).cwiseAbs().maxCoeff();
  double worst = std::abs(path.lambda[0] - first);
  VectorXd before = VectorXd::Zero(problem.x.cols());
  const auto active = active_sets(path);
  for (Index step = 0; step < path.n_steps(); ++step) {
    const VectorXd after = coefficients(path, step, problem.x.cols());
    for (double part : {0.1, 0.5, 0.9, 1.0}) {
      const VectorXd beta = before + part * (after - before);
      const double lambda = path.lambda[step] + part * (path.lambda[step + 1] - path.lambda[step]);
      worst = std::max(worst, violation(problem, beta, lambda, active[step], options.type));
    }
    const double rss = (problem.y - problem.x * after).squaredNorm();
    worst = std::max(worst, std::abs(rss - path.rss[step + 1]) / problem.y.norm());
    before = after;
  }
  return worst / first;
}

inline double worst_violation(const MatrixXd &x, const VectorXd &y, const VectorXd &weights,
                              const LarsOptions &options = LarsOptions()) {
  return worst_violation(run_path(x, y, weights, options), Problem(x, y, weights, options),
                         options);
}

inline VectorXd normal_vector(stabilect::Rng &rng, Index n) {
  VectorXd out(n);
  for (Index i = 0; i < n; ++i)
    out[i] = rng.normal();
  return out;
}

inline MatrixXd normal_matrix(stabilect::Rng &rng, Index n, Index p) {
  MatrixXd out(n, p);
  for (Index j = 0; j < p; ++j)
    out.col(j) = normal_vector(rng, n);
  return out;
}

// Whole weights from 0 to `largest`, at least three of them positive.
inline VectorXd count_vector(stabilect::Rng &rng, Index n, std::uint64_t largest) {
  VectorXd out(n);
  for (Index i = 0; i < n; ++i)
    out[i] = static_cast<double>(rng.below(largest + 1));
  for (Index i = 0; i < 3; ++i)
    out[i] = 1.0;
  return out;
}

} // namespace path_oracle

#endif
