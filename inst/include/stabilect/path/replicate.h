#ifndef STABILECT_REPLICATE_H
#define STABILECT_REPLICATE_H

// One path, from its first knot to its last.
//
// Construction. The columns of the run (path_columns.h) and their norms (lane_norms.h) are given;
// the residual is the empty model's (residual.h). A constant response ends the path there.
//
// First snapshot. The path needs the columns with a large product with its residual. Its group
// (lars_batch.h) finds them for all of its replicates in one pass over the data, in float: every
// column that may be above a share tau of the largest product. These form the working set
// (working_set.h); only those with the largest products are watched at first. The largest product,
// computed in double, is the first lambda, and the columns that reach it are tied at the first
// knot.
//
// advance() then repeats three things until the path ends or a snapshot is due:
//   1. open_segment(), at a knot: the solver (knot_solver.h) decides which tied columns enter and
//      which active ones leave, the active set (active_set.h) follows, and the events are recorded.
//      The residual will move along u, for which all active products fall as fast as lambda.
//   2. NextKnot::propose() (next_knot.h): how far until another column reaches lambda, an active
//      coefficient reaches zero, or lambda does? Only the watched columns are looked at.
//   3. ScreenGuard::judge() (screen_guard.h): can an unwatched column be there first? If not,
//      take_step() moves residual, coefficients and lambda to the knot. Otherwise more columns of
//      the working set are watched and the step is proposed again. If the set is used up, advance()
//      returns for a new snapshot at the present point.
//
// Last knot. The path is at its end when lambda is zero or a limit of the options is reached;
// finish() records where, and take_path() hands the path over.
//
// The working set and the rounding of floats affect only the speed: every number of the path comes
// from double arithmetic in a fixed order.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/path/next_knot.h"
#include "stabilect/path/screen_guard.h"

namespace stabilect {

constexpr int kPolishEvery = 16;

class Replicate {
public:
  Replicate(const PackedMatrix &x, PathColumns columns, const double *y, const LaneNorms &norms,
            const LarsOptions &options, const Kernels &kernels)
      : options_(options), kernels_(&kernels), columns_(std::move(columns)),
        largest_norm_(norms.largest), at_(columns_, y, options.intercept, kernels),
        u_(columns_.ld()), active_(columns_, kernels), work_(x, columns_, norms, kernels),
        knot_(options.type, x.p(), columns_, active_, work_, at_, kernels),
        next_(options.type, columns_, active_, work_, knot_, at_, u_, kernels),
        screen_guard_(columns_, active_, work_, at_, u_, norms.largest, kernels) {
    if (at_.constant)
      finish(PathStatus::one_response);
  }

  Replicate(const Replicate &) = delete; // members point at one another
  Replicate &operator=(const Replicate &) = delete;

  bool finished() const { return finished_; }

  // Progress, for a display.
  double share_done() const {
    return finished_ ? 1.0 : std::min(1.0, cost(active_.size()) / cost(expected_size()));
  }

  // The group's needs for a snapshot: thresholds, and the residual for one lane.
  const ScreenGuard &screen_guard() const { return screen_guard_; }

  // A snapshot: receive() is called for a superset of the features j with |x~_j'r| > q ||r||.
  void begin_snapshot(double q) {
    screen_guard_.begin_snapshot(q);
    work_.clear();
  }
  // `product`: the packed column with the residual of norm one, in float.
  void receive(int j, float product) {
    if (knot_.is_candidate(j) && work_.varies(j))
      work_.add_found(j, product);
  }
  void end_snapshot() {
    work_.set_residual(at_.norm());
    if (path_.lambda.empty())
      find_first_knot();
    else
      screen_guard_.watch_first();
  }

  // Goes on until the path ends or a snapshot is needed.
  void advance() {
    while (!finished_) {
      if (at_knot_)
        open_segment();
      if (finished_)
        return;
      const NextKnot::Step step = next_.propose();
      switch (screen_guard_.judge(step.length)) {
      case ScreenGuard::Verdict::take:
        take_step(step);
        break;
      case ScreenGuard::Verdict::look_again:
        break;
      case ScreenGuard::Verdict::snapshot:
        return;
      }
    }
  }

  LarsPath take_path() { return std::move(path_); }

private:
  // Of a path to this size: a step costs in proportion to its active features, the first snapshot
  // as much as some steps for every column, and the closer to saturation, the more steps there are.
  double cost(double size) const {
    const double full = size * size / std::max(1.0, 1.0 * columns_.n_rows());
    return 2.0 * columns_.p() + size * size + 5.0 * full * full;
  }

  // Features at the end of the path. Where it ends at a penalty, those that enter until then by
  // chance, whose products are normal.
  double expected_size() const {
    double most = std::min(columns_.rank_limit(), columns_.p());
    if (options_.max_features >= 0 && !options_.clusters)
      most = std::min(most, options_.max_features + 1.0);
    const double sd = at_.norm() / std::sqrt(1.0 * columns_.n_rows()),
                 end = options_.least / at_.unit;
    if (end > 0.0 && sd > 0.0) {
      const double more = std::erfc(end / sd / std::sqrt(2.0)) -
                          std::erfc(std::max(end, at_.lambda) / sd / std::sqrt(2.0));
      most = std::min(most, active_.size() + more * columns_.p());
    }
    return std::max(1.0, most);
  }

