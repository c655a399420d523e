#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/predict/solve_dual.h>
#include <stabilect/predict/solve_primal.h>

using namespace stabilect;

namespace {

struct Problem {
  Eigen::MatrixXd z, gram;
  Eigen::VectorXd y, cost;

  LinearProblem with(LinearLoss loss, double lambda, bool free_intercept) const {
    LinearProblem out = with(loss, lambda);
    out.free_intercept = free_intercept;
    return out;
  }
  LinearProblem with(LinearLoss loss, double lambda = 1.0) const {
    LinearProblem out;
    out.y = y;
    out.cost = cost;
    out.loss = loss;
    out.lambda = lambda;
    out.free_intercept = loss == LinearLoss::logistic;
    return out;
  }
};

Problem make_samples(Index n, Index p, double scale) {
  Rng rng(3, static_cast<std::uint64_t>(n + p));
  Problem d{Eigen::MatrixXd(n, p), Eigen::MatrixXd(), Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    d.y[i] = i % 3 == 0 ? 1.0 : -1.0;
    d.cost[i] = scale * (1.0 + static_cast<double>(i % 2));
    for (Index j = 0; j < p; ++j)
      d.z(i, j) = rng.normal() + 0.4 * d.y[i];
  }
  return d;
}

Problem make_problem(Index n, Index p, double scale) {
  Problem d = make_samples(n, p, scale);
  d.gram = d.z * d.z.transpose();
  return d;
}

} // namespace

TEST_CASE("dual: the gradient of the squared hinge problem vanishes", "[solve_dual]") {
  for (Index p : {2, 8, 40})
    for (double cost : {1e-3, 1.0, 1e4}) {
      const Problem d = make_problem(25, p, cost);
      const DualFit fit = solve_dual(d.gram, d.with(LinearLoss::squared_hinge));
      REQUIRE(fit.end.converged);
      const Eigen::VectorXd w = d.z.transpose() * fit.beta;
      Eigen::VectorXd gradient = w;
      for (Index i = 0; i < 25; ++i) {
        const double lack = std::max(0.0, 1.0 - d.y[i] * d.z.row(i).dot(w));
        gradient -= 2.0 * d.cost[i] * lack * d.y[i] * d.z.row(i).transpose();
      }
      CHECK(gradient.norm() <= 1e-8 * (1.0 + cost));
    }
}

