#include "catch.h"
#include "two_threads.h"

#include <stabilect/select/three_segment_runs.h>

#include <cmath>
#include <limits>

using namespace stabilect;

namespace {

Eigen::VectorXd sorted_noise(Index m, std::uint64_t stream, bool normal) {
  Rng rng(99, stream);
  Eigen::VectorXd v(m);
  for (Index i = 0; i < m; ++i)
    v[i] = normal ? rng.normal() : rng.uniform();
  std::sort(v.data(), v.data() + m);
  return v;
}

Eigen::VectorXd curve(Index m, Index a, Index b, double c2, double c3) {
  Eigen::VectorXd v(m);
  for (Index t = 1; t <= m; ++t) {
    const double below = static_cast<double>(std::max<Index>(a - t, 0));
    const double above = static_cast<double>(std::max<Index>(t - b, 0));
    v[t - 1] = 0.5 + 0.01 * static_cast<double>(t) + c2 * below * below + c3 * above * above;
  }
  return v;
}

// Pivoted QR on the plain basis: shares no formula with the search.
double residual_ss(const Eigen::VectorXd &v, Index a, Index b) {
  const Index m = v.size();
  Eigen::MatrixXd basis(m, 4);
  for (Index t = 1; t <= m; ++t) {
    const double below = static_cast<double>(std::max<Index>(a - t, 0));
    const double above = static_cast<double>(std::max<Index>(t - b, 0));
    basis.row(t - 1) << 1.0, static_cast<double>(t), below * below, above * above;
  }
  return (v - basis * basis.colPivHouseholderQr().solve(v)).squaredNorm();
}

struct SparseRuns {
  Array<int> feature, start{0};
  Array<double> score;
  Index n_total = 30;

  SparseRuns() {
    for (std::uint64_t run = 0; run < 20; ++run) {
      Rng rng(5, run);
      for (int f = 0; f < n_total; ++f) {
        const double strength = std::exp(0.1 * f + (f > 26 ? 1.0 * (f - 26) : 0.0));
        if (rng.uniform() < 0.4)
          continue;
        feature.push_back(f);
        score.push_back(strength * (0.5 + rng.uniform()));
      }
      start.push_back(static_cast<int>(feature.size()));
    }
  }
  RunScores view() const {
    RunScores runs;
    runs.n_total = n_total;
    runs.n_runs = start.size() - 1;
    runs.feature = feature.data();
    runs.start = start.data();
    runs.score = score.data();
    return runs;
  }
};

} // namespace

TEST_CASE("three segments: no pair of knots fits better", "[three_segment]") {
  for (Index m : {8, 11, 40}) {
    for (std::uint64_t stream = 0; stream < 6; ++stream) {
      const Eigen::VectorXd v = sorted_noise(m, stream, stream % 2 == 0);
      const ThreeSegmentResult fit = fit_three_segment(v);
      double best = std::numeric_limits<double>::infinity();
      for (Index a = 1; a <= m; ++a)
        for (Index b = a; b <= m; ++b)
          best = std::min(best, residual_ss(v, a, b));
      CHECK(fit.rss == Approx(best).epsilon(1e-10));
      CHECK(residual_ss(v, fit.lower_knot, fit.upper_knot) == Approx(best).epsilon(1e-10));
    }
  }
}

TEST_CASE("three segments: blocks that are not looked at hold nothing better", "[three_segment]") {
  namespace impl = three_segment_detail;
  for (std::uint64_t stream = 0; stream < 12; ++stream) {
    const Index m = 90 + 50 * stream;
    const Eigen::VectorXd v = sorted_noise(m, stream, stream % 3 != 0);
    const Eigen::VectorXd residual = impl::fit_at(v, {0, m - 1}).residual;
    const impl::Search search(v, residual, stream % 2 == 0 ? 1 : 7);
    double most = 0.0;
    Array<double> rows;
    for (Index a = 0; a < m; ++a) {
      rows.push_back(search.best_of_row(a, a, m - a));
      most = std::max(most, rows.back());
    }
    const double total = residual.squaredNorm(), tie = 1e-12 * total;
    const Array<double> pruned = impl::best_of_rows(search, total, tie, Runtime());
    CHECK(*std::max_element(pruned.begin(), pruned.end()) == most);
    for (Index a = 0; a < rows.size(); ++a) {
      CHECK(pruned[a] <= rows[a]);
      CHECK((pruned[a] >= most - tie) == (rows[a] >= most - tie));
    }
  }
}

