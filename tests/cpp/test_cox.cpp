#include "catch.h"

#include "path_oracle.h"
#include "stabilect/likelihood/cox.h"

#include <cmath>

using namespace path_oracle;
using stabilect::AlignedBuffer;
using stabilect::Array;
using stabilect::CoxLikelihood;
using stabilect::Index;
using stabilect::LarsOptions;
using stabilect::Outcomes;
using stabilect::PackedMatrix;
using stabilect::PathColumns;
using stabilect::Rng;

namespace {

constexpr Index kSamples = 40;

// Times in `levels` values, two strata, weights of which some are 0, 2 or very large.
struct Sample {
  explicit Sample(int levels) : time(kSamples), event(kSamples), weight(kSamples), eta(kSamples) {
    Rng rng(8, static_cast<std::uint64_t>(levels));
    for (Index i = 0; i < kSamples; ++i) {
      time[i] = levels > 0 ? 1.0 + std::floor(levels * rng.uniform()) : 1.0 + rng.uniform();
      event[i] = rng.uniform() < 0.7;
      strata.push_back(static_cast<int>(rng.below(2)));
      weight[i] = i % 7 == 0 ? 0.0 : i % 7 == 1 ? 2.0 : 0.2 + rng.uniform();
      eta[i] = rng.normal();
    }
  }

  VectorXd time, event, weight, eta;
  Array<int> strata;
};

// From the definition; exponentials of eta minus the largest of those at risk.
double minus_log_likelihood(const Sample &d, const VectorXd &eta, bool efron) {
  double value = 0.0;
  for (Index i = 0; i < kSamples; ++i) {
    if (d.event[i] == 0.0 || d.weight[i] == 0.0)
      continue;
    const auto at_risk_with = [&](Index j) {
      return d.strata[j] == d.strata[i] && d.time[j] >= d.time[i] && d.weight[j] > 0.0;
    };
    double most = eta[i], at_risk = 0.0, own = 0.0, events = 0.0, m = 0.0, before = 0.0;
    for (Index j = 0; j < kSamples; ++j)
      most = at_risk_with(j) ? std::max(most, eta[j]) : most;
    for (Index j = 0; j < kSamples; ++j) {
      if (!at_risk_with(j))
        continue;
      at_risk += d.weight[j] * std::exp(eta[j] - most);
      if (d.time[j] > d.time[i] || d.event[j] == 0.0)
        continue;
      own += d.weight[j] * std::exp(eta[j] - most);
      events += d.weight[j];
      m += 1.0;
      before += j < i;
    }
    // The events of one time are visited one by one: this one takes the step l = `before`.
    value +=
        efron ? events / m * std::log(at_risk - before / m * own) : d.weight[i] * std::log(at_risk);
    value += (efron ? events / m : d.weight[i]) * most - d.weight[i] * eta[i];
  }
  return value;
}

// Its derivative in eta of one sample.
double slope_in(Index i, double h, const Sample &d, bool efron) {
  VectorXd up = d.eta, down = d.eta;
  up[i] += h;
  down[i] -= h;
  return (minus_log_likelihood(d, up, efron) - minus_log_likelihood(d, down, efron)) / (2.0 * h);
}

// The likelihood of the core on these data, in terms of samples.
class Core {
public:
  Core(const Sample &d, bool efron)
      : x_(MatrixXd(d.eta), true), columns_(x_, d.weight.data(), LarsOptions()),
        residual_(columns_.ld()), curvature_(columns_.ld()) {
    Outcomes outcomes = stabilect::survival_outcomes(d.time, d.event, d.strata);
    outcomes.efron = efron;
    cox_ = CoxLikelihood(outcomes, columns_);
    for (int row : columns_.rows())
      event_.push_back(d.event[row]);
  }