  void find_first_knot() {
    screen_guard_.watch_largest();
    const Array<int> candidates = work_.candidates(0.0, work_.largest_product());
    Array<double> products;
    for (int j : candidates)
      products.push_back(std::abs(columns_.product(j, at_.r, *kernels_)));
    double largest = 0.0;
    for (double c : products)
      largest = std::max(largest, c);
    if (!(largest > 1e-12 * largest_norm_ * at_.norm()))
      return finish(PathStatus::no_signal);
    at_.lambda = at_.first_lambda = largest;
    Array<int> tied;
    for (Index k = 0; k < candidates.size(); ++k)
      if (at_.ties(products[k]))
        tied.push_back(candidates[k]);
    knot_.meet(std::move(tied), -1);
    at_knot_ = true;
  }

  // At a knot: decides which features are active from here on, records the events, and computes the
  // direction of the next segment, unless the path ends here.
  void open_segment() {
    at_knot_ = false;
    knot_.settle();
    const bool first = path_.lambda.empty();
    // Without an event there was only a collinear feature: the segment goes on.
    if (first || knot_.has_events()) {
      if (!first)
        record_coefficients();
      if (limit_reached())
        return;
      record_knot();
    }
    next_.start();
    active_.direction_in_rows(u_);
    active_.note_residual(at_.is_along(u_));
    work_.set_direction(u_);
    screen_guard_.open_segment();
  }

  bool limit_reached() {
    const int steps = static_cast<int>(path_.event_end.size());
    const int most = options_.max_features;
    if (most >= 0 && counted_size(options_, active_.features()) > most)
      finish(PathStatus::max_features);
    else if ((options_.max_steps >= 0 && steps >= options_.max_steps) ||
             at_.lambda * at_.unit < options_.least)
      finish(PathStatus::max_steps);
    return finished_;
  }

  void take_step(NextKnot::Step step) {
    screen_guard_.leave();
    if (at_.lambda - step.length <= kEnd * at_.first_lambda)
      step.length = at_.lambda;
    knot_.leave();
    Array<int> reached = next_.reached(step);
    move(step.length);
    if (at_.lambda == 0.0) {
      record_coefficients();
      return finish(PathStatus::complete);
    }
    knot_.meet(std::move(reached), step.entering);
    if (options_.type == PathType::lasso)
      knot_.drop_zeros(step.length);
    if (++knots_ % kPolishEvery == 0 && active_.size() > 0) {
      active_.polish(at_.lambda, at_.r);
      at_.measure(*kernels_);
    }
    at_knot_ = true;
  }

  void move(double step) {
    work_.move(step, at_.norm());
    active_.move(step);
    const int only = 0;
    const double factor = -step;
    kernels_->add_columns(u_.data(), columns_.ld(), &only, 1, &factor, at_.r.data());
    at_.measure(*kernels_);
    at_.lambda -= step;
  }

  void record_knot() {
    const Array<int> events = knot_.take_events();
    path_.events.insert(path_.events.end(), events.begin(), events.end());
    for (int event : events)
      path_.positive.push_back(event > 0 && active_.sign_of(event - 1) > 0.0);
    path_.event_end.push_back(static_cast<int>(path_.events.size()));
    path_.lambda.push_back(at_.lambda * at_.unit);
    path_.rss.push_back(at_.rr * at_.unit * at_.unit);
  }

  // At the end of a segment.
  void record_coefficients() {
    if (!options_.keep_coefficients)
      return;
    for (Index k = 0; k < active_.size(); ++k) {
      if (active_.beta(k) == 0.0)
        continue;
      path_.coef_feature.push_back(active_.feature(k));
      path_.coef_value.push_back(active_.beta(k) * at_.unit);
    }
    path_.coef_end.push_back(static_cast<int>(path_.coef_feature.size()));
  }

  void finish(PathStatus status) {
    path_.status = status;
    path_.lambda.push_back(at_.lambda * at_.unit);
    path_.rss.push_back(at_.rr * at_.unit * at_.unit);
    path_.excluded = knot_.collinear();
    finished_ = true;
  }

  LarsOptions options_;
  const Kernels *kernels_;
  PathColumns columns_;
  double largest_norm_;
  Residual at_;
  AlignedBuffer<double> u_; // the residual falls by u per unit of lambda
  ActiveSet active_;
  WorkingSet work_;
  KnotSolver knot_;
  NextKnot next_;
  ScreenGuard screen_guard_;
  LarsPath path_;
  int knots_ = 0;
  bool finished_ = false, at_knot_ = false;
};

} // namespace stabilect

#endif