TEST_CASE("three segments: planted knots come back, on long curves too", "[three_segment]") {
  const Index cases[][3] = {{30, 8, 25}, {500, 2, 499}, {8000, 1500, 7900}};
  for (const auto &c : cases) {
    const ThreeSegmentResult fit = fit_three_segment(curve(c[0], c[1], c[2], -1e-5, 2e-3));
    CHECK(fit.lower_knot == c[1]);
    CHECK(fit.upper_knot == c[2]);
    CHECK(fit.status == BendStatus::bends_up);
    CHECK(fit.n_informative == c[0] - c[2]);
    CHECK(fit.threshold() == Approx(0.5 + 0.01 * static_cast<double>(c[2])).epsilon(1e-9));
  }
}

TEST_CASE("three segments: threads change no bit", "[three_segment]") {
  const Eigen::VectorXd v = sorted_noise(700, 3, true);
  const ThreeSegmentResult one = fit_three_segment(v);
  const ThreeSegmentResult two = fit_three_segment(v, ThreeSegmentOptions(), two_threads());
  CHECK(one.lower_knot == two.lower_knot);
  CHECK(one.upper_knot == two.upper_knot);
  CHECK(one.rss == two.rss);
  CHECK(one.coefficients == two.coefficients);
}

TEST_CASE("three segments: the smallest segment is kept", "[three_segment]") {
  ThreeSegmentOptions options;
  options.min_segment = 5;
  for (std::uint64_t stream = 0; stream < 10; ++stream) {
    const Index m = 50;
    const ThreeSegmentResult fit = fit_three_segment(sorted_noise(m, stream, true), options);
    const Index below = fit.lower_knot - 1, above = m - fit.upper_knot;
    CHECK((below == 0 || below >= 5));
    CHECK((above == 0 || above >= 5));
  }
}

TEST_CASE("three segments: what cannot be judged has a status", "[three_segment]") {
  CHECK(fit_three_segment(Eigen::VectorXd()).status == BendStatus::too_few_points);
  CHECK(fit_three_segment(sorted_noise(7, 0, true)).status == BendStatus::too_few_points);
  CHECK(fit_three_segment(sorted_noise(7, 0, true)).rss_no_upper == 0.0);
  CHECK(fit_three_segment(curve(60, 1, 40, 0.0, -1e-4)).n_informative == 0);
  CHECK(fit_three_segment(Eigen::VectorXd::Constant(20, -3.0)).status == BendStatus::all_equal);
  const ThreeSegmentResult line = fit_three_segment(curve(60, 1, 60, 0.0, 0.0));
  CHECK(line.status == BendStatus::straight);
  CHECK(line.lower_knot == 1);
  CHECK(line.upper_knot == 60);
  CHECK(fit_three_segment(curve(60, 1, 40, 0.0, -1e-4)).status == BendStatus::bends_down);
  CHECK(fit_three_segment(curve(60, 20, 60, -1e-4, 0.0)).n_informative == 0);
  Eigen::VectorXd down = curve(20, 1, 20, 0.0, 0.0).reverse();
  CHECK_THROWS_AS(fit_three_segment(down), std::invalid_argument);
  down.setConstant(std::numeric_limits<double>::quiet_NaN());
  CHECK_THROWS_AS(fit_three_segment(down), std::invalid_argument);
  ThreeSegmentOptions none;
  none.min_segment = 0;
  CHECK_THROWS_AS(fit_three_segment(curve(60, 1, 60, 0.0, 0.0), none), std::invalid_argument);
}

TEST_CASE("three segments: equal values stay on one side of the upper knot", "[three_segment]") {
  for (std::uint64_t stream = 0; stream < 10; ++stream) {
    Eigen::VectorXd v = sorted_noise(60, stream, true);
    for (Index i = 0; i < v.size(); ++i)
      v[i] = std::floor(3.0 * v[i]);
    const ThreeSegmentResult fit = fit_three_segment(v);
    if (fit.upper_knot < 60)
      CHECK(v[fit.upper_knot] > v[fit.upper_knot - 1]);
  }
}

