#include "catch.h"

#include <stabilect/score/trex.h>

#include <set>

#include "normals.h"

using namespace stabilect;

namespace {

Array<Index> all_rows(Index n) {
  Array<Index> rows(n);
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

} // namespace

TEST_CASE("T-Rex: orthogonal columns enter in the order of their products", "[trex]") {
  // Contrasts of eight rows, each orthogonal to the others and to a constant.
  Eigen::MatrixXd x(8, 3);
  x << 1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1;
  Eigen::MatrixXd y = x * Eigen::Vector3d(1.0, -3.0, 2.0);
  y(0, 0) += 0.1;
  const Array<Index> rows = all_rows(8);
  const TrexColumns columns(5e200 * x, rows), response(y, rows);
  TrexPath path(columns, response.column(0), 3, 0, Rng(1, 1));
  path.advance(1, Runtime());
  CHECK(path.order() == Array<Index>({1, 2, 0}));
  CHECK(path.before_dummy(1) == 3);
}

TEST_CASE("T-Rex: virtual dummies fill a path to its end, every column once", "[trex]") {
  for (Index n : {3, 4, 9, 30}) {
    const Array<Index> rows = all_rows(n);
    const TrexColumns columns(normals(n, 5, Rng(3, 1)), rows),
        response(normals(n, 1, Rng(3, 2)), rows);
    TrexPath path(columns, response.column(0), 5, 40, Rng(2, 7));
    path.advance(1000, Runtime());
    const std::set<Index> different(path.order().begin(), path.order().end());
    CHECK(different.size() == path.order().size());
    CHECK(path.order().size() == (n - 1));
  }
}

TEST_CASE("T-Rex: estimates by hand", "[trex]") {
  // Four experiments, three features, two dummies of which one has entered.
  TrexRates rates(4, 3, 2);
  rates.add(Eigen::Vector3i(4, 3, 1));
  CHECK(rates.n_levels() == 3);
  // (3 - 8 / 4) / 2 dummies = 1/2, over 7 / 4 of the two features above one half.
  const double share = 1.0 - 0.5 / 1.75;
  CHECK(rates.phi_prime()[0] == Approx(share));
  CHECK(rates.phi_prime()[1] == Approx(0.75 * share));
  CHECK(rates.fdp(0)[0] == Approx(1.0 - 0.875 * share));
  CHECK(rates.fdp(0)[2] == Approx(1.0 - share));
  CHECK(rates.choose(0.1).level == -1);
  CHECK(rates.choose(0.3).level == 2);
  CHECK(rates.choose(0.4).level == 0);
}

TEST_CASE("T-Rex: the features that explain a response, and an interrupt", "[trex]") {
  const Eigen::MatrixXd x = normals(40, 60, Rng(3, 4));
  const Eigen::MatrixXd y = 2.0 * x.col(3) - 2.0 * x.col(8) + 0.3 * normals(40, 1, Rng(3, 5));
  const Eigen::MatrixXi counts = Eigen::MatrixXi::Ones(40, 2);
  const auto runs = select_trex(x, y, counts, {1, 2}, TrexOptions());
  for (const TrexResult &run : runs)
    for (Index j = 0; j < 60; ++j)
      CHECK((run.phi[j] > run.level) == (j == 3 || j == 8));
  Runtime stopped;
  stopped.stop_requested = [] { return true; };
  CHECK_THROWS_AS(select_trex(x, y, counts, {1, 2}, TrexOptions(), stopped), Interrupted);
}
