#include "catch.h"

#include "path_oracle.h"

#include <functional>
#include <string>
#include <utility>

using stabilect::Array;
using stabilect::Index;
using namespace path_oracle;
using stabilect::PathStatus;
using stabilect::PathType;
using stabilect::Rng;

namespace {

MatrixXd whole_matrix(Rng &rng, Index n, Index p, std::uint64_t n_values) {
  MatrixXd x(n, p);
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < n; ++i)
      x(i, j) = static_cast<double>(rng.below(n_values));
  return x;
}

MatrixXd correlated_matrix(Rng &rng, Index n, Index p) {
  const VectorXd common = normal_vector(rng, n);
  MatrixXd x = std::sqrt(0.05) * normal_matrix(rng, n, p);
  x.colwise() += std::sqrt(0.95) * common;
  return x;
}

// The second half of the columns repeats columns of the first, times `factor`.
MatrixXd repeated_matrix(Rng &rng, Index n, Index p, double factor) {
  MatrixXd x = normal_matrix(rng, n, p);
  for (Index j = (p + 1) / 2; j < p; ++j)
    x.col(j) = factor * x.col(rng.below(static_cast<std::uint64_t>(j)));
  return x;
}

// Every third column is the sum of the two before it.
MatrixXd dependent_matrix(Rng &rng, Index n, Index p) {
  MatrixXd x = normal_matrix(rng, n, p);
  for (Index j = 2; j < p; j += 3)
    x.col(j) = x.col(j - 1) + x.col(j - 2);
  return x;
}

// Every third column varies by 1e-7 about 3, every fourth is constant.
MatrixXd near_constant_matrix(Rng &rng, Index n, Index p) {
  MatrixXd x = normal_matrix(rng, n, p);
  for (Index j = 0; j < p; j += 3)
    x.col(j) = 3.0 + 1e-7 * x.col(j).array();
  for (Index j = 3; j < p; j += 4)
    x.col(j).setConstant(-0.1);
  return x;
}

MatrixXd shifted_matrix(Rng &rng, Index n, Index p) {
  return 1e5 + normal_matrix(rng, n, p).array();
}

VectorXd response(Rng &rng, const MatrixXd &x) {
  const Index n = x.rows();
  VectorXd y(n);
  if (rng.below(2) == 0) {
    for (Index i = 0; i < n; ++i)
      y[i] = i % 2 ? 1.0 : -1.0;
  } else {
    y = normal_vector(rng, n);
    for (Index j = 0; j < std::min<Index>(3, x.cols()); ++j)
      y += (x.col(j).array() - x.col(j).mean()).matrix() / (1.0 + x.col(j).cwiseAbs().maxCoeff());
  }
  return y;
}

using Design = std::function<MatrixXd(Rng &, Index, Index)>;

// The worst violation over generated designs of all shapes, and how many there were.
double worst_over_designs(const Design &design, std::uint64_t domain, LarsOptions options,
                          int n_designs) {
  double worst = 0.0;
  for (int k = 0; k < n_designs; ++k) {
    Rng rng(11, static_cast<std::uint64_t>(k), domain);
    const Index n = 4 + rng.below(k % 4 == 0 ? 45 : 12);
    const Index p = 1 + rng.below(k % 3 == 0 ? 90 : 16);
    const MatrixXd x = design(rng, n, p);
    const VectorXd y = response(rng, x);
    const VectorXd weights = rng.below(2) == 0 ? VectorXd::Ones(n).eval() : count_vector(rng, n, 3);
    const Problem problem(x, y, weights, options);
    const double largest = (problem.x.transpose() * problem.y).cwiseAbs().maxCoeff();
    if (largest < 1e-6 * problem.y.norm())
      continue; // nothing to explain
    const LarsPath path = run_path(x, y, weights, options);
    REQUIRE(path.status == PathStatus::complete);
    REQUIRE(path.lambda.back() == 0.0);
    REQUIRE(path.lambda.size() == path.n_steps() + 1);
    REQUIRE(std::is_sorted(path.lambda.rbegin(), path.lambda.rend()));
    worst = std::max(worst, worst_violation(path, problem, options));
  }
  return worst;
}

const Array<std::pair<std::string, Design>> &designs() {
  static const Array<std::pair<std::string, Design>> all{
      {"independent", normal_matrix},
      {"correlated 0.95", correlated_matrix},
      {"repeated", [](Rng &r, Index n, Index p) { return repeated_matrix(r, n, p, 1.0); }},
      {"sign-flipped", [](Rng &r, Index n, Index p) { return repeated_matrix(r, n, p, -1.0); }},
      {"values 0, 1", [](Rng &r, Index n, Index p) { return whole_matrix(r, n, p, 2); }},
      {"values 0, 1, 2", [](Rng &r, Index n, Index p) { return whole_matrix(r, n, p, 3); }},
      {"dependent", dependent_matrix},
      {"near-constant", near_constant_matrix},
      {"far from zero", shifted_matrix}};
  return all;
}

} // namespace

