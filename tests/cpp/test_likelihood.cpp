#include "catch.h"

#include "path_oracle.h"
#include "stabilect/likelihood/likelihood_paths.h"
#include "two_threads.h"

#include <cmath>
#include <set>

using stabilect::Array;
using stabilect::Index;
using namespace path_oracle;
using stabilect::Family;
using stabilect::LikelihoodOptions;
using stabilect::LikelihoodPath;
using stabilect::Outcomes;
using stabilect::PackedMatrix;
using stabilect::PathStatus;
using stabilect::Rng;
using stabilect::Runtime;

namespace {

struct Study {
  MatrixXd x, z, weights;
  Outcomes outcomes;
};

Study make_study(Family family, std::uint64_t stream, Index n, Index p, Index n_runs) {
  Rng rng(33, stream);
  Study study;
  study.x = normal_matrix(rng, n, p);
  study.z.resize(n, stream % 2 ? 1 : 0);
  for (Index i = 0; i < study.z.size(); ++i)
    study.z.data()[i] = static_cast<double>(rng.below(3));
  const VectorXd eta = study.x.col(0) - study.x.col(1);
  VectorXd y(n), time(n);
  Array<int> strata;
  for (Index i = 0; i < n; ++i) {
    const double chance = rng.uniform();
    time[i] = std::ceil(-8.0 * std::log(1.0 - chance) * std::exp(-eta[i])) + 1.0;
    strata.push_back(static_cast<int>(rng.below(2)));
    y[i] = family == Family::gaussian ? eta[i] + chance
           : family == Family::poisson
               ? std::floor(3.0 * chance * std::exp(0.5 * eta[i]))
               : static_cast<double>(chance < 1.0 / (1.0 + std::exp(-eta[i])));
  }
  study.outcomes.family = family;
  study.outcomes.y = y;
  if (family == Family::cox)
    study.outcomes = stabilect::survival_outcomes(time, y, stream % 3 ? Array<int>() : strata);
  if (family == Family::multinomial) {
    study.outcomes.n_classes = 3;
    for (Index i = 0; i < n; ++i)
      study.outcomes.y[i] = i < 6 ? static_cast<double>(i % 3) : y[i] + (study.x(i, 2) > 0.5);
  }
  study.weights.resize(n, n_runs);
  for (Index b = 0; b < n_runs; ++b)
    study.weights.col(b) = count_vector(rng, n, b % 2 ? 3 : 1);
  return study;
}

Array<LikelihoodPath> run_all(const Study &study, const LikelihoodOptions &options,
                              const Runtime &runtime = Runtime()) {
  const PackedMatrix packed(study.x, true);
  Array<LikelihoodPath> paths(study.weights.cols());
  stabilect::run_likelihood_paths(
      packed, study.outcomes, study.z, study.weights, options, runtime,
      [&](Index run, LikelihoodPath path) { paths[run] = std::move(path); });
  return paths;
}

LikelihoodOptions with_coefficients() {
  LikelihoodOptions options;
  options.keep_coefficients = true;
  options.n_lambda = 30;
  return options;
}

} // namespace

TEST_CASE("paths by likelihood are the same alone, in groups and on threads") {
  for (Family family :
       {Family::gaussian, Family::binomial, Family::poisson, Family::cox, Family::multinomial}) {
    Study study = make_study(family, 1, 30, 150, 21);
    study.weights.topRows(6).setOnes(); // of every class
    LikelihoodOptions options = with_coefficients();
    options.each_size = true;
    options.columns.max_features = 6;
    const auto one = run_all(study, options), two = run_all(study, options, two_threads());
    Study alone = study;
    alone.weights = study.weights.col(7);
    const auto seventh = run_all(alone, options);
    REQUIRE(seventh[0].coef_value == one[7].coef_value);
    options.keep_coefficients = false;
    const auto sets = run_all(study, options), seventh_sets = run_all(alone, options);
    REQUIRE(seventh_sets[0].steps.events == sets[7].steps.events);
    REQUIRE(seventh_sets[0].steps.lambda == sets[7].steps.lambda);
    REQUIRE(run_all(study, options, two_threads())[7].steps.lambda == sets[7].steps.lambda);
    for (Index b = 0; b < one.size(); ++b) {
      REQUIRE(one[b].coef_value == two[b].coef_value);
      REQUIRE(one[b].coef_feature == two[b].coef_feature);
      REQUIRE(one[b].steps.events == two[b].steps.events);
      REQUIRE(one[b].lambda == two[b].lambda);
    }
  }
}

