#include "catch.h"

#include <stabilect/signal/find_signals.h>

#include "normals.h"
#include "two_threads.h"

using namespace stabilect;

TEST_CASE("names are the features whose neighbourhood carries signal in most models", "[signal]") {
  SignalData data;
  const Index m = 30;
  data.x = normals(m, 8, 1);
  data.x.col(1) = data.x.col(0) + 0.3 * data.x.col(1); // neighbours of 0, and of each other
  data.x.col(2) = data.x.col(0) + 0.3 * data.x.col(2);
  data.x = data.x.colwise().normalized().eval();
  data.y = normals(m, 1, 2).col(0);
  data.x_norm = Eigen::VectorXd::Ones(8);
  SparsePosterior posterior;
  posterior.chains.resize(2);
  posterior.chains[0].states = {{0}, {1, 5}, {2, 5}, {0, 5}, {1}};
  posterior.chains[1].states = {{1}, {1}, {0, 5}, {0, 5}, {}};
  for (ChainRecord &chain : posterior.chains)
    chain.inclusion = {0.45, 0.4, 0.1, 0.0, 0.0, 0.5, 0.0, 0.0};
  posterior.chains[0].background = 0.5;
  const NeighbourNames names = neighbour_names(unit_columns(data), data.p(), posterior);
  REQUIRE(names.named.size() == 1);
  REQUIRE(names.named[0].feature == 0);
  REQUIRE(names.named[0].probability == Approx(0.9)); // 5 of 5 and 4 of 5 models
  REQUIRE(names.named[0].error == Approx(0.1));
  REQUIRE(names.shown.size() == 1);
  REQUIRE(names.shown[0].feature == 5);
  REQUIRE(names.shown[0].probability == Approx(0.5));
  REQUIRE(names.shared[0].features == Array<int>({0, 1, 2}));
  REQUIRE(names.shared[0].share[1] == Approx(4.0 / 9.0));
  REQUIRE(names.inclusion[5] == Approx(0.5));
  REQUIRE(names.background.probability == Approx(0.25));
  // Of two near names a feature belongs to the nearer one; here none is left beside 0.
  NamingOptions options;
  options.near = 0.99;
  REQUIRE(neighbour_names(unit_columns(data), data.p(), posterior, options).named.empty());
}

TEST_CASE("the posterior does not depend on threads, and can be interrupted", "[signal]") {
  const Index n = 30, p = 50;
  Eigen::MatrixXd x = normals(n, p, 1);
  x.col(6).setConstant(1.0);
  const Eigen::VectorXd y = 2.0 * x.col(9) + normals(n, 1, 2).col(0);
  const Eigen::MatrixXd z = Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(1.0 * n));
  const SignalData data = signal_data(x, y, z);
  ChainLength length;
  length.burn = 50, length.keep = 100;
  const auto run = [&](const Runtime &runtime, bool classes) {
    Passes passes(runtime);
    const SparsePrior prior = classes ? SparsePrior::for_classes(n) : SparsePrior::for_numbers();
    return sparse_posterior(data, z, y, prior, length, 5, passes);
  };
  for (bool classes : {false, true}) {
    const SparsePosterior one = run(Runtime(), classes), two = run(two_threads(), classes);
    for (Index c = 0; c < 4; ++c) {
      REQUIRE(one.chains[c].states == two.chains[c].states);
      REQUIRE(one.chains[c].inclusion == two.chains[c].inclusion);
      REQUIRE(one.chains[c].inclusion[6] == 0.0);
      REQUIRE(one.chains[c].inclusion[9] > 0.25); // short, from the empty model
    }
    REQUIRE(one.chains[0].inclusion != one.chains[1].inclusion);
  }
  int asked = 0;
  Runtime runtime;
  runtime.stop_requested = [&] { return ++asked > 70; };
  REQUIRE_THROWS_AS(run(runtime, false), Interrupted);
}
