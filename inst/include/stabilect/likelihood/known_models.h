#ifndef STABILECT_KNOWN_MODELS_H
#define STABILECT_KNOWN_MODELS_H

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/likelihood/active_model.h"

namespace stabilect {

// Coefficients are continued along a line by at most this share of their last change.
constexpr double kFurthest = 2.0;

// The models of a path from which the next one starts: the last two that were accepted, and those
// found at a smaller lambda before others above them, which come again.
template <typename Likelihood> class KnownModels {
public:
  using State = typename ActiveModel<Likelihood>::State;

  const State &accepted() const { return accepted_; }
  double accepted_lambda() const { return accepted_lambda_; } // zero: of the null model
  // The residual at the last accepted model; empty: there was none.
  const AlignedBuffer<double> &residual() const { return previous_; }

  void keep_null(const State &state) { accepted_ = state; }
  void keep(double lambda, const State &state, const AlignedBuffer<double> &residual) {
    std::swap(earlier_, accepted_);
    earlier_lambda_ = accepted_lambda_;
    accepted_ = state;
    accepted_lambda_ = lambda;
    previous_.swap(before_);
    if (previous_.size() == 0)
      previous_.resize(residual.size());
    std::copy(residual.data(), residual.data() + residual.size(), previous_.data());
  }

  // The present model is found too early: the next lambda lies between the last accepted one and
  // this one.
  void pass_over(double lambda, const State &state) {
    turned_ = true;
    passed_over_.push_back({lambda, state});
  }
  // Takes up the model of this lambda, if it was passed over.
  bool resume(double lambda, ActiveModel<Likelihood> &set) {
    while (!passed_over_.empty() && passed_over_.back().lambda > lambda)
      passed_over_.pop_back();
    if (passed_over_.empty() || passed_over_.back().lambda != lambda)
      return false;
    set.resume(lambda, passed_over_.back().state);
    passed_over_.pop_back();
    return true;
  }

  // From the accepted models on, or from one that was just passed over.
  void start(double lambda, bool one_predictor, ActiveModel<Likelihood> &set) {
    const double fell = earlier_lambda_ - accepted_lambda_;
    if (turned_ || !(fell > 0.0))
      set.begin(lambda);
    else if (one_predictor)
      set.begin(lambda, earlier_, fell, std::sqrt(lambda / earlier_lambda_), before_);
    else
      set.begin(lambda, earlier_, std::min(kFurthest, (accepted_lambda_ - lambda) / fell));
    turned_ = false;
  }

private:
  struct Model {
    double lambda;
    State state;
  };
  Array<Model> passed_over_; // by lambda, the largest last
  bool turned_ = false;
  AlignedBuffer<double> previous_, before_; // residuals at the last accepted models
  State accepted_, earlier_;
  double accepted_lambda_ = 0.0, earlier_lambda_ = 0.0; // 0: none yet
};

} // namespace stabilect

#endif
