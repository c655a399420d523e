#ifndef STABILECT_TREX_PATH_H
#define STABILECT_TREX_PATH_H

// Least angle regression (Efron et al. 2004) on features and dummies, ended by entering dummies
// (Machkour, Muma and Palomar 2025). A dummy is a column of length one in a random direction of the
// centred vectors. None is written out before it enters: the path needs a column's products with
// vectors that come one after the other, each orthogonal to the previous ones, and for a random
// direction these products can be drawn when needed (Koka et al. 2026).

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stabilect/base/kernels.h"
#include "stabilect/base/rng.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/scale.h"
#include "stabilect/base/types.h"

namespace stabilect {

// Columns in the samples of a run, centred, of length one; zero where nothing varies.
class TrexColumns {
public:
  TrexColumns(const ConstMatrix &x, const Array<Index> &rows)
      : n_(rows.size()), ld_(pad_rows(n_)), slots_(x.cols()), values_(ld_ * slots_.size()),
        varies_(slots_.size()) {
    std::iota(slots_.begin(), slots_.end(), 0);
    for (Index j = 0; j < slots_.size(); ++j)
      varies_[j] = standardise(x.col(j).data(), rows, values_.data() + ld_ * j);
  }

  Index n() const { return n_; }
  Index ld() const { return ld_; }
  Index p() const { return slots_.size(); }
  bool varies(Index j) const { return varies_[j] != 0; }
  Index n_varying() const { return std::count(varies_.begin(), varies_.end(), 1); }
  const double *column(Index j) const { return values_.data() + ld_ * j; }
  // of all columns with v, of length ld
  void products(const double *v, double *out) const {
    kernels().dot_one(values_.data(), ld_, slots_.data(), slots_.size(), v, out);
  }

private:
  static char standardise(const double *x, const Array<Index> &rows, double *out) {
    const Index n = rows.size();
    double largest = 0.0, deviation = 0.0, mean = 0.0, square = 0.0;
    for (const Index row : rows)
      largest = std::max(largest, std::abs(x[row]));
    const double unit = unit_for(largest);
    for (Index i = 0; i < n; ++i) {
      out[i] = x[rows[i]] * unit - x[rows[0]] * unit;
      deviation = std::max(deviation, std::abs(out[i]));
    }
    // A constant column may differ by rounding.
    const double rounding = 4.0 * n * std::numeric_limits<double>::epsilon();
    if (deviation <= rounding * largest * unit) {
      std::fill(out, out + n, 0.0);
      return 0;
    }
    for (Index i = 0; i < n; ++i)
      mean += out[i] / deviation / n;
    for (Index i = 0; i < n; ++i) {
      out[i] = out[i] / deviation - mean;
      square += out[i] * out[i];
    }
    for (Index i = 0; i < n; ++i)
      out[i] /= std::sqrt(square);
    return 1;
  }

  Index n_, ld_;
  Array<int> slots_;
  AlignedBuffer<double> values_;
  Array<char> varies_;
};

// Coordinates of vectors of length one in random directions of a space whose dimension falls by one
// with every coordinate. They are drawn by twos: for the squared length R^2 of two coordinates in D
// dimensions, 1 - R^2 is distributed as U^(2 / (D - 2)), and their angle is uniform.
class SphereCoordinates {
public:
  SphereCoordinates(const Rng &rng, int dimension) : rng_(rng), dimension_(dimension) {}

  void pair(double &first, double &second) {
    second = 0.0;
    if (dimension_ < 2) {
      first = rng_.below(2) == 0 ? 1.0 : -1.0;
      return;
    }
    double s;
    do {
      first = 2.0 * rng_.uniform() - 1.0;
      second = 2.0 * rng_.uniform() - 1.0;
      s = first * first + second * second;
    } while (s >= 1.0 || s <= 0.0);
    // s is uniform, and independent of the angle.
    const double left = dimension_ > 2 ? std::exp(std::log(s) * 2.0 / (dimension_ - 2)) : 0.0;
    const double scale = std::sqrt((1.0 - left) / s);
    first *= scale, second *= scale;
  }
  double normal() { return rng_.normal(); }
  int dimension() const { return dimension_; }
  void next_dimension() { --dimension_; }

private:
  Rng rng_;
  int dimension_;
};

// Q is an orthonormal basis of the active columns. Let
//   s, in the span of Q, have the sign of every active column as product with it,
//   u, of length one, be the direction of the residual of y on Q, and g its length.
// The residual at the knot C is g u + C s: column j enters where |g e_j + C h_j| = C, with e_j =
// x_j'u and h_j = x_j's. When a column has entered, q = cos u + sin w joins Q, and sin u - cos w
// becomes u. Every column therefore needs only e, h, the squared length outside of Q and u, and its
// product with w, a direction not used before.
class TrexPath {
public:
  // `y`: centred, of length one, padded. The columns of x from `n_total` on are also dummies.
  TrexPath(const TrexColumns &x, const double *y, Index n_total, Index n_virtual, const Rng &rng)
      : x_(&x), n_total_(n_total), size_(x.p() + n_virtual), h_(size_, 0.0), e_(size_),
        rest_(size_, 1.0), product_(size_), spare_(n_virtual), u_(x.ld()), w_(x.ld()),
        sphere_(rng, static_cast<int>(x.n()) - 1) {
    std::copy(y, y + x.ld(), u_.data());
    ask_products(y);
    for (Index j = 0; j < size_; ++j) {
      e_[j] = product_[j];
      rest_[j] = std::max(0.0, 1.0 - e_[j] * e_[j]);
      if (j < x.p() && !x.varies(j))
        rest_[j] = kOut;
    }
  }