TEST_CASE("every point of a lasso path satisfies the optimality conditions", "[lars]") {
  std::uint64_t domain = 0;
  for (const auto &design : designs()) {
    INFO(design.first);
    const bool tied = design.first.compare(0, 6, "values") == 0;
    REQUIRE(worst_over_designs(design.second, ++domain, LarsOptions(), tied ? 300 : 60) < 1e-9);
  }
}

TEST_CASE("so does every point of a least angle path", "[lars]") {
  LarsOptions options;
  options.type = PathType::lar;
  std::uint64_t domain = 20;
  for (const auto &design : designs()) {
    if (design.first.compare(0, 6, "values") == 0)
      continue; // ties make the least angle path ambiguous
    INFO(design.first);
    REQUIRE(worst_over_designs(design.second, ++domain, options, 40) < 1e-9);
  }
}

TEST_CASE("so do paths without intercept or without normalisation", "[lars]") {
  for (int variant = 0; variant < 3; ++variant) {
    LarsOptions options;
    options.intercept = variant == 1;
    options.normalize = variant == 2;
    std::uint64_t domain = 40 + 10 * static_cast<std::uint64_t>(variant);
    for (const auto &design : designs()) {
      // Badly conditioned by design without the centring or the scaling.
      if (design.first == "near-constant" || design.first == "far from zero")
        continue;
      INFO(design.first << ", variant " << variant);
      REQUIRE(worst_over_designs(design.second, ++domain, options, 40) < 1e-9);
    }
  }
}

TEST_CASE("paths that need many snapshots are exact, too", "[lars]") {
  for (std::uint64_t k = 0; k < 3; ++k) {
    Rng rng(12, k);
    const MatrixXd x = k == 1 ? correlated_matrix(rng, 60, 900) : normal_matrix(rng, 60, 900);
    const VectorXd weights = k == 2 ? count_vector(rng, 60, 3) : VectorXd::Ones(60).eval();
    REQUIRE(worst_violation(x, response(rng, x), weights) < 1e-9);
  }
}

TEST_CASE("a feature that was tied but stayed out enters once another's entry calls for it",
          "[lars]") {
  MatrixXd x(6, 12);
  x << 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, //
      0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1,  //
      1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1,  //
      0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0,  //
      1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0,  //
      1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1;
  VectorXd y(6), weights(6);
  y << -1, 1, -1, 1, -1, 1;
  weights << 1, 1, 1, 0, 2, 2;
  LarsOptions options;
  options.intercept = options.normalize = false;
  REQUIRE(worst_violation(x, y, weights, options) < 1e-12);
}

TEST_CASE("a column that is constant among the rows of a run is never touched", "[lars]") {
  // Column 1 varies, but not among the rows of positive weight.
  MatrixXd x(5, 2);
  x << 1, 1, 1, 0, 1, 1, 0, 1, 1, 0;
  VectorXd y(5), weights(5);
  y << -1.4, -1.1, -1.5, -0.1, -1.0;
  weights << 1, 1, 1, 0, 2;
  const LarsPath path = run_path(x, y, weights);
  REQUIRE(path.events == Array<int>{2});
  REQUIRE(worst_violation(path, Problem(x, y, weights, LarsOptions()), LarsOptions()) < 1e-12);
}

TEST_CASE("whole weights are repeated rows", "[lars]") {
  for (std::uint64_t k = 0; k < 20; ++k) {
    Rng rng(13, k);
    const Index n = 12, p = 30;
    const MatrixXd x = normal_matrix(rng, n, p);
    const VectorXd y = normal_vector(rng, n), weights = count_vector(rng, n, 3);
    MatrixXd rows(static_cast<Index>(weights.sum()), p);
    VectorXd values(rows.rows());
    Index to = 0;
    for (Index i = 0; i < n; ++i)
      for (int copy = 0; copy < weights[i]; ++copy, ++to)
        rows.row(to) = x.row(i), values[to] = y[i];
    const LarsPath weighted = run_path(x, y, weights);
    const LarsPath plain = run_path(rows, values, VectorXd::Ones(rows.rows()));
    REQUIRE(plain.n_steps() == weighted.n_steps());
    REQUIRE(plain.events == weighted.events);
    for (Index step = 0; step < weighted.n_steps(); ++step) {
      const VectorXd a = coefficients(weighted, step, p), b = coefficients(plain, step, p);
      REQUIRE((a - b).norm() < 1e-8 * a.norm());
    }
  }
}

