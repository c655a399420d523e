#ifndef STABILECT_CLASS_SET_H
#define STABILECT_CLASS_SET_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/likelihood/class_likelihood.h"
#include "stabilect/likelihood/free_columns.h"
#include "stabilect/likelihood/grouped_model.h"
#include "stabilect/likelihood/newton_set.h"

namespace stabilect {

// A model of several classes at one lambda: the free columns and the active features, each with a
// block of coefficients, one for every contrast. solve() minimises the objective on them by
// quadratic models (grouped_model.h; proximal Newton, Lee, Sun & Saunders 2014).
class ClassSet {
public:
  struct State {
    Array<int> feature;
    Eigen::VectorXd coordinates; // a block for each free column, then for each feature
  };

  ClassSet(PathColumns &columns, ClassLikelihood &likelihood, const FreeColumns &free, double alpha,
           const Kernels &kernels)
      : columns_(&columns), likelihood_(&likelihood), free_(&free), kernels_(&kernels),
        alpha_(alpha), ridge_((1.0 - alpha) / std::sqrt(columns.total_weight())),
        width_(likelihood.width()), n_free_(free.size()), model_(width_, n_free_),
        theta_(columns.ld() * width_), step_(theta_.size()), start_(theta_.size()) {
    now_.coordinates = Eigen::VectorXd::Zero(n_free_ * width_);
    now_.coordinates.head(width_) = likelihood.level() * free.unit();
    refresh();
  }

  const State &state() const { return now_; }
  void restore(const State &state) {
    now_ = state;
    slot_.clear();
    for (int j : now_.feature)
      slot_.push_back(columns_->slot(j));
    refresh();
  }
  // The block of the a-th active feature.
  Eigen::VectorXd block(Index a) const {
    return now_.coordinates.segment((n_free_ + a) * width_, width_);
  }

  double value() const { return value_; } // minus the log likelihood
  double residual_norm() const {
    const AlignedBuffer<double> &r = likelihood_->residual();
    return std::sqrt(kernels_->dot(r.data(), r.data(), theta_.size()));
  }
  // The largest distance of a linear predictor from their mean.
  double spread() const {
    double largest = 0.0;
    for (Index a = 0; a < width_; ++a) {
      const Eigen::Map<const Eigen::ArrayXd> part(theta_.data() + part_of(a), columns_->n_rows());
      largest = std::max(largest, (part - part.mean()).abs().maxCoeff());
    }
    return largest;
  }
  void set_floor(double norm) { floor_ = kScoreFloor * norm; }
  double score() const { return score_norm_; } // the largest element, at the end of solve()

  bool has(int j) const {
    return std::find(now_.feature.begin(), now_.feature.end(), j) != now_.feature.end();
  }
  void enter(int j) {
    now_.feature.push_back(j);
    slot_.push_back(columns_->slot(j));
    now_.coordinates.conservativeResize(now_.coordinates.size() + width_);
    now_.coordinates.tail(width_).setZero();
  }
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

  // To the model at this lambda with no other features than the active ones; false when that
  // cannot be reached.
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
      if (!walk(goal - now_.coordinates)) {
        compute_score();
        return score_norm_ <= 100.0 * precision;
      }
    }
    return false;
  }

