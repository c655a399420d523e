#ifndef STABILECT_DETECTION_CURVE_H
#define STABILECT_DETECTION_CURVE_H

// Detection curves: the odds that a value is missing are exp(a_i + b u) for the value u, with an
// intercept for each sample and one slope for each group of features, which is at most zero.

#include "stabilect/base/exponential.h"
#include "stabilect/base/passes.h"
#include "stabilect/data/missing_values.h"

namespace stabilect {

// Of the features of one group.
struct CurveGroup {
  Array<int> features;
  Array<char> flags;           // n x features: is the value missing?
  double mean = 0.0, sd = 1.0; // of all values that are there
  bool by_value = false;       // else the slope is zero
};

struct DetectionCurve {
  Eigen::VectorXd intercept; // n
  double slope = 0.0;        // of (value - mean) / sd of the group
};

namespace missing_detail {

// Sums for a Newton step, by sample and over all.
struct CurveSums {
  Eigen::VectorXd first, second, mixed;
  double slope = 0.0, curvature = 0.0;
  explicit CurveSums(Index n)
      : first(Eigen::VectorXd::Zero(n)), second(Eigen::VectorXd::Zero(n)),
        mixed(Eigen::VectorXd::Zero(n)) {}
  void add(const CurveSums &other) {
    first += other.first;
    second += other.second;
    mixed += other.mixed;
    slope += other.slope;
    curvature += other.curvature;
  }
};

inline void add_feature(const PaddedColumns &x, const CurveGroup &group, Index f,
                        const DetectionCurve &curve, Eigen::VectorXd &u, Eigen::VectorXd &odds,
                        CurveSums &sums) {
  const Index n = x.n, j = group.features[f];
  const double *z = x.column(j);
  const char *missing = group.flags.data() + f * n;
  const double scale = x.sd[j] / group.sd, shift = (x.mean[j] - group.mean) / group.sd;
  for (Index i = 0; i < n; ++i) {
    u[i] = shift + scale * z[i];
    odds[i] = -(curve.intercept[i] + curve.slope * u[i]);
  }
  STABILECT_AT_WIDTH(0, exponentials)(odds.data(), odds.size(), odds.data());
  for (Index i = 0; i < n; ++i) {
    const double p = 1.0 / (1.0 + odds[i]), left = missing[i] - p, w = p * (1.0 - p);
    sums.first[i] += left;
    sums.second[i] += w;
    sums.mixed[i] += w * u[i];
    sums.slope += left * u[i];
    sums.curvature += w * u[i] * u[i];
  }
}

inline CurveSums curve_sums(const PaddedColumns &x, const CurveGroup &group,
                            const DetectionCurve &curve, const Runtime &runtime) {
  constexpr Index kAtOnce = 128;
  const Index p = group.features.size();
  Array<CurveSums> parts((p + kAtOnce - 1) / kAtOnce, CurveSums(x.n));
  run_tasks(parts.size(), runtime, [&](Index t) {
    Eigen::VectorXd u(x.n), odds = Eigen::VectorXd::Zero(x.ld);
    for (Index f = t * kAtOnce; f < std::min((t + 1) * kAtOnce, p); ++f)
      add_feature(x, group, f, curve, u, odds, parts[t]);
  });
  for (Index t = 1; t < parts.size(); ++t)
    parts[0].add(parts[t]);
  return std::move(parts[0]);
}

} // namespace missing_detail

// By sample, where the odds depend on nothing else; from Newton's steps, as std::log() has other
// last bits in every C library.
inline DetectionCurve flat_curve(const PaddedColumns &x, const CurveGroup &group) {
  DetectionCurve out;
  out.intercept.resize(x.n);
  const double p = std::max<Index>(1, group.features.size());
  for (Index i = 0; i < x.n; ++i) {
    double share = 0.0;
    for (Index f = 0; f < group.features.size(); ++f)
      share += group.flags[f * x.n + i] / p;
    share = std::min(std::max(share, 1e-4), 1.0 - 1e-4);
    double at[8] = {}, value = 0.0;
    for (int step = 0; step < 20; ++step) {
      at[0] = -value;
      STABILECT_AT_WIDTH(0, exponentials)(at, 8, at);
      const double q = 1.0 / (1.0 + at[0]);
      value += (share - q) / (q * (1.0 - q));
    }
    out.intercept[i] = value;
  }
  return out;
}

inline void fit_curve(const PaddedColumns &x, const CurveGroup &group, const Runtime &runtime,
                      DetectionCurve &curve) {
  constexpr int kSteps = 6;
  curve = {flat_curve(x, group).intercept, curve.slope};
  for (int step = 0; step < kSteps; ++step) {
    const missing_detail::CurveSums sums =
        missing_detail::curve_sums(x, group, curve, quiet(runtime));
    const Eigen::ArrayXd second = sums.second.array() + 1e-3;
    const double gain = sums.slope - (sums.mixed.array() * sums.first.array() / second).sum();
    const double curvature = sums.curvature - (sums.mixed.array().square() / second).sum() + 1e-6;
    const double move = std::max(-2.0, std::min(2.0, gain / curvature));
    curve.intercept.array() += (sums.first.array() - sums.mixed.array() * move) / second;
    curve.slope += move;
  }
  curve.slope = std::min(curve.slope, 0.0);
}

} // namespace stabilect

#endif
