#ifndef STABILECT_NEXT_KNOT_H
#define STABILECT_NEXT_KNOT_H

#include <algorithm>
#include <limits>

#include "stabilect/path/knot_solver.h"

namespace stabilect {

// Finds the end of a segment: the first of a feature reaching |x~_j'r| = lambda, an active
// coefficient reaching zero, and lambda = 0.
//
// The working set is screened in float: features that provably stay below lambda are skipped; the
// few others, the finalists, are computed in double. Rounding of floats affects only the speed.
class NextKnot {
public:
  struct Step {
    double length;
    int entering; // the feature that reaches lambda there; -1 when none does
  };

  NextKnot(PathType type, PathColumns &columns, const ActiveSet &active, WorkingSet &work,
           const KnotSolver &knot, const Residual &at, const AlignedBuffer<double> &u,
           const Kernels &kernels)
      : type_(type), columns_(&columns), active_(&active), work_(&work), knot_(&knot), at_(&at),
        u_(&u), kernels_(&kernels) {}

  // To be called at a knot, before the first proposal for the segment that begins there.
  void start() { finalists_.clear(); }

  // Called again when more features are watched.
  Step propose() {
    double step = type_ == PathType::lasso ? first_zero() : at_->lambda;
    if (active_->full() || at_->at_end())
      return {step, -1};
    for (int j : knot_->tied_out())
      if (knot_->is_tied_out(j))
        step = std::min(step, hit(finalist(j), step));
    step = first_hit(step);
    int entering = -1;
    for (const Finalist &f : finalists_)
      if (hit(f, std::numeric_limits<double>::max()) <= step)
        entering = f.feature;
    return {step, entering};
  }

  // The finalists that are at lambda after the step, up to rounding.
  Array<int> reached(const Step &step) const {
    const double next = at_->lambda - step.length;
    Array<int> features;
    for (const Finalist &f : finalists_)
      if (std::abs(f.c - step.length * f.a) >= next - kTie * at_->first_lambda ||
          f.feature == step.entering)
        features.push_back(f.feature);
    return features;
  }

private:
  struct Finalist {
    int feature;
    double c, a; // <x~, r> and <x~, u>
  };

  double first_zero() const {
    double step = at_->lambda;
    for (Index k = 0; k < active_->size(); ++k) {
      const double d = active_->direction(k), b = active_->beta(k);
      if (d * active_->sign(k) < 0.0)
        step = std::min(step, -b / d);
    }
    return step;
  }

  // Screens slightly beyond the nearest hit found in float. If that was too near, screens again at
  // the step found, which then is an upper bound.
  double first_hit(double limit) {
    double step = limit, reach = std::min(limit, 1.0001 * work_->nearest_hit(at_->lambda));
    for (;;) {
      double nearest = step;
      for (int j : work_->candidates(reach, at_->lambda - reach - kTie * at_->first_lambda))
        if (!knot_->is_tied_out(j))
          nearest = std::min(nearest, hit(finalist(j), nearest));
      if (nearest <= reach)
        return nearest;
      step = reach = nearest;
    }
  }

  Finalist finalist(int j) {
    for (const Finalist &f : finalists_)
      if (f.feature == j)
        return f;
    finalists_.push_back(
        {j, columns_->product(j, at_->r, *kernels_), columns_->product(j, *u_, *kernels_)});
    return finalists_.back();
  }

  // The step at which the feature reaches lambda, if before `limit`; else `limit`.
  double hit(const Finalist &f, double limit) const {
    const double lambda = at_->lambda;
    double step = limit;
    if (knot_->is_tied_out(f.feature)) {
      // Tied from the start and falling as fast as lambda: only the other sign.
      step = f.c > 0.0 ? (lambda + f.c) / (1.0 + f.a) : (lambda - f.c) / (1.0 - f.a);
    } else {
      if (f.a < 1.0)
        step = std::min(step, (lambda - f.c) / (1.0 - f.a));
      if (f.a > -1.0)
        step = std::min(step, (lambda + f.c) / (1.0 + f.a));
    }
    return std::max(0.0, std::min(step, limit));
  }

  PathType type_;
  PathColumns *columns_;
  const ActiveSet *active_;
  WorkingSet *work_;
  const KnotSolver *knot_;
  const Residual *at_;
  const AlignedBuffer<double> *u_;
  const Kernels *kernels_;
  Array<Finalist> finalists_;
};

} // namespace stabilect

#endif
