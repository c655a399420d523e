#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/linear/ridge_logistic.h"

using namespace stabilect;

// y: 0 or 1. Coefficients on the original scale; scale: the standard deviations; gradient_norm: its
// largest element at the end, as a share of its parts.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_ridge_logistic(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                                  const Rcpp::NumericVector &weights, double lambda) {
  const RidgeLogisticFit fit =
      fit_ridge_logistic(r::as_map(x), r::as_vector(y), r::as_vector(weights), lambda);
  return Rcpp::List::create(
      Rcpp::_["intercept"] = fit.intercept, Rcpp::_["coefficients"] = r::wrap(fit.coefficients),
      Rcpp::_["scale"] = r::wrap(fit.scale), Rcpp::_["gradient_norm"] = fit.end.gradient,
      Rcpp::_["converged"] = fit.end.converged);
}

// sets: for each sample the columns (from 1) of its model, fitted without it and without the other
// samples of its block; blocks: the block of each sample, empty when each is on its own.
// Returns the log odds of each sample.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_loo_ridge_logistic(const Rcpp::NumericMatrix &x,
                                           const Rcpp::NumericVector &y, const Rcpp::List &sets,
                                           double lambda, const std::vector<int> &blocks,
                                           int n_threads) {
  std::vector<std::vector<int>> columns;
  for (R_xlen_t i = 0; i < sets.size(); ++i)
    columns.push_back(r::from_zero(sets[i]));
  return r::wrap(loo_ridge_logistic(r::as_map(x), r::as_vector(y), columns, lambda,
                                    make_runtime(n_threads), blocks));
}
