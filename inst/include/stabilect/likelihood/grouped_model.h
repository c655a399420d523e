#ifndef STABILECT_GROUPED_MODEL_H
#define STABILECT_GROUPED_MODEL_H

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

#include "stabilect/base/types.h"

namespace stabilect {

// A quadratic function with a penalty on the norms of blocks. With the point of contact x,
// minimises over z
//   -g'(z - x) + (z - x)'H(z - x) / 2 + sum over penalised blocks of lambda ||z_k||.
// Blocks have `width` coordinates; the first `n_free` are not penalised. One pass over the blocks
// solves each exactly and finds the zero ones; Newton steps on the others give fast convergence.
class GroupedModel {
public:
  using Block = Eigen::VectorXd;

  GroupedModel(Index width, Index n_free) : width_(width), n_free_(n_free) {}

  Eigen::MatrixXd &hessian() { return hessian_; }

  // The minimum to this precision of its gradient, or the best after a number of rounds.
  const Eigen::VectorXd &minimise(const Eigen::VectorXd &x, const Eigen::VectorXd &g, double lambda,
                                  double precision) {
    lambda_ = lambda;
    n_blocks_ = x.size() / width_;
    x_ = &x;
    g_ = &g;
    z_ = x;
    u_ = g;
    for (int round = 0; round < kMostRounds; ++round) {
      for (Index k = 0; k < n_blocks_; ++k)
        solve_block(k);
      if (excess() <= precision)
        break;
      if (newton() && excess() <= precision)
        break;
    }
    return z_;
  }

private:
  static constexpr int kMostRounds = 50;

  Index at(Index k) const { return k * width_; }
  bool free(Index k) const { return k < n_free_ || lambda_ == 0.0; }
  bool absent(Index k) const { return !free(k) && z_.segment(at(k), width_).isZero(0.0); }

  double value() const {
    double penalty = 0.0;
    for (Index k = n_free_; k < n_blocks_; ++k)
      penalty += z_.segment(at(k), width_).norm();
    return lambda_ * penalty - 0.5 * (z_ - *x_).dot(*g_ + u_);
  }

  // The gradient along all coordinates that are not zero.
  double excess() const {
    double largest = 0.0;
    for (Index k = 0; k < n_blocks_; ++k) {
      const auto z = z_.segment(at(k), width_);
      Block left = u_.segment(at(k), width_);
      if (!free(k) && z.isZero(0.0)) {
        largest = std::max(largest, left.norm() - lambda_);
        continue;
      }
      if (!free(k))
        left -= lambda_ / z.norm() * z;
      largest = std::max(largest, left.cwiseAbs().maxCoeff());
    }
    return largest;
  }

  // The best z of one block, with all others fixed.
  void solve_block(Index k) {
    const auto own = hessian_.block(at(k), at(k), width_, width_);
    const Block z = z_.segment(at(k), width_), c = u_.segment(at(k), width_) + own * z;
    Block best = Block::Zero(width_);
    if (free(k) || c.norm() > lambda_) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(own);
      const double floor = 1e-12 * std::max(axes.eigenvalues()[width_ - 1], 1e-300);
      const Block d = axes.eigenvalues().cwiseMax(floor), q = axes.eigenvectors().transpose() * c;
      const Block scaled = free(k) ? Block(q.cwiseQuotient(d)) : Block(length(d, q) * direction_);
      best = axes.eigenvectors() * scaled;
    }
    const Block by = best - z;
    if (by.isZero(0.0))
      return;
    u_.noalias() -= hessian_.middleCols(at(k), width_) * by;
    z_.segment(at(k), width_) = best;
  }

