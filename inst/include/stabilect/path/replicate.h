#ifndef STABILECT_REPLICATE_H
#define STABILECT_REPLICATE_H

// One path, from its first knot to its last.
//
// Construction. The columns of the run (path_columns.h) and their norms (lane_norms.h) are given;
// the residual is that of the empty model (residual.h). A constant response ends the path there.
//
// First snapshot. The path needs to know which columns have a large product with its residual. Its
// group (lars_batch.h) finds out for all of its replicates in one pass over the data, in float, and
// answers receive() with every column that may be above a share tau of the largest product. These
// become the working set (working_set.h). The largest product, computed in double, is the first
// lambda, and the columns that reach it are tied at the first knot.
//
// advance() then repeats three things until the path ends or a snapshot is due:
//   1. open_segment(), at a knot: the settler (knot_settler.h) decides which tied columns enter and
//      which active ones leave, the active set (active_set.h) follows, and the events are recorded.
//      The residual will move along u, for which all active products fall as fast as lambda.
//   2. NextKnot::propose() (next_knot.h): how far until another column reaches lambda, an active
//      coefficient reaches zero, or lambda does? Only the working set is looked at.
//   3. SnapshotBound::holds() (snapshot_bound.h): can a column outside of the working set be there
//      first? One scalar test answers for all of them. If none can, take_step() moves residual,
//      coefficients and lambda to the knot. Otherwise advance() returns, the next snapshot is taken
//      where the path stands, and the step is proposed again with a new working set. When even a
//      fresh snapshot does not suffice, tau is lowered, down to 0, which takes in all columns.
//
// Last knot. The path is at its end when lambda is zero or a limit of the options is reached;
// finish() records where, and take_path() hands the path over.
//
// The working set and the rounding of floats affect only the speed: every number of the path comes
// from double arithmetic in a fixed order.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stabilect/path/next_knot.h"
#include "stabilect/path/snapshot_bound.h"

namespace stabilect {

// Features above kTau of the present lambda make up the working set; less after a set has
// proved too small at once.
constexpr double kTau = 0.75, kSmallestTau = 0.3;
constexpr int kPolishEvery = 16;

// The result of a snapshot for one replicate: a superset of the features j with |x~_j'r| > q ||r||.
struct Snapshot {
  const int *features;
  std::size_t count;
  double q;
};

class Replicate {
public:
  Replicate(const PackedMatrix &x, PathColumns columns, const double *y, const LaneNorms &norms,
            const LarsOptions &options, const Kernels &kernels)
      : options_(options), kernels_(&kernels), columns_(std::move(columns)),
        largest_norm_(norms.largest), at_(columns_, y, options.intercept, kernels),
        u_(columns_.ld()), active_(columns_, kernels), work_(x, columns_, norms, kernels),
        knot_(options.type, x.p(), columns_, active_, work_, at_, kernels),
        next_(options.type, columns_, active_, work_, knot_, at_, u_, kernels),
        bound_(columns_.ld(), norms.largest, kernels) {
    if (at_.constant)
      finish(PathStatus::one_response);
  }

  Replicate(const Replicate &) = delete; // members point at one another
  Replicate &operator=(const Replicate &) = delete;

  bool finished() const { return finished_; }

  // The weighted residual of norm one, for lane `lane` of a snapshot.
  void fill_lane(float *v, int lane) const {
    const double factor = 1.0 / at_.norm();
    for (std::size_t i = 0; i < columns_.n_rows(); ++i)
      v[static_cast<std::size_t>(columns_.rows()[i]) * kLanes + lane] =
          static_cast<float>(columns_.roots()[i] * at_.r[i] * factor);
  }

  // The q at which the first snapshot is wanted, given the largest |x~_j'r| / ||r|| or less, and
  // that of later ones.
  double first_threshold(double largest) const { return tau_ * largest; }
  double threshold() const { return tau_ * at_.lambda / at_.norm(); }

  void receive(const Snapshot &snapshot) {
    bound_.take(at_, snapshot.q);
    fresh_ = true;
    work_.clear();
    for (const int *j = snapshot.features; j != snapshot.features + snapshot.count; ++j)
      if (knot_.is_candidate(*j) && work_.varies(*j))
        work_.add(*j);
    work_.set_residual(at_.r, at_.norm());
    if (path_.lambda.empty())
      find_first_knot();
    else
      work_.set_direction(u_);
  }