TEST_CASE("a step of a path with each size has one event, and sizes end at the limit") {
  for (Family family : {Family::binomial, Family::cox, Family::multinomial}) {
    LikelihoodOptions options = with_coefficients();
    options.n_lambda = 10;
    options.each_size = true;
    options.columns.max_features = 5;
    Study study = make_study(family, 2, 40, 200, 8);
    study.weights.topRows(6).setOnes();
    for (const LikelihoodPath &path : run_all(study, options)) {
      REQUIRE(path.steps.status == PathStatus::max_features);
      int size = 0, from = 0, largest = 0;
      for (int end : path.steps.event_end) {
        REQUIRE(end - from == 1);
        size += path.steps.events[from] > 0 ? 1 : -1;
        largest = std::max(largest, size);
        from = end;
      }
      REQUIRE(largest == 5);
      for (double violation : path.kkt)
        REQUIRE(violation <= 1e-9);
    }
  }
}

// The features of the model of every step, or of every point, in the order of columns.
Array<Array<int>> sets_of_steps(const LikelihoodPath &path) {
  Array<Array<int>> sets;
  std::set<int> now;
  int from = 0;
  for (int end : path.steps.event_end) {
    for (; from < end; ++from) {
      const int event = path.steps.events[from];
      if (event > 0)
        now.insert(event - 1);
      else
        now.erase(-event - 1);
    }
    sets.emplace_back(now.begin(), now.end());
  }
  return sets;
}

Array<Array<int>> sets_of_points(const LikelihoodPath &path) {
  Array<Array<int>> sets;
  int from = 0;
  for (int end : path.coef_end) {
    sets.emplace_back(path.coef_feature.begin() + from, path.coef_feature.begin() + end);
    from = end;
  }
  return sets;
}

TEST_CASE("paths of which only the sets are kept have the sets of exact models") {
  Index n_sets = 0, n_others = 0;
  for (Family family : {Family::binomial, Family::poisson, Family::cox, Family::multinomial})
    for (int seed = 1; seed <= 4; ++seed) {
      Study study = make_study(family, seed, 40, 100, 12);
      study.weights.topRows(6).setOnes();
      LikelihoodOptions options;
      options.each_size = seed < 4;
      options.columns.max_features = options.each_size ? 12 : -1;
      options.alpha = seed == 2 ? 0.5 : 1.0;
      const auto found = run_all(study, options);
      for (Index b = 0; b < found.size(); ++b) {
        const Array<double> &lambda = found[b].steps.lambda;
        Study one = study;
        one.weights = study.weights.col(b);
        LikelihoodOptions exact = options;
        exact.each_size = false;
        exact.keep_coefficients = true;
        const double unit = std::sqrt(one.weights.sum());
        // Half way to the next event, where that is well below: events are where they were
        // foreseen.
        Array<Array<int>> sets;
        for (Index s = 0; s + 2 < lambda.size(); ++s) {
          if (options.each_size && lambda[s + 1] > 0.95 * lambda[s])
            continue;
          sets.push_back(sets_of_steps(found[b])[s]);
          const double next = options.each_size ? lambda[s + 1] : lambda[s];
          exact.lambda.push_back(std::sqrt(lambda[s] * next) / unit);
        }
        if (sets.empty())
          continue;
        n_sets += sets.size();
        const auto at = sets_of_points(run_all(one, exact)[0]);
        REQUIRE(at.size() == sets.size());
        for (Index s = 0; s < sets.size(); ++s)
          n_others += sets[s] != at[s];
        REQUIRE((options.each_size || sets == at));
      }
    }
  // A pair of features that enters and leaves within a step is not seen.
  REQUIRE(n_sets > 1000);
  REQUIRE(n_others <= n_sets / 200);
}

TEST_CASE("runs without anything to explain, and covariates that separate, say so") {
  Study study = make_study(Family::binomial, 3, 20, 10, 2);
  study.outcomes.y.setOnes();
  for (const LikelihoodPath &path : run_all(study, LikelihoodOptions()))
    REQUIRE(path.steps.status == PathStatus::one_response);
  study = make_study(Family::binomial, 3, 20, 10, 2);
  study.z = study.outcomes.y;
  for (const LikelihoodPath &path : run_all(study, LikelihoodOptions()))
    REQUIRE(path.steps.status == PathStatus::separated);
  study = make_study(Family::cox, 3, 20, 10, 2);
  study.outcomes.y.setZero();
  for (const LikelihoodPath &path : run_all(study, LikelihoodOptions()))
    REQUIRE(path.steps.status == PathStatus::one_response);
}

