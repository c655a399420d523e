#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/path/lars_batch.h"
#include "stabilect/path/left_out_fit.h"

using namespace stabilect;

namespace {

LarsOptions models_of_size(int max_features) {
  LarsOptions options;
  options.max_features = max_features;
  options.keep_coefficients = true;
  return options;
}

} // namespace

// Sums of squared errors of the samples marked by `left_out` (n x B, 0 or 1), for paths on the
// columns of `weights` (n x B) at the penalties `grid` (G x B): G x B.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_left_out_loss(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                                      const Rcpp::NumericMatrix &weights,
                                      const Rcpp::NumericMatrix &left_out,
                                      const Rcpp::NumericMatrix &grid, int max_features,
                                      int n_threads, SEXP progress) {
  const auto values = r::as_map(x);
  const auto in_bag = r::as_weights(weights, x.nrow()), out = r::as_weights(left_out, x.nrow());
  Rcpp::NumericMatrix loss(grid.nrow(), grid.ncol());
  const Index n = x.nrow(), n_grid = grid.nrow();
  double *const to = loss.begin();
  const double *const from = grid.begin(), *const response = y.begin();
  run_paths(PackedMatrix(values, true), r::as_response(y, x.nrow()), in_bag,
            models_of_size(max_features), make_runtime(n_threads, progress),
            [&](Index run, const LarsPath &path) {
              const Index b = run;
              left_out_loss(path, values, response, in_bag.data() + n * b, out.data() + n * b,
                            from + n_grid * b, n_grid, to + n_grid * b);
            });
  return loss;
}

// Coefficients of the paths on the columns of `weights`, each at its `lambda`: list(i, p, x).
// names, seeds: of the features and the runs, for ties.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_coefficients_at(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                               const Rcpp::NumericMatrix &weights,
                               const std::vector<double> &lambda, int max_features,
                               const Rcpp::CharacterVector &names, const Rcpp::NumericVector &seeds,
                               int n_threads, SEXP progress) {
  const auto values = r::as_map(x);
  const auto in_bag = r::as_weights(weights, x.nrow());
  const Array<double> at(lambda);
  Array<SparseCoefficients> found(at.size());
  LarsOptions options = models_of_size(max_features);
  options.ties = std::make_shared<const Ties>(r::ties(names, seeds));
  run_paths(PackedMatrix(values, true), r::as_response(y, x.nrow()), in_bag, options,
            make_runtime(n_threads, progress), [&](Index run, const LarsPath &path) {
              found[run] = coefficients_at(path, values, in_bag.data() + x.nrow() * run, at[run]);
            });
  const Rcpp::IntegerVector ends =
      r::run_ends(found.size(), [&](Index b) { return found[b].feature.size(); });
  Array<int> i;
  Array<double> value;
  for (const SparseCoefficients &one : found) {
    i.insert(i.end(), one.feature.begin(), one.feature.end());
    value.insert(value.end(), one.value.begin(), one.value.end());
  }
  return Rcpp::List::create(Rcpp::_["i"] = i, Rcpp::_["ends"] = ends, Rcpp::_["x"] = value);
}
