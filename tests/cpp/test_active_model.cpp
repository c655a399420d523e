#include "catch.h"

#include "path_oracle.h"
#include "stabilect/base/kernels.h"
#include "stabilect/likelihood/active_model.h"
#include "stabilect/likelihood/class_likelihood.h"
#include "stabilect/likelihood/run_likelihood.h"

#include <cmath>

using namespace path_oracle;
using stabilect::ActiveModel;
using stabilect::Family;
using stabilect::Index;
using stabilect::LarsOptions;
using stabilect::Outcomes;
using stabilect::PackedMatrix;
using stabilect::PathColumns;
using stabilect::Rng;

namespace {

// A model without features at half the penalty at which the first feature would enter.
template <typename Likelihood> void admit_first(const Outcomes &outcomes, const MatrixXd &x) {
  const PackedMatrix packed(x, true);
  const VectorXd weights = VectorXd::Ones(x.rows());
  PathColumns columns(packed, weights.data(), LarsOptions());
  Likelihood likelihood(outcomes, columns);
  const stabilect::Kernels &kernels = stabilect::kernels(0);
  const MatrixXd none(x.rows(), 0);
  stabilect::FreeColumns free(none, true, columns, kernels);
  ActiveModel<Likelihood> model(columns, likelihood, free, 1.0, kernels);
  model.set_tolerance(1e-6);
  model.set_floor(1000.0 * model.residual_norm());
  REQUIRE(model.solve_free());
  model.set_floor(model.residual_norm());
  const double product = model.product(0), lambda = 0.5 * std::abs(product);
  REQUIRE(lambda > 0.1);
  model.begin(lambda);
  REQUIRE(model.solved());
  model.admit({{0, product}});
  // Were it small still, a step that fails would end in a model without the feature.
  REQUIRE(std::abs(model.score() - lambda) < 1e-9 * lambda);
  REQUIRE(!model.nearly_solved());
  while (!model.solved())
    REQUIRE(model.step());
  REQUIRE(model.block(0).norm() > 0.0);
}

} // namespace

TEST_CASE("a feature that enters counts in the score at once") {
  Rng rng(12, 1);
  const MatrixXd x = normal_matrix(rng, 60, 5);
  Outcomes outcomes;
  outcomes.y.resize(60);
  for (Index i = 0; i < 60; ++i)
    outcomes.y[i] = x(i, 0) + 2.0 * rng.uniform() > 1.0;
  outcomes.family = Family::binomial;
  admit_first<stabilect::RunLikelihood>(outcomes, x);
  for (Index i = 0; i < 60; ++i)
    outcomes.y[i] += x(i, 0) > 0.5;
  outcomes.family = Family::multinomial;
  outcomes.n_classes = 3;
  admit_first<stabilect::ClassLikelihood>(outcomes, x);
}
