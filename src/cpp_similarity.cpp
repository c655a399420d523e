#include <memory>

#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/stability/similarity_chance.h"
#include "stabilect/stability/similarity_correlation.h"
#include "stabilect/stability/similarity_pairs.h"

using namespace stabilect;

namespace {

SimilarityIndex similarity_index(const std::string &name) {
  if (name == "intersection_count")
    return SimilarityIndex::count;
  if (name == "intersection_mean")
    return SimilarityIndex::mean;
  if (name == "intersection_greedy")
    return SimilarityIndex::greedy;
  if (name == "intersection_mbm")
    return SimilarityIndex::mbm;
  if (name == "yu")
    return SimilarityIndex::yu;
  if (name == "zucknick")
    return SimilarityIndex::zucknick;
  throw std::invalid_argument("`index` is not one of the similarity-adjusted indices.");
}

// Borrows the vectors of `core`, see similarity_input() in R.
std::unique_ptr<Similarity> make_similarity(const Rcpp::List &core) {
  const std::string kind = core["kind"];
  if (kind == "groups") {
    const Rcpp::IntegerVector group = core["group"];
    return std::make_unique<GroupSimilarity>(group.begin(), Rcpp::as<int>(core["n_groups"]));
  }
  if (kind == "correlation") {
    const Rcpp::NumericMatrix x = core["x"];
    return std::make_unique<CorrelationSimilarity>(r::as_map(x),
                                                   Rcpp::as<double>(core["threshold"]));
  }
  const Rcpp::IntegerVector start = core["p"], neighbour = core["i"];
  const Rcpp::NumericVector value = core["x"];
  return std::make_unique<GraphSimilarity>(static_cast<std::size_t>(start.size() - 1),
                                           start.begin(), neighbour.begin(), value.begin());
}

} // namespace

// Adjusted intersections (Zucknick: scores) of all pairs of runs, m x m.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_compare_sets(const Rcpp::List &core, const Rcpp::IntegerVector &start,
                                     const Rcpp::IntegerVector &feature, const std::string &index,
                                     int n_threads) {
  const auto similarity = make_similarity(core);
  FeatureSets sets;
  sets.n_sets = static_cast<std::size_t>(start.size() - 1);
  sets.start = start.begin();
  sets.feature = feature.begin();
  Rcpp::NumericMatrix score(start.size() - 1, start.size() - 1);
  compare_sets(*similarity, sets, similarity_index(index), score.begin(), make_runtime(n_threads));
  return score;
}

// Expected adjusted intersection of random sets, and its standard error, for each pair of sizes.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_chance_intersection(const Rcpp::List &core, const Rcpp::IntegerVector &size_a,
                                   const Rcpp::IntegerVector &size_b, int n_features,
                                   const std::string &index, int n_draws, double seed,
                                   int n_threads) {
  const auto similarity = make_similarity(core);
  ChanceOptions options;
  options.n_features = n_features;
  options.n_draws = n_draws;
  options.seed = static_cast<std::uint64_t>(seed);
  const Runtime runtime = make_runtime(n_threads);
  Rcpp::NumericVector mean(size_a.size()), se(size_a.size());
  for (R_xlen_t k = 0; k < size_a.size(); ++k) {
    const ChanceMean chance = chance_intersection(*similarity, similarity_index(index), size_a[k],
                                                  size_b[k], options, runtime);
    mean[k] = chance.mean;
    se[k] = chance.se;
  }
  return Rcpp::List::create(Rcpp::_["mean"] = mean, Rcpp::_["se"] = se);
}

// Pairs of columns with an absolute correlation of at least `threshold`, the smaller one first,
// numbered from 0. `x` has columns of mean zero and length one.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_correlated_columns(const Rcpp::NumericMatrix &x, double threshold, int n_threads) {
  const auto later = correlated_columns(r::as_map(x), threshold, make_runtime(n_threads));
  std::size_t total = 0;
  for (const auto &list : later)
    total += list.size();
  Rcpp::IntegerVector first(total), second(total);
  Rcpp::NumericVector value(total);
  std::size_t at = 0;
  for (std::size_t f = 0; f < later.size(); ++f) {
    for (const Neighbour &neighbour : later[f]) {
      first[at] = static_cast<int>(f);
      second[at] = neighbour.feature;
      value[at++] = neighbour.similarity;
    }
  }
  return Rcpp::List::create(Rcpp::_["first"] = first, Rcpp::_["second"] = second,
                            Rcpp::_["value"] = value);
}

// Number and summed similarity of the features similar to each of `n_columns` random columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_neighbour_totals(const Rcpp::NumericMatrix &x, int n_columns, double threshold,
                                double seed, int n_threads) {
  Rng rng(static_cast<std::uint64_t>(seed), 0, domain_tag("similarity_features"));
  const std::vector<int> columns = rng.sample_without_replacement(x.ncol(), n_columns);
  const auto totals = neighbour_totals(r::as_map(x), columns, threshold, make_runtime(n_threads));
  return Rcpp::List::create(Rcpp::_["number"] = totals.number, Rcpp::_["sum"] = totals.sum);
}
