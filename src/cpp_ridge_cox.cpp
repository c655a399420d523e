#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/predict/ridge_cox_features.h"

using namespace stabilect;

namespace stabilect {
namespace r {

// A list of cox_times().
inline CoxTimes as_cox_times(const Rcpp::List &times) {
  return {as_vector(times["event"]), from_zero(times["last"]), as_vector(times["deaths"]),
          as_vector(times["gone"]), from_zero(times["first"])};
}

inline Rcpp::List wrap(const CoxPoint &point) {
  return Rcpp::List::create(
      Rcpp::_["beta"] = wrap(point.beta), Rcpp::_["likelihood"] = point.likelihood,
      Rcpp::_["gradient"] = wrap(point.gradient), Rcpp::_["information"] = wrap(point.information),
      Rcpp::_["converged"] = point.converged);
}

} // namespace r
} // namespace stabilect

// lambda: of each column; offset: of each row.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_ridge_cox(const Rcpp::NumericMatrix &z, const Rcpp::List &times,
                             const Rcpp::NumericVector &lambda, const Rcpp::NumericVector &beta,
                             const Rcpp::NumericVector &offset) {
  return r::wrap(fit_ridge_cox(r::as_map(z), r::as_cox_times(times), r::as_vector(lambda),
                               r::as_vector(beta), r::as_vector(offset), make_runtime(1)));
}

// n_free: number of first columns without penalty.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_choose_ridge_cox(const Rcpp::NumericMatrix &z, const Rcpp::List &times, int n_free) {
  const CoxChoice best =
      choose_ridge_cox(r::as_map(z), r::as_cox_times(times), n_free, make_runtime(1));
  Rcpp::List out = r::wrap(best.point);
  out["lambda"] = best.lambda;
  out["error"] = best.error;
  return out;
}

// x: rows in the order of `times`; lambda: NULL to choose it, or > 0. NULL if rounding needs more
// care.
// [[Rcpp::export(rng = false)]]
SEXP cpp_fit_ridge_cox_features(const Rcpp::NumericMatrix &x, const Rcpp::List &times,
                                const Rcpp::Nullable<Rcpp::NumericVector> &lambda) {
  RidgeCoxFit fit;
  const double given = lambda.isNull() ? NAN : Rcpp::as<double>(lambda.get());
  if (!fit_ridge_cox_features(r::as_map(x), r::as_cox_times(times), given, make_runtime(1), &fit))
    return R_NilValue;
  return Rcpp::List::create(Rcpp::_["coefficients"] = r::wrap(fit.coefficients),
                            Rcpp::_["scale"] = r::wrap(fit.scale), Rcpp::_["offset"] = fit.offset,
                            Rcpp::_["lambda"] = fit.lambda, Rcpp::_["converged"] = fit.converged);
}
