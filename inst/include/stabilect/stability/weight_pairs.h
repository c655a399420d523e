#ifndef STABILECT_WEIGHT_PAIRS_H
#define STABILECT_WEIGHT_PAIRS_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "stabilect/base/runtime.h"

namespace stabilect {

// Numbers of some features in each run, compressed: run i has the entries start[i] to start[i + 1]
// - 1 of feature (ascending) and value. References only: the vectors must outlive it.
struct SparseRuns {
  Index n_runs = 0;
  int n_total = 0;
  const int *start = nullptr;
  const int *feature = nullptr;
  const double *value = nullptr;
};

namespace weight_pairs_detail {

// Calls both(a, b) for features in both runs, only_i(a) and only_j(b) for the others, in ascending
// order of features; a and b are entries.
template <class Both, class OnlyI, class OnlyJ>
void merge_runs(const int *feature, int a, int a_end, int b, int b_end, const Both &both,
                const OnlyI &only_i, const OnlyJ &only_j) {
  while (a < a_end && b < b_end) {
    if (feature[a] < feature[b])
      only_i(a++);
    else if (feature[b] < feature[a])
      only_j(b++);
    else
      both(a++, b++);
  }
  while (a < a_end)
    only_i(a++);
  while (b < b_end)
    only_j(b++);
}

// Values of a run ascending, and their running sums from the front: sum[l] of the first l.
struct SortedRun {
  Array<double> value, sum;
};

inline SortedRun sort_run(const SparseRuns &runs, Index i) {
  SortedRun run;
  run.value.assign(runs.value + runs.start[i], runs.value + runs.start[i + 1]);
  std::sort(run.value.begin(), run.value.end());
  run.sum.assign(1, 0.0);
  for (double value : run.value)
    run.sum.push_back(run.sum.back() + value);
  return run;
}

// Sum of min(I_fi, I_gj) over all f of run i and g of run j: Hamer and Dupont (2021), Algorithm 2.
inline double sum_of_minima(const SortedRun &i, const SortedRun &j) {
  double total = 0.0;
  Index below = 0;
  for (double value : j.value) {
    while (below < i.value.size() && i.value[below] < value)
      ++below;
    total += i.sum[below] + (i.value.size() - below) * value;
  }
  return total;
}

} // namespace weight_pairs_detail

// Numerators s_ij - e_ij and denominators 1 - e_ij of phi_iw for all pairs of runs, from shares of
// importance (each run sums to one): Hamer and Dupont (2021), Eq. 6, whose common factor, the mean
// number of features, cancels. Both matrices are symmetric, n x n, with a zero diagonal.
inline void importance_overlap(const SparseRuns &runs, double *numerator, double *denominator,
                               const Runtime &runtime = Runtime()) {
  const Index n = runs.n_runs;
  Array<weight_pairs_detail::SortedRun> sorted(n);
  for (Index i = 0; i < n; ++i)
    sorted[i] = weight_pairs_detail::sort_run(runs, i);
  run_tasks(n, runtime, [&](Index i) {
    numerator[i * n + i] = denominator[i * n + i] = 0.0;
    for (Index j = i + 1; j < n; ++j) {
      double shared = 0.0,
             random = weight_pairs_detail::sum_of_minima(sorted[i], sorted[j]) / runs.n_total;
      weight_pairs_detail::merge_runs(
          runs.feature, runs.start[i], runs.start[i + 1], runs.start[j], runs.start[j + 1],
          [&](int a, int b) { shared += std::min(runs.value[a], runs.value[b]); }, [](int) {},
          [](int) {});
      // Two empty runs: Hamer and Dupont (2021), section 5.
      if (sorted[i].value.empty() && sorted[j].value.empty())
        shared = random = 1.0;
      numerator[i * n + j] = numerator[j * n + i] = shared - random;
      // All features with equal importance in both runs: exactly 0, without the rounding error of
      // 1 - 1.
      denominator[i * n + j] = denominator[j * n + i] = 1.0 - random <= 1e-12 ? 0.0 : 1.0 - random;
    }
  });
}

// Ranks of a run from its scores, best first. Features without a score are tied after all others.
struct RunRanks {
  Array<int> above; // entry -> features with a higher score
  Array<int> tied;  // entry -> features with the same score, itself included
  Array<int> level; // entry -> 1, 2, ... by ascending score; features without one are at 0
  int n_entries = 0;
  int n_absent = 0;
  double tied_pairs = 0.0; // pairs of features with the same score

  double rank(Index entry) const { return above[entry] + (tied[entry] + 1) / 2.0; }
  double absent_rank() const { return n_entries + (n_absent + 1) / 2.0; }
};

inline RunRanks rank_run(const SparseRuns &runs, Index i) {
  const double *score = runs.value + runs.start[i];
  const Index size = runs.start[i + 1] - runs.start[i];
  Array<Index> order(size);
  for (Index k = 0; k < size; ++k)
    order[k] = k;
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return score[a] != score[b] ? score[a] > score[b] : a < b; });
  RunRanks ranks;
  ranks.above.resize(size);
  ranks.tied.resize(size);
  ranks.level.resize(size);
  ranks.n_entries = static_cast<int>(size);
  ranks.n_absent = runs.n_total - ranks.n_entries;
  ranks.tied_pairs = 0.5 * ranks.n_absent * (ranks.n_absent - 1.0);
  int level = 0;
  for (Index k = 0; k < size; ++level) {
    Index last = k;
    while (last < size && score[order[last]] == score[order[k]])
      ++last;
    const auto tied = static_cast<int>(last - k);
    for (Index t = k; t < last; ++t) {
      ranks.above[order[t]] = static_cast<int>(k);
      ranks.tied[order[t]] = tied;
      ranks.level[order[t]] = level;
    }
    ranks.tied_pairs += 0.5 * tied * (tied - 1.0);
    k = last;
  }
  for (int &at : ranks.level)
    at = level - at;
  return ranks;
}

} // namespace stabilect

#endif
