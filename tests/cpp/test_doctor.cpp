#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/path/doctor.h>

#include <numeric>

using namespace stabilect;

namespace {

struct Data {
  Eigen::MatrixXd x{20, 5}, y{20, 1}, weights{20, 1};
  Array<int> positive;

  Data() {
    Rng rng(11, 0);
    for (Index i = 0; i < 20; ++i) {
      for (Index j = 0; j < 5; ++j)
        x(i, j) = rng.normal();
      const bool above = x(i, 1) + 0.3 * x(i, 3) + 0.2 * rng.normal() > 0.0;
      y(i, 0) = above ? 1.0 : -1.0;
      positive.push_back(above);
      weights(i, 0) = i % 4 == 0 ? 0.0 : 1.0 + static_cast<double>(i % 2);
    }
    // Varies, but not among the rows that are drawn.
    for (Index i = 0; i < 20; ++i)
      x(i, 4) = i % 4 == 0 ? static_cast<double>(i) : 7.0;
  }

  Doctor train(int max_steps, bool consider_all = false) const {
    return train_doctors(x, y, positive.data(), weights, Eigen::MatrixXd(20, 0),
                         {max_steps, consider_all})[0];
  }

  // `times`: how often each sample validates.
  Doctor validated(int max_steps, const Eigen::MatrixXd &times) const {
    return train_doctors(x, y, positive.data(), weights, times, {max_steps, false})[0];
  }
};

} // namespace

TEST_CASE("doctor: features that vary among the drawn rows are considered", "[doctor]") {
  const Data data;
  CHECK(data.train(3).considered == (Array<int>{0, 1, 2, 3}));
  CHECK(data.train(3, true).considered == (Array<int>{0, 1, 2, 3, 4}));
  CHECK(places(data.train(3), 5) == (Array<int>{0, 1, 2, 3, -1}));
}

TEST_CASE("doctor: the samples that validate are those named, as often as they are", "[doctor]") {
  const Data data;
  Eigen::MatrixXd left_out = Eigen::MatrixXd::Zero(20, 1), some = left_out;
  for (Index i = 0; i < 20; i += 4)
    left_out(i, 0) = 1.0;
  CHECK(data.validated(3, left_out).at_last.precision == data.train(3).at_last.precision);
  // A probability is above 0, so that everything is predicted: precision is the share of positives.
  some(0, 0) = 2.0;
  some(1, 0) = 1.0;
  const double share = (2.0 * data.positive[0] + data.positive[1]) / 3.0;
  CHECK(std::abs(data.validated(3, some).at_last.precision - share) < 1e-12);
}

TEST_CASE("doctor: every step that counts gives one point, shared by its features", "[doctor]") {
  const Data data;
  const Doctor doctor = data.train(3);
  REQUIRE_FALSE(doctor.failed);
  REQUIRE(doctor.set_end.size() == 3u);
  CHECK(doctor.sets[0] == 1);
  const Contribution sums = contribution(doctor, places(doctor, 5));
  CHECK(std::accumulate(sums.score.begin(), sums.score.end(), 0.0) == Approx(3.0));
  CHECK(std::accumulate(sums.frequency.begin(), sums.frequency.end(), 0.0) ==
        static_cast<double>(doctor.sets.size()));
  CHECK(sums.frequency[1] == 3.0);
}

TEST_CASE("doctor: global errors are the objective of the lasso at the end of a step", "[doctor]") {
  const Data data;
  const Doctor doctor = data.train(2);
  const double total = data.weights.sum(), y_mean = data.y.cwiseProduct(data.weights).sum() / total;
  CHECK(doctor.y_mean == Approx(y_mean));
  REQUIRE(doctor.global_errors.size() == doctor.path.n_steps());
  for (Index k = 0; k < doctor.global_errors.size(); ++k) {
    Eigen::VectorXd fitted = Eigen::VectorXd::Constant(20, y_mean);
    double norm = 0.0;
    for (int c = k ? doctor.path.coef_end[k - 1] : 0; c < doctor.path.coef_end[k]; ++c) {
      const Index at = c;
      fitted.array() += (data.x.col(doctor.path.coef_feature[at]).array() - doctor.center[at]) *
                        doctor.coefficient[at];
      norm += std::abs(doctor.coefficient[at]);
    }
    const double rss = (data.y - fitted).cwiseAbs2().cwiseProduct(data.weights).sum();
    CHECK(doctor.global_errors[k] ==
          Approx(rss / (2.0 * total) + doctor.path.lambda[k] * norm).epsilon(1e-10));
  }
}

TEST_CASE("doctor: validation counts the samples that were not drawn", "[doctor]") {
  const Data data;
  const Doctor doctor = data.train(1);
  REQUIRE(doctor.best == 1);
  const lrm::LogisticFit fit = lrm::fit_lrm(doctor.scores.data(), data.positive.data(), 20);
  CHECK(doctor.fit.slope == fit.slope);
  double found = 0.0, predicted = 0.0, positives = 0.0;
  for (Index i = 0; i < 20; i += 4) {
    // FeaLect takes every probability above zero for a positive.
    predicted += doctor.probabilities()[i] > 0.0;
    positives += data.positive[i];
    found += doctor.probabilities()[i] > 0.0 && data.positive[i];
  }
  CHECK(doctor.at_best.precision == found / predicted);
  CHECK(doctor.at_best.recall == found / positives);
}
