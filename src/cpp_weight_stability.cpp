#include "r_columns.h"
#include "r_runtime.h"
#include "stabilect/stability/rank_pairs.h"
#include "stabilect/stability/weight_pairs.h"

using namespace stabilect;

namespace {

SparseRuns sparse_runs(const Rcpp::IntegerVector &start, const Rcpp::IntegerVector &feature,
                       const Rcpp::NumericVector &value, int n_total) {
  r::check_columns(start, feature, n_total);
  if (value.size() != feature.size())
    throw std::invalid_argument("every entry must have one value");
  SparseRuns runs;
  runs.n_runs = start.size() - 1;
  runs.n_total = n_total;
  runs.start = start.begin();
  runs.feature = feature.begin();
  runs.value = value.begin();
  return runs;
}

RankIndex rank_index(const std::string &word) {
  return r::choice<RankIndex>("index", word,
                              {{"spearman", RankIndex::spearman},
                               {"kendall", RankIndex::kendall},
                               {"canberra", RankIndex::canberra},
                               {"weighted_overlap", RankIndex::overlap}});
}

} // namespace

// Numerators and denominators of phi_iw, both m x m, from shares of importance.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_importance_overlap(const Rcpp::IntegerVector &start,
                                  const Rcpp::IntegerVector &feature,
                                  const Rcpp::NumericVector &share, int n_total, int n_threads) {
  const SparseRuns runs = sparse_runs(start, feature, share, n_total);
  const int m = static_cast<int>(runs.n_runs);
  Rcpp::NumericMatrix numerator(m, m), denominator(m, m);
  importance_overlap(runs, numerator.begin(), denominator.begin(), make_runtime(n_threads));
  return Rcpp::List::create(Rcpp::_["numerator"] = numerator, Rcpp::_["denominator"] = denominator);
}

// Agreement of the rankings of all pairs of runs, m x m; features without a score come last.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_compare_ranks(const Rcpp::IntegerVector &start,
                                      const Rcpp::IntegerVector &feature,
                                      const Rcpp::NumericVector &score, int n_total,
                                      const std::string &index, int location,
                                      const std::vector<double> &weights, int n_threads) {
  const SparseRuns runs = sparse_runs(start, feature, score, n_total);
  RankOptions options;
  options.index = rank_index(index);
  options.location = location;
  options.weights = weights;
  const int m = static_cast<int>(runs.n_runs);
  Rcpp::NumericMatrix agreement(m, m);
  RankComparison(runs, options).compare(agreement.begin(), make_runtime(n_threads));
  return agreement;
}
