#ifndef STABILECT_CONCORDANCE_H
#define STABILECT_CONCORDANCE_H

// The sums of a concordance (Harrell et al. 1982) over all comparable pairs, by a sort and a tree
// of partial sums instead of a loop over pairs.

#include <algorithm>
#include <cmath>
#include <limits>
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

// The samples of each group, numbers from 0.
inline Array<Array<int>> members_of(const Array<int> &group) {
  Array<Array<int>> members;
  for (Index i = 0; i < group.size(); ++i) {
    if (group[i] >= members.size())
      members.resize(group[i] + 1);
    members[group[i]].push_back(static_cast<int>(i));
  }
  return members;
}

// Ranks from 0, equal values alike.
template <typename Values> Array<Index> dense_ranks(const Values &values, const Array<int> &rows) {
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

// The rows by time, events before samples censored at that time, which have outlived them.
inline Array<int> by_time(const Eigen::VectorXd &time, const Eigen::VectorXd &event,
                          Array<int> rows) {
  std::stable_sort(rows.begin(), rows.end(), [&](int i, int j) {
    return time[i] != time[j] ? time[i] < time[j] : event[i] > event[j];
  });
  return rows;
}

// Over the pairs of these rows.
inline void add_pairs(const ConcordanceInput &in, const Array<int> &members, ConcordanceSums &out) {
  const Array<int> rows = by_time(in.time, in.event, members);
  const Index n = rows.size();
  const Array<Index> risk = dense_ranks(in.risk, rows);
  const auto together = [&](Index a, Index b) { // no pair: events of one time, or both censored
    return in.time[rows[a]] == in.time[rows[b]] && in.event[rows[a]] == in.event[rows[b]];
  };
  RankSums earlier(n), later(n);
  for (Index from = 0, end; from < n; from = end) {
    for (end = from; end < n && together(from, end); ++end) {
      const int j = rows[end];
      const double all = earlier.all();
      out.concordant[j] += all - earlier.lower(risk[end]);
      out.comparable[j] += all;
    }
    for (Index k = from; k < end; ++k) {
      const int i = rows[k];
      if (in.event[i] == 1.0)
        earlier.add(risk[k], in.weights[i] * in.pairs[i]);
    }
  }
  for (Index end = n, from; end > 0; end = from) {
    for (from = end; from > 0 && together(end - 1, from - 1); --from) {
      const int i = rows[from - 1];
      if (in.event[i] != 1.0)
        continue;
      const double agree = in.pairs[i] * later.lower(risk[from - 1]);
      const double total = in.pairs[i] * later.all();
      out.concordant[i] += agree;
      out.comparable[i] += total;
      out.agree += in.weights[i] * agree;
      out.total += in.weights[i] * total;
    }
    for (Index k = from; k < end; ++k)
      later.add(risk[k], in.weights[rows[k]]);
  }
}

} // namespace concordance_detail

// `group`: only samples with the same number, from 0, are pairs.
inline ConcordanceSums concordance_sums(const ConcordanceInput &in, const Array<int> &group) {
  ConcordanceSums out;
  out.concordant = out.comparable = Eigen::VectorXd::Zero(group.size());
  for (const Array<int> &rows : concordance_detail::members_of(group))
    concordance_detail::add_pairs(in, rows, out);
  return out;
}

// 1 - concordance of many risk scores of the same samples, which are ordered by time once.
class Discordance {
public:
  Discordance(const Eigen::VectorXd &time, const Eigen::VectorXd &event, const Array<int> &group) {
    for (const Array<int> &members : concordance_detail::members_of(group)) {
      const Array<int> rows = concordance_detail::by_time(time, event, members);
      if (rows.size() > 0)
        groups_.push_back({rows, spans_of(time, event, rows)});
    }
    for (const Group &one : groups_)
      for (const Span &span : one.spans)
        if (span.events)
          n_pairs_ += double(span.end - span.from) * double(one.rows.size() - span.end);
  }

  // NaN without a pair, or if a score is NaN.
  template <typename Values> double operator()(const Values &risk) const {
    for (Index i = 0; i < risk.size(); ++i)
      if (std::isnan(risk[i]))
        return std::numeric_limits<double>::quiet_NaN();
    double agree = 0.0;
    for (const Group &one : groups_)
      agree += agreement(one, risk);
    return n_pairs_ > 0.0 ? 1.0 - agree / n_pairs_ : std::numeric_limits<double>::quiet_NaN();
  }

private:
  // Places of `rows`, among which are no pairs.
  struct Span {
    Index from, end;
    bool events;
  };
  struct Group {
    Array<int> rows;
    Array<Span> spans;
  };

  static Array<Span> spans_of(const Eigen::VectorXd &time, const Eigen::VectorXd &event,
                              const Array<int> &rows) {
    Array<Span> out;
    for (Index from = 0, end; from < rows.size(); from = end) {
      const int i = rows[from];
      for (end = from + 1;
           end < rows.size() && time[rows[end]] == time[i] && event[rows[end]] == event[i];)
        ++end;
      out.push_back({from, end, event[i] == 1.0});
    }
    return out;
  }

  template <typename Values> static double agreement(const Group &one, const Values &risk) {
    const Array<Index> rank = concordance_detail::dense_ranks(risk, one.rows);
    concordance_detail::RankSums later(one.rows.size());
    double sum = 0.0;
    for (Index s = one.spans.size(); s-- > 0;) {
      const Span &span = one.spans[s];
      for (Index k = span.from; span.events && k < span.end; ++k)
        sum += later.lower(rank[k]);
      for (Index k = span.from; k < span.end; ++k)
        later.add(rank[k], 1.0);
    }
    return sum;
  }

  Array<Group> groups_;
  double n_pairs_ = 0.0;
};

} // namespace stabilect

#endif
