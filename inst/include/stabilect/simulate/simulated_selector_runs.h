#ifndef STABILECT_SIMULATED_SELECTOR_RUNS_H
#define STABILECT_SIMULATED_SELECTOR_RUNS_H

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/simulate/simulated_selector.h"

namespace stabilect {

struct SimulationOptions {
  Array<int> sizes; // members of the ensembles, ascending
  int n_runs = 100;
  std::uint64_t seed = 0;
};

inline void check_simulation_options(const SimulationOptions &options) {
  if (options.n_runs < 1 || options.sizes.empty() || options.sizes[0] < 1)
    throw Error("there must be runs, and members in every ensemble");
  for (Index s = 1; s < options.sizes.size(); ++s)
    if (options.sizes[s] <= options.sizes[s - 1])
      throw Error("sizes must ascend");
}

// Stability of sets of one size, from the value of an overlap: mean over pairs, its standard
// error, the standard deviation of a pair, the mean overlap, and the mean number
// of features of S'.
struct PairSummary {
  double mean = 0.0, se = 0.0, sd = 0.0, overlap = 0.0, useful = 0.0;
};

namespace simulated_selector_runs_detail {

// Overlaps by an inverted index: the work grows with the number of shared features, not of pairs.
// The runs with a feature are a linked list of places in the concatenated sets.
class OverlapCounter {
public:
  OverlapCounter(int n_total, int n_runs) : newest_(n_total, -1), overlap_(n_runs, 0) {}

  // set(i) is the first of the t features of run i; value[r] of an overlap r.
  template <typename SetOf>
  PairSummary summarise(int t, int n_useful, const Array<double> &value, SetOf &&set) {
    const Index m = overlap_.size();
    Array<double> of_run(m, 0.0);
    older_.resize(m * t);
    double squares = 0.0, shared = 0.0, useful = 0.0;
    int place = 0;
    for (Index i = 0; i < m; ++i) {
      const int *features = set(i);
      for (int k = 0; k < t; ++k, ++place) {
        int &newest = newest_[features[k]];
        for (int at = newest; at >= 0; at = older_[at])
          ++overlap_[at / t];
        older_[place] = newest;
        newest = place;
        useful += features[k] < n_useful ? 1.0 : 0.0;
      }
      for (Index j = 0; j < i; ++j) {
        const double v = value[overlap_[j]];
        of_run[i] += v;
        of_run[j] += v;
        squares += v * v;
        shared += overlap_[j];
        overlap_[j] = 0;
      }
      overlap_[i] = 0;
    }
    for (Index i = 0; i < m; ++i)
      for (int k = 0; k < t; ++k)
        newest_[set(i)[k]] = -1;
    return finish(of_run, squares, shared, useful);
  }

private:
  static PairSummary finish(const Array<double> &of_run, double squares, double shared,
                            double useful) {
    const double m = of_run.size();
    PairSummary out;
    out.useful = useful / m;
    if (of_run.size() < 2)
      return out;
    const double pairs = m * (m - 1.0) / 2.0;
    double total = 0.0, spread = 0.0;
    for (double v : of_run)
      total += v;
    out.mean = total / 2.0 / pairs;
    out.overlap = shared / pairs;
    out.sd = std::sqrt(std::max(squares / pairs - out.mean * out.mean, 0.0));
    // Variance of a mean over pairs (Hoeffding 1948): zeta1 is the variance of a run's expected
    // pair, found from the spread of the runs' means; the jackknife counts the pairs' own variance
    // twice.
    for (double v : of_run)
      spread += (v / (m - 1.0) - out.mean) * (v / (m - 1.0) - out.mean) / (m - 1.0);
    const double zeta2 = out.sd * out.sd;
    const double zeta1 =
        m > 4.0 ? std::max((spread * (m - 1.0) * (m - 1.0) / (m - 2.0) - zeta2) / (m - 4.0), 0.0)
                : 0.0;
    out.se = std::sqrt((2.0 * (m - 2.0) * zeta1 + zeta2) / pairs);
    return out;
  }

