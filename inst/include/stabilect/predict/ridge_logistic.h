#ifndef STABILECT_RIDGE_LOGISTIC_H
#define STABILECT_RIDGE_LOGISTIC_H

// Ridge-logistic regression of all samples or of all but one, with weights, for final models.

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/predict/left_out.h"
#include "stabilect/predict/machines.h"

namespace stabilect {

struct RidgeLogisticFit {
  // On the original scale of the features.
  double intercept = 0.0;
  Eigen::VectorXd coefficients;
  // Standard deviations: coefficient * scale is the standardised coefficient.
  Eigen::VectorXd scale;
  NewtonEnd end;
};

namespace ridge_logistic_detail {

inline void check_input(const ConstMatrix &x, const ConstVector &y, const ConstVector &weights,
                        double lambda) {
  if (y.size() != x.rows() || weights.size() != x.rows())
    throw Error("y and weights must have one value per row of x");
  if (!(lambda > 0.0))
    throw Error("lambda must be positive");
  if (!(weights.array() >= 0.0).all())
    throw Error("weights must not be negative");
  if (!((y.array() == 0.0) || (y.array() == 1.0)).all())
    throw Error("y must be 0 or 1");
  const double ones = weights.dot(y);
  if (!(ones > 0.0 && ones < weights.sum()))
    throw Error("y must have both classes with positive weight");
}

inline RidgeLogisticFit fit(const ConstMatrix &x, const ConstVector &y, const ConstVector &weights,
                            const Array<int> &set, double lambda) {
  LinearOptions options;
  options.loss = LinearLoss::logistic;
  options.penalty = lambda;
  options.free_intercept = true;
  const Index k = set.size();
  const LinearSamples samples(x, weights, set, Eigen::VectorXd::Ones(k), Scaling::sd);
  Array<int> codes(y.size());
  for (Index i = 0; i < y.size(); ++i)
    codes[i] = y[i] > 0.0;
  Machines machines(samples, codes, 2, options);
  machines.fit();
  const LinearWeights on_x = machines.on_scale_of_x();
  RidgeLogisticFit out;
  out.intercept = on_x.constants[0];
  out.coefficients = on_x.weights.col(0);
  out.scale.resize(k);
  for (Index j = 0; j < k; ++j)
    out.scale[j] = samples.factor(j) > 0.0 ? 1.0 / samples.factor(j) : 0.0;
  out.end = machines[0].end;
  return out;
}

} // namespace ridge_logistic_detail

// Minimises -sum_i w_i loglik_i + (lambda / 2) |beta|^2 with beta of the standardised features
// (weighted, divisor sum of weights) and a free intercept; y is 0 or 1. lambda is the precision of
// a normal prior on each standardised coefficient. A constant column has coefficient 0.
inline RidgeLogisticFit fit_ridge_logistic(const ConstMatrix &x, const ConstVector &y,
                                           const ConstVector &weights, double lambda = 1.0) {
  ridge_logistic_detail::check_input(x, y, weights, lambda);
  Array<int> all(x.cols());
  std::iota(all.begin(), all.end(), 0);
  return ridge_logistic_detail::fit(x, y, weights, all, lambda);
}

// Log odds of samples from models that have not seen them; see predict_left_out(). Infinite if
// all other samples have one class.
inline Eigen::VectorXd loo_ridge_logistic(const ConstMatrix &x, const ConstVector &y,
                                          const Array<Array<int>> &sets,
                                          const Array<Array<int>> &left_out,
                                          const Array<Array<int>> &predicted, double lambda,
                                          const Runtime &runtime = Runtime()) {
  if (y.size() != x.rows() || !(lambda > 0.0))
    throw Error("y must have one value per row of x and lambda be positive");
  return predict_left_out(x, sets, left_out, predicted, runtime,
                          [&](const Eigen::VectorXd &weights, const Array<int> &set) {
                            const double ones = weights.dot(y), zeros = weights.sum() - ones;
                            if (ones > 0.0 && zeros > 0.0 && !set.empty())
                              return ridge_logistic_detail::fit(x, y, weights, set, lambda);
                            RidgeLogisticFit none;
                            none.intercept = std::log(ones) -
                                             std::log(zeros); // exactly 0 for classes of equal size
                            none.coefficients = Eigen::VectorXd::Zero(set.size());
                            return none;
                          });
}

} // namespace stabilect

#endif