TEST_CASE("limits end a path and change nothing before", "[lars]") {
  Rng rng(14, 0);
  const MatrixXd x = correlated_matrix(rng, 25, 60);
  const VectorXd y = normal_vector(rng, 25), ones = VectorXd::Ones(25);
  const LarsPath whole = run_path(x, y, ones);
  const auto sets = active_sets(whole);
  REQUIRE(std::any_of(whole.events.begin(), whole.events.end(), [](int e) { return e < 0; }));
  for (int limit : {1, 2, 7, 15}) {
    LarsOptions options;
    options.max_steps = limit;
    const LarsPath steps = run_path(x, y, ones, options);
    REQUIRE(steps.status == PathStatus::max_steps);
    REQUIRE(steps.n_steps() == limit);
    options.max_steps = -1;
    options.max_features = limit;
    const LarsPath features = run_path(x, y, ones, options);
    REQUIRE(features.status == PathStatus::max_features);
    Index expected = 0;
    while (expected < sets.size() && sets[expected].size() <= limit)
      ++expected;
    REQUIRE(features.n_steps() == expected);
    for (const LarsPath *path : {&steps, &features}) {
      REQUIRE(std::equal(path->events.begin(), path->events.end(), whole.events.begin()));
      REQUIRE(std::equal(path->lambda.begin(), path->lambda.end(), whole.lambda.begin()));
      REQUIRE(std::equal(path->rss.begin(), path->rss.end(), whole.rss.begin()));
      REQUIRE(
          std::equal(path->coef_value.begin(), path->coef_value.end(), whole.coef_value.begin()));
      REQUIRE(path->coef_end.size() == path->n_steps());
    }
  }
}

TEST_CASE("degenerate problems end at once and say why", "[lars]") {
  Rng rng(15, 0);
  const MatrixXd x = normal_matrix(rng, 6, 4);
  const VectorXd y = normal_vector(rng, 6), ones = VectorXd::Ones(6);

  for (double value : {0.0, 0.1, 1e10}) {
    const LarsPath path = run_path(x, VectorXd::Constant(6, value), ones);
    REQUIRE(path.status == PathStatus::one_response);
    REQUIRE(path.n_steps() == 0);
    REQUIRE(path.events.empty());
  }
  VectorXd first_class = ones;
  first_class.tail(3).setZero();
  VectorXd classes(6);
  classes << 1, 1, 1, -1, -1, -1;
  REQUIRE(run_path(x, classes, first_class).status == PathStatus::one_response);

  for (double value : {0.0, 0.1, -1e10}) {
    const LarsPath path = run_path(MatrixXd::Constant(6, 3, value), y, ones);
    REQUIRE(path.status == PathStatus::no_signal);
    REQUIRE(path.n_steps() == 0);
  }
}

TEST_CASE("the smallest problems have their closed forms", "[lars]") {
  // One feature: lambda is the inner product, the coefficient ends at it.
  Rng rng(16, 0);
  const MatrixXd x = normal_matrix(rng, 9, 1);
  const VectorXd y = normal_vector(rng, 9);
  const LarsPath one = run_path(x, y, VectorXd::Ones(9));
  const VectorXd centred = x.col(0).array() - x.mean();
  const double product = centred.normalized().dot(y);
  REQUIRE(one.events == Array<int>{1});
  REQUIRE(std::abs(one.lambda[0] - std::abs(product)) < 1e-14);
  REQUIRE(std::abs(one.coef_value[0] - product) < 1e-14);

  // Two rows: every column is +-(1, -1) / sqrt(2) after scaling, all tied; one enters.
  const MatrixXd two = normal_matrix(rng, 2, 5);
  VectorXd pair(2);
  pair << 1.0, -1.0;
  const LarsPath path = run_path(two, pair, VectorXd::Ones(2));
  REQUIRE(path.events == Array<int>{1});
  REQUIRE(std::abs(path.lambda[0] - std::sqrt(2.0)) < 1e-14);
  REQUIRE(std::abs(path.rss.back()) < 1e-14);
}

TEST_CASE("which of equal columns enters is a matter of lot, the same for any order of columns",
          "[lars]") {
  using stabilect::Ties;
  Rng rng(7, 0, stabilect::domain_tag("equal columns"));
  MatrixXd x = normal_matrix(rng, 12, 4);
  x.col(2) = -x.col(0);
  const VectorXd y = 3.0 * x.col(0) + normal_vector(rng, 12);
  MatrixXd turned = x;
  turned.col(0).swap(turned.col(2));
  const Array<std::uint64_t> names{11, 12, 13, 14}, other{13, 12, 11, 14};
  int first = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    LarsOptions options;
    options.ties = std::make_shared<const Ties>(Ties{names, {seed}});
    const int one = run_path(x, y, VectorXd::Ones(12), options).events[0];
    options.ties = std::make_shared<const Ties>(Ties{other, {seed}});
    const int two = run_path(turned, y, VectorXd::Ones(12), options).events[0];
    REQUIRE((one == 1 || one == 3));
    REQUIRE(two == 4 - one);
    first += one == 1;
  }
  REQUIRE(first > 5);
  REQUIRE(first < 35);
  // Without ties the first column enters.
  REQUIRE(run_path(x, y, VectorXd::Ones(12)).events[0] == 1);
  LarsOptions options;
  options.ties = std::make_shared<const Ties>(Ties{{1, 2}, {0}});
  REQUIRE_THROWS_AS(run_path(x, y, VectorXd::Ones(12), options), stabilect::Error);
}