  // Goes on until the path ends or a snapshot is needed.
  void advance() {
    while (!finished_) {
      if (at_knot_)
        open_segment();
      if (finished_)
        return;
      const NextKnot::Step step = next_.propose();
      if (!covers_others(step)) {
        if (fresh_)
          tau_ = tau_ > 0.2 ? tau_ * 0.7 : 0.0;
        return;
      }
      take_step(step);
      // A step that no share of the largest product could cover has taken in every column. Few of
      // them matter from here on; without a new snapshot the rest of the path would watch them all.
      if (bound_.took_in_all())
        return;
    }
  }

  LarsPath take_path() { return std::move(path_); }

private:
  void find_first_knot() {
    const std::vector<int> candidates = work_.candidates(0.0, work_.largest_product());
    std::vector<double> products;
    for (int j : candidates)
      products.push_back(std::abs(columns_.product(j, at_.r, *kernels_)));
    double largest = 0.0;
    for (double c : products)
      largest = std::max(largest, c);
    if (!(largest > 1e-12 * largest_norm_ * at_.norm()))
      return finish(PathStatus::no_signal);
    at_.lambda = at_.first_lambda = largest;
    std::vector<int> tied;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      if (at_.ties(products[k]))
        tied.push_back(candidates[k]);
    knot_.meet(std::move(tied), -1);
    at_knot_ = true;
  }

  // At a knot: settles who is active from here on, records the events, and computes the
  // direction of the next segment, unless the path ends here.
  void open_segment() {
    at_knot_ = false;
    knot_.settle();
    const bool first = path_.lambda.empty();
    // Without an event only a collinear feature was met: the segment simply goes on.
    if (first || knot_.has_events()) {
      if (!first)
        record_coefficients();
      if (limit_reached())
        return;
      record_knot();
    }
    active_.direction_in_rows(u_);
    work_.set_direction(u_);
  }

  bool limit_reached() {
    const int steps = static_cast<int>(path_.event_end.size());
    const int size = static_cast<int>(active_.size());
    if (options_.max_features >= 0 && size > options_.max_features)
      finish(PathStatus::max_features);
    else if (options_.max_steps >= 0 && steps >= options_.max_steps)
      finish(PathStatus::max_steps);
    return finished_;
  }

  // With all columns spanned, or at the end, no other column can come to lambda.
  bool covers_others(const NextKnot::Step &step) const {
    return active_.full() || at_.at_end() || bound_.holds(at_, u_, step.length);
  }

  void take_step(NextKnot::Step step) {
    fresh_ = false;
    tau_ = std::min(kTau, std::max(kSmallestTau, 1.15 * tau_));
    if (at_.lambda - step.length <= kEnd * at_.first_lambda)
      step.length = at_.lambda;
    knot_.leave();
    std::vector<int> reached = next_.reached(step);
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
    for (std::size_t i = 0; i < columns_.ld(); ++i)
      at_.r[i] -= step * u_[i];
    at_.measure(*kernels_);
    at_.lambda -= step;
  }

  void record_knot() {
    const std::vector<int> events = knot_.take_events();
    path_.events.insert(path_.events.end(), events.begin(), events.end());
    path_.event_end.push_back(static_cast<int>(path_.events.size()));
    path_.lambda.push_back(at_.lambda);
    path_.rss.push_back(at_.rr);
  }

  // At the end of a segment.
  void record_coefficients() {
    if (!options_.keep_coefficients)
      return;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (active_.beta(k) == 0.0)
        continue;
      path_.coef_feature.push_back(active_.feature(k));
      path_.coef_value.push_back(active_.beta(k));
    }
    path_.coef_end.push_back(static_cast<int>(path_.coef_feature.size()));
  }

  void finish(PathStatus status) {
    path_.status = status;
    path_.lambda.push_back(at_.lambda);
    path_.rss.push_back(at_.rr);
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
  KnotSettler knot_;
  NextKnot next_;
  SnapshotBound bound_;
  LarsPath path_;
  double tau_ = kTau;
  int knots_ = 0;
  bool finished_ = false, at_knot_ = false, fresh_ = false;
};

} // namespace stabilect

#endif
