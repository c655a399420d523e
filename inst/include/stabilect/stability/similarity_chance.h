#ifndef STABILECT_SIMILARITY_CHANCE_H
#define STABILECT_SIMILARITY_CHANCE_H

#include "stabilect/base/error.h"
#include "stabilect/base/rng.h"
#include "stabilect/stability/similarity.h"

namespace stabilect {

struct ChanceOptions {
  int n_total = 0;
  int n_draws = 1000;
  std::uint64_t seed = 0;
};

struct ChanceMean {
  double mean = 0.0;
  double se = 0.0;
};

namespace similarity_chance_detail {

// A random set of the given size, ascending: Floyd's method (Bentley and Floyd 1987, "A sample of
// brilliance"), whose cost does not depend on the number of features. `taken` is left empty.
inline void draw_set(Rng &rng, int n_total, int size, Array<char> &taken, Array<int> &set) {
  set.clear();
  for (int last = n_total - size; last < n_total; ++last) {
    int feature = static_cast<int>(rng.below(last + 1));
    if (taken[feature])
      feature = last;
    taken[feature] = 1;
    set.push_back(feature);
  }
  std::sort(set.begin(), set.end());
  for (int feature : set)
    taken[feature] = 0;
}

// The mean of `value`, with an overlap of known expectation as control variate: regression
// estimator (Cochran 1977, Sampling Techniques, chapter 7). Without similar features the value is
// the overlap and the result exact; when all are similar the value is constant and the slope zero.
inline ChanceMean regression_mean(const Array<double> &value, const Array<double> &overlap,
                                  double expected_overlap) {
  const double n = value.size();
  const double mean_value = std::accumulate(value.begin(), value.end(), 0.0) / n;
  const double mean_overlap = std::accumulate(overlap.begin(), overlap.end(), 0.0) / n;
  double variance = 0.0, covariance = 0.0;
  for (Index d = 0; d < value.size(); ++d) {
    variance += (overlap[d] - mean_overlap) * (overlap[d] - mean_overlap);
    covariance += (overlap[d] - mean_overlap) * (value[d] - mean_value);
  }
  const double slope = variance > 0.0 ? covariance / variance : 0.0;
  double residual = 0.0;
  for (Index d = 0; d < value.size(); ++d) {
    const double rest = value[d] - mean_value - slope * (overlap[d] - mean_overlap);
    residual += rest * rest;
  }
  ChanceMean result;
  result.mean = (mean_value - slope * mean_overlap) + slope * expected_overlap;
  result.se = std::sqrt(residual / (n * std::max(n - 2.0, 1.0)));
  return result;
}

} // namespace similarity_chance_detail

// Mean size of the adjusted intersection of two random sets of the given sizes, by Monte Carlo.
// Every draw has its own stream: the result does not depend on threads or the order of pairs.
inline ChanceMean chance_intersection(const Similarity &similarity, SimilarityIndex index,
                                      int size_a, int size_b, const ChanceOptions &options,
                                      const Runtime &runtime = Runtime()) {
  if (options.n_draws < 3)
    throw Error("`n_draws` must be at least 3");
  if (size_a < 0 || size_b < 0 || std::max(size_a, size_b) > options.n_total)
    throw Error("set sizes must lie between 0 and the number of features");
  if (size_a > size_b)
    std::swap(size_a, size_b);
  const Index n_draws = options.n_draws;
  const std::int64_t stream = (std::int64_t(size_a) << 32) | size_b;
  Array<double> value(n_draws), overlap(n_draws);
  const Index block = n_draws / (4 * runtime.n_threads) + 1;
  run_tasks((n_draws + block - 1) / block, runtime, [&](Index t) {
    SetComparison sets(similarity);
    Array<char> taken(options.n_total, 0);
    Array<int> a, b;
    for (Index d = t * block; d < std::min(n_draws, (t + 1) * block); ++d) {
      Rng rng(options.seed, stream, domain_tag("similarity_chance") + std::uint64_t(d));
      similarity_chance_detail::draw_set(rng, options.n_total, size_a, taken, a);
      similarity_chance_detail::draw_set(rng, options.n_total, size_b, taken, b);
      sets.split(a.data(), a.data() + a.size(), b.data(), b.data() + b.size());
      overlap[d] = sets.overlap;
      value[d] = sets.overlap + similar_overlap(similarity, index, sets);
    }
  });
  const double expected = 1.0 * size_a * size_b / options.n_total;
  return similarity_chance_detail::regression_mean(value, overlap, expected);
}

// The same for several pairs of sizes.
inline Array<ChanceMean> chance_intersections(const Similarity &similarity, SimilarityIndex index,
                                              const Array<int> &size_a, const Array<int> &size_b,
                                              const ChanceOptions &options,
                                              const Runtime &runtime = Runtime()) {
  if (size_a.size() != size_b.size())
    throw Error("the two vectors of set sizes must be of one length");
  Array<ChanceMean> means;
  for (Index k = 0; k < size_a.size(); ++k)
    means.push_back(chance_intersection(similarity, index, size_a[k], size_b[k], options, runtime));
  return means;
}

} // namespace stabilect

#endif
