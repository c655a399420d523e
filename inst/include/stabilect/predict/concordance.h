#ifndef STABILECT_CONCORDANCE_H
#define STABILECT_CONCORDANCE_H

// The sums of a concordance (Harrell et al. 1982) over all comparable pairs, by a sort and a tree
// of partial sums instead of a loop over pairs.

#include <algorithm>
#include <numeric>

#include "stabilect/base/types.h"

namespace stabilect {

struct ConcordanceInput {
  Eigen::VectorXd time, event, risk; // event: 1, or 0 for censored
  Eigen::VectorXd weights;           // of samples
  Eigen::VectorXd pairs;             // of each pair in which this sample has the event first
};

struct ConcordanceSums {
  Eigen::VectorXd concordant, comparable; // by sample: pairs with it, times the other's weight
  double agree = 0.0, total = 0.0;        // over all pairs
};

namespace concordance_detail {

// Sums of weights over ranks below one (Fenwick 1994).
class RankSums {
public:
  explicit RankSums(Index n) : sums_(n + 1, 0.0) {}

  void add(Index rank, double weight) {
    for (Index k = rank + 1; k < sums_.size(); k += k & -k)
      sums_[k] += weight;
  }
  double below(Index rank) const {
    double sum = 0.0;
    for (Index k = rank; k > 0; k -= k & -k)
      sum += sums_[k];
    return sum;
  }
  double all() const { return below(sums_.size() - 1); }
  // Equal ranks count half.
  double lower(Index rank) const { return 0.5 * (below(rank) + below(rank + 1)); }

private:
  Array<double> sums_;
};

// Ranks from 0, equal values alike.
inline Array<Index> dense_ranks(const Eigen::VectorXd &values, const Array<int> &rows) {
  Array<Index> order(rows.size()), rank(rows.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return values[rows[a]] < values[rows[b]]; });
  for (Index k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && values[rows[order[k]]] == values[rows[order[k - 1]]];
    rank[order[k]] = k == 0 ? 0 : rank[order[k - 1]] + (same ? 0 : 1);
  }
  return rank;
}

// Over the pairs of these rows. A sample censored at the time of an event has outlived it.
inline void add_pairs(const ConcordanceInput &in, const Array<int> &rows, ConcordanceSums &out) {
  const Index n = rows.size();
  const Array<Index> risk = dense_ranks(in.risk, rows);
  // By time, events before censored samples.
  Array<Index> order(n);
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const int i = rows[a], j = rows[b];
    return in.time[i] != in.time[j] ? in.time[i] < in.time[j] : in.event[i] > in.event[j];
  });
  const auto together = [&](Index a, Index b) { // no pair: events of one time, or both censored
    const int i = rows[order[a]], j = rows[order[b]];
    return in.time[i] == in.time[j] && in.event[i] == in.event[j];
  };
  RankSums earlier(n), later(n);
  for (Index from = 0, end; from < n; from = end) {
    for (end = from; end < n && together(from, end); ++end) {
      const int j = rows[order[end]];
      const double all = earlier.all();
      out.concordant[j] += all - earlier.lower(risk[order[end]]);
      out.comparable[j] += all;
    }
    for (Index k = from; k < end; ++k) {
      const int i = rows[order[k]];
      if (in.event[i] == 1.0)
        earlier.add(risk[order[k]], in.weights[i] * in.pairs[i]);
    }
  }
  for (Index end = n, from; end > 0; end = from) {
    for (from = end; from > 0 && together(end - 1, from - 1); --from) {
      const int i = rows[order[from - 1]];
      if (in.event[i] != 1.0)
        continue;
      const double agree = in.pairs[i] * later.lower(risk[order[from - 1]]);
      const double total = in.pairs[i] * later.all();
      out.concordant[i] += agree;
      out.comparable[i] += total;
      out.agree += in.weights[i] * agree;
      out.total += in.weights[i] * total;
    }
    for (Index k = from; k < end; ++k)
      later.add(risk[order[k]], in.weights[rows[order[k]]]);
  }
}

} // namespace concordance_detail

// `group`: only samples with the same number, from 0, are pairs.
inline ConcordanceSums concordance_sums(const ConcordanceInput &in, const Array<int> &group) {
  Array<Array<int>> members;
  for (Index i = 0; i < group.size(); ++i) {
    if (group[i] >= members.size())
      members.resize(group[i] + 1);
    members[group[i]].push_back(static_cast<int>(i));
  }
  ConcordanceSums out;
  out.concordant = out.comparable = Eigen::VectorXd::Zero(group.size());
  for (const Array<int> &rows : members)
    concordance_detail::add_pairs(in, rows, out);
  return out;
}

} // namespace stabilect

#endif
