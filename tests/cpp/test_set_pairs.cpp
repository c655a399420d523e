#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/stability/set_frequencies.h>
#include <stabilect/stability/set_pairs.h>

#include <cmath>
#include <set>
#include <thread>

using namespace stabilect;

namespace {

// Random runs with features of very different frequency, so that both ways of counting overlaps are
// in use; rules with any offsets and slopes, since sums must hold for all.
struct Example {
  Array<int> start{0}, feature, size_class;
  Array<double> offset, slope;
  RunSets sets;
  PairRule rule;

  Example(Index m, Index p, std::uint64_t stream, PairRule::Form form, bool equal = false) {
    Rng rng(7, stream);
    Array<int> sizes;
    for (Index i = 0; i < m; ++i) {
      const double often = equal ? 0.5 : rng.uniform();
      std::set<int> chosen;
      for (Index f = 0; f < p; ++f)
        if (equal ? (f + i) % 3 == 0 && f < p - p % 3
                  : rng.uniform() < (f < p / 4 ? often : often * 0.05))
          chosen.insert(static_cast<int>(f));
      feature.insert(feature.end(), chosen.begin(), chosen.end());
      start.push_back(static_cast<int>(feature.size()));
      sizes.push_back(static_cast<int>(chosen.size()));
    }
    const std::set<int> distinct(sizes.begin(), sizes.end());
    for (int k : sizes)
      size_class.push_back(static_cast<int>(std::distance(distinct.begin(), distinct.find(k))));
    const Index d = distinct.size();
    offset.resize(d * d);
    slope.resize(d * d);
    for (Index a = 0; a < d; ++a)
      for (Index c = 0; c <= a; ++c) {
        const bool undefined = rng.uniform() < 0.1;
        offset[a * d + c] = offset[c * d + a] = undefined ? std::nan("") : rng.normal();
        slope[a * d + c] = slope[c * d + a] = undefined ? 0.0 : rng.normal();
      }
    sets.n_total = p;
    sets.n_runs = m;
    sets.start = start.data();
    sets.feature = feature.data();
    rule.form = form;
    rule.size_class = size_class.data();
    rule.n_classes = d;
    rule.offsets = offset.data();
    rule.slopes = slope.data();
  }
  Example(const Example &) = delete;

  Array<int> features(Index i) const {
    return Array<int>(feature.begin() + start[i], feature.begin() + start[i + 1]);
  }
  int overlap(Index i, Index j) const {
    Array<int> both;
    const auto a = features(i), b = features(j);
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return static_cast<int>(both.size());
  }
  // Straight from the definition; NaN where undefined.
  double value(Index i, Index j) const {
    const Index a = size_class[i];
    const Index c = size_class[j];
    const Index d = rule.n_classes;
    double x = overlap(i, j);
    if (rule.form == PairRule::Form::jaccard && x > 0)
      x /= static_cast<double>(features(i).size() + features(j).size()) - x;
    return offset[a * d + c] + slope[a * d + c] * x;
  }
  double weighted_sum(const Eigen::VectorXd &w) const {
    double sum = 0.0;
    for (Index i = 0; i < sets.n_runs; ++i)
      for (Index j = 0; j < sets.n_runs; ++j)
        if (i != j && !std::isnan(value(i, j)))
          sum += w[i] * w[j] * value(i, j);
    return sum;
  }
};

Runtime threads(unsigned n) {
  Runtime runtime;
  runtime.n_threads = static_cast<int>(n);
  runtime.parallel_for = [n](Index n_tasks, const Runtime::Task &task) {
    Array<std::thread> pool;
    for (unsigned t = 0; t < n; ++t)
      pool.emplace_back([=] {
        for (Index i = t; i < n_tasks; i += n)
          task(n_tasks - 1 - i);
      });
    for (std::thread &thread : pool)
      thread.join();
  };
  return runtime;
}

Eigen::MatrixXd random_weights(Index m, Index n) {
  Rng rng(3, 1);
  Eigen::MatrixXd w(m, n);
  for (Index t = 0; t < w.size(); ++t)
    w.data()[t] = static_cast<double>(rng.below(4));
  return w;
}

} // namespace

TEST_CASE("overlaps are those of sorted intersections") {
  for (std::uint64_t stream = 0; stream < 4; ++stream) {
    const Example x(stream == 0 ? 3 : 90, stream == 1 ? 700 : 60, stream, PairRule::Form::overlap);
    const Overlaps overlaps(x.sets);
    Array<int> row(x.sets.n_runs);
    for (Index i = 0; i < x.sets.n_runs; ++i) {
      overlaps.row(i, row);
      for (Index j = 0; j < x.sets.n_runs; ++j)
        REQUIRE(row[j] == x.overlap(i, j));
    }
  }
}

