// Results of the core on data of whole numbers, as one checksum for each part: tools/check-bits.sh
// compiles it for several processors and compares.

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

#include "stabilect/base/exponential.h"
#include "stabilect/base/hash_values.h"
#include "stabilect/base/rng.h"
#include "stabilect/base/simd.h"
#include "stabilect/eliminate/elimination.h"
#include "stabilect/likelihood/likelihood_paths.h"
#include "stabilect/path/lars_batch.h"
#include "stabilect/predict/ridge_logistic.h"
#include "stabilect/score/relief.h"
#include "stabilect/select/three_segment.h"
#include "stabilect/signal/kernel_maxima.h"
#include "stabilect/signal/symmetric_eigen.h"
#include "stabilect/simulate/simulated_selector.h"

using namespace stabilect;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static void tell(const char *part, const std::vector<double> &values) {
  ValueHash hash;
  hash.add(values.data(), static_cast<Index>(values.size()));
  std::printf("%s,%.12s\n", part, hash.text().c_str());
}

// Sums of whole numbers over a power of two: no processor rounds them.
static MatrixXd exact(Index n, Index p, int stream) {
  Rng rng(7, static_cast<std::uint32_t>(stream));
  MatrixXd x(n, p);
  for (Index k = 0; k < x.size(); ++k) {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i)
      sum += static_cast<double>(rng.below(4096));
    x.data()[k] = (sum - 8190.0) / 2048.0;
  }
  return x;
}

static void tell_random() {
  std::vector<double> whole, uniform, normal;
  Rng rng(1, 2);
  for (int i = 0; i < 10000; ++i)
    whole.push_back(static_cast<double>(rng.below(1000003)));
  for (int i = 0; i < 10000; ++i)
    uniform.push_back(rng.uniform());
  for (int i = 0; i < 20000; ++i)
    normal.push_back(rng.normal());
  tell("random whole numbers", whole);
  tell("random uniform", uniform);
  tell("random normal", normal);
}

static void tell_exponentials() {
  const MatrixXd x = exact(4000, 1, 3) * 20.0;
  std::vector<double> out(4000);
  STABILECT_AT_WIDTH(0, exponentials)(x.data(), 4000, out.data());
  tell("exponentials", out);
}

static void tell_paths() {
  const MatrixXd x = exact(50, 300, 4);
  const VectorXd y = x.col(0) - x.col(7) + exact(50, 1, 5).col(0);
  LarsOptions options;
  options.keep_coefficients = true;
  MatrixXd weights = MatrixXd::Ones(50, 8);
  for (int b = 1; b < 8; ++b) {
    for (int i = 0; i < 50; ++i)
      weights(i, b) = (i * 7 + b * 5) % 3;
  }
  std::vector<LarsPath> paths(8);
  run_paths(PackedMatrix(x, options.intercept), y, weights, options, Runtime(),
            [&](Index b, LarsPath path) { paths[static_cast<std::size_t>(b)] = std::move(path); });
  std::vector<double> events, numbers;
  for (const LarsPath &path : paths) {
    events.insert(events.end(), path.events.begin(), path.events.end());
    numbers.insert(numbers.end(), path.lambda.begin(), path.lambda.end());
    numbers.insert(numbers.end(), path.coef_value.begin(), path.coef_value.end());
  }
  tell("lasso path events", events);
  tell("lasso path numbers", numbers);
}

// Paths of resamples by a likelihood: the features, and the penalties and coefficients.
static void tell_likelihood(Family family, const char *models, const char *numbers_of) {
  const MatrixXd x = exact(60, 120, 11);
  const VectorXd link = x.col(0) - x.col(3) + exact(60, 1, 12).col(0);
  Outcomes outcomes;
  outcomes.family = family;
  outcomes.y = (link.array() > 0.0).cast<double>();
  if (family == Family::poisson)
    outcomes.y = (link.array() + 6.0).floor().cwiseMax(0.0);
  if (family == Family::cox)
    outcomes = survival_outcomes(VectorXd(40.0 - (4.0 * link).array().floor()), outcomes.y, {});
  MatrixXd weights = MatrixXd::Ones(60, 5);
  for (int b = 1; b < 5; ++b)
    for (int i = 0; i < 60; ++i)
      weights(i, b) = (i * 7 + b * 5) % 3;
  LikelihoodOptions options;
  options.keep_coefficients = true;
  options.n_lambda = 20;
  std::vector<LikelihoodPath> paths(5);
  run_likelihood_paths(
      PackedMatrix(x, true), outcomes, MatrixXd(60, 0), weights, options, Runtime(),
      [&](Index b, LikelihoodPath path) { paths[static_cast<std::size_t>(b)] = std::move(path); });
  std::vector<double> events, numbers;
  for (const LikelihoodPath &path : paths) {
    events.insert(events.end(), path.steps.events.begin(), path.steps.events.end());
    numbers.insert(numbers.end(), path.steps.lambda.begin(), path.steps.lambda.end());
    numbers.insert(numbers.end(), path.coef_value.begin(), path.coef_value.end());
  }
  tell(models, events);
  tell(numbers_of, numbers);
}

