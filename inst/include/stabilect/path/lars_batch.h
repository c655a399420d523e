#ifndef STABILECT_LARS_BATCH_H
#define STABILECT_LARS_BATCH_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "stabilect/base/runtime.h"
#include "stabilect/path/replicate.h"

namespace stabilect {

// Up to kLanes replicates that share their snapshots: one pass over the packed matrix
// serves all. Replicates do not move in step; each runs until it wants a snapshot.
//
// Snapshots are computed in float. With u = 2^-24 the computed product of n terms differs
// from the exact one by at most gamma sqrt(sum_i w_i x_i^2) for residuals of norm one,
// gamma = (n + 4) u / (1 - (n + 4) u) (Higham 2002, Eq. 3.5, with the roundings of both
// factors); the bound is the `slack` that is added before comparing. `scale` is the norm of
// the column, computed in double where the float moments would lose too much.
class ReplicateGroup {
public:
  ReplicateGroup(const PackedMatrix &x, const double *y, std::size_t y_stride,
                 const double *weights, std::size_t n_runs, const LarsOptions &options,
                 std::size_t first_run = 0)
      : x_(&x), options_(options), kernels_(&kernels(options.kernel_width)), width_(x.width()),
        v_(x.n() * kLanes), scale_(width_ * kLanes), slack_(width_ * kLanes),
        values_(width_ * kLanes), mask_(width_), wanted_(x.p() * kLanes) {
    for (std::size_t lane = 0; lane < n_runs; ++lane) {
      runs_.emplace_back(
          new Replicate(x, y + lane * y_stride, weights + lane * x.n(), options, *kernels_));
      runs_[lane]->columns().weaken(first_run + lane);
    }
    const double n = static_cast<double>(x.n()) + 4.0;
    const double unit = n * std::ldexp(1.0, -24);
    gamma_ = unit < 0.5 ? unit / (1.0 - unit) : 1.0;
    scale_error_ = 6.0 * gamma_ + 1e-6;
    measure_columns(weights);
    for (std::size_t lane = 0; lane < n_runs; ++lane)
      runs_[lane]->working_set().set_norms(scale_.data() + lane, slack_.data() + lane,
                                           scale_error_);
  }

  // Advances all replicates to their ends; false when asked to stop on the way.
  bool run(const Runtime &runtime) {
    snapshot(true);
    while (advance()) {
      if (runtime.stop_requested())
        return false;
      snapshot(false);
    }
    return true;
  }

  LarsPath take_path(std::size_t lane) { return runs_[lane]->take_path(); }

private:
  SnapshotArgs args(const float *threshold) const {
    return {x_->floats(), v_.data(), scale_.data(), slack_.data(),
            threshold,    x_->n(),   x_->ld(),      width_};
  }

  // Norms of all columns on all replicates' rows.
  void measure_columns(const double *weights) {
    for (std::size_t lane = 0; lane < runs_.size(); ++lane)
      for (std::size_t i = 0; i < x_->n(); ++i)
        v_[i * kLanes + lane] = static_cast<float>(weights[lane * x_->n() + i]);
    kernels_->moments(args(nullptr), scale_.data(), slack_.data());
    const float huge = std::numeric_limits<float>::max();
    for (std::size_t j = 0; j < width_; ++j)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t at = j * kLanes + lane;
        if (j >= x_->p() || lane >= runs_.size() || x_->constant(j))
          scale_[at] = huge, slack_[at] = 0.0f;
        else
          measure_column(j, lane, at);
      }
    for (std::size_t lane = 0; lane < runs_.size(); ++lane) {
      const double largest = largest_[lane];
      runs_[lane]->columns().set_largest_norm(options_.normalize ? 1.0 : largest);
    }
  }

  void measure_column(std::size_t j, std::size_t lane, std::size_t at) {
    PathColumns &columns = runs_[lane]->columns();
    const double first = scale_[at], second = slack_[at];
    const double variance =
        options_.intercept ? second - first * first / columns.total_weight() : second;
    double norm = std::sqrt(std::max(0.0, variance));
    double mass = second * (1.0 + gamma_);
    // The moments err by at most 4 gamma `second`: up to half of it lost is harmless.
    if (!(variance > 0.5 * second) || gamma_ > 0.01 || second < 1e-30f) {
      const PathColumns::Moments m = columns.moments(j);
      norm = m.norm;
      mass = m.second;
      if (m.norm == 0.0) {
        scale_[at] = std::numeric_limits<float>::max();
        slack_[at] = 0.0f;
        return;
      }
    }
    if (!options_.normalize) {
      largest_[lane] = std::max(largest_[lane], 1.02 * norm * x_->unit(j));
      norm = 1.0 / x_->unit(j);
    }
    scale_[at] = static_cast<float>(norm / columns.factor(j));
    slack_[at] = static_cast<float>(1.001 * gamma_ * std::sqrt(mass));
  }

