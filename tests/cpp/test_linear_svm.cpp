#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/linear/linear_runs.h>

#include <vector>

using namespace stabilect;

namespace {

struct Problem {
  Eigen::MatrixXd z, gram;
  Eigen::VectorXd y, cost;
};

Problem make_problem(Index n, Index p, double scale) {
  Rng rng(3, static_cast<std::uint64_t>(n + p));
  Problem d{Eigen::MatrixXd(n, p), Eigen::MatrixXd(n, n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    d.y[i] = i % 3 == 0 ? 1.0 : -1.0;
    d.cost[i] = scale * (1.0 + static_cast<double>(i % 2));
    for (Index j = 0; j < p; ++j)
      d.z(i, j) = rng.normal() + 0.4 * d.y[i];
  }
  d.gram = d.z * d.z.transpose();
  return d;
}

} // namespace

TEST_CASE("linear SVM: the gradient of the squared hinge problem vanishes", "[linear_svm]") {
  for (Index p : {2, 8, 40})
    for (double cost : {1e-3, 1.0, 1e4}) {
      const Problem d = make_problem(25, p, cost);
      std::vector<char> inside(25, 1);
      const DualFit fit = solve_svm_l2(d.gram, d.y, d.cost, &inside);
      REQUIRE(fit.converged);
      const Eigen::VectorXd w = d.z.transpose() * fit.beta;
      Eigen::VectorXd gradient = w;
      for (Index i = 0; i < 25; ++i) {
        const double lack = std::max(0.0, 1.0 - d.y[i] * d.z.row(i).dot(w));
        gradient -= 2.0 * d.cost[i] * lack * d.y[i] * d.z.row(i).transpose();
      }
      CHECK(gradient.norm() <= 1e-8 * (1.0 + cost));
    }
}

TEST_CASE("linear SVM: hinge loss meets its optimality conditions", "[linear_svm]") {
  for (Index p : {8, 40}) {
    const Problem d = make_problem(25, p, 0.1);
    const DualFit fit = solve_svm_l1(d.gram, d.y, d.cost);
    REQUIRE(fit.converged);
    for (Index i = 0; i < 25; ++i) {
      const double alpha = d.y[i] * fit.beta[i], margin = d.y[i] * d.gram.row(i).dot(fit.beta);
      CHECK((alpha >= 0.0 && alpha <= d.cost[i]));
      if (alpha > 0.0)
        CHECK(margin <= 1.0 + 1e-8);
      if (alpha < d.cost[i])
        CHECK(margin >= 1.0 - 1e-8);
    }
  }
}

TEST_CASE("linear SVM: logistic fits meet their optimality conditions", "[linear_svm]") {
  for (double lambda : {1e-4, 1.0, 100.0}) {
    const Problem d = make_problem(25, 40, 1.0);
    const DualFit fit = solve_logistic_dual(d.gram, d.y, d.cost, lambda);
    REQUIRE(fit.converged);
    CHECK(fit.beta.sum() == Approx(0.0).margin(1e-8 / lambda));
    for (Index i = 0; i < 25; ++i) {
      const double f = d.gram.row(i).dot(fit.beta) + fit.intercept;
      const double residual = d.cost[i] * d.y[i] / (1.0 + std::exp(d.y[i] * f));
      CHECK(lambda * fit.beta[i] == Approx(residual).margin(1e-8));
    }
  }
}

TEST_CASE("linear SVM: elimination ranks all features once", "[linear_svm]") {
  const Problem d = make_problem(20, 33, 1.0);
  std::vector<int> codes;
  for (Index i = 0; i < 20; ++i)
    codes.push_back(d.y[i] > 0.0);
  Eigen::MatrixXi counts = Eigen::MatrixXi::Ones(20, 2);
  counts.col(1).tail(10).setConstant(2);
  LinearOptions options;
  options.eliminate = true;
  for (double step : {0.0, 0.2, 0.9}) {
    options.step = step;
    Eigen::MatrixXd score = score_linear(d.z, codes, 2, counts, options);
    for (Index b = 0; b < 2; ++b) {
      std::sort(score.col(b).data(), score.col(b).data() + 33);
      for (Index j = 0; j < 33; ++j)
        CHECK(score(j, b) == static_cast<double>(j + 1));
    }
  }
  options.cost = 0.0;
  CHECK_THROWS_AS(score_linear(d.z, codes, 2, counts, options), std::invalid_argument);
}

TEST_CASE("linear SVM: sums of products are those of Eigen, on any processor", "[linear_svm]") {
  const Index ld = 24, p = 37;
  Eigen::MatrixXd z(ld, p);
  Rng rng(8, 1);
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < ld; ++i)
      z(i, j) = i < 21 ? rng.normal() : 0.0;
  const std::vector<int> features = {3, 36, 0, 11, 12};
  Eigen::MatrixXd expected = Eigen::MatrixXd::Ones(ld, ld), best = expected, plain = expected;
  for (int j : features)
    expected -= z.col(j) * z.col(j).transpose();
  const std::size_t size = static_cast<std::size_t>(ld);
  add_products(z.data(), size, features.data(), features.size(), -1.0, best.data());
  kernels_16::add_products(z.data(), size, features.data(), features.size(), -1.0, plain.data());
  for (Index i = 0; i < ld; ++i)
    for (Index k = 0; k <= i; ++k) {
      CHECK(best(i, k) == Approx(expected(i, k)).margin(1e-12));
      CHECK(best(i, k) == plain(i, k));
    }
}
