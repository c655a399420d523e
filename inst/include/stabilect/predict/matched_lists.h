#ifndef STABILECT_MATCHED_LISTS_H
#define STABILECT_MATCHED_LISTS_H

// Random lists of features that resemble a given list in variance and mutual correlation.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/base/error.h"
#include "stabilect/base/rng.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

struct MatchOptions {
  Index n_lists = 1000;
  Index size = 1;          // of each list
  double tolerance = 0.01; // of the mean absolute correlation
  Index max_swaps = 1000;  // tried for each list
  std::uint64_t seed = 0;
};

struct MatchedLists {
  Array<Array<int>> lists;
  Eigen::VectorXd correlation; // mean absolute correlation of the features of each list
  double target = 0.0;         // the same of the given list
};

namespace matched_detail {

// Columns at mean 0 and length 1, their ranks by variance, and the features next to each rank.
class Candidates {
public:
  // `order`: all columns; those of equal variance stay in it.
  Candidates(const ConstMatrix &x, Array<int> order, Index size)
      : z_(x), order_(std::move(order)), rank_(x.cols()),
        reach_(std::max<Index>({10, size, x.cols() / 40})) {
    Array<double> spread(x.cols());
    for (Index j = 0; j < z_.cols(); ++j) {
      const double largest = z_.col(j).cwiseAbs().maxCoeff();
      const double unit = largest > 0.0 ? 1.0 / largest : 0.0;
      z_.col(j) *= unit;
      z_.col(j).array() -= z_.col(j).mean();
      const double norm = z_.col(j).norm();
      const bool varies = norm > 1e-12 * std::sqrt(double(z_.rows()));
      spread[j] = varies ? std::log(norm) + std::log(largest) : -1e300;
      z_.col(j) *= varies ? 1.0 / norm : 0.0;
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return spread[a] < spread[b]; });
    for (Index r = 0; r < order_.size(); ++r)
      rank_[order_[r]] = int(r);
  }

  // A feature whose variance has nearly the rank of `feature`.
  int near(int feature, Rng &rng) const {
    const Index p = order_.size(), width = std::min<Index>(2 * reach_ + 1, p);
    const Index first = std::min(std::max<Index>(rank_[feature] - reach_, 0), p - width);
    return order_[first + rng.below(width)];
  }

  // Sum of the absolute correlations of a feature with the members of a list but one.
  double sum_with(int feature, const Array<int> &list, Index but) const {
    double sum = 0.0;
    for (Index i = 0; i < list.size(); ++i)
      if (i != but)
        sum += std::fabs(z_.col(feature).dot(z_.col(list[i])));
    return sum;
  }

  double mean_of(const Array<int> &list) const {
    double sum = 0.0;
    for (Index i = 0; i < list.size(); ++i)
      sum += sum_with(list[i], list, i);
    const double pairs = double(list.size()) * double(list.size() - 1);
    return pairs > 0.0 ? sum / pairs : 0.0;
  }

private:
  Eigen::MatrixXd z_;
  Array<int> order_, rank_;
  Index reach_;
};

inline bool holds(const Array<int> &list, int feature) {
  return std::find(list.begin(), list.end(), feature) != list.end();
}

// Swaps members for others of like variance as long as that brings the correlation nearer.
inline double approach(const Candidates &features, const Array<int> &like, double target,
                       const MatchOptions &options, Rng &rng, Array<int> &list) {
  const double pairs = double(list.size()) * double(list.size() - 1) / 2.0;
  double mean = features.mean_of(list);
  for (Index step = 0; step < options.max_swaps && pairs > 0.0; ++step) {
    if (std::fabs(mean - target) <= options.tolerance)
      break;
    const Index at = rng.below(list.size());
    const int other = features.near(like[at % like.size()], rng);
    if (holds(list, other))
      continue;
    const double change =
        features.sum_with(other, list, at) - features.sum_with(list[at], list, at);
    const double now = mean + change / pairs;
    if (std::fabs(now - target) >= std::fabs(mean - target))
      continue;
    list[at] = other;
    mean = now;
  }
  return mean;
}

} // namespace matched_detail

// Each member of a list has nearly the rank in variance of a feature of `like`; features of equal
// variance are in the given order. List b uses the random numbers of the stream (seed, b).
inline MatchedLists draw_matched_lists(const ConstMatrix &x, const Array<int> &order,
                                       const Array<int> &like, const MatchOptions &options,
                                       const Runtime &runtime = Runtime()) {
  for (int j : like)
    if (j < 0 || j >= x.cols())
      throw Error("the list must name columns of x");
  if (order.size() != x.cols())
    throw Error("the order must name all columns of x");
  if (like.size() == 0 || options.size < 1 || options.size > x.cols())
    throw Error("lists must have from one to all features");
  const matched_detail::Candidates features(x, order, options.size);
  MatchedLists out;
  out.target = features.mean_of(like);
  out.lists.resize(options.n_lists);
  out.correlation.resize(options.n_lists);
  run_tasks(options.n_lists, runtime, [&](Index b) {
    Rng rng(options.seed, b, domain_tag("matched lists"));
    Array<int> list;
    while (list.size() < options.size) {
      const int next = features.near(like[list.size() % like.size()], rng);
      if (!matched_detail::holds(list, next))
        list.push_back(next);
    }
    out.correlation[b] = matched_detail::approach(features, like, out.target, options, rng, list);
    out.lists[b] = list;
  });
  return out;
}

} // namespace stabilect

#endif
