#include "catch.h"

#include "path_oracle.h"

#include <algorithm>
#include <atomic>
#include <thread>

using stabilect::Array;
using stabilect::Index;
using namespace path_oracle;
using stabilect::Interrupted;
using stabilect::PackedMatrix;
using stabilect::Rng;
using stabilect::Runtime;

namespace {

struct Data {
  MatrixXd x, y, weights;
};

// Subsamples, bootstrap counts and real weights; half the features take three values, so
// that some are constant within runs and many are tied.
Data make_data(std::uint64_t stream, Index n, Index p, Index n_runs) {
  Rng rng(21, stream);
  Data data;
  data.x = normal_matrix(rng, n, p);
  for (Index j = 0; j < p; j += 2)
    for (Index i = 0; i < n; ++i)
      data.x(i, j) = static_cast<double>(rng.below(3));
  data.y = normal_vector(rng, n);
  data.weights.resize(n, n_runs);
  for (Index b = 0; b < n_runs; ++b) {
    data.weights.col(b) = count_vector(rng, n, b % 3 == 0 ? 1 : 3);
    if (b % 3 == 2)
      data.weights.col(b) *= 0.3;
  }
  return data;
}

Array<LarsPath> run_all(const Data &data, const Runtime &runtime, int kernel_width = 0) {
  LarsOptions options;
  options.keep_coefficients = true;
  options.kernel_width = kernel_width;
  const PackedMatrix packed(data.x, true);
  Array<LarsPath> paths(data.weights.cols());
  Array<int> consumed(paths.size(), 0);
  stabilect::run_paths(packed, data.y, data.weights, options, runtime,
                       [&](Index run, LarsPath path) {
                         paths[run] = std::move(path);
                         ++consumed[run];
                       });
  REQUIRE(consumed == Array<int>(paths.size(), 1));
  return paths;
}

// Runs are put into groups of at most sixteen, of n_runs / n_threads when that is smaller.
Runtime grouped(int n_threads) {
  Runtime runtime;
  runtime.n_threads = n_threads;
  return runtime;
}

// Bit for bit.
void require_same(const LarsPath &a, const LarsPath &b) {
  REQUIRE(a.events == b.events);
  REQUIRE(a.event_end == b.event_end);
  REQUIRE(a.lambda == b.lambda);
  REQUIRE(a.rss == b.rss);
  REQUIRE(a.excluded == b.excluded);
  REQUIRE(a.coef_end == b.coef_end);
  REQUIRE(a.coef_feature == b.coef_feature);
  REQUIRE(a.coef_value == b.coef_value);
  REQUIRE(a.status == b.status);
}

void require_same(const Array<LarsPath> &a, const Array<LarsPath> &b) {
  REQUIRE(a.size() == b.size());
  for (Index run = 0; run < a.size(); ++run) {
    INFO("run " << run);
    require_same(a[run], b[run]);
  }
}

} // namespace

TEST_CASE("a run's path does not depend on the runs beside it", "[lars_batch]") {
  for (std::uint64_t stream = 0; stream < 3; ++stream) {
    Data data = make_data(stream, 25 + 7 * stream, 130, 40);
    const Array<LarsPath> whole = run_all(data, Runtime());
    for (int n_threads : {3, 8, 40}) {
      INFO(n_threads << " threads");
      require_same(run_all(data, grouped(n_threads)), whole);
    }
    const MatrixXd weights = data.weights;
    for (Index size : {1, 5, 16}) {
      for (Index from : {0, 7, 24}) {
        data.weights = weights.middleCols(from, size);
        const Array<LarsPath> part = run_all(data, Runtime());
        for (Index b = 0; b < size; ++b)
          require_same(part[b], whole[from + b]);
      }
    }
  }
}

TEST_CASE("nor on the vector width", "[lars_batch]") {
  for (std::uint64_t stream = 10; stream < 14; ++stream) {
    const Data data = make_data(stream, 20 + 9 * (stream - 10), 150, 24);
    require_same(run_all(data, Runtime(), 16), run_all(data, Runtime(), 0));
  }
}

TEST_CASE("nor on the order or the thread of the tasks", "[lars_batch]") {
  const Data data = make_data(20, 30, 100, 70);
  const Array<LarsPath> expected = run_all(data, Runtime());
  Runtime reverse = grouped(4);
  reverse.parallel_for = [](Index n_tasks, const Runtime::Task &task) {
    for (Index t = n_tasks; t-- > 0;)
      task(t);
  };
  require_same(run_all(data, reverse), expected);
  Runtime threaded = grouped(4);
  threaded.parallel_for = [](Index n_tasks, const Runtime::Task &task) {
    Array<std::thread> threads;
    for (Index t = 0; t < n_tasks; ++t)
      threads.emplace_back([&task, t] { task(t); });
    for (std::thread &thread : threads)
      thread.join();
  };
  require_same(run_all(data, threaded), expected);
}

