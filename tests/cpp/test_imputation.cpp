#include "catch.h"

#include <stabilect/data/imputation.h>

#include "normals.h"
#include "two_threads.h"

using namespace stabilect;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Groups of five features with a common part.
Eigen::MatrixXd grouped(Index n, Index p, std::uint64_t seed) {
  const Eigen::MatrixXd shared = normals(n, (p + 4) / 5, seed), own = normals(n, p, seed + 1);
  Eigen::MatrixXd x(n, p);
  for (Index j = 0; j < p; ++j)
    x.col(j) = shared.col(j / 5) + 0.5 * own.col(j);
  return x;
}

Eigen::MatrixXd with_gaps(Eigen::MatrixXd x, double share, double slope, std::uint64_t seed) {
  Rng rng(seed, 0, domain_tag("test gaps"));
  for (Index i = 0; i < x.size(); ++i) {
    const double odds = share / (1.0 - share) * std::exp(-slope * x.data()[i]);
    if (rng.uniform() < odds / (1.0 + odds))
      x.data()[i] = kMissing;
  }
  return x;
}

Array<int> one_group(Index p) { return Array<int>(p, 0); }

} // namespace

TEST_CASE("the nearest features are those of all products, whatever their order", "[data]") {
  const Index n = 30, p = 101;
  const Eigen::MatrixXd x = grouped(n, p, 1);
  const PaddedColumns padded = padded_columns(x, Runtime());
  const Array<int> asked{0, 7, 50, 100};
  const auto found = nearest_features(padded, asked, 10, Runtime());
  Eigen::MatrixXd unit = x.rowwise() - x.colwise().mean();
  unit.colwise().normalize();
  for (Index a = 0; a < asked.size(); ++a) {
    const Eigen::VectorXd size = (unit.transpose() * unit.col(asked[a])).cwiseAbs();
    Array<int> order(p);
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + asked[a]);
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return size[i] > size[j]; });
    order.resize(10);
    REQUIRE(found[a] == order);
  }
}

TEST_CASE("a regression without noise and penalty is that of least squares", "[data]") {
  const Index n = 200;
  Eigen::MatrixXd x = normals(n, 4, 3);
  x.col(3) = 2.0 * x.col(0) - x.col(1) + 0.3 * normals(n, 1, 4).col(0);
  const PaddedColumns padded = padded_columns(x, Runtime());
  Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> z(padded.column(0), n, 4,
                                                               Eigen::OuterStride<>(padded.ld));
  const Eigen::MatrixXd part = z.leftCols(3);
  const Eigen::VectorXd exact = part.colPivHouseholderQr().solve(z.col(3));
  const double sd = (z.col(3) - part * exact).norm() / std::sqrt(n - 4.0);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(3);
  double spread = 0.0;
  const Index draws = 2000;
  for (Index k = 0; k < draws; ++k) {
    Rng rng(5, k, domain_tag("test"));
    const DrawnRegression one = draw_regression(padded, 3, {0, 1, 2}, 1e-12, rng);
    REQUIRE(one.sd == Approx(sd));
    mean += one.slope / draws;
    spread += (one.slope - exact).squaredNorm() / draws;
  }
  const Eigen::MatrixXd gram = part.transpose() * part;
  const double error = sd * std::sqrt(gram.llt().solve(Eigen::MatrixXd::Identity(3, 3)).trace());
  REQUIRE((mean - exact).norm() < 5.0 * error / std::sqrt(draws));
  REQUIRE(std::sqrt(spread) == Approx(error).epsilon(0.1));
}

