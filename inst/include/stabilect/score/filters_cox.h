#ifndef STABILECT_FILTERS_COX_H
#define STABILECT_FILTERS_COX_H

// The score test of one feature in a Cox model (Cox 1972), of all features in all runs, with the
// ties of Efron (1977). In-bag counts are weights: a sample that is drawn twice is one event.
//
// With the counts w, R_k samples at risk at the k-th time and d_k events,
//   U = sum_i w_i x_i r_i,   r_i = event_i - H_i,   H_i = sum_{t_k <= t_i} d_k / R_k,
//   V = sum_k d_k [S2_k / R_k - (S1_k / R_k)^2]
//     = sum_i w_i x_i^2 H_i - sum_k d_k (S1_k / R_k)^2,
// where S1_k and S2_k sum w x and w x^2 over samples at risk: sums from the longest time down.
// Ties: see cox_runs.h.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/kernels.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/scale.h"
#include "stabilect/score/cox_runs.h"

#define STABILECT_BODY "stabilect/score/cox_sums_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

namespace cox_detail {

// Weight, mean and squares about it, updated sample by sample.
struct Moments {
  double total = 0.0, mean = 0.0, square = 0.0;
  void add(double value, double w) {
    const double shift = value - mean;
    total += w;
    mean += shift * w / total;
    square += w * shift * (value - mean);
  }
};

// |U| / sqrt(V) from scratch, for a feature that varies much less in a run than over all samples.
// `stride`: between values.
inline double exact_score(const Runs &runs, Index b, const double *x, Index stride) {
  Moments risk;
  double score = 0.0, variance = 0.0, first = 0.0;
  for (const Runs::Time &time : runs.times()) {
    Moments own;
    double of_events = 0.0;
    Index m = 0;
    for (Index i = time.from; i < Runs::end_of_firsts(time); ++i) {
      const double w = runs.weight(b, time, i);
      if (!(w > 0.0))
        continue;
      if (risk.total == 0.0)
        first = x[i * stride];
      const double value = x[i * stride] - first;
      risk.add(value, w);
      if (!runs.event(i))
        continue;
      own.add(value, w);
      of_events += w * value;
      ++m;
    }
    if (m == 1) {
      score += of_events - own.total * risk.mean;
      variance += own.total * risk.square / risk.total;
      continue;
    }
    score += of_events;
    const double apart = own.mean - risk.mean;
    for (Index l = 0; l < m; ++l) {
      const Step at = step_of(l, static_cast<double>(m), own.total, risk.total);
      const double shift = at.gone * own.total * apart / at.left; // of the mean
      const double square = risk.square - at.gone * (own.square + own.total * apart * apart) -
                            at.left * shift * shift;
      score -= at.hazard * at.left * (risk.mean - shift);
      variance += at.hazard * std::max(square, 0.0);
    }
  }
  return variance > 0.0 ? std::abs(score) / std::sqrt(variance) : 0.0;
}

// Two features, about their means over all samples.
class FeaturePair {
public:
  explicit FeaturePair(const Runs &runs) : runs_(&runs), values_(2 * runs.n) {}

  void load(const double *first, const double *second) {
    load_one(first, 0);
    load_one(second, 1);
  }

  // Scores of the feature in the runs of tile t, from its sums.
  void score(Index t, const double *sums, int which, double *out) const {
    for (Index lane = 0; lane < kTile && t * kTile + lane < runs_->n_runs; ++lane) {
      const double u = sums[lane], square = sums[kTile + lane], means = sums[2 * kTile + lane];
      const double variance = square - means;
      out[lane] = square == 0.0 ? 0.0
                  : variance > 1e-6 * square
                      ? std::abs(u) / std::sqrt(variance)
                      : exact_score(*runs_, t * kTile + lane, values_.data() + which, 2);
    }
  }

  const double *values() const { return values_.data(); }

private:
  void load_one(const double *x, int which) {
    double largest = 0.0, mean = 0.0;
    for (Index i = 0; i < runs_->n_samples; ++i)
      largest = std::max(largest, std::abs(x[i]));
    const double unit = unit_for(largest), first = unit * x[0];
    for (Index i = 0; i < runs_->n_samples; ++i)
      mean += unit * x[i] - first;
    mean /= runs_->n_samples;
    for (Index i = 0; i < runs_->n; ++i)
      values_[2 * i + which] = (unit * x[runs_->row[i]] - first) - mean;
  }

  const Runs *runs_;
  AlignedBuffer<double> values_;
};

} // namespace cox_detail

// |z| of the score test of all features in all runs (p x B); a feature that is constant in a run,
// and every feature of a run without an event, scores 0. `event`: 1, or 0 for a censored time.
inline Eigen::MatrixXd score_cox(const ConstMatrix &x, const ConstVector &time,
                                 const Array<int> &event,
                                 const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                 const Runtime &runtime = Runtime()) {
  namespace impl = cox_detail;
  if (counts.rows() != x.rows() || time.size() != x.rows() || event.size() != x.rows())
    throw Error("counts, times and events must have one value per row of x");
  constexpr Index kBlock = 64;
  const impl::Runs runs(time, event, counts);
  const Index p = x.cols(), n_tiles = (runs.n_runs + impl::kTile - 1) / impl::kTile;
  Eigen::MatrixXd out(p, runs.n_runs);
  run_tasks((p + kBlock - 1) / kBlock, runtime, [&](Index task) {
    impl::FeaturePair pair(runs);
    double sums[6 * impl::kTile], lanes[impl::kTile];
    const Index from = task * kBlock, to = std::min(p, from + kBlock);
    for (Index j = from; j < to; j += 2) {
      const Index next = std::min(j + 1, p - 1);
      pair.load(x.col(j).data(), x.col(next).data());
      for (Index t = 0; t < n_tiles; ++t) {
        STABILECT_AT_WIDTH(0, cox_sums)(pair.values(), runs.tile(t), runs.n, sums);
        const Index first = t * impl::kTile, width = std::min(impl::kTile, runs.n_runs - first);
        for (Index k = 0; k < 2 && j + k <= next; ++k) {
          pair.score(t, sums + 3 * impl::kTile * k, static_cast<int>(k), lanes);
          for (Index lane = 0; lane < width; ++lane)
            out(j + k, first + lane) = lanes[lane];
        }
      }
    }
  });
  return out;
}

} // namespace stabilect

#endif
