#ifndef STABILECT_SIMULATED_SELECTOR_LAW_H
#define STABILECT_SIMULATED_SELECTOR_LAW_H

#include "stabilect/base/error.h"
#include "stabilect/simulate/simulated_selector.h"
#include "stabilect/stability/chance.h"

namespace stabilect {

// Row k: distribution of H, the number of features of S' among the first n_features of one weak
// selector, if k of these are picks from S_m: k plus a hypergeometric number from outside.
inline Eigen::MatrixXd useful_given_picks(int n_total, int n_features, int n_useful) {
  check_urn_model({n_total, n_features, n_useful, 1.0, 0.0});
  const Index t = n_features, rest = n_total - n_features;
  Eigen::MatrixXd law = Eigen::MatrixXd::Zero(t + 1, t + 1);
  for (Index k = 0; k <= t; ++k) {
    // With fewer other features than places, the rest must come from S_m (Algorithm 3, line 3).
    const Index picks = std::max(k, t - rest);
    if (rest == 0) {
      law(k, t) = 1.0;
      continue;
    }
    WholeDistribution extra;
    hypergeometric(rest, n_useful - n_features, t - picks, extra);
    for (Index i = 0; i < extra.prob.size(); ++i)
      law(k, picks + extra.first + i) += extra.prob[i];
  }
  return law;
}

// Mean value and mean squared value of the overlap of two sets with h1 and h2 features of S': two
// hypergeometric overlaps, inside and outside. Only for pairs with both h marked as possible.
struct OverlapMoments {
  Eigen::MatrixXd mean, square, overlap;
};

inline OverlapMoments overlap_moments(int n_total, int n_features, int n_useful,
                                      const Array<double> &value, const Array<bool> &possible) {
  check_urn_model({n_total, n_features, n_useful, 1.0, 0.0});
  const Index t = n_features, inside = n_useful, outside = n_total - n_useful;
  const Index size = t + 1;
  if (value.size() != size || possible.size() != size)
    throw Error("there must be a value for every overlap");
  OverlapMoments out;
  out.mean = out.square = out.overlap = Eigen::MatrixXd::Zero(t + 1, t + 1);
  // Shares below this are lost in the rounding of the sums.
  constexpr double negligible = 1e-18;
  WholeDistribution in, other;
  for (Index a = std::max<Index>(0, t - outside); a <= t; ++a) {
    for (Index b = std::max<Index>(0, t - outside); b <= a; ++b) {
      if (!possible[a] || !possible[b])
        continue;
      hypergeometric(inside, a, b, in);
      if (outside > 0) {
        hypergeometric(outside, t - a, t - b, other);
      } else {
        other.first = 0;
        other.prob.assign(1, 1.0);
      }
      double mean = 0.0, square = 0.0, overlap = 0.0;
      for (Index i = 0; i < in.prob.size(); ++i) {
        if (in.prob[i] < negligible)
          continue;
        for (Index j = 0; j < other.prob.size(); ++j) {
          const double w = in.prob[i] * other.prob[j];
          if (w < negligible)
            continue;
          const Index r = (in.first + other.first) + i + j;
          mean += w * value[r];
          square += w * value[r] * value[r];
          overlap += w * r;
        }
      }
      out.mean(a, b) = out.mean(b, a) = mean;
      out.square(a, b) = out.square(b, a) = square;
      out.overlap(a, b) = out.overlap(b, a) = overlap;
    }
  }
  return out;
}

// Mean and variance of the rank that one weak selector gives a feature of S_m, and another one.
struct RankMoments {
  double mean_in = 0.0, var_in = 0.0, mean_out = 0.0, var_out = 0.0;
};

// Sum of the ranks of S_m and of their squares, by recursion backwards over (picks from S_m, other
// picks); what all ranks add up to leaves the rest.
inline RankMoments rank_moments(const UrnModel &model) {
  check_urn_model(model);
  const int t = model.n_features, rest = model.n_total - t;
  Array<double> sum(rest + 1, 0.0), squares(sum);
  for (int a = t - 1; a >= 0; --a) {
    for (int b = rest; b >= 0; --b) {
      const Index at = b;
      const double rank = a + b + 1.0, pick = b == rest ? 1.0 : model.p;
      sum[at] = pick * (rank + sum[at]) + (b < rest ? (1.0 - pick) * sum[at + 1] : 0.0);
      squares[at] =
          pick * (rank * rank + squares[at]) + (b < rest ? (1.0 - pick) * squares[at + 1] : 0.0);
    }
  }
  const double n = model.n_total, total = n * (n + 1.0) / 2.0;
  RankMoments out;
  out.mean_in = sum[0] / t;
  out.var_in = std::max(squares[0] / t - out.mean_in * out.mean_in, 0.0);
  if (rest > 0) {
    out.mean_out = (total - sum[0]) / rest;
    const double square = (total * (2.0 * n + 1.0) / 3.0 - squares[0]) / rest;
    out.var_out = std::max(square - out.mean_out * out.mean_out, 0.0);
  }
  return out;
}

} // namespace stabilect

#endif
