#ifndef STABILECT_BENT_SET_H
#define STABILECT_BENT_SET_H

#include <algorithm>
#include <cmath>

#include "stabilect/likelihood/active_factor.h"
#include "stabilect/likelihood/norm_bend.h"
#include "stabilect/likelihood/penalised_set.h"

namespace stabilect {

// Penalised coefficients with a factor of second derivatives. With several predictors the penalty
// itself bends, and most for short blocks, which have entered lately and grow: the factor follows
// their bends by rotations, so that a new one is not needed for these.
template <typename Likelihood> class BentSet : public PenalisedSet<Likelihood> {
  using Base = PenalisedSet<Likelihood>;

public:
  using Base::Base;
  using typename Base::Block;
  using typename Base::State;

protected:
  using Base::bound;
  using Base::n_active;
  using Base::n_free_;
  using Base::part;
  using Base::score_;
  using Base::width_;

  // The bend of the penalty on a block; of a block at zero, for the length that it will have.
  NormBend bend(Index a) {
    NormBend out{0.0, this->block(a)};
    double norm = out.direction.norm();
    if (norm == 0.0) {
      out.direction = part(score_, a);
      const double pull = out.direction.norm();
      if (!(pull > 0.0))
        return {own_[a].diagonal().maxCoeff(), out.direction};
      norm = pull * pull * pull / out.direction.dot(own_[a] * out.direction);
      out.direction /= pull;
    } else {
      out.direction /= norm;
    }
    out.weight = bound() / norm;
    return out;
  }

  // Keeps the diagonal block of a feature without the bend, which tells whether zero is best for
  // it, and returns it with the bend.
  Eigen::MatrixXd keep_own(Index a, const Eigen::MatrixXd &own) {
    if (own_.size() <= a) {
      own_.resize(a + 1);
      bends_.resize(a + 1);
    }
    own_[a] = own;
    bends_[a] = bend(a);
    return own + bends_[a].matrix();
  }
  void forget_own(Index a) {
    if (a >= own_.size())
      return;
    own_.erase(own_.begin() + a);
    bends_.erase(bends_.begin() + a);
  }

  // Brings the bends in the factor to the present blocks, where they differ much. False if a new
  // factor costs less, or this one is lost.
  bool renew_bends() {
    bent_.clear();
    for (Index a = 0; a < n_active(); ++a)
      if (has_bent(a))
        bent_.push_back(a);
    if (kManyBent * bent_.size() > n_active())
      return false;
    for (Index k = 0; k < bent_.size(); k += kBentAtOnce)
      if (!renew(k, std::min(k + kBentAtOnce, bent_.size())))
        return false;
    return true;
  }

  ActiveFactor factor_;
  Array<Eigen::MatrixXd> own_; // with several predictors, the diagonal blocks of the factor's point

private:
  // A bend is renewed when it has changed by this share; all are when more than one in kManyBent
  // has.
  static constexpr double kBent = 0.4, kNoChange = 1e-3;
  static constexpr Index kManyBent = 4, kBentAtOnce = 4;

  // Does the bend of a block that is not zero differ much from that in the factor, by the sum of
  // the squares of the elements?
  bool has_bent(Index a) const {
    const double *z = this->block_data(a);
    const Eigen::VectorXd &before = bends_[a].direction;
    double squares = 0.0, own = 0.0, common = 0.0;
    for (Index q = 0; q < width_; ++q) {
      squares += z[q] * z[q];
      own += before[q] * before[q];
      common += z[q] * before[q];
    }
    if (squares == 0.0)
      return false;
    common *= common / squares;
    const double now = bound() / std::sqrt(squares), then = bends_[a].weight, n = width_;
    const double kept = then * then * (n - 2.0 * own + own * own);
    const double distance =
        now * now * (n - 1.0) + kept - 2.0 * now * then * (n - 1.0 - own + common);
    return distance > kBent * kBent * kept;
  }

  // A square that is added to the matrix of the factor or, with sign -1, taken from it.
  struct Change {
    Index block;
    Eigen::VectorXd part;
    double sign;
  };

  // Renews these of bent_. What is added comes first, so that the matrix stays positive.
  bool renew(Index from, Index to) {
    Array<Change> changes;
    for (Index k = from; k < to; ++k) {
      const Index a = bent_[k];
      const NormBend now = bend(a);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(now.matrix() - bends_[a].matrix());
      bends_[a] = now;
      for (Index q = 0; q < width_; ++q) {
        const double by = axes.eigenvalues()[q], size = std::abs(by);
        if (size > kNoChange * now.weight)
          changes.push_back(
              {a, std::sqrt(size) * axes.eigenvectors().col(q), by > 0.0 ? 1.0 : -1.0});
      }
    }
    std::stable_partition(changes.begin(), changes.end(),
                          [](const Change &one) { return one.sign > 0.0; });
    Array<double> signs;
    for (const Change &one : changes)
      signs.push_back(one.sign);
    factor_.prepare_change(signs);
    for (Index q = 0; q < changes.size(); ++q)
      std::copy(changes[q].part.data(), changes[q].part.data() + width_,
                factor_.change_vector(q) + (n_free_ + changes[q].block) * width_);
    return factor_.change((n_free_ + bent_[from]) * width_);
  }

  Array<NormBend> bends_; // in the factor
  Array<Index> bent_;
};

} // namespace stabilect

#endif
