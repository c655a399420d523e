#ifndef STABILECT_LIKELIHOOD_RUN_H
#define STABILECT_LIKELIHOOD_RUN_H

// One path by likelihood, from the model without features to its end.
//
// Optimality asks of a feature only its product with the score residual r: |x~_j'r| is at most
// lambda alpha, and for active ones the derivative of the objective is zero. So the search for
// features is that of the least squares path: snapshots in float, shared by the runs of a group,
// find those with large products; they are screened again in float at every point, and whoever may
// be above the bound is computed in double. All others are covered by what the snapshot proves for
// the present residual (cap_reach()). Where that proves too little, a new snapshot is taken at the
// point itself. No point is stated before every feature is covered in one of these ways.
//
// advance() repeats: solve at the next lambda on the active features (newton_set.h), let in those
// that violate, solve again, and accept the point once all features are covered. Far steps of
// lambda are made in parts, and with `each_size` a step with several events is halved.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "stabilect/likelihood/newton_set.h"
#include "stabilect/likelihood/options.h"
#include "stabilect/likelihood/residual_watch.h"
#include "stabilect/path/working_set.h"

namespace stabilect {

// Lambda falls to this share of the last point at most; with each_size, a step is halved until it
// is as narrow as kNarrow, relative to lambda; a linear predictor that free columns alone drive
// this far from the mean has no limit.
constexpr double kFarthest = 0.7, kNarrow = 1e-4, kSeparated = 20.0;

class LikelihoodRun {
public:
  LikelihoodRun(const PackedMatrix &x, PathColumns columns, const Outcomes &outcomes,
                const ConstMatrix &z, const LaneNorms &norms, const LikelihoodOptions &options,
                const Kernels &kernels)
      : options_(options), kernels_(&kernels), columns_(std::move(columns)),
        likelihood_(outcomes, columns_),
        free_(z, outcomes.family != Family::cox, columns_, kernels),
        set_(columns_, likelihood_, free_, options.alpha, kernels),
        work_(x, columns_, norms, kernels), watch_(columns_, norms.largest, kernels),
        unit_(std::sqrt(columns_.total_weight())), response_unit_(outcomes.unit) {
    if (likelihood_.varies())
      fit_null();
    else
      finish(PathStatus::one_response);
  }

  LikelihoodRun(const LikelihoodRun &) = delete; // members point at one another
  LikelihoodRun &operator=(const LikelihoodRun &) = delete;

  bool finished() const { return finished_; }
  double share_done() const {
    const double all = static_cast<double>(std::max<std::size_t>(1, grid_.size()));
    return finished_ ? 1.0 : static_cast<double>(next_) / all;
  }

  const ResidualWatch &lookout() const { return watch_; }
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
    if (grid_.empty())
      find_first_lambda();
  }

  // Goes on until the path ends or a snapshot is needed.
  void advance() {
    while (!finished_) {
      if (!settle())
        return finish(PathStatus::no_convergence);
      if (!watch_.look(set_.residual(), options_.alpha * lambda_))
        return;
      accept();
    }
  }

  LikelihoodPath take_path() {
    if (response_unit_ != 1.0)
      path_.rescale(response_unit_);
    return std::move(path_);
  }

private:
  void fit_null() {
    const bool numbers = likelihood_.family() == Family::gaussian;
    const double before = set_.value();
    set_.set_floor(1000.0 * set_.residual_norm());
    if (!set_.solve(0.0) || (!numbers && set_.spread() > kSeparated))
      return finish(PathStatus::separated);
    set_.set_floor(set_.residual_norm());
    null_value_ = set_.value();
    path_.null_deviance = 2.0 * (null_value_ - likelihood_.saturated());
    accepted_ = set_.state();
    watch_.look(set_.residual(), 0.0);
    const double rounding = numbers ? 1e-20 * before : 1e-12 * std::max(1.0, std::abs(before));
    if (!(path_.null_deviance > rounding))
      finish(PathStatus::no_signal);
  }

  // The largest product is lambda times alpha at the first point.
  void find_first_lambda() {
    double largest = 0.0;
    for (int j : work_.candidates(0.0, work_.largest_product()))
      largest = std::max(largest, std::abs(columns_.product(j, set_.residual(), *kernels_)));
    if (!(largest > 1e-10 * watch_.norm()))
      return finish(PathStatus::no_signal);
    first_ = largest / options_.alpha;
    const double last = std::max(1, options_.n_lambda - 1);
    if (options_.lambda.empty())
      for (int k = 0; k < options_.n_lambda; ++k)
        grid_.push_back(first_ * std::pow(options_.lambda_ratio, k / last));
    for (double lambda : options_.lambda)
      grid_.push_back(lambda * unit_ / response_unit_);
    passed_ = std::max(first_, grid_[0]);
    between_.push_back(grid_[0]);
    lambda_ = next_lambda();
  }

