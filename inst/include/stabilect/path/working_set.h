#ifndef STABILECT_WORKING_SET_H
#define STABILECT_WORKING_SET_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stabilect/path/lane_norms.h"
#include "stabilect/path/path_columns.h"

namespace stabilect {

// The inactive features that a path watches, screened in float.
//
// Kept are c_j = <x_j, r> and a_j = <x_j, u> for packed, unscaled columns x_j: compared with
// lambda they are divided by the column's norm, its `scale`. With `slack` bounding the
// rounding of a float product of x_j with a vector of norm one, a feature is passed over
// only when it provably stays below lambda; the others are candidates, for the caller to
// compute in double.
class WorkingSet {
public:
  WorkingSet(const PackedMatrix &x, const PathColumns &columns, const LaneNorms &norms,
             const Kernels &kernels)
      : x_(&x), columns_(&columns), norms_(norms), kernels_(&kernels), v_(x.ld()) {}

  // False for a column that is constant among this replicate's rows. Its product is rounding
  // noise, which passes a threshold of zero.
  bool varies(int j) const { return norms_.scale_of(j) < std::numeric_limits<float>::max(); }

  void clear() { feature_.clear(); }

  // For a product that set_residual() will compute.
  void add(int j) {
    const std::size_t k = feature_.size();
    feature_.push_back(j);
    if (scale_.size() <= k)
      for (std::vector<float> *v : {&c_, &a_, &slack_, &scale_})
        v->resize(k + 1);
    scale_[k] = norms_.scale_of(j);
    slack_[k] = norms_.slack_of(j);
  }

  // For a feature that comes back between snapshots; c for the scaled column.
  void add(int j, double c) {
    add(j);
    c_[feature_.size() - 1] = static_cast<float>(c) * scale_[feature_.size() - 1];
  }

  void remove(int j) {
    const auto at = std::find(feature_.begin(), feature_.end(), j);
    if (at == feature_.end())
      return;
    const std::size_t k = static_cast<std::size_t>(at - feature_.begin());
    const std::size_t last = feature_.size() - 1;
    feature_[k] = feature_[last];
    scale_[k] = scale_[last];
    slack_[k] = slack_[last];
    c_[k] = c_[last];
    feature_.pop_back();
  }

  // From here on the products with r are updated, not computed again: their error is at most
  // c_error_ * slack, which grows with every step.
  void set_residual(const AlignedBuffer<double> &r, double norm) {
    multiply(r, 1.0 / norm, c_);
    for (std::size_t k = 0; k < feature_.size(); ++k)
      c_[k] *= static_cast<float>(norm);
    c_error_ = 1.5 * norm;
  }

  void set_direction(const AlignedBuffer<double> &u) {
    norm_u_ = std::sqrt(kernels_->dot(u.data(), u.data(), columns_->ld()));
    multiply(u, norm_u_ > 0.0 ? 1.0 / norm_u_ : 0.0, a_);
  }

  // Two roundings a step, each at most half a unit of |c|; slack is at least seven units of
  // the column's norm, and |c| at most the norms of column and residual.
  void move(double step, double norm_r) {
    const float factor = static_cast<float>(step * norm_u_);
    for (std::size_t k = 0; k < feature_.size(); ++k)
      c_[k] -= factor * a_[k];
    c_error_ += 1.5 * step * norm_u_ + 0.5 * norm_r;
  }

  // The step at which the first feature reaches lambda, as computed in float.
  double nearest_hit(double lambda) const {
    const HitArgs args = hit_args(norm_u_, lambda, 0.0);
    return std::max(0.0f, kernels_->nearest_hit(args));
  }

  // All features whose |c - step a| may reach `bound`. The factors 1.5 and 2 cover the
  // rounding of this very comparison.
  const std::vector<int> &candidates(double step, double bound) {
    const HitArgs args = hit_args(step * norm_u_, bound * (1.0 - 2.0 * norms_.error),
                                  c_error_ + 2.0 * step * norm_u_);
    candidate_.resize(pad_rows(feature_.size()));
    candidate_.resize(kernels_->candidates(args, candidate_.data()));
    for (int &k : candidate_)
      k = feature_[static_cast<std::size_t>(k)];
    return candidate_;
  }

  // A lower bound of the largest |c|.
  double largest_product() const {
    double largest = 0.0;
    for (std::size_t k = 0; k < feature_.size(); ++k)
      largest = std::max(largest, (std::abs(c_[k]) - c_error_ * slack_[k]) / scale_[k]);
    return largest * (1.0 - 2.0 * norms_.error);
  }

private:
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

  // out = products with factor * v; all arrays are padded for the kernels.
  void multiply(const AlignedBuffer<double> &v, double factor, std::vector<float> &out) {
    for (std::size_t i = 0; i < columns_->n_rows(); ++i)
      v_[static_cast<std::size_t>(columns_->rows()[i])] =
          static_cast<float>(columns_->roots()[i] * v[i] * factor);
    const std::size_t m = feature_.size(), padded = pad_rows(m);
    for (std::vector<float> *array : {&c_, &a_, &slack_, &scale_})
      if (array->size() < padded)
        array->resize(padded);
    for (std::size_t k = m; k < padded; ++k) {
      c_[k] = a_[k] = slack_[k] = 0.0f;
      scale_[k] = 1.0f;
    }
    kernels_->screen(x_->floats(), x_->ld(), feature_.data(), m, v_.data(), out.data());
  }

  const PackedMatrix *x_;
  const PathColumns *columns_;
  LaneNorms norms_;
  const Kernels *kernels_;
  double c_error_ = 0.0, norm_u_ = 0.0;
  std::vector<int> feature_, candidate_;
  std::vector<float> c_, a_, scale_, slack_;
  AlignedBuffer<float> v_;
};

} // namespace stabilect

#endif
