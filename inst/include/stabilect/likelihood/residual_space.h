#ifndef STABILECT_RESIDUAL_SPACE_H
#define STABILECT_RESIDUAL_SPACE_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stabilect/path/lane_norms.h"
#include "stabilect/path/screen.h"

namespace stabilect {

// What snapshots prove for other residuals. Each snapshot adds directions: the residual and its
// change since the previous point, orthonormal to the directions before. The products C_q = x'q of
// every feature are known in float. A residual r = sum a_q q + rest has
//   |x~'r| <= |sum a_q C_q| + |x~| |rest|,
// and this leaves out nearly all features without a look at x.
//
// With several classes the residual R has a column for each of `width` contrasts, one after the
// other. The product is then ||x~'R||, |rest| the norm of a matrix, and all columns share the
// directions.
class ResidualSpace {
public:
  ResidualSpace(const PathColumns &columns, Index p, const LaneNorms &norms, const Kernels &kernels,
                Index width)
      : columns_(&columns), norms_(norms), kernels_(&kernels), p_(p), width_(width),
        ld_(columns.ld()), slack_(pad_rows(p)), rest_(ld_), found_(pad_rows(p)) {
    for (Index j = 0; j < p; ++j)
      slack_[j] = norms.slack_of(static_cast<int>(j)) / norms.scale_of(static_cast<int>(j));
  }

  // Directions of the next snapshot: of this residual, and of its difference from `earlier`, if
  // there is one. False if none is new.
  bool propose(const AlignedBuffer<double> &r, const AlignedBuffer<double> &earlier) {
    const bool both = earlier.size() > 0;
    // The oldest go first: a direction must be complete next to those that stay.
    const Index most = kMostDirections * width_, wanted = width_ * (both ? 2 : 1);
    if (directions_.size() + wanted > most) {
      forget(directions_, directions_.size() + wanted - most);
      forget(products_, products_.size() + wanted - most);
    }
    known_ = directions_.size();
    for (Index a = 0; a < width_; ++a) {
      std::copy(r.data() + a * ld_, r.data() + (a + 1) * ld_, rest_.data());
      add_direction(1e-5);
    }
    for (Index a = 0; both && a < width_; ++a) {
      for (Index i = 0; i < ld_; ++i)
        rest_[i] = r[a * ld_ + i] - earlier[a * ld_ + i];
      add_direction(1e-3);
    }
    return n_new() > 0;
  }

  // For the snapshot: directions without products.
  Index n_new() const { return directions_.size() - known_; }
  // Direction k in the rows of the packed matrix, `stride` apart.
  void fill_direction(Index k, float *v, Index stride) const {
    const AlignedBuffer<double> &q = directions_[known_ + k];
    for (Index i = 0; i < columns_->n_rows(); ++i)
      v[columns_->rows()[i] * stride] = static_cast<float>(columns_->roots()[i] * q[i]);
  }
  void receive(Index k, const float *values, Index stride) {
    products_.emplace_back(pad_rows(p_));
    float *own = products_[known_ + k].data();
    for (Index j = 0; j < p_; ++j)
      own[j] = values[j * stride] / norms_.scale_of(static_cast<int>(j));
  }
  void end_snapshot() { known_ = directions_.size(); }

  // Features whose product with r may exceed the bound, in the order of columns.
  struct Unproved {
    const int *feature;
    Index n;
    bool far; // the directions say little about this residual
  };
  Unproved unproved(const AlignedBuffer<double> &r, double bound) {
    project(r);
    // Roundings: of the products, their sums and squares, and the scales.
    const double sums = (known_ + 2.0 * width_ + 6.0) * std::ldexp(1.0, -23);
    const double left = bound * (1.0 - 2.0 * norms_.error - 1e-6) -
                        norms_.largest * (across_ + (sums + 1e-9) * along_);
    const double unit = std::max(bound, std::numeric_limits<double>::min());
    for (Index k = 0; k < factor_.size(); ++k)
      float_factor_[k] = static_cast<float>(factor_[k] / unit);
    pointers_.resize(known_);
    for (Index q = 0; q < known_; ++q)
      pointers_[q] = products_[q].data();
    const Index n = STABILECT_AT_WIDTH(0, above_limit)(
        pointers_.data(), known_, float_factor_.data(), width_, slack_.size(), slack_.data(),
        static_cast<float>(along_ / unit), static_cast<float>(left / unit), found_.data());
    return {found_.data(), n_before(p_, n), left < kTooFar * bound};
  }

