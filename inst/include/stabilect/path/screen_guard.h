#ifndef STABILECT_SCREEN_GUARD_H
#define STABILECT_SCREEN_GUARD_H

#include <algorithm>
#include <cmath>

#include "stabilect/path/active_set.h"
#include "stabilect/path/snapshot_bound.h"
#include "stabilect/path/working_set.h"

namespace stabilect {

// Features above kTau of lambda form the working set; fewer after a set has proved too small at
// once. Watched are features above kWatchFirst of lambda at a snapshot, and down to kWatchMore of
// the last limit if these are not sufficient. A step is covered in at most kMostParts parts.
constexpr double kTau = 0.75, kSmallestTau = 0.3, kWatchFirst = 0.9, kWatchMore = 0.9;
constexpr int kMostParts = 16;

// Decides for a path which columns are watched, and when and where the next snapshot is due: no
// unwatched column can reach lambda unseen.
class ScreenGuard {
public:
  enum class Verdict { take, look_again, snapshot };

  ScreenGuard(const PathColumns &columns, const ActiveSet &active, WorkingSet &work,
              const Residual &at, const AlignedBuffer<double> &u, double largest_norm,
              const Kernels &kernels)
      : columns_(&columns), active_(&active), work_(&work), at_(&at), u_(&u),
        bound_(columns.ld(), largest_norm, kernels) {}

  // The weighted residual of norm one at the place of the next snapshot, for lane `lane`.
  void fill_lane(float *v, Index lane) const {
    const double factor = 1.0 / norm_ahead();
    for (Index i = 0; i < columns_->n_rows(); ++i)
      v[columns_->rows()[i] * kLanes + lane] =
          static_cast<float>(columns_->roots()[i] * (at_->r[i] - ahead_ * (*u_)[i]) * factor);
  }

  // The q of the first snapshot, given the largest |x~_j'r| / ||r|| or less, and of later ones.
  double first_threshold(double largest) const { return tau_ * largest; }
  double threshold() const { return tau_ * largest_share(); }

  void begin_snapshot(double q) {
    bound_.take(*at_, *u_, ahead_, q);
    fresh_ = true;
  }
  // At the first snapshot, whose threshold was tau times a lower bound of the largest share.
  void watch_largest() { watch(bound_.threshold() / tau_); }
  void watch_first() { watch(kWatchFirst * largest_share()); }

  void open_segment() { bound_.open_segment(*at_, *u_); }

  // May a step of this length, proposed from the watched features, be taken? If all columns are
  // spanned, or at the end, no other column can reach lambda.
  Verdict judge(double step) {
    if (active_->full() || at_->at_end())
      return Verdict::take;
    const double reach = bound_.reach(*at_, step), all = bound_.threshold();
    const double watched = work_->all_watched() ? all : work_->watched();
    if (watched <= reach)
      return Verdict::take;
    // A set with a low threshold is not used up when a new snapshot finds a smaller one.
    const double last = fresh_ ? all : std::max(all, threshold());
    // Below the last threshold there is nothing left to watch; some features found there may
    // remain, since the snapshot's floats admit a few.
    if (!work_->all_watched() && watched > last && (fresh_ || reach >= last)) {
      const double more = reach < 0.5 * watched ? 0.5 : kWatchMore;
      watch(std::max(std::max(reach, last), more * watched));
      return Verdict::look_again;
    }
    if (fresh_ && all <= 0.0)
      return Verdict::take;
    if (fresh_)
      look_ahead(step);
    return Verdict::snapshot;
  }

  // A step is taken.
  void leave() {
    fresh_ = false;
    ahead_ = 0.0;
    parts_ = 0;
    tau_ = std::min(kTau, std::max(kSmallestTau, 1.15 * tau_));
  }

private:
  void watch(double share) { work_->watch(share, at_->r, at_->norm()); }

  // ||r|| and the largest |x~_j'r| / ||r|| at the place of the next snapshot.
  double norm_ahead() const {
    if (ahead_ == 0.0)
      return at_->norm();
    double square = 0.0;
    for (Index i = 0; i < columns_->ld(); ++i) {
      const double value = at_->r[i] - ahead_ * (*u_)[i];
      square += value * value;
    }
    return std::sqrt(square);
  }
  double largest_share() const { return (at_->lambda - ahead_) / norm_ahead(); }

  // A step that a fresh snapshot cannot cover is covered in parts: the next snapshot uses the
  // residual further along the step, as far as this one covers it. Where that is not far, tau is
  // lowered, finally to 0, which includes all columns.
  void look_ahead(double step) {
    double covered = ahead_, beyond = step;
    for (int k = 0; k < 20; ++k) {
      const double middle = 0.5 * (covered + beyond);
      (bound_.reach(*at_, middle) >= bound_.threshold() ? covered : beyond) = middle;
    }
    if (++parts_ <= kMostParts && covered - ahead_ > 0.1 * (step - ahead_)) {
      ahead_ = covered;
    } else {
      tau_ = tau_ > 0.2 ? tau_ * 0.7 : 0.0;
    }
  }

  const PathColumns *columns_;
  const ActiveSet *active_;
  WorkingSet *work_;
  const Residual *at_;
  const AlignedBuffer<double> *u_;
  SnapshotBound bound_;
  double tau_ = kTau;
  double ahead_ = 0.0; // how far along the segment the next snapshot, or the fresh one, is
  int parts_ = 0;
  bool fresh_ = false; // the snapshot is of the present segment
};

} // namespace stabilect

#endif