  // The model at lambda, as far as watched features tell.
  bool settle() {
    const double bound = options_.alpha * lambda_;
    for (;;) {
      if (!set_.solve(lambda_))
        return false;
      work_.renew(set_.residual(), set_.residual_norm());
      std::vector<std::pair<int, double>> violators;
      const double excess = bound + std::max(kScoreTolerance * bound, kViolation * first_);
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

  // The present point is proved.
  void accept() {
    rounds_ = 0;
    const std::vector<int> events = events_since();
    if (options_.each_size && events.size() > 1 && lambda_ < passed_ * (1.0 - kNarrow)) {
      between_.push_back(std::sqrt(passed_ * lambda_));
      lambda_ = between_.back();
      set_.restore(accepted_);
      return;
    }
    const bool goal = lambda_ == between_.back(), stated = goal || options_.each_size;
    const int most = options_.columns.max_features;
    if (stated && most >= 0 && size() > most)
      return finish(PathStatus::max_features);
    if (stated)
      record_step(events);
    if (goal)
      between_.pop_back();
    const bool grid_point = between_.empty();
    if (grid_point || (options_.each_size && !events.empty()))
      record_point();
    passed_ = lambda_;
    accepted_ = set_.state();
    const double explained = (null_value_ - set_.value()) * 2.0 / path_.null_deviance;
    if (stated && explained > options_.most_explained)
      return finish(PathStatus::explained);
    if (grid_point && !next_of_grid())
      return;
    lambda_ = next_lambda();
  }

  // Towards the next goal; zero is near enough from a ten-thousandth of the first lambda.
  double next_lambda() const {
    const double goal = between_.back();
    return goal == 0.0 && passed_ <= 1e-4 * first_ ? 0.0 : std::max(goal, kFarthest * passed_);
  }

  bool next_of_grid() {
    if (++next_ == grid_.size()) {
      finish(PathStatus::complete);
      return false;
    }
    between_.push_back(grid_[next_]);
    return true;
  }

  int size() const { return static_cast<int>(sorted_active(set_.state()).size()); }

  static std::vector<int> sorted_active(const NewtonSet::State &state) {
    std::vector<int> out;
    for (std::size_t a = 0; a < state.feature.size(); ++a)
      if (state.beta[a] != 0.0)
        out.push_back(state.feature[a]);
    std::sort(out.begin(), out.end());
    return out;
  }

  // Since the last stated model: those that left, then those that entered, from 1.
  std::vector<int> events_since() const {
    const std::vector<int> now = sorted_active(set_.state());
    std::vector<int> out, entered;
    std::set_difference(stated_.begin(), stated_.end(), now.begin(), now.end(),
                        std::back_inserter(out));
    std::set_difference(now.begin(), now.end(), stated_.begin(), stated_.end(),
                        std::back_inserter(entered));
    for (int &j : out)
      j = -(j + 1);
    for (int j : entered)
      out.push_back(j + 1);
    return out;
  }

  void record_step(const std::vector<int> &events) {
    if (events.empty())
      return;
    LarsPath &steps = path_.steps;
    steps.events.insert(steps.events.end(), events.begin(), events.end());
    for (int event : events)
      steps.positive.push_back(event > 0 && set_.sign_of(event - 1) > 0.0);
    steps.event_end.push_back(static_cast<int>(steps.events.size()));
    steps.lambda.push_back(lambda_);
    stated_ = sorted_active(set_.state());
  }

  void record_point() {
    if (!options_.keep_coefficients)
      return;
    path_.lambda.push_back(lambda_ / unit_);
    path_.deviance.push_back(2.0 * (set_.value() - likelihood_.saturated()));
    path_.kkt.push_back(lambda_ > 0.0 ? set_.score() / lambda_ : 0.0);
    const NewtonSet::State &state = set_.state();
    Eigen::VectorXd level = free_.coefficients(state.free);
    for (std::size_t a = 0; a < state.feature.size(); ++a) {
      if (state.beta[a] == 0.0)
        continue;
      const PathColumns::Scale s = columns_.scale(static_cast<std::size_t>(state.feature[a]));
      path_.coef_feature.push_back(state.feature[a]);
      path_.coef_value.push_back(state.beta[a] / s.scale);
      level[0] -= state.beta[a] / s.scale * s.center;
    }
    path_.coef_end.push_back(static_cast<int>(path_.coef_feature.size()));
    path_.free.push_back(level);
  }

  void finish(PathStatus status) {
    path_.steps.status = status;
    path_.steps.lambda.push_back(lambda_);
    finished_ = true;
  }

  static constexpr int kMostRounds = 1000;
  static constexpr double kViolation = 1e-12; // relative to the first lambda

  LikelihoodOptions options_;
  const Kernels *kernels_;
  PathColumns columns_;
  RunLikelihood likelihood_;
  FreeColumns free_;
  NewtonSet set_;
  WorkingSet work_;
  ResidualWatch watch_;
  double unit_; // lambda here over lambda of glmnet
  double response_unit_;
  LikelihoodPath path_;
  std::vector<double> grid_, between_; // between_: lambdas on the way to the next of the grid
  std::size_t next_ = 0;
  double first_ = 0.0, passed_ = 0.0, lambda_ = 0.0, null_value_ = 0.0;
  NewtonSet::State accepted_;
  std::vector<int> stated_;
  int rounds_ = 0;
  bool finished_ = false;
};

} // namespace stabilect

#endif
