#ifndef STABILECT_SNAPSHOT_GROUP_H
#define STABILECT_SNAPSHOT_GROUP_H

#include <algorithm>

#include "stabilect/likelihood/followed_path.h"
#include "stabilect/path/lars_batch.h"

namespace stabilect {

// Runs that share their snapshots: the directions of all runs are put side by side, as many as
// there are lanes in a pass over the packed matrix.
template <typename Likelihood> class SnapshotGroup : public RunGroup<FollowedPath<Likelihood>> {
public:
  using Run = FollowedPath<Likelihood>;
  using RunGroup<Run>::RunGroup;

private:
  using RunGroup<Run>::x_;
  using RunGroup<Run>::scratch_;
  using RunGroup<Run>::runs_;

  struct Wanted {
    Run *run;
    Index direction;
  };

  void snapshot(bool) override {
    Array<Wanted> wanted;
    for (auto &run : runs_)
      for (Index k = 0; k < run->n_directions(); ++k)
        wanted.push_back({run.get(), k});
    for (Index from = 0; from < wanted.size(); from += kLanes)
      pass(wanted, from, std::min(kLanes, wanted.size() - from));
    for (auto &run : runs_)
      if (!run->finished())
        run->end_snapshot();
  }

  void pass(const Array<Wanted> &wanted, Index from, Index n) {
    this->clear_residuals();
    for (Index lane = 0; lane < n; ++lane)
      wanted[from + lane].run->fill_direction(wanted[from + lane].direction,
                                              scratch_->v.data() + lane, kLanes);
    STABILECT_AT_WIDTH(0, lane_products)
    (x_->floats(), x_->ld(), x_->n(), x_->width(), scratch_->v.data(), scratch_->values.data());
    for (Index lane = 0; lane < n; ++lane)
      wanted[from + lane].run->receive(wanted[from + lane].direction,
                                       scratch_->values.data() + lane, kLanes);
  }
};

// One run takes its own snapshots, two directions in a pass.
template <typename Likelihood>
void run_alone(const PackedMatrix &x, FollowedPath<Likelihood> &run, const Runtime &runtime,
               const std::function<void(double)> &part) {
  AlignedBuffer<float> v(2 * x.ld()), values(2 * x.p());
  float *second = v.data() + x.ld(), *products = values.data() + x.p();
  while (!run.finished() && !runtime.stop_requested()) {
    const Index n = run.n_directions();
    for (Index k = 0; k < n; k += 2) {
      run.fill_direction(k, v.data(), 1);
      if (k + 1 < n) {
        run.fill_direction(k + 1, second, 1);
        STABILECT_AT_WIDTH(0, pair_products)
        (x.floats(), x.ld(), nullptr, x.p(), v.data(), second, values.data(), products);
      } else {
        STABILECT_AT_WIDTH(0, float_products)
        (x.floats(), x.ld(), nullptr, x.p(), v.data(), values.data());
      }
      run.receive(k, values.data(), 1);
      if (k + 1 < n)
        run.receive(k + 1, products, 1);
    }
    run.end_snapshot();
    run.advance();
    part(run.share_done());
  }
}

} // namespace stabilect

#endif
