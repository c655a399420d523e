#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/predict/products.h>

using namespace stabilect;

TEST_CASE("products: sums of products are those of Eigen, on any processor", "[products]") {
  const Index ld = 24, p = 37;
  Eigen::MatrixXd z(ld, p);
  Rng rng(8, 1);
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < ld; ++i)
      z(i, j) = i < 21 ? rng.normal() : 0.0;
  const Array<int> features = {3, 36, 0, 11, 12};
  Eigen::MatrixXd expected = Eigen::MatrixXd::Ones(ld, ld), best = expected, plain = expected;
  for (int j : features)
    expected -= z.col(j) * z.col(j).transpose();
  const Index size = ld;
  STABILECT_AT_WIDTH(0, add_products)
  (z.data(), size, features.data(), features.size(), -1.0, best.data());
  kernels_16::add_products(z.data(), size, features.data(), features.size(), -1.0, plain.data());
  for (Index i = 0; i < ld; ++i)
    for (Index k = 0; k <= i; ++k) {
      CHECK(best(i, k) == Approx(expected(i, k)).margin(1e-12));
      CHECK(best(i, k) == plain(i, k));
    }
}

TEST_CASE("products: features that go leave those of the others", "[products]") {
  Rng rng(8, 2);
  Eigen::MatrixXd x(11, 30);
  for (Index j = 0; j < 30; ++j)
    for (Index i = 0; i < 11; ++i)
      x(i, j) = (j < 10 ? 1e5 : 1.0) * rng.normal();
  Array<int> all, large, few, rest;
  for (int j = 0; j < 30; ++j) {
    all.push_back(j);
    (j < 10 ? large : rest).push_back(j);
    if (j >= 27)
      few.push_back(j);
  }
  const LinearSamples samples(x, Eigen::VectorXd::Ones(11), all, Eigen::VectorXd::Ones(30),
                              Scaling::none);
  ProductMatrix products(samples);
  const auto error = [&](Index first) {
    const Eigen::MatrixXd part = x.rightCols(30 - first);
    return (products.matrix() - part * part.transpose()).cwiseAbs().maxCoeff();
  };
  products.renew(all.data(), all.size());
  CHECK(error(0) <= 1e-13 * 1e12);
  products.drop({29}, all.data(), 29); // by subtraction
  products.renew(all.data(), all.size());
  products.drop(large, rest.data(), rest.size()); // the trace falls by 1e10
  CHECK(error(10) <= 1e-12);
  products.drop(Array<int>(rest.begin(), rest.end() - 3), few.data(), few.size());
  CHECK(error(27) <= 1e-12);
}
