#ifndef STABILECT_SYMMETRIC_EIGEN_H
#define STABILECT_SYMMETRIC_EIGEN_H

// Eigenvalues and eigenvectors of a symmetric matrix by the QR algorithm, in steps: it can be
// interrupted, reports its progress, and rotates the vectors on several threads. Up to `in_place`
// rows the bits equal Eigen::SelfAdjointEigenSolver.

#include <Eigen/Householder>
#include <Eigen/Jacobi>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/passes.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/scale.h"
#include "stabilect/base/simd.h"
#include "stabilect/base/types.h"

namespace stabilect {

constexpr Index kRotatedRows = 16;

// Columns x and y, `column` and the one after it, become c x - s y and s x + c y.
struct Rotation {
  Index column;
  double c, s;
};

} // namespace stabilect

#define STABILECT_BODY "stabilect/signal/rotations_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

struct SymmetricEigen {
  Eigen::VectorXd values;  // ascending
  Eigen::MatrixXd vectors; // one column each
};

namespace signal_detail {

inline void check_stop(const Runtime &runtime) {
  if (runtime.stop_requested())
    throw Interrupted();
}

// To tridiagonal form by reflections (Golub and Van Loan 2013, algorithm 8.3.1). Their vectors are
// left below the subdiagonal of `a`, of which the lower triangle is read.
inline Eigen::VectorXd tridiagonalise(Eigen::MatrixXd &a, const Runtime &runtime) {
  const Index n = a.rows();
  Eigen::VectorXd coefficients(n - 1);
  for (Index i = 0; i + 1 < n; ++i) {
    check_stop(runtime);
    const Index rest = n - i - 1;
    double h, beta;
    a.col(i).tail(rest).makeHouseholderInPlace(h, beta);
    a(i + 1, i) = 1.0;
    const auto v = a.col(i).tail(rest);
    auto w = coefficients.tail(rest);
    w.noalias() = a.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>() * (h * v);
    w += (h * -0.5 * w.dot(v)) * v;
    a.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>().rankUpdate(v, w, -1.0);
    a(i + 1, i) = beta;
    coefficients[i] = h;
    // Now and then only: telling and asking share one clock.
    if (i % 16 == 0)
      runtime.report(0.5 - 0.5 * std::pow(1.0 * rest / n, 3), 1.0);
  }
  return coefficients;
}

// The product of the reflections, in the place of their vectors.
inline void reflections_in_place(Eigen::MatrixXd &a, const Eigen::VectorXd &coefficients,
                                 const Runtime &runtime) {
  const Index n = a.rows();
  Eigen::VectorXd workspace(n);
  a.diagonal().setOnes();
  a.triangularView<Eigen::StrictlyUpper>().setZero();
  for (Index k = n - 2; k >= 0; --k) {
    check_stop(runtime);
    const Index rest = n - k - 1;
    a.bottomRightCorner(rest, rest)
        .applyHouseholderOnTheLeft(a.col(k).tail(rest - 1), coefficients[k], workspace.data());
    a.col(k).tail(rest).setZero();
  }
}

// The same in blocks of columns: twice the work, but of products of matrices, and on all threads.
// `shift`: where the first vector begins below the diagonal.
inline Eigen::MatrixXd reflections(const Eigen::MatrixXd &vectors,
                                   const Eigen::VectorXd &coefficients, Index shift,
                                   const Runtime &runtime) {
  constexpr Index kColumns = 32;
  const Index n = vectors.rows();
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(n, n);
  run_tasks((n + kColumns - 1) / kColumns, runtime, [&](Index t) {
    const Index from = t * kColumns, width = std::min(kColumns, n - from);
    Eigen::MatrixXd block = out.middleCols(from, width);
    block.applyOnTheLeft(Eigen::householderSequence(vectors, coefficients)
                             .setLength(coefficients.size())
                             .setShift(shift));
    out.middleCols(from, width) = block;
  });
  return out;
}

// Wilkinson's shift: the eigenvalue of the last two rows that is nearer to the last entry.
inline double wilkinson_shift(double before, double last, double between) {
  const double half = 0.5 * (before - last);
  if (half == 0.0)
    return last - std::fabs(between);
  const double square = between * between, h = length_of(half, between);
  if (square == 0.0)
    return last - between / (half + (half > 0.0 ? 1.0 : -1.0)) * (between / h);
  return last - square / (half + (half > 0.0 ? h : -h));
}

// An implicit QR step on rows `start` to `end` of a tridiagonal matrix (Golub and Van Loan 2013,
// algorithm 8.3.2); adds its rotations.
inline void qr_step(Eigen::VectorXd &diagonal, Eigen::VectorXd &below, Index start, Index end,
                    Array<Rotation> &rotations) {
  double x = diagonal[start] - wilkinson_shift(diagonal[end - 1], diagonal[end], below[end - 1]);
  double bulge = below[start];
  for (Index k = start; k < end; ++k) {
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(x, bulge);
    const double c = turn.c(), s = turn.s();
    const double top = diagonal[k], off = below[k], bottom = diagonal[k + 1];
    const double left = s * top + c * off, right = s * off + c * bottom;
    diagonal[k] = c * (c * top - s * off) - s * (c * off - s * bottom);
    diagonal[k + 1] = s * left + c * right;
    below[k] = c * left - s * right;
    if (k > start)
      below[k - 1] = c * below[k - 1] - s * bulge;
    x = below[k];
    if (k < end - 1) {
      bulge = -s * below[k + 1];
      below[k + 1] = c * below[k + 1];
    }
    rotations.push_back({k, c, s});
  }
}

// A square matrix in slabs of sixteen rows, in each of which columns lie side by side.
class RotatedRows {
public:
  explicit RotatedRows(const Eigen::MatrixXd &matrix) : n_(matrix.rows()) {
    const Index n = n_;
    values_.resize((n + kRotatedRows - 1) / kRotatedRows * kRotatedRows * n);
    each([&](double &value, Index i, Index j) { value = matrix(i, j); });
  }