  double at(const VectorXd &eta) {
    AlignedBuffer<double> own(columns_.ld());
    for (Index k = 0; k < columns_.n_rows(); ++k)
      own[k] = eta[columns_.rows()[k]];
    return cox_.evaluate(columns_, event_, own.data(), residual_.data(), curvature_.data());
  }
  // Minus the derivative in eta.
  VectorXd gradient() const {
    VectorXd out = VectorXd::Zero(kSamples);
    for (Index k = 0; k < columns_.n_rows(); ++k)
      out[columns_.rows()[k]] = residual_[k] * columns_.roots()[k];
    return out;
  }
  // The second derivative in eta times a direction: a column is divided by the roots of the
  // weights.
  VectorXd curved(const VectorXd &direction) {
    AlignedBuffer<double> column(columns_.ld()), product(columns_.ld());
    for (Index k = 0; k < columns_.n_rows(); ++k)
      column[k] = columns_.roots()[k] * direction[columns_.rows()[k]];
    cox_.remember(columns_, curvature_.data());
    cox_.curved(column.data(), product.data());
    VectorXd out = VectorXd::Zero(kSamples);
    for (Index k = 0; k < columns_.n_rows(); ++k)
      out[columns_.rows()[k]] = product[k] * columns_.roots()[k];
    return out;
  }
  double saturated() const { return cox_.saturated(); }

private:
  PackedMatrix x_;
  PathColumns columns_;
  AlignedBuffer<double> residual_, curvature_;
  CoxLikelihood cox_;
  Array<double> event_;
};

} // namespace

TEST_CASE("cox: value, score and curvature are the definition and its derivatives, with ties") {
  for (int levels : {0, 1, 4, 15})
    for (bool efron : {true, false}) {
      Sample d(levels);
      if (levels == 4)
        d.weight.head(10) *= 1e4;
      if (levels == 15)
        d.event.setOnes();
      Core core(d, efron);
      const double scale = d.weight.sum();
      CHECK(core.at(d.eta) == Approx(minus_log_likelihood(d, d.eta, efron)).epsilon(1e-12));
      const VectorXd score = core.gradient();
      Rng rng(3, 1);
      VectorXd direction(kSamples);
      for (Index i = 0; i < kSamples; ++i)
        direction[i] = rng.normal();
      const VectorXd product = core.curved(direction);
      const double h = 1e-5;
      for (Index i = 0; i < kSamples; ++i) {
        CHECK(std::abs(slope_in(i, h, d, efron) + score[i]) < 1e-8 * scale);
      }
      core.at(d.eta + h * direction);
      VectorXd change = -core.gradient();
      core.at(d.eta - h * direction);
      change += core.gradient();
      CHECK((change / (2.0 * h) - product).cwiseAbs().maxCoeff() < 1e-8 * scale);
    }
}

// 300 apart, the scale changes. From 355 on the square of a sum over those at risk has vanished,
// from 745 on the sum.
TEST_CASE("cox: predictors may be as far apart as they like") {
  for (int levels : {0, 4})
    for (bool efron : {true, false})
      for (double range : {290.0, 310.0, 400.0, 800.0, 5000.0}) {
        INFO("levels " << levels << ", range " << range);
        Sample d(levels);
        for (Index i = 0; i < kSamples; ++i)
          d.eta[i] = range * (i * 17 % kSamples) / (kSamples - 1.0) + 0.1 * d.eta[i];
        Core core(d, efron);
        CHECK(core.at(d.eta) == Approx(minus_log_likelihood(d, d.eta, efron)).epsilon(1e-12));
        const VectorXd score = core.gradient(), product = core.curved(d.time);
        const double h = 1e-3;
        for (Index i = 0; i < kSamples; ++i) {
          CHECK(std::abs(slope_in(i, h, d, efron) + score[i]) < 1e-5);
        }
        core.at(d.eta + h * d.time);
        VectorXd change = -core.gradient();
        core.at(d.eta - h * d.time);
        change += core.gradient();
        CHECK((change / (2.0 * h) - product).cwiseAbs().maxCoeff() < 1e-4);
      }
}

TEST_CASE("cox: without ties both rules have the same bits, and a weight of two is no tie") {
  const Sample d(0);
  Core one(d, true), other(d, false);
  CHECK(one.at(d.eta) == other.at(d.eta));
  CHECK((one.gradient() == other.gradient()));
  CHECK((one.curved(d.time) == other.curved(d.time)));
  CHECK(one.saturated() == other.saturated());
}

TEST_CASE("cox: a model that explains everything comes as near to its value as one likes") {
  for (bool efron : {true, false}) {
    const Sample d(6);
    Core core(d, efron);
    // Events rise before all that live longer.
    VectorXd eta(kSamples);
    for (Index i = 0; i < kSamples; ++i)
      eta[i] = 60.0 * (7.0 - d.time[i]) - (d.event[i] ? 0.0 : 30.0);
    CHECK(core.at(eta) == Approx(core.saturated()).epsilon(1e-12));
  }
}
