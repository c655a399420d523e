#ifndef STABILECT_SOLVE_HINGE_H
#define STABILECT_SOLVE_HINGE_H

// The dual of hinge loss, which has no curvature: alpha_i in [0, c_i], beta_i = y_i alpha_i.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/predict/newton.h"

namespace stabilect {

// A linear classifier through the inner products of the samples: f = K beta + intercept.
struct DualFit {
  Eigen::VectorXd beta;
  double intercept = 0.0; // where it is free
  NewtonEnd end;
};

namespace hinge_detail {

constexpr double kTolerance = 1e-9;
constexpr int kMaxSweeps = 20000;

inline Eigen::VectorXd start_alpha(const LinearProblem &problem, const DualFit &start) {
  if (start.beta.size() == problem.y.size())
    return start.beta.cwiseProduct(problem.y);
  return Eigen::VectorXd::Zero(problem.y.size());
}

} // namespace hinge_detail

// Without a free intercept: coordinate ascent until no projected gradient exceeds the tolerance
// (Hsieh et al. 2008, without their random order).
inline DualFit solve_hinge(const Eigen::MatrixXd &gram, const LinearProblem &problem,
                           const DualFit &start) {
  const Eigen::VectorXd &y = problem.y;
  const Eigen::VectorXd cost = problem.cost / problem.lambda;
  DualFit out;
  Eigen::VectorXd alpha = hinge_detail::start_alpha(problem, start);
  Eigen::VectorXd fit = gram * alpha.cwiseProduct(y);
  while (!out.end.converged && out.end.iterations < hinge_detail::kMaxSweeps) {
    ++out.end.iterations;
    out.end.gradient = 0.0;
    for (Index i = 0; i < y.size(); ++i) {
      const double gradient = y[i] * fit[i] - 1.0;
      const bool pressed =
          (alpha[i] <= 0.0 && gradient >= 0.0) || (alpha[i] >= cost[i] && gradient <= 0.0);
      if (pressed || !(gram(i, i) > 0.0))
        continue;
      out.end.gradient = std::max(out.end.gradient, std::abs(gradient));
      const double next = std::min(std::max(alpha[i] - gradient / gram(i, i), 0.0), cost[i]);
      fit += (next - alpha[i]) * y[i] * gram.col(i);
      alpha[i] = next;
    }
    out.end.converged = out.end.gradient <= hinge_detail::kTolerance;
  }
  out.beta = alpha.cwiseProduct(y);
  return out;
}

// With a free intercept, sum_i y_i alpha_i = 0. Two samples move at a time: the largest violator of
// the optimality conditions, and the partner with the largest gain (Fan, Chen and Lin 2005, as in
// LIBSVM). Stops when no two violate them by more than the tolerance.
class HingePairs {
public:
  HingePairs(const Eigen::MatrixXd &gram, const LinearProblem &problem, const DualFit &start)
      : gram_(gram), y_(problem.y), cost_(problem.cost / problem.lambda),
        alpha_(hinge_detail::start_alpha(problem, start)),
        lack_(y_ - gram * alpha_.cwiseProduct(y_)) {}

  DualFit solve() {
    DualFit out;
    const double limit = 1.0 * hinge_detail::kMaxSweeps * y_.size();
    for (double moves = 0.0; moves < limit; ++moves) {
      const Index up = highest();
      const Index down = partner(up);
      out.end.gradient = up < 0 || lowest_ < 0 ? 0.0 : lack_[up] - lack_[lowest_];
      out.end.converged = out.end.gradient <= hinge_detail::kTolerance || down < 0;
      if (out.end.converged)
        break;
      move(up, down);
    }
    out.end.iterations = 1;
    out.beta = alpha_.cwiseProduct(y_);
    // If classes overlap so much that no weights help, w = 0; only rounding is left, which would
    // rank features and samples at random.
    if ((y_ - lack_).cwiseAbs().maxCoeff() <= 1e-7)
      out.beta.setZero();
    out.intercept = intercept();
    return out;
  }

private:
  // Can beta_i grow, or fall?
  bool can_grow(Index i) const { return y_[i] > 0.0 ? alpha_[i] < cost_[i] : alpha_[i] > 0.0; }
  bool can_fall(Index i) const { return y_[i] > 0.0 ? alpha_[i] > 0.0 : alpha_[i] < cost_[i]; }

  Index highest() const {
    Index best = -1;
    for (Index i = 0; i < y_.size(); ++i)
      if (can_grow(i) && (best < 0 || lack_[i] > lack_[best]))
        best = i;
    return best;
  }

  double curvature(Index i, Index k) const {
    const double value = gram_(i, i) + gram_(k, k) - 2.0 * gram_(i, k);
    return value > 0.0 ? value : 1e-12; // equal samples
  }

  Index partner(Index up) {
    Index best = -1;
    double gain = 0.0;
    lowest_ = -1;
    for (Index k = 0; up >= 0 && k < y_.size(); ++k) {
      if (!can_fall(k))
        continue;
      if (lowest_ < 0 || lack_[k] < lack_[lowest_])
        lowest_ = k;
      const double gap = lack_[up] - lack_[k];
      if (gap > 0.0 && gap * gap / curvature(up, k) > gain) {
        gain = gap * gap / curvature(up, k);
        best = k;
      }
    }
    return best;
  }

  void move(Index up, Index down) {
    const double room_up = y_[up] > 0.0 ? cost_[up] - alpha_[up] : alpha_[up];
    const double room_down = y_[down] > 0.0 ? alpha_[down] : cost_[down] - alpha_[down];
    const double wanted = (lack_[up] - lack_[down]) / curvature(up, down);
    const double step = std::min(wanted, std::min(room_up, room_down));
    // Exactly at the bounds.
    set(up, step == room_up, y_[up] * step);
    set(down, step == room_down, -y_[down] * step);
    lack_ -= step * (gram_.col(up) - gram_.col(down));
  }

  void set(Index i, bool at_bound, double change) {
    alpha_[i] = at_bound ? (change > 0.0 ? cost_[i] : 0.0) : alpha_[i] + change;
  }

  // y_i f_i = 1 for samples between the bounds; else the middle of what is possible.
  double intercept() const {
    double sum = 0.0, low = -std::numeric_limits<double>::infinity(), high = -low;
    Index free = 0;
    for (Index i = 0; i < y_.size(); ++i) {
      if (can_grow(i) && can_fall(i)) {
        sum += lack_[i];
        ++free;
      } else if (can_grow(i)) {
        low = std::max(low, lack_[i]);
      } else if (can_fall(i)) { // not with cost 0
        high = std::min(high, lack_[i]);
      }
    }
    if (free > 0)
      return sum / free;
    if (std::isfinite(low) && std::isfinite(high))
      return 0.5 * (low + high);
    return std::isfinite(low) ? low : high;
  }

  const Eigen::MatrixXd &gram_;
  const Eigen::VectorXd &y_;
  Eigen::VectorXd cost_, alpha_, lack_; // lack: y - K beta
  Index lowest_ = -1;
};

inline DualFit solve_hinge_pairs(const Eigen::MatrixXd &gram, const LinearProblem &problem,
                                 const DualFit &start) {
  return HingePairs(gram, problem, start).solve();
}

} // namespace stabilect

#endif
