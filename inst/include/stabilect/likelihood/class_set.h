#ifndef STABILECT_CLASS_SET_H
#define STABILECT_CLASS_SET_H

#include <algorithm>
#include <cmath>

#include "stabilect/likelihood/class_likelihood.h"
#include "stabilect/likelihood/coefficient_set.h"
#include "stabilect/likelihood/grouped_model.h"

namespace stabilect {

// A model of several classes at one lambda: the free columns and the active features, each with a
// block of coefficients, one for every contrast. solve() minimises the objective on them by
// quadratic models (grouped_model.h; proximal Newton, Lee, Sun & Saunders 2014).
class ClassSet : public CoefficientSet<ClassLikelihood> {
public:
  ClassSet(PathColumns &columns, ClassLikelihood &likelihood, const FreeColumns &free, double alpha,
           const Kernels &kernels)
      : CoefficientSet(columns, likelihood, free, alpha, kernels), model_(width_, n_free_) {}

  // ||x~_j'R||, the feature varies here.
  double product(int j) {
    double sum = 0.0;
    for (Index a = 0; a < width_; ++a) {
      const double one = kernels_->dot(columns_->column(columns_->slot(j)),
                                       likelihood_->residual().data() + part_of(a), columns_->ld());
      sum += one * one;
    }
    return std::sqrt(sum);
  }

  // The model at this lambda with the active features only; false if it cannot be reached.
  bool solve(double lambda) {
    lambda_ = lambda;
    refresh();
    const double precision = std::max(kScoreTolerance * lambda, floor_);
    for (int round = 0; round < kMostRounds; ++round) {
      compute_score();
      if (!std::isfinite(value_) || !std::isfinite(score_norm_))
        return false;
      if (score_norm_ <= precision)
        return true;
      build_model();
      const Eigen::VectorXd &goal =
          model_.minimise(now_.coordinates, score_, lambda * alpha_,
                          std::max(0.3 * precision, kInexact * score_norm_));
      double length = 1.0; // the whole step is to the goal itself, with its zeros
      if (!walk(goal - now_.coordinates, length,
                [this](const Eigen::VectorXd &at) { return penalty(at); })) {
        compute_score();
        return score_norm_ <= 100.0 * precision;
      }
      drop_absent();
    }
    return false;
  }

private:
  static constexpr int kMostRounds = 200;
  static constexpr double kInexact = 1e-3; // how well a quadratic model is solved

  // Minus the gradient of likelihood and ridge, and its norm beyond what the penalty balances.
  void compute_score() {
    compute_products();
    score_norm_ = n_free_ > 0 ? score_.head(n_free_ * width_).cwiseAbs().maxCoeff() : 0.0;
    for (Index k = n_free_; k < n_blocks(); ++k) {
      auto own = score_.segment(k * width_, width_);
      const auto beta = now_.coordinates.segment(k * width_, width_);
      own -= ridge(k - n_free_) * beta;
      const double norm = beta.norm(), bound = lambda_ * alpha_;
      score_norm_ = std::max(score_norm_,
                             norm > 0.0 ? (own - bound / norm * beta).norm() : own.norm() - bound);
    }
  }

  double penalty(const Eigen::VectorXd &coordinates) const {
    double sum = 0.0;
    for (Index k = n_free_; k < n_blocks(); ++k) {
      const double norm = coordinates.segment(k * width_, width_).norm();
      sum += lambda_ * alpha_ * norm + 0.5 * ridge(k - n_free_) * norm * norm;
    }
    return sum;
  }

  // The second derivatives of likelihood and ridge.
  void build_model() {
    likelihood_->curve();
    const Index ld = columns_->ld(), m = n_blocks();
    all_.resize(ld, m);
    for (Index k = 0; k < m; ++k)
      all_.col(k) = Eigen::Map<const Eigen::VectorXd>(column(k), ld);
    Eigen::MatrixXd &hessian = model_.hessian();
    hessian.resize(m * width_, m * width_);
    part_.resize(m, m);
    for (Index b = 0; b < width_; ++b)
      for (Index a = 0; a <= b; ++a) {
        const Eigen::Map<const Eigen::VectorXd> bent(likelihood_->curvature(a, b), ld);
        weighted_.noalias() = bent.asDiagonal() * all_;
        part_.triangularView<Eigen::Lower>() = all_.transpose() * weighted_;
        for (Index l = 0; l < m; ++l)
          for (Index k = l; k < m; ++k)
            hessian(k * width_ + a, l * width_ + b) = hessian(k * width_ + b, l * width_ + a) =
                hessian(l * width_ + a, k * width_ + b) = hessian(l * width_ + b, k * width_ + a) =
                    part_(k, l);
      }
    for (Index k = n_free_; k < m; ++k)
      hessian.diagonal().segment(k * width_, width_).array() += ridge(k - n_free_);
  }

  void drop_absent() {
    for (Index a = n_active() - 1; a >= 0; --a)
      if (block(a).isZero(0.0))
        leave(a);
  }

  GroupedModel model_;
  Eigen::MatrixXd all_, weighted_, part_;
};

} // namespace stabilect

#endif
