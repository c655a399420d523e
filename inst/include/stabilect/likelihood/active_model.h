#ifndef STABILECT_ACTIVE_MODEL_H
#define STABILECT_ACTIVE_MODEL_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stabilect/likelihood/displaced_set.h"
#include "stabilect/likelihood/recent_steps.h"

namespace stabilect {

// A feature to be let in, and its product with the residual; with several predictors, its norm.
struct Violator {
  int feature;
  double product;
};

// The model at one lambda: Newton steps on the free columns and the active features together, with
// the factor of an earlier point, corrected by the recent steps (recent_steps.h), until this
// converges too slowly.
template <typename Likelihood> class ActiveModel : public DisplacedSet<Likelihood> {
  using Base = DisplacedSet<Likelihood>;

public:
  using Base::Base;
  using typename Base::Block;
  using typename Base::State;

  void restore(const State &state) {
    forget();
    Base::restore(state);
  }
  // Goes to the model at lambda, which is known.
  void resume(double lambda, const State &state) {
    open(lambda);
    recent_.clear();
    this->exchange(state);
  }

  // The model of the free columns at lambda zero; false if it cannot be reached.
  bool solve_free() {
    begin(0.0);
    for (int round = 0; round < kMostSteps; ++round) {
      if (solved())
        return true;
      if (!finite() || !step())
        return nearly_solved();
    }
    return false;
  }

  // From here on at this lambda, from the present coefficients.
  void begin(double lambda) {
    open(lambda);
    compute_score();
  }
  // The same with one predictor, after an earlier model with residual r, from which lambda `fell`:
  // the change tells the first step about second derivatives; now they are about `share` of those.
  void begin(double lambda, const State &earlier, double fell, double share,
             const AlignedBuffer<double> &r) {
    begin(lambda);
    const Array<int> &then = earlier.feature;
    if (then.size() > n_active() || !std::equal(then.begin(), then.end(), now_.feature.begin()))
      return;
    change_ = Eigen::Map<const Eigen::VectorXd>(r.data(), r.size()) - this->residual();
    direction_ = now_.coordinates;
    direction_.head(earlier.coordinates.size()) -= earlier.coordinates;
    // Of features in both models the products follow from the penalty.
    fall_.resize(direction_.size());
    this->multiply_columns(change_.data(), n_free_ + then.size(), fall_.data());
    fall_.head(n_free_).setZero();
    for (Index a = 0; a < then.size(); ++a)
      fall_[n_free_ + a] = fell * this->alpha_ * now_.sign[a];
    for (Index a = 0; this->ridge_ > 0.0 && a < n_active(); ++a)
      fall_[n_free_ + a] += this->ridge(a) * direction_[n_free_ + a];
    recent_.add(direction_, share * fall_, share * change_);
  }
  // From coefficients continued along the line through those of `earlier`, `share` of their
  // difference further on, if that makes the objective smaller.
  void begin(double lambda, const State &earlier, double share) {
    open(lambda);
    goal_ = continued(earlier, share);
    const double before = value_ + penalty(now_.coordinates);
    goal_.swap(now_.coordinates);
    this->refresh();
    if (!(value_ + penalty(now_.coordinates) < before)) {
      goal_.swap(now_.coordinates);
      this->refresh();
    }
    compute_score();
  }

  bool finite() const { return std::isfinite(value_) && std::isfinite(score_norm_); }
  // Is the score small enough, as far as steps can make it smaller?
  bool solved() const { return score_norm_ <= precision() || (stalled_ && nearly_solved()); }
  // As small as rounding lets it be?
  bool nearly_solved() const {
    return score_norm_ <=
           std::max({precision(), 100.0 * kTightest * lambda_, 100.0 * this->floor_});
  }
  // Of a model that is not solved yet: a bound of how far the product of a column of norm one with
  // the residual is from that at the solution, if it is certain which of its features are in there;
  // otherwise infinite. Both allow four times the displacement that is still to come.
  double doubt() {
    const double none = std::numeric_limits<double>::infinity();
    if (!factored_ || score_norm_ > (width_ == 1 ? kSketched : kSketchedBlocks) * lambda_)
      return none;
    direct();
    directed_ = true;
    for (Index a = 0; a < n_active(); ++a)
      if (!this->stays(a, direction_, kCertain))
        return none;
    return kCertain * std::sqrt(std::max(0.0, score_.dot(direction_)) * likelihood_->steepest());
  }
  bool near() const { return score_norm_ <= kNear * bound(); }

  // The largest products come first. Of those that are equal but for rounding only the first in the
  // order of ties: of columns that are equal here the others then no longer violate, and other
  // columns come with the next look.
  void admit(Array<Violator> violators) {
    const auto product = [](const Violator &one) { return std::abs(one.product); };
    std::sort(violators.begin(), violators.end(), [&](const Violator &a, const Violator &b) {
      return product(a) != product(b) ? product(a) > product(b) : a.feature < b.feature;
    });
    Array<Violator> first;
    for (const Violator &one : violators) {
      if (first.empty() || product(one) < (1.0 - kEqual) * product(first.back()))
        first.push_back(one);
      else if (this->columns_->precedes(one.feature, first.back().feature))
        first.back() = one;
    }
    violators = std::move(first);
    const Index from = n_active();
    for (const Violator &one : violators)
      this->enter(one.feature, one.product);
    plain_ = stalled_ = directed_ = false;
    compute_score(n_free_ + from);
    if (!factored_ || violators.size() > std::max<Index>(kChunk, from))
      factored_ = false;
    else
      for (Index a = from; a < n_active();)
        a = append(a, std::min(a + kChunk / width_ + 1, n_active()));
    recent_.extend(n_coordinates(), [&](const double *change, double *fall) {
      this->multiply_columns(change, n_free_ + from, fall);
    });
  }

  // One step; false if none makes the objective smaller.
  bool step() {
    if (plain_ && score_norm_ > contraction() * before_ && ++slow_ >= patience())
      factored_ = false;
    before_ = score_norm_;
    if (width_ > 1 && factored_ && !renew_bends())
      factored_ = false;
    directed_ = directed_ && factored_ && width_ == 1;
    if (!factored_) {
      slow_ = 0;
      recent_.clear();
      this->factor();
    }
    if (!directed_)
      direct();
    directed_ = false;
    gone_.clear();
    if (width_ == 1)
      this->follow(direction_);
    else
      this->turn(direction_);
    return take();
  }

private:
  using Base::append;
  using Base::bound;
  using Base::compute_score;
  using Base::continued;
  using Base::displacement_;
  using Base::drop;
  using Base::factor_;
  using Base::factored_;
  using Base::goal_;
  using Base::gone_;
  using Base::lambda_;
  using Base::leaned_;
  using Base::likelihood_;
  using Base::n_active;
  using Base::n_coordinates;
  using Base::n_free_;
  using Base::newton_;
  using Base::now_;
  using Base::part;
  using Base::penalty;
  using Base::renew_bends;
  using Base::score_;
  using Base::score_norm_;
  using Base::solve_factor;
  using Base::stale_;
  using Base::value_;
  using Base::width_;

  static constexpr int kMostSteps = 500;
  static constexpr double kEqual = 1e-10; // products, relative
  static constexpr double kNear = 0.005, kSketched = 1e-3, kSketchedBlocks = 1e-4, kCertain = 4.0;

  // So many steps that leave more than this share of the score are reason for a new factor.
  double contraction() const { return width_ == 1 ? 0.2 : 0.8; }
  Index patience() const { return width_ == 1 ? 1 + n_active() / 25 : 6; }
  double precision() const { return std::max(this->tolerance_ * lambda_, this->floor_); }

  void open(double lambda) {
    if (lambda != lambda_)
      leaned_.clear();
    lambda_ = lambda;
    plain_ = stalled_ = directed_ = false;
  }
  void direct() {
    recent_.direct(
        score_, [this](Eigen::VectorXd &d) { solve_factor(d); }, direction_);
  }
  void forget() {
    factored_ = false;
    recent_.clear();
  }

  // Goes by the displacement or, with several predictors, a shorter way; if the objective does not
  // fall, with a factor of this very point.
  bool take() {
    const bool again = stale_, several = width_ > 1;
    if (goes(again || several ? 1 : kMostTries))
      return true;
    if (several && (goes_to_zero() || goes_straight()))
      return true;
    forget();
    plain_ = false;
    stalled_ = !again;
    return again;
  }

  bool goes(int most_tries) {
    start_score_ = score_;
    change_ = this->residual();
    double length = 1.0;
    const bool less = this->walk(
        displacement_, length, [this](const Eigen::VectorXd &at) { return penalty(at); },
        most_tries);
    if (less)
      finish_step(length);
    return less;
  }
  // Only blocks for which zero is best go there: all, or else one.
  bool goes_to_zero() {
    while (!gone_.empty()) {
      displacement_.setZero();
      for (Index a : gone_)
        part(displacement_, a) = -this->block(a);
      if (goes(1))
        return true;
      gone_.resize(gone_.size() > 1 ? 1 : 0);
    }
    return false;
  }
  bool goes_straight() {
    displacement_ = newton_;
    return goes(kMostTries);
  }

  void finish_step(double length) {
    stale_ = true;
    plain_ = gone_.empty();
    if (gone_.empty()) {
      compute_score();
      change_ -= this->residual();
      recent_.add(length * displacement_, start_score_ - score_, change_);
      return;
    }
    recent_.clear();
    // With one predictor the factor has lost these rows, but a shortened step brings them back.
    if (length < 1.0) {
      factored_ = false;
    } else {
      std::sort(gone_.begin(), gone_.end());
      for (Index k = gone_.size() - 1; k >= 0; --k) {
        if (width_ > 1)
          for (Index a = width_ - 1; a >= 0; --a)
            factor_.remove((n_free_ + gone_[k]) * width_ + a);
        drop(gone_[k]);
      }
    }
    compute_score();
  }

  static constexpr int kMostTries = 60;

  RecentSteps recent_;
  bool plain_ = false, stalled_ = false; // the last step let none leave; none helps any more
  bool directed_ = false;                // direction_ is that of the next step
  Index slow_ = 0;
  double before_ = 0.0;
  Eigen::VectorXd direction_, start_score_, fall_, change_; // change_: of the residual in a step
};

} // namespace stabilect

#endif
