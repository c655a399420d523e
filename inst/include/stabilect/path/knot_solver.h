#ifndef STABILECT_KNOT_SOLVER_H
#define STABILECT_KNOT_SOLVER_H

#include <algorithm>

#include "stabilect/path/active_set.h"
#include "stabilect/path/residual.h"
#include "stabilect/path/working_set.h"

namespace stabilect {

// A tied feature stays out when its correlation falls as fast as lambda.
constexpr double kDirection = 1e-9;

// Decides at a knot which features are active from there on, and stores the decision: the role of
// every feature, and the events of the knot.
//
// A knot calls meet(), in a lasso drop_zeros(), settle() and take_events(); leave() follows if the
// path goes on.
class KnotSolver {
public:
  KnotSolver(PathType type, Index p, PathColumns &columns, ActiveSet &active, WorkingSet &work,
             const Residual &at, const Kernels &kernels)
      : type_(type), columns_(&columns), active_(&active), work_(&work), at_(&at),
        kernels_(&kernels), role_(p, kFree), u_(columns.ld()) {}

  // Features whose correlation may reach lambda: neither active nor in the span of the active ones.
  bool is_candidate(int j) const { return role_[j] != kActive && role_[j] != kExcluded; }
  // Features that were tied at the last knot and stay out for now.
  const Array<int> &tied_out() const { return tied_out_; }
  bool is_tied_out(int j) const { return role_[j] == kTiedOut; }

  // All features that were ever excluded as collinear, from 1.
  const Array<int> &collinear() const { return collinear_; }

  // These features reach lambda here; `entering` ended the segment, or is -1.
  void meet(Array<int> features, int entering) {
    entering_ = entering;
    if (active_->full())
      return;
    std::sort(features.begin(), features.end(),
              [this](int a, int b) { return columns_->precedes(a, b); });
    for (int j : features)
      tied_.push_back({j, product(j) < 0.0 ? -1.0 : 1.0});
  }

  // Removes active features whose coefficients the last step, of this length, brought to zero.
  void drop_zeros(double step) {
    for (Index k = active_->size(); k-- > 0;) {
      const double moved = step * std::abs(active_->last_direction(k));
      if (active_->sign(k) * active_->last_direction(k) >= 0.0 ||
          active_->sign(k) * active_->beta(k) > 1e-12 * moved)
        continue;
      const int j = active_->feature(k);
      active_->drop(k);
      events_.push_back(-(j + 1));
      ++dropped_;
      release(j);
      add_tied(j);
    }
  }

  // Tied features enter if the KKT conditions would fail without them just below this lambda: a
  // least squares problem with sign constraints (s_j d_j >= 0 for zero coefficients), solved by
  // Lawson & Hanson's active set method. One tied feature, the usual case, simply enters.
  // Candidates are taken in the order of ties.
  void settle() {
    const bool simple = type_ == PathType::lar ||
                        (tied_.size() == 1 && dropped_ == 0 && tied_[0].feature == entering_);
    // With a new direction an earlier candidate may have to enter, so the loop starts again from
    // the first. Each round lowers the objective; the bound only guards against rounding.
    int rounds = 0;
    for (Index k = 0; k < tied_.size() && !active_->full();) {
      const Tied tied = tied_[k]; // a copy: features that are released may join the others
      const bool turned = is_candidate(tied.feature) && settle_one(tied, simple);
      k = turned && ++rounds < 1000 ? 0 : k + 1;
    }
    tied_.clear();
    dropped_ = 0;
  }

  // +j entered, -j left, from 1, in order.
  bool has_events() const { return !events_.empty(); }
  Array<int> take_events() {
    Array<int> out;
    out.swap(events_);
    return out;
  }

  // Away from the knot, tied features that stayed out are no longer tied.
  void leave() {
    for (int j : tied_out_)
      if (role_[j] == kTiedOut)
        role_[j] = kFree;
    tied_out_.clear();
  }

private:
  enum Role : char { kFree, kActive, kExcluded, kTiedOut };
  struct Tied {
    int feature;
    double sign; // of its product with the residual
  };

  struct Excluded {
    int feature;
    Array<int> leans_on; // active features
  };

  double product(int j) const { return columns_->product(j, at_->r, *kernels_); }

