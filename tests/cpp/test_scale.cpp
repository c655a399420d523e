#include "catch.h"

#include "stabilect/base/rng.h"
#include "stabilect/base/scale.h"

#include <cmath>
#include <limits>

using stabilect::length_of;

TEST_CASE("lengths are those of the library to the last bits, at every size") {
  stabilect::Rng rng(1, 1);
  for (int power : {-1060, -700, -40, -1, 0, 1, 40, 700, 1020}) {
    for (int turn = 0; turn < 200; ++turn) {
      const double a = std::ldexp(rng.uniform() - 0.5, power);
      const double b = std::ldexp(rng.uniform() - 0.5, power - turn % 60);
      const double exact = std::hypot(a, b);
      REQUIRE(std::fabs(length_of(a, b) - exact) <=
              4e-16 * exact + std::numeric_limits<double>::denorm_min());
    }
  }
  CHECK(length_of(3.0, -4.0) == 5.0);
  CHECK(length_of(0.0, 0.0) == 0.0);
  CHECK(length_of(0.0, -1e-320) == 1e-320);
  CHECK(std::isnan(length_of(std::nan(""), 1.0)));
  CHECK(std::isinf(length_of(std::numeric_limits<double>::infinity(), 1.0)));
}
