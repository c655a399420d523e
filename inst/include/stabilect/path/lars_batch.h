#ifndef STABILECT_LARS_BATCH_H
#define STABILECT_LARS_BATCH_H

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>

#include "stabilect/base/runtime.h"
#include "stabilect/path/replicate.h"

namespace stabilect {

// Memory of a group, in sizes of the data; reused by one group after the other, since fresh memory
// costs more than the computation in it.
struct GroupScratch {
  NormTable norms;
  AlignedBuffer<float> v, values; // n and p rows, of kLanes
  Array<std::uint16_t> mask;

  explicit GroupScratch(const PackedMatrix &x)
      : norms(x), v(x.n() * kLanes), values(x.width() * kLanes), mask(x.width()) {}
};

// One scratch for each active group.
class ScratchPool {
public:
  explicit ScratchPool(const PackedMatrix &x) : x_(&x) {}

  class Lease {
  public:
    explicit Lease(ScratchPool &pool) : pool_(&pool), scratch_(pool.take()) {}
    ~Lease() { pool_->give(std::move(scratch_)); }
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
    GroupScratch &operator*() const { return *scratch_; }

  private:
    ScratchPool *pool_;
    std::unique_ptr<GroupScratch> scratch_;
  };

private:
  std::unique_ptr<GroupScratch> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty())
      return std::unique_ptr<GroupScratch>(new GroupScratch(*x_));
    std::unique_ptr<GroupScratch> scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }
  void give(std::unique_ptr<GroupScratch> scratch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(scratch));
  }

  const PackedMatrix *x_;
  std::mutex mutex_;
  Array<std::unique_ptr<GroupScratch>> free_;
};

// Runs that share their snapshots: one pass over the packed matrix serves all. Runs do not advance
// together; each goes on until it needs a snapshot. A `Run` has finished(), share_done(),
// advance(), screen_guard() (fill_lane(), first_threshold(), threshold()), begin_snapshot(),
// receive(), end_snapshot() and take_path().
//
// Snapshots are computed in float; `slack`, a bound of their rounding error (lane_norms.h), is
// added before comparing.
template <typename AnyRun> class RunGroup {
public:
  using Run = AnyRun;

  // make(r, columns, norms) returns run r of the group.
  template <typename Make>
  RunGroup(const PackedMatrix &x, Array<PathColumns> columns, const LarsOptions &options,
           GroupScratch &scratch, const Make &make)
      : x_(&x), kernels_(&kernels(options.kernel_width)), scratch_(&scratch) {
    scratch.norms.compute(columns, options, *kernels_);
    for (Index r = 0; r < columns.size(); ++r)
      runs_.emplace_back(make(r, std::move(columns[r]), scratch.norms.lane(r)));
  }
  virtual ~RunGroup() = default;

  // Advances all runs to their ends, and tells part() the progress; false if asked to stop.
  bool run(const Runtime &runtime, const std::function<void(double)> &part) {
    snapshot(true);
    while (advance()) {
      if (runtime.stop_requested())
        return false;
      part(share_done());
      snapshot(false);
    }
    return true;
  }

  auto take_path(Index r) { return runs_[r]->take_path(); }

protected:
  // Takes a snapshot of the residuals in the scratch, and gives its findings to the runs.
  virtual void snapshot(bool first) = 0;

  SnapshotArgs args(const float *threshold) const {
    const NormTable &norms = scratch_->norms;
    return {x_->floats(), scratch_->v.data(), norms.scale(), norms.slack(), threshold,
            x_->n(),      x_->ld(),           x_->width()};
  }
  void clear_residuals() {
    AlignedBuffer<float> &v = scratch_->v;
    for (Index i = 0; i < v.size(); ++i)
      v[i] = 0.0f;
  }

  const PackedMatrix *x_;
  const Kernels *kernels_;
  GroupScratch *scratch_;
  Array<std::unique_ptr<Run>> runs_;

private:
  bool advance() {
    bool any = false;
    for (auto &run : runs_) {
      run->advance();
      any = any || !run->finished();
    }
    return any;
  }

  double share_done() const {
    double sum = 0.0;
    for (const auto &run : runs_)
      sum += run->share_done();
    return sum / runs_.size();
  }
};

