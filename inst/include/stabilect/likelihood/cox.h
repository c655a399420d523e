#ifndef STABILECT_COX_H
#define STABILECT_COX_H

#include <algorithm>
#include <cmath>

#include "stabilect/likelihood/exponential.h"
#include "stabilect/likelihood/outcomes.h"
#include "stabilect/path/path_columns.h"

namespace stabilect {

// The partial likelihood of Cox (1972) on the rows of one run, with weights, strata and the ties of
// Breslow (1974). S0 is the weighted sum of exp(eta) over the samples at risk at a time, and d the
// weight of its events. Minus the log likelihood is
//   sum over times of d log S0 - sum over events of w eta.
class CoxLikelihood {
public:
  CoxLikelihood() = default;
  CoxLikelihood(const Outcomes &outcomes, const PathColumns &columns) {
    Array<int> place(outcomes.y.size(), -1);
    for (Index i = 0; i < columns.n_rows(); ++i)
      place[columns.rows()[i]] = static_cast<int>(i);
    int group = -1, stratum = 0;
    for (Index k = 0; k < outcomes.order.size(); ++k) {
      const int row = place[outcomes.order[k]];
      if (row < 0)
        continue;
      if (times_.empty() || outcomes.group[k] != group) {
        const bool opens = times_.empty() || outcomes.stratum[k] != stratum;
        times_.push_back(Time{row_.size(), row_.size(), 0.0, 0.0, opens, 0.0, 0.0});
        group = outcomes.group[k];
        stratum = outcomes.stratum[k];
      }
      row_.push_back(row);
      times_.back().to = row_.size();
      times_.back().events += outcomes.y[outcomes.order[k]] * columns.weights()[row];
    }
    mass_.resize(pad_rows(row_.size()));
    share_.resize(row_.size());
    n_event_times_ = std::count_if(times_.begin(), times_.end(),
                                   [](const Time &time) { return time.events > 0.0; });
  }

  Index n_event_times() const { return n_event_times_; }

  // Minus the log likelihood of a model that explains everything.
  double saturated() const {
    double value = 0.0;
    for (const Time &time : times_)
      if (time.events > 0.0)
        value += time.events * std::log(time.events);
    return value;
  }

  // Minus the log partial likelihood at eta. The residual is the martingale residual, the curvature
  // the diagonal part of the second derivative; row i is divided by the root of its weight and by
  // its weight.
  template <typename Events>
  double evaluate(const PathColumns &columns, const Events &event, const double *eta,
                  double *residual, double *curvature) {
    double value = 0.0, at_risk = 0.0, shift = 0.0;
    for (Index t = 0; t < times_.size(); ++t) {
      if (times_[t].opens_stratum)
        shift = largest_in_stratum(t, eta);
      for (Index k = times_[t].from; k < times_[t].to; ++k)
        mass_[k] = eta[row_[k]] - shift;
    }
    for (Index k = 0; k < row_.size(); ++k)
      value -= columns.weights()[row_[k]] * event[row_[k]] * mass_[k];
    STABILECT_AT_WIDTH(0, exponentials)(mass_.data(), mass_.size(), mass_.data());
    for (Time &time : times_) {
      if (time.opens_stratum)
        at_risk = 0.0;
      for (Index k = time.from; k < time.to; ++k)
        at_risk += mass_[k] *= columns.weights()[row_[k]];
      time.at_risk = at_risk;
      if (time.events > 0.0)
        value += time.events * std::log(at_risk);
    }
    double hazard = 0.0;
    for (Index t = times_.size(); t-- > 0;) {
      const Time &time = times_[t];
      hazard += time.events / time.at_risk;
      for (Index k = time.from; k < time.to; ++k) {
        const Index i = row_[k];
        const double expected = mass_[k] * hazard, w = columns.weights()[i];
        residual[i] = (w * event[i] - expected) / columns.roots()[i];
        curvature[i] = expected / w;
      }
      if (time.opens_stratum)
        hazard = 0.0;
    }
    return value;
  }

  // Keeps the second derivative at the last evaluate() for curved().
  void remember(const PathColumns &columns, const double *curvature) {
    curvature_.assign(curvature, curvature + columns.n_rows());
    for (Index k = 0; k < row_.size(); ++k)
      share_[k] = mass_[k] / columns.roots()[row_[k]];
    for (Time &time : times_)
      time.weight = time.events / (time.at_risk * time.at_risk);
  }

  // The second derivative times a column: a diagonal part, minus the outer products of the means
  // over the samples at risk at every event time.
  void curved(const double *column, double *out) {
    double sum = 0.0;
    for (Time &time : times_) {
      if (time.opens_stratum)
        sum = 0.0;
      for (Index k = time.from; k < time.to; ++k)
        sum += share_[k] * column[row_[k]];
      time.mean = time.weight * sum;
    }
    double hazard = 0.0;
    for (Index t = times_.size(); t-- > 0;) {
      const Time &time = times_[t];
      hazard += time.mean;
      for (Index k = time.from; k < time.to; ++k) {
        const Index i = row_[k];
        out[i] = curvature_[i] * column[i] - share_[k] * hazard;
      }
      if (time.opens_stratum)
        hazard = 0.0;
    }
  }

private:
  struct Time {
    Index from, to; // places in row_
    double events, at_risk;
    bool opens_stratum;
    double weight, mean; // of remember() and of the last curved()
  };

  double largest_in_stratum(Index t, const double *eta) const {
    double largest = eta[row_[times_[t].from]];
    do {
      for (Index k = times_[t].from; k < times_[t].to; ++k)
        largest = std::max(largest, eta[row_[k]]);
    } while (++t < times_.size() && !times_[t].opens_stratum);
    return largest;
  }

  Array<int> row_;
  Array<Time> times_;
  Array<double> mass_, share_, curvature_;
  Index n_event_times_ = 0;
};

} // namespace stabilect

#endif
