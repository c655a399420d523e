#ifndef STABILECT_COPIES_H
#define STABILECT_COPIES_H

// Marks by which copies of columns and of rows are recognised, in one pass over the matrix.

#include <Eigen/Dense>

#include <cmath>
#include <cstdint>
#include <limits>

#include "stabilect/base/types.h"

namespace stabilect {

// Columns with |r| = 1 agree in the size of each mark, and in the signs of all or of none.
constexpr Index kColumnMarks = 3;

// Fixed numbers between -1 and 1 (splitmix64): marks are the same in every session.
inline double fixed_number(std::uint64_t at) {
  std::uint64_t z = (at + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return std::ldexp(static_cast<double>((z ^ (z >> 31)) >> 11), -52) - 1.0;
}

struct CopyMarks {
  // Products of each standardised column with fixed directions; NaN for columns that are constant.
  Eigen::MatrixXd columns;
  // A sum of each row with fixed weights: equal rows have the same bits.
  Eigen::VectorXd rows;
};

// `first`: number of the first column, from 0, where x is part of a wider matrix.
inline CopyMarks copy_marks(const ConstMatrix &x, Index first) {
  const Index n = x.rows(), p = x.cols();
  Eigen::MatrixXd directions(n, kColumnMarks);
  for (Index i = 0; i < n * kColumnMarks; ++i)
    directions.data()[i] = fixed_number(static_cast<std::uint64_t>(i));
  CopyMarks marks{Eigen::MatrixXd(kColumnMarks, p), Eigen::VectorXd::Zero(n)};
  Eigen::VectorXd rest(n);
  for (Index j = 0; j < p; ++j) {
    const auto column = x.col(j);
    marks.rows += fixed_number(~static_cast<std::uint64_t>(first + j)) * column;
    const double mean = column.mean();
    rest = column.array() - mean;
    // Squares of very small or large values are no numbers.
    const double size = rest.cwiseAbs().maxCoeff();
    if (size > 1e-13 * std::abs(mean) && std::isfinite(size)) {
      rest /= size;
      marks.columns.col(j).noalias() = directions.transpose() * rest / rest.norm();
    } else {
      marks.columns.col(j).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
  return marks;
}

} // namespace stabilect

#endif
