#ifndef STABILECT_NEWTON_SET_H
#define STABILECT_NEWTON_SET_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/likelihood/coefficient_set.h"
#include "stabilect/likelihood/run_likelihood.h"

namespace stabilect {

// A model of one linear predictor at one lambda: the free columns and the active features, with
// Newton's method on both. Coefficients of active features keep their sign: a step ends where one
// would change it, and this feature leaves. The matrix of second derivatives is factored again when
// the old factor no longer divides the score by kContraction.
class NewtonSet : public CoefficientSet<RunLikelihood> {
public:
  NewtonSet(PathColumns &columns, RunLikelihood &likelihood, const FreeColumns &free, double alpha,
            const Kernels &kernels)
      : CoefficientSet(columns, likelihood, free, alpha, kernels) {}

  void restore(const State &state) {
    factored_ = false;
    CoefficientSet::restore(state);
  }
  void enter(int j, double product) {
    factored_ = false;
    CoefficientSet::enter(j, product);
  }
  // Of a feature for which has() is true.
  double sign_of(int j) const {
    const auto at = std::find(now_.feature.begin(), now_.feature.end(), j);
    return now_.sign[at - now_.feature.begin()];
  }

  // The model at this lambda with the active features only; false if it cannot be reached.
  bool solve(double lambda) {
    if (lambda != lambda_)
      leaned_.clear();
    lambda_ = lambda;
    refresh();
    compute_score();
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kMostRounds; ++round) {
      if (!std::isfinite(value_) || !std::isfinite(score_norm_))
        return false;
      if (score_norm_ <= std::max(kScoreTolerance * lambda, floor_))
        return true;
      if (score_norm_ > kContraction * before)
        factored_ = false;
      before = score_norm_;
      if (!factored_ && !factor())
        continue; // a feature that leans on others has left
      if (!move())
        return score_norm_ <= 100.0 * std::max(kScoreTolerance * lambda, floor_);
      compute_score();
    }
    return false;
  }

private:
  static constexpr int kMostRounds = 500;
  static constexpr double kContraction = 0.1;

  double beta(Index a) const { return now_.coordinates[n_free_ + a]; }

  void compute_score() {
    compute_products();
    for (Index a = 0; a < n_active(); ++a)
      score_[n_free_ + a] -= lambda_ * alpha_ * now_.sign[a] + ridge(a) * beta(a);
    score_norm_ = 0.0;
    // Not a number, where hazards overflow, must not pass for small.
    for (Index k = 0; k < score_.size(); ++k)
      score_norm_ = std::isfinite(score_[k]) ? std::max(score_norm_, std::abs(score_[k]))
                                             : std::numeric_limits<double>::infinity();
  }

  double penalty(const Eigen::VectorXd &coordinates) const {
    double sum = 0.0;
    for (Index a = 0; a < n_active(); ++a) {
      const double beta = coordinates[n_free_ + a];
      sum += lambda_ * alpha_ * std::abs(beta) + 0.5 * ridge(a) * beta * beta;
    }
    return sum;
  }

  // The matrix of second derivatives at the present point, and its factor. False if a feature
  // without a coefficient was a combination of previous ones and has left.
  bool factor() {
    const Index m = n_blocks(), ld = columns_->ld();
    const double *curvature = likelihood_->curvature().data();
    weighted_.resize(ld, m);
    roots_.resize(ld);
    for (Index i = 0; i < ld; ++i)
      roots_[i] = std::sqrt(curvature[i]);
    for (Index k = 0; k < m; ++k)
      weighted_.col(k) = Eigen::Map<const Eigen::VectorXd>(column(k), ld).cwiseProduct(roots_);
    hessian_.setZero(m, m);
    hessian_.selfadjointView<Eigen::Lower>().rankUpdate(weighted_.transpose());
    const Index times = likelihood_->cox().n_event_times();
    if (times > 0) {
      means_.resize(times, m);
      for (Index k = 0; k < m; ++k)
        likelihood_->cox().risk_means(*columns_, column(k), means_.col(k).data());
      hessian_.selfadjointView<Eigen::Lower>().rankUpdate(means_.transpose(), -1.0);
    }
    for (Index a = 0; a < n_active(); ++a)
      hessian_(n_free_ + a, n_free_ + a) += ridge(a);
    return factored_ = decompose(m);
  }

  // Cholesky, row by row. A pivot lost in rounding means a collinear column. It leaves if it has no
  // coefficient yet: the model without it is as good, unless it violates again. Otherwise a small
  // ridge makes the step long, and it ends where one of the columns that it depends on has left.
  bool decompose(Index m) {
    factor_.resize(m, m);
    for (Index k = 0; k < m; ++k) {
      for (Index c = 0; c < k; ++c)
        factor_(k, c) =
            (hessian_(k, c) - factor_.row(k).head(c).dot(factor_.row(c).head(c))) / factor_(c, c);
      double pivot = hessian_(k, k) - factor_.row(k).head(k).squaredNorm();
      if (!(pivot > 1e-11 * hessian_(k, k))) {
        const Index a = k - n_free_;
        if (a >= 0 && leans_first(a)) {
          leave(a);
          compute_score();
          return false;
        }
        pivot = std::max(1e-9 * hessian_(k, k), std::numeric_limits<double>::min());
      }
      factor_(k, k) = std::sqrt(pivot);
    }
    return true;
  }

  bool leans_first(Index a) {
    const int j = now_.feature[a];
    if (beta(a) != 0.0 || std::find(leaned_.begin(), leaned_.end(), j) != leaned_.end())
      return false;
    leaned_.push_back(j);
    return true;
  }

  void leave(Index a) {
    factored_ = false;
    CoefficientSet::leave(a);
  }

  // One step; false if none makes the objective smaller.
  bool move() {
    Eigen::VectorXd d = score_;
    factor_.triangularView<Eigen::Lower>().solveInPlace(d);
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(d);
    double length = 1.0;
    Index leaving = n_active();
    for (Index a = 0; lambda_ > 0.0 && a < n_active(); ++a) {
      const double by = d[n_free_ + a];
      if ((beta(a) + length * by) * now_.sign[a] >= 0.0)
        continue;
      length = beta(a) == 0.0 ? 0.0 : -beta(a) / by;
      leaving = a;
    }
    const bool leaves = leaving < n_active();
    const double whole = length;
    if (!(leaves && length == 0.0)) {
      if (!walk(d, length, [this](const Eigen::VectorXd &at) { return penalty(at); }))
        return false;
      factored_ = factored_ && length == 1.0;
    }
    if (leaves && length == whole)
      leave(leaving);
    return true;
  }

  Array<int> leaned_; // left at this lambda, as others stand for them
  bool factored_ = false;
  Eigen::MatrixXd weighted_, means_, hessian_;
  Eigen::VectorXd roots_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> factor_;
};

} // namespace stabilect

#endif