  bool advance() {
    bool any = false;
    for (auto &run : runs_) {
      run->advance();
      any = any || !run->finished();
    }
    return any;
  }

  void snapshot(bool first) {
    for (std::size_t i = 0; i < v_.size(); ++i)
      v_[i] = 0.0f;
    alignas(64) float threshold[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const bool wants = lane < runs_.size() && !runs_[lane]->finished();
      if (wants)
        runs_[lane]->fill_lane(v_.data(), static_cast<int>(lane));
      threshold[lane] = std::numeric_limits<float>::max();
      if (wants && !first)
        threshold[lane] = lowered(runs_[lane]->threshold());
    }
    if (first)
      first_snapshot(threshold);
    else
      kernels_->snapshot_mask(args(threshold), mask_.data());
    hand_out();
  }

  // Bits by feature to features by lane.
  void hand_out() {
    std::size_t count[kLanes] = {};
    for (std::size_t j = 0; j < x_->p(); ++j)
      for (unsigned mask = mask_[j]; mask != 0; mask &= mask - 1) {
        const std::size_t lane = static_cast<std::size_t>(__builtin_ctz(mask));
        wanted_[lane * x_->p() + count[lane]++] = static_cast<int>(j);
      }
    for (std::size_t lane = 0; lane < runs_.size(); ++lane)
      if (!runs_[lane]->finished())
        runs_[lane]->receive(wanted_.data() + lane * x_->p(), count[lane]);
  }

  // Lowered by what the norms may err.
  float lowered(double threshold) const {
    return static_cast<float>(threshold * (1.0 - 2.0 * scale_error_));
  }

  // lambda is not known yet: bound it from below by the largest product, then compare.
  void first_snapshot(float *threshold) {
    kernels_->snapshot_values(args(nullptr), values_.data());
    double bound[kLanes] = {};
    for (std::size_t at = 0; at < x_->p() * kLanes; ++at) {
      const double c = (std::abs(values_[at]) - slack_[at]) / scale_[at];
      if (c > bound[at % kLanes])
        bound[at % kLanes] = c;
    }
    for (std::size_t lane = 0; lane < runs_.size(); ++lane) {
      if (runs_[lane]->finished())
        continue;
      runs_[lane]->set_first_bound(0.98 * bound[lane]);
      threshold[lane] = lowered(runs_[lane]->threshold());
    }
    for (std::size_t j = 0; j < x_->p(); ++j) {
      unsigned mask = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t at = j * kLanes + lane;
        const float limit = threshold[lane] * scale_[at] - slack_[at];
        if (std::abs(values_[at]) > limit)
          mask |= 1u << lane;
      }
      mask_[j] = static_cast<std::uint16_t>(mask);
    }
  }

  const PackedMatrix *x_;
  LarsOptions options_;
  const Kernels *kernels_;
  std::size_t width_;
  AlignedBuffer<float> v_, scale_, slack_, values_;
  std::vector<std::uint16_t> mask_;
  std::vector<int> wanted_; // up to p features a lane
  std::vector<std::unique_ptr<Replicate>> runs_;
  double gamma_ = 0.0, scale_error_ = 0.0;
  double largest_[kLanes] = {};
};

// Paths on many resamples of one matrix. Column b of `weights` (n x B) weighs the samples
// in run b: in-bag counts, or any non-negative weights. `y` has one column, or one a run.
// Consumers see each finished path once: consume(run, path), on any thread.
template <typename Consume>
void run_paths(const PackedMatrix &x, const ConstMatrix &y, const ConstMatrix &weights,
               const LarsOptions &options, const Runtime &runtime, const Consume &consume) {
  const std::size_t n_runs = static_cast<std::size_t>(weights.cols());
  // Smaller groups than kLanes when there are more threads than full groups.
  const std::size_t threads = static_cast<std::size_t>(std::max(1, runtime.n_threads));
  const std::size_t per_group =
      std::min<std::size_t>(kLanes, std::max<std::size_t>(1, (n_runs + threads - 1) / threads));
  const std::size_t n_groups = (n_runs + per_group - 1) / per_group;
  const bool one_y = y.cols() == 1;
  run_in_chunks(n_groups, 4 * threads, runtime, [&](std::size_t g) {
    const std::size_t from = g * per_group, to = std::min(n_runs, from + per_group);
    ReplicateGroup group(x, y.data() + (one_y ? 0 : from * x.n()), one_y ? 0 : x.n(),
                         weights.data() + from * x.n(), to - from, options, from);
    if (!group.run(runtime))
      return;
    for (std::size_t run = from; run < to; ++run)
      consume(run, group.take_path(run - from));
  });
}

} // namespace stabilect

#endif
