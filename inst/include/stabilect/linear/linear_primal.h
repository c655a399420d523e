#ifndef STABILECT_LINEAR_PRIMAL_H
#define STABILECT_LINEAR_PRIMAL_H

// Linear classifiers in the coordinates of their features, for fewer features than samples.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "stabilect/base/types.h"

namespace stabilect {

struct PrimalFit {
  Eigen::VectorXd weights; // the last one: of the constant feature
  int iterations = 0;
  bool converged = false;
};

namespace primal_detail {

// The loss of a sample as a function of its margin y f, with two derivatives.
struct LossValue {
  double value, slope, curvature;
};

inline LossValue squared_hinge(double margin) {
  const double lack = std::max(0.0, 1.0 - margin);
  return {lack * lack, -2.0 * lack, lack > 0.0 ? 2.0 : 0.0};
}

inline LossValue logistic(double margin) {
  const double wrong = 1.0 / (1.0 + std::exp(margin));
  // The floor keeps the system definite and does not move the minimum.
  return {std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin))), -wrong,
          std::max(wrong * (1.0 - wrong), 1e-12)};
}

class Problem {
public:
  Problem(const Eigen::MatrixXd &basis, const Eigen::VectorXd &y, const Eigen::VectorXd &cost,
          const Eigen::VectorXd &penalty, LossValue (*loss)(double))
      : basis_(basis), y_(y), cost_(cost), penalty_(penalty), loss_(loss) {}

  double objective(const Eigen::VectorXd &w) const {
    const Eigen::VectorXd fit = basis_ * w;
    double sum = 0.5 * penalty_.dot(w.cwiseAbs2());
    for (Index i = 0; i < y_.size(); ++i)
      sum += cost_[i] * loss_(y_[i] * fit[i]).value;
    return sum;
  }

  // Newton's step from w; returns false where the gradient is rounding.
  bool step(const Eigen::VectorXd &w, Eigen::VectorXd *out) const {
    const Eigen::VectorXd fit = basis_ * w;
    Eigen::VectorXd slope(y_.size()), curvature(y_.size());
    for (Index i = 0; i < y_.size(); ++i) {
      const LossValue at = loss_(y_[i] * fit[i]);
      slope[i] = cost_[i] * y_[i] * at.slope;
      curvature[i] = cost_[i] * at.curvature;
    }
    const Eigen::VectorXd gradient = basis_.transpose() * slope + penalty_.cwiseProduct(w);
    const double size = (basis_.cwiseAbs().transpose() * slope.cwiseAbs()).maxCoeff();
    if (!(gradient.cwiseAbs().maxCoeff() > 1e-13 * size))
      return false;
    const Eigen::MatrixXd scaled = curvature.cwiseSqrt().asDiagonal() * basis_;
    Eigen::MatrixXd hessian = penalty_.asDiagonal();
    hessian.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
    *out = hessian.selfadjointView<Eigen::Lower>().llt().solve(-gradient);
    return true;
  }

private:
  const Eigen::MatrixXd &basis_;
  const Eigen::VectorXd &y_, &cost_, &penalty_;
  LossValue (*loss_)(double);
};

} // namespace primal_detail

// min sum_i c_i loss(y_i w'b_i) + sum_j penalty_j w_j^2 / 2: Newton's method with step halving,
// until the gradient is rounding or a step gains nothing. `basis`: features in columns, the last
// one constant. `start`: weights to start from.
inline PrimalFit solve_primal(const Eigen::MatrixXd &basis, const Eigen::VectorXd &y,
                              const Eigen::VectorXd &cost, const Eigen::VectorXd &penalty,
                              bool is_logistic, const Eigen::VectorXd &start) {
  const primal_detail::Problem problem(basis, y, cost, penalty,
                                       is_logistic ? primal_detail::logistic
                                                   : primal_detail::squared_hinge);
  PrimalFit out;
  out.weights = start;
  double value = problem.objective(start);
  Eigen::VectorXd step;
  while (!out.converged && out.iterations < 200) {
    if (!problem.step(out.weights, &step)) {
      out.converged = true;
      break;
    }
    ++out.iterations;
    double length = 1.0, next = problem.objective(out.weights + step);
    while (!(next <= value * (1.0 + 1e-14)) && length > 1e-9)
      next = problem.objective(out.weights + (length *= 0.5) * step);
    if (!(next <= value * (1.0 + 1e-14)))
      break;
    out.weights += length * step;
    out.converged = length == 1.0 && value - next <= 1e-15 * value;
    value = next;
  }
  return out;
}

} // namespace stabilect

#endif
