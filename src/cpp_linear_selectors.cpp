#include "r_linear.h"
#include "r_runtime.h"
#include "stabilect/eliminate/score_linear.h"

using namespace stabilect;

// codes: class from 1. options: of r::linear_options(). step < 0: weights without elimination; 0:
// one feature at a time; else the share dropped at a time. names, seeds: of the features and the
// runs, for ties. Returns p x B.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_score_linear(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                                     int n_classes, const Rcpp::IntegerMatrix &counts,
                                     const Rcpp::List &options, double step,
                                     const Rcpp::CharacterVector &names,
                                     const Rcpp::NumericVector &seeds, int n_threads,
                                     SEXP progress) {
  const LinearScoring scoring{step >= 0.0, std::max(step, 0.0)};
  return r::wrap(score_linear(r::as_map(x), r::as_codes(codes, n_classes), n_classes,
                              r::as_counts(counts, x.nrow()), r::linear_options(options), scoring,
                              make_runtime(n_threads, progress), r::ties(names, seeds)));
}
