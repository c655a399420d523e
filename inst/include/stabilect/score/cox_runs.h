#ifndef STABILECT_COX_RUNS_H
#define STABILECT_COX_RUNS_H

// Tables of all runs for the score test of filters_cox.h, with the ties of Efron (1977).
//
// If m samples have their event at one time, the term of this time is the mean over l < m of what
// it would be if they counted 1 - l / m of their weight, also in H_i. Of V this needs
//   sum_l h_l (S1 - l / m E1)^2,   h_l = d / m / (R - l / m d)^2,
// where E1 sums w x over them. Gauss and Radau's rule with one node at 0 has the same moments of
// order 0, 1 and 2, hence the same sum: weights p and q with p S1^2 + q (S1 - g E1)^2. Such samples
// are therefore two rows, of the weights (1 - g) w and then g w, after the others of their time.

#include <algorithm>
#include <numeric>

#include "stabilect/base/types.h"

namespace stabilect {

namespace cox_detail {

constexpr Index kTile = 8;   // runs that a kernel takes at once
constexpr Index kTables = 4; // of a sample: count, count * residual, count * hazard, share

using ConstCounts = Eigen::Ref<const Eigen::MatrixXi>;

// At step l of a time with m events these count 1 - gone.
struct Step {
  double gone, hazard, left; // left: of the weight at risk
};
inline Step step_of(Index l, double m, double events, double at_risk) {
  const double gone = static_cast<double>(l) / m, left = at_risk - gone * events;
  return {gone, events / m / left, left};
}

// Samples from the longest time down, and what the kernel needs of them in each run.
class Runs {
public:
  struct Time {
    Index from, to, n_tied; // rows; events that are two rows, the last 2 n_tied rows
  };

  Runs(const ConstVector &time, const Array<int> &event, const ConstCounts &counts)
      : n_samples(counts.rows()), n_runs(counts.cols()) {
    Array<Index> order(n_samples);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return time[a] > time[b]; });
    for (Index from = 0, to = 0; from < n_samples; from = to) {
      while (to < n_samples && time[order[to]] == time[order[from]])
        ++to;
      add_time(order, from, to, event);
    }
    n = row.size();
    tables_.resize((n_runs + kTile - 1) / kTile * kTile * n * kTables);
    for (Index b = 0; b < n_runs; ++b)
      set_run(b, counts);
  }

  const double *tile(Index t) const { return tables_.data() + t * n * kTile * kTables; }
  const Array<Time> &times() const { return times_; }
  // The end of the rows of a time that are the first of their sample.
  static Index end_of_firsts(const Time &time) { return time.to - time.n_tied; }
  // Of a sample, by its first row.
  double weight(Index b, const Time &time, Index i) const {
    const bool twice = i >= time.to - 2 * time.n_tied;
    return table(b, i)[0] + (twice ? table(b, i + time.n_tied)[0] : 0.0);
  }
  bool event(Index i) const { return event_[i] != 0; }

  Index n = 0, n_samples, n_runs; // n: rows
  Array<Index> row;

private:
  const double *table(Index b, Index i) const { return tile(b / kTile) + place(b, i); }
  double *table(Index b, Index i) {
    return tables_.data() + b / kTile * n * kTile * kTables + place(b, i);
  }
  static Index place(Index b, Index i) { return i * kTile * kTables + b % kTile; }

  void add_time(const Array<Index> &order, Index from, Index to, const Array<int> &event) {
    Array<Index> tied;
    for (Index k = from; k < to; ++k)
      if (event[order[k]] != 0)
        tied.push_back(order[k]);
    if (tied.size() < 2)
      tied.clear();
    const Index first = row.size();
    for (Index k = from; k < to; ++k)
      if (tied.empty() || event[order[k]] == 0)
        row.push_back(order[k]);
    for (int copy = 0; copy < 2; ++copy)
      row.insert(row.end(), tied.begin(), tied.end());
    for (Index i = first; i < row.size(); ++i)
      event_.push_back(event[row[i]] != 0);
    times_.push_back({first, row.size(), tied.size()});
  }

  void set_run(Index b, const ConstCounts &counts) {
    Array<double> step(times_.size(), 0.0), spared = step; // of the hazard; not of tied events
    double at_risk = 0.0;
    for (Index t = 0; t < times_.size(); ++t) {
      const Time &time = times_[t];
      double events = 0.0;
      Index m = 0;
      for (Index i = time.from; i < end_of_firsts(time); ++i) {
        const double w = table(b, i)[0] = counts(row[i], b);
        at_risk += w;
        events += event(i) ? w : 0.0;
        m += event(i) && w > 0.0;
      }
      if (m == 1) {
        step[t] = events / at_risk;
        table(b, time.to - 1)[3 * kTile] = events / (at_risk * at_risk);
      } else if (m > 1) {
        set_hazards(b, time, m, events, at_risk, &step[t], &spared[t]);
      }
    }
    double hazard = 0.0;
    for (Index t = times_.size(); t-- > 0;) {
      hazard += step[t];
      for (Index i = times_[t].from; i < end_of_firsts(times_[t]); ++i) {
        const double w = counts(row[i], b), own = event(i) ? hazard - spared[t] : hazard;
        table(b, i)[kTile] = w * ((event(i) ? 1.0 : 0.0) - own);
        table(b, i)[2 * kTile] = w * own;
      }
    }
  }

  // Sums over the steps of a time with ties, and the rule that stands for its squares.
  void set_hazards(Index b, const Time &time, Index m, double events, double at_risk, double *step,
                   double *spared) {
    double all = 0.0, once = 0.0, twice = 0.0;
    for (Index l = 0; l < m; ++l) {
      const Step at = step_of(l, static_cast<double>(m), events, at_risk);
      const double h = at.hazard / at.left;
      *step += at.hazard;
      *spared += at.gone * at.hazard;
      all += h;
      once += at.gone * h;
      twice += at.gone * at.gone * h;
    }
    const double node = twice / once, of_node = once * once / twice;
    const Index firsts = end_of_firsts(time);
    for (Index i = firsts; i < time.to; ++i) {
      double *first = table(b, i - time.n_tied);
      table(b, i)[0] = node * first[0];
      first[0] -= table(b, i)[0];
    }
    table(b, firsts - 1)[3 * kTile] = of_node;
    table(b, time.to - 1)[3 * kTile] = std::max(all - of_node, 0.0);
  }

  Array<char> event_;
  Array<Time> times_;
  AlignedBuffer<double> tables_;
};

} // namespace cox_detail

} // namespace stabilect

#endif
