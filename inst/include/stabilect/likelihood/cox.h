#ifndef STABILECT_COX_H
#define STABILECT_COX_H

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/base/exponential.h"
#include "stabilect/likelihood/outcomes.h"
#include "stabilect/path/path_columns.h"

namespace stabilect {

// The partial likelihood of Cox (1972) on the rows of one run, with weights and strata. At a time
// with m events of the weight d, S0 is the weighted sum of exp(eta) over the samples at risk and E0
// over these events. Minus the log likelihood is, with the ties of Efron (1977),
//   sum over times of d / m sum_{l < m} log(S0 - l / m E0) - sum over events of w eta,
// and d log S0 for a time with those of Breslow (1974). A row of weight two is one event.
//
// Exponentials are of eta minus the largest in the stratum; where predictors are further apart than
// kFarApart, minus the largest of those at risk, since sums over these, and their squares, would
// vanish. As times go back, sums are brought from one scale to the next.
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
        times_.push_back(Time{row_.size(), row_.size(), 0.0, 0.0, opens});
        group = outcomes.group[k];
        stratum = outcomes.stratum[k];
      }
      row_.push_back(row);
      times_.back().to = row_.size();
      times_.back().events += outcomes.y[outcomes.order[k]] * columns.weights()[row];
      tied_.push_back(outcomes.efron && outcomes.y[outcomes.order[k]] > 0.0);
      times_.back().tied += tied_[row_.size() - 1];
    }
    for (Time &time : times_)
      time.tied = time.tied > 1 ? time.tied : 0;
    mass_.resize(pad_rows(row_.size()));
    share_.resize(row_.size());
    n_event_times_ = std::count_if(times_.begin(), times_.end(),
                                   [](const Time &time) { return time.events > 0.0; });
  }

  Index n_event_times() const { return n_event_times_; }

  // Minus the log likelihood of a model that explains everything.
  double saturated() const {
    double value = 0.0;
    for (const Time &time : times_) {
      if (time.events > 0.0)
        value += time.events * std::log(time.events);
      if (time.tied > 0)
        for (Index l = 1; l <= time.tied; ++l)
          value += time.events / time.tied * std::log(static_cast<double>(l) / time.tied);
    }
    return value;
  }

  // Minus the log partial likelihood at eta. The residual is the martingale residual, the curvature
  // the diagonal part of the second derivative; row i is divided by the root of its weight and by
  // its weight.
  template <typename Events>
  double evaluate(const PathColumns &columns, const Events &event, const double *eta,
                  double *residual, double *curvature) {
    double value = 0.0, at_risk = 0.0;
    shift(eta);
    for (Index k = 0; k < row_.size(); ++k)
      value -= columns.weights()[row_[k]] * event[row_[k]] * mass_[k];
    STABILECT_AT_WIDTH(0, exponentials)(mass_.data(), mass_.size(), mass_.data());
    for (Time &time : times_) {
      at_risk *= time.scale;
      for (Index k = time.from; k < time.to; ++k)
        at_risk += mass_[k] *= columns.weights()[row_[k]];
      time.at_risk = at_risk;
      time.step = time.events / at_risk;
      if (time.events > 0.0)
        value += time.events * std::log(at_risk);
      if (time.tied > 0)
        value += follow_ties(time);
    }
    double hazard = 0.0;
    for (Index t = times_.size(); t-- > 0;) {
      const Time &time = times_[t];
      hazard = hazard * scale_of_next(t) + time.step;
      for (Index k = time.from; k < time.to; ++k) {
        const Index i = row_[k];
        const double lived = time.tied > 0 && tied_[k] ? hazard - time.spared : hazard;
        const double expected = mass_[k] * lived, w = columns.weights()[i];
        residual[i] = (w * event[i] - expected) / columns.roots()[i];
        curvature[i] = expected / w;
      }
    }
    return value;
  }

  // Keeps the second derivative at the last evaluate() for curved().
  void remember(const PathColumns &columns, const double *curvature) {
    curvature_.assign(curvature, curvature + columns.n_rows());
    for (Index k = 0; k < row_.size(); ++k)
      share_[k] = mass_[k] / columns.roots()[row_[k]];
    for (Time &time : times_) {
      time.weight = time.events / (time.at_risk * time.at_risk);
      if (time.tied > 0)
        weigh_ties(time);
    }
  }

  // The second derivative times a column: a diagonal part, minus the outer products of the means
  // over the samples at risk at every event time; with ties, of m means, in which these events
  // count 1 - l / m.
  void curved(const double *column, double *out) {
    double sum = 0.0;
    for (Time &time : times_) {
      sum *= time.scale;
      for (Index k = time.from; k < time.to; ++k)
        sum += share_[k] * column[row_[k]];
      time.mean = time.weight * sum;
      if (time.tied > 0) {
        double own = 0.0;
        for (Index k = time.from; k < time.to; ++k)
          own += tied_[k] ? share_[k] * column[row_[k]] : 0.0;
        time.mean -= time.once * own;
        time.spared_mean = time.once * sum - time.twice * own;
      }
    }
    double hazard = 0.0;
    for (Index t = times_.size(); t-- > 0;) {
      const Time &time = times_[t];
      hazard = hazard * scale_of_next(t) + time.mean;
      for (Index k = time.from; k < time.to; ++k) {
        const Index i = row_[k];
        const double lived = time.tied > 0 && tied_[k] ? hazard - time.spared_mean : hazard;
        out[i] = curvature_[i] * column[i] - share_[k] * lived;
      }
    }
  }

