#ifndef STABILECT_NEIGHBOUR_REGRESSION_H
#define STABILECT_NEIGHBOUR_REGRESSION_H

// Ridge regression of a feature on its neighbours, with coefficients drawn from their posterior.

#include <Eigen/Cholesky>

#include "stabilect/base/rng.h"
#include "stabilect/data/missing_values.h"

namespace stabilect {

struct DrawnRegression {
  double intercept = 0.0, sd = 0.0;
  Eigen::VectorXd slope;
};

namespace missing_detail {

// Products of the centred columns, from those of the columns themselves.
inline double centred_product(const double *a, const double *b, Index ld, Index n, double mean_a,
                              double mean_b) {
  return kernels().dot(a, b, ld) - n * mean_a * mean_b;
}

inline double mean_of(const double *z, Index n) {
  double sum = 0.0;
  for (Index i = 0; i < n; ++i)
    sum += z[i];
  return sum / n;
}

} // namespace missing_detail

// @param ridge penalty per sample.
inline DrawnRegression draw_regression(const PaddedColumns &x, int feature,
                                       const Array<int> &neighbours, double ridge, Rng &rng) {
  using namespace missing_detail;
  const Index k = neighbours.size(), n = x.n;
  const double *z = x.column(feature);
  const double mean = mean_of(z, n), penalty = ridge * n;
  Eigen::VectorXd means(k), right(k), noise(k);
  Eigen::MatrixXd gram(k, k);
  for (Index q = 0; q < k; ++q) {
    const double *own = x.column(neighbours[q]);
    means[q] = mean_of(own, n);
    right[q] = centred_product(own, z, x.ld, n, means[q], mean);
    for (Index r = 0; r <= q; ++r)
      gram(q, r) = gram(r, q) =
          centred_product(own, x.column(neighbours[r]), x.ld, n, means[q], means[r]);
  }
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(k, k);
  const Eigen::LLT<Eigen::MatrixXd> factor(gram + penalty * identity);
  const Eigen::VectorXd fit = factor.solve(right);
  const double total = centred_product(z, z, x.ld, n, mean, mean);
  const double rest = std::max(1e-12 * total, total - 2.0 * fit.dot(right) + fit.dot(gram * fit));
  const double degrees = k - penalty * factor.solve(identity).trace();
  DrawnRegression out;
  out.sd = std::sqrt(rest / std::max(2.0, n - 1.0 - degrees));
  for (Index q = 0; q < k; ++q)
    noise[q] = rng.normal();
  out.slope = fit + out.sd * factor.matrixU().solve(noise);
  out.intercept = mean - out.slope.dot(means);
  return out;
}

inline double predicted(const PaddedColumns &x, const Array<int> &neighbours,
                        const DrawnRegression &regression, Index row) {
  double sum = regression.intercept;
  for (Index q = 0; q < neighbours.size(); ++q)
    sum += regression.slope[q] * x.column(neighbours[q])[row];
  return sum;
}

} // namespace stabilect

#endif
