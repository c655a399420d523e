#include <limits>

#include "r_convert.h"
#include "stabilect/base/column_facts.h"
#include "stabilect/base/copies.h"
#include "stabilect/base/hash_values.h"

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

// The columns, from 1, that may be a linear function of a column of `told`, judged by some rows.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_near_columns(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &rows,
                                     const Rcpp::NumericMatrix &told, double least) {
  if (told.nrow() != x.nrow())
    throw std::invalid_argument("told must have one row for each row of x");
  if (std::any_of(rows.begin(), rows.end(), [&](int i) { return i < 1 || i > x.nrow(); }))
    throw std::invalid_argument("rows must be rows of x");
  const Array<int> some = r::from_zero(rows);
  return r::from_one(near_columns(r::as_map(x), some, r::as_map(told), least));
}

// rlang::hash() of the values of some columns, which follow one another, with 0 for -0; NA if there
// are too many. `first`: number of the first column, from 0.
// [[Rcpp::export(rng = false)]]
Rcpp::String cpp_hash_columns(const Rcpp::NumericMatrix &x, int first, int n_columns) {
  const Index n = Index(x.nrow()) * n_columns;
  if (first < 0 || n_columns < 0 || n_columns > x.ncol() - first || n < 2)
    throw std::invalid_argument("x must have these columns, with two values or more");
  if (n > std::numeric_limits<int>::max())
    return NA_STRING;
  return hash_numbers(x.begin() + Index(x.nrow()) * first, n);
}

// rlang::hash() of every column.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_hash_runs(const Rcpp::IntegerMatrix &counts) {
  const Index n = counts.nrow();
  if (n < 3)
    throw std::invalid_argument("counts must have three rows or more");
  Rcpp::CharacterVector out(counts.ncol());
  for (Index b = 0; b < counts.ncol(); ++b)
    out[b] = hash_counts(counts.begin() + b * n, n);
  return out;
}

// rlang::hash() of list(key, numbers of the row) for every row, with 0 for -0.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_hash_rows(const Rcpp::CharacterVector &keys,
                                    const Rcpp::NumericMatrix &beside,
                                    const Rcpp::NumericMatrix &x) {
  if (beside.nrow() != keys.size() || x.nrow() != keys.size())
    throw std::invalid_argument("beside and x must have one row for each key");
  Rcpp::CharacterVector out(keys.size());
  SerialText text;
  for (Index i = 0; i < keys.size(); ++i)
    out[i] = hash_row(CHAR(keys[i]), r::as_map(beside), r::as_map(x), i, text);
  return out;
}

// The pairs of rows that are tied in each column; none for columns that order the rows alike.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_tied_pairs(const Rcpp::NumericMatrix &x) {
  const Array<double> tied = tied_pairs(r::as_map(x));
  return Rcpp::NumericVector(tied.begin(), tied.end());
}

// Marks of columns (3 x p) and of rows (n). `first`: number of the first column, from 0.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_copy_marks(const Rcpp::NumericMatrix &x, int first) {
  const CopyMarks marks = copy_marks(r::as_map(x), first);
  Rcpp::NumericMatrix columns(kColumnMarks, x.ncol());
  std::copy(marks.columns.data(), marks.columns.data() + marks.columns.size(), columns.begin());
  return Rcpp::List::create(Rcpp::Named("columns") = columns,
                            Rcpp::Named("rows") = Rcpp::NumericVector(
                                marks.rows.data(), marks.rows.data() + marks.rows.size()));
}
