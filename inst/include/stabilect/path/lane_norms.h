#ifndef STABILECT_LANE_NORMS_H
#define STABILECT_LANE_NORMS_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stabilect/path/path_columns.h"

namespace stabilect {

// The norms of all columns on the rows of one replicate, borrowed from a NormTable. A column that
// is constant there has the largest float for a scale.
struct LaneNorms {
  const float *scale, *slack; // of feature j at [j * stride]
  std::size_t stride;
  double error;   // relative, of a scale
  double largest; // no scaled column is longer: what bounds a product with one unseen

  float scale_of(int j) const { return scale[static_cast<std::size_t>(j) * stride]; }
  float slack_of(int j) const { return slack[static_cast<std::size_t>(j) * stride]; }
};

// The same for up to kLanes replicates, lane by lane.
//
// `scale` is the norm of the column, from float moments or, where these would lose too much, in
// double. `slack` bounds the rounding error of a float product of the column with a vector of norm
// one: with u = 2^-24 the computed product of n terms differs from the exact one by at most gamma
// sqrt(sum_i w_i x_i^2), gamma = (n + 4) u / (1 - (n + 4) u) (Higham 2002, Eq. 3.5, with the
// roundings of both factors).
class NormTable {
public:
  NormTable(const PackedMatrix &x, const std::vector<PathColumns> &lanes,
            const LarsOptions &options, const Kernels &kernels)
      : x_(&x), options_(options), scale_(x.width() * kLanes), slack_(x.width() * kLanes),
        largest_(lanes.size(), options.normalize ? 1.0 : 0.0) {
    const double n = static_cast<double>(x.n()) + 4.0;
    const double unit = n * std::ldexp(1.0, -24);
    gamma_ = unit < 0.5 ? unit / (1.0 - unit) : 1.0;
    // The moments are stored where the norms will be: each moment is replaced by its norm.
    compute_moments(lanes, kernels, scale_.data(), slack_.data());
    for (std::size_t j = 0; j < x.width(); ++j)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t at = j * kLanes + lane;
        if (j >= x.p() || lane >= lanes.size() || x.constant(j))
          set_constant(at);
        else
          measure(lanes[lane], j, lane, {scale_[at], slack_[at]});
      }
  }

  const float *scale() const { return scale_.data(); }
  const float *slack() const { return slack_.data(); }
  double error() const { return 6.0 * gamma_ + 1e-6; }
  LaneNorms lane(std::size_t lane) const {
    return {scale_.data() + lane, slack_.data() + lane, kLanes, error(), largest_[lane]};
  }

private:
  struct Sums {
    double first, second; // sum_i w_i x_i and sum_i w_i x_i^2, in float
  };

  void compute_moments(const std::vector<PathColumns> &lanes, const Kernels &kernels, float *first,
                       float *second) const {
    AlignedBuffer<float> weights(x_->n() * kLanes);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t i = 0; i < lanes[lane].n_rows(); ++i)
        weights[static_cast<std::size_t>(lanes[lane].rows()[i]) * kLanes + lane] =
            static_cast<float>(lanes[lane].weights()[i]);
    kernels.moments(
        {x_->floats(), weights.data(), nullptr, nullptr, nullptr, x_->n(), x_->ld(), x_->width()},
        first, second);
  }

  void set_constant(std::size_t at) {
    scale_[at] = std::numeric_limits<float>::max();
    slack_[at] = 0.0f;
  }

  void measure(const PathColumns &columns, std::size_t j, std::size_t lane, const Sums &sums) {
    const std::size_t at = j * kLanes + lane;
    const double variance = options_.intercept
                                ? sums.second - sums.first * sums.first / columns.total_weight()
                                : sums.second;
    double norm = std::sqrt(std::max(0.0, variance));
    double mass = sums.second * (1.0 + gamma_);
    // The moments err by at most 4 gamma `second`: up to half of it lost is harmless.
    if (!(variance > 0.5 * sums.second) || gamma_ > 0.01 || sums.second < 1e-30f) {
      const PathColumns::Moments m = columns.moments(j);
      if (m.norm == 0.0)
        return set_constant(at);
      norm = m.norm;
      mass = m.second;
    }
    if (!options_.normalize) {
      largest_[lane] = std::max(largest_[lane], 1.02 * norm * x_->unit(j));
      norm = 1.0 / x_->unit(j);
    }
    scale_[at] = static_cast<float>(norm / columns.factor(j));
    slack_[at] = static_cast<float>(1.001 * gamma_ * std::sqrt(mass));
  }

  const PackedMatrix *x_;
  LarsOptions options_;
  AlignedBuffer<float> scale_, slack_;
  std::vector<double> largest_;
  double gamma_ = 0.0;
};

} // namespace stabilect

#endif