TEST_CASE("a detection curve is the one that deleted the values", "[data]") {
  const Index n = 60, p = 400;
  const Eigen::MatrixXd x = normals(n, p, 6);
  const PaddedColumns padded = padded_columns(x, Runtime());
  for (double slope : {0.0, 1.5}) {
    const Eigen::MatrixXd gaps = with_gaps(x, 0.2, slope, 7);
    CurveGroup group;
    group.by_value = true;
    for (Index j = 0; j < p; ++j) {
      group.features.push_back(static_cast<int>(j));
      for (Index i = 0; i < n; ++i)
        group.flags.push_back(std::isnan(gaps(i, j)) ? 1 : 0);
    }
    DetectionCurve curve = flat_curve(padded, group);
    fit_curve(padded, group, Runtime(), curve);
    REQUIRE(curve.slope == Approx(-slope).margin(0.06));
    REQUIRE(curve.slope <= 0.0);
    REQUIRE(curve.intercept.mean() == Approx(std::log(0.25)).margin(0.1));
  }
}

TEST_CASE("a tilted normal has the mean of its density", "[data]") {
  const missing_detail::TiltedNormal tilted;
  const double mean = 0.4, sd = 0.8, level = -1.0, slope = -2.0;
  double total = 0.0, first = 0.0, second = 0.0;
  for (double q = -6.0; q <= 6.0; q += 0.001) {
    const double z = mean + sd * q;
    const double density = std::exp(-q * q / 2.0) / (1.0 + std::exp(-(level + slope * z)));
    total += density;
    first += density * z;
    second += density * z * z;
  }
  const double expected = first / total, spread = std::sqrt(second / total - expected * expected);
  Rng rng(8, 0, domain_tag("test"));
  double sum = 0.0, squares = 0.0;
  const int draws = 20000;
  for (int k = 0; k < draws; ++k) {
    const missing_detail::CellDraw one = tilted.draw(mean, sd, level, slope, rng);
    REQUIRE(one.expected == Approx(expected).margin(0.02));
    sum += one.drawn;
    squares += one.drawn * one.drawn;
  }
  REQUIRE(sum / draws == Approx(expected).margin(0.02));
  REQUIRE(std::sqrt(squares / draws - sum * sum / draws / draws) == Approx(spread).epsilon(0.05));
}

TEST_CASE("imputed values are near the deleted ones, the same for any threads", "[data]") {
  const Index n = 60, p = 200;
  const Eigen::MatrixXd x = grouped(n, p, 9), gaps = with_gaps(x, 0.15, 1.0, 10);
  ImputationOptions options;
  options.seed = 11;
  const Imputation one = impute(gaps, one_group(p), {1}, options);
  const Imputation two = impute(gaps, one_group(p), {1}, options, two_threads());
  REQUIRE(one.expected == two.expected);
  REQUIRE(one.drawn == two.drawn);
  REQUIRE(one.slope[0] < -0.4);
  REQUIRE(one.lower > 0.0);
  double error = 0.0, of_mean = 0.0;
  for (Index c = 0; c < one.cells.n_columns(); ++c) {
    const int j = one.cells.column[c];
    double sum = 0.0, known = 0.0;
    for (Index i = 0; i < n; ++i)
      if (!std::isnan(gaps(i, j))) {
        sum += gaps(i, j);
        known += 1.0;
      }
    for (Index k = one.cells.start[c]; k < one.cells.start[c + 1]; ++k) {
      const double truth = x(one.cells.row[k], j);
      REQUIRE(std::isnan(gaps(one.cells.row[k], j)));
      error += std::pow(one.expected[k] - truth, 2);
      of_mean += std::pow(sum / known - truth, 2);
    }
  }
  REQUIRE(error < 0.4 * of_mean);
}

TEST_CASE("an imputation can be stopped, and nothing is done where nothing is missing", "[data]") {
  const Index p = 60;
  const Eigen::MatrixXd x = grouped(40, p, 12);
  REQUIRE(impute(x, one_group(p), {1}, ImputationOptions()).cells.size() == 0);
  Runtime stopped;
  stopped.stop_requested = [] { return true; };
  REQUIRE_THROWS_AS(
      impute(with_gaps(x, 0.2, 0.0, 13), one_group(p), {1}, ImputationOptions(), stopped),
      Interrupted);
}
