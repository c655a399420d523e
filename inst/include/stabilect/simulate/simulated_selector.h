#ifndef STABILECT_SIMULATED_SELECTOR_H
#define STABILECT_SIMULATED_SELECTOR_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/rng.h"
#include "stabilect/base/runtime.h"

namespace stabilect {

// The simulated selector of Onda et al. (Algorithms 2 and 3). Features 0 .. n_useful - 1 are the
// pool of useful features, S'. Each weak selector draws from it its preferred features, S_m.
struct UrnModel {
  int n_total = 0;
  int n_features = 0;
  int n_useful = 0;
  double p = 0.0;
  // Feature j of S' enters S_m with weight exp(-preference j / (n_useful - 1)), one draw after the
  // other without replacement; 0 is the uniform choice of Onda et al.
  double preference = 0.0;
};

inline void check_urn_model(const UrnModel &model) {
  if (model.n_features < 1 || model.n_useful < model.n_features || model.n_total < model.n_useful)
    throw Error("there must be 1 <= n_features <= n_useful <= n_total");
  if (!(model.p >= 0.0 && model.p <= 1.0))
    throw Error("`p` must be between 0 and 1");
  if (!(model.preference >= 0.0) || std::isinf(model.preference))
    throw Error("`preference` must be finite and not negative");
}

namespace simulated_selector_detail {

// Whole numbers below small bounds, two from each word of the generator: Lemire (2019) with 32
// bits, unbiased like Rng::below().
class SmallDraws {
public:
  SmallDraws(std::uint64_t seed, std::int64_t stream, std::uint64_t domain)
      : rng_(seed, stream, domain) {}

  // The bound is below 2^32.
  Index below(Index bound) {
    const auto n = static_cast<std::uint64_t>(bound);
    std::uint64_t product = half() * n;
    if ((product & kHalf) < n) {
      const std::uint64_t threshold = (kHalf + 1 - n) % n;
      while ((product & kHalf) < threshold)
        product = half() * n;
    }
    return Index(product >> 32);
  }

  double uniform() { return rng_.uniform(); }

private:
  static constexpr std::uint64_t kHalf = 0xffffffffULL;

  std::uint64_t half() {
    if (has_half_) {
      has_half_ = false;
      return word_ >> 32;
    }
    word_ = rng_.next();
    has_half_ = true;
    return word_ & kHalf;
  }

  Rng rng_;
  std::uint64_t word_ = 0;
  bool has_half_ = false;
};

} // namespace simulated_selector_detail

// Weak selectors of one simulated ensemble, one after the other. Both urns are permutations that
// each weak selector shuffles further: a shuffle is uniform from any start.
class UrnSampler {
public:
  UrnSampler(const UrnModel &model, std::uint64_t seed, Index run)
      : model_(model), draws_(seed, run, domain_tag("simulated selector")), useful_(model.n_useful),
        slot_(model.n_total - model.n_features) {
    sort_urns();
  }

  // Equal to a new sampler of this run.
  void restart(std::uint64_t seed, Index run) {
    draws_ = simulated_selector_detail::SmallDraws(seed, run, domain_tag("simulated selector"));
    if (mixed_)
      sort_urns();
  }

  // visit(feature, rank), rank from 1, for every feature (Algorithm 3).
  template <typename Visit> void rank_all(Visit &&visit) {
    mixed_ = true;
    draw_preferred();
    const int t = model_.n_features, rest = model_.n_total - t;
    int a = 0, b = 0, rank = 0;
    while (a < t && b < rest) {
      ++rank;
      if (draws_.uniform() < model_.p)
        visit(useful_[a++], rank);
      else
        visit(draw_other(b++), rank);
    }
    while (a < t)
      visit(useful_[a++], ++rank);
    while (b < rest)
      visit(draw_other(b++), ++rank);
  }

  // The first n_features features only, in the order drawn. Costs no more than these: the few moved
  // slots are put back, and a restart has nothing to sort.
  void select(int *out) {
    draw_preferred();
    const int t = model_.n_features, rest = model_.n_total - t;
    moved_.clear();
    int a = 0, b = 0;
    for (int i = 0; i < t; ++i) {
      const bool preferred = draws_.uniform() < model_.p || b == rest;
      *out++ = preferred ? useful_[a++] : draw_other(b++, &moved_);
    }
    for (Index slot : moved_)
      slot_[slot] = static_cast<int>(slot);
    for (int k = 0; k < b; ++k)
      slot_[k] = k;
    std::iota(useful_.begin(), useful_.end(), 0);
  }

private:
  void sort_urns() {
    std::iota(useful_.begin(), useful_.end(), 0);
    std::iota(slot_.begin(), slot_.end(), 0);
    mixed_ = false;
  }

