#ifndef STABILECT_WATCHED_FEATURES_H
#define STABILECT_WATCHED_FEATURES_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/path/lane_norms.h"
#include "stabilect/path/screen.h"

namespace stabilect {

// Features near the bound: at every point their products with the residual are computed in float,
// with a bound of the rounding error. With several classes a product is a norm over contrasts.
class WatchedFeatures {
public:
  WatchedFeatures(const PackedMatrix &x, const PathColumns &columns, const LaneNorms &norms,
                  Index width)
      : x_(&x), columns_(&columns), norms_(norms), width_(width), is_watched_(x.p(), 0), v_(x.ld()),
        error_(2.0 * norms.error + (width + 4.0) * std::ldexp(1.0, -23)) {}

  bool has(int j) const { return is_watched_[j] != 0; }
  void add(int j) {
    if (is_watched_[j] || norms_.scale_of(j) == std::numeric_limits<float>::max())
      return;
    is_watched_[j] = 1;
    feature_.push_back(j);
  }

  // Those that are not active and may have a product above `limit`.
  template <typename IsActive>
  const Array<int> &above(const AlignedBuffer<double> &r, double norm, double limit,
                          const IsActive &active) {
    asked_.clear();
    for (int j : feature_)
      if (!active(j))
        asked_.push_back(j);
    return measured_above(asked_, r, norm, limit);
  }

  // Gives up those whose product at above(), which was called last, was below `limit`.
  void prune(double limit) {
    for (Index k = 0; k < asked_.size(); ++k)
      if (most_[k] < limit)
        is_watched_[asked_[k]] = 0;
    feature_.erase(
        std::remove_if(feature_.begin(), feature_.end(), [this](int j) { return !is_watched_[j]; }),
        feature_.end());
    asked_.clear();
  }

  // Of these features, those with a product that may be above `limit`.
  const Array<int> &measured_above(const Array<int> &features, const AlignedBuffer<double> &r,
                                   double norm, double limit) {
    measure(features, r, norm);
    above_.clear();
    for (Index k = 0; k < features.size(); ++k)
      if (most_[k] > limit)
        above_.push_back(features[k]);
    return above_;
  }

private:
  // Upper bounds of the products of these features.
  void measure(const Array<int> &features, const AlignedBuffer<double> &r, double norm) {
    const Index m = features.size();
    most_.assign(m, 0.0);
    product_.resize(m);
    if (!(norm > 0.0))
      return;
    for (Index a = 0; a < width_; ++a) {
      spread(r.data() + a * columns_->ld(), norm);
      STABILECT_AT_WIDTH(0, float_products)
      (x_->floats(), x_->ld(), features.data(), m, v_.data(), product_.data());
      for (Index k = 0; k < m; ++k) {
        const double product = product_[k];
        most_[k] += product * product;
      }
    }
    for (Index k = 0; k < m; ++k) {
      const int j = features[k];
      most_[k] =
          norm * (std::sqrt(most_[k]) + norms_.slack_of(j)) / norms_.scale_of(j) * (1.0 + error_);
    }
  }

  // r / norm in the rows of the packed matrix, whose columns are not centred in the run: without
  // its part along the roots of the weights.
  void spread(const double *r, double norm) {
    const Array<double> &root = columns_->roots();
    double mean = 0.0;
    for (Index i = 0; i < root.size(); ++i)
      mean += root[i] * r[i];
    mean /= columns_->total_weight();
    for (Index i = 0; i < root.size(); ++i)
      v_[columns_->rows()[i]] = static_cast<float>(root[i] * (r[i] - mean * root[i]) / norm);
  }

  const PackedMatrix *x_;
  const PathColumns *columns_;
  LaneNorms norms_;
  Index width_;
  Array<char> is_watched_;
  Array<int> feature_, asked_, above_;
  AlignedBuffer<float> v_;
  Array<float> product_;
  Array<double> most_; // of asked_
  double error_;
};

} // namespace stabilect

#endif
