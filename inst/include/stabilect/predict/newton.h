#ifndef STABILECT_NEWTON_H
#define STABILECT_NEWTON_H

// Newton's method with step halving for losses with a second derivative, in any coordinates of the
// weights.

#include <utility>

#include "stabilect/predict/loss.h"

namespace stabilect {

// Coordinates of the weights, the last one the intercept, with what follows from them.
struct NewtonPoint {
  Eigen::VectorXd coordinates, fit;
  Eigen::VectorXd pull, curvature; // derivatives of the loss in the fit, the first one with minus
  double value = 0.0;              // of the objective
};

struct NewtonEnd {
  double value = 0.0;
  double gradient = 0.0; // the largest element, as a share of its largest part
  int iterations = 0;
  bool converged = false;
};

template <typename Loss>
double sum_loss(const LinearProblem &problem, const Loss &loss, NewtonPoint *point) {
  const Index n = problem.y.size();
  point->pull.resize(n);
  point->curvature.resize(n);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    const LossValue at = loss(problem.y[i] * point->fit[i]);
    sum += problem.cost[i] * at.value;
    point->pull[i] = -problem.cost[i] * problem.y[i] * at.slope;
    point->curvature[i] = problem.cost[i] * at.curvature;
  }
  return sum;
}

// The loss of a point's fit: its sum is returned, its derivatives are set.
inline double evaluate_loss(const LinearProblem &problem, NewtonPoint *point) {
  if (problem.loss == LinearLoss::logistic)
    return sum_loss(
        problem, [](double margin) { return logistic_loss(margin); }, point);
  return sum_loss(
      problem, [](double margin) { return squared_hinge_loss(margin); }, point);
}

// `Problem` has penalty(point), gradient(point) (as in NewtonEnd) and target(point): coordinates
// and fit of the minimum of the quadratic model. `at` has coordinates and fit at the start and then
// at the end.
template <typename Problem>
NewtonEnd minimise_newton(const LinearProblem &loss, Problem &problem, NewtonPoint *at) {
  const auto evaluate = [&](NewtonPoint *point) {
    point->value = evaluate_loss(loss, point) + problem.penalty(*point);
  };
  NewtonEnd end;
  evaluate(at);
  while (!end.converged && end.iterations < 200) {
    end.gradient = problem.gradient(*at);
    if ((end.converged = end.gradient <= 1e-12))
      break;
    ++end.iterations;
    NewtonPoint next = problem.target(*at);
    evaluate(&next);
    // The objective is a sum with rounding errors.
    const double limit = at->value * (1.0 + 1e-14);
    double length = 1.0;
    while (!(next.value <= limit) && length > 1e-9) {
      length *= 0.5;
      next.coordinates = 0.5 * (next.coordinates + at->coordinates);
      next.fit = 0.5 * (next.fit + at->fit);
      evaluate(&next);
    }
    if (!(next.value <= limit))
      break;
    // If no curvature has changed, the quadratic model was exact.
    end.converged = length == 1.0 && (next.curvature == at->curvature ||
                                      at->value - next.value <= 1e-15 * at->value);
    std::swap(*at, next);
  }
  end.gradient = problem.gradient(*at);
  end.converged = end.converged || end.gradient <= 1e-8;
  end.value = at->value;
  return end;
}

} // namespace stabilect

#endif
