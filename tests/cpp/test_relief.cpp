#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/score/relief.h>

using namespace stabilect;

TEST_CASE("Relief: a case by hand", "[relief]") {
  // Scaled by the range 4: 0, 0.25 (class 0), 0.75, 1 (class 1); one neighbour each.
  Eigen::MatrixXd x(4, 2);
  x << 1, 7, 2, 7, 4, 7, 5, 7;
  Eigen::VectorXd y(4);
  y << 0, 0, 1, 1;
  Eigen::MatrixXi counts = Eigen::MatrixXi::Ones(4, 1);
  ReliefOptions options;
  options.n_neighbours = 1;
  const Eigen::MatrixXd score = score_relief(x, y, 2, counts, options);
  // Misses 0.75, 0.5, 0.5, 0.75; hits 0.25 each.
  CHECK(score(0, 0) == Approx(0.625 - 0.25));
  CHECK(score(1, 0) == 0.0);
}

TEST_CASE("Relief: counts are rows, of which none is its own neighbour", "[relief]") {
  Eigen::MatrixXd x(12, 5);
  Eigen::VectorXd y(12);
  Rng rng(5, 1);
  for (Index i = 0; i < 12; ++i) {
    y[i] = i % 3;
    for (Index j = 0; j < 5; ++j)
      x(i, j) = rng.normal();
  }
  // All rows twice: twice the neighbours, the same averages.
  Eigen::MatrixXi once = Eigen::MatrixXi::Ones(12, 1), twice = 2 * once;
  for (int n_classes : {0, 3}) {
    ReliefOptions few, many;
    few.n_neighbours = 2;
    many.n_neighbours = 4;
    const Eigen::MatrixXd a = score_relief(x, y, n_classes, once, few);
    const Eigen::MatrixXd b = score_relief(x, y, n_classes, twice, many);
    for (Index j = 0; j < 5; ++j)
      CHECK(a(j, 0) == Approx(b(j, 0)).margin(1e-12));
  }
  ReliefOptions none;
  none.n_neighbours = 0;
  CHECK_THROWS_AS(score_relief(x, y, 3, once, none), std::invalid_argument);
}

TEST_CASE("Relief: pairs are merged whatever their order", "[relief]") {
  using relief_detail::Pair;
  const Array<Pair> merged = relief_detail::merge_pairs(
      {{0, 3, 1.0}, {0, 1, 2.0}, {3, 0, 4.0}, {2, 1, 8.0}, {1, 0, 16.0}});
  REQUIRE(merged.size() == 3);
  const double coefficient[] = {18.0, 5.0, 8.0}; // of (0, 1), (0, 3), (1, 2)
  for (Index k = 0; k < 3; ++k)
    CHECK(merged[k].coefficient == coefficient[k]);
}
