#ifndef STABILECT_COPIES_H
#define STABILECT_COPIES_H

// Marks by which copies of columns and of rows are recognised, in one pass over the matrix.

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "stabilect/base/kernels.h"
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

// A column about its mean beside the directions; rows are padded with zeros.
class MarkedColumn {
public:
  explicit MarkedColumn(Index n) : n_(n), table_(Eigen::MatrixXd::Zero(pad_rows(n), kRest + 1)) {
    for (Index k = 0; k < kColumnMarks; ++k)
      for (Index i = 0; i < n; ++i)
        table_(i, k) = fixed_number(static_cast<std::uint64_t>(i + k * n));
  }

  // NaN for a column that is constant.
  void mark(const ConstVector &column, double *marks) {
    auto rest = table_.col(kRest).head(n_);
    const double mean = column.mean();
    rest = column.array() - mean;
    const double least = 1e-13 * std::abs(mean);
    double squares = multiply(marks);
    // Squares of very small or large values are no numbers.
    if (!(squares > n_ * least * least && squares > 1e-200 && squares < 1e200)) {
      const double size = rest.cwiseAbs().maxCoeff();
      const bool varies = size > least && std::isfinite(size);
      rest /= varies ? size : std::numeric_limits<double>::quiet_NaN();
      squares = multiply(marks);
    }
    const double length = std::sqrt(squares);
    for (Index k = 0; k < kColumnMarks; ++k)
      marks[k] /= length;
  }

private:
  static constexpr Index kRest = kColumnMarks;

  // @return the sum of squares.
  double multiply(double *marks) const {
    constexpr int slots[] = {0, 1, 2, kRest};
    double products[kRest + 1];
    kernels().dot_one(table_.data(), table_.rows(), slots, kRest + 1, table_.col(kRest).data(),
                      products);
    std::copy(products, products + kColumnMarks, marks);
    return products[kRest];
  }

  Index n_;
  Eigen::MatrixXd table_;
};

// `first`: number of the first column, from 0, where x is part of a wider matrix.
inline CopyMarks copy_marks(const ConstMatrix &x, Index first) {
  const Index p = x.cols();
  CopyMarks marks{Eigen::MatrixXd(kColumnMarks, p), Eigen::VectorXd::Zero(x.rows())};
  MarkedColumn marked(x.rows());
  for (Index j = 0; j < p; ++j) {
    marks.rows += fixed_number(~static_cast<std::uint64_t>(first + j)) * x.col(j);
    marked.mark(x.col(j), marks.columns.col(j).data());
  }
  return marks;
}

} // namespace stabilect

#endif