  // S_m becomes the first n_features of useful_, in random order.
  void draw_preferred() {
    const Index t = model_.n_features;
    if (model_.preference > 0.0)
      race();
    for (Index i = 0; i < t; ++i) {
      const Index n = model_.preference > 0.0 ? t : useful_.size();
      const Index j = i + draws_.below(n - i);
      std::swap(useful_[i], useful_[j]);
    }
  }

  // Exponential times with rates w: the first to ring are a draw one by one without replacement
  // with probabilities proportional to w.
  void race() {
    const double scale = model_.n_useful > 1 ? model_.preference / (model_.n_useful - 1) : 0.0;
    time_.resize(useful_.size());
    for (Index j = 0; j < time_.size(); ++j)
      time_[j] = -std::log(1.0 - draws_.uniform()) * std::exp(scale * j);
    std::nth_element(useful_.begin(), useful_.begin() + (model_.n_features - 1), useful_.end(),
                     [this](int i, int j) {
                       const double a = time_[i];
                       const double b = time_[j];
                       return a < b || (a == b && i < j);
                     });
    // Sorted: the draws must not depend on the library's partitioning.
    std::sort(useful_.begin(), useful_.begin() + model_.n_features);
    std::sort(useful_.begin() + model_.n_features, useful_.end());
  }

  // The b-th pick outside of S_m: first the remaining features of S', then the other features.
  int draw_other(int b, Array<Index> *moved = nullptr) {
    const Index i = b;
    const Index j = i + draws_.below(slot_.size() - i);
    std::swap(slot_[i], slot_[j]);
    if (moved != nullptr)
      moved->push_back(j);
    const int k = slot_[i];
    const int place = k + model_.n_features;
    return place < model_.n_useful ? useful_[place] : place;
  }

  UrnModel model_;
  simulated_selector_detail::SmallDraws draws_;
  Array<int> useful_, slot_;
  Array<double> time_;
  Array<Index> moved_;
  bool mixed_ = false;
};

// Mean-rank aggregation of weak selectors one after the other: rank sums, and how often each
// feature was among the first n_features, which breaks ties as in aggregate_runs(); remaining ties
// are broken at random.
class MeanRankEnsemble {
public:
  explicit MeanRankEnsemble(const UrnModel &model)
      : t_(model.n_features), sum_(model.n_total, 0), among_(sum_.size(), 0), place_(sum_.size()) {}

  void add(UrnSampler &sampler) {
    const int t = int(t_);
    sampler.rank_all([&](int feature, int rank) {
      const Index f = feature;
      sum_[f] += rank;
      among_[f] += rank <= t ? 1 : 0;
    });
  }

  // n_features features of the lowest rank sum. Ties have their own draws: members do not depend on
  // the sizes of earlier selections.
  void select(simulated_selector_detail::SmallDraws ties, int *out) {
    std::iota(place_.begin(), place_.end(), 0);
    const auto better = [this](int i, int j) {
      const Index a = i, b = j;
      return sum_[a] != sum_[b] ? sum_[a] < sum_[b] : among_[a] > among_[b];
    };
    const auto last = place_.begin() + t_ - 1;
    std::nth_element(place_.begin(), last, place_.end(), better);
    const int limit = *last;
    const auto tied = [&](int i) { return !better(i, limit) && !better(limit, i); };
    const auto first_tied =
        std::partition(place_.begin(), last + 1, [&](int i) { return !tied(i); });
    const auto end_tied = std::partition(last + 1, place_.end(), tied);
    // Sorted: the draws must not depend on the library's partitioning.
    std::sort(first_tied, end_tied);
    for (auto at = first_tied; at <= last; ++at)
      std::swap(*at, *(at + ties.below(end_tied - at)));
    std::copy(place_.begin(), last + 1, out);
  }

private:
  Index t_;
  Array<std::int64_t> sum_;
  Array<std::int32_t> among_;
  Array<int> place_;
};

// Selected features of one run for each ensemble size, ascending sizes; an ensemble extends the
// smaller ones. `sampler` is at the start of the run. out: n_features x sizes. False when the user
// wants to stop.
inline bool simulate_ensembles(const UrnModel &model, const Array<int> &sizes, std::uint64_t seed,
                               Index run, UrnSampler &sampler, int *out,
                               const Runtime &runtime = Runtime()) {
  if (sizes.size() == 1 && sizes[0] == 1) {
    sampler.select(out);
    return true;
  }
  MeanRankEnsemble ensemble(model);
  int members = 0;
  Index visited = 0;
  for (int size : sizes) {
    for (; members < size; ++members) {
      // A run of many features and members lasts minutes.
      visited += model.n_total;
      if (visited > 1000000) {
        if (runtime.stop_requested())
          return false;
        visited = 0;
      }
      ensemble.add(sampler);
    }
    ensemble.select({seed, run, domain_tag("simulated ties") + static_cast<std::uint64_t>(size)},
                    out);
    out += model.n_features;
  }
  return true;
}

} // namespace stabilect

#endif
