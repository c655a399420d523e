#ifndef STABILECT_CLASS_GROUP_H
#define STABILECT_CLASS_GROUP_H

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/likelihood/class_search.h"
#include "stabilect/likelihood/followed_path.h"
#include "stabilect/path/lars_batch.h"

namespace stabilect {

// Runs with several classes that share their snapshots. Every run has a residual for each contrast
// of the classes, hence as many lanes; a run with more contrasts than lanes needs several passes
// over the packed matrix.
class ClassGroup : public RunGroup<FollowedPath<ClassSearch>> {
public:
  template <typename Make>
  ClassGroup(const PackedMatrix &x, Array<PathColumns> columns, const LarsOptions &options,
             GroupScratch &scratch, const Make &make)
      : RunGroup(x, std::move(columns), options, scratch, make),
        width_(runs_[0]->lookout().width()), squares_(x.p() * runs_.size()) {}

private:
  void snapshot(bool first) override {
    std::fill(squares_.begin(), squares_.end(), 0.0f);
    for (Index from = 0; from < runs_.size() * width_; from += kLanes)
      add_lanes(from, std::min<Index>(kLanes, runs_.size() * width_ - from));
    for (Index r = 0; r < runs_.size(); ++r)
      if (!runs_[r]->finished())
        hand_out(r, first);
  }

  // Squares of the products of these lanes, added up by run.
  void add_lanes(Index from, Index n) {
    clear_residuals();
    for (Index lane = 0; lane < n; ++lane) {
      const Index r = (from + lane) / width_;
      if (!runs_[r]->finished())
        runs_[r]->lookout().fill_lane(scratch_->v.data(), lane, (from + lane) % width_);
    }
    kernels_->snapshot_values(args(nullptr), scratch_->values.data());
    for (Index j = 0; j < x_->p(); ++j)
      for (Index lane = 0; lane < n; ++lane) {
        const float value = scratch_->values[j * kLanes + lane];
        squares_[j * runs_.size() + (from + lane) / width_] += value * value;
      }
  }

  // Gives run r the features above its threshold. The slack of a column bounds the rounding error
  // of a product with a vector of norm one. By the triangle inequality it also bounds the error of
  // the norm of products with a matrix of norm one. The sum of squares has a relative error of 2
  // width / 2^24.
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

  Index width_;
  Array<float> squares_; // p x runs
};

} // namespace stabilect

#endif
