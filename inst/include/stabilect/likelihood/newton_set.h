#ifndef STABILECT_NEWTON_SET_H
#define STABILECT_NEWTON_SET_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/likelihood/free_columns.h"
#include "stabilect/likelihood/run_likelihood.h"

namespace stabilect {

// Tolerance of the score at a point of the path, relative to lambda and, for lambda near zero, to
// the norm of the residual of the model without features.
constexpr double kScoreTolerance = 1e-10, kScoreFloor = 1e-14;

// A model at one lambda: the free columns and the active features, with Newton's method on both.
// Coefficients of active features keep their sign: a step ends where one would change it, and that
// feature leaves. The matrix of second derivatives is factored anew when the old factor no longer
// divides the score by kContraction.
class NewtonSet {
public:
  // What another call goes back to.
  struct State {
    Array<int> feature;
    Array<double> beta, sign, free;
  };

  NewtonSet(PathColumns &columns, RunLikelihood &likelihood, const FreeColumns &free, double alpha,
            const Kernels &kernels)
      : columns_(&columns), likelihood_(&likelihood), free_(&free), kernels_(&kernels),
        alpha_(alpha),
        ridge_((1.0 - alpha) / (std::sqrt(columns.total_weight()) * likelihood.spread())),
        eta_(columns.ld()), step_(columns.ld()), start_(columns.ld()) {
    now_.free.assign(free.size(), 0.0);
    if (likelihood.family() != Family::cox)
      now_.free[0] = likelihood.level() * free.unit();
    refresh();
  }

  const State &state() const { return now_; }
  void restore(const State &state) {
    now_ = state;
    slot_.clear();
    for (int j : now_.feature)
      slot_.push_back(columns_->slot(j));
    factored_ = false;
    refresh();
  }

  double value() const { return value_; } // minus the log likelihood
  const AlignedBuffer<double> &residual() const { return likelihood_->residual(); }
  double residual_norm() const {
    return std::sqrt(kernels_->dot(residual().data(), residual().data(), columns_->ld()));
  }
  // The largest distance of a linear predictor from their mean.
  double spread() const {
    const Eigen::Map<const Eigen::ArrayXd> eta(eta_.data(), columns_->n_rows());
    return (eta - eta.mean()).abs().maxCoeff();
  }
  void set_floor(double norm) { floor_ = kScoreFloor * norm; }
  double score() const { return score_norm_; } // the largest element, at the end of solve()

  bool has(int j) const {
    return std::find(now_.feature.begin(), now_.feature.end(), j) != now_.feature.end();
  }
  // Of a feature that has().
  double sign_of(int j) const {
    const auto at = std::find(now_.feature.begin(), now_.feature.end(), j);
    return now_.sign[at - now_.feature.begin()];
  }
  // `product`: of the feature with the residual.
  void enter(int j, double product) {
    now_.feature.push_back(j);
    now_.beta.push_back(0.0);
    now_.sign.push_back(product < 0.0 ? -1.0 : 1.0);
    slot_.push_back(columns_->slot(j));
    factored_ = false;
  }

  // To the model at this lambda with no other features than the active ones; false when that
  // cannot be reached.
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

  Index n_free() const { return now_.free.size(); }
  Index n_active() const { return now_.feature.size(); }
  const double *column(Index k) const {
    return k < n_free() ? free_->column(k) : columns_->column(slot_[k - n_free()]);
  }
  double ridge(Index a) const { return lambda_ * ridge_ * columns_->factor(now_.feature[a]); }

  // Linear predictor and likelihood at the present coefficients.
  void refresh() {
    Array<double> all(now_.free);
    all.insert(all.end(), now_.beta.begin(), now_.beta.end());
    combine(all, eta_);
    value_ = likelihood_->evaluate(eta_);
  }

  // The linear predictor of these coordinates.
  void combine(const Array<double> &coordinates, AlignedBuffer<double> &out) const {
    const Index n = columns_->n_rows();
    for (Index i = 0; i < columns_->ld(); ++i)
      out[i] = 0.0;
    const int only = 0;
    for (Index k = 0; k < n_free(); ++k)
      kernels_->add_columns(free_->column(k), columns_->ld(), &only, 1, &coordinates[k],
                            out.data());
    kernels_->add_columns(columns_->base(), columns_->ld(), slot_.data(), n_active(),
                          coordinates.data() + n_free(), out.data());
    for (Index i = 0; i < n; ++i)
      out[i] /= columns_->roots()[i];
  }

  void compute_score() {
    score_.resize(n_free() + n_active());
    const double *r = residual().data();
    for (Index k = 0; k < n_free(); ++k)
      score_[k] = kernels_->dot(free_->column(k), r, columns_->ld());
    kernels_->dot_one(columns_->base(), columns_->ld(), slot_.data(), n_active(), r,
                      score_.data() + n_free());
    for (Index a = 0; a < n_active(); ++a)
      score_[n_free() + a] -= lambda_ * alpha_ * now_.sign[a] + ridge(a) * now_.beta[a];
    score_norm_ = 0.0;
    // Not a number, where hazards overflow, must not pass for small.
    for (double s : score_)
      score_norm_ = std::isfinite(s) ? std::max(score_norm_, std::abs(s))
                                     : std::numeric_limits<double>::infinity();
  }