private:
  struct Time {
    Index from, to; // places in row_
    double events, at_risk;
    bool opens_stratum;
    double scale = 0.0; // that of the time before it, in its own; 0 where a stratum opens
    Index tied = 0;     // events, if several share the time
    double step = 0.0;  // of the hazard; `spared`: the part that these events do not have
    double spared = 0.0, own = 0.0; // own: E0
    // Of remember(): sums of d / m / (S0 - l / m E0)^2, times l / m, and times its square.
    double weight = 0.0, once = 0.0, twice = 0.0;
    double mean = 0.0, spared_mean = 0.0; // of the last curved()
  };

  // The hazard at a time with ties. What they add to d log S0 is returned.
  double follow_ties(Time &time) const {
    time.own = 0.0;
    for (Index k = time.from; k < time.to; ++k)
      time.own += tied_[k] ? mass_[k] : 0.0;
    const double m = static_cast<double>(time.tied), part = time.events / m;
    double sum = 0.0, product = 1.0; // one logarithm for many factors
    time.step = time.spared = 0.0;
    for (Index l = 0; l < time.tied; ++l) {
      const double gone = static_cast<double>(l) / m, left = time.at_risk - gone * time.own;
      time.step += part / left;
      time.spared += gone * (part / left);
      product *= left / time.at_risk;
      if (product < 1e-290) {
        sum += std::log(product);
        product = 1.0;
      }
    }
    return part * (sum + std::log(product));
  }

  void weigh_ties(Time &time) const {
    const double m = static_cast<double>(time.tied), part = time.events / m;
    time.weight = time.once = time.twice = 0.0;
    for (Index l = 0; l < time.tied; ++l) {
      const double gone = static_cast<double>(l) / m, left = time.at_risk - gone * time.own;
      const double weight = part / (left * left);
      time.weight += weight;
      time.once += gone * weight;
      time.twice += gone * gone * weight;
    }
  }

  static constexpr double kFarApart = 300.0;

  // The predictors in the scale of their time, in mass_, and how scales follow each other.
  void shift(const double *eta) {
    double largest = 0.0;
    bool far = false;
    for (Index t = 0; t < times_.size(); ++t) {
      Time &time = times_[t];
      const double before = largest;
      if (time.opens_stratum) {
        const std::pair<double, double> range = range_of_stratum(t, eta);
        far = range.second - range.first > kFarApart;
        largest = far ? range.first : range.second;
      }
      for (Index k = time.from; far && k < time.to; ++k)
        largest = std::max(largest, eta[row_[k]]);
      time.scale = time.opens_stratum ? 0.0 : far ? exponential(before - largest) : 1.0;
      for (Index k = time.from; k < time.to; ++k)
        mass_[k] = eta[row_[k]] - largest;
    }
  }

  static double exponential(double x) {
    double at[kRowMultiple] = {x};
    STABILECT_AT_WIDTH(0, exponentials)(at, kRowMultiple, at);
    return at[0];
  }

  // The time after it shares none of its samples, if that opens a stratum.
  double scale_of_next(Index t) const { return t + 1 < times_.size() ? times_[t + 1].scale : 0.0; }

  std::pair<double, double> range_of_stratum(Index t, const double *eta) const {
    double least = eta[row_[times_[t].from]], most = least;
    do {
      for (Index k = times_[t].from; k < times_[t].to; ++k) {
        least = std::min(least, eta[row_[k]]);
        most = std::max(most, eta[row_[k]]);
      }
    } while (++t < times_.size() && !times_[t].opens_stratum);
    return {least, most};
  }

  Array<int> row_;
  Array<char> tied_; // by place: an event with the ties of Efron?
  Array<Time> times_;
  Array<double> mass_, share_, curvature_;
  Index n_event_times_ = 0;
};

} // namespace stabilect

#endif
