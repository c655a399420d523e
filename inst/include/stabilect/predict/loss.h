#ifndef STABILECT_LOSS_H
#define STABILECT_LOSS_H

// The losses of linear classifiers, as functions of the margin y f of a sample.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stabilect/base/types.h"

namespace stabilect {

enum class LinearLoss { squared_hinge, hinge, logistic };

struct LossValue {
  double value, slope, curvature;
};

inline LossValue squared_hinge_loss(double margin) {
  const double lack = std::max(0.0, 1.0 - margin);
  return {lack * lack, -2.0 * lack, margin < 1.0 ? 2.0 : 0.0};
}

inline LossValue logistic_loss(double margin) {
  const double e = std::exp(-std::abs(margin)), sum = 1.0 + e;
  // The floor keeps the linear system of Newton's method definite and does not change the minimum.
  return {std::max(-margin, 0.0) + std::log1p(e), -(margin > 0.0 ? e : 1.0) / sum,
          std::max(e / (sum * sum), 1e-12)};
}

// min sum_i cost_i loss(y_i f_i) + lambda / 2 |w|^2 with f_i = w'z_i + intercept.
struct LinearProblem {
  Eigen::VectorXd y, cost; // y: -1 or 1
  double lambda = 1.0;
  LinearLoss loss = LinearLoss::squared_hinge;
  // Otherwise there is no free intercept; the samples may have a constant feature, whose penalised
  // weight takes its place.
  bool free_intercept = false;

  // Where a free intercept starts: for logistic loss the best one without any feature.
  double first_intercept() const {
    const double up = cost.dot(((y.array() + 1.0) / 2.0).matrix());
    return loss == LinearLoss::logistic ? std::log(up / (cost.sum() - up)) : 0.0;
  }
};

} // namespace stabilect

#endif