TEST_CASE("each run may have its own response", "[lars_batch]") {
  Data data = make_data(30, 20, 40, 9);
  Rng rng(22, 0);
  data.y = normal_matrix(rng, 20, 9);
  const Array<LarsPath> paths = run_all(data, Runtime());
  LarsOptions options;
  for (Index b = 0; b < 9; ++b)
    require_same(paths[b], run_path(data.x, data.y.col(b), data.weights.col(b), options));
}

TEST_CASE("runs that cannot start leave the others alone", "[lars_batch]") {
  Data data = make_data(31, 20, 40, 6);
  const Array<LarsPath> expected = run_all(data, Runtime());
  data.weights.col(2).setZero();
  data.weights(4, 2) = 1.0; // one row: one response
  const Array<LarsPath> paths = run_all(data, Runtime());
  REQUIRE(paths[2].status == stabilect::PathStatus::one_response);
  REQUIRE(paths[2].events.empty());
  for (Index run : {0, 1, 3, 4, 5})
    require_same(paths[run], expected[run]);
}

TEST_CASE("runs are divided evenly, with as many groups for every thread", "[lars_batch]") {
  using stabilect::group_count;
  using stabilect::kLanes;
  CHECK(group_count(0, kLanes, 2) == 0u);
  CHECK(group_count(1, kLanes, 2) == 1u);
  CHECK(group_count(5, kLanes, 2) == 2u);
  CHECK(group_count(50, kLanes, 1) == 4u);
  CHECK(group_count(50, kLanes, 2) == 4u);
  CHECK(group_count(200, kLanes, 2) == 14u);
  for (Index n = 1; n < 300; ++n)
    for (int threads : {1, 2, 3, 8}) {
      const Index groups = group_count(n, kLanes, threads);
      CHECK((n + groups - 1) / groups <= 16u);
    }
}

TEST_CASE("progress is told within runs, grows, and ends at the whole", "[lars_batch]") {
  const Data data = make_data(40, 60, 400, 20);
  const PackedMatrix packed(data.x, true);
  Array<double> told;
  Runtime runtime;
  runtime.report = [&](double done, double total) {
    CHECK(total == 2.0);
    told.push_back(done);
  };
  stabilect::run_paths(packed, data.y, data.weights, LarsOptions(), runtime,
                       [](Index, const LarsPath &) {});
  REQUIRE(told.size() > 10u);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.front() < 0.2);
  CHECK(told.back() == 2.0);
}

TEST_CASE("a response of any scale has the same path", "[lars_batch]") {
  const Data data = make_data(42, 30, 50, 4);
  const Array<LarsPath> expected = run_all(data, Runtime());
  for (int exponent : {-990, -500, 500, 900}) {
    Data scaled = data;
    scaled.y *= std::ldexp(1.0, exponent);
    const Array<LarsPath> paths = run_all(scaled, Runtime());
    for (Index run = 0; run < 4; ++run) {
      REQUIRE(paths[run].events == expected[run].events);
      REQUIRE(paths[run].lambda.size() == expected[run].lambda.size());
      for (Index k = 0; k + 1 < paths[run].lambda.size(); ++k)
        REQUIRE(std::ldexp(paths[run].lambda[k], -exponent) == Approx(expected[run].lambda[k]));
    }
  }
}

TEST_CASE("a stop between groups ends the call, and no further path is handed on", "[lars_batch]") {
  const Data data = make_data(40, 15, 20, 500);
  const PackedMatrix packed(data.x, true);
  for (int n_threads : {1, 2}) {
    Index consumed = 0;
    bool stop = false;
    Runtime runtime = grouped(n_threads);
    runtime.stop_requested = [&] { return stop; };
    const auto run = [&] {
      stabilect::run_paths(packed, data.y, data.weights, LarsOptions(), runtime,
                           [&](Index, const LarsPath &) { stop = ++consumed > 100; });
    };
    REQUIRE_THROWS_AS(run(), Interrupted);
    // The group that was under way is handed on whole.
    CHECK(consumed >= 101u);
    CHECK(consumed < 101u + 16u);
  }
}

TEST_CASE("a stop within a group ends it before its paths are handed on", "[lars_batch]") {
  const Data data = make_data(41, 40, 400, 100);
  const PackedMatrix packed(data.x, true);
  // Found by letting it run: how often the host is asked until all is done.
  Index polls = 0;
  Runtime runtime;
  runtime.stop_requested = [&] { return ++polls > 1u << 30; };
  Index consumed = 0;
  const auto run = [&] {
    stabilect::run_paths(packed, data.y, data.weights, LarsOptions(), runtime,
                         [&](Index, const LarsPath &) { ++consumed; });
  };
  run();
  REQUIRE(consumed == 100u);
  const Index all = polls;
  REQUIRE(all > 20u);
  for (Index last : {Index(0), Index(1), Index(3), all / 2}) {
    polls = consumed = 0;
    runtime.stop_requested = [&] { return ++polls > last; };
    REQUIRE_THROWS_AS(run(), Interrupted);
    // Whole groups of 100 / 7 runs.
    Index groups = 0;
    while (groups * 100 / 7 < consumed)
      ++groups;
    REQUIRE(consumed == groups * 100 / 7);
    REQUIRE(consumed <= (last < 4 ? 0u : 71u));
  }
}
