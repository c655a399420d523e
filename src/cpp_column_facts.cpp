#include "r_convert.h"
#include "r_hash.h"
#include "stabilect/base/column_facts.h"
#include "stabilect/base/copies.h"

using namespace stabilect;

// The largest absolute value of each column; infinite or NaN if it has such a value.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_column_sizes(const Rcpp::NumericMatrix &x) {
  Rcpp::NumericVector out(x.ncol());
  for (Index j = 0; j < x.ncol(); ++j)
    out[j] = largest_size(x.begin() + j * x.nrow(), x.nrow());
  return out;
}

// Of some columns (from 1): the largest absolute value of each, and its number of zeros.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_facts_of(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &columns) {
  if (std::any_of(columns.begin(), columns.end(), [&](int j) { return j < 1 || j > x.ncol(); }))
    throw std::invalid_argument("columns must be columns of x");
  Rcpp::NumericVector size(columns.size());
  Rcpp::IntegerVector zeros(columns.size());
  for (R_xlen_t k = 0; k < columns.size(); ++k) {
    const double *column = x.begin() + (columns[k] - 1) * static_cast<Index>(x.nrow());
    size[k] = largest_size(column, x.nrow());
    zeros[k] = static_cast<int>(std::count(column, column + x.nrow(), 0.0));
  }
  return Rcpp::List::create(Rcpp::Named("size") = size, Rcpp::Named("zeros") = zeros);
}

// Which texts do not begin with a visible letter of ASCII? NA does not.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_begins_unseen(const Rcpp::CharacterVector &text) {
  Rcpp::LogicalVector out(text.size());
  for (R_xlen_t i = 0; i < text.size(); ++i) {
    const SEXP one = STRING_ELT(text, i);
    const unsigned char first = one == NA_STRING ? 0 : static_cast<unsigned char>(*CHAR(one));
    out[i] = first < '!' || first > '~';
  }
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

// A hash of a value with all its parts and attributes.
// [[Rcpp::export(rng = false)]]
Rcpp::String cpp_hash_tree(SEXP x) { return r::hash_tree(x); }

// The hash of the values of some columns, which follow one another. `first`: number of the
// first column, from 0.
// [[Rcpp::export(rng = false)]]
Rcpp::String cpp_hash_columns(const Rcpp::NumericMatrix &x, int first, int n_columns) {
  if (first < 0 || n_columns < 0 || n_columns > x.ncol() - first)
    throw std::invalid_argument("x must have these columns");
  ValueHash hash;
  hash.add("double");
  hash.add(x.begin() + Index(x.nrow()) * first, Index(x.nrow()) * n_columns);
  return hash.text();
}

// The hash of every column.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_hash_runs(const Rcpp::IntegerMatrix &counts) {
  const Index n = counts.nrow();
  Rcpp::CharacterVector out(counts.ncol());
  for (Index b = 0; b < counts.ncol(); ++b) {
    ValueHash hash;
    hash.add("integer");
    hash.add(counts.begin() + b * n, n);
    out[b] = hash.text();
  }
  return out;
}

// A hash of the key and the numbers of every row.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_hash_rows(const Rcpp::CharacterVector &keys,
                                    const Rcpp::NumericMatrix &beside,
                                    const Rcpp::NumericMatrix &x) {
  if (beside.nrow() != keys.size() || x.nrow() != keys.size())
    throw std::invalid_argument("beside and x must have one row for each key");
  Rcpp::CharacterVector out(keys.size());
  for (Index i = 0; i < keys.size(); ++i) {
    ValueHash hash;
    hash.add(std::string(CHAR(keys[i])));
    for (const Rcpp::NumericMatrix *part : {&beside, &x}) {
      const Eigen::VectorXd row = r::as_map(*part).row(i);
      hash.add(row.data(), row.size());
    }
    out[i] = hash.text();
  }
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
