#ifndef STABILECT_RECENT_STEPS_H
#define STABILECT_RECENT_STEPS_H

#include <Eigen/Dense>

#include <algorithm>

#include "stabilect/base/array.h"

namespace stabilect {

// What the last steps tell about the second derivatives: the two loops of L-BFGS (Nocedal & Wright
// 2006, algorithm 7.4), with the factor of an earlier point for the initial matrix.
class RecentSteps {
public:
  void clear() { n_ = 0; }

  // A step, and by how much it made the score smaller.
  template <typename Step, typename Fall> void add(const Step &step, const Fall &fall) {
    if (n_ == kMost)
      std::rotate(steps_, steps_ + 1, steps_ + kMost);
    else
      ++n_;
    Pair &last = steps_[n_ - 1];
    last.step = step;
    last.fall = fall;
    const double product = last.step.dot(last.fall);
    if (!(product > 1e-12 * last.step.norm() * last.fall.norm()))
      --n_;
    last.inverse = 1.0 / product;
  }

  // The next step, d; solve(d) divides d by the initial matrix.
  template <typename Solve>
  void direct(const Eigen::VectorXd &score, const Solve &solve, Eigen::VectorXd &d) const {
    d = score;
    double part[kMost];
    for (Index k = n_ - 1; k >= 0; --k) {
      part[k] = steps_[k].inverse * steps_[k].step.dot(d);
      d -= part[k] * steps_[k].fall;
    }
    solve(d);
    for (Index k = 0; k < n_; ++k)
      d += (part[k] - steps_[k].inverse * steps_[k].fall.dot(d)) * steps_[k].step;
  }

private:
  static constexpr Index kMost = 6;

  struct Pair {
    Eigen::VectorXd step, fall;
    double inverse;
  };
  Pair steps_[kMost]; // their memory is used again
  Index n_ = 0;
};

} // namespace stabilect

#endif
