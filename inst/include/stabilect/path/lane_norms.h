#ifndef STABILECT_LANE_NORMS_H
#define STABILECT_LANE_NORMS_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/path/path_columns.h"
#include "stabilect/path/screen.h"

namespace stabilect {

// The norms of all columns on the rows of one replicate, borrowed from a NormTable. A column that
// is constant there has the largest float for a scale.
struct LaneNorms {
  const float *scale, *slack; // of feature j at [j * stride]
  Index stride;
  double error;   // relative, of a scale
  double largest; // no scaled column is longer: what bounds a product with one unseen

  float scale_of(int j) const { return scale[j * stride]; }
  float slack_of(int j) const { return slack[j * stride]; }
};

// The same for up to kLanes replicates, lane by lane, or for one.
//
// `scale` is the norm of the column, from float moments or, where these would lose too many digits,
// in double. `slack` bounds the rounding error of a float product of the column with a vector of
// norm one. With u = 2^-24, the computed product of n terms differs from the exact one by at most
// gamma sqrt(sum_i w_i x_i^2), gamma = (n + 4) u / (1 - (n + 4) u) (Higham 2002, Eq. 3.5, with the
// roundings of both factors).
class NormTable {
public:
  // `lanes`: kLanes or 1.
  explicit NormTable(const PackedMatrix &x, Index lanes = kLanes)
      : x_(&x), stride_(lanes), scale_((x.width() * lanes + kLanes - 1) / kLanes * kLanes),
        slack_(scale_.size()) {}

  void compute(const Array<PathColumns> &lanes, const LarsOptions &options,
               const Kernels &kernels) {
    options_ = options;
    const bool plain = options.normalize && !(options.weakness < 1.0) && !options.multiply;
    largest_.assign(lanes.size(), plain ? 1.0 : 0.0);
    const double n = x_->n() + 4.0;
    const double unit = n * std::ldexp(1.0, -24);
    gamma_ = unit < 0.5 ? unit / (1.0 - unit) : 1.0;
    // Moments are stored in the place of the norms, which replace them.
    compute_moments(lanes, kernels, scale_.data(), slack_.data());
    alignas(64) float inverse_total[kLanes] = {}, nearly_constant[kLanes] = {};
    for (Index at = 0; at < kLanes; ++at) {
      const Index lane = at % stride_;
      if (lane >= lanes.size())
        continue;
      const double total = lanes[lane].total_weight();
      inverse_total[at] = options.intercept ? static_cast<float>(1.0 / total) : 0.0f;
      nearly_constant[at] = static_cast<float>(2.0 * kConstantSd * std::sqrt(total));
    }
    for (Index from = 0; from < scale_.size(); from += kLanes) {
      float *scale = scale_.data() + from, *slack = slack_.data() + from;
      unsigned lost = kernels.norms(inverse_total, static_cast<float>(gamma_), scale, slack);
      // Whether a column varies is decided in double.
      for (Index at = 0; at < kLanes; ++at) {
        const Index j = (from + at) / stride_;
        const bool in_double =
            scale[at] < nearly_constant[at] || gamma_ > 0.01 || j >= x_->p() || x_->constant(j);
        lost |= static_cast<unsigned>(in_double) << at;
      }
      for (; lost != 0; lost &= lost - 1)
        measure(lanes, from + __builtin_ctz(lost));
      for (Index at = from; !plain && at < from + kLanes; ++at)
        if (at % stride_ < lanes.size())
          rescale(lanes[at % stride_], at / stride_, at % stride_);
    }
  }

  const float *scale() const { return scale_.data(); }
  const float *slack() const { return slack_.data(); }
  double error() const { return 6.0 * gamma_ + 1e-6; }
  LaneNorms lane(Index lane) const {
    return {scale_.data() + lane, slack_.data() + lane, stride_, error(), largest_[lane]};
  }

private:
  void compute_moments(const Array<PathColumns> &lanes, const Kernels &kernels, float *first,
                       float *second) const {
    AlignedBuffer<float> weights(x_->ld() * stride_);
    for (Index lane = 0; lane < lanes.size(); ++lane)
      for (Index i = 0; i < lanes[lane].n_rows(); ++i)
        weights[lanes[lane].rows()[i] * stride_ + lane] =
            static_cast<float>(lanes[lane].weights()[i]);
    if (stride_ == 1) {
      STABILECT_AT_WIDTH(0, column_moments)
      (x_->floats(), x_->ld(), x_->width(), weights.data(), first, second);
      return;
    }
    kernels.moments(
        {x_->floats(), weights.data(), nullptr, nullptr, nullptr, x_->n(), x_->ld(), x_->width()},
        first, second);
  }

  // In double; without columns there is nothing to measure.
  void measure(const Array<PathColumns> &lanes, Index at) {
    const Index j = at / stride_, lane = at % stride_;
    const PathColumns *columns = j < x_->p() && lane < lanes.size() ? &lanes[lane] : nullptr;
    const PathColumns::Moments m =
        columns && !x_->constant(j) ? columns->moments(j) : PathColumns::Moments{0.0, 0.0, 0.0};
    scale_[at] = m.norm > 0.0 ? static_cast<float>(m.norm) : std::numeric_limits<float>::max();
    slack_[at] = m.norm > 0.0 ? static_cast<float>(1.001 * gamma_ * std::sqrt(m.second)) : 0.0f;
  }

  // From the norm to the divisor of the column.
  void rescale(const PathColumns &columns, Index j, Index lane) {
    float &scale = scale_[j * stride_ + lane];
    if (j >= x_->p() || scale == std::numeric_limits<float>::max())
      return;
    if (columns.factor(j) == 0.0) {
      scale = std::numeric_limits<float>::max();
      slack_[j * stride_ + lane] = 0.0f;
      return;
    }
    double norm = scale, longest = columns.factor(j);
    if (!options_.normalize) {
      longest *= 1.02 * norm * x_->unit(j);
      norm = 1.0 / x_->unit(j);
    }
    // Of this run alone: others in the group must not matter.
    largest_[lane] = std::max(largest_[lane], longest);
    scale = static_cast<float>(norm / columns.factor(j));
  }

  const PackedMatrix *x_;
  Index stride_;
  LarsOptions options_;
  AlignedBuffer<float> scale_, slack_;
  Array<double> largest_;
  double gamma_ = 0.0;
};

} // namespace stabilect

#endif
