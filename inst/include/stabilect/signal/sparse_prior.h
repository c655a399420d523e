#ifndef STABILECT_SPARSE_PRIOR_H
#define STABILECT_SPARSE_PRIOR_H

// The model y = Z a + X_g b + u + e of few features g among many:
//   b ~ N(0, slab s2 I),  u ~ N(0, tau s2 K), K of the background,  e_i ~ N(0, s2 / lambda_i),
//   lambda_i ~ Gamma(nu / 2, nu / 2): t errors;  P(|g|) ~ ratio^|g|, all sets of a size alike.
// Numbers are observed with s2 ~ 1/2 freedom, sum by inverse gamma; of two classes the sign of y is
// observed, with s2 = lambda = 1.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/base/types.h"
#include "stabilect/signal/feature_panels.h"

namespace stabilect {

constexpr double kNormalErrors = std::numeric_limits<double>::infinity();

// What features contribute together: K is their product x x', or has the first `leading` principal
// components alike, where the outcome follows some of these. Its mean eigenvalue is 1.
struct Background {
  double tau = 0.0;
  Index leading = 0; // 0: x x'
  double weight = 1.0;
};

struct SparsePrior {
  Array<double> slabs = {0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2}; // all alike
  Array<Background> backgrounds = background_grid();
  Array<double> freedoms = {2.0, 4.0, 8.0, kNormalErrors}; // nu, all alike
  double ratio = 0.8;
  Index most = kMostColumns;
  bool classes = false;
  // s2: one pseudo-observation with the variance of y.
  double prior_freedom = 1.0, prior_sum = 1.0;
  // a ~ N(0, s2 / precision); 0: flat. With classes a flat prior would let covariates that separate
  // some samples run away.
  double covariate_precision = 0.0;
  int alone = 0; // the first iterations, without a background

  // Fits the grids to n samples and p features. A background that has the whole signal leaves none
  // to features that could enter, and a chain seldom gets out of it: of many samples, and where
  // features are not many more than samples, features come first. With fewer than `kLargest`
  // features a sample, the part that a background gives to each feature would be as large as a
  // slab: it were a model of all features, without the price of its size. Here this part is at most
  // an error of estimation (tau / p <= 1 / n), components are at most a quarter of the features,
  // and slabs begin at effects that n samples can show.
  void fit_grids(Index n, Index p) {
    constexpr double kLargest = 3.0, kLeast = 12.0;
    constexpr int kAlone = 200;
    const double features = static_cast<double>(p) / static_cast<double>(n);
    if (n > kManySamples || features < kLargest)
      alone = kAlone;
    if (features >= kLargest)
      return;
    for (Background &background : backgrounds)
      if (background.leading == 0)
        background.tau *= features / kLargest;
    backgrounds.erase(std::remove_if(backgrounds.begin(), backgrounds.end(),
                                     [p](const Background &b) { return 4 * b.leading > p; }),
                      backgrounds.end());
    while (0.5 * slabs[0] * static_cast<double>(n) >= kLeast)
      slabs.insert(slabs.begin(), 0.5 * slabs[0]);
  }

  // P(s + 1) / P(s) of each single set, of p features.
  double log_step(Index s, Index p) const {
    return std::log(ratio) + std::log((s + 1.0) / static_cast<double>(p - s));
  }

  static Array<Background> background_grid() {
    Array<Background> grid = {{0.0, 0, 0.85}};
    for (double tau : {0.3, 1.0, 3.0})
      grid.push_back({tau, 0, 0.05 / 3});
    for (Index leading : {5, 10})
      for (double tau : {0.3, 1.0, 3.0, 10.0})
        grid.push_back({tau, leading, 0.1 / 8});
    return grid;
  }

  static SparsePrior for_numbers() { return SparsePrior(); }

  static SparsePrior for_classes(Index n) {
    SparsePrior prior;
    prior.classes = true;
    prior.slabs = {0.05, 0.1, 0.2, 0.4, 0.8};
    prior.freedoms = {kNormalErrors};
    // Coefficients of orthonormal columns: standard deviation 3 of standardised ones.
    prior.covariate_precision = 1.0 / (9.0 * static_cast<double>(n));
    return prior;
  }
};

// How long the sampler runs.
struct ChainLength {
  int chains = 4, burn = 800, keep = 1500, thin = 10;
  int refresh = 10; // iterations between draws of the errors; tau is drawn at every second one
};

} // namespace stabilect

#endif
