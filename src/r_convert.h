#ifndef STABILECT_R_CONVERT_H
#define STABILECT_R_CONVERT_H

// Borrowed views of R's memory, and options from R's arguments.

#include <Rcpp.h>

#include <stdexcept>
#include <string>

#include "stabilect/base/types.h"
#include "stabilect/path/lars.h"

namespace stabilect {
namespace r {

using MatrixMap = Eigen::Map<const Eigen::MatrixXd>;

inline MatrixMap as_map(const Rcpp::NumericMatrix &x) {
  return MatrixMap(x.begin(), x.nrow(), x.ncol());
}
inline MatrixMap as_map(const Rcpp::NumericVector &x) { return MatrixMap(x.begin(), x.size(), 1); }

inline PathType path_type(const std::string &type) {
  if (type == "lasso")
    return PathType::lasso;
  if (type == "lar")
    return PathType::lar;
  throw std::invalid_argument("`type` must be \"lasso\" or \"lar\".");
}

// Where the runs' pieces of one concatenated vector end.
template <typename Size> Rcpp::IntegerVector run_ends(std::size_t n_runs, const Size &size) {
  Rcpp::IntegerVector ends(n_runs);
  int end = 0;
  for (std::size_t b = 0; b < n_runs; ++b)
    ends[b] = end += static_cast<int>(size(b));
  return ends;
}

} // namespace r
} // namespace stabilect

#endif
