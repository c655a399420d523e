#include "catch.h"

#include <stabilect/base/rng.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

using stabilect::Array;
using stabilect::domain_tag;
using stabilect::Rng;

namespace {

using Words = std::array<std::uint64_t, 4>;

Words cipher(const Words &counter, const Words &key) {
  sitmo::prng_engine engine;
  engine.set_key(key[0], key[1], key[2], key[3]);
  engine.set_counter(counter[0], counter[1], counter[2], counter[3]);
  Words words;
  for (auto &word : words) {
    const std::uint64_t low = engine();
    word = (static_cast<std::uint64_t>(engine()) << 32) | low;
  }
  return words;
}

double chi_square(const Array<int> &observed, double expected) {
  double sum = 0.0;
  for (int count : observed)
    sum += (count - expected) * (count - expected) / expected;
  return sum;
}

} // namespace

TEST_CASE("the cipher reproduces Random123's known answers for threefry4x64, 20 rounds", "[rng]") {
  const std::uint64_t ones = std::numeric_limits<std::uint64_t>::max();
  const Words zero{{0, 0, 0, 0}};
  const Words all{{ones, ones, ones, ones}};
  const Words zero_answer{
      {0x09218ebde6c85537, 0x55941f5266d86105, 0x4bd25e16282434dc, 0xee29ec846bd2e40b}};
  const Words all_answer{
      {0x29c24097942bba1b, 0x0371bbfb0f6f4e11, 0x3c231ffa33f83a1c, 0xcd29113fde32d168}};
  const Words pi_counter{
      {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}};
  const Words pi_key{
      {0x452821e638d01377, 0xbe5466cf34e90c6c, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd}};
  const Words pi_answer{
      {0xa7e8fde591651bd9, 0xbaafd0c30138319b, 0x84a5c1a729e685b9, 0x901d406ccebc1ba4}};
  REQUIRE(cipher(zero, zero) == zero_answer);
  REQUIRE(cipher(all, all) == all_answer);
  REQUIRE(cipher(pi_counter, pi_key) == pi_answer);

  Rng rng(0, 0, 0);
  for (std::uint64_t word : zero_answer)
    REQUIRE(rng.next() == word);
}

TEST_CASE("the key is (seed, stream, domain, 0) and the counter runs block by block", "[rng]") {
  Rng rng(17, 4, 9);
  for (std::uint64_t block = 0; block < 3; ++block) {
    for (std::uint64_t word : cipher({{block, 0, 0, 0}}, {{17, 4, 9, 0}})) {
      REQUIRE(rng.next() == word);
    }
  }
}

TEST_CASE("seeds, streams and domains do not share words", "[rng]") {
  std::set<std::uint64_t> words;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (std::uint64_t stream = 0; stream < 5; ++stream) {
      for (std::uint64_t domain = 0; domain < 5; ++domain) {
        Rng rng(seed, stream, domain);
        for (int i = 0; i < 20; ++i)
          words.insert(rng.next());
      }
    }
  }
  REQUIRE(words.size() == 5u * 5u * 5u * 20u);
}

TEST_CASE("domain_tag is 64-bit FNV-1a", "[rng]") {
  REQUIRE(domain_tag("") == 0xcbf29ce484222325ULL);
  REQUIRE(domain_tag("a") == 0xaf63dc4c8601ec8cULL);
  REQUIRE(domain_tag("foobar") == 0x85944171f73967e8ULL);
}

TEST_CASE("the wide product agrees with products known in closed form", "[rng]") {
  std::uint64_t high, low;
  const std::uint64_t ones = std::numeric_limits<std::uint64_t>::max();
  stabilect::rng_detail::multiply_wide(ones, ones, high, low);
  REQUIRE(high == ones - 1);
  REQUIRE(low == 1u);
  stabilect::rng_detail::multiply_wide(1ULL << 63, 6, high, low);
  REQUIRE(high == 3u);
  REQUIRE(low == 0u);
  stabilect::rng_detail::multiply_wide(0x0123456789abcdefULL, 1ULL << 36, high, low);
  REQUIRE(high == 0x0123456789abcdefULL >> 28);
  REQUIRE(low == 0x0123456789abcdefULL << 36);
}

TEST_CASE("below() stays in range and is uniform", "[rng]") {
  Rng rng(1, 0);
  Array<int> seen(7, 0);
  for (int i = 0; i < 70000; ++i) {
    const std::uint64_t draw = rng.below(7);
    REQUIRE(draw < 7);
    ++seen[draw];
  }
  REQUIRE(chi_square(seen, 10000.0) < 22.46); // 0.999 quantile, 6 degrees of freedom
  REQUIRE(rng.below(1) == 0u);
  REQUIRE_THROWS_AS(rng.below(0), std::invalid_argument);
}

