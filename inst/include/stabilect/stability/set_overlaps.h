#ifndef STABILECT_SET_OVERLAPS_H
#define STABILECT_SET_OVERLAPS_H

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/types.h"

namespace stabilect {

// The features that m runs selected out of n_total: run i has feature[start[i]] ..
// feature[start[i+1]-1], ascending, numbered from 0. The arrays are referred to, not copied, and
// must outlive this object.
struct RunSets {
  Index n_total = 0;
  Index n_runs = 0;
  const int *start = nullptr;
  const int *feature = nullptr;

  int size(Index i) const { return start[i + 1] - start[i]; }
  Index n_entries() const { return start[n_runs]; }
};

inline void check_run_sets(const RunSets &sets) {
  if (sets.n_total < 1 || sets.n_runs < 1)
    throw Error("sets must have at least one feature and one run");
  if (sets.start[0] != 0)
    throw Error("sets must start at entry 0");
  for (Index i = 0; i < sets.n_runs; ++i) {
    if (sets.start[i] > sets.start[i + 1])
      throw Error("sets must have ascending starts");
    for (int e = sets.start[i]; e < sets.start[i + 1]; ++e) {
      if (sets.feature[e] < 0 || sets.feature[e] >= sets.n_total)
        throw Error("sets must name features 0 to n_total - 1");
      if (e > sets.start[i] && sets.feature[e] <= sets.feature[e - 1])
        throw Error("features of a run must be ascending");
    }
  }
}

// The runs of each feature, in the given order of runs.
struct Postings {
  Array<Index> start;
  Array<int> run;

  Postings(const RunSets &sets, const Array<int> &order)
      : start(sets.n_total + 1, 0), run(sets.n_entries()) {
    for (Index e = 0; e < run.size(); ++e)
      ++start[sets.feature[e] + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    Array<Index> next(start.begin(), start.end() - 1);
    for (int i : order)
      for (int e = sets.start[i]; e < sets.start[i + 1]; ++e)
        run[next[sets.feature[e]]++] = i;
  }
  Index frequency(Index f) const { return start[f + 1] - start[f]; }
};

inline int count_bits(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return static_cast<int>((x * 0x0101010101010101ULL) >> 56);
}

// Runs compared together with all others.
constexpr Index pair_block_size = 32;

// Sizes of the intersections of one run with all runs. Features of many runs are compared 64 at a
// time as bits, since walking their runs would cost the square of the frequency. All others are
// compared by walking the runs of each feature, which costs nothing for disjoint runs.
class Overlaps {
public:
  explicit Overlaps(const RunSets &sets)
      : sets_(sets), postings_(sets, all_runs(sets)), bit_(sets_features(sets), -1) {
    choose_frequent();
    const Index m = sets.n_runs;
    words_.assign(m * n_words_, 0);
    for (Index i = 0; i < m; ++i)
      for (int e = sets.start[i]; e < sets.start[i + 1]; ++e) {
        const int at = bit_[sets.feature[e]];
        if (at >= 0)
          words_[(at / 64) * m + i] |= std::uint64_t(1) << (at % 64);
      }
  }

  // `overlap` has one place per run; the place of run i gets its size.
  void row(Index i, Array<int> &overlap) const {
    std::fill(overlap.begin(), overlap.end(), 0);
    const Index m = overlap.size();
    for (Index w = 0; w < n_words_; ++w) {
      const std::uint64_t *word = words_.data() + w * m;
      const std::uint64_t own = word[i];
      if (own == 0)
        continue;
      for (Index j = 0; j < m; ++j)
        overlap[j] += count_bits(own & word[j]);
    }
    for (int e = sets_.start[i]; e < sets_.start[i + 1]; ++e) {
      const Index f = sets_.feature[e];
      if (bit_[f] >= 0)
        continue;
      for (Index at = postings_.start[f]; at < postings_.start[f + 1]; ++at)
        ++overlap[postings_.run[at]];
    }
  }

private:
  static Array<int> all_runs(const RunSets &sets) {
    Array<int> order(sets.n_runs);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  static Index sets_features(const RunSets &sets) { return sets.n_total; }

  // In descending frequency: words of 64 features, as long as walking their runs (the sum of
  // squared frequencies) takes more steps than one word costs for all pairs.
  void choose_frequent() {
    const double m = sets_.n_runs;
    Array<int> candidates;
    for (Index f = 0; f < bit_.size(); ++f)
      if (64.0 * postings_.frequency(f) > m)
        candidates.push_back(static_cast<int>(f));
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](int f, int g) { return postings_.frequency(f) > postings_.frequency(g); });
    for (Index from = 0; from < candidates.size(); from += 64) {
      const Index to = std::min<Index>(from + 64, candidates.size());
      double steps = 0.0;
      for (Index c = from; c < to; ++c) {
        const double h = postings_.frequency(candidates[c]);
        steps += h * h;
      }
      if (steps < 2.0 * m * m)
        break;
      for (Index c = from; c < to; ++c)
        bit_[candidates[c]] = static_cast<int>(c);
      ++n_words_;
    }
  }

  const RunSets &sets_;
  Postings postings_;
  Array<int> bit_; // place of a frequent feature among the bits, else -1
  Index n_words_ = 0;
  Array<std::uint64_t> words_; // run i's word w at w * m + i
};

} // namespace stabilect

#endif