  double penalty(const Array<double> &beta) const {
    double sum = 0.0;
    for (Index a = 0; a < beta.size(); ++a)
      sum += lambda_ * alpha_ * std::abs(beta[a]) + 0.5 * ridge(a) * beta[a] * beta[a];
    return sum;
  }

  // The matrix of second derivatives at the present point, and its factor. False when a feature
  // without a coefficient was a combination of those before it and has left.
  bool factor() {
    const Index m = n_free() + n_active();
    const Index ld = columns_->ld();
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
    for (Index a = 0; a < n_active(); ++a) {
      const Index k = n_free() + a;
      hessian_(k, k) += ridge(a);
    }
    return factored_ = decompose(m);
  }

  // Cholesky, row by row. A pivot that is lost in rounding means a column that leans on others. It
  // leaves when it has no coefficient yet: the model without it is as good, unless it violates
  // again. Then, as with any other such column, a small ridge makes the step long, and it ends
  // where one of those on which the column leans has left.
  bool decompose(Index m) {
    factor_.resize(m, m);
    for (Index k = 0; k < m; ++k) {
      for (Index c = 0; c < k; ++c)
        factor_(k, c) =
            (hessian_(k, c) - factor_.row(k).head(c).dot(factor_.row(c).head(c))) / factor_(c, c);
      double pivot = hessian_(k, k) - factor_.row(k).head(k).squaredNorm();
      if (!(pivot > 1e-11 * hessian_(k, k))) {
        const Index a = k - n_free();
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
    if (now_.beta[a] != 0.0 || std::find(leaned_.begin(), leaned_.end(), j) != leaned_.end())
      return false;
    leaned_.push_back(j);
    return true;
  }

  void leave(Index a) {
    const Index at = a;
    now_.feature.erase(now_.feature.begin() + at);
    now_.beta.erase(now_.beta.begin() + at);
    now_.sign.erase(now_.sign.begin() + at);
    slot_.erase(slot_.begin() + at);
    factored_ = false;
  }

  // One step; false when none makes the objective smaller.
  bool move() {
    Eigen::VectorXd d = Eigen::Map<const Eigen::VectorXd>(score_.data(), factor_.rows());
    factor_.triangularView<Eigen::Lower>().solveInPlace(d);
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(d);
    double length = 1.0;
    Index leaving = n_active();
    for (Index a = 0; lambda_ > 0.0 && a < n_active(); ++a) {
      const double beta = now_.beta[a], by = d[n_free() + a];
      if ((beta + length * by) * now_.sign[a] >= 0.0)
        continue;
      length = beta == 0.0 ? 0.0 : -beta / by;
      leaving = a;
    }
    if (leaving < n_active() && length == 0.0) {
      leave(leaving);
      return true;
    }
    return walk(d, length, leaving);
  }

  // Along d, half as far until the objective is smaller; what it may err by is rounding.
  bool walk(const Eigen::VectorXd &d, double length, Index leaving) {
    combine(Array<double>(d.data(), d.data() + d.size()), step_);
    for (Index i = 0; i < columns_->ld(); ++i)
      start_[i] = eta_[i];
    const double start = value_ + penalty(now_.beta);
    const double most = start + 1e-13 * std::max(1.0, std::abs(start));
    for (int halvings = 0; halvings < 60; ++halvings, length *= 0.5, leaving = n_active()) {
      Array<double> beta(now_.beta);
      for (Index a = 0; a < n_active(); ++a)
        beta[a] += length * d[n_free() + a];
      for (Index i = 0; i < columns_->n_rows(); ++i)
        eta_[i] = start_[i] + length * step_[i];
      value_ = likelihood_->evaluate(eta_);
      if (!(value_ + penalty(beta) <= most))
        continue;
      factored_ = factored_ && length == 1.0;
      now_.beta = std::move(beta);
      for (Index k = 0; k < n_free(); ++k)
        now_.free[k] += length * d[k];
      if (leaving < n_active())
        leave(leaving);
      return true;
    }
    refresh();
    return false;
  }

  PathColumns *columns_;
  RunLikelihood *likelihood_;
  const FreeColumns *free_;
  const Kernels *kernels_;
  double alpha_, ridge_, lambda_ = 0.0, floor_ = 0.0, value_ = 0.0, score_norm_ = 0.0;
  State now_;
  Array<int> slot_, leaned_; // leaned_: left at this lambda, as others stand for them
  AlignedBuffer<double> eta_, step_, start_;
  Array<double> score_;
  bool factored_ = false;
  Eigen::MatrixXd weighted_, means_, hessian_;
  Eigen::VectorXd roots_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> factor_;
};

} // namespace stabilect

#endif
