#include "catch.h"
#include "two_threads.h"

#include <stabilect/base/rng.h>
#include <stabilect/score/filters_cox.h>

#include <set>

using namespace stabilect;

namespace {

struct Data {
  Eigen::MatrixXd x;
  Eigen::VectorXd time;
  Array<int> event;
  Eigen::MatrixXi counts;
};

// Times are whole numbers, so that many are equal.
Data make_data(Index n, Index p, Index n_runs) {
  Rng rng(9, 1);
  Data d{Eigen::MatrixXd(n, p), Eigen::VectorXd(n), Array<int>(n), Eigen::MatrixXi(n, n_runs)};
  for (Index i = 0; i < n; ++i) {
    d.time[i] = 1.0 + std::floor(10.0 * rng.uniform());
    d.event[i] = rng.uniform() < 0.6;
    for (Index j = 0; j < p; ++j)
      d.x(i, j) = 100.0 + rng.normal() - 0.1 * d.time[i];
    for (Index b = 0; b < n_runs; ++b)
      d.counts(i, b) = static_cast<int>(3.0 * rng.uniform());
  }
  return d;
}

// From the definition: at every step of every time with events, mean and variance of those at risk.
double cox_z(const Data &d, Index j, Index b) {
  double score = 0.0, variance = 0.0;
  const std::set<double> times(d.time.data(), d.time.data() + d.time.size());
  for (double t : times) {
    Eigen::VectorXd own = Eigen::VectorXd::Zero(d.x.rows()), risk = own;
    double m = 0.0;
    for (Index i = 0; i < d.x.rows(); ++i)
      if (d.time[i] >= t) {
        risk[i] = d.counts(i, b);
        own[i] = d.time[i] == t && d.event[i] ? risk[i] : 0.0;
        m += own[i] > 0.0;
      }
    for (double l = 0.0; l < m; l += 1.0) {
      const Eigen::VectorXd left = risk - l / m * own;
      const double mean = left.dot(d.x.col(j)) / left.sum();
      const Eigen::ArrayXd apart = d.x.col(j).array() - mean;
      score += own.dot(d.x.col(j)) / m - own.sum() / m * mean;
      variance += own.sum() / m * (left.array() * apart.square()).sum() / left.sum();
    }
  }
  return variance > 0.0 ? std::abs(score) / std::sqrt(variance) : 0.0;
}

} // namespace

TEST_CASE("cox: the score is its definition, for odd numbers of features and runs", "[cox]") {
  for (Index p : {1, 2, 65}) {
    const Data d = make_data(23, p, 11);
    const auto score = score_cox(d.x, d.time, d.event, d.counts);
    for (Index b = 0; b < 11; ++b)
      for (Index j = 0; j < p; ++j)
        CHECK(score(j, b) == Approx(cox_z(d, j, b)).epsilon(1e-9));
  }
}

TEST_CASE("cox: a feature that hardly varies in a run beside one sample outside", "[cox]") {
  Data d = make_data(23, 3, 4);
  d.counts.row(5).setZero();
  d.x.row(5).setConstant(1e6);
  const auto score = score_cox(d.x, d.time, d.event, d.counts);
  for (Index b = 0; b < 4; ++b)
    for (Index j = 0; j < 3; ++j)
      CHECK(score(j, b) == Approx(cox_z(d, j, b)).epsilon(1e-6));
}

TEST_CASE("cox: martingale residuals of a run add up to nothing", "[cox]") {
  const Data d = make_data(23, 1, 11);
  const cox_detail::Runs runs(d.time, d.event, d.counts);
  for (Index b = 0; b < 11; ++b) {
    double sum = 0.0;
    for (Index i = 0; i < runs.n; ++i) {
      const double *of_row = runs.tile(b / cox_detail::kTile) +
                             i * cox_detail::kTile * cox_detail::kTables + b % cox_detail::kTile;
      sum += of_row[cox_detail::kTile];
      CHECK(of_row[2 * cox_detail::kTile] >= 0.0); // count times hazard
    }
    CHECK(std::abs(sum) < 1e-12);
  }
}

TEST_CASE("cox: kernels of both widths have the same bits", "[cox]") {
  Rng rng(4, 2);
  Array<double> x(2 * 30), tables(30 * 8 * 4), narrow(48), wide(48);
  for (double &value : x)
    value = rng.normal();
  for (double &value : tables)
    value = rng.normal();
  STABILECT_AT_WIDTH(16, cox_sums)(x.data(), tables.data(), 30, narrow.data());
  STABILECT_AT_WIDTH(0, cox_sums)(x.data(), tables.data(), 30, wide.data());
  CHECK(narrow == wide);
}

TEST_CASE("cox: threads and other runs change no bit", "[cox]") {
  const Data d = make_data(24, 200, 10);
  const auto serial = score_cox(d.x, d.time, d.event, d.counts);
  CHECK((score_cox(d.x, d.time, d.event, d.counts, two_threads()) == serial));
  const Eigen::MatrixXi one = d.counts.col(9);
  CHECK((score_cox(d.x, d.time, d.event, one) == serial.col(9)));
}

TEST_CASE("cox: constant features, runs without events and empty runs score 0", "[cox]") {
  Data d = make_data(20, 3, 3);
  d.counts.setOnes();
  d.x.col(0).setConstant(0.1);
  d.x(19, 1) = 1e9; // out of the bag of run 1, in which the feature is constant
  d.x.col(1).head(19).setConstant(0.1);
  d.counts(19, 1) = 0;
  for (Index i = 0; i < 20; ++i)
    d.counts(i, 2) = d.event[i] ? 0 : 1;
  const auto score = score_cox(d.x, d.time, d.event, d.counts);
  CHECK(score.row(0).isZero(0.0));
  CHECK(score(1, 1) == 0.0);
  CHECK(score.col(2).isZero(0.0));
  CHECK(score(2, 0) > 0.0);
  const Array<int> few(3);
  CHECK_THROWS_AS(score_cox(d.x, d.time, few, d.counts), std::invalid_argument);
}
