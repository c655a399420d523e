#include "catch.h"

#include <stabilect/path/fealect.h>

#include <map>

using stabilect::Array;
using stabilect::counted_steps;
using stabilect::Index;
using stabilect::LarsPath;
using stabilect::RunScore;
using stabilect::score_path;
using stabilect::ScoreRule;

namespace {

// A path from the events of its steps, as Efron et al. would write them.
LarsPath make_path(const Array<Array<int>> &steps) {
  LarsPath path;
  for (const auto &events : steps) {
    path.events.insert(path.events.end(), events.begin(), events.end());
    path.event_end.push_back(static_cast<int>(path.events.size()));
  }
  return path;
}

// Scores by feature, features from 1.
std::map<int, double> scores(const LarsPath &path, ScoreRule rule, int max_features = -1) {
  const RunScore run = score_path(path, rule, max_features);
  REQUIRE(run.feature.size() == run.score.size());
  REQUIRE(std::is_sorted(run.feature.begin(), run.feature.end()));
  std::map<int, double> out;
  for (Index k = 0; k < run.feature.size(); ++k)
    out[run.feature[k] + 1] = run.score[k];
  REQUIRE(out.size() == run.feature.size());
  return out;
}

Array<int> counted(const LarsPath &path, ScoreRule rule, int max_features = -1) {
  return counted_steps(path.events, path.event_end, rule, max_features);
}

void require_close(const std::map<int, double> &actual, const std::map<int, double> &expected) {
  REQUIRE(actual.size() == expected.size());
  for (const auto &entry : expected) {
    INFO("feature " << entry.first);
    REQUIRE(actual.count(entry.first) == 1u);
    REQUIRE(std::abs(actual.at(entry.first) - entry.second) < 1e-15);
  }
}

const double third = 1.0 / 3.0;

} // namespace

TEST_CASE("features score 1/k for every size k they are part of", "[fealect]") {
  const LarsPath path = make_path({{7}, {2}, {9}});
  require_close(scores(path, ScoreRule::size),
                {{7, 1 + 0.5 + third}, {2, 0.5 + third}, {9, third}});
  require_close(scores(path, ScoreRule::step),
                {{7, 1 + 0.5 + third}, {2, 0.5 + third}, {9, third}});
  REQUIRE(counted(path, ScoreRule::size) == (Array<int>{0, 1, 2}));
}

TEST_CASE("of several models of one size the first counts", "[fealect]") {
  // Sizes 1 2 3 2 3: the second models of size 2 and 3 do not count.
  const LarsPath path = make_path({{7}, {2}, {9}, {-7}, {4}});
  REQUIRE(counted(path, ScoreRule::size) == (Array<int>{0, 1, 2}));
  require_close(scores(path, ScoreRule::size),
                {{7, 1 + 0.5 + third}, {2, 0.5 + third}, {9, third}});
  // By steps all five count, each feature with one over the size of the model.
  REQUIRE(counted(path, ScoreRule::step) == (Array<int>{0, 1, 2, 3, 4}));
  require_close(
      scores(path, ScoreRule::step),
      {{7, 1 + 0.5 + third}, {2, 0.5 + third + 0.5 + third}, {9, third + 0.5 + third}, {4, third}});
}

TEST_CASE("a feature that leaves and comes back counts in the models that have it", "[fealect]") {
  // Sizes 1 2 1 2 3: {7}, {7, 2}, then 7 is back only in {2, 5, 7}.
  const LarsPath path = make_path({{7}, {2}, {-7}, {5}, {7}});
  require_close(scores(path, ScoreRule::size),
                {{7, 1 + 0.5 + third}, {2, 0.5 + third}, {5, third}});
}

TEST_CASE("a size skipped by a tie has no model", "[fealect]") {
  // Sizes 2 3 2 1 4.
  const LarsPath path = make_path({{7, 2}, {9}, {-2}, {-9}, {1, 3, 4}});
  REQUIRE(counted(path, ScoreRule::size) == (Array<int>{3, 0, 1, 4}));
  require_close(
      scores(path, ScoreRule::size),
      {{7, 0.5 + third + 1 + 0.25}, {2, 0.5 + third}, {9, third}, {1, 0.25}, {3, 0.25}, {4, 0.25}});
  const LarsPath gap = make_path({{7, 2, 4}});
  REQUIRE(counted(gap, ScoreRule::size) == (Array<int>{-1, -1, 0}));
  require_close(scores(gap, ScoreRule::size), {{7, third}, {2, third}, {4, third}});
}

