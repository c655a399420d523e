#include "catch.h"

#include <stabilect/stability/chance.h>

#include <cmath>
#include <functional>

using namespace stabilect;

namespace {

// Every subset of k of p features as bits.
Array<unsigned> subsets(int p, int k) {
  Array<unsigned> out;
  for (unsigned s = 0; s < (1u << p); ++s)
    if (__builtin_popcount(s) == k)
      out.push_back(s);
  return out;
}

// Probability of each value of a count of features, over all choices of sets of these sizes.
Array<double> enumerate(int p, const Array<int> &sizes,
                        const std::function<int(const Array<unsigned> &)> &count) {
  Array<double> weight(100, 0.0);
  double total = 0.0;
  Array<unsigned> chosen;
  std::function<void()> choose = [&]() {
    if (chosen.size() == sizes.size()) {
      weight[count(chosen)] += 1.0;
      total += 1.0;
      return;
    }
    for (unsigned s : subsets(p, sizes[chosen.size()])) {
      chosen.push_back(s);
      choose();
      chosen.pop_back();
    }
  };
  choose();
  for (double &w : weight)
    w /= total;
  return weight;
}

double at(const WholeDistribution &d, Index value) {
  const Index t = value - d.first;
  return t < 0 || t >= d.prob.size() ? 0.0 : d.prob[t];
}

void require_equal(const WholeDistribution &d, const Array<double> &expected) {
  double sum = 0.0;
  for (double w : d.prob)
    sum += w;
  REQUIRE(sum == Approx(1.0).epsilon(1e-13));
  for (Index v = 0; v < expected.size(); ++v)
    REQUIRE(at(d, v) == Approx(expected[v]).epsilon(1e-12));
}

int union_size(const Array<unsigned> &sets) {
  unsigned all = 0;
  for (unsigned s : sets)
    all |= s;
  return __builtin_popcount(all);
}

} // namespace

TEST_CASE("the overlap of two random sets is that of enumeration") {
  for (int p = 1; p <= 6; ++p)
    for (int a = 0; a <= p; ++a)
      for (int b = 0; b <= p; ++b) {
        WholeDistribution d;
        hypergeometric(p, a, b, d);
        require_equal(d, enumerate(p, {a, b}, [](const Array<unsigned> &s) {
                        return __builtin_popcount(s[0] & s[1]);
                      }));
      }
}

TEST_CASE("the hypergeometric mean and variance are exact for a million features") {
  for (Index a : {1, 50, 1000, 500000, 999999})
    for (Index b : {1, 50, 1000, 700000}) {
      WholeDistribution d;
      const double p = 1e6, k = static_cast<double>(a), n = static_cast<double>(b);
      hypergeometric(1000000, a, b, d);
      double mean = 0.0, variance = 0.0;
      for (Index t = 0; t < d.prob.size(); ++t)
        mean += d.prob[t] * static_cast<double>(d.first + t);
      for (Index t = 0; t < d.prob.size(); ++t) {
        const double gap = static_cast<double>(d.first + t) - mean;
        variance += d.prob[t] * gap * gap;
      }
      REQUIRE(mean == Approx(n * k / p).epsilon(1e-12));
      REQUIRE(variance == Approx(n * k / p * (1 - k / p) * (p - n) / (p - 1)).epsilon(1e-9));
    }
}

TEST_CASE("the expected Jaccard index is that of enumeration, and symmetric") {
  for (int a = 0; a <= 6; ++a)
    for (int b = 0; b <= 6; ++b) {
      double expected = 0.0, n = 0.0;
      for (unsigned s : subsets(6, a))
        for (unsigned t : subsets(6, b)) {
          n += 1.0;
          if (s | t)
            expected += static_cast<double>(__builtin_popcount(s & t)) / __builtin_popcount(s | t);
        }
      REQUIRE(expected_jaccard(6, a, b) == Approx(expected / n).epsilon(1e-12));
    }
  const Eigen::MatrixXd e = expected_jaccards(40, {3, 7, 20});
  REQUIRE(e == e.transpose());
  REQUIRE(e(0, 2) == expected_jaccard(40, 20, 3));
}

TEST_CASE("the union of m random sets is that of enumeration, also without one of them") {
  const Array<int> sizes = {1, 1, 2, 4};
  const UnionChain chain(5, {{1, 2, 1}, {2, 1, 1}, {4, 1, 1}}, Runtime());
  require_equal(chain.all(), enumerate(5, sizes, union_size));
  const auto out = chain.each_left_out();
  REQUIRE(out.size() == 3);
  require_equal(out[0], enumerate(5, {1, 2, 4}, union_size));
  require_equal(out[1], enumerate(5, {1, 1, 4}, union_size));
  require_equal(out[2], enumerate(5, {1, 1, 2}, union_size));
}

TEST_CASE("empty and full sets have their place in unions") {
  require_equal(UnionChain(3, {{0, 3, 1}}, Runtime()).all(), {1.0, 0.0, 0.0, 0.0});
  require_equal(UnionChain(3, {{0, 1, 1}, {3, 2, 1}}, Runtime()).all(), {0.0, 0.0, 0.0, 1.0});
}

TEST_CASE("the count of one feature is Poisson-binomial, with multiplicities and one left out") {
  // Sizes 1 (twice), 3 of p = 4; the last set counts twice.
  const auto count = [](const Array<unsigned> &s) {
    return static_cast<int>((s[0] & 1) + (s[1] & 1) + 2 * (s[2] & 1));
  };
  const CountChain chain(4, {{1, 2, 1}, {3, 1, 2}}, Runtime());
  require_equal(chain.all(), enumerate(4, {1, 1, 3}, count));
  const auto out = chain.each_left_out();
  require_equal(out[0], {0.75 * 0.25, 0.25 * 0.25, 0.75 * 0.75, 0.25 * 0.75});
  require_equal(out[1], {0.75 * 0.75, 2 * 0.75 * 0.25, 0.25 * 0.25});
  require_equal(CountChain(4, {{4, 3, 1}}, Runtime()).all(), {0.0, 0.0, 0.0, 1.0});
}

TEST_CASE("the mean size of the union of many sets of a million features is the closed form") {
  const double p = 1e6;
  const WholeDistribution d = UnionChain(1000000, {{50, 40, 1}, {2000, 3, 1}}, Runtime()).all();
  double mean = 0.0;
  for (Index t = 0; t < d.prob.size(); ++t)
    mean += d.prob[t] * static_cast<double>(d.first + t);
  const double missed = std::pow(1 - 50 / p, 40) * std::pow(1 - 2000 / p, 3);
  REQUIRE(mean == Approx(p * (1 - missed)).epsilon(1e-11));
}

TEST_CASE("impossible sizes are refused, and a chain can be stopped") {
  REQUIRE_THROWS_AS(expected_jaccard(3, 4, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(UnionChain(3, {{-1, 1, 1}}, Runtime()), std::invalid_argument);
  REQUIRE_THROWS_AS(CountChain(3, {{1, -1, 1}}, Runtime()), std::invalid_argument);
  Runtime stopping;
  stopping.stop_requested = [] { return true; };
  const UnionChain chain(100, {{10, 5, 1}}, stopping);
  REQUIRE_THROWS_AS(chain.all(), Interrupted);
}
