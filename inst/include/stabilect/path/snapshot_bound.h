#ifndef STABILECT_SNAPSHOT_BOUND_H
#define STABILECT_SNAPSHOT_BOUND_H

#include <algorithm>
#include <cmath>

#include "stabilect/path/residual.h"

namespace stabilect {

// A bound for the columns outside of the working set, which a snapshot proves for points further
// along the path.
//
// At the snapshot's residual r0 each of them had |x'r0| <= q ||r0||; with a = <r, r0>/||r0|| and
// b = sqrt(||r||^2 - a^2) this implies for columns of norm <= m
//   |x'r| <= q a + sqrt(m^2 - q^2) b        (largest inner product over a spherical cap),
// which is convex in the step length while lambda falls linearly: testing the knot is enough.
class SnapshotBound {
public:
  SnapshotBound(std::size_t ld, double largest_norm, const Kernels &kernels)
      : r0_(ld), largest_(largest_norm), kernels_(&kernels) {}

  void take(const Residual &at, double q) {
    std::copy(at.r.data(), at.r.data() + at.r.size(), r0_.data());
    norm_ = at.norm();
    q_ = q;
  }

  // A snapshot at q = 0 leaves no column out.
  bool took_in_all() const { return q_ <= 0.0; }

  // Do they all stay below lambda up to the end of a step along u?
  bool holds(const Residual &at, const AlignedBuffer<double> &u, double step) const {
    if (took_in_all())
      return true;
    const double ru = dot(at.r, u), uu = dot(u, u);
    const double along = (dot(r0_, at.r) - step * dot(r0_, u)) / norm_;
    const double norm2 = at.rr - 2.0 * step * ru + step * step * uu;
    // 1e-7 ||r||: rounding of the difference of squares below.
    const double across = std::sqrt(std::max(0.0, norm2 - along * along)) + 1e-7 * at.norm();
    if (along < 0.0 || q_ >= largest_)
      return false;
    return q_ * along + std::sqrt(largest_ * largest_ - q_ * q_) * across <=
           (at.lambda - step) * (1.0 - 1e-6);
  }

private:
  double dot(const AlignedBuffer<double> &a, const AlignedBuffer<double> &b) const {
    return kernels_->dot(a.data(), b.data(), r0_.size());
  }

  AlignedBuffer<double> r0_;
  double largest_, norm_ = 1.0, q_ = 0.0;
  const Kernels *kernels_;
};

} // namespace stabilect

#endif
