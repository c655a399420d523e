#ifndef STABILECT_INVERSE_FACTOR_H
#define STABILECT_INVERSE_FACTOR_H

#include "stabilect/base/kernels.h"
#include "stabilect/base/scale.h"
#include "stabilect/base/types.h"

namespace stabilect {

// The inverse U of the triangular factor R of a Gram matrix G = R'R: G^{-1} = U U'. Solving, adding
// a column and dropping one need only products with U.
class InverseFactor {
public:
  explicit InverseFactor(const Kernels &kernels) : kernels_(&kernels) {}

  Index size() const { return size_; }

  void clear() { size_ = 0; }

  void reserve(Index size) {
    if (size <= capacity_)
      return;
    const Index ld = pad_rows(size);
    AlignedBuffer<double> larger(ld * ld);
    for (Index k = 0; k < size_; ++k)
      for (Index i = 0; i <= k; ++i)
        larger[k * ld + i] = u_[k * ld_ + i];
    u_.swap(larger);
    ld_ = capacity_ = ld;
    work_.resize(ld);
  }

  // out = U'v
  void transpose_times(const double *v, double *out) const {
    kernels_->triangle_dot(u_.data(), ld_, size_, v, out);
  }
  // out = U v (out padded to a multiple of eight)
  void times(const double *v, double *out) const {
    kernels_->triangle_combine(u_.data(), ld_, size_, v, out);
  }
  // out = G^{-1} v
  void solve(const double *v, double *out) {
    transpose_times(v, work_.data());
    for (Index i = size_; i < pad_rows(size_); ++i)
      work_[i] = 0.0;
    times(work_.data(), out);
  }

  // Appends a column: z = G^{-1} g are the coefficients of its projection on the others
  // (Gram column g), rho the norm of what is left.
  void append(const double *z, double rho) {
    reserve(size_ + 1);
    double *column = u_.data() + size_ * ld_;
    for (Index i = 0; i < size_; ++i)
      column[i] = -z[i] / rho;
    column[size_] = 1.0 / rho;
    for (Index i = size_ + 1; i < pad_rows(size_ + 1); ++i)
      column[i] = 0.0;
    ++size_;
  }

  // Removes row and column `at` of G: rotations of neighbouring columns of U push row
  // `at` into the last column, which then is the Schur complement to be removed.
  void drop(Index at) {
    for (Index k = at; k + 1 < size_; ++k) {
      double *left = u_.data() + k * ld_, *right = left + ld_;
      const double a = left[at], b = right[at], h = length_of(a, b);
      const double c = b / h, s = a / h;
      for (Index i = 0; i <= k + 1; ++i) {
        const double l = left[i], r = right[i];
        left[i] = c * l - s * r;
        right[i] = s * l + c * r;
      }
    }
    --size_;
    for (Index k = at; k < size_; ++k) {
      double *column = u_.data() + k * ld_;
      for (Index i = at; i <= k; ++i)
        column[i] = column[i + 1];
      column[k + 1] = 0.0;
    }
  }

  // The last column of U, of length size().
  const double *last_column() const { return u_.data() + (size_ - 1) * ld_; }

private:
  const Kernels *kernels_;
  Index size_ = 0, capacity_ = 0, ld_ = 0;
  AlignedBuffer<double> u_, work_;
};

} // namespace stabilect

#endif
