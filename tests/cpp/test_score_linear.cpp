#include "catch.h"

#include "two_threads.h"

#include <stabilect/base/rng.h>
#include <stabilect/eliminate/score_linear.h>

#include <algorithm>

using namespace stabilect;

TEST_CASE("linear scores: elimination ranks all features once", "[score_linear]") {
  Rng rng(3, 53);
  Eigen::MatrixXd x(20, 33);
  Array<int> codes;
  for (Index i = 0; i < 20; ++i) {
    codes.push_back(i % 3 == 0);
    for (Index j = 0; j < 33; ++j)
      x(i, j) = rng.normal() + (i % 3 == 0 ? 0.4 : -0.4);
  }
  Eigen::MatrixXi counts = Eigen::MatrixXi::Ones(20, 2);
  counts.col(1).tail(10).setConstant(2);
  LinearOptions options;
  LinearScoring scoring;
  scoring.eliminate = true;
  for (double share : {0.0, 0.2, 0.9}) {
    scoring.share = share;
    Eigen::MatrixXd score = score_linear(x, codes, 2, counts, options, scoring);
    for (Index b = 0; b < 2; ++b) {
      std::sort(score.col(b).data(), score.col(b).data() + 33);
      for (Index j = 0; j < 33; ++j)
        CHECK(score(j, b) == static_cast<double>(j + 1));
    }
  }
  options.penalty = 0.0;
  CHECK_THROWS_AS(score_linear(x, codes, 2, counts, options, scoring), std::invalid_argument);
  options.penalty = 1.0;
  scoring.share = 1.0;
  CHECK_THROWS_AS(score_linear(x, codes, 2, counts, options, scoring), std::invalid_argument);
}

TEST_CASE("linear scores: threads change no bit, runs of one class score 0", "[score_linear]") {
  Rng rng(4, 1);
  Eigen::MatrixXd x(18, 50);
  Array<int> codes;
  Eigen::MatrixXi counts(18, 5);
  for (Index i = 0; i < 18; ++i) {
    codes.push_back(static_cast<int>(i % 3));
    for (Index j = 0; j < 50; ++j)
      x(i, j) = rng.normal() + 0.5 * static_cast<double>(i % 3);
    for (Index b = 0; b < 5; ++b)
      counts(i, b) = b == 4 ? i % 3 == 1 : static_cast<int>((i / 3 + b) % 3);
  }
  for (LinearLoss loss : {LinearLoss::squared_hinge, LinearLoss::hinge, LinearLoss::logistic}) {
    LinearOptions options;
    options.loss = loss;
    options.free_intercept = loss == LinearLoss::logistic;
    for (bool eliminate : {false, true}) {
      LinearScoring scoring;
      scoring.eliminate = eliminate;
      const Eigen::MatrixXd serial = score_linear(x, codes, 3, counts, options, scoring);
      CHECK(serial == score_linear(x, codes, 3, counts, options, scoring, two_threads()));
      CHECK(serial.col(4).isZero(0.0));
      CHECK(serial.leftCols(4).minCoeff() > 0.0);
    }
  }
}