private:
  static constexpr int kMostRounds = 200;
  static constexpr double kInexact = 1e-3; // how well a quadratic model is solved

  Index part_of(Index a) const { return columns_->ld() * a; }
  Index n_active() const { return now_.feature.size(); }
  Index n_blocks() const { return n_free_ + n_active(); }
  const double *column(Index k) const {
    return k < n_free_ ? free_->column(k) : columns_->column(slot_[k - n_free_]);
  }
  double ridge(Index k) const {
    const int j = now_.feature[k - n_free_];
    return lambda_ * ridge_ * columns_->factor(j);
  }

  void refresh() {
    combine(now_.coordinates, theta_);
    value_ = likelihood_->evaluate(theta_);
  }

  // The linear predictors of these coordinates.
  void combine(const Eigen::VectorXd &coordinates, AlignedBuffer<double> &out) const {
    for (Index i = 0; i < out.size(); ++i)
      out[i] = 0.0;
    const int only = 0;
    Array<double> one(n_active());
    for (Index a = 0; a < width_; ++a) {
      double *target = out.data() + part_of(a);
      for (Index k = 0; k < n_free_; ++k)
        kernels_->add_columns(column(k), columns_->ld(), &only, 1, &coordinates[k * width_ + a],
                              target);
      for (Index k = 0; k < n_active(); ++k)
        one[k] = coordinates[(n_free_ + k) * width_ + a];
      kernels_->add_columns(columns_->base(), columns_->ld(), slot_.data(), one.size(), one.data(),
                            target);
      for (Index i = 0; i < columns_->n_rows(); ++i)
        target[i] /= columns_->roots()[i];
    }
  }

  // Minus the gradient of likelihood and ridge, and its norm beyond what the penalty balances.
  void compute_score() {
    score_.resize(n_blocks() * width_);
    Array<double> products(n_active());
    for (Index a = 0; a < width_; ++a) {
      const double *r = likelihood_->residual().data() + part_of(a);
      for (Index k = 0; k < n_free_; ++k)
        score_[k * width_ + a] = kernels_->dot(column(k), r, columns_->ld());
      kernels_->dot_one(columns_->base(), columns_->ld(), slot_.data(), products.size(), r,
                        products.data());
      for (Index k = 0; k < n_active(); ++k)
        score_[(n_free_ + k) * width_ + a] = products[k];
    }
    score_norm_ = n_free_ > 0 ? score_.head(n_free_ * width_).cwiseAbs().maxCoeff() : 0.0;
    for (Index k = n_free_; k < n_blocks(); ++k) {
      auto own = score_.segment(k * width_, width_);
      const auto beta = now_.coordinates.segment(k * width_, width_);
      own -= ridge(k) * beta;
      const double norm = beta.norm(), bound = lambda_ * alpha_;
      score_norm_ = std::max(score_norm_,
                             norm > 0.0 ? (own - bound / norm * beta).norm() : own.norm() - bound);
    }
  }

  double penalty(const Eigen::VectorXd &coordinates) const {
    double sum = 0.0;
    for (Index k = n_free_; k < n_blocks(); ++k) {
      const double norm = coordinates.segment(k * width_, width_).norm();
      sum += lambda_ * alpha_ * norm + 0.5 * ridge(k) * norm * norm;
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
      hessian.diagonal().segment(k * width_, width_).array() += ridge(k);
  }

  // Along d, half as far until the objective is smaller; what it may err by is rounding. False when
  // it never is.
  bool walk(const Eigen::VectorXd &d) {
    combine(d, step_);
    for (Index i = 0; i < theta_.size(); ++i)
      start_[i] = theta_[i];
    const double start = value_ + penalty(now_.coordinates);
    const double most = start + 1e-13 * std::max(1.0, std::abs(start));
    double length = 1.0;
    for (int halvings = 0; halvings < 60; ++halvings, length *= 0.5) {
      for (Index i = 0; i < theta_.size(); ++i)
        theta_[i] = start_[i] + length * step_[i];
      // The whole step is to the goal itself, with its zeros.
      const Eigen::VectorXd goal = now_.coordinates + length * d;
      value_ = likelihood_->evaluate(theta_);
      if (!(value_ + penalty(goal) <= most))
        continue;
      now_.coordinates = goal;
      drop_absent();
      return true;
    }
    refresh();
    return false;
  }

  void drop_absent() {
    Index kept = 0;
    for (Index k = 0; k < n_active(); ++k) {
      const Eigen::VectorXd own = now_.coordinates.segment((n_free_ + k) * width_, width_);
      if (own.isZero(0.0))
        continue;
      now_.coordinates.segment((n_free_ + kept) * width_, width_) = own;
      now_.feature[kept] = now_.feature[k];
      slot_[kept++] = slot_[k];
    }
    now_.feature.resize(kept);
    slot_.resize(kept);
    now_.coordinates.conservativeResize(n_blocks() * width_);
  }

  PathColumns *columns_;
  ClassLikelihood *likelihood_;
  const FreeColumns *free_;
  const Kernels *kernels_;
  double alpha_, ridge_, lambda_ = 0.0, floor_ = 0.0, value_ = 0.0, score_norm_ = 0.0;
  Index width_, n_free_;
  GroupedModel model_;
  State now_;
  Array<int> slot_;
  AlignedBuffer<double> theta_, step_, start_;
  Eigen::VectorXd score_;
  Eigen::MatrixXd all_, weighted_, part_;
};

} // namespace stabilect

#endif
