#include "r_convert.h"
#include "stabilect/base/column_facts.h"

using namespace stabilect;

// The largest absolute value of each column; infinite or NaN if it has such a value.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_column_sizes(const Rcpp::NumericMatrix &x) {
  Rcpp::NumericVector out(x.ncol());
  for (Index j = 0; j < x.ncol(); ++j)
    out[j] = largest_size(x.begin() + j * x.nrow(), x.nrow());
  return out;
}

// The class, from 1, in which each column is highest; 0 for none.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_highest_classes(const Rcpp::NumericMatrix &x,
                                        const Rcpp::IntegerVector &codes, int n_classes) {
  if (codes.size() != x.nrow())
    throw std::invalid_argument("codes must have one value for each row of x");
  return r::from_one(highest_classes(r::as_map(x), r::as_codes(codes, n_classes), n_classes));
}

// The sign of the product of each column with y, which has mean zero.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_product_signs(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y) {
  const Array<int> signs = product_signs(r::as_map(x), r::as_response(y, x.nrow()));
  return Rcpp::IntegerVector(signs.begin(), signs.end());
}
