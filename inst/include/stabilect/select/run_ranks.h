#ifndef STABILECT_RUN_RANKS_H
#define STABILECT_RUN_RANKS_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/ties.h"
#include "stabilect/base/types.h"

namespace stabilect {

// Scores of n_total features in n_runs runs, higher is better: all of them by columns
// (`feature` null), or compressed by column, where a feature without an entry comes last.
// NaN: the run did not look at the feature. The data are referred to, not copied.
struct ScoreRuns {
  Index n_total = 0;
  Index n_runs = 0;
  const double *score = nullptr;
  const int *feature = nullptr;
  const int *start = nullptr;

  bool sparse() const { return feature != nullptr; }
  Index first(Index b) const { return sparse() ? start[b] : b * n_total; }
  Index size(Index b) const { return sparse() ? start[b + 1] - start[b] : n_total; }
  int feature_at(Index b, Index k) const {
    return sparse() ? feature[start[b] + k] : static_cast<int>(k);
  }
};

inline void check_score_runs(const ScoreRuns &runs) {
  if (runs.n_total < 1 || runs.n_runs < 1)
    throw Error("scores must have at least one feature and one run");
  if (!runs.sparse())
    return;
  for (Index b = 0; b < runs.n_runs; ++b) {
    if (runs.start[b] < 0 || runs.start[b] > runs.start[b + 1])
      throw Error("scores must have ascending starts");
    for (Index k = runs.start[b]; k < runs.start[b + 1]; ++k)
      if (runs.feature[k] < 0 || runs.feature[k] >= runs.n_total)
        throw Error("scores must name features 0 to n_total - 1");
  }
}

struct RankEntry {
  std::uint64_t key; // ascending for descending scores, equal for equal ones but for rounding
  int feature;
};

struct RankWorkspace {
  Array<RankEntry> entry, other;
  Index n_considered = 0; // features that the run looked at
};

namespace run_ranks_detail {

inline std::uint64_t descending_key(double score) {
  score += 0.0; // minus zero equals zero
  std::uint64_t bits;
  std::memcpy(&bits, &score, sizeof bits);
  const std::uint64_t sign = std::uint64_t(1) << 63;
  return (bits & sign) ? bits : ~(bits | sign);
}

// Stable radix sort, 11 bits at a time: several times as fast as std::sort here, and
// equal scores stay in column order.
inline void sort_entries(RankWorkspace &work) {
  constexpr int digits = 6, width = 11;
  constexpr std::uint64_t mask = (1u << width) - 1;
  Array<std::array<std::uint32_t, Index(1) << width>> count(digits);
  for (auto &one : count)
    one.fill(0);
  for (const RankEntry &e : work.entry)
    for (int d = 0; d < digits; ++d)
      ++count[d][(e.key >> (d * width)) & mask];
  work.other.resize(work.entry.size());
  for (int d = 0; d < digits; ++d) {
    auto &one = count[d];
    std::uint32_t place = 0;
    for (auto &c : one) {
      const std::uint32_t here = c;
      c = place;
      place += here;
    }
    for (const RankEntry &e : work.entry)
      work.other[one[(e.key >> (d * width)) & mask]++] = e;
    work.entry.swap(work.other);
  }
}

} // namespace run_ranks_detail

// Entries of run b in column order.
inline void fill_run(const ScoreRuns &runs, Index b, RankWorkspace &work) {
  const double *score = runs.score + runs.first(b);
  const Index size = runs.size(b);
  work.entry.clear();
  work.entry.reserve(size);
  for (Index k = 0; k < size; ++k)
    if (!std::isnan(score[k]))
      work.entry.push_back({run_ranks_detail::descending_key(score[k]), runs.feature_at(b, k)});
  work.n_considered = runs.n_total - (size - work.entry.size());
}

// Entries of run b, best first, ties in column order.
inline void sort_run(const ScoreRuns &runs, Index b, RankWorkspace &work) {
  fill_run(runs, b, work);
  run_ranks_detail::sort_entries(work);
}

namespace run_ranks_detail {

// `absent` for features without an entry, NaN for features that the run did not look at.
inline void fill_background(const ScoreRuns &runs, Index b, double absent, double *out) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(out, out + runs.n_total, runs.sparse() ? absent : nan);
  if (!runs.sparse())
    return;
  for (Index k = runs.start[b]; k < runs.start[b + 1]; ++k)
    if (std::isnan(runs.score[k]))
      out[runs.feature[k]] = nan;
}

// value(first, last) for each block of ties at places first .. last - 1, from 0.
template <class Value> void fill_blocks(const RankWorkspace &work, Value value, double *out) {
  const Index n = work.entry.size();
  for (Index first = 0, last; first < n; first = last) {
    last = first + 1;
    while (last < n && work.entry[last].key - work.entry[last - 1].key <= kRounding)
      ++last;
    const double v = value(first, last);
    for (Index k = first; k < last; ++k)
      out[work.entry[k].feature] = v;
  }
}

} // namespace run_ranks_detail