  // The norm t of the solution of (D + lambda / t) z = q: where q / (D t + lambda), the direction
  // of z, has norm one. One over this norm is nearly a line in t.
  double length(const Block &d, const Block &q) {
    double t = 0.0;
    for (int step = 0; step < 100; ++step) {
      const Block below = d * t + Block::Constant(width_, lambda_);
      direction_ = q.cwiseQuotient(below);
      const double norm = direction_.norm();
      if (std::abs(norm - 1.0) <= 1e-14)
        break;
      const double slope = direction_.cwiseAbs2().cwiseProduct(d.cwiseQuotient(below)).sum();
      const double by = norm * norm * (norm - 1.0) / slope;
      if (!(t + by > t) && !(t + by < t))
        break;
      t = std::max(0.0, t + by);
    }
    direction_.normalize();
    return t;
  }

  // A Newton step on the non-zero blocks; false if it changes nothing. No block turns around: the
  // next pass finds the zero ones.
  bool newton() {
    Array<Index> present;
    for (Index k = 0; k < n_blocks_; ++k)
      if (!absent(k))
        present.push_back(k);
    const Index m = present.size() * width_;
    curved_.resize(m, m);
    Eigen::VectorXd d(m);
    for (Index l = 0; l < present.size(); ++l) {
      const Index to = l * width_;
      for (Index k = l; k < present.size(); ++k)
        curved_.block(k * width_, to, width_, width_) =
            hessian_.block(at(present[k]), at(present[l]), width_, width_);
      d.segment(to, width_) = u_.segment(at(present[l]), width_);
      if (free(present[l]))
        continue;
      const Block z = z_.segment(at(present[l]), width_);
      const double norm = z.norm();
      d.segment(to, width_) -= lambda_ / norm * z;
      curved_.block(to, to, width_, width_) -= lambda_ / (norm * norm * norm) * z * z.transpose();
      curved_.block(to, to, width_, width_).diagonal().array() += lambda_ / norm;
    }
    if (!solve(d))
      return false;
    const Eigen::VectorXd z = z_, u = u_;
    const double before = value(), rounding = 1e-14 * std::abs(before);
    double share = longest(present, d);
    for (int halvings = 0; halvings < 10; ++halvings, share *= 0.5) {
      take(present, share * d);
      if (value() <= before + rounding)
        return true;
      z_ = z;
      u_ = u;
    }
    return false;
  }

  // d becomes the step. A matrix that rounding has made singular gets a small ridge.
  bool solve(Eigen::VectorXd &d) {
    factor_.compute(curved_);
    for (double ridge = 1e-12; factor_.info() != Eigen::Success; ridge *= 100.0) {
      if (ridge > 1e-4)
        return false;
      curved_.diagonal() *= 1.0 + ridge;
      factor_.compute(curved_);
    }
    d = factor_.solve(d).eval();
    return d.allFinite();
  }

  // How far along d every block keeps a tenth of its length in its own direction.
  double longest(const Array<Index> &present, const Eigen::VectorXd &d) const {
    double share = 1.0;
    for (Index l = 0; l < present.size(); ++l) {
      if (free(present[l]))
        continue;
      const auto z = z_.segment(at(present[l]), width_);
      const double along = z.dot(d.segment(l * width_, width_));
      if (along < -0.9 * z.squaredNorm())
        share = std::min(share, -0.9 * z.squaredNorm() / along);
    }
    return share;
  }

  void take(const Array<Index> &present, const Eigen::VectorXd &by) {
    for (Index l = 0; l < present.size(); ++l) {
      const auto part = by.segment(l * width_, width_);
      z_.segment(at(present[l]), width_) += part;
      u_.noalias() -= hessian_.middleCols(at(present[l]), width_) * part;
    }
  }

  Index width_, n_free_, n_blocks_ = 0;
  double lambda_ = 0.0;
  const Eigen::VectorXd *x_ = nullptr, *g_ = nullptr;
  Eigen::MatrixXd hessian_, curved_;
  Eigen::VectorXd z_, u_; // u: minus the gradient of the quadratic part at z
  Block direction_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

} // namespace stabilect

#endif
