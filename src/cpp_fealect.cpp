#include "r_paths.h"
#include "r_runtime.h"
#include "stabilect/path/lars_batch.h"

using namespace stabilect;

// Paths on all columns of `counts` (n x B) and the FeaLect score of every run. `y` has n values, or
// n for each run.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_paths(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                           const Rcpp::NumericMatrix &counts, const Rcpp::List &options,
                           int n_threads, SEXP progress) {
  const r::ScoreOptions wanted = r::score_options(options, x.ncol());
  r::PathResults results(wanted, counts.ncol());
  run_paths(PackedMatrix(r::as_map(x), true), r::as_responses(y, x.nrow(), counts.ncol()),
            r::as_weights(counts, x.nrow()), wanted.path, make_runtime(n_threads, progress),
            [&](Index run, LarsPath path) { results.take(run, std::move(path)); });
  return results.wrap();
}

// The feature scores of `paths` by the models of `units`, the same paths in clusters of features;
// models of up to `limit` clusters count (-1: all).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_models(const Rcpp::List &paths, const Rcpp::List &units, int limit) {
  const StoredPaths own = r::stored_paths(paths), counted = r::stored_paths(units);
  Array<RunScore> scores;
  for (Index b = 0; b < own.n_runs(); ++b)
    scores.push_back(score_models(
        own.events_of(b), own.ends_of(b),
        model_weights(counted.events_of(b), counted.ends_of(b), ScoreRule::size, limit)));
  return r::wrap_scores(scores);
}

// Share of runs in which each of `features` is in the model of size k, k = 1 .. max_size:
// length(features) x max_size. Runs without such a model count as not selecting it.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_frequency_by_size(const Rcpp::List &paths, const std::vector<int> &features,
                                          int max_size, const std::string &rule) {
  return r::wrap(
      frequency_by_size(r::stored_paths(paths), features, max_size, r::score_rule(rule)));
}
