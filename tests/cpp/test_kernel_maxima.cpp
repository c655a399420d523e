#include "catch.h"

#include <stabilect/signal/kernel_maxima.h>

#include "normals.h"
#include "two_threads.h"

using namespace stabilect;

namespace {

// A response that follows the square of the second feature, and null draws.
struct Case {
  Eigen::MatrixXd x = normals(24, 10, 1);
  Eigen::VectorXd y = x.col(1).array().square();
  NullDraws draws = NullDraws::permutations(Array<int>(24, 0), 99, 5);

  Dependence found(const Runtime &runtime) const {
    Passes passes(runtime, {1.0, 1.0});
    return kernel_evidence(x, y, draws, passes);
  }
};

} // namespace

TEST_CASE("the middle distance is that of a list of all", "[signal]") {
  for (Index n : {2, 3, 4, 17, 200, 401}) {
    for (double grid : {0.0, 0.01, 1.0, 5.0}) { // values on a grid have equal distances
      Eigen::VectorXd v = normals(n, 1, static_cast<int>(n)).col(0);
      if (grid > 0.0)
        v = (v / grid).array().round() * grid;
      Array<double> all;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < i; ++j)
          all.push_back(std::fabs(v[i] - v[j]));
      std::sort(all.begin(), all.end());
      CHECK(signal_detail::middle_distance(v.data(), n) == all[all.size() / 2]);
    }
  }
}

TEST_CASE("the dependent feature is the most similar, with the smallest p", "[signal]") {
  const Dependence found = Case().found(Runtime());
  Index largest;
  found.statistic.maxCoeff(&largest);
  REQUIRE(largest == 1);
  REQUIRE(found.adjusted_p[1] == found.global_p);
  REQUIRE(found.global_p == Approx(0.01));
  REQUIRE(found.statistic.maxCoeff() <= 1.0);
}

TEST_CASE("a response is as similar to itself as can be, whatever its unit", "[signal]") {
  Case one;
  one.y = 1e6 * one.x.col(3).array() - 5.0;
  REQUIRE(one.found(Runtime()).statistic[3] == Approx(1.0));
}

TEST_CASE("a constant feature has no similarity and no small p", "[signal]") {
  Case one;
  one.x.col(2).setConstant(3.0);
  const Dependence found = one.found(Runtime());
  REQUIRE(found.statistic[2] == 0.0);
  REQUIRE(found.adjusted_p[2] == 1.0);
}

TEST_CASE("dependence has the same bits on two threads", "[signal]") {
  const Case one;
  const Dependence serial = one.found(Runtime()), parallel = one.found(two_threads());
  REQUIRE(serial.statistic == parallel.statistic);
  REQUIRE(serial.adjusted_p == parallel.adjusted_p);
}

TEST_CASE("an interrupt during the search for dependence ends it", "[signal]") {
  Runtime runtime;
  runtime.stop_requested = [] { return true; };
  REQUIRE_THROWS_AS(Case().found(runtime), Interrupted);
}
