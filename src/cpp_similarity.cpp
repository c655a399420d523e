#include <memory>

#include "r_columns.h"
#include "r_runtime.h"
#include "stabilect/stability/linkage.h"
#include "stabilect/stability/similarity_chance.h"
#include "stabilect/stability/similarity_correlation.h"
#include "stabilect/stability/similarity_pairs.h"

using namespace stabilect;

namespace {

SimilarityIndex similarity_index(const std::string &word) {
  return r::choice<SimilarityIndex>("index", word,
                                    {{"intersection_count", SimilarityIndex::count},
                                     {"intersection_mean", SimilarityIndex::mean},
                                     {"intersection_greedy", SimilarityIndex::greedy},
                                     {"intersection_mbm", SimilarityIndex::mbm},
                                     {"yu", SimilarityIndex::yu},
                                     {"zucknick", SimilarityIndex::zucknick}});
}

enum class Kind { groups, correlation, graph };

// Borrows the vectors of `core`, see similarity_input() in R.
std::unique_ptr<Similarity> make_similarity(const Rcpp::List &core) {
  const Kind kind = r::choice<Kind>(
      "kind", core["kind"],
      {{"groups", Kind::groups}, {"correlation", Kind::correlation}, {"graph", Kind::graph}});
  if (kind == Kind::groups) {
    const Rcpp::IntegerVector group = core["group"];
    return std::make_unique<GroupSimilarity>(group.begin(), Rcpp::as<int>(core["n_groups"]));
  }
  if (kind == Kind::correlation) {
    const Rcpp::NumericMatrix x = core["x"];
    return std::make_unique<CorrelationSimilarity>(r::as_map(x),
                                                   Rcpp::as<double>(core["threshold"]));
  }
  const Rcpp::IntegerVector start = core["p"], neighbour = core["i"];
  const Rcpp::NumericVector value = core["x"];
  return std::make_unique<GraphSimilarity>(start.size() - 1, start.begin(), neighbour.begin(),
                                           value.begin());
}

int features_of(const Rcpp::List &core) {
  const std::string kind = core["kind"];
  if (kind == "groups")
    return static_cast<int>(Rf_xlength(core["group"]));
  return kind == "graph" ? static_cast<int>(Rf_xlength(core["p"])) - 1 : Rf_ncols(core["x"]);
}

ChanceOptions chance_options(int n_total, int n_draws, double seed) {
  ChanceOptions options;
  options.n_total = n_total;
  options.n_draws = n_draws;
  options.seed = r::as_seed(seed);
  return options;
}

Rcpp::List wrap_means(const Array<ChanceMean> &chance) {
  Rcpp::NumericVector mean(chance.size()), se(chance.size());
  for (Index k = 0; k < chance.size(); ++k) {
    mean[k] = chance[k].mean;
    se[k] = chance[k].se;
  }
  return Rcpp::List::create(Rcpp::_["mean"] = mean, Rcpp::_["se"] = se);
}

Rcpp::List wrap_neighbours(const Array<Array<Neighbour>> &later) {
  Index total = 0;
  for (const auto &list : later)
    total += list.size();
  Rcpp::IntegerVector first(total), second(total);
  Rcpp::NumericVector value(total);
  Index at = 0;
  for (Index f = 0; f < later.size(); ++f) {
    for (const Neighbour &neighbour : later[f]) {
      first[at] = static_cast<int>(f);
      second[at] = neighbour.feature;
      value[at++] = neighbour.similarity;
    }
  }
  return Rcpp::List::create(Rcpp::_["first"] = first, Rcpp::_["second"] = second,
                            Rcpp::_["value"] = value);
}

} // namespace

// Adjusted intersections (Zucknick: scores) of all pairs of runs, m x m.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_compare_sets(const Rcpp::List &core, const Rcpp::IntegerVector &start,
                                     const Rcpp::IntegerVector &feature, const std::string &index,
                                     int n_threads) {
  const auto similarity = make_similarity(core);
  r::check_columns(start, feature, features_of(core));
  FeatureSets sets;
  sets.n_sets = start.size() - 1;
  sets.start = start.begin();
  sets.feature = feature.begin();
  const int n_sets = static_cast<int>(sets.n_sets);
  Rcpp::NumericMatrix score(n_sets, n_sets);
  compare_sets(*similarity, sets, similarity_index(index), score.begin(), make_runtime(n_threads));
  return score;
}

// Expected adjusted intersection of random sets, and its standard error, for each pair of sizes.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_chance_intersection(const Rcpp::List &core, const std::vector<int> &size_a,
                                   const std::vector<int> &size_b, int n_total,
                                   const std::string &index, int n_draws, double seed,
                                   int n_threads) {
  const auto similarity = make_similarity(core);
  const auto chance =
      chance_intersections(*similarity, similarity_index(index), size_a, size_b,
                           chance_options(n_total, n_draws, seed), make_runtime(n_threads));
  return wrap_means(chance);
}

// Pairs of columns with an absolute correlation of at least `threshold`, the smaller one first,
// numbered from 0. `x` has columns of mean zero and length one.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_correlated_columns(const Rcpp::NumericMatrix &x, double threshold, int n_threads) {
  return wrap_neighbours(correlated_columns(r::as_map(x), threshold, make_runtime(n_threads)));
}

// The first column, from 0, of the cluster of each column. `x` as above.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_linked_columns(const Rcpp::NumericMatrix &x, double threshold,
                                       bool is_signed, int n_threads) {
  return Rcpp::wrap(linked_columns(r::as_map(x), threshold, is_signed, make_runtime(n_threads)));
}

// Rows of an hclust: two columns (negative) or earlier rows, and their height. `x` as above.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_cluster_tree(const Rcpp::NumericMatrix &x, const std::string &linkage,
                            bool is_signed, int n_threads) {
  const auto rule = r::choice<Linkage>("linkage", linkage,
                                       {{"average", Linkage::average},
                                        {"complete", Linkage::complete},
                                        {"single", Linkage::single}});
  const ClusterTree tree = cluster_tree(r::as_map(x), rule, is_signed, make_runtime(n_threads));
  return Rcpp::List::create(Rcpp::_["left"] = tree.left, Rcpp::_["right"] = tree.right,
                            Rcpp::_["height"] = tree.height);
}

// Number and summed similarity of the features similar to each of `n_columns` random columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_neighbour_totals(const Rcpp::NumericMatrix &x, int n_columns, double threshold,
                                double seed, int n_threads) {
  Rng rng(r::as_seed(seed), 0, domain_tag("similarity_features"));
  const Array<int> columns = rng.sample_without_replacement(x.ncol(), n_columns);
  const auto totals = neighbour_totals(r::as_map(x), columns, threshold, make_runtime(n_threads));
  return Rcpp::List::create(Rcpp::_["number"] = totals.number, Rcpp::_["sum"] = totals.sum);
}