TEST_CASE("a class without a sample in the run is named") {
  Study study = make_study(Family::multinomial, 2, 30, 10, 1);
  study.weights.setOnes();
  for (Index i = 0; i < 30; ++i)
    if (study.outcomes.y[i] == 2.0)
      study.weights(i, 0) = 0.0;
  REQUIRE(run_all(study, LikelihoodOptions())[0].steps.status == PathStatus::class_absent);
}

TEST_CASE("runs with more contrasts than lanes take several passes, with the same path") {
  // Twenty classes, the last 17 of which are one sample each.
  Study study = make_study(Family::multinomial, 2, 60, 40, 3);
  study.weights.setOnes();
  study.outcomes.n_classes = 20;
  for (Index i = 0; i < 60; ++i)
    study.outcomes.y[i] = static_cast<double>(i < 20 ? i : i % 3);
  LikelihoodOptions options = with_coefficients();
  options.n_lambda = 3;
  options.lambda_ratio = 0.6;
  const auto paths = run_all(study, options), two = run_all(study, options, two_threads());
  REQUIRE(paths[0].steps.status == PathStatus::complete);
  REQUIRE(paths[0].coef_value.size() > 20);
  REQUIRE(paths[2].coef_value == two[2].coef_value);
  options.columns.kernel_width = 16; // plain kernels
  const auto plain = run_all(study, options);
  REQUIRE(plain[0].coef_feature == paths[0].coef_feature);
  for (double violation : paths[0].kkt)
    REQUIRE(violation <= 1e-9);
}

TEST_CASE("paths by likelihood stop when asked to") {
  Runtime runtime;
  int polls = 0;
  runtime.stop_requested = [&polls] { return ++polls > 3; };
  REQUIRE_THROWS_AS(run_all(make_study(Family::cox, 1, 40, 300, 16), LikelihoodOptions(), runtime),
                    stabilect::Interrupted);
}

TEST_CASE("in an elastic net columns that are equal share their coefficient") {
  for (Family family : {Family::gaussian, Family::binomial, Family::poisson, Family::cox}) {
    Study study = make_study(family, 1, 40, 12, 2);
    study.x.col(5) = study.x.col(0);
    LikelihoodOptions options = with_coefficients();
    options.alpha = 0.5;
    for (const LikelihoodPath &path : run_all(study, options)) {
      REQUIRE(path.steps.status == PathStatus::complete);
      REQUIRE(path.steps.excluded.empty());
      for (double violation : path.kkt)
        REQUIRE(violation <= 1e-9);
      int from = 0;
      for (int end : path.coef_end) {
        VectorXd beta = VectorXd::Zero(12);
        for (int k = from; k < end; ++k)
          beta[path.coef_feature[k]] = path.coef_value[k];
        REQUIRE(beta[0] == Approx(beta[5]).epsilon(1e-6).margin(1e-8));
        from = end;
      }
    }
  }
}

TEST_CASE("models at small lambda are as exact as rounding lets them be") {
  for (Family family : {Family::binomial, Family::poisson, Family::cox}) {
    Study study = make_study(family, 2, 60, 3, 4);
    LikelihoodOptions options = with_coefficients();
    options.lambda_ratio = 1e-6;
    for (const LikelihoodPath &path : run_all(study, options)) {
      REQUIRE(path.steps.status == PathStatus::complete);
      REQUIRE(path.kkt.size() == 30);
      REQUIRE(*std::max_element(path.kkt.begin(), path.kkt.end()) < 1e-7);
    }
  }
}

TEST_CASE("a looser tolerance is kept, and moves models by no more than it allows") {
  for (Family family : {Family::binomial, Family::poisson, Family::cox, Family::multinomial}) {
    Study study = make_study(family, 2, 60, 150, 2);
    study.weights.topRows(6).setOnes();
    LikelihoodOptions options = with_coefficients();
    options.lambda_ratio = 0.1;
    const auto tight = run_all(study, options);
    options.tolerance = 1e-6;
    const auto loose = run_all(study, options);
    for (Index b = 0; b < tight.size(); ++b) {
      const double largest = *std::max_element(loose[b].kkt.begin(), loose[b].kkt.end());
      REQUIRE(largest <= 1e-6);
      REQUIRE(largest > 1e-9);
      REQUIRE(loose[b].deviance.size() == tight[b].deviance.size());
      for (Index k = 0; k < loose[b].deviance.size(); ++k)
        REQUIRE(loose[b].deviance[k] == Approx(tight[b].deviance[k]).epsilon(1e-5));
    }
  }
}
