#ifndef STABILECT_R_LINEAR_H
#define STABILECT_R_LINEAR_H

// Options of linear classifiers from R's arguments.

#include "r_convert.h"
#include "stabilect/predict/machines.h"

namespace stabilect {
namespace r {

inline LinearLoss linear_loss(const std::string &loss) {
  return choice<LinearLoss>("loss", loss,
                            {{"l2", LinearLoss::squared_hinge},
                             {"l1", LinearLoss::hinge},
                             {"logistic", LinearLoss::logistic}});
}

// A list with loss, penalty, free_intercept, pairs and scaling.
inline LinearOptions linear_options(const Rcpp::List &options) {
  LinearOptions out;
  out.loss = linear_loss(options["loss"]);
  out.penalty = options["penalty"];
  out.free_intercept = options["free_intercept"];
  out.pairs = options["pairs"];
  out.scaling =
      choice<Scaling>("scaling", options["scaling"],
                      {{"sd", Scaling::sd}, {"range", Scaling::range}, {"none", Scaling::none}});
  return out;
}

} // namespace r
} // namespace stabilect

#endif
