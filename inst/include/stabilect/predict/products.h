#ifndef STABILECT_PRODUCTS_H
#define STABILECT_PRODUCTS_H

#include <algorithm>

#include "stabilect/base/simd.h"
#include "stabilect/predict/samples.h"

#define STABILECT_BODY "stabilect/predict/products_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

// gram += sign * sum of z z' over these columns of length ld, in the lower triangle.
inline void add_all_products(const double *z, Index ld, const int *set, Index n, double sign,
                             double *gram) {
  constexpr Index kBlock = 64; // that many stay in the first cache
  for (Index from = 0; from < n; from += kBlock)
    STABILECT_AT_WIDTH(0, add_products)
  (z, ld, set + from, std::min(kBlock, n - from), sign, gram);
}

// Inner products of the samples in the features of a set, from which features are removed.
class ProductMatrix {
public:
  explicit ProductMatrix(const LinearSamples &samples) : samples_(samples) {}

  bool empty() const { return lower_.size() == 0; }

  void renew(const int *set, Index n) {
    lower_ = Eigen::MatrixXd::Zero(samples_.ld(), samples_.ld());
    add(set, n, 1.0);
    made_at_ = lower_.trace();
  }

  // The features `gone` have left the set. Subtraction loses digits: products are computed from
  // scratch before they have lost more than three, or when that is less work.
  void drop(const Array<int> &gone, const int *set, Index n) {
    if (n >= gone.size())
      add(gone.data(), gone.size(), -1.0);
    if (n < gone.size() || !(lower_.trace() > 1e-3 * made_at_))
      renew(set, n);
  }

  // Without padding, both triangles.
  Eigen::MatrixXd matrix() const {
    const Index m = samples_.n_bag();
    return lower_.topLeftCorner(m, m).selfadjointView<Eigen::Lower>();
  }

private:
  void add(const int *set, Index n, double sign) {
    add_all_products(samples_.data(), samples_.ld(), set, n, sign, lower_.data());
  }

  const LinearSamples &samples_;
  Eigen::MatrixXd lower_; // padded, its lower triangle
  double made_at_ = 0.0;
};

} // namespace stabilect

#endif
