#ifndef STABILECT_SNAPSHOT_BOUND_H
#define STABILECT_SNAPSHOT_BOUND_H

#include <algorithm>
#include <cmath>

#include "stabilect/path/residual.h"

namespace stabilect {

// What a snapshot proves for another residual.
//
// At the snapshot's residual r0 a column had |x'r0| <= q ||r0||. With a = <r, r0>/||r0|| (`along`)
// and b = sqrt(||r||^2 - a^2) (`across`) this implies for columns of norm <= m (`largest`)
//   |x'r| <= q a + sqrt(m^2 - q^2) b        (largest inner product over a spherical cap).
// With q = m cos(theta), a = ||r|| cos(phi) and lambda = m ||r|| cos(psi) the right side is m ||r||
// cos(theta - phi), at most lambda as long as theta >= phi + psi.
//
// The largest q for which these columns stay at or below lambda; below zero if there is none.
inline double cap_reach(double along, double across, double lambda, double largest) {
  const double norm = std::sqrt(along * along + across * across);
  const double cos_psi = lambda * (1.0 - 1e-6) / (largest * norm);
  if (!(cos_psi > 0.0) || along < 0.0)
    return -1.0;
  if (cos_psi >= 1.0)
    return largest;
  const double sin_psi = std::sqrt((1.0 - cos_psi) * (1.0 + cos_psi));
  return largest * ((along * cos_psi - across * sin_psi) / norm - 1e-9);
}

// A bound for the unwatched columns that a snapshot proves further along the path. It is convex in
// the step length while lambda falls linearly: testing the knot is sufficient.
class SnapshotBound {
public:
  SnapshotBound(Index ld, double largest_norm, const Kernels &kernels)
      : r0_(ld), largest_(largest_norm), kernels_(&kernels) {}

  // A snapshot of all columns above q, taken `step` ahead of the present point along u.
  void take(const Residual &at, const AlignedBuffer<double> &u, double step, double q) {
    for (Index i = 0; i < r0_.size(); ++i)
      r0_[i] = at.r[i] - step * u[i];
    norm_ = std::sqrt(dot(r0_, r0_));
    q_ = q;
    open_segment(at, u);
  }

  // From here on the residual moves along u.
  void open_segment(const Residual &at, const AlignedBuffer<double> &u) {
    r0r_ = dot(r0_, at.r);
    r0u_ = dot(r0_, u);
    ru_ = dot(at.r, u);
    uu_ = dot(u, u);
  }

  // Columns below this share were not in the snapshot.
  double threshold() const { return q_; }

  // The largest q for which columns with |x'r0| <= q ||r0|| stay below lambda up to the end of a
  // step along u; below zero if there is none.
  double reach(const Residual &at, double step) const {
    const double along = (r0r_ - step * r0u_) / norm_;
    const double norm2 = at.rr - 2.0 * step * ru_ + step * step * uu_;
    // 1e-7 ||r||: rounding of the difference of squares.
    const double across = std::sqrt(std::max(0.0, norm2 - along * along)) + 1e-7 * at.norm();
    return cap_reach(along, across, at.lambda - step, largest_);
  }

private:
  double dot(const AlignedBuffer<double> &a, const AlignedBuffer<double> &b) const {
    return kernels_->dot(a.data(), b.data(), r0_.size());
  }

  AlignedBuffer<double> r0_;
  double largest_, norm_ = 1.0, q_ = 0.0;
  double r0r_ = 0.0, r0u_ = 0.0, ru_ = 0.0, uu_ = 0.0; // products of r0, r and u
  const Kernels *kernels_;
};

} // namespace stabilect

#endif