  Array<int> newest_, older_, overlap_;
};

} // namespace simulated_selector_runs_detail

// Sets of all runs: n_features x sizes x runs for each model. Run r draws from stream (seed, r) in
// every model: models differ by their parameters, not by chance.
inline Array<Array<int>> simulate_sets(const Array<UrnModel> &models,
                                       const SimulationOptions &options,
                                       const Runtime &runtime = Runtime()) {
  check_simulation_options(options);
  const Index runs = options.n_runs;
  Array<Array<int>> sets(models.size());
  for (Index c = 0; c < models.size(); ++c) {
    check_urn_model(models[c]);
    sets[c].resize(models[c].n_features * options.sizes.size() * runs);
  }
  run_tasks(models.size() * runs, runtime, [&](Index task) {
    const Index c = task / runs, r = task % runs;
    const Index step = models[c].n_features * options.sizes.size();
    UrnSampler sampler(models[c], options.seed, r);
    simulate_ensembles(models[c], options.sizes, options.seed, r, sampler,
                       sets[c].data() + r * step, runtime);
  });
  return sets;
}

// Number of features of S' among the selected: sizes x runs for each model.
inline Array<Array<int>> count_useful(const Array<UrnModel> &models,
                                      const Array<Array<int>> &sets) {
  Array<Array<int>> useful(models.size());
  for (Index c = 0; c < models.size(); ++c) {
    const Index t = models[c].n_features;
    useful[c].resize(sets[c].size() / t);
    for (Index i = 0; i < useful[c].size(); ++i)
      for (Index k = 0; k < t; ++k)
        useful[c][i] += sets[c][i * t + k] < models[c].n_useful ? 1 : 0;
  }
  return useful;
}

// Stability of each model (rows) and size: sizes fastest. Keeps the sets of one model per thread.
inline Array<PairSummary> simulate_pairs(const Array<UrnModel> &models,
                                         const SimulationOptions &options,
                                         const Array<double> &value,
                                         const Runtime &runtime = Runtime()) {
  check_simulation_options(options);
  const Index runs = options.n_runs, s = options.sizes.size();
  Array<PairSummary> out(models.size() * s);
  const auto summarise = [&](Index c, const Array<int> &sets) {
    const Index t = models[c].n_features;
    simulated_selector_runs_detail::OverlapCounter counter(models[c].n_total, options.n_runs);
    for (Index k = 0; k < s; ++k)
      out[c * s + k] = counter.summarise(models[c].n_features, models[c].n_useful, value,
                                         [&](Index i) { return sets.data() + (i * s + k) * t; });
  };
  for (const UrnModel &model : models)
    if (value.size() != model.n_features + 1)
      throw Error("there must be a value for every overlap");
  if (models.size() < 2 * runtime.n_threads) {
    const auto sets = simulate_sets(models, options, runtime);
    for (Index c = 0; c < models.size(); ++c)
      summarise(c, sets[c]);
    return out;
  }
  run_tasks(models.size(), runtime, [&](Index c) {
    check_urn_model(models[c]);
    Array<int> sets(models[c].n_features * s * runs);
    UrnSampler sampler(models[c], options.seed, 0);
    for (Index r = 0; r < runs; ++r) {
      sampler.restart(options.seed, r);
      int *place = sets.data() + r * s * models[c].n_features;
      if (!simulate_ensembles(models[c], options.sizes, options.seed, r, sampler, place, runtime) ||
          (r % 64 == 63 && runtime.stop_requested()))
        return;
    }
    summarise(c, sets);
  });
  return out;
}

// The results of a study if the model were true: single selectors, how many features they select
// more often than the threshold (each feature adds the weight of its count), their stability.
struct SingleStudy {
  double n_above = 0.0;
  double stability = 0.0;
};

inline Array<SingleStudy> simulate_studies(const UrnModel &model, int n_studies,
                                           const Array<double> &count_weight,
                                           const Array<double> &value, std::uint64_t seed,
                                           const Runtime &runtime = Runtime()) {
  check_urn_model(model);
  if (value.size() != model.n_features + 1)
    throw Error("there must be a value for every overlap");
  if (count_weight.size() < 3)
    throw Error("a study has two runs at least, and a weight for every count");
  const Index n_runs = count_weight.size() - 1;
  Array<SingleStudy> out(n_studies);
  run_tasks(out.size(), runtime, [&](Index b) {
    const Index t = model.n_features;
    // Streams beyond the runs of simulate_sets(), which are counted from 0.
    UrnSampler sampler(model, seed, (std::int64_t(1) << 40) + b);
    Array<int> sets(t * n_runs);
    Array<int> count(model.n_total, 0);
    for (Index r = 0; r < n_runs; ++r)
      sampler.select(sets.data() + r * t);
    for (int f : sets)
      ++count[f];
    for (int c : count)
      out[b].n_above += count_weight[c];
    simulated_selector_runs_detail::OverlapCounter counter(model.n_total, static_cast<int>(n_runs));
    out[b].stability = counter
                           .summarise(model.n_features, model.n_useful, value,
                                      [&](Index i) { return sets.data() + i * t; })
                           .mean;
  });
  return out;
}

} // namespace stabilect

#endif
