#ifndef STABILECT_MODEL_SEARCH_H
#define STABILECT_MODEL_SEARCH_H

// The model of one run at one lambda.
//
// Optimality needs only a feature's product with the score residual r: |x~_j'r| is at most lambda
// alpha, and for active features the derivative of the objective is zero. settle() takes steps on
// the active features (active_model.h), and admits violating features: first of those that are
// watched (watched_features.h), whose products are computed in float at every point, and in double
// if they may be above the bound. Nearly all others are covered by what snapshots prove
// (residual_space.h); those left are measured. If the snapshots prove too little, a new one is
// taken at the point itself. No point is stated before every feature is covered in one of these
// ways.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/likelihood/events_ahead.h"
#include "stabilect/likelihood/known_models.h"
#include "stabilect/likelihood/options.h"
#include "stabilect/likelihood/residual_space.h"
#include "stabilect/likelihood/stated_model.h"
#include "stabilect/likelihood/watched_features.h"

namespace stabilect {

// A linear predictor that goes on by more than this when it is solved has no limit: the free
// columns separate some samples, of which nothing is left to explain. They separate all if no more
// than this share of the deviance is left.
constexpr double kNoLimit = 0.01, kNothingLeft = 1e-6;

// Violation of a feature, relative to the first lambda; limit of the steps.
constexpr double kViolation = 1e-12;
constexpr int kMostSteps = 2000;

// Features are watched whose product is above this share of the bound; more of them where events
// are foreseen, since of others the next one comes as a surprise, and is stated too late.
constexpr double kShareWatched = 0.92, kShareForeseen = 0.85;
// More unproved ones than these, or than this part of all, are reason for a snapshot.
constexpr Index kMostUnproved = 32, kPartUnproved = 16;

// A model of which only the features are wanted is good enough when it is certain which these are:
// when what is still to come moves products with the residual by less than this share of the bound.
// Where features are as near to the bound as that, the share becomes this part of what was left.
constexpr double kMostDoubt = 0.01, kLessDoubt = 0.1;

enum class Settled { yes, no, needs_snapshot };

template <typename Likelihood> class ModelSearch : public StatedModel<Likelihood> {
  using Base = StatedModel<Likelihood>;

public:
  ModelSearch(const LikelihoodOptions &options, const PackedMatrix &x, PathColumns columns,
              const Outcomes &outcomes, const ConstMatrix &z, const LaneNorms &norms,
              const Kernels &kernels)
      : Base(options, std::move(columns), outcomes, z, kernels), alpha_(options.alpha),
        tolerance_(options.tolerance), longest_(norms.largest), early_(!options.keep_coefficients),
        space_(columns_, x.p(), norms, kernels, likelihood_.width()),
        watched_(x, columns_, norms, likelihood_.width()) {}

  // Status complete: there is something to explain, and the null model is the present one.
  PathStatus fit_null(LikelihoodPath &path) {
    const PathStatus known = likelihood_.status();
    if (known != PathStatus::complete)
      return known;
    const bool numbers = likelihood_.family() == Family::gaussian;
    const double before = set_.value();
    set_.set_floor(1000.0 * set_.residual_norm());
    const bool solved = set_.solve_free();
    path.null_deviance = 2.0 * (set_.value() - likelihood_.saturated());
    path.separated = !numbers && set_.drift() > kNoLimit;
    const double left = path.null_deviance / (2.0 * (before - likelihood_.saturated()));
    const bool whole = left < kNothingLeft || likelihood_.tells_a_class();
    if (!solved || (path.separated && whole))
      return PathStatus::separated;
    set_.set_floor(set_.residual_norm());
    if (path.separated) {
      set_.solve_free(); // as far as it goes: from here on it no longer does
      set_.damp();
    }
    known_.keep_null(set_.state());
    space_.propose(residual(), known_.residual());
    const double rounding = numbers ? 1e-20 * before : 1e-12 * std::max(1.0, std::abs(before));
    return path.null_deviance > rounding ? PathStatus::complete : PathStatus::no_signal;
  }

  // Snapshots.
  Index n_directions() const { return space_.n_new(); }
  void fill_direction(Index k, float *v, Index stride) const {
    space_.fill_direction(k, v, stride);
  }
  void receive(Index k, const float *products, Index stride) {
    space_.receive(k, products, stride);
  }
  void end_snapshot() {
    space_.end_snapshot();
    fresh_ = true;
  }

  // The largest product at the null model, after the first snapshot; zero if there is none that
  // counts.
  double largest_product() {
    fresh_ = false;
    const double least = space_.largest(residual());
    if (!(least > 0.0))
      return 0.0;
    double largest = 0.0;
    set_others(space_.unproved(residual(), share_watched_ * least));
    for (int j : newly_watched(least))
      largest = std::max(largest, std::abs(set_.product(j)));
    return largest > 1e-10 * set_.residual_norm() ? largest : 0.0;
  }

  // The model at lambda. Violating features are let in as soon as the others are nearly solved.
  // After a snapshot it goes on where it stopped. Without a model it begins again, from the last.
  Settled settle(double lambda, double first) {
    if (known_.resume(lambda, set_)) {
      if (early_) {
        watch(alpha_ * lambda);
        watched_.prune(share_watched_ * alpha_ * lambda);
      }
      return Settled::yes;
    }
    again_ = again_ && waits_;
    const Settled found = go_on(lambda, first);
    if (found != Settled::no || again_)
      return found;
    again_ = true;
    set_.restore(known_.accepted());
    set_.begin(lambda);
    waits_ = true;
    return go_on(lambda, first);
  }

  // The model at lambda is accepted; the next starts from it and the one before.
  void keep(double lambda) {
    if (early_)
      look_ahead(lambda);
    known_.keep(lambda, set_.state(), residual());
    kept_norm_ = set_.residual_norm();
  }
  // After keep(), if only the features of models are wanted.
  const EventsAhead &ahead() const { return ahead_; }
  // It is not yet: models between it and the last one come first.
  void pass_over(double lambda) { known_.pass_over(lambda, set_.state()); }

private:
  using Base::columns_;
  using Base::likelihood_;
  using Base::residual;
  using Base::set_;

  Settled go_on(double lambda, double first) {
    const double bound = alpha_ * lambda;
    const double excess = bound + std::max(tolerance_ * bound, kViolation * first);
    if (!waits_) {
      known_.start(lambda, likelihood_.width() == 1, set_);
      admit_foreseen(lambda, excess);
    }
    waits_ = false;
    bool looked = false;
    double most_doubt = early_ ? kMostDoubt * bound : 0.0;
    for (int step = 0; step < kMostSteps; ++step) {
      if (!set_.finite())
        return Settled::no;
      const bool solved = set_.solved();
      const double doubt = !solved && early_ ? longest_ * set_.doubt() : bound;
      const bool sure = doubt < most_doubt, done = solved || sure;
      if (done || (!looked && set_.near())) {
        // A copy of an active column is above the bound by as much as the score is not zero.
        const double above = solved ? excess : std::max(excess, bound + 1.01 * set_.score());
        const double least = sure ? bound - doubt : above;
        violators_.clear();
        add_violators(watch(least), least);
        if (violators_.empty() && done) {
          if (!look_at_others(std::min(bound, least), least))
            return Settled::needs_snapshot;
          if (violators_.empty())
            return Settled::yes;
        }
        if (sure && !forget_doubtful(above))
          most_doubt = kLessDoubt * doubt;
        looked = violators_.empty();
        if (!looked)
          set_.admit(violators_);
      }
      if (!set_.step() && !set_.nearly_solved())
        return Settled::no;
    }
    return Settled::no;
  }

  // Only violators whose product is above this are let in; false if none is left.
  bool forget_doubtful(double above) {
    violators_.erase(
        std::remove_if(violators_.begin(), violators_.end(),
                       [=](const Violator &one) { return std::abs(one.product) <= above; }),
        violators_.end());
    return !violators_.empty();
  }

  // Those that are foreseen and already violate need not wait for the first step.
  void admit_foreseen(double lambda, double excess) {
    violators_.clear();
    ahead_.entering(lambda, [&](int j) {
      const double product = set_.has(j) ? 0.0 : set_.product(j);
      if (std::abs(product) > excess)
        violators_.push_back({j, product});
    });
    if (!violators_.empty())
      set_.admit(violators_);
  }

  // Watched features that may have a product above this.
  const Array<int> &watch(double limit) {
    return watched_.above(residual(), set_.residual_norm(), limit,
                          [this](int j) { return set_.has(j); });
  }

  void look_ahead(double lambda) {
    ahead_.begin(lambda, share_watched_ * lambda);
    const double fell = std::max(0.0, known_.accepted_lambda() - lambda);
    watched_.keep(known_.residual(), kept_norm_, [&](int j, double now, double before) {
      ahead_.may_enter(j, now, before, fell, alpha_);
    });
    const auto &then = known_.accepted();
    auto at = then.feature.begin();
    for (Index a = 0; a < set_.state().feature.size(); ++a) {
      const auto found = std::find(at, then.feature.end(), set_.state().feature[a]);
      if (found == then.feature.end())
        continue; // entered since
      at = found + 1;
      ahead_.may_leave(*found, set_.block(a).norm(),
                       set_.block_of(then, found - then.feature.begin()).norm(), fell);
    }
  }

  void add_violators(const Array<int> &features, double excess) {
    for (int j : features) {
      const double product = set_.product(j);
      if (std::abs(product) > excess)
        violators_.push_back({j, product});
    }
  }

  // At a solved point, the features that are not watched: finds violators, or there are none. False
  // if a snapshot must tell.
  bool look_at_others(double bound, double excess) {
    const auto found = space_.unproved(residual(), fresh_ ? share_watched_ * bound : bound);
    set_others(found);
    const Index most = std::max(kMostUnproved, columns_.p() / kPartUnproved);
    waits_ = !fresh_ && (found.far || others_.size() > most) &&
             space_.propose(residual(), known_.residual());
    if (waits_)
      return false;
    fresh_ = false;
    watched_.prune(share_watched_ * bound);
    add_violators(newly_watched(bound), excess);
    return true;
  }

  // The unproved features that are neither active nor watched.
  void set_others(const ResidualSpace::Unproved &found) {
    others_.clear();
    for (Index k = 0; k < found.n; ++k)
      if (!set_.has(found.feature[k]) && !watched_.has(found.feature[k]))
        others_.push_back(found.feature[k]);
  }

  // Watches those of them that are near the bound.
  const Array<int> &newly_watched(double bound) {
    const Array<int> &near =
        watched_.measured_above(others_, residual(), set_.residual_norm(), share_watched_ * bound);
    for (Index k = 0; k < near.size(); ++k)
      watched_.add(near[k], watched_.products_above()[k]);
    return near;
  }

  double alpha_, tolerance_, longest_; // longest_: of the scaled columns
  bool early_;                         // only the features of a model are wanted
  double share_watched_ = early_ ? kShareForeseen : kShareWatched;
  ResidualSpace space_;
  WatchedFeatures watched_;
  KnownModels<Likelihood> known_;
  EventsAhead ahead_;
  double kept_norm_ = 0.0;                             // of the residual at the last accepted model
  bool fresh_ = false, waits_ = false, again_ = false; // a snapshot is taken here; asked for
  Array<int> others_;
  Array<Violator> violators_;
};

} // namespace stabilect

#endif
