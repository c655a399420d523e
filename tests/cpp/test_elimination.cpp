#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/eliminate/elimination.h>

#include <numeric>

using namespace stabilect;

TEST_CASE("elimination: sizes fall by a share, and by one at least", "[elimination]") {
  CHECK(sizes_by_share(10, 0.2, 1) == Array<int>({10, 8, 7, 6, 5, 4, 3, 2}));
  CHECK(sizes_by_share(10, 0.2, 7) == Array<int>({10, 8}));
  CHECK(sizes_by_share(5, 0.0, 2) == Array<int>({5, 4, 3}));
  CHECK(sizes_by_share(3, 0.5, 3).empty());
}

TEST_CASE("elimination: what is kept stays, in its order", "[elimination]") {
  const Index n = 16, p = 30;
  Rng rng(2, 7);
  Eigen::MatrixXd x(n, p);
  Array<int> codes, columns(p);
  std::iota(columns.begin(), columns.end(), 0);
  for (Index i = 0; i < n; ++i) {
    codes.push_back(static_cast<int>(i % 2));
    for (Index j = 0; j < p; ++j)
      x(i, j) = rng.normal();
  }
  // Their columns are nearly nothing, so that they would go first.
  Eigen::VectorXd factors = Eigen::VectorXd::Ones(p);
  factors[20] = factors[3] = 1e-6;
  const LinearSamples samples(x, Eigen::VectorXd::Ones(n), columns, factors, Scaling::sd);
  EliminationPlan plan;
  plan.sizes = sizes_by_share(static_cast<int>(p), 0.3, 4);
  plan.last = 4;
  plan.kept = {20, 3};
  Elimination elimination(samples, codes, 2, LinearOptions(), plan);
  Index visits = 0;
  elimination.run([&](Index s, Index next) {
    const Array<int> &ranking = elimination.ranking();
    CHECK(ranking.size() == plan.sizes[s]);
    CHECK((ranking[0] == 20 && ranking[1] == 3));
    for (Index k = next; k < ranking.size(); ++k)
      for (Index l = 2; l < next; ++l)
        CHECK(elimination.importance(ranking[l]) >= elimination.importance(ranking[k]));
    // The fit of its own, on a matrix of products made for it.
    Machines alone(samples, codes, 2, LinearOptions());
    ProductMatrix products(samples);
    products.renew(elimination.active().data(), elimination.active().size());
    alone.fit_products(elimination.active(), products.matrix());
    const Eigen::VectorXd squares = alone.squares(elimination.active().size());
    for (Index k = 0; k < elimination.active().size(); ++k)
      CHECK(elimination.importance(elimination.active()[k]) ==
            Approx(squares[k]).epsilon(1e-8).margin(1e-14));
    ++visits;
  });
  CHECK(visits == plan.sizes.size());
  CHECK(elimination.active().size() == 4);
}
