#ifndef STABILECT_RANK_PAIRS_H
#define STABILECT_RANK_PAIRS_H

#include <utility>

#include "stabilect/stability/weight_pairs.h"

namespace stabilect {

enum class RankIndex { spearman, kendall, canberra, overlap };

struct RankOptions {
  RankIndex index = RankIndex::spearman;
  int location = 1;      // canberra: ranks beyond count as location + 1
  Array<double> weights; // overlap: of the depths 1, 2, ...
};

// Compares the rankings of all pairs of runs.
class RankComparison {
public:
  RankComparison(const SparseRuns &runs, RankOptions options)
      : runs_(runs), options_(std::move(options)) {
    for (Index i = 0; i < runs.n_runs; ++i)
      ranks_.push_back(rank_run(runs, i));
    // Sum of the weights of this depth and all later ones.
    tail_.assign(options_.weights.size() + 1, 0.0);
    for (Index l = options_.weights.size(); l-- > 0;)
      tail_[l] = tail_[l + 1] + options_.weights[l];
  }

  // Into the symmetric n x n matrix `score` with a zero diagonal. Correlations of a run with all
  // features tied are NaN; Canberra gives the sum over features, overlap the weighted sum.
  void compare(double *score, const Runtime &runtime = Runtime()) const {
    const Index n = runs_.n_runs;
    run_tasks(n, runtime, [&](Index i) {
      score[i * n + i] = 0.0;
      for (Index j = i + 1; j < n; ++j)
        score[i * n + j] = score[j * n + i] = compare_pair(i, j);
    });
  }

private:
  double compare_pair(Index i, Index j) const {
    switch (options_.index) {
    case RankIndex::spearman:
      return spearman(i, j);
    case RankIndex::kendall:
      return kendall(i, j);
    case RankIndex::canberra:
      return canberra(i, j);
    default:
      return overlap(i, j);
    }
  }

  // f(rank in i, rank in j) for all features with a score in at least one of the runs; returns the
  // number of features with none.
  template <class Function> int for_ranks(Index i, Index j, const Function &f) const {
    const int from_i = runs_.start[i], from_j = runs_.start[j];
    const double absent_i = ranks_[i].absent_rank(), absent_j = ranks_[j].absent_rank();
    int seen = 0;
    const auto rank_i = [&](int a) { return ranks_[i].rank(a - from_i); };
    const auto rank_j = [&](int b) { return ranks_[j].rank(b - from_j); };
    weight_pairs_detail::merge_runs(
        runs_.feature, from_i, runs_.start[i + 1], from_j, runs_.start[j + 1],
        [&](int a, int b) { f(rank_i(a), rank_j(b)), ++seen; },
        [&](int a) { f(rank_i(a), absent_j), ++seen; },
        [&](int b) { f(absent_i, rank_j(b)), ++seen; });
    return runs_.n_total - seen;
  }

  // Pearson correlation of mid-ranks.
  double spearman(Index i, Index j) const {
    const double middle = (runs_.n_total + 1) / 2.0;
    double product = 0.0;
    const int rest =
        for_ranks(i, j, [&](double a, double b) { product += (a - middle) * (b - middle); });
    product += rest * (ranks_[i].absent_rank() - middle) * (ranks_[j].absent_rank() - middle);
    return product / std::sqrt(rank_squares(i) * rank_squares(j));
  }

  double rank_squares(Index i) const {
    const double middle = (runs_.n_total + 1) / 2.0, absent = ranks_[i].absent_rank() - middle;
    double sum = ranks_[i].n_absent * absent * absent;
    for (Index k = 0; k < ranks_[i].above.size(); ++k)
      sum += (ranks_[i].rank(k) - middle) * (ranks_[i].rank(k) - middle);
    return sum > 0.0 ? sum : std::numeric_limits<double>::quiet_NaN();
  }

  // tau-b by merge sort (Knight 1966) of the features with a score in at least one run. The others,
  // last in both, are concordant with exactly the features that have a score in both.
  double kendall(Index i, Index j) const {
    Array<std::pair<int, int>> levels;
    const int from_i = runs_.start[i], from_j = runs_.start[j];
    const auto at_i = [&](int a) { return ranks_[i].level[a - from_i]; };
    const auto at_j = [&](int b) { return ranks_[j].level[b - from_j]; };
    double in_both = 0.0;
    weight_pairs_detail::merge_runs(
        runs_.feature, from_i, runs_.start[i + 1], from_j, runs_.start[j + 1],
        [&](int a, int b) { levels.emplace_back(at_i(a), at_j(b)), in_both += 1.0; },
        [&](int a) { levels.emplace_back(at_i(a), 0); },
        [&](int b) { levels.emplace_back(0, at_j(b)); });
    const double rest = runs_.n_total - levels.size();
    const double agreement = concordance(levels) + rest * in_both;
    const double pairs = 0.5 * runs_.n_total * (runs_.n_total - 1.0);
    const double scale = (pairs - ranks_[i].tied_pairs) * (pairs - ranks_[j].tied_pairs);
    return scale > 0.0 ? agreement / std::sqrt(scale) : std::numeric_limits<double>::quiet_NaN();
  }