  // Until this many dummies are in, or the path ends.
  void advance(Index n_dummies, const Runtime &runtime) {
    while (!ended_ && dummy_at_.size() < n_dummies) {
      if (runtime.stop_requested())
        throw Interrupted();
      step();
    }
  }

  // Columns in the order of their entry; virtual dummies follow the columns of x.
  const Array<Index> &order() const { return order_; }
  // Number of columns in before the t-th dummy (from 1); all, if the path ended before.
  Index before_dummy(Index t) const {
    return t <= dummy_at_.size() ? dummy_at_[t - 1] : order_.size();
  }

private:
  static constexpr double kOut = -1.0;      // in `rest_`: active, or not to enter
  static constexpr double kSpanned = 1e-10; // squared length outside of Q that counts as none
  static constexpr double kParallel = 1e-9; // a column that stays as far from the bound as it is
  static constexpr double kEnd = 1e-10;     // correlation at which nothing is left to explain

  void step() {
    Index entering = size_;
    double highest = 0.0;
    for (Index j = 0; j < size_; ++j) {
      const double slope = 1.0 - (e_[j] < 0.0 ? -h_[j] : h_[j]), height = std::abs(e_[j]);
      if (rest_[j] != kOut && slope > kParallel && height > highest * slope)
        highest = height / slope, entering = j;
    }
    if (entering < size_ && highest * length_ > kEnd)
      enter(entering);
    else
      ended_ = true;
  }

  void enter(Index j) {
    const double sign = e_[j] < 0.0 ? -1.0 : 1.0;
    double outside = std::sqrt(e_[j] * e_[j] + rest_[j]); // length of the column outside of Q
    double cosine = sign * e_[j] / outside;
    order_.push_back(j);
    if (j >= n_total_)
      dummy_at_.push_back(order_.size() - 1);
    if (j < x_->p())
      turn_to_feature(j, sign, outside, cosine);
    const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
    const double grows = (1.0 - sign * h_[j]) / outside;
    rest_[j] = kOut;
    if (sphere_.dimension() < 1 || sine < 1e-7) {
      ended_ = true;
      return;
    }
    if (j >= x_->p())
      turn_anywhere();
    ask_products(w_.data());
    AlignedBuffer<double> q(x_->ld());
    for (Index i = 0; i < x_->ld(); ++i) {
      q[i] = cosine * u_[i] + sine * w_[i];
      u_[i] = sine * u_[i] - cosine * w_[i];
    }
    basis_.push_back(std::move(q));
    length_ *= sine;
    update(cosine, sine, grows);
  }

  void update(double cosine, double sine, double grows) {
    for (Index j = 0; j < size_; ++j) {
      if (rest_[j] == kOut)
        continue;
      const double e = e_[j], t = product_[j];
      h_[j] += grows * (cosine * e + sine * t);
      e_[j] = sine * e - cosine * t;
      rest_[j] = std::max(0.0, rest_[j] - t * t);
      if (e_[j] * e_[j] + rest_[j] < kSpanned)
        rest_[j] = kOut;
    }
  }

  // w: the direction of a feature outside of Q and u. More exact than the sums of squares.
  void turn_to_feature(Index j, double sign, double &outside, double &cosine) {
    const double *column = x_->column(j);
    for (Index i = 0; i < x_->ld(); ++i)
      w_[i] = sign * column[i];
    leave_basis();
    outside = length_of(w_);
    cosine = kernels().dot(w_.data(), u_.data(), x_->ld()) / outside;
    take_off(u_, cosine * outside);
    unit_length(w_);
  }

  // w: a random direction outside of Q and u, in which an entering dummy lies.
  void turn_anywhere() {
    for (Index i = 0; i < x_->n(); ++i)
      w_[i] = sphere_.normal();
    const double sum = std::accumulate(w_.data(), w_.data() + x_->n(), 0.0);
    for (Index i = 0; i < x_->n(); ++i)
      w_[i] -= sum / x_->n();
    leave_basis();
    take_off(u_, kernels().dot(w_.data(), u_.data(), x_->ld()));
    unit_length(w_);
  }

  void leave_basis() {
    for (int twice = 0; twice < 2; ++twice)
      for (const AlignedBuffer<double> &q : basis_)
        take_off(q, kernels().dot(w_.data(), q.data(), x_->ld()));
  }
  void take_off(const AlignedBuffer<double> &direction, double amount) {
    for (Index i = 0; i < x_->ld(); ++i)
      w_[i] -= amount * direction[i];
  }
  double length_of(const AlignedBuffer<double> &v) const {
    return std::sqrt(kernels().dot(v.data(), v.data(), x_->ld()));
  }
  void unit_length(AlignedBuffer<double> &v) const {
    const double length = length_of(v);
    for (Index i = 0; i < x_->ld() && length > 0.0; ++i)
      v[i] /= length;
  }

  // The products of all columns with a direction: computed for features, drawn for virtual dummies.
  void ask_products(const double *direction) {
    x_->products(direction, product_.data());
    for (Index d = 0; d < spare_.size(); ++d) {
      const Index j = x_->p() + d;
      if (has_spare_) {
        product_[j] = spare_[d];
        continue;
      }
      sphere_.pair(product_[j], spare_[d]);
      const double left = std::sqrt(std::max(0.0, rest_[j]));
      product_[j] *= left, spare_[d] *= left;
    }
    has_spare_ = !has_spare_;
    sphere_.next_dimension();
  }

  const TrexColumns *x_;
  Index n_total_, size_;
  Array<double> h_, e_, rest_, product_, spare_;
  AlignedBuffer<double> u_, w_;
  Array<AlignedBuffer<double>> basis_;
  Array<Index> order_, dummy_at_;
  SphereCoordinates sphere_;
  double length_ = 1.0;
  bool has_spare_ = false, ended_ = false;
};

} // namespace stabilect

#endif