TEST_CASE("one knot can exchange features", "[fealect]") {
  const LarsPath path = make_path({{7}, {2}, {-7, 5}, {3}});
  // Sizes 1 2 2 3.
  require_close(scores(path, ScoreRule::size),
                {{7, 1.5}, {2, 0.5 + third}, {5, third}, {3, third}});
}

TEST_CASE("features met only in models that do not count are left out", "[fealect]") {
  const LarsPath path = make_path({{7}, {2}, {-7}, {5}, {-5}});
  const auto by_size = scores(path, ScoreRule::size);
  REQUIRE(by_size.count(5) == 0u);
  REQUIRE(scores(path, ScoreRule::step).count(5) == 1u);
}

TEST_CASE("max_features limits k", "[fealect]") {
  const LarsPath path = make_path({{7}, {2}, {-7}, {9}, {4}});
  // Sizes 1 2 1 2 3.
  require_close(scores(path, ScoreRule::size, 1), {{7, 1}});
  require_close(scores(path, ScoreRule::size, 2), {{7, 1.5}, {2, 0.5}});
  require_close(scores(path, ScoreRule::size, 3),
                {{7, 1.5}, {2, 0.5 + third}, {9, third}, {4, third}});
  REQUIRE(scores(path, ScoreRule::size, 99) == scores(path, ScoreRule::size, 3));
  require_close(scores(path, ScoreRule::step, 3), {{7, 1.5}, {2, 0.5 + 1}});
  REQUIRE(scores(path, ScoreRule::size, 0).empty());
}

TEST_CASE("an empty path and an empty model score nothing", "[fealect]") {
  REQUIRE(scores(LarsPath(), ScoreRule::size).empty());
  REQUIRE(scores(LarsPath(), ScoreRule::step).empty());
  // Empty after the second step.
  const LarsPath path = make_path({{7}, {-7}, {2}});
  require_close(scores(path, ScoreRule::size), {{7, 1}});
  require_close(scores(path, ScoreRule::step), {{7, 1}, {2, 1}});
}

TEST_CASE("walking visits every step with the features in order of entry", "[fealect]") {
  const LarsPath path = make_path({{7}, {2, 9}, {-2}, {2}});
  Array<Array<int>> seen;
  stabilect::walk_path(path.events, path.event_end, [&](Index step, const Array<int> &active) {
    REQUIRE(step == seen.size());
    seen.push_back(active);
  });
  REQUIRE(seen == (Array<Array<int>>{{7}, {7, 2, 9}, {7, 9}, {7, 9, 2}}));
}

TEST_CASE("shares of runs with a feature in the model of each size", "[fealect]") {
  stabilect::StoredPaths paths;
  // Sizes 1 2 1 2; 2 3; and a run without a path.
  for (const LarsPath &path :
       {make_path({{7}, {2}, {-7}, {5}}), make_path({{2, 7}, {9}}), LarsPath()}) {
    paths.event.insert(paths.event.end(), path.events.begin(), path.events.end());
    paths.event_end.insert(paths.event_end.end(), path.event_end.begin(), path.event_end.end());
    paths.run_events.push_back(static_cast<int>(paths.event.size()));
    paths.run_steps.push_back(static_cast<int>(paths.event_end.size()));
  }
  const Array<int> features = {9, 2, 7, 5};
  Eigen::MatrixXd expected(4, 3);
  expected << 0, 0, 1, 0, 2, 1, 1, 2, 1, 0, 0, 0;
  REQUIRE(frequency_by_size(paths, features, 3, ScoreRule::size).isApprox(expected / 3, 1e-15));
  // By steps: {7}, {7, 2}, {2} and {2, 7}, {2, 7, 9}.
  expected << 0, 1, 0, 1, 2, 1, 2, 2, 0, 0, 0, 0;
  REQUIRE(frequency_by_size(paths, features, 3, ScoreRule::step).isApprox(expected / 3, 1e-15));
}