  // True if the direction of the path has changed, which does not matter for `simple` ties.
  bool settle_one(const Tied &tied, bool simple) {
    const int j = tied.feature;
    if (simple) {
      enter(tied);
      return false;
    }
    if (active_->spans(columns_->slot(j))) {
      exclude(j);
      return false;
    }
    if (stays_out(tied)) {
      if (role_[j] != kTiedOut)
        tied_out_.push_back(j);
      role_[j] = kTiedOut;
      return false;
    }
    const Array<double> before = active_->directions();
    if (!enter(tied))
      return false;
    restore_signs(before);
    return true;
  }

  bool stays_out(const Tied &tied) {
    active_->direction_in_rows(u_);
    return tied.sign * columns_->product(tied.feature, u_, *kernels_) >= 1.0 - kDirection;
  }

  bool enter(const Tied &tied) {
    const int j = tied.feature;
    if (!active_->append(j, columns_->slot(j), tied.sign)) {
      exclude(j);
      return false;
    }
    role_[j] = kActive;
    work_->remove(j);
    events_.push_back(j + 1);
    return true;
  }

  // Moves from the last feasible direction towards the new one as far as the signs of zero
  // coefficients allow. Removes coefficients that reach zero, until none is violated.
  void restore_signs(Array<double> feasible) {
    feasible.resize(active_->size(), 0.0);
    for (;;) {
      double alpha = 1.0;
      Index worst = active_->size();
      for (Index k = 0; k < active_->size(); ++k) {
        const double to = active_->sign(k) * active_->direction(k);
        if (active_->beta(k) != 0.0 || to >= 0.0)
          continue;
        const double from = std::max(0.0, active_->sign(k) * feasible[k]);
        if (from / (from - to) < alpha)
          alpha = from / (from - to), worst = k;
      }
      if (worst == active_->size())
        return;
      for (Index k = 0; k < active_->size(); ++k)
        feasible[k] += alpha * (active_->direction(k) - feasible[k]);
      feasible.erase(feasible.begin() + worst);
      withdraw(worst);
    }
  }

  // The k-th active feature, whose coefficient is zero, leaves; if it entered at this knot, nothing
  // has happened.
  void withdraw(Index k) {
    const int j = active_->feature(k);
    active_->drop(k);
    release(j);
    const auto event = std::find(events_.begin(), events_.end(), j + 1);
    if (event != events_.end())
      events_.erase(event);
    else
      events_.push_back(-(j + 1));
  }

  void exclude(int j) {
    role_[j] = kExcluded;
    work_->remove(j);
    excluded_.push_back({j, active_->leaned_on()});
    if (std::find(collinear_.begin(), collinear_.end(), j + 1) == collinear_.end())
      collinear_.push_back(j + 1);
  }

  // An active feature becomes a candidate again. So do features excluded as collinear with it and
  // others: without it they may no longer be.
  void release(int j) {
    free(j);
    Array<Excluded> kept;
    for (Excluded &e : excluded_) {
      if (std::find(e.leans_on.begin(), e.leans_on.end(), j) == e.leans_on.end()) {
        kept.push_back(std::move(e));
        continue;
      }
      free(e.feature);
      add_tied(e.feature);
    }
    excluded_.swap(kept);
  }

  void free(int j) {
    role_[j] = kFree;
    work_->add(j, product(j));
  }

  void add_tied(int j) {
    const double c = product(j);
    if (!at_->ties(c))
      return;
    const auto at =
        std::lower_bound(tied_.begin(), tied_.end(), j, [this](const Tied &tied, int f) {
          return columns_->precedes(tied.feature, f);
        });
    if (at == tied_.end() || at->feature != j)
      tied_.insert(at, {j, c < 0.0 ? -1.0 : 1.0});
  }

  PathType type_;
  PathColumns *columns_;
  ActiveSet *active_;
  WorkingSet *work_;
  const Residual *at_;
  const Kernels *kernels_;
  Array<char> role_;
  AlignedBuffer<double> u_; // the direction while ties are settled
  Array<Tied> tied_;        // by feature
  Array<Excluded> excluded_;
  Array<int> tied_out_, collinear_, events_;
  int entering_ = -1, dropped_ = 0;
};

} // namespace stabilect

#endif
