#ifndef STABILECT_RESIDUAL_H
#define STABILECT_RESIDUAL_H

#include <algorithm>
#include <cmath>

#include "stabilect/base/scale.h"
#include "stabilect/path/path_columns.h"

namespace stabilect {

// Relative to the first lambda: knots closer than kTie are one knot, and a path ends when lambda
// has fallen below kEnd.
constexpr double kTie = 1e-11, kEnd = 1e-10;

// The present point of a path: the residual r on the replicate's rows, times the roots of the
// weights, its square rr, and lambda. |x~_j'r| equals lambda for active features and is at most
// lambda for all others.
struct Residual {
  AlignedBuffer<double> r;
  double rr = 0.0, lambda = 0.0;
  double first_lambda = 0.0; // that of the first knot: the unit of all tolerances
  bool constant = false;     // the response is: nothing is left to explain
  double unit = 1.0;         // all this is of the response divided by it, see scale.h

  // The residual of the empty model.
  Residual(const PathColumns &columns, const double *y, bool intercept, const Kernels &kernels) {
    const Array<double> &roots = columns.roots();
    r.resize(columns.ld());
    double largest = 0.0;
    for (int row : columns.rows())
      largest = std::max(largest, std::abs(y[row]));
    const double factor = unit_for(largest);
    unit = 1.0 / factor;
    largest *= factor;
    double sum = 0.0;
    for (Index i = 0; i < columns.n_rows(); ++i)
      sum += roots[i] * roots[i] * (factor * y[columns.rows()[i]]);
    const double mean = intercept ? sum / columns.total_weight() : 0.0;
    for (Index i = 0; i < columns.n_rows(); ++i)
      r[i] = roots[i] * (factor * y[columns.rows()[i]] - mean);
    measure(kernels);
    const double rounding = 1e-14 * largest;
    constant = !(rr > columns.total_weight() * rounding * rounding);
  }

  double norm() const { return std::sqrt(rr); }
  void measure(const Kernels &kernels) { rr = kernels.dot(r.data(), r.data(), r.size()); }

  // Is a product of this size tied with lambda, up to rounding?
  bool ties(double product) const { return std::abs(product) >= lambda - kTie * first_lambda; }
  // Is it lambda times this direction, as where the active features span it? All correlations then
  // fall as fast as lambda. Rows that depend on each other have this before there are as many
  // features as rows.
  bool is_along(const AlignedBuffer<double> &u) const {
    double rest = 0.0;
    for (Index i = 0; i < r.size(); ++i)
      rest += (r[i] - lambda * u[i]) * (r[i] - lambda * u[i]);
    return rest <= 1e-18 * rr;
  }
  bool at_end() const { return lambda < kEnd * first_lambda; }
};

} // namespace stabilect

#endif
