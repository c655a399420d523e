#include "catch.h"

#include <stabilect/path/lrm.h>

using namespace stabilect;

namespace {

lrm::LogisticFit fit(const Array<double> &x, const Array<int> &positive) {
  return lrm::fit_lrm(x.data(), positive.data(), x.size());
}

} // namespace

// Coefficients of rms::lrm() 6.5-0.
TEST_CASE("lrm: coefficients are those at which lrm() stops") {
  const lrm::LogisticFit overlapping =
      fit({1, 0.9, 0.8, 0.2, 0.1, 0.1, 0.7, 0.2, 0.6}, {1, 1, 0, 0, 0, 1, 1, 0, 0});
  CHECK(overlapping.status == lrm::FitStatus::ok);
  CHECK(overlapping.intercept == Approx(-1.696403265949850).epsilon(1e-12));
  CHECK(overlapping.slope == Approx(2.783463439859608).epsilon(1e-12));
  const lrm::LogisticFit nearly = fit({-2, -1, -0.5, 0.1, 0.2, 1, 2, 3}, {0, 0, 0, 1, 0, 1, 1, 1});
  CHECK(nearly.intercept == Approx(-0.7410500113377927).epsilon(1e-12));
  CHECK(nearly.slope == Approx(4.5361683439313714).epsilon(1e-12));
}

TEST_CASE("lrm: separated classes end where the deviance has stopped to change") {
  const lrm::LogisticFit separated = fit({1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 1, 1});
  CHECK(separated.status == lrm::FitStatus::ok);
  CHECK(separated.intercept == Approx(-51.21852845869452).epsilon(1e-10));
  CHECK(separated.slope == Approx(14.63386527391275).epsilon(1e-10));
}

TEST_CASE("lrm: a constant predictor has no coefficients") {
  CHECK(fit({2, 2, 2, 2}, {0, 1, 0, 1}).status == lrm::FitStatus::singular);
}

TEST_CASE("lrm: probabilities do not overflow") {
  lrm::LogisticFit steep;
  steep.slope = 1e4;
  CHECK(lrm::probability(steep, 1.0) == 1.0);
  CHECK(lrm::probability(steep, -1.0) == 0.0);
  CHECK(lrm::probability(steep, 0.0) == 0.5);
}

TEST_CASE("lrm: a predictor of zeros has no coefficients") {
  CHECK(fit({0, 0, 0, 0}, {0, 1, 0, 1}).status == lrm::FitStatus::singular);
  CHECK_FALSE(lrm::Information(1.0, 0.0, 0.0).factorise());
}

TEST_CASE("lrm: the deviance of many samples does not underflow") {
  const Array<double> x(3000, 1.0);
  const Array<int> positive(3000, 1);
  const lrm::Likelihood at_zero(x.data(), positive.data(), x.size(), 0.0, 0.0);
  CHECK(at_zero.deviance == Approx(6000.0 * std::log(2.0)));
}

// Coefficients of the same rule written in R, with solve().
TEST_CASE("lrm: a step after which the deviance is larger is taken back by half") {
  const lrm::LogisticFit halved =
      fit({5, 1, 78, 5, 9, 1, 93, 6, 5, 3, 2}, {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1});
  CHECK(halved.status == lrm::FitStatus::ok);
  CHECK(halved.intercept == Approx(79.35021003547368).epsilon(1e-9));
  CHECK(halved.slope == Approx(-0.928654035997588).epsilon(1e-9));
}
