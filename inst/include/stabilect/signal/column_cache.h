#ifndef STABILECT_COLUMN_CACHE_H
#define STABILECT_COLUMN_CACHE_H

#include <algorithm>

#include "stabilect/signal/feature_panels.h"
#include "stabilect/signal/sample_form.h"

namespace stabilect {

// A feature with its products with all others, x_k'A x_j, while A stays.
struct FeatureColumn {
  int feature = -1;
  long used = -1;
  Eigen::VectorXd x, times; // x_k and A x_k
  AlignedBuffer<float> products;
};

class ColumnCache {
public:
  static constexpr Index kSlots = 3 * kMostColumns;

  explicit ColumnCache(Index padded, Index n_slots = kSlots) : slots_(n_slots) {
    for (FeatureColumn &slot : slots_)
      slot.products.resize(padded);
  }

  void clear() {
    for (FeatureColumn &slot : slots_)
      slot.feature = -1, slot.used = -1;
  }

  // The slot of a feature, which stays until as many others have been asked for as there are slots.
  template <typename Fill> FeatureColumn &get(int feature, const Fill &fill) {
    ++clock_;
    const auto known = std::find_if(slots_.begin(), slots_.end(), [&](const FeatureColumn &slot) {
      return slot.feature == feature;
    });
    if (known != slots_.end()) {
      known->used = clock_;
      return *known;
    }
    FeatureColumn &oldest = *std::min_element(
        slots_.begin(), slots_.end(),
        [](const FeatureColumn &a, const FeatureColumn &b) { return a.used < b.used; });
    oldest.feature = feature;
    oldest.used = clock_;
    fill(oldest);
    return oldest;
  }

private:
  Array<FeatureColumn> slots_;
  long clock_ = 0;
};

} // namespace stabilect

#endif