  // A lower bound of the largest product with r.
  double largest(const AlignedBuffer<double> &r) {
    project(r);
    double most = 0.0;
    for (Index j = 0; j < p_; ++j) {
      double squares = 0.0;
      for (Index a = 0; a < width_; ++a) {
        double sum = 0.0;
        for (Index q = 0; q < known_; ++q)
          sum += factor_[q * width_ + a] * products_[q][j];
        squares += sum * sum;
      }
      most = std::max(most, std::sqrt(squares) - along_ * slack_[j]);
    }
    return most * (1.0 - 2.0 * norms_.error - 1e-6) - norms_.largest * across_;
  }

private:
  static constexpr Index kMostDirections = 6; // times width
  static constexpr double kTooFar = 0.3;

  // The first `gone` elements.
  template <typename T> static void forget(Array<T> &all, Index gone) {
    Array<T> kept;
    for (Index k = gone; k < all.size(); ++k)
      kept.push_back(std::move(all[k]));
    all.swap(kept);
  }

  // Features behind the last one are padding.
  Index n_before(Index p, Index n) const {
    while (n > 0 && found_[n - 1] >= p)
      --n;
    return n;
  }

  double dot(const AlignedBuffer<double> &a, const AlignedBuffer<double> &b) const {
    return kernels_->dot(a.data(), b.data(), ld_);
  }
  // rest_ without its part along q.
  double subtract(const AlignedBuffer<double> &q) {
    const double product = dot(q, rest_);
    for (Index i = 0; i < ld_; ++i)
      rest_[i] -= product * q[i];
    return product;
  }

  // rest_, if at least this share of it is new. Products are those of centred columns, from columns
  // that are not: the direction must be orthogonal to the roots of the weights.
  void add_direction(double least) {
    const double before = std::sqrt(dot(rest_, rest_));
    for (int pass = 0; pass < 2; ++pass) {
      for (const AlignedBuffer<double> &q : directions_)
        subtract(q);
      double mean = 0.0;
      for (Index i = 0; i < columns_->n_rows(); ++i)
        mean += columns_->roots()[i] * rest_[i];
      mean /= columns_->total_weight();
      for (Index i = 0; i < columns_->n_rows(); ++i)
        rest_[i] -= mean * columns_->roots()[i];
    }
    const double after = std::sqrt(dot(rest_, rest_));
    if (!(after > least * before))
      return;
    directions_.emplace_back(ld_);
    for (Index i = 0; i < ld_; ++i)
      directions_[directions_.size() - 1][i] = rest_[i] / after;
  }

  // The factors a_q, the norm of their sums of absolute values (`along_`), and of the rest.
  void project(const AlignedBuffer<double> &r) {
    factor_.resize(known_ * width_);
    float_factor_.resize(known_ * width_);
    double sums = 0.0, squares = 0.0;
    for (Index a = 0; a < width_; ++a) {
      std::copy(r.data() + a * ld_, r.data() + (a + 1) * ld_, rest_.data());
      double sum = 0.0;
      for (Index q = 0; q < known_; ++q)
        sum += std::abs(factor_[q * width_ + a] = subtract(directions_[q]));
      sums += sum * sum;
      squares += dot(rest_, rest_);
    }
    along_ = std::sqrt(sums);
    across_ = std::sqrt(squares);
  }

  const PathColumns *columns_;
  LaneNorms norms_;
  const Kernels *kernels_;
  Index p_, width_, ld_, known_ = 0; // known_: directions with products
  Array<AlignedBuffer<double>> directions_;
  Array<AlignedBuffer<float>> products_; // of scaled columns
  AlignedBuffer<float> slack_;           // of a product of a scaled column
  AlignedBuffer<double> rest_;
  double along_ = 0.0, across_ = 0.0;
  Array<double> factor_;
  Array<float> float_factor_;
  Array<const float *> pointers_;
  Array<int> found_;
};

} // namespace stabilect

#endif
