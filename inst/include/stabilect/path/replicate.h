#ifndef STABILECT_REPLICATE_H
#define STABILECT_REPLICATE_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stabilect/path/active_set.h"
#include "stabilect/path/path_columns.h"
#include "stabilect/path/working_set.h"

namespace stabilect {

// Relative to the first lambda: knots closer than kTie are one knot, and a path is at its
// end when lambda has fallen below kEnd.
constexpr double kTie = 1e-11, kEnd = 1e-10;
// A tied feature stays out when its correlation falls as fast as lambda.
constexpr double kDirection = 1e-9;
// Features above kTau of the present lambda make up the working set; less after a set has
// proved too small at once.
constexpr double kTau = 0.75, kSmallestTau = 0.3;
constexpr int kPolishEvery = 16;

// One path, run as far as it can go on a working set of columns; then it asks for a
// snapshot (which columns have |x~_j'r| above a threshold now?) and goes on.
//
// Each segment screens the working set in float: features that provably stay below lambda
// are passed over, the few others are computed in double. Columns outside the working set
// are covered by one scalar bound per proposed knot. At
// the snapshot's residual r0 each had |x'r0| <= q ||r0||; with a = <r, r0>/||r0|| and
// b = sqrt(||r||^2 - a^2) this implies for columns of norm <= m
//   |x'r| <= q a + sqrt(m^2 - q^2) b        (largest inner product over a spherical cap),
// which is convex in the step length while lambda falls linearly: testing the knot is
// enough. So neither the working set nor the rounding of floats decides anything but the
// speed: every number of the path comes from double arithmetic in a fixed order.
//
// Longer than other files: what is left here, after columns, active set and working set went
// to files of their own, is one loop whose steps share all of their state.
class Replicate {
public:
  Replicate(const PackedMatrix &x, const double *y, const double *weights,
            const LarsOptions &options, const Kernels &kernels)
      : options_(options), kernels_(&kernels), columns_(x, weights, options),
        active_(columns_, kernels), work_(x, columns_, kernels), role_(x.p(), kFree) {
    start(y);
  }

  Replicate(const Replicate &) = delete; // members point at one another
  Replicate &operator=(const Replicate &) = delete;

  bool finished() const { return finished_; }
  PathColumns &columns() { return columns_; }
  WorkingSet &working_set() { return work_; }
  LarsPath take_path() { return std::move(path_); }

  // The weighted residual of norm one, for lane `lane` of a snapshot.
  void fill_lane(float *v, int lane) const {
    const double factor = 1.0 / std::sqrt(rr_);
    for (std::size_t i = 0; i < columns_.n_rows(); ++i)
      v[static_cast<std::size_t>(columns_.rows()[i]) * kLanes + lane] =
          static_cast<float>(columns_.roots()[i] * r_[i] * factor);
  }
  // q = tau lambda0 / ||r0||: columns above it are wanted.
  double threshold() const { return tau_ * lambda_ / std::sqrt(rr_); }
  // Before the first snapshot lambda is not known: a lower bound from the products.
  void set_first_bound(double relative) { lambda_ = relative * std::sqrt(rr_); }

  // A snapshot's answer: a superset of the features above threshold().
  void receive(const int *features, std::size_t count) {
    q_ = threshold();
    snapshot_norm_ = std::sqrt(rr_);
    std::copy(r_.data(), r_.data() + r_.size(), r0_.data());
    fresh_ = true;
    work_.clear();
    for (std::size_t k = 0; k < count; ++k)
      if (role_[features[k]] != kActive && role_[features[k]] != kExcluded &&
          work_.varies(features[k]))
        work_.add(features[k]);
    work_.set_residual(r_, snapshot_norm_);
    if (path_.lambda.empty())
      first_knot();
    else
      work_.set_direction(u_);
  }

  // Goes on until the path ends or a snapshot is needed.
  void advance() {
    while (!finished_) {
      if (at_knot_ && !open_segment())
        return;
      const double step = propose_step();
      if (!certified(step)) {
        if (fresh_)
          tau_ = tau_ > 0.2 ? tau_ * 0.7 : 0.0;
        return;
      }
      take_step(step);
    }
  }

private:
  enum Role : char { kFree, kActive, kExcluded, kTiedOut };

