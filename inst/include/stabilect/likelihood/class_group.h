#ifndef STABILECT_CLASS_GROUP_H
#define STABILECT_CLASS_GROUP_H

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "stabilect/likelihood/class_search.h"
#include "stabilect/likelihood/followed_path.h"
#include "stabilect/path/lars_batch.h"

namespace stabilect {

// Runs with several classes that share their snapshots. Every run has a residual for each contrast
// of the classes, hence as many lanes; a run with more contrasts than there are lanes takes several
// passes over the packed matrix.
class ClassGroup {
public:
  using Run = FollowedPath<ClassSearch>;

  // make(lane, columns, norms) returns the run.
  template <typename Make>
  ClassGroup(const PackedMatrix &x, Array<PathColumns> columns, Index width,
             const LarsOptions &options, GroupScratch &scratch, const Make &make)
      : x_(&x), kernels_(&kernels(options.kernel_width)), scratch_(&scratch), width_(width),
        squares_(x.p() * columns.size()) {
    scratch.norms.compute(columns, options, *kernels_);
    for (Index r = 0; r < columns.size(); ++r)
      runs_.push_back(make(r, std::move(columns[r]), scratch.norms.lane(r)));
  }

  // Advances all runs to their ends; false when asked to stop on the way.
  template <typename Part> bool run(const Runtime &runtime, const Part &part) {
    snapshot(true);
    for (;;) {
      bool any = false;
      double done = 0.0;
      for (auto &run : runs_) {
        run->advance();
        any = any || !run->finished();
        done += run->share_done() / runs_.size();
      }
      if (!any)
        return true;
      if (runtime.stop_requested())
        return false;
      part(done);
      snapshot(false);
    }
  }

  LikelihoodPath take_path(Index r) { return runs_[r]->take_path(); }

private:
  void snapshot(bool first) {
    std::fill(squares_.begin(), squares_.end(), 0.0f);
    for (Index from = 0; from < runs_.size() * width_; from += kLanes)
      add_lanes(from, std::min<Index>(kLanes, runs_.size() * width_ - from));
    for (Index r = 0; r < runs_.size(); ++r)
      if (!runs_[r]->finished())
        hand_out(r, first);
  }

  // Squares of the products of so many lanes, added up by run.
  void add_lanes(Index from, Index n) {
    AlignedBuffer<float> &v = scratch_->v;
    for (Index i = 0; i < v.size(); ++i)
      v[i] = 0.0f;
    for (Index lane = 0; lane < n; ++lane) {
      const Index r = (from + lane) / width_;
      if (!runs_[r]->finished())
        runs_[r]->lookout().fill_lane(v.data(), lane, (from + lane) % width_);
    }
    const SnapshotArgs args = {x_->floats(),
                               v.data(),
                               scratch_->norms.scale(),
                               scratch_->norms.slack(),
                               nullptr,
                               x_->n(),
                               x_->ld(),
                               x_->width()};
    kernels_->snapshot_values(args, scratch_->values.data());
    for (Index j = 0; j < x_->p(); ++j)
      for (Index lane = 0; lane < n; ++lane) {
        const float value = scratch_->values[j * kLanes + lane];
        squares_[j * runs_.size() + (from + lane) / width_] += value * value;
      }
  }

  // To run r the features above its threshold. The slack of a column bounds the rounding error of a
  // product with a vector of norm one; by the triangle inequality it bounds that of the norm of
  // products with a matrix of norm one, too, and the sum of squares errs by a relative 2 width /
  // 2^24.
  void hand_out(Index r, bool first) {
    const LaneNorms norms = scratch_->norms.lane(r);
    const double sums = 1.0 + (width_ + 4) * 1.2e-7;
    const auto product = [&](Index j) {
      return static_cast<float>(std::sqrt(squares_[j * runs_.size() + r]) * sums);
    };
    Run &run = *runs_[r];
    double q = first ? 0.0 : run.lookout().threshold();
    if (first) {
      double largest = 0.0;
      for (Index j = 0; j < x_->p(); ++j) {
        const int at = static_cast<int>(j);
        largest = std::max(largest,
                           (product(j) / (sums * sums) - norms.slack_of(at)) / norms.scale_of(at));
      }
      q = run.lookout().first_threshold(0.98 * largest);
    }
    const double limit = q * (1.0 - 2.0 * norms.error);
    run.begin_snapshot(q);
    for (Index j = 0; j < x_->p(); ++j) {
      const int at = static_cast<int>(j);
      if (product(j) + norms.slack_of(at) > limit * norms.scale_of(at))
        run.receive(at, product(j));
    }
    run.end_snapshot();
  }

  const PackedMatrix *x_;
  const Kernels *kernels_;
  GroupScratch *scratch_;
  Index width_;
  Array<float> squares_; // p x runs
  Array<std::unique_ptr<Run>> runs_;
};

// As run_lanes(), for several classes.
template <typename Consume>
void run_class_paths(const PackedMatrix &x, const Outcomes &outcomes, const ConstMatrix &z,
                     const ConstMatrix &weights, const LikelihoodOptions &options,
                     const Runtime &runtime, const Consume &consume) {
  const Index n_runs = weights.cols();
  const Index width = outcomes.n_classes - 1;
  // As many runs as lanes serve, but no fewer groups than threads.
  const Index most = std::max<Index>(1, kLanes / width);
  const Index threads = std::max(1, runtime.n_threads);
  const Index rounds = (n_runs + most * threads - 1) / (most * threads);
  const Index n_groups = std::min(n_runs, rounds * threads);
  ScratchPool pool(x);
  run_long_tasks(n_groups, runtime, [&](Index g, const std::function<void(double)> &part) {
    const Index from = g * n_runs / n_groups, to = (g + 1) * n_runs / n_groups;
    const ScratchPool::Loan scratch(pool);
    Array<PathColumns> columns;
    for (Index run = from; run < to; ++run)
      columns.emplace_back(x, weights.data() + run * x.n(), options.columns, run);
    ClassGroup group(x, std::move(columns), width, options.columns, *scratch,
                     [&](Index, PathColumns own, const LaneNorms &norms) {
                       const double unit = std::sqrt(own.total_weight());
                       return std::unique_ptr<ClassGroup::Run>(
                           new ClassGroup::Run(options, unit, std::move(own), outcomes, z, norms,
                                               kernels(options.columns.kernel_width)));
                     });
    if (!group.run(runtime, part))
      return;
    for (Index run = from; run < to; ++run)
      consume(run, group.take_path(run - from));
  });
}

} // namespace stabilect

#endif