TEST_CASE("bits are counted") {
  REQUIRE(count_bits(0) == 0);
  REQUIRE(count_bits(~std::uint64_t(0)) == 64);
  Rng rng(1, 1);
  for (int t = 0; t < 1000; ++t) {
    const std::uint64_t x = rng.next();
    REQUIRE(count_bits(x) == __builtin_popcountll(x));
  }
}

TEST_CASE("row sums, matrix and weighted sums agree with the definition") {
  for (auto form : {PairRule::Form::overlap, PairRule::Form::jaccard}) {
    const Example x(70, 80, 11, form);
    const auto sums = pair_row_sums(x.sets, x.rule);
    const Eigen::MatrixXd matrix = pair_matrix(x.sets, x.rule);
    for (Index i = 0; i < 70; ++i) {
      double sum = 0.0;
      for (Index j = 0; j < 70; ++j) {
        const double v = x.value(i, j);
        if (i == j)
          REQUIRE(matrix(i, j) == 0.0);
        else if (std::isnan(v))
          REQUIRE(std::isnan(matrix(i, j)));
        else
          REQUIRE(matrix(i, j) == Approx(v).epsilon(1e-14));
        sum += i == j || std::isnan(v) ? 0.0 : v;
      }
      REQUIRE(sums[i] == Approx(sum).epsilon(1e-12));
    }
    const Eigen::MatrixXd w = random_weights(70, 5);
    const Eigen::VectorXd weighted = pair_weighted_sums(x.sets, x.rule, w);
    for (Index r = 0; r < 5; ++r)
      REQUIRE(weighted[r] == Approx(x.weighted_sum(w.col(r))).epsilon(1e-11));
  }
}

TEST_CASE("frequencies give the same sums as pairs, for equal and unequal sizes") {
  for (bool equal : {false, true}) {
    const Example x(75, 90, 21, PairRule::Form::overlap, equal);
    REQUIRE((x.rule.n_classes == 1) == equal);
    const auto by_pair = pair_row_sums(x.sets, x.rule);
    const auto by_frequency = frequency_row_sums(x.sets, x.rule);
    for (Index i = 0; i < by_pair.size(); ++i)
      REQUIRE(by_frequency[i] == Approx(by_pair[i]).epsilon(1e-11).scale(1.0));
    const Eigen::MatrixXd w = random_weights(75, 6);
    const Eigen::VectorXd a = pair_weighted_sums(x.sets, x.rule, w);
    const Eigen::VectorXd b = frequency_weighted_sums(x.sets, x.rule, w);
    for (Index r = 0; r < 6; ++r)
      REQUIRE(b[r] == Approx(a[r]).epsilon(1e-11).scale(1.0));
  }
}

TEST_CASE("sums are the same bits for any number of threads") {
  const Example x(150, 200, 31, PairRule::Form::overlap), y(150, 200, 32, PairRule::Form::jaccard);
  const Eigen::MatrixXd w = random_weights(150, 40);
  for (unsigned n : {2u, 3u}) {
    REQUIRE(pair_row_sums(y.sets, y.rule, threads(n)) == pair_row_sums(y.sets, y.rule));
    REQUIRE(pair_weighted_sums(y.sets, y.rule, w, threads(n)) ==
            pair_weighted_sums(y.sets, y.rule, w));
    REQUIRE(frequency_row_sums(x.sets, x.rule, threads(n)) == frequency_row_sums(x.sets, x.rule));
    REQUIRE(frequency_weighted_sums(x.sets, x.rule, w, threads(n)) ==
            frequency_weighted_sums(x.sets, x.rule, w));
  }
}

TEST_CASE("sets and rules that do not fit are refused, and work can be stopped") {
  Example x(5, 20, 41, PairRule::Form::jaccard);
  REQUIRE_THROWS_AS(frequency_row_sums(x.sets, x.rule), std::invalid_argument);
  REQUIRE_THROWS_AS(pair_weighted_sums(x.sets, x.rule, Eigen::MatrixXd::Ones(4, 1)),
                    std::invalid_argument);
  Runtime stopping;
  stopping.stop_requested = [] { return true; };
  REQUIRE_THROWS_AS(pair_row_sums(x.sets, x.rule, stopping), Interrupted);
  x.size_class[0] = 99;
  REQUIRE_THROWS_AS(pair_row_sums(x.sets, x.rule), std::invalid_argument);
  x.size_class[0] = 0;
  x.feature[0] = 20;
  REQUIRE_THROWS_AS(pair_row_sums(x.sets, x.rule), std::invalid_argument);
}
