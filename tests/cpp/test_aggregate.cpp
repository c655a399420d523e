#include "catch.h"
#include "two_threads.h"

#include <stabilect/base/rng.h>
#include <stabilect/select/aggregate.h>

#include <algorithm>
#include <numeric>

using namespace stabilect;

namespace {

constexpr AggregationRule all_rules[] = {
    AggregationRule::mean_score, AggregationRule::mean_rank,   AggregationRule::median_rank,
    AggregationRule::best_rank,  AggregationRule::borda,       AggregationRule::exponential,
    AggregationRule::top_share,  AggregationRule::robust_rank, AggregationRule::rank_product};

Eigen::MatrixXd random_scores(Index p, Index runs) {
  Eigen::MatrixXd score(p, runs);
  Rng rng(3, 0);
  for (Index b = 0; b < runs; ++b)
    for (Index f = 0; f < p; ++f)
      score(f, b) = std::floor(4.0 * rng.normal()); // with ties
  return score;
}

ScoreRuns view(const Eigen::MatrixXd &score) {
  ScoreRuns runs;
  runs.n_total = score.rows();
  runs.n_runs = score.cols();
  runs.score = score.data();
  return runs;
}

// By counting: places above, plus the mean place within the block of equal scores.
double rank_by_counting(const Eigen::MatrixXd &score, Index f, Index b) {
  double above = 0.0, equal = 0.0;
  for (Index g = 0; g < score.rows(); ++g) {
    above += score(g, b) > score(f, b);
    equal += score(g, b) == score(f, b);
  }
  return above + 0.5 * (equal + 1.0);
}

void require_ranks(const Eigen::MatrixXd &score) {
  const ScoreRuns runs = view(score);
  RankWorkspace work;
  Array<double> rank(score.rows());
  for (Index b = 0; b < score.cols(); ++b) {
    REQUIRE(fill_run_ranks(runs, b, work, rank.data()) == score.rows());
    for (Index f = 0; f < score.rows(); ++f)
      CHECK(rank[f] == rank_by_counting(score, f, b));
  }
}

} // namespace

TEST_CASE("aggregate: ranks count what is better", "[aggregate]") {
  Eigen::MatrixXd score = random_scores(97, 6);
  score(4, 2) = std::numeric_limits<double>::infinity();
  score(5, 2) = -std::numeric_limits<double>::infinity();
  score(6, 2) = -0.0;
  score(7, 2) = 0.0;
  score(8, 2) = 1e-300;
  require_ranks(score);
}

TEST_CASE("aggregate: scores that are equal but for rounding share a rank", "[aggregate]") {
  const Eigen::MatrixXd score = random_scores(97, 6).array() + 0.5;
  Rng rng(5, 0);
  Eigen::MatrixXd near = score;
  for (Index k = 0; k < near.size(); ++k)
    near.data()[k] *= 1.0 + 1e-13 * rng.normal();
  RankWorkspace work;
  Array<double> rank(97), again(97);
  for (Index b = 0; b < 6; ++b) {
    fill_run_ranks(view(score), b, work, rank.data());
    fill_run_ranks(view(near), b, work, again.data());
    CHECK(rank == again);
    for (Index size : {1, 10, 40, 90})
      CHECK(best_features(view(score), size)[b] == best_features(view(near), size)[b]);
  }
}

TEST_CASE("aggregate: ranks of scores of any size", "[aggregate]") {
  Eigen::MatrixXd score(500, 4);
  Rng rng(4, 0);
  for (Index b = 0; b < score.cols(); ++b)
    for (Index f = 0; f < score.rows(); ++f)
      score(f, b) = rng.normal() * std::pow(10.0, 600.0 * rng.uniform() - 300.0);
  require_ranks(score);
}

TEST_CASE("aggregate: features a run did not look at have no rank", "[aggregate]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double score[] = {1.0, nan, 3.0, 2.0};
  ScoreRuns runs;
  runs.n_total = 4;
  runs.n_runs = 1;
  runs.score = score;
  RankWorkspace work;
  double rank[4];
  CHECK(fill_run_ranks(runs, 0, work, rank) == 3);
  CHECK(rank[0] == 3.0);
  CHECK(std::isnan(rank[1]));
  const int feature[] = {0, 1, 3, 5}, start[] = {0, 4};
  ScoreRuns sparse = runs;
  sparse.n_total = 8;
  sparse.feature = feature;
  sparse.start = start;
  double ranks[8];
  CHECK(fill_run_ranks(sparse, 0, work, ranks) == 7);
  CHECK(ranks[3] == 1.0);
  CHECK(std::isnan(ranks[1]));
  CHECK(ranks[2] == 5.5); // places 4 to 7
}

TEST_CASE("aggregate: the best features, ties by column", "[aggregate]") {
  const Eigen::MatrixXd score = (Eigen::MatrixXd(4, 1) << 2.0, 5.0, 2.0, 2.0).finished();
  CHECK(best_features(view(score), 3)[0] == Array<int>({0, 1, 2}));
  RankWorkspace work;
  double share[4];
  fill_run_top_share(view(score), 0, 3.0, work, share);
  CHECK(share[1] == 1.0);
  CHECK(share[0] == Approx(2.0 / 3.0));
  CHECK(share[3] == Approx(2.0 / 3.0));
}

