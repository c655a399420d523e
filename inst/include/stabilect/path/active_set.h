#ifndef STABILECT_ACTIVE_SET_H
#define STABILECT_ACTIVE_SET_H

#include <algorithm>
#include <cmath>

#include "stabilect/path/inverse_factor.h"
#include "stabilect/path/path_columns.h"

namespace stabilect {

// Relative squared distances from the span of the active columns: below the first a column
// counts as collinear, below the second its projection is refined.
constexpr double kCollinear = 1e-12, kRefine = 1e-3;

// The active features of a path in order of entry: signs s, coefficients, the factor of their Gram
// matrix G, and d = G^{-1} s, the change of the coefficients per unit of lambda (Efron et al. 2004,
// Eq. 2.5, without normalisation).
class ActiveSet {
public:
  ActiveSet(const PathColumns &columns, const Kernels &kernels)
      : columns_(&columns), kernels_(&kernels), factor_(kernels) {}

  Index size() const { return feature_.size(); }
  // The active columns span everything, or at least the residual: no other column enters.
  bool full() const { return spans_residual_ || size() >= columns_->rank_limit(); }
  void note_residual(bool spanned) { spans_residual_ = spanned; }
  const Array<int> &features() const { return feature_; }
  int feature(Index k) const { return feature_[k]; }
  double sign(Index k) const { return sign_[k]; }
  // The last active features are looked up most.
  double sign_of(int feature) const {
    const auto at = std::find(feature_.rbegin(), feature_.rend(), feature);
    return sign_[feature_.rend() - at - 1];
  }
  double beta(Index k) const { return beta_[k]; }
  double direction(Index k) const { return d_[k]; }
  Array<double> directions() const { return {d_.data(), d_.data() + size()}; }
  // The direction of the last move(), for features that are still active.
  double last_direction(Index k) const { return last_d_[k]; }

  // False if the column lies in the span of the active ones (relative squared distance at most
  // 1e-12, as in the R package lars): nothing is changed then.
  bool append(int feature, int slot, double sign) {
    if (spans(slot))
      return false;
    const double rho = std::sqrt(projected_.rho2), norm2 = projected_.norm2;
    projected_.slot = -1;
    spans_residual_ = false;
    double t = sign;
    for (Index k = 0; k < size(); ++k)
      t -= z_[k] * sign_[k];
    t /= rho;
    factor_.append(z_.data(), rho);
    feature_.push_back(feature);
    slot_.push_back(slot);
    norm_.push_back(std::sqrt(norm2));
    sign_[size() - 1] = sign;
    beta_[size() - 1] = 0.0;
    last_d_[size() - 1] = 0.0;
    const double *column = factor_.last_column();
    d_[size() - 1] = 0.0;
    for (Index k = 0; k < size(); ++k)
      d_[k] += column[k] * t;
    return true;
  }

  bool spans(int slot) {
    if (projected_.slot != slot) {
      reserve(size() + 1);
      const double *x = columns_->column(slot);
      projected_ = Projection();
      projected_.slot = slot;
      projected_.norm2 = kernels_->dot(x, x, columns_->ld());
      if ((projected_.copy_of = copied_by(x)) < 0)
        project(x);
    }
    return projected_.copy_of >= 0 || !(projected_.rho2 > kCollinear * projected_.norm2);
  }

  // The active features that a spanned column depends on: as long as all are active, it is spanned.
  // A feature is left out if its share of the column is below 1e-10; these shares and the distance
  // of the column must together stay below half of the limit, where losing all of them would not
  // matter. Otherwise the column depends on all features.
  Array<int> leaned_on() const {
    if (projected_.copy_of >= 0)
      return {projected_.copy_of};
    Array<int> out;
    const double norm = std::sqrt(projected_.norm2);
    double lost = std::sqrt(std::max(0.0, projected_.rho2) / projected_.norm2);
    for (Index k = 0; k < size(); ++k) {
      const double share = std::abs(z_[k]) * norm_[k] / norm;
      if (share > 1e-10)
        out.push_back(feature_[k]);
      else
        lost += share;
    }
    return lost < 0.5 * std::sqrt(kCollinear) ? out : feature_;
  }

  void drop(Index at) {
    projected_.slot = -1;
    spans_residual_ = false;
    factor_.drop(at);
    for (AlignedBuffer<double> *v : {&sign_, &beta_, &last_d_}) {
      for (Index k = at; k + 1 < size(); ++k)
        (*v)[k] = (*v)[k + 1];
      (*v)[size() - 1] = 0.0;
    }
    d_[size() - 1] = 0.0;
    feature_.erase(feature_.begin() + at);
    slot_.erase(slot_.begin() + at);
    norm_.erase(norm_.begin() + at);
    factor_.solve(sign_.data(), d_.data());
  }