TEST_CASE("below() is unbiased where the product alone would be badly biased", "[rng]") {
  // With n = 3 * 2^61 and no rejection eight words would go to three values, three to each of the
  // first two: P(draw % 3 == 2) = 1/4.
  Rng rng(2, 0);
  Array<int> seen(3, 0);
  for (int i = 0; i < 30000; ++i)
    ++seen[rng.below(3LL << 61) % 3];
  REQUIRE(chi_square(seen, 10000.0) < 13.82); // 0.999 quantile, 2 degrees of freedom
}

TEST_CASE("uniform() is in [0, 1) with the moments of the uniform distribution", "[rng]") {
  Rng rng(3, 0);
  Rng words(3, 0);
  const int n = 100000;
  double sum = 0.0, sum_squares = 0.0;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    REQUIRE(u == std::ldexp(static_cast<double>(words.next() >> 11), -53));
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
    sum += u;
    sum_squares += u * u;
  }
  REQUIRE(std::fabs(sum / n - 1.0 / 2.0) < 4.0 * std::sqrt(1.0 / 12.0 / n));
  REQUIRE(std::fabs(sum_squares / n - 1.0 / 3.0) < 4.0 * std::sqrt(4.0 / 45.0 / n));
}

TEST_CASE("the normal quantile inverts the error function", "[rng]") {
  for (int exponent = -52; exponent <= -1; ++exponent) {
    for (int step = 1; step <= 7; ++step) {
      const double p = std::ldexp(step / 8.0, exponent);
      const double z = stabilect::rng_detail::normal_quantile(p);
      // An error dz moves p by the factor 1 + |z| dz (Mills), hence the scale of the tolerance.
      const double again = 0.5 * std::erfc(-z / std::sqrt(2.0));
      REQUIRE(std::fabs(again / p - 1.0) < 1e-14 * (1.0 + z * z));
      if (p > 1e-6) {
        REQUIRE(std::fabs(stabilect::rng_detail::normal_quantile(1.0 - p) + z) < 1e-9);
      }
    }
  }
  REQUIRE(stabilect::rng_detail::normal_quantile(0.5) == 0.0);
  REQUIRE(std::fabs(stabilect::rng_detail::normal_quantile(0.975) - 1.959963984540054) < 1e-14);
}

TEST_CASE("normal() has the moments of the standard normal and no infinite value", "[rng]") {
  Rng rng(4, 0);
  const int n = 200000;
  double moments[4] = {0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    REQUIRE(std::isfinite(z));
    double power = 1.0;
    for (double &moment : moments)
      moment += (power *= z) / n;
  }
  const double variances[4] = {1.0, 2.0, 15.0, 96.0};
  const double expected[4] = {0.0, 1.0, 0.0, 3.0};
  for (int k = 0; k < 4; ++k) {
    REQUIRE(std::fabs(moments[k] - expected[k]) < 4.0 * std::sqrt(variances[k] / n));
  }
  const double largest = (std::ldexp(1.0, 52) - 1.0 + 0.5) * std::ldexp(1.0, -52);
  REQUIRE(largest < 1.0);
  REQUIRE(std::isfinite(stabilect::rng_detail::normal_quantile(largest)));
}

TEST_CASE("all orders of four elements are equally likely", "[rng]") {
  std::map<Array<int>, int> seen;
  for (std::uint64_t stream = 0; stream < 24000; ++stream) {
    Rng rng(5, stream);
    Array<int> values{0, 1, 2, 3};
    rng.shuffle(values.begin(), values.end());
    ++seen[values];
  }
  REQUIRE(seen.size() == 24u);
  Array<int> observed;
  for (const auto &entry : seen)
    observed.push_back(entry.second);
  REQUIRE(chi_square(observed, 1000.0) < 49.73); // 0.999 quantile, 23 degrees of freedom
}

TEST_CASE("samples without replacement are distinct, in draw order, and nested in k", "[rng]") {
  const Array<int> ten = Rng(6, 0).sample_without_replacement(50, 10);
  const Array<int> twenty = Rng(6, 0).sample_without_replacement(50, 20);
  REQUIRE(std::equal(ten.begin(), ten.end(), twenty.begin()));
  REQUIRE_FALSE(std::is_sorted(twenty.begin(), twenty.end()));
  REQUIRE(std::set<int>(twenty.begin(), twenty.end()).size() == 20u);
  Array<int> all = Rng(6, 0).sample_without_replacement(50, 50);
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 50; ++i)
    REQUIRE(all[i] == i);
  REQUIRE(Rng(6, 0).sample_without_replacement(50, 0).empty());
  REQUIRE_THROWS_AS(Rng(6, 0).sample_without_replacement(5, 6), std::invalid_argument);
  REQUIRE_THROWS_AS(Rng(6, 0).sample_without_replacement(5, -1), std::invalid_argument);
}