TEST_CASE("aggregate: order statistics by summing all terms", "[aggregate]") {
  const Index n = 25;
  const LogFactorials factorials(n);
  for (double x : {1e-9, 0.01, 0.3, 0.5, 0.77, 0.999999}) {
    for (Index k = 1; k <= n; ++k) {
      double tail = 0.0; // smallest terms first
      for (Index j = n; j >= k; --j)
        tail += std::exp(factorials.choose(n, j) + static_cast<double>(j) * std::log(x) +
                         static_cast<double>(n - j) * std::log1p(-x));
      const double ours = log_order_statistic(x, k, n, factorials);
      CHECK(std::exp(ours) == Approx(tail).epsilon(1e-11));
      CHECK(ours <= 0.0);
    }
  }
  CHECK(log_order_statistic(1.0, 3, n, factorials) == 0.0);
  CHECK(std::isinf(log_order_statistic(0.0, 3, n, factorials)));
}

TEST_CASE("aggregate: two threads give the bits of one", "[aggregate]") {
  const Eigen::MatrixXd score = random_scores(9001, 35);
  AggregateOptions options;
  options.size = 10.0;
  options.weight.assign(35, 1.0);
  options.weight[3] = 0.3;
  for (AggregationRule rule : all_rules) {
    options.rule = rule;
    CHECK(aggregate_runs(view(score), options) ==
          aggregate_runs(view(score), options, two_threads()));
  }
}

TEST_CASE("aggregate: one run is its own aggregate", "[aggregate]") {
  const Eigen::MatrixXd score = random_scores(40, 1);
  AggregateOptions options;
  options.size = 5.0;
  for (AggregationRule rule : all_rules) {
    options.rule = rule;
    const Array<double> total = aggregate_runs(view(score), options);
    for (Index f = 0; f < 40; ++f)
      for (Index g = 0; g < 40; ++g)
        if (score(f, 0) > score(g, 0))
          CHECK(total[f] >= total[g]);
  }
}

TEST_CASE("aggregate: a weighted median", "[aggregate]") {
  Array<std::pair<double, double>> even{{4.0, 1.0}, {1.0, 1.0}};
  CHECK(aggregate_detail::weighted_median(even) == 2.5);
  Array<std::pair<double, double>> heavy{{4.0, 3.0}, {1.0, 1.0}, {2.0, 1.0}};
  CHECK(aggregate_detail::weighted_median(heavy) == 4.0);
  Array<std::pair<double, double>> unsorted{{4.0, 1.0}, {1.0, 1.0}, {2.0, 1.0}};
  CHECK(aggregate_detail::weighted_median(unsorted) == 2.0);
}

TEST_CASE("aggregate: the mean score is the mean, and of scaled scores when asked", "[aggregate]") {
  const Eigen::MatrixXd score = (Eigen::MatrixXd(3, 2) << 2.0, 7.0, 4.0, 5.0, 6.0, 15.0).finished();
  AggregateOptions options;
  CHECK(aggregate_runs(view(score), options) == Array<double>({4.5, 4.5, 10.5}));
  options.scale = ScoreScale::minmax; // 0, 1/2, 1 and 0.2, 0, 1
  CHECK(aggregate_runs(view(score), options) == Array<double>({0.1, 0.25, 1.0}));
}

TEST_CASE("aggregate: a feature that no run looked at has no score", "[aggregate]") {
  Eigen::MatrixXd score = random_scores(5, 3);
  score.row(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  AggregateOptions options;
  options.size = 2.0;
  for (AggregationRule rule : all_rules) {
    options.rule = rule;
    const Array<double> total = aggregate_runs(view(score), options);
    for (Index f = 0; f < 5; ++f)
      CHECK(std::isnan(total[f]) == (f == 2));
  }
}

TEST_CASE("aggregate: the best of many features are those of a full sort", "[aggregate]") {
  const Eigen::MatrixXd score = random_scores(200, 3);
  for (Index size : {1, 7, 199, 200}) {
    const auto best = best_features(view(score), size);
    for (Index b = 0; b < 3; ++b) {
      Array<int> order(200);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int f, int g) { return score(f, b) > score(g, b); });
      order.resize(size);
      std::sort(order.begin(), order.end());
      CHECK(best[b] == order);
    }
  }
}

TEST_CASE("aggregate: what cannot be is refused", "[aggregate]") {
  const Eigen::MatrixXd score = random_scores(4, 2);
  AggregateOptions options;
  options.weight = {1.0};
  CHECK_THROWS_AS(aggregate_runs(view(score), options), std::invalid_argument);
  options.weight = {1.0, -1.0};
  CHECK_THROWS_AS(aggregate_runs(view(score), options), std::invalid_argument);
  options.weight.clear();
  options.rule = AggregationRule::exponential;
  CHECK_THROWS_AS(aggregate_runs(view(score), options), std::invalid_argument);
  CHECK_THROWS_AS(aggregate_runs(ScoreRuns(), options), std::invalid_argument);
  ScoreRuns without_features;
  without_features.n_runs = 1;
  CHECK_THROWS_AS(check_score_runs(without_features), std::invalid_argument);
  // Runs of three features of which two have a score.
  Array<int> feature = {0, 2}, start = {0, 2, 2};
  ScoreRuns sparse;
  sparse.n_total = 3;
  sparse.n_runs = 2;
  sparse.score = score.data();
  sparse.feature = feature.data();
  sparse.start = start.data();
  CHECK_NOTHROW(check_score_runs(sparse));
  feature[1] = 3;
  CHECK_THROWS_AS(check_score_runs(sparse), std::invalid_argument);
  feature[1] = -1;
  CHECK_THROWS_AS(check_score_runs(sparse), std::invalid_argument);
  feature[1] = 2;
  start = {0, 2, 1};
  CHECK_THROWS_AS(check_score_runs(sparse), std::invalid_argument);
}
