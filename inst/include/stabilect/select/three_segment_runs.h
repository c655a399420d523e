#ifndef STABILECT_THREE_SEGMENT_RUNS_H
#define STABILECT_THREE_SEGMENT_RUNS_H

#include <algorithm>
#include <limits>
#include <numeric>

#include "stabilect/base/error.h"
#include "stabilect/base/rng.h"
#include "stabilect/select/three_segment.h"

namespace stabilect {

// Scores of n_total features (rows) in n_runs runs (columns), compressed by column: run b has the
// entries start[b] .. start[b + 1] - 1 of feature and score. References only: the vectors must
// outlive it.
struct RunScores {
  Index n_total = 0;
  Index n_runs = 0;
  const int *feature = nullptr;
  const int *start = nullptr;
  const double *score = nullptr;
};

inline void check_run_scores(const RunScores &runs) {
  if (runs.n_total < 1 || runs.n_runs < 1)
    throw Error("run scores must have at least one feature and one run");
  if (runs.start[0] != 0)
    throw Error("run scores must start at entry 0");
  for (Index b = 0; b < runs.n_runs; ++b) {
    if (runs.start[b] > runs.start[b + 1])
      throw Error("run scores must have ascending starts");
  }
  for (int k = 0; k < runs.start[runs.n_runs]; ++k) {
    if (runs.feature[k] < 0 || runs.feature[k] >= runs.n_total)
      throw Error("run scores must name features 0 to n_total - 1");
    if (!(runs.score[k] >= 0.0) || std::isinf(runs.score[k]))
      throw Error("run scores must be finite and not negative");
  }
}

// The threshold on some of the runs, each taken `weight` times.
struct RunsThreshold {
  Index n_runs = 0;
  ThreeSegmentResult curve;
  // Features above the upper knot, the best first; stand_ins() if the curve does not bend up.
  Array<int> informative;
};

// In how many of the weighted runs each feature has a score.
inline Array<int> runs_with_score(const RunScores &runs, const Array<int> &weight) {
  Array<int> count(runs.n_total, 0);
  for (Index b = 0; b < runs.n_runs; ++b)
    for (int k = runs.start[b]; k < runs.start[b + 1]; ++k)
      count[runs.feature[k]] += runs.score[k] > 0.0 ? weight[b] : 0;
  return count;
}

// `majority`: the features with a score in at least half of the runs. Without any, and for
// `half_score`: the features with at least half the best score. order: features with a positive
// total, the best first; weight: how often each run is taken, n_runs in all.
inline Array<int> stand_ins(const RunScores &runs, const Array<int> &weight, Index n_runs,
                            const Array<int> &order, const Array<double> &total,
                            Fallback fallback) {
  Array<int> found;
  if (fallback == Fallback::none || order.empty())
    return found;
  const Array<int> count =
      fallback == Fallback::majority ? runs_with_score(runs, weight) : Array<int>();
  if (fallback == Fallback::majority)
    for (int f : order)
      if (2 * count[f] >= n_runs)
        found.push_back(f);
  const double best = total[order.front()];
  if (found.empty())
    for (int f : order)
      if (2.0 * total[f] >= best)
        found.push_back(f);
  return found;
}

// Mean scores over the weighted runs, logarithms of the positive ones sorted
// (equal scores by feature index), curve fitted.
inline RunsThreshold threshold_of_runs(const RunScores &runs, const Array<int> &weight,
                                       const ThreeSegmentOptions &options) {
  RunsThreshold result;
  Array<double> total(runs.n_total, 0.0);
  for (Index b = 0; b < runs.n_runs; ++b) {
    const int times = weight[b];
    if (times == 0)
      continue;
    result.n_runs += times;
    for (int k = runs.start[b]; k < runs.start[b + 1]; ++k)
      total[runs.feature[k]] += times * runs.score[k];
  }
  // Side by side in memory for the sort.
  struct Scored {
    double total;
    int feature;
  };
  Array<Scored> sorted;
  for (Index f = 0; f < total.size(); ++f)
    if (total[f] > 0.0)
      sorted.push_back({total[f], static_cast<int>(f)});
  std::sort(sorted.begin(), sorted.end(), [](const Scored &a, const Scored &b) {
    return a.total < b.total || (a.total == b.total && a.feature < b.feature);
  });
  Array<int> order;
  order.reserve(sorted.size());
  Eigen::VectorXd values(sorted.size());
  for (Index r = 0; r < sorted.size(); ++r) {
    order.push_back(sorted[r].feature);
    values[r] = std::log(sorted[r].total / result.n_runs);
  }
  result.curve = fit_three_segment(values, options);
  std::reverse(order.begin(), order.end());
  if (result.curve.n_informative == 0) {
    result.informative = stand_ins(runs, weight, result.n_runs, order, total, options.fallback);
    return result;
  }
  result.informative.assign(order.begin(), order.begin() + result.curve.n_informative);
  return result;
}

struct BootstrapThresholdResult {
  Array<int> n_informative; // per replicate; 0 when it does not bend up
  Array<double> threshold;  // score at the upper knot; NaN likewise
  // Replicates in which each feature was above the knot.
  Array<int> times_informative;
};

// How much the upper knot depends on these runs: replicate r draws the same number of runs, with
// replacement, from stream (seed, r).
inline BootstrapThresholdResult bootstrap_threshold(const RunScores &runs, Index n_boot,
                                                    std::uint64_t seed,
                                                    const ThreeSegmentOptions &options,
                                                    const Runtime &runtime = Runtime()) {
  check_run_scores(runs);
  BootstrapThresholdResult result;
  result.n_informative.assign(n_boot, 0);
  result.threshold.assign(n_boot, std::numeric_limits<double>::quiet_NaN());
  result.times_informative.assign(runs.n_total, 0);
  Array<Array<int>> informative(n_boot);
  run_tasks(n_boot, runtime, [&](Index r) {
    Rng rng(seed, r, domain_tag("threshold bootstrap"));
    Array<int> weight(runs.n_runs, 0);
    for (Index b = 0; b < runs.n_runs; ++b)
      ++weight[rng.below(runs.n_runs)];
    RunsThreshold one = threshold_of_runs(runs, weight, options);
    informative[r].swap(one.informative);
    if (informative[r].empty())
      return;
    result.n_informative[r] = static_cast<int>(informative[r].size());
    if (one.curve.n_informative > 0)
      result.threshold[r] = std::exp(one.curve.threshold());
  });
  for (const auto &features : informative)
    for (int f : features)
      ++result.times_informative[f];
  return result;
}

struct OobThresholdResult {
  Array<int> n_runs;             // runs without sample i
  Array<Array<int>> informative; // features found by those runs alone
};

// The threshold computed without sample i: scores are summed over the runs that did not draw it
// (in_bag is samples x runs). A sample in every run gets no features.
inline OobThresholdResult oob_threshold(const RunScores &runs,
                                        const Eigen::Ref<const Eigen::MatrixXi> &in_bag,
                                        const ThreeSegmentOptions &options,
                                        const Runtime &runtime = Runtime()) {
  check_run_scores(runs);
  if (in_bag.cols() != runs.n_runs)
    throw Error("in_bag must have one column per run");
  const Index n = in_bag.rows();
  OobThresholdResult result;
  result.n_runs.assign(n, 0);
  result.informative.resize(n);
  run_tasks(n, runtime, [&](Index i) {
    Array<int> weight(runs.n_runs);
    for (Index b = 0; b < runs.n_runs; ++b)
      weight[b] = in_bag(i, b) == 0;
    RunsThreshold one = threshold_of_runs(runs, weight, options);
    result.n_runs[i] = static_cast<int>(one.n_runs);
    result.informative[i].swap(one.informative);
  });
  return result;
}

} // namespace stabilect

#endif
