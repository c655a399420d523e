#include "catch.h"

#include "stabilect/base/hash_values.h"

#include <limits>
#include <string>

using stabilect::ValueHash;

// The answers were computed by the rule with whole numbers of another language.
TEST_CASE("hashes are the same on every machine") {
  CHECK(ValueHash().text() == "0c8ee04164dfc2f4bf236b68b172c8f2");
  ValueHash numbers, counts, text;
  const double some[] = {-0.0, 1.5, -2.0, 1e300, 5.0};
  numbers.add(some, 5);
  CHECK(numbers.text() == "3f1be55d53caad1e4e1eb48c856e80b4");
  const int whole[] = {1, -1};
  counts.add(whole, 2);
  CHECK(counts.text() == "2fa8e7ffc6a25fe5c4b7c9e6d3f81913");
  text.add(std::string("a text of some length"));
  CHECK(text.text() == "ac6e5f1057ac38800813c628e8fcd2e6");
}

TEST_CASE("all NaN have one hash, and the place of a border between values counts") {
  const double none = std::numeric_limits<double>::quiet_NaN(), other = -none;
  ValueHash one, two, together, apart;
  one.add(&none, 1);
  two.add(&other, 1);
  CHECK(one.text() == two.text());
  const double some[] = {1.0, 2.0, 3.0};
  together.add(some, 3);
  apart.add(some, 1);
  apart.add(some + 1, 2);
  CHECK(together.text() != apart.text());
}
