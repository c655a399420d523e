#include "catch.h"

#include "stabilect/base/exponential.h"
#include "stabilect/base/rng.h"

#include <cmath>
#include <cstring>
#include <limits>

using stabilect::Rng;

TEST_CASE("exponentials are those of the library to the last bit but one, at both widths") {
  Rng rng(5, 1);
  for (int turn = 0; turn < 2000; ++turn) {
    const double reach[] = {1.0, 20.0, 706.0};
    double x[8], wide[8], plain[8];
    for (double &value : x)
      value = (2.0 * rng.uniform() - 1.0) * reach[turn % 3];
    STABILECT_AT_WIDTH(0, exponentials)(x, 8, wide);
    STABILECT_AT_WIDTH(16, exponentials)(x, 8, plain);
    REQUIRE(std::memcmp(wide, plain, sizeof wide) == 0);
    for (int k = 0; k < 8; ++k)
      REQUIRE(std::abs(wide[k] / std::exp(x[k]) - 1.0) < 3e-16);
  }
}

TEST_CASE("exponentials at the ends of the numbers") {
  const double far = std::numeric_limits<double>::infinity();
  const double x[8] = {0.0, -0.0, far, -far, 710.0, -709.0, 709.7, std::nan("")};
  double out[8];
  STABILECT_AT_WIDTH(0, exponentials)(x, 8, out);
  REQUIRE(out[0] == 1.0);
  REQUIRE(out[1] == 1.0);
  REQUIRE(out[2] == far);
  REQUIRE(out[3] == 0.0);
  REQUIRE(out[4] == far);
  REQUIRE(out[5] == 0.0);
  REQUIRE(std::abs(out[6] / std::exp(709.7) - 1.0) < 3e-16);
  REQUIRE(std::isnan(out[7]));
}
