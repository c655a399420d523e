#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/eliminate/hybrid_rfe.h"

using namespace stabilect;

namespace {

HybridOptions hybrid_options(int n_features, const Rcpp::List &penalties, double drop) {
  HybridOptions out;
  out.n_features = n_features;
  out.lambda = penalties["lambda"];
  out.lambda_final = penalties["lambda_final"];
  out.epsilon = penalties["epsilon"];
  out.alpha = penalties["alpha"];
  out.drop = drop;
  return out;
}

// One column per run, of zeros for the runs that are not ok.
Eigen::MatrixXd columns_of(const Array<HybridRun> &runs, Index n_rows,
                           Eigen::VectorXd HybridRun::*part) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n_rows, runs.size());
  for (Index b = 0; b < runs.size(); ++b)
    if (runs[b].ok)
      out.col(b) = runs[b].*part;
  return out;
}

Rcpp::List wrap_runs(const Array<HybridRun> &runs, int n, int p, int n_features) {
  const int n_runs = static_cast<int>(runs.size());
  Rcpp::IntegerMatrix feature(n_features, n_runs);
  Rcpp::NumericVector intercept(n_runs);
  Rcpp::LogicalVector converged(n_runs, true); // runs that are not ok fitted nothing
  for (int b = 0; b < n_runs; ++b) {
    const HybridRun &run = runs[b];
    if (!run.ok)
      continue;
    feature.column(b) = r::from_one(run.selected);
    intercept[b] = run.intercept;
    converged[b] = run.converged;
  }
  const auto matrix = [&](int n_rows, Eigen::VectorXd HybridRun::*part) {
    return r::wrap(columns_of(runs, n_rows, part));
  };
  return Rcpp::List::create(Rcpp::_["feature"] = feature,
                            Rcpp::_["weight"] = matrix(n_features, &HybridRun::weight),
                            Rcpp::_["frequency"] = matrix(n_features, &HybridRun::frequency_score),
                            Rcpp::_["coefficient"] = matrix(n_features, &HybridRun::coefficient),
                            Rcpp::_["score"] = matrix(p, &HybridRun::score),
                            Rcpp::_["link"] = matrix(n, &HybridRun::link),
                            Rcpp::_["intercept"] = intercept, Rcpp::_["converged"] = converged);
}

} // namespace

// codes: class, 1 or 2. stable: N x B, columns from 1. penalties: list of lambda, lambda_final,
// epsilon, alpha. names, seeds: of the features and the runs, for ties. Matrices of the selected
// features are n_features x B; runs that are not ok have zeros and column numbers 0.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_run_hybrid_rfe(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                              const Rcpp::IntegerMatrix &counts, const Rcpp::IntegerMatrix &stable,
                              int n_features, const Rcpp::List &penalties, double drop,
                              const Rcpp::CharacterVector &names, const Rcpp::NumericVector &seeds,
                              int n_threads, SEXP progress) {
  Eigen::MatrixXi kept = r::as_counts(stable, stable.nrow());
  kept.array() -= 1;
  const Array<HybridRun> runs =
      run_hybrid_rfe(r::as_map(x), r::as_codes(codes, 2), r::as_counts(counts, x.nrow()), kept,
                     hybrid_options(n_features, penalties, drop), make_runtime(n_threads, progress),
                     r::ties(names, seeds));
  return wrap_runs(runs, x.nrow(), x.ncol(), n_features);
}
