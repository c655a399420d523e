#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/linear/ridge_logistic.h"

using namespace stabilect;

namespace {

RidgeLogisticOptions ridge_options(double lambda) {
  RidgeLogisticOptions options;
  options.lambda = lambda;
  return options;
}

} // namespace

// y: 0 or 1. Coefficients on the original scale; scale: the standard deviations.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_ridge_logistic(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                                  const Rcpp::NumericVector &weights, double lambda) {
  const RidgeLogisticResult fit = fit_ridge_logistic(
      r::as_map(x), r::as_map(y).col(0), r::as_map(weights).col(0), ridge_options(lambda));
  const auto &beta = fit.coefficients;
  return Rcpp::List::create(
      Rcpp::_["intercept"] = fit.intercept,
      Rcpp::_["coefficients"] = Rcpp::NumericVector(beta.data(), beta.data() + beta.size()),
      Rcpp::_["scale"] = Rcpp::NumericVector(fit.scale.data(), fit.scale.data() + beta.size()),
      Rcpp::_["objective"] = fit.objective, Rcpp::_["gradient_norm"] = fit.gradient_norm,
      Rcpp::_["iterations"] = fit.iterations, Rcpp::_["converged"] = fit.converged);
}

// sets: for each sample the columns (from 1) of its model, fitted without it and without the other
// samples of its block; blocks: the block of each sample, empty when each is on its own.
// Returns the log odds of each sample.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_loo_ridge_logistic(const Rcpp::NumericMatrix &x,
                                           const Rcpp::NumericVector &y, const Rcpp::List &sets,
                                           double lambda, const std::vector<int> &blocks,
                                           int n_threads) {
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(sets.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i] = Rcpp::as<std::vector<int>>(sets[static_cast<R_xlen_t>(i)]);
    for (int &j : columns[i])
      --j;
  }
  const Eigen::VectorXd link =
      loo_ridge_logistic(r::as_map(x), r::as_map(y).col(0), columns, ridge_options(lambda),
                         make_runtime(n_threads), blocks);
  return Rcpp::NumericVector(link.data(), link.data() + link.size());
}
