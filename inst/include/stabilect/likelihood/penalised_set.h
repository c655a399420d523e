#ifndef STABILECT_PENALISED_SET_H
#define STABILECT_PENALISED_SET_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/likelihood/coefficient_set.h"

namespace stabilect {

// Coefficients with the penalty of one lambda: objective and score, which is minus the gradient
// along the free columns and the active features.
template <typename Likelihood> class PenalisedSet : public CoefficientSet<Likelihood> {
  using Base = CoefficientSet<Likelihood>;

public:
  using Block = Eigen::VectorXd;
  using Base::Base;
  using typename Base::State;

protected:
  using Base::lambda_;
  using Base::n_active;
  using Base::n_free_;
  using Base::now_;
  using Base::score_;
  using Base::score_norm_;
  using Base::width_;

  static constexpr double kTurned = 0.1; // share of its length that a block keeps

  double bound() const { return lambda_ * this->alpha_; }
  auto part(Eigen::VectorXd &of, Index a) const {
    return of.segment((n_free_ + a) * width_, width_);
  }

  // Blocks are short: expressions of Eigen would take longer for each than the sum.
  double *score_data(Index a) { return score_.data() + (n_free_ + a) * width_; }
  double squares(const double *block) const { return dot(block, block); }
  double dot(const double *one, const double *other) const {
    double sum = 0.0;
    for (Index q = 0; q < width_; ++q)
      sum += one[q] * other[q];
    return sum;
  }

  void compute_score() { compute_score(0); }
  // Of blocks from the given one on; the norm is of all.
  void compute_score(Index from) {
    this->multiply_columns(this->likelihood_->residual().data(), from, score_);
    penalise(std::max(from, n_free_));
    score_norm_ = 0.0;
    // Not a number, where hazards overflow, must not pass for small.
    if (!score_.allFinite()) {
      score_norm_ = std::numeric_limits<double>::infinity();
      return;
    }
    const Index by_element = width_ == 1 ? score_.size() : n_free_ * width_;
    if (by_element > 0)
      score_norm_ = score_.head(by_element).cwiseAbs().maxCoeff();
    for (Index a = 0; width_ > 1 && a < n_active(); ++a)
      score_norm_ = std::max(score_norm_, std::sqrt(squares(score_data(a))));
  }

  // From products with the residual to minus the gradient, for blocks from the given one on. A
  // block at zero is pulled by what its products have beyond the bound.
  void penalise(Index from) {
    if (width_ == 1) {
      const Index first = from - n_free_, n = n_active() - first;
      score_.tail(n) -= bound() * Eigen::Map<const Eigen::VectorXd>(now_.sign.data() + first, n);
      for (Index a = first; this->ridge_ > 0.0 && a < n_active(); ++a)
        score_[n_free_ + a] -= this->ridge(a) * now_.coordinates[n_free_ + a];
      return;
    }
    for (Index a = from - n_free_; a < n_active(); ++a) {
      const double *own = this->block_data(a);
      double *score = score_data(a);
      const double norm = std::sqrt(squares(own)), pull = std::sqrt(squares(score));
      const double by = this->ridge(a) + bound() / norm;
      for (Index q = 0; q < width_; ++q) {
        if (norm > 0.0)
          score[q] -= by * own[q];
        else
          score[q] *= std::max(0.0, 1.0 - bound() / pull);
      }
    }
  }

  double penalty(const Eigen::VectorXd &coordinates) const {
    double sum = 0.0;
    if (width_ == 1 && !(this->ridge_ > 0.0))
      return bound() * coordinates.tail(n_active()).cwiseAbs().sum();
    for (Index a = 0; a < n_active(); ++a) {
      const double norm = std::sqrt(squares(coordinates.data() + (n_free_ + a) * width_));
      sum += bound() * norm + 0.5 * this->ridge(a) * norm * norm;
    }
    return sum;
  }

  // The coefficients plus `share` of their difference from earlier ones. Those that would change
  // their sign go to zero; blocks that would turn around stay.
  Eigen::VectorXd continued(const State &earlier, double share) const {
    Eigen::VectorXd out = now_.coordinates;
    const Index free = n_free_ * width_;
    out.head(free) += share * (out.head(free) - earlier.coordinates.head(free));
    auto at = earlier.feature.begin();
    for (Index a = 0; a < n_active(); ++a) {
      const auto found = std::find(at, earlier.feature.end(), now_.feature[a]);
      if (found == earlier.feature.end())
        continue; // entered since, or returned: then the order has changed
      at = found + 1;
      const Index then = n_free_ + (found - earlier.feature.begin());
      if (width_ == 1) {
        double &own = out[n_free_ + a];
        const double next = own + share * (own - earlier.coordinates[then]);
        own = next * own > 0.0 ? next : 0.0;
        continue;
      }
      auto own = out.segment((n_free_ + a) * width_, width_);
      const Block next = own + share * (own - earlier.coordinates.segment(then * width_, width_));
      if (next.dot(own) > kTurned * own.squaredNorm())
        own = next;
    }
    return out;
  }
};

} // namespace stabilect

#endif
