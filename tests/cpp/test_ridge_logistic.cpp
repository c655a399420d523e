#include "catch.h"
#include "each_sample.h"

#include <stabilect/base/rng.h>
#include <stabilect/predict/ridge_logistic.h>

#include <cmath>
#include <limits>

using namespace stabilect;

namespace {

struct Data {
  Eigen::MatrixXd x;
  Eigen::VectorXd y, weights;
};

Data noisy_classes(Index n, Index k, std::uint64_t stream) {
  Rng rng(12, stream);
  Data data{Eigen::MatrixXd(n, k), Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < n; ++i)
      data.x(i, j) = 3.0 + static_cast<double>(j + 1) * rng.normal();
  for (Index i = 0; i < n; ++i) {
    data.y[i] = data.x(i, 0) + rng.normal() > 3.0 ? 1.0 : 0.0;
    data.weights[i] = 0.5 + rng.uniform();
  }
  data.y[0] = 0.0;
  data.y[1] = 1.0;
  return data;
}

// The objective as the formula says, in original coefficients.
double objective(const Data &data, double lambda, double intercept, const Eigen::VectorXd &beta) {
  const double total = data.weights.sum();
  double value = 0.0;
  for (Index i = 0; i < data.x.rows(); ++i) {
    const double eta = intercept + data.x.row(i).dot(beta);
    const double p = 1.0 / (1.0 + std::exp(-eta));
    value -= data.weights[i] * std::log(data.y[i] == 1.0 ? p : 1.0 - p);
  }
  for (Index j = 0; j < data.x.cols(); ++j) {
    const double mean = data.weights.dot(data.x.col(j)) / total;
    const double variance =
        data.weights.dot((data.x.col(j).array() - mean).square().matrix()) / total;
    value += 0.5 * lambda * beta[j] * beta[j] * variance;
  }
  return value;
}

} // namespace

TEST_CASE("ridge-logistic: no small move lowers the objective", "[ridge_logistic]") {
  for (Index k : {1, 5, 60}) {
    const Data data = noisy_classes(30, k, static_cast<std::uint64_t>(k));
    for (double lambda : {0.01, 1.0, 50.0}) {
      const RidgeLogisticFit fit = fit_ridge_logistic(data.x, data.y, data.weights, lambda);
      CHECK(fit.end.converged);
      const double at = objective(data, lambda, fit.intercept, fit.coefficients);
      CHECK(fit.end.value == Approx(at).epsilon(1e-9));
      const double h = 1e-5;
      for (Index j = 0; j <= k; ++j) {
        double moved[2];
        for (int side = 0; side < 2; ++side) {
          Eigen::VectorXd beta = fit.coefficients;
          double intercept = fit.intercept;
          (j == k ? intercept : beta[j]) += side == 0 ? -h : h;
          moved[side] = objective(data, lambda, intercept, beta);
          CHECK(moved[side] > at);
        }
        CHECK(std::abs(moved[1] - moved[0]) / (2.0 * h) < 1e-3);
      }
    }
  }
}

TEST_CASE("ridge-logistic: wide and tall routes agree", "[ridge_logistic]") {
  // n copies of each row at weight 1/n change nothing but which route is taken
  const Data wide = noisy_classes(12, 20, 3);
  Data tall{wide.x.replicate(3, 1), wide.y.replicate(3, 1), wide.weights.replicate(3, 1) / 3.0};
  const auto a = fit_ridge_logistic(wide.x, wide.y, wide.weights, 0.7);
  const auto b = fit_ridge_logistic(tall.x, tall.y, tall.weights, 0.7);
  CHECK((a.coefficients - b.coefficients).norm() < 1e-9 * (1.0 + a.coefficients.norm()));
  CHECK(a.intercept == Approx(b.intercept).epsilon(1e-8));
}

TEST_CASE("ridge-logistic: separable classes and extreme scales stay finite", "[ridge_logistic]") {
  Data data = noisy_classes(20, 3, 8);
  for (Index i = 0; i < 20; ++i)
    data.x(i, 0) = data.y[i] * 1e8 - 5e9;
  data.x.col(1).setConstant(0.1);
  data.x.col(2) *= 1e-8;
  for (double lambda : {1e-8, 3.0, 1e8}) {
    const auto fit = fit_ridge_logistic(data.x, data.y, data.weights, lambda);
    CHECK(fit.end.converged);
    CHECK(fit.coefficients.allFinite());
    CHECK(std::isfinite(fit.intercept));
    CHECK(fit.coefficients[1] == 0.0);
    CHECK(fit.coefficients[0] > 0.0);
  }
}

