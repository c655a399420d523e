#ifndef STABILECT_LIKELIHOOD_SEARCH_H
#define STABILECT_LIKELIHOOD_SEARCH_H

// The model of one run at one lambda, for numbers, two classes, counts and survival times.
//
// Optimality asks of a feature only its product with the score residual r: |x~_j'r| is at most
// lambda alpha, and for active ones the derivative of the objective is zero. So the search for
// features is that of the least squares path: snapshots in float, shared by the runs of a group,
// find those with large products; they are screened again in float at every point, and whoever may
// be above the bound is computed in double. All others are covered by what the snapshot proves for
// the present residual (cap_reach()). Where that proves too little, a new snapshot is taken at the
// point itself. No point is stated before every feature is covered in one of these ways.
//
// settle() solves on the active features (newton_set.h), lets in those that violate, and solves
// again.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/likelihood/newton_set.h"
#include "stabilect/likelihood/options.h"
#include "stabilect/likelihood/residual_watch.h"
#include "stabilect/path/working_set.h"

namespace stabilect {

// A linear predictor that free columns alone drive this far from the mean has no limit.
constexpr double kSeparated = 20.0;

// A feature violates beyond this, relative to the first lambda; so many rounds of letting in.
constexpr double kViolation = 1e-12;
constexpr int kMostRounds = 1000;

class LikelihoodSearch {
public:
  LikelihoodSearch(const LikelihoodOptions &options, const PackedMatrix &x, PathColumns columns,
                   const Outcomes &outcomes, const ConstMatrix &z, const LaneNorms &norms,
                   const Kernels &kernels)
      : alpha_(options.alpha), kernels_(&kernels), columns_(std::move(columns)),
        likelihood_(outcomes, columns_),
        free_(z, outcomes.family != Family::cox, columns_, kernels),
        set_(columns_, likelihood_, free_, options.alpha, kernels),
        work_(x, columns_, norms, kernels), watch_(columns_, norms.largest, kernels) {}

  LikelihoodSearch(const LikelihoodSearch &) = delete; // members point at one another
  LikelihoodSearch &operator=(const LikelihoodSearch &) = delete;

  // Status complete: there is something to explain, and the null model is the present one.
  PathStatus fit_null(LikelihoodPath &path) {
    if (!likelihood_.varies())
      return PathStatus::one_response;
    const bool numbers = likelihood_.family() == Family::gaussian;
    const double before = set_.value();
    set_.set_floor(1000.0 * set_.residual_norm());
    if (!set_.solve(0.0) || (!numbers && set_.spread() > kSeparated))
      return PathStatus::separated;
    set_.set_floor(set_.residual_norm());
    path.null_deviance = 2.0 * (set_.value() - likelihood_.saturated());
    keep();
    watch_.look(set_.residual(), 0.0);
    const double rounding = numbers ? 1e-20 * before : 1e-12 * std::max(1.0, std::abs(before));
    return path.null_deviance > rounding ? PathStatus::complete : PathStatus::no_signal;
  }

  const ResidualWatch &watch() const { return watch_; }
  void begin_snapshot(double q) {
    watch_.begin_snapshot(q);
    work_.clear();
  }
  void receive(int j, float product) {
    if (work_.varies(j))
      work_.add_found(j, product);
  }
  void end_snapshot() {
    work_.set_residual(watch_.norm());
    work_.watch(0.0, set_.residual(), watch_.norm());
  }

  double largest_product() {
    double largest = 0.0;
    for (int j : work_.candidates(0.0, work_.largest_product()))
      largest = std::max(largest, std::abs(columns_.product(j, set_.residual(), *kernels_)));
    return largest;
  }

  // The model at lambda, as far as watched features tell.
  bool settle(double lambda, double first) {
    const double bound = alpha_ * lambda;
    for (;;) {
      if (!set_.solve(lambda))
        return false;
      work_.renew(set_.residual(), set_.residual_norm());
      Array<std::pair<int, double>> violators;
      const double excess = bound + std::max(kScoreTolerance * bound, kViolation * first);
      for (int j : work_.candidates(0.0, bound)) {
        if (set_.has(j))
          continue;
        const double product = columns_.product(j, set_.residual(), *kernels_);
        if (std::abs(product) > excess)
          violators.emplace_back(j, product);
      }
      if (violators.empty())
        return true;
      if (++rounds_ > kMostRounds)
        return false;
      for (const auto &one : violators)
        set_.enter(one.first, one.second);
    }
  }

  // Are all features that were not looked at below the bound?
  bool covered(double lambda) { return watch_.look(set_.residual(), alpha_ * lambda); }

  void keep() {
    rounds_ = 0;
    accepted_ = set_.state();
  }
  void go_back() {
    rounds_ = 0;
    set_.restore(accepted_);
  }

  double value() const { return set_.value(); }
  bool sign_of(int j) const { return set_.sign_of(j) > 0.0; }
  Array<int> active() const {
    const NewtonSet::State &state = set_.state();
    Array<int> out;
    for (Index a = 0; a < state.feature.size(); ++a)
      if (state.beta[a] != 0.0)
        out.push_back(state.feature[a]);
    std::sort(out.begin(), out.end());
    return out;
  }

  void add_point(LikelihoodPath &path, double lambda, double unit) {
    path.lambda.push_back(lambda / unit);
    path.deviance.push_back(2.0 * (set_.value() - likelihood_.saturated()));
    path.kkt.push_back(lambda > 0.0 ? set_.score() / lambda : 0.0);
    const NewtonSet::State &state = set_.state();
    Eigen::VectorXd level = free_.coefficients(state.free);
    for (Index a = 0; a < state.feature.size(); ++a) {
      if (state.beta[a] == 0.0)
        continue;
      const PathColumns::Scale s = columns_.scale(state.feature[a]);
      path.coef_feature.push_back(state.feature[a]);
      path.coef_value.push_back(state.beta[a] / s.scale);
      level[0] -= state.beta[a] / s.scale * s.center;
    }
    path.coef_end.push_back(static_cast<int>(path.coef_feature.size()));
    path.free.push_back(level);
  }

private:
  double alpha_;
  const Kernels *kernels_;
  PathColumns columns_;
  RunLikelihood likelihood_;
  FreeColumns free_;
  NewtonSet set_;
  WorkingSet work_;
  ResidualWatch watch_;
  NewtonSet::State accepted_;
  int rounds_ = 0;
};

} // namespace stabilect

#endif
