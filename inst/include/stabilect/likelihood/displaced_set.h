#ifndef STABILECT_DISPLACED_SET_H
#define STABILECT_DISPLACED_SET_H

#include <algorithm>
#include <cmath>

#include "stabilect/likelihood/block_minimum.h"
#include "stabilect/likelihood/factored_set.h"

namespace stabilect {

// The displacement of a step, and the features that leave in it. With one linear predictor a step
// follows the quadratic model: where a coefficient would change its sign, this feature leaves and
// the step goes on along the model without it. With several, a block that would turn around is set
// to its own best value, often zero.
template <typename Likelihood> class DisplacedSet : public FactoredSet<Likelihood> {
  using Base = FactoredSet<Likelihood>;

public:
  using Base::Base;
  using typename Base::Block;
  using typename Base::State;

protected:
  using Base::bound;
  using Base::factor_;
  using Base::kTurned;
  using Base::lambda_;
  using Base::n_active;
  using Base::n_coordinates;
  using Base::n_free_;
  using Base::now_;
  using Base::own_;
  using Base::part;
  using Base::score_;
  using Base::score_norm_;
  using Base::solve_factor;
  using Base::width_;

  // The displacement along the quadratic model, and the features that leave on the way.
  void follow(Eigen::VectorXd &d) {
    const Index m = n_coordinates();
    displacement_.setZero(m);
    Eigen::VectorXd &left = left_;
    left = score_;
    Array<Index> &alive = alive_;
    alive.resize(m);
    for (Index k = 0; k < m; ++k)
      alive[k] = k;
    for (;;) {
      double length = 1.0;
      Index first = -1;
      for (Index k = 0; lambda_ > 0.0 && k < alive.size(); ++k) {
        const Index a = alive[k] - n_free_;
        if (a < 0)
          continue;
        const double at = now_.coordinates[alive[k]] + displacement_[alive[k]];
        if ((at + length * d[k]) * now_.sign[a] >= 0.0)
          continue;
        length = at == 0.0 ? 0.0 : -at / d[k];
        first = k;
      }
      for (Index k = 0; k < alive.size(); ++k)
        displacement_[alive[k]] += length * d[k];
      if (first < 0)
        return;
      left *= 1.0 - length;
      leave_at_zero(first, length == 0.0, d, alive, left);
      d = left;
      solve_factor(d);
    }
  }

  // Rotates the feature at place `first` out of the factor, and others that are at zero with it.
  void leave_at_zero(Index first, bool at_once, const Eigen::VectorXd &d, Array<Index> &alive,
                     Eigen::VectorXd &left) {
    Index kept = alive.size();
    for (Index k = alive.size() - 1; k >= 0; --k) {
      const Index a = alive[k] - n_free_;
      if (a < 0)
        break;
      const double at = now_.coordinates[alive[k]] + displacement_[alive[k]];
      const bool leaves = k == first || (at_once && at == 0.0 && d[k] * now_.sign[a] < 0.0);
      if (!leaves)
        continue;
      displacement_[alive[k]] = -now_.coordinates[alive[k]];
      gone_.push_back(a);
      factor_.remove(k);
      alive.erase(alive.begin() + k);
      left.segment(k, kept - k - 1) = left.segment(k + 1, kept - k - 1).eval();
      --kept;
    }
    left.conservativeResize(kept);
  }

  // Newton's displacement, but for the blocks that it would turn around.
  void turn(const Eigen::VectorXd &d) {
    displacement_ = newton_ = d;
    double share = 1.0;
    for (Index a = n_active() - 1; a >= 0; --a) {
      const auto z = this->block(a);
      auto by = part(displacement_, a);
      const double norm = z.norm();
      if (norm == 0.0 ? by.dot(part(score_, a)) > 0.0 : z.dot(z + by) >= kTurned * norm * norm)
        continue;
      if (norm > 0.0)
        share = std::min(share, (kTurned - 1.0) * norm * norm / z.dot(by));
      pull_ = part(score_, a);
      pull_.noalias() += own_[a] * z;
      if (norm > 0.0)
        pull_ += bound() / norm * z;
      if (pull_.norm() <= bound() || norm == 0.0) {
        by = -z;
        gone_.push_back(a);
      } else {
        by = block_minimum(own_[a], pull_, bound()) - z;
      }
    }
    newton_ *= share;
  }

  // Is it certain, by the step that would be next, that the block has left zero? This many times
  // the step may still come. With several predictors the factor may be wrong about short blocks,
  // whose penalty bends most.
  bool stays(Index a, Eigen::VectorXd &direction, double times) {
    const auto z = this->block(a);
    const double norm = z.norm();
    if (!(norm > times * part(direction, a).norm()))
      return false;
    double bend = 0.0;
    for (Index k = 0; width_ > 1 && k < width_; ++k)
      for (Index l = 0; l < width_; ++l)
        bend += z[k] * own_[a](l, k) * z[l];
    return width_ == 1 || bend > kClear * score_norm_ * norm;
  }

  Eigen::VectorXd displacement_;
  Array<Index> gone_;      // features that leave
  Eigen::VectorXd newton_; // the part of Newton's displacement that turns no block around

private:
  static constexpr double kClear = 20.0;

  Eigen::VectorXd left_; // of the score, in follow()
  Block pull_;           // in turn()
  Array<Index> alive_;
};

} // namespace stabilect

#endif
