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
// serves all. Replicates do not advance together; each runs until it needs a snapshot.
//
// Snapshots are computed in float; `slack`, a bound of their rounding error (lane_norms.h), is
// added before comparing.
class ReplicateGroup {
public:
  ReplicateGroup(const PackedMatrix &x, const double *y, std::size_t y_stride,
                 const double *weights, std::size_t n_runs, const LarsOptions &options,
                 std::size_t first_run = 0)
      : ReplicateGroup(x, y, y_stride, make_columns(x, weights, n_runs, options, first_run),
                       options) {}

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
  ReplicateGroup(const PackedMatrix &x, const double *y, std::size_t y_stride,
                 std::vector<PathColumns> columns, const LarsOptions &options)
      : x_(&x), kernels_(&kernels(options.kernel_width)), norms_(x, columns, options, *kernels_),
        v_(x.n() * kLanes), values_(x.width() * kLanes), mask_(x.width()), wanted_(x.p() * kLanes) {
    for (std::size_t lane = 0; lane < columns.size(); ++lane)
      runs_.emplace_back(new Replicate(x, std::move(columns[lane]), y + lane * y_stride,
                                       norms_.lane(lane), options, *kernels_));
  }

  static std::vector<PathColumns> make_columns(const PackedMatrix &x, const double *weights,
                                               std::size_t n_runs, const LarsOptions &options,
                                               std::size_t first_run) {
    std::vector<PathColumns> columns;
    columns.reserve(n_runs);
    for (std::size_t lane = 0; lane < n_runs; ++lane)
      columns.emplace_back(x, weights + lane * x.n(), options, first_run + lane);
    return columns;
  }

  SnapshotArgs args(const float *threshold) const {
    return {x_->floats(), v_.data(), norms_.scale(), norms_.slack(),
            threshold,    x_->n(),   x_->ld(),       x_->width()};
  }

  bool advance() {
    bool any = false;
    for (auto &run : runs_) {
      run->advance();
      any = any || !run->finished();
    }
    return any;
  }

  bool wants(std::size_t lane) const { return lane < runs_.size() && !runs_[lane]->finished(); }

  void snapshot(bool first) {
    for (std::size_t i = 0; i < v_.size(); ++i)
      v_[i] = 0.0f;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        runs_[lane]->fill_lane(v_.data(), static_cast<int>(lane));
    double q[kLanes] = {};
    if (first)
      compare_first(q);
    else
      compare(q);
    hand_out(q);
  }

  void compare(double (&q)[kLanes]) {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        q[lane] = runs_[lane]->threshold();
    alignas(64) float threshold[kLanes];
    lower(q, threshold);
    kernels_->snapshot_mask(args(threshold), mask_.data());
  }

  // lambda is not known yet: bound it from below by the largest product, then compare.
  void compare_first(double (&q)[kLanes]) {
    kernels_->snapshot_values(args(nullptr), values_.data());
    const float *scale = norms_.scale(), *slack = norms_.slack();
    double bound[kLanes] = {};
    for (std::size_t at = 0; at < x_->p() * kLanes; ++at) {
      const double c = (std::abs(values_[at]) - slack[at]) / scale[at];
      if (c > bound[at % kLanes])
        bound[at % kLanes] = c;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        q[lane] = runs_[lane]->first_threshold(0.98 * bound[lane]);
    float threshold[kLanes];
    lower(q, threshold);
    for (std::size_t j = 0; j < x_->p(); ++j) {
      unsigned mask = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t at = j * kLanes + lane;
        const float limit = threshold[lane] * scale[at] - slack[at];
        if (std::abs(values_[at]) > limit)
          mask |= 1u << lane;
      }
      mask_[j] = static_cast<std::uint16_t>(mask);
    }
  }

  // Thresholds in float, lowered by what the norms may err; none is passed in an idle lane.
  void lower(const double (&q)[kLanes], float (&threshold)[kLanes]) const {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      threshold[lane] = wants(lane) ? static_cast<float>(q[lane] * (1.0 - 2.0 * norms_.error()))
                                    : std::numeric_limits<float>::max();
  }

  // Bits by feature to features by lane.
  void hand_out(const double (&q)[kLanes]) {
    std::size_t count[kLanes] = {};
    for (std::size_t j = 0; j < x_->p(); ++j)
      for (unsigned mask = mask_[j]; mask != 0; mask &= mask - 1) {
        const std::size_t lane = static_cast<std::size_t>(__builtin_ctz(mask));
        wanted_[lane * x_->p() + count[lane]++] = static_cast<int>(j);
      }
    for (std::size_t lane = 0; lane < runs_.size(); ++lane)
      if (wants(lane))
        runs_[lane]->receive({wanted_.data() + lane * x_->p(), count[lane], q[lane]});
  }

  const PackedMatrix *x_;
  const Kernels *kernels_;
  NormTable norms_;
  AlignedBuffer<float> v_, values_;
  std::vector<std::uint16_t> mask_;
  std::vector<int> wanted_; // up to p features a lane
  std::vector<std::unique_ptr<Replicate>> runs_;
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
