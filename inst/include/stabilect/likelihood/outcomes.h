#ifndef STABILECT_OUTCOMES_H
#define STABILECT_OUTCOMES_H

#include <algorithm>
#include <numeric>

#include "stabilect/base/types.h"

namespace stabilect {

enum class Family { gaussian, binomial, poisson, cox, multinomial };

// The response of all samples.
struct Outcomes {
  Family family = Family::gaussian;
  // A number; 0 or 1; a count; for cox 1 for an event and 0 for none; a class from 0.
  Eigen::VectorXd y;
  int n_classes = 2;
  double unit = 1.0; // numbers are those of the response divided by it, see scale.h
  // Known parts of the linear predictors (n x 1, or n x K for K classes); empty: none.
  Eigen::MatrixXd offset;

  // For cox: the samples by stratum, and within one from the last time to the first. Samples of one
  // stratum and one time have the same number in `group`; both are by place in the order.
  Array<int> order, group, stratum;
  bool efron = true; // ties as in Efron (1977), otherwise as in Breslow (1974)
};

// Right-censored times; `strata` (codes) may be empty.
inline Outcomes survival_outcomes(const ConstVector &time, const ConstVector &event,
                                  const Array<int> &strata) {
  Outcomes out;
  out.family = Family::cox;
  out.y = event;
  const auto stratum = [&](int i) { return strata.empty() ? 0 : strata[i]; };
  out.order.resize(time.size());
  std::iota(out.order.begin(), out.order.end(), 0);
  std::stable_sort(out.order.begin(), out.order.end(), [&](int a, int b) {
    return stratum(a) != stratum(b) ? stratum(a) < stratum(b) : time[a] > time[b];
  });
  int group = -1;
  for (Index k = 0; k < out.order.size(); ++k) {
    const int i = out.order[k], before = k ? out.order[k - 1] : i;
    if (k == 0 || stratum(i) != stratum(before) || time[i] != time[before])
      ++group;
    out.group.push_back(group);
    out.stratum.push_back(stratum(i));
  }
  return out;
}

} // namespace stabilect

#endif
