#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/linear/hybrid_rfe.h"

using namespace stabilect;

// codes: class, 1 or 2. stable: N x B, columns from 1. Matrices of the selected features are
// n_features x B; those of runs that are not ok are zero, and so are their column numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_run_hybrid_rfe(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                              const Rcpp::IntegerMatrix &counts, const Rcpp::IntegerMatrix &stable,
                              int n_features, const Rcpp::NumericVector &penalties, double drop,
                              int n_threads, SEXP progress) {
  HybridOptions options;
  options.n_features = n_features;
  options.lambda = penalties[0];
  options.lambda_final = penalties[1];
  options.epsilon = penalties[2];
  options.alpha = penalties[3];
  options.drop = drop;
  std::vector<int> from_zero(codes.begin(), codes.end());
  for (int &code : from_zero)
    --code;
  Eigen::MatrixXi kept =
      Eigen::Map<const Eigen::MatrixXi>(stable.begin(), stable.nrow(), stable.ncol());
  kept.array() -= 1;
  const Eigen::Map<const Eigen::MatrixXi> in_bag(counts.begin(), counts.nrow(), counts.ncol());
  const std::vector<HybridRun> runs = run_hybrid_rfe(r::as_map(x), from_zero, in_bag, kept, options,
                                                     make_runtime(n_threads, progress));
  const int n_runs = counts.ncol();
  Rcpp::IntegerMatrix feature(n_features, n_runs);
  Rcpp::NumericMatrix weight(n_features, n_runs), frequency(n_features, n_runs),
      coefficient(n_features, n_runs), score(x.ncol(), n_runs), link(x.nrow(), n_runs);
  Rcpp::NumericVector intercept(n_runs);
  for (int b = 0; b < n_runs; ++b) {
    const HybridRun &run = runs[static_cast<std::size_t>(b)];
    if (!run.ok)
      continue;
    for (int i = 0; i < n_features; ++i) {
      feature(i, b) = run.selected[static_cast<std::size_t>(i)] + 1;
      weight(i, b) = run.weight[i];
      frequency(i, b) = run.frequency_score[i];
      coefficient(i, b) = run.coefficient[i];
    }
    intercept[b] = run.intercept;
    std::copy(run.score.data(), run.score.data() + run.score.size(), score.column(b).begin());
    std::copy(run.link.data(), run.link.data() + run.link.size(), link.column(b).begin());
  }
  return Rcpp::List::create(Rcpp::Named("feature") = feature, Rcpp::Named("weight") = weight,
                            Rcpp::Named("frequency") = frequency,
                            Rcpp::Named("coefficient") = coefficient, Rcpp::Named("score") = score,
                            Rcpp::Named("link") = link, Rcpp::Named("intercept") = intercept);
}
