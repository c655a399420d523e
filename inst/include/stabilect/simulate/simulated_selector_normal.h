#ifndef STABILECT_SIMULATED_SELECTOR_NORMAL_H
#define STABILECT_SIMULATED_SELECTOR_NORMAL_H

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/simulate/simulated_selector_law.h"

namespace stabilect {

namespace simulated_selector_normal_detail {

inline double normal_cdf(double z) { return 0.5 * std::erfc(-z * 0.70710678118654752440); }

// A mixture of nearly normal variables. Sums of few ranks have lighter tails: `kurtosis` (excess)
// adds the first Edgeworth term, cut where it would be negative.
struct NormalMixture {
  Array<double> weight, mean, sd, kurtosis;

  void add(double w, double m, double s, double k) {
    weight.push_back(w);
    mean.push_back(m);
    sd.push_back(s);
    kurtosis.push_back(k);
  }
  // P(below x), P(above x), density at x.
  void at(double x, double &below, double &above, double &density) const {
    below = above = density = 0.0;
    for (Index i = 0; i < weight.size(); ++i) {
      const double z = (x - mean[i]) / sd[i], z2 = z * z;
      const double phi = std::exp(-0.5 * z2) * 0.39894228040143267794;
      const double skewed = phi * kurtosis[i] / 24.0 * (z2 * z - 3.0 * z);
      below += weight[i] * std::max(normal_cdf(z) - skewed, 0.0);
      above += weight[i] * std::max(normal_cdf(-z) + skewed, 0.0);
      density += weight[i] / sd[i] * phi *
                 std::max(1.0 + kurtosis[i] / 24.0 * (z2 * z2 - 6.0 * z2 + 3.0), 0.0);
    }
    below = std::max(below, 1e-300);
    above = std::max(above, 1e-300);
  }
  double lowest() const {
    double x = mean[0];
    for (Index i = 0; i < mean.size(); ++i)
      x = std::min(x, mean[i] - 8.0 * sd[i]);
    return x;
  }
  double highest() const {
    double x = mean[0];
    for (Index i = 0; i < mean.size(); ++i)
      x = std::max(x, mean[i] + 8.0 * sd[i]);
    return x;
  }
};

// log of choose(n, k) F^k (1 - F)^(n - k), with 0 log 0 = 0.
inline double log_binomial(int n, int k, double log_f, double log_g,
                           const Array<double> &log_factorial) {
  return log_factorial[n] - log_factorial[k] - log_factorial[n - k] + (k > 0 ? k * log_f : 0.0) +
         (n > k ? (n - k) * log_g : 0.0);
}

// The point below which the expected number of variables is `target`.
inline double place_of(const UrnModel &model, const NormalMixture &in, const NormalMixture &out,
                       double target) {
  double low = std::min(in.lowest(), out.lowest()), high = std::max(in.highest(), out.highest());
  for (int i = 0; i < 40; ++i) {
    const double x = 0.5 * (low + high);
    double below, below_out, unused, density;
    in.at(x, below, unused, density);
    out.at(x, below_out, unused, density);
    const double n_out = model.n_total - model.n_useful;
    (model.n_useful * below + n_out * below_out < target ? low : high) = x;
  }
  return 0.5 * (low + high);
}

// Distribution of the number of variables `in` among the n_features smallest of all, which are
// independent: an integral over the place of the last of these, which belongs to either group.
inline Array<double> smallest_law(const UrnModel &model, const NormalMixture &in,
                                  const NormalMixture &out, const Array<double> &log_factorial) {
  const int t = model.n_features, n_in = model.n_useful, n_out = model.n_total - model.n_useful;
  constexpr int steps = 300;
  // Beyond these places, fewer than one in a million would be the n_features-th smallest.
  const double spread = 9.0 * std::sqrt(t);
  const double low = place_of(model, in, out, std::max(t - spread, 1e-6));
  const double high = place_of(model, in, out, std::min(t + spread + 20.0, n_in + n_out - 1e-6));
  Array<double> law(t + 1, 0.0);
  double total = 0.0;
  for (int s = 0; s < steps; ++s) {
    double below, above, density, below_out, above_out, density_out;
    const double x = low + (high - low) * (s + 0.5) / steps;
    in.at(x, below, above, density);
    out.at(x, below_out, above_out, density_out);
    const double f = std::log(below), g = std::log(above);
    const double f0 = std::log(below_out), g0 = std::log(above_out);
    for (int h = std::max(0, t - n_out); h <= t; ++h) {
      double mass = 0.0;
      if (h > 0)
        mass += n_in * density *
                std::exp(log_binomial(n_in - 1, h - 1, f, g, log_factorial) +
                         log_binomial(n_out, t - h, f0, g0, log_factorial));
      if (h < t && h <= n_in)
        mass += n_out * density_out *
                std::exp(log_binomial(n_in, h, f, g, log_factorial) +
                         log_binomial(n_out - 1, t - h - 1, f0, g0, log_factorial));
      law[h] += mass;
      total += mass;
    }
  }
  if (!(total > 0.0))
    throw Error("the normal approximation has no mass");
  for (double &mass : law)
    mass /= total;
  return law;
}

} // namespace simulated_selector_normal_detail

// Distribution of H (0 .. n_features) for the mean rank of `n_members` weak selectors. A feature of
// S' is in S_m for J ~ Binomial(n_members, n_features / n_useful) of them. Given J, the sum of its
// ranks is treated as normal with the exact moments of the urns, and so are sums of other features.
// Dependence between features is ignored.
inline Array<double> normal_useful_law(const UrnModel &model, const RankMoments &moments,
                                       int n_members, const Array<double> &log_factorial) {
  if (model.n_total == model.n_useful) {
    Array<double> law(model.n_features + 1, 0.0);
    law.back() = 1.0;
    return law;
  }
  const double share = 1.0 * model.n_features / model.n_useful;
  // Ranks are whole numbers: a sum without spread is still as wide as one of them. A rank outside
  // of S_m is nearly uniform, with excess kurtosis -1.2.
  const auto add = [&](simulated_selector_normal_detail::NormalMixture &mixture, double weight,
                       double preferred, double others) {
    const double variance = preferred * moments.var_in + others * moments.var_out + 1.0 / 12.0;
    const double kurtosis =
        others > 0.0 ? -1.2 * others * moments.var_out * moments.var_out / (variance * variance)
                     : 0.0;
    mixture.add(weight, preferred * moments.mean_in + others * moments.mean_out,
                std::sqrt(variance), kurtosis);
  };
  simulated_selector_normal_detail::NormalMixture in, out;
  for (int j = 0; j <= n_members; ++j) {
    const double weight = std::exp(simulated_selector_normal_detail::log_binomial(
        n_members, j, std::log(share), std::log(1.0 - share), log_factorial));
    if (weight < 1e-12)
      continue;
    add(in, weight, j, n_members - j);
  }
  add(out, 1.0, 0.0, n_members);
  return simulated_selector_normal_detail::smallest_law(model, in, out, log_factorial);
}

// The same for several models of equal n_total and n_features: n_features + 1 rows, one column per
// size (fastest) and model.
inline Eigen::MatrixXd normal_useful_laws(const Array<UrnModel> &models, const Array<int> &sizes,
                                          const Runtime &runtime = Runtime()) {
  if (models.empty() || sizes.empty())
    throw Error("there must be a model and a size");
  const int most = std::max(models[0].n_total, *std::max_element(sizes.begin(), sizes.end()));
  Array<double> log_factorial(most + 1, 0.0);
  for (Index k = 1; k < log_factorial.size(); ++k)
    log_factorial[k] = log_factorial[k - 1] + std::log(k);
  Eigen::MatrixXd laws(models[0].n_features + 1, models.size() * sizes.size());
  run_tasks(models.size(), runtime, [&](Index c) {
    const RankMoments moments = rank_moments(models[c]);
    double *column = laws.col(c * sizes.size()).data();
    for (int size : sizes) {
      const auto law = normal_useful_law(models[c], moments, size, log_factorial);
      column = std::copy(law.begin(), law.end(), column);
    }
  });
  return laws;
}

} // namespace stabilect

#endif
