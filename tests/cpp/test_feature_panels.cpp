#include "catch.h"

#include <stabilect/signal/find_signals.h>

#include "normals.h"

using namespace stabilect;

TEST_CASE("gains of features are those of double arithmetic, with the same bits at any width",
          "[signal]") {
  const Index n = 23, p = 75, s = 3;
  const Eigen::MatrixXd x = normals(n, p, 1), c = normals(p, s, 2);
  FeaturePanels panels(n, p);
  for (Index j = 0; j < p; ++j)
    panels.set_column(j, x.col(j));
  const Eigen::VectorXd v = normals(n, 1, 3).col(0), weight = normals(n, 1, 4).col(0).cwiseAbs();
  const Eigen::MatrixXd factor = 0.1 * normals(n, 3, 5);
  AlignedBuffer<float> products(panels.padded()), squares(panels.padded()), again(panels.padded());
  panels.products(v, products.data());
  panels.products(v, again.data(), 16);
  REQUIRE(std::equal(again.data(), again.data() + p, products.data()));
  panels.squares(weight, factor, squares.data());
  panels.squares(weight, factor, again.data(), 16);
  REQUIRE(std::equal(again.data(), again.data() + p, squares.data()));
  const Eigen::MatrixXd a = Eigen::MatrixXd(weight.asDiagonal()) - factor * factor.transpose();
  for (Index j = 0; j < p; ++j) {
    REQUIRE(products[j] == Approx(x.col(j).dot(v)).margin(1e-4));
    REQUIRE(squares[j] == Approx(x.col(j).dot(a * x.col(j))).margin(1e-4));
  }
  AlignedBuffer<float> columns(s * panels.padded());
  GainArgs args = {};
  args.squares = squares.data(), args.products = products.data(), args.n_columns = s;
  for (Index k = 0; k < s; ++k) {
    for (Index j = 0; j < p; ++j)
      columns[k * panels.padded() + j] = static_cast<float>(c(j, k));
    args.columns[k] = columns.data() + k * panels.padded();
    args.heights[k] = 0.5f * k;
    for (Index i = 0; i <= k; ++i)
      args.triangle[k * kMostColumns + i] = 0.3f + 0.1f * static_cast<float>(i - k);
  }
  args.inverse_slab = 9.0f, args.least = 5.0f;
  args.power = 11.5f, args.inverse_sum = 0.02f, args.least_left = 0.01f;
  for (bool classes : {false, true}) {
    args.normal = classes;
    EntryWeights entry(p), narrow(p);
    const double log_sum = entry.fill(args, {4, 70});
    REQUIRE(narrow.fill(args, {4, 70}, 16) == log_sum);
    double total = 0.0;
    Array<double> expected;
    for (Index j = 0; j < p; ++j) {
      double left = squares[j] + 9.0, w = products[j];
      for (Index k = 0; k < s; ++k) {
        double along = 0.0;
        for (Index i = 0; i <= k; ++i)
          along += (0.3 + 0.1 * static_cast<double>(i - k)) * c(j, i);
        left -= along * along;
        w -= along * 0.5 * static_cast<double>(k);
      }
      left = std::max(left, 5.0);
      const double share = w * w / left;
      const double gain =
          classes ? 0.5 * share : -11.5 * std::log(std::max(1.0 - 0.02 * share, 0.01));
      expected.push_back(j == 4 || j == 70 ? 0.0 : std::exp(gain) / std::sqrt(left));
      total += expected.back();
    }
    REQUIRE(log_sum == Approx(std::log(total)).epsilon(1e-5));
    double below = 0.0;
    for (Index j = 0; j < p; ++j) {
      REQUIRE(entry.weight(j) == Approx(expected[j] / total).epsilon(1e-3).margin(1e-7));
      if (expected[j] / total > 1e-4)
        REQUIRE(entry.at(below + 0.5 * entry.weight(j)) == j);
      below += entry.weight(j);
    }
  }
}

TEST_CASE("draws have the moments of their laws", "[signal]") {
  Rng rng(1, 0);
  for (double shape : {0.5, 3.0}) {
    double sum = 0.0, square = 0.0;
    const int n = 40000;
    for (int i = 0; i < n; ++i) {
      const double g = draw_gamma(rng, shape);
      sum += g, square += g * g;
    }
    REQUIRE(std::fabs(sum / n - shape) < 4.0 * std::sqrt(shape / n));
    REQUIRE(square / n - sum / n * (sum / n) == Approx(shape).epsilon(0.06));
  }
  // E(z | z > a) = phi(a) / (1 - Phi(a)).
  for (double least : {-1.0, 0.3, 2.5}) {
    double sum = 0.0, lowest = 1e9;
    const int n = 40000;
    for (int i = 0; i < n; ++i) {
      const double z = draw_normal_above(rng, least);
      sum += z, lowest = std::min(lowest, z);
    }
    const double tail = 0.5 * std::erfc(least / std::sqrt(2.0)),
                 mean = std::exp(-0.5 * least * least) / std::sqrt(2.0 * std::acos(-1.0)) / tail;
    REQUIRE(lowest > least);
    REQUIRE(std::fabs(sum / n - mean) < 0.02);
  }
}
