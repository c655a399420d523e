#include "catch.h"

#include <stabilect/path/left_out_fit.h>

using stabilect::Array;
using stabilect::coefficients_at;
using stabilect::LarsPath;
using stabilect::left_out_loss;
using stabilect::place_on_path;

namespace {

// Two steps: column 0 enters at 4, column 1 at 2; the path ends at 0.
LarsPath two_steps() {
  LarsPath path;
  path.events = {1, 2};
  path.event_end = {1, 2};
  path.lambda = {4.0, 2.0, 0.0};
  path.coef_feature = {0, 0, 1};
  path.coef_value = {2.0, 3.0, -1.0};
  path.coef_end = {1, 3};
  return path;
}

// Columns of norm 2 and 4 about means 1 and 0 in the first four rows; two rows are left out.
Eigen::MatrixXd six_rows() {
  Eigen::MatrixXd x(6, 2);
  x << 2, 2, 0, 2, 2, -2, 0, -2, 5, 1, 1, 3;
  return x;
}

const Array<double> kInside = {1, 1, 1, 1, 0, 0};

} // namespace

TEST_CASE("a penalty lies between two knots of its path") {
  const LarsPath path = two_steps();
  REQUIRE(place_on_path(path, 5.0).step == -1);
  REQUIRE(place_on_path(path, 4.0).step == -1);
  REQUIRE(place_on_path(path, 3.0).step == 0);
  REQUIRE(place_on_path(path, 3.0).toward == Approx(0.5));
  REQUIRE(place_on_path(path, 2.0).step == 0);
  REQUIRE(place_on_path(path, 2.0).toward == Approx(1.0));
  REQUIRE(place_on_path(path, 0.5).step == 1);
  REQUIRE(place_on_path(path, 0.5).toward == Approx(0.75));
  // Below the end it is the last model.
  LarsPath cut = path;
  cut.lambda = {4.0, 2.0, 1.0};
  REQUIRE(place_on_path(cut, 0.1).step == 1);
  REQUIRE(place_on_path(cut, 0.1).toward == Approx(1.0));
  REQUIRE(place_on_path(LarsPath(), 1.0).step == -1);
}

TEST_CASE("coefficients are of the columns as given, and halfway between knots") {
  const Eigen::MatrixXd x = six_rows();
  REQUIRE(coefficients_at(two_steps(), x, kInside.data(), 9.0).feature.empty());
  const auto half = coefficients_at(two_steps(), x, kInside.data(), 1.0);
  REQUIRE(half.feature == Array<int>({0, 1}));
  REQUIRE(half.value[0] == Approx(2.5 / 2.0));
  REQUIRE(half.value[1] == Approx(-0.5 / 4.0));
}

TEST_CASE("errors are those of the samples left out, about the mean of the others") {
  const Eigen::MatrixXd x = six_rows();
  const Array<double> y = {1, 2, 3, 6, 10, 0}, out = {0, 0, 0, 0, 1, 1};
  const Array<double> grid = {4.0, 1.0};
  Array<double> loss(2, 0.0);
  left_out_loss(two_steps(), x, y.data(), kInside.data(), out.data(), grid.data(), 2, loss.data());
  REQUIRE(loss[0] == Approx(7.0 * 7.0 + 3.0 * 3.0));
  const double fifth = 3.0 + 1.25 * 4.0 - 0.125 * 1.0, sixth = 3.0 + 1.25 * 0.0 - 0.125 * 3.0;
  REQUIRE(loss[1] == Approx((10.0 - fifth) * (10.0 - fifth) + sixth * sixth));
}
