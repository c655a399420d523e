#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/score/information.h>

using namespace stabilect;

TEST_CASE("information: in bins of equal frequency, by hand", "[information]") {
  // The first feature tells the classes apart, the second says nothing, the third is constant.
  Eigen::MatrixXd x(8, 3);
  x << 1, 1, 7, 2, 10, 7, 3, 2, 7, 4, 20, 7, 50, 3, 7, 60, 30, 7, 70, 4, 7, 80, 40, 7;
  const Array<int> codes = {0, 0, 0, 0, 1, 1, 1, 1};
  const Eigen::VectorXd y = Eigen::VectorXd::Zero(8);
  Eigen::MatrixXi counts = Eigen::MatrixXi::Ones(8, 3);
  counts.col(1).setConstant(2);
  counts.col(2).setZero();
  InformationOptions options;
  options.rule = BinRule::equal_frequency;
  options.n_bins = 2;
  const Eigen::MatrixXd score = score_information(x, codes, 2, y, counts, options);
  for (Index b = 0; b < 2; ++b) {
    CHECK(score(0, b) == Approx(std::log(2.0)));
    CHECK(score(1, b) == 0.0);
    CHECK(score(2, b) == 0.0);
  }
  CHECK(score.col(2).isZero(0.0));
}

TEST_CASE("information: without runs there is nothing to count", "[information]") {
  CHECK(information_detail::largest_total(Eigen::MatrixXi(3, 0)) == 0);
  CHECK(information_detail::largest_total((Eigen::MatrixXi(2, 2) << 1, 3, 0, 2).finished()) == 5);
}
