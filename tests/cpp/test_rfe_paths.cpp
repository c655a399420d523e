#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/eliminate/rfe_paths.h>

#include <numeric>

using namespace stabilect;

namespace {

struct Data {
  Eigen::MatrixXd x;
  Array<int> codes;
  Eigen::MatrixXi counts;
  FeatureFactors ones;
};

Data make_data(Index n, Index p, int n_classes) {
  Rng rng(5, static_cast<std::uint64_t>(n + p));
  Data d{Eigen::MatrixXd(n, p),
         Array<int>(n),
         Eigen::MatrixXi(n, 1),
         {Eigen::VectorXd::Ones(p), Eigen::VectorXd::Ones(p)}};
  for (Index i = 0; i < n; ++i) {
    d.codes[i] = static_cast<int>(i) % n_classes;
    d.counts(i, 0) = i % 5 == 4 ? 0 : 1 + static_cast<int>(i % 2);
    for (Index j = 0; j < p; ++j)
      d.x(i, j) = 3.0 + (j % 3 == 0 ? 100.0 : 1.0) *
                            (rng.normal() + 0.3 * static_cast<double>(i % n_classes));
  }
  return d;
}

LinearOptions make_options(LinearLoss loss, double penalty) {
  LinearOptions options;
  options.loss = loss;
  options.penalty = penalty;
  return options;
}

} // namespace

TEST_CASE("a path is the same as fits of its own at every size", "[rfe_paths]") {
  const Data d = make_data(30, 60, 3);
  Array<int> all(60);
  std::iota(all.begin(), all.end(), 0);
  const Array<int> sizes = {60, 59, 40, 30, 12, 11, 3, 1};
  for (LinearLoss loss : {LinearLoss::squared_hinge, LinearLoss::logistic, LinearLoss::hinge}) {
    const LinearOptions options = make_options(loss, 0.05);
    const auto path = rfe_paths(d.x, d.codes, 3, d.counts, {all}, sizes, d.ones, options)[0];
    Array<int> set = all;
    for (Index s = 0; s < sizes.size(); ++s) {
      set.resize(sizes[s]);
      const auto one = rfe_paths(d.x, d.codes, 3, d.counts, {set}, {sizes[s]}, d.ones, options)[0];
      REQUIRE(one[0].features == path[s].features);
      REQUIRE((one[0].importance - path[s].importance).cwiseAbs().maxCoeff() < 1e-8);
      REQUIRE((one[0].decision - path[s].decision).cwiseAbs().maxCoeff() < 1e-7);
      set = path[s].features;
    }
  }
}

TEST_CASE("counts are repeated rows", "[rfe_paths]") {
  const Data d = make_data(20, 9, 2);
  Eigen::MatrixXd rows(0, 9);
  Array<int> codes, all(9);
  std::iota(all.begin(), all.end(), 0);
  for (Index i = 0; i < 20; ++i)
    for (int k = 0; k < d.counts(i, 0); ++k) {
      rows.conservativeResize(rows.rows() + 1, 9);
      rows.row(rows.rows() - 1) = d.x.row(i);
      codes.push_back(d.codes[i]);
    }
  for (Scaling scaling : {Scaling::sd, Scaling::range}) {
    LinearOptions options = make_options(LinearLoss::squared_hinge, 0.1);
    options.scaling = scaling;
    const auto counted = rfe_paths(d.x, d.codes, 2, d.counts, {all}, {9}, d.ones, options)[0];
    const LinearModel repeated = fit_linear(rows, codes, 2, d.ones, options);
    for (Index k = 0; k < 9; ++k)
      REQUIRE(counted[0].importance[k] ==
              Approx(repeated.importance[counted[0].features[k]]).epsilon(1e-9));
    Index left = 0;
    for (Index i = 0; i < 20; ++i)
      if (d.counts(i, 0) == 0)
        REQUIRE(counted[0].decision(left++, 0) ==
                Approx(d.x.row(i).dot(repeated.weights.weights.col(0)) +
                       repeated.weights.constants[0]));
  }
}

TEST_CASE("rounding does not accumulate when large features go first", "[rfe_paths]") {
  Data d = make_data(24, 50, 2);
  // Unscaled: the first products are 1e12 times as large as the last.
  for (Index j = 0; j < 50; ++j)
    d.x.col(j) *= j < 25 ? 1e5 : 0.1;
  FeatureFactors factors = d.ones;
  factors.shrinkage.head(25).setConstant(1e18); // goes first
  Array<int> all(50), sizes;
  std::iota(all.begin(), all.end(), 0);
  for (int size = 50; size > 15; --size)
    sizes.push_back(size);
  LinearOptions options = make_options(LinearLoss::squared_hinge, 1.0);
  options.scaling = Scaling::none;
  const auto path = rfe_paths(d.x, d.codes, 2, d.counts, {all}, sizes, factors, options)[0];
  const Array<int> last = path[sizes.size() - 2].features;
  const auto fresh =
      rfe_paths(d.x, d.codes, 2, d.counts, {last}, {sizes[sizes.size() - 2]}, factors, options)[0];
  const Eigen::VectorXd &a = path[sizes.size() - 2].importance, &b = fresh[0].importance;
  REQUIRE((a - b).cwiseAbs().maxCoeff() < 1e-8 * b.maxCoeff());
}

TEST_CASE("bad sizes are refused", "[rfe_paths]") {
  const Data d = make_data(12, 4, 2);
  const LinearOptions options;
  const Array<Array<int>> set = {{0, 1, 2, 3}};
  REQUIRE_THROWS_AS(rfe_paths(d.x, d.codes, 2, d.counts, set, {4, 4}, d.ones, options),
                    std::invalid_argument);
  REQUIRE_THROWS_AS(rfe_paths(d.x, d.codes, 2, d.counts, set, {3}, d.ones, options),
                    std::invalid_argument);
}
