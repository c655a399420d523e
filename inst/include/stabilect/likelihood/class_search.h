#ifndef STABILECT_CLASS_SEARCH_H
#define STABILECT_CLASS_SEARCH_H

// The model of one run at one lambda, for several classes; otherwise as likelihood_search.h. What a
// snapshot found is not screened again in float: the few whose product then does not keep them
// below the bound now (residual_watch.h) are computed in double.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/likelihood/class_set.h"
#include "stabilect/likelihood/likelihood_search.h"

namespace stabilect {

class ClassSearch {
public:
  ClassSearch(const LikelihoodOptions &options, PathColumns columns, const Outcomes &outcomes,
              const ConstMatrix &z, const LaneNorms &norms, const Kernels &kernels)
      : alpha_(options.alpha), columns_(std::move(columns)), likelihood_(outcomes, columns_),
        free_(z, true, columns_, kernels), norms_(norms),
        set_(columns_, likelihood_, free_, options.alpha, kernels),
        watch_(columns_, norms.largest, kernels, likelihood_.width()) {}

  ClassSearch(const ClassSearch &) = delete; // members point at one another
  ClassSearch &operator=(const ClassSearch &) = delete;

  PathStatus fit_null(LikelihoodPath &path) {
    const Eigen::VectorXd masses = likelihood_.masses();
    if ((masses.array() > 0.0).count() < 2)
      return PathStatus::one_response;
    if (!(masses.minCoeff() > 0.0))
      return PathStatus::class_absent;
    set_.set_floor(1000.0 * set_.residual_norm());
    if (!set_.solve(0.0) || set_.spread() > kSeparated)
      return PathStatus::separated;
    set_.set_floor(set_.residual_norm());
    path.null_deviance = 2.0 * set_.value();
    keep();
    watch_.look(likelihood_.residual(), 0.0);
    const double rounding = 1e-12 * std::max(1.0, std::abs(set_.value()));
    return path.null_deviance > rounding ? PathStatus::complete : PathStatus::no_signal;
  }

  const ResidualWatch &watch() const { return watch_; }
  void begin_snapshot(double q) {
    watch_.begin_snapshot(q);
    found_.clear();
  }
  // `product`: the norm of those with the residual of norm one, in float.
  void receive(int j, float product) {
    const float scale = norms_.scale_of(j);
    if (scale < std::numeric_limits<float>::max())
      found_.push_back({j, (product + norms_.slack_of(j)) / scale * (1.0 + 2.5 * norms_.error)});
  }
  void end_snapshot() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found &a, const Found &b) { return a.most > b.most; });
  }

  double largest_product() {
    double largest = 0.0;
    for (const Found &one : found_) {
      if (one.most * watch_.norm() < largest)
        break;
      largest = std::max(largest, set_.product(one.feature));
    }
    return largest;
  }

  // The model at lambda, as far as the features found tell.
  bool settle(double lambda, double first) {
    const double bound = alpha_ * lambda;
    const double excess = bound + std::max(kScoreTolerance * bound, kViolation * first);
    for (;;) {
      if (!set_.solve(lambda))
        return false;
      const double reach = watch_.reach(likelihood_.residual(), bound);
      Array<int> violators;
      for (const Found &one : found_) {
        if (one.most <= reach)
          break;
        if (!set_.has(one.feature) && set_.product(one.feature) > excess)
          violators.push_back(one.feature);
      }
      if (violators.empty())
        return true;
      if (++rounds_ > kMostRounds)
        return false;
      for (int j : violators)
        set_.enter(j);
    }
  }

  bool covered(double lambda) { return watch_.look(likelihood_.residual(), alpha_ * lambda); }

  void keep() {
    rounds_ = 0;
    accepted_ = set_.state();
  }
  void go_back() {
    rounds_ = 0;
    set_.restore(accepted_);
  }

  double value() const { return set_.value(); }
  Array<int> active() const {
    Array<int> out(set_.state().feature);
    std::sort(out.begin(), out.end());
    return out;
  }
  // The class, from 1, in which the coefficient of an active feature is largest; of two classes, is
  // it the second?
  char sign_of(int j) const {
    const Array<int> &active = set_.state().feature;
    const auto at = std::find(active.begin(), active.end(), j) - active.begin();
    Index best;
    (likelihood_.contrasts() * set_.block(at)).maxCoeff(&best);
    return static_cast<char>(likelihood_.width() == 1 ? best : best + 1);
  }

  void add_point(LikelihoodPath &path, double lambda, double unit) {
    path.lambda.push_back(lambda / unit);
    path.deviance.push_back(2.0 * set_.value());
    path.kkt.push_back(lambda > 0.0 ? set_.score() / lambda : 0.0);
    const ClassSet::State &state = set_.state();
    Eigen::MatrixXd level = free_levels();
    for (Index a = 0; a < state.feature.size(); ++a) {
      const PathColumns::Scale s = columns_.scale(state.feature[a]);
      const Eigen::VectorXd beta = likelihood_.contrasts() * set_.block(a) / s.scale;
      path.coef_feature.push_back(state.feature[a]);
      path.coef_value.insert(path.coef_value.end(), beta.data(), beta.data() + beta.size());
      level.col(0) -= s.center * beta;
    }
    path.coef_end.push_back(static_cast<int>(path.coef_feature.size()));
    path.free.push_back(Eigen::Map<Eigen::VectorXd>(level.data(), level.size()));
  }

private:
  struct Found {
    int feature;
    double most; // of ||x~_j'R|| / ||R|| at the snapshot
  };

  // Classes x (the intercept and covariates).
  Eigen::MatrixXd free_levels() const {
    const Index width = likelihood_.width();
    Eigen::MatrixXd theta;
    for (Index a = 0; a < width; ++a) {
      Array<double> one;
      for (Index k = 0; k < free_.size(); ++k)
        one.push_back(set_.state().coordinates[k * width + a]);
      const Eigen::VectorXd own = free_.coefficients(one);
      theta.conservativeResize(width, own.size());
      theta.row(a) = own.transpose();
    }
    return likelihood_.contrasts() * theta;
  }

  double alpha_;
  PathColumns columns_;
  ClassLikelihood likelihood_;
  FreeColumns free_;
  LaneNorms norms_;
  ClassSet set_;
  ResidualWatch watch_;
  Array<Found> found_;
  ClassSet::State accepted_;
  int rounds_ = 0;
};

} // namespace stabilect

#endif