  // Concordant minus discordant pairs.
  static double concordance(Array<std::pair<int, int>> &levels) {
    std::sort(levels.begin(), levels.end());
    const auto ties = [&](const auto &same) {
      double sum = 0.0, run = 0.0;
      for (Index k = 1; k < levels.size(); ++k) {
        run = same(levels[k - 1], levels[k]) ? run + 1.0 : 0.0;
        sum += run;
      }
      return sum;
    };
    using Level = std::pair<int, int>;
    const double n = levels.size();
    const double tied_first =
        ties([](const Level &v, const Level &w) { return v.first == w.first; });
    const double tied_both = ties([](const Level &v, const Level &w) { return v == w; });
    Array<int> second;
    for (const Level &level : levels)
      second.push_back(level.second);
    Array<int> spare(second.size());
    const double swaps = sort_counting(second, spare, 0, second.size());
    for (Index k = 0; k < second.size(); ++k)
      levels[k].second = second[k];
    const double tied_second =
        ties([](const Level &v, const Level &w) { return v.second == w.second; });
    return 0.5 * n * (n - 1.0) - tied_first - tied_second + tied_both - 2.0 * swaps;
  }

  // Merge sort; returns how many pairs were in descending order.
  static double sort_counting(Array<int> &v, Array<int> &spare, Index from, Index to) {
    if (to - from < 2)
      return 0.0;
    const Index middle = from + (to - from) / 2;
    double swaps = sort_counting(v, spare, from, middle) + sort_counting(v, spare, middle, to);
    Index a = from, b = middle, at = from;
    while (a < middle && b < to) {
      if (v[b] < v[a]) {
        swaps += middle - a;
        spare[at++] = v[b++];
      } else {
        spare[at++] = v[a++];
      }
    }
    std::copy(v.begin() + a, v.begin() + middle, spare.begin() + at);
    std::copy(spare.begin() + from, spare.begin() + b, v.begin() + from);
    return swaps;
  }

  // Canberra distance of ranks cut at location + 1: Hamer and Dupont (2021), Eq. 5.
  double canberra(Index i, Index j) const {
    const double cut = options_.location + 1.0;
    const auto distance = [&](double a, double b) {
      a = std::min(a, cut);
      b = std::min(b, cut);
      return std::fabs(a - b) / (a + b);
    };
    double sum = 0.0;
    const int rest = for_ranks(i, j, [&](double a, double b) { sum += distance(a, b); });
    if (rest > 0)
      sum += rest * distance(ranks_[i].absent_rank(), ranks_[j].absent_rank());
    return sum;
  }

  // Ties at depth l share the remaining places: each of t features for s places counts s / t.
  struct Block {
    int above;
    int tied;

    double share(int depth) const {
      return std::min(1.0, std::max(0.0, 1.0 * (depth - above) / tied));
    }
  };

  double shared_depths(const Block &i, const Block &j) const {
    const int from = std::max(i.above, j.above) + 1;
    const int depth = static_cast<int>(options_.weights.size());
    if (from > depth)
      return 0.0;
    const int full = std::min(depth + 1, std::max(i.above + i.tied, j.above + j.tied));
    double sum = tail_[full - 1];
    for (int l = from; l < full; ++l)
      sum += options_.weights[l - 1] * std::min(i.share(l), j.share(l));
    return sum;
  }

  // Sum over depths of weight times size of the overlap of the best ones.
  double overlap(Index i, Index j) const {
    const RunRanks &in_i = ranks_[i], &in_j = ranks_[j];
    const int from_i = runs_.start[i], from_j = runs_.start[j];
    const Block absent_i = {in_i.n_entries, in_i.n_absent};
    const Block absent_j = {in_j.n_entries, in_j.n_absent};
    const auto block_i = [&](int a) {
      const Index k = a - from_i;
      return Block{in_i.above[k], in_i.tied[k]};
    };
    const auto block_j = [&](int b) {
      const Index k = b - from_j;
      return Block{in_j.above[k], in_j.tied[k]};
    };
    double sum = 0.0;
    int seen = 0;
    weight_pairs_detail::merge_runs(
        runs_.feature, from_i, runs_.start[i + 1], from_j, runs_.start[j + 1],
        [&](int a, int b) { sum += shared_depths(block_i(a), block_j(b)), ++seen; },
        [&](int a) { sum += shared_depths(block_i(a), absent_j), ++seen; },
        [&](int b) { sum += shared_depths(absent_i, block_j(b)), ++seen; });
    const int rest = runs_.n_total - seen;
    return rest > 0 ? sum + rest * shared_depths(absent_i, absent_j) : sum;
  }

  SparseRuns runs_;
  RankOptions options_;
  Array<RunRanks> ranks_;
  Array<double> tail_;
};

} // namespace stabilect

#endif
