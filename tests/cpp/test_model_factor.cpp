#include "catch.h"

#include "path_oracle.h"
#include "stabilect/base/kernels.h"
#include "stabilect/likelihood/active_model.h"
#include "stabilect/likelihood/class_likelihood.h"

#include <cmath>

using namespace path_oracle;
using stabilect::ActiveModel;
using stabilect::AlignedBuffer;
using stabilect::Array;
using stabilect::ClassLikelihood;
using stabilect::Index;
using stabilect::LarsOptions;
using stabilect::Outcomes;
using stabilect::PackedMatrix;
using stabilect::PathColumns;
using stabilect::Rng;

namespace {

constexpr Index kWidth = 3, kFeatures = 9, kRows = 60;
constexpr double kLambda = 0.3;

// The second derivatives written out, next to the factor of them.
class Probe : public ActiveModel<ClassLikelihood> {
public:
  using Base = ActiveModel<ClassLikelihood>;
  using Base::Base;

  void open(const MatrixXd &blocks) {
    lambda_ = kLambda;
    for (int j = 0; j < kFeatures; ++j)
      enter(j, 1.0);
    for (Index a = 0; a < kFeatures; ++a)
      set(a, blocks.col(a));
    refresh();
    compute_score();
    bare_ = second_derivatives();
    factor();
  }
  void set(Index a, const VectorXd &z) { part(now_.coordinates, a) = z; }
  bool renew() { return renew_bends(); }
  void leave_out(Index a) {
    for (Index b = kWidth - 1; b >= 0; --b)
      factor_.remove((1 + a) * kWidth + b);
    drop(a);
    const Index at = (1 + a) * kWidth, behind = bare_.rows() - at - kWidth;
    bare_.middleRows(at, behind) = bare_.bottomRows(behind).eval();
    bare_.middleCols(at, behind) = bare_.rightCols(behind).eval();
    bare_.conservativeResize(at + behind, at + behind);
  }

  // How far the factor's solution is from that of the matrix with the bends of the present blocks.
  double error() {
    MatrixXd all = bare_;
    for (Index a = 0; a < n_active(); ++a) {
      const VectorXd z = block(a), u = z.norm() > 0.0 ? z.normalized() : VectorXd(pull(a));
      // A block at zero is given the length of its own Newton step.
      const Index at = (1 + a) * kWidth;
      const MatrixXd own = bare_.block(at, at, kWidth, kWidth);
      const double length = z.norm() > 0.0 ? z.norm() : part(score_, a).norm() / u.dot(own * u);
      all.block(at, at, kWidth, kWidth) +=
          kLambda / length * (MatrixXd::Identity(kWidth, kWidth) - u * u.transpose());
    }
    VectorXd b = VectorXd::LinSpaced(all.rows(), -1.0, 2.0);
    const VectorXd exact = all.ldlt().solve(b);
    solve_factor(b);
    return (b - exact).norm() / exact.norm();
  }

private:
  VectorXd pull(Index a) { return part(score_, a).normalized(); }

  // By differences of the residual, of which the score is the product with the columns.
  MatrixXd second_derivatives() {
    const Index m = n_coordinates();
    const VectorXd start = now_.coordinates;
    MatrixXd out(m, m);
    VectorXd up, down;
    for (Index k = 0; k < m; ++k) {
      const double step = 1e-5;
      now_.coordinates = start;
      now_.coordinates[k] += step;
      refresh();
      up.resize(n_blocks() * width_);
      multiply_columns(residual().data(), 0, up.data());
      now_.coordinates[k] -= 2.0 * step;
      refresh();
      down.resize(n_blocks() * width_);
      multiply_columns(residual().data(), 0, down.data());
      out.col(k) = (down - up) / (2.0 * step);
    }
    now_.coordinates = start;
    refresh();
    return out;
  }

  MatrixXd bare_; // without the bends
};

struct Case {
  PackedMatrix packed;
  VectorXd weights;
  PathColumns columns;
  ClassLikelihood likelihood;
  MatrixXd none;
  stabilect::FreeColumns free;
  Probe probe;

  Case(const MatrixXd &x, const Outcomes &outcomes)
      : packed(x, true), weights(VectorXd::Ones(kRows)),
        columns(packed, weights.data(), LarsOptions()), likelihood(outcomes, columns),
        none(kRows, 0), free(none, true, columns, stabilect::kernels(0)),
        probe(columns, likelihood, free, 1.0, stabilect::kernels(0)) {}
};

} // namespace

TEST_CASE("the factor follows the bends of the penalty") {
  Rng rng(21, 1);
  const MatrixXd x = normal_matrix(rng, kRows, kFeatures);
  Outcomes outcomes;
  outcomes.family = stabilect::Family::multinomial;
  outcomes.n_classes = kWidth + 1;
  outcomes.y.resize(kRows);
  for (Index i = 0; i < kRows; ++i)
    outcomes.y[i] = x(i, 4) > 0.7 ? 3.0 : x(i, 4) > 0.0 ? 2.0 : x(i, 4) > -0.7 ? 1.0 : 0.0;
  MatrixXd blocks = 0.3 * normal_matrix(rng, kWidth, kFeatures);
  blocks.col(4).setZero();
  Case one(x, outcomes);
  one.probe.open(blocks);
  REQUIRE(one.probe.error() < 1e-6);
  // One that grows, one that becomes short, and one that turns; later the same again.
  for (double grown : {3.0, 0.2}) {
    one.probe.set(2, grown * blocks.col(2));
    one.probe.set(7, blocks.col(7) / grown);
    REQUIRE(one.probe.error() > 1e-3);
    REQUIRE(one.probe.renew());
    REQUIRE(one.probe.error() < 1e-6);
  }
  one.probe.leave_out(1);
  REQUIRE(one.probe.error() < 1e-6);
  one.probe.set(5, VectorXd(-blocks.col(0)));
  REQUIRE(one.probe.renew());
  REQUIRE(one.probe.error() < 1e-6);
  // When most have changed, a new factor costs less.
  for (Index a = 0; a < 3; ++a)
    one.probe.set(a, 9.0 * blocks.col(a + 5));
  REQUIRE(!one.probe.renew());
}