TEST_CASE("dual: hinge loss meets its optimality conditions", "[solve_dual]") {
  for (Index p : {8, 40}) {
    const Problem d = make_problem(25, p, 0.1);
    const DualFit fit = solve_dual(d.gram, d.with(LinearLoss::hinge));
    REQUIRE(fit.end.converged);
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

TEST_CASE("dual: hinge loss with a free intercept meets its conditions", "[solve_dual]") {
  for (Index p : {2, 8, 40})
    for (double cost : {1e-3, 0.1, 10.0}) {
      Problem d = make_problem(25, p, cost);
      d.gram.row(4) = d.gram.row(1); // equal samples of different cost
      d.gram.col(4) = d.gram.col(1);
      d.gram(4, 4) = d.gram(1, 1);
      d.y[4] = d.y[1];
      const DualFit fit = solve_dual(d.gram, d.with(LinearLoss::hinge, 1.0, true));
      REQUIRE(fit.end.converged);
      CHECK(fit.beta.sum() == Approx(0.0).margin(1e-12));
      for (Index i = 0; i < 25; ++i) {
        const double alpha = d.y[i] * fit.beta[i];
        const double margin = d.y[i] * (d.gram.row(i).dot(fit.beta) + fit.intercept);
        CHECK((alpha >= 0.0 && alpha <= d.cost[i]));
        if (alpha > 0.0)
          CHECK(margin <= 1.0 + 1e-8);
        if (alpha < d.cost[i])
          CHECK(margin >= 1.0 - 1e-8);
      }
    }
}

TEST_CASE("dual: logistic fits meet their optimality conditions", "[solve_dual]") {
  for (double lambda : {1e-4, 1.0, 100.0}) {
    const Problem d = make_problem(25, 40, 1.0);
    const DualFit fit = solve_dual(d.gram, d.with(LinearLoss::logistic, lambda));
    REQUIRE(fit.end.converged);
    CHECK(fit.beta.sum() == Approx(0.0).margin(1e-8 / lambda));
    for (Index i = 0; i < 25; ++i) {
      const double f = d.gram.row(i).dot(fit.beta) + fit.intercept;
      const double residual = d.cost[i] * d.y[i] / (1.0 + std::exp(d.y[i] * f));
      CHECK(lambda * fit.beta[i] == Approx(residual).margin(1e-8));
    }
  }
}

TEST_CASE("dual: the weights are those of the primal problem", "[solve_dual]") {
  for (Index p : {2, 8, 24, 40})
    for (double penalty : {1e-4, 1.0, 1e4}) {
      const Problem d = make_problem(25, p, 1.0);
      Eigen::MatrixXd basis(25, p + 1);
      basis << d.z, Eigen::VectorXd::Ones(25);
      const Eigen::MatrixXd with_constant = basis * basis.transpose();
      for (LinearLoss loss : {LinearLoss::squared_hinge, LinearLoss::logistic})
        for (bool free_intercept : {false, true}) {
          const LinearProblem problem = d.with(loss, penalty, free_intercept);
          const DualFit dual = solve_dual(problem.free_intercept ? d.gram : with_constant, problem);
          const PrimalFit primal = solve_primal(basis, problem);
          REQUIRE(dual.end.converged);
          REQUIRE(primal.end.converged);
          CHECK(dual.end.value == Approx(primal.end.value).epsilon(1e-8));
          const Eigen::VectorXd w = d.z.transpose() * dual.beta;
          CHECK((w - primal.weights.head(p)).norm() <= 1e-6 * primal.weights.norm());
        }
    }
}

TEST_CASE("primal: many samples go in steps, from an earlier second derivative", "[solve_dual]") {
  const Index n = kManySamples + 50, p = 115, left = 105;
  const Problem d = make_samples(n, p, 1.0);
  Eigen::MatrixXd all(n, p + 1), some(n, left + 1), curved, of_some, alone;
  all << d.z, Eigen::VectorXd::Ones(n);
  some << d.z.leftCols(left), Eigen::VectorXd::Ones(n);
  for (bool free_intercept : {false, true}) {
    const LinearProblem problem = d.with(LinearLoss::logistic, 1.0, free_intercept);
    curved.resize(0, 0);
    solve_primal(all, problem, Eigen::VectorXd(), curved);
    of_some.resize(left + 1, left + 1);
    of_some << curved.topLeftCorner(left, left), curved.topRightCorner(left, 1),
        curved.bottomLeftCorner(1, left), curved.bottomRightCorner(1, 1);
    const Eigen::MatrixXd given = of_some;
    const PrimalFit fit = solve_primal(some, problem, Eigen::VectorXd(), of_some);
    REQUIRE(fit.end.converged);
    CHECK(of_some == given); // none was computed
    alone.resize(0, 0);
    const PrimalFit again = solve_primal(some, problem, fit.weights, alone);
    CHECK((fit.weights - again.weights).norm() <= 1e-10 * again.weights.norm());
    const Eigen::VectorXd margin = some * fit.weights;
    for (Index j = 0; j < left; ++j) {
      double sum = 0.0, size = 0.0;
      for (Index i = 0; i < n; ++i) {
        const double pull = d.cost[i] * d.y[i] / (1.0 + std::exp(d.y[i] * margin[i]));
        sum += pull * some(i, j);
        size += std::abs(pull * some(i, j));
      }
      CHECK(fit.weights[j] == Approx(sum).margin(1e-10 * size));
    }
    // One that leads nowhere is computed anew.
    of_some.setZero();
    for (Index j = 0; j <= left; ++j)
      of_some(j, j) = std::pow(10.0, static_cast<double>(j % 12));
    const Eigen::MatrixXd wrong = of_some;
    const PrimalFit renewed = solve_primal(some, problem, Eigen::VectorXd(), of_some);
    CHECK(of_some != wrong);
    CHECK((fit.weights - renewed.weights).norm() <= 1e-10 * fit.weights.norm());
  }
}

TEST_CASE("dual: where it starts changes no minimum", "[solve_dual]") {
  const Problem d = make_problem(25, 40, 1.0);
  for (LinearLoss loss : {LinearLoss::squared_hinge, LinearLoss::hinge, LinearLoss::logistic})
    for (bool free_intercept : {false, true}) {
      const LinearProblem problem = d.with(loss, 2.0, free_intercept);
      const DualFit cold = solve_dual(d.gram, problem);
      const DualFit warm =
          solve_dual(d.gram, problem, solve_dual(d.gram, d.with(loss, 200.0, free_intercept)));
      CHECK((warm.beta - cold.beta).norm() <= 1e-7 * cold.beta.norm());
    }
}