TEST_CASE("threshold bootstrap: replicate r is the sum of the runs it drew", "[three_segment]") {
  const SparseRuns sparse;
  const RunScores runs = sparse.view();
  const ThreeSegmentOptions options;
  const BootstrapThresholdResult one = bootstrap_threshold(runs, 100, 17, options);
  const BootstrapThresholdResult two = bootstrap_threshold(runs, 100, 17, options, two_threads());
  CHECK(one.n_informative == two.n_informative);
  CHECK(one.times_informative == two.times_informative);
  Array<int> times(30, 0);
  for (std::uint64_t r = 0; r < 100; ++r) {
    Rng rng(17, r, domain_tag("threshold bootstrap"));
    Eigen::VectorXd total = Eigen::VectorXd::Zero(30);
    for (int draw = 0; draw < 20; ++draw) {
      const Index b = rng.below(20);
      for (int k = sparse.start[b]; k < sparse.start[b + 1]; ++k)
        total[sparse.feature[k]] += sparse.score[k];
    }
    Array<std::pair<double, int>> order;
    for (int f = 0; f < 30; ++f)
      if (total[f] > 0.0)
        order.emplace_back(std::log(total[f] / 20.0), f);
    std::sort(order.begin(), order.end());
    Eigen::VectorXd values(order.size());
    for (Index i = 0; i < order.size(); ++i)
      values[i] = order[i].first;
    const ThreeSegmentResult fit = fit_three_segment(values);
    CHECK(one.n_informative[r] == fit.n_informative);
    CHECK(std::isnan(one.threshold[r]) == (fit.n_informative == 0));
    if (fit.n_informative > 0)
      CHECK(one.threshold[r] == Approx(std::exp(fit.threshold())).epsilon(1e-9));
    for (Index i = 0; i < fit.n_informative; ++i)
      ++times[order[order.size() - 1 - i].second];
  }
  CHECK(one.times_informative == times);
  CHECK(times[29] > 50);
}

TEST_CASE("out-of-bag threshold: a sample sees only runs without it", "[three_segment]") {
  const SparseRuns sparse;
  const RunScores runs = sparse.view();
  Eigen::MatrixXi in_bag(3, 20);
  in_bag.row(0).setZero();
  in_bag.row(1).setOnes();
  for (Index b = 0; b < 20; ++b)
    in_bag(2, b) = b % 2 == 0 ? 2 : 0;
  const OobThresholdResult oob = oob_threshold(runs, in_bag, ThreeSegmentOptions(), two_threads());
  CHECK(oob.n_runs == (Array<int>{20, 0, 10}));
  CHECK(oob.informative[1].empty());
  Array<int> all(20, 1), odd(20);
  for (Index b = 0; b < 20; ++b)
    odd[b] = b % 2 == 0 ? 0 : 1;
  CHECK(oob.informative[0] == threshold_of_runs(runs, all, ThreeSegmentOptions()).informative);
  CHECK(oob.informative[2] == threshold_of_runs(runs, odd, ThreeSegmentOptions()).informative);
  CHECK_FALSE(oob.informative[0].empty());
  const RunsThreshold whole = threshold_of_runs(runs, all, ThreeSegmentOptions());
  CHECK(whole.informative.front() == 29); // the best first
  Eigen::MatrixXi narrow = in_bag.leftCols(19);
  CHECK_THROWS_AS(oob_threshold(runs, narrow, ThreeSegmentOptions()), std::invalid_argument);
}

TEST_CASE("threshold bootstrap: the user can stop it", "[three_segment]") {
  const SparseRuns sparse;
  Runtime runtime;
  bool stop = false;
  runtime.report = [&](double done, double) { stop = done > 100; };
  runtime.stop_requested = [&] { return stop; };
  CHECK_THROWS_AS(bootstrap_threshold(sparse.view(), 1000, 1, ThreeSegmentOptions(), runtime),
                  Interrupted);
}
