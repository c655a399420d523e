#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/select/aggregate.h"

using namespace stabilect;

namespace {

// Scores as a matrix (start empty), or as the parts of a matrix compressed by column.
ScoreRuns score_runs(const Rcpp::NumericVector &score, const Rcpp::IntegerVector &feature,
                     const Rcpp::IntegerVector &start, int n_total) {
  ScoreRuns runs;
  runs.n_total = n_total;
  runs.score = score.begin();
  if (start.size() == 0) {
    if (n_total < 1 || score.size() % n_total != 0)
      throw std::invalid_argument("scores must have n_total rows");
    runs.n_runs = score.size() / n_total;
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

AggregationRule aggregation_rule(const std::string &word) {
  return r::choice<AggregationRule>("rule", word,
                                    {{"mean_score", AggregationRule::mean_score},
                                     {"mean_rank", AggregationRule::mean_rank},
                                     {"median_rank", AggregationRule::median_rank},
                                     {"best_rank", AggregationRule::best_rank},
                                     {"borda", AggregationRule::borda},
                                     {"exponential", AggregationRule::exponential},
                                     {"stability_selection", AggregationRule::top_share},
                                     {"robust_rank", AggregationRule::robust_rank},
                                     {"rank_product", AggregationRule::rank_product}});
}

ScoreScale score_scale(const std::string &word) {
  return r::choice<ScoreScale>("scale", word,
                               {{"none", ScoreScale::none},
                                {"rank", ScoreScale::rank},
                                {"minmax", ScoreScale::minmax},
                                {"zscore", ScoreScale::zscore},
                                {"sum", ScoreScale::sum}});
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_aggregate_runs(const Rcpp::NumericVector &score,
                                       const Rcpp::IntegerVector &feature,
                                       const Rcpp::IntegerVector &start, int n_total,
                                       const std::string &rule, const std::string &scale,
                                       double power, double size, const std::vector<double> &weight,
                                       int n_threads) {
  AggregateOptions options;
  options.rule = aggregation_rule(rule);
  options.scale = score_scale(scale);
  options.power = power;
  options.size = size;
  options.weight = weight;
  return Rcpp::wrap(
      aggregate_runs(score_runs(score, feature, start, n_total), options, make_runtime(n_threads)));
}

// The best features of each run as a pattern compressed by column: numbers from 0, starts.
// names: of the features; seeds: one per run, for the order of equal scores.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_best_features(const Rcpp::NumericVector &score, const Rcpp::IntegerVector &feature,
                             const Rcpp::IntegerVector &start, const Rcpp::CharacterVector &names,
                             const Rcpp::NumericVector &seeds, int size, int n_threads) {
  const auto best = best_features(score_runs(score, feature, start, static_cast<int>(names.size())),
                                  size, make_runtime(n_threads), r::ties(names, seeds));
  const Rcpp::IntegerVector ends =
      r::run_ends(best.size(), [&](Index b) { return best[b].size(); });
  Rcpp::IntegerVector i(best.empty() ? 0 : ends[ends.size() - 1]), p(ends.size() + 1);
  for (Index b = 0; b < best.size(); ++b) {
    std::copy(best[b].begin(), best[b].end(), i.begin() + p[b]);
    p[b + 1] = ends[b];
  }
  return Rcpp::List::create(Rcpp::_["i"] = i, Rcpp::_["p"] = p);
}

namespace {

// Whole numbers that a double holds.
Rcpp::NumericVector in_doubles(const Array<std::uint64_t> &numbers) {
  Rcpp::NumericVector out(numbers.size());
  for (Index j = 0; j < numbers.size(); ++j)
    out[j] = static_cast<double>(numbers[j] >> 11);
  return out;
}

} // namespace

// Numbers that order features with equal values, see tie_keys(). values: as many numbers for each
// feature, or none.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_tie_keys(const Rcpp::CharacterVector &names,
                                 const Rcpp::NumericVector &values, double seed) {
  return in_doubles(
      tie_keys(r::name_numbers(names), values.begin(), values.size(), r::as_seed(seed)));
}

// The names of features as numbers, for ties in many runs.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_name_numbers(const Rcpp::CharacterVector &names) {
  return in_doubles(r::name_numbers(names));
}
