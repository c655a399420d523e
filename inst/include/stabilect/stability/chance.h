#ifndef STABILECT_CHANCE_H
#define STABILECT_CHANCE_H

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

// Probabilities of the whole numbers first, first + 1, ...
struct WholeDistribution {
  Index first = 0;
  Array<double> prob;
};

// Below this share of the largest probability the tails are cut: far below rounding, even in means
// multiplied by 1e6 features.
constexpr double negligible_share = 1e-40;

inline void trim_tails(WholeDistribution &d) {
  const double limit = negligible_share * *std::max_element(d.prob.begin(), d.prob.end());
  Index from = 0, to = d.prob.size();
  while (d.prob[from] < limit)
    ++from;
  while (d.prob[to - 1] < limit)
    --to;
  d.prob = Array<double>(d.prob.begin() + from, d.prob.begin() + to);
  d.first += from;
}

// Overlap of two random sets of sizes a and b out of p: hypergeometric. Ratios of neighbours are
// multiplied outwards from the mode and then normalised, which keeps full precision for any p;
// differences of log factorials would lose nine digits at p = 1e6.
inline void hypergeometric(Index p, Index a, Index b, WholeDistribution &out) {
  const Index low = std::max<Index>(0, a + b - p), high = std::min(a, b);
  const double pd = p, ad = a, bd = b;
  const Index guess = static_cast<Index>(std::floor((ad + 1.0) * (bd + 1.0) / (pd + 2.0)));
  const Index mode = std::min(std::max(guess, low), high);
  const auto ratio = [&](Index r) { // of r + 1 to r
    const double x = r;
    return (ad - x) * (bd - x) / ((x + 1.0) * (pd - ad - bd + x + 1.0));
  };
  Array<double> &prob = out.prob;
  prob.assign(1, 1.0);
  double sum = 1.0, weight = 1.0;
  Index first = mode;
  while (first > low && weight > negligible_share) {
    weight /= ratio(--first);
    prob.push_back(weight);
    sum += weight;
  }
  std::reverse(prob.begin(), prob.end());
  weight = 1.0;
  for (Index r = mode; r < high && weight > negligible_share; ++r) {
    weight *= ratio(r);
    prob.push_back(weight);
    sum += weight;
  }
  for (double &w : prob)
    w /= sum;
  out.first = first;
}

inline void check_set_size(Index p, Index k) {
  if (p < 1 || k < 0 || k > p)
    throw Error("set sizes must be from 0 to the number of features");
}

// E of r / (a + b - r); 0 when both sets are empty.
inline double expected_jaccard(Index p, Index a, Index b) {
  check_set_size(p, a);
  check_set_size(p, b);
  if (a + b == 0)
    return 0.0;
  WholeDistribution d;
  hypergeometric(p, a, b, d);
  double sum = 0.0;
  for (Index t = 0; t < d.prob.size(); ++t) {
    const double r = d.first + t;
    sum += d.prob[t] * r / ((a + b) - r);
  }
  return sum;
}

// Expected Jaccard of all pairs of the sizes, D x D.
inline Eigen::MatrixXd expected_jaccards(Index p, const Array<int> &sizes,
                                         const Runtime &runtime = Runtime()) {
  const Index d = sizes.size();
  Eigen::MatrixXd expected(d, d);
  run_tasks(sizes.size(), runtime, [&](Index a) {
    for (Index b = 0; b <= a; ++b)
      expected(b, a) = expected_jaccard(p, sizes[a], sizes[b]);
  });
  expected.triangularView<Eigen::StrictlyLower>() = expected.transpose();
  return expected;
}

// `n` random sets of `size` features each; each of them counts `times` times.
struct SetGroup {
  Index size = 0;
  Index n = 0;
  Index times = 1;
};

// Number of features in the union, before and after one more set of k: from u the union grows to
// u + k - X, X the hypergeometric overlap.
struct UnionStep {
  Index n_total;
  void operator()(WholeDistribution &d, const SetGroup &group) const {
    if (group.size == 0)
      return;
    const Index k = group.size;
    const Index low = std::max(d.first, k);
    const Index last = d.first + d.prob.size() - 1;
    WholeDistribution next, overlap;
    next.first = low;
    next.prob.assign(std::min(n_total, last + k) - low + 1, 0.0);
    for (Index t = 0; t < d.prob.size(); ++t) {
      const Index u = d.first + t;
      hypergeometric(n_total, u, k, overlap);
      const Index top = u + k - overlap.first - low;
      for (Index x = 0; x < overlap.prob.size(); ++x)
        next.prob[top - x] += d.prob[t] * overlap.prob[x];
    }
    trim_tails(next);
    std::swap(d, next);
  }
};

// Number of sets with one given feature (Poisson-binomial if each counts once).
struct CountStep {
  Index n_total;
  void operator()(WholeDistribution &d, const SetGroup &group) const {
    if (group.times == 0)
      return;
    const double in = 1.0 * group.size / n_total;
    const double out = 1.0 * (n_total - group.size) / n_total;
    const Index times = group.times;
    const Index n = d.prob.size();
    d.prob.resize(n + times, 0.0);
    for (Index t = n + times; t-- > 0;)
      d.prob[t] = (t < n ? out * d.prob[t] : 0.0) + (t >= times ? in * d.prob[t - times] : 0.0);
    trim_tails(d);
  }
};

template <typename Step> class ChanceChain {
public:
  ChanceChain(Index n_total, Array<SetGroup> groups, const Runtime &runtime)
      : step_{n_total}, groups_(std::move(groups)), runtime_(runtime) {
    for (const SetGroup &group : groups_) {
      check_set_size(n_total, group.size);
      if (group.n < 0 || group.times < 0)
        throw Error("numbers of sets must not be negative");
    }
    nothing_.prob.assign(1, 1.0);
  }

  WholeDistribution all() const {
    WholeDistribution d = nothing_;
    for (const SetGroup &group : groups_)
      add(d, group, group.n);
    return d;
  }

  // One distribution per group: of all sets but one of this group. Halving the groups shares most
  // of the work: every set is added log2(groups) times instead of once per group.
  Array<WholeDistribution> each_left_out() const {
    Array<WholeDistribution> out(groups_.size());
    if (!groups_.empty())
      leave_out(0, groups_.size(), nothing_, out);
    return out;
  }

private:
  void add(WholeDistribution &d, const SetGroup &group, Index n) const {
    for (Index i = 0; i < n; ++i) {
      if (runtime_.stop_requested())
        throw Interrupted();
      step_(d, group);
    }
  }

  // `d` covers all groups outside [from, to).
  void leave_out(Index from, Index to, WholeDistribution d, Array<WholeDistribution> &out) const {
    if (to - from == 1) {
      add(d, groups_[from], groups_[from].n - 1);
      out[from] = std::move(d);
      return;
    }
    const Index middle = from + (to - from) / 2;
    WholeDistribution left = d;
    for (Index g = middle; g < to; ++g)
      add(left, groups_[g], groups_[g].n);
    leave_out(from, middle, std::move(left), out);
    for (Index g = from; g < middle; ++g)
      add(d, groups_[g], groups_[g].n);
    leave_out(middle, to, std::move(d), out);
  }

  Step step_;
  Array<SetGroup> groups_;
  Runtime runtime_;
  WholeDistribution nothing_;
};

using UnionChain = ChanceChain<UnionStep>;
using CountChain = ChanceChain<CountStep>;

} // namespace stabilect

#endif
