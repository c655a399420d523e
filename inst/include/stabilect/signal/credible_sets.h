#ifndef STABILECT_CREDIBLE_SETS_H
#define STABILECT_CREDIBLE_SETS_H

// SuSiE: the sum of single effects (Wang, Sarkar, Carbonetto and Stephens 2020, algorithm 1 with
// estimated prior variances), on the plain data. Lengths are in units in which features and
// response have variance 1.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stabilect/base/runtime.h"
#include "stabilect/signal/signal_data.h"

namespace stabilect {

struct CredibleOptions {
  int n_effects = 8;
  int max_sweeps = 40;
  double tolerance = 1e-3; // of the probabilities, between sweeps
  double coverage = 0.95;
  double purity = 0.5; // smallest absolute correlation within a set
  int largest = 300;   // features in a set
};

struct CredibleSet {
  Array<int> features; // most probable first
  Array<double> probability;
  double purity = 1.0;
};

// One effect: which feature has it, with what probability and size.
struct SingleEffect {
  bool on = false;
  Eigen::VectorXd probability, mean;   // p each
  Eigen::VectorXd fit;                 // m
  double variance = 0.0, square = 0.0; // of the size; sum of probability times second moment
};

class SingleEffects {
public:
  SingleEffects(const SignalData &data, const CredibleOptions &options)
      : data_(data), options_(options), effects_(options.n_effects), xx_(data.m()),
        residual_(std::sqrt(xx_) * data.y) {
    for (Index j = 0; j < data.p(); ++j)
      if (data.varies(j))
        columns_.push_back(j);
    for (SingleEffect &effect : effects_)
      effect.fit = Eigen::VectorXd::Zero(data.m());
  }

  void fit(const Runtime &runtime) {
    for (int sweep = 0; sweep < options_.max_sweeps; ++sweep) {
      double change = 0.0;
      bool same = false; // the effect before was off, and nothing has changed since
      for (SingleEffect &effect : effects_) {
        if (runtime.stop_requested())
          throw Interrupted();
        if (!(same && !effect.on))
          change = std::max(change, update(effect));
        same = !effect.on;
      }
      update_variance();
      if (change < options_.tolerance)
        break;
    }
  }

  Array<CredibleSet> sets() const {
    Array<CredibleSet> found;
    for (const SingleEffect &effect : effects_) {
      if (!effect.on)
        continue;
      CredibleSet set = smallest_set(effect.probability);
      if (set.features.size() > options_.largest)
        continue;
      set.purity = purity_of(set.features);
      const bool again = std::any_of(found.begin(), found.end(), [&](const CredibleSet &other) {
        return sorted(other.features) == sorted(set.features);
      });
      if (set.purity >= options_.purity && !again)
        found.push_back(set);
    }
    return found;
  }

private:
  // Returns the largest change of a probability.
  double update(SingleEffect &effect) {
    residual_ += effect.fit;
    const Eigen::VectorXd b = data_.x.transpose() * residual_ / std::sqrt(xx_);
    const double s2 = variance_ / xx_;
    Array<double> z2(columns_.size());
    for (Index k = 0; k < columns_.size(); ++k)
      z2[k] = b[columns_[k]] * b[columns_[k]] / s2;
    const double share = prior_share(z2);
    const Eigen::VectorXd before = effect.on ? effect.probability : Eigen::VectorXd();
    effect.on = share > 0.0;
    if (effect.on) {
      set_posterior(effect, b, z2, share, s2);
    } else {
      effect.fit.setZero();
      effect.square = 0.0;
    }
    residual_ -= effect.fit;
    if (before.size() > 0 && effect.on)
      return (effect.probability - before).cwiseAbs().maxCoeff();
    return before.size() == 0 && !effect.on ? 0.0 : 1.0;
  }

  // With the prior variance V and share = V / (V + s2), the mean Bayes factor is the mean of sqrt(1
  // - share) exp(share z^2 / 2). Its maxima are where 1 / (1 - share) is the mean of z^2 under the
  // posterior. From above, the iteration falls to the largest of these; 0 if the factor is no
  // larger there than without effect.
  static double prior_share(const Array<double> &z2) {
    if (z2.empty())
      return 0.0;
    const double largest = *std::max_element(z2.begin(), z2.end());
    if (!(largest > 1.0))
      return 0.0;
    double share = 1.0 - 1.0 / largest, log_mean = 0.0;
    for (int step = 0; step < 500; ++step) {
      double total = 0.0, first = 0.0;
      for (double z : z2) {
        const double factor = std::exp(0.5 * share * (z - largest));
        total += factor;
        first += factor * z;
      }
      log_mean = std::log(total / z2.size()) + 0.5 * share * largest + 0.5 * std::log1p(-share);
      const double mean = first / total, next = mean > 1.0 ? 1.0 - 1.0 / mean : 0.0;
      const bool settled = std::fabs(next - share) < 1e-7;
      share = next;
      if (settled || share <= 0.0)
        break;
    }
    return share > 0.0 && log_mean > 0.0 ? share : 0.0;
  }

  void set_posterior(SingleEffect &effect, const Eigen::VectorXd &b, const Array<double> &z2,
                     double share, double s2) const {
    const double largest = *std::max_element(z2.begin(), z2.end());
    effect.probability = Eigen::VectorXd::Zero(data_.p());
    for (Index k = 0; k < columns_.size(); ++k)
      effect.probability[columns_[k]] = std::exp(0.5 * share * (z2[k] - largest));
    effect.probability /= effect.probability.sum();
    effect.mean = share * b;
    effect.variance = share * s2;
    effect.square =
        effect.probability.dot((effect.mean.array().square() + effect.variance).matrix());
    effect.fit.setZero();
    for (Index j : columns_)
      // The skipped terms are smaller than the rounding of the sum.
      if (effect.probability[j] > 1e-17)
        effect.fit += (effect.probability[j] * effect.mean[j] * std::sqrt(xx_)) * data_.x.col(j);
  }

  // Expected residual sum of squares over the samples minus covariates; the mean counts as one.
  void update_variance() {
    double sum = residual_.squaredNorm();
    for (const SingleEffect &effect : effects_)
      sum += xx_ * effect.square - effect.fit.squaredNorm();
    variance_ = std::max(sum / (xx_ + 1.0), 1e-10);
  }

  CredibleSet smallest_set(const Eigen::VectorXd &probability) const {
    Array<int> order(probability.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return probability[a] > probability[b]; });
    CredibleSet set;
    double sum = 0.0;
    for (int feature : order) {
      set.features.push_back(feature);
      set.probability.push_back(probability[feature]);
      sum += probability[feature];
      if (sum >= options_.coverage)
        break;
    }
    return set;
  }

  double purity_of(const Array<int> &features) const {
    double least = 1.0;
    for (Index a = 0; a < features.size(); ++a)
      for (Index b = 0; b < a; ++b)
        least = std::min(least, std::fabs(data_.x.col(features[a]).dot(data_.x.col(features[b]))));
    return least;
  }

  static Array<int> sorted(Array<int> values) {
    std::sort(values.begin(), values.end());
    return values;
  }

  const SignalData &data_;
  CredibleOptions options_;
  Array<Index> columns_;
  Array<SingleEffect> effects_;
  double xx_, variance_ = 1.0;
  Eigen::VectorXd residual_; // y without the fits of all effects
};

inline Array<CredibleSet> credible_sets(const SignalData &data,
                                        const CredibleOptions &options = CredibleOptions(),
                                        const Runtime &runtime = Runtime()) {
  SingleEffects effects(data, options);
  effects.fit(runtime);
  return effects.sets();
}

} // namespace stabilect

#endif
