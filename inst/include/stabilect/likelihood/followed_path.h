#ifndef STABILECT_FOLLOWED_PATH_H
#define STABILECT_FOLLOWED_PATH_H

// Where on a likelihood path models are stated: at a grid of lambda and, with `each_size`, wherever
// one feature enters or leaves. Far steps of lambda are divided, and with `each_size` a step with
// several events. If the models' coefficients are not wanted, steps then end where a single event
// is foreseen (events_ahead.h), and of the grid only its ends are left.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "stabilect/likelihood/model_search.h"

namespace stabilect {

// Lambda falls to at least this share of the last point; with each_size, a step is halved until it
// is as narrow as kNarrow, relative to lambda.
constexpr double kFarthest = 0.7, kNarrow = 1e-4;

// A run of a group that takes its snapshots (snapshot_group.h).
template <typename Likelihood> class FollowedPath {
public:
  // `unit`: lambda here over lambda of glmnet.
  template <typename... Parts>
  FollowedPath(const LikelihoodOptions &options, double unit, Parts &&...parts)
      : options_(options), unit_(unit), search_(options, std::forward<Parts>(parts)...) {
    const PathStatus begun = search_.fit_null(path_);
    null_value_ = search_.value();
    if (begun != PathStatus::complete)
      finish(begun);
  }

  FollowedPath(const FollowedPath &) = delete;
  FollowedPath &operator=(const FollowedPath &) = delete;

  bool finished() const { return finished_; }
  // By the number of features too, since most paths that have a limit end there. Points cost the
  // more, the more features there are.
  double share_done() const {
    if (finished_ || grid_.empty())
      return finished_;
    const int most = options_.columns.max_features;
    const double size = most > 0 ? stated_.size() / (1.0 + most) : 0.0;
    const double fell = std::log(first_ / passed_) / std::log(first_ / grid_.back());
    const double share = std::min(1.0, std::max(size, fell));
    return share > 0.0 ? share * share : 0.0;
  }

  // Of the next snapshot.
  Index n_directions() const { return finished_ ? 0 : search_.n_directions(); }
  void fill_direction(Index k, float *v, Index stride) const {
    search_.fill_direction(k, v, stride);
  }
  void receive(Index k, const float *products, Index stride) {
    search_.receive(k, products, stride);
  }
  void end_snapshot() {
    search_.end_snapshot();
    if (grid_.empty())
      find_first_lambda();
  }

  // Goes on until the path ends or a snapshot is needed.
  void advance() {
    while (!finished_) {
      const Settled settled = search_.settle(lambda_, first_);
      if (settled == Settled::needs_snapshot)
        return;
      if (settled == Settled::no)
        return finish(PathStatus::no_convergence);
      accept();
    }
  }

  LikelihoodPath take_path() { return std::move(path_); }

private:
  bool foresees() const { return options_.each_size && !options_.keep_coefficients; }

  // The largest product is lambda times alpha at the first point.
  void find_first_lambda() {
    const double largest = search_.largest_product();
    if (!(largest > 0.0))
      return finish(PathStatus::no_signal);
    first_ = largest / options_.alpha;
    const double last = std::max(1, options_.n_lambda - 1);
    grid_step_ = std::pow(options_.lambda_ratio, 1.0 / last);
    if (options_.lambda.empty())
      for (int k = 0; k < options_.n_lambda; ++k)
        if (!foresees() || k == 0 || k == last)
          grid_.push_back(first_ * std::pow(options_.lambda_ratio, k / last));
    for (double lambda : options_.lambda)
      grid_.push_back(lambda * unit_);
    passed_ = std::max(first_, grid_[0]);
    between_.push_back(grid_[0]);
    lambda_ = next_lambda(true);
  }

  // The present point is proved.
  void accept() {
    const Array<int> &now = search_.active(), &events = events_since(now);
    if (options_.each_size && events.size() > 1 && lambda_ < passed_ * (1.0 - kNarrow)) {
      search_.pass_over(lambda_);
      between_.push_back(divide(events));
      lambda_ = between_.back();
      return;
    }
    const bool goal = lambda_ == between_.back(), stated = goal || options_.each_size;
    const int most = options_.columns.max_features;
    if (stated && most >= 0 && counted_size(options_.columns, now) > most)
      return finish(PathStatus::max_features);
    if (stated)
      record_step(events, now);
    if (goal)
      between_.pop_back();
    const bool grid_point = between_.empty();
    if (options_.keep_coefficients && (grid_point || (options_.each_size && !events.empty())))
      search_.add_point(path_, lambda_, unit_);
    passed_ = lambda_;
    divided_ = false;
    search_.keep(lambda_);
    const double explained = (null_value_ - search_.value()) * 2.0 / path_.null_deviance;
    if (stated && explained > options_.most_explained)
      return finish(PathStatus::explained);
    if (grid_point && !next_of_grid())
      return;
    lambda_ = next_lambda(!events.empty());
  }

  // Towards the next goal; zero is near enough from a ten-thousandth of the first lambda. Where
  // nothing happened, though an event was foreseen, not less far than half a step of the grid.
  double next_lambda(bool events) const {
    const double goal = between_.back();
    if (goal == 0.0 && passed_ <= 1e-4 * first_)
      return 0.0;
    double next = kFarthest * passed_;
    if (foresees()) {
      const double foreseen = search_.ahead().between(std::sqrt(grid_step_));
      next =
          std::max(next, events ? foreseen : std::min(foreseen, std::sqrt(grid_step_) * passed_));
    }
    return std::max(goal, next);
  }

  // Between the last point and this one, with several events: between the first two, as foreseen,
  // if this was not tried yet.
  double divide(const Array<int> &events) {
    const double middle = std::sqrt(passed_ * lambda_);
    if (divided_ || !foresees())
      return middle;
    divided_ = true;
    const double foreseen = search_.ahead().between(events),
                 edge = std::pow(lambda_ / passed_, 0.1);
    return foreseen > 0.0 ? std::min(std::max(foreseen, lambda_ / edge), passed_ * edge) : middle;
  }

  bool next_of_grid() {
    if (++next_ == grid_.size()) {
      finish(PathStatus::complete);
      return false;
    }
    between_.push_back(grid_[next_]);
    return true;
  }

  // Events since the last stated model: features that left, then features that entered, from 1.
  const Array<int> &events_since(const Array<int> &now) {
    events_.clear();
    std::set_difference(stated_.begin(), stated_.end(), now.begin(), now.end(),
                        std::back_inserter(events_));
    const Index left = events_.size();
    std::set_difference(now.begin(), now.end(), stated_.begin(), stated_.end(),
                        std::back_inserter(events_));
    for (Index k = 0; k < events_.size(); ++k)
      events_[k] = k < left ? -(events_[k] + 1) : events_[k] + 1;
    return events_;
  }

  void record_step(const Array<int> &events, const Array<int> &now) {
    if (events.empty())
      return;
    LarsPath &steps = path_.steps;
    steps.events.insert(steps.events.end(), events.begin(), events.end());
    for (int event : events)
      steps.positive.push_back(event > 0 ? search_.sign_of(event - 1) : 0);
    steps.event_end.push_back(static_cast<int>(steps.events.size()));
    steps.lambda.push_back(lambda_of(events));
    stated_ = now;
  }

  // Between the last model and this one, where the event was foreseen.
  double lambda_of(const Array<int> &events) const {
    const double foreseen =
        foresees() && events.size() == 1 ? search_.ahead().lambda_of(events[0]) : 0.0;
    return std::max(lambda_, std::min(foreseen, passed_));
  }

  void finish(PathStatus status) {
    path_.steps.status = status;
    path_.steps.lambda.push_back(lambda_);
    finished_ = true;
  }

  LikelihoodOptions options_;
  double unit_;
  ModelSearch<Likelihood> search_;
  LikelihoodPath path_;
  Array<double> grid_, between_; // between_: lambdas on the way to the next of the grid
  Index next_ = 0;
  double first_ = 0.0, passed_ = 0.0, lambda_ = 0.0, null_value_ = 0.0, grid_step_ = 0.0;
  bool divided_ = false; // the step after passed_
  Array<int> stated_, events_;
  bool finished_ = false;
};

} // namespace stabilect

#endif
