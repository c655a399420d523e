#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/linear/linear_runs.h"

using namespace stabilect;

// codes: class from 1. loss: "l2", "l1" (cost) or "logistic" (lambda). step < 0: weights without
// elimination; 0: one feature at a time; else the share that goes at a time. Returns p x B.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_score_linear(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                                     int n_classes, const Rcpp::IntegerMatrix &counts,
                                     const std::string &loss, double penalty, bool standardise,
                                     double step, int n_threads, SEXP progress) {
  LinearOptions options;
  options.loss = loss == "l2"   ? LinearLoss::squared_hinge
                 : loss == "l1" ? LinearLoss::hinge
                                : LinearLoss::logistic;
  (options.loss == LinearLoss::logistic ? options.lambda : options.cost) = penalty;
  options.standardise = standardise;
  options.eliminate = step >= 0.0;
  options.step = std::max(step, 0.0);
  std::vector<int> from_zero(codes.begin(), codes.end());
  for (int &code : from_zero)
    --code;
  const Eigen::Map<const Eigen::MatrixXi> in_bag(counts.begin(), counts.nrow(), counts.ncol());
  const Eigen::MatrixXd score = score_linear(r::as_map(x), from_zero, n_classes, in_bag, options,
                                             make_runtime(n_threads, progress));
  Rcpp::NumericMatrix out(x.ncol(), counts.ncol());
  std::copy(score.data(), score.data() + score.size(), out.begin());
  return out;
}
