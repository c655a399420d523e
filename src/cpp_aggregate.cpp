#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/rank/aggregate.h"

using namespace stabilect;

namespace {

// Scores as a matrix (start empty), or as the parts of a matrix compressed by column.
ScoreRuns score_runs(const Rcpp::NumericVector &score, const Rcpp::IntegerVector &feature,
                     const Rcpp::IntegerVector &start, int n_features) {
  ScoreRuns runs;
  runs.n_features = n_features;
  runs.score = score.begin();
  if (start.size() == 0) {
    if (n_features < 1 || score.size() % n_features != 0)
      throw std::invalid_argument("scores must have n_features rows");
    runs.n_runs = score.size() / n_features;
    return runs;
  }
  if (feature.size() != score.size() || start[start.size() - 1] != score.size())
    throw std::invalid_argument("scores must be a compressed column matrix");
  runs.n_runs = start.size() - 1;
  // An empty vector may have no address, but a null pointer means a full matrix.
  static const int none = 0;
  runs.feature = feature.size() > 0 ? feature.begin() : &none;
  runs.start = start.begin();
  return runs;
}

AggregationRule aggregation_rule(const std::string &name) {
  if (name == "mean_score")
    return AggregationRule::mean_score;
  if (name == "mean_rank")
    return AggregationRule::mean_rank;
  if (name == "median_rank")
    return AggregationRule::median_rank;
  if (name == "best_rank")
    return AggregationRule::best_rank;
  if (name == "borda")
    return AggregationRule::borda;
  if (name == "exponential")
    return AggregationRule::exponential;
  if (name == "stability_selection")
    return AggregationRule::top_share;
  if (name == "robust_rank")
    return AggregationRule::robust_rank;
  if (name == "rank_product")
    return AggregationRule::rank_product;
  throw std::invalid_argument("unknown rule '" + name + "'");
}

ScoreScale score_scale(const std::string &name) {
  if (name == "none")
    return ScoreScale::none;
  if (name == "rank")
    return ScoreScale::rank;
  if (name == "minmax")
    return ScoreScale::minmax;
  if (name == "zscore")
    return ScoreScale::zscore;
  if (name == "sum")
    return ScoreScale::sum;
  throw std::invalid_argument("unknown scale '" + name + "'");
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_aggregate_runs(const Rcpp::NumericVector &score,
                                       const Rcpp::IntegerVector &feature,
                                       const Rcpp::IntegerVector &start, int n_features,
                                       const std::string &rule, const std::string &scale,
                                       double power, double size, const std::vector<double> &weight,
                                       int n_threads) {
  AggregateOptions options;
  options.rule = aggregation_rule(rule);
  options.scale = score_scale(scale);
  options.power = power;
  options.size = size;
  options.weight = weight;
  return Rcpp::wrap(aggregate_runs(score_runs(score, feature, start, n_features), options,
                                   make_runtime(n_threads)));
}

// Mid-ranks, 1 is best: features x runs.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_rank_runs(const Rcpp::NumericVector &score,
                                  const Rcpp::IntegerVector &feature,
                                  const Rcpp::IntegerVector &start, int n_features, int n_threads) {
  const Eigen::MatrixXd rank =
      rank_runs(score_runs(score, feature, start, n_features), make_runtime(n_threads));
  return Rcpp::NumericMatrix(static_cast<int>(rank.rows()), static_cast<int>(rank.cols()),
                             rank.data());
}

// The best features of each run as a pattern compressed by column: numbers from 0, starts.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_best_features(const Rcpp::NumericVector &score, const Rcpp::IntegerVector &feature,
                             const Rcpp::IntegerVector &start, int n_features, int size,
                             int n_threads) {
  const auto best =
      best_features(score_runs(score, feature, start, n_features), size, make_runtime(n_threads));
  const Rcpp::IntegerVector ends =
      r::run_ends(best.size(), [&](std::size_t b) { return best[b].size(); });
  Rcpp::IntegerVector i(best.empty() ? 0 : ends[ends.size() - 1]), p(ends.size() + 1);
  for (std::size_t b = 0; b < best.size(); ++b) {
    std::copy(best[b].begin(), best[b].end(), i.begin() + p[b]);
    p[b + 1] = ends[b];
  }
  return Rcpp::List::create(Rcpp::_["i"] = i, Rcpp::_["p"] = p);
}
