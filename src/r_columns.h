#ifndef STABILECT_R_COLUMNS_H
#define STABILECT_R_COLUMNS_H

// Checks the selections of runs before stability is computed: the core trusts these shapes.

#include "r_convert.h"

namespace stabilect {
namespace r {

// Selections of runs as compressed columns: run i has feature[start[i]] to feature[start[i + 1] -
// 1], numbered from 0.
inline void check_columns(const Rcpp::IntegerVector &start, const Rcpp::IntegerVector &feature,
                          int n_total) {
  if (start.size() < 2 || start[0] != 0 || start[start.size() - 1] != feature.size() ||
      !std::is_sorted(start.begin(), start.end()))
    throw std::invalid_argument("starts must rise from 0 to the number of entries");
  if (std::any_of(feature.begin(), feature.end(), [=](int f) { return f < 0 || f >= n_total; }))
    throw std::invalid_argument("entries must be columns, numbered from 0");
}

// How often each of the runs counts, in every column.
inline MatrixMap as_multiplicities(const Rcpp::NumericMatrix &weights, int n_runs) {
  if (weights.nrow() != n_runs)
    throw std::invalid_argument("weights must have one row for each run");
  return as_map(weights);
}

} // namespace r
} // namespace stabilect

#endif
