#ifndef STABILECT_WATCHED_FEATURES_H
#define STABILECT_WATCHED_FEATURES_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/path/lane_norms.h"
#include "stabilect/path/screen.h"

namespace stabilect {

// Stands for a product that was not computed.
constexpr double kUnknown = -1.0;

// Features near the bound: at every point their products with the residual are computed in float,
// with a bound of the rounding error. With several classes a product is a norm over contrasts.
class WatchedFeatures {
public:
  WatchedFeatures(const PackedMatrix &x, const PathColumns &columns, const LaneNorms &norms,
                  Index width)
      : x_(&x), columns_(&columns), norms_(norms), width_(width), is_watched_(x.p(), 0), v_(x.ld()),
        error_(2.0 * norms.error + (width + 4.0) * std::ldexp(1.0, -23)) {}

  bool has(int j) const { return is_watched_[j] != 0; }
  // With its product at the present point.
  void add(int j, double product) {
    if (is_watched_[j] || norms_.scale_of(j) == std::numeric_limits<float>::max())
      return;
    is_watched_[j] = 1;
    feature_.push_back(j);
    now_.push_back(product);
    before_.push_back(kUnknown);
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

  // Keeps the products of above(), which was called last, and gives up features with one below
  // `limit`.
  void prune(double limit) {
    Index kept = 0, k = 0;
    for (Index at = 0; at < feature_.size(); ++at) {
      const int j = feature_[at];
      const bool asked = k < asked_.size() && asked_[k] == j;
      const double product = asked ? most_[k++] : kUnknown;
      is_watched_[j] = !asked || product >= limit;
      if (!is_watched_[j])
        continue;
      feature_[kept] = j;
      now_[kept] = product;
      before_[kept++] = before_[at];
    }
    feature_.resize(kept);
    now_.resize(kept);
    before_.resize(kept);
    asked_.clear();
  }

  // The features that are not active, with their products at the present point and at the last one
  // that was kept, where the residual was r, if any: tell(feature, now, before). The present one is
  // kept.
  template <typename Tell>
  void keep(const AlignedBuffer<double> &r, double norm, const Tell &tell) {
    asked_.clear();
    for (Index k = 0; k < feature_.size(); ++k)
      if (now_[k] != kUnknown && before_[k] == kUnknown)
        asked_.push_back(feature_[k]);
    if (r.size() > 0)
      measure(asked_, r, norm);
    Index at = 0;
    for (Index k = 0; k < feature_.size(); ++k) {
      if (now_[k] == kUnknown)
        continue;
      const bool measured = before_[k] == kUnknown;
      const double before = r.size() == 0 ? now_[k] : measured ? most_[at++] : before_[k];
      tell(feature_[k], now_[k], before);
    }
    before_ = now_;
    asked_.clear();
  }

  // Of these features, those with a product that may be above `limit`.
  const Array<int> &measured_above(const Array<int> &features, const AlignedBuffer<double> &r,
                                   double norm, double limit) {
    measure(features, r, norm);
    above_.clear();
    product_above_.clear();
    for (Index k = 0; k < features.size(); ++k) {
      if (!(most_[k] > limit))
        continue;
      above_.push_back(features[k]);
      product_above_.push_back(most_[k]);
    }
    return above_;
  }
  // The products of those that measured_above() found last.
  const Array<double> &products_above() const { return product_above_; }

private:
  // Upper bounds of the products of these features.
  void measure(const Array<int> &features, const AlignedBuffer<double> &r, double norm) {
    const Index m = features.size();
    most_.assign(m, 0.0);
    product_.resize(m);
    if (m == 0 || !(norm > 0.0))
      return;
    for (Index a = 0; a < width_; ++a) {
      spread(r.data() + a * columns_->ld(), norm);
      STABILECT_AT_WIDTH(0, float_products)
      (x_->floats(), x_->ld(), features.data(), m, v_.data(), product_.data());
      for (Index k = 0; width_ > 1 && k < m; ++k) {
        const double product = product_[k];
        most_[k] += product * product;
      }
    }
    for (Index k = 0; k < m; ++k) {
      const int j = features[k];
      const double product = width_ == 1 ? std::abs(product_[k]) : std::sqrt(most_[k]);
      most_[k] = norm * (product + norms_.slack_of(j)) / norms_.scale_of(j) * (1.0 + error_);
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
  Array<double> now_, before_; // products of feature_, if they are not active
  Array<double> product_above_;
  AlignedBuffer<float> v_;
  Array<float> product_;
  Array<double> most_; // of asked_
  double error_;
};

} // namespace stabilect

#endif
