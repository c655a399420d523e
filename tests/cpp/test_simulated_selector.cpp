#include "catch.h"

#include <stabilect/simulate/simulated_selector_law.h>
#include <stabilect/simulate/simulated_selector_normal.h>
#include <stabilect/simulate/simulated_selector_runs.h>

#include <set>

using namespace stabilect;

namespace {

Array<double> jaccard_values(int t) {
  Array<double> value;
  for (int r = 0; r <= t; ++r)
    value.push_back(static_cast<double>(r) / (2 * t - r));
  return value;
}

} // namespace

TEST_CASE("a simulated ranking ranks every feature once", "[simulated_selector]") {
  for (double p : {0.0, 0.3, 1.0}) {
    for (const UrnModel &model :
         {UrnModel{30, 5, 12, p, 0.0}, UrnModel{6, 6, 6, p, 0.0}, UrnModel{7, 5, 6, p, 2.0}}) {
      UrnSampler sampler(model, 1, 2);
      for (int member = 0; member < 3; ++member) {
        std::set<int> features;
        int last = 0;
        sampler.rank_all([&](int feature, int rank) {
          REQUIRE(rank == last + 1);
          last = rank;
          features.insert(feature);
        });
        REQUIRE(last == model.n_total);
        REQUIRE(static_cast<int>(features.size()) == model.n_total);
      }
    }
  }
}

TEST_CASE("the first features alone are those of the whole ranking", "[simulated_selector]") {
  const UrnModel model{40, 6, 15, 0.5, 0.0};
  UrnSampler again(model, 3, 0);
  for (std::uint64_t run = 0; run < 50; ++run) {
    Array<int> first, whole, restarted(6);
    UrnSampler sampler(model, 3, run), other(model, 3, run);
    first.resize(6);
    sampler.select(first.data());
    other.rank_all([&](int feature, int rank) {
      if (rank <= 6)
        whole.push_back(feature);
    });
    again.restart(3, run);
    again.select(restarted.data());
    REQUIRE(first == whole);
    REQUIRE(first == restarted);
  }
}

TEST_CASE("pairs by the inverted index are pairs of sets", "[simulated_selector]") {
  SimulationOptions options;
  options.sizes = {1, 4};
  options.n_runs = 12;
  options.seed = 5;
  const UrnModel model{30, 5, 10, 0.6, 0.0};
  const auto value = jaccard_values(5);
  const auto rows = simulate_pairs({model}, options, value);
  const auto sets = simulate_sets({model}, options)[0];
  for (Index k = 0; k < 2; ++k) {
    double sum = 0.0;
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < i; ++j) {
        const auto a = sets.begin() + ((i * 2 + k) * 5);
        const auto b = sets.begin() + ((j * 2 + k) * 5);
        const std::set<int> first(a, a + 5), second(b, b + 5);
        Index shared = 0;
        for (int f : first)
          shared += second.count(f);
        sum += value[shared];
      }
    REQUIRE(rows[k].mean == Approx(sum / 66.0));
  }
}

TEST_CASE("a selection draws a number per place and choice, and no more", "[simulated_selector]") {
  // With p = 1 all of S_m and nothing else: three of five by Fisher and Yates.
  UrnSampler sampler({8, 3, 5, 1.0, 0.0}, 7, 2);
  simulated_selector_detail::SmallDraws draws(7, 2, domain_tag("simulated selector"));
  for (int round = 0; round < 20; ++round) {
    Array<int> found(3), useful = {0, 1, 2, 3, 4};
    sampler.select(found.data());
    for (Index i = 0; i < 3; ++i)
      std::swap(useful[i], useful[i + draws.below(static_cast<std::uint32_t>(5 - i))]);
    for (int choice = 0; choice < 3; ++choice)
      draws.uniform();
    useful.resize(3);
    REQUIRE(found == useful);
  }
}

TEST_CASE("an ensemble has the features of the lowest rank sums", "[simulated_selector]") {
  const UrnModel model{15, 4, 6, 0.1, 0.0};
  UrnSampler sampler(model, 7, 0), again(model, 7, 0);
  MeanRankEnsemble ensemble(model);
  Array<int> sum(15, 0), chosen(4);
  for (int member = 0; member < 25; ++member) {
    ensemble.add(sampler);
    again.rank_all([&](int feature, int rank) { sum[feature] += rank; });
  }
  ensemble.select(simulated_selector_detail::SmallDraws(7, 1, 2), chosen.data());
  const std::set<int> inside(chosen.begin(), chosen.end());
  REQUIRE(inside.size() == 4);
  int worst = 0, best = 1000;
  for (int f = 0; f < 15; ++f)
    if (inside.count(f))
      worst = std::max(worst, sum[f]);
    else
      best = std::min(best, sum[f]);
  REQUIRE(worst <= best);
  REQUIRE(*inside.rbegin() >= 4); // not just the first columns
}

