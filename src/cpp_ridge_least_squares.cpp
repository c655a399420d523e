#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/predict/ridge_least_squares.h"

using namespace stabilect;

namespace {

double lambda_of(const Rcpp::Nullable<Rcpp::NumericVector> &lambda) {
  return lambda.isNull() ? kChooseLambda : Rcpp::as<double>(lambda.get());
}

} // namespace

// lambda: NULL to choose it. Coefficients on the original scale; scale: the standard deviations.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_ridge(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                         const Rcpp::Nullable<Rcpp::NumericVector> &lambda) {
  const RidgeFit fit = fit_ridge(r::as_map(x), r::as_vector(y), lambda_of(lambda));
  return Rcpp::List::create(Rcpp::_["intercept"] = fit.intercept,
                            Rcpp::_["coefficients"] = r::wrap(fit.coefficients),
                            Rcpp::_["scale"] = r::wrap(fit.scale), Rcpp::_["lambda"] = fit.lambda);
}

// As cpp_loo_ridge_logistic().
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_loo_ridge(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                                  const Rcpp::List &sets, const Rcpp::List &left_out,
                                  const Rcpp::List &predicted,
                                  const Rcpp::Nullable<Rcpp::NumericVector> &lambda,
                                  int n_threads) {
  return r::wrap(loo_ridge(r::as_map(x), r::as_vector(y), r::sets_from_zero(sets),
                           r::sets_from_zero(left_out), r::sets_from_zero(predicted),
                           lambda_of(lambda), make_runtime(n_threads)));
}
