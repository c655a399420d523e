#ifndef STABILECT_RUN_LIKELIHOOD_H
#define STABILECT_RUN_LIKELIHOOD_H

#include <algorithm>
#include <cmath>

#include "stabilect/likelihood/cox.h"

namespace stabilect {

// The likelihood of one run as a function of the linear predictor eta: its value, the score
// residual r (x'r is the derivative along x) and the curvature. Both are scaled like the columns
// (path_columns.h): r is divided by the root of the weight, the curvature by the weight.
class RunLikelihood {
public:
  RunLikelihood(const Outcomes &outcomes, const PathColumns &columns)
      : family_(outcomes.family), columns_(&columns), residual_(columns.ld()),
        curvature_(columns.ld()), kept_(columns.ld()), power_(columns.ld()) {
    for (int row : columns.rows()) {
      y_.push_back(outcomes.y[row]);
      if (outcomes.offset.size())
        offset_.push_back(outcomes.offset(row, 0));
    }
    if (family_ == Family::cox)
      cox_ = CoxLikelihood(outcomes, columns);
  }

  Family family() const { return family_; }
  const AlignedBuffer<double> &residual() const { return residual_; }
  // Of the rows; empty: none.
  const Array<double> &offset() const { return offset_; }

  // No smaller than the largest eigenvalue of the second derivative at the last evaluate().
  double steepest() const {
    return *std::max_element(curvature_.data(), curvature_.data() + y_.size());
  }
  bool tells_a_class() const { return false; } // beside the other one: then nothing is left
  // Keeps the second derivative at the last evaluate() for curved().
  void remember() {
    if (family_ == Family::cox)
      return cox_.remember(*columns_, curvature_.data());
    for (Index i = 0; i < y_.size(); ++i)
      kept_[i] = curvature_[i];
  }
  // That second derivative times a column.
  void curved(Index, const double *column, double *out) {
    if (family_ == Family::cox)
      return cox_.curved(column, out);
    for (Index i = 0; i < y_.size(); ++i)
      out[i] = kept_[i] * column[i];
  }

  // Linear predictors, and their coefficients by class of the response: one, unchanged.
  Index width() const { return 1; }
  template <typename Theta> const Theta &by_class(const Theta &theta) const { return theta; }
  // How the sign of a feature's coefficient is told.
  template <typename Theta> char mark(const Theta &, double sign) const { return sign > 0.0; }

  // Is there anything to explain? Events, both classes, numbers or counts that differ.
  PathStatus status() const {
    const bool varies = family_ == Family::cox
                            ? cox_.n_event_times() > 0
                            : !y_.empty() && *std::min_element(y_.begin(), y_.end()) <
                                                 *std::max_element(y_.begin(), y_.end());
    return varies ? PathStatus::complete : PathStatus::one_response;
  }

  // The intercept of the model that has nothing else; with offsets of two classes, near it.
  Eigen::VectorXd level() const {
    const double mean = mean_response();
    const double level = family_ == Family::binomial  ? std::log(mean / (1.0 - mean))
                         : family_ == Family::poisson ? std::log(mean)
                                                      : mean;
    return Eigen::VectorXd::Constant(1, offset_.empty() ? level : level - mean_offset());
  }

  // Divisor of the ridge part of the penalty: for numbers their standard deviation, which makes the
  // path independent of their unit.
  double spread() const {
    if (family_ != Family::gaussian)
      return 1.0;
    const double mean = mean_response();
    double sum = 0.0;
    for (Index i = 0; i < y_.size(); ++i)
      sum += columns_->weights()[i] * (y_[i] - mean) * (y_[i] - mean);
    return sum > 0.0 ? std::sqrt(sum / columns_->total_weight()) : 1.0;
  }

  // Minus the log likelihood of the model that fits every sample.
  double saturated() const {
    if (family_ == Family::cox)
      return cox_.saturated();
    double value = 0.0;
    for (Index i = 0; family_ == Family::poisson && i < y_.size(); ++i)
      if (y_[i] > 0.0)
        value += columns_->weights()[i] * y_[i] * (1.0 - std::log(y_[i]));
    return value;
  }

  // Minus the log likelihood, without terms that depend on the response alone. Infinite or NaN
  // where exp(eta) overflows.
  double evaluate(const AlignedBuffer<double> &eta) {
    if (family_ == Family::cox)
      return cox_.evaluate(*columns_, y_, eta.data(), residual_.data(), curvature_.data());
    if (family_ == Family::gaussian)
      return add_terms(eta, [](double y, double eta, double) {
        return Term{0.5 * (y - eta) * (y - eta), y - eta, 1.0, 1.0};
      });
    if (family_ == Family::poisson) {
      STABILECT_AT_WIDTH(0, exponentials)(eta.data(), eta.size(), power_.data());
      return add_terms(eta, [](double y, double eta, double mean) {
        return Term{mean - y * eta, y - mean, mean, 1.0};
      });
    }
    for (Index i = 0; i < eta.size(); ++i)
      power_[i] = -std::abs(eta[i]);
    STABILECT_AT_WIDTH(0, exponentials)(power_.data(), power_.size(), power_.data());
    return add_terms(eta, [](double y, double eta, double e) {
      // e / (1 + e) is the probability of the less likely class.
      const double more = 1.0 / (1.0 + e), less = e * more;
      const double first = eta >= 0.0 ? less : more, second = eta >= 0.0 ? more : less;
      return Term{std::max(eta, 0.0) - y * eta, y > 0.5 ? first : -second, less * more, 1.0 + e};
    });
  }

private:
  // The logarithm of `odds` is still to be added to the value.
  struct Term {
    double value, residual, curvature, odds;
  };

  template <typename TermOf>
  double add_terms(const AlignedBuffer<double> &eta, const TermOf &term_of) {
    double value = 0.0, odds = 1.0;
    for (Index i = 0; i < y_.size(); ++i) {
      const Term term = term_of(y_[i], eta[i], power_[i]);
      const double w = columns_->weights()[i];
      value += w * term.value;
      residual_[i] = columns_->roots()[i] * term.residual;
      curvature_[i] = term.curvature;
      if (term.odds == 1.0)
        continue;
      // One logarithm for many factors of at most two.
      if (w != 1.0)
        value += w * std::log(term.odds);
      else
        odds *= term.odds;
      if (odds > 1e290) {
        value += std::log(odds);
        odds = 1.0;
      }
    }
    return value + std::log(odds);
  }

  double mean_response() const {
    double sum = 0.0;
    for (Index i = 0; i < y_.size(); ++i)
      sum += columns_->weights()[i] * y_[i];
    return sum / columns_->total_weight();
  }

  // For counts the logarithm of the mean exponential.
  double mean_offset() const {
    const Eigen::Map<const Eigen::ArrayXd> offset(offset_.data(), offset_.size());
    const Eigen::Map<const Eigen::ArrayXd> weight(columns_->weights().data(), offset_.size());
    if (family_ != Family::poisson)
      return (weight * offset).sum() / columns_->total_weight();
    const double top = offset.maxCoeff();
    return top + std::log((weight * (offset - top).exp()).sum() / columns_->total_weight());
  }

  Family family_;
  const PathColumns *columns_;
  Array<double> y_, offset_;
  CoxLikelihood cox_;
  AlignedBuffer<double> residual_, curvature_, kept_, power_; // power_: an exponential of each row
};

} // namespace stabilect

#endif