  void start(const double *y) {
    const std::size_t n = columns_.n_rows();
    for (AlignedBuffer<double> *v : {&r_, &r0_, &u_})
      v->resize(columns_.ld());
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double root = columns_.roots()[i];
      sum += root * root * y[columns_.rows()[i]];
    }
    const double mean = options_.intercept ? sum / columns_.total_weight() : 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = y[columns_.rows()[i]];
      largest = std::max(largest, std::abs(value));
      r_[i] = columns_.roots()[i] * (value - mean);
    }
    rr_ = kernels_->dot(r_.data(), r_.data(), columns_.ld());
    const double rounding = 1e-14 * largest;
    if (!(rr_ > columns_.total_weight() * rounding * rounding))
      finish(PathStatus::one_response);
    rank_limit_ = n - (options_.intercept && n > 0 ? 1 : 0);
  }

  void first_knot() {
    for (int j : work_.candidates(0.0, work_.largest_product()))
      add_finalist(j);
    double largest = 0.0;
    for (const Finalist &f : finalists_)
      largest = std::max(largest, std::abs(f.c));
    if (!(largest > 1e-12 * columns_.largest_norm() * std::sqrt(rr_))) {
      lambda_ = 0.0;
      return finish(PathStatus::no_signal);
    }
    lambda_ = first_lambda_ = largest;
    for (const Finalist &f : finalists_)
      if (std::abs(f.c) >= lambda_ - kTie * first_lambda_)
        tied_.push_back(f.feature);
    sort_ties();
    at_knot_ = true;
  }

  double product_with_residual(int j) {
    const int slot = columns_.slot(static_cast<std::size_t>(j));
    return kernels_->dot(columns_.column(slot), r_.data(), columns_.ld());
  }

  // At a knot: settles who is active from here on, records the events, and computes the
  // direction of the next segment. False when the path ends here.
  bool open_segment() {
    at_knot_ = false;
    settle_ties();
    if (events_.empty() && !path_.lambda.empty()) {
      // Only a collinear feature was met: the segment simply goes on.
      set_direction();
      return true;
    }
    if (!path_.lambda.empty())
      close_segment();
    if (limit_reached())
      return false;
    path_.events.insert(path_.events.end(), events_.begin(), events_.end());
    events_.clear();
    path_.event_end.push_back(static_cast<int>(path_.events.size()));
    path_.lambda.push_back(lambda_);
    path_.rss.push_back(rr_);
    set_direction();
    return true;
  }

  bool limit_reached() {
    const int steps = static_cast<int>(path_.event_end.size());
    const int size = static_cast<int>(active_.size());
    PathStatus status;
    if (options_.max_features >= 0 && size > options_.max_features)
      status = PathStatus::max_features;
    else if (options_.max_steps >= 0 && steps >= options_.max_steps)
      status = PathStatus::max_steps;
    else
      return false;
    finish(status);
    return true;
  }

  void finish(PathStatus status) {
    path_.status = status;
    path_.lambda.push_back(lambda_);
    path_.rss.push_back(rr_);
    finished_ = true;
  }

  // The tied features that enter are those without which the KKT conditions would fail
  // just below this lambda: a least squares problem with sign constraints (s_j d_j >= 0
  // for coefficients that are zero), solved by Lawson & Hanson's active set method. One
  // tied feature, the usual case, simply enters. Candidates are taken by column number.
  void settle_ties() {
    const bool simple = options_.type == PathType::lar ||
                        (tied_.size() == 1 && dropped_ == 0 && tied_[0] == entering_);
    std::size_t tries = 0;
    for (std::size_t k = 0; k < tied_.size() && !saturated(); ++k) {
      const int j = tied_[k];
      if (role_[j] == kActive || role_[j] == kExcluded)
        continue;
      if (simple) {
        enter(j, tied_sign_[k]);
      } else if (active_.spans(columns_.slot(static_cast<std::size_t>(j)))) {
        exclude(j);
      } else if (stays_out(j, tied_sign_[k])) {
        if (role_[j] != kTiedOut)
          tied_out_.push_back(j);
        role_[j] = kTiedOut;
      } else {
        const std::vector<double> before = active_.directions();
        if (!enter(j, tied_sign_[k]))
          continue;
        restore_signs(before);
        // With another direction an earlier candidate may have to enter: start over. Each
        // round lowers the objective; the bound only guards against rounding.
        if (++tries < 1000)
          k = static_cast<std::size_t>(-1);
      }
    }
    tied_.clear();
    tied_sign_.clear();
    dropped_ = 0;
  }

  bool stays_out(int j, double sign) {
    direction();
    const double *x = columns_.column(columns_.slot(static_cast<std::size_t>(j)));
    return sign * kernels_->dot(x, u_.data(), columns_.ld()) >= 1.0 - kDirection;
  }

  bool enter(int j, double sign) {
    if (!active_.append(j, columns_.slot(static_cast<std::size_t>(j)), sign)) {
      exclude(j);
      return false;
    }
    role_[j] = kActive;
    work_.remove(j);
    events_.push_back(j + 1);
    return true;
  }

  // Moves from the last feasible direction towards the new one as far as the signs of
  // zero coefficients allow, removing those that reach zero, until none is violated.
  void restore_signs(std::vector<double> feasible) {
    feasible.resize(active_.size(), 0.0);
    for (;;) {
      double alpha = 1.0;
      std::size_t worst = active_.size();
      for (std::size_t k = 0; k < active_.size(); ++k) {
        const double to = active_.sign(k) * active_.direction(k);
        if (active_.beta(k) != 0.0 || to >= 0.0)
          continue;
        const double from = std::max(0.0, active_.sign(k) * feasible[k]);
        if (from / (from - to) < alpha)
          alpha = from / (from - to), worst = k;
      }
      if (worst == active_.size())
        return;
      for (std::size_t k = 0; k < active_.size(); ++k)
        feasible[k] += alpha * (active_.direction(k) - feasible[k]);
      feasible.erase(feasible.begin() + static_cast<Index>(worst));
      const int j = active_.feature(worst);
      active_.drop(worst);
      release(j);
      const auto event = std::find(events_.begin(), events_.end(), j + 1);
      if (event != events_.end())
        events_.erase(event);
      else
        events_.push_back(-(j + 1));
    }
  }

  void exclude(int j) {
    role_[j] = kExcluded;
    work_.remove(j);
    excluded_.push_back(j);
    auto &all = path_.excluded;
    if (std::find(all.begin(), all.end(), j + 1) == all.end())
      all.push_back(j + 1);
  }

  // An active feature becomes a candidate again, and so does whatever was excluded for
  // being collinear: with this one gone it may no longer be.
  void release(int j) {
    role_[j] = kFree;
    work_.add(j, product_with_residual(j));
    for (int e : excluded_) {
      role_[e] = kFree;
      work_.add(e, product_with_residual(e));
      add_tied(e);
    }
    excluded_.clear();
  }

  void add_tied(int j) {
    const double c = product_with_residual(j);
    if (std::abs(c) < lambda_ - kTie * first_lambda_)
      return;
    const auto at = std::lower_bound(tied_.begin(), tied_.end(), j);
    if (at != tied_.end() && *at == j)
      return;
    tied_sign_.insert(tied_sign_.begin() + (at - tied_.begin()), c < 0.0 ? -1.0 : 1.0);
    tied_.insert(at, j);
  }

  bool saturated() const { return active_.size() >= rank_limit_; }

  void direction() { active_.direction_in_rows(u_); }
  void set_direction() {
    direction();
    work_.set_direction(u_);
  }

  // The length of the segment: the first of a feature reaching |x~_j'r| = lambda, an
  // active coefficient reaching zero, and lambda = 0.
  double propose_step() {
    double step = lambda_;
    entering_ = -1;
    finalists_.clear();
    if (options_.type == PathType::lasso) {
      for (std::size_t k = 0; k < active_.size(); ++k) {
        const double d = active_.direction(k), b = active_.beta(k);
        if (d * active_.sign(k) < 0.0)
          step = std::min(step, -b / d);
      }
    }
    if (saturated() || lambda_ < kEnd * first_lambda_)
      return step;
    for (int j : tied_out_)
      if (role_[j] == kTiedOut)
        step = std::min(step, hit(add_finalist(j), step));
    // Slightly beyond the nearest hit that floats see. Should it prove too near, once more
    // at what was found: an upper bound then.
    double reach = std::min(step, 1.0001 * work_.nearest_hit(lambda_));
    for (;;) {
      double nearest = step;
      for (int j : work_.candidates(reach, lambda_ - reach - kTie * first_lambda_))
        if (role_[j] != kTiedOut)
          nearest = std::min(nearest, hit(add_finalist(j), nearest));
      const bool done = nearest <= reach;
      step = reach = nearest;
      if (done)
        break;
    }
    for (const Finalist &f : finalists_)
      if (hit(f, std::numeric_limits<double>::max()) <= step)
        entering_ = f.feature;
    return step;
  }

  struct Finalist {
    int feature;
    double c, a;
  };

  Finalist add_finalist(int j) {
    for (const Finalist &f : finalists_)
      if (f.feature == j)
        return f;
    const double *x = columns_.column(columns_.slot(static_cast<std::size_t>(j)));
    finalists_.push_back({j, kernels_->dot(x, r_.data(), columns_.ld()),
                          kernels_->dot(x, u_.data(), columns_.ld())});
    return finalists_.back();
  }

  // Where the feature reaches lambda, when that is before `limit`; else `limit`.
  double hit(const Finalist &f, double limit) const {
    double at = limit;
    if (role_[f.feature] == kTiedOut) {
      // Tied from the start and falling as fast as lambda: only the other sign.
      at = f.c > 0.0 ? (lambda_ + f.c) / (1.0 + f.a) : (lambda_ - f.c) / (1.0 - f.a);
    } else {
      if (f.a < 1.0)
        at = std::min(at, (lambda_ - f.c) / (1.0 - f.a));
      if (f.a > -1.0)
        at = std::min(at, (lambda_ + f.c) / (1.0 + f.a));
    }
    return std::max(0.0, std::min(at, limit));
  }

  bool certified(double step) {
    if (saturated() || q_ <= 0.0 || lambda_ < kEnd * first_lambda_)
      return true;
    const std::size_t ld = columns_.ld();
    const double ru = kernels_->dot(r_.data(), u_.data(), ld);
    const double uu = kernels_->dot(u_.data(), u_.data(), ld);
    const double along = (kernels_->dot(r0_.data(), r_.data(), ld) -
                          step * kernels_->dot(r0_.data(), u_.data(), ld)) /
                         snapshot_norm_;
    const double norm2 = rr_ - 2.0 * step * ru + step * step * uu;
    // 1e-7 ||r||: rounding of the difference of squares below.
    const double across = std::sqrt(std::max(0.0, norm2 - along * along)) + 1e-7 * std::sqrt(rr_);
    const double m = columns_.largest_norm();
    if (along < 0.0 || q_ >= m)
      return false;
    return q_ * along + std::sqrt(m * m - q_ * q_) * across <= (lambda_ - step) * (1.0 - 1e-6);
  }

  void take_step(double step) {
    fresh_ = false;
    tau_ = std::min(kTau, std::max(kSmallestTau, 1.15 * tau_));
    if (lambda_ - step <= kEnd * first_lambda_)
      step = lambda_;
    const double next = lambda_ - step;
    for (int j : tied_out_)
      if (role_[j] == kTiedOut)
        role_[j] = kFree;
    tied_out_.clear();
    for (const Finalist &f : finalists_)
      if (std::abs(f.c - step * f.a) >= next - kTie * first_lambda_ || f.feature == entering_)
        tied_.push_back(f.feature);
    work_.move(step, std::sqrt(rr_));
    active_.move(step);
    for (std::size_t i = 0; i < columns_.ld(); ++i)
      r_[i] -= step * u_[i];
    rr_ = kernels_->dot(r_.data(), r_.data(), columns_.ld());
    lambda_ = next;
    if (next == 0.0) {
      tied_.clear();
      close_segment();
      return finish(PathStatus::complete);
    }
    sort_ties();
    if (options_.type == PathType::lasso)
      drop_zeros(step);
    if (++knots_ % kPolishEvery == 0 && active_.size() > 0) {
      active_.polish(lambda_, r_);
      rr_ = kernels_->dot(r_.data(), r_.data(), columns_.ld());
    }
    at_knot_ = true;
  }

  void sort_ties() {
    if (saturated())
      tied_.clear();
    std::sort(tied_.begin(), tied_.end());
    for (int j : tied_)
      tied_sign_.push_back(product_with_residual(j) < 0.0 ? -1.0 : 1.0);
  }

  void drop_zeros(double step) {
    for (std::size_t k = active_.size(); k-- > 0;) {
      const double moved = step * std::abs(active_.last_direction(k));
      if (active_.sign(k) * active_.last_direction(k) >= 0.0 ||
          active_.sign(k) * active_.beta(k) > 1e-12 * moved)
        continue;
      const int j = active_.feature(k);
      active_.drop(k);
      events_.push_back(-(j + 1));
      ++dropped_;
      release(j);
      add_tied(j);
    }
  }

  void close_segment() {
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

  LarsOptions options_;
  const Kernels *kernels_;
  PathColumns columns_;
  ActiveSet active_;
  WorkingSet work_;
  std::vector<char> role_;
  AlignedBuffer<double> r_, r0_, u_; // residual, that of the snapshot, direction
  std::vector<int> excluded_, tied_out_;
  std::vector<Finalist> finalists_;
  std::vector<int> tied_, events_;
  std::vector<double> tied_sign_;
  double rr_ = 0.0, lambda_ = 0.0, first_lambda_ = 0.0;
  double q_ = 0.0, snapshot_norm_ = 1.0, tau_ = kTau;
  std::size_t rank_limit_ = 0;
  int entering_ = -1, dropped_ = 0, knots_ = 0;
  bool finished_ = false, at_knot_ = false, fresh_ = false;
  LarsPath path_;
};

} // namespace stabilect

#endif
