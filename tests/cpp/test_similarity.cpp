#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/stability/linkage.h>
#include <stabilect/stability/rank_pairs.h>
#include <stabilect/stability/similarity_chance.h>
#include <stabilect/stability/similarity_correlation.h>
#include <stabilect/stability/similarity_pairs.h>
#include <stabilect/stability/weight_pairs.h>

#include <numeric>

using namespace stabilect;

namespace {

// Largest matching by trying everything for the first vertex that is left.
int best_matching(const Array<SimilarPair> &pairs, int n_a, int a, unsigned used) {
  if (a == n_a)
    return 0;
  int best = best_matching(pairs, n_a, a + 1, used);
  for (const SimilarPair &pair : pairs)
    if (pair.a == a && !(used & (1u << pair.b)))
      best = std::max(best, 1 + best_matching(pairs, n_a, a + 1, used | (1u << pair.b)));
  return best;
}

Array<SimilarPair> random_pairs(Rng &rng, int n_a, int n_b, double density) {
  Array<SimilarPair> pairs;
  for (int a = 0; a < n_a; ++a)
    for (int b = 0; b < n_b; ++b)
      if (rng.uniform() < density)
        pairs.push_back({a, b, rng.uniform()});
  return pairs;
}

} // namespace

TEST_CASE("the matching is the largest of all", "[similarity]") {
  Rng rng(1, 0);
  for (int round = 0; round < 300; ++round) {
    const int n_a = 1 + static_cast<int>(rng.below(7)), n_b = 1 + static_cast<int>(rng.below(7));
    const auto pairs = random_pairs(rng, n_a, n_b, 0.1 + 0.5 * rng.uniform());
    BipartiteMatching matching(n_a, n_b, pairs);
    REQUIRE(matching.size() == best_matching(pairs, n_a, 0, 0u));
  }
}

TEST_CASE("a long alternating path is found without recursion", "[similarity]") {
  // a_k is similar to b_k and b_(k+1), the last one to b_0 only: everything has to move by one.
  const int n = 20000;
  Array<SimilarPair> pairs;
  for (int k = 0; k + 1 < n; ++k) {
    pairs.push_back({k, k, 1.0});
    pairs.push_back({k, k + 1, 1.0});
  }
  pairs.push_back({n - 1, 0, 1.0});
  REQUIRE(BipartiteMatching(n, n, pairs).size() == n);
}

