#include "r_linear.h"
#include "r_runtime.h"
#include "stabilect/eliminate/rfe_paths.h"

using namespace stabilect;

namespace {

FeatureFactors feature_factors(const Rcpp::NumericVector &root,
                               const Rcpp::NumericVector &shrinkage) {
  return {r::as_vector(root), r::as_vector(shrinkage)};
}

Rcpp::List wrap_path(const Array<RfeStep> &path) {
  Rcpp::List steps(path.size());
  for (Index s = 0; s < path.size(); ++s)
    steps[s] = Rcpp::List::create(Rcpp::_["dropped"] = r::from_one(path[s].dropped),
                                  Rcpp::_["features"] = r::from_one(path[s].features),
                                  Rcpp::_["importance"] = r::wrap(path[s].importance),
                                  Rcpp::_["decision"] = r::wrap(path[s].decision));
  return steps;
}

} // namespace

// codes: class from 1. sets: columns from 1, one vector per column of counts. root: multiplies the
// scaled columns; shrinkage: factors of the penalty. names, seeds: of the features and the
// resamples, for ties. Returns for each resample a list of steps.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_rfe_paths(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                         int n_classes, const Rcpp::IntegerMatrix &counts, const Rcpp::List &sets,
                         const Rcpp::IntegerVector &sizes, const Rcpp::NumericVector &root,
                         const Rcpp::NumericVector &shrinkage, const Rcpp::List &options, int keep,
                         const Rcpp::CharacterVector &names, const Rcpp::NumericVector &seeds,
                         int n_threads, SEXP progress) {
  const auto paths = rfe_paths(
      r::as_map(x), r::as_codes(codes, n_classes), n_classes, r::as_counts(counts, x.nrow()),
      r::sets_from_zero(sets), Rcpp::as<std::vector<int>>(sizes), feature_factors(root, shrinkage),
      r::linear_options(options), keep, make_runtime(n_threads, progress), r::ties(names, seeds));
  Rcpp::List out(paths.size());
  for (Index k = 0; k < paths.size(); ++k)
    out[k] = wrap_path(paths[k]);
  return out;
}

// Weights (features x machines) and constants on the scale of x.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_linear(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                          int n_classes, const Rcpp::NumericVector &root,
                          const Rcpp::NumericVector &shrinkage, const Rcpp::List &options) {
  const LinearModel fit = fit_linear(r::as_map(x), r::as_codes(codes, n_classes), n_classes,
                                     feature_factors(root, shrinkage), r::linear_options(options));
  return Rcpp::List::create(Rcpp::_["weights"] = r::wrap(fit.weights.weights),
                            Rcpp::_["constants"] = r::wrap(fit.weights.constants),
                            Rcpp::_["importance"] = r::wrap(fit.importance),
                            Rcpp::_["converged"] = fit.weights.converged);
}