// Up to kLanes runs, each with one residual.
template <typename Run> class LaneGroup : public RunGroup<Run> {
public:
  using RunGroup<Run>::RunGroup;

private:
  using RunGroup<Run>::x_;
  using RunGroup<Run>::kernels_;
  using RunGroup<Run>::scratch_;
  using RunGroup<Run>::runs_;
  using RunGroup<Run>::args;

  bool wants(Index lane) const { return lane < runs_.size() && !runs_[lane]->finished(); }

  void snapshot(bool first) override {
    this->clear_residuals();
    for (Index lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        runs_[lane]->screen_guard().fill_lane(scratch_->v.data(), lane);
    double q[kLanes] = {};
    if (first)
      compare_first(q);
    else
      compare(q);
    hand_out(q);
  }

  void compare(double (&q)[kLanes]) {
    for (Index lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        q[lane] = runs_[lane]->screen_guard().threshold();
    alignas(64) float threshold[kLanes];
    lower(q, threshold);
    kernels_->snapshot(args(threshold), scratch_->mask.data(), scratch_->values.data());
  }

  // lambda is not known yet: bound it from below by the largest product, then compare.
  void compare_first(double (&q)[kLanes]) {
    float *values = scratch_->values.data();
    kernels_->snapshot_values(args(nullptr), values);
    const float *scale = scratch_->norms.scale(), *slack = scratch_->norms.slack();
    double bound[kLanes] = {};
    for (Index at = 0; at < x_->p() * kLanes; ++at) {
      const double c = (std::abs(values[at]) - slack[at]) / scale[at];
      if (c > bound[at % kLanes])
        bound[at % kLanes] = c;
    }
    for (Index lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        q[lane] = runs_[lane]->screen_guard().first_threshold(0.98 * bound[lane]);
    float threshold[kLanes];
    lower(q, threshold);
    for (Index j = 0; j < x_->p(); ++j) {
      unsigned mask = 0;
      for (Index lane = 0; lane < kLanes; ++lane) {
        const Index at = j * kLanes + lane;
        const float limit = threshold[lane] * scale[at] - slack[at];
        if (std::abs(values[at]) > limit)
          mask |= 1u << lane;
      }
      scratch_->mask[j] = static_cast<std::uint16_t>(mask);
    }
  }

  // Thresholds in float, lowered by the possible error of the norms; idle lanes pass none.
  void lower(const double (&q)[kLanes], float (&threshold)[kLanes]) const {
    const double factor = 1.0 - 2.0 * scratch_->norms.error();
    for (Index lane = 0; lane < kLanes; ++lane)
      threshold[lane] =
          wants(lane) ? static_cast<float>(q[lane] * factor) : std::numeric_limits<float>::max();
  }

  void hand_out(const double (&q)[kLanes]) {
    for (Index lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        runs_[lane]->begin_snapshot(q[lane]);
    for (Index j = 0; j < x_->p(); ++j)
      for (unsigned mask = scratch_->mask[j]; mask != 0; mask &= mask - 1) {
        const Index lane = __builtin_ctz(mask);
        runs_[lane]->receive(static_cast<int>(j), scratch_->values[j * kLanes + lane]);
      }
    for (Index lane = 0; lane < kLanes; ++lane)
      if (wants(lane))
        runs_[lane]->end_snapshot();
  }
};

// The same number of groups for every thread, with sizes that differ by one and are at most `most`.
inline Index group_count(Index n_runs, Index most, int n_threads) {
  const Index threads = std::max(1, n_threads);
  const Index rounds = (n_runs + most * threads - 1) / (most * threads);
  return std::min(n_runs, rounds * threads);
}

// Receives the path of run b: consume(b, path), once, on any thread.
template <typename Path> using PathConsumer = std::function<void(Index, Path)>;

// Runs on many resamples of one matrix, in groups of at most `most`. Column b of `weights` (n x B)
// weights the samples in run b: in-bag counts, or any non-negative weights. make(b, columns, norms)
// returns run b, on any thread.
template <typename Group, typename Make, typename Path>
void run_in_groups(const PackedMatrix &x, const ConstMatrix &weights, const LarsOptions &options,
                   Index most, const Runtime &runtime, const Make &make,
                   const PathConsumer<Path> &consume) {
  const Index n_runs = weights.cols();
  if (!factors_fit(options, x.p(), n_runs))
    throw Error("there must be one factor for each column, or for each block in each run");
  if (options.ties)
    check_ties(*options.ties, x.p(), n_runs);
  const Index n_groups = group_count(n_runs, most, runtime.n_threads);
  ScratchPool pool(x);
  run_long_tasks(n_groups, runtime, [&](Index g, const std::function<void(double)> &part) {
    const Index from = g * n_runs / n_groups, to = (g + 1) * n_runs / n_groups;
    const ScratchPool::Lease scratch(pool);
    Array<PathColumns> columns;
    columns.reserve(to - from);
    for (Index run = from; run < to; ++run)
      columns.emplace_back(x, weights.data() + run * x.n(), options, run);
    Group group(x, std::move(columns), options, *scratch,
                [&](Index r, PathColumns own, const LaneNorms &norms) {
                  return make(from + r, std::move(own), norms);
                });
    if (!group.run(runtime, part))
      return;
    for (Index run = from; run < to; ++run)
      consume(run, group.take_path(run - from));
  });
}

// Lasso paths on many resamples. `y` has one column, or one per run.
inline void run_paths(const PackedMatrix &x, const ConstMatrix &y, const ConstMatrix &weights,
                      const LarsOptions &options, const Runtime &runtime,
                      const PathConsumer<LarsPath> &consume) {
  const Index stride = y.cols() == 1 ? 0 : x.n();
  const auto make = [&](Index run, PathColumns columns, const LaneNorms &norms) {
    return new Replicate(x, std::move(columns), y.data() + run * stride, norms, options,
                         kernels(options.kernel_width));
  };
  run_in_groups<LaneGroup<Replicate>>(x, weights, options, kLanes, runtime, make, consume);
}

} // namespace stabilect

#endif
