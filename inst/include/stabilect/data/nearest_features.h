#ifndef STABILECT_NEAREST_FEATURES_H
#define STABILECT_NEAREST_FEATURES_H

// The features with the largest absolute correlation with a feature. Products in float, of sixteen
// features at a time, decide which are looked at; doubles decide.

#include <cstdint>
#include <utility>

#include "stabilect/base/passes.h"
#include "stabilect/data/missing_values.h"

namespace stabilect {
namespace missing_detail {

class NearestFeatures {
public:
  NearestFeatures(const PaddedColumns &x, const Runtime &runtime)
      : ld_(x.ld), n_(x.n), p_(x.p), padded_((x.p + kPanel - 1) / kPanel * kPanel),
        unit_(x.ld * x.p), rounded_(x.ld * padded_) {
    run_tasks(p_, runtime, [&](Index j) { set_column(x, j); });
  }

  // @param k at most p - 1. Ties by the order of features.
  Array<Array<int>> of(const Array<int> &features, Index k, const Runtime &runtime) const {
    Array<Array<int>> out(features.size());
    run_tasks((features.size() + kLanes - 1) / kLanes, runtime, [&](Index t) {
      const Index from = t * kLanes, end = std::min(from + kLanes, features.size());
      AlignedBuffer<float> products(padded_ * kLanes);
      multiply(features, from, end, products.data());
      choose(features, from, end, products.data(), k, out);
    });
    return out;
  }

private:
  const double *unit(Index j) const { return unit_.data() + j * ld_; }

  void set_column(const PaddedColumns &x, Index j) {
    const double *z = x.column(j);
    double *out = unit_.data() + j * ld_;
    double mean = 0.0;
    for (Index i = 0; i < n_; ++i)
      mean += z[i];
    mean /= n_;
    for (Index i = 0; i < n_; ++i)
      out[i] = z[i] - mean;
    const double length = std::sqrt(kernels().dot(out, out, ld_));
    for (Index i = 0; i < n_; ++i) {
      out[i] = length > 1e-9 ? out[i] / length : 0.0;
      rounded_[j * ld_ + i] = static_cast<float>(out[i]);
    }
  }

  void multiply(const Array<int> &features, Index from, Index end, float *out) const {
    AlignedBuffer<float> v(ld_ * kLanes);
    for (Index c = from; c < end; ++c)
      for (Index i = 0; i < n_; ++i)
        v[i * kLanes + (c - from)] = rounded_[features[c] * ld_ + i];
    SnapshotArgs args{};
    args.x = rounded_.data();
    args.v = v.data();
    args.n = n_;
    args.ld = ld_;
    args.p = padded_;
    kernels().snapshot_values(args, out);
  }

  // The k-th largest product of each lane, less twice the bound of the rounding errors.
  void set_bounds(const Array<int> &features, Index from, Index end, const float *products, Index k,
                  float *least) const {
    Array<Array<float>> largest(kLanes, Array<float>(k, -1.0f)); // ascending
    for (Index j = 0; j < p_; ++j)
      for (Index lane = 0; lane < end - from; ++lane) {
        const float size = std::fabs(products[j * kLanes + lane]);
        Array<float> &own = largest[lane];
        if (size > own[0] && j != features[from + lane]) {
          Index at = 0;
          for (; at + 1 < k && own[at + 1] < size; ++at)
            own[at] = own[at + 1];
          own[at] = size;
        }
      }
    for (Index lane = 0; lane < end - from; ++lane)
      least[lane] = largest[lane][0] - 2.0f * (n_ + 2) * 6e-8f;
  }

  void choose(const Array<int> &features, Index from, Index end, const float *products, Index k,
              Array<Array<int>> &out) const {
    if (k < 1)
      return;
    float least[kLanes];
    set_bounds(features, from, end, products, k, least);
    Array<Array<std::pair<double, int>>> found(kLanes);
    for (Index j = 0; j < p_; ++j)
      for (Index lane = 0; lane < end - from; ++lane) {
        const int self = features[from + lane];
        if (std::fabs(products[j * kLanes + lane]) >= least[lane] && j != self)
          found[lane].push_back({-std::fabs(kernels().dot(unit(self), unit(j), ld_)), int(j)});
      }
    for (Index lane = 0; lane < end - from; ++lane) {
      std::partial_sort(found[lane].begin(), found[lane].begin() + k, found[lane].end());
      for (Index q = 0; q < k; ++q)
        out[from + lane].push_back(found[lane][q].second);
    }
  }

  Index ld_, n_, p_, padded_;
  AlignedBuffer<double> unit_;
  AlignedBuffer<float> rounded_;
};

} // namespace missing_detail

// For each of `features` the k (at most p - 1) features that are nearest.
inline Array<Array<int>> nearest_features(const PaddedColumns &x, const Array<int> &features,
                                          Index k, const Runtime &runtime) {
  return missing_detail::NearestFeatures(x, quiet(runtime)).of(features, k, runtime);
}

} // namespace stabilect

#endif
