#ifndef STABILECT_SET_FREQUENCIES_H
#define STABILECT_SET_FREQUENCIES_H

#include "stabilect/base/error.h"
#include "stabilect/stability/set_pairs.h"

namespace stabilect {

// Sums over pairs of offset + slope * r without a loop over pairs. With the number h_f^c of runs of
// size class c that selected f,
//   sum_j slope(a, c_j) r_ij = sum_{f in run i} sum_c slope(a, c) h_f^c,
// which takes O(entries) steps if all runs have one size, and at most O(entries x sizes).
class ClassFrequencies {
public:
  ClassFrequencies(const RunSets &sets, const PairRule &rule)
      : sets_(sets), rule_(rule), postings_(checked(sets, rule), by_class(sets, rule)),
        group_start_(postings_.start.size(), 0) {
    for (Index f = 0; f + 1 < postings_.start.size(); ++f) {
      for (Index at = postings_.start[f]; at < postings_.start[f + 1]; ++at) {
        const int c = rule.size_class[postings_.run[at]];
        if (at == postings_.start[f] || group_class_.back() != c) {
          group_class_.push_back(c);
          group_first_.push_back(at);
        }
      }
      group_start_[f + 1] = group_class_.size();
    }
    group_first_.push_back(postings_.run.size());
  }

  // As pair_row_sums().
  Array<double> row_sums(const Runtime &runtime) const {
    Array<double> slopes(group_class_.size());
    const Index n_total = group_start_.size() - 1, block = 8192;
    run_tasks((n_total + block - 1) / block, runtime, [&](Index b) {
      for (Index f = b * block; f < std::min(n_total, (b + 1) * block); ++f)
        feature_slopes(f, slopes);
    });
    const Array<double> base = class_bases();
    Array<double> sums(sets_.n_runs);
    run_tasks(sums.size(), runtime, [&](Index i) {
      const int a = rule_.size_class[i];
      double sum = 0.0;
      for (int e = sets_.start[i]; e < sets_.start[i + 1]; ++e)
        sum += slopes[group_of(sets_.feature[e], a)];
      sums[i] = base[a] + (sum - rule_.slope(a, a) * sets_.size(i));
    });
    return sums;
  }

  // As pair_weighted_sums() for one vector of weights.
  double weighted_sum(const double *weight) const {
    const Index d = rule_.n_classes;
    Eigen::VectorXd total = Eigen::VectorXd::Zero(d);
    double self = 0.0;
    for (Index i = 0; i < sets_.n_runs; ++i) {
      const int a = rule_.size_class[i];
      total[a] += weight[i];
      self +=
          weight[i] * weight[i] * (rule_.offset_or_zero(a, a) + rule_.slope(a, a) * sets_.size(i));
    }
    double sum = 0.0;
    for (Index a = 0; a < d; ++a)
      for (Index c = 0; c < d; ++c)
        sum += total[a] * total[c] * rule_.offset_or_zero(c, a);
    return sum + overlap_sum(weight) - self;
  }

private:
  static const RunSets &checked(const RunSets &sets, const PairRule &rule) {
    check_run_sets(sets);
    check_pair_rule(sets, rule);
    return sets;
  }

  static Array<int> by_class(const RunSets &sets, const PairRule &rule) {
    Array<int> order(sets.n_runs);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int i, int j) { return rule.size_class[i] < rule.size_class[j]; });
    return order;
  }

  void feature_slopes(Index f, Array<double> &slopes) const {
    for (Index g = group_start_[f]; g < group_start_[f + 1]; ++g) {
      double sum = 0.0;
      for (Index o = group_start_[f]; o < group_start_[f + 1]; ++o)
        sum +=
            rule_.slope(group_class_[o], group_class_[g]) * (group_first_[o + 1] - group_first_[o]);
      slopes[g] = sum;
    }
  }

  Index group_of(Index f, int size_class) const {
    const auto begin = group_class_.begin();
    return std::lower_bound(begin + group_start_[f], begin + group_start_[f + 1], size_class) -
           begin;
  }

  // Offsets of a run of each class to all other runs.
  Array<double> class_bases() const {
    const Index d = rule_.n_classes;
    Array<double> count(d, 0.0), base(count);
    for (Index i = 0; i < sets_.n_runs; ++i)
      ++count[rule_.size_class[i]];
    for (Index a = 0; a < d; ++a) {
      for (Index c = 0; c < d; ++c)
        base[a] += (count[c] - (a == c)) * rule_.offset_or_zero(c, a);
    }
    return base;
  }

  double overlap_sum(const double *weight) const {
    Array<double> h;
    double sum = 0.0;
    for (Index f = 0; f + 1 < group_start_.size(); ++f) {
      const Index first = group_start_[f], n = group_start_[f + 1] - first;
      h.assign(n, 0.0);
      for (Index g = 0; g < n; ++g)
        for (Index at = group_first_[first + g]; at < group_first_[first + g + 1]; ++at)
          h[g] += weight[postings_.run[at]];
      for (Index g = 0; g < n; ++g)
        for (Index o = 0; o < n; ++o)
          sum += rule_.slope(group_class_[first + o], group_class_[first + g]) * h[g] * h[o];
    }
    return sum;
  }

  const RunSets &sets_;
  const PairRule &rule_;
  Postings postings_;
  Array<Index> group_start_; // groups of feature f: group_start_[f] .. [f + 1] - 1
  Array<int> group_class_;
  Array<Index> group_first_; // where a group's runs begin in postings_.run
};

// pair_row_sums() and pair_weighted_sums() by frequencies, for rules linear in the overlap.
inline Array<double> frequency_row_sums(const RunSets &sets, const PairRule &rule,
                                        const Runtime &runtime = Runtime()) {
  if (rule.form != PairRule::Form::overlap)
    throw Error("the frequency form needs a rule that is linear in the overlap");
  return ClassFrequencies(sets, rule).row_sums(runtime);
}

inline Eigen::VectorXd frequency_weighted_sums(const RunSets &sets, const PairRule &rule,
                                               const ConstMatrix &weights,
                                               const Runtime &runtime = Runtime()) {
  if (rule.form != PairRule::Form::overlap)
    throw Error("the frequency form needs a rule that is linear in the overlap");
  if (weights.rows() != sets.n_runs)
    throw Error("weights must have one row per run");
  const ClassFrequencies frequencies(sets, rule);
  Eigen::VectorXd sums(weights.cols());
  run_tasks(weights.cols(), runtime, [&](Index r) {
    sums[r] = frequencies.weighted_sum(weights.data() + r * weights.outerStride());
  });
  return sums;
}

} // namespace stabilect

#endif