// Ranks from 1 (best), ties share the mean of their places; features without an entry
// share the last places. Returns how many features the run looked at.
inline Index fill_run_ranks(const ScoreRuns &runs, Index b, RankWorkspace &work, double *out) {
  sort_run(runs, b, work);
  const double entries = work.entry.size();
  const double absent = 0.5 * (entries + 1.0 + work.n_considered);
  run_ranks_detail::fill_background(runs, b, absent, out);
  run_ranks_detail::fill_blocks(
      work, [](double first, double last) { return 0.5 * (first + 1.0 + last); }, out);
  return work.n_considered;
}

// 1 for the `size` best, 0 for others; features tied for the last places share them. A feature
// without an entry has 0.
inline void fill_run_top_share(const ScoreRuns &runs, Index b, double size, RankWorkspace &work,
                               double *out) {
  sort_run(runs, b, work);
  run_ranks_detail::fill_background(runs, b, 0.0, out);
  run_ranks_detail::fill_blocks(
      work,
      [size](double first, double last) {
        return std::min(std::max((size - first) / (last - first), 0.0), 1.0);
      },
      out);
}

// Absent entries are 0.
inline void fill_run_score(const ScoreRuns &runs, Index b, double *out) {
  if (runs.sparse())
    std::fill(out, out + runs.n_total, 0.0);
  const double *score = runs.score + runs.first(b);
  for (Index k = 0; k < runs.size(b); ++k)
    out[runs.feature_at(b, k)] = score[k];
}

namespace run_ranks_detail {

// Keeps the `size` best of many entries in one pass: those that cannot be among them are never
// stored, and those that are stored are thinned out when they are twice as many.
class BestEntries {
public:
  BestEntries(Index size, TieOrder ties) : size_(size), ties_(ties) {}

  void add(const RankEntry &entry) {
    if (entry.key > last_)
      return;
    kept_.push_back(entry);
    if (kept_.size() >= enough_)
      thin_out();
  }

  // Without those that have the key `none`.
  Array<int> features(std::uint64_t none) { // ascending
    thin_out();
    if (kept_.size() > size_)
      draw_among_equal();
    Array<int> out;
    for (const RankEntry &entry : kept_)
      if (entry.key != none)
        out.push_back(entry.feature);
    std::sort(out.begin(), out.end());
    return out;
  }

private:
  // Leaves those that are no worse than the one at the last place, but for rounding.
  void thin_out() {
    if (size_ == 0) {
      kept_.clear();
      return;
    }
    if (kept_.size() > size_) {
      std::nth_element(kept_.begin(), kept_.begin() + (size_ - 1), kept_.end(),
                       [](const RankEntry &a, const RankEntry &b) { return a.key < b.key; });
      place_ = kept_[size_ - 1].key;
      last_ = place_ + std::min(kRounding, ~std::uint64_t(0) - place_);
      const auto end = std::partition(kept_.begin(), kept_.end(),
                                      [this](const RankEntry &a) { return a.key <= last_; });
      kept_.resize(end - kept_.begin());
    }
    enough_ = 2 * kept_.size() + 64;
  }

  // The last places go to some of those that are equal there.
  void draw_among_equal() {
    const auto equal = std::partition(kept_.begin(), kept_.end(), [this](const RankEntry &a) {
      return a.key + std::min(kRounding, ~std::uint64_t(0) - a.key) < place_;
    });
    std::nth_element(
        equal, kept_.begin() + (size_ - 1), kept_.end(),
        [this](const RankEntry &a, const RankEntry &b) { return ties_(a.feature, b.feature); });
    kept_.resize(size_);
  }

  Index size_;
  TieOrder ties_;
  Array<RankEntry> kept_;
  Index enough_ = 64;
  std::uint64_t place_ = 0, last_ = ~std::uint64_t(0);
};

} // namespace run_ranks_detail

// The `size` best features of each run, ascending. Where no score of a run is negative, a feature
// without an entry, or with a score of 0, has none: the list is shorter.
inline Array<Array<int>> best_features(const ScoreRuns &runs, Index size,
                                       const Runtime &runtime = Runtime(),
                                       const Ties &ties = Ties()) {
  check_score_runs(runs);
  check_ties(ties, runs.n_total, runs.n_runs);
  const std::uint64_t zero = run_ranks_detail::descending_key(0.0);
  Array<Array<int>> best(runs.n_runs);
  run_tasks(best.size(), runtime, [&](Index b) {
    run_ranks_detail::BestEntries entries(size, ties.in_run(b));
    const double *score = runs.score + runs.first(b);
    double lowest = 0.0;
    for (Index k = 0; k < runs.size(b); ++k)
      if (!std::isnan(score[k])) {
        lowest = std::min(lowest, score[k]);
        entries.add({run_ranks_detail::descending_key(score[k]), runs.feature_at(b, k)});
      }
    // No score has a key of all ones, a NaN.
    best[b] = entries.features(lowest < 0.0 ? ~std::uint64_t(0) : zero);
  });
  return best;
}

} // namespace stabilect

#endif
