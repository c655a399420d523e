#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/score/relief.h"

using namespace stabilect;

// y: class from 1, or with n_classes = 0 numbers. Returns p x B.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_score_relief(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                                     int n_classes, const Rcpp::IntegerMatrix &counts,
                                     int n_neighbours, int n_threads, SEXP progress) {
  ReliefOptions options;
  options.n_neighbours = n_neighbours;
  Eigen::VectorXd response = r::as_vector(y);
  if (n_classes > 0)
    response.array() -= 1.0;
  return r::wrap(score_relief(r::as_map(x), response, n_classes, r::as_counts(counts, x.nrow()),
                              options, make_runtime(n_threads, progress)));
}
