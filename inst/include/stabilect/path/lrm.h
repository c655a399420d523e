#ifndef STABILECT_LRM_H
#define STABILECT_LRM_H

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/base/array.h"
#include "stabilect/base/scale.h"

namespace stabilect {
namespace lrm {

enum class FitStatus { ok, singular, failed };

struct LogisticFit {
  double intercept = 0.0, slope = 0.0;
  FitStatus status = FitStatus::ok;
};

// Householder QR of the information matrix [a b; b c], as in LINPACK: lrm() calls a fit singular by
// the limit on the second pivot.
class Information {
public:
  Information() = default;
  Information(double a, double b, double c) : a_(a), b_(b), c_(b), d_(c) {}

  // [a b; c d]; false when the rank is below two.
  bool factorise() {
    const double first = length_of(a_, c_), second = length_of(b_, d_);
    if (first == 0.0 || second == 0.0)
      return false;
    const double norm = a_ < 0.0 ? -first : first;
    h1_ = a_ / norm + 1.0;
    h2_ = c_ / norm;
    const double t = -(h1_ * b_ + h2_ * d_) / h1_;
    a_ = -norm;
    b_ += t * h1_;
    d_ += t * h2_;
    c_ = h2_;
    return std::abs(d_) >= 1e-7 * second;
  }

  // Needs factorise().
  std::pair<double, double> solve(double u0, double u1) const {
    const double t = -(h1_ * u0 + h2_ * u1) / h1_;
    u0 += t * h1_;
    u1 += t * h2_;
    const double second = u1 / d_;
    return {(u0 - b_ * second) / a_, second};
  }

private:
  double a_ = 0.0, b_ = 0.0, c_ = 0.0, d_ = 0.0, h1_ = 1.0, h2_ = 0.0;
};

struct Likelihood {
  double deviance = 0.0, u0 = 0.0, u1 = 0.0, v00 = 0.0, v01 = 0.0, v11 = 0.0;

  Likelihood(const double *x, const int *positive, Index n, double intercept, double slope) {
    double product = 1.0; // of several probabilities: one logarithm for all of them
    for (Index i = 0; i < n; ++i) {
      const double link = std::min(std::max(intercept + slope * x[i], -30.0), 30.0);
      const double p = 1.0 / (1.0 + std::exp(-link)), curvature = p * (1.0 - p);
      const double rest = positive[i] - p;
      product *= positive[i] ? p : 1.0 - p;
      if (product < 1e-250) {
        deviance -= 2.0 * std::log(product);
        product = 1.0;
      }
      u0 += rest;
      u1 += rest * x[i];
      v00 += curvature;
      v01 += curvature * x[i];
      v11 += curvature * x[i] * x[i];
    }
    deviance -= 2.0 * std::log(product);
  }
};

// Logistic regression on one predictor with the stopping rule of rms::lrm() up to rms 6: Newton's
// method ends, after its step, once the deviance has changed by at most 0.025, and after at most
// eleven steps. These are therefore not quite the maximum likelihood estimates. If the information
// matrix becomes singular during the iterations, lrm() has no coefficients; if it is singular at
// the end, this is an error.
inline LogisticFit fit_lrm(const double *x, const int *positive, Index n) {
  const double limit = 0.025;
  double ones = 0.0;
  for (Index i = 0; i < n; ++i)
    ones += positive[i];
  LogisticFit fit;
  const double share = ones / n;
  fit.intercept = std::log(share / (1.0 - share));
  double last = 1e30, length = 1.0;
  std::pair<double, double> step(0.0, 0.0);
  Information information;
  bool converged = false;
  for (int iteration = 1; iteration <= 11 && !converged; ++iteration) {
    const Likelihood now(x, positive, n, fit.intercept, fit.slope);
    const double change = std::abs(last - now.deviance);
    if (std::max(std::abs(now.u0), std::abs(now.u1)) < 1e-9 && change < 0.1 * limit) {
      converged = true;
    } else if (now.deviance > last) {
      length /= 2.0;
      fit.intercept -= length * step.first;
      fit.slope -= length * step.second;
    } else {
      length = 1.0;
      information = Information(now.v00, now.v01, now.v11);
      if (!information.factorise()) {
        fit.status = FitStatus::singular;
        return fit;
      }
      step = information.solve(now.u0, now.u1);
      fit.intercept += step.first;
      fit.slope += step.second;
      converged = change <= limit;
      last = now.deviance;
    }
  }
  // Without convergence lrm() inverts the memory that its solver left in the matrix.
  if (converged) {
    const Likelihood end(x, positive, n, fit.intercept, fit.slope);
    information = Information(end.v00, end.v01, end.v11);
  }
  if (!information.factorise())
    fit.status = FitStatus::failed;
  return fit;
}

inline double probability(const LogisticFit &fit, double score) {
  return 1.0 / (1.0 + std::exp(-(fit.intercept + score * fit.slope)));
}

} // namespace lrm
} // namespace stabilect

#endif
