#ifndef STABILECT_MISSING_VALUES_H
#define STABILECT_MISSING_VALUES_H

// A matrix with missing values in working form: columns at mean 0 and standard deviation 1 of what
// is there, padded for the kernels. Missing values are cells, column by column.

#include <algorithm>
#include <cmath>

#include "stabilect/base/kernels.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

struct Cells {
  Array<int> row;
  Array<int> column;  // that has missing values
  Array<Index> start; // of its cells; one more at the end

  Index size() const { return row.size(); }
  Index n_columns() const { return column.size(); }
  Index n_in(Index c) const { return start[c + 1] - start[c]; }
};

struct PaddedColumns {
  Index n = 0, p = 0, ld = 0;
  AlignedBuffer<double> z; // ld x p; rows from n on are zero
  Array<double> mean, sd;  // of the values that are there; sd 0: they are one value

  double *column(Index j) { return z.data() + j * ld; }
  const double *column(Index j) const { return z.data() + j * ld; }
  double value(Index i, Index j) const { return mean[j] + sd[j] * column(j)[i]; }
};

namespace missing_detail {

// Sizes are taken out first: squares of very large numbers are infinite.
inline void standardise(const ConstVector &x, double *z, double &mean, double &sd) {
  double largest = 0.0, sum = 0.0, squares = 0.0, first = 0.0;
  Index known = 0;
  for (Index i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]))
      continue;
    if (known++ == 0)
      first = x[i];
    largest = std::max(largest, std::fabs(x[i] - first));
  }
  const double unit = largest > 0.0 ? largest : 1.0;
  for (Index i = 0; i < x.size(); ++i)
    sum += std::isnan(x[i]) ? 0.0 : (x[i] - first) / unit;
  const double middle = known > 0 ? sum / known : 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    z[i] = std::isnan(x[i]) ? 0.0 : (x[i] - first) / unit - middle;
    squares += z[i] * z[i];
  }
  const double spread = known > 1 ? std::sqrt(squares / (known - 1)) : 0.0;
  for (Index i = 0; i < x.size(); ++i)
    z[i] = spread > 0.0 ? z[i] / spread : 0.0;
  mean = first + unit * middle;
  sd = unit * spread;
}

} // namespace missing_detail

// Missing values are NaN in x, and 0 (the mean) here.
inline PaddedColumns padded_columns(const ConstMatrix &x, const Runtime &runtime) {
  PaddedColumns out;
  out.n = x.rows();
  out.p = x.cols();
  out.ld = pad_rows(out.n);
  out.z.resize(out.ld * out.p);
  out.mean.resize(out.p);
  out.sd.resize(out.p);
  run_tasks(out.p, runtime, [&](Index j) {
    missing_detail::standardise(x.col(j), out.column(j), out.mean[j], out.sd[j]);
  });
  return out;
}

inline Cells missing_cells(const ConstMatrix &x) {
  Cells out;
  for (Index j = 0; j < x.cols(); ++j) {
    const Index before = out.row.size();
    for (Index i = 0; i < x.rows(); ++i)
      if (std::isnan(x(i, j)))
        out.row.push_back(static_cast<int>(i));
    if (out.row.size() == before)
      continue;
    out.column.push_back(static_cast<int>(j));
    out.start.push_back(before);
  }
  out.start.push_back(out.row.size());
  return out;
}

} // namespace stabilect

#endif
