#include "catch.h"
#include "each_sample.h"
#include "two_threads.h"

#include <stabilect/base/rng.h>
#include <stabilect/predict/ridge_least_squares.h>

#include <cmath>
#include <limits>

using namespace stabilect;

namespace {

struct Data {
  Eigen::MatrixXd x;
  Eigen::VectorXd y;

  Data(Index n, Index k, std::uint64_t stream) : x(n, k), y(n) {
    Rng rng(31, stream);
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < n; ++i)
        x(i, j) = 5.0 + std::exp(0.3 * static_cast<double>(j % 7)) * rng.normal();
    for (Index i = 0; i < n; ++i)
      y[i] = 2.0 + x(i, 0) - 0.5 * x(i, k - 1) + rng.normal();
  }

  Eigen::MatrixXd standardised() const {
    Eigen::MatrixXd z = x.rowwise() - x.colwise().mean();
    for (Index j = 0; j < z.cols(); ++j)
      z.col(j) /= std::sqrt(z.col(j).squaredNorm() / static_cast<double>(z.rows()));
    return z;
  }
  Eigen::VectorXd centred() const { return y.array() - y.mean(); }
};

// Generalised cross-validation as its formula has it, with a hat matrix.
double gcv_error(const Data &data, double lambda) {
  const Eigen::MatrixXd z = data.standardised();
  const double n = static_cast<double>(z.rows());
  Eigen::MatrixXd products = z.transpose() * z;
  products.diagonal().array() += lambda;
  const Eigen::MatrixXd hat = z * products.ldlt().solve(z.transpose());
  const double df = hat.trace();
  if (1.0 + df > n / 2.0)
    return std::numeric_limits<double>::infinity();
  return n * (data.centred() - hat * data.centred()).squaredNorm() / ((n - 1 - df) * (n - 1 - df));
}

} // namespace

TEST_CASE("ridge regression: normal equations, more or fewer features than samples", "[ridge]") {
  for (Index k : {1, 5, 29, 30, 31, 80}) {
    const Data data(30, k, static_cast<std::uint64_t>(k));
    const RidgeFit fit = fit_ridge(data.x, data.y, 4.0);
    const Eigen::VectorXd beta = fit.coefficients.cwiseProduct(fit.scale);
    const Eigen::MatrixXd z = data.standardised();
    const Eigen::VectorXd slope = z.transpose() * (data.centred() - z * beta) - 4.0 * beta;
    CHECK(slope.cwiseAbs().maxCoeff() < 1e-9);
    CHECK((data.x * fit.coefficients).mean() + fit.intercept == Approx(data.y.mean()));
  }
}

TEST_CASE("ridge regression: no penalty of the grid has a smaller error", "[ridge]") {
  for (Index k : {3, 12, 60}) {
    const Data data(40, k, static_cast<std::uint64_t>(k));
    const double chosen = fit_ridge(data.x, data.y).lambda;
    CHECK(chosen > 0.0);
    const double error = gcv_error(data, chosen);
    for (int step = -20; step <= 20; ++step)
      CHECK(error <= gcv_error(data, chosen * std::pow(10.0, 0.1 * step)) * (1.0 + 1e-9));
  }
}

TEST_CASE("ridge regression: without a penalty the shortest solution", "[ridge]") {
  Data data(20, 4, 1);
  data.x.col(3) = data.x.col(0);
  const RidgeFit fit = fit_ridge(data.x, data.y, 0.0);
  CHECK(fit.coefficients[0] == Approx(fit.coefficients[3]).epsilon(1e-9));
  CHECK(fit_ridge(data.x, data.y, 1e-9).coefficients[0] ==
        Approx(fit.coefficients[0]).epsilon(1e-6));
  data.x.setConstant(3.0);
  CHECK(fit_ridge(data.x, data.y).coefficients.isZero(0.0));
  CHECK(fit_ridge(data.x, data.y).intercept == Approx(data.y.mean()));
}

TEST_CASE("ridge regression: units change nothing, by powers of two", "[ridge]") {
  const Data data(25, 6, 3);
  const RidgeFit one = fit_ridge(data.x, data.y);
  const RidgeFit far = fit_ridge(std::ldexp(1.0, 900) * data.x, std::ldexp(1.0, -900) * data.y);
  CHECK(far.lambda == one.lambda);
  CHECK(far.intercept == Approx(std::ldexp(one.intercept, -900)).epsilon(1e-12));
}

TEST_CASE("ridge regression: left-out samples have no say, threads change no bit", "[ridge]") {
  const Data data(24, 8, 4);
  Array<Array<int>> sets, left_out;
  for (int i = 0; i < 24; ++i) {
    sets.push_back(i % 3 == 0 ? Array<int>() : Array<int>{0, 7, i % 5 + 1});
    left_out.push_back({i, (i + 9) % 24});
  }
  const Eigen::VectorXd one =
      loo_ridge(data.x, data.y, sets, left_out, each_sample(sets), kChooseLambda);
  const Eigen::VectorXd two =
      loo_ridge(data.x, data.y, sets, left_out, each_sample(sets), kChooseLambda, two_threads());
  CHECK(one == two);
  for (int i : {3, 10}) {
    Eigen::MatrixXd x(22, sets[i].size());
    Eigen::VectorXd y(22);
    for (Index row = 0, to = 0; row < 24; ++row) {
      if (row == i || row == (i + 9) % 24)
        continue;
      for (Index j = 0; j < x.cols(); ++j)
        x(to, j) = data.x(row, sets[i][j]);
      y[to++] = data.y[row];
    }
    const RidgeFit fit = fit_ridge(x, y);
    double value = fit.intercept;
    for (Index j = 0; j < x.cols(); ++j)
      value += fit.coefficients[j] * data.x(i, sets[i][j]);
    CHECK(one[i] == Approx(value).epsilon(1e-10));
  }
  // A model that predicts a pair.
  const Array<Array<int>> same = {{0, 2}, {0, 2}}, out = {{1, 4, 6}, {1, 4, 6}};
  const Eigen::VectorXd three = loo_ridge(data.x, data.y, same, out, {{1, 6}, {4}}, kChooseLambda);
  const int at[] = {1, 6, 4};
  for (int k = 0; k < 3; ++k)
    CHECK(three[k] == loo_ridge(data.x, data.y, {same[0]}, {out[0]}, {{at[k]}}, kChooseLambda)[0]);
  left_out[2] = {40};
  CHECK_THROWS_AS(loo_ridge(data.x, data.y, sets, left_out, each_sample(sets), 1.0),
                  std::invalid_argument);
  CHECK_THROWS_AS(fit_ridge(data.x, data.y, std::nan("")), std::invalid_argument);
}
