#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/eliminate/hybrid_rfe.h>
#include <stabilect/eliminate/score_linear.h>

using namespace stabilect;

namespace {

struct Data {
  Eigen::MatrixXd x;
  Array<int> codes;
  Eigen::MatrixXi counts, stable;
};

Data make_data(Index n, Index p, Index runs, Index n_stable) {
  Rng rng(11, static_cast<std::uint64_t>(p));
  Data d{Eigen::MatrixXd(n, p), {}, Eigen::MatrixXi(n, runs), Eigen::MatrixXi(n_stable, runs)};
  for (Index i = 0; i < n; ++i) {
    d.codes.push_back(static_cast<int>(i % 2));
    for (Index j = 0; j < p; ++j)
      d.x(i, j) = rng.normal() + (j < 4 && i % 2 == 1 ? 1.0 : 0.0);
    for (Index b = 0; b < runs; ++b)
      d.counts(i, b) = static_cast<int>((i + b) % 3);
  }
  for (Index b = 0; b < runs; ++b)
    for (Index r = 0; r < n_stable; ++r)
      d.stable(r, b) = static_cast<int>((3 * r + b) % p);
  return d;
}

// Gradient of the final problem in the weights of the standardised features.
double largest_slope(const Data &d, Index b, const HybridRun &run, const HybridOptions &options) {
  const double total = d.counts.col(b).cast<double>().sum();
  double largest = 0.0;
  for (Index i = 0; i < run.selected.size(); ++i) {
    const Eigen::VectorXd column = d.x.col(run.selected[i]);
    double mean = 0.0, square = 0.0, slope = 0.0;
    for (Index r = 0; r < d.x.rows(); ++r)
      mean += d.counts(r, b) * column[r] / total;
    for (Index r = 0; r < d.x.rows(); ++r)
      square += d.counts(r, b) * (column[r] - mean) * (column[r] - mean) / total;
    for (Index r = 0; r < d.x.rows(); ++r) {
      const double y = d.codes[r] == 1 ? 1.0 : -1.0;
      slope -= d.counts(r, b) * y / (1.0 + std::exp(y * run.link[r])) * (column[r] - mean) /
               std::sqrt(square);
    }
    const Index k = i;
    const double penalty = 1.0 + options.alpha * (1.0 - run.frequency_score[k]);
    largest = std::max(largest, std::abs(slope + options.lambda_final * penalty * run.weight[k]));
  }
  return largest;
}

} // namespace

TEST_CASE("hybrid-RFE: the final model is optimal and of the right size", "[hybrid_rfe]") {
  for (Index n_stable : {0, 3, 6}) {
    const Data d = make_data(30, 50, 4, n_stable);
    HybridOptions options;
    options.n_features = 6;
    options.lambda_final = 2.0;
    options.alpha = 4.0;
    options.epsilon = 0.1;
    const Array<HybridRun> runs = run_hybrid_rfe(d.x, d.codes, d.counts, d.stable, options);
    for (Index b = 0; b < 4; ++b) {
      const HybridRun &run = runs[b];
      REQUIRE(run.ok);
      CHECK(run.converged);
      CHECK(run.selected.size() == 6);
      for (Index r = 0; r < n_stable; ++r)
        CHECK(std::count(run.selected.begin(), run.selected.end(), d.stable(r, b)) == 1);
      CHECK(largest_slope(d, b, run, options) <= 1e-7);
      CHECK(run.frequency_score.minCoeff() > 0.0);
      CHECK(run.frequency_score.maxCoeff() <= 1.0);
      Array<double> score(run.score.data(), run.score.data() + run.score.size());
      std::sort(score.begin(), score.end());
      for (Index j = 0; j < score.size(); ++j)
        CHECK(score[j] == static_cast<double>(j + 1));
      Eigen::VectorXd link = Eigen::VectorXd::Constant(30, run.intercept);
      for (Index i = 0; i < 6; ++i)
        link += run.coefficient[i] * d.x.col(run.selected[i]);
      CHECK((run.link - link).cwiseAbs().maxCoeff() <= 1e-9);
    }
  }
}

TEST_CASE("hybrid-RFE: without stable features it is elimination", "[hybrid_rfe]") {
  const Data d = make_data(24, 40, 3, 0);
  HybridOptions options;
  options.n_features = 5;
  options.lambda = 3.0;
  LinearOptions plain;
  plain.loss = LinearLoss::logistic;
  plain.penalty = 3.0;
  plain.free_intercept = true;
  LinearScoring scoring;
  scoring.eliminate = true;
  scoring.share = 0.2;
  const Eigen::MatrixXd score = score_linear(d.x, d.codes, 2, d.counts, plain, scoring);
  const Array<HybridRun> runs = run_hybrid_rfe(d.x, d.codes, d.counts, d.stable, options);
  for (Index b = 0; b < 3; ++b)
    for (Index j = 0; j < 40; ++j) {
      const HybridRun &run = runs[b];
      if (score(j, b) <= 35.0)
        CHECK(run.score[j] == score(j, b));
      else
        CHECK(run.score[j] > 35.0);
    }
}

TEST_CASE("hybrid-RFE: constant ranks give the product of Eq. 15", "[hybrid_rfe]") {
  for (Index rank = 1; rank <= 5; ++rank) {
    double product = 100.0 / 5.0;
    Index before = 100;
    for (Index after : {80, 64, 52, 31, 30, 12, 5}) {
      product *= frequency_factor(before, after, rank);
      before = after;
    }
    const double r = static_cast<double>(rank);
    CHECK(product == Approx(100.0 / 5.0 * (5.0 - r + 1.0) / (100.0 - r + 1.0)).epsilon(1e-12));
    CHECK(product <= 1.0 + 1e-12);
  }
}

TEST_CASE("hybrid-RFE: runs of one class and bad input", "[hybrid_rfe]") {
  Data d = make_data(12, 8, 2, 1);
  for (Index i = 0; i < 12; ++i)
    if (i % 2 == 1)
      d.counts(i, 0) = 0;
  HybridOptions options;
  options.n_features = 3;
  const Array<HybridRun> runs = run_hybrid_rfe(d.x, d.codes, d.counts, d.stable, options);
  CHECK_FALSE(runs[0].ok);
  CHECK(runs[1].ok);
  const auto run = [&] { return run_hybrid_rfe(d.x, d.codes, d.counts, d.stable, options); };
  options.n_features = 9;
  CHECK_THROWS_AS(run(), std::invalid_argument);
  options.n_features = 3;
  options.epsilon = 0.0;
  CHECK_THROWS_AS(run(), std::invalid_argument);
  options.epsilon = 1.0;
  d.stable(0, 0) = 8;
  CHECK_THROWS_AS(run(), std::invalid_argument);
}