TEST_CASE("overlaps of two sets are hypergeometric", "[simulated_selector]") {
  // 3 of 4 features, which are all that matter: |A and B| is 2 or 3, with chances 3/4 and 1/4.
  const auto moments = overlap_moments(4, 3, 4, {0.0, 1.0, 2.0, 3.0}, {true, true, true, true});
  REQUIRE(moments.overlap(3, 3) == Approx(2.25));
  REQUIRE(moments.mean(3, 3) == Approx(2.25));
  REQUIRE(moments.square(3, 3) == Approx(5.25));
}

TEST_CASE("laws of several models are those of each", "[simulated_selector]") {
  const Array<UrnModel> models = {{30, 5, 12, 0.4, 0.0}, {30, 5, 9, 0.7, 0.0}};
  const auto laws = normal_useful_laws(models, {5, 40});
  REQUIRE(laws.cols() == 4);
  Array<double> log_factorial(41, 0.0);
  for (Index k = 1; k < log_factorial.size(); ++k)
    log_factorial[k] = std::lgamma(static_cast<double>(k) + 1.0);
  for (Index c = 0; c < 2; ++c)
    for (Index s = 0; s < 2; ++s) {
      const UrnModel &model = models[c];
      const auto law =
          normal_useful_law(model, rank_moments(model), s == 0 ? 5 : 40, log_factorial);
      for (Index k = 0; k <= 5; ++k)
        REQUIRE(laws(k, 2 * c + s) == Approx(law[k]).margin(1e-12));
    }
  REQUIRE_THROWS_AS(normal_useful_laws({}, {5}), std::invalid_argument);
}

TEST_CASE("laws add up, and moments are those of the ranks", "[simulated_selector]") {
  for (const UrnModel &model : {UrnModel{30, 5, 12, 0.4, 0.0}, UrnModel{8, 6, 7, 0.2, 0.0}}) {
    const auto law = useful_given_picks(model.n_total, model.n_features, model.n_useful);
    for (Index k = 0; k <= model.n_features; ++k)
      REQUIRE(law.row(k).sum() == Approx(1.0));
    const RankMoments moments = rank_moments(model);
    const double t = model.n_features, n = model.n_total;
    REQUIRE(t * moments.mean_in + (n - t) * moments.mean_out == Approx(n * (n + 1.0) / 2.0));
    Array<double> log_factorial(101, 0.0);
    for (Index k = 1; k < log_factorial.size(); ++k)
      log_factorial[k] = log_factorial[k - 1] + std::log(static_cast<double>(k));
    double sum = 0.0;
    for (double w : normal_useful_law(model, moments, 20, log_factorial))
      sum += w;
    REQUIRE(sum == Approx(1.0));
  }
}

TEST_CASE("models out of range are refused", "[simulated_selector]") {
  REQUIRE_THROWS_AS(check_urn_model({10, 5, 4, 0.5, 0.0}), std::invalid_argument);
  REQUIRE_THROWS_AS(check_urn_model({10, 5, 11, 0.5, 0.0}), std::invalid_argument);
  REQUIRE_THROWS_AS(check_urn_model({10, 5, 6, 1.5, 0.0}), std::invalid_argument);
  REQUIRE_THROWS_AS(check_urn_model({10, 5, 6, 0.5, -1.0}), std::invalid_argument);
  SimulationOptions options;
  options.sizes = {3, 2};
  REQUIRE_THROWS_AS(simulate_sets({UrnModel{10, 5, 6, 0.5, 0.0}}, options), std::invalid_argument);
}

TEST_CASE("small draws and ties of an ensemble are uniform", "[simulated_selector]") {
  for (std::uint32_t n : {1u, 3u, 7u}) {
    simulated_selector_detail::SmallDraws draws(4, n, 1);
    Array<int> drawn(n);
    for (int k = 0; k < 7000; ++k)
      ++drawn.at(draws.below(n));
    for (int count : drawn)
      CHECK(std::abs(count - 7000.0 / n) < 5.0 * std::sqrt(7000.0 / n));
  }
  // Without members, all features tie for the one place.
  const UrnModel model{10, 1, 5, 0.5, 0.0};
  MeanRankEnsemble ensemble(model);
  Array<int> chosen(10);
  for (std::uint64_t run = 0; run < 1000; ++run) {
    int feature = -1;
    ensemble.select(simulated_selector_detail::SmallDraws(4, run, 2), &feature);
    ++chosen.at(feature);
  }
  for (int count : chosen)
    CHECK(std::abs(count - 100) < 50);
}

TEST_CASE("large ensembles can be stopped between their members", "[simulated_selector]") {
  const UrnModel model{400000, 2, 4, 0.5, 0.0};
  UrnSampler sampler(model, 1, 1);
  Array<int> out(2);
  Runtime runtime;
  CHECK(simulate_ensembles(model, {4}, 1, 1, sampler, out.data(), runtime));
  runtime.stop_requested = [] { return true; };
  CHECK_FALSE(simulate_ensembles(model, {4}, 1, 1, sampler, out.data(), runtime));
}
