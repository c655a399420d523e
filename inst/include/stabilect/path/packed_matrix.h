#ifndef STABILECT_PACKED_MATRIX_H
#define STABILECT_PACKED_MATRIX_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/base/kernels.h"
#include "stabilect/base/types.h"

#define STABILECT_BODY "stabilect/path/pack_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

// The data for every replicate: the caller's own matrix, and one float copy for snapshots and
// screening. Nothing is copied per replicate.
//
// Columns are centred by their overall mean: with an intercept the shift changes no path, and it
// keeps digits of large values. They are divided by a power of two, which rounds nothing and keeps
// floats in range: packed values are at most 1 in absolute value.
class PackedMatrix {
public:
  PackedMatrix(const ConstMatrix &x, bool centre)
      : x_(x), n_(x.rows()), p_(x.cols()), ld_(pad_rows(n_)),
        width_((p_ + kPanel - 1) / kPanel * kPanel), floats_(ld_ * width_), center_(p_),
        factor_(p_) {
    for (Index j = 0; j < p_; j += 4)
      sum_columns(j, centre);
    for (Index j = 0; j < p_; ++j)
      pack_column(j);
  }

  Index n() const { return n_; }
  Index p() const { return p_; }
  Index ld() const { return ld_; }
  Index width() const { return width_; } // p padded to whole panels
  const float *floats() const { return floats_.data(); }
  double center(Index j) const { return center_[j]; }
  // original value = center + packed value * unit
  double unit(Index j) const { return constant(j) ? 1.0 : 1.0 / factor_[j]; }
  bool constant(Index j) const { return factor_[j] == 0.0; }
  // Column j in packed values; `operator()(i)` gives one.
  class Column {
  public:
    Column(const double *x, double center, double factor)
        : x_(x), center_(center), factor_(factor) {}
    double operator()(int i) const { return (x_[i] - center_) * factor_; }

  private:
    const double *x_;
    double center_, factor_;
  };
  Column column(Index j) const { return {source(j), center_[j], factor_[j]}; }

private:
  const double *source(Index j) const { return x_.data() + j * x_.outerStride(); }

  // Means of four columns from j on: no sum waits for another.
  void sum_columns(Index j, bool centre) {
    const Index last = p_ - 1;
    const double *x[4];
    for (Index q = 0; q < 4; ++q)
      x[q] = source(std::min(j + q, last));
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (Index i = 0; centre && i < n_; ++i)
#pragma GCC unroll 4
      for (Index q = 0; q < 4; ++q)
        sum[q] += x[q][i];
    for (Index q = 0; q < 4; ++q)
      center_[std::min(j + q, last)] = centre ? sum[q] / n_ : 0.0;
  }

  void pack_column(Index j) {
    const double *x = source(j);
    const double largest = STABILECT_AT_WIDTH(0, largest_distance)(x, n_, 0.0);
    const double deviation = STABILECT_AT_WIDTH(0, largest_distance)(x, n_, center_[j]);
    // A constant column deviates from its computed mean only by rounding.
    const double rounding = 4.0 * n_ * std::numeric_limits<double>::epsilon();
    if (deviation <= rounding * largest) {
      factor_[j] = 0.0;
      return;
    }
    int exponent;
    std::frexp(deviation, &exponent);
    factor_[j] = std::ldexp(1.0, -std::max(exponent, -1000));
    STABILECT_AT_WIDTH(0, pack)(x, n_, center_[j], factor_[j], floats_.data() + j * ld_);
  }

  ConstMatrix x_;
  Index n_, p_, ld_, width_;
  AlignedBuffer<float> floats_;
  Array<double> center_, factor_;
};

} // namespace stabilect

#endif
