#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/predict/ridge_multinomial.h"

using namespace stabilect;

// codes: classes of the rows of z, from 1, which are the rows of `contrasts`; penalty: of each
// column of z.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_ridge_multinomial(const Rcpp::NumericMatrix &z, const Rcpp::IntegerVector &codes,
                                     const Rcpp::NumericMatrix &contrasts,
                                     const Rcpp::NumericVector &penalty) {
  const MultinomialFit fit =
      fit_ridge_multinomial(r::as_map(z), r::as_codes(codes, contrasts.nrow()),
                            r::as_map(contrasts), r::as_vector(penalty), make_runtime(1));
  return Rcpp::List::create(
      Rcpp::_["beta"] = r::wrap(fit.beta), Rcpp::_["likelihood"] = fit.likelihood,
      Rcpp::_["information"] = r::wrap(fit.information), Rcpp::_["converged"] = fit.converged);
}
