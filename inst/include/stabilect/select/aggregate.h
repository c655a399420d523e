#ifndef STABILECT_AGGREGATE_H
#define STABILECT_AGGREGATE_H

#include <cmath>
#include <limits>

#include "stabilect/base/error.h"
#include "stabilect/select/robust_rank.h"
#include "stabilect/select/run_ranks.h"

namespace stabilect {

enum class AggregationRule {
  mean_score,
  mean_rank,
  median_rank,
  best_rank,
  borda,
  exponential,
  top_share,
  robust_rank,
  rank_product
};
enum class ScoreScale { none, rank, minmax, zscore, sum };

struct AggregateOptions {
  AggregationRule rule = AggregationRule::mean_score;
  ScoreScale scale = ScoreScale::none;
  double power = 1.0;   // mean_score: |s|^(power - 1) s
  double size = 0.0;    // borda, top_share: how many are best; exponential: decay
  Array<double> weight; // one per run, >= 0; empty for equal weights
};

namespace aggregate_detail {

inline double not_a_number() { return std::numeric_limits<double>::quiet_NaN(); }

// An infinite score (a t statistic without variance) would decide the mean alone and make other
// scalings undefined: it becomes the run's largest or smallest finite score.
inline void clip_infinite(double *value, Index p) {
  constexpr double largest = std::numeric_limits<double>::max();
  Index beyond = 0; // most runs have none, and counting takes one fast pass
  for (Index f = 0; f < p; ++f)
    beyond += std::fabs(value[f]) > largest ? 1 : 0;
  if (beyond == 0)
    return;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (Index f = 0; f < p; ++f) {
    if (!std::isfinite(value[f]))
      continue;
    low = std::min(low, value[f]);
    high = std::max(high, value[f]);
  }
  if (low > high)
    low = high = 0.0;
  for (Index f = 0; f < p; ++f)
    if (std::isinf(value[f]))
      value[f] = value[f] > 0.0 ? high : low;
}

// value -> (value - centre) / width for features that were scored; 0 without width.
inline void rescale(double *value, Index p, double centre, double width) {
  for (Index f = 0; f < p; ++f)
    if (!std::isnan(value[f]))
      value[f] = width > 0.0 ? (value[f] - centre) / width : 0.0;
}

inline void scale_scores(double *value, Index p, ScoreScale scale) {
  clip_infinite(value, p);
  if (scale == ScoreScale::none)
    return;
  double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0.0, size = 0.0;
  Index m = 0;
  for (Index f = 0; f < p; ++f) {
    if (std::isnan(value[f]))
      continue;
    ++m;
    sum += value[f];
    size += std::fabs(value[f]);
    low = std::min(low, value[f]);
    high = std::max(high, value[f]);
  }
  if (scale == ScoreScale::minmax) {
    rescale(value, p, low, high - low);
  } else if (scale == ScoreScale::sum) {
    rescale(value, p, 0.0, size);
  } else if (scale == ScoreScale::zscore) {
    const double mean = m > 0 ? sum / m : 0.0;
    double squares = 0.0;
    for (Index f = 0; f < p; ++f)
      if (!std::isnan(value[f]))
        squares += (value[f] - mean) * (value[f] - mean);
    // The mean of equal scores may differ from them by rounding; their spread must be exactly zero.
    rescale(value, p, mean, high > low ? std::sqrt(squares / (m - 1)) : 0.0);
  }
}

inline void raise_scores(double *value, Index p, double power) {
  if (power == 1.0)
    return;
  for (Index f = 0; f < p; ++f)
    if (!std::isnan(value[f]))
      value[f] = std::copysign(std::pow(std::fabs(value[f]), power), value[f]);
}

// The value of every feature in run b, to be averaged over runs.
inline void fill_run_value(const ScoreRuns &runs, Index b, const AggregateOptions &options,
                           RankWorkspace &work, double *out) {
  const Index p = runs.n_total;
  const bool by_score = options.rule == AggregationRule::mean_score;
  if (by_score && options.scale != ScoreScale::rank) {
    fill_run_score(runs, b, out);
    scale_scores(out, p, options.scale);
    raise_scores(out, p, options.power);
    return;
  }
  if (options.rule == AggregationRule::top_share) {
    fill_run_top_share(runs, b, options.size, work, out);
    return;
  }
  const double m = fill_run_ranks(runs, b, work, out);
  for (Index f = 0; f < p; ++f) {
    if (by_score) // 1 for the best, 0 for the worst; a feature without rivals is the best
      out[f] = m > 1.0 || std::isnan(out[f]) ? (m - out[f]) / (m - 1.0) : 1.0;
    else if (options.rule == AggregationRule::borda)
      out[f] = std::isnan(out[f])
                   ? out[f]
                   : std::max((options.size > 0.0 ? options.size : m) - out[f] + 1.0, 0.0);
    else if (options.rule == AggregationRule::exponential)
      out[f] = std::exp(-out[f] / options.size);
    else if (options.rule == AggregationRule::rank_product)
      out[f] = std::log(out[f]);
  }
  if (by_score)
    raise_scores(out, p, options.power);
}

// Weighted mean over the runs that scored the feature; NaN without any. The runs of each feature
// are summed in order: the number of threads does not matter.
inline Array<double> mean_over_runs(const ScoreRuns &runs, const AggregateOptions &options,
                                    const Runtime &runtime) {
  constexpr Index chunk = 16, block = 4096;
  const Index p = runs.n_total;
  Array<double> total(p, 0.0), weight(total);
  Eigen::MatrixXd value(p, std::min(chunk, runs.n_runs));
  for (Index start = 0; start < runs.n_runs; start += chunk) {
    const Index size = std::min(chunk, runs.n_runs - start);
    runtime.parallel_for(size, [&](Index t) {
      RankWorkspace work;
      const Index column = t;
      fill_run_value(runs, start + column, options, work, value.col(column).data());
    });
    const Index n_blocks = (p + block - 1) / block;
    runtime.parallel_for(n_blocks, [&](Index t) {
      const Index first = t * block, last = std::min(p, first + block);
      for (Index c = 0; c < size; ++c) {
        const double w = options.weight.empty() ? 1.0 : options.weight[start + c];
        if (w == 0.0)
          continue;
        for (Index f = first; f < last; ++f) {
          if (std::isnan(value(f, c)))
            continue;
          total[f] += w * value(f, c);
          weight[f] += w;
        }
      }
    });
    if (runtime.stop_requested())
      throw Interrupted();
    runtime.report(start + size, runs.n_runs);
  }
  for (Index f = 0; f < total.size(); ++f)
    total[f] = weight[f] > 0.0 ? total[f] / weight[f] : not_a_number();
  return total;
}

// Weighted median: the value at which half of the weight is reached, or the middle of two values if
// it is reached exactly.
inline double weighted_median(Array<std::pair<double, double>> &value_weight) {
  std::sort(value_weight.begin(), value_weight.end());
  double total = 0.0, below = 0.0;
  for (const auto &one : value_weight)
    total += one.second;
  for (Index i = 0; i < value_weight.size(); ++i) {
    below += value_weight[i].second;
    if (2.0 * below == total && i + 1 < value_weight.size())
      return 0.5 * (value_weight[i].first + value_weight[i + 1].first);
    if (2.0 * below >= total)
      return value_weight[i].first;
  }
  return not_a_number();
}

// Rules that need all ranks of a feature at once. Ranks are multiples of 1/2 and exact as
// float up to eight million features.
inline Array<double> combine_ranks(const ScoreRuns &runs, const AggregateOptions &options,
                                   const Runtime &runtime) {
  const Index p = runs.n_total, n_runs = runs.n_runs;
  Eigen::MatrixXf rank(p, n_runs);
  Array<double> considered(n_runs);
  run_tasks(n_runs, runtime, [&](Index b) {
    RankWorkspace work;
    Eigen::VectorXd one(p);
    considered[b] = fill_run_ranks(runs, b, work, one.data());
    rank.col(b) = one.cast<float>();
  });
  const LogFactorials factorials(n_runs);
  Array<double> result(p, not_a_number());
  constexpr Index block = 256;
  run_tasks((p + block - 1) / block, runtime, [&](Index t) {
    Array<double> share;
    Array<std::pair<double, double>> weighted;
    const Index first = t * block;
    for (Index f = first; f < std::min(p, first + block); ++f) {
      weighted.clear();
      share.clear();
      for (Index b = 0; b < n_runs; ++b) {
        const double r = rank(f, b);
        const Index at = b;
        const double w = options.weight.empty() ? 1.0 : options.weight[at];
        if (std::isnan(r) || w == 0.0)
          continue;
        weighted.emplace_back(r, w);
        share.push_back(r / considered[at]);
      }
      if (weighted.empty())
        continue;
      double &score = result[f];
      if (options.rule == AggregationRule::median_rank)
        score = -weighted_median(weighted);
      else if (options.rule == AggregationRule::best_rank)
        score = -std::min_element(weighted.begin(), weighted.end())->first;
      else
        score = -log_rho(share, factorials) / std::log(10.0);
    }
  });
  return result;
}

inline void check_aggregate_options(const ScoreRuns &runs, const AggregateOptions &options) {
  if (!options.weight.empty() && options.weight.size() != runs.n_runs)
    throw Error("there must be one weight per run");
  for (double w : options.weight)
    if (!(w >= 0.0) || std::isinf(w))
      throw Error("weights must be finite and not negative");
  const bool sized =
      options.rule == AggregationRule::top_share || options.rule == AggregationRule::exponential;
  if (sized && !(options.size > 0.0))
    throw Error("size must be positive");
}

} // namespace aggregate_detail

// One score per feature from all runs, higher is better; NaN for features no run scored.
inline Array<double> aggregate_runs(const ScoreRuns &runs, const AggregateOptions &options,
                                    const Runtime &runtime = Runtime()) {
  check_score_runs(runs);
  aggregate_detail::check_aggregate_options(runs, options);
  switch (options.rule) {
  case AggregationRule::median_rank:
  case AggregationRule::best_rank:
  case AggregationRule::robust_rank:
    return aggregate_detail::combine_ranks(runs, options, runtime);
  default:
    break;
  }
  Array<double> score = aggregate_detail::mean_over_runs(runs, options, runtime);
  if (options.rule == AggregationRule::mean_rank)
    for (double &s : score)
      s = -s;
  if (options.rule == AggregationRule::rank_product)
    for (double &s : score)
      s = -std::exp(s);
  return score;
}

} // namespace stabilect

#endif
