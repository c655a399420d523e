#include "catch.h"

#include <limits>

#include <stabilect/base/ties.h>

using namespace stabilect;

TEST_CASE("ten digits make equal what only rounding tells apart", "[ties]") {
  for (double value : {1.0, 0.1 + 0.2, 3.7e-200, 5.1e200, 123456.789}) {
    REQUIRE(to_ten_digits(value * (1.0 + 1e-14)) == to_ten_digits(value));
    REQUIRE(to_ten_digits(value * (1.0 + 1e-9)) > to_ten_digits(value));
    REQUIRE(std::fabs(to_ten_digits(value) / value - 1.0) < 1e-10);
  }
  const double infinite = std::numeric_limits<double>::infinity();
  REQUIRE(to_ten_digits(infinite) == infinite);
  REQUIRE(to_ten_digits(0.0) == 0.0);
}