TEST_CASE("groups, their graph and equal columns give the same similar pairs", "[similarity]") {
  const Array<int> group = {0, 1, 0, 2, 1, 0, 2, 1};
  Array<int> start(1, 0), neighbour;
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(3, 8);
  for (int f = 0; f < 8; ++f) {
    x(group[f], f) = f % 2 ? 1.0 : -1.0;
    for (int g = 0; g < 8; ++g)
      if (g != f && group[g] == group[f])
        neighbour.push_back(g);
    start.push_back(static_cast<int>(neighbour.size()));
  }
  const Array<double> one(neighbour.size(), 1.0);
  const GraphSimilarity graph(8, start.data(), neighbour.data(), one.data());
  const GroupSimilarity groups(group.data(), 3);
  const CorrelationSimilarity correlation(x, 0.9);
  const Array<int> runs = {0, 1, 3, 6, 2, 3, 4, 1, 4, 5, 7}, ends = {0, 4, 7, 11};
  FeatureSets sets;
  sets.n_sets = 3;
  sets.start = ends.data();
  sets.feature = runs.data();
  for (auto index : {SimilarityIndex::count, SimilarityIndex::mean, SimilarityIndex::greedy,
                     SimilarityIndex::mbm, SimilarityIndex::yu, SimilarityIndex::zucknick}) {
    Array<double> a(9), b(9), c(9);
    compare_sets(graph, sets, index, a.data());
    compare_sets(groups, sets, index, b.data());
    compare_sets(correlation, sets, index, c.data());
    REQUIRE(a == b);
    REQUIRE(a == c);
  }
  // {0, 1, 3, 6} and {2, 3, 4}: 3 in common, 0 ~ 2 and 1 ~ 4.
  Array<double> size(9);
  compare_sets(groups, sets, SimilarityIndex::mbm, size.data());
  REQUIRE(size[1] == 3.0);
  compare_sets(groups, sets, SimilarityIndex::mean, size.data());
  REQUIRE(size[1] == 3.0);
  // The two that only the second has are each like one of the first; the three that only the first
  // has, each like one of the second.
  compare_sets(groups, sets, SimilarityIndex::zucknick, size.data());
  REQUIRE(size[1] == Approx((1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 6.0));
  REQUIRE(correlated_columns(x, 0.9)[0].size() == 2);
  REQUIRE(neighbour_totals(x, {1, 3}, 0.9).number == Array<int>({2, 1}));
}

TEST_CASE("random sets are uniform", "[similarity]") {
  Array<char> taken(6, 0);
  Array<int> set;
  Array<double> times(6, 0.0);
  double together = 0.0;
  const int n = 30000;
  for (int d = 0; d < n; ++d) {
    Rng rng(3, 1, static_cast<std::uint64_t>(d));
    similarity_chance_detail::draw_set(rng, 6, 3, taken, set);
    REQUIRE(set.size() == 3);
    for (int f : set)
      times[f] += 1.0;
    together += set[0] == 0 && set[1] == 5;
    together += set[0] == 0 && set[2] == 5;
  }
  for (double count : times)
    REQUIRE(std::fabs(count / n - 0.5) < 0.015);
  REQUIRE(std::fabs(together / n - 0.2) < 0.012);
  REQUIRE(std::accumulate(taken.begin(), taken.end(), 0) == 0);
}

TEST_CASE("chance is exact when similarity adds nothing or everything", "[similarity]") {
  ChanceOptions options;
  options.n_total = 20;
  options.n_draws = 200;
  const Array<int> one_group(20, 0);
  Array<int> own_group(20);
  std::iota(own_group.begin(), own_group.end(), 0);
  const auto none = chance_intersection(GroupSimilarity(own_group.data(), 20), SimilarityIndex::mbm,
                                        7, 4, options);
  REQUIRE(none.mean == Approx(1.4));
  REQUIRE(none.se < 1e-14);
  const auto all = chance_intersection(GroupSimilarity(one_group.data(), 1), SimilarityIndex::mbm,
                                       7, 4, options);
  REQUIRE(all.mean == 4.0);
  REQUIRE(all.se == 0.0);
  const Array<int> four_groups = {0, 0, 1, 2, 3, 3, 3, 1, 2, 0, 1, 1, 2, 2, 0, 3, 0, 0, 0, 1};
  const GroupSimilarity some(four_groups.data(), 4);
  REQUIRE(chance_intersection(some, SimilarityIndex::mbm, 7, 4, options).mean ==
          chance_intersection(some, SimilarityIndex::mbm, 4, 7, options).mean);
  options.n_draws = 2;
  REQUIRE_THROWS_AS(chance_intersection(GroupSimilarity(one_group.data(), 1), SimilarityIndex::mbm,
                                        7, 4, options),
                    std::invalid_argument);
}

TEST_CASE("Algorithm 2 is the double sum of minima", "[weights]") {
  Rng rng(5, 0);
  for (int round = 0; round < 100; ++round) {
    Array<double> value;
    const int n_i = static_cast<int>(rng.below(8)), n_j = static_cast<int>(rng.below(8));
    for (int k = 0; k < n_i + n_j; ++k)
      value.push_back(static_cast<double>(rng.below(5)));
    Array<int> feature;
    for (int n : {n_i, n_j})
      for (int k = 0; k < n; ++k)
        feature.push_back(k);
    const Array<int> start = {0, n_i, n_i + n_j};
    SparseRuns runs;
    runs.n_runs = 2;
    runs.n_total = 10;
    runs.start = start.data();
    runs.feature = feature.data();
    runs.value = value.data();
    double expected = 0.0;
    for (int a = 0; a < n_i; ++a)
      for (int b = n_i; b < n_i + n_j; ++b)
        expected += std::min(value[a], value[b]);
    REQUIRE(weight_pairs_detail::sum_of_minima(weight_pairs_detail::sort_run(runs, 0),
                                               weight_pairs_detail::sort_run(runs, 1)) ==
            Approx(expected));
  }
}

namespace {

// Joins the closest two of all clusters, one after the other; distances from all pairs of columns.
Array<double> slow_heights(const Eigen::MatrixXd &distance, Linkage linkage) {
  Array<Array<int>> clusters;
  for (int j = 0; j < distance.rows(); ++j)
    clusters.push_back({j});
  const auto between = [&](const Array<int> &a, const Array<int> &b) {
    double sum = 0.0, most = 0.0, least = 2.0;
    for (const int i : a)
      for (const int j : b) {
        sum += distance(i, j);
        most = std::max(most, distance(i, j));
        least = std::min(least, distance(i, j));
      }
    const double mean = sum / static_cast<double>(a.size() * b.size());
    return linkage == Linkage::average ? mean : linkage == Linkage::complete ? most : least;
  };
  Array<double> heights;
  while (clusters.size() > 1) {
    Index best_a = 0, best_b = 1;
    for (Index a = 0; a < clusters.size(); ++a)
      for (Index b = a + 1; b < clusters.size(); ++b)
        if (between(clusters[a], clusters[b]) < between(clusters[best_a], clusters[best_b])) {
          best_a = a;
          best_b = b;
        }
    heights.push_back(between(clusters[best_a], clusters[best_b]));
    clusters[best_a].insert(clusters[best_a].end(), clusters[best_b].begin(),
                            clusters[best_b].end());
    clusters.erase(clusters.begin() + best_b);
  }
  return heights;
}

} // namespace

TEST_CASE("trees of clusters are those of joining the closest pair, in double and float",
          "[similarity]") {
  Rng rng(5, 0);
  Eigen::MatrixXd x(7, 40);
  for (Index k = 0; k < x.size(); ++k)
    x.data()[k] = rng.uniform() - 0.5;
  x.rowwise() -= x.colwise().mean();
  x.colwise().normalize();
  for (const bool is_signed : {false, true}) {
    const Eigen::MatrixXd r = x.transpose() * x;
    const Eigen::MatrixXd distance = 1.0 - (is_signed ? r : r.cwiseAbs().eval()).array();
    for (const Linkage linkage : {Linkage::average, Linkage::complete, Linkage::single}) {
      const Array<double> expected = slow_heights(distance, linkage);
      const ClusterTree exact = cluster_tree(x, linkage, is_signed);
      const ClusterTree rounded = cluster_tree(x, linkage, is_signed, Runtime(), 0);
      REQUIRE(exact.height.size() == expected.size());
      for (Index k = 0; k < expected.size(); ++k) {
        REQUIRE(std::fabs(exact.height[k] - expected[k]) < 1e-14);
        REQUIRE(std::fabs(rounded.height[k] - expected[k]) < 1e-6);
        REQUIRE(exact.left[k] <= k);
        REQUIRE(exact.right[k] <= k);
      }
      REQUIRE(rounded.left == exact.left);
      REQUIRE(rounded.right == exact.right);
    }
  }
}
