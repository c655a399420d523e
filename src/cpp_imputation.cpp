#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/data/imputation.h"

using namespace stabilect;

namespace {

Rcpp::IntegerVector columns_of_cells(const Cells &cells) {
  Rcpp::IntegerVector out(cells.size());
  for (Index c = 0; c < cells.n_columns(); ++c)
    std::fill(out.begin() + cells.start[c], out.begin() + cells.start[c + 1], cells.column[c] + 1);
  return out;
}

} // namespace

// Missing values of x. `group`: from 1, of each column; by_value: of each group, may a missing
// value depend on its size? Rows and columns count from 1; drawn: n_draws x cells.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_impute(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &group,
                      const Rcpp::LogicalVector &by_value, int n_draws, double seed, int n_threads,
                      SEXP progress) {
  if (group.size() != x.ncol())
    throw std::invalid_argument("group must have one value for each column of x");
  ImputationOptions options;
  options.draws = n_draws;
  options.seed = r::as_seed(seed);
  const Array<int> flags(by_value.begin(), by_value.end());
  const Array<int> codes = r::as_codes(group, static_cast<int>(flags.size()));
  const Imputation found =
      impute(r::as_map(x), codes, flags, options, make_runtime(n_threads, progress));
  const Eigen::MatrixXd drawn = found.drawn.cast<double>();
  Array<int> rows = found.cells.row;
  return Rcpp::List::create(
      Rcpp::_["row"] = r::from_one(rows), Rcpp::_["column"] = columns_of_cells(found.cells),
      Rcpp::_["expected"] = r::wrap(found.expected), Rcpp::_["drawn"] = r::wrap(drawn),
      Rcpp::_["slope"] = found.slope, Rcpp::_["lower"] = found.lower);
}
