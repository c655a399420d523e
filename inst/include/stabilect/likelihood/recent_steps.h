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
    last.step.resize(step.size());
    last.fall.resize(step.size());
    map(last.step) = step;
    map(last.fall) = fall;
    last.change = change;
    const double product = map(last.step).dot(map(last.fall));
    if (!(product > 1e-12 * map(last.step).norm() * map(last.fall).norm()))
      --n_;
    last.inverse = 1.0 / product;
  }

  // Coordinates have entered, n in all: no step moved them, and multiply(change, fall) adds their
  // products with a change of the residual.
  template <typename Multiply> void extend(Index n, const Multiply &multiply) {
    for (Index k = 0; k < n_; ++k) {
      steps_[k].step.resize(n, 0.0);
      steps_[k].fall.resize(n);
      multiply(steps_[k].change.data(), steps_[k].fall.data());
    }
  }

  // The next step, d; solve(d) divides d by the initial matrix.
  template <typename Solve>
  void direct(const Eigen::VectorXd &score, const Solve &solve, Eigen::VectorXd &d) const {
    d = score;
    double part[kMost];
    for (Index k = n_ - 1; k >= 0; --k) {
      part[k] = steps_[k].inverse * map(steps_[k].step).dot(d);
      d -= part[k] * map(steps_[k].fall);
    }
    solve(d);
    for (Index k = 0; k < n_; ++k)
      d += (part[k] - steps_[k].inverse * map(steps_[k].fall).dot(d)) * map(steps_[k].step);
  }

private:
  static constexpr Index kMost = 6;

  // In arrays, which grow without being moved each time.
  struct Pair {
    Array<double> step, fall;
    Eigen::VectorXd change;
    double inverse;
  };

  static Eigen::Map<Eigen::VectorXd> map(Array<double> &values) {
    return {values.data(), values.size()};
  }
  static Eigen::Map<const Eigen::VectorXd> map(const Array<double> &values) {
    return {values.data(), values.size()};
  }

  Pair steps_[kMost]; // their memory is used again
  Index n_ = 0;
};

} // namespace stabilect

#endif
