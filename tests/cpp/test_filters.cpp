#include "catch.h"
#include "two_threads.h"

#include <stabilect/base/rng.h>
#include <stabilect/score/filters.h>
#include <stabilect/score/filters_rank.h>

using namespace stabilect;

namespace {

struct Data {
  Eigen::MatrixXd x;
  Array<int> codes;
  Eigen::VectorXd y;
  Eigen::MatrixXi counts;
};

Data make_data(Index n, Index p, Index n_runs, int n_classes) {
  Rng rng(5, 1);
  Data d{Eigen::MatrixXd(n, p), Array<int>(n), Eigen::VectorXd(n), Eigen::MatrixXi(n, n_runs)};
  for (Index i = 0; i < n; ++i) {
    d.codes[i] = static_cast<int>(i) % n_classes;
    d.y[i] = static_cast<double>(i % 2);
    for (Index j = 0; j < p; ++j)
      d.x(i, j) = 100.0 + rng.normal() + 0.3 * d.y[i];
    for (Index b = 0; b < n_runs; ++b)
      d.counts(i, b) = static_cast<int>(3.0 * rng.uniform());
  }
  return d;
}

// The pooled t of one feature, from its definition.
double pooled_t(const Data &d, Index j, Index b) {
  double n[2] = {}, mean[2] = {}, square = 0.0;
  for (Index i = 0; i < d.x.rows(); ++i) {
    n[d.codes[i]] += d.counts(i, b);
    mean[d.codes[i]] += d.counts(i, b) * d.x(i, j);
  }
  mean[0] /= n[0], mean[1] /= n[1];
  for (Index i = 0; i < d.x.rows(); ++i)
    square += d.counts(i, b) * std::pow(d.x(i, j) - mean[d.codes[i]], 2);
  return std::abs(mean[1] - mean[0]) /
         std::sqrt(square / (n[0] + n[1] - 2.0) * (1.0 / n[0] + 1.0 / n[1]));
}

// Every row as often as it counts.
Eigen::VectorXd repeat(const Eigen::VectorXd &values, const Eigen::VectorXi &counts) {
  Eigen::VectorXd out(counts.sum());
  Index at = 0;
  for (Index i = 0; i < counts.size(); ++i)
    for (int k = 0; k < counts[i]; ++k)
      out[at++] = values[i];
  return out;
}

double correlation(const Eigen::VectorXd &a, const Eigen::VectorXd &b) {
  const Eigen::VectorXd u = a.array() - a.mean(), v = b.array() - b.mean();
  return u.dot(v) / (u.norm() * v.norm());
}

Eigen::VectorXd mid_ranks(const Eigen::VectorXd &values) {
  Eigen::VectorXd out(values.size());
  for (Index i = 0; i < values.size(); ++i)
    out[i] = static_cast<double>((values.array() < values[i]).count()) +
             0.5 * static_cast<double>((values.array() == values[i]).count() + 1);
  return out;
}

} // namespace

TEST_CASE("filters: variance and correlations are their definitions", "[filters]") {
  Data d = make_data(21, 5, 7, 2);
  for (Index i = 0; i < 21; ++i) {
    d.y[i] = std::floor(0.4 * static_cast<double>(i)) + d.x(i, 0);
    d.x(i, 4) = std::floor(d.x(i, 4)); // with ties
  }
  const auto variance = score_filter(d.x, d.codes, 2, d.y, d.counts, Filter::variance);
  const auto pearson = score_filter(d.x, d.codes, 2, d.y, d.counts, Filter::pearson);
  const auto spearman = score_rank_filter(d.x, d.y, d.counts, RankFilter::spearman);
  for (Index b = 0; b < 7; ++b) {
    const Eigen::VectorXd y = repeat(d.y, d.counts.col(b));
    for (Index j = 0; j < 5; ++j) {
      const Eigen::VectorXd x = repeat(d.x.col(j), d.counts.col(b));
      const double squares = (x.array() - x.mean()).square().sum();
      CHECK(variance(j, b) == Approx(squares / static_cast<double>(x.size() - 1)).epsilon(1e-9));
      CHECK(pearson(j, b) == Approx(std::abs(correlation(x, y))).epsilon(1e-9));
      CHECK(std::abs(spearman(j, b)) ==
            Approx(std::abs(correlation(mid_ranks(x), mid_ranks(y)))).epsilon(1e-9));
    }
  }
}

TEST_CASE("filters: t is its definition, for odd numbers of features and runs", "[filters]") {
  for (Index p : {1, 2, 65, 130}) {
    const Data d = make_data(21, p, 11, 2);
    const auto score = score_filter(d.x, d.codes, 2, d.y, d.counts, Filter::t);
    const auto f = score_filter(d.x, d.codes, 2, d.y, d.counts, Filter::anova);
    for (Index b = 0; b < 11; ++b)
      for (Index j = 0; j < p; ++j) {
        CHECK(score(j, b) == Approx(pooled_t(d, j, b)).epsilon(1e-10));
        CHECK(f(j, b) == Approx(score(j, b) * score(j, b)).epsilon(1e-10));
      }
  }
}

TEST_CASE("filters: kernels of both widths have the same bits", "[filters]") {
  const Data d = make_data(30, 4, 8, 2);
  Array<double> panel(30 * 4), weights(30 * 8), narrow(32), wide(32);
  for (Index i = 0; i < 30; ++i) {
    for (Index c = 0; c < 4; ++c)
      panel[i * 4 + c] = d.x(i, c);
    for (Index b = 0; b < 8; ++b)
      weights[i * 8 + b] = d.counts(i, b);
  }
  filter_detail::panel_sums(16)(panel.data(), weights.data(), 30, narrow.data());
  filter_detail::panel_sums()(panel.data(), weights.data(), 30, wide.data());
  CHECK(narrow == wide);
}

TEST_CASE("filters: threads and other runs change no bit", "[filters]") {
  const Data d = make_data(24, 200, 10, 3);
  for (Filter filter : {Filter::anova, Filter::variance, Filter::pearson}) {
    const auto serial = score_filter(d.x, d.codes, 3, d.y, d.counts, filter);
    CHECK((score_filter(d.x, d.codes, 3, d.y, d.counts, filter, two_threads()) == serial));
    const Eigen::MatrixXi one = d.counts.col(9);
    CHECK((score_filter(d.x, d.codes, 3, d.y, one, filter) == serial.col(9)));
  }
  const auto serial = score_rank_filter(d.x, d.y, d.counts, RankFilter::wilcoxon);
  CHECK((score_rank_filter(d.x, d.y, d.counts, RankFilter::wilcoxon, two_threads()) == serial));
}

TEST_CASE("filters: what has no spread scores 0 or the cut", "[filters]") {
  Data d = make_data(12, 3, 2, 2);
  d.counts.setOnes();
  d.x.col(0).setConstant(0.1);
  for (Index i = 0; i < 12; ++i)
    d.x(i, 1) = d.codes[i] ? 0.7 : 0.1;
  d.counts.col(1).setZero();
  const auto score = score_filter(d.x, d.codes, 2, d.y, d.counts, Filter::t);
  CHECK(score(0, 0) == 0.0);
  CHECK(score(1, 0) == kLargestRatio);
  CHECK(score.col(1).isZero(0.0));
  CHECK_THROWS_AS(score_filter(d.x, d.codes, 3, d.y, d.counts, Filter::t), std::invalid_argument);
}
