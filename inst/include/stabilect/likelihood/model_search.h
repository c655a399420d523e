#ifndef STABILECT_MODEL_SEARCH_H
#define STABILECT_MODEL_SEARCH_H

// The model of one run at one lambda.
//
// Optimality needs only a feature's product with the score residual r: |x~_j'r| is at most lambda
// alpha, and for active features the derivative of the objective is zero. The search is therefore
// the same as on the least squares path. Snapshots in float, shared by the runs of a group, find
// features with large products; those that may be above the bound are computed in double
// (likelihood_search.h, class_search.h). All others are covered by what the snapshot proves for the
// present residual (cap_reach()). If that proves too little, a new snapshot is taken at the point
// itself. No point is stated before every feature is covered in one of these ways.
//
// settle() takes steps on the active features (active_model.h), and admits violating features.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/likelihood/active_model.h"
#include "stabilect/likelihood/options.h"
#include "stabilect/likelihood/residual_watch.h"
#include "stabilect/path/lane_norms.h"

namespace stabilect {

// A linear predictor that free columns alone drive this far from the mean has no limit.
constexpr double kSeparated = 20.0;

// Violation of a feature, relative to the first lambda; limit of the steps.
constexpr double kViolation = 1e-12;
constexpr int kMostSteps = 2000;

// Coefficients are continued along a line by at most this share of their last change.
constexpr double kFurthest = 2.0;

// `Own` derives from it, and has violators(bound, excess): inactive features whose product exceeds
// `excess`.
template <typename Own, typename Likelihood> class ModelSearch {
public:
  ModelSearch(const ModelSearch &) = delete; // members point at one another
  ModelSearch &operator=(const ModelSearch &) = delete;

  // Status complete: there is something to explain, and the null model is the present one.
  PathStatus fit_null(LikelihoodPath &path) {
    const PathStatus known = likelihood_.status();
    if (known != PathStatus::complete)
      return known;
    const bool numbers = likelihood_.family() == Family::gaussian;
    const double before = set_.value();
    set_.set_floor(1000.0 * set_.residual_norm());
    if (!set_.solve_free() || (!numbers && set_.spread() > kSeparated))
      return PathStatus::separated;
    set_.set_floor(set_.residual_norm());
    path.null_deviance = 2.0 * (set_.value() - likelihood_.saturated());
    accepted_ = set_.state();
    watch_.look(likelihood_.residual(), 0.0);
    const double rounding = numbers ? 1e-20 * before : 1e-12 * std::max(1.0, std::abs(before));
    return path.null_deviance > rounding ? PathStatus::complete : PathStatus::no_signal;
  }

  const ResidualWatch &watch() const { return watch_; }

  // The model at lambda, from the features found so far. Violating features are let in as soon as
  // the others are nearly solved.
  bool settle(double lambda, double first) {
    const double bound = alpha_ * lambda;
    const double excess = bound + std::max(kScoreTolerance * bound, kViolation * first);
    if (earlier_lambda_ > accepted_lambda_)
      set_.begin(
          lambda, earlier_,
          std::min(kFurthest, (accepted_lambda_ - lambda) / (earlier_lambda_ - accepted_lambda_)));
    else
      set_.begin(lambda);
    bool looked = false;
    for (int step = 0; step < kMostSteps; ++step) {
      if (!set_.finite())
        return false;
      const bool solved = set_.solved();
      if (solved || (!looked && set_.near())) {
        // A copy of an active column is above the bound by as much as the score is not zero.
        const double least = solved ? excess : std::max(excess, bound + 1.01 * set_.score());
        const Array<Violator> violators = static_cast<Own &>(*this).violators(bound, least);
        if (violators.empty() && solved)
          return true;
        looked = violators.empty();
        if (!looked)
          set_.admit(violators);
      }
      if (!set_.step() && !set_.nearly_solved())
        return false;
    }
    return false;
  }

  // Are all features that were not looked at below the bound?
  bool covered(double lambda) { return watch_.look(likelihood_.residual(), alpha_ * lambda); }

  // The model at lambda is accepted; the next starts from it and the one before.
  void keep(double lambda) {
    std::swap(earlier_, accepted_);
    earlier_lambda_ = accepted_lambda_;
    accepted_ = set_.state();
    accepted_lambda_ = lambda;
  }
  void go_back() { set_.restore(accepted_); }

  double value() const { return set_.value(); }
  Array<int> active() const {
    const Array<int> &feature = set_.state().feature;
    Array<int> out;
    for (Index a = 0; a < feature.size(); ++a)
      if (!set_.block(a).isZero(0.0))
        out.push_back(feature[a]);
    std::sort(out.begin(), out.end());
    return out;
  }

  void add_point(LikelihoodPath &path, double lambda, double unit) const {
    path.lambda.push_back(lambda / unit);
    path.deviance.push_back(2.0 * (set_.value() - likelihood_.saturated()));
    path.kkt.push_back(lambda > 0.0 ? set_.score() / lambda : 0.0);
    const Array<int> &feature = set_.state().feature;
    Eigen::MatrixXd level = free_levels();
    for (Index a = 0; a < feature.size(); ++a) {
      if (set_.block(a).isZero(0.0))
        continue;
      const PathColumns::Scale s = columns_.scale(feature[a]);
      const Eigen::VectorXd beta = likelihood_.by_class(set_.block(a)) / s.scale;
      path.coef_feature.push_back(feature[a]);
      path.coef_value.insert(path.coef_value.end(), beta.data(), beta.data() + beta.size());
      level.col(0) -= s.center * beta;
    }
    path.coef_end.push_back(static_cast<int>(path.coef_feature.size()));
    path.free.push_back(Eigen::Map<Eigen::VectorXd>(level.data(), level.size()));
  }

protected:
  ModelSearch(const LikelihoodOptions &options, PathColumns columns, const Outcomes &outcomes,
              const ConstMatrix &z, const LaneNorms &norms, const Kernels &kernels)
      : alpha_(options.alpha), kernels_(&kernels), columns_(std::move(columns)),
        likelihood_(outcomes, columns_),
        free_(z, outcomes.family != Family::cox, columns_, kernels),
        set_(columns_, likelihood_, free_, options.alpha, kernels),
        watch_(columns_, norms.largest, kernels, likelihood_.width()) {}

  // Intercept and covariates in columns, a row for each class.
  Eigen::MatrixXd free_levels() const {
    const Index width = likelihood_.width();
    const Eigen::Map<const Eigen::MatrixXd> given(set_.state().coordinates.data(), width,
                                                  free_.size());
    Eigen::MatrixXd theta(width, free_.n_columns());
    for (Index a = 0; a < width; ++a)
      theta.row(a) = free_.coefficients(given.row(a).transpose()).transpose();
    return likelihood_.by_class(theta);
  }

  double alpha_;
  const Kernels *kernels_;
  PathColumns columns_;
  Likelihood likelihood_;
  FreeColumns free_;
  ActiveModel<Likelihood> set_;
  ResidualWatch watch_;

private:
  typename ActiveModel<Likelihood>::State accepted_, earlier_;
  double accepted_lambda_ = 0.0, earlier_lambda_ = 0.0; // 0: none yet
};

} // namespace stabilect

#endif