TEST_CASE("ridge-logistic: no features give the log odds", "[ridge_logistic]") {
  const Data data = noisy_classes(25, 2, 4);
  const auto fit = fit_ridge_logistic(Eigen::MatrixXd(25, 0), data.y, data.weights, 1.0);
  const double ones = data.weights.dot(data.y);
  CHECK(fit.intercept == Approx(std::log(ones / (data.weights.sum() - ones))));
  CHECK(fit.coefficients.size() == 0);
}

TEST_CASE("ridge-logistic: what is no problem of two classes is refused", "[ridge_logistic]") {
  const Data data = noisy_classes(10, 2, 5);
  const auto fit = [&](const Eigen::VectorXd &y, const Eigen::VectorXd &w, double lambda) {
    return fit_ridge_logistic(data.x, y, w, lambda);
  };
  CHECK_THROWS_AS(fit(data.y, data.weights, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(fit(data.y, -data.weights, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(fit(2.0 * data.y, data.weights, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(fit(Eigen::VectorXd::Ones(10), data.weights, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(fit(data.y.head(9), data.weights, 1.0), std::invalid_argument);
}

TEST_CASE("leave-one-out: by a model without all samples to be left out", "[ridge_logistic]") {
  const Data data = noisy_classes(15, 4, 6);
  const Array<Array<int>> sets(15, {0, 2});
  Array<Array<int>> left_out(15);
  for (Index i = 0; i < 15; ++i)
    for (Index r = i % 6; r < 15; r += 6)
      left_out[i].push_back(static_cast<int>(r));
  Eigen::MatrixXd x(15, 2);
  x << data.x.col(0), data.x.col(2);
  const Eigen::VectorXd link =
      loo_ridge_logistic(data.x, data.y, sets, left_out, each_sample(sets), 2.0);
  for (Index i = 0; i < 15; ++i) {
    Eigen::VectorXd weights(15);
    for (Index r = 0; r < 15; ++r)
      weights[r] = r % 6 == i % 6 ? 0.0 : 1.0;
    const auto fit = fit_ridge_logistic(x, data.y, weights, 2.0);
    CHECK(link[i] == Approx(fit.intercept + x.row(i).dot(fit.coefficients)).epsilon(1e-12));
  }
  left_out[3] = {15};
  CHECK_THROWS_AS(loo_ridge_logistic(data.x, data.y, sets, left_out, each_sample(sets), 2.0),
                  std::invalid_argument);
  left_out.pop_back();
  CHECK_THROWS_AS(loo_ridge_logistic(data.x, data.y, sets, left_out, each_sample(sets), 2.0),
                  std::invalid_argument);
}

TEST_CASE("leave-one-out: each sample by a model without it", "[ridge_logistic]") {
  const Data data = noisy_classes(15, 4, 6);
  Array<Array<int>> sets(15);
  for (Index i = 0; i < 15; ++i)
    for (int j = 0; j < static_cast<int>(i % 5); ++j)
      sets[i].push_back(3 - j);
  Array<Array<int>> left_out(15);
  for (int i = 0; i < 15; ++i)
    left_out[i] = {i};
  const Eigen::VectorXd link =
      loo_ridge_logistic(data.x, data.y, sets, left_out, each_sample(sets), 2.0);
  for (Index i = 0; i < 15; ++i) {
    const auto &set = sets[i];
    Eigen::MatrixXd x(14, set.size());
    Eigen::VectorXd y(14), at(x.cols());
    for (Index r = 0; r < 14; ++r) {
      const Index source = r < i ? r : r + 1;
      y[r] = data.y[source];
      for (Index j = 0; j < x.cols(); ++j)
        x(r, j) = data.x(source, set[j]);
    }
    for (Index j = 0; j < x.cols(); ++j)
      at[j] = data.x(i, set[j]);
    const auto fit = fit_ridge_logistic(x, y, Eigen::VectorXd::Ones(14), 2.0);
    CHECK(link[i] == Approx(fit.intercept + at.dot(fit.coefficients)).epsilon(1e-8));
  }
  Eigen::VectorXd lonely = Eigen::VectorXd::Zero(15);
  lonely[3] = 1.0;
  const Eigen::VectorXd one =
      loo_ridge_logistic(data.x, lonely, sets, left_out, each_sample(sets), 2.0);
  CHECK(one[3] == -std::numeric_limits<double>::infinity());
  CHECK(std::isfinite(one[4]));
  // No features, seven of either class: no preference, to the last bit.
  lonely << 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1;
  sets[0].clear();
  CHECK(loo_ridge_logistic(data.x, lonely, sets, left_out, each_sample(sets), 2.0)[0] == 0.0);
  sets[2] = {4};
  CHECK_THROWS_AS(loo_ridge_logistic(data.x, data.y, sets, left_out, each_sample(sets), 2.0),
                  std::invalid_argument);
}
