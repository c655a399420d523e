#ifndef STABILECT_RANDOM_DRAWS_H
#define STABILECT_RANDOM_DRAWS_H

// Draws of the posterior's sampler.

#include <algorithm>
#include <cmath>

#include "stabilect/base/rng.h"
#include "stabilect/base/types.h"

namespace stabilect {

// Marsaglia and Tsang (2000), "A simple method for generating gamma variables", ACM TOMS 26, with
// scale 1; below shape 1 by their section 6.
inline double draw_gamma(Rng &rng, double shape) {
  const double boost = shape < 1.0 ? std::pow(1.0 - rng.uniform(), 1.0 / shape) : 1.0;
  const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = rng.normal(), root = 1.0 + c * z;
    const double u = 1.0 - rng.uniform(); // in (0, 1]
    if (root <= 0.0)
      continue;
    const double v = root * root * root;
    if (std::log(u) < 0.5 * z * z + d - d * v + d * std::log(v))
      return boost * d * v;
  }
}

// Standard normal above `least`: by rejection of normals, in the tail of exponentials (Robert 1995,
// "Simulation of truncated normal variables", Statistics and Computing 5).
inline double draw_normal_above(Rng &rng, double least) {
  if (least <= 0.45) {
    for (;;) {
      const double z = rng.normal();
      if (z > least)
        return z;
    }
  }
  const double rate = 0.5 * (least + std::sqrt(least * least + 4.0));
  for (;;) {
    const double z = least - std::log(1.0 - rng.uniform()) / rate, miss = z - rate;
    if (rng.uniform() <= std::exp(-0.5 * miss * miss))
      return z;
  }
}

// A place with probability proportional to exp(logs).
inline Index draw_place(Rng &rng, const ConstVector &logs) {
  const Eigen::VectorXd weights = (logs.array() - logs.maxCoeff()).exp();
  double left = rng.uniform() * weights.sum();
  for (Index k = 0; k + 1 < weights.size(); ++k) {
    left -= weights[k];
    if (left < 0.0)
      return k;
  }
  return weights.size() - 1;
}

inline Eigen::VectorXd draw_normals(Rng &rng, Index n) {
  Eigen::VectorXd out(n);
  for (Index i = 0; i < n; ++i)
    out[i] = rng.normal();
  return out;
}

} // namespace stabilect

#endif
