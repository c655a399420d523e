#ifndef STABILECT_FORWARD_STEPS_H
#define STABILECT_FORWARD_STEPS_H

#include <cmath>
#include <utility>

#include "stabilect/signal/held_features.h"
#include "stabilect/signal/null_draws.h"
#include "stabilect/signal/null_maxima.h"
#include "stabilect/signal/passes.h"

namespace stabilect {

struct StepOptions {
  int max_steps = 8;
  double forward_rate = 0.2; // of ForwardStop
  double prune_level = 0.05;
};

struct ForwardSteps {
  Array<int> features;      // in the order in which they came
  Array<double> statistics; // their partial correlations
  Array<double> p;          // of the steps up to the last one that could still be accepted
  int n_accepted = 0;       // by ForwardStop
};

struct NamedFeatures {
  Array<int> features;
  Array<double> statistics; // partial correlation given the other ones
  Array<double> p;          // of that, against the largest of all features
};

// The largest k with -(1/k) sum_{i <= k} log(1 - p_i) <= rate; 0 if there is none (G'Sell, Wager,
// Chouldechova and Tibshirani 2016, eq. 6).
inline int forward_stop(const Array<double> &p, double rate) {
  double sum = 0.0;
  int accepted = 0;
  for (Index k = 0; k < p.size(); ++k) {
    sum -= p[k] < 1.0 ? std::log1p(-p[k]) : -1e300;
    if (sum <= rate * (k + 1))
      accepted = static_cast<int>(k + 1);
  }
  return accepted;
}

// Forward steps in the trimmed metric with p values from the largest statistic of null draws.
class SignalSteps {
public:
  SignalSteps(const SignalData &data, const NullDraws &draws, const ColumnPanels &panels,
              const StepOptions &options, Passes &passes)
      : data_(data), draws_(draws), panels_(panels), options_(options), passes_(passes) {}

  ForwardSteps forward() {
    ForwardSteps steps;
    const HeldFeatures all_but_last = walk(steps);
    if (draws_.kind() == NullKind::rotation && !steps.features.empty()) {
      const Eigen::MatrixXd maxima = nested_maxima(all_but_last);
      for (Index k = 0; k < maxima.cols() && may_go_on(steps.p); ++k)
        add_p(steps, maxima.col(k));
    } else {
      HeldFeatures held(data_);
      for (Index k = 0; k < steps.features.size() && may_go_on(steps.p); ++k) {
        if (k > 0)
          held.hold(steps.features[k - 1]);
        add_p(steps, maxima_given(held));
      }
    }
    steps.n_accepted = forward_stop(steps.p, options_.forward_rate);
    return steps;
  }

  // Backward from the accepted steps: the feature with the largest p leaves while it is too large.
  NamedFeatures prune(const ForwardSteps &steps) const {
    Array<int> features(steps.features.begin(), steps.features.begin() + steps.n_accepted);
    for (;;) {
      NamedFeatures named = test_each(features);
      const auto worst = std::max_element(named.p.begin(), named.p.end());
      if (worst == named.p.end() || *worst <= options_.prune_level)
        return named;
      features.erase(features.begin() + (worst - named.p.begin()));
    }
  }

  // Every feature, adjusted for the others. One feature alone is tested with the draws of the first
  // step, which is exact. Several are tested with permuted residuals of the model with all of them
  // (ter Braak 1992): one pass over the data tests all.
  NamedFeatures test_each(const Array<int> &features) const {
    NamedFeatures named;
    named.features = features;
    if (features.empty())
      return named;
    const HeldFeatures all(data_, features);
    const Eigen::MatrixXd own = all.own_directions();
    const Eigen::VectorXd response = data_.weights.cwiseProduct(data_.y);
    const Eigen::VectorXd along = own.transpose() * response;
    const Eigen::VectorXd lengths =
        (along.cwiseAbs2().array() + all.residual().squaredNorm()).sqrt();
    const bool alone = features.size() == 1 && first_maxima_.size() > 0;
    const Eigen::MatrixXd maxima =
        alone ? Eigen::MatrixXd(first_maxima_) : maxima_without_each(all, own);
    for (Index k = 0; k < features.size(); ++k) {
      const Index column = k;
      const double length = lengths[column];
      named.statistics.push_back(length > 0.0 ? std::fabs(along[column]) / length : 0.0);
      named.p.push_back(p_value(named.statistics[k], maxima.col(column), alone ? 0 : 1));
    }
    return named;
  }

private:
  // The steps that the data take, without p values; returns the model with all features but the
  // last.
  HeldFeatures walk(ForwardSteps &steps) const {
    const Index most = std::min<Index>(options_.max_steps, data_.m() - 2);
    HeldFeatures held(data_);
    for (Index k = 0; k < most; ++k) {
      if (k > 0)
        held.hold(steps.features.back());
      Index best = 0;
      const double statistic = held.statistics().maxCoeff(&best);
      if (!(statistic > 0.0))
        break;
      steps.features.push_back(static_cast<int>(best));
      steps.statistics.push_back(std::min(1.0, statistic));
    }
    return held;
  }

