#ifndef STABILECT_RECENT_STEPS_H
#define STABILECT_RECENT_STEPS_H

#include <Eigen/Dense>

#include "stabilect/base/array.h"

namespace stabilect {

// What the last steps tell about the second derivatives: the two loops of L-BFGS (Nocedal & Wright
// 2006, algorithm 7.4), with the factor of an earlier point for the initial matrix.
class RecentSteps {
public:
  void clear() { steps_.clear(); }

  // A step, and by how much it made the score smaller.
  void add(const Eigen::VectorXd &step, const Eigen::VectorXd &fall) {
    const double product = step.dot(fall);
    if (!(product > 1e-12 * step.norm() * fall.norm()))
      return;
    if (steps_.size() == kMost)
      steps_.erase(steps_.begin());
    steps_.push_back({step, fall, 1.0 / product});
  }

  // solve(d) divides d by the initial matrix.
  template <typename Solve>
  Eigen::VectorXd direction(const Eigen::VectorXd &score, const Solve &solve) const {
    Eigen::VectorXd d = score;
    Array<double> part(steps_.size());
    for (Index k = steps_.size() - 1; k >= 0; --k) {
      part[k] = steps_[k].inverse * steps_[k].step.dot(d);
      d -= part[k] * steps_[k].fall;
    }
    solve(d);
    for (Index k = 0; k < steps_.size(); ++k)
      d += (part[k] - steps_[k].inverse * steps_[k].fall.dot(d)) * steps_[k].step;
    return d;
  }

private:
  static constexpr Index kMost = 6;

  struct Step {
    Eigen::VectorXd step, fall;
    double inverse;
  };
  Array<Step> steps_;
};

} // namespace stabilect

#endif
