#ifndef STABILECT_ROBUST_RANK_H
#define STABILECT_ROBUST_RANK_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/base/types.h"

namespace stabilect {

// Made once: std::lgamma is not safe to call from several threads.
class LogFactorials {
public:
  explicit LogFactorials(Index n) : value_(n + 1, 0.0) {
    for (Index k = 1; k < value_.size(); ++k)
      value_[k] = value_[k - 1] + std::log(k);
  }
  double choose(Index n, Index k) const { return at(n) - at(k) - at(n - k); }

private:
  double at(Index k) const { return value_[k]; }
  Array<double> value_;
};

// Logarithm of P(Bin(n, x) >= k), the distribution function of the k-th smallest of n uniform
// numbers (a beta distribution) at x. Terms fall from the one next to k on, away from the mode: few
// are needed, and nothing underflows.
inline double log_order_statistic(double x, Index k, Index n, const LogFactorials &factorials) {
  if (x >= 1.0 || k <= 0)
    return 0.0;
  if (x <= 0.0)
    return -std::numeric_limits<double>::infinity();
  const double odds = x / (1.0 - x);
  const auto log_term = [&](Index j) {
    return factorials.choose(n, j) + j * std::log(x) + (n - j) * std::log1p(-x);
  };
  const bool upper = k > (n + 1) * x;
  double term = 1.0, sum = 1.0;
  if (upper) {
    for (Index j = k; j < n && term > 1e-17 * sum; ++j) {
      term *= odds * (n - j) / (j + 1);
      sum += term;
    }
    return log_term(k) + std::log(sum);
  }
  for (Index j = k - 1; j > 0 && term > 1e-17 * sum; --j) {
    term *= j / (odds * (n - j + 1));
    sum += term;
  }
  return std::log1p(-std::min(1.0, std::exp(log_term(k - 1)) * sum));
}

// Logarithm of the rho of Kolde et al. (2012): the smallest of these probabilities over
// the sorted ranks, each divided by the number of ranked features. Sorts `share`.
inline double log_rho(Array<double> &share, const LogFactorials &factorials) {
  std::sort(share.begin(), share.end());
  const Index n = share.size();
  double smallest = 0.0;
  for (Index k = 1; k <= n; ++k)
    smallest = std::min(smallest, log_order_statistic(share[k - 1], k, n, factorials));
  return smallest;
}

} // namespace stabilect

#endif
