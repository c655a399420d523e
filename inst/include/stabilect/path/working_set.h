#ifndef STABILECT_WORKING_SET_H
#define STABILECT_WORKING_SET_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/path/lane_norms.h"
#include "stabilect/path/path_columns.h"

namespace stabilect {

// The inactive features that a snapshot has found. Those with the largest products are watched:
// screened in float at every knot. The others wait in the reserve until watch() calls them.
//
// Of watched features c_j = <x_j, r> and a_j = <x_j, u> are kept for packed, unscaled columns x_j;
// to compare with lambda, the column's norm (`scale`) divides them. `slack` bounds the rounding of
// a float product of x_j with a vector of norm one. A feature is skipped only if it provably stays
// below lambda; the others are candidates for the caller, who computes them in double.
class WorkingSet {
public:
  WorkingSet(const PackedMatrix &x, const PathColumns &columns, const LaneNorms &norms,
             const Kernels &kernels)
      : x_(&x), columns_(&columns), norms_(norms), kernels_(&kernels), unit_(1.05 / (x.n() + 4.0)),
        product_error_(unit_ * (x.n() / 4.0 + 9.0)), r_(x.ld()), u_(x.ld()) {}

  // False for a column that is constant among this replicate's rows. Its product is rounding
  // noise, which passes a threshold of zero.
  bool varies(int j) const { return norms_.scale_of(j) < std::numeric_limits<float>::max(); }

  void clear() {
    feature_.clear();
    reserve_.clear();
    watched_ = std::numeric_limits<double>::max();
  }

  // Into the reserve, given the float product with the residual of norm one.
  void add_found(int j, float product) {
    const float bound = (std::abs(product) + norms_.slack_of(j)) / norms_.scale_of(j);
    reserve_.push_back({j, bound});
  }

  // For a feature that returns between snapshots; c for the scaled column.
  void add(int j, double c) {
    append(j);
    c_[feature_.size() - 1] = static_cast<float>(c) * scale_[feature_.size() - 1];
  }

  void remove(int j) {
    const auto at = std::find(feature_.begin(), feature_.end(), j);
    if (at == feature_.end())
      return;
    const Index k = at - feature_.begin();
    const Index last = feature_.size() - 1;
    feature_[k] = feature_[last];
    scale_[k] = scale_[last];
    slack_[k] = slack_[last];
    c_[k] = c_[last];
    feature_.pop_back();
  }

  // The share of the residual's norm, at the snapshot, above which products are watched.
  double watched() const { return watched_; }
  bool all_watched() const { return reserve_.empty(); }

  // Watches every feature whose product was above this share of the residual's norm at the
  // snapshot. Later the products with r are updated, not computed again.
  void watch(double share, const AlignedBuffer<double> &r, double norm) {
    watched_ = share;
    const float limit = static_cast<float>(share * (1.0 - 2.0 * norms_.error));
    const Index from = feature_.size();
    Index kept = 0;
    for (const Found &found : reserve_)
      if (found.bound > limit)
        append(found.feature);
      else
        reserve_[kept++] = found;
    reserve_.resize(kept);
    if (feature_.size() == from)
      return;
    spread(r, 1.0 / norm, r_);
    multiply(r_, from, c_);
    for (Index k = from; k < feature_.size(); ++k)
      c_[k] *= static_cast<float>(norm);
    multiply(u_, from, a_);
  }

  // Products with another residual, computed again.
  void renew(const AlignedBuffer<double> &r, double norm) {
    set_residual(norm);
    spread(r, 1.0 / norm, r_);
    multiply(r_, 0, c_);
    for (Index k = 0; k < feature_.size(); ++k)
      c_[k] *= static_cast<float>(norm);
  }

  // At a snapshot.
  void set_residual(double norm) { c_error_ = product_error_ * norm; }

  void set_direction(const AlignedBuffer<double> &u) {
    norm_u_ = std::sqrt(kernels_->dot(u.data(), u.data(), columns_->ld()));
    spread(u, norm_u_ > 0.0 ? 1.0 / norm_u_ : 0.0, u_);
    multiply(u_, 0, a_);
  }

