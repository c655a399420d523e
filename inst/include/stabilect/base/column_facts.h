#ifndef STABILECT_COLUMN_FACTS_H
#define STABILECT_COLUMN_FACTS_H

// What is told of each column before any work on it, in one pass over the matrix.

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "stabilect/base/types.h"

namespace stabilect {

// The largest absolute value; infinite or not a number if a value is.
inline double largest_size(const double *x, Index n) {
  const Eigen::Map<const Eigen::ArrayXd> values(x, n);
  if (n > 0 && (values * 0.0).sum() == 0.0) // no value is infinite or NaN
    return values.abs().maxCoeff();
  // As whole numbers the bits of sizes have the order of sizes; those of NaN are the largest.
  std::uint64_t largest = 0;
  for (Index i = 0; i < n; ++i) {
    std::uint64_t bits;
    std::memcpy(&bits, x + i, sizeof bits);
    largest = std::max(largest, bits & ~(std::uint64_t(1) << 63));
  }
  double size;
  std::memcpy(&size, &largest, sizeof size);
  return size;
}

// Means or products of this size, relative to that of the values, are rounding errors.
constexpr double kDirectionRounding = 1e-10;

// The columns that are taken at once: their sums do not wait for one another.
constexpr Index kColumnsAtOnce = 4;

namespace impl {

// The rows of class 0, then those of class 1, ...; `end`: one past the last of each.
struct RowsByClass {
  Array<int> row;
  Array<Index> end;
};

inline RowsByClass rows_by_class(const Array<int> &code, int n_classes) {
  RowsByClass rows;
  for (int k = 0; k < n_classes; ++k) {
    for (std::size_t i = 0; i < code.size(); ++i)
      if (code[i] == k)
        rows.row.push_back(static_cast<int>(i));
    rows.end.push_back(static_cast<Index>(rows.row.size()));
  }
  return rows;
}

} // namespace impl

// The class in which each column has the largest mean, the first of equal ones; -1 for columns that
// are equal in all classes. `code`: class of each row, from 0; every class has a row.
inline Array<int> highest_classes(const ConstMatrix &x, const Array<int> &code, int n_classes) {
  const Index n = x.rows(), p = x.cols();
  Eigen::ArrayXXd sums(kColumnsAtOnce, n_classes);
  Eigen::ArrayXd count = Eigen::ArrayXd::Zero(n_classes);
  for (int k : code)
    ++count[k];
  const impl::RowsByClass rows = impl::rows_by_class(code, n_classes);
  Array<int> out(p);
  for (Index from = 0; from < p; from += kColumnsAtOnce) {
    const double *column[kColumnsAtOnce];
    double sizes[kColumnsAtOnce] = {};
    for (Index q = 0; q < kColumnsAtOnce; ++q)
      column[q] = x.data() + x.outerStride() * std::min(from + q, p - 1);
    for (Index k = 0, i = 0; k < n_classes; ++k) {
      // Class by class they stay in registers, where the compiler counts the columns.
      double own[kColumnsAtOnce] = {};
      for (; i < rows.end[k]; ++i) {
        const int at = rows.row[i];
#pragma GCC unroll 4
        for (Index q = 0; q < kColumnsAtOnce; ++q) {
          own[q] += column[q][at];
          sizes[q] += std::abs(column[q][at]);
        }
      }
      for (Index q = 0; q < kColumnsAtOnce; ++q)
        sums(q, k) = own[q];
    }
    for (Index q = 0; q < std::min(kColumnsAtOnce, p - from); ++q) {
      const Eigen::ArrayXd means = sums.row(q).transpose() / count;
      const double rounding = kDirectionRounding * sizes[q] / n, largest = means.maxCoeff();
      int best = 0;
      while (means[best] < largest - rounding)
        ++best;
      out[from + q] = largest - means.minCoeff() <= rounding ? -1 : best;
    }
  }
  return out;
}

// The sign of the product of each column with y, which has mean zero: -1, 1, or 0 for rounding.
inline Array<int> product_signs(const ConstMatrix &x, const Eigen::VectorXd &y) {
  const Index n = x.rows(), p = x.cols();
  const double size = y.squaredNorm();
  Array<int> out(p);
  for (Index from = 0; from < p; from += kColumnsAtOnce) {
    double product[kColumnsAtOnce] = {}, squares[kColumnsAtOnce] = {};
    const double *column[kColumnsAtOnce];
    for (Index q = 0; q < kColumnsAtOnce; ++q)
      column[q] = x.data() + x.outerStride() * std::min(from + q, p - 1);
    for (Index i = 0; i < n; ++i)
#pragma GCC unroll 4
      for (Index q = 0; q < kColumnsAtOnce; ++q) {
        product[q] += column[q][i] * y[i];
        squares[q] += column[q][i] * column[q][i];
      }
    for (Index q = 0; q < std::min(kColumnsAtOnce, p - from); ++q) {
      const double least = kDirectionRounding * std::sqrt(squares[q] * size);
      out[from + q] = product[q] > least ? 1 : product[q] < -least ? -1 : 0;
    }
  }
  return out;
}

// The columns whose correlation with a column of `told` is at least `least` in these rows, either
// way, or unknown there.
inline Array<int> near_columns(const ConstMatrix &x, const Array<int> &rows,
                               const ConstMatrix &told, double least) {
  const Index m = rows.size();
  Eigen::MatrixXd some(m, told.cols());
  for (Index i = 0; i < m; ++i)
    some.row(i) = told.row(rows[i]);
  some.rowwise() -= some.colwise().mean().eval();
  Eigen::VectorXd own(m);
  Array<int> near;
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < m; ++i)
      own[i] = x(rows[i], j);
    own.array() -= own.mean();
    const double limit = least * least * own.squaredNorm();
    bool far = true;
    for (Index k = 0; k < some.cols(); ++k) {
      const double product = own.dot(some.col(k));
      far = far && product * product < limit * some.col(k).squaredNorm();
    }
    if (!far)
      near.push_back(static_cast<int>(j));
  }
  return near;
}

// The pairs of rows that are tied in each column. A column that orders the rows as one before it
// does, or the other way round, is left out.
inline Array<double> tied_pairs(const ConstMatrix &x) {
  const Index n = x.rows();
  Array<Index> order(n);
  std::set<std::vector<Index>> met;
  Array<double> tied;
  for (Index j = 0; j < x.cols(); ++j) {
    const double *v = x.data() + x.outerStride() * j;
    std::iota(order.begin(), order.end(), Index(0));
    std::sort(order.begin(), order.end(), [v](Index a, Index b) { return v[a] < v[b]; });
    // Sums of the first and the last place of equal values.
    std::vector<Index> rank(static_cast<std::size_t>(n));
    double pairs = 0.0;
    for (Index from = 0, to; from < n; from = to) {
      for (to = from + 1; to < n && v[order[to]] == v[order[from]];)
        ++to;
      for (Index k = from; k < to; ++k)
        rank[static_cast<std::size_t>(order[k])] = from + to - 1;
      pairs += static_cast<double>(to - from) * static_cast<double>(to - from - 1) / 2;
    }
    if (rank[0] > n - 1)
      for (Index &place : rank)
        place = 2 * (n - 1) - place;
    if (met.insert(std::move(rank)).second)
      tied.push_back(pairs);
  }
  return tied;
}

} // namespace stabilect

#endif
