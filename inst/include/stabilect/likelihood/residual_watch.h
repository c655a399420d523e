#ifndef STABILECT_RESIDUAL_WATCH_H
#define STABILECT_RESIDUAL_WATCH_H

#include <algorithm>
#include <cmath>

#include "stabilect/path/path_columns.h"
#include "stabilect/path/snapshot_bound.h"

namespace stabilect {

// Snapshots find the features above this share of the bound.
constexpr double kShareFound = 0.75;

// Knows the residual of the last snapshot. Decides for the present one whether all features that
// the snapshot did not find are still below the bound.
//
// With several classes the residual R has a column for each of `width` contrasts, one after the
// other. The product is ||x'R||, the largest <x u', R> over u of norm one. Each x u' is as long as
// x, and <x u', R0> is at most ||x'R0||: the bound for one column is valid for all.
class ResidualWatch {
public:
  ResidualWatch(const PathColumns &columns, double largest_norm, const Kernels &kernels,
                Index width = 1)
      : columns_(&columns), largest_(largest_norm), kernels_(&kernels), width_(width),
        size_(columns.ld() * width), r_(size_), r0_(size_) {}

  // At this residual, are the features that the last snapshot did not find covered? If not, the
  // next snapshot is taken here.
  bool look(const AlignedBuffer<double> &r, double bound) {
    for (Index i = 0; i < size_; ++i)
      r_[i] = r[i];
    norm_ = std::sqrt(dot(r_, r_));
    bound_ = bound;
    if (!(norm0_ > 0.0))
      return false;
    if (q_ <= 0.0) // it found all of them
      return true;
    double away = 0.0;
    for (Index i = 0; i < size_; ++i)
      away += (r_[i] - r0_[i]) * (r_[i] - r0_[i]);
    if (away == 0.0 && q_ * norm_ <= bound)
      return true;
    return q_ <= reach(r_, bound);
  }

  // The share of the residual's norm at the snapshot below which a feature is surely below the
  // bound at this residual.
  double reach(const AlignedBuffer<double> &r, double bound) const {
    const double norm = std::sqrt(dot(r, r)), along = dot(r0_, r) / norm0_;
    // 1e-7 ||r||: rounding of the difference of squares.
    const double across = std::sqrt(std::max(0.0, norm * norm - along * along)) + 1e-7 * norm;
    return cap_reach(along, across, bound, largest_);
  }

  double norm() const { return norm_; }
  Index width() const { return width_; }

  // For the group: the residual of norm one, and the smallest product to be found.
  void fill_lane(float *v, Index lane, Index part = 0) const {
    const double *r = r_.data() + part * columns_->ld();
    for (Index i = 0; i < columns_->n_rows(); ++i)
      v[columns_->rows()[i] * kLanes + lane] =
          static_cast<float>(columns_->roots()[i] * r[i] / norm_);
  }
  double first_threshold(double largest) const { return kShareFound * largest; }
  double threshold() const { return kShareFound * bound_ / norm_; }

  void begin_snapshot(double q) {
    for (Index i = 0; i < size_; ++i)
      r0_[i] = r_[i];
    norm0_ = norm_;
    q_ = q;
  }

private:
  double dot(const AlignedBuffer<double> &a, const AlignedBuffer<double> &b) const {
    return kernels_->dot(a.data(), b.data(), size_);
  }

  const PathColumns *columns_;
  double largest_;
  const Kernels *kernels_;
  Index width_, size_;
  AlignedBuffer<double> r_, r0_;
  double norm_ = 0.0, norm0_ = 0.0, bound_ = 0.0, q_ = 0.0;
};

} // namespace stabilect

#endif
