#ifndef STABILECT_EVENTS_AHEAD_H
#define STABILECT_EVENTS_AHEAD_H

#include <algorithm>
#include <cmath>

#include "stabilect/base/array.h"

namespace stabilect {

// Where features are about to enter or leave: along lambda, products with the residual and
// coefficients are nearly straight lines between one event and the next, and two models tell each
// line. The next model is then stated between the first two events, and not where a grid has its
// points: fewer models find as many events. What is foreseen decides only where models are stated,
// and at which lambda between two models an event is said to be, never which features they have.
class EventsAhead {
public:
  // Before the events of a model at lambda. Features that are not watched come no earlier than at
  // `unseen`.
  void begin(double lambda, double unseen) {
    event_.clear();
    lambda_ = lambda;
    first_ = second_ = unseen;
  }

  // The line through a product, its absolute value at lambda and before, meets alpha lambda.
  void may_enter(int feature, double now, double before, double fell, double alpha) {
    const double slope = fell > 0.0 ? (before - now) / fell : 0.0;
    if (slope < alpha)
      add(feature, (now - slope * lambda_) / (alpha - slope), true);
  }
  // The same of a coefficient, which meets zero.
  void may_leave(int feature, double now, double before, double fell) {
    if (fell > 0.0 && before > now)
      add(feature, lambda_ - now * fell / (before - now), false);
  }

  // Of the next model: between the first two events, but at most a `step` below the first: near
  // models foresee better.
  double between(double step) const { return std::max(std::sqrt(first_ * second_), step * first_); }

  // Features that are expected to enter above this lambda: tell(feature).
  template <typename Tell> void entering(double lambda, const Tell &tell) const {
    for (const Event &one : event_)
      if (one.enters && one.lambda > lambda)
        tell(one.feature);
  }

  // Of this event (a feature from 1, with a sign); zero if it was not foreseen.
  double lambda_of(int event) const {
    const auto found = std::find_if(event_.begin(), event_.end(), [=](const Event &one) {
      return one.feature == std::abs(event) - 1;
    });
    return found == event_.end() ? 0.0 : found->lambda;
  }

  // Between the first two of these events (features from 1, with a sign); zero if fewer are known.
  double between(const Array<int> &events) const {
    double first = 0.0, second = 0.0;
    for (int event : events) {
      const double at = lambda_of(event);
      second = std::max(second, std::min(first, at));
      first = std::max(first, at);
    }
    return std::sqrt(first * second);
  }

private:
  struct Event {
    int feature;
    double lambda;
    bool enters;
  };

  void add(int feature, double at, bool enters) {
    if (!(at > 0.0))
      return;
    at = std::min(at, lambda_ * (1.0 - kNearest));
    event_.push_back({feature, at, enters});
    second_ = std::max(second_, std::min(first_, at));
    first_ = std::max(first_, at);
  }

  static constexpr double kNearest = 1e-3; // below lambda

  Array<Event> event_;
  double lambda_ = 0.0, first_ = 0.0, second_ = 0.0; // of events
};

} // namespace stabilect

#endif
