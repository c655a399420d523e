#ifndef STABILECT_COEFFICIENT_SET_H
#define STABILECT_COEFFICIENT_SET_H

#include <algorithm>
#include <cmath>

#include "stabilect/likelihood/free_columns.h"
#include "stabilect/likelihood/options.h"

namespace stabilect {

// The score at a point of the path is at most a tolerance, relative to lambda; for lambda near zero
// this, relative to the norm of the residual of the model without features.
constexpr double kScoreFloor = 1e-14;

// The coefficients of a model at one lambda: a block for each free column and each active feature,
// one coefficient per linear predictor (one for each contrast of several classes, else one).
// active_model.h finds the best ones.
template <typename Likelihood> class CoefficientSet {
public:
  // The state that another call returns to.
  struct State {
    Array<int> feature;
    Array<double> sign;          // of the feature's product when it entered
    Eigen::VectorXd coordinates; // a block for each free column, then for each feature
  };

  const State &state() const { return now_; }
  void restore(const State &state) {
    for (int j : now_.feature)
      is_active_[j] = 0;
    now_ = state;
    slot_.clear();
    for (int j : now_.feature) {
      is_active_[j] = 1;
      slot_.push_back(columns_->slot(j));
    }
    refresh();
  }
  // The block of the a-th active feature.
  auto block(Index a) const { return now_.coordinates.segment((n_free_ + a) * width_, width_); }

  const double *block_data(Index a) const {
    return now_.coordinates.data() + (n_free_ + a) * width_;
  }

  double value() const { return value_; } // minus the log likelihood
  double residual_norm() const {
    const AlignedBuffer<double> &r = likelihood_->residual();
    return std::sqrt(kernels_->dot(r.data(), r.data(), eta_.size()));
  }
  // The largest distance of a linear predictor, without offsets, from their mean.
  double spread() const {
    double largest = 0.0;
    AlignedBuffer<double> eta(eta_.size());
    combine(now_.coordinates, eta);
    for (Index a = 0; a < width_; ++a) {
      const Eigen::Map<const Eigen::ArrayXd> part(eta.data() + part_of(a), columns_->n_rows());
      largest = std::max(largest, (part - part.mean()).abs().maxCoeff());
    }
    return largest;
  }
  void set_floor(double norm) { floor_ = kScoreFloor * norm; }
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  double score() const { return score_norm_; } // the largest element, at the end of solve()

  // A feature's product with the residual, or with several predictors its norm; the feature varies
  // here.
  double product(int j) {
    double sum = 0.0;
    for (Index a = 0; a < width_; ++a) {
      const double one = kernels_->dot(columns_->column(columns_->slot(j)),
                                       likelihood_->residual().data() + part_of(a), columns_->ld());
      if (width_ == 1)
        return one;
      sum += one * one;
    }
    return std::sqrt(sum);
  }

  bool has(int j) const { return is_active_[j] != 0; }
  Index place_of(int j) const {
    return std::find(now_.feature.begin(), now_.feature.end(), j) - now_.feature.begin();
  }
  // `product`: the feature's product with the residual.
  void enter(int j, double product) {
    now_.feature.push_back(j);
    now_.sign.push_back(product < 0.0 ? -1.0 : 1.0);
    slot_.push_back(columns_->slot(j));
    is_active_[j] = 1;
    now_.coordinates.conservativeResize(now_.coordinates.size() + width_);
    now_.coordinates.tail(width_).setZero();
  }

protected:
  CoefficientSet(PathColumns &columns, Likelihood &likelihood, const FreeColumns &free,
                 double alpha, const Kernels &kernels)
      : columns_(&columns), likelihood_(&likelihood), free_(&free), kernels_(&kernels),
        alpha_(alpha),
        ridge_((1.0 - alpha) / (std::sqrt(columns.total_weight()) * likelihood.spread())),
        width_(likelihood.width()), n_free_(free.size()), is_active_(columns.p(), 0),
        eta_(columns.ld() * width_) {
    now_.coordinates = Eigen::VectorXd::Zero(n_free_ * width_);
    if (likelihood.family() != Family::cox)
      now_.coordinates.head(width_) = likelihood.level() * free.unit();
    refresh();
  }

  auto residual() const {
    return Eigen::Map<const Eigen::VectorXd>(likelihood_->residual().data(), eta_.size());
  }
  Index part_of(Index a) const { return columns_->ld() * a; }
  Index n_active() const { return now_.feature.size(); }
  Index n_blocks() const { return n_free_ + n_active(); }
  const double *column(Index k) const {
    return k < n_free_ ? free_->column(k) : columns_->column(slot_[k - n_free_]);
  }
  double ridge(Index a) const {
    return ridge_ == 0.0 ? 0.0 : lambda_ * ridge_ * columns_->factor(now_.feature[a]);
  }

  void leave(Index a) {
    const Index at = (n_free_ + a) * width_, behind = now_.coordinates.size() - at - width_;
    now_.coordinates.segment(at, behind) = now_.coordinates.tail(behind).eval();
    now_.coordinates.conservativeResize(at + behind);
    is_active_[now_.feature[a]] = 0;
    now_.feature.erase(now_.feature.begin() + a);
    now_.sign.erase(now_.sign.begin() + a);
    slot_.erase(slot_.begin() + a);
  }

  // Linear predictors and likelihood at the present coefficients.
  void refresh() { evaluate(now_.coordinates); }
  void evaluate(const Eigen::VectorXd &coordinates) {
    combine(coordinates, eta_);
    for (Index i = 0; i < likelihood_->offset().size(); ++i)
      eta_[i] += likelihood_->offset()[i];
    value_ = likelihood_->evaluate(eta_);
  }

  // The linear predictors of these coordinates.
  void combine(const Eigen::VectorXd &coordinates, AlignedBuffer<double> &out) const {
    for (Index i = 0; i < out.size(); ++i)
      out[i] = 0.0;
    const int only = 0;
    // One predictor has its coefficients side by side; several predictors gather theirs.
    Array<double> &gathered = gathered_;
    gathered.resize(width_ > 1 ? n_active() : 0);
    for (Index a = 0; a < width_; ++a) {
      double *target = out.data() + part_of(a);
      for (Index k = 0; k < n_free_; ++k)
        kernels_->add_columns(column(k), columns_->ld(), &only, 1, &coordinates[k * width_ + a],
                              target);
      for (Index k = 0; k < gathered.size(); ++k)
        gathered[k] = coordinates[(n_free_ + k) * width_ + a];
      kernels_->add_columns(columns_->base(), columns_->ld(), slot_.data(), n_active(),
                            width_ > 1 ? gathered.data() : coordinates.data() + n_free_, target);
      for (Index i = 0; !columns_->unweighted() && i < columns_->n_rows(); ++i)
        target[i] /= columns_->roots()[i];
    }
  }

  // Products of the columns of blocks from the given one on with r; with the residual they are
  // minus the gradient without the penalty.
  void multiply_columns(const double *r, Index from, Eigen::VectorXd &out) {
    out.conservativeResize(n_blocks() * width_);
    const Index first = std::max<Index>(0, from - n_free_);
    products_.resize(n_active() - first);
    for (Index a = 0; a < width_; ++a) {
      const double *own = r + part_of(a);
      for (Index k = from; k < n_free_; ++k)
        out[k * width_ + a] = kernels_->dot(column(k), own, columns_->ld());
      kernels_->dot_one(columns_->base(), columns_->ld(), slot_.data() + first, products_.size(),
                        own, products_.data());
      for (Index k = 0; k < products_.size(); ++k)
        out[(n_free_ + first + k) * width_ + a] = products_[k];
    }
  }

  // A step along d, halved until the objective is smaller, with a tolerance for rounding. `length`
  // becomes the length taken; false if the objective is never smaller.
  template <typename Penalty>
  bool walk(const Eigen::VectorXd &d, double &length, const Penalty &penalty, int most_tries) {
    const double start = value_ + penalty(now_.coordinates);
    const double limit = start + 1e-13 * std::max(1.0, std::abs(start));
    for (int tries = 0; tries < most_tries; ++tries, length *= 0.5) {
      goal_ = now_.coordinates + length * d;
      evaluate(goal_);
      if (!(value_ + penalty(goal_) <= limit))
        continue;
      now_.coordinates.swap(goal_);
      return true;
    }
    refresh();
    return false;
  }

  PathColumns *columns_;
  Likelihood *likelihood_;
  const FreeColumns *free_;
  const Kernels *kernels_;
  double alpha_, ridge_, lambda_ = 0.0, tolerance_ = kTightest, floor_ = 0.0, value_ = 0.0,
                         score_norm_ = 0.0;
  Index width_, n_free_;
  State now_;
  Array<int> slot_;
  Array<char> is_active_; // by feature
  Array<double> products_;
  mutable Array<double> gathered_;
  AlignedBuffer<double> eta_; // as the residual: one predictor after the other
  Eigen::VectorXd score_, goal_;
};

} // namespace stabilect

#endif
