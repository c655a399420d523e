#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/predict/ridge_logistic.h"

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

// For each model, sets: its columns (from 1); left_out: the samples (from 1) that it must not see;
// predicted: the samples among them that it predicts. Returns the log odds of these, model by
// model.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_loo_ridge_logistic(const Rcpp::NumericMatrix &x,
                                           const Rcpp::NumericVector &y, const Rcpp::List &sets,
                                           const Rcpp::List &left_out, const Rcpp::List &predicted,
                                           double lambda, int n_threads) {
  return r::wrap(loo_ridge_logistic(r::as_map(x), r::as_vector(y), r::sets_from_zero(sets),
                                    r::sets_from_zero(left_out), r::sets_from_zero(predicted),
                                    lambda, make_runtime(n_threads)));
}