  void apply(const Array<Rotation> &rotations, const Runtime &runtime) {
    const Index n = n_;
    run_tasks((n + kRotatedRows - 1) / kRotatedRows, runtime, [&](Index slab) {
      STABILECT_AT_WIDTH(0, rotate_rows)
      (values_.data() + slab * kRotatedRows * n, rotations.data(), rotations.size());
    });
  }

  void write(Eigen::MatrixXd &matrix) {
    each([&](double &value, Index i, Index j) { matrix(i, j) = value; });
  }

private:
  template <typename Task> void each(const Task &task) {
    const Index n = n_;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        task(values_.data()[(i / kRotatedRows * n + j) * kRotatedRows + i % kRotatedRows], i, j);
  }

  Index n_;
  AlignedBuffer<double> values_;
};

// Diagonalises a tridiagonal matrix, and turns `vectors` with it.
inline void diagonalise(Eigen::VectorXd &diagonal, Eigen::VectorXd &below, Eigen::MatrixXd &vectors,
                        const Runtime &runtime) {
  constexpr Index kAtOnce = 1 << 17;
  const double precision = 2.0 * std::numeric_limits<double>::epsilon();
  RotatedRows rows(vectors);
  Array<Rotation> rotations;
  Index start = 0, end = diagonal.size() - 1, steps = 30 * diagonal.size();
  const double n = diagonal.size();
  for (;;) {
    for (Index i = start; i < end; ++i)
      if (std::fabs(below[i]) <=
              (std::fabs(diagonal[i]) + std::fabs(diagonal[i + 1])) * precision ||
          std::fabs(below[i]) <= std::numeric_limits<double>::min())
        below[i] = 0.0;
    while (end > 0 && below[end - 1] == 0.0)
      --end;
    if (end <= 0)
      break;
    if (steps-- == 0)
      throw Error("eigenvalues did not converge");
    start = end - 1;
    while (start > 0 && below[start - 1] != 0.0)
      --start;
    qr_step(diagonal, below, start, end, rotations);
    if (rotations.size() >= kAtOnce) {
      rows.apply(rotations, quiet(runtime));
      rotations.clear();
      const double left = end / n;
      runtime.report(0.6 + 0.4 * (1.0 - left * left), 1.0);
    }
  }
  rows.apply(rotations, quiet(runtime));
  rows.write(vectors);
}

// Smallest first; swaps as in a selection sort: ties have one order.
inline void sort_values(SymmetricEigen &found) {
  const Index n = found.values.size();
  for (Index i = 0; i + 1 < n; ++i) {
    Index k;
    found.values.segment(i, n - i).minCoeff(&k);
    if (k > 0) {
      std::swap(found.values[i], found.values[i + k]);
      found.vectors.col(i).swap(found.vectors.col(i + k));
    }
  }
}

} // namespace signal_detail

// Reads the lower triangle. `in_place`: number of rows up to which the bits equal Eigen's.
inline SymmetricEigen symmetric_eigen(Eigen::MatrixXd matrix, const Runtime &runtime = Runtime(),
                                      Index in_place = 1000) {
  using namespace signal_detail;
  const Index n = matrix.rows();
  matrix.triangularView<Eigen::StrictlyUpper>().setZero();
  double scale = matrix.cwiseAbs().maxCoeff();
  if (scale == 0.0)
    scale = 1.0;
  matrix /= scale;
  const Eigen::VectorXd coefficients = tridiagonalise(matrix, runtime);
  SymmetricEigen found;
  found.values = matrix.diagonal();
  Eigen::VectorXd below = matrix.diagonal<-1>();
  if (n <= in_place) {
    reflections_in_place(matrix, coefficients, runtime);
    found.vectors.swap(matrix);
  } else {
    found.vectors = reflections(matrix, coefficients, 1, quiet(runtime));
  }
  diagonalise(found.values, below, found.vectors, runtime);
  found.values *= scale;
  sort_values(found);
  return found;
}

} // namespace stabilect

#endif