  // The error of a, and three roundings: of the factor, its product with a, and c.
  void move(double step, double norm_r) {
    kernels_->move_products(static_cast<float>(step * norm_u_), a_.data(), c_.data(),
                            feature_.size());
    c_error_ += (product_error_ + 2.0 * unit_) * step * norm_u_ + unit_ * norm_r;
  }

  // The step at which the first feature reaches lambda, as computed in float.
  double nearest_hit(double lambda) const {
    const HitArgs args = hit_args(norm_u_, lambda, 0.0);
    return std::max(0.0f, kernels_->nearest_hit(args));
  }

  // All features whose |c - step a| may reach `bound`; the last terms cover the roundings of this
  // comparison.
  const Array<int> &candidates(double step, double bound) {
    const double moved = step * norm_u_;
    const HitArgs args =
        hit_args(moved, bound * (1.0 - 2.0 * norms_.error),
                 c_error_ + (product_error_ + 3.0 * unit_) * moved + 2.0 * unit_ * bound);
    candidate_.resize(pad_rows(feature_.size()));
    candidate_.resize(kernels_->candidates(args, candidate_.data()));
    for (int &k : candidate_)
      k = feature_[k];
    return candidate_;
  }

  // A lower bound of the largest |c|.
  double largest_product() const {
    double largest = 0.0;
    for (Index k = 0; k < feature_.size(); ++k)
      largest = std::max(largest, (std::abs(c_[k]) - c_error_ * slack_[k]) / scale_[k]);
    return largest * (1.0 - 2.0 * norms_.error);
  }

private:
  struct Found {
    int feature;
    float bound; // of |x~_j'r| / ||r|| at the snapshot
  };

  void append(int j) {
    const Index k = feature_.size();
    feature_.push_back(j);
    if (scale_.size() <= k)
      for (Array<float> *v : {&c_, &a_, &slack_, &scale_})
        v->resize(std::max<Index>(64, 2 * k));
    scale_[k] = norms_.scale_of(j);
    slack_[k] = norms_.slack_of(j);
  }

  HitArgs hit_args(double norm_a, double lambda, double slack_factor) const {
    return {c_.data(),
            a_.data(),
            scale_.data(),
            slack_.data(),
            feature_.size(),
            static_cast<float>(norm_a),
            static_cast<float>(lambda),
            static_cast<float>(slack_factor)};
  }

  // out = factor * v in the rows of the packed matrix.
  void spread(const AlignedBuffer<double> &v, double factor, AlignedBuffer<float> &out) const {
    for (Index i = 0; i < columns_->n_rows(); ++i)
      out[columns_->rows()[i]] = static_cast<float>(columns_->roots()[i] * v[i] * factor);
  }

  // out = products with v of the watched features from the given one on; all arrays are padded for
  // the kernels.
  void multiply(const AlignedBuffer<float> &v, Index from, Array<float> &out) {
    const Index m = feature_.size(), padded = pad_rows(m);
    for (Array<float> *array : {&c_, &a_, &slack_, &scale_})
      if (array->size() < padded)
        array->resize(padded);
    for (Index k = m; k < padded; ++k) {
      c_[k] = a_[k] = slack_[k] = 0.0f;
      scale_[k] = 1.0f;
    }
    kernels_->screen(x_->floats(), x_->ld(), feature_.data() + from, m - from, v.data(),
                     out.data() + from);
  }

  const PackedMatrix *x_;
  const PathColumns *columns_;
  LaneNorms norms_;
  const Kernels *kernels_;
  // Errors in units of slack (lane_norms.h), at least n + 4 roundings of a product with a vector of
  // norm one. A float product of the kernel `screen` has n / 4 of them and at most nine more, since
  // it keeps four or more sums: of both factors, the product, adding up the sums, and a scaling.
  double unit_, product_error_; // of one rounding; of a product with a vector of norm one
  double c_error_ = 0.0;        // of all c_: that of a new product, and more with every step
  double norm_u_ = 0.0, watched_ = 0.0;
  Array<Found> reserve_;
  Array<int> feature_, candidate_;
  Array<float> c_, a_, scale_, slack_;
  AlignedBuffer<float> r_, u_;
};

} // namespace stabilect

#endif
