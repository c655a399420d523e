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

  // A step, and by how much it made the score and the residual smaller.
  template <typename Step, typename Fall, typename Change>
  void add(const Step &step, const Fall &fall, const Change &change) {
    if (n_ == kMost)
      std::rotate(steps_, steps_ + 1, steps_ + kMost);
    else
      ++n_;
    Pair &last = steps_[n_ - 1];
    last.step = step;
    last.fall = fall;
    last.change = change;
    const double product = last.step.dot(last.fall);
    if (!(product > 1e-12 * last.step.norm() * last.fall.norm()))
      --n_;
    last.inverse = 1.0 / product;
  }

  // Coordinates have entered, n in all: no step moved them, and multiply(change, fall) adds their
  // products with a change of the residual.
  template <typename Multiply> void extend(Index n, const Multiply &multiply) {
    for (Index k = 0; k < n_; ++k) {
      const Index before = steps_[k].step.size();
      steps_[k].step.conservativeResize(n);
      steps_[k].step.tail(n - before).setZero();
      multiply(steps_[k].change.data(), steps_[k].fall);
    }
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
    Eigen::VectorXd step, fall, change;
    double inverse;
  };
  Pair steps_[kMost]; // their memory is used again
  Index n_ = 0;
};

} // namespace stabilect

#endif