  // Could a later step still be accepted, if p values of zero brought the mean down?
  bool may_go_on(const Array<double> &p) const {
    double sum = 0.0;
    for (double value : p)
      sum -= value < 1.0 ? std::log1p(-value) : -1e300;
    return sum <= options_.forward_rate * options_.max_steps;
  }

  void add_p(ForwardSteps &steps, const Eigen::VectorXd &maxima) {
    const Index k = steps.p.size();
    if (k == 0)
      first_maxima_ = maxima;
    steps.p.push_back(p_value(steps.statistics[k], maxima, k));
  }

  double p_value(double statistic, const Eigen::VectorXd &maxima, Index questions) const {
    const double slack =
        float_slack(data_.m(), questions, 1.0 / std::sqrt(HeldFeatures::kLeastLeft));
    const Index reached = (maxima.array() >= statistic - slack).count();
    return (1.0 + reached) / (1.0 + maxima.size());
  }

  // Largest statistics of the draws with the features of `held` in the model.
  Eigen::VectorXd maxima_given(const HeldFeatures &held) const {
    Eigen::MatrixXd weighted = data_.weights.asDiagonal() *
                               draws_.responses(data_, held.plain_residual(), passes_.silent());
    take_out(held, weighted);
    return scaled_maxima(weighted, {1, false}, Eigen::VectorXd::Zero(data_.p()),
                         held.scales(held.left()), Eigen::MatrixXd::Zero(1, weighted.cols()),
                         weighted.colwise().squaredNorm());
  }

  // Rotations are the same in all steps: column k adjusts for the first k features of `last`.
  Eigen::MatrixXd nested_maxima(const HeldFeatures &last) const {
    const Index n = last.size() + 1;
    const Eigen::MatrixXd weighted =
        data_.weights.asDiagonal() * draws_.responses(data_, data_.y, passes_.silent());
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(data_.p(), n), scale(data_.p(), n),
                    height = Eigen::MatrixXd::Zero(n, weighted.cols()), squares(n, weighted.cols());
    if (n > 1) {
      slope.rightCols(n - 1) = last.products();
      height.bottomRows(n - 1) = last.basis().transpose() * weighted;
    }
    Eigen::VectorXd left = data_.x_squared;
    Eigen::RowVectorXd square = weighted.colwise().squaredNorm();
    for (Index k = 0; k < n; ++k) {
      left -= slope.col(k).cwiseAbs2();
      square -= height.row(k).cwiseAbs2();
      scale.col(k) = last.scales(left);
      squares.row(k) = square;
    }
    return scaled_maxima(weighted, {n, true}, slope, scale, height, squares);
  }

  // Column k: adjusts for all features of `all` but number k.
  Eigen::MatrixXd maxima_without_each(const HeldFeatures &all, const Eigen::MatrixXd &own) const {
    Eigen::MatrixXd weighted = data_.weights.asDiagonal() *
                               draws_.responses(data_, all.plain_residual(), passes_.silent());
    const Eigen::MatrixXd height = own.transpose() * weighted;
    const Eigen::MatrixXd slope = all.products() * (all.basis().transpose() * own);
    take_out(all, weighted);
    Eigen::MatrixXd scale(data_.p(), all.size()), squares = height.cwiseAbs2();
    for (Index k = 0; k < all.size(); ++k)
      scale.col(k) = all.scales(all.left() + slope.col(k).cwiseAbs2());
    squares.rowwise() += weighted.colwise().squaredNorm();
    return scaled_maxima(weighted, {all.size(), false}, -slope, scale, height, squares);
  }

  static void take_out(const HeldFeatures &held, Eigen::MatrixXd &weighted) {
    if (held.size() > 0)
      weighted -= held.basis() * (held.basis().transpose() * weighted).eval();
  }

  // Maxima of draws of length one. `squares`: squared lengths of the draws for each question.
  Eigen::MatrixXd scaled_maxima(const Eigen::MatrixXd &weighted, const MaximaQuestions &ask,
                                const Eigen::MatrixXd &slope, const Eigen::MatrixXd &scale,
                                const Eigen::MatrixXd &height,
                                const Eigen::MatrixXd &squares) const {
    // Weights once more: panels have the plain columns, and x~'g = x'(w g).
    const Eigen::MatrixXd draws = data_.weights.asDiagonal() * weighted;
    Eigen::MatrixXd maxima = null_maxima(panels_, draws, ask, slope, scale, height, passes_.next());
    for (Index q = 0; q < maxima.cols(); ++q)
      for (Index r = 0; r < maxima.rows(); ++r)
        maxima(r, q) = squares(q, r) > 0.0 ? maxima(r, q) / std::sqrt(squares(q, r)) : 0.0;
    return maxima;
  }

  const SignalData &data_;
  const NullDraws &draws_;
  const ColumnPanels &panels_;
  StepOptions options_;
  Passes &passes_;
  Eigen::VectorXd first_maxima_;
};

} // namespace stabilect

#endif