// Rankings and p-values are whole numbers: they hold where numbers differ in last bits.
static void tell_scores() {
  const MatrixXd x = exact(48, 60, 13);
  const VectorXd y = (x.col(2) + x.col(5)).unaryExpr([](double v) { return v > 0.0 ? 1.0 : 0.0; });
  Array<int> codes, columns(60);
  for (Index i = 0; i < 48; ++i)
    codes.push_back(static_cast<int>(y[i]));
  std::iota(columns.begin(), columns.end(), 0);
  const MatrixXd relief = score_relief(x, y, 2, Eigen::MatrixXi::Ones(48, 3), ReliefOptions());
  tell("Relief scores", std::vector<double>(relief.data(), relief.data() + relief.size()));

  const LinearSamples samples(x, VectorXd::Ones(48), columns, VectorXd::Ones(60), Scaling::sd);
  EliminationPlan plan;
  plan.sizes = sizes_by_share(60, 0.2, 4);
  plan.last = 4;
  Elimination elimination(samples, codes, 2, LinearOptions(), plan);
  std::vector<double> ranking; // those that stay are in no order
  elimination.run([&](Index, Index next) {
    const Array<int> &places = elimination.ranking();
    ranking.insert(ranking.end(), places.begin() + next, places.end());
  });
  tell("ranking by SVM", ranking);

  const Runtime runtime;
  Passes passes(runtime, {1.0, 1.0});
  const NullDraws draws = NullDraws::permutations(Array<int>(48, 0), 199, 5);
  const Dependence found = kernel_evidence(x, x.col(1).array().square().matrix(), draws, passes);
  tell("dependence", std::vector<double>(found.statistic.data(), found.statistic.data() + 60));
  tell("p of dependence", std::vector<double>(found.adjusted_p.begin(), found.adjusted_p.end()));
}

// Whose draws must not depend on how a library partitions.
static void tell_simulated() {
  std::vector<double> features;
  for (double preference : {0.0, 2.0}) {
    UrnSampler sampler(UrnModel{400, 40, 120, 0.6, preference}, 3, 1);
    for (int member = 0; member < 20; ++member)
      sampler.rank_all([&](int feature, int) { features.push_back(feature); });
  }
  tell("simulated selector", features);
}

static void tell_threshold() {
  VectorXd scores = exact(120, 1, 8).col(0).cwiseAbs();
  std::sort(scores.data(), scores.data() + scores.size());
  const auto fit = fit_three_segment(scores);
  std::vector<double> numbers = {fit.rss, fit.rss_linear};
  for (double coefficient : fit.coefficients)
    numbers.push_back(coefficient);
  tell("threshold knots",
       {static_cast<double>(fit.lower_knot), static_cast<double>(fit.upper_knot)});
  tell("threshold numbers", numbers);
}

static void tell_ridge() {
  const MatrixXd x = exact(60, 10, 9);
  VectorXd y(60);
  for (Index i = 0; i < 60; ++i)
    y[i] = x(i, 0) + x(i, 3) > 0.0;
  const auto fit = fit_ridge_logistic(x, y, VectorXd::Ones(60), 1.0);
  std::vector<double> numbers = {fit.intercept};
  for (Index j = 0; j < 10; ++j)
    numbers.push_back(fit.coefficients[j]);
  tell("ridge logistic", numbers);
}

static void tell_eigen() {
  const MatrixXd x = exact(40, 60, 10);
  const MatrixXd product = x * x.transpose();
  tell("Eigen product", std::vector<double>(product.data(), product.data() + product.size()));
  const auto eigen = symmetric_eigen(product);
  tell("eigenvalues", std::vector<double>(eigen.values.data(), eigen.values.data() + 40));
}

int main() {
  tell_random();
  tell_exponentials();
  tell_paths();
  tell_likelihood(Family::binomial, "logistic path models", "logistic path numbers");
  tell_likelihood(Family::poisson, "Poisson path models", "Poisson path numbers");
  tell_likelihood(Family::cox, "Cox path models", "Cox path numbers");
  tell_scores();
  tell_simulated();
  tell_threshold();
  tell_ridge();
  tell_eigen();
}