  // out = X_A d
  void direction_in_rows(AlignedBuffer<double> &out) const {
    for (Index i = 0; i < out.size(); ++i)
      out[i] = 0.0;
    kernels_->add_columns(columns_->base(), columns_->ld(), slot_.data(), size(), d_.data(),
                          out.data());
  }

  void move(double step) {
    for (Index k = 0; k < size(); ++k) {
      beta_[k] += step * d_[k];
      last_d_[k] = d_[k];
    }
  }

  // Undoes the drift of many small updates: one Newton step onto X_A'r = lambda s, and d
  // computed again.
  void polish(double lambda, AlignedBuffer<double> &r) {
    projected_.slot = -1;
    kernels_->dot_one(columns_->base(), columns_->ld(), slot_.data(), size(), r.data(), g_.data());
    for (Index k = 0; k < size(); ++k)
      g_[k] -= lambda * sign_[k];
    clear_tail(g_);
    factor_.solve(g_.data(), z_.data());
    for (Index k = 0; k < size(); ++k) {
      beta_[k] += z_[k];
      z_[k] = -z_[k];
    }
    kernels_->add_columns(columns_->base(), columns_->ld(), slot_.data(), size(), z_.data(),
                          r.data());
    factor_.solve(sign_.data(), d_.data());
  }

private:
  // The projection of a column on the active ones, with coefficients z_; valid until these change.
  struct Projection {
    int slot = -1;
    int copy_of = -1;               // the active feature whose column, or its negative, it is
    double norm2 = 0.0, rho2 = 0.0; // squared length, and squared distance
  };

  // Columns of another length are no copies.
  int copied_by(const double *x) const {
    const double norm = std::sqrt(projected_.norm2);
    for (Index k = 0; k < size(); ++k) {
      if (norm_[k] != norm)
        continue;
      const double *a = columns_->column(slot_[k]);
      const double turn = a[0] == x[0] ? 1.0 : -1.0;
      if (std::equal(a, a + columns_->ld(), x, [=](double u, double v) { return u == turn * v; }))
        return feature_[k];
    }
    return -1;
  }

  void reserve(Index size) {
    if (size <= capacity_)
      return;
    capacity_ = pad_rows(std::max(size, std::min(2 * size, columns_->rank_limit() + 1)));
    for (AlignedBuffer<double> *v : {&sign_, &beta_, &d_, &last_d_, &g_, &v_, &z_})
      v->grow(capacity_, v->size());
    factor_.reserve(capacity_);
  }

  void clear_tail(AlignedBuffer<double> &v) const {
    for (Index k = size(); k < v.size() && k < pad_rows(size()); ++k)
      v[k] = 0.0;
  }

  // When the distance is small the subtraction loses digits, and the projection is refined once.
  void project(const double *x) {
    const Index m = size();
    const double norm2 = projected_.norm2;
    kernels_->dot_one(columns_->base(), columns_->ld(), slot_.data(), m, x, g_.data());
    clear_tail(g_);
    factor_.transpose_times(g_.data(), v_.data());
    clear_tail(v_);
    factor_.times(v_.data(), z_.data());
    projected_.rho2 = norm2 - kernels_->dot(v_.data(), v_.data(), pad_rows(m));
    if (projected_.rho2 > kRefine * norm2 || m == 0)
      return;
    AlignedBuffer<double> rest(columns_->ld());
    subtract_projection(x, rest);
    kernels_->dot_one(columns_->base(), columns_->ld(), slot_.data(), m, rest.data(), g_.data());
    clear_tail(g_);
    Array<double> first(z_.data(), z_.data() + m);
    factor_.solve(g_.data(), z_.data());
    for (Index k = 0; k < m; ++k)
      z_[k] += first[k];
    subtract_projection(x, rest);
    projected_.rho2 = kernels_->dot(rest.data(), rest.data(), columns_->ld());
  }

  void subtract_projection(const double *x, AlignedBuffer<double> &rest) {
    for (Index k = 0; k < size(); ++k)
      v_[k] = -z_[k];
    for (Index i = 0; i < columns_->ld(); ++i)
      rest[i] = x[i];
    kernels_->add_columns(columns_->base(), columns_->ld(), slot_.data(), size(), v_.data(),
                          rest.data());
  }

  const PathColumns *columns_;
  const Kernels *kernels_;
  InverseFactor factor_;
  bool spans_residual_ = false;
  Array<int> feature_, slot_;
  Array<double> norm_; // of the columns
  AlignedBuffer<double> sign_, beta_, d_, last_d_, g_, v_, z_;
  Index capacity_ = 0;
  Projection projected_;
};

} // namespace stabilect

#endif
